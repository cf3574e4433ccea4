"""The endpoints of a role: how they are named in messages, and what they cost."""

from __future__ import annotations

from typing import Any

from wildtrace.construct.role_lines import Spent, lines_of
from wildtrace.endpoints.config import Endpoint, parse_config


def endpoints(*places: tuple[str, str], **settings: Any) -> tuple[Endpoint, ...]:
    """A role's endpoints, by model and address."""
    tables = [{"model": model, "base_url": url, **settings} for model, url in places]
    table = {"base_url": "http://127.0.0.1:9/v1", "model": "x", "roles": {"linker": tables}}
    return parse_config(table, "config.json").roles["linker"]


def test_a_model_is_a_name_and_its_address_too_where_two_have_it() -> None:
    """Without credentials, as everywhere."""
    lines = lines_of(
        "linker",
        endpoints(
            ("a", "http://127.0.0.1:1/v1"), ("a", "http://me:secret@127.0.0.1:2/v1"), ("b", "http://127.0.0.1:1/v1")
        ),
    )
    assert ["linker (a at http://127.0.0.1:1/v1)", "linker (a at http://127.0.0.1:2/v1)", "linker (b)"] == [
        line.name for line in lines
    ]
    assert 3 == len({line.settings for line in lines})


def test_what_the_address_asks_for_is_a_setting_and_its_key_is_none() -> None:
    """Another deployment's replies are another endpoint's."""
    urls = [f"http://127.0.0.1:1/v1{query}" for query in ("", "?key=a", "?deployment=甲", "?deployment=乙&key=b")]
    settings = [line.settings for line in lines_of("linker", endpoints(*(("a", url) for url in urls)))]
    assert settings[0] == settings[1]
    assert 3 == len(set(settings))


def test_what_was_spent_is_summed_as_far_as_it_was_reported() -> None:
    """A reply without usage counts as a reply."""
    spent = Spent()
    spent.add({"prompt_tokens": 7, "completion_tokens": 2})
    spent.add(None)
    spent.add({"prompt_tokens": 1})
    assert (3, 2, 8, 2) == (spent.replies, spent.reported, spent.tokens_in, spent.tokens_out)
