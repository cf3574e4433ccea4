"""`wildtrace ground` as a user runs it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path


def run(*arguments: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run the command in a folder."""
    command = [sys.executable, "-m", "wildtrace", "ground", *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


def test_quotes_are_grounded_and_counted(tmp_path: Path) -> None:
    """The command writes the rows, counts the statuses and takes other sources after --also and at the end."""
    (tmp_path / "book.txt").write_text("It was a dark night at sea.", encoding="utf-8")
    (tmp_path / "a.txt").write_text("The gale blew from the west.", encoding="utf-8")
    (tmp_path / "b.txt").write_text("The lamp went out at four.", encoding="utf-8")
    quotes = ["a dark night", "The gale blew from", "The lamp went out"]
    rows = "\n".join(json.dumps({"id": n, "quote": quote}) for n, quote in enumerate(quotes))
    (tmp_path / "q.jsonl").write_text(rows, encoding="utf-8")
    options = ["--source", "book.txt", "--also", "a.txt", "b.txt", "--quotes", "q.jsonl", "--out", "o.jsonl"]
    done = run(*options, folder=tmp_path)
    assert (0, "") == (done.returncode, done.stderr)
    assert "o.jsonl: 3 quotes: 1 exact, 2 misattributed\n" == done.stdout
    found = [json.loads(line) for line in (tmp_path / "o.jsonl").read_text(encoding="utf-8").splitlines()]
    assert ["a.txt", "b.txt"] == [row["candidates"][0]["source"] for row in found[1:]]


def test_bad_input_is_one_sentence_and_its_exit_status(tmp_path: Path) -> None:
    """A missing file is exit 65 with one line and no traceback; a missing option is exit 64."""
    done = run("--source", "none.txt", "--quotes", "none.jsonl", "--out", "o.jsonl", folder=tmp_path)
    assert (65, 1) == (done.returncode, done.stderr.count("\n"))
    assert "none.jsonl" in done.stderr
    assert 64 == run("--source", "none.txt", folder=tmp_path).returncode
