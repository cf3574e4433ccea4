"""kill -9 and signals while the roles are asked: no finished call is asked again (docs/protocol.md, rule 28)."""

from __future__ import annotations

import hashlib
import json
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random

import pytest

from tests.construct.perfect import ROLES, PerfectReader, workspace_of
from tests.construct.small import TEXT, small_trails
from tests.endpoint import Answer, Asked, Loopback, raw, serving, whole
from tests.faults.harness import Done, ended, eventually, killed, ledger_records, plain_environment
from wildtrace.construct.roles import LEDGER

CONCURRENCY = 3
READER = PerfectReader(TEXT, small_trails())


def print_of(asked: Asked) -> str:
    """What tells one prompt from all others."""
    return hashlib.sha256(asked.prompt.encode()).hexdigest()


def answer(asked: Asked) -> Answer:
    """The perfect reader's reply, which names its prompt, after a while."""
    said = json.loads(json.loads(READER(asked).pieces[0])["choices"][0]["message"]["content"])
    return Answer(200, whole(json.dumps({**said, "prompt": print_of(asked)})).pieces, delay_s=0.06)


@dataclass
class Site:
    """A workspace with two sources, its config, and the endpoints."""

    folder: Path
    servers: list[Loopback]

    def configure(self) -> None:
        """All roles, each with every endpoint."""
        shared = {"model": "scripted", "backoff_s": 0.01, "concurrency": CONCURRENCY, "stream": False}
        endpoints = [{"base_url": server.url, **shared} for server in self.servers]
        roles = dict.fromkeys(ROLES, endpoints)
        table = {"base_url": self.servers[0].url, "model": "x", "roles": roles}
        (self.folder / "config.json").write_text(json.dumps(table), encoding="utf-8")

    def start(self, *words: str) -> subprocess.Popen[str]:
        """Start a command on the workspace."""
        return subprocess.Popen(
            [sys.executable, "-m", "wildtrace", *words, "--workspace", "W"],
            cwd=self.folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            encoding="utf-8",
            env=plain_environment(),
        )

    def induce(self) -> subprocess.Popen[str]:
        """Start inducing."""
        return self.start("induce", "--config", "config.json")

    def induce_until(self, count: int, more_s: float) -> None:
        """Induce, and kill the process a little after so many requests in all."""
        process = self.induce()
        eventually(lambda: self.count() >= count or process.poll() is not None, 60)
        time.sleep(more_s)
        killed(process)

    def asked(self) -> Counter[str]:
        """How often each prompt was asked, once nothing is under way."""
        size = -1
        while size != (size := sum(len(server.asked) for server in self.servers)):
            time.sleep(0.15)
        return Counter(print_of(asked) for server in self.servers for asked in server.asked)

    def count(self) -> int:
        """Requests so far."""
        return sum(len(server.asked) for server in self.servers)

    def finished(self) -> set[str]:
        """The prompts whose replies the ledger holds."""
        out = self.folder / "W" / LEDGER.removesuffix(".ledger")
        return {json.loads(record["reply"]["content"])["prompt"] for record in ledger_records(out)}

    def evidence(self) -> dict[str, bytes]:
        """What was induced."""
        found = {}
        for what in ("facts", "edges", "trails"):
            done = ended(self.start("export", "--what", what, "--out", f"{what}.jsonl"))
            assert 0 == done.status, done
            found[what] = (self.folder / f"{what}.jsonl").read_bytes()
        return found


@contextmanager
def site(folder: Path, endpoints: int) -> Iterator[Site]:
    """A workspace with a source, and so many endpoints."""
    folder.mkdir()
    workspace_of(folder / "W", {"veldt": TEXT})
    with ExitStack() as stack:
        found = Site(folder, [stack.enter_context(serving(answer)) for _ in range(endpoints)])
        found.configure()
        yield found


@pytest.fixture(scope="module")
def calm(tmp_path_factory: pytest.TempPathFactory) -> tuple[dict[str, bytes], Counter[str]]:
    """What an undisturbed run comes to, and what it asks."""
    with site(tmp_path_factory.mktemp("calm") / "site", 1) as undisturbed:
        done = ended(undisturbed.induce())
        assert 0 == done.status, done
        return undisturbed.evidence(), undisturbed.asked()


@pytest.mark.parametrize("endpoints", [1, 2])
def test_no_finished_call_is_asked_again_after_kill_9(
    tmp_path: Path, calm: tuple[dict[str, bytes], Counter[str]], endpoints: int
) -> None:
    """Killed eight times, four of them at random: what was in flight alone is asked again, the ledger's not."""
    evidence, once = calm
    random = Random(endpoints)
    with site(tmp_path / "site", endpoints) as disturbed:
        for place in sorted(random.sample(range(1, len(once)), 4)):
            disturbed.induce_until(place, random.uniform(0, 0.1))
            asked, finished = disturbed.asked(), disturbed.finished()
            assert len(asked.keys() - finished) <= CONCURRENCY * endpoints
            disturbed.induce_until(disturbed.count() + 1, 0)
            assert {key: asked[key] for key in finished} == {key: disturbed.asked()[key] for key in finished}
        done = ended(disturbed.induce())
        assert 0 == done.status, done
        asked = disturbed.asked()
        assert once.keys() == asked.keys()
        assert sum(asked.values()) - len(once) <= 8 * CONCURRENCY * endpoints
        assert evidence == disturbed.evidence()
        again = ended(disturbed.induce())
        assert (0, asked) == (again.status, disturbed.asked())


@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_signal_lets_what_is_in_flight_finish(
    tmp_path: Path, calm: tuple[dict[str, bytes], Counter[str]], number: signal.Signals, status: int
) -> None:
    """Every reply that was paid for is kept, and it says how to go on; the next run comes to the same."""
    evidence, once = calm
    with site(tmp_path / "site", 2) as disturbed:
        process = disturbed.induce()
        eventually(lambda: disturbed.count() >= 4, 60)
        process.send_signal(number)
        done: Done = ended(process)
        assert status == done.status, done
        assert "run the same command again to go on" in done.said
        assert disturbed.asked().keys() == disturbed.finished()
        assert 0 == ended(disturbed.induce()).status
        assert once == disturbed.asked()
        assert evidence == disturbed.evidence()


def test_an_endpoint_that_ends_midway_costs_no_finished_call(
    tmp_path: Path, calm: tuple[dict[str, bytes], Counter[str]]
) -> None:
    """Its key is withdrawn after some replies: the other endpoint goes on, and the run is whole."""
    evidence, once = calm
    with site(tmp_path / "site", 2) as disturbed:
        ending = disturbed.servers[0]
        ending.script = lambda asked: answer(asked) if asked.place < 2 else raw({"error": {"message": "no"}}, 401)
        done = ended(disturbed.induce())
        assert 0 == done.status, done
        assert "is asked no more: HTTP 401" in done.err
        assert 2 + 3 * CONCURRENCY >= len(ending.asked)
        refused = Counter(print_of(asked) for asked in ending.asked[2:])
        assert once == disturbed.asked() - refused
        assert evidence == disturbed.evidence()
