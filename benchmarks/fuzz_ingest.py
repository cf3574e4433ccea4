"""Mutated files of every format, each read in the child process: no traceback, no lost child, no file unread after it.

python -m benchmarks.fuzz_ingest [--files N | --seconds S] [--seed N]
"""

from __future__ import annotations

import argparse
import io
import random
import sys
import time
from collections import Counter

import docx
from tests.construct.ingest.files import book, pdf

from wildtrace.construct.ingest.child import Child, Job
from wildtrace.construct.ingest.draft import Options

PAGE = "<h1>The Loss</h1><p>It was dark<sup>1</sup>, and <b>the sea</b> rose.</p><table><tr><td>a<td>b</table>"
SPLICES = (
    b"<",
    b"\x00",
    b"&#x110000;",
    b"\xff\xfe",
    b"[",
    b"](",
    b"/Length 999999",
    b"<!--",
    b"\xed\xa0\x80",
    b"PK\x03\x04",
)


def seeds() -> dict[str, bytes]:
    """A small file of every format."""
    document = docx.Document()
    document.add_heading("The Loss", 1)
    document.add_paragraph("It was dark, and the sea rose high.")
    buffer = io.BytesIO()
    document.save(buffer)
    return {
        "f.txt": "CHAPTER I\n\nIt was dark, and the sea rose high.\n\n话说那一日。\n".encode(),
        "f.md": b"# The Loss\n\nIt was *dark*[^1]. [a](b)\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n[^1]: So.\n",
        "f.html": f"<html><body>{PAGE}</body></html>".encode(),
        "f.xhtml": f"<?xml version='1.0'?><html><body>{PAGE}</body></html>".encode(),
        "f.epub": book({"a.xhtml": PAGE, "b.xhtml": f"<p>{PAGE}</p>"}),
        "f.pdf": pdf([["The boiler exploded at noon on the fifth.", "Fifteen men were killed."], ["The end."]]),
        "f.docx": buffer.getvalue(),
    }


def mutated(raw: bytes, draw: random.Random) -> bytes:
    """Some bytes changed, cut, doubled or put in."""
    changed = bytearray(raw)
    for _ in range(draw.randint(1, 8)):
        at = draw.randrange(len(changed) + 1)
        kind = draw.randrange(5)
        if kind == 0 and at < len(changed):
            changed[at] = draw.randrange(256)
        elif kind == 1:
            del changed[at : at + draw.randint(1, 40)]
        elif kind == 2:
            changed[at:at] = draw.choice(SPLICES)
        elif kind == 3:
            changed[at:at] = changed[at : at + draw.randint(1, 200)]
        else:
            changed[at:at] = draw.randbytes(draw.randint(1, 8))
    return bytes(changed)


def main() -> int:
    """Read mutated files until the time or the number is up; 1 where a library's own error came through."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--files", type=int, default=100_000)
    parser.add_argument("--seconds", type=float, default=float("inf"))
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    draw, outcomes, faults = random.Random(options.seed), Counter[str](), Counter[str]()
    files, child, end = list(seeds().items()), Child(), time.monotonic() + options.seconds
    for number in range(options.files):
        if time.monotonic() > end:
            break
        name, raw = files[number % len(files)]
        reply = child.read(Job(mutated(raw, draw), name, Options()))
        is_lost = "breaks its reader" in reply.fault or "takes more than" in reply.fault
        outcomes["read" if reply.ingested else "lost" if is_lost else "refused"] += 1
        if is_lost or (reply.fault and "\n" in reply.fault) or "repair or convert it" in reply.fault:
            faults[reply.fault] += 1
    child.close()
    print(f"{outcomes.total():,} files: {dict(outcomes)}")
    for fault, count in faults.most_common(20):
        print(f"{count} x {fault}")
    return 1 if outcomes["lost"] else 0


if __name__ == "__main__":
    sys.exit(main())
