"""What a strict reader refuses in a text that is otherwise JSON."""

from __future__ import annotations

import pytest

from wildtrace.text.json_faults import HALF, TOO_DEEP, TOO_LARGE, json_fault


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ('{"a": NaN}', "NaN, which is no JSON"),
        ("[1, -Infinity, NaN]", "-Infinity, which is no JSON"),
        ('["水\\ud83d", 1]', HALF),
        ("[1e999]", TOO_LARGE),
        ("[-1e999, NaN]", TOO_LARGE),
        ('["a"', None),
        ("", None),
        ("[" * 100_000, None),
        ("PK", None),
        ('["水", NaN]'.encode(), "NaN, which is no JSON"),
        (b'["\xff"]', None),
        ('{"水": ' + "9" * 400 + "}", TOO_LARGE),
        ("[1, -" + "9" * 5000 + "]", TOO_LARGE),
        ('["\\ud83d", ' + "9" * 400 + "]", TOO_LARGE),
        ("[" * 10_000 + "]" * 10_000 + "\n", TOO_DEEP),
        ('{"水": ' * 10_000 + "1" + "}" * 10_000, TOO_DEEP),
    ],
)
def test_the_fault_is_named(text: str | bytes, fault: str | None) -> None:
    """The first one; none where the text ends early or is something else."""
    assert fault == json_fault(text)
