"""The lazy command group."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from wildtrace import __version__
from wildtrace.cli.main import COMMANDS, main

HEAVY = (
    "aiohttp",
    "lxml",
    "msgspec",
    "numpy",
    "orjson",
    "rich",
    "sqlite3",
    "starlette",
    "uvicorn",
    "asyncio",
)


def test_help_names_every_command_without_importing_one() -> None:
    """In the table's order, each with its line."""
    shown = CliRunner().invoke(main, ["--help"]).output
    lines = shown.split("Commands:\n")[1].splitlines()
    assert list(COMMANDS) == [line.split()[0] for line in lines if line.startswith("  ") and line[2] != " "]


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_of_the_table_is_there_and_explains_itself(name: str) -> None:
    """Its own name, and a help text whose options all say what they do."""
    command = main.get_command(click.Context(main), name)
    assert command is not None
    assert name == command.name
    assert command.help
    assert all(option.help for option in command.params if isinstance(option, click.Option))


def test_an_unknown_command_is_a_usage_error() -> None:
    """No import is tried."""
    result = CliRunner().invoke(main, ["evil"])
    assert "No such command 'evil'" in result.output
    assert main.get_command(click.Context(main), "evil") is None


@pytest.mark.parametrize(
    ("typed", "meant"), [("evla", "eval"), ("juge", "judge"), ("serve", "serve-offline"), ("Induce", "induce")]
)
def test_a_mistyped_command_is_told_with_the_nearest(typed: str, meant: str) -> None:
    """A usage error all the same; where nothing is near, nothing is suggested."""
    result = CliRunner().invoke(main, [typed, "--config", "c.json"])
    assert f"No such command {typed!r}. Did you mean {meant!r}?" in result.output
    assert 2 == result.exit_code
    assert "mean" not in CliRunner().invoke(main, ["证据"]).output


@pytest.mark.parametrize("script", ["run_eval.py", "run_judge.py"])
def test_the_protocols_scripts_know_the_short_name_of_help(script: str) -> None:
    """As `wildtrace eval -h` does."""
    path = Path(__file__).parents[2] / "eval" / script
    short, long = (
        subprocess.run([sys.executable, str(path), word], capture_output=True, text=True, timeout=60, check=True).stdout
        for word in ("-h", "--help")
    )
    assert short == long
    assert short.startswith(f"Usage: {script} [OPTIONS]")
    assert "-h, --help" in short


def test_the_version_is_printed() -> None:
    """The package's."""
    assert f"wildtrace, version {__version__}\n" == CliRunner().invoke(main, ["--version"]).output


def test_the_group_is_light() -> None:
    """Importing it, and asking for help, loads nothing that a command would need."""
    asked = "import sys; from wildtrace.cli.main import main; main(['--help'], standalone_mode=False)"
    told = "print(); print(sorted(sys.modules))"
    printed = subprocess.run(
        [sys.executable, "-c", f"{asked}; {told}"], check=True, capture_output=True, text=True
    ).stdout
    loaded = set(ast.literal_eval(printed.splitlines()[-1]))
    assert [] == [name for name in HEAVY if name in loaded]


@pytest.mark.parametrize("entry", [["-m", "wildtrace"], ["eval/run_eval.py"], ["eval/run_judge.py"]])
def test_every_way_in_exits_with_64_on_a_wrong_option(entry: list[str]) -> None:
    """The module and the protocol's two scripts; a real process."""
    root = Path(__file__).parents[2]
    done = subprocess.run([sys.executable, *entry, "--wrong"], check=False, capture_output=True, text=True, cwd=root)
    assert (64, True) == (done.returncode, "--wrong" in done.stderr)
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("merged", [False, True])
def test_a_reader_that_goes_away_is_no_fault(tmp_path: Path, merged: bool) -> None:
    """What a command prints into a closed pipe ends it with 141, as the shell does, and without a word."""
    command = [sys.executable, "-m", "wildtrace", "sample", "copy", str(tmp_path)]
    read, write = os.pipe()
    os.close(read)
    with os.fdopen(write, "wb") as closed:
        done = subprocess.run(
            command, stdout=closed, stderr=subprocess.STDOUT if merged else subprocess.PIPE, check=False
        )
    assert (141, None if merged else b"") == (done.returncode, done.stderr)


def test_the_shell_can_ask_for_completion() -> None:
    """Completion prints its script and ends with 0."""
    environment = {**os.environ, "_WILDTRACE_COMPLETE": "zsh_source"}
    done = subprocess.run(
        [sys.executable, "-c", "from wildtrace.cli.main import run; run()"],
        env=environment,
        capture_output=True,
        check=False,
    )
    assert (0, True) == (done.returncode, b"compdef" in done.stdout)
