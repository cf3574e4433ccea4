"""The real commands as processes of their own, on a made release, against the real offline endpoint.

Nothing is replaced: a process is started, disturbed from outside (signals, limits, files) and asked for its exit
status, its words and its files.
"""

from __future__ import annotations

import asyncio
import ctypes
import hashlib
import json
import os
import resource
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any, Final

from wildtrace.endpoints.offline.server import OfflineOptions, offline_endpoint

CALM: Final = ("started", "ended", "endpoint_dates", "answered")
JUDGES: Final = ("ada", "bao", "cleo")
SECRET: Final = "sk-secret-4f1c9b27d8e05a63"  # noqa: S105 - made for these tests
_EN: Final = ("clerk", "harbour", "ledger", "valve", "lantern", "captain", "rope", "engine", "letter", "bridge")
_ZH: Final = ("账本", "水闸", "铁链", "石屋", "堤坝", "收据", "锯子", "村长", "灯塔", "船票")
_ABSENT: Final = ("violin", "orchard", "saddle", "comet")
_SCRIPT: Final = """
import os, signal, sys
{disturbance}
from wildtrace.cli.main import run
sys.argv[0] = "wildtrace"
run()
"""


@dataclass(frozen=True, slots=True)
class Done:
    """How a process ended: exit status (negative: the signal), standard output and standard error."""

    status: int
    out: str
    err: str

    @property
    def said(self) -> str:
        """The last line of standard error."""
        lines = self.err.strip().splitlines()
        return lines[-1] if lines else ""


def is_one_sentence(done: Done, status: int, *words: str) -> bool:
    """Whether it ended with `status` and one line that holds `words`; an assertion tells what else it did."""
    assert status == done.status, done
    assert "Traceback" not in done.err, done.err
    assert done.said.startswith("wildtrace: "), done.err
    for word in words:
        assert word in done.said, done.said
    return True


def made_document(seed: int, words: Sequence[str], sentences: int) -> str:
    """A document of numbered sentences, no two alike."""
    random = Random(seed)
    cjk = not words[0].isascii()
    lines = []
    for number in range(sentences):
        first, second, third = random.sample(list(words), 3)
        if cjk:
            lines.append(f"第{number}日，{first}旁的人把{second}交给了{third}的主人，编号{seed}{number:03}。")
        else:
            lines.append(
                f"On day {number} the {first} was moved beside the {second} and the {third} {seed}{number:03}."
            )
    return "\n\n".join(lines) + "\n"


def made_rows(documents: Mapping[str, str]) -> list[dict[str, Any]]:
    """A task a document: it asks for a line; its rubric awards that line, and another that need not be there."""
    lines = {name: [line.strip() for line in text.split("\n\n")] for name, text in documents.items()}
    rows = []
    for place, name in enumerate(documents):
        line = lines[name][place % len(lines[name])]
        criteria = [(60, line), (40, " ".join((line.split()[-1][:6], *_ABSENT[: place % 5])))]
        rows.append(
            {
                "question_id": f"task-{place}",
                "corpus_file": name,
                "tier": "L0",
                "geometry": "forward",
                "source_family": "technical_report" if line.isascii() else "chinese_literature",
                "question_text": f"{line.split('，')[0][:25]}? ({place})",
                "ground_truth": {
                    "scoring_rubric": [{"points": points, "correct_criterion": text} for points, text in criteria]
                },
            }
        )
    return rows


def made_documents(each: int = 12) -> dict[str, str]:
    """As many English documents as Chinese ones."""
    english = {f"report{seed}.txt": made_document(seed, _EN, 30) for seed in range(1, each + 1)}
    return english | {f"故事{seed}.txt": made_document(seed, _ZH, 30) for seed in range(each + 1, 2 * each + 1)}


@dataclass(frozen=True, slots=True)
class Work:
    """A made release in a folder, its config, and the commands on it."""

    folder: Path
    rows: list[dict[str, Any]]
    documents: dict[str, str]
    concurrency: int = 4

    @property
    def config(self) -> Path:
        """config.json."""
        return self.folder / "config.json"

    @property
    def data(self) -> Path:
        """The tasks, nested."""
        return self.folder / "data.json"

    @property
    def corpus(self) -> Path:
        """The corpus folder."""
        return self.folder / "corpus"

    @property
    def responses(self) -> Path:
        """Where answers go."""
        return self.folder / "out" / "responses.json"

    @property
    def scores(self) -> Path:
        """Where scores go."""
        return self.folder / "out" / "scores.json"

    def configure(self, url: str, *, judge_url: str | None = None, **changes: Any) -> None:
        """Write config.json for the offline models at `url`; `changes` go to the contestant."""
        shared = {"concurrency": self.concurrency, "backoff_s": 0.01}
        judge = {"base_url": judge_url or url, "model": "lexical-judge", **shared}
        table = {
            "base_url": url,
            "model": "lexical-reader",
            **shared,
            "caps": {"lexical-reader": {"en": 100_000, "cjk": 100_000}},
            "judges": [{"name": name, **judge} for name in JUDGES],
            "allow_self_judging": True,  # one offline model under three names
            **changes,
        }
        self.config.write_text(json.dumps(table), encoding="utf-8")

    def write(self) -> None:
        """Write tasks and corpus."""
        self.corpus.mkdir(parents=True, exist_ok=True)
        for name, text in self.documents.items():
            (self.corpus / name).write_bytes(text.encode())
        self.data.write_text(json.dumps(self.rows, ensure_ascii=False), encoding="utf-8")

    def take_answers(self, other: Work) -> None:
        """Use the answers of another run on the same release."""
        self.responses.parent.mkdir(exist_ok=True)
        self.responses.write_bytes(other.responses.read_bytes())

    def arguments(self, command: str, **changes: Path | str | int) -> list[str]:
        """The command line of `eval` or `judge`, with some options changed or added."""
        options: dict[str, Path | str | int] = {"config": self.config, "data": self.data}
        if command == "eval":
            options |= {"corpus": self.corpus, "out": self.responses}
        else:
            options |= {"responses": self.responses, "out": self.scores}
        options |= changes
        return [command, *(word for name, value in options.items() for word in (f"--{name}", str(value)))]

    def start(
        self,
        command: str,
        *,
        disturbance: str | None = None,
        preexec: Callable[[], None] | None = None,
        env: Mapping[str, str] | None = None,
        streams: Mapping[str, Any] | None = None,
        **changes: Path | str | int,
    ) -> subprocess.Popen[str]:
        """Start `eval` or `judge`; `disturbance` is Python that runs in the process before the command does."""
        program = ["-m", "wildtrace"] if disturbance is None else ["-c", _SCRIPT.format(disturbance=disturbance)]
        return subprocess.Popen(
            [sys.executable, *program, *self.arguments(command, **changes)],
            stdin=subprocess.DEVNULL,
            text=True,
            **{"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **(streams or {})},
            encoding="utf-8",
            errors="surrogateescape",
            env={**plain_environment(), **(env or {})},
            preexec_fn=preexec,  # noqa: PLW1509 - limits and privileges must be set between fork and exec
        )

    def run(self, command: str, **settings: Any) -> Done:
        """Run `eval` or `judge` to its end."""
        return ended(self.start(command, **settings))

    def prompts(self) -> dict[str, str]:
        """Which task a prompt's hash in the endpoint's log means; the protocol's prompt, written out a second time."""
        found = {}
        for row in self.rows:
            text = (
                "Answer using ONLY the document below. Include every specific detail from the text.\n\n"
                f"Question: {row['question_text']}\n\nDocument:\n{self.documents[row['corpus_file']]}"
            )
            found[hashlib.sha256(text.encode()).hexdigest()] = str(row["question_id"])
        return found


def plain_environment() -> dict[str, str]:
    """The environment without keys, proxies and coverage."""
    kept = ("PATH", "PYTHONPATH", "HOME", "LANG", "LC_ALL", "TMPDIR", "SYSTEMROOT", "VIRTUAL_ENV")
    return {name: os.environ[name] for name in kept if name in os.environ} | {"PYTHONUTF8": "1"}


def ended(process: subprocess.Popen[str], timeout: float = 60) -> Done:
    """Wait for a process; one that hangs is killed, and the test fails."""
    try:
        out, err = process.communicate(timeout=timeout)
    except subprocess.TimeoutExpired:
        process.kill()
        out, err = process.communicate()
        raise AssertionError(f"the command hangs; it said {out!r} {err!r}") from None
    return Done(process.returncode, out or "", err or "")


def killed(process: subprocess.Popen[str]) -> None:
    """Kill a process as `kill -9` does and wait until it is gone."""
    process.send_signal(signal.SIGKILL)
    process.communicate()


def eventually(true: Callable[[], Any], within: float = 20.0) -> Any:
    """Wait until `true` says something true, and return it."""
    until = time.monotonic() + within
    while not (said := true()):
        assert time.monotonic() < until, "what the test waits for did not happen"
        time.sleep(0.005)
    return said


def ledger_of(out: Path) -> Path:
    """The ledger beside an output."""
    return out.with_name(f"{out.name}.ledger")


def ledger_records(out: Path) -> list[dict[str, Any]]:
    """The records of a ledger, read from a copy: looking changes nothing."""
    ledger = ledger_of(out)
    if not ledger.exists():
        return []
    copy = out.parent.parent / "copied"
    copy.mkdir(exist_ok=True)
    for name in (ledger.name, f"{ledger.name}-wal"):
        (copy / name).unlink(missing_ok=True)
        with suppress(FileNotFoundError):
            (copy / name).write_bytes((ledger.parent / name).read_bytes())
    with closing(sqlite3.connect(copy / ledger.name)) as connection:
        if not list(connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'calls'")):
            return []
        return [json.loads(text) for (text,) in connection.execute("SELECT record FROM calls")]


@dataclass(slots=True)
class Offline:
    """A running offline endpoint: its base URL and the lines of its own log."""

    url: str
    log: Path
    seen: int = 0

    def lines(self) -> list[dict[str, Any]]:
        """Every line of the log so far."""
        return [json.loads(line) for line in self.log.read_bytes().splitlines()]

    def news(self) -> list[dict[str, Any]]:
        """The lines since the last call, when what a killed client had sent has been dealt with."""
        size = -1
        while size != (size := self.log.stat().st_size):
            time.sleep(0.08)
        lines = self.lines()
        self.seen, fresh = len(lines), lines[self.seen :]
        return fresh


@dataclass(slots=True)
class _Thread:
    options: OfflineOptions
    url: str = ""
    ready: threading.Event = field(default_factory=threading.Event)
    loop: asyncio.AbstractEventLoop | None = None
    stop: asyncio.Event | None = None

    async def serve(self) -> None:
        self.loop, self.stop = asyncio.get_running_loop(), asyncio.Event()
        async with offline_endpoint(self.options) as self.url:
            self.ready.set()
            await self.stop.wait()


@contextmanager
def offline(log: Path, **options: Any) -> Iterator[Offline]:
    """The real offline endpoint while the block runs, with a log."""
    served = _Thread(OfflineOptions(log=log, **options))
    thread = threading.Thread(target=lambda: asyncio.run(served.serve()), daemon=True)
    thread.start()
    assert served.ready.wait(20), "the offline endpoint did not start"
    try:
        yield Offline(served.url, log)
    finally:
        assert served.loop is not None
        assert served.stop is not None
        served.loop.call_soon_threadsafe(served.stop.set)
        thread.join(20)


def file_limit(size: int) -> Callable[[], None]:
    """No file may grow beyond `size` bytes: what a full disk does, at a place that the test chooses."""
    return lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))


def without_privileges() -> None:
    """Let permissions hold for root too, as they do for everybody: give up the right to override them."""
    if os.geteuid() == 0:
        libc = ctypes.CDLL(None, use_errno=True)
        for capability in (1, 2):  # CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH
            if libc.prctl(24, capability, 0, 0, 0) != 0:  # PR_CAPBSET_DROP
                raise OSError(ctypes.get_errno(), "privileges cannot be given up")


def calm(path: Path) -> dict[str, Any]:
    """A results file without its times."""
    file: dict[str, Any] = json.loads(path.read_bytes())
    for key in CALM:
        file["provenance"].pop(key, None)
    for row in file["provenance"].get("panel") or []:
        row.pop("endpoint_dates", None)
    for row in file.get("responses", []):
        row.pop("latency_s")
    return file


def snapshot(folder: Path) -> dict[str, bytes]:
    """Every file under a folder and what is in it."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
