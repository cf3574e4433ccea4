"""The `wildtrace` command: a lazy group of one file per command, and the exit statuses.

`COMMANDS` names each command's module; it is imported only when the command is asked for, so that `--help` stays quick.
"""

from __future__ import annotations

import contextlib
import errno
import os
import signal
import sys
from collections.abc import Iterator
from importlib import import_module
from io import TextIOWrapper
from threading import current_thread, main_thread
from typing import TextIO

import click

from wildtrace import __version__
from wildtrace.errors import EXIT_INTERRUPTED, EXIT_UNREAD, OutputError, UsageError, WildtraceError, too_many_files
from wildtrace.text.printable import printable

COMMANDS: dict[str, tuple[str, str]] = {
    "eval": ("wildtrace.cli.eval:command", "Answer every task with the model under test, evidence withheld."),
    "judge": ("wildtrace.cli.judge:command", "Grade the answers with the panel and print Scored and All."),
    "demo": ("wildtrace.cli.demo:command", "Evaluate three offline contestants on the sample release."),
    "report": ("wildtrace.cli.report:command", "Make every table and figure from scores, in one folder."),
    "compare": ("wildtrace.cli.compare:command", "Tell whether the difference between two systems is real."),
    "reliability": ("wildtrace.cli.reliability:command", "Draw, import and compute a study of people or judges."),
    "estimate": ("wildtrace.cli.estimate:command", "Say what a run will send, take and cost, before any request."),
    "probe": ("wildtrace.cli.probe:command", "Measure a new model's real context window."),
    "config": ("wildtrace.cli.config:command", "Print the JSON Schema of config.json."),
    "sample": ("wildtrace.cli.sample:command", "Copy the packaged sample release, or show how its clues spread."),
    "serve-offline": ("wildtrace.cli.serve_offline:command", "Serve the offline models on loopback, without a key."),
    "ingest": ("wildtrace.cli.ingest:command", "Bring files of any kind into a workspace as canonical text."),
    "induce": ("wildtrace.cli.induce:command", "Extract records, link them and mine evidence trails from sources."),
    "export": ("wildtrace.cli.export:command", "Write sources, windows, records, edges or trails as JSON Lines."),
    "trail": ("wildtrace.cli.trail:command", "Show one trail as a card, each clue in its context."),
    "ground": ("wildtrace.cli.ground:command", "Say whether and where quotes stand in a source."),
}


HELP = ["-h", "--help"]


class LazyGroup(click.Group):
    """A group that imports a command's module when the command runs, and knows each one's line of help before."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        """The commands, in the order of `COMMANDS`."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 - click's signature
        """Import and return one command."""
        if cmd_name not in COMMANDS:
            return None
        module, attribute = COMMANDS[cmd_name][0].split(":")
        with _interruptible():
            command: click.Command = getattr(import_module(module), attribute)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """As click does; a name that is no command is told with the nearest that is one."""
        name = args[0]
        if name not in COMMANDS and not name.startswith("-") and not ctx.resilient_parsing:
            import difflib  # noqa: PLC0415 - a name that is right needs none of it

            begun = [known for known in COMMANDS if name and known.startswith(name)]
            near = begun or difflib.get_close_matches(name.lower(), COMMANDS, n=1)
            ctx.fail(f"No such command {name!r}." + (f" Did you mean {near[0]!r}?" if near else ""))
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002 - click's signature
        """List the commands without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, line) for name, (_, line) in COMMANDS.items()])


@contextlib.contextmanager
def _interruptible() -> Iterator[None]:
    """Let Ctrl-C end the process without a word while modules are imported.

    Nothing is there to save yet, and an exception that meets a callback of the import system would be lost.
    """
    if signal.getsignal(signal.SIGINT) is not signal.default_int_handler or current_thread() is not main_thread():
        yield
        return
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)


@click.group(cls=LazyGroup, context_settings={"help_option_names": HELP})
@click.version_option(__version__, prog_name="wildtrace")
def main() -> None:
    """Measure whether a language model reasons over long documents, and build such benchmarks."""


_CANNOT_WRITE = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EROFS, errno.EIO)


def run(command: click.Command = main, name: str = "wildtrace") -> None:
    """Run a command and leave the process with the documented exit status; never a traceback for a known error."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_DFL:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    streams: list[TextIO | None] = [sys.stdout, sys.stderr]
    for stream in streams:
        # A name that the terminal's charset cannot show is no reason to stop.
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    status = exit_status(command, name)
    for stream in streams:
        _flush(stream)
    sys.exit(status)


def exit_status(command: click.Command, name: str) -> int:
    """Run `command` on the process's arguments; the status of docs/exit-statuses.md."""
    stdout = sys.stdout
    try:
        result: object = command.main(prog_name=name, standalone_mode=False, help_option_names=HELP)
        if sys.stdout is not None:
            sys.stdout.flush()
    except (click.exceptions.Abort, KeyboardInterrupt):
        return EXIT_INTERRUPTED
    except click.ClickException as error:
        error.show()
        return UsageError.exit_status
    except WildtraceError as error:
        _print_error(f"{name}: {error}")
        return error.exit_status
    except BrokenPipeError:
        # The reader of our output went away (`| head`); nothing more can be said to it.
        return EXIT_UNREAD
    except SystemExit as stop:
        # Where a command's own print meets that, click mutes the streams and leaves; completion leaves without.
        result = EXIT_UNREAD if sys.stdout is not stdout else stop.code
    except OSError as error:
        return _stopped_by_system(error, name)
    return result if isinstance(result, int) else 0


def _stopped_by_system(error: OSError, name: str) -> int:
    """Say what the operating system refused; 74 where it was to write, 78 where too much is asked for at once."""
    if (crowded := too_many_files(error)) is not None:
        _print_error(f"{name}: {crowded}")
        return crowded.exit_status
    where = error.filename or "standard output"
    if error.errno in _CANNOT_WRITE:
        _print_error(
            f"{name}: {where} cannot be written ({error.strerror}); free the disk, then run the same command again"
        )
        return OutputError.exit_status
    _print_error(f"{name}: {error.filename or 'a file'} cannot be used ({error.strerror or error})")
    return WildtraceError.exit_status


def _print_error(line: str) -> None:
    with contextlib.suppress(OSError):
        click.echo(printable(line), err=True)


def _flush(stream: TextIO | None) -> None:
    """Empty a stream; one that takes nothing more would spoil the exit status when Python ends."""
    if stream is None:
        return
    try:
        stream.flush()
    except (OSError, ValueError):
        with contextlib.suppress(OSError, ValueError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
