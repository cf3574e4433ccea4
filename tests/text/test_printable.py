from unicodedata import category

from hypothesis import given
from hypothesis import strategies as st

from wildtrace.text.printable import printable


def test_words_stay_as_they_are() -> None:
    """English, Chinese with its wide space, and accents are no control sequences."""
    text = "Éva read 账本　第九页 — “gone”"
    assert text == printable(text)


def test_what_a_terminal_would_obey_is_shown_as_an_escape() -> None:
    """Colours, bells, line ends, direction marks, lone surrogates."""
    assert r"\x1b[31mred\x07\n\u202e\ud800" == printable("\x1b[31mred\x07\n\u202e\ud800")


@given(st.text(st.characters()))
def test_nothing_that_a_terminal_obeys_is_left(text: str) -> None:
    """Whatever comes in, and it can be written as UTF-8."""
    shown = printable(text)
    assert not any(category(char).startswith("C") for char in shown)
    assert shown == shown.encode().decode()
