"""A small made release and the one seam at which models are replaced: the `opener` that flows are given.

The release: three documents (English; Chinese; English with a byte order mark and CRLF line ends) and six tasks, two a
document, of all families and six geometries. Everything is written out by hand here, not by the code under test.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from wildtrace.endpoints.base import Reply, Request
from wildtrace.endpoints.config import Endpoint, RunConfig, parse_config
from wildtrace.endpoints.failures import CallError
from wildtrace.evaluate.run import EvaluateJob
from wildtrace.judge.run import JudgeJob

ENGLISH: Final = (
    "The harbour of Veldt lay frozen until the tenth of March.\n\n"
    "Captain Orla Finch kept two ledgers, one of oil and one of rope.\n\n"
    "When the lamp failed, the pilot blamed the oil; the rope had been cut a week before.\n\n"
    "Nobody read the second ledger until the inquest, where page nine was missing.\n"
)
CHINESE: Final = (
    "沈砚清在水闸边守了三十年，从未离开过那间石屋。\n\n"
    "那年秋天，闸门的铁链断了，村里人都说是年久失修。\n\n"
    "只有他知道，前一夜有人带着锯子上了堤，天亮前又走了。\n\n"
    "多年以后，账本里夹着的一张收据写着锯子的价钱。\n"
)
CRLF_AS_READ: Final = (
    "Incident 7: pump B lost pressure at 04:10.\n"
    "The valve log shows a manual override at 03:58.\n"
    "Pump A, of the same make, kept its pressure.\n"
)
CRLF_RAW: Final = b"\xef\xbb\xbf" + CRLF_AS_READ.replace("\n", "\r\n").encode()
DOCUMENTS: Final = {"voyage.txt": ENGLISH, "水闸.txt": CHINESE, "incident.txt": CRLF_AS_READ}


def rubric(*texts: str) -> list[dict[str, Any]]:
    """Two criteria of 60 and 40 points."""
    return [
        {"id": f"P{place}", "points": points, "correct_criterion": text}
        for place, (points, text) in enumerate(zip((60, 40), texts, strict=True), 1)
    ]


def clue(text: str, span_id: str, quote: str) -> dict[str, Any]:
    """An evidence span at the place where its quote stands."""
    start = text.index(quote)
    return {"span_id": span_id, "role": "clue", "quote": quote, "start": start, "end": start + len(quote)}


def row(
    question_id: str, file: str, family: str, geometry: str, question: str, quotes: tuple[str, str]
) -> dict[str, Any]:
    """One task in the protocol's nested form; its criteria are its two quotes."""
    text = DOCUMENTS[file]
    return {
        "question_id": question_id,
        "source_id": file.partition(".")[0],
        "corpus_file": file,
        "tier": "L0",
        "source_family": family,
        "geometry": geometry,
        "doc_token_estimate": 100,
        "question_text": question,
        "ground_truth": {
            "reference_answer": "; ".join(quotes),
            "key_facts": list(quotes),
            "evidence_spans": [clue(text, "s1", quotes[0]), clue(text, "s2", quotes[1])],
            "trail_edges": [{"from": "s1", "to": "s2", "type": "explains"}],
            "scoring_rubric": rubric(*quotes),
        },
    }


ROWS: Final = (
    row("en-1", "voyage.txt", "english_literature", "causal", "Why did the lamp fail?", ("blamed the oil", "been cut")),
    row("en-2", "voyage.txt", "english_literature", "forward", "Which page?", ("two ledgers", "page nine was missing")),
    row("zh-1", "水闸.txt", "chinese_literature", "abductive", "铁链为什么断了？", ("带着锯子上了堤", "锯子的价钱")),
    row("zh-2", "水闸.txt", "chinese_literature", "temporal", "谁先上了堤？", ("前一夜", "天亮前又走了")),
    row("tr-1", "incident.txt", "technical_report", "comparative", "Which pump?", ("pump B lost", "Pump A")),
    row("tr-2", "incident.txt", "technical_report", "counterfactual", "What if not?", ("manual override", "03:58")),
)
IDS: Final = tuple(str(entry["question_id"]) for entry in ROWS)
QUESTIONS: Final = {str(entry["question_text"]): str(entry["question_id"]) for entry in ROWS}


def dumped(value: Any) -> str:
    """JSON with every character as it is."""
    return json.dumps(value, ensure_ascii=False)


def with_string_truth(entry: dict[str, Any]) -> dict[str, Any]:
    """The row of the lines form: `ground_truth` is a JSON string."""
    return {**entry, "ground_truth": dumped(entry["ground_truth"])}


@dataclass(frozen=True, slots=True)
class Made:
    """A release in a folder, and where its results go."""

    folder: Path

    @property
    def data(self) -> Path:
        """The nested form."""
        return self.folder / "tasks.json"

    @property
    def lines(self) -> Path:
        """The lines form."""
        return self.folder / "tasks.jsonl"

    @property
    def corpus(self) -> Path:
        """The corpus folder."""
        return self.folder / "corpus"

    @property
    def responses(self) -> Path:
        """Where answers go."""
        return self.folder / "out" / "model.responses.json"

    @property
    def scores(self) -> Path:
        """Where scores go."""
        return self.folder / "out" / "model.scores.json"

    def write_tasks(self, rows: list[dict[str, Any]]) -> None:
        """Write both forms."""
        self.data.write_text(dumped(rows), encoding="utf-8", newline="")
        lines = "".join(dumped(with_string_truth(entry)) + "\n" for entry in rows)
        self.lines.write_text(lines, encoding="utf-8", newline="")

    def evaluate_job(self, config: RunConfig, **changes: Any) -> EvaluateJob:
        """The job of answering this release."""
        return EvaluateJob(
            **{"config": config, "data": self.data, "corpus": self.corpus, "out": self.responses, **changes}
        )

    def judge_job(self, config: RunConfig, **changes: Any) -> JudgeJob:
        """The job of judging the answers."""
        given = {"config": config, "data": self.data, "responses": self.responses, "out": self.scores}
        return JudgeJob(**{**given, **changes})


def make_release(folder: Path) -> Made:
    """Write the release into `folder`."""
    made = Made(folder)
    made.corpus.mkdir(parents=True)
    for name, text in DOCUMENTS.items():
        (made.corpus / name).write_bytes(CRLF_RAW if name == "incident.txt" else text.encode())
    made.write_tasks([dict(entry) for entry in ROWS])
    return made


def config_table(url: str = "http://127.0.0.1:9/v1", **changes: Any) -> dict[str, Any]:
    """A config.json of one contestant and a panel of three, as a table."""
    judges = [{"name": f"judge{n}", "base_url": url, "model": f"grader-{n}", "backoff_s": 0} for n in (1, 2, 3)]
    table = {"base_url": url, "model": "tested", "backoff_s": 0, "caps": {"tested": {"en": 10_000, "cjk": 10_000}}}
    return {**table, "judges": judges, **changes}


def run_config(url: str = "http://127.0.0.1:9/v1", **changes: Any) -> RunConfig:
    """The same, read."""
    return parse_config(config_table(url, **changes), "config.json")


@dataclass(frozen=True, slots=True)
class Call:
    """What a fake model was asked: by the endpoint's name, the whole prompt, and its place among all calls."""

    endpoint: str
    prompt: str
    place: int

    @property
    def question_id(self) -> str:
        """The task that the prompt is about, by its question."""
        lines = self.prompt.split("\n")
        said = next(line.split(": ", 1)[1] for line in lines if line.lower().startswith("question: "))
        return QUESTIONS[said]


Said = Reply | CallError | str
Say = Callable[[Call], Said | Awaitable[Said]]


@dataclass(slots=True)
class Fake:
    """Models behind `opener`; `say` gives each call's reply, text or failure. Documents are inserted as they came."""

    say: Say
    asked: list[Call] = field(default_factory=list)
    opened: list[str] = field(default_factory=list)

    @asynccontextmanager
    async def opener(self, endpoint: Endpoint, stop: asyncio.Event) -> AsyncIterator[_Voice]:  # noqa: ARG002 - the seam's signature
        """Open one endpoint."""
        self.opened.append(endpoint.name)
        yield _Voice(self, endpoint.name)

    @property
    def ids(self) -> list[str]:
        """The tasks asked about, in order."""
        return [call.question_id for call in self.asked]


@dataclass(frozen=True, slots=True)
class _Voice:
    fake: Fake
    name: str

    async def ask(self, request: Request) -> Reply:
        """Say what the fake says."""
        inner = json.loads(b'"' + request.document() + b'"') if request.document is not None else ""
        call = Call(self.name, request.before + inner + request.after, len(self.fake.asked))
        self.fake.asked.append(call)
        said = self.fake.say(call)
        if isinstance(said, Awaitable):
            said = await said
        if isinstance(said, CallError):
            raise said
        return said if isinstance(said, Reply) else reply(said)


@contextmanager
def edited(path: Path) -> Iterator[dict[str, Any]]:
    """A results file to be changed by hand, without the digest that says so."""
    table: dict[str, Any] = json.loads(path.read_bytes())
    table.pop("rows_digest", None)
    yield table
    path.write_text(json.dumps(table), encoding="utf-8")


def reply(content: str, **changes: Any) -> Reply:
    """A reply that finished of itself, with plausible usage."""
    usual = {
        "finish_reason": "stop",
        "usage": {"prompt_tokens": 1000, "completion_tokens": 5},
        "sent_at": 1_700_000_000.0,
    }
    return Reply(content, **{**usual, **changes})


def answer(call: Call) -> str:
    """An answer that names its task."""
    return f"answer to {call.question_id}"


def all_but(*lost: str) -> Say:
    """Answers to all tasks but these, whose calls fail: a run that is not complete."""
    return lambda call: CallError("no connection") if call.question_id in lost else answer(call)


def verdict(total: Any, points: list[Any] | None = None) -> str:
    """A judge's reply."""
    awarded = points if points is not None else [min(total, 60), max(total - 60, 0)]
    return json.dumps({"points_awarded": awarded, "total": total})
