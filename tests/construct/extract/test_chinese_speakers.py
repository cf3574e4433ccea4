"""Speakers of Chinese direct speech."""

from __future__ import annotations

import pytest

from tests.construct.extract.speaking import speakers_of

CAST = dict.fromkeys(["春泉", "静斋", "云龙", "飞云子", "施公"])


def said(text: str) -> list[str | None]:
    """The speakers of a text's speeches."""
    return [speaker for speaker, _ in speakers_of(text, CAST, chinese=True)]


@pytest.mark.parametrize(
    ("text", "speaker"),
    [
        ("春泉道：“去。”", "春泉"),
        ("春泉笑道：“去。”", "春泉"),
        ("只见春泉一把抓住道：“去。”", "春泉"),
        ("春泉向静斋说道：“去。”", "春泉"),
        ("春泉听了，心中不乐，便向静斋问道：“去么？”", "春泉"),
        ("静斋一见春泉，顷刻满面堆下笑来，连呼“春翁，今天怎么这样早？”", "静斋"),
        ("春泉取过银子。翻了一会，只得匆匆出来，向云龙说道：“去。”", "春泉"),
        ("“去。”春泉说。", "春泉"),
        ("丫头道：“去。”", None),
        ("春泉听了，正在狐疑。只见一个旗牌走来道：“去。”", None),
        ("次日一早，春泉起来，叫声：“来人，快去。”", "春泉"),
        ("春泉来了，众人齐道：“去。”", None),
        ("春泉的家人道：“去。”", None),
        ("春泉坐下。一个说道：“去。”", None),
        ("有人向春泉道：“去。”", None),
        ("墙上写着“此路不通，行人止步。”", None),
    ],
)
def test_the_clause_of_saying_tells_the_speaker(text: str, speaker: str | None) -> None:
    """Its subject, or that of its sentence; never its object, and nobody where the subject has no known name."""
    assert [speaker] == said(text)


def test_a_clause_without_a_subject_goes_on_right_behind_a_speech() -> None:
    """And not where somebody answers."""
    assert ["春泉", "春泉"] == said("春泉道：“去。”又道：“快去。”")
    assert ["春泉", "春泉"] == said("春泉道：“去。”说罢又问道：“去么？”")
    assert ["春泉", None] == said("春泉问：“去么？”答道：“去。”")


def test_an_unknown_speaker_between_is_nobody_known() -> None:
    """The last one named is not guessed."""
    assert ["春泉", None, "春泉"] == said("春泉道：“问谁？”妈儿道：“我。”春泉道：“罢了。”")


def test_the_hearer_is_who_spoke_before() -> None:
    """In the paragraph before, another one."""
    assert [("春泉", "named"), ("静斋", "named")] == speakers_of("春泉道：“去。”\n静斋道：“好。”", CAST, chinese=True)
