"""Identities: what moves a score is in them, and a difference is shown."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.fakes import ROWS, Made, run_config
from wildtrace.calls import identity
from wildtrace.endpoints.config import Endpoint
from wildtrace.errors import ConfigError
from wildtrace.evaluate.records import answering_identity
from wildtrace.judge.records import judging_identity
from wildtrace.release.formats import load_items
from wildtrace.scores.results import ResponsesFile
from wildtrace.types import Criterion, Rubric

JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.text("ab水", max_size=2),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from(["a", "b", "c"]), inner, max_size=3),
    max_leaves=8,
)


def plain(value: Any) -> Any:
    """The value without empty objects, None members and digests, which are no differences."""
    if isinstance(value, dict):
        inner = {key: plain(entry) for key, entry in value.items() if key != "digest"}
        return {key: entry for key, entry in inner.items() if entry not in (None, {})} or None
    return [plain(entry) for entry in value] if isinstance(value, list) else value


@given(JSON)
def test_nothing_differs_from_itself(value: Any) -> None:
    """Whatever it is."""
    assert [] == identity.differences(value, value)


@given(st.dictionaries(st.sampled_from("abc"), JSON), st.dictionaries(st.sampled_from("abc"), JSON))
def test_a_difference_is_found_in_both_directions(old: dict[str, Any], new: dict[str, Any]) -> None:
    """As often one way as the other; where none is found, the two mean the same."""
    there, back = identity.differences(old, new), identity.differences(new, old)
    assert len(there) == len(back)
    assert all(" -> " in line for line in there)
    if plain(old) != plain(new) and not any(isinstance(value, list) for value in (*old.values(), *new.values())):
        assert there


def test_a_difference_is_shown_by_its_path() -> None:
    """Members, places in a list of objects, what is missing, long values cut."""
    old = {"a": {"b": 1}, "panel": [{"name": "x"}, {"name": "y"}], "list": [1, 2], "digest": "1"}
    new = {"a": {"b": 2}, "panel": [{"name": "x"}], "list": [1, 3], "more": "m" * 99, "digest": "2"}
    assert [
        "a.b: 1 -> 2",
        "panel[1]: {'name': 'y'} -> none",
        "list: [1, 2] -> [1, 3]",
        f"more: none -> {'m' * 79}…",
    ] == identity.differences(old, new)


def test_the_digest_is_of_the_settings_alone() -> None:
    """Stable whatever the order of keys, another for any change; it is no part of itself."""
    run = answering_identity(run_config(), "full", [])
    same = identity.Identity(dict(reversed(list(run.settings.items()))), {"q": "a:b"}, run.task_parts)
    assert run.digest == same.digest == run.signature["digest"] == identity.digest(run.settings)
    assert run.digest != answering_identity(run_config(max_tokens=1), "full", []).digest


def test_what_cannot_move_a_score_is_no_setting() -> None:
    """Waits, time-outs, concurrency, streaming, prices, where the key comes from, credentials, scheme and port."""
    usual = answering_identity(run_config(), "full", [])
    free = {
        "backoff_s": 9,
        "timeout_s": 1,
        "concurrency": 1,
        "stream": False,
        "prices": {"in": 1, "out": 2},
        "api_key_env": "K",
    }
    moved = run_config("https://u:p@127.0.0.1:8443/v1/?key=1", **free)
    assert usual == answering_identity(moved, "full", [])


def _route(query: str) -> dict[str, Any]:
    return identity.route(Endpoint(name="c", base_url=f"http://127.0.0.1:9/v1{query}", model="m"))


def test_what_the_address_asks_for_is_a_setting() -> None:
    """Another deployment or version is another route; the values are told apart and not shown."""
    plain = {"model": "m", "endpoint": "127.0.0.1/v1"}
    for without in ("", "?", "?api-key=甲&sig=b;access_token=c&code=d"):
        assert plain == _route(without)
    first, other = _route("?deployment=甲&v=1"), _route("?deployment=%E4%B9%99&v=1")
    (difference,) = identity.differences({"route": first}, {"route": other})
    assert difference.startswith("route.query.deployment: ")
    assert first == _route("?v=1&deployment=%E7%94%B2&key=secret")
    assert ({"deployment", "v"}, plain) == (set(first["query"]), {key: first[key] for key in plain})
    assert not {"甲", "1"} & set(first["query"].values())
    queries = ("?a", "?a=", "?a=a", "?a=1&a=2", "?a=2&a=1", "?b", "?a=1")
    assert len(queries) == len({identity.digest(_route(query)) for query in queries})
    assert [""] == list(_route("?secret-word")["query"])


def test_a_rubrics_digest_is_of_what_earns_points() -> None:
    """Points and criterion; ids and clues do not matter."""
    rubric = Rubric((Criterion("P1", 60, "a"), Criterion("P2", 40, "b")))
    assert identity.rubric_digest(rubric) == identity.rubric_digest(
        Rubric((Criterion("x", 60, "a", ("s1",)), Criterion("y", 40, "b")))
    )
    for other in (
        Rubric((Criterion("P1", 61, "a"), Criterion("P2", 40, "b"))),
        Rubric((Criterion("P1", 60, "a."), Criterion("P2", 40, "b"))),
        Rubric((Criterion("P2", 40, "b"), Criterion("P1", 60, "a"))),
    ):
        assert identity.rubric_digest(rubric) != identity.rubric_digest(other)


def test_whole_points_and_whole_floats_are_the_same_rubric(made: Made) -> None:
    """60 in one form, 60.0 in another."""
    row = {**ROWS[0], "ground_truth": {"scoring_rubric": [{"points": 60.0, "correct_criterion": "a"}]}}
    made.write_tasks([row])
    (item,) = load_items(made.data)
    assert identity.rubric_digest(Rubric((Criterion("P1", 60, "a"),))) == identity.rubric_digest(item.rubric)


def test_changed_tasks_are_named_and_many_counted() -> None:
    """Three by name; new and missing tasks are no change."""
    old = {f"q{n}": "a:b" for n in range(6)}
    new = {f"q{n}": "a:c" for n in range(5)} | {"new": "x:y"}
    with pytest.raises(ConfigError, match=r"q0 \(document\), q1 \(document\), q2 \(document\) and 2 more changed"):
        identity.refuse_changed_tasks("out", old, new, ("question", "document"))
    with pytest.raises(ConfigError, match=r"q \(question and rubric\) changed"):
        identity.refuse_changed_tasks("out", {"q": "1:2"}, {"q": "3:4"}, ("question", "rubric"))
    identity.refuse_changed_tasks("out", old, {"q5": "a:b", "new": "x:y"}, ("question", "document"))


def test_the_panels_order_is_no_difference() -> None:
    """The same judges in another order are the same panel."""
    judges, answers = run_config().judges, ResponsesFile({}, ())
    assert 3 == len(judges)
    assert judging_identity(answers, judges, []) == judging_identity(answers, judges[::-1], [])
