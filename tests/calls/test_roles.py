"""A role's endpoints sharing one queue of calls: load, failures, slowness, and what a later run need not ask."""

from __future__ import annotations

import itertools
import json
from collections import Counter
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from tests.endpoint import DONE, Answer, Asked, Loopback, Script, event, raw, serving, whole
from wildtrace.calls.ledger import open_ledger
from wildtrace.calls.progress import Finished, Silent
from wildtrace.calls.roles import Role, RolePrompt, RoleReply, Roles, UnansweredError
from wildtrace.endpoints.config import Endpoint, parse_config
from wildtrace.errors import ConfigError, IncompleteError

GOOD = '{"supported": null, "quote": null}'
BUSY = raw({"error": {"message": "busy"}}, 503)


@dataclass
class Kept(Silent):
    """Keeps the news of a flow."""

    lines: list[str] = field(default_factory=list)
    outcomes: Counter[str] = field(default_factory=Counter)
    started: list[tuple[str, int, int]] = field(default_factory=list)

    def start(self, what: str, total: int, done: int) -> None:
        """Keep it."""
        self.started.append((what, total, done))

    def advance(self, finished: Finished) -> None:
        """Count it."""
        self.outcomes[finished.outcome] += 1

    def say(self, line: str) -> None:
        """Keep it."""
        self.lines.append(line)


VERIFIER = Role("verifier", "digest of its prompt", {"type": "object"})


def endpoints(*tables: dict[str, Any]) -> tuple[Endpoint, ...]:
    """A role's endpoints, as a config names them."""
    table = {"base_url": "http://127.0.0.1:9/v1", "model": "x", "roles": {"verifier": list(tables)}}
    return parse_config(table, "config.json").roles["verifier"]


def roles_of(folder: Path, *tables: dict[str, Any]) -> Roles:
    """A verifier at these endpoints."""
    shared = {"backoff_s": 0.0, "stream": False, "concurrency": 2}
    entries = [{"model": f"m{place}", **shared, **each} for place, each in enumerate(tables)]
    return Roles({"verifier": VERIFIER.targets(endpoints(*entries))}, folder / "roles.ledger")


def is_object(text: str, cut: bool) -> bool:
    """Whether a reply is JSON and not cut."""
    return text.startswith("{") and not cut


def some(*names: object) -> list[RolePrompt]:
    """Prompts of their own."""
    return [RolePrompt(f"ROLE: verifier\n{name}", is_object) for name in names]


def ask(roles: Roles, count: int = 12, progress: Silent | None = None) -> list[list[RoleReply]]:
    """The replies to so many prompts."""
    return roles.ask("verifier", some(*range(count)), progress or Silent(), "a title")


def prompts(*servers: Loopback) -> Counter[str]:
    """How often each prompt arrived anywhere."""
    return Counter(asked.prompt for server in servers for asked in server.asked)


class Servers(ExitStack):
    """Endpoints, each with a script of its own."""

    def add(self, script: Script) -> Loopback:
        """Run one more."""
        return self.enter_context(serving(script))


def test_every_call_is_answered_once_by_one_of_the_endpoints(tmp_path: Path) -> None:
    """Both are asked, the replies stand in the order of the calls and name the model that gave them."""
    with Servers() as servers:
        one, other = (servers.add(lambda asked: whole(json.dumps({"n": asked.prompt}))) for _ in range(2))
        replies = ask(roles_of(tmp_path, {"base_url": one.url}, {"base_url": other.url}))
        asked = {place: {each.prompt for each in server.asked} for place, server in enumerate((one, other))}
        assert {1} == set(prompts(one, other).values())
    assert [f"ROLE: verifier\n{n}" for n in range(12)] == [json.loads(said.text)["n"] for (said,) in replies]
    assert all(f"ROLE: verifier\n{n}" in asked[int(said.model[1])] for n, (said,) in enumerate(replies))
    assert all(asked.values())


def test_calls_of_one_prompt_are_asked_once(tmp_path: Path) -> None:
    """They share the reply, in this run and in the next (rule 28); none counts as done by an earlier run."""
    number, kept = itertools.count(1), Kept()
    with Servers() as servers:
        server = servers.add(lambda _: whole(json.dumps({"n": next(number)})))
        roles = roles_of(tmp_path, {"base_url": server.url})
        twins = [*some(0, 1), *some(0, 1)]
        replies = roles.ask("verifier", twins, kept, "a title")
        assert 2 == len(server.asked)
        assert replies[:2] == replies[2:]
        assert ([("verifier on a title", 2, 0)], 2) == (kept.started, kept.outcomes.total())
        assert replies == roles.ask("verifier", twins, Silent(), "a title")
        assert 2 == len(server.asked)


def test_a_fast_endpoint_takes_the_calls_that_a_slow_one_has_no_time_for(tmp_path: Path) -> None:
    """The slow one holds up only what it has in flight."""
    with Servers() as servers:
        slow = servers.add([Answer(200, whole(GOOD).pieces, delay_s=0.8)])
        fast = servers.add([whole(GOOD)])
        ask(roles_of(tmp_path, {"base_url": slow.url}, {"base_url": fast.url}), 40)
        assert 40 == len(slow.asked) + len(fast.asked)
        assert len(slow.asked) < len(fast.asked)


def test_each_endpoint_has_its_own_concurrency(tmp_path: Path) -> None:
    """Few calls are dealt out in proportion to it, all at once; more of them wait for their turn."""
    slowly = Answer(200, whole(GOOD).pieces, delay_s=0.3)
    with Servers() as servers:
        one, other = servers.add([slowly]), servers.add([slowly])
        roles = roles_of(tmp_path, {"base_url": one.url, "concurrency": 1}, {"base_url": other.url, "concurrency": 3})
        ask(roles, 4)
        assert (1, 3) == (len(one.asked), len(other.asked))
        roles.ask("verifier", some(*(f"more {n}" for n in range(8))), Silent(), "t")
        assert 12 == len(one.asked) + len(other.asked)
        assert (1, 3) == (one.most_at_once, other.most_at_once)


@pytest.mark.parametrize("status", [401, 402, 403, 404])
def test_an_endpoint_that_ends_leaves_its_calls_to_the_others(tmp_path: Path, status: int) -> None:
    """It is asked once a call in flight and never again, also not for the next source; the user is told once."""
    kept = Kept()
    with Servers() as servers:
        ended = servers.add([raw({"error": {"message": "no"}}, status)])
        good = servers.add([whole(GOOD)])
        roles = roles_of(tmp_path, {"base_url": ended.url}, {"base_url": good.url})
        assert [GOOD] * 12 == [said.text for (said,) in ask(roles, 12, kept)]
        assert 2 >= len(ended.asked)
        before = len(ended.asked)
        roles.ask("verifier", some("another"), kept, "another title")
        assert (before, 13) == (len(ended.asked), len(good.asked))
    (line,) = kept.lines
    assert f"verifier (m0) is asked no more: HTTP {status}" in line


def test_a_call_that_one_endpoint_cannot_answer_goes_to_another(tmp_path: Path) -> None:
    """Busy, too small a window, not understood, moderated, unreachable: each time the other one is asked."""
    overflow = raw({"error": {"code": "context_length_exceeded", "message": "too long"}}, 400)
    refusal = raw({"error": {"code": "content_filter", "message": "no"}}, 400)
    broken = Answer(pieces=(b'{"choices": [',), cut=True)
    for number, failing in enumerate((BUSY, overflow, raw({"error": "what?"}, 400), refusal, broken)):
        with Servers() as servers:
            bad, good = servers.add([failing]), servers.add([whole(GOOD)])
            roles = roles_of(tmp_path / str(number), {"base_url": bad.url}, {"base_url": good.url})
            replies = ask(roles, 6)
            assert bad.asked
        assert ["m1"] * 6 == [said.model for (said,) in replies]


def test_what_nobody_answers_is_told_with_the_reason_and_asked_by_the_next_run(tmp_path: Path) -> None:
    """What was answered is kept; the next run asks the rest alone."""
    down = True

    def script(asked: Asked) -> Answer:
        return BUSY if down and asked.prompt.endswith(("3", "7")) else whole(GOOD)

    with Servers() as servers:
        one, other = servers.add(script), servers.add(script)
        endpoints = ({"base_url": one.url}, {"base_url": other.url})
        with pytest.raises(UnansweredError, match=r"2 of 10 calls of the verifier .*HTTP 503: busy.*run the same"):
            ask(roles_of(tmp_path, *endpoints), 10)
        down, before = False, prompts(one, other)
        kept = Kept()
        ask(roles_of(tmp_path, *endpoints), 10, kept)
        fresh = prompts(one, other) - before
    assert {"ROLE: verifier\n3", "ROLE: verifier\n7"} == set(fresh)
    assert [("verifier on a title", 10, 8)] == kept.started


@pytest.mark.timeout(60)
def test_an_endpoint_where_nobody_is_there_is_given_up(tmp_path: Path) -> None:
    """After three calls, each retried: the others go on; where it was the only one the run ends at once (2)."""
    nobody, kept = {"base_url": "http://127.0.0.1:9/v1", "concurrency": 1}, Kept()
    slowly = Answer(200, whole(GOOD).pieces, delay_s=0.05)
    with serving([slowly]) as server:
        assert ["m1"] * 40 == [
            said.model for (said,) in ask(roles_of(tmp_path, nobody, {"base_url": server.url}), 40, kept)
        ]
    assert ["could not answer a call", "is asked no more"] == [
        part for line in kept.lines for part in ("could not answer a call", "is asked no more") if part in line
    ]
    with pytest.raises(IncompleteError, match=r"m0\) cannot be asked: .*Connect.*run the same command again") as failed:
        ask(roles_of(tmp_path / "alone", nobody), 500)
    assert not isinstance(failed.value, UnansweredError)


def test_a_prompt_beyond_every_window_is_told_with_what_to_change(tmp_path: Path) -> None:
    """A larger window; not the cap, which is for contestants."""
    overflow = raw({"error": {"code": "context_length_exceeded", "message": "too long"}}, 400)
    with (
        serving([overflow]) as server,
        pytest.raises(UnansweredError, match=r"give the role an endpoint with a larger") as kept,
    ):
        ask(roles_of(tmp_path, {"base_url": server.url}), 2)
    assert "cap" not in str(kept.value)


def test_a_prompt_that_all_refuse_is_final(tmp_path: Path) -> None:
    """It counts as answered with nothing; no later run asks it again."""
    refusal = raw({"error": {"code": "content_filter", "message": "no"}}, 400)
    with Servers() as servers:
        one, other = servers.add([refusal]), servers.add([refusal])
        endpoints = ({"base_url": one.url}, {"base_url": other.url})
        kept = Kept()
        ((said,),) = ask(roles_of(tmp_path, *endpoints), 1, kept)
        assert (True, "") == (said.refused, said.text)
        assert (1, 1) == (len(one.asked), len(other.asked))
        ask(roles_of(tmp_path, *endpoints), 1)
        assert (1, 1) == (len(one.asked), len(other.asked))
    assert {"refusal": 1} == kept.outcomes


@pytest.mark.parametrize("other", [BUSY, raw({"error": {"message": "no such key"}}, 401)], ids=["busy", "ended"])
@pytest.mark.parametrize("swapped", [False, True])
def test_a_refusal_is_final_only_where_all_endpoints_refuse(tmp_path: Path, other: Answer, *, swapped: bool) -> None:
    """One that had a passing fault, or ended, may answer the call in the next run, whichever failed last."""
    refusal = raw({"error": {"code": "content_filter", "message": "not this"}}, 400)
    failing = True
    with Servers() as servers:
        refusing = servers.add([refusal])
        faulty = servers.add(lambda _: other if failing else whole(GOOD))
        endpoints = [{"base_url": one.url, "concurrency": 1} for one in (refusing, faulty)]
        with pytest.raises(UnansweredError, match=r"2 of 2 calls .*(not this.*(busy|key)|(busy|key).*not this)"):
            ask(roles_of(tmp_path, *(endpoints[::-1] if swapped else endpoints)), 2)
        failing = False
        replies = ask(roles_of(tmp_path, *endpoints), 2)
    assert [(False, GOOD)] * 2 == [(said.refused, said.text) for (said,) in replies]


def test_all_ended_endpoints_are_named(tmp_path: Path) -> None:
    """A configuration to mend (78), or an account to fund (2)."""
    with Servers() as servers:
        lost = servers.add([raw({"error": {"message": "no such key"}}, 401)])
        empty = servers.add([raw({"error": {"message": "pay"}}, 402)])
        with pytest.raises(ConfigError, match=r"verifier \(m0\) cannot be asked: HTTP 401: no such key"):
            ask(roles_of(tmp_path, {"base_url": lost.url}))
        with pytest.raises(IncompleteError, match=r"m0\) cannot be asked: HTTP 401.*m1\) cannot be asked: HTTP 402"):
            ask(roles_of(tmp_path, {"base_url": lost.url}, {"base_url": empty.url}))


def test_an_endpoint_that_asks_to_wait_beyond_the_time_out_is_asked_no_more(tmp_path: Path) -> None:
    """Its calls go to the others; where it is alone the run ends, says how long to wait, and is resumable (2)."""
    kept = Kept()
    busy = raw({"error": {"message": "慢"}}, 429, headers={"Retry-After": "3600"})
    with Servers() as servers:
        limited, good = servers.add([busy]), servers.add([whole(GOOD)])
        roles = roles_of(tmp_path, {"base_url": limited.url, "timeout_s": 60}, {"base_url": good.url})
        assert [GOOD] * 12 == [said.text for (said,) in ask(roles, 12, kept)]
        with pytest.raises(IncompleteError, match=r"429: 慢; the endpoint asks to wait 3600 s: run the same command"):
            ask(roles_of(tmp_path / "alone", {"base_url": limited.url, "timeout_s": 60}))
        assert 4 >= len(limited.asked)
    (line,) = kept.lines
    assert "verifier (m0) is asked no more: HTTP 429: 慢; the endpoint asks to wait 3600 s" in line


def test_another_endpoint_of_the_role_does_not_repeat_what_one_finished(tmp_path: Path) -> None:
    """Whatever the order of the list; only an endpoint that left the list takes its replies with it."""
    with Servers() as servers:
        one, other = servers.add([whole(GOOD)]), servers.add([whole(GOOD)])
        first, second = {"base_url": one.url, "model": "a"}, {"base_url": other.url, "model": "b"}
        ask(roles_of(tmp_path, first), 5)
        for endpoints in ((first, second), (second, first)):
            assert {"a"} == {said.model for (said,) in ask(roles_of(tmp_path, *endpoints), 5)}
        assert [] == other.asked
        ask(roles_of(tmp_path, second), 5)
        assert (5, 5) == (len(one.asked), len(other.asked))


def test_samples_of_one_call_may_come_from_two_endpoints(tmp_path: Path) -> None:
    """A cut reply counts, wherever the next one comes from."""
    cut = whole("{", finish="length")
    with Servers() as servers:
        one = servers.add(lambda asked: cut if asked.place == 0 else BUSY)
        other = servers.add([whole(GOOD)])
        first, second = {"base_url": one.url}, {"base_url": other.url}
        with pytest.raises(UnansweredError):
            ask(roles_of(tmp_path, first), 1)
        ((half, rest),) = ask(roles_of(tmp_path, first, second), 1)
    assert [("{", True, "m0"), (GOOD, False, "m1")] == [(said.text, said.cut, said.model) for said in (half, rest)]


def test_a_reply_that_stays_unusable_is_asked_three_times_in_all(tmp_path: Path) -> None:
    """Over all runs and endpoints; it is told as unusable, and every one is in the ledger."""
    kept = Kept()
    with Servers() as servers:
        one, other = servers.add([whole("no")]), servers.add([whole("no")])
        roles = roles_of(tmp_path, {"base_url": one.url}, {"base_url": other.url})
        assert [3, 3] == [len(replies) for replies in ask(roles, 2, kept)]
        ask(roles, 2)
        assert {3} == set(prompts(one, other).values())
    assert {"unusable_reply": 2} == kept.outcomes
    with open_ledger(tmp_path / "roles.ledger") as ledger:
        assert 6 == len(ledger)


def test_a_reply_beyond_the_time_out_is_asked_again(tmp_path: Path) -> None:
    """Late the first time, at once the second; and a stream that trickles on for longer than that, too."""
    late = Answer(200, whole(GOOD).pieces, delay_s=1.0)
    pieces = (*(event({"content": letter}) for letter in GOOD), event({}, finish="stop"), DONE)
    trickle = Answer(200, pieces, "text/event-stream", pace_s=0.05)
    for number, slow in enumerate((late, trickle)):
        with serving([slow, whole(GOOD)]) as server:
            ((said,),) = ask(roles_of(tmp_path / str(number), {"base_url": server.url, "timeout_s": 0.4}), 1)
            assert (GOOD, 2) == (said.text, len(server.asked))


def test_an_endpoint_that_is_always_too_slow_is_told_of(tmp_path: Path) -> None:
    """Five retries, then the call waits for another run, or another endpoint answers it."""
    late = Answer(200, whole(GOOD).pieces, delay_s=1.0)
    with Servers() as servers:
        slow, fast = servers.add([late]), servers.add([whole(GOOD)])
        hasty = {"base_url": slow.url, "timeout_s": 0.05}
        with pytest.raises(UnansweredError, match=r"no complete reply within 0.05 s"):
            ask(roles_of(tmp_path / "alone", hasty), 1)
        assert 6 == len(slow.asked)
        ((said,),) = ask(roles_of(tmp_path / "both", hasty, {"base_url": fast.url}), 1)
        assert "m1" == said.model


def test_a_server_without_schemas_is_told_of_once_and_remembered(tmp_path: Path) -> None:
    """For the rest of the run, whatever the source; a switched-off schema is never sent."""
    kept = Kept()

    def script(asked: Asked) -> Answer:
        return (
            raw({"error": {"message": "unknown response_format"}}, 400)
            if "response_format" in asked.body
            else whole(GOOD)
        )

    with serving(script) as server:
        roles = roles_of(tmp_path, {"base_url": server.url, "concurrency": 1})
        ask(roles, 3, kept)
        roles.ask("verifier", some("another"), kept, "another title")
        assert [True, False, False, False, False] == ["response_format" in asked.body for asked in server.asked]
        before = len(server.asked)
        ask(roles_of(tmp_path, {"base_url": server.url, "json_schema": False}), 1)
        assert ["response_format" in asked.body for asked in server.asked[before:]] == [False]
    assert ["verifier (m0) takes no JSON schema; it is asked without"] == kept.lines


def test_what_was_spent_is_counted_by_endpoint(tmp_path: Path) -> None:
    """Replies and the tokens of those that report them, cut ones included."""
    usage = {"prompt_tokens": 100, "completion_tokens": 7}

    def script(asked: Asked) -> Answer:
        return whole("{", finish="length", usage=usage) if asked.place == 0 else whole(GOOD, usage=usage)

    with Servers() as servers:
        reports, silent = servers.add(script), servers.add([whole(GOOD)])
        roles = roles_of(tmp_path, {"base_url": reports.url}, {"base_url": silent.url})
        ask(roles, 8)
        one, other = (target.spent for target in roles.targets["verifier"])
        assert (len(reports.asked), len(silent.asked)) == (one.replies, other.replies)
        assert (one.replies, 100 * one.replies, 7 * one.replies) == (one.reported, one.tokens_in, one.tokens_out)
        assert 0 == other.reported


def test_a_model_is_a_name_and_its_address_too_where_two_have_it() -> None:
    """Without credentials, as everywhere."""
    places = [("a", "127.0.0.1:1"), ("a", "me:secret@127.0.0.1:2"), ("b", "127.0.0.1:1")]
    targets = VERIFIER.targets(
        endpoints(*({"model": model, "base_url": f"http://{place}/v1"} for model, place in places))
    )
    assert ["verifier (a at http://127.0.0.1:1/v1)", "verifier (a at http://127.0.0.1:2/v1)", "verifier (b)"] == [
        target.name for target in targets
    ]
    assert 3 == len({target.settings for target in targets})


def test_what_the_address_asks_for_is_a_setting_and_its_key_is_none() -> None:
    """Another deployment's replies are another endpoint's."""
    queries = ("", "?key=a", "?deployment=甲", "?deployment=乙&key=b")
    tables = [{"model": "a", "base_url": f"http://127.0.0.1:1/v1{query}"} for query in queries]
    settings = [target.settings for target in VERIFIER.targets(endpoints(*tables))]
    assert settings[0] == settings[1]
    assert 3 == len(set(settings))


def test_reasoning_is_no_part_of_a_reply(tmp_path: Path) -> None:
    """Wherever it stands; a block that is never closed leaves a cut reply."""
    with serving([whole("<think>{ no</think>" + GOOD), whole("<think>{")]) as server:
        roles = roles_of(tmp_path, {"base_url": server.url, "concurrency": 1})
        replies = ask(roles, 2)
    assert [GOOD] == [reply.text for reply in replies[0]]
    assert [("", True)] * 3 == [(reply.text, reply.cut) for reply in replies[1]]
