"""Grounding a file of quotes: rows in, rows out, in order, and one clear sentence for bad input."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from wildtrace.errors import DataError, OutputError
from wildtrace.ground.run import ground_file


def ground(folder: Path, text: bytes, rows: list[Any], others: dict[str, bytes] | None = None) -> list[dict[str, Any]]:
    """Write the files, ground, read the rows."""
    (folder / "s.txt").write_bytes(text)
    (folder / "q.jsonl").write_text("\n".join(json.dumps(row) for row in rows), encoding="utf-8")
    paths = [folder / name for name in others or {}]
    for path, content in zip(paths, (others or {}).values(), strict=True):
        path.write_bytes(content)
    ground_file(folder / "s.txt", paths, folder / "q.jsonl", folder / "o.jsonl")
    return [json.loads(line) for line in (folder / "o.jsonl").read_text(encoding="utf-8").split("\n") if line]


def test_rows_come_out_in_order_with_the_documented_keys(tmp_path: Path) -> None:
    """One row a quote, ids of any kind kept, nulls unless located, candidates by the path as given."""
    rows = ground(
        tmp_path,
        "The boiler exploded. 锅炉炸了。".encode(),
        [
            {"id": "b", "quote": "锅炉炸了"},
            {"id": 7, "quote": "elsewhere entirely"},
            {"id": "a", "quote": "a third text"},
        ],
        {"other.txt": b"Here is a third text."},
    )
    other = str(tmp_path / "other.txt")
    place = {"source": str(tmp_path / "s.txt"), "start": 21, "end": 25, "score": 1.0}
    assert rows == [
        {"id": "b", "status": "exact", "start": 21, "end": 25, "text": "锅炉炸了", "candidates": [place]},
        {"id": 7, "status": "unsupported", "start": None, "end": None, "text": None, "candidates": []},
        {
            "id": "a",
            "status": "misattributed",
            "start": None,
            "end": None,
            "text": None,
            "candidates": [{"source": other, "start": 8, "end": 20, "score": 1.0}],
        },
    ]


def test_the_source_is_read_untranslated(tmp_path: Path) -> None:
    """A byte order mark and carriage returns count; the text of a span keeps them."""
    content = "\ufeffOne line\r\nand another\rend"
    (row,) = ground(tmp_path, content.encode(), [{"id": 1, "quote": "line and another end"}])
    assert ("normalised", content.index("line"), len(content)) == (row["status"], row["start"], row["end"])
    assert "line\r\nand another\rend" == row["text"]


def test_separators_inside_a_quote_do_not_split_its_row(tmp_path: Path) -> None:
    """Rows end at line feeds alone: U+2028 and U+0085 in a quote are text; a lone surrogate is no failure."""
    (tmp_path / "s.txt").write_text("one\u2028two", encoding="utf-8")
    lines = '{"id":"\\ud800","quote":"\\ud800"}\n\n{"id":2,"quote":"one\u2028two"}\n'
    (tmp_path / "q.jsonl").write_bytes(b"\xef\xbb\xbf" + lines.encode())
    counts = ground_file(tmp_path / "s.txt", [], tmp_path / "q.jsonl", tmp_path / "o.jsonl")
    assert {"unsupported": 1, "exact": 1} == counts
    assert b'"\\ud800"' in (tmp_path / "o.jsonl").read_bytes()


@pytest.mark.parametrize(
    "line",
    [
        "{",
        "[1]",
        "null",
        '{"id": 1}',
        '{"quote": "x"}',
        '{"id": 1, "quote": 3}',
        '{"id": null, "quote": "x"}',
        '{"id": 1, "quote": "x", "window": [5]}',
        '{"id": 1, "quote": "x", "window": [5, 5]}',
        '{"id": 1, "quote": "x", "window": [-1, 5]}',
        '{"id": 1, "quote": "x", "window": [true, 5]}',
        "[" * 100_000,
    ],
)
def test_a_bad_row_is_named(tmp_path: Path, line: str) -> None:
    """The file and the line of the first bad row stand in the message, and nothing is written."""
    (tmp_path / "s.txt").write_text("text", encoding="utf-8")
    (tmp_path / "q.jsonl").write_text(f'{{"id": 0, "quote": "text"}}\n{line}\n', encoding="utf-8")
    with pytest.raises(DataError, match=r"q\.jsonl, line 2"):
        ground_file(tmp_path / "s.txt", [], tmp_path / "q.jsonl", tmp_path / "o.jsonl")
    assert not (tmp_path / "o.jsonl").exists()


def test_rows_answer_in_order_whatever_their_ids_and_quotes(tmp_path: Path) -> None:
    """An id that stands twice is the caller's business, and an empty quote is a row like others: it stands nowhere."""
    rows = [{"id": "a", "quote": "text"}, {"id": "a", "quote": ""}, {"id": "b", "quote": " \u3000"}]
    found = ground(tmp_path, b"text", rows)
    said = [("a", "exact"), ("a", "unsupported"), ("b", "unsupported")]
    assert said == [(row["id"], row["status"]) for row in found]


@pytest.mark.parametrize(
    ("out", "said"),
    [("s.txt", "the source itself"), ("q.jsonl", "the file of quotes"), ("b.txt", "one of the other sources")],
)
def test_nothing_that_is_read_is_written_over(tmp_path: Path, out: str, said: str) -> None:
    """The source, the quotes and other sources are refused as the output, through a link too."""
    for name in ("s.txt", "b.txt"):
        (tmp_path / name).write_text("text", encoding="utf-8")
    (tmp_path / "q.jsonl").write_text('{"id": 0, "quote": "text"}', encoding="utf-8")
    before = (tmp_path / out).read_bytes()
    (tmp_path / "link").symlink_to(tmp_path / out)
    for path in (tmp_path / out, tmp_path / "link"):
        with pytest.raises(DataError, match=f"{path.name} is {said}.*; name another file"):
            ground_file(tmp_path / "s.txt", [tmp_path / "b.txt"], tmp_path / "q.jsonl", path)
    assert before == (tmp_path / out).read_bytes()


def test_files_that_cannot_be_read_or_written_are_named(tmp_path: Path) -> None:
    """A missing source, a source that is not UTF-8, a folder that takes no file."""
    (tmp_path / "q.jsonl").write_text('{"id": 0, "quote": "text"}', encoding="utf-8")
    (tmp_path / "latin.txt").write_bytes(b"caf\xe9")
    (tmp_path / "s.txt").write_text("text", encoding="utf-8")
    with pytest.raises(DataError, match=r"gone\.txt cannot be read"):
        ground_file(tmp_path / "gone.txt", [], tmp_path / "q.jsonl", tmp_path / "o.jsonl")
    with pytest.raises(DataError, match=r"latin\.txt is not UTF-8 \(byte 3\)"):
        ground_file(tmp_path / "latin.txt", [], tmp_path / "q.jsonl", tmp_path / "o.jsonl")
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(OutputError, match="cannot be written"):
        ground_file(tmp_path / "s.txt", [], tmp_path / "q.jsonl", tmp_path / "file" / "o.jsonl")


def test_an_empty_file_of_quotes_gives_an_empty_file(tmp_path: Path) -> None:
    """No quotes, no rows, no failure."""
    assert [] == ground(tmp_path, b"text", [])


@pytest.mark.corpus
@pytest.mark.skipif("WILDTRACE_CORPUS" not in os.environ, reason="WILDTRACE_CORPUS names no folder")
def test_the_clues_of_the_case_card_stand_where_it_says(tmp_path: Path) -> None:
    """The six clues of the paper's worked example are exact, and still located when their line ends are lost."""
    corpus = Path(os.environ["WILDTRACE_CORPUS"])
    card = json.loads((corpus / "case-card.json").read_text(encoding="utf-8"))
    source = corpus / Path(card["source_file"]).name
    rows = [{"id": clue["id"], "quote": clue["quote"]} for clue in card["clues"]]
    rows += [{"id": clue["id"], "quote": " ".join(clue["quote"].split())} for clue in card["clues"]]
    (tmp_path / "q.jsonl").write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    ground_file(source, [], tmp_path / "q.jsonl", tmp_path / "o.jsonl")
    found = [json.loads(line) for line in (tmp_path / "o.jsonl").read_text(encoding="utf-8").splitlines()]
    expected = [(clue["start"], clue["end"]) for clue in card["clues"]]
    assert expected * 2 == [(row["start"], row["end"]) for row in found]
