"""Induction with a perfect reader: every trail that people wrote comes out whole, no decoy does, nothing twice."""

from __future__ import annotations

import json
import os
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.construct.perfect import PerfectReader, config_of, is_whole, workspace_of
from tests.construct.small import TEXT, small_trails
from tests.endpoint import serving
from wildtrace.construct.run import InduceOptions, InduceOutcome, induce_sources

CORPUS = os.environ.get("WILDTRACE_CORPUS")
GOLD = Path(__file__).parents[1] / "gold"


def gold() -> dict[tuple[str, int | None], list[dict[str, Any]]]:
    """The trails that people wrote, by document and the part of it that they read."""
    by_file = defaultdict(list)
    for name in ("trails", "held_out_trails"):
        for trail in json.loads((GOLD / f"{name}.json").read_text(encoding="utf-8"))["trails"]:
            by_file[trail["file"], trail.get("chars")].append(trail)
    return by_file


def induced(folder: Path, text: str, trails: Sequence[Mapping[str, Any]]) -> tuple[InduceOutcome, PerfectReader]:
    """What came of a document and what its reader was asked."""
    reader = PerfectReader(text, trails)
    workspace_of(folder / "W", {"document": text})
    with serving(reader) as endpoint:
        (outcome,) = induce_sources(folder / "W", InduceOptions(config_of(endpoint.url)))
    return outcome, reader


def check(outcome: InduceOutcome, reader: PerfectReader, trails: Sequence[Mapping[str, Any]]) -> None:
    """All trails whole, nothing else, no prompt twice, none longer than the stated bound."""
    accepted = [trail for trail in outcome.trails if trail.status == "accepted"]
    missing = [trail for trail in trails if not any(is_whole(found, trail) for found in accepted)]
    assert [] == missing
    assert len(trails) == len(accepted)
    assert 1 == max(reader.asked.values())
    assert max(reader.longest.values()) < 200_000


def test_every_geometry_comes_out_whole_and_no_decoy(tmp_path: Path) -> None:
    """Seven trails of a short document, each with four decoys."""
    trails = small_trails()
    outcome, reader = induced(tmp_path, TEXT, trails)
    check(outcome, reader, trails)
    reasons = {trail.reason for trail in outcome.trails if trail.status == "rejected"}
    for fault in ("side by side", "the other way", "same sentence", "not there"):
        assert any(fault in reason for reason in reasons), fault
    assert {"a quote that stands nowhere in the piece": 7} == outcome.account.refused


@pytest.mark.corpus
@pytest.mark.skipif(CORPUS is None, reason="WILDTRACE_CORPUS names no folder of real documents")
@pytest.mark.parametrize(("file", "chars"), sorted(gold(), key=str))
def test_trails_of_real_documents_come_out_whole(tmp_path: Path, file: str, chars: int | None) -> None:
    """All gold trails, the held-out ones too."""
    text = (Path(CORPUS or "") / file).read_text(encoding="utf-8")[:chars]
    trails = gold()[file, chars]
    outcome, reader = induced(tmp_path, text, trails)
    check(outcome, reader, trails)
