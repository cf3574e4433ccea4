"""Responses and scores files: read back as written; a bad one is one sentence."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from wildtrace.errors import DataError
from wildtrace.scores.aggregate import aggregate
from wildtrace.scores.panel import panel_score
from wildtrace.scores.results import read_responses, read_scores, write_responses, write_scores
from wildtrace.types import JudgeFailure, Judgement, Response, Score

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=10)
FLAGS = st.lists(TEXT, max_size=2).map(tuple)
RESPONSE = st.builds(
    Response,
    question_id=TEXT,
    status=st.sampled_from(["ok", "failed", "pending", "out_of_context_scope"]),
    reason=st.none() | TEXT,
    response=st.none() | TEXT,
    reasoning=st.none() | TEXT,
    finish_reason=st.none() | TEXT,
    usage=st.none() | st.dictionaries(TEXT, st.integers(0, 2**53), max_size=2),
    flags=FLAGS,
    attempts=st.integers(0, 9),
    latency_s=st.none() | st.floats(0, 1e6),
    served_model=st.none() | TEXT,
    error=st.none() | TEXT,
).filter(lambda response: response.status != "ok" or response.response is not None)
POINTS = st.none() | st.lists(st.floats(0, 100), max_size=2).map(tuple)
JUDGEMENT = st.builds(
    Judgement, score=st.floats(0, 1), total=st.floats(0, 100), points_awarded=POINTS, flags=FLAGS, reply=TEXT
)
PANEL = ("j1", "法官")
FAILURE = st.builds(JudgeFailure, error=TEXT, reply=st.none() | TEXT)
SCORE = st.builds(
    Score,
    question_id=TEXT,
    status=st.sampled_from(["ok", "failed", "missing"]),
    score=st.none(),
    judges=st.dictionaries(st.sampled_from(PANEL), JUDGEMENT | FAILURE, max_size=2),
    reason=st.none() | TEXT,
    flags=FLAGS,
).map(lambda score: replace(score, score=panel_score(PANEL, score.judges) if score.status == "ok" else None))
PROVENANCE = {"signature": {"digest": "x"}, "tasks": {}}
any_folder = settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=40)


@any_folder
@given(responses=st.lists(RESPONSE, max_size=4, unique_by=lambda response: response.question_id))
def test_responses_read_back_as_they_were_written(tmp_path: Path, responses: list[Response]) -> None:
    """Any texts; a row a line; JSON to any other reader."""
    path = tmp_path / "r.json"
    write_responses(path, PROVENANCE, responses)
    assert (PROVENANCE, tuple(responses)) == (read_responses(path).provenance, read_responses(path).responses)
    raw = json.loads(path.read_bytes())
    assert ("wildtrace.responses/1", len(responses)) == (raw["format"], len(raw["responses"]))
    assert [r.question_id for r in responses] == [row["question_id"] for row in raw["responses"]]
    assert len(responses) + 2 == path.read_bytes().count(b"\n")


@any_folder
@given(scores=st.lists(SCORE, max_size=4, unique_by=lambda score: score.question_id))
def test_scores_read_back_as_they_were_written(tmp_path: Path, scores: list[Score]) -> None:
    """Verdicts and failures beside each other; the means and counts at the top."""
    path, total = tmp_path / "s.json", aggregate(scores)
    write_scores(path, PROVENANCE, total, PANEL, scores)
    file = read_scores(path)
    assert (tuple(scores), PANEL, PROVENANCE) == (file.scores, file.judges, file.provenance)
    assert (total.n_tasks, total.scored_n, total.scored, total.all_tasks) == (
        file.n_tasks,
        file.scored_n,
        file.scored_overall,
        file.all_tasks_overall,
    )
    raw = json.loads(path.read_bytes())
    assert (raw["all_tasks_overall"], dict(total.zeros)) == (raw["overall"], raw["zeros"])


def test_points_are_written_as_people_write_them(tmp_path: Path) -> None:
    """25, not 25.0; a fraction and a number beyond integers stay what they are."""
    entry = Judgement(0.7, 70.0, (25.0, 12.5, 1e300), (), "")
    scores = [Score("q", "ok", 0.7, dict.fromkeys(PANEL, entry))]
    write_scores(tmp_path / "s.json", PROVENANCE, aggregate(scores), PANEL, scores)
    assert b'"total":70,"points_awarded":[25,12.5,1e+300]' in (tmp_path / "s.json").read_bytes()
    assert tuple(scores) == read_scores(tmp_path / "s.json").scores


READERS: list[tuple[Callable[[Path], object], str, str]] = [
    (read_responses, "wildtrace eval", "responses"),
    (read_scores, "wildtrace judge", "scores"),
]


@pytest.mark.parametrize(("read", "maker", "key"), READERS)
def test_a_file_that_is_none_is_one_sentence(
    tmp_path: Path, read: Callable[[Path], object], maker: str, key: str
) -> None:
    """It names the file, what is wrong and which command writes such a file."""
    path = tmp_path / "x.json"
    said: dict[bytes, str] = {
        b"": "is empty",
        b" \n": "is empty",
        b"{": "is truncated or no JSON",
        b"\xff": "is truncated or no JSON",
        b"[1,\nNaN]": r"holds NaN, which is no JSON \(line 2\); mend that value",
        b'["\\udc00"]': r"holds half a character .* \(line 1\); mend that value",
        b"[]": "names no format",
        b"{}": "names no format",
        b'{"format": 3}': "names no format",
        b'{"format": "other/1"}': "says 'other/1'",
        f'{{"format": "wildtrace.{key}/2"}}'.encode(): f"says 'wildtrace.{key}/2'",
    }
    for content, words in said.items():
        path.write_bytes(content)
        with pytest.raises(DataError, match=words) as refused:
            read(path)
        assert str(path) in str(refused.value)
        assert maker in str(refused.value)
    with pytest.raises(DataError, match=r"gone\.json cannot be read"):
        read(tmp_path / "gone.json")


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ({}, "no list of responses"),
        ([5], r"responses\[0\]: .*; mend or remove this row"),
        ([{"question_id": "a"}], r"responses\[0\]: .*status"),
        ([{"question_id": "a", "status": "fine"}], r"responses\[0\]: Invalid enum value 'fine'"),
        ([{"question_id": "a", "status": "ok"}, {"question_id": "b", "status": "ok", "flags": "x"}], r"responses\[1\]"),
        ([{"question_id": "a", "status": "ok"}] * 2, "holds question_id 'a' twice"),
    ],
)
def test_a_bad_row_is_named(tmp_path: Path, rows: Any, said: str) -> None:
    """By its place and field; a task may stand once."""
    path = tmp_path / "r.json"
    path.write_text(json.dumps({"format": "wildtrace.responses/1", "provenance": PROVENANCE, "responses": rows}))
    with pytest.raises(DataError, match=said):
        read_responses(path)


@pytest.mark.parametrize(
    "row",
    [
        5,
        {"question_id": "a", "status": "ok"},
        {"question_id": "a", "status": "ok", "score": "1"},
        {"question_id": "a", "status": "ok", "score": 1, "judges": []},
        {"question_id": "a", "status": "ok", "score": 1, "judges": {"j": {"score": 1}}},
        {"question_id": "a", "status": "ok", "score": 1, "judges": {"j": {"error": 1}}},
    ],
)
def test_a_bad_score_is_named(tmp_path: Path, row: Any) -> None:
    """By its place."""
    path = tmp_path / "s.json"
    head = {"n_tasks": 1, "scored_n": 1, "scored_overall": 1, "all_tasks_overall": 1, "zeros": {}, "judges": ["j"]}
    path.write_text(json.dumps({"format": "wildtrace.scores/1", "provenance": PROVENANCE, **head, "scores": [row]}))
    with pytest.raises(DataError, match=r"s\.json: scores\[0\]"):
        read_scores(path)


GIVEN: dict[str, Any] = {"score": 0.5, "total": 50, "points_awarded": None, "flags": [], "reply": ""}
LOST = {"error": "HTTP 503", "reply": None}


@pytest.mark.parametrize(
    ("status", "score", "judges", "said"),
    [
        ("ok", 1.0, {"j1": GIVEN, "法官": LOST}, "the score 1 and lacks judges"),
        ("ok", 0.5, {"j1": GIVEN}, "the score 0.5 and lacks judges"),
        ("ok", 0.0, {}, "the score 0 and lacks judges"),
        ("ok", 1.0, {"j1": GIVEN, "法官": GIVEN}, "the score 1 where the mean of its judges is 0.5"),
        ("ok", None, {"j1": GIVEN, "法官": GIVEN}, "no score where the mean of its judges is 0.5"),
        ("failed", 0.0, {}, "the score 0 and the status 'failed'"),
        ("pending", 0.5, {}, "the score 0.5 and the status 'pending'"),
        ("missing", 1.0, {"j1": GIVEN, "法官": GIVEN}, "the score 1 and the status 'missing'"),
        ("out_of_context_scope", 0.5, {}, "the score 0.5 and the status 'out_of_context_scope'"),
    ],
)
def test_a_score_that_its_row_does_not_bear_out_is_refused(
    tmp_path: Path, status: str, score: float | None, judges: dict[str, Any], said: str
) -> None:
    """Rule 26: the mean of the whole panel, or null; 0 is for what is longer than the cap alone."""
    path = tmp_path / "s.json"
    write_one(path, {"question_id": "a", "status": status, "score": score, "judges": judges})
    with pytest.raises(DataError) as refused:
        read_scores(path)
    assert f"{path}: scores[0] (a) has {said}; mend or remove this row" == str(refused.value)


@pytest.mark.parametrize(
    ("status", "score", "judges"),
    [
        ("ok", 0.5, {"j1": GIVEN, "法官": GIVEN}),
        ("ok", None, {"j1": GIVEN, "法官": LOST}),
        ("ok", None, {}),
        ("failed", None, {}),
        ("out_of_context_scope", 0.0, {}),
        ("out_of_context_scope", None, {}),
    ],
)
def test_a_score_that_its_row_bears_out_is_read(
    tmp_path: Path, status: str, score: float | None, judges: dict[str, Any]
) -> None:
    """Null is no zero."""
    path = tmp_path / "s.json"
    write_one(path, {"question_id": "a", "status": status, "score": score, "judges": judges})
    assert [score] == [row.score for row in read_scores(path).scores]


def write_one(path: Path, row: dict[str, Any]) -> None:
    """A scores file of one row, by a panel of two."""
    head: dict[str, Any] = {"n_tasks": 1, "scored_n": 0, "scored_overall": None, "all_tasks_overall": None, "zeros": {}}
    table = {"format": "wildtrace.scores/1", "provenance": PROVENANCE, **head, "judges": PANEL, "scores": [row]}
    path.write_text(json.dumps(table), encoding="utf-8")


ODD: list[tuple[str, Any]] = [
    ("model", ["x"]),
    ("model", {}),
    ("base_url", 5),
    ("caps", [1]),
    ("caps", "x"),
    ("caps", {}),
    ("caps", {"en": "a", "cjk": 1}),
    ("caps", {"en": 1}),
    ("cap_source", 3),
    ("cap_as", ["gpt-4.1"]),
    ("offline", "yes"),
    ("offline", {"judges": [["a"]]}),
    ("self_judging", "no"),
    ("signature", []),
    ("signature", None),
    ("tasks", None),
    ("tasks", ["q"]),
    ("tasks", {"q": None}),
    ("tasks", {"q": 5}),
    ("prompts", None),
    ("prompts", []),
    ("served_models", "x"),
    ("served_models", [["x"]]),
    ("endpoint_dates", ["junk"]),
    ("endpoint_dates", {"first": 5}),
    ("started", 5),
    ("ended", []),
    ("condition", 5),
    ("decoding", 5),
    ("documents_changed", 5),
    ("data_hash", 5),
    ("flags", {"a": "b"}),
    ("panel", "x"),
    ("panel", ["x"]),
    ("panel", [{"name": ["x"]}]),
    ("panel", [{"served_models": 5}]),
    ("panel", [{"endpoint_dates": {"first": 5}}]),
]


@pytest.mark.parametrize(("name", "value"), ODD)
@pytest.mark.parametrize(("read", "key"), [(read, key) for read, _, key in READERS])
def test_an_odd_provenance_is_named_by_its_field(
    tmp_path: Path, read: Callable[[Path], object], key: str, name: str, value: Any
) -> None:
    """Whatever the program reads of it is of its kind or absent; exit status 65."""
    path = tmp_path / "x.json"
    head = {"n_tasks": 0, "scored_n": 0, "zeros": {}, "judges": []} if key == "scores" else {}
    provenance = {**PROVENANCE, name: value}
    path.write_text(json.dumps({"format": f"wildtrace.{key}/1", "provenance": provenance, **head, key: []}))
    with pytest.raises(DataError, match=rf"x\.json: provenance\.{name}\b.* is nothing that this program writes"):
        read(path)


@pytest.mark.parametrize("provenance", [{}, dict.fromkeys(("model", "caps", "served_models", "condition", "panel"))])
def test_a_provenance_may_lack_what_its_answers_lacked(tmp_path: Path, provenance: dict[str, Any]) -> None:
    """Absent, or null where a scores file repeats what is absent."""
    path = tmp_path / "r.json"
    write_responses(path, provenance, [])
    assert provenance == read_responses(path).provenance
