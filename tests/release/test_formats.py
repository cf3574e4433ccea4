"""Both schemas and both forms of a release; bad rows in one sentence."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.fakes import ROWS, Made
from wildtrace.errors import DataError
from wildtrace.release.formats import load_items, to_json, to_jsonl
from wildtrace.text.tiers import tier_of
from wildtrace.types import Clue, Criterion, Item, Question, Rubric, TrailEdge

TEXT = st.text(st.characters(exclude_categories=["Cs"]) | st.sampled_from('\u2028\u2029\x85\r\n"\\水'), max_size=12)
WORDS = TEXT.filter(bool)
NAMES = st.text(st.characters(categories=["Ll"]), min_size=1, max_size=8).map("x_".__add__)
COUNT = st.integers(0, 10**9)
ITEM = st.builds(
    Item,
    question=st.builds(Question, question_id=WORDS, text=WORDS, corpus_file=WORDS.map("d".__add__)),
    rubric=st.lists(
        st.builds(
            Criterion,
            id=WORDS,
            points=st.integers(1, 100) | st.floats(0.5, 100),
            text=WORDS,
            spans=st.lists(TEXT, max_size=2).map(tuple),
        ),
        min_size=1,
        max_size=3,
    ).map(lambda criteria: Rubric(tuple(criteria))),
    source_id=TEXT,
    tier=st.sampled_from(["L0", "L7", ""]),
    source_family=st.sampled_from(["technical_report", "its own"]),
    geometry=st.sampled_from(["causal", "its own"]),
    doc_token_estimate=st.none() | COUNT,
    reference_answer=TEXT,
    key_facts=st.lists(TEXT, max_size=2).map(tuple),
    clues=st.lists(
        st.builds(Clue, span_id=WORDS, role=TEXT, quote=WORDS, start=st.none() | COUNT, end=st.none() | COUNT),
        max_size=2,
    ).map(tuple),
    edges=st.lists(st.builds(TrailEdge, source=WORDS, target=WORDS, type=TEXT), max_size=2).map(tuple),
    extra=st.dictionaries(NAMES, TEXT | st.lists(COUNT, max_size=2) | st.none(), max_size=2),
)


def paper_row(row: dict[str, Any]) -> dict[str, Any]:
    """A written row in the paper's schema: everything at the top, other names."""
    truth = dict(row["ground_truth"])
    lines = [
        {"criterion" if name == "correct_criterion" else name: value for name, value in line.items()}
        for line in truth.pop("scoring_rubric")
    ]
    flat = {name: value for name, value in row.items() if name not in ("ground_truth", "question_text")}
    corpus_file = f"corpus/{row['corpus_file']}"
    return {**flat, **truth, "question": row["question_text"], "rubric": lines, "corpus_file": corpus_file}


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(items=st.lists(ITEM, min_size=1, max_size=3, unique_by=lambda item: item.question_id))
def test_any_items_round_trip_through_both_forms_and_both_schemas(tmp_path: Path, items: list[Item]) -> None:
    """What is written is read back equal, and written again to the same bytes."""
    items = [replace(item, tier=item.tier or tier_of(item.doc_token_estimate or 0)) for item in items]
    nested, lines, paper = tmp_path / "a.json", tmp_path / "a.jsonl", tmp_path / "paper.json"
    nested.write_bytes(to_json(items))
    lines.write_bytes(to_jsonl(items))
    paper.write_text(json.dumps([paper_row(row) for row in json.loads(to_json(items))]))
    for path in (nested, lines, paper):
        assert tuple(items) == load_items(path)
    assert nested.read_bytes() == to_json(load_items(lines))
    assert lines.read_bytes() == to_jsonl(load_items(nested))
    assert len(items) == lines.read_bytes().count(b"\n")


def test_every_line_of_the_lines_form_has_the_same_keys(made: Made) -> None:
    """As table readers want it; the truth is a JSON string."""
    rows = [json.loads(line) for line in to_jsonl(load_items(made.data)).decode().split("\n")[:-1]]
    assert 1 == len({tuple(row) for row in rows})
    assert all(isinstance(row["ground_truth"], str) for row in rows)


@pytest.mark.parametrize("name", ["tasks.json", "tasks.jsonl", "tasks"])
@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "is empty"),
        (b" \n\t", "is empty"),
        (b"\xff\xfe", "is not UTF-8"),
        (b"[]", "holds no tasks|is no JSON object"),
        (b'{"question_id": "a"', "truncated or no JSON"),
        (b"42", "neither a list of tasks|is no JSON object"),
        (b"PK\x03\x04", "truncated or no JSON"),
        (b'{"question_id": "a", "x": NaN}', r"holds NaN, which is no JSON.*; mend that value"),
        (b'{"question_id": "a\\ud83d"}', r"holds half a character .*; mend that value"),
        (b'{"a": 1}\n{"a": -Infinity}', r"line 2 holds -Infinity, which is no JSON; mend that value|truncated"),
    ],
)
def test_a_file_that_is_no_release_is_one_sentence(tmp_path: Path, name: str, content: bytes, said: str) -> None:
    """Empty, of another kind, cut: named, with what to do."""
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(DataError, match=said) as refused:
        load_items(path)
    assert name in str(refused.value)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("d.csv", "question_id,question\na,Why?\n", r"d\.csv .*; a release's data file is \.json or \.jsonl"),
        ("d.json", "question_id,question\n", r"d\.json .*; name a complete data file"),
        (
            "t.jsonl",
            '[\n {"question_id": "甲"}\n]',
            r"line 1 .*; mend it, or name a file that is one JSON document \.json",
        ),
        ("t.jsonl", '{"question_id": "a"}\n{', r"line 2 .*; mend or remove it"),
    ],
)
def test_a_file_of_another_kind_is_told_by_its_name(tmp_path: Path, name: str, content: str, said: str) -> None:
    """A table, a JSON document that is named as lines; a broken line behind good ones is just that."""
    (tmp_path / name).write_text(content, encoding="utf-8")
    with pytest.raises(DataError, match=said):
        load_items(tmp_path / name)


def test_a_missing_data_file_is_named(tmp_path: Path) -> None:
    """With the reason."""
    with pytest.raises(DataError, match=r"gone\.json cannot be read \(No such file"):
        load_items(tmp_path / "gone.json")


def changed(path: tuple[str, ...], value: Any) -> dict[str, Any]:
    """The first row with one field set."""
    row: dict[str, Any] = json.loads(json.dumps(ROWS[0]))
    place: Any = row
    for key in path[:-1]:
        place = place[int(key) if key.isdigit() else key]
    place[path[-1]] = value
    return row


@pytest.mark.parametrize(
    ("path", "value", "said"),
    [
        (("question_id",), 7, "question_id must be non-empty text"),
        (("question_text",), "", r"task 1 \(en-1\): question_text must be non-empty text"),
        (("corpus_file",), None, r"task 1 \(en-1\): corpus_file is missing"),
        (("tier",), 3, "tier must be text"),
        (("doc_token_estimate",), "many", "doc_token_estimate must be a whole number"),
        (("doc_token_estimate",), True, "doc_token_estimate must be a whole number"),
        (("ground_truth",), "{", "ground_truth is a string that is no JSON"),
        (("ground_truth",), '{"a": NaN}', "ground_truth is a string that holds NaN, which is no JSON"),
        (("ground_truth",), [], "ground_truth must be an object"),
        (("ground_truth", "scoring_rubric"), [], "scoring_rubric is missing or empty"),
        (("ground_truth", "scoring_rubric"), {"P1": 1}, "scoring_rubric must be a list of objects"),
        (("ground_truth", "scoring_rubric", "1", "points"), "40", r"scoring_rubric\[1\]: points must be a number"),
        (("ground_truth", "scoring_rubric", "1", "points"), -1, r"scoring_rubric\[1\]: points must be a number"),
        (
            ("ground_truth", "scoring_rubric", "0", "correct_criterion"),
            5,
            r"scoring_rubric\[0\]: correct_criterion must",
        ),
        (("ground_truth", "key_facts"), ["a", 1], "key_facts must be a list of text"),
        (("ground_truth", "evidence_spans", "0", "start"), -1, r"evidence_spans\[0\]: start must be a whole number"),
        (("ground_truth", "trail_edges", "0", "to"), None, r"trail_edges\[0\]: to is missing"),
    ],
)
def test_a_bad_field_is_named_with_its_row(made: Made, path: tuple[str, ...], value: Any, said: str) -> None:
    """The file, the row, the task and the field."""
    made.write_tasks([changed(path, value)])
    with pytest.raises(DataError, match=said) as refused:
        load_items(made.data)
    assert str(refused.value).startswith(f"{made.data}: task 1")


def test_a_rubric_without_points_is_refused(made: Made) -> None:
    """A credit is a share of them."""
    row = changed(("ground_truth", "scoring_rubric"), [{"points": 0, "correct_criterion": "c"}])
    made.write_tasks([row])
    with pytest.raises(DataError, match="do not add up to more than 0"):
        load_items(made.data)


def test_lines_under_another_name_and_crlf_lines_are_read(made: Made, tmp_path: Path) -> None:
    """A JSON Lines file called .json, one with CRLF, and one with a byte order mark."""
    items = load_items(made.lines)
    for content in (made.lines.read_bytes(), made.lines.read_bytes().replace(b"\n", b"\r\n")):
        for path in (tmp_path / "other.json", tmp_path / "other.jsonl"):
            path.write_bytes(b"\xef\xbb\xbf" + content)
            assert items == load_items(path)


def test_whole_numbers_may_have_become_floats(made: Made) -> None:
    """As a table with gaps writes them; a fraction is still refused."""
    items = load_items(made.data)
    row = changed(("doc_token_estimate",), 100.0)
    span = row["ground_truth"]["evidence_spans"][0]
    span["start"] = float(span["start"])
    made.write_tasks([row, *ROWS[1:]])
    assert items == load_items(made.data)
    made.write_tasks([changed(("doc_token_estimate",), 100.5)])
    with pytest.raises(DataError, match="doc_token_estimate must be a whole number"):
        load_items(made.data)


def test_a_broken_line_is_named_by_its_number(made: Made) -> None:
    """Blank lines count."""
    made.lines.write_text("\n" + made.lines.read_text(encoding="utf-8")[:-20], encoding="utf-8")
    with pytest.raises(DataError, match=r"tasks\.jsonl: line 7 is truncated"):
        load_items(made.lines)


@pytest.mark.parametrize(("estimate", "tier"), [(128_000, "L0"), (128_001, "L1"), (1_000_001, "L7")])
def test_a_missing_tier_is_that_of_the_token_estimate(tmp_path: Path, estimate: int, tier: str) -> None:
    """And a limited run spreads over tiers whether or not the rows name them."""
    path = tmp_path / "a.json"
    row = {key: value for key, value in ROWS[0].items() if key != "tier"}
    path.write_text(json.dumps([{**row, "doc_token_estimate": estimate}]))
    assert [tier] == [item.tier for item in load_items(path)]


def _doubled(row: dict[str, Any], key: str) -> str:
    """The row written with one of its keys, wherever it stands first, twice."""
    written = json.dumps(row, ensure_ascii=False)
    return written.replace(f'"{key}":', f'"{key}": "另一个", "{key}":', 1)


@pytest.mark.parametrize("key", ["question_text", "points", "quote"])
def test_a_key_that_stands_twice_in_a_row_is_refused(tmp_path: Path, key: str) -> None:
    """It is named, with its task or line; which of the two is meant cannot be told."""
    good, bad = json.dumps(ROWS[0]), _doubled(ROWS[1], key)
    told = f"the key '{key}' stands twice in one object; keep one"
    for name, text, place in (
        ("d.json", f"[{good},\n{bad}]", ": task 2"),
        ("d.json", f'{{"tasks": [{bad}]}}', ": task 1"),
        ("d.jsonl", f"{good}\n\n{bad}\n", ": line 3"),
    ):
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        with pytest.raises(DataError) as refused:
            load_items(path)
        assert f"{path}{place}: {told}" == str(refused.value)


def test_a_key_that_stands_twice_in_the_hidden_part_is_refused(tmp_path: Path) -> None:
    """Where that is a string of JSON."""
    path = tmp_path / "d.jsonl"
    row = {**ROWS[1], "ground_truth": _doubled(ROWS[1]["ground_truth"], "points")}
    path.write_text(json.dumps(row), encoding="utf-8")
    with pytest.raises(DataError, match=r"ground_truth: the key 'points' stands twice in one object; keep one"):
        load_items(path)
