"""Rules 1 to 5: how data and documents are read."""

from __future__ import annotations

import hashlib
import io
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.fakes import CRLF_AS_READ, IDS, ROWS, Fake, Made, answer, dumped, run_config, with_string_truth
from wildtrace.endpoints.caps import Cap, Route
from wildtrace.errors import DataError
from wildtrace.evaluate.run import evaluate
from wildtrace.release.corpus import locate, locate_all
from wildtrace.release.formats import load_items, to_json, to_jsonl
from wildtrace.scores.results import read_responses
from wildtrace.text.reading import decode, document_facts, read_text
from wildtrace.vocabulary import FAMILIES, TIERS

GEOMETRIES = ("forward", "intersection", "comparative", "temporal", "causal", "abductive", "counterfactual")


def as_python_reads(raw: bytes) -> str:
    """Python's own text mode, the rule's reference."""
    return io.TextIOWrapper(io.BytesIO(raw), encoding="utf-8").read().removeprefix("\ufeff")


@given(st.lists(st.sampled_from(["a", "水", "\r", "\n", "\r\n", "\ufeff", "\x85", "\u2028", "😀"])).map("".join))
def test_rule_01_text_is_read_as_python_text_mode_reads_it(text: str) -> None:
    """A leading mark dropped, CRLF and CR become LF, everything else stays; for any mix of them."""
    read = decode(text.encode(), "x.txt")
    assert as_python_reads(text.encode()) == read.text
    assert (text != read.text) == read.changed
    assert len(text) == read.raw_chars


def test_rule_01_what_is_not_utf_8_is_refused_by_name(tmp_path: Path) -> None:
    """Strict: exit status 65, the file and the byte named."""
    path = tmp_path / "gbk.txt"
    path.write_bytes(b"abc" + "沉船".encode("gbk"))
    with pytest.raises(DataError, match=r"gbk\.txt is not UTF-8 \(byte 3\)") as refused:
        read_text(path)
    assert 65 == refused.value.exit_status


def test_rule_01_length_cap_and_hash_refer_to_the_text_as_read() -> None:
    """Code points, not bytes and not UTF-16 units, after reading."""
    facts = document_facts("x.txt", decode("\ufeff水\r\n😀".encode(), "x.txt"))
    assert (3, 5) == (facts.chars, facts.raw_chars)
    assert hashlib.sha256("水\n😀".encode()).hexdigest() == facts.sha256
    assert Route(Cap(3, 3), "table").admits(facts)
    assert Route(Cap(3, 3), "table").moved_by_reading(facts)
    assert not Route(Cap(2, 2), "table").admits(facts)


async def test_rule_01_a_changed_document_is_named_and_loudly_where_a_cap_moves(made: Made) -> None:
    """The provenance names it; where the cap decision moved, a line shouts."""
    chars = len(CRLF_AS_READ)
    lines: list[str] = []

    class Listening:
        def start(self, what: str, total: int, done: int) -> None: ...

        def advance(self, finished: object) -> None: ...

        def say(self, line: str) -> None:
            lines.append(line)

    fake = Fake(answer)
    config = run_config(caps={"tested": {"en": chars, "cjk": 10_000}})
    await evaluate(made.evaluate_job(config), Listening(), fake.opener)
    assert ["incident.txt"] == read_responses(made.responses).provenance["documents_changed"]
    assert [CRLF_AS_READ] == [call.prompt.split("Document:\n")[1] for call in fake.asked if call.question_id == "tr-1"]
    assert 1 == sum("MOVED ITS CAP DECISION" in line and line.startswith("incident.txt") for line in lines)


def test_rule_02_both_forms_and_both_schemas_load_to_the_same_tasks(made: Made) -> None:
    """Nested list, object with tasks, JSON Lines with string truth, and the paper's flat schema."""
    items = load_items(made.data)
    assert list(IDS) == [item.question_id for item in items]
    assert items == load_items(made.lines)
    made.data.write_text(dumped({"tasks": list(ROWS)}), encoding="utf-8")
    assert items == load_items(made.data)
    made.data.write_text(dumped([paper_row(row) for row in ROWS]), encoding="utf-8")
    assert items == load_items(made.data)
    made.lines.write_text("\n".join(dumped(paper_row(row)) for row in ROWS), encoding="utf-8")
    assert items == load_items(made.lines)


def paper_row(row: dict[str, object]) -> dict[str, object]:
    """The same task in the paper's schema (appendix A.2)."""
    truth = row["ground_truth"]
    assert isinstance(truth, dict)
    flat = {name: truth[name] for name in ("evidence_spans", "trail_edges", "reference_answer", "key_facts")}
    criteria = [
        {"criterion" if key == "correct_criterion" else key: value for key, value in line.items()}
        for line in truth["scoring_rubric"]
    ]
    kept = {name: value for name, value in row.items() if name not in ("question_text", "ground_truth")}
    corpus_file = f"corpus/{row['corpus_file']}"
    return {**kept, "corpus_file": corpus_file, "question": row["question_text"], **flat, "rubric": criteria}


@pytest.mark.parametrize("missing", ["question_id", "question_text", "corpus_file", "scoring_rubric"])
def test_rule_02_only_four_fields_are_required(tmp_path: Path, missing: str) -> None:
    """A task of just these loads; without one of them the error names it and the row."""
    path = tmp_path / "tasks.json"
    rubric = [{"points": 1, "correct_criterion": "c"}]
    row = {"question_id": "q", "question_text": "t", "corpus_file": "d.txt", "ground_truth": {"scoring_rubric": rubric}}
    path.write_text(json.dumps([row]))
    (item,) = load_items(path)
    assert ("q", "t", "d.txt", 1) == (
        item.question_id,
        item.question.text,
        item.question.corpus_file,
        item.rubric.points,
    )
    row.pop(missing, None)
    if missing == "scoring_rubric":
        row["ground_truth"] = {}
    path.write_text(json.dumps([row]))
    with pytest.raises(DataError, match=rf"task 1.*{missing} is missing"):
        load_items(path)


def test_rule_02_unknown_fields_are_kept_and_one_writer_writes_one_form(made: Made) -> None:
    """What this program does not know survives reading and writing: in the row, the truth, and every list in it."""
    row = json.loads(dumped(ROWS[0]))
    for name in ("evidence_spans", "trail_edges", "scoring_rubric"):
        row["ground_truth"][name][0]["partial"] = ["水", 1]
    row["review"] = {"by": "水"}
    row["ground_truth"]["difficulty"] = 3
    made.write_tasks([row])
    for data in (made.data, made.lines):
        items = load_items(data)
        (nested,) = json.loads(to_json(items))
        line = json.loads(to_jsonl(items))
        assert row == nested
        assert row == {**line, "ground_truth": json.loads(line["ground_truth"])}


def test_rule_03_values_are_these_and_synonyms_are_read(made: Made) -> None:
    """The words written stand for themselves; common synonyms, spaces, hyphens and capitals are read as them."""
    assert ("technical_report", "english_literature", "chinese_literature") == FAMILIES.names
    assert tuple(f"L{n}" for n in range(8)) == TIERS.names
    said = {
        **{name: name for name in GEOMETRIES},
        "forward_chain": "forward",
        "Forward Chain": "forward",
        "temporal-reconstruction": "temporal",
        "abduction": "abductive",
        "something new": "something new",
    }
    for word, meant in said.items():
        made.write_tasks([{**ROWS[0], "geometry": word}])
        assert meant == load_items(made.data)[0].geometry
    families = {name: name for name in FAMILIES} | {"cjk_literature": "chinese_literature"}
    for word, meant in families.items():
        made.write_tasks([{**ROWS[0], "source_family": word}])
        assert meant == load_items(made.data)[0].source_family


def test_rule_03_the_rows_tier_wins(made: Made) -> None:
    """Whatever the token estimate says; a small letter and spaces do not matter."""
    made.write_tasks([{**ROWS[0], "tier": " l3"}])
    assert "L3" == load_items(made.data)[0].tier
    made.write_tasks([{**ROWS[0], "tier": "L7", "doc_token_estimate": 5}])
    assert "L7" == load_items(made.data)[0].tier


@pytest.mark.parametrize("separator", ["\u2028", "\u2029", "\u0085"])
def test_rule_04_lines_are_split_at_lf_only(made: Made, separator: str) -> None:
    """Other line separators inside a text are text; blank lines are skipped."""
    question = f"Who{separator}came?"
    line = dumped(with_string_truth({**ROWS[0], "question_text": question}))
    assert separator in line
    made.lines.write_text(f"\n  \n{line}\n\n", encoding="utf-8", newline="")
    assert [question] == [item.question.text for item in load_items(made.lines)]


def test_rule_04_a_duplicate_question_id_is_an_error_that_names_it(made: Made) -> None:
    """In both forms, with the row."""
    made.write_tasks([ROWS[0], ROWS[2], {**ROWS[1], "question_id": "zh-1"}])
    with pytest.raises(DataError, match=r"tasks\.json: task 3: question_id 'zh-1' stands twice"):
        load_items(made.data)
    with pytest.raises(DataError, match=r"tasks\.jsonl: line 3: question_id 'zh-1' stands twice"):
        load_items(made.lines)


@pytest.mark.parametrize(
    "name", ["../x.txt", "a/../../x.txt", "/etc/passwd", "..", ".", "", "C:\\x", "..\\x.txt", "a\0b"]
)
def test_rule_05_a_path_that_leaves_the_corpus_is_refused(made: Made, name: str) -> None:
    """By its name, before the file system is looked at."""
    (made.folder / "x.txt").write_text("outside")
    with pytest.raises(DataError, match="leaves the corpus folder"):
        locate(made.corpus, name)


def test_rule_05_a_link_out_of_the_corpus_is_refused(made: Made) -> None:
    """A link of a file or of a folder; a link inside the corpus is a file like another."""
    outside = made.folder / "secret.txt"
    outside.write_text("outside")
    (made.corpus / "out.txt").symlink_to(outside)
    (made.corpus / "up").symlink_to(made.folder)
    (made.corpus / "in.txt").symlink_to(made.corpus / "voyage.txt")
    for name in ("out.txt", "up/secret.txt"):
        with pytest.raises(DataError, match=r"link out of"):
            locate(made.corpus, name)
    assert {"in.txt": made.corpus / "in.txt"} == locate_all(made.corpus, ["in.txt"])


async def test_rule_05_a_missing_corpus_file_stops_the_run_before_any_request(made: Made) -> None:
    """It is named; nothing is asked, nothing is written, nothing is a zero."""
    (made.corpus / "水闸.txt").unlink()
    fake = Fake(answer)
    with pytest.raises(DataError, match=r"lacks 水闸\.txt"):
        await evaluate(made.evaluate_job(run_config()), opener=fake.opener)
    assert ([], False) == (fake.asked, made.responses.exists())
