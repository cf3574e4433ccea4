"""The words that say what happened, in Chinese."""

from __future__ import annotations

import pytest

from wildtrace.languages.zh.happenings import chinese_happenings


def told(text: str) -> list[str]:
    """The words told of as having happened."""
    return [text[start:end] for start, end in chinese_happenings(text)]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("遂写了一封书，雇了小车。", ["写", "雇"]),
        ("施公看见，吩咐退堂。", ["看见", "吩咐", "退堂"]),
        ("王安便走进来坐下。", ["走进来", "坐下"]),
        ("那人大怒，拔刀杀了李成。", ["大怒", "杀"]),
        ("隆吉雙手接過茶來，說道：「好。」", ["接過", "說道"]),
    ],
)
def test_acts_are_told(text: str, words: list[str]) -> None:
    """Behind a subject or an adverb of narration; before 了, a direction, an object."""
    assert words == told(text)


@pytest.mark.parametrize(
    "text", ["他不走了。", "尚未回来。", "若去了，如何是好", "想要打他", "大道很长", "不可杀他", "要去了"]
)
def test_what_is_not_asserted_is_not_told(text: str) -> None:
    """Negations, conditions, wishes, nouns."""
    assert [] == told(text)
