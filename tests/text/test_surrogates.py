"""Lone surrogates in replies."""

from __future__ import annotations

import json

from hypothesis import example, given
from hypothesis import strategies as st

from wildtrace.text.surrogates import replace_lone_escapes, replace_lone_surrogates


def by_hand(text: str) -> tuple[str, bool]:
    """Character by character: a high one followed by a low one is a pair, any other is replaced."""
    out, replaced, place = "", False, 0
    while place < len(text):
        char, after = text[place], text[place + 1 : place + 2]
        if "\ud800" <= char <= "\udbff" and "\udc00" <= after <= "\udfff":
            out += chr(0x10000 + ((ord(char) - 0xD800) << 10) + ord(after) - 0xDC00)
            place += 2
            continue
        lone = "\ud800" <= char <= "\udfff"
        out += "\ufffd" if lone else char
        replaced |= lone
        place += 1
    return out, replaced


@given(st.text(st.characters() | st.sampled_from("\ud800\udbff\udc00\udfff😀水")))
@example("\ud83d\ude00")
@example("\ud83d\ude00水\ud800")
@example("\ude00\ud83d")
def test_pairs_are_joined_and_what_is_left_is_replaced(text: str) -> None:
    """The result can be written, and only a lone one counts as replaced."""
    clean, replaced = replace_lone_surrogates(text)
    assert by_hand(text) == (clean, replaced)
    clean.encode()


@given(st.text(st.characters() | st.sampled_from('\ud800\udbff\udc00\udfff😀水\\u"')))
@example("\ud83d")
@example("\ud83d\ude00")
@example("\\ud83d")
@example("\\\ud83d")
def test_escapes_of_lone_surrogates_are_replaced_as_they_would_be_when_decoded(text: str) -> None:
    """Written as JSON in ASCII and read again, the value is that of the clean text; pairs and backslashes stay."""
    written = json.dumps({text: [text]})
    clean, _ = by_hand(text)
    assert {clean: [clean]} == json.loads(replace_lone_escapes(written))
    assert replace_lone_escapes(json.dumps([clean])) == json.dumps([clean])
