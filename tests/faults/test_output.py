"""Another process on the output, a corrupt or foreign ledger, results of another run: refused, and the advice works."""

from __future__ import annotations

import json
import shutil
import sqlite3
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.fakes import edited
from tests.faults.harness import (
    Offline,
    Work,
    ended,
    eventually,
    is_one_sentence,
    killed,
    ledger_of,
    offline,
    snapshot,
)
from tests.faults.test_kill import asked_tasks, finished_tasks, matches


@pytest.mark.parametrize("command", ["eval", "judge"])
def test_a_second_process_on_the_same_output(work: Work, tmp_path: Path, calm_run: Work, command: str) -> None:
    """It is told so at once, asks nothing, and the first one is not disturbed."""
    with offline(tmp_path / "log", latency_s=1.0) as slow:
        work.configure(slow.url)
        if command == "judge":
            work.take_answers(calm_run)
        first = work.start(command, limit=8)
        eventually(slow.lines)
        done = work.run(command, limit=8)
        assert is_one_sentence(done, 75, ".json.ledger is in use by another process", "choose another output")
        assert 0 == ended(first).status
        per_task = 1 if command == "eval" else 3
        assert {per_task} == set(Counter(line["sha256"] for line in slow.lines()).values())


def garbage(size: int) -> bytes:
    """Bytes that mean nothing."""
    return Random(size).randbytes(size)


def flipped(raw: bytes, start: int, end: int) -> bytes:
    """The bytes with every bit between two places turned."""
    return raw[:start] + bytes(byte ^ 0xFF for byte in raw[start:end]) + raw[end:]


DAMAGES: dict[str, Callable[[bytes], bytes]] = {
    "cut in half": lambda raw: raw[: len(raw) // 2],
    "cut in a page": lambda raw: raw[: 1024 + 100],
    "cut in the header": lambda raw: raw[:50],
    "garbage": lambda raw: garbage(len(raw)),
    "zeros": lambda raw: bytes(len(raw)),
    "text": lambda _: b"these are no calls\n" * 100,
    "a page of garbage": lambda raw: raw[:4096] + garbage(4096) + raw[8192:],
    "garbage in the values": lambda raw: flipped(raw, 1100, len(raw) - 100),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_corrupt_ledger_is_refused_and_moving_it_away_works(
    answered: Work, endpoint: Offline, calm_run: Work, damage: str
) -> None:
    """It is named and left as it is; without it the next run reads the answers back from the results."""
    ledger = ledger_of(answered.responses)
    corrupt = DAMAGES[damage](ledger.read_bytes())
    ledger.write_bytes(corrupt)
    results = answered.responses.read_bytes()
    endpoint.news()
    assert is_one_sentence(answered.run("eval"), 65, "responses.json.ledger is corrupt", "move it away")
    assert (corrupt, results) == (ledger.read_bytes(), answered.responses.read_bytes())
    ledger.rename(ledger.with_suffix(".corrupt"))
    assert 0 == answered.run("eval").status
    assert [] == endpoint.news()
    assert matches(answered, calm_run)


def test_a_corrupt_ledger_of_verdicts(answered: Work, endpoint: Offline, calm_run: Work) -> None:
    """The same for judging: verdicts are read back from the scores."""
    ledger = ledger_of(answered.scores)
    ledger.write_bytes(ledger.read_bytes()[:1100])
    endpoint.news()
    assert is_one_sentence(answered.run("judge"), 65, "scores.json.ledger is corrupt", "move it away")
    ledger.unlink()
    assert 0 == answered.run("judge").status
    assert [] == endpoint.news()
    assert matches(answered, calm_run)


@pytest.mark.parametrize("raw", [b"", b"x"])
def test_an_empty_ledger_is_a_new_one(answered: Work, endpoint: Offline, calm_run: Work, raw: bytes) -> None:
    """A kill before the first byte leaves it so; the answers are read back from the results."""
    ledger_of(answered.responses).write_bytes(raw)
    endpoint.news()
    assert 0 == answered.run("eval").status
    assert [] == endpoint.news()
    assert matches(answered, calm_run)


def test_an_old_write_ahead_log_is_no_part_of_a_new_ledger(work: Work, tmp_path: Path, calm_run: Work) -> None:
    """Moving a corrupt ledger away leaves its log behind; nothing of it comes back into the new one."""
    with offline(tmp_path / "log", latency_s=0.05) as slow:
        work.configure(slow.url)
        process = work.start("eval")
        eventually(lambda: len(slow.lines()) >= 10)
        killed(process)
        slow.news()
        ledger = ledger_of(work.responses)
        assert ledger.with_name(f"{ledger.name}-wal").exists()
        ledger.unlink()
        assert 0 == work.run("eval").status
        assert Counter(calm_run.prompts().values()) == asked_tasks(work, slow)
    assert matches(work, calm_run)


def test_an_older_copy_of_the_ledger_loses_no_answer_of_the_results(
    work: Work, endpoint: Offline, calm_run: Work
) -> None:
    """Restoring a copy is the advice; what the results hold beyond it is read back, not asked again."""
    assert 0 == work.run("eval", limit=4).status
    ledger = ledger_of(work.responses)
    shutil.copy(ledger, work.folder / "copy")
    assert 0 == work.run("eval").status
    shutil.copy(work.folder / "copy", ledger)
    endpoint.news()
    assert 0 == work.run("eval").status
    assert [] == endpoint.news()
    assert len(work.rows) == len(finished_tasks(work, calm_run))
    assert matches(work, calm_run)


@pytest.mark.parametrize("mode", ["delete", "wal"])
def test_another_programs_database_is_left_alone(work: Work, endpoint: Offline, mode: str) -> None:
    """It is refused, and not a byte of it is changed."""
    ledger = ledger_of(work.responses)
    ledger.parent.mkdir()
    with closing(sqlite3.connect(ledger)) as connection:
        connection.execute(f"PRAGMA journal_mode={mode}")
        connection.execute("CREATE TABLE recipes (name TEXT, calls TEXT)")
        connection.execute("INSERT INTO recipes VALUES ('soup', 'none')")
        connection.commit()
    before = snapshot(ledger.parent)
    assert is_one_sentence(work.run("eval"), 65, "responses.json.ledger belongs to another program", "move it away")
    assert before == snapshot(ledger.parent)
    assert [] == endpoint.news()


def spoil(work: Work, statement: str, *values: object) -> None:
    """Change the ledger behind the program's back."""
    with closing(sqlite3.connect(ledger_of(work.responses))) as connection, connection:
        connection.execute(statement, values)


@pytest.mark.parametrize(
    ("statement", "value"),
    [
        ("UPDATE calls SET record = ?", b"garbage"),
        ("UPDATE calls SET record = ?", "text"),
        ("UPDATE calls SET record = ?", '{"answer": "of another version"}'),
        ("UPDATE meta SET value = ? WHERE name = 'settings'", b"garbage"),
        ("UPDATE meta SET value = ? WHERE name = 'tasks'", 7),
        ("UPDATE meta SET value = ? WHERE name = 'format'", b"garbage"),
        ("UPDATE meta SET value = ? WHERE name = 'documents'", b"garbage"),
    ],
)
def test_a_ledger_whose_contents_are_spoilt(answered: Work, endpoint: Offline, statement: str, value: object) -> None:
    """A sound database with senseless values in it is corrupt too."""
    spoil(answered, statement, value)
    endpoint.news()
    assert is_one_sentence(answered.run("eval"), 65, "ledger", "move", "away")
    assert [] == endpoint.news()


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"model": "first-passages"}, "route.model: lexical-reader -> first-passages"),
        ({"max_tokens": 100}, "decoding.max_tokens: 8192 -> 100"),
        ({"send_temperature": False}, "decoding.temperature: 0.1 -> none"),
    ],
)
def test_answers_of_another_run(answered: Work, endpoint: Offline, changes: dict[str, Any], said: str) -> None:
    """Refused with the difference; neither results nor ledger are touched, with or without the results."""
    answered.configure(endpoint.url, **{"caps": {}, "cap_as": "gpt-5.1", **changes})
    before = snapshot(answered.responses.parent)
    endpoint.news()
    done = answered.run("eval")
    assert is_one_sentence(
        done, 78, "responses.json belongs to a run with other settings", said, "choose another output"
    )
    assert before["responses.json"] == answered.responses.read_bytes()
    answered.responses.unlink()
    assert is_one_sentence(answered.run("eval"), 78, "responses.json belongs to a run with other settings", said)
    assert [] == endpoint.news()


def test_answers_to_other_questions_or_documents(answered: Work, endpoint: Offline) -> None:
    """The tasks that changed are named."""
    row = json.loads(answered.data.read_bytes())[5]
    path = answered.corpus / row["corpus_file"]
    text = path.read_bytes()
    path.write_bytes(text + b"more")
    endpoint.news()
    assert is_one_sentence(answered.run("eval"), 78, "task-5 (document) changed", "restore the data")
    path.write_bytes(text)
    answered.data.write_text(answered.data.read_text("utf-8").replace("? (7)", "? (77)"), encoding="utf-8")
    assert is_one_sentence(answered.run("eval"), 78, "task-7 (question) changed", "restore the data")
    assert is_one_sentence(answered.run("judge"), 78, "task-7 (question) changed", "restore the data")
    assert [] == endpoint.news()


def test_scores_of_another_panel_or_rubric(answered: Work, endpoint: Offline) -> None:
    """Refused with the difference, and nothing is asked or overwritten."""
    scores = answered.scores.read_bytes()
    endpoint.news()
    table = json.loads(answered.config.read_bytes())
    answered.config.write_text(json.dumps({**table, "judges": table["judges"][:2]}), encoding="utf-8")
    assert is_one_sentence(
        answered.run("judge"), 78, "scores.json belongs to a run with other settings", "judging.panel"
    )
    answered.config.write_text(json.dumps(table), encoding="utf-8")
    answered.data.write_text(answered.data.read_text("utf-8").replace('"points": 60', '"points": 50'), encoding="utf-8")
    assert is_one_sentence(answered.run("judge"), 78, "task-0 (rubric)", "changed", "restore the data")
    assert scores == answered.scores.read_bytes()
    assert [] == endpoint.news()


def test_answers_are_not_judged_into_the_file_they_stand_in(work: Work, endpoint: Offline, calm_run: Work) -> None:
    """`--out` that names the responses, the data or the config is a foreign file, and stays as it is."""
    work.take_answers(calm_run)
    before = {path: path.read_bytes() for path in (work.responses, work.data, work.config)}
    for path in before:
        assert is_one_sentence(work.run("judge", out=path), 65, path.name, "choose another --out")
    for path in (work.data, work.config):
        assert is_one_sentence(work.run("eval", out=path), 65, path.name, "choose another --out")
    assert before == {path: path.read_bytes() for path in before}
    assert [] == endpoint.news()


def test_scores_whose_ledger_is_gone_count_only_for_the_answers_they_judged(
    answered: Work, endpoint: Offline, calm_run: Work
) -> None:
    """A verdict on an earlier answer is not read back for a new one."""
    ledger_of(answered.scores).unlink()
    with edited(answered.responses) as answers:
        answers["responses"][3]["response"] = "Nobody knows."
    endpoint.news()
    assert 0 == answered.run("judge").status
    assert 3 == len(endpoint.news())
    old, new = (json.loads(path.read_bytes())["scores"] for path in (calm_run.scores, answered.scores))
    assert 0.0 == new[3]["score"] != old[3]["score"]
    assert old[:3] + old[4:] == new[:3] + new[4:]
