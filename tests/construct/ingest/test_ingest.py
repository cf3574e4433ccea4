"""One canonical text per source, whatever it came as, and one sentence where it cannot be."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.construct.ingest.files import book, pdf
from wildtrace.construct.ingest.draft import Options
from wildtrace.construct.ingest.formats import FORMATS
from wildtrace.construct.ingest.ingest import ingest
from wildtrace.errors import DataError

SENTENCES = ["The boiler exploded at noon on the fifth.", "Fifteen men were killed in the boiler house."]
PLAIN = "\n\n".join(SENTENCES)


@pytest.mark.parametrize(
    ("name", "raw"),
    [
        ("a.txt", PLAIN.encode()),
        ("a.txt", ("\ufeff" + PLAIN.replace("\n", "\r\n")).encode("utf-16")),
        ("noextension", PLAIN.encode()),
        ("a.md", f"{SENTENCES[0]}\n\n**{SENTENCES[1][:7]}**{SENTENCES[1][7:]}".encode()),
        ("a.html", f"<p>{SENTENCES[0]}</p><p>{SENTENCES[1]}</p>".encode()),
        ("wrong.txt", f"<!DOCTYPE html><p>{SENTENCES[0]}</p><p>{SENTENCES[1]}</p>".encode()),
        ("a.epub", book({"x.xhtml": f"<p>{SENTENCES[0]}</p>", "y.xhtml": f"<p>{SENTENCES[1]}</p>"})),
        ("wrong.txt", book({"x.xhtml": f"<p>{SENTENCES[0]}</p><p>{SENTENCES[1]}</p>"})),
    ],
)
def test_every_format_gives_the_same_text(name: str, raw: bytes) -> None:
    """Text, Markdown, HTML and EPUB, told by what they begin with before what they are called."""
    assert PLAIN == ingest(raw, name).text


def test_a_pdf_gives_its_words() -> None:
    """A PDF under any name, its pages joined."""
    assert PLAIN.split() == ingest(pdf([[SENTENCES[0]], [SENTENCES[1]]]), "wrong.txt").text.split()


def test_the_facts_of_a_source() -> None:
    """Hashes, length, estimate, tier, script and language; the family is the user's word or nothing."""
    text = "那一日老爺吩咐眾人都到後面去。" * 20_000
    found = ingest(text.encode("cp950"), "folder/b.txt", Options(family="chinese_literature"))
    source = found.source
    assert (hashlib.sha256(text.encode()).hexdigest(), len(text)) == (source.sha256, source.chars)
    assert hashlib.sha256(text.encode("cp950")).hexdigest() == source.file_sha256
    assert source.sha256.startswith(source.id)
    assert ("b.txt", "b", "cp950", "Hant", "zh") == (
        source.file,
        source.title,
        source.charset,
        source.script,
        source.language,
    )
    assert (200_000, "L2", "chinese_literature") == (source.tokens, source.tier, source.family)
    assert ingest(text.encode(), "b.txt").source.family is None
    assert "ja" == ingest(text.encode(), "b.txt", Options(language="ja")).source.language


@pytest.mark.parametrize(
    ("raw", "title"),
    [
        (b"The Loss of a Ship\n\nIt was dark.", "The Loss of a Ship"),
        (b"Title: The Loss\nAuthor: A\n\nIt was dark.", "The Loss"),
        (b"[Illustration]\n\nIt was dark.", "f"),
        (b"PREFACE\n\nIt was dark.", "f"),
        (b"It was dark, and the sea rose, and the boat was small;\nso they turned.", "f"),
        (b"(1)\n\nIt was dark.", "f"),
        (b"1901\n\nIt was dark.", "f"),
        ("\u200b\n\nThe Loss of a Ship\n\nIt was dark.".encode(), "The Loss of a Ship"),
        ("沉船記\n\n那一日天色已晚。".encode(), "沉船記"),
        (b"The Project Gutenberg eBook of The Loss, by A. Person\n\nIt was dark.", "The Loss"),
        (b"Project Gutenberg's The Loss, by A. Person\n\nIt was dark.", "The Loss"),
        (
            b"Transcriber's Note:\n\nItalics: _so_.\n\nSmall capitals were replaced.\n\n\nThe Loss of a Ship\n\nDark.",
            "The Loss of a Ship",
        ),
    ],
)
def test_the_title_is_the_files_own_or_its_name(raw: bytes, title: str) -> None:
    """A named title, else a first line that can be one, else the file's name."""
    assert title == ingest(raw, "f.txt").source.title


@pytest.mark.parametrize(
    ("title", "expected"),
    [
        ("The Project Gutenberg eBook of The Loss, by A. Person.", "The Loss"),
        ("The Project Gutenberg eBook of The Loss by Night, by Person, A.", "The Loss by Night"),
        ("The Loss by Night | Project Gutenberg", "The Loss by Night"),
        ("The Loss of a Ship by Night", "The Loss of a Ship by Night"),
        ("\u200b", "f"),
    ],
)
def test_a_page_title_is_bare_of_the_publishers_words(title: str, expected: str) -> None:
    """Project Gutenberg's name and the author go; one without anything to see is none."""
    raw = f"<html><head><title>{title}</title></head><body><p>1</p><p>It was dark.</p></body></html>".encode()
    assert expected == ingest(raw, "f.html").source.title


def test_a_pdf_title_has_no_control_characters() -> None:
    """They become blanks; one of them alone is no title."""
    pages = [["12", "It was dark, and the sea rose high."]]
    assert "A Report" == ingest(pdf(pages, "A\\001Report"), "f.pdf").source.title
    assert "f" == ingest(pdf(pages, "\\001"), "f.pdf").source.title


def test_a_pdf_with_lines_before_it_is_a_pdf() -> None:
    """As long as it begins within the first kilobyte."""
    raw = b"HTTP/1.1 200 OK\r\n\r\n" + b"x" * 900 + pdf([[SENTENCES[0]], [SENTENCES[1]]])
    assert PLAIN.split() == ingest(raw, "f.pdf").text.split()


def test_layout_is_undone_in_all_formats() -> None:
    """A PDF's running lines go as a text file's do, and each removal says where it stood."""
    pages = [
        ["The Loss of a Ship", f"On day {n * 7} the crew rowed {n * 13} miles to the west", f"- {n} -"]
        for n in range(1, 7)
    ]
    found = ingest(pdf(pages), "r.pdf")
    assert "Loss of a Ship" not in found.text
    assert 6 == found.text.count("the crew rowed")
    assert {"running header", "page number"} == {removal.kind for removal in found.removed}


@pytest.mark.parametrize(
    ("raw", "name", "what"),
    [
        (b"", "e.txt", "is empty"),
        (b" \r\n\t ", "e.txt", "is empty"),
        (b"\xef\xbb\xbf\x00\x00", "e.txt", "holds no text"),
        ("\u200b\u200b\n\u200b\ufeff".encode(), "e.txt", "holds no text"),
        (b"x" * 1100 + b"%PDF-1.4", "e.pdf", "is no PDF file"),
        (b"<html><script>x</script></html>", "e.html", "holds no text"),
        (b"hello", "e.pdf", "is no PDF file"),
        (b"hello", "e.epub", "is no EPUB file"),
        (bytes(range(256)) * 50, "e.dat", "is no text"),
    ],
)
def test_a_file_that_cannot_be_a_source_is_one_sentence(raw: bytes, name: str, what: str) -> None:
    """Empty, blank, without text, misnamed or binary: refused by name."""
    with pytest.raises(DataError, match=rf"{name} {what}"):
        ingest(raw, name)


@given(
    st.sampled_from([suffix for each in FORMATS for suffix in each.suffixes]),
    st.binary(max_size=300) | st.text(max_size=200).map(str.encode),
)
def test_any_file_is_a_source_or_refused(suffix: str, raw: bytes) -> None:
    """Whatever a file holds, it becomes a text of scalar values with matter inside it, or one sentence says why not."""
    try:
        found = ingest(raw, f"f{suffix}")
    except DataError:
        with pytest.raises(DataError, match=rf"^f\{suffix}[^\n]*$"):
            ingest(raw, f"f{suffix}")
        return
    assert found.text.encode().decode() == found.text
    assert not set(found.text) & set("\r\f\x00")
    assert all(0 <= each.start < each.end <= len(found.text) for each in found.structure.matter)


@pytest.mark.parametrize(
    "hostile",
    [
        *(
            unit * (80_000 // len(unit))
            for unit in ("x", " ", ".", "a ", "[", "*a", "__a ", "`", "<!--", "~~~\n", "。")
        ),
        *(unit * (80_000 // len(unit)) for unit in ("- 1 -\n", "\f", "a-\n", "Contents\n", "第一回\n", "\n \n")),
        *(
            unit * (80_000 // len(unit))
            for unit in ("Transcriber's note:\n\n", "Glossary\n", "Glossary\nA\n\n", "~{!!~}")
        ),
        "*** START OF THE PROJECT GUTENBERG " * 2_000,
        ("word " * 130 + "net price $5\n") * 300,
        "Produced by Me and others.\n" * 20_000,
        "[Transcriber's note: lost\n" * 20_000,
    ],
    ids=lambda text: repr(text[:6]),
)
@pytest.mark.timeout(60)
@pytest.mark.parametrize("name", ["f.txt", "f.md"])
def test_hostile_texts_take_linear_time(name: str, hostile: str) -> None:
    """Endless words, lines, blanks, marks, headings and page breaks are read in a moment."""
    assert "A Title" in ingest(f"A Title\n\n{hostile}\n\nThe end.".encode(), name, Options(unwrap=True)).text


@pytest.mark.corpus
@pytest.mark.skipif("WILDTRACE_CORPUS" not in os.environ, reason="WILDTRACE_CORPUS names no folder")
def test_two_charsets_of_one_book_give_one_source() -> None:
    """The GB18030 original and its UTF-8 twin have the same canonical text and so the same id."""
    corpus = Path(os.environ["WILDTRACE_CORPUS"])
    first = ingest((corpus / "formats" / "laocan_youji.gb18030.txt").read_bytes(), "a.txt")
    second = ingest((corpus / "zh_liu_e_laocan_youji.txt").read_bytes(), "b.txt")
    assert first.source.id == second.source.id
