"""The synthetic release that the benchmark runs on: 481 tasks over 214 documents in the paper's tier mix.

Made in a few seconds from a seed, and kept: a folder whose stamp is the hash of this file is used again as it is.
Sizes and shares (54 Chinese tasks, 231 English with curly quotes, 196 pure ASCII; request bodies of about 666 MB) are
those of the study the targets were set with. What it leaves out: meaning. Sentences are drawn from pools of words.

    python -m benchmarks.workload FOLDER [--tasks 48]
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import random
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.prompts import INSTRUCTION

SEED = 481
DOCUMENTS = 214
TASKS_PER_TIER = {"L0": 90, "L1": 59, "L2": 61, "L3": 58, "L4": 59, "L5": 58, "L6": 93, "L7": 3}
# Tokens: right-closed upper ends are the paper's; the lower end of L0 and the upper end of L7 give the study's mean
# (1.23 M characters) and its longest document (3.309 M).
TIER_ENDS = (50_000, 128_000, 181_019, 256_000, 362_039, 512_000, 724_077, 1_000_000, 1_002_700)
TASKS_PER_SCRIPT = {"cjk": 54, "curly": 231, "ascii": 196}
CHARS_PER_TOKEN = {"cjk": 1.5, "curly": 3.3, "ascii": 3.3}
FAMILY = {"cjk": "chinese_literature", "curly": "english_literature", "ascii": "technical_report"}
GEOMETRIES = ("forward", "intersection", "comparative", "temporal", "causal", "abductive", "counterfactual")
RUBRIC_POINTS = ((40, 30, 30), (25, 25, 25, 25))
SENTENCES_PER_POOL = 20_000
SENTENCES_PER_PARAGRAPH = 5
SYLLABLES = "ka ren to mi sol va den ur li ston mar the qua el or ing bra ver cle pa so um dri net al fo ges"
COMMON = (
    "the of and to in a was that it his her with as had for at on by not but from they which or we an were been their "
    "one all would there what so up out if about who get when make can like time no just him know take people into "
    "year your good some could them see other than then now look only come its over think also back after use two how "
    "first well even new want because any these give day most us water night door hand house letter river station"
)


@dataclass(frozen=True, slots=True)
class Document:
    """One document to be made: its file, tier, script, length in characters, and how many tasks ask about it."""

    name: str
    tier: str
    script: str
    n_chars: int
    n_tasks: int


def word_pool(rng: random.Random, size: int = 4_000) -> list[str]:
    """Words of English letter shapes: half the draws are common words, the rest are made from syllables."""
    syllables, common = SYLLABLES.split(), COMMON.split()
    made = ["".join(rng.choices(syllables, k=rng.randint(2, 4))) for _ in range(size)]
    return common * (size // len(common)) + made


def english_sentences(rng: random.Random, quotes: tuple[str, str, str]) -> list[str]:
    """Sentences of about 100 characters; one in four is spoken, one in two has an apostrophe."""
    opening, closing, apostrophe = quotes
    words = word_pool(rng)
    sentences = []
    for number in range(SENTENCES_PER_POOL):
        picked = rng.choices(words, k=rng.randint(14, 24))
        if number % 2 == 0:
            picked[3] += f"{apostrophe}s"
        picked[7] += ","
        body = " ".join(picked)
        sentence = body[0].upper() + body[1:] + "."
        sentences.append(f"{opening}{sentence}{closing}" if number % 4 == 1 else sentence)
    return sentences


def chinese_sentences(rng: random.Random) -> list[str]:
    """Sentences of about 30 ideographs with full-width punctuation."""
    ideographs = [chr(code) for code in rng.sample(range(0x4E00, 0x9FA6), k=2_500)]
    sentences = []
    for number in range(SENTENCES_PER_POOL):
        body = "".join(rng.choices(ideographs, k=rng.randint(20, 40)))
        sentence = f"{body[:9]}，{body[9:]}。"
        sentences.append(f"“{sentence}”" if number % 4 == 1 else sentence)
    return sentences


def sentence_pools(rng: random.Random) -> dict[str, list[str]]:
    """The sentences of each script."""
    return {
        "cjk": chinese_sentences(rng),
        "curly": english_sentences(rng, ("“", "”", "’")),
        "ascii": english_sentences(rng, ('"', '"', "'")),
    }


def document_text(rng: random.Random, pool: Sequence[str], script: str, n_chars: int) -> str:
    """Paragraphs of five sentences, cut to exactly `n_chars` characters."""
    gap = "" if script == "cjk" else " "
    mean = sum(map(len, pool[:500])) / 500
    sentences = rng.choices(pool, k=int(n_chars / mean * 1.02) + 40)
    step = SENTENCES_PER_PARAGRAPH
    paragraphs = [gap.join(sentences[start : start + step]) for start in range(0, len(sentences), step)]
    text = "\n\n".join(paragraphs)[: n_chars - 1]
    if len(text) < n_chars - 1:
        raise ValueError("the pool's mean sentence is shorter than that of its first 500")
    return text + "."


def documents_per_tier() -> dict[str, int]:
    """The 214 documents shared out in proportion to the tasks, largest remainders first."""
    total = sum(TASKS_PER_TIER.values())
    exact = {tier: DOCUMENTS * tasks / total for tier, tasks in TASKS_PER_TIER.items()}
    counts = {tier: int(share) for tier, share in exact.items()}
    by_remainder = sorted(exact, key=lambda tier: counts[tier] - exact[tier])
    for tier in by_remainder[: DOCUMENTS - sum(counts.values())]:
        counts[tier] += 1
    return counts


def script_of_each(rng: random.Random, weights: Sequence[int], barred: Sequence[bool]) -> list[str]:
    """A script for each document so that the tasks of each script are exactly TASKS_PER_SCRIPT.

    `weights` are tasks a document, `barred` says which documents cannot be Chinese (the paper has none in L7).
    """
    while True:  # a draw whose last documents fit no script's remainder is thrown away
        left = dict(TASKS_PER_SCRIPT)
        scripts: list[str] = []
        for weight, no_cjk in zip(weights, barred, strict=True):
            fitting = [name for name in left if left[name] >= weight and not (name == "cjk" and no_cjk)]
            if not fitting:
                break
            scripts.append(rng.choices(fitting, weights=[left[name] for name in fitting])[0])
            left[scripts[-1]] -= weight
        if len(scripts) == len(weights):
            return scripts


def plan_documents(rng: random.Random) -> list[Document]:
    """Every document of the release, in tier order; lengths are log-uniform within the tier."""
    tiers: list[str] = []
    weights: list[int] = []
    positions: list[float] = []
    for tier, count in documents_per_tier().items():
        share, extra = divmod(TASKS_PER_TIER[tier], count)
        tiers += [tier] * count
        weights += [share + (index < extra) for index in range(count)]
        # shuffled, so that the documents with one task more are not the shortest of the tier
        positions += rng.sample([(index + 0.5) / count for index in range(count)], k=count)
    scripts = script_of_each(rng, weights, [tier == "L7" for tier in tiers])
    plan = []
    for number, (tier, script, position) in enumerate(zip(tiers, scripts, positions, strict=True)):
        low, high = TIER_ENDS[int(tier[1])], TIER_ENDS[int(tier[1]) + 1]
        tokens = low * (high / low) ** (1.0 if tier == "L7" else position)
        plan.append(Document(f"d{number:03}.txt", tier, script, int(tokens * CHARS_PER_TOKEN[script]), weights[number]))
    return plan


def rubric(rng: random.Random, pool: Sequence[str], number: int) -> list[dict[str, Any]]:
    """Three or four criteria that sum to 100 points."""
    points = RUBRIC_POINTS[number % len(RUBRIC_POINTS)]
    return [
        {"id": f"p{index}", "points": worth, "correct_criterion": "".join(rng.choices(pool, k=2))[:220]}
        for index, worth in enumerate(points, start=1)
    ]


def task_row(rng: random.Random, pool: Sequence[str], document: Document, text: str, number: int) -> dict[str, Any]:
    """One task in the nested form, with one evidence span that stands in the document."""
    start = rng.randrange(0, len(text) - 200)
    quote = text[start : start + 120]
    return {
        "question_id": f"q{number:04}",
        "source_id": document.name.removesuffix(".txt"),
        "corpus_file": document.name,
        "tier": document.tier,
        "source_family": FAMILY[document.script],
        "geometry": GEOMETRIES[number % len(GEOMETRIES)],
        "doc_token_estimate": int(document.n_chars / CHARS_PER_TOKEN[document.script]),
        "question_text": " ".join(rng.choices(pool, k=2))[:240],
        "ground_truth": {
            "reference_answer": pool[number],
            "key_facts": [pool[number + 1]],
            "evidence_spans": [
                {"span_id": "s1", "role": "clue", "quote": quote, "start": start, "end": start + len(quote)}
            ],
            "trail_edges": [],
            "scoring_rubric": rubric(rng, pool, number),
        },
    }


def write_release(folder: Path) -> None:
    """Write `corpus/` and `tasks-481.json`; questions of one document do not follow each other in the data."""
    rng = random.Random(SEED)
    pools = sentence_pools(rng)
    corpus = folder / "corpus"
    corpus.mkdir(parents=True)
    rows: list[dict[str, Any]] = []
    for document in plan_documents(rng):
        pool = pools[document.script]
        text = document_text(rng, pool, document.script, document.n_chars)
        (corpus / document.name).write_text(text, encoding="utf-8", newline="\n")
        rows += [task_row(rng, pool, document, text, len(rows) + offset) for offset in range(document.n_tasks)]
    rng.shuffle(rows)
    write_tasks(folder, rows)


def write_tasks(folder: Path, rows: list[dict[str, Any]]) -> Path:
    """Write the data file of these rows."""
    path = folder / f"tasks-{len(rows)}.json"
    path.write_text(json.dumps(rows, ensure_ascii=False), encoding="utf-8")
    return path


def subset(rows: list[dict[str, Any]], size: int) -> list[dict[str, Any]]:
    """`size` rows in the whole's tier mix, at least one a tier, evenly spaced over each tier's document lengths."""
    quotas = {tier: max(1, round(count * size / len(rows))) for tier, count in TASKS_PER_TIER.items()}
    quotas["L0"] += size - sum(quotas.values())
    chosen: set[str] = set()
    for tier, quota in quotas.items():
        members = sorted(
            (r for r in rows if r["tier"] == tier), key=lambda r: (r["doc_token_estimate"], r["question_id"])
        )
        chosen |= {members[int((index + 0.5) * len(members) / quota)]["question_id"] for index in range(quota)}
    return [row for row in rows if row["question_id"] in chosen]


def prepare(folder: Path, tasks: int) -> Path:
    """Make the release unless it is there already; the path of the data file with that many tasks."""
    here = Path(__file__).read_bytes()
    stamp = folder / "stamp"
    wanted = hashlib.sha256(here).hexdigest()
    if not stamp.exists() or stamp.read_text(encoding="ascii") != wanted:
        for name in ("corpus", *(path.name for path in folder.glob("tasks-*.json"))):
            shutil.rmtree(folder / name) if (folder / name).is_dir() else (folder / name).unlink(missing_ok=True)
        write_release(folder)
        stamp.write_text(wanted, encoding="ascii")
    total = sum(TASKS_PER_TIER.values())
    data = folder / f"tasks-{tasks}.json"
    if not data.exists():
        write_tasks(folder, subset(json.loads((folder / f"tasks-{total}.json").read_text(encoding="utf-8")), tasks))
    return data


def default_folder() -> Path:
    """The user's cache folder, where a release made once is found again."""
    cache = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(cache) / "wildtrace-bench"


def describe(folder: Path, data: Path) -> dict[str, float]:
    """Sizes of a data file's requests: tasks, documents, characters, and bytes of the JSON-escaped prompts."""
    rows = json.loads(data.read_text(encoding="utf-8"))
    sizes: dict[str, tuple[int, int]] = {}
    for name in {row["corpus_file"] for row in rows}:
        text = (folder / "corpus" / name).read_text(encoding="utf-8")
        sizes[name] = (len(text), len(json.dumps(text, ensure_ascii=False).encode()))
    characters = [sizes[row["corpus_file"]][0] for row in rows]
    head = len(INSTRUCTION) + 320
    return {
        "tasks": len(rows),
        "documents": len(sizes),
        "mean_characters": sum(characters) / len(rows),
        "longest_characters": max(characters),
        "distinct_MB": sum(size for _, size in sizes.values()) / 1e6,
        "bodies_MB": sum(sizes[row["corpus_file"]][1] + head for row in rows) / 1e6,
    }


def main() -> None:
    """Make a release and print the path of its data file, or its sizes."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folder", type=Path, nargs="?", default=default_folder())
    parser.add_argument("--tasks", type=int, default=sum(TASKS_PER_TIER.values()))
    parser.add_argument("--describe", action="store_true", help="print sizes as JSON")
    options = parser.parse_args()
    data = prepare(options.folder, options.tasks)
    print(json.dumps(describe(options.folder, data), indent=1) if options.describe else data)


if __name__ == "__main__":
    main()
