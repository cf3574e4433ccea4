"""Grounding in real books: passages rewritten and edited are found where they stand, falsified ones are not."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from random import Random

import pytest
from benchmarks.grounding import make_passage, rewritten

from wildtrace.ground.grounding import ADMITTED, LOCATED, Quote, Source, ground

CORPUS = Path(os.environ.get("WILDTRACE_CORPUS", "."))
pytestmark = [
    pytest.mark.corpus,
    pytest.mark.skipif("WILDTRACE_CORPUS" not in os.environ, reason="WILDTRACE_CORPUS names no folder"),
]
FILES = {"english": "en_griffiths_rome_express_1896.txt", "chinese": "zh_liu_e_laocan_youji.txt"}
Falsify = Callable[[str, Random, str], str]


@cache
def source(language: str) -> Source:
    """The book of a language."""
    return Source(FILES[language], (CORPUS / FILES[language]).read_text(encoding="utf-8"))


def passages(language: str, count: int) -> list[tuple[str, int, int]]:
    """Seeded passages that stand once."""
    make = Random(7)
    return [make_passage(source(language).text, language, make) for _ in range(count)]


@pytest.mark.parametrize("language", sorted(FILES))
def test_passages_written_otherwise_are_found_where_they_stand(language: str) -> None:
    """White space, quotation marks and dashes of another kind change neither status nor place."""
    make = Random(8)
    for passage, start, end in passages(language, 60):
        found = ground(Quote(rewritten(passage, make)), source(language))
        assert found.status in ADMITTED, (passage, found)
        assert found.span is not None
        assert abs(found.span.start - start) <= 4
        assert abs(found.span.end - end) <= 8


def replaced(pattern: str, others: str) -> Falsify:
    """Replace what matches by another of these words."""

    def falsify(passage: str, make: Random, _: str) -> str:
        found = list(re.finditer(pattern, passage))
        if not found:
            return passage
        match = make.choice(found)
        other = make.choice([word for word in others.split("|") if word != match[0]])
        return passage[: match.start()] + other + passage[match.end() :]

    return falsify


def stitched(passage: str, make: Random, text: str) -> str:
    """The first half of the passage and a stretch of elsewhere."""
    at = make.randrange(len(text) - 200)
    return passage[: len(passage) // 2] + " " + text[at : at + len(passage) // 2]


def reordered(passage: str, _: Random, __: str) -> str:
    """The second half before the first."""
    return passage[len(passage) // 2 :] + " " + passage[: len(passage) // 2]


def shortened(passage: str, make: Random, _: str) -> str:
    """An ellipsis instead of some words in the middle."""
    at = len(passage) // 3
    return passage[:at] + make.choice(["...", "……", "…"]) + passage[at + make.randint(6, 14) :]


def continued(passage: str, _: Random, __: str) -> str:
    """The passage, and words that the book does not have."""
    return passage + (" and so the new bridge fell into the river" if passage.isascii() else "因此新桥全部倒塌落入河中")


@pytest.mark.parametrize(
    ("language", "falsify"),
    [
        ("english", replaced(r"\b(?:two|three|four|five|ten|twenty|hundred)\b", "seven|eleven")),
        ("english", replaced(r"\b(?:not|never|no)\b ", "|")),
        ("english", replaced(r"\b(?:was|had|would|could)\b", "was not|had never")),
        ("english", replaced(r"(?<=[a-z,] )(?:[A-Z][a-z]{3,})\b", "Robertson|Henrietta")),
        ("english", stitched),
        ("english", reordered),
        ("english", shortened),
        ("english", continued),
        ("chinese", replaced("[二三四五六七八九](?!姑)", "十")),
        ("chinese", replaced("(?<=[^，。！？：；“”\n　])[不没](?=[^，。！？：；“”\n　])", "")),
        ("chinese", replaced("[有能](?=[^，。！？：；“”\n])", "不有|不能")),
        ("chinese", replaced("老残|子平|翠环|人瑞|玙姑", "老残|子平|翠环|人瑞|玙姑")),
        ("chinese", stitched),
        ("chinese", reordered),
        ("chinese", shortened),
        ("chinese", continued),
    ],
)
def test_falsified_passages_are_not_located(language: str, falsify: Falsify) -> None:
    """A number, a negation or a name changed; stitched, reordered, shortened, continued: never a span."""
    make = Random(9)
    tried = 0
    for passage, _, _ in passages(language, 400):
        quote = falsify(passage, make, source(language).text)
        if quote == passage or quote.strip() in passage:
            continue
        found = ground(Quote(quote), source(language))
        assert found.status not in LOCATED, (quote, found)
        tried += 1
        if tried == 40:
            break
    assert tried >= 15
