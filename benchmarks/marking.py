"""Marked passages, what an extractor claims of them, and how well the two agree.

A claim is right where it lies over half of each span of an item and, where that is judged, one of its values is one of
the item's; each claim answers one item, each item one claim. A claim that answers nothing but lies over half of an
optional item is neither right nor wrong; no more is a claim that reaches out of the passage.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

Range = tuple[int, int]
Value = str | None

ANNOTATIONS: Final = Path(__file__).parent.parent / "tests" / "gold" / "annotations.json"
KINDS: Final = ("entities", "dates", "causal")
"""What is judged; the file also has events and quotations marked, which no annotator claims."""
PARTS: Final = ("development", "held-out")


@dataclass(frozen=True, slots=True)
class Item:
    """What is marked: one span, or cause and effect; the values that are right (None: not judged)."""

    spans: tuple[Range, ...]
    values: frozenset[Value] | None = None
    optional: bool = False


@dataclass(frozen=True, slots=True)
class Claim:
    """What an extractor says: one span, or cause and effect; its possible values."""

    spans: tuple[Range, ...]
    values: frozenset[Value] = frozenset()


Claims = Mapping[str, Sequence[Claim]]
"""An extractor's claims of a passage by kind; a kind that it does not extract is missing."""


@dataclass(frozen=True, slots=True)
class Passage:
    """A marked passage: where it stands, which part it belongs to, and its items by kind."""

    name: str
    part: str
    file: str
    language: str
    start: int
    end: int
    items: Mapping[str, tuple[Item, ...]]


@dataclass(slots=True)
class Agreement:
    """Counts over passages, with the places of what was missed and what was claimed wrongly."""

    right: int = 0
    missed: list[Range] = field(default_factory=list)
    wrong: list[Range] = field(default_factory=list)

    def add(self, other: Agreement) -> None:
        """Count another passage in."""
        self.right += other.right
        self.missed += other.missed
        self.wrong += other.wrong

    @property
    def precision(self) -> float:
        """Of what is claimed and judged, the share that is right; 0 where nothing is."""
        return self.right / max(1, self.right + len(self.wrong))

    @property
    def recall(self) -> float:
        """Of what is marked, the share that is claimed."""
        return self.right / max(1, self.right + len(self.missed))

    @property
    def f1(self) -> float:
        """The harmonic mean of precision and recall."""
        return 2 * self.right / max(1, 2 * self.right + len(self.wrong) + len(self.missed))


def read_passages(path: Path = ANNOTATIONS) -> list[Passage]:
    """The marked passages of a file."""
    return [_passage(row) for row in json.loads(path.read_text(encoding="utf-8"))["passages"]]


def _passage(row: Mapping[str, Any]) -> Passage:
    items = {kind: tuple(_item(kind, item) for item in row[kind]) for kind in row["kinds"] if kind in KINDS}
    language = "zh" if row["language"].startswith("zh") else "en"
    return Passage(row["id"], row["part"], row["file"], language, row["start"], row["end"], items)


def _item(kind: str, row: Mapping[str, Any]) -> Item:
    ends = (row["cause"], row["effect"]) if kind == "causal" else (row,)
    spans = tuple((end["start"], end["end"]) for end in ends)
    return Item(spans, _values(kind, row), row.get("optional", False))


def _values(kind: str, row: Mapping[str, Any]) -> frozenset[Value] | None:
    if kind == "entities":
        return frozenset({row["kind"]})
    if kind == "dates" and row["edtf"] is not None:
        return frozenset({row["edtf"], *row.get("also", ())})
    return None


def over_half(item: Range, claim: Range) -> bool:
    """Whether a claim lies over half of an item."""
    return 2 * (min(item[1], claim[1]) - max(item[0], claim[0])) >= item[1] - item[0]


def answers(claim: Claim, item: Item, *, valued: bool) -> bool:
    """Whether a claim answers an item, its value judged or not."""
    if not all(over_half(*pair) for pair in zip(item.spans, claim.spans, strict=True)):
        return False
    return not valued or item.values is None or not item.values.isdisjoint(claim.values)


def paired(items: Sequence[Item], claims: Sequence[Claim], *, valued: bool = False) -> list[tuple[Item, Claim]]:
    """The demanded items and the claims that answer them, in text order, each once."""
    left = sorted(claims, key=lambda claim: claim.spans)
    pairs = []
    for item in sorted((item for item in items if not item.optional), key=lambda item: item.spans):
        claim = next((claim for claim in left if answers(claim, item, valued=valued)), None)
        if claim is not None:
            left.remove(claim)
            pairs.append((item, claim))
    return pairs


def agreement(items: Sequence[Item], claims: Sequence[Claim], *, valued: bool = False) -> Agreement:
    """How an extractor's claims of one passage agree with its items of one kind."""
    pairs = paired(items, claims, valued=valued)
    spared = [item for item in items if item.optional]
    left = _without([item for item in items if not item.optional], [item for item, _ in pairs])
    wrong = [
        claim.spans[0]
        for claim in _without(claims, [claim for _, claim in pairs])
        if not any(answers(claim, item, valued=False) for item in spared)
    ]
    return Agreement(len(pairs), [item.spans[0] for item in left], wrong)


def _without(all_: Sequence[Any], used: Sequence[Any]) -> list[Any]:
    """What is left of a list: equal ones are as many as they are."""
    left = list(all_)
    for one in used:
        left.remove(one)
    return left


def judged(passage: Passage, claims: Claims) -> dict[str, Agreement]:
    """The agreement of an extractor's claims of a passage, by what is judged."""
    found: dict[str, Agreement] = {}
    for kind, items in passage.items.items():
        if kind not in claims:
            continue
        found[kind] = agreement(items, claims[kind])
        if kind in VALUED:
            found[VALUED[kind]] = agreement(items, claims[kind], valued=True)
    for one in found.values():
        one.wrong = [place for place in one.wrong if passage.start <= place[0] and place[1] <= passage.end]
    return found


VALUED: Final = {"entities": "entities, kind", "dates": "dates, value"}
JUDGED: Final = ("entities", "entities, kind", "dates", "dates, value", "causal")


def total(agreements: Iterable[Agreement]) -> Agreement:
    """Several passages' agreement as one."""
    sum_ = Agreement()
    for one in agreements:
        sum_.add(one)
    return sum_
