"""The targets, each a line of the table: what was measured, beside what, the ratio, and whether it was reached."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from statistics import median

from benchmarks.cases import LATENCY_S, LEVELS, LONG_EVENTS, SHORT_EVENTS, SUBSET, Bench, Load
from benchmarks.measure import Sample
from benchmarks.prompts import JUDGES

Figure = Callable[[Sample], float]

LOOP_CPU = 2.5
WALL = 1.06
RSS_MB = {16: 160, 64: 200}


@dataclass(frozen=True, slots=True)
class Line:
    """One row of the table; `met` is None where there is no target."""

    what: str
    measured: str
    against: str
    ratio: str
    target: str
    met: bool | None


def cpu(sample: Sample) -> float:
    """CPU seconds."""
    return sample.cpu_s


def wall(sample: Sample) -> float:
    """Wall seconds."""
    return sample.wall_s


def rss(sample: Sample) -> float:
    """Peak resident MB."""
    return sample.rss_mb


def column(bench: Bench, figure: Figure, *keys: str) -> list[float]:
    """A figure by round, summed over the keys."""
    return [sum(map(figure, turn)) for turn in zip(*(bench.samples[key] for key in keys), strict=True)]


def ratios(above: list[float], below: list[float]) -> float:
    """The median over rounds of the ratio within a round: noise of the machine hits both sides alike."""
    return median(a / b for a, b in zip(above, below, strict=True))


def cpu_lines(bench: Bench, tasks: int, inspect: str) -> list[Line]:
    """Target 1: CPU seconds beside the bare loop; Inspect AI and the floor for information."""
    load = Load(tasks=tasks)
    lines = []
    for what, ours, phase in (
        ("answers", ("wildtrace.eval",), "answer"),
        ("answers + judges", ("wildtrace.eval", "wildtrace.judge"), "both"),
    ):
        mine = column(bench, cpu, *(load.key(name) for name in ours))
        rows = [
            (f"inspect-ai {inspect}", "inspect_task", math.inf),
            ("bare aiohttp loop", "aiohttp_loop", LOOP_CPU),
        ]
        rows += [("raw-socket floor", "floor", math.inf)] if phase == "both" else []
        for name, program, limit in rows:
            theirs = column(bench, cpu, load.key(f"{program}.{phase}"))
            ratio = ratios(mine, theirs)
            target = "-" if limit == math.inf else f"<= {limit:g} x"
            met = None if limit == math.inf else ratio <= limit
            against = f"{name}: {median(theirs):.2f} CPU s"
            lines.append(Line(f"CPU, {what}, C=16", f"{median(mine):.2f} CPU s", against, f"{ratio:.3f}", target, met))
    return lines


def wall_lines(bench: Bench, tasks: int) -> list[Line]:
    """Target 2: wall seconds at a latency beside the larger of the ideal time and the bare loop's."""
    lines = []
    for level in LEVELS:
        load = Load(level, LATENCY_S, tasks)
        ideal = math.ceil(tasks / level) * LATENCY_S  # a judge has slots of its own, so the panel takes no longer
        for command, phase in (("eval", "answer"), ("judge", "judge")):
            mine = column(bench, wall, load.key(f"wildtrace.{command}"))
            loop = column(bench, wall, load.key(f"aiohttp_loop.{phase}"))
            ratio = ratios(mine, [max(ideal, seconds) for seconds in loop])
            against = f"ideal {ideal:.0f} s, loop {median(loop):.2f} s"
            what = f"wall, {command}, latency {LATENCY_S:g} s, C={level}"
            lines.append(Line(what, f"{median(mine):.2f} s", against, f"{ratio:.3f}", f"<= {WALL} x", ratio <= WALL))
    return lines


def peaks(bench: Bench, *loads: Load) -> list[float]:
    """Peak memory by round: the largest over these loads, answering and judging."""
    keys = [load.key(f"wildtrace.{command}") for load in loads for command in ("eval", "judge")]
    return [max(map(rss, turn)) for turn in zip(*(bench.samples[key] for key in keys), strict=True)]


def memory_lines(bench: Bench, tasks: int) -> list[Line]:
    """Target 3: peak memory, the worse of no latency and some, and how little it depends on the number of tasks."""
    lines = []
    for level, limit in RSS_MB.items():
        slow, quiet = Load(level, LATENCY_S, tasks), Load(level, tasks=tasks)
        mine = peaks(bench, slow, quiet)
        loop = column(bench, rss, slow.key("aiohttp_loop.answer"))
        against = f"bare loop: {median(loop):.0f} MB"
        ratio = f"{ratios(mine, loop):.2f}"
        peak = median(mine)
        lines.append(Line(f"peak memory, C={level}", f"{peak:.0f} MB", against, ratio, f"<= {limit} MB", peak <= limit))
    whole, part = (peaks(bench, Load(LEVELS[0], LATENCY_S, size)) for size in (tasks, SUBSET))
    growth = median(a - b for a, b in zip(whole, part, strict=True))
    against = f"{median(part):.0f} MB for {SUBSET} tasks"
    return [
        *lines,
        Line(f"growth of peak memory, {SUBSET} to {tasks} tasks", f"{growth:.0f} MB", against, "", "-", None),
    ]


def event_lines(bench: Bench) -> list[Line]:
    """For information: CPU of a streamed event, by a run with long streams less one with short ones."""
    cost = {}
    for name in ("wildtrace.eval", "aiohttp_loop.answer"):
        short, long = (
            column(bench, cpu, Load(tasks=SUBSET, events=events).key(name)) for events in (SHORT_EVENTS, LONG_EVENTS)
        )
        events = SUBSET * (LONG_EVENTS - SHORT_EVENTS)
        cost[name] = [(b - a) / events * 1e6 for a, b in zip(short, long, strict=True)]
    mine, loop = cost["wildtrace.eval"], cost["aiohttp_loop.answer"]
    against = f"bare loop: {median(loop):.1f} µs"
    return [Line("CPU a streamed event", f"{median(mine):.1f} µs", against, f"{ratios(mine, loop):.2f}", "-", None)]


def written_lines(bench: Bench, tasks: int) -> list[Line]:
    """For information: bytes of all files produced beside those of the answers and replies, and without the ledgers.

    The files of results hold every text once, with the fields that the formats prescribe: no run can write less.
    """
    load = Load(tasks=tasks)
    keys = [load.key("wildtrace.eval"), load.key("wildtrace.judge")]
    mine = column(bench, lambda sample: sample.written, *keys)
    texts = column(bench, lambda sample: sample.tally["answer_bytes"], *keys)
    inspect = median(column(bench, lambda sample: sample.written, load.key("inspect_task.both")))
    ratio = ratios(mine, texts)
    replies = median(column(bench, lambda sample: sample.tally["reply_bytes"], *keys))
    against = f"texts {median(texts):,.0f} B, as HTTP {replies:,.0f} B; inspect-ai {inspect:,.0f} B"
    what = f"bytes written, {tasks} answers, {tasks * len(JUDGES)} replies"
    results = column(bench, lambda sample: sample.written - sample.ledger, *keys)
    share = ratios(results, texts)
    return [
        Line(what, f"{median(mine):,.0f} B", against, f"{ratio:.2f}", "-", None),
        Line("  of it in the results files", f"{median(results):,.0f} B", "the same texts", f"{share:.2f}", "-", None),
    ]


def rerun_lines(bench: Bench, tasks: int) -> list[Line]:
    """For information: a finished run started again."""
    lines = []
    for command in ("eval", "judge"):
        seconds = median(column(bench, cpu, Load(tasks=tasks).key(f"wildtrace.{command}.again")))
        lines.append(Line(f"rerun of a finished {command}", f"{seconds:.2f} CPU s", "-", "", "-", None))
    return lines


def all_lines(bench: Bench, tasks: int, inspect: str) -> list[Line]:
    """The whole table."""
    return [
        *cpu_lines(bench, tasks, inspect),
        *wall_lines(bench, tasks),
        *memory_lines(bench, tasks),
        *event_lines(bench),
        *written_lines(bench, tasks),
        *rerun_lines(bench, tasks),
    ]


def table(lines: list[Line]) -> str:
    """The lines as aligned text."""
    marks = {True: "met", False: "MISSED", None: "-"}
    cells = [("what", "measured", "beside", "ratio", "target", "")]
    cells += [(line.what, line.measured, line.against, line.ratio, line.target, marks[line.met]) for line in lines]
    widths = [max(len(row[index]) for row in cells) for index in range(len(cells[0]))]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in cells
    )
