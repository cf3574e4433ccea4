"""How far a quote may differ and still be located for review."""

from __future__ import annotations

import pytest

from wildtrace.ground.agreement import objection
from wildtrace.ground.difference import difference
from wildtrace.ground.lexemes import read
from wildtrace.ground.vocabulary import Vocabulary

SOURCE = (
    "the keeper of the old light lit the lamp at dusk and wrote what he had seen into the log before the tide came in"
)
CHINESE = "那天傍晚守灯的老人点亮了灯又把看见的事情都写在本子里面然后才去休息"


def against(quote: str, source: str = SOURCE) -> str | None:
    """The objection to a quote."""
    return objection(difference(read(quote), read(source)), Vocabulary(source))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("lamp", "lantern"),
        ("lit the lamp", "set a light"),
        ("old ", ""),
        ("log", "big log"),
        ("the keeper", "a keeper"),
        ("came in", "came up"),
        ("keeper of the old light", "warden of the great light"),
    ],
)
def test_a_few_words_may_differ(old: str, new: str) -> None:
    """Up to three words replaced, left out or added, at the ends or within."""
    assert against(SOURCE.replace(old, new, 1)) is None


@pytest.mark.parametrize(
    ("quote", "expected"),
    [
        (SOURCE.replace("lit the lamp at dusk", "swam across that bay"), "more than a few words differ"),
        (SOURCE.replace("lit the lamp at", "swam past that large ship by"), "more than a few words differ"),
        (SOURCE + " because a storm", "a part of the quote stands nowhere near the rest"),
        ("years ago someone " + SOURCE, "a part of the quote stands nowhere near the rest"),
        (SOURCE.replace("at dusk", "…"), "an ellipsis hides words"),
        ("a warden by that new lamp " + SOURCE[20:], "more than a few words differ"),
    ],
)
def test_more_than_a_few_words_is_another_passage(quote: str, expected: str) -> None:
    """A run of other words, words before or after, an ellipsis for words."""
    assert expected == against(quote)


def test_ideographs_weigh_half_a_word() -> None:
    """Three words of two ideographs may differ; a clause may not."""
    edited = CHINESE.replace("傍晚", "黄昏").replace("老人", "老翁").replace("休息", "歇息")
    assert against(edited, CHINESE) is None
    assert "more than a few words differ" == against(
        CHINESE.replace("又把看见的事情都写", "便往山上的庙里走去"), CHINESE
    )


def test_sentences_are_not_joined_over_what_lies_between() -> None:
    """Leaving out the words around a full stop joins two sentences."""
    source = (
        "the keeper lit the lamp at dusk as always. Nobody came. The tide rose over the lower steps before midnight"
    )
    quote = "the keeper lit the lamp at dusk as always. The tide rose over the lower steps at midnight"
    assert against(quote, source) is not None


def test_comparison_signs_count() -> None:
    """More than and less than are not punctuation."""
    source = "the reading was > 5 bar at the gauge all day"
    assert "a comparison sign differs" == against(source.replace(">", "<"), source)
