"""What the two bounds share: the tasks in document order, request bodies built by splicing, and the results' files."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import orjson

from benchmarks.prompts import (
    JUDGE_MAX_TOKENS,
    JUDGES,
    MAX_TOKENS,
    MODEL,
    TEMPERATURE,
    answer_prompt_head,
    judge_prompt,
)

PHASES = ("answer", "judge", "both")


@dataclass(frozen=True, slots=True)
class Call:
    """One request to make: its slots (a model), its task, and the judged response where there is one."""

    model: str
    row: dict[str, Any]
    response: str = ""


@dataclass(frozen=True, slots=True)
class Options:
    """The command line of a client."""

    port: int
    data: Path
    corpus: Path
    out: Path
    concurrency: int
    phase: str
    stream: bool


def parse_options(description: str | None) -> Options:
    """The options that every client takes."""
    parser = argparse.ArgumentParser(description=(description or "").splitlines()[0])
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--corpus", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True, help="folder of the results")
    parser.add_argument("--concurrency", type=int, default=16)
    parser.add_argument("--phase", choices=PHASES, default="answer")
    parser.add_argument("--stream", action="store_true")
    return Options(**vars(parser.parse_args()))


@lru_cache(maxsize=2)
def escaped_document(path: Path) -> bytes:
    """The inside of the document's JSON string; the last two documents are kept, since tasks come in document order."""
    return orjson.dumps(path.read_text(encoding="utf-8"))[1:-1]


def body_parts(call: Call, corpus: Path, stream: bool) -> tuple[bytes, bytes, bytes]:
    """The request's JSON in three parts, the escaped document (empty for a judge) in the middle."""
    judging = call.model != MODEL
    if judging:
        rubric = call.row["ground_truth"]["scoring_rubric"]
        content, document = orjson.dumps(judge_prompt(call.row["question_text"], rubric, call.response))[1:-1], b""
    else:
        content = orjson.dumps(answer_prompt_head(call.row["question_text"]))[1:-1]
        document = escaped_document(corpus / call.row["corpus_file"])
    head = b'{"model":"%b","temperature":%b,"max_tokens":%d,%b"messages":[{"role":"user","content":"%b' % (
        call.model.encode(),
        str(TEMPERATURE).encode(),
        JUDGE_MAX_TOKENS if judging else MAX_TOKENS,
        b'"stream":true,"stream_options":{"include_usage":true},' if stream and not judging else b"",
        content,
    )
    return head, document, b'"}]}'


def load_rows(data: Path) -> list[dict[str, Any]]:
    """The tasks in document order."""
    rows: list[dict[str, Any]] = orjson.loads(data.read_bytes())
    return sorted(rows, key=lambda row: (row["corpus_file"], row["question_id"]))


def answer_calls(rows: list[dict[str, Any]]) -> Iterator[Call]:
    """The requests of the answering phase."""
    return (Call(MODEL, row) for row in rows)


def judge_calls(rows: list[dict[str, Any]], answers: dict[str, str], judge: str) -> Iterator[Call]:
    """The requests of one judge."""
    return (Call(judge, row, answers[row["question_id"]]) for row in rows)


def stored_answers(out: Path) -> dict[str, str]:
    """The answers that an earlier `answer` phase wrote."""
    answers: dict[str, str] = json.loads((out / "answers.json").read_text(encoding="utf-8"))
    return answers


def write_answers(out: Path, answers: dict[str, str]) -> None:
    """Write the answers by question id."""
    (out / "answers.json").write_bytes(orjson.dumps(answers))


def write_scores(out: Path, replies: dict[tuple[str, str], str]) -> None:
    """Write each task's credit, the mean of its judges', with the replies."""
    scores: dict[str, dict[str, Any]] = {}
    for (question_id, judge), reply in replies.items():
        scores.setdefault(question_id, {})[judge] = {"reply": reply, "total": orjson.loads(reply)["total"]}
    for judged in scores.values():
        judged["score"] = sum(judged[judge]["total"] for judge in JUDGES) / len(JUDGES) / 100
    (out / "scores.json").write_bytes(orjson.dumps(scores))
