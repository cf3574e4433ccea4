"""What a text's own words tell about names and words."""

from __future__ import annotations

import pytest

from wildtrace.ground.vocabulary import Vocabulary, is_no_name

TEXT = """Rose Lee saw a rose. "Go," said Rose. The captain told Rose and Lee. Then the ship sank. Barbara wept."""


@pytest.mark.parametrize(
    ("word", "expected"), [("Rose", True), ("The", False), ("Barbara", True), ("Ship", False), ("Nobody", True)]
)
def test_names_are_told_by_how_the_text_writes_them(word: str, expected: bool) -> None:
    """A capital within sentences makes a name, small writing makes none, and what is unknown counts as a name."""
    assert expected == Vocabulary(TEXT).is_name(word)


@pytest.mark.parametrize(("word", "expected"), [("captain", True), ("CAPTAIN", True), ("cap", False), ("", False)])
def test_whole_words_are_found_in_any_case(word: str, expected: bool) -> None:
    """A part of a word is no word of the text."""
    assert expected == Vocabulary(TEXT).has_word(word)


def test_speakers_of_a_chinese_text_are_known() -> None:
    """Who speaks three times is a name, in either script; moods and crowds that stand in that place are none."""
    text = "。寶玉笑道：「好」。忽然道：「好」。众人道：「好」。贾母说道：「好」" * 4 + "。黛玉道：「好」"
    assert {"宝玉", "贾母"} == Vocabulary(text).speakers
    modern = '老王说："好。"小李问：“是吗？”他说："不。"张明说，“走”。' * 3
    assert {"老王", "小李", "张明"} == Vocabulary(modern).speakers
    titled = "。施公吩咐：「好」。天霸答應，「好」。细声说：「好」。依我说：「好」。远远说：「好」" * 3
    assert {"施公", "天霸"} == Vocabulary(titled).speakers


def test_ideographs_are_counted_in_either_script() -> None:
    """A run in simplified forms is found where the text has the traditional ones."""
    assert 2 == Vocabulary("寶玉走了。宝玉来了。").count_ideographs("宝玉")


@pytest.mark.parametrize(("run", "expected"), [("忽然", True), ("冷笑", True), ("翠环", False), ("宝玉", False)])
def test_adverbs_and_moods_are_no_names(run: str, expected: bool) -> None:
    """What stands where a speaker does need not be one."""
    assert expected == is_no_name(run)
