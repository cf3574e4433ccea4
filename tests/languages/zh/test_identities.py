"""Statements of Chinese text that two names are one person's."""

from __future__ import annotations

import pytest

from wildtrace.languages.zh.identities import identities


def stated(text: str) -> list[tuple[str, str]]:
    """Both names in words."""
    return [(text[slice(*one.name)], text[slice(*one.alias)]) for one in identities(text)]


@pytest.mark.parametrize(
    ("text", "name", "alias"),
    [
        ("原来此人名黄应图，号人瑞，三十多岁年纪。", "黄应图", "人瑞"),
        ("此人叫李昆，绰号神弹子，会使弹弓。", "李昆", "神弹子"),
        ("譚紹聞，表字念修，是個秀才。", "譚紹聞", "念修"),
    ],
)
def test_a_statement_joins_two_names(text: str, name: str, alias: str) -> None:
    """绰号, 号 and 字 behind a full name, in both scripts."""
    assert [(name, alias)] == stated(text)


@pytest.mark.parametrize("text", ["这人系江苏人，号绍殷，充当文案。", "他写了一个字，便去了。"])
def test_what_joins_no_two_names(text: str) -> None:
    """A native place is no name, and 字 is mostly a written character."""
    assert [] == stated(text)
