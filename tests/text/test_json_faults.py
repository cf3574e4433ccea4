"""What a strict reader refuses in a text that is otherwise JSON."""

from __future__ import annotations

import pytest

from wildtrace.text.json_faults import HALF, TOO_DEEP, TOO_LARGE, json_fault, twin_key


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
        (b"[" * 10_000 + b"]" * 10_000, TOO_DEEP),
        ('{"水": ' * 10_000 + "1" + "}" * 10_000, TOO_DEEP),
    ],
)
def test_the_fault_is_named(text: str | bytes, fault: str | None) -> None:
    """The first one; none where the text ends early or is something else."""
    assert fault == json_fault(text)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('[{"a": 1}, {"水": [{"b": 1, "a": 1, "b": 1}]}]', ([1, "水", 0], "b")),
        ('{"水": 1, "\\u6c34": 2}', ([], "水")),
        ('[{"a": {"b": 1, "b": 2}, "a": 3, "c": [1]}]', ([0], "a")),
        ('[{"a": {"a": 1}}, {"a": "a: a, {\\"a\\": 1, \\"a\\": 2}"}]', None),
        ("[" * 5_000 + "]" * 5_000, None),
        ("5", None),
    ],
)
def test_a_key_that_stands_twice_is_found_with_the_way_to_it(
    text: str, found: tuple[list[str | int], str] | None
) -> None:
    """However it is written, with equal values too; the same key in two objects is no fault."""
    assert found == twin_key(text)


@pytest.mark.timeout(60)
def test_twins_without_end_are_found_in_linear_time() -> None:
    """A flood of doubled keys, side by side."""
    assert ([0], "a") == twin_key("[" + ",".join(['{"a":1,"a":2}'] * 200_000) + "]")
    assert ([], "a") == twin_key("{" + ",".join(['"a":1'] * 200_000) + "}")
