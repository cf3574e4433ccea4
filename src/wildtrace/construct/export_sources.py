"""Export of sources themselves: what they consist of, row by row, and their texts as a corpus of files."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from wildtrace.construct.workspace import Workspace
from wildtrace.errors import DataError, OutputError
from wildtrace.files import write_atomically
from wildtrace.types import Range, Source

CHECKSUMS = "SHA256SUMS"


def structure_rows(workspace: Workspace, source: Source) -> Iterator[dict[str, Any]]:
    """What a source consists of, kind by kind, each with its range of the canonical text."""
    found = workspace.structure(source.id)
    for section in found.sections:
        heading = [section.heading.start, section.heading.end]
        more = {"level": section.level, "title": section.title, "numbering": section.numbering, "heading": heading}
        yield _row(source, "section", section.start, section.end, more)
    for kind, ranges in (("paragraph", found.paragraphs), ("sentence", found.sentences)):
        yield from (_row(source, kind, each.start, each.end, {}) for each in ranges)
    for item in found.items:
        yield _row(source, "item", item.start, item.end, {"marker": item.marker, "level": item.level})
    for table in found.tables:
        header = _cells(table.header.cells) if table.header is not None else None
        rows = [_cells(row.cells) for row in table.rows]
        yield _row(source, "table", table.start, table.end, {"header": header, "rows": rows})
    for note in found.notes:
        yield _row(source, "note", note.start, note.end, {"mark": note.mark, "called_at": note.called_at})
    for page in found.pages:
        yield _row(source, "page", page.start, page.start, {"label": page.label})
    for matter in found.matter:
        yield _row(source, "matter", matter.start, matter.end, {"matter": matter.kind})


def _row(source: Source, kind: str, start: int, end: int, more: dict[str, Any]) -> dict[str, Any]:
    return {"source": source.id, "kind": kind, "start": start, "end": end, **more}


def _cells(cells: Sequence[Range]) -> list[list[int]]:
    return [[cell.start, cell.end] for cell in cells]


def write_corpus(workspace: Workspace, sources: Sequence[Source], folder: Path) -> int:
    """Write each source's canonical text to a file of its own, and the files' hashes; how many were written.

    A file is named as the source's was, with `.txt`. DataError where the folder holds other files of these names;
    OutputError where it cannot be written.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OutputError(f"{folder} cannot be written ({error.strerror}); choose another folder") from None
    names: dict[str, Source] = {}
    for source in sources:
        stem = Path(source.file).stem
        names[f"{stem}-{source.id[:8]}.txt" if f"{stem}.txt" in names else f"{stem}.txt"] = source
    for name, source in names.items():
        content = workspace.text(source.id).encode()
        if (folder / name).exists() and (folder / name).read_bytes() != content:
            raise DataError(f"{folder / name} is another file; choose an empty folder")
        write_atomically(folder / name, [content])
    lines = [f"{source.sha256}  {name}\n".encode() for name, source in names.items()]
    write_atomically(folder / CHECKSUMS, lines)
    return len(names)
