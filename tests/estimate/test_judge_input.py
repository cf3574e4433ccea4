"""What a judge is taken to read, before the answers are known."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wildtrace.estimate.run import judge_input
from wildtrace.judge.prompt import judge_prompt
from wildtrace.text.mix import TextMix, mix_of
from wildtrace.types import Criterion, Item, Question, Rubric

ITEM = Item(
    Question("q", "谁关了水闸？", "f.txt"), Rubric((Criterion("P1", 60, "names Ann"), Criterion("P2", 40, "水闸")))
)


@pytest.mark.parametrize("answer", ["", "Ann closed it.", "沈砚清关闭了水闸。" * 1000])
def test_a_known_answer_gives_the_judges_prompt_exactly(answer: str) -> None:
    """The text that will be sent, cut as it will be cut."""
    expected = mix_of(judge_prompt(ITEM.question.text, ITEM.rubric, answer).text)
    assert expected == judge_input(ITEM, answer, cjk=True, answer_tokens=600)


@pytest.mark.parametrize(("cjk", "chars"), [(True, 690), (False, 2520)])
def test_an_unknown_answer_is_taken_in_the_documents_script(cjk: bool, chars: int) -> None:
    """600 tokens of Chinese are fewer characters than 600 tokens of English."""
    bare = mix_of(judge_prompt(ITEM.question.text, ITEM.rubric, "").text)
    added = TextMix(wide=chars) if cjk else TextMix(other=chars)
    assert bare + added == judge_input(ITEM, None, cjk=cjk, answer_tokens=600)


@given(st.integers(1, 100_000), st.booleans())
def test_a_judge_never_reads_more_than_5000_characters_of_an_answer(tokens: int, cjk: bool) -> None:
    """However long answers are taken to be."""
    bare = mix_of(judge_prompt(ITEM.question.text, ITEM.rubric, "").text)
    prompt = judge_input(ITEM, None, cjk=cjk, answer_tokens=tokens)
    assert 5000 >= prompt.wide + prompt.other - bare.wide - bare.other
