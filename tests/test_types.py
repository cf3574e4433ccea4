"""What the data may be, and what a model under test may see."""

from __future__ import annotations

from dataclasses import FrozenInstanceError, fields

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wildtrace import types
from wildtrace.types import Criterion, Item, Question, Rubric, Span


@given(st.text(st.characters(exclude_categories=["Cs"]), min_size=1), st.data())
def test_a_span_of_a_text_stands_in_it(text: str, data: st.DataObject) -> None:
    """Half-open code point offsets; moved by one it stands only where the text repeats itself."""
    start = data.draw(st.integers(0, len(text) - 1))
    end = data.draw(st.integers(start + 1, len(text)))
    span = Span.of(text, start, end)
    assert (text[start:end], True) == (span.quote, span.stands_in(text))
    moved = Span(start + 1, end + 1, span.quote)
    assert (text[start + 1 : end + 1] == span.quote) == moved.stands_in(text)


@pytest.mark.parametrize(
    ("start", "end", "quote"), [(0, 0, ""), (2, 1, "a"), (-1, 0, "a"), (0, 2, "a"), (0, 1, "ab"), (0, 2, "😀")]
)
def test_a_span_that_does_not_fit_its_quote_is_refused(start: int, end: int, quote: str) -> None:
    """Empty, backwards, negative, too long, too short; code points, not UTF-16 units."""
    with pytest.raises(ValueError, match="does not fit"):
        Span(start, end, quote)


def test_a_question_has_no_field_for_what_is_hidden() -> None:
    """Id, text and document: nothing else can be passed on to a prompt."""
    assert ["question_id", "text", "corpus_file"] == [field.name for field in fields(Question)]


def test_the_data_are_frozen() -> None:
    """Every dataclass of the module, without a dictionary to sneak attributes into."""
    kinds = [kind for kind in vars(types).values() if isinstance(kind, type) and hasattr(kind, "__dataclass_fields__")]
    assert len(kinds) >= 14
    question = Question("q", "t", "d")
    with pytest.raises(FrozenInstanceError):
        question.text = "other"  # type: ignore[misc]
    loose = [kind for kind in kinds if "__setattr__" not in vars(kind) or "__slots__" not in vars(kind)]
    assert [] == loose


def test_a_rubrics_points_are_the_sum_of_its_criteria() -> None:
    """Whole or not."""
    assert 42.5 == Rubric((Criterion("a", 30, "x"), Criterion("b", 12.5, "y"))).points
    assert 0 == Rubric(()).points


def test_an_items_id_is_its_questions() -> None:
    """Stated once."""
    assert "q" == Item(Question("q", "t", "d"), Rubric(())).question_id
