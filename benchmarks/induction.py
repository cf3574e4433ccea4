"""Offline induction: how fast beside a bare pass, how much memory, how linear, and what of hand-read trails it finds.

The bare pass splits the same text into sentences and words, runs the cue expressions and inserts a row a sentence
into SQLite. Quality is counted on the paper's case card, on trails read by hand (`tests/gold/trails.json`) and on
others, which nobody looks at who changes a rule (`held_out_trails.json`). A clue is covered where a record lies over
half of it; a gold edge is found where records over its ends are one record or joined within two edges; a trail is
recalled where all its clues are covered and all its edges found. The peer for recall is a sentence co-occurrence
graph of the same number of edges over the same text: sentences that share a word are joined, the rarest words first.

    python -m benchmarks.induction CORPUS_FOLDER [--card CASE_CARD.json]
"""

from __future__ import annotations

import argparse
import json
import re
import resource
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import combinations, islice
from multiprocessing import get_context
from pathlib import Path
from typing import Any, TypeVar

from wildtrace.construct.induction import cast_of, plan, read_task, survey_task, without_collector
from wildtrace.construct.ingest.run import IngestOptions, ingest_files
from wildtrace.construct.link.graph import link
from wildtrace.construct.mine import mine
from wildtrace.construct.packing import pack_edges, pack_records, unpack_records
from wildtrace.construct.run import InduceOptions, induce_sources
from wildtrace.construct.segment import segment
from wildtrace.languages.cues import cue_pattern
from wildtrace.text.sentences import ends_at_lines, is_chinese, paragraphs, sentences
from wildtrace.text.words import content_words
from wildtrace.types import EvidenceGraph

BOOK = "en_wood_johnny_ludlow_series_1-6.txt"
CHINESE_BOOK = "zh_shigong_an.txt"
REPORT = "tr_911_commission_report_2004.txt"
LARGEST_FACTOR = 8.0
MOST_MEGABYTES = 1500
LINEAR_WITHIN = 1.3
MINING_SECONDS = 10.0
MOST_RECORDS, MOST_EDGES = 15.0, 60.0
COVERAGE, EDGES_FOUND, TIMES_PEER = 0.9, 0.6, 3.0
GOLD = Path(__file__).parent.parent / "tests" / "gold" / "trails.json"
HELD_OUT = GOLD.with_name("held_out_trails.json")
_WORD = re.compile(r"\w+")
_TIMES = 3
"""How often either is run; the quickest run counts, since what disturbs one only slows it."""
_SHORT, _LONG = 300_000, 5_600_000

Ends = dict[str, set[str]]
Neighbours = Mapping[str, Iterable[str]]
Made = TypeVar("Made")


def main() -> None:
    """Run each measure in a process of its own and print it beside its target."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--card", type=Path)
    parser.add_argument("--only", help="one measure, as JSON")
    options = parser.parse_args()
    if options.only:
        print(json.dumps(_MEASURES[options.only](options.corpus, options.card), ensure_ascii=False))
        return
    for name in _MEASURES:
        if name != "card" or options.card:
            _tell(name, _apart(name, options))


def _apart(name: str, options: argparse.Namespace) -> dict[str, Any]:
    card = ["--card", str(options.card)] if options.card else []
    command = [sys.executable, "-m", __spec__.name, str(options.corpus), *card, "--only", name]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


def _tell(name: str, found: Mapping[str, Any]) -> None:
    print(name)
    for key, value in found.items():
        print(f"  {key}: {f'{value:.3g}' if isinstance(value, float) else value}")


def bare_pass(text: str) -> float:
    """CPU seconds of the bare pass over one text."""
    chinese, by_line = is_chinese(text), ends_at_lines(text)
    with tempfile.TemporaryDirectory() as folder:
        begun = time.process_time()
        connection = sqlite3.connect(f"{folder}/bare.sqlite")
        connection.execute(
            "CREATE TABLE sentences (start_at INTEGER, end_at INTEGER, text TEXT, words TEXT, cues TEXT)"
        )
        pattern = cue_pattern(chinese=chinese)
        for start, end in paragraphs(text, by_line=by_line):
            for first, last in sentences(text, start, end):
                sentence = text[first:last]
                words = content_words(sentence) if chinese else _WORD.findall(sentence)
                cues = pattern.findall(sentence)
                row = (first, last, sentence, " ".join(words), " ".join(cues))
                connection.execute("INSERT INTO sentences VALUES (?, ?, ?, ?, ?)", row)
        connection.commit()
        connection.close()
        return time.process_time() - begun


def induced(text: str) -> tuple[EvidenceGraph, dict[str, float]]:
    """The graph of a text by rules, and the CPU seconds of each stage, storing apart."""
    with without_collector():
        return _induced(text)


def _induced(text: str) -> tuple[EvidenceGraph, dict[str, float]]:
    seconds: dict[str, float] = {}
    begun = time.process_time()

    def lap(name: str) -> None:
        seconds[name] = time.process_time() - begun - sum(seconds.values())

    windows = tuple(segment(text, "source", "L0"))
    taken_apart = plan(text, windows, ())
    lap("segment")
    surveys = [survey_task((taken_apart.manner, pieces)) for pieces in taken_apart.pieces]
    known, entities = cast_of("source", text, taken_apart.manner, surveys)
    packed = read_task((known, list(enumerate(taken_apart.pieces))))
    records = [*entities, *(record for _, data in packed for record in unpack_records("source", text, data))]
    lap("extract")
    graph = link("source", len(text), records)
    lap("link")
    trails = mine(graph).trails
    lap("mine")
    pack_records(entities), pack_edges(graph.edges, graph.records)
    lap("pack")
    return graph, {**seconds, "trails": len(trails)}


def measure_speed(corpus: Path, _: Path | None) -> dict[str, Any]:
    """The factor to the bare pass for three texts; each run is the first in a process of its own, imports apart."""
    found: dict[str, Any] = {}
    for name in (BOOK, CHINESE_BOOK, REPORT):
        chars, bares, runs = 0, [], []
        for _time in range(_TIMES):
            bares.append(_first_in_its_process(_cold_bare, corpus / name))
            chars, counts, seconds = _first_in_its_process(_cold_induction, corpus / name)
            runs.append(seconds)
        bare, quickest = min(bares), min(runs, key=lambda seconds: sum(seconds.values()))
        total = sum(quickest.values())
        found[name] = {
            "bare pass": round(bare, 2),
            "induction": round(total, 2),
            "factor (at most 8)": round(total / bare, 2),
            "seconds": {stage: round(value, 2) for stage, value in quickest.items()},
            "records, edges per 1,000": [round(count / chars * 1000, 1) for count in counts[:2]],
            "trails": counts[2],
        }
    return found


def _first_in_its_process(measure: Callable[[Path], Made], file: Path) -> Made:
    """What a measure gives where nothing has been compiled, looked up or remembered by a run before it."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as process:
        return process.submit(measure, file).result()


def _cold_bare(file: Path) -> float:
    return bare_pass(file.read_text(encoding="utf-8"))


def _cold_induction(file: Path) -> tuple[int, tuple[int, int, int], dict[str, float]]:
    text = file.read_text(encoding="utf-8")
    graph, seconds = induced(text)
    trails = int(seconds.pop("trails"))
    return len(text), (len(graph.records), len(graph.edges), trails), seconds


def measure_linearity(corpus: Path, _: Path | None) -> dict[str, Any]:
    """Time a character at 5.6 million code points over that at 0.3 million."""
    text = (corpus / BOOK).read_text(encoding="utf-8")
    rates = []
    for size in (_SHORT, _LONG):
        seconds = induced(text[:size])[1]
        seconds.pop("trails")
        rates.append(sum(seconds.values()) / size * 1e6)
    return {
        "microseconds a character": [round(rate, 2) for rate in rates],
        f"ratio (at most {LINEAR_WITHIN})": rates[1] / rates[0],
    }


def measure_workspace(corpus: Path, _: Path | None) -> dict[str, Any]:
    """The command's own flow over the longest book, one process: CPU seconds with the database, and memory."""
    with tempfile.TemporaryDirectory() as folder:
        list(ingest_files([corpus / BOOK], Path(folder), IngestOptions(family="english_literature")))
        begun = time.process_time()
        outcomes = list(induce_sources(Path(folder), InduceOptions(workers=1)))
        seconds = time.process_time() - begun
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000
    return {
        "status": outcomes[0].status,
        "CPU seconds": seconds,
        f"MB, ingest included (at most {MOST_MEGABYTES})": peak,
        "records": outcomes[0].records,
        "edges": outcomes[0].edges,
        "trails": outcomes[0].trails,
    }


def measure_card(corpus: Path, card: Path | None) -> dict[str, Any]:
    """Whether the case card's six spans are covered and each side joined."""
    known = json.loads((card or Path()).read_text(encoding="utf-8"))
    text = (corpus / Path(known["source_file"]).name).read_text(encoding="utf-8")[: known["source_chars"]]
    graph, _ = induced(text)
    near, types = _neighbours(graph)
    ends = _ends([(record.span.start, record.span.end, record.id) for record in _facts(graph)], known["clues"])
    sides = [[clue["id"] for clue in known["clues"][start : start + 3]] for start in (0, 3)]
    joined = {
        "-".join(pair): _paths(ends[pair[0]], ends[pair[1]], near, types)
        for side in sides
        for pair in combinations(side, 2)
    }
    return {"covered (6)": sum(map(bool, ends.values())), "joined within two edges": joined}


def measure_gold(corpus: Path, __: Path | None, gold: Path = GOLD) -> dict[str, Any]:
    """Coverage, edges found and trails recalled, by geometry and family, beside the co-occurrence graph."""
    trails = json.loads(gold.read_text(encoding="utf-8"))["trails"]
    counts: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for file in dict.fromkeys(trail["file"] for trail in trails):
        told = [trail for trail in trails if trail["file"] == file]
        text = (corpus / file).read_text(encoding="utf-8")[: told[0].get("chars")]
        graph, _ = induced(text)
        near, _ = _neighbours(graph)
        ours = [(record.span.start, record.span.end, record.id) for record in _facts(graph)]
        peer, peer_near = co_occurrence(text, len(graph.edges))
        for trail in told:
            found = _found(trail, ours, near) + _found(trail, peer, peer_near, "peer ")
            for key in ("all", trail["geometry"], file[:2], file):
                counts[key] += found
    return {key: _rates(count) for key, count in counts.items()}


def measure_held_out(corpus: Path, card: Path | None) -> dict[str, Any]:
    """The same on trails that nobody looks at who changes a rule."""
    return measure_gold(corpus, card, HELD_OUT)


def _rates(count: Counter[str]) -> dict[str, Any]:
    rates = {
        "clue coverage": round(count["covered"] / count["clues"], 3),
        "edges within two": round(count["edges found"] / count["edges"], 3),
        "trail recall": round(count["recalled"] / count["trails"], 3),
        "peer's edges": round(count["peer edges found"] / count["edges"], 3),
        "peer's trail recall": round(count["peer recalled"] / count["trails"], 3),
    }
    return {"trails": count["trails"], **rates}


def _facts(graph: EvidenceGraph) -> list[Any]:
    """The records that tell something: an entity's first mention covers no clue."""
    return [record for record in graph.records if record.kind != "entity"]


def _neighbours(graph: EvidenceGraph) -> tuple[dict[str, set[str]], dict[tuple[str, str], set[str]]]:
    near: defaultdict[str, set[str]] = defaultdict(set)
    types: defaultdict[tuple[str, str], set[str]] = defaultdict(set)
    for edge in graph.edges:
        near[edge.head].add(edge.tail)
        near[edge.tail].add(edge.head)
        for pair in ((edge.head, edge.tail), (edge.tail, edge.head)):
            types[pair].add(edge.type)
    return near, types


def _ends(spans: Sequence[tuple[int, int, str]], clues: Sequence[Mapping[str, Any]]) -> Ends:
    """The records over half of each clue."""
    return {
        clue["id"]: {
            record
            for start, end, record in spans
            if 2 * (min(end, clue["end"]) - max(start, clue["start"])) >= clue["end"] - clue["start"]
        }
        for clue in clues
    }


def _joined(ones: set[str], others: set[str], near: Neighbours) -> bool:
    if ones & others:
        return True
    reach = {other for one in ones for other in near.get(one, ())}
    return bool(reach & others) or any(not others.isdisjoint(near.get(middle, ())) for middle in reach)


def _paths(ones: set[str], others: set[str], near: Neighbours, types: Mapping[tuple[str, str], set[str]]) -> list[str]:
    """The kinds of edges on the ways of at most two edges between records."""
    found = {kind for one in ones for other in others for kind in types.get((one, other), ())}
    for one in ones:
        for middle in near.get(one, ()):
            for other in others:
                if (middle, other) in types:
                    found |= types[one, middle] | types[middle, other]
    return sorted(found)


def _found(
    trail: Mapping[str, Any], spans: Sequence[tuple[int, int, str]], near: Neighbours, prefix: str = ""
) -> Counter[str]:
    ends = _ends(spans, trail["clues"])
    joined = [_joined(ends[one], ends[other], near) for one, other, _ in trail["edges"]]
    return Counter(
        {
            f"{prefix}clues": len(ends),
            f"{prefix}covered": sum(map(bool, ends.values())),
            f"{prefix}edges": len(joined),
            f"{prefix}edges found": sum(joined),
            f"{prefix}trails": 1,
            f"{prefix}recalled": int(all(ends.values()) and all(joined)),
        }
    )


def co_occurrence(text: str, edges: int) -> tuple[list[tuple[int, int, str]], dict[str, set[str]]]:
    """Sentences joined where they share a content word, the rarest words first, until there are `edges` joins."""
    by_line = ends_at_lines(text)
    spans = [
        (first, last, f"s{first}")
        for start, end in paragraphs(text, by_line=by_line)
        for first, last in sentences(text, start, end)
    ]
    holders: defaultdict[str, list[str]] = defaultdict(list)
    for first, last, name in spans:
        for word in set(content_words(text[first:last])):
            holders[word].append(name)
    rarest = sorted((word for word in holders if len(holders[word]) > 1), key=lambda word: (len(holders[word]), word))
    pairs = dict.fromkeys(pair for pair in islice(_pairs(rarest, holders), 3 * edges))
    near: defaultdict[str, set[str]] = defaultdict(set)
    for one, other in islice(pairs, edges):
        near[one].add(other)
        near[other].add(one)
    return spans, near


def _pairs(words: Iterable[str], holders: Mapping[str, Sequence[str]]) -> Iterable[tuple[str, str]]:
    for word in words:
        yield from combinations(holders[word], 2)


_MEASURES = {
    "speed": measure_speed,
    "linearity": measure_linearity,
    "workspace": measure_workspace,
    "card": measure_card,
    "gold": measure_gold,
    "held out": measure_held_out,
}


if __name__ == "__main__":
    main()
