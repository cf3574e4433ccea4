"""EPUB: spine order, what the package says, limits, and nothing outside the archive."""

from __future__ import annotations

import os
import struct
from pathlib import Path

import pytest

from tests.construct.ingest.files import CONTAINER, book, epub, package
from wildtrace.construct.ingest import archive
from wildtrace.construct.ingest.formats import epub as reader
from wildtrace.construct.ingest.formats.base import Decoded
from wildtrace.errors import DataError


def page(body: str, kind: str = "") -> str:
    """A document of the spine."""
    head = (
        "<?xml version='1.0' encoding='utf-8'?><html xmlns='http://www.w3.org/1999/xhtml'><head><title>t</title></head>"
    )
    return f"{head}<body{f' epub:type={kind!r}' if kind else ''}>{body}</body></html>"


def matter(found: Decoded) -> dict[str, str]:
    """The kinds of what is marked as matter, by its text."""
    blocks = [each for each in found.draft.blocks if each.kind == "matter"]
    return {found.draft.text[each.start : each.end].strip(): each.mark for each in blocks}


def test_documents_come_in_spine_order() -> None:
    """The spine decides, not the manifest, the archive or the names."""
    raw = book({"z.xhtml": page("<p>First.</p>"), "a.xhtml": page("<p>第二。</p>"), "m.xhtml": page("<p>Third.</p>")})
    found = reader.read(raw, "b.epub")
    assert "First.\n\n第二。\n\nThird." == found.draft.text
    assert "A Made Book" == found.title
    assert ["OPS/z.xhtml", "OPS/a.xhtml", "OPS/m.xhtml"] == [part.name for part in found.parts]


def test_a_place_leads_back_to_its_document() -> None:
    """An offset of the text lies in the part it came from."""
    raw = book({"a.xhtml": page("<p>First.</p>"), "b.xhtml": page("<p>Second.</p>")})
    found = reader.read(raw, "b.epub")
    origin = found.draft.map.origin(found.draft.text.index("Second"))
    assert found.parts[1].start < origin
    assert page("<p>Second.</p>")[origin - found.parts[1].start :].startswith("Second.")


def test_matter_is_known_by_package_markup_and_name() -> None:
    """The navigation document, the guide's references, the markup's own types and telling names."""
    documents = {
        "nav.xhtml": page("<p>Chapters</p>"),
        "x1.xhtml": page("<p>All rights</p>", "copyright-page"),
        "one.xhtml": page("<p>The story.</p>"),
        "colophon.xhtml": page("<p>Made in a month.</p>"),
        "x2.xhtml": page("<p>Names.</p>"),
    }
    raw = book(documents, properties='properties="nav"', guide='<reference type="index" href="x2.xhtml"/>')
    found = reader.read(raw, "b.epub")
    expected = {"Chapters": "contents", "All rights": "licence", "Made in a month.": "imprint", "Names.": "index"}
    assert expected == matter(found)


@pytest.mark.parametrize(
    "path", ["../../etc/passwd", "/etc/shadow", "file:///etc/passwd", "..\\secret", "http://host/x"]
)
def test_a_path_out_of_the_archive_is_refused(path: str) -> None:
    """Whatever the spine names must be in the archive."""
    raw = epub({"META-INF/container.xml": CONTAINER, "OPS/book.opf": package([path]), "etc/passwd": "root"})
    with pytest.raises(DataError, match="not in it"):
        reader.read(raw, "b.epub")


@pytest.mark.parametrize(
    ("reference", "entry"),
    [
        ("ch%201.xhtml", "OPS/ch%201.xhtml"),
        ("ch%201.xhtml", "OPS/ch 1.xhtml"),
        ("ch?1.xhtml", "OPS/ch?1.xhtml"),
        ("/OPS/a.xhtml", "OPS/a.xhtml"),
        ("A.xhtml", "OPS/a.XHTML"),
        ("第一章.xhtml", "OPS/第一章.xhtml"),
    ],
)
def test_a_reference_names_an_entry_as_it_stands_or_as_a_url(reference: str, entry: str) -> None:
    """Raw, unquoted, from the archive's root, in another case."""
    raw = epub({"META-INF/container.xml": CONTAINER, "OPS/book.opf": package([reference]), entry: page("<p>Text.</p>")})
    assert "Text." == reader.read(raw, "b.epub").draft.text


STORY = page("<p>" + "The ship went on through the ice. 船行冰中。" * 90 + "</p>")


def test_a_sections_type_marks_that_section_alone() -> None:
    """A title page and the story in one document: only the title page is marked."""
    markup = page(
        f"<section epub:type='titlepage'><h1>Ice</h1></section><section epub:type='chapter'>{STORY}</section>"
    )
    found = reader.read(book({"a.xhtml": markup}), "b.epub")
    assert {"Ice": "title page"} == matter(found)


@pytest.mark.parametrize("name", ["index.html", "contents.xhtml", "cover.xhtml", "copyright.xhtml"])
def test_a_files_name_alone_marks_no_story(name: str) -> None:
    """What is called an index, contents or cover and reads like the work is the work; so with the guide's word."""
    assert {} == matter(reader.read(book({name: STORY}), "b.epub"))
    guide = f'<reference type="cover" href="{name}"/>'
    assert {} == matter(reader.read(book({name: STORY, "b.xhtml": page("<p>End.</p>")}, guide=guide), "b.epub"))


def test_a_list_of_links_by_that_name_is_marked() -> None:
    """A second sign bears the name out."""
    links = "".join(f"<p><a href='{n}.xhtml'>Chapter {n}</a></p>" for n in range(9))
    (kind,) = matter(reader.read(book({"contents.xhtml": page(links), "b.xhtml": STORY}), "b.epub")).values()
    assert "contents" == kind


def test_cdata_empty_titles_and_declared_names_are_read_as_xml() -> None:
    """Text in CDATA stays as it is, `<title/>` is empty, and names that the document declares stand for their texts."""
    declared = '<!DOCTYPE html [<!ENTITY co "Acme &#38; Co"><!ENTITY x SYSTEM "file:///etc/passwd"><!ENTITY a "&a;">]>'
    markup = f"{declared}<html><head><title/></head><body><p>By &co; &x; &a; <![CDATA[a < b &amp; 中]]></p></html>"
    assert "By Acme & Co &x; &a; a < b &amp; 中" == reader.read(book({"a.xhtml": markup}), "b.epub").draft.text


@pytest.mark.timeout(60)
def test_declared_names_cannot_grow_a_text_without_bound() -> None:
    """Names made of names, ten of each, stay names where they would stand for more than a thousand code points."""
    names = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10 if n else "lol"}">' for n in range(10))
    markup = f"<!DOCTYPE html [{names}]><html><body><p>&l9; &l1; text</p></body></html>"
    assert f"&l9; {'lol' * 10} text" == reader.read(book({"a.xhtml": markup}), "b.epub").draft.text


def test_a_quoted_name_in_the_list_of_what_is_encrypted_is_understood() -> None:
    """A protected book is called that, whatever way its entries are written."""
    locked = "<encryption><CipherReference URI='OPS/ch%201.xhtml'/></encryption>"
    entries = {"META-INF/container.xml": CONTAINER, "META-INF/encryption.xml": locked}
    raw = epub({**entries, "OPS/book.opf": package(["ch%201.xhtml"]), "OPS/ch 1.xhtml": bytes(range(256)) * 20})
    with pytest.raises(DataError, match="encrypted"):
        reader.read(raw, "b.epub")


def test_a_bomb_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """An entry that unpacks beyond the budget is refused, whatever size it claims; so are many that do together."""
    monkeypatch.setattr(archive, "MOST_BYTES", 100_000)
    raw = book({"a.xhtml": page("<p>" + "x" * 200_000)})
    with pytest.raises(DataError, match="unpacks to more than"):
        reader.read(raw, "b.epub")
    lying = raw.replace(struct.pack("<I", len(page("<p>" + "x" * 200_000))), struct.pack("<I", 50))
    with pytest.raises(DataError, match=r"b\.epub"):
        reader.read(lying, "b.epub")
    many = book({f"{n}.xhtml": page("<p>" + "y" * 30_000) for n in range(5)})
    with pytest.raises(DataError, match="unpacks to more than"):
        reader.read(many, "b.epub")


def test_entities_are_not_expanded() -> None:
    """A package document that defines nested entities and an external one brings in nothing."""
    evil = (
        '<?xml version="1.0"?><!DOCTYPE package [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">'
        '<!ENTITY file SYSTEM "file:///etc/passwd">]>'
    )
    opf = package(["a.xhtml"], title="T &b; &file;").replace('<?xml version="1.0"?>', evil)
    raw = epub({"META-INF/container.xml": CONTAINER, "OPS/book.opf": opf, "OPS/a.xhtml": page("<p>Text.</p>")})
    found = reader.read(raw, "b.epub")
    assert "root" not in (found.title or "")
    assert "aaaa" not in (found.title or "")
    assert "Text." == found.draft.text


@pytest.mark.parametrize(
    ("raw", "what"),
    [
        (b"PK\x03\x04 not an archive", "no readable EPUB"),
        (epub({"a.txt": "x"}), "no META-INF"),
        (epub({"META-INF/container.xml": "<container/>"}), "names no package"),
        (epub({"META-INF/container.xml": CONTAINER}), "names no package"),
        (epub({"META-INF/container.xml": CONTAINER, "OPS/book.opf": "<package/>"}), "empty spine"),
        (epub({"META-INF/container.xml": CONTAINER, "OPS/book.opf": ""}), "no XML"),
        (epub({"META-INF/container.xml": CONTAINER, "OPS/book.opf": package(["gone.xhtml"])}), "not in it"),
    ],
)
def test_a_broken_book_is_one_sentence(raw: bytes, what: str) -> None:
    """Each way of being no EPUB is named."""
    with pytest.raises(DataError, match=what):
        reader.read(raw, "b.epub")


def test_damaged_and_protected_entries_are_refused() -> None:
    """A flipped byte in a compressed entry and a document listed as encrypted stop the file with a reason."""
    raw = bytearray(book({"a.xhtml": page("<p>" + "words and more words " * 500)}))
    at = raw.index(b"OPS/a.xhtml") + 40
    raw[at : at + 8] = b"\xff" * 8
    with pytest.raises(DataError, match=r"b\.epub"):
        reader.read(bytes(raw), "b.epub")
    locked = "<encryption><CipherReference URI='OPS/a.xhtml'/></encryption>"
    entries = {"META-INF/container.xml": CONTAINER, "META-INF/encryption.xml": locked}
    entries |= {"OPS/book.opf": package(["a.xhtml"]), "OPS/a.xhtml": page("<p>x")}
    with pytest.raises(DataError, match="encrypted"):
        reader.read(epub(entries), "b.epub")


@pytest.mark.corpus
@pytest.mark.skipif("WILDTRACE_CORPUS" not in os.environ, reason="WILDTRACE_CORPUS names no folder")
def test_a_real_book_reads_from_first_to_last_chapter() -> None:
    """All twelve chapters in order."""
    raw = (Path(os.environ["WILDTRACE_CORPUS"]) / "formats" / "alice_pg11.epub").read_bytes()
    text = reader.read(raw, "alice.epub").draft.text
    places = [
        text.index(words) for words in ("Down the Rabbit-Hole\n\n", "was just in time to see", "happy summer days")
    ]
    assert sorted(places) == places
