"""Tables as CSV, JSON, Markdown, LaTeX and text: numbers, gaps, merged columns, and labels that try to break out."""

from __future__ import annotations

import csv
import io
import json
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from wildtrace.diagnose.base import Cell, Column, Format, Gap, Table
from wildtrace.tables.formats import RENDERERS, to_csv, to_json, to_latex, to_markdown, to_text
from wildtrace.tables.layout import format_cell, lay_out
from wildtrace.tables.table import with_systems

TABLE = Table(
    name="made",
    title="Made: 50 % & more",
    columns=(
        Column("model", role="key"),
        Column("score", "score", "points", n=481),
        Column("low", "score", "points", "low", about="95 % interval over items"),
        Column("high", "score", "points", "high", about="95 % interval over items"),
        Column("L0", "score"),
        Column("L0 n", "integer", role="count"),
        Column("ties", role="mark"),
    ),
    rows=(
        ("alpha_1", 75.31415, 72.7, 77.74, 82.66, 12, True),
        ("模型|二", 5.0, Gap("n = 1, no interval"), Gap("n = 1, no interval"), Gap("no items"), 0, False),
    ),
    n=481,
    notes=("Seed 0.",),
)
HOSTILE = "=cmd|'/c calc'!A1 <script>alert(1)</script> **b** \\input{x} $y$ \x1b[31m\u2028 | end\nnext"


def hostile() -> Table:
    """A table whose labels come from an untrusted file."""
    return Table("made", HOSTILE, (Column("model", role="key"),), ((HOSTILE,),), notes=(HOSTILE,))


def test_intervals_and_counts_stand_behind_their_numbers() -> None:
    """Low and high become one interval; a count goes into parentheses; a column says its n."""
    grid = lay_out(TABLE)

    assert ("model", "score (n = 481)", "95 % interval", "L0 (n)", "ties") == grid.headers
    assert ("alpha_1", "75.3", "[72.7, 77.7]", "82.7 (12)", "yes") == grid.rows[0]


def test_a_gap_is_a_dash_and_its_reason_a_note() -> None:
    """No gap prints as a number; every reason is under the table, once."""
    grid = lay_out(TABLE)

    assert ("模型|二", "5.0", "–", "– (0)", "") == grid.rows[1]
    assert ("Seed 0.", "– n = 1, no interval.", "– no items.") == grid.notes


@pytest.mark.parametrize(
    ("value", "kind", "expected"),
    [
        (75.25, "score", "75.2"),
        (-4.06, "signed", "-4.1"),
        (3.6, "signed", "+3.6"),
        (0.8005, "share", "80.0 %"),
        (0.9286, "coefficient", "0.929"),
        (0.00001, "probability", "<0.0001"),
        (0.0123, "probability", "0.0123"),
        (8658, "integer", "8,658"),
        (67.43, "number", "67.4"),
        (0.886, "number", "0.886"),
        (1.0, "number", "1.000"),
        (60, "number", "60"),
        (True, "text", "yes"),
    ],
)
def test_each_format_prints_as_people_read_it(value: Cell, kind: Format, expected: str) -> None:
    """One decimal for points, three for coefficients, and no p of 0."""
    assert expected == format_cell(value, Column("x", kind))


def test_csv_keeps_every_digit_and_leaves_gaps_empty() -> None:
    """Machines get all columns and full precision."""
    rows = list(csv.reader(io.StringIO(to_csv(TABLE))))

    assert ["model", "score", "low", "high", "L0", "L0 n", "ties"] == rows[0]
    assert ["alpha_1", "75.31415", "72.7", "77.74", "82.66", "12", "true"] == rows[1]
    assert ["模型|二", "5.0", "", "", "", "0", "false"] == rows[2]


def test_csv_cells_do_not_run_in_a_spreadsheet() -> None:
    """A name that begins like a formula gets a leading apostrophe; negative numbers stay numbers."""
    table = Table("t", "t", (Column("a"), Column("b", "signed")), (("=1+1", -0.5),))

    assert ["'=1+1", "-0.5"] == list(csv.reader(io.StringIO(to_csv(table))))[1]


def test_csv_headers_do_not_run_in_a_spreadsheet() -> None:
    """Some tables have a column for each system, so a header is as foreign as a cell."""
    table = Table("t", "t", (Column("=1+1"), Column("b\x1b")), (("x", 1),))

    assert ["'=1+1", "b\\x1b"] == next(csv.reader(io.StringIO(to_csv(table))))


def test_csv_shows_control_characters_as_escapes() -> None:
    """A terminal that prints the file obeys nothing in it, each row is one line, other scripts stay as they are."""
    table = Table("t", "t", (Column("a"),), (("模型\x1b[31m\x00\x9b\u2028",), ("a\r\nb",), ("\t=1",), ("a\u200cb",)))

    lines = ["a", "模型\\x1b[31m\\x00\\x9b\\u2028", "a\\r\\nb", "'\\t=1", "a\u200cb"]
    assert lines == to_csv(table).split("\n")[:-1]


def test_json_states_gaps_with_their_reasons() -> None:
    """The JSON form holds columns, rows and notes; a gap is an object."""
    data = json.loads(to_json(TABLE))

    assert {"gap": "n = 1, no interval"} == data["rows"][1][2]
    assert {"name": "score", "format": "score", "unit": "points", "role": "value", "n": 481, "about": ""} == data[
        "columns"
    ][1]
    assert data["n"] == 481


def test_markdown_emphasises_marked_rows() -> None:
    """Rows that tie the leader are bold, numbers are right-aligned, bars in names are escaped."""
    text = to_markdown(TABLE)

    assert "| **alpha\\_1** | **75.3** |" in text
    assert "|---|---:|---:|---:|---|" in text
    assert "模型\\|二" in text
    assert "- n = 481." in text


def test_latex_escapes_and_emphasises() -> None:
    """Per cent signs, ampersands and underscores are escaped; marked rows are bold."""
    text = to_latex(TABLE)

    assert r"\caption{Made: 50 \% \& more}" in text
    assert r"\textbf{alpha\_1} & \textbf{75.3}" in text
    assert text.count(r"\begin{table}") == text.count(r"\end{table}") == 1


def test_text_draws_a_table_without_colour() -> None:
    """The terminal form has borders and notes, and no escape codes."""
    text = to_text(TABLE, width=100)

    assert "75.3" in text
    assert "– no items." in text
    assert "\x1b" not in text


@pytest.mark.parametrize("kind", ["md", "tex"])
def test_hostile_labels_stay_labels(kind: str) -> None:
    """Markup, commands, line breaks and control characters from data cannot leave their cell."""
    text = RENDERERS[kind](hostile())

    assert "<script>" not in text
    assert "\\input{x}" not in text
    assert "\x1b" not in text
    assert "\u2028" not in text
    assert "\nnext" not in text


def test_hostile_text_moves_no_cursor() -> None:
    """A terminal gets no control character and no markup of rich."""
    text = to_text(hostile(), width=200)

    assert "\x1b" not in text
    assert "[31m" in text


def test_a_ragged_table_is_refused() -> None:
    """A row of another width and two columns of one name are programming errors, found at once."""
    with pytest.raises(ValueError, match="does not have 1 cells"):
        Table("t", "t", (Column("a"),), (("x", "y"),))
    with pytest.raises(ValueError, match="share a name"):
        Table("t", "t", (Column("a"), Column("a")), ())


def test_a_second_interval_has_a_short_header() -> None:
    """The first is named in full, the one of documents by its word and its level."""
    items, documents = "95 % interval over items", "95 % interval over source documents"
    limits = (
        Column("low", "score", "points", "low", about=items),
        Column("high", "score", "points", "high", about=items),
        Column("document_low", "score", "points", "low", about=documents),
        Column("document_high", "score", "points", "high", about=documents),
    )
    table = Table(name="t", title="T", columns=limits, rows=((1.0, 2.0, 1.5, 2.5),), n=3)

    assert ("95 % interval", "document 95 %") == lay_out(table).headers


UNSEEN = "模型\x9b31m\u202egpj\u2066\u200b\U000e0041\ud83d"


def test_json_shows_what_is_not_seen_as_escapes() -> None:
    """A terminal that prints it obeys nothing in it; it reads back as it was, other scripts stay as they are."""
    text = to_json(Table("t", "t", (Column("a"),), ((UNSEEN,),)))

    assert [[UNSEEN.replace("\ud83d", "")]] == [[cell.replace("\ud83d", "") for cell in json.loads(text)["rows"][0]]]
    assert '"模型\\u009b31m\\u202egpj\\u2066\\u200b\\udb40\\udc41\\ud83d"' in text
    assert all(line.isprintable() for line in text.split("\n"))


@pytest.mark.parametrize("render", [to_text, to_markdown, to_latex])
def test_what_is_not_seen_is_shown_wherever_people_read(render: Callable[[Table], str]) -> None:
    """No cursor moves, no word turns round, and two names that differ by a zero-width character look different."""
    text = render(Table("t", "李\u200b", (Column("a\u202e"),), ((UNSEEN,), ("x\ny",)), notes=("\u2067",)))

    assert all(line.isprintable() for line in text.split("\n"))
    assert "x y" in text
    for code in ("x9b31m", "u202egpj", "u2066", "u200b", "U000e0041", "ud83d", "u2067"):
        assert code in text


def test_csv_turns_no_word_round() -> None:
    """The characters that turn the direction of writing are shown; a joiner is part of a word."""
    table = Table("t", "t", (Column("a"),), (("\u202egpj\u2069\u200f",), ("می\u200cخواهم",)))

    assert ["a", "\\u202egpj\\u2069\\u200f", "می\u200cخواهم"] == to_csv(table).split("\n")[:-1]


def test_what_a_table_counts_stands_beside_its_number() -> None:
    """Answers of a table of judges, items of a leaderboard; nothing where no column says it. Headers are words."""
    for unit, said in (("answers", "n = 42 answers."), ("items", "n = 42 items."), ("", "n = 42.")):
        columns = (Column("source_family", role="key"), Column("n", "integer", unit, "count"))
        table = Table("made", "Made", columns, (("英文文学", 42),), n=42)
        assert said in to_markdown(table).replace("- ", "").splitlines()
        assert ("source family", "n") == lay_out(table).headers


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("x;=HYPERLINK(1)", "x;'=HYPERLINK(1)"),
        ("＝1+1", "'＝1+1"),
        ('x; "=1', "x;' \"=1"),
        ("a=b; c-d", "a=b; c-d"),
        ("'=1+1", "'=1+1"),
    ],
)
def test_csv_cells_do_not_run_where_a_semicolon_divides(text: str, expected: str) -> None:
    """A spreadsheet that splits at semicolons begins a cell behind each; a full-width sign counts as the sign."""
    table = Table("t", "t", (Column("a"),), ((text,),))

    assert [expected] == list(csv.reader(io.StringIO(to_csv(table))))[1]


def test_latex_takes_no_name_for_an_optional_argument(tmp_path: Path) -> None:
    """A row that begins with a bracket is not read as the argument of the row end before it."""
    table = Table("t", "t", (Column("model", role="key"), Column("s", "score")), (("a", 1.0), ("[Beta] model", 2.0)))
    text = to_latex(table)

    assert r"{[}Beta{]} model & 2.0 \\" in text
    engine = next(filter(None, map(shutil.which, ("tectonic", "pdflatex", "xelatex"))), None)
    if engine is None:
        return
    source = tmp_path / "t.tex"
    source.write_text(rf"\documentclass{{article}}\usepackage{{booktabs}}\begin{{document}}{text}\end{{document}}")
    subprocess.run([engine, source.name], cwd=tmp_path, check=True, stdin=subprocess.DEVNULL)


def test_headers_from_data_are_shown_as_they_are() -> None:
    """Two systems that differ in a line below and a space have two headers; a statistic's own words get spaces."""
    table = Table("t", "t", with_systems([Column("of_all")], ("llama_3 8b", "llama 3_8b"), "score", ""), ())

    assert ("of all", "llama_3 8b", "llama 3_8b") == lay_out(table).headers


def test_columns_of_one_name_are_told_apart() -> None:
    """A system called like a column keeps its header and gets a name of its own."""
    columns = with_systems([Column("mean", "score")], ("mean", "mean #2"), "score", "")

    assert ["mean", "mean #2", "mean #2 #2"] == [column.name for column in columns]
    assert ["mean", "mean", "mean #2"] == [column.header for column in columns]


def test_numbers_that_rest_on_flagged_answers_are_marked() -> None:
    """A dagger in what people read; in CSV a last column that names them; in JSON their positions."""
    table = replace(TABLE, flagged=frozenset({(0, 1), (0, 4)}))

    assert ("alpha_1", "75.3 †", "[72.7, 77.7]", "82.7 (12) †", "yes") == lay_out(table).rows[0]
    rows = list(csv.reader(io.StringIO(to_csv(table))))
    assert ["flagged", "score, L0", ""] == [row[-1] for row in rows]
    assert [[0, 1], [0, 4]] == json.loads(to_json(table))["flagged"]
    assert r"75.3 \dag{}" in to_latex(table)
