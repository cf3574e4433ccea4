"""Speakers of quotations in real novels, against what a reader says."""

from __future__ import annotations

import json
import os
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from wildtrace.construct.extract.page import read_page
from wildtrace.construct.extract.participants import Finder
from wildtrace.construct.extract.quotations import turns
from wildtrace.construct.induction import cast_of, plan, survey_task
from wildtrace.construct.segment import segment

CORPUS = os.environ.get("WILDTRACE_CORPUS")
GOLD: list[dict[str, Any]] = json.loads((Path(__file__).parent / "speakers.json").read_text(encoding="utf-8"))[
    "quotations"
]
LEAST_PRECISION = 0.9
LEAST_RECALL = {"en": 0.7, "zh": 0.77}

pytestmark = [
    pytest.mark.corpus,
    pytest.mark.skipif(CORPUS is None, reason="WILDTRACE_CORPUS names no folder of real documents"),
]


def text_of(file: str) -> str:
    """A real document."""
    return (Path(CORPUS or "") / file).read_text(encoding="utf-8")


@cache
def spoken(file: str) -> dict[int, set[str]]:
    """The names of the speaker of each quotation of a document, by where it begins; none where it is open."""
    text = text_of(file)
    taken_apart = plan(text, tuple(segment(text, "source", "L0")), ())
    surveys = [survey_task((taken_apart.manner, pieces)) for pieces in taken_apart.pieces]
    known = cast_of("source", text, taken_apart.manner, surveys)[0].known
    finder = Finder(known.cast, chinese=known.manner.chinese, pattern=known.pattern)
    found: dict[int, set[str]] = {}
    for offset, piece in (stretch for pieces in taken_apart.pieces for stretch in pieces):
        page = read_page(piece, offset, known.manner.marks, chinese=known.manner.chinese, by_line=known.manner.by_line)
        for turn in turns(page, finder, finder.found(piece)):
            person = None if turn.speaker is None else known.cast.entities[turn.speaker]
            found[offset + turn.start] = {person.name, *person.aliases} if person else set()
    return found


def counts(language: str) -> Counter[str]:
    """How many quotations of a language have the right speaker, a wrong one, none where there is one, rightly none."""
    outcomes: Counter[str] = Counter()
    for mark in GOLD:
        if mark["file"].startswith(language):
            said = spoken(mark["file"]).get(mark["start"], set())
            if not said:
                outcomes["open" if mark["speaker"] else "rightly open"] += 1
            else:
                outcomes["wrong" if said.isdisjoint(mark["speaker"]) else "right"] += 1
    return outcomes


def test_the_quotations_are_what_they_say() -> None:
    """150 English ones of five novels and 100 Chinese ones of five, where their offsets say."""
    assert {"en": 150, "zh": 100} == Counter(mark["file"][:2] for mark in GOLD)
    assert 10 == len({mark["file"] for mark in GOLD})
    for mark in GOLD:
        assert text_of(mark["file"]).startswith(mark["opens"], mark["start"])


@pytest.mark.parametrize("language", ["en", "zh"])
def test_speakers_are_right_where_they_are_told(language: str) -> None:
    """Nine of ten told speakers are the reader's."""
    outcomes = counts(language)
    assert outcomes["right"] >= LEAST_PRECISION * (outcomes["right"] + outcomes["wrong"])


@pytest.mark.parametrize("language", ["en", "zh"])
def test_most_speakers_are_told(language: str) -> None:
    """More than two thirds of the speakers a reader finds."""
    outcomes = counts(language)
    wanted = outcomes["right"] + outcomes["wrong"] + outcomes["open"]
    assert outcomes["right"] >= LEAST_RECALL[language] * wanted
