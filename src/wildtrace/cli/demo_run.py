"""The demonstration: the offline contestants answer the sample release, the lexical judge grades them.

The same flows as a real run, over real HTTP on loopback; every file it leaves is one that a real run leaves.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from wildtrace.calls.ledger import ledger_path, open_ledger
from wildtrace.calls.progress import Progress
from wildtrace.endpoints.caps import DEFAULT_CAP
from wildtrace.endpoints.config import JUDGE_MAX_TOKENS, Endpoint, RunConfig
from wildtrace.endpoints.offline.server import offline_endpoint
from wildtrace.errors import IncompleteError
from wildtrace.evaluate.run import EvaluateJob, evaluate
from wildtrace.judge.run import JudgeJob, judge
from wildtrace.release.sample_release import sample_corpus, sample_data

CONTESTANTS: Final = ("lexical-reader", "first-passages", "no-document")
JUDGE: Final = "lexical-judge"


@dataclass(frozen=True, slots=True)
class DemoFiles:
    """Where one contestant's results are."""

    responses: Path
    scores: Path


def demo_files(folder: Path, contestant: str) -> DemoFiles:
    """The two results files of a contestant."""
    return DemoFiles(folder / f"{contestant}.responses.json", folder / f"{contestant}.scores.json")


@contextmanager
def held(folder: Path) -> Iterator[None]:
    """Keep the folder for one demonstration, whose files another would replace.

    Raises BusyError where another process has it, OutputError where it cannot be written.
    """
    lock = folder / "demo.lock"
    with open_ledger(lock):
        try:
            yield
        finally:  # while it is held: nobody can have taken it since
            for path in (lock, lock.with_name(f"{lock.name}-wal")):
                path.unlink(missing_ok=True)


async def demonstrate(folder: Path, progress: Progress, contestants: Sequence[str] = CONTESTANTS) -> list[Path]:
    """Evaluate and judge every contestant into `folder`; the scores files. An earlier demonstration is replaced."""
    written = []
    async with offline_endpoint() as base_url:
        for contestant in contestants:
            files = demo_files(folder, contestant)
            _remove(files)
            progress.say(f"{contestant}:")
            config = _config(base_url, contestant)
            await evaluate(EvaluateJob(config, sample_data(), sample_corpus(), files.responses), progress)
            outcome = await judge(JudgeJob(config, sample_data(), files.responses, files.scores), progress)
            if outcome.signal_status is not None:
                raise IncompleteError("the demonstration was stopped; run it again")
            written.append(files.scores)
    return written


def _config(base_url: str, contestant: str) -> RunConfig:
    return RunConfig(
        contestant=Endpoint(base_url=base_url, model=contestant),
        caps={contestant: DEFAULT_CAP},
        judges=(Endpoint(base_url=base_url, model=JUDGE, max_tokens=JUDGE_MAX_TOKENS),),
    )


def _remove(files: DemoFiles) -> None:
    """Each demonstration has an endpoint of its own, so that an earlier one's results cannot be gone on with."""
    for path in (files.responses, files.scores):
        path.unlink(missing_ok=True)
        ledger_path(path).unlink(missing_ok=True)
