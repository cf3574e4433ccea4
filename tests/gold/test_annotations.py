"""The passages marked for measuring extraction: what they hold, and that they stand where they say."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from benchmarks.marking import ANNOTATIONS, KINDS, PARTS, read_passages

CORPUS = os.environ.get("WILDTRACE_CORPUS")
ROWS: list[dict[str, Any]] = json.loads(ANNOTATIONS.read_text(encoding="utf-8"))["passages"]


def marks(row: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Every span that is marked in a passage."""
    for kind in row["kinds"]:
        for item in row[kind]:
            yield from (item["cause"], item["effect"]) if kind == "causal" else (item,)


def test_both_languages_and_both_parts_have_every_kind() -> None:
    """Something is demanded of each kind in the development and the held-out passages of either language."""
    demanded = {
        (passage.language, passage.part, kind)
        for passage in read_passages()
        for kind, items in passage.items.items()
        if any(not item.optional for item in items)
    }
    assert {(language, part, kind) for language in ("en", "zh") for part in PARTS for kind in KINDS} == demanded


def test_marks_lie_in_their_passages_and_passages_do_not_overlap() -> None:
    """Names are given once, stretches of a file are apart, and spans are inside with as many characters as words."""
    assert {1} == set(Counter(row["id"] for row in ROWS).values())
    ranges = sorted((row["file"], row["start"], row["end"]) for row in ROWS)
    for (file, _, end), (other, start, _) in pairwise(ranges):
        assert file != other or end <= start
    for row in ROWS:
        for mark in marks(row):
            assert row["start"] <= mark["start"] < mark["end"] <= row["end"]
            assert len(mark.get("text", "x" * (mark["end"] - mark["start"]))) == mark["end"] - mark["start"]


def test_works_of_this_century_are_marked_without_their_words() -> None:
    """Only names and dates of them are written down, and those are short."""
    for row in ROWS:
        if row["file"].endswith(("_2004.txt", "_2011.txt", "_2014.txt", "_2022.txt")):
            assert all(len(mark.get("text", "")) <= 40 for mark in marks(row))


@pytest.mark.corpus
@pytest.mark.skipif(CORPUS is None, reason="WILDTRACE_CORPUS names no folder of real documents")
def test_marked_words_stand_where_they_are_said_to() -> None:
    """Each span of the document is the marked text."""
    for row in ROWS:
        text = (Path(CORPUS or "") / row["file"]).read_text(encoding="utf-8")
        for mark in marks(row):
            if "text" in mark:
                assert mark["text"] == text[mark["start"] : mark["end"]]
