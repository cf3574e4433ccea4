"""The judge prompt."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wildtrace.judge.prompt import evidence_judge_prompt, format_points, judge_prompt
from wildtrace.types import Criterion, Rubric

TEXT = st.lists(
    st.sampled_from(["{question}", "{rubric}", "{response}", "{", "水", "😀", "\n", "\\1"]), max_size=8
).map("".join)


@given(TEXT, st.lists(st.tuples(st.integers(0, 100), TEXT), min_size=1, max_size=4), TEXT)
def test_inserted_texts_stay_text(question: str, lines: list[tuple[int, str]], answer: str) -> None:
    """The prompt is the concatenation of its parts."""
    rubric = Rubric(tuple(Criterion(f"c{place}", points, text) for place, (points, text) in enumerate(lines)))
    wanted = "STRICT grader. Only award points for SPECIFIC details present.\nQUESTION: " + question + "\nRUBRIC:\n"
    wanted += "\n".join(f"P{place} ({points}pts): " + text for place, (points, text) in enumerate(lines, 1))
    wanted += "\nRESPONSE:\n" + answer + '\nReply JSON: {"points_awarded":[<pts>],"total":<sum>}'
    prompt = judge_prompt(question, rubric, answer)
    assert (wanted, answer, False) == (prompt.text, prompt.answer, prompt.truncated)


@pytest.mark.parametrize(
    ("points", "shown"), [(25, "25"), (25.0, "25"), (12.5, "12.5"), (0, "0"), (0.1, "0.1"), (100.25, "100.25")]
)
def test_points_print_without_a_needless_fraction(points: float, shown: str) -> None:
    """Whole ones as whole numbers, others as they are."""
    assert shown == format_points(points)


@given(TEXT, TEXT, st.lists(TEXT, max_size=2), st.lists(TEXT, max_size=2))
def test_the_studys_prompt_shows_facts_and_passages_before_the_answer(
    question: str, answer: str, facts: list[str], passages: list[str]
) -> None:
    """A dash a line, none said as such; the rest is the judge prompt's."""
    rubric = Rubric((Criterion("a", 60, "names {facts}"), Criterion("b", 40, "提到账本")))
    wanted = "STRICT grader. Only award points for SPECIFIC details present.\nQUESTION: " + question
    wanted += "\nRUBRIC:\nP1 (60pts): names {facts}\nP2 (40pts): 提到账本\nKEY FACTS:\n"
    wanted += ("\n".join("- " + fact for fact in facts) if facts else "- none") + "\nEVIDENCE PASSAGES:\n"
    wanted += ("\n".join("- " + passage for passage in passages) if passages else "- none") + "\nRESPONSE:\n"
    wanted += answer + '\nReply JSON: {"points_awarded":[<pts>],"total":<sum>}'
    prompt = evidence_judge_prompt(question, rubric, answer, facts, passages)
    assert (wanted, answer, False) == (prompt.text, prompt.answer, prompt.truncated)
