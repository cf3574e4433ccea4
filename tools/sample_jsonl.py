"""Write the sample release's `tasks.jsonl` from `tasks.json`, the one source: `python tools/sample_jsonl.py`."""

from __future__ import annotations

from wildtrace.release.formats import load_items, to_jsonl
from wildtrace.release.sample_release import sample_data

if __name__ == "__main__":
    sample_data().with_suffix(".jsonl").write_bytes(to_jsonl(load_items(sample_data())))
