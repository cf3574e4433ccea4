from collections import Counter
from itertools import pairwise
from pathlib import Path

import pytest

from wildtrace.errors import OutputError
from wildtrace.release.formats import load_items, to_json, to_jsonl
from wildtrace.release.sample_release import copy_to, sample_corpus, sample_data, sample_folder
from wildtrace.release.sample_table import as_lines, clue_credits, clue_spans, credit
from wildtrace.text.passages import clue_window
from wildtrace.text.reading import read_text
from wildtrace.text.script import is_cjk
from wildtrace.text.tiers import tier_of
from wildtrace.text.tokens import estimate_tokens
from wildtrace.types import Clue, Criterion, Item, Question, Rubric
from wildtrace.vocabulary import FAMILIES

ITEMS = load_items(sample_data())
DOCUMENTS = {path.name: read_text(path) for path in sorted(sample_corpus().glob("*.txt"))}
TEXTS = {name: read.text for name, read in DOCUMENTS.items()}
by_task = pytest.mark.parametrize("item", ITEMS, ids=lambda item: item.question_id)
by_document = pytest.mark.parametrize("name", DOCUMENTS)
# The paper's geometries; one that is added later needs no item in the sample.
SEVEN = ("forward", "intersection", "comparative", "temporal", "causal", "abductive", "counterfactual")


def document_of(item: Item) -> str:
    """The text that the item asks about."""
    return TEXTS[item.question.corpus_file]


@by_document
def test_a_document_is_long_and_plain(name: str) -> None:
    """At least 30,000 code points of UTF-8 that reading does not change."""
    assert not DOCUMENTS[name].changed
    assert len(TEXTS[name]) >= 30_000


@by_document
def test_no_passage_of_80_code_points_stands_twice(name: str) -> None:
    """No filler, within a document or between two."""
    own, others = TEXTS[name], "\0".join(text for other, text in TEXTS.items() if other != name)
    passages = Counter(own[start : start + 80] for start in range(len(own) - 79))
    assert [] == [passage for passage, times in passages.items() if times > 1]
    assert not passages.keys() & {others[start : start + 80] for start in range(len(others) - 79)}


def test_every_geometry_asks_once_of_every_document() -> None:
    """21 tasks: seven geometries, three documents, one of each family."""
    cells = Counter((item.question.corpus_file, item.geometry) for item in ITEMS)
    assert {(name, geometry): 1 for name in DOCUMENTS for geometry in SEVEN} == dict(cells)
    assert set(FAMILIES) == {item.source_family for item in ITEMS}
    assert 21 == len({item.question_id for item in ITEMS})


def test_both_forms_load_to_the_same_tasks() -> None:
    """The nested file and the lines say the same, and both are what the one writer writes."""
    assert ITEMS == load_items(sample_folder() / "tasks.jsonl")
    assert to_json(ITEMS) == sample_data().read_bytes()
    assert to_jsonl(ITEMS) == (sample_folder() / "tasks.jsonl").read_bytes()


@by_task
def test_tier_and_token_estimate_follow_from_the_document(item: Item) -> None:
    """By the protocol's rates and the paper's tiers."""
    document = document_of(item)
    tokens = estimate_tokens(len(document), cjk=is_cjk(document))
    assert (tokens, tier_of(tokens)) == (item.doc_token_estimate, item.tier)


@by_task
def test_every_quote_stands_at_its_offsets_and_nowhere_else(item: Item) -> None:
    """Half-open code point offsets; the quote occurs once."""
    document = document_of(item)
    assert all(1 == document.count(span.quote) for span in clue_spans(item, document))
    assert 3 <= len(item.clues) <= 6


@by_task
def test_a_rubric_sums_to_100_and_fits_what_a_judge_is_shown(item: Item) -> None:
    """Whole points, texts within the judge prompt's limits, a reference answer that earns nearly all."""
    assert 100 == item.rubric.points
    assert all(float(criterion.points).is_integer() for criterion in item.rubric.criteria)
    assert 3 <= len(item.rubric.criteria) <= 5
    assert max(len(criterion.text) for criterion in item.rubric.criteria) <= 240
    assert len(item.question.text) < 600
    assert credit(item, item.reference_answer) >= 0.9


@by_task
def test_trail_and_rubric_rest_on_the_items_own_clues(item: Item) -> None:
    """Every clue is used by a criterion and joined by an edge; none is named that does not exist."""
    clues = {clue.span_id for clue in item.clues}
    assert clues == {span for criterion in item.rubric.criteria for span in criterion.spans}
    assert clues == {end for edge in item.edges for end in (edge.source, edge.target)}


@by_task
def test_clues_are_dispersed(item: Item) -> None:
    """Over at least 35 % of the document, in three groups or more that lie 3,000 code points apart."""
    document = document_of(item)
    starts = sorted(span.start for span in clue_spans(item, document))
    assert starts[-1] - starts[0] >= 0.35 * len(document)
    assert 1 + sum(after - before >= 3000 for before, after in pairwise(starts)) >= 3


@by_task
def test_all_clue_windows_answer_a_task_and_none_alone_does(item: Item) -> None:
    """By the lexical judge: together at least 70, the best alone at most 50 and 20 below, nothing for nothing."""
    row = clue_credits(item, document_of(item))
    assert row.together >= 0.7
    assert row.best_single <= 0.5
    assert row.together - row.best_single >= 0.2
    assert 0 == row.nothing


@by_task
def test_repeating_the_question_earns_next_to_nothing(item: Item) -> None:
    """A question does not give its answer away."""
    assert credit(item, item.question.text) <= 0.2


@by_task
def test_every_clue_is_necessary(item: Item) -> None:
    """Leaving one out, its window or its quote, costs credit."""
    document = document_of(item)
    windows = [document[slice(*clue_window(document, span.start, span.end))] for span in clue_spans(item, document)]
    quotes = [clue.quote for clue in item.clues]
    for place, clue in enumerate(item.clues):
        lost = [
            credit(item, "\n\n".join(texts)) - credit(item, "\n\n".join(texts[:place] + texts[place + 1 :]))
            for texts in (windows, quotes)
        ]
        assert max(lost) > 0, clue.span_id


def test_a_clue_that_does_not_stand_in_the_document_is_refused() -> None:
    """The table is never computed from windows around the wrong place."""
    rubric = Rubric((Criterion("P1", 100, "Ann closed the valve"),))
    question = Question("q", "Who?", "d.txt")
    for clue in (Clue("c1", "", "Ann", 1, 4), Clue("c1", "", "Ann")):
        with pytest.raises(ValueError, match="q: clue c1"):
            clue_credits(Item(question, rubric, clues=(clue,)), "Ann closed the valve.")


def test_the_table_shows_scores_by_task() -> None:
    """One line a task under one heading, in columns."""
    rows = [clue_credits(item, document_of(item)) for item in ITEMS]
    lines = list(as_lines(rows))
    assert 22 == len(lines)
    assert 1 == len({len(line) for line in lines})
    assert [item.question_id for item in ITEMS] == [line.split()[0] for line in lines[1:]]


def test_a_copy_is_the_release_and_copying_again_changes_nothing(tmp_path: Path) -> None:
    """Tasks in both forms and the documents, byte for byte."""
    written = copy_to(tmp_path / "deep" / "sample")
    assert copy_to(tmp_path / "deep" / "sample") == written
    assert {"tasks.json", "tasks.jsonl", *DOCUMENTS} == {path.name for path in written}
    for path in written:
        original = sample_folder() / path.relative_to(tmp_path / "deep" / "sample")
        assert original.read_bytes() == path.read_bytes()


def test_a_copy_never_replaces_another_file(tmp_path: Path) -> None:
    """A file in the way is named; nothing is written."""
    (tmp_path / "tasks.json").write_text("mine", encoding="utf-8")
    with pytest.raises(OutputError, match=r"tasks\.json exists and is another file; choose an empty folder"):
        copy_to(tmp_path)
    assert ["tasks.json"] == [path.name for path in tmp_path.rglob("*")]


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    """A file where the folder should be."""
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(OutputError, match=r"cannot be written .*; choose another folder"):
        copy_to(tmp_path / "file" / "sample")
