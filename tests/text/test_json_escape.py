"""Documents as the inside of a JSON string."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from wildtrace.text.json_escape import escape, escape_plain, is_plain

TEXT = st.text(st.characters(exclude_categories=["Cs"]) | st.sampled_from('"\\\n\r\t\x00\x1f\x7f\u2028水😀'))


@given(TEXT)
def test_an_escaped_text_reads_back_as_it_was(text: str) -> None:
    """By another JSON reader."""
    assert text == json.loads(b'"' + escape(text) + b'"')


@given(TEXT)
def test_plain_bytes_are_escaped_without_decoding_to_the_same(text: str) -> None:
    """Where the quick way is taken, it gives what the careful one gives."""
    raw = text.encode()
    if is_plain(raw):
        assert escape(text) == escape_plain(raw)
    assert is_plain(raw) == all(char >= " " or char == "\n" for char in text)
