"""Differences that change what is said: numbers, negations, names, order."""

from __future__ import annotations

import pytest

from wildtrace.text.critical import is_cut_number, reason_against
from wildtrace.text.difference import difference
from wildtrace.text.lexemes import read
from wildtrace.text.vocabulary import Vocabulary

STORY = "Then the captain, however it leaked then, told Smith and Rose a story." + "宝玉道：「好」。" * 3


def reason(quote: str, source: str) -> str | None:
    """Why a quote does not say what the source says."""
    return reason_against(difference(read(quote), read(source)), Vocabulary(f"{STORY} {source}"))


@pytest.mark.parametrize(
    ("quote", "source", "expected"),
    [
        ("he saw two ships", "he saw ten ships", "a number differs"),
        ("he saw ships", "he saw 2 ships", "a number differs"),
        ("it cost $5 then", "it cost £5 then", "a number differs"),
        ("on the fourteenth of May", "on the fifteenth of May", "a number differs"),
        ("at 7 am he rose", "at 7 pm he rose", "a number differs"),
        ("a 10² part", "a 10³ part", "a number differs"),
        ("他有三个人", "他有五个人", "a number differs"),
        ("他走了二百里", "他走了百里", "a number differs"),
        ("he did see it", "he did not see it", "a negation differs"),
        ("they could see it", "they couldn't see it", "a negation differs"),
        ("a lawful act", "an unlawful act", "a negation differs"),
        ("a careful man", "a careless man", "a negation differs"),
        ("他去了那里", "他没去那里", "a negation differs"),
        ("请勿开门", "请去开门", "a negation differs"),
        ("they told Jones and left", "they told Smith and left", "a name differs"),
        ("they told him and left", "they told Smith and left", "a name differs"),
        ("后来宝玉走了", "后来众人走了", "a name differs"),
        ("后来李明走了", "后来王强走了", "a name differs"),
        ("后来李明走了", "后来走了", "a name differs"),
        ("那时张夫人来", "那时何夫人来", "a name differs"),
        ("the dog bit the man hard", "the man bit the dog hard", "the order differs"),
        ("after dinner they sang loudly", "loudly after dinner they sang", "the order differs"),
    ],
)
def test_what_changes_the_meaning_is_named(quote: str, source: str, expected: str) -> None:
    """One word is enough where it counts, denies, names or stands elsewhere."""
    assert expected == reason(quote, source)


@pytest.mark.parametrize(
    ("quote", "source"),
    [
        ("the old valve leaked", "the new valve leaked"),
        ("Smith's old hat", "Smith's red hat"),
        ("it cost 1500 then", "it cost 1,500 then"),
        ("However it leaked", "Then it leaked"),
        ("I saw the ship", "we saw the ship"),
        ("他一面走了过来", "他一直走了过来"),
        ("这里分别放着", "这里一同放着"),
        ("锅炉慢慢地裂开", "锅炉忽然地裂开"),
        ("他们在船上休息", "他们在船上睡觉"),
        ("大船在海里沉没", "大船在海里漂流"),
        ("he bit the old man", "he bit the man"),
    ],
)
def test_other_words_are_harmless(quote: str, source: str) -> None:
    """An adjective, a pronoun, a word that may begin a sentence, an idiom that counts or denies nothing."""
    assert reason(quote, source) is None


@pytest.mark.parametrize(
    ("before", "after", "expected"), [("三", "十", True), ("十", "五", True), ("一", "三", False), ("人", "十", False)]
)
def test_a_number_in_numerals_is_cut_where_a_unit_joins(before: str, after: str, expected: bool) -> None:
    """三|十 and 十|五 are one number; 一|三 are two numerals side by side."""
    assert expected == is_cut_number(before, after)
