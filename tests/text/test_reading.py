"""Reading documents: bytes to the one string that everything refers to."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from wildtrace.errors import DataError
from wildtrace.text import reading
from wildtrace.text.reading import decode, document_facts, plain_facts, read_text

TEXT = st.text(st.characters(exclude_categories=["Cs"]))


@given(TEXT)
def test_facts_are_those_of_the_text_as_read(text: str) -> None:
    """Length and hash, whether or not reading changed anything."""
    read = decode(text.encode(), "d.txt")
    facts = document_facts("d.txt", read)
    assert (len(read.text), hashlib.sha256(read.text.encode()).hexdigest()) == (facts.chars, facts.sha256)
    assert (len(text), text != read.text) == (facts.raw_chars, facts.changed)


@given(TEXT)
def test_reading_twice_changes_nothing_more(text: str) -> None:
    """What was read is written and read back as it is, but for a second leading mark."""
    once = decode(text.encode(), "d.txt").text
    assert once.removeprefix("\ufeff") == decode(once.encode(), "d.txt").text


def test_a_text_without_marks_or_carriage_returns_is_not_changed() -> None:
    """Other control characters and separators stay."""
    text = "a\u2028b\x0b\x85\ufeff c\n水"
    read = decode(text.encode(), "d.txt")
    assert (text, False, len(text)) == (read.text, read.changed, read.raw_chars)


def test_an_unreadable_document_is_named(tmp_path: Path) -> None:
    """One sentence for a missing file and for a folder."""
    for path, why in ((tmp_path / "gone.txt", "No such file"), (tmp_path, "Is a directory")):
        with pytest.raises(DataError, match=f"{path.name} cannot be read \\({why}"):
            read_text(path)


@pytest.mark.parametrize("raw", [b"\xff\xfea\x00", b"\xed\xa0\x80", b"\xc0\x80", b"a\xe6\xb0"])
def test_what_only_looks_like_utf_8_is_refused(raw: bytes) -> None:
    """UTF-16, an encoded surrogate, an overlong form, a character cut at the end."""
    with pytest.raises(DataError, match=r"d\.txt is not UTF-8"):
        decode(raw, "d.txt")


RAW = st.binary(max_size=60) | st.text(st.sampled_from("a水😀é\ufeff\r\nか한㐀\x00"), max_size=60).map(str.encode)


@given(RAW, st.integers(1, 9))
@example("水".encode()[:2], 1)
@example("\ufeff水\r\n".encode(), 2)
@example(("か" * 21 + "水" * 4000).encode(), 7)
@example(("a" * 3979 + "水" * 21 + "b").encode(), 3)
@example(("a" * 3980 + "水" * 21).encode(), 4096)
def test_a_document_read_in_pieces_has_the_facts_of_the_whole(raw: bytes, piece: int) -> None:
    """But for the hash; cut anywhere, also within a character. What reading changes, or is no UTF-8, has none."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(reading, "_PIECE", piece)
        found = plain_facts("d.txt", raw)
    try:
        wanted = document_facts("d.txt", decode(raw, "d.txt"))
    except DataError:
        assert found is None
    else:
        assert (None if wanted.changed else replace(wanted, sha256="")) == found
