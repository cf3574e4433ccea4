"""Kinds of faults found in real files, each with the right value."""

from __future__ import annotations

import io
import zipfile

import docx
import pytest

from tests.construct.ingest.files import CONTAINER, book, epub, package, pdf
from wildtrace.construct.ingest.child import Child, Job
from wildtrace.construct.ingest.draft import Options
from wildtrace.construct.ingest.ingest import Ingested, ingest
from wildtrace.errors import DataError

PROSE = "The crew rowed on through the night, and nobody slept before the ice had gone. "


def read(text: str | bytes, name: str = "f.html", options: Options | None = None) -> Ingested:
    """Ingest a file."""
    return ingest(text.encode() if isinstance(text, str) else text, name, options)


@pytest.mark.parametrize("name", ["f.txt", "f.html"])
def test_valid_utf8_is_utf8(name: str) -> None:
    """Paired no-break spaces, which as GB18030 would be ideographs; declared or not."""
    for head in ("", '<meta charset="gb2312">'):
        found = read(f"{head}<p>one\u00a0\u00a0two\u00a0\u00a0three</p>", name)
        assert "one\u00a0\u00a0two\u00a0\u00a0three" in found.text
        assert "utf-8" == found.source.charset


@pytest.mark.parametrize(("charset", "word"), [("windows-1250", "fűzfa"), ("windows-1254", "ağaç")])
def test_a_declaration_that_decodes_the_file_wins(charset: str, word: str) -> None:
    """Statistics would say cp1252."""
    page = f'<html><head><meta charset="{charset}"></head><body><p>{PROSE}{word}</p></body></html>'
    assert word in read(page.encode(charset)).text


def test_a_charset_in_doubt_is_told_and_settled_by_the_user() -> None:
    """`--encoding` decides, and says what it cannot read."""
    assert "Å" in read("blå Å".encode("cp850"), "f.txt", Options(encoding="cp850")).text
    with pytest.raises(DataError, match="cannot be read as ascii"):
        read("blå".encode(), "f.txt", Options(encoding="ascii"))
    with pytest.raises(DataError, match="no charset"):
        read("x", "f.txt", Options(encoding="nosuch"))


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        ("founded in 1912<sup>3</sup> by", "founded in 1912 by"),
        ("10<sup>2</sup> units", "10^2 units"),
        ("10<sup>-3</sup> units", "10^-3 units"),
        ("the mill<sup><a href='#n1'>12</a></sup> burnt", "the mill burnt"),
        ("the year 1530<a epub:type='noteref' href='#n2'>2</a>.", "the year 1530."),
        ("the 1<sup>st</sup> of May", "the 1st of May"),
        ("40 km<sup>2</sup>", "40 km^2"),
        ("H<sub>2</sub>O", "H2O"),
        ("cap&shy;tain, be&shy;cause", "captain, because"),
        ("<q>Open the sluice,</q> he said", "“Open the sluice,” he said"),
        ("<ol start='4'><li>four<li>five</ol>", "4. four\n5. five"),
        ("a pressure of <math><mn>3.5</mn></math> bar", "a pressure of 3.5 bar"),
        ("<math><mfrac><mi>a</mi><mi>b</mi></mfrac></math>", "a/b"),
    ],
)
def test_markup_says_what_a_browser_shows(markup: str, expected: str) -> None:
    """Note marks apart from figures, powers as such, soft hyphens gone, quotation marks and numbers of lists there."""
    assert expected == read(f"<p>{markup}").text.strip()


def test_a_note_is_known_by_its_mark_and_where_it_is_called() -> None:
    """The mark that was taken out leads back to the file."""
    found = read(
        "<p>in 1912<sup><a href='#n'>3</a></sup> it burnt</p><aside epub:type=footnote id=n>3 So he said.</aside>"
    )
    (note,) = found.structure.notes
    assert ("3", found.text.index(" it burnt")) == (note.mark, note.called_at)
    assert ["note mark"] == [each.kind for each in found.removed]
    assert "So he said" not in "".join(found.text[each.start : each.end] for each in found.structure.sentences)


def test_a_spine_item_of_another_media_type_is_read() -> None:
    """As old books have it."""
    opf = package(["a.xhtml"]).replace("application/xhtml+xml", "text/x-oeb1-document")
    raw = epub({"META-INF/container.xml": CONTAINER, "OPS/book.opf": opf, "OPS/a.xhtml": f"<p>{PROSE}</p>"})
    assert PROSE.strip() == read(raw, "b.epub").text


def test_a_book_with_missing_and_broken_documents_is_read_in_part() -> None:
    """Each part that cannot be read is named; the others are there."""
    raw = book(
        {"a.xhtml": f"<p>{PROSE}</p>", "b.xhtml": "<p>" + "gone with the tide " * 99, "c.xhtml": "<p>The end of it."}
    )
    with zipfile.ZipFile(io.BytesIO(raw)) as archive:
        entries = {name: archive.read(name) for name in archive.namelist() if name != "OPS/b.xhtml"}
    opf = entries["OPS/book.opf"].decode().replace("</spine>", '<itemref idref="nosuch"/></spine>')
    found = read(epub({**entries, "OPS/book.opf": opf}), "b.epub")
    assert f"{PROSE.strip()}\n\nThe end of it." == found.text
    assert 2 == len(found.missing)
    assert "'i1'" in found.missing[0]
    assert "'nosuch'" in found.missing[1]


def test_html_with_an_xml_prolog_is_xhtml() -> None:
    """An empty title swallows nothing."""
    page = f'<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><head><title/></head><body><p>{PROSE}</p></body></html>'
    assert PROSE.strip() == read(page).text


def test_navigation_and_footer_of_a_page_are_furniture() -> None:
    """They are kept in what was removed."""
    found = read(f"<nav><a href=a>Home</a> <a href=b>Books</a></nav><p>{PROSE * 5}</p><footer>Contact us</footer>")
    assert (PROSE * 5).strip() == found.text.strip()
    assert ["navigation", "page footer"] == [each.kind for each in found.removed]


def test_glyph_codes_are_no_text() -> None:
    """A text layer without one common word is named as such."""
    codes = "7KH ERLOHU H[SORGHG DW QRRQ RQ WKH ILIWK".replace(" ", " ")
    with pytest.raises(DataError, match="codes that are no words"):
        read(pdf([[codes] * 12]), "f.pdf")


@pytest.mark.parametrize(("first", "second"), [("long-", "term"), ("cost-", "effective"), ("X-", "ray")])
def test_a_words_own_hyphen_at_a_line_end_stays(first: str, second: str) -> None:
    """Where the text writes it so elsewhere, or such words are written so."""
    text = f"It was a {first}\n{second} plan. A {first}{second} plan it was, said the long one of them."
    assert 2 == read(text, "f.txt").text.count(f"{first}{second}")


def test_indents_begin_paragraphs_in_hard_wrapped_text() -> None:
    """Without a blank line each paragraph is one, not each line."""
    lines = (
        "The inspector came to the works on the following day and looked\n"
        "at the boiler, which had been patched in three places and leaked\n"
        "at the seams, and wrote it down.\n"
    )
    found = read("".join(f"    {lines}" for _ in range(12)), "f.txt")
    assert 12 == len(found.structure.paragraphs)


@pytest.mark.parametrize("heading", ["CHAPTER I.", "第一回 风雪夜", "1.2 Site details"])
def test_a_heading_is_structure_and_no_sentence(heading: str) -> None:
    """It is in the table of contents of the source, and never in a fact."""
    body = "他独自走了出去，心中想道此事如何是好。" * 9 if heading[0] == "第" else PROSE * 9
    found = read(f"A Title\n\n{heading}\n\n{body}\n\n{body}\n", "f.txt")
    assert heading in [section.title for section in found.structure.sections]
    assert all(heading not in found.text[each.start : each.end] for each in found.structure.sentences)


def test_an_index_at_the_end_is_back_matter() -> None:
    """Its entries are no sentences of the work."""
    entries = "".join(f"Entry number {n}, {n}, {n + 7}\n" for n in range(10, 60))
    found = read(f"A Title\n\n{(PROSE * 5 + chr(10) * 2) * 40}INDEX\n\n{entries}", "f.txt")
    assert ["index"] == [each.kind for each in found.structure.matter]
    assert found.structure.sentences[-1].end <= found.structure.matter[0].start


def test_an_item_of_a_list_without_full_stops_is_a_unit() -> None:
    """However long the list is."""
    items = "".join(f"Smith {n}, able seaman of the third watch\n" for n in range(200))
    found = read(f"{PROSE * 3}\n\n{items}\n{PROSE * 3}\n", "f.txt")
    assert max(each.end - each.start for each in found.structure.sentences) < 200
    assert 200 == len(found.structure.items)


def test_notices_that_come_back_at_every_chapter_are_furniture() -> None:
    """Only their numbers change; what a chapter says stays."""
    words = ["ash", "birch", "cedar", "elm", "fir", "hazel", "larch", "maple"]
    chapters = "".join(
        f"Chapter {n}\n\nPlease vote for chapter {n} at our site, reader!\n\nThey saw the {word}. {PROSE}\n\n"
        for n, word in enumerate(words, 1)
    )
    found = read(f"A Title\n\n{chapters}", "f.txt")
    assert "vote" not in found.text
    assert all(f"They saw the {word}." in found.text for word in words)
    assert {"notice"} == {each.kind for each in found.removed}


def test_a_break_in_markdown_is_a_line_end() -> None:
    """`12 kg<br>5 cm` is two lines."""
    assert "12 kg\n5 cm" == read("12 kg<br>5 cm", "f.md").text


def test_a_word_processors_document_has_headings_lists_tables_and_notes() -> None:
    """What python-docx writes is read back in order."""
    document = docx.Document()
    document.add_heading("The Loss", 1)
    document.add_paragraph("It was dark, and the sea rose high.")
    document.add_paragraph("a lamp", style="List Bullet")
    table = document.add_table(rows=2, cols=2)
    for cell, text in zip(
        [each for row in table.rows for each in row.cells], ["Ship", "Men", "Rose", "15"], strict=True
    ):
        cell.text = text
    document.add_paragraph("The end.")
    buffer = io.BytesIO()
    document.save(buffer)
    found = read(buffer.getvalue(), "wrong.txt")
    assert "The Loss\n\nIt was dark, and the sea rose high.\n\na lamp\n\nShip\tMen\nRose\t15\n\nThe end." == found.text
    assert ["The Loss"] == [each.title for each in found.structure.sections]
    (made,) = found.structure.tables
    assert made.header is not None
    assert ["Rose", "15"] == [found.text[each.start : each.end] for each in made.rows[0].cells]
    assert ["a lamp"] == [found.text[each.start : each.end] for each in found.structure.items]


@pytest.mark.parametrize("href", ["//[x", "http://[", "\\..\\x"])
def test_whatever_a_library_raises_is_one_sentence(href: str) -> None:
    """A reference that no parser of addresses takes is named as a missing part, and nothing else happens."""
    raw = epub({"META-INF/container.xml": CONTAINER, "OPS/book.opf": package([href]), "x": "y"})
    with pytest.raises(DataError, match="not in it"):
        read(raw, "b.epub")


@pytest.mark.timeout(120)
def test_a_child_survives_what_kills_it() -> None:
    """A file that breaks its reader is one sentence, and the next file is read by a new process."""
    form = b"<< /Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /F 3 0 R >> >> /Length 24 >>"
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [4 0 R] /Count 1 >>",
        form + b"\nstream\n/F Do /F Do /F Do       \nendstream",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Contents 5 0 R /Resources << /XObject << /F 3 0 R >> >> >>",
        b"<< /Length 5 >>\nstream\n/F Do\nendstream",
    ]
    raw = b"%PDF-1.4\n" + b"".join(b"%d 0 obj\n%s\nendobj\n" % pair for pair in enumerate(objects, 1))
    child = Child()
    try:
        hostile = child.read(Job(raw + b"trailer << /Root 1 0 R /Size 6 >>", "h.pdf", Options()))
        assert hostile.fault.startswith("h.pdf ")
        good = child.read(Job(PROSE.encode(), "g.txt", Options()))
        assert good.ingested is not None
        assert PROSE.strip() == good.ingested.text.strip()
    finally:
        child.close()
