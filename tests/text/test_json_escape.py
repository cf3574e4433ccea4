"""Documents as the inside of a JSON string."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from wildtrace.text.json_escape import escape, escape_utf8

TEXT = st.text(st.characters(exclude_categories=["Cs"]) | st.sampled_from('"\\\n\r\t\x00\x1f\x7f\u2028水😀'))


@given(TEXT)
def test_an_escaped_text_reads_back_as_it_was(text: str) -> None:
    """By another JSON reader."""
    assert text == json.loads(b'"' + escape(text) + b'"')


@given(TEXT)
def test_bytes_are_escaped_to_the_same_as_their_text(text: str) -> None:
    """By whichever way is the quicker for them: decoded or not."""
    assert escape(text) == escape_utf8(text.encode())
