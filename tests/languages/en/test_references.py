"""Pointers of English text to its own numbered parts."""

from __future__ import annotations

import pytest

from wildtrace.languages.en.references import references


@pytest.mark.parametrize(
    ("text", "kind", "number"),
    [
        ("as described (see section 4.3).", "section", "4.3"),
        ("the crew slept, see 4.3, and", "section", "4.3"),
        ("This addresses Finding 5.", "finding", "5"),
        ("(see Appendix B for details)", "appendix", "B"),
    ],
)
def test_a_pointer_has_its_kind_and_number(text: str, kind: str, number: str) -> None:
    """In small letters; a bare number behind `see` is a section's."""
    assert [(kind, number)] == [(one.kind, one.number) for one in references(text)]


@pytest.mark.parametrize(
    "text", ["under section 14(3) of the Act", "section 5 of the Code", "after finding a rope", "recommendation 010/14"]
)
def test_what_points_elsewhere_is_left_out(text: str) -> None:
    """Laws, other documents, and words that only look like it."""
    assert [] == references(text)
