"""The exception tree is what its docstring draws and what docs/protocol.md, rule 29 says."""

from __future__ import annotations

import re

from wildtrace import errors

WANTED = {
    "WildtraceError": 1,
    "UsageError": 64,
    "DataError": 65,
    "OutputError": 74,
    "BusyError": 75,
    "ConfigError": 78,
    "IncompleteError": 2,
}


def test_the_drawing_names_every_class_and_its_status() -> None:
    """One base, its direct children, the same numbers in the docstring and in the code."""
    classes = {
        name: kind
        for name, kind in vars(errors).items()
        if isinstance(kind, type) and issubclass(kind, errors.WildtraceError)
    }
    assert {**WANTED, "ForeignFileError": 65, "CorruptFileError": 65} == {
        name: kind.exit_status for name, kind in classes.items()
    }
    drawn = re.findall(r"(\w+Error) +exit (\d+)", errors.__doc__ or "")
    assert WANTED == {name: int(status) for name, status in drawn}
    assert set(classes) == set(re.findall(r"^[ │├└─]*(\w+Error)", errors.__doc__ or "", re.MULTILINE))
