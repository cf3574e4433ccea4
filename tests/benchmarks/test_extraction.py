"""The measure of extraction, run over small texts made for it."""

from __future__ import annotations

from collections import defaultdict

import pytest
from benchmarks.extraction import Found, measure, mistakes, table
from benchmarks.extractors import annotators, peer_claims
from benchmarks.marking import Claim, Claims, Item, Passage, judged

WEATHER = "The rain came down all the way and nobody spoke about it before the house was reached. " * 8 + "\n\n"
CHINESE_WEATHER = "那时下着大雨，路上没有行人，大家都不说话，只管低着头往前走，走了半天才看见一个小店。" * 12 + "\n"
STORY = WEATHER * 2 + (
    "Captain Edward Harlow sailed from Bristol on the 3rd of May, 1871, with nine men. "
    "The ship was lost because the chart that Captain Harlow had bought showed no reef at the mouth of the river.\n\n"
    '"I never trusted that chart, and I told the owners so before we sailed," said Captain Harlow to Mr. Pike. '
    "Mr. Pike wrote it down, and in Bristol Mr. Pike asked the owners.\n\n"
    '"You will hear from my lawyers about this before the week is over," said Mr. Pike. Captain Harlow went home.\n'
)
CHINESE = CHINESE_WEATHER * 2 + (
    "王大成在济南住了三年。王大成因为欠了刘掌柜五十两银子，所以连夜离开济南，逃到曹州去了。\n"
    "次日，刘掌柜到王大成家里去要账，家里没有人。刘掌柜说道：“王大成欠我的银子，今天一定要还，不还我就到县里告他去。”\n"
    "王大成听说了这件事，心里害怕，不敢回济南来。刘掌柜等了一个月，也到曹州去找王大成。\n"
)


def span(text: str, words: str) -> tuple[int, int]:
    """Where words first stand in a text."""
    start = text.index(words)
    return start, start + len(words)


def passage_of(text: str, language: str, **items: tuple[Item, ...]) -> Passage:
    """A whole text as a development passage."""
    return Passage("P1", "development", "story.txt", language, 0, len(text), items)


@pytest.fixture
def story() -> Passage:
    """The English story, marked."""
    return passage_of(
        STORY,
        "en",
        dates=(Item((span(STORY, "3rd of May, 1871"),), frozenset({"1871-05-03"})),),
        causal=(
            Item(
                (span(STORY, "the chart that Captain Harlow had bought showed no reef"), span(STORY, "ship was lost"))
            ),
        ),
    )


def test_the_annotators_claims_of_an_english_story(story: Passage) -> None:
    """The date, and the cause before its effect."""
    found = judged(story, annotators(STORY, story))
    assert [1.0, 1.0, 1.0] == [found[what].recall for what in ("dates", "dates, value", "causal")]


def test_the_annotators_claims_of_a_chinese_story() -> None:
    """The same of Chinese text."""
    causal = Item((span(CHINESE, "欠了刘掌柜五十两银子"), span(CHINESE, "连夜离开济南，逃到曹州去了")))
    marked = passage_of(CHINESE, "zh", dates=(Item((span(CHINESE, "次日"),)),), causal=(causal,))
    found = judged(marked, annotators(CHINESE, marked))
    assert [1.0, 1.0] == [found[what].recall for what in ("dates", "causal")]


def test_nothing_behind_a_passage_is_claimed(story: Passage) -> None:
    """Of a passage that ends before the date."""
    first = Passage("P2", "held-out", "story.txt", "en", 0, STORY.index("Captain Edward"), story.items)
    assert {"dates": [], "causal": []} == annotators(STORY, first)


def test_what_a_peer_claims_is_put_at_its_place_in_the_document() -> None:
    """It reads the passage alone; both spans of a cause are moved."""

    def first_words(text: str) -> Claims:
        return {"causal": [Claim(((0, text.index(" ")), (text.index(" ") + 1, len(text))), frozenset({"x"}))]}

    passage = Passage("P3", "development", "a.txt", "en", 4, 11, {})
    found = peer_claims(first_words, "one two six ten", passage)
    assert {"causal": [Claim(((4, 7), (8, 11)), frozenset({"x"}))]} == found


def test_the_table_and_the_mistakes_tell_what_was_measured(story: Passage) -> None:
    """A line for each thing judged, and a line with its place for what was missed."""
    found: Found = defaultdict(list)
    nothing: Claims = {"dates": []}
    measure(STORY, story, nothing, found)
    lines = [line.split() for line in table(found)]
    assert ["dates", "en", "development", "annotators", "0.000", "0.000", "0.000", "1"] in lines
    start, end = span(STORY, "3rd of May, 1871")
    assert f"P1 dates missed {start}-{end} 3rd of May, 1871" in list(mistakes(STORY, story, nothing))
