"""How claims are held against marked items."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from benchmarks.marking import Agreement, Claim, Item, agreement, judged, paired, read_passages, total

MARY = frozenset({"Mary"})


def test_half_of_the_item_must_be_covered() -> None:
    """Two characters of four are enough, one is not; a longer claim covers what it holds."""
    item = Item(((4, 8),))
    assert (1, [], []) == _counts([item], [Claim(((6, 9),))])
    assert (0, [(4, 8)], [(7, 11)]) == _counts([item], [Claim(((7, 11),))])
    assert (1, [], []) == _counts([item], [Claim(((0, 30),))])


def test_each_claim_answers_one_item() -> None:
    """A clause that holds two words finds one of them, a second claim of one word is wrong."""
    items = [Item(((0, 4),)), Item(((6, 9),))]
    assert (1, [(6, 9)], []) == _counts(items, [Claim(((0, 20),))])
    assert (1, [], [(0, 4)]) == _counts(items[:1], [Claim(((0, 4),)), Claim(((0, 4),))])


def test_cause_and_effect_must_both_be_right() -> None:
    """Exchanged, they answer nothing."""
    item = Item(((0, 10), (20, 30)))
    assert (1, [], []) == _counts([item], [Claim(((0, 12), (18, 30)))])
    assert (0, [(0, 10)], [(20, 30)]) == _counts([item], [Claim(((20, 30), (0, 10)))])


def test_an_optional_item_neither_counts_nor_punishes() -> None:
    """What answers it is spared, and it is missed by nobody."""
    optional = Item(((0, 4),), optional=True)
    assert (0, [], []) == _counts([optional], [])
    assert (0, [], []) == _counts([optional], [Claim(((0, 4),))])


def test_values_are_judged_where_the_item_has_them() -> None:
    """A wrong name is both missed and wrong; an item without values takes any."""
    named, unknown = Item(((0, 4),), MARY), Item(((0, 4),))
    eve = [Claim(((0, 4),), frozenset({"Eve", None}))]
    assert 0 == agreement([named], eve, valued=True).right
    assert 1 == agreement([named], eve).right
    assert 1 == agreement([unknown], eve, valued=True).right
    assert 1 == agreement([named], [Claim(((0, 4),), frozenset({"Miss Mary", "Mary"}))], valued=True).right
    assert [(named, eve[0])] == paired([named], eve)


def test_rates_of_counts() -> None:
    """Three right of four claimed and of six marked; nothing at all is nought."""
    found = total([Agreement(2, [(0, 1)], [(5, 6)]), Agreement(1, [(0, 1), (2, 3)])])
    assert (0.75, 0.5, 0.6) == (found.precision, found.recall, found.f1)
    assert (0, 0, 0) == (Agreement().precision, Agreement().recall, Agreement().f1)


@pytest.fixture
def marked(tmp_path: Path) -> Path:
    """A file with one passage of all kinds."""
    row = {
        "id": "P1", "part": "held-out", "file": "a.txt", "language": "zh-Hans", "start": 0, "end": 90,
        "kinds": ["entities", "events", "quotations", "dates", "causal"],
        "entities": [
            {"start": 0, "end": 2, "kind": "vessel", "who": "a"},
            {"start": 3, "end": 5, "kind": "person", "who": "b", "optional": True},
        ],
        "events": [{"start": 6, "end": 8}],
        "quotations": [{"start": 10, "end": 20, "speaker": None}, {"start": 30, "end": 40, "speaker": ["b", None]}],
        "dates": [{"start": 50, "end": 54, "edtf": "T07", "also": ["T07:00"]}, {"start": 60, "end": 62, "edtf": None}],
        "causal": [{"cause": {"start": 0, "end": 5}, "effect": {"start": 6, "end": 8}}],
    }  # fmt: skip
    path = tmp_path / "marked.json"
    path.write_text(json.dumps({"passages": [row]}), encoding="utf-8")
    return path


def test_passages_are_read_with_the_values_that_are_right(marked: Path) -> None:
    """A date is right in each of its forms, an unknown value is not judged; kinds that nobody claims are left out."""
    (passage,) = read_passages(marked)
    assert ("zh", "held-out", 0, 90) == (passage.language, passage.part, passage.start, passage.end)
    items = passage.items
    assert frozenset({"vessel"}) == items["entities"][0].values
    assert [False, True] == [item.optional for item in items["entities"]]
    assert {"entities", "dates", "causal"} == set(items)
    assert [frozenset({"T07", "T07:00"}), None] == [item.values for item in items["dates"]]
    assert ((0, 5), (6, 8)) == items["causal"][0].spans


def test_every_kind_that_is_claimed_is_judged(marked: Path) -> None:
    """Spans, kinds and values apart; a kind that an extractor does not know is left out."""
    (passage,) = read_passages(marked)
    claims = {
        "entities": [Claim(((0, 2),), frozenset({"thing"}))],
        "dates": [Claim(((50, 54),), frozenset({"T08"}))],
    }
    counts = {what: (one.right, len(one.missed), len(one.wrong)) for what, one in judged(passage, claims).items()}
    assert {
        "entities": (1, 0, 0),
        "entities, kind": (0, 1, 1),
        "dates": (1, 1, 0),
        "dates, value": (0, 2, 1),
    } == counts


def test_a_claim_that_reaches_out_of_the_passage_is_not_wrong(marked: Path) -> None:
    """It may tell of what stands outside; inside it would be wrong."""
    (passage,) = read_passages(marked)
    found = judged(passage, {"dates": [Claim(((60, 70),)), Claim(((40, 44),)), Claim(((80, 120),))]})
    assert [(40, 44)] == found["dates"].wrong


def _counts(items: list[Item], claims: list[Claim]) -> tuple[int, list[tuple[int, int]], list[tuple[int, int]]]:
    found = agreement(items, claims)
    return found.right, found.missed, found.wrong
