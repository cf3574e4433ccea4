"""Induction with a reader that answers at once: what our own steps take on long documents.

    python -m benchmarks.induction CORPUS_FOLDER [FILE]

Says, for a long book: pieces, facts, the longest prompt of each role, wall time and peak memory; and for 10,000 made
facts what reconciling and seeding take. It needs no model.
"""

from __future__ import annotations

import asyncio
import json
import re
import resource
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from tests.construct.perfect import config_of, source_of, workspace_of
from tests.endpoint import Answer, Asked, serving, whole

from wildtrace.calls.roles import RoleReply
from wildtrace.construct.account import Account, Asker
from wildtrace.construct.document import Document
from wildtrace.construct.memory import Memory
from wildtrace.construct.pieces import sentence_ranges
from wildtrace.construct.reconcile import reconcile
from wildtrace.construct.run import InduceOptions, induce_sources
from wildtrace.construct.seeds import find_seeds
from wildtrace.types import Fact, Link, Span, Structure

LONGEST_BOOK = "en_wood_johnny_ludlow_series_1-6.txt"
FACTS_A_PIECE = 25


class QuickReader:
    """Notes sentences of a piece, links each to an earlier fact, and proposes nothing."""

    def __init__(self) -> None:
        self.longest: Counter[str] = Counter()

    def __call__(self, asked: Asked) -> Answer:
        """The reply to one prompt."""
        prompt = asked.prompt
        role = prompt.partition("\n")[0]
        self.longest[role] = max(self.longest[role], len(prompt))
        if "WINDOW_TEXT:" not in prompt:
            return whole(json.dumps({"trails": [], "same_claim": []}))
        window = prompt.partition("WINDOW_TEXT:\n")[2].rpartition("\nEND OF WINDOW_TEXT")[0]
        earlier = re.findall(r"^(f\d+\.\d+) \|", prompt, re.MULTILINE)[:FACTS_A_PIECE]
        ranges = sentence_ranges(window, Structure())
        chosen = ranges[:: max(1, len(ranges) // FACTS_A_PIECE)][:FACTS_A_PIECE]
        quotes = [window[start:end] for start, end in chosen]
        facts = [{"id": f"n{at}", "quote": quote, "gist": quote[:200]} for at, quote in enumerate(quotes)]
        links = [{"from": fact, "to": f"n{at}", "type": "causes"} for at, fact in enumerate(earlier)]
        return whole(json.dumps({"facts": facts, "links": links, "summary": quotes[0] if quotes else ""}))


class NoRoles:
    """Confirms nothing, at once."""

    async def ask(self, _role: str, prompts: list[str]) -> list[RoleReply]:
        """An empty object each."""
        return [RoleReply("{}", False, "none") for _ in prompts]


def book(folder: Path, file: str) -> None:
    """A whole book through the pipeline."""
    text = (folder / file).read_text(encoding="utf-8")
    reader = QuickReader()
    with tempfile.TemporaryDirectory() as work, serving(reader) as endpoint:
        workspace_of(Path(work) / "W", {"book": text})
        began = time.perf_counter()
        (outcome,) = induce_sources(Path(work) / "W", InduceOptions(config_of(endpoint.url)))
        took = time.perf_counter() - began
    calls = {stage: spent.calls for stage, spent in outcome.account.stages.items()}
    print(f"{file}: {len(text):,} characters, {outcome.facts:,} facts, calls {calls}, {took:.1f} s, {_memory()}")
    print(f"  longest prompts in characters: {dict(reader.longest)}")


def many_facts(count: int) -> None:
    """Reconcile and seed so many made facts."""
    words = [f"word{number:x}" for number in range(4000)]
    text = "\n\n".join(
        " ".join(words[(at * step + 7 * step) % 4000] for step in range(1, 13)) + "." for at in range(count)
    )
    source, memory = source_of("made", text), Memory()
    ranges = sentence_ranges(text, Structure())
    for at, (start, end) in enumerate(ranges):
        memory.add_fact(Fact(f"f1.{at}", source.id, "event", (Span(start, end, text[start:end]),), text[start:end]))
        if at >= count // 2:
            memory.links.append(Link(f"l{at}", source.id, f"f1.{at - count // 2}", f"f1.{at}", "causes"))
    began = time.perf_counter()
    reading = asyncio.run(reconcile(Asker(NoRoles(), Account()), source, [memory]))  # type: ignore[arg-type]
    seeds = find_seeds(Document(source, text, ranges, reading))
    print(f"{len(ranges):,} facts: {len(seeds):,} seeds, {time.perf_counter() - began:.1f} s, {_memory()}")


def _memory() -> str:
    return f"{resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:,.0f} MB at most"


if __name__ == "__main__":
    many_facts(10_000)
    book(Path(sys.argv[1]), sys.argv[2] if len(sys.argv) > 2 else LONGEST_BOOK)
