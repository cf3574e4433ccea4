"""Writes the pages of docs/ that are made from the code; a test fails when one is out of date. Run: make docs."""

from __future__ import annotations

from pathlib import Path

import click

from wildtrace.cli.main import COMMANDS, main
from wildtrace.vocabulary import ANSWER_FLAGS, JUDGE_FLAGS

DOCS = Path(__file__).parent.parent / "docs"


def cli_page() -> str:
    """docs/cli.md: every command's help, as `--help` prints it."""
    parts = [
        "# Command line",
        "Made from the commands by `make docs`. Exit statuses: [exit-statuses.md](exit-statuses.md).",
        _help(main, "wildtrace"),
    ]
    context = click.Context(main, info_name="wildtrace")
    for name in COMMANDS:
        command = main.get_command(context, name)
        if command is not None:
            parts.append(f"## wildtrace {name}")
            parts += _helps(command, f"wildtrace {name}")
    return "\n\n".join(parts) + "\n"


def _helps(command: click.Command, name: str) -> list[str]:
    parts = [_help(command, name)]
    if isinstance(command, click.Group):
        for inner, subcommand in command.commands.items():
            parts += [f"### {name} {inner}", *_helps(subcommand, f"{name} {inner}")]
    return parts


def _help(command: click.Command, name: str) -> str:
    # The names that the program gives to help; a command keeps those of whoever asked it first.
    names = ["-h", "--help"]
    context = click.Context(command, info_name=name, max_content_width=100, terminal_width=100, help_option_names=names)
    return f"```text\n{command.get_help(context).rstrip()}\n```"


def statistics_page() -> str:
    """docs/statistics.md with the flags' meanings between its two comments."""
    page = (DOCS / "statistics.md").read_text(encoding="utf-8")
    start = "<!-- flags: made from the vocabulary by `make docs` -->\n"
    head, _, rest = page.partition(start)
    lines = ["| flag | of | meaning |", "|---|---|---|"]
    for words, what in ((ANSWER_FLAGS, "an answer"), (JUDGE_FLAGS, "a judgement")):
        lines += [f"| {term.name} | {what} | {term.meaning} |" for term in words.terms]
    return head + start + "\n".join(lines) + "\n" + rest[rest.index("<!-- end -->") :]


PAGES = {"cli.md": cli_page, "statistics.md": statistics_page}


def write() -> None:
    """Write every generated page."""
    for name, page in PAGES.items():
        (DOCS / name).write_text(page(), encoding="utf-8")


if __name__ == "__main__":
    write()
