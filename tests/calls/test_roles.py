"""A role's endpoints sharing one queue of calls: load, failures, slowness, and what a later run need not ask."""

from __future__ import annotations

import asyncio
import itertools
import json
from collections import Counter
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest

from tests.endpoint import DONE, Answer, Asked, Loopback, Script, event, raw, serving, whole
from wildtrace.calls.ledger import open_ledger
from wildtrace.calls.progress import Finished, Silent
from wildtrace.calls.roles import RoleReply, RolesJob, UnansweredError, open_roles
from wildtrace.endpoints.config import parse_config
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


def is_object(text: str, cut: bool) -> bool:
    """Whether a reply is JSON and not cut."""
    return text.startswith("{") and not cut


def job_of(folder: Path, *tables: dict[str, Any]) -> RolesJob:
    """A verifier at these endpoints."""
    shared = {"backoff_s": 0.0, "stream": False, "concurrency": 2}
    entries = [{"model": f"m{number}", **shared, **each} for number, each in enumerate(tables)]
    config = parse_config(
        {"base_url": "http://127.0.0.1:9/v1", "model": "x", "roles": {"verifier": entries}}, "config.json"
    )
    return RolesJob(config, ("verifier",), folder / "roles.ledger", is_object)


def some(*names: object) -> list[str]:
    """Prompts of their own."""
    return [f"ROLE: verifier\n{name}" for name in names]


def ask_in_turn(job: RolesJob, progress: Silent | None, *rounds: list[str]) -> list[list[RoleReply]]:
    """The replies to each round of prompts, asked one after the other by the same open roles."""

    async def work() -> list[list[RoleReply]]:
        async with open_roles(job, progress) as roles:
            return [await roles.ask("verifier", prompts) for prompts in rounds]

    return asyncio.run(work())


def ask(job: RolesJob, count: int = 12, progress: Silent | None = None) -> list[RoleReply]:
    """The replies to so many prompts."""
    (replies,) = ask_in_turn(job, progress, some(*range(count)))
    return replies


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
        replies = ask(job_of(tmp_path, {"base_url": one.url}, {"base_url": other.url}))
        asked = {place: {each.prompt for each in server.asked} for place, server in enumerate((one, other))}
        assert {1} == set(prompts(one, other).values())
    assert [f"ROLE: verifier\n{n}" for n in range(12)] == [json.loads(reply.text)["n"] for reply in replies]
    assert all(f"ROLE: verifier\n{n}" in asked[int(reply.model[1])] for n, reply in enumerate(replies))
    assert all(asked.values())


def test_calls_of_one_prompt_are_asked_once(tmp_path: Path) -> None:
    """They share the reply, in this run and in the next (rule 28); none counts as done by an earlier run."""
    number, kept = itertools.count(1), Kept()
    with Servers() as servers:
        server = servers.add(lambda _: whole(json.dumps({"n": next(number)})))
        job = job_of(tmp_path, {"base_url": server.url})
        twins = [*some(0, 1), *some(0, 1)]
        (replies,) = ask_in_turn(job, kept, twins)
        assert 2 == len(server.asked)
        assert replies[:2] == replies[2:]
        assert 2 == kept.outcomes.total()
        assert [replies] == ask_in_turn(job, None, twins)
        assert 2 == len(server.asked)


def test_who_asks_the_same_at_the_same_time_shares_one_call(tmp_path: Path) -> None:
    """Sources side by side may need one and the same reply."""

    async def work() -> tuple[list[RoleReply], list[RoleReply]]:
        async with open_roles(job_of(tmp_path, {"base_url": server.url})) as roles:
            return await asyncio.gather(roles.ask("verifier", some(0, 1)), roles.ask("verifier", some(1, 2)))

    with serving([Answer(200, whole(GOOD).pieces, delay_s=0.1)]) as server:
        one, other = asyncio.run(work())
        assert 3 == len(server.asked)
    assert one[1] == other[0]


def test_a_fast_endpoint_takes_the_calls_that_a_slow_one_has_no_time_for(tmp_path: Path) -> None:
    """The slow one holds up only what it has in flight."""
    with Servers() as servers:
        slow = servers.add([Answer(200, whole(GOOD).pieces, delay_s=0.8)])
        fast = servers.add([whole(GOOD)])
        ask(job_of(tmp_path, {"base_url": slow.url}, {"base_url": fast.url}), 40)
        assert 40 == len(slow.asked) + len(fast.asked)
        assert len(slow.asked) < len(fast.asked)


def test_each_endpoint_has_its_own_concurrency(tmp_path: Path) -> None:
    """Few calls are dealt out in proportion to it, all at once; more of them wait for their turn."""
    slowly = Answer(200, whole(GOOD).pieces, delay_s=0.3)
    with Servers() as servers:
        one, other = servers.add([slowly]), servers.add([slowly])
        job = job_of(tmp_path, {"base_url": one.url, "concurrency": 1}, {"base_url": other.url, "concurrency": 3})
        ask(job, 4)
        assert (1, 3) == (len(one.asked), len(other.asked))
        ask_in_turn(job, None, some(*(f"more {n}" for n in range(8))))
        assert 12 == len(one.asked) + len(other.asked)
        assert (1, 3) == (one.most_at_once, other.most_at_once)


@pytest.mark.parametrize("status", [401, 402, 403, 404])
def test_an_endpoint_that_ends_leaves_its_calls_to_the_others(tmp_path: Path, status: int) -> None:
    """It is asked once a call in flight and never again, also not for the next source; the user is told once."""
    kept = Kept()
    with Servers() as servers:
        ended = servers.add([raw({"error": {"message": "no"}}, status)])
        good = servers.add([whole(GOOD)])
        job = job_of(tmp_path, {"base_url": ended.url}, {"base_url": good.url})
        first, _ = ask_in_turn(job, kept, some(*range(12)), some("another"))
        assert [GOOD] * 12 == [reply.text for reply in first]
        assert 2 >= len(ended.asked)
        assert 13 == len(good.asked)
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
            replies = ask(job_of(tmp_path / str(number), {"base_url": bad.url}, {"base_url": good.url}), 6)
            assert bad.asked
        assert ["m1"] * 6 == [reply.model for reply in replies]


def test_what_nobody_answers_is_told_with_the_reason_and_asked_by_the_next_run(tmp_path: Path) -> None:
    """What was answered is kept; the next run asks the rest alone."""
    down = True

    def script(asked: Asked) -> Answer:
        return BUSY if down and asked.prompt.endswith(("3", "7")) else whole(GOOD)

    with Servers() as servers:
        one, other = servers.add(script), servers.add(script)
        endpoints = ({"base_url": one.url}, {"base_url": other.url})
        with pytest.raises(UnansweredError, match=r"2 of 10 calls of the verifier .*HTTP 503: busy.*run the same"):
            ask(job_of(tmp_path, *endpoints), 10)
        down, before = False, prompts(one, other)
        ask(job_of(tmp_path, *endpoints), 10)
        fresh = prompts(one, other) - before
    assert {"ROLE: verifier\n3", "ROLE: verifier\n7"} == set(fresh)


@pytest.mark.timeout(60)
def test_an_endpoint_where_nobody_is_there_is_given_up(tmp_path: Path) -> None:
    """The others go on; where it was the only one the run ends at once and names the address (78)."""
    nobody, kept = {"base_url": "http://127.0.0.1:9/v1", "concurrency": 1}, Kept()
    slowly = Answer(200, whole(GOOD).pieces, delay_s=0.05)
    with serving([slowly]) as server:
        assert ["m1"] * 40 == [
            reply.model for reply in ask(job_of(tmp_path, nobody, {"base_url": server.url}), 40, kept)
        ]
    assert ["is asked no more"] == [part for line in kept.lines for part in ("is asked no more",) if part in line]
    with pytest.raises(ConfigError, match=r"m0\) cannot be asked: cannot reach 127\.0\.0\.1.*base_url"):
        ask(job_of(tmp_path / "alone", nobody), 500)


def test_a_prompt_beyond_every_window_is_told_with_what_to_change(tmp_path: Path) -> None:
    """A larger window; not the cap, which is for contestants."""
    overflow = raw({"error": {"code": "context_length_exceeded", "message": "too long"}}, 400)
    with (
        serving([overflow]) as server,
        pytest.raises(UnansweredError, match=r"give the role an endpoint with a larger") as kept,
    ):
        ask(job_of(tmp_path, {"base_url": server.url}), 2)
    assert "cap" not in str(kept.value)


def test_a_prompt_that_all_refuse_is_final(tmp_path: Path) -> None:
    """It counts as answered with nothing; no later run asks it again."""
    refusal = raw({"error": {"code": "content_filter", "message": "no"}}, 400)
    with Servers() as servers:
        one, other = servers.add([refusal]), servers.add([refusal])
        endpoints = ({"base_url": one.url}, {"base_url": other.url})
        (reply,) = ask(job_of(tmp_path, *endpoints), 1)
        assert ("", 1) == (reply.text, reply.calls)
        assert (1, 1) == (len(one.asked), len(other.asked))
        ask(job_of(tmp_path, *endpoints), 1)
        assert (1, 1) == (len(one.asked), len(other.asked))


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
            ask(job_of(tmp_path, *(endpoints[::-1] if swapped else endpoints)), 2)
        failing = False
        replies = ask(job_of(tmp_path, *endpoints), 2)
    assert [GOOD] * 2 == [reply.text for reply in replies]


def test_all_ended_endpoints_are_named(tmp_path: Path) -> None:
    """A configuration to mend (78), or an account to fund (2)."""
    with Servers() as servers:
        lost = servers.add([raw({"error": {"message": "no such key"}}, 401)])
        empty = servers.add([raw({"error": {"message": "pay"}}, 402)])
        with pytest.raises(ConfigError, match=r"verifier \(m0\) cannot be asked: HTTP 401: no such key"):
            ask(job_of(tmp_path, {"base_url": lost.url}))
        with pytest.raises(IncompleteError, match=r"m0\) cannot be asked: HTTP 401.*m1\) cannot be asked: HTTP 402"):
            ask(job_of(tmp_path, {"base_url": lost.url}, {"base_url": empty.url}))


def test_an_endpoint_that_asks_to_wait_beyond_the_time_out_is_asked_no_more(tmp_path: Path) -> None:
    """Its calls go to the others; where it is alone the run ends, says how long to wait, and is resumable (2)."""
    kept = Kept()
    busy = raw({"error": {"message": "慢"}}, 429, headers={"Retry-After": "3600"})
    with Servers() as servers:
        limited, good = servers.add([busy]), servers.add([whole(GOOD)])
        job = job_of(tmp_path, {"base_url": limited.url, "timeout_s": 60}, {"base_url": good.url})
        assert [GOOD] * 12 == [reply.text for reply in ask(job, 12, kept)]
        with pytest.raises(IncompleteError, match=r"429: 慢; the endpoint asks to wait 3600 s: run the same command"):
            ask(job_of(tmp_path / "alone", {"base_url": limited.url, "timeout_s": 60}))
        assert 4 >= len(limited.asked)
    (line,) = kept.lines
    assert "verifier (m0) is asked no more: HTTP 429: 慢; the endpoint asks to wait 3600 s" in line


def test_another_endpoint_of_the_role_does_not_repeat_what_one_finished(tmp_path: Path) -> None:
    """Whatever the order of the list; only an endpoint that left the list takes its replies with it."""
    with Servers() as servers:
        one, other = servers.add([whole(GOOD)]), servers.add([whole(GOOD)])
        first, second = {"base_url": one.url, "model": "a"}, {"base_url": other.url, "model": "b"}
        ask(job_of(tmp_path, first), 5)
        for endpoints in ((first, second), (second, first)):
            assert {"a"} == {reply.model for reply in ask(job_of(tmp_path, *endpoints), 5)}
        assert [] == other.asked
        ask(job_of(tmp_path, second), 5)
        assert (5, 5) == (len(one.asked), len(other.asked))


def test_samples_of_one_call_may_come_from_two_endpoints(tmp_path: Path) -> None:
    """A cut reply counts, wherever the next one comes from."""
    cut = whole("{", finish="length")
    with Servers() as servers:
        one = servers.add(lambda asked: cut if asked.place == 0 else BUSY)
        other = servers.add([whole(GOOD)])
        first, second = {"base_url": one.url}, {"base_url": other.url}
        with pytest.raises(UnansweredError):
            ask(job_of(tmp_path, first), 1)
        (reply,) = ask(job_of(tmp_path, first, second), 1)
    assert (GOOD, False, "m1", 2) == (reply.text, reply.cut, reply.model, reply.calls)


def test_a_reply_that_stays_unusable_is_asked_three_times_in_all(tmp_path: Path) -> None:
    """Over all runs and endpoints; it is told as unusable, and every one is in the ledger."""
    kept = Kept()
    with Servers() as servers:
        one, other = servers.add([whole("no")]), servers.add([whole("no")])
        job = job_of(tmp_path, {"base_url": one.url}, {"base_url": other.url})
        assert [3, 3] == [reply.calls for reply in ask(job, 2, kept)]
        ask(job, 2)
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
            (reply,) = ask(job_of(tmp_path / str(number), {"base_url": server.url, "timeout_s": 0.4}), 1)
            assert (GOOD, 2) == (reply.text, len(server.asked))


def test_an_endpoint_that_is_always_too_slow_is_told_of(tmp_path: Path) -> None:
    """Five retries, then the call waits for another run, or another endpoint answers it."""
    late = Answer(200, whole(GOOD).pieces, delay_s=1.0)
    with Servers() as servers:
        slow, fast = servers.add([late]), servers.add([whole(GOOD)])
        hasty = {"base_url": slow.url, "timeout_s": 0.05}
        with pytest.raises(UnansweredError, match=r"no complete reply within 0.05 s"):
            ask(job_of(tmp_path / "alone", hasty), 1)
        assert 6 == len(slow.asked)
        (reply,) = ask(job_of(tmp_path / "both", hasty, {"base_url": fast.url}), 1)
        assert "m1" == reply.model


def test_what_a_reply_took_is_counted_with_all_its_samples(tmp_path: Path) -> None:
    """Calls, tokens and cost, cut ones included; no cost where the endpoint has no prices."""
    usage = {"prompt_tokens": 100, "completion_tokens": 7}

    def script(asked: Asked) -> Answer:
        return whole("{", finish="length", usage=usage) if asked.place == 0 else whole(GOOD, usage=usage)

    for number, (prices, cost) in enumerate((({"in": 10_000, "out": 1_000_000}, 16.0), (None, None))):
        with serving(script) as server:
            table = {"base_url": server.url, **({"prices": prices} if prices else {})}
            (reply,) = ask(job_of(tmp_path / str(number), table), 1)
        assert (2, 200, 14) == (reply.calls, reply.tokens_in, reply.tokens_out)
        assert cost == reply.cost


def test_a_budget_ends_the_asking_in_order(tmp_path: Path) -> None:
    """What was answered is saved; a larger budget goes on with the rest alone."""
    usage = {"prompt_tokens": 100, "completion_tokens": 0}
    with serving([whole(GOOD, usage=usage)]) as server:
        job = job_of(tmp_path, {"base_url": server.url, "concurrency": 1, "prices": {"in": 1_000_000, "out": 0}})
        with pytest.raises(IncompleteError, match=r"the budget of 250\.00 is spent; what was answered is saved"):
            ask(replace(job, budget=250.0), 6)
        assert 3 == len(server.asked)
        assert 6 == len(ask(replace(job, budget=1000.0), 6))
        assert 6 == len(server.asked)


def test_a_model_is_a_name_and_its_address_too_where_two_have_it(tmp_path: Path) -> None:
    """Without credentials, as everywhere."""
    places = [("a", "127.0.0.1:1"), ("a", "me:secret@127.0.0.1:2"), ("b", "127.0.0.1:1")]
    tables = ({"model": model, "base_url": f"http://{place}/v1"} for model, place in places)
    targets = job_of(tmp_path, *tables).targets()["verifier"]
    assert ["verifier (a at http://127.0.0.1:1/v1)", "verifier (a at http://127.0.0.1:2/v1)", "verifier (b)"] == [
        target.name for target in targets
    ]


def test_what_the_address_asks_for_is_a_setting_and_its_key_is_none(tmp_path: Path) -> None:
    """Another deployment's replies are another endpoint's."""
    queries = ("", "?key=a", "?deployment=甲", "?deployment=乙&key=b")
    tables = [{"model": "a", "base_url": f"http://127.0.0.1:1/v1{query}"} for query in queries]
    settings = [target.settings for target in job_of(tmp_path, *tables).targets()["verifier"]]
    assert settings[0] == settings[1]
    assert 3 == len(set(settings))


def test_reasoning_is_no_part_of_a_reply(tmp_path: Path) -> None:
    """Wherever it stands; a block that is never closed leaves a cut reply."""
    with serving([whole("<think>{ no</think>" + GOOD), whole("<think>{")]) as server:
        first, second = ask(job_of(tmp_path, {"base_url": server.url, "concurrency": 1}), 2)
    assert (GOOD, False, 1) == (first.text, first.cut, first.calls)
    assert ("", True, 3) == (second.text, second.cut, second.calls)
