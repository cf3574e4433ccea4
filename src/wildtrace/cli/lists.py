"""Options that take a list: `--scores a.json b.json c.json`, as a shell's pattern gives it, or repeated."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import click

LISTS = ("--scores", "--responses", "--family")


class ListCommand(click.Command):
    """A command whose options in `LISTS` take every value up to the next option."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Repeat the option for each of its values, then parse as usual."""
        return super().parse_args(ctx, list(_spread(args)))


def _spread(args: Sequence[str]) -> Iterator[str]:
    option, waiting = "", False
    for arg in args:
        if arg.startswith("-"):
            option, waiting = (arg if arg in LISTS else ""), arg in LISTS
        elif option and not waiting:
            yield option
        else:
            waiting = False
        yield arg
