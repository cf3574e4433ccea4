"""Config, data, corpus and responses that are empty, torn, foreign, hostile or not to be read."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.faults.harness import SECRET, Offline, Work, is_one_sentence, snapshot, without_privileges

GARBAGE = bytes(range(256)) * 20
DEEP = b"[" * 200_000 + b"]" * 200_000
Spoil = bytes | Callable[[bytes], bytes]

ANY_FILE: dict[str, Spoil] = {
    "empty": b"",
    "cut": lambda raw: raw[: len(raw) // 2],
    "garbage": GARBAGE,
    "another charset": '{"note": "Größe"}'.encode("latin-1"),
    "nested without end": DEEP,
    "null": b"null",
    "a list of numbers": b"[1, 2, 3]",
    "a long number": b"1" * 10_000,
}


def spoilt(path: Path, spoil: Spoil) -> bytes:
    """Spoil a file and return what stands in it now."""
    raw = spoil if isinstance(spoil, bytes) else spoil(path.read_bytes())
    path.write_bytes(raw)
    return raw


def refused(work: Work, endpoint: Offline, command: str, status: int, *words: str, **settings: Any) -> bool:
    """Whether the command refuses its input in one sentence, asks nothing, and leaves every file as it was."""
    before = snapshot(work.folder)
    done = work.run(command, **settings)
    assert is_one_sentence(done, status, *words)
    assert 1 == len(done.err.splitlines()), done.err
    assert before == {name: raw for name, raw in snapshot(work.folder).items() if ".ledger" not in name}
    assert [] == endpoint.news()
    return True


@pytest.mark.parametrize("spoil", ANY_FILE)
def test_a_config_that_is_none(work: Work, endpoint: Offline, spoil: str) -> None:
    """Status 78, and the file is named."""
    spoilt(work.config, ANY_FILE[spoil])
    assert refused(work, endpoint, "eval", 78, "config.json")


@pytest.mark.parametrize("spoil", ANY_FILE)
def test_data_that_are_none(work: Work, endpoint: Offline, spoil: str) -> None:
    """Status 65, and the file is named."""
    spoilt(work.data, ANY_FILE[spoil])
    assert refused(work, endpoint, "eval", 65, "data.json")


@pytest.mark.parametrize("spoil", ANY_FILE)
def test_responses_that_are_none(work: Work, endpoint: Offline, calm_run: Work, spoil: str) -> None:
    """Status 65 for the judge and for a run that would go on from them; they are not overwritten."""
    work.take_answers(calm_run)
    spoilt(work.responses, ANY_FILE[spoil])
    command = "judge" if len(spoil) % 2 else "eval"
    told = "choose another --out" if (command, spoil) == ("eval", "null") else "wildtrace eval"
    assert refused(work, endpoint, command, 65, "responses.json", told)


@pytest.mark.parametrize("spoil", ["empty", "cut"])
def test_scores_that_are_none(work: Work, endpoint: Offline, calm_run: Work, spoil: str) -> None:
    """The judge does not go on from them, nor overwrite them."""
    work.take_answers(calm_run)
    work.scores.write_bytes(calm_run.scores.read_bytes())
    spoilt(work.scores, ANY_FILE[spoil])
    assert refused(work, endpoint, "judge", 65, "scores.json", "wildtrace judge")


CONFIGS: dict[str, tuple[str, ...]] = {
    '{"base_url": "http://x/v1"}': ("model is missing",),
    '{"base_url": "x/v1", "model": "m"}': ("base_url must be an http:// or https:// address",),
    '{"base_url": "http://x:99999/v1", "model": "m"}': ("base_url must be",),
    '{"base_url": "http://x y/v1", "model": "m"}': ("base_url must be",),
    '{"base_url": "http://%s.com/v1", "model": "m"}' % ("a" * 70): ("base_url must be",),
    '{"base_url": "http://x/v1", "model": "m", "temprature": 1}': ("'temprature'", "send_temperature"),
    '{"base_url": "http://x/v1", "model": "m", "model": "n"}': ("'model'", "twice"),
    '{"base_url": "http://x/v1", "model": "m", "judges": [{"name": "a", "name": "b"}]}': ("'name'", "twice"),
    '{"base_url": "http://x/v1", "model": "m", "concurrency": 1000000000}': ("concurrency must be",),
    '{"base_url": "http://x/v1", "model": "m", "max_tokens": 1%s}' % ("0" * 30): ("max_tokens must be",),
    '{"base_url": "http://x/v1", "model": "m", "timeout_s": 1e999}': ("timeout_s must be a number of seconds",),
    '{"base_url": "http://x/v1", "model": "m", "stream": "yes"}': ("stream must be true or false",),
    '{"base_url": "http://x/v1", "model": "\\ud800"}': ("model must be",),
    '{"base_url": "http://x/v1", "model": "m", "caps": {"m": {"en": 5}}}': ("caps", "cjk is missing"),
    '{"base_url": "http://x/v1", "model": "m", "judges": {"a": 1}}': ("judges must be a list",),
}


@pytest.mark.parametrize("config", CONFIGS)
def test_a_config_with_a_wrong_value(work: Work, endpoint: Offline, config: str) -> None:
    """The key is named, and what it must be."""
    work.config.write_text(config, encoding="utf-8")
    assert refused(work, endpoint, "eval", 78, "config.json", *CONFIGS[config])


def test_a_judge_without_a_panel_or_with_the_contestant_in_it(work: Work, endpoint: Offline, calm_run: Work) -> None:
    """Said before anything is asked."""
    work.take_answers(calm_run)
    table = json.loads(work.config.read_bytes())
    for judges, words in (
        ([], "no judges"),
        ([{**table["judges"][0], "model": "lexical-reader"}], "contestant itself"),
    ):
        changed = {**table, "allow_self_judging": False, "judges": judges}
        work.config.write_text(json.dumps(changed), encoding="utf-8")
        assert refused(work, endpoint, "judge", 78, words)


def change(**fields: Any) -> Callable[[list[dict[str, Any]]], None]:
    """Change fields of the third task."""
    return lambda rows: rows[2].update(fields)


def truth(**fields: Any) -> Callable[[list[dict[str, Any]]], None]:
    """Change fields of the third task's hidden part."""
    return lambda rows: rows[2]["ground_truth"].update(fields)


ROWS: dict[str, tuple[Callable[[list[dict[str, Any]]], Any], tuple[str, ...]]] = {
    "a task that is none": (lambda rows: rows.insert(2, "x"), ("task 3", "no JSON object")),  # type: ignore[arg-type]
    "an id twice": (change(question_id="task-0"), ("task 3", "'task-0'", "twice")),
    "no id": (change(question_id=None), ("task 3", "question_id is missing")),
    "no question": (change(question_text=""), ("task 3 (task-2)", "question_text must be")),
    "no rubric": (truth(scoring_rubric=[]), ("task 3 (task-2)", "scoring_rubric is missing")),
    "points that are text": (truth(scoring_rubric=[{"points": "9", "correct_criterion": "x"}]), ("points must be",)),
    "points beyond all": (
        truth(scoring_rubric=[{"points": 1.7e308, "correct_criterion": "x"}] * 2),
        ("task 3 (task-2)", "add up", "more than a number can hold"),
    ),
    "hidden part of text": (change(ground_truth="{"), ("task 3 (task-2)", "ground_truth")),
    "up": (change(corpus_file="../data.json"), ("'../data.json' leaves the corpus folder",)),
    "up in the middle": (change(corpus_file="a/../../data.json"), ("leaves the corpus folder",)),
    "absolute": (change(corpus_file="/etc/passwd"), ("'/etc/passwd' leaves the corpus folder",)),
    "the folder itself": (change(corpus_file="."), ("corpus",)),
    "a null": (change(corpus_file="a\0b"), ("leaves the corpus folder",)),
    "missing": (change(corpus_file="nowhere.txt"), ("lacks nowhere.txt", "nothing was asked")),
    "a name too long": (change(corpus_file="x" * 5000), ("corpus",)),
    "escape sequences": (change(corpus_file="\x1b[31mred\x1b[0m\n.txt"), (r"\x1b[31mred",)),
}


@pytest.mark.parametrize("case", ROWS)
def test_data_with_a_wrong_row(work: Work, endpoint: Offline, case: str) -> None:
    """The file or folder, the row and what to do; before any request."""
    spoil, words = ROWS[case]
    spoil(work.rows)
    work.data.write_text(json.dumps(work.rows), encoding="utf-8")
    assert refused(work, endpoint, "eval", 65, *words)


def test_a_line_of_json_lines_that_is_cut(work: Work, endpoint: Offline) -> None:
    """The line is named."""
    path = work.folder / "data.jsonl"
    lines = [json.dumps(row) for row in work.rows]
    path.write_text("\n".join([*lines[:6], "", lines[6][:-9]]), encoding="utf-8")
    assert refused(work, endpoint, "eval", 65, "data.jsonl: line 8 is truncated", data=path)


def linked_out(work: Work) -> None:
    """A document that is a link to a file outside."""
    (work.corpus / "report3.txt").unlink()
    (work.corpus / "report3.txt").symlink_to(work.data)


def linked_to_itself(work: Work) -> None:
    """A document that is a link to itself."""
    (work.corpus / "report3.txt").unlink()
    (work.corpus / "report3.txt").symlink_to("report3.txt")


def dangling(work: Work) -> None:
    """A document that is a link to nothing."""
    (work.corpus / "report3.txt").unlink()
    (work.corpus / "report3.txt").symlink_to("nothing.txt")


def a_folder(work: Work) -> None:
    """A folder where a document should be."""
    (work.corpus / "report3.txt").unlink()
    (work.corpus / "report3.txt").mkdir()


def no_utf8(work: Work) -> None:
    """A document in another charset."""
    (work.corpus / "report3.txt").write_bytes("Größe".encode("latin-1"))


def unreadable(work: Work) -> None:
    """A document that may not be read."""
    (work.corpus / "report3.txt").chmod(0)


def locked_corpus(work: Work) -> None:
    """A corpus folder that may not be looked into."""
    work.corpus.chmod(0)


@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        (linked_out, "is a link out of"),
        (linked_to_itself, "report3.txt"),
        (dangling, "lacks report3.txt"),
        (a_folder, "lacks report3.txt"),
        (no_utf8, "report3.txt is not UTF-8 (byte 2)"),
        (unreadable, "report3.txt cannot be read (Permission denied)"),
        (locked_corpus, "corpus"),
    ],
)
def test_a_corpus_that_cannot_be_used(work: Work, endpoint: Offline, spoil: Callable[[Work], None], words: str) -> None:
    """A missing, foreign or unreadable document stops the run before any request."""
    spoil(work)
    done = work.run("eval", preexec=without_privileges)
    work.corpus.chmod(0o755)
    assert is_one_sentence(done, 65, words)
    assert [] == endpoint.news()
    assert not work.responses.exists()


@pytest.mark.parametrize(("name", "status"), [("config", 78), ("data", 65), ("responses", 65)])
def test_files_that_are_missing_locked_or_folders(
    work: Work, endpoint: Offline, calm_run: Work, name: str, status: int
) -> None:
    """Named in one sentence; a folder where a file belongs is the command line's fault."""
    work.take_answers(calm_run)
    path: Path = getattr(work, name)
    path.chmod(0)
    assert is_one_sentence(work.run("judge", preexec=without_privileges), status, path.name, "Permission denied")
    missing = path.with_name("nowhere.json")
    assert is_one_sentence(work.run("judge", **{name: missing}), status, "nowhere.json", "No such file")
    folder = work.run("judge", **{name: work.corpus})
    assert 64 == folder.status
    assert "is a directory" in folder.err
    assert [] == endpoint.news()


def test_a_missing_corpus_folder(work: Work, endpoint: Offline) -> None:
    """Named."""
    assert refused(work, endpoint, "eval", 65, "nowhere is no folder", corpus=work.folder / "nowhere")


PROVENANCES: dict[str, Any] = {
    "tasks that are a list": {"tasks": ["task-0"]},
    "a signature of text": {"signature": "none"},
    "a signature without end": {"signature": json.loads("[" * 600 + "]" * 600)},
    "dates of text": {"endpoint_dates": "never"},
    "models that are a number": {"served_models": 5},
    "a start that is an object": {"started": {"a": []}},
}


@pytest.mark.parametrize("case", PROVENANCES)
def test_responses_with_a_senseless_provenance(work: Work, endpoint: Offline, calm_run: Work, case: str) -> None:
    """Refused, or taken for another run's; never a traceback, never overwritten."""
    work.take_answers(calm_run)
    file = json.loads(work.responses.read_bytes())
    file["provenance"].update(PROVENANCES[case])
    work.responses.write_text(json.dumps(file), encoding="utf-8")
    raw = work.responses.read_bytes()
    done = work.run("eval")
    assert done.status in {65, 78}, done
    assert is_one_sentence(done, done.status, "responses.json")
    assert raw == work.responses.read_bytes()
    assert [] == endpoint.news()


RESPONSES: dict[str, tuple[dict[str, Any], str]] = {
    "a status unheard of": ({"status": "great"}, "responses[3]"),
    "no id": ({"question_id": None}, "responses[3]"),
    "an id twice": ({"question_id": "task-0"}, "'task-0' twice"),
    "an answer that is none": ({"response": None}, "responses[3]"),
    "usage of text": ({"usage": {"prompt_tokens": "many"}}, "responses[3]"),
}


@pytest.mark.parametrize("case", RESPONSES)
def test_responses_with_a_wrong_row(work: Work, endpoint: Offline, calm_run: Work, case: str) -> None:
    """The row is named."""
    fields, words = RESPONSES[case]
    work.take_answers(calm_run)
    file = json.loads(work.responses.read_bytes())
    file["responses"][3].update(fields)
    del file["rows_digest"]
    work.responses.write_text(json.dumps(file), encoding="utf-8")
    assert refused(work, endpoint, "judge", 65, "responses.json", words)


def test_a_document_is_not_named_into_the_terminal(work: Work, endpoint: Offline) -> None:
    """A release's own words cannot drive the terminal: control sequences are shown, not sent."""
    name = "\x1b]0;owned\x07.txt"
    work.rows[0]["corpus_file"] = name
    (work.corpus / name).write_bytes(b"\xef\xbb\xbfA document with a mark.")
    work.data.write_text(json.dumps(work.rows), encoding="utf-8")
    done = work.run("eval")
    assert 0 == done.status
    assert r"\x1b]0;owned\x07.txt: read without its byte order mark" in done.err
    assert "\x1b" not in done.err + done.out
    assert endpoint.news()


def test_paths_that_are_no_unicode(work: Work, endpoint: Offline) -> None:
    """A file name of raw bytes works, and is shown with escapes."""
    folder = work.folder / os.fsdecode(b"\xff\xfe")
    folder.mkdir()
    done = work.run("eval", out=folder / "responses.json", env={"PYTHONUTF8": "1"})
    assert 0 == done.status
    assert (folder / "responses.json").exists()
    assert endpoint.news()


@pytest.mark.parametrize("command", ["eval", "judge"])
def test_a_command_line_that_makes_no_sense(work: Work, endpoint: Offline, command: str) -> None:
    """Usage errors are 64, never 2, which means incomplete."""
    done = work.run(command, limit=0)
    assert (64, []) == (done.status, endpoint.news())
    assert "--limit" in done.err
    assert SECRET not in done.err
