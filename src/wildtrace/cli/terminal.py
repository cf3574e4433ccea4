"""What commands share: paths as options, and lines for the terminal that cannot drive it."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import click

from wildtrace.text.printable import printable


class _Path(click.Path):
    """A path that says where: an empty one would be the folder one stands in."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The path; a usage error where the word is empty."""
        if value == "":
            self.fail("the path is empty", param, ctx)
        return super().convert(value, param, ctx)


# Whether a file may be read is found out where it is read: that is no usage error (docs/protocol.md, rule 29).
FILE = _Path(dir_okay=False, readable=False, path_type=Path)
FOLDER = _Path(file_okay=False, readable=False, path_type=Path)


def tell(line: str, *, err: bool = False) -> None:
    """Print one line; what a file or a server put into it cannot move the cursor or colour the screen."""
    click.echo(printable(line), err=err)


MOST_SHOWN: Final = 200
"""Characters of a server's words that are shown."""


def tell_example(what: str, question_id: str, words: str | None, *, err: bool = False) -> None:
    """Print one case of what went wrong, with the server's words as far as they fit a line."""
    said = " ".join((words or "").split())
    shown = f"{said[:MOST_SHOWN]}…" if len(said) > MOST_SHOWN else said
    tell(f"  {what}, for example {question_id}{f': {shown}' if shown else ''}", err=err)
