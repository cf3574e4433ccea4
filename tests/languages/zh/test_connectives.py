"""Causes that a Chinese text states, with their effects."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wildtrace.languages.zh.connectives import connectives


def told(text: str) -> list[tuple[str, str]]:
    """Cause and effect in words."""
    return [(text[slice(*one.cause)] if one.cause else "", text[slice(*one.effect)]) for one in connectives(text)]


@pytest.mark.parametrize(
    ("text", "cause", "effect"),
    [
        ("这夜因为房里有蜂，就在对厢歇了。", "房里有蜂", "在对厢歇了"),
        ("只因他没有老子，便跟着施公进京。", "他没有老子", "跟着施公进京"),
        ("老残因想沿路打听政绩，故缓缓起行。", "想沿路打听政绩", "缓缓起行"),
        ("他不肯前去，因為天色已晚。", "天色已晚", "他不肯前去"),
        ("這是一條大道，故有幾家車店。", "這是一條大道", "有幾家車店"),
        ("天色已晚，所以不去了。", "天色已晚", "不去了"),
        ("茶酒預先整備。所以見面就邀。", "茶酒預先整備", "見面就邀"),
        ("他今日上門來，隆吉所以情願奉送。", "他今日上門來", "情願奉送"),
        ("由于大雨连日，桥被冲毁。", "大雨连日", "桥被冲毁"),
    ],
)
def test_cause_and_effect_are_told_apart(text: str, cause: str, effect: str) -> None:
    """因 tells the cause, its effect behind it or, where the sentence ends, before it; 故 the effect. Both scripts."""
    assert [(cause, effect)] == told(text)


@pytest.mark.parametrize(
    "text", ["堤坝决口并不是因为暴雨。", "并非因为天晚，他才不去。", "他不去，豈是因為天晚。", "未必因此得罪了众人。"]
)
def test_what_is_denied_is_no_cause(text: str) -> None:
    """By what stands right before the cue, in both scripts."""
    assert [] == told(text)


def test_not_only_a_cause_is_one() -> None:
    """不但因为 denies nothing, and what did not happen may have a cause."""
    assert [("天晚", "他也怕黑")] == told("不但因为天晚，他也怕黑。")
    assert [("天色已晚", "他不肯前去")] == told("他不肯前去，因为天色已晚。")


@pytest.mark.parametrize(
    "text", ["他故意不去，众人笑他。", "这是什么原因，无人知道。", "从此地入河，极是繁盛。", "说些故事，大家听。"]
)
def test_what_is_no_cause(text: str) -> None:
    """Words that only hold the characters."""
    assert [] == told(text)


@given(st.text(alphabet="因故所以为，。天大人“”\n", max_size=40))
def test_ranges_lie_in_the_text(text: str) -> None:
    """Neither end is empty, whatever the text."""
    for one in connectives(text):
        assert all(0 <= start < end <= len(text) for start, end in (one.cause or one.effect, one.effect))
