"""Options that take every value up to the next option."""

from __future__ import annotations

import click
import pytest
from click.testing import CliRunner

from wildtrace.cli.lists import ListCommand


@click.command("probe", cls=ListCommand)
@click.option("--scores", multiple=True)
@click.option("--responses", multiple=True)
@click.option("--out")
@click.option("--flag", is_flag=True)
@click.argument("study", required=False)
def probe(
    *, scores: tuple[str, ...], responses: tuple[str, ...], out: str | None, flag: bool, study: str | None
) -> None:
    """Print what was parsed."""
    click.echo(f"{scores} {responses} {out} {flag} {study}")


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ("--scores a b c --out o", "('a', 'b', 'c') () o False None"),
        ("--scores a --scores b --responses r s", "('a', 'b') ('r', 's') None False None"),
        ("expert --scores a b --flag --responses r", "('a', 'b') ('r',) None True expert"),
        ("--out o study", "() () o False study"),
        ("--scores a b --scores c", "('a', 'b', 'c') () None False None"),
    ],
)
def test_a_list_ends_at_the_next_option(arguments: str, expected: str) -> None:
    """Values belong to the list option before them; other options take one value as ever."""
    result = CliRunner().invoke(probe, arguments.split(), catch_exceptions=False)

    assert expected == result.output.strip()


def test_a_list_without_a_value_is_a_usage_error() -> None:
    """An option that names nothing is said to need an argument."""
    result = CliRunner().invoke(probe, ["--scores"])

    assert result.exit_code == 2
    assert "requires an argument" in result.output
