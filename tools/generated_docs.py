"""Writes the pages of docs/ that are made from the code; a test fails when one is out of date. Run: make docs."""

from __future__ import annotations

import json
from pathlib import Path

import click
import msgspec

from wildtrace.cli.main import COMMANDS, main
from wildtrace.endpoints.config import ConfigFile, json_schema
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


BEGIN, END = "<!-- made from the code by make docs -->\n", "<!-- end of what is made from the code -->\n"


def between_comments(page: str, text: str) -> str:
    """A page of docs/ as it stands, with `text` between its two comments."""
    before, _, rest = (DOCS / page).read_text(encoding="utf-8").partition(BEGIN)
    return before + BEGIN + text + END + rest.partition(END)[2]


def formats_page() -> str:
    """docs/formats.md with the table of the keys of config.json."""
    return between_comments("formats.md", config_table())


def statistics_page() -> str:
    """docs/statistics.md with the flags' meanings."""
    lines = ["| flag | of | meaning |", "|---|---|---|"]
    for words, what in ((ANSWER_FLAGS, "an answer"), (JUDGE_FLAGS, "a judgement")):
        lines += [f"| {term.name} | {what} | {term.meaning} |" for term in words.terms]
    return between_comments("statistics.md", "\n".join(lines) + "\n")


def config_table() -> str:
    """The keys of config.json with their defaults and meanings."""
    rows = ["| key | default | meaning |", "|---|---|---|"]
    for field in msgspec.structs.fields(ConfigFile):
        (meta,) = field.type.__metadata__
        default = meta.extra.get("default") or _default(field)
        rows.append(f"| `{field.encode_name}` | {default} | {meta.description} |")
    return "\n".join(rows) + "\n"


def _default(field: msgspec.structs.FieldInfo) -> str:
    if field.required:
        return "required"
    empty = (
        field.default is msgspec.NODEFAULT or field.default in (None, ()) or isinstance(field.default, msgspec.Struct)
    )
    return "none" if empty else json.dumps(field.default).strip('"')


def schema_file() -> str:
    """docs/config.schema.json, as `wildtrace config schema` prints it."""
    return json.dumps(json_schema(), ensure_ascii=False, indent=2) + "\n"


PAGES = {
    "cli.md": cli_page,
    "formats.md": formats_page,
    "statistics.md": statistics_page,
    "config.schema.json": schema_file,
}


def write() -> None:
    """Write every generated page."""
    for name, page in PAGES.items():
        (DOCS / name).write_text(page(), encoding="utf-8")


if __name__ == "__main__":
    write()
