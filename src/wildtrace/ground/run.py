"""Ground a file of quotes in a source file: read, ground, write one row a quote in the quotes' order."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from wildtrace.errors import DataError
from wildtrace.files import refuse_input, write_atomically
from wildtrace.ground.grounding import Grounding, Quote, Source, ground_all

Row = tuple[Any, Quote]


def ground_file(source: Path, others: Sequence[Path], quotes: Path, out: Path) -> Counter[str]:
    """Ground every quote of a JSON Lines file and write `out`; the count of each status.

    The source is read untranslated: offsets count its code points as they stand in the file, carriage returns and a
    byte order mark too. DataError names the file or the row that cannot be read, and an `out` that is one of the files
    to be read; OutputError the file not written.
    """
    refuse_input(out, ((source, "the source itself"), (quotes, "the file of quotes itself")))
    refuse_input(out, ((path, "one of the other sources") for path in others))
    rows = read_quotes(quotes)
    texts = [Source(str(path), _read(path)) for path in (source, *others)]
    groundings = ground_all([quote for _, quote in rows], texts[0], texts[1:])
    lines = (_line(row_id, found) for (row_id, _), found in zip(rows, groundings, strict=True))
    write_atomically(out, lines)
    return Counter(found.status for found in groundings)


def read_quotes(path: Path) -> list[Row]:
    """The rows {id, quote, window?: [start, end]} of a JSON Lines file; blank lines are skipped."""
    lines = _read(path).removeprefix("\ufeff").split("\n")
    return [_row(line, f"{path}, line {number}") for number, line in enumerate(lines, 1) if line.strip()]


def _read(path: Path) -> str:
    try:
        return path.read_bytes().decode("utf-8")
    except OSError as error:
        raise DataError(f"{path} cannot be read ({error.strerror}); name an existing file") from None
    except UnicodeDecodeError as error:
        raise DataError(
            f"{path} is not UTF-8 (byte {error.start}); convert it, or ingest it and ground in the exported text"
        ) from None


def _row(line: str, where: str) -> Row:
    try:
        row = json.loads(line)
    except (ValueError, RecursionError):
        raise DataError(f"{where} is not JSON; give one object {{id, quote, window?}} a line") from None
    if not isinstance(row, dict) or not isinstance(row.get("id"), (str, int)) or not isinstance(row.get("quote"), str):
        raise DataError(f"{where} needs an `id` (text or number) and a `quote` (text)")
    return row["id"], Quote(row["quote"], _window(row, where))


def _window(row: Mapping[str, Any], where: str) -> tuple[int, int] | None:
    window = row.get("window")
    if window is None:
        return None
    if isinstance(window, list) and [type(bound) for bound in window] == [int, int] and 0 <= window[0] < window[1]:
        return window[0], window[1]
    raise DataError(f"{where}: `window` is not [start, end] with 0 <= start < end, in code points of the source")


def _line(row_id: Any, found: Grounding) -> bytes:
    span = found.span
    row = {
        "id": row_id,
        "status": found.status,
        "start": span.start if span else None,
        "end": span.end if span else None,
        "text": span.quote if span else None,
        "candidates": list(_candidates(found)),
    }
    try:
        return f"{json.dumps(row, ensure_ascii=False)}\n".encode()
    except UnicodeEncodeError:
        # A lone surrogate in an id has no UTF-8 form; JSON can escape it.
        return f"{json.dumps(row)}\n".encode()


def _candidates(found: Grounding) -> Iterator[dict[str, Any]]:
    for place in found.candidates:
        yield {"source": place.source, "start": place.start, "end": place.end, "score": place.score}
