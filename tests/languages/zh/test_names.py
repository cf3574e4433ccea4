"""Chinese names by where they stand."""

from __future__ import annotations

from wildtrace.languages.zh.names import actors, could_be_noun, named, recurring, speakers, title_of, titled


def test_what_stands_before_a_verb_of_speech() -> None:
    """With adverbs between, in both scripts; pronouns and crowds are none."""
    text = "王安笑道：“好。”李福忙说道：“是。”他道：“来。”眾人道：「去。」譚紹聞問道：「何事？」"
    assert {"王安", "李福", "譚紹聞"} == set(speakers(text))


def test_what_acts() -> None:
    """A name at the start of a clause before what persons do."""
    assert "黄天霸" in actors("次日，黄天霸听说此事。黄天霸大怒。")


def test_what_is_introduced_as_a_name() -> None:
    """姓 and 名 give one name, also where the surname is said twice."""
    assert {"王安", "关太"} <= set(named("那人姓王名安，家住城外；这人姓关名关太，"))


def test_titles() -> None:
    """A surname with a title."""
    assert {"施公", "杨太太"} <= set(titled("施公来了。杨太太笑。"))
    assert ("公", "太太", None) == (title_of("施公"), title_of("杨太太"), title_of("王安"))


def test_full_names_where_names_stand() -> None:
    """A surname with two characters at the start of a clause, behind 与 or 向, in both scripts."""
    assert {"崔少华", "羅文瑞"} <= set(recurring("他与崔少华有亲。羅文瑞是個秀才。"))
    assert [] == list(recurring("那崔的了。"))


def test_what_could_be_a_thing() -> None:
    """Pairs that begin or end with function words are none."""
    assert could_be_noun("书信")
    assert not could_be_noun("不知")
    assert not could_be_noun("看见")


def test_a_function_character_may_end_a_given_name() -> None:
    """夏逢若 and 天來 speak; 施公听 is a name with a verb."""
    found = speakers("夏逢若道：「去。」\n天來道：「去。」\n施公听道：「去。」")
    assert {"夏逢若", "天來"} == set(found)
