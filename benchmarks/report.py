"""The report: what making it costs, how large it is and how fast it opens, for 18 systems, 481 items and 3 judges.

Answers have 5,000 characters (one in twelve is Chinese), judges' replies 400; their words are drawn by Zipf's law, so
that they pack about as well as prose does (deflate makes English books 2.6 to 3.0 times smaller, Chinese ones 2.2 to
2.3 times, these texts 2.8 and 1.7 times). CPU seconds are those of the whole command: statistics, tables, pictures and
page. A page counts as open when its tables, charts and list of answers
are there. Without a chromium the last two lines are left out.

    python -m benchmarks.report [--keep FOLDER]
"""

from __future__ import annotations

import argparse
import random
import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import accumulate
from pathlib import Path
from typing import Any

from tests.diagnose.made import made_items, made_scores
from tests.scores.score_files import provenance, write_data, write_run

from benchmarks.measure import note, run_program
from benchmarks.workload import SYLLABLES
from wildtrace.scores.aggregate import aggregate
from wildtrace.scores.results import read_responses, read_scores, write_responses, write_scores
from wildtrace.types import Judgement, Response, Score

SEED = 481
WORDS, IDEOGRAPHS = 12_000, 3_000
ANSWER_CHARS, REPLY_CHARS = 5_000, 400
OPENINGS = 3
CPU_S, WITHOUT_MB, WITH_MB, OPEN_S = 10.0, 6.0, 40.0, 5.0


@dataclass(frozen=True, slots=True)
class Line:
    """One figure beside its target, if it has one."""

    what: str
    measured: float
    target: float | None
    unit: str

    def __str__(self) -> str:
        shown = f"{self.what:<44}{self.measured:8.2f} {self.unit:<6}"
        if self.target is None:
            return shown.rstrip()
        return f"{shown} <= {self.target:g} {self.unit:<6} {'met' if self.measured <= self.target else 'MISSED'}"


def write_runs(folder: Path) -> list[str]:
    """Data, scores and responses of 18 systems with texts of full length; the command's options that name them."""
    items = made_items()
    scores = made_scores(items)
    english, chinese_words = vocabularies(random.Random(SEED))
    chinese = {item.question_id for item in items if item.source_family == "chinese_literature"}
    options = ["--data", str(write_data(folder / "data.json", items))]
    for model in scores.models:
        rng = random.Random(f"{SEED} {model}")
        fields = provenance(model)
        scored, answered = write_run(folder, scores, items, model)
        file = read_scores(scored)
        rows = [with_replies(score, rng, english) for score in file.scores]
        write_scores(scored, fields, aggregate(rows), file.judges, rows)
        given = read_responses(answered).responses
        words = [chinese_words if row.question_id in chinese else english for row in given]
        write_responses(answered, fields, [with_answer(row, rng, pool) for row, pool in zip(given, words, strict=True)])
        options += ["--scores", str(scored), "--responses", str(answered)]
    return options


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """Words with the sums of their frequencies, and what stands between two of them."""

    words: Sequence[str]
    sums: Sequence[float]
    gap: str

    def text(self, rng: random.Random, chars: int) -> str:
        """A text of `chars` characters."""
        mean = 2 if self.gap else 1  # no word is shorter, its gap counted in
        drawn = self.gap.join(rng.choices(self.words, cum_weights=self.sums, k=chars // mean))
        return drawn[:chars]


def vocabularies(rng: random.Random) -> tuple[Vocabulary, Vocabulary]:
    """English letter shapes, the shorter words the more frequent ones; and ideographs."""
    syllables = SYLLABLES.split()
    shapes = {"".join(rng.choices(syllables, k=rng.choice((1, 1, 2, 2, 2, 3, 3, 4)))) for _ in range(3 * WORDS)}
    words = sorted(shapes, key=lambda word: (len(word), word))[:WORDS]
    ideographs = [chr(code) for code in rng.sample(range(0x4E00, 0x9FA6), k=IDEOGRAPHS)]
    sums = [list(accumulate(1 / (rank + 3) for rank in range(count))) for count in (len(words), IDEOGRAPHS)]
    return Vocabulary(words, sums[0], " "), Vocabulary(ideographs, sums[1], "")


def with_replies(score: Score, rng: random.Random, words: Vocabulary) -> Score:
    """The same score, each judge's verdict behind its reasons."""
    judges = {
        name: replace(entry, reply=words.text(rng, REPLY_CHARS) + entry.reply)
        for name, entry in score.judges.items()
        if isinstance(entry, Judgement)
    }
    return replace(score, judges=judges)


def with_answer(row: Response, rng: random.Random, words: Vocabulary) -> Response:
    """The same response with an answer of full length, where it has one."""
    return replace(row, response=words.text(rng, ANSWER_CHARS)) if row.response else row


def build(options: list[str], out: Path, answers: str) -> tuple[float, float]:
    """CPU seconds of the whole command, and MB of its page."""
    argv = [sys.executable, "-m", "wildtrace", "report", *options, "--out", str(out), "--answers", answers]
    sample = run_program(argv, out, {})
    return sample.cpu_s, (out / "report.html").stat().st_size / 1e6


@contextmanager
def browser() -> Iterator[Any]:
    """A chromium, or None where there is none to drive."""
    chromium = shutil.which("chromium") or shutil.which("google-chrome")
    try:
        from playwright.sync_api import sync_playwright  # noqa: PLC0415 - not every machine has it
    except ImportError:
        chromium = None
    if chromium is None:
        yield None
        return
    with sync_playwright() as running:
        launched = running.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        yield launched
        launched.close()


def opening_s(launched: Any, page: Path) -> float:
    """Seconds until a page is open, the median of some openings."""
    times = []
    for _ in range(OPENINGS):
        tab = launched.new_page()
        start = time.monotonic()
        tab.goto(page.absolute().as_uri())
        tab.wait_for_selector("body[data-charts=drawn]")
        tab.wait_for_selector("#answers-list tbody tr")
        times.append(time.monotonic() - start)
        tab.close()
    return statistics.median(times)


def measure(folder: Path) -> Iterator[Line]:
    """Make both reports, look at them and open them."""
    note("writing the runs")
    options = write_runs(folder)
    limits = {"none": WITHOUT_MB, "embed": WITH_MB}
    for answers, limit in limits.items():
        note(f"report --answers {answers}")
        cpu_s, size_mb = build(options, folder / answers, answers)
        yield Line(f"CPU of report --answers {answers}", cpu_s, CPU_S if answers == "none" else None, "CPU s")
        yield Line(f"report.html, --answers {answers}", size_mb, limit, "MB")
    with browser() as launched:
        for answers in limits if launched else ():
            yield Line(
                f"opening it, --answers {answers}", opening_s(launched, folder / answers / "report.html"), OPEN_S, "s"
            )


def main() -> None:
    """Print one line a figure."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--keep", type=Path, help="write runs and reports into this folder and leave them there")
    folder = parser.parse_args().keep
    with tempfile.TemporaryDirectory(prefix="wildtrace-bench-") as scratch:
        where = folder or Path(scratch)
        where.mkdir(parents=True, exist_ok=True)
        for line in measure(where):
            print(line, flush=True)


if __name__ == "__main__":
    main()
