"""Families of models by name."""

from __future__ import annotations

import pytest

from wildtrace.scores.build import families_of


@pytest.mark.parametrize(
    ("name", "family"),
    [
        ("mr.claude-sonnet-4-6-20260217", "claude"),
        ("Opus 4.8", "claude"),
        ("qwen3.5-plus", "qwen"),
        ("Qwen/Qwen3.7-Max", "qwen"),
        ("gemini-2.5-flash", "gemini"),
        ("GPT-5.5", "gpt"),
        ("doubao-seed-2.1", "doubao"),
        ("lexical-judge", "lexical"),
        ("模型", "模型"),
    ],
)
def test_the_maker_is_found_in_the_name(name: str, family: str) -> None:
    """Route prefixes, versions and case do not matter."""
    assert {name: family} == families_of([name], {})


def test_a_given_family_overrules_the_name() -> None:
    """The user's word stands."""
    assert {"house-model": "qwen"} == families_of(["house-model"], {"house-model": "qwen"})
