"""Direct speech by its marks."""

from __future__ import annotations

import pytest

from wildtrace.languages.speech import Marks, speech_marks, speeches


@pytest.mark.parametrize(
    ("text", "opening"),
    [
        ('"Go," he said. "Now."', '"'),
        ("“Go,” he said. “Now.” It’s don’t.", "“"),
        ("'Go,' he said. 'Now, it's time.' 'Don't.'", "'"),
        ("他道：「去。」又道：「來。」", "「"),
        ("他道：“去。”又道：“来。”", "“"),
    ],
)
def test_a_text_tells_its_marks(text: str, opening: str) -> None:
    """By count, with apostrophes left aside."""
    marks = speech_marks(text)
    assert marks is not None
    assert opening == marks.opening


def test_a_text_without_speech_has_no_marks() -> None:
    """Apostrophes and inches alone are none."""
    assert speech_marks("It's the captain's; don't. A 6\" pipe.") is None


@pytest.mark.parametrize(
    ("text", "marks", "expected"),
    [
        ('"Go," he said. "Now."', Marks('"', '"'), ["Go,", "Now."]),
        ("“I said ‘no’ to him,” she cried.", Marks("“", "”"), ["I said ‘no’ to him,"]),
        ('"Mind the "old" valve, sir," he said.', Marks('"', '"'), ['Mind the "old" valve, sir,']),
        ('"Mind the "old valve', Marks('"', '"'), ['Mind the "old valve']),
        ("“A speech that goes on", Marks("“", "”"), ["A speech that goes on"]),
        ("'It's time,' said he. 'Go.'", Marks("'", "'"), ["It's time,", "Go."]),
        ("道：「他說『好』。」去了。", Marks("「", "」"), ["他說『好』。"]),
    ],
)
def test_speeches_of_a_paragraph(text: str, marks: Marks, expected: list[str]) -> None:
    """Nested marks and apostrophes do not end one; the paragraph's end does."""
    assert expected == [text[speech.start : speech.end] for speech in speeches(text, 0, len(text), marks)]
