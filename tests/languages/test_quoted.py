"""What stands between marks of speech and is none: terms, titles, noises."""

from __future__ import annotations

import pytest

from wildtrace.languages.quoted import is_said


def said(text: str) -> bool:
    """Whether what stands between the first two marks of a paragraph is said."""
    start = next(place for place, mark in enumerate(text) if mark in '“「"') + 1
    end = next(place for place in range(start, len(text)) if text[place] in '”」"')
    return is_said(text, start, end, 0)


@pytest.mark.parametrize(
    "text",
    [
        "“Come in.”",
        "He said, “come in”",
        "She turned. “Never,” she said.",
        "Then she cried “never”",
        "As he went he called “Wait for me, Jack!”",
        "王安道：“来了。”",
        "王安說「來了」",
        "他看了一看。“好。”",
        "那人嚷“众家兄弟，且慢动手。”",
    ],
)
def test_speech_is_said(text: str) -> None:
    """A pause or a verb leads up to it, or it ends as a sentence does."""
    assert said(text)


@pytest.mark.parametrize(
    "text",
    [
        'They are not given any special "sailing orders" before they leave.',
        "It was the so-called “triple valve” of the brake.",
        "挂起帆来，船儿“呼呼”的去了。",
        "上面寫著一個「壽」字",
        "本日是东南风，“呼呼”的去了。",
        "门楼上有“盛氏先祠”四字",
    ],
)
def test_a_term_is_not_said(text: str) -> None:
    """Words amid a clause that end as no sentence does."""
    assert not said(text)
