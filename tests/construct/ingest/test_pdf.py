"""PDF: the text layer, and clear words where there is none."""

from __future__ import annotations

import io

import pypdf
import pypdfium2
import pytest

from tests.construct.ingest.files import pdf
from wildtrace.construct.ingest.formats import pdf as reader
from wildtrace.errors import DataError

LINES = ["The boiler exploded at noon on the fifth.", "Fifteen men were killed."]


def test_pages_are_text_and_parts() -> None:
    """The lines of each page, a form feed between pages, the title, and where each page begins."""
    found = reader.read(pdf([LINES, ["The second page has one line."]]), "r.pdf")
    assert ["\n".join(LINES), "The second page has one line."] == [
        "\n".join(page.split("\r\n")).strip() for page in found.draft.text.split("\f")
    ]
    assert "A Made Report" == found.title
    assert ["page 1", "page 2"] == [part.name for part in found.parts]
    assert found.parts[1].start == found.draft.map.origin(found.draft.text.index("The second page"))


def test_a_password_is_asked_for() -> None:
    """An encrypted document is refused with what to do."""
    writer = pypdf.PdfWriter(clone_from=io.BytesIO(pdf([LINES])))
    writer.encrypt("secret", algorithm="RC4-128")
    buffer = io.BytesIO()
    writer.write(buffer)
    with pytest.raises(DataError, match=r"r\.pdf asks for a password"):
        reader.read(buffer.getvalue(), "r.pdf")


@pytest.mark.parametrize(
    ("raw", "what"),
    [
        (b"%PDF-1.4\nnothing", "no readable PDF"),
        (pdf([LINES])[:300], "no readable PDF"),
        (pdf([[]]), "no text layer"),
        (pdf([["12", "13"]]), "no text layer"),
    ],
)
def test_a_broken_or_wordless_document_is_one_sentence(raw: bytes, what: str) -> None:
    """A torn file and one without words are refused by name."""
    with pytest.raises(DataError, match=rf"r\.pdf.*{what}"):
        reader.read(raw, "r.pdf")


def test_a_producers_file_name_is_no_title() -> None:
    """What a word processor put in the title's place is not taken for one."""
    assert reader.read(pdf([LINES], "Microsoft Word - draft7.docx"), "r.pdf").title is None


def test_pages_that_are_pictures_are_named() -> None:
    """The text of the other pages is read, and one sentence says which pages have none and what to do."""
    document = pypdfium2.PdfDocument(pdf([LINES]))
    for _ in range(2):
        page = document.new_page(612, 792)
        image = pypdfium2.PdfImage.new(document)
        image.set_bitmap(pypdfium2.PdfBitmap.new_native(9, 9, pypdfium2.raw.FPDFBitmap_BGR))
        page.insert_obj(image)
        page.gen_content()
    buffer = io.BytesIO()
    document.save(buffer)
    found = reader.read(buffer.getvalue(), "r.pdf")
    assert LINES[0] in found.draft.text
    assert ("r.pdf: 2 of 3 pages have no text (2, 3); run text recognition on it",) == found.missing
