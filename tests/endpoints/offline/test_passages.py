import math
import os
import random
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wildtrace.endpoints.offline.passages import LONGEST, SHORTEST, IndexCache, PassageIndex, cut
from wildtrace.text.words import content_words

DOCUMENTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=2000) | st.lists(
    st.sampled_from(["闸门打开。", "The valve failed. ", "\n", "\n\n", "x" * 300, "“走！”他说，"]), max_size=120
).map("".join)


@given(DOCUMENTS)
def test_passages_tile_the_document(document: str) -> None:
    """Every code point stands in exactly one passage, in order, and none is longer than the limit."""
    spans = list(cut(document))
    assert document == "".join(document[start:end] for start, end in spans)
    assert all(SHORTEST <= end - start <= LONGEST for start, end in spans[:-1])
    assert all(0 < end - start <= LONGEST for start, end in spans[-1:])


def test_a_passage_ends_at_a_blank_line_before_it_ends_at_a_sentence() -> None:
    """Paragraphs are kept apart where they are long enough."""
    document = "One sentence. " * 15 + "\n\n" + "Another sentence. " * 20
    assert "\n\n" == document[: next(iter(cut(document)))[1]][-2:]


@pytest.mark.parametrize(
    ("sentence", "mark"), [("The pump was started at once", ". "), ("水泵随即启动而水位仍在上涨", "。")]
)
def test_a_book_on_one_line_is_cut_at_its_sentences(sentence: str, mark: str) -> None:
    """Without line ends, passages end where sentences do, in either language."""
    document = (sentence + mark) * 200
    ends = [document[:end].rstrip()[-1] for _, end in cut(document)]
    assert {mark.strip()} == set(ends)


def test_hard_wrapped_lines_are_not_cut_inside_a_sentence() -> None:
    """A line end is no end where a sentence end is in reach."""
    document = "The pump was started\nat once by the watch. " * 60
    assert all("." == document[:end].rstrip()[-1] for _, end in cut(document))


@pytest.mark.parametrize("mark", ["\n", " "])
def test_without_sentences_a_passage_ends_with_a_line_else_with_a_word(mark: str) -> None:
    """Tables and lists are cut between their lines, loose words between words."""
    document = ("entry 4711 of 1893\n" if mark == "\n" else "entry of 1893 ") * 200
    assert {mark} == {document[end - 1] for _, end in cut(document)}


def textbook(passages: list[str], query: str) -> list[float]:
    """BM25 from its formula, passage by passage, without an index."""
    bags = [Counter(content_words(passage)) for passage in passages]
    mean = sum(sum(bag.values()) for bag in bags) / len(bags)
    scores = [0.0] * len(bags)
    for word in set(content_words(query)):
        n = sum(word in bag for bag in bags)
        idf = math.log((len(bags) - n + 0.5) / (n + 0.5) + 1)
        for number, bag in enumerate(bags):
            tf = bag[word]
            scores[number] += idf * tf * 2.5 / (tf + 1.5 * (0.25 + 0.75 * sum(bag.values()) / mean))
    return scores


def test_the_ranking_is_bm25() -> None:
    """The index orders passages as the formula does, and leaves out those that share no word."""
    draw = random.Random(7)
    words = ["valve", "pump", "闸门", "水位", "captain", "ledger", "storm", "1.5", "bridge"]
    document = " ".join(draw.choice(words) + draw.choice(["", ".", "。", "\n\n", " red"]) for _ in range(1500))
    passages = [document[start:end] for start, end in cut(document)]
    index = PassageIndex.of(document)
    for query in ("the pump and the valve", "闸门水位 1.5", "captain's ledgers", "nothing shared"):
        expected = {number: score for number, score in enumerate(textbook(passages, query)) if score}
        assert pytest.approx(expected) == index.scores(query)
        assert sorted(expected, key=lambda number: -expected[number]) == index.ranked(query)


def test_equal_passages_rank_in_document_order() -> None:
    """A tie is no reason to reorder the text."""
    assert [0, 1, 2] == PassageIndex.of(("The pump stood still" + "." * 300 + "\n\n") * 3).ranked("pump")


def test_the_cache_builds_once_and_keeps_what_was_used_last() -> None:
    """A held document comes back as the same index; the one not used for longest goes first."""
    one, two, three = (f"{name} opened the valve. " * 400 for name in ("Ann", "Bob", "Cid"))
    cache = IndexCache(max_bytes=2 * PassageIndex.of(one).bytes + 100)
    first, second = cache.index(one), cache.index(two)
    assert first is cache.index(one)
    cache.index(three)
    assert first is cache.index(one)
    assert second is not cache.index(two)


def test_a_document_larger_than_the_cache_is_still_read() -> None:
    """The index just asked for is held whatever its size."""
    cache = IndexCache(max_bytes=0)
    assert [0] == cache.index("水闸").ranked("水闸")


def test_an_empty_document_has_no_passages() -> None:
    """Nothing to rank is no error."""
    assert [] == PassageIndex.of("").ranked("anything")


@pytest.mark.corpus
@pytest.mark.skipif("WILDTRACE_CORPUS" not in os.environ, reason="WILDTRACE_CORPUS names no folder of real documents")
def test_a_named_fact_is_found_in_a_real_book() -> None:
    """The passage that holds a rare name ranks first in a book of 1.8 million characters."""
    document = (Path(os.environ["WILDTRACE_CORPUS"]) / "tr_911_commission_report_2004.txt").read_text(encoding="utf-8")
    index = PassageIndex.of(document)
    start, end = index.spans[
        index.ranked("Which instructor did Moussaoui meet at the Pan Am flight school in Minnesota?")[0]
    ]
    assert "Moussaoui" in document[start:end]
