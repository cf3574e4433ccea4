"""The shape of Chinese names."""

from __future__ import annotations

from wildtrace.languages.zh.names import is_plausible, speakers


def test_what_stands_before_a_verb_of_speech() -> None:
    """With adverbs between, in both scripts; pronouns and crowds are none."""
    text = "王安笑道：“好。”李福忙说道：“是。”他道：“来。”眾人道：「去。」譚紹聞問道：「何事？」"
    assert {"王安", "李福", "譚紹聞"} == set(speakers(text))


def test_a_function_character_may_end_a_given_name() -> None:
    """夏逢若 and 天來 speak; 施公听 is a name with a verb."""
    found = speakers("夏逢若道：「去。」\n天來道：「去。」\n施公听道：「去。」")
    assert {"夏逢若", "天來"} == set(found)


def test_what_has_the_shape_of_a_name() -> None:
    """A surname and a given name; not a word that only looks like one."""
    assert is_plausible("黄天霸")
    assert is_plausible("王二")
    assert not is_plausible("于是")
