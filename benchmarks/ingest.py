"""Ingest of real documents: characters a second and core, and memory, against the bounds.

python -m benchmarks.ingest CORPUS_FOLDER
"""

from __future__ import annotations

import resource
import sys
import time
from pathlib import Path

from wildtrace.construct.ingest.formats import FORMATS
from wildtrace.construct.ingest.ingest import ingest

LEAST_A_SECOND = 350_000
MOST_MEGABYTES = 150


def main() -> int:
    """Ingest every file of a known format in a folder; 1 where a bound is missed."""
    suffixes = {suffix for each in FORMATS for suffix in each.suffixes}
    paths = sorted(path for path in Path(sys.argv[1]).rglob("*") if path.suffix.lower() in suffixes)
    chars, began = 0, time.process_time()
    for path in paths:
        chars += len(ingest(path.read_bytes(), path.name).text)
    seconds = time.process_time() - began
    megabytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"{len(paths)} files, {chars:,} characters in {seconds:.1f} CPU s: {chars / seconds:,.0f} a second")
    print(f"at least {LEAST_A_SECOND:,} wanted; {megabytes:,.0f} MB, at most {MOST_MEGABYTES} wanted")
    return 1 if chars / seconds < LEAST_A_SECOND or megabytes > MOST_MEGABYTES else 0


if __name__ == "__main__":
    sys.exit(main())
