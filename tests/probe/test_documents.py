import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wildtrace.probe.documents import (
    CODES,
    SCRIPTS,
    SHORTEST,
    Script,
    chinese_number,
    make_document,
    patterns,
    probe_question,
)
from wildtrace.text.codes import CODE, codes_in
from wildtrace.text.mix import mix_of
from wildtrace.text.script import is_cjk

BOTH = pytest.mark.parametrize("script", SCRIPTS)


@settings(max_examples=25, deadline=None)
@given(st.sampled_from(SCRIPTS), st.integers(SHORTEST, 60_000), st.integers(0, 1000))
def test_a_document_has_the_length_asked_for_and_16_codes_at_even_places(script: Script, chars: int, seed: int) -> None:
    """Exactly so many code points; the codes once each, in order, at 0/15 to 15/15 of it; no other code."""
    made = make_document(script, chars, seed)
    assert chars == len(made.text)
    assert list(made.codes) == CODE.findall(made.text)
    assert CODES == len(set(made.codes))
    places = [made.text.index(code) for code in made.codes]
    assert all(abs(place - chars * n / 15) < 350 for n, place in enumerate(places))


@BOTH
def test_the_first_and_the_last_sentence_hold_a_code(script: Script) -> None:
    """A cut at either end takes a code with it, however small it is."""
    made = make_document(script, 20_000, 0)
    stop = patterns(script)["stop"]
    assert made.codes[0] in made.text.partition(stop)[0] + stop
    assert made.codes[-1] in made.text.rsplit("\n\n", 1)[1]


@BOTH
def test_a_document_depends_on_script_length_and_seed_alone(script: Script) -> None:
    """Repeatable; another seed or another length is another text with other codes."""
    made = make_document(script, 20_000, 3)
    assert made == make_document(script, 20_000, 3)
    for other in (make_document(script, 20_000, 4), make_document(script, 20_001, 3)):
        assert not set(made.codes) & set(other.codes)
        assert made.text[:500] != other.text[:500]


@pytest.mark.parametrize(("script", "chars"), [("en", 300_000), ("cjk", 150_000)])
def test_nothing_is_said_twice(script: Script, chars: int) -> None:
    """No sentence and no passage of 80 characters stands twice, so that nothing can be told from elsewhere."""
    text = make_document(script, chars, 1).text
    sentences = [part for part in re.split(r"(?<=[.。])\s*", text) if len(part) > 20]
    assert len(sentences) == len(set(sentences))
    passages = [text[start : start + 80] for start in range(len(text) - 80)]
    assert len(passages) == len(set(passages))


@BOTH
def test_a_document_counts_as_its_script(script: Script) -> None:
    """By the protocol's rule, so that the cap that is measured is the cap that will hold."""
    text = make_document(script, 20_000, 0).text
    assert (script == "cjk") == is_cjk(text)
    mix = mix_of(text)
    share = mix.wide / (mix.wide + mix.other)
    assert share > 0.95 if script == "cjk" else share == 0


@BOTH
def test_every_slot_of_every_pattern_is_filled(script: Script) -> None:
    """No brace reaches a document, and every pattern and word is used."""
    language = patterns(script)
    text = make_document(script, 300_000, 0).text
    assert not {"{", "}"} & set(text)
    assert set() == {word for words in language["words"].values() for word in words if word.lower() not in text.lower()}
    for pattern in (*language["openings"], *language["middles"], *language["endings"]):
        longest = max(re.split(r"\{\w+\}", pattern), key=len)
        assert longest.strip().lower() in text.lower()


@BOTH
def test_the_question_holds_no_code(script: Script) -> None:
    """Whoever repeats the question has repeated none."""
    assert () == codes_in(probe_question(script))
    assert probe_question(script) == probe_question(script).strip()


def test_too_short_a_document_is_refused() -> None:
    """Codes would stand beside each other."""
    with pytest.raises(ValueError, match="at least 8000"):
        make_document("en", SHORTEST - 1, 0)


@pytest.mark.parametrize(
    ("number", "written"),
    [
        (7, "七"), (10, "一十"), (20, "二十"), (35, "三十五"), (100, "一百"), (105, "一百零五"), (1000, "一千"),
        (1001, "一千零一"), (1010, "一千零一十"), (1200, "一千二百"), (4056, "四千零五十六"), (9803, "九千八百零三"),
    ],
)  # fmt: skip
def test_numbers_are_written_in_chinese(number: int, written: str) -> None:
    """Zeros inside are one 零, zeros at the end none."""
    assert written == chinese_number(number)
