"""Files that the tests make: EPUB archives and PDF documents."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping, Sequence

CONTAINER = (
    '<?xml version="1.0"?><container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>'
    '<rootfile full-path="OPS/book.opf" media-type="application/oebps-package+xml"/></rootfiles></container>'
)


def package(spine: Sequence[str], *, title: str = "A Made Book", guide: str = "", properties: str = "") -> str:
    """A package document whose spine lists these files in this order, and whose manifest lists them backwards."""
    items = "".join(
        f'<item id="i{n}" href="{path}" media-type="application/xhtml+xml" {properties if not n else ""}/>'
        for n, path in reversed(list(enumerate(spine)))
    )
    references = "".join(f'<itemref idref="i{n}"/>' for n in range(len(spine)))
    return (
        '<?xml version="1.0"?><package xmlns="http://www.idpf.org/2007/opf" version="3.0">'
        f'<metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>{title}</dc:title></metadata>'
        f"<manifest>{items}</manifest><spine>{references}</spine><guide>{guide}</guide></package>"
    )


def epub(entries: Mapping[str, str | bytes]) -> bytes:
    """An archive of these entries."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in entries.items():
            archive.writestr(name, content)
    return buffer.getvalue()


def book(documents: Mapping[str, str], **options: str) -> bytes:
    """An EPUB of these documents, in this order."""
    entries = {"mimetype": "application/epub+zip", "META-INF/container.xml": CONTAINER}
    entries["OPS/book.opf"] = package(list(documents), **options)
    return epub({**entries, **{f"OPS/{path}": text for path, text in documents.items()}})


def pdf(pages: Sequence[Sequence[str]], title: str = "A Made Report") -> bytes:
    """A PDF whose pages have these lines of ASCII text."""
    objects = [b"<< /Type /Catalog /Pages 2 0 R >>", b"", b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"]
    kids = []
    for lines in pages:
        shown = "".join(f"({line}) Tj 0 -14 Td " for line in lines)
        stream = f"BT /F1 12 Tf 72 720 Td {shown}ET".encode("ascii")
        objects.append(b"<< /Length %d >>\nstream\n%s\nendstream" % (len(stream), stream))
        page = f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents {len(objects)} 0 R"
        objects.append(f"{page} /Resources << /Font << /F1 3 0 R >> >> >>".encode())
        kids.append(f"{len(objects)} 0 R")
    objects[1] = f"<< /Type /Pages /Kids [{' '.join(kids)}] /Count {len(kids)} >>".encode()
    objects.append(f"<< /Title ({title}) >>".encode())
    return _assembled(objects)


def _assembled(objects: Sequence[bytes]) -> bytes:
    out, offsets = b"%PDF-1.4\n", []
    for number, content in enumerate(objects, 1):
        offsets.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, content)
    table = b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    trailer = b"trailer\n<< /Size %d /Root 1 0 R /Info %d 0 R >>\n" % (len(objects) + 1, len(objects))
    start = len(out)
    return (
        out
        + b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
        + table
        + trailer
        + b"startxref\n%d\n%%%%EOF" % start
    )
