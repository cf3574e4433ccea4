"""Speed of the statistics and of the whole report, as ratios against scipy in one run.

    python -m benchmarks.diagnose [--scale] [--report FOLDER]

Prints CPU seconds (medians of interleaved rounds) and whether each target is met:

1. all leaderboard intervals, 10,000 resamples of 18 x 481: at least 3 times faster than scipy.stats.bootstrap's
   vectorised percentile;
2. `wildtrace report` for 18 systems x 481 items x 3 judges: without answers under 10 s of CPU and a report.html under
   6 MB, with answers of 5,000 characters under 40 MB;
3. with --scale: 200 systems x 20,000 items x 3 judges, CPU and peak memory, against 50 x 5,000.

One thread of linear algebra, for both sides. It asserts nothing.
"""

from __future__ import annotations

import argparse
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np
import scipy
from scipy import stats
from tests.diagnose.made import made_items, made_scores
from tests.scores import score_files

from wildtrace.diagnose import STATISTICS
from wildtrace.diagnose.base import Inputs
from wildtrace.diagnose.numeric.resampling import task_intervals
from wildtrace.scores.table import FloatArray, ScoreTable, Tasks

ROUNDS = 5
RESAMPLES = 10_000
GEOMETRIES = ("abductive", "causal", "comparative", "counterfactual", "forward", "intersection", "temporal")


def cpu(work: Callable[[], object]) -> float:
    """CPU seconds of this process for `work`."""
    start = time.process_time()
    work()
    return time.process_time() - start


def intervals() -> None:
    """Target 1."""
    scores: FloatArray = made_scores(made_items()).zero_filled()

    def theirs() -> object:
        return stats.bootstrap(
            (scores,), np.mean, axis=1, vectorized=True, method="percentile", n_resamples=RESAMPLES, rng=0
        )

    ours_s, theirs_s = [], []
    for _ in range(ROUNDS):
        ours_s.append(cpu(lambda: task_intervals(scores, RESAMPLES, 0, 0.95)))
        theirs_s.append(cpu(theirs))
    ours, peer = statistics.median(ours_s), statistics.median(theirs_s)
    tell(
        "intervals, 18 x 481, 10,000 resamples",
        f"{ours:.3f} s",
        f"scipy {scipy.__version__} {peer:.3f} s",
        peer / ours,
        3,
    )


def tell(what: str, measured: str, bound: str, ratio: float, least: float) -> None:
    """One line: how many times better than the bound, and whether that is enough."""
    verdict = "met" if ratio >= least else "MISSED"
    print(f"{what}: {measured} against {bound}: {ratio:.1f} x (target {least:g} x): {verdict}", flush=True)


def whole_report(folder: Path, answers: str) -> None:
    """Target 2, by the command itself in a process of its own."""
    items = made_items()
    scores = made_scores(items)
    data = score_files.write_data(folder / "data.json", items)
    arguments = ["--data", str(data), "--out", str(folder / "out"), "--answers", answers]
    for model in scores.models:
        paths = score_files.write_run(folder, scores, items, model, length=5_000)
        arguments += ["--scores", str(paths[0]), "--responses", str(paths[1])]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, "-m", "wildtrace", "report", *arguments], check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    if answers == "none":
        tell("report, 18 x 481 x 3, --answers none", f"{spent:.1f} CPU s", "10 s", 10 / spent, 1)
    else:
        print(f"report, 18 x 481 x 3, --answers {answers}: {spent:.1f} CPU s")
    page = folder / "out" / "report.html"
    if page.exists():
        limit = 6 if answers == "none" else 40
        size = page.stat().st_size / 1e6
        tell(f"report.html, --answers {answers}", f"{size:.1f} MB", f"{limit} MB", limit / size, 1)


def scale() -> None:
    """Target 3: cost by system and item as the table grows."""
    costs = {}
    for systems, items in ((50, 5_000), (200, 20_000)):
        table = random_table(systems, items)
        costs[systems * items] = cpu(partial(all_tables, Inputs(scores=table)))
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        print(f"all tables, {systems} x {items:,} x 3: {costs[systems * items]:.1f} CPU s, peak {peak:.0f} MB")
    (small, small_s), (large, large_s) = costs.items()
    tell(
        "growth",
        f"{large_s / small_s:.1f} x the CPU",
        f"{large / small:.0f} x the cells",
        (large / small) / (large_s / small_s),
        1,
    )


def all_tables(inputs: Inputs) -> None:
    """Compute every table of a report."""
    for statistic in STATISTICS:
        if statistic.kind in ("scores", "release"):
            statistic.compute(inputs)


def random_table(systems: int, items: int) -> ScoreTable:
    """Credits in steps of five points, as judges give them, on items of two to a document."""
    rng = np.random.default_rng(0)
    tasks = Tasks(
        tuple(f"q{at}" for at in range(items)),
        tuple(f"s{at // 2}" for at in range(items)),
        tuple(f"L{at % 8}" for at in range(items)),
        tuple(("technical_report", "english_literature", "chinese_literature")[at % 3] for at in range(items)),
        tuple(GEOMETRIES[at % 7] for at in range(items)),
        {"clues": rng.integers(2, 6, items).astype(np.float64), "spread": rng.random(items)},
    )
    return ScoreTable.of(
        tasks, [f"m{at}" for at in range(systems)], ["a", "b", "c"], rng.integers(0, 21, (systems, items, 3)) / 20
    )


def main() -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--scale", action="store_true", help="also 200 systems x 20,000 items")
    parser.add_argument("--report", type=Path, help="keep the reports in this folder")
    arguments = parser.parse_args()
    if arguments.scale:
        # First, so that the peak is not the peer's, which holds all resamples at once.
        scale()
    intervals()
    with tempfile.TemporaryDirectory() as temporary:
        for answers in ("none", "embed"):
            folder = (arguments.report or Path(temporary)) / answers
            folder.mkdir(parents=True, exist_ok=True)
            whole_report(folder, answers)


if __name__ == "__main__":
    main()
