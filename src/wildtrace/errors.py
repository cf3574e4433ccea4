"""The exception tree, named by what the caller can do about it.

WildtraceError               exit 1   anything else
├── UsageError               exit 64  call again with other words
├── DataError                exit 65  mend the named file, row or document
│   ├── ForeignFileError              name another file
│   └── CorruptFileError              restore it, or make it anew from its ledger
├── OutputError              exit 74  free the disk or choose another folder
├── BusyError                exit 75  wait for the other process, or choose another output
├── ConfigError              exit 78  mend the configuration, or go back to the run's own settings
└── IncompleteError          exit 2   run the same command again: it goes on where this run stopped

The exit statuses are those of sysexits.h where it has one (docs/protocol.md, rule 29). A message is one sentence that
names the file or the setting and says what to do; no key, no header and no document text stands in it.
"""

from __future__ import annotations

import errno

EXIT_COMPLETE = 0
EXIT_INTERRUPTED = 130
EXIT_TERMINATED = 143
EXIT_UNREAD = 141
"""As the shell has it for a command whose output nobody reads any more."""


class WildtraceError(Exception):
    """Anything this program stops on; `exit_status` is what the command returns."""

    exit_status = 1


class UsageError(WildtraceError):
    """The command line does not say what to do."""

    exit_status = 64


class DataError(WildtraceError):
    """A data, document, responses, scores or ledger file is missing, unreadable, truncated or foreign."""

    exit_status = 65


class ForeignFileError(DataError):
    """A whole file of another kind than the one that is read."""


class CorruptFileError(DataError):
    """A results file that is cut, or was changed after it was written."""


class OutputError(WildtraceError):
    """A result cannot be written."""

    exit_status = 74


class BusyError(WildtraceError):
    """Another process holds the output or the workspace."""

    exit_status = 75


class ConfigError(WildtraceError):
    """The configuration is wrong, or belongs to another run than the output does."""

    exit_status = 78


class IncompleteError(WildtraceError):
    """The run saved what it has; the same command goes on from there."""

    exit_status = 2


def too_many_files(error: BaseException) -> ConfigError | None:
    """What to raise where a file or a connection could not be opened because too many are; None for another error."""
    if getattr(error, "errno", None) not in (errno.EMFILE, errno.ENFILE):
        return None
    return ConfigError(
        "more files and connections are open than the system allows; lower concurrency, or raise the limit "
        "(ulimit -n), then run the same command again"
    )
