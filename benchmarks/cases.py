"""The runs of one round, in the order in which they take turns.

Every run gets an endpoint and an output folder of its own. Keys of the samples are `program.phase@concurrency` with
`+1s` for the latency and `/48` for the subset where these are not 0 and the whole.
"""

from __future__ import annotations

import json
import shutil
from dataclasses import dataclass, field, replace
from pathlib import Path

from benchmarks.measure import RunError, Sample, endpoint, note, run_program
from benchmarks.prompts import JUDGES, MODEL

SUBSET = 48
WHOLE = 481
LATENCY_S = 1.0
LEVELS = (16, 64)
EVENT_CHARS = 4
SHORT_EVENTS = 10
LONG_EVENTS = 7_500
NO_CAP = 10_000_000  # characters: everything is sent


@dataclass(frozen=True, slots=True)
class Load:
    """What is asked of a program: slots, seconds of latency, tasks, and streamed events (0: no streaming)."""

    concurrency: int = 16
    latency: float = 0.0
    tasks: int = WHOLE
    events: int = 0

    def key(self, name: str) -> str:
        """The key of a sample under this load."""
        parts = [f"{name}@{self.concurrency}"]
        parts += [f"+{self.latency:g}s"] if self.latency else []
        parts += [f"/{self.tasks}"] if self.tasks != WHOLE else []
        parts += [f"~{self.events}"] if self.events else []
        return "".join(parts)

    def endpoint_options(self) -> list[str]:
        """How the endpoint is to answer."""
        streams = ["--events", str(self.events), "--event-chars", str(EVENT_CHARS)] if self.events else []
        return ["--latency", str(self.latency), *streams]


@dataclass(slots=True)
class Bench:
    """The interpreters, the release, a scratch folder, and the samples so far."""

    wildtrace: Path
    peers: Path
    release: Path
    scratch: Path
    samples: dict[str, list[Sample]] = field(default_factory=dict)

    def data(self, tasks: int) -> Path:
        """The data file with that many tasks."""
        return self.release / f"tasks-{tasks}.json"

    def folder(self, key: str) -> Path:
        """An empty output folder for a run."""
        path = self.scratch / key.replace("/", "_")
        shutil.rmtree(path, ignore_errors=True)
        path.mkdir(parents=True)
        return path

    def keep(self, key: str, sample: Sample, requests: int) -> Sample:
        """Store a sample, unless the program made fewer or more requests than its job has."""
        if sample.requests != requests:
            raise RunError(f"{key}: {sample.requests} requests arrived, {requests} were to be made")
        self.samples.setdefault(key, []).append(sample)
        seconds = f"{sample.cpu_s:7.2f} CPU s {sample.wall_s:7.2f} s"
        seconds += f" {sample.elsewhere:5.2f} cores busy elsewhere"
        note(f"  {key:34} {seconds} {sample.rss_mb:6.0f} MB {sample.written:>11,} B")
        return sample


def requests_of(phase: str, tasks: int) -> int:
    """How many requests a phase makes."""
    return {"answer": 1, "judge": len(JUDGES), "both": 1 + len(JUDGES)}[phase] * tasks


def run_client(bench: Bench, program: str, phase: str, load: Load, out: Path | None = None) -> Path:
    """Run one of the clients; its output folder, which a judge phase needs again."""
    key = load.key(f"{program}.{phase}")
    out = out or bench.folder(key)
    with endpoint(bench.peers, *load.endpoint_options()) as served:
        argv = [str(bench.peers), "-m", f"benchmarks.clients.{program}", "--port", str(served.port)]
        argv += ["--data", str(bench.data(load.tasks)), "--corpus", str(bench.release / "corpus"), "--out", str(out)]
        argv += ["--concurrency", str(load.concurrency), "--phase", phase, *(["--stream"] if load.events else [])]
        sample = run_program(argv, out, {"XDG_DATA_HOME": str(out / "data-home")})
    bench.keep(key, replace(sample, tally=served.tally), requests_of(phase, load.tasks))
    return out


def write_config(path: Path, port: int, load: Load) -> None:
    """The configuration of a `wildtrace` run against this endpoint."""
    url = f"http://127.0.0.1:{port}/v1"
    common = {"base_url": url, "concurrency": load.concurrency, "stream": bool(load.events), "api_key_env": "API_KEY"}
    config = {
        **common,
        "model": MODEL,
        "max_tokens": 8192,
        "caps": {MODEL: {"en": NO_CAP, "cjk": NO_CAP}},
        "judges": [{**common, "name": judge, "model": judge} for judge in JUDGES],
    }
    path.write_text(json.dumps(config), encoding="utf-8")


def wildtrace_argv(bench: Bench, command: str, out: Path, load: Load) -> list[str]:
    """The command line of `wildtrace eval` or `wildtrace judge`."""
    argv = [str(bench.wildtrace), "-m", "wildtrace", command, "--config", str(out.with_suffix(".config.json"))]
    argv += ["--data", str(bench.data(load.tasks))]
    if command == "eval":
        return [*argv, "--corpus", str(bench.release / "corpus"), "--out", str(out / "responses.json")]
    return [*argv, "--responses", str(out / "responses.json"), "--out", str(out / "scores.json")]


def run_wildtrace(bench: Bench, load: Load, phases: tuple[str, ...] = ("eval", "judge"), again: bool = False) -> None:
    """Run `eval`, then `judge` on its responses; with `again`, each once more when it is finished.

    All four use one endpoint address, since another address is another run; the tally is then that of each run's end.
    """
    out = bench.folder(load.key("wildtrace"))
    port = "0"
    for repeat in (False, True) if again else (False,):
        for command in phases:
            options = [*load.endpoint_options(), "--port", port]
            with endpoint(bench.peers, *options) as served:
                port = str(served.port)
                write_config(out.with_suffix(".config.json"), served.port, load)
                sample = run_program(wildtrace_argv(bench, command, out, load), out, {})
            key = load.key(f"wildtrace.{command}{'.again' if repeat else ''}")
            expected = 0 if repeat else requests_of("answer" if command == "eval" else "judge", load.tasks)
            bench.keep(key, replace(sample, tally=served.tally), expected)


def run_round(bench: Bench, tasks: int) -> None:
    """All runs once."""
    quiet = Load(tasks=tasks)
    run_client(bench, "floor", "both", quiet)
    for phase in ("answer", "both"):
        run_client(bench, "aiohttp_loop", phase, quiet)
    run_wildtrace(bench, quiet, again=True)
    run_wildtrace(bench, replace(quiet, concurrency=LEVELS[-1]))
    for phase in ("answer", "both"):
        run_client(bench, "inspect_task", phase, quiet)
    for level in LEVELS:
        slow = Load(level, LATENCY_S, tasks)
        out = run_client(bench, "aiohttp_loop", "answer", slow)
        run_client(bench, "aiohttp_loop", "judge", slow, out)
        run_wildtrace(bench, slow)
    if tasks != SUBSET:
        run_wildtrace(bench, Load(LEVELS[0], LATENCY_S, SUBSET))
    for events in (SHORT_EVENTS, LONG_EVENTS):
        stream = Load(tasks=SUBSET, events=events)
        run_client(bench, "aiohttp_loop", "answer", stream)
        run_wildtrace(bench, stream, phases=("eval",))
