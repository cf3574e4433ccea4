"""Reading documents: bytes to the one string that everything refers to."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wildtrace.errors import DataError
from wildtrace.text.reading import decode, document_facts, read_text

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
