import asyncio
import os
import signal
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import count
from typing import Any

import pytest

from tests.endpoint import Answer, Asked, event, raw, serving, streamed, whole
from tests.fakes import run_config
from wildtrace.endpoints.failures import EndpointError, QuotaError, RejectedError, TransientError
from wildtrace.endpoints.offline.models import ContextWindow, Cut
from wildtrace.endpoints.offline.server import OfflineOptions, offline_endpoint
from wildtrace.errors import ConfigError
from wildtrace.probe.documents import SCRIPTS, Script
from wildtrace.probe.run import ProbeJob, ProbeOutcome, ScriptOutcome, bounds, most_spent, probe
from wildtrace.probe.search import PRECISION, Search
from wildtrace.probe.spending import Spending
from wildtrace.prompts import render
from wildtrace.text.codes import CODE

# A window of 30,000 tokens: 99,000 characters of English, 45,000 of Chinese, at the offline endpoint's rates.
WINDOW = 30_000
CHARS = {"en": 99_000, "cjk": 45_000}
SEARCHES: dict[Script, Search] = {"en": Search(10_000, 400_000), "cjk": Search(8_000, 200_000)}
BUDGET = 1000


class Said:
    """A Progress that keeps its lines."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def start(self, what: str, total: int, done: int) -> None:
        """Ignore."""

    def advance(self, finished: object) -> None:
        """Ignore."""

    def say(self, line: str) -> None:
        """Keep."""
        self.lines.append(line)


def job(url: str, *scripts: Script, model: str = "echo-codes", **changes: Any) -> ProbeJob:
    """A probe of these scripts (both without any)."""
    config = run_config(url, model=model, max_tokens=BUDGET, caps={}, judges=[])
    return ProbeJob(config, {script: SEARCHES[script] for script in scripts or SCRIPTS}, **changes)


async def rehearsed(window: ContextWindow, *scripts: Script, **changes: Any) -> ProbeOutcome:
    """A probe of the offline endpoint's echo."""
    async with offline_endpoint(OfflineOptions(window=window)) as url:
        return await probe(job(url, *scripts, **changes))


def room(script: Script) -> float:
    """Characters of the window less the answer's budget."""
    rate = {"en": 3.3, "cjk": 1.5}[script]
    return CHARS[script] - BUDGET * rate


def assert_measured(script: ScriptOutcome) -> None:
    """The cap is at most the window less the answer's budget, and close to it."""
    assert script.cap is not None
    assert script.cap <= room(script.script)
    assert script.cap >= 0.94 * room(script.script)


async def test_an_error_at_the_windows_edge_is_found_in_both_scripts() -> None:
    """A 400 above 30,000 tokens: the bracket closes around 99,000 and 45,000 characters."""
    outcome = await rehearsed(ContextWindow(WINDOW))
    assert outcome.complete
    assert list(SCRIPTS) == [script.script for script in outcome.scripts]
    for script in outcome.scripts:
        assert {"whole", "error"} == {finding.verdict for finding in script.findings}
        assert script.search.fails is not None
        assert script.search.fits < CHARS[script.script] < script.search.fails + 300
        assert script.search.fails <= script.search.fits * (1 + PRECISION)
        assert script.counted
        assert_measured(script)


@pytest.mark.parametrize("cut", ["front", "middle", "end"])
async def test_a_silent_cut_is_found_and_placed_in_both_scripts(cut: Cut) -> None:
    """No error is ever given; codes and token count tell the cut and where it is."""
    outcome = await rehearsed(ContextWindow(WINDOW, cut))
    assert outcome.complete
    for script in outcome.scripts:
        cuts = [finding for finding in script.findings if not finding.fits]
        assert {("cut", cut)} == {(finding.verdict, finding.where) for finding in cuts}
        assert cuts
        assert_measured(script)


@pytest.mark.parametrize("cut", ["front", "middle", "end"])
async def test_a_cut_too_small_to_lose_a_code_does_not_widen_the_cap(cut: Cut) -> None:
    """A window just under the upper bound: what the token count says was kept bounds the cap."""
    upper = {"en": 101_500, "cjk": 46_200}
    searches = {script: Search(10_000, upper[script]) for script in SCRIPTS}
    async with offline_endpoint(OfflineOptions(window=ContextWindow(WINDOW, cut))) as url:
        outcome = await probe(replace(job(url), searches=searches))
    for script in outcome.scripts:
        assert script.search.fits < CHARS[script.script] * 1.03
        assert script.cap is None or script.cap <= CHARS[script.script] * 1.03


async def test_without_a_limit_the_upper_bound_is_the_cap() -> None:
    """Three requests a script, nothing taken off."""
    outcome = await rehearsed(ContextWindow())
    assert {"en": 400_000, "cjk": 200_000} == outcome.caps
    assert [None, None] == [script.search.fails for script in outcome.scripts]
    assert 6 == outcome.spent.requests


async def test_a_window_below_the_lower_bound_gives_no_cap() -> None:
    """One request a script."""
    outcome = await rehearsed(ContextWindow(2000))
    assert (True, {}, 2) == (outcome.complete, outcome.caps, outcome.spent.requests)


async def test_the_prompt_is_the_protocols_with_the_document_at_its_place() -> None:
    """Question before document, in the document's language; the document has exactly the length of the search."""
    with serving(echo()) as endpoint:
        await probe(job(endpoint.url))
    for script, first in (("en", 0), ("cjk", next(n for n, a in enumerate(endpoint.asked) if "水" in a.prompt))):
        before, after = render.around(
            render.template("answer"), "document", {"question": render.template(f"probe_{script}")}
        )
        prompt = endpoint.asked[first].prompt
        assert (before, after) == (prompt[: len(before)], prompt[len(prompt) - len(after) :])
        assert {"en": 10_000, "cjk": 8_000}[script] == len(prompt) - len(before) - len(after)
        assert (BUDGET, 0.1) == (endpoint.asked[first].body["max_tokens"], endpoint.asked[first].body["temperature"])


Spoil = Callable[[str, list[str], int], Any]


def echo(
    spoil: Spoil = lambda _prompt, codes, _tokens: codes, *, usage: bool = True, added: int = 0
) -> Callable[[Asked], Answer]:
    """An endpoint that repeats what `spoil` leaves of the codes; counts at the protocol's rates, and what it adds."""

    def answer(asked: Asked) -> Answer:
        tokens = round(len(asked.prompt) / (1.5 if "水" in asked.prompt else 3.3)) + added
        said = spoil(asked.prompt, CODE.findall(asked.prompt), tokens)
        if isinstance(said, Answer):
            return said
        counts = {"prompt_tokens": tokens, "completion_tokens": 50}
        return whole(" ".join(said) or "none", usage=counts if usage else None)

    return answer


async def spoiled(spoil: Spoil, script: Script = "en", *, usage: bool = True, added: int = 0, **changes: Any) -> Any:
    """The outcome of a probe of one script at such an endpoint, and what was asked."""
    with serving(echo(spoil, usage=usage, added=added)) as endpoint:
        outcome = await probe(job(endpoint.url, script, **changes))
        return outcome, endpoint.asked


@pytest.mark.parametrize("script", SCRIPTS)
async def test_a_code_that_is_always_lost_is_recall_and_not_window(script: Script) -> None:
    """The count is full: asked again once with another document, then the window is taken as read."""
    outcome, asked = await spoiled(lambda _prompt, codes, _tokens: codes[:7] + codes[8:], script)
    (found,) = outcome.scripts
    assert ["recall"] * 3 == [finding.verdict for finding in found.findings]
    assert SEARCHES[script].upper == found.cap
    assert 6 == len(asked)
    documents = [one.prompt for one in asked]
    assert len(documents) == len(set(documents))
    assert [len(documents[0]), len(documents[2])] == [len(documents[1]), len(documents[3])]


async def test_a_model_that_repeats_nothing_is_measured_by_its_token_count() -> None:
    """As a small language model does: every document is asked about twice, no loss is taken for a cut."""
    refusal = raw({}, 413)
    outcome, _ = await spoiled(lambda _prompt, codes, tokens: refusal if tokens > WINDOW else codes[:1])
    (found,) = outcome.scripts
    assert {"recall", "error"} == {finding.verdict for finding in found.findings}
    assert_measured(found)


async def test_a_code_lost_once_is_found_at_the_second_asking() -> None:
    """One lapse costs one more request and leaves no trace in the verdict."""
    lapses = iter([1, 0, 0, 0, 0])
    outcome, asked = await spoiled(lambda _prompt, codes, _tokens: codes[next(lapses) :])
    assert ["whole"] * 3 == [finding.verdict for finding in outcome.scripts[0].findings]
    assert "codes lost at the first asking" in outcome.scripts[0].findings[0].detail
    assert 4 == len(asked)


async def test_codes_in_the_reasoning_were_read() -> None:
    """The window is measured by what the model saw, not by how well it keeps to the form."""

    def answer(asked: Asked) -> Answer:
        codes = " ".join(CODE.findall(asked.prompt))
        message = {"role": "assistant", "content": "Done.", "reasoning_content": codes}
        return whole(message=message, usage={"prompt_tokens": round(len(asked.prompt) / 3.3)})

    with serving(answer) as endpoint:
        outcome = await probe(job(endpoint.url, "en"))
    assert ["whole"] * 3 == [finding.verdict for finding in outcome.scripts[0].findings]


async def test_a_gateway_that_counts_before_it_cuts_is_seen_through() -> None:
    """The same end is lost twice though the count is full: a cut, not a lapse of memory."""

    def spoil(prompt: str, _codes: list[str], _tokens: int) -> list[str]:
        return CODE.findall(prompt[:99_000])

    outcome, _ = await spoiled(spoil)
    (found,) = outcome.scripts
    assert {("cut", "end")} == {(finding.verdict, finding.where) for finding in found.findings if not finding.fits}
    assert_measured_without_count(found, 99_000)


def assert_measured_without_count(found: ScriptOutcome, window: int) -> None:
    """Codes alone place the window no better than the gap between two of them."""
    assert found.cap is not None
    assert 0.8 * window < found.cap < window * 1.07


@pytest.mark.parametrize("cut", ["front", "middle", "end"])
async def test_without_usage_the_codes_decide_and_it_is_said(cut: str) -> None:
    """Unverified: every loss is asked about twice, and a gap is taken off the cap."""

    def spoil(prompt: str, _codes: list[str], _tokens: int) -> list[str]:
        over = max(0, len(prompt) - 99_000)
        head = {"front": 0, "middle": 49_500, "end": 99_000}[cut]
        return CODE.findall(prompt[:head] + prompt[head + over :])

    outcome, _ = await spoiled(spoil, usage=False)
    (found,) = outcome.scripts
    assert not found.counted
    assert {"whole", "lost"} == {finding.verdict for finding in found.findings}
    assert found.cap is not None
    assert found.cap <= 99_000


async def test_what_a_server_adds_to_every_prompt_is_no_cut() -> None:
    """A hidden system prompt of 400 tokens makes short prompts look dense; long ones are still read whole."""
    outcome, asked = await spoiled(lambda _prompt, codes, _tokens: codes, added=400)
    assert ["whole"] * 3 == [finding.verdict for finding in outcome.scripts[0].findings]
    assert 3 == len(asked)


@pytest.mark.parametrize(
    "refusal",
    [
        raw({}, 413),
        raw({"error": {"message": "prompt is too long: 30303 tokens > 30000 maximum"}}, 400),
        raw({"error": {"code": "context_length_exceeded", "message": "no"}}, 400),
        raw({"code": "context_length_exceeded", "message": "no"}, 400),
        raw({"message": "Input is too long for requested model."}, 400),
        raw("输入超过最大长度".encode(), 400, content_type="text/plain"),
    ],
)
async def test_any_refusal_that_speaks_of_length_is_the_windows_edge(refusal: Answer) -> None:
    """413, words, or a code; none of them is billed."""
    outcome, asked = await spoiled(lambda _prompt, codes, tokens: refusal if tokens > WINDOW else codes)
    assert_measured(outcome.scripts[0])
    refused = sum(finding.verdict == "error" for finding in outcome.scripts[0].findings)
    assert len(asked) == outcome.spent.requests
    read = [round(len(one.prompt) / 3.3) for one in asked]
    assert sum(tokens for tokens in read if tokens <= WINDOW) == outcome.spent.tokens_in
    assert refused == sum(tokens > WINDOW for tokens in read)


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        (raw({"error": {"message": "who are you"}}, 401), EndpointError),
        (raw({"error": {"code": "insufficient_quota", "message": "pay"}}, 429), QuotaError),
        (raw({"error": {"message": "strange"}}, 400), RejectedError),
        (raw({"error": {"message": "down"}}, 503), TransientError),
    ],
)
async def test_any_other_error_stops_with_the_bracket_found_so_far(answer: Answer, kind: type[Exception]) -> None:
    """The first two documents were read; the error ends the probe, and the other script is not begun."""
    with serving(echo(lambda _prompt, codes, tokens: answer if tokens > 20_000 else codes)) as endpoint:
        outcome = await probe(job(endpoint.url))
    english, chinese = outcome.scripts
    assert isinstance(outcome.stopped_by, kind)
    assert (40_000, None, None) == (english.search.fits, english.search.fails, english.cap)
    assert str(outcome.stopped_by) == english.unfinished
    assert ("not begun", ()) == (chinese.unfinished, chinese.findings)
    assert not outcome.complete


@pytest.mark.parametrize("failure", [streamed(event({"content": "QX"}), cut=True), raw({}, 504), raw({}, 502)])
async def test_a_passing_failure_is_repeated_and_counted(failure: Answer) -> None:
    """A break once: the same document again; the spending counts what a model may have worked on."""
    failures = iter([True])
    outcome, asked = await spoiled(
        lambda _prompt, codes, _tokens: failure if next(failures, False) else codes,
    )
    assert ["whole"] * 3 == [finding.verdict for finding in outcome.scripts[0].findings]
    assert (4, 4) == (len(asked), outcome.spent.requests)
    assert asked[0].prompt == asked[1].prompt
    assert outcome.spent.tokens_in > sum(round(len(one.prompt) / 3.3) for one in asked[1:])


@pytest.mark.parametrize("status", [401, 403, 404, 400, 429, 500, 503])
async def test_a_status_that_no_model_gave_costs_nothing(status: int) -> None:
    """The requests are told, the tokens are none, and the limit is not used up by them."""
    outcome, asked = await spoiled(
        lambda _prompt, _codes, _tokens: raw({"error": {"message": "no"}}, status), max_tokens_spent=6000
    )
    assert (len(asked), 0, 0) == (outcome.spent.requests, outcome.spent.tokens_in, outcome.spent.tokens_out)
    assert f"HTTP {status}: no" in str(outcome.scripts[0].unfinished)


async def test_where_nobody_listens_nothing_is_spent_and_that_is_said() -> None:
    """A closed port, and a name that does not exist: six tries, no token, the reason instead of the limit."""
    with serving(echo()) as endpoint:
        closed = endpoint.url
    for url, reason in ((closed, "connection refused"), ("http://no-such-host.invalid/v1", "DNSError")):
        outcome = await probe(job(url, "en", max_tokens_spent=6000))
        assert Spending(6, 0, 0) == outcome.spent
        assert reason in str(outcome.scripts[0].unfinished)


CUT = streamed(event({"content": "QX"}), cut=True)


def billed(asked: Sequence[Asked]) -> int:
    """What an endpoint may bill that bills every prompt and every reply at its limit."""
    return sum(round(len(one.prompt) / 3.3) + BUDGET for one in asked)


@pytest.mark.parametrize("script", SCRIPTS)
@pytest.mark.parametrize(("limit", "requests"), [(4000, 0), (13_000, 2), (20_000, 4), (None, 6)])
async def test_repeats_of_cut_streams_stay_within_the_limit(script: Script, limit: int | None, requests: int) -> None:
    """Each repeat sends the whole prompt again and may be billed: it must be allowed like any request."""
    outcome, asked = await spoiled(lambda _prompt, _codes, _tokens: CUT, script, max_tokens_spent=limit)
    (found,) = outcome.scripts
    assert (len(asked), found.findings) == (outcome.spent.requests, ())
    if limit is None:
        assert (6, "cut_stream") == (len(asked), outcome.stopped_by.reason)
        return
    assert billed(asked) <= outcome.spent.tokens <= limit
    assert requests == len(asked) or script == "cjk"
    assert "--max-tokens-spent" in str(found.unfinished)


@pytest.mark.parametrize("limit", [13_000, 30_000, 60_000, 100_000])
@pytest.mark.parametrize("every", [2, 3])
async def test_the_limit_holds_where_streams_break_now_and_then(limit: int, every: int) -> None:
    """Repeats and later documents draw on the same purse."""
    places = count(1)
    outcome, asked = await spoiled(
        lambda _prompt, codes, _tokens: codes if next(places) % every == 0 else CUT, max_tokens_spent=limit
    )
    assert len(asked) == outcome.spent.requests >= 2
    assert outcome.spent.tokens <= limit
    assert "--max-tokens-spent" in str(outcome.scripts[0].unfinished)


@pytest.mark.parametrize(
    "wish",
    ["1e308", "9" * 400, "inf", "-5", "Fri, 31 Dec 9999 23:59:59 GMT", "Fri, 31 Dec 99999 23:59:59 GMT",
     "Fri, 31 Dec 9999 23:59:59 -9999", "Mon, 01 Jan 0001 00:00:00 +2300", "Mon, 99 Jan 2024 99:99:99 GMT"],
)  # fmt: skip
async def test_no_retry_after_crashes_or_hangs_the_probe(wish: str) -> None:
    """A wait beyond the time-out is given up, nonsense is ignored; either way the endpoint's words end the probe."""
    busy = raw({"error": {"message": "busy"}}, 429, headers={"Retry-After": wish})
    outcome, asked = await spoiled(lambda _prompt, _codes, _tokens: busy)
    assert "HTTP 429: busy" == outcome.scripts[0].unfinished
    assert isinstance(outcome.stopped_by, TransientError)
    assert len(asked) in (1, 6)


async def test_a_retry_after_within_the_time_out_is_waited_for() -> None:
    """The document is asked about again when the endpoint said it may be."""
    busy = raw({}, 429, headers={"Retry-After": "0.3"})
    answers = iter([busy])
    began = time.monotonic()
    outcome, asked = await spoiled(lambda _prompt, codes, _tokens: next(answers, codes))
    assert time.monotonic() - began >= 0.3
    assert (4, True) == (len(asked), outcome.complete)


async def test_an_endpoint_that_never_answers_measures_nothing() -> None:
    """Empty replies without usage: asked twice, then it stops and says why."""
    outcome, asked = await spoiled(lambda _prompt, _codes, _tokens: whole("", finish="length"), usage=False)
    assert "neither an answer nor a token count" in str(outcome.scripts[0].unfinished)
    assert 2 == len(asked)


@pytest.mark.parametrize("limit", [1, 20_000, 50_000, 130_000, 300_000])
async def test_the_limit_is_never_exceeded(limit: int) -> None:
    """It stops before the request that could exceed it, with the bracket found so far."""
    outcome, asked = await spoiled(lambda _prompt, codes, _tokens: codes, max_tokens_spent=limit)
    spent = sum(round(len(one.prompt) / 3.3) + 50 for one in asked)
    assert spent == outcome.spent.tokens <= limit
    (found,) = outcome.scripts
    if limit < 300_000:
        assert "--max-tokens-spent" in str(found.unfinished)
        assert found.cap is None
        assert {1: 0, 20_000: 40_000, 50_000: 40_000, 130_000: 40_000}[limit] >= found.search.fits
    else:
        assert found.unfinished is None


async def test_a_reply_without_usage_counts_at_its_most() -> None:
    """What cannot be known is taken from the limit in full."""
    outcome, asked = await spoiled(lambda _prompt, codes, _tokens: codes, usage=False)
    assert BUDGET * len(asked) == outcome.spent.tokens_out
    assert outcome.spent.tokens_in >= sum(len(one.prompt) / 3.3 for one in asked)


@pytest.mark.parametrize("window", [2000, WINDOW, 60_000, 121_000, None])
async def test_what_was_announced_is_never_exceeded(window: int | None) -> None:
    """At the offline endpoint, whatever its window: requests and tokens in and out."""
    async with offline_endpoint(OfflineOptions(window=ContextWindow(window))) as url:
        planned = job(url)
        most = most_spent(planned)
        spent = (await probe(planned)).spent
    assert spent.requests <= most.requests
    assert spent.tokens_in <= most.tokens_in
    assert spent.tokens_out <= most.tokens_out


class InterruptingTheWait(Said):
    """Presses Ctrl-C when the first request was answered with a wish to wait."""

    def say(self, line: str) -> None:
        """Keep, and interrupt soon after the request was sent."""
        super().say(line)
        if "asking" in line:
            asyncio.get_running_loop().call_later(0.5, os.kill, os.getpid(), signal.SIGINT)


@pytest.mark.timeout(60)
async def test_a_signal_ends_a_wait_between_repeats() -> None:
    """Nothing is sent again after it, and the minute that the endpoint asked for is not waited out."""
    busy = raw({"error": {"message": "busy"}}, 429, headers={"Retry-After": "600"})
    with serving([busy]) as endpoint:
        outcome = await probe(job(endpoint.url, "en"), InterruptingTheWait())
    assert (130, 1, 1) == (outcome.signal_status, len(endpoint.asked), outcome.spent.requests)
    assert "HTTP 429: busy" == outcome.scripts[0].unfinished


class Interrupting(Said):
    """Presses Ctrl-C when the second document was read."""

    def say(self, line: str) -> None:
        """Keep, and count."""
        super().say(line)
        if "read whole" in line and 2 == sum("read whole" in line for line in self.lines):
            os.kill(os.getpid(), signal.SIGINT)


async def test_a_signal_lets_the_request_end_and_keeps_the_bracket() -> None:
    """Stopped after the second document: what was found stands, at most one more is asked about."""
    with serving(echo(lambda _prompt, codes, tokens: raw({}, 413) if tokens > WINDOW else codes)) as endpoint:
        outcome = await probe(job(endpoint.url), Interrupting())
    english, chinese = outcome.scripts
    assert (130, "stopped", 40_000, None) == (
        outcome.signal_status,
        english.unfinished,
        english.search.fits,
        english.cap,
    )
    assert "not begun" == chinese.unfinished
    assert len(endpoint.asked) <= 3


async def test_a_key_that_is_not_set_is_told_before_anything_is_sent() -> None:
    """78, naming the variable."""
    with serving(echo()) as endpoint:
        config = run_config(endpoint.url, api_key_env="NO_SUCH_KEY", caps={}, judges=[])
        with pytest.raises(ConfigError, match="NO_SUCH_KEY"):
            await probe(ProbeJob(config, {"en": SEARCHES["en"]}))
    assert [] == endpoint.asked


async def test_every_finding_is_told_when_it_is_made() -> None:
    """Before a request its size, after it the finding."""
    async with offline_endpoint(OfflineOptions(window=ContextWindow(WINDOW, "end"))) as url:
        said = Said()
        outcome = await probe(job(url, "en"), said)
    asking = [line for line in said.lines if "asking (about" in line]
    assert outcome.spent.requests == len(asking)
    assert len(outcome.scripts[0].findings) == len(said.lines) - len(asking)
    assert said.lines[0].startswith("en 10,000 characters: asking (about 3,4")
    assert any("cut silently at the end" in line for line in said.lines)


def test_the_bounds_default_to_the_tables_largest_caps() -> None:
    """2,850,000 and 850,000 characters."""
    assert {"en": Search(10_000, 2_850_000), "cjk": Search(10_000, 850_000)} == bounds(SCRIPTS, 10_000, {})
    assert {"cjk": Search(9_000, 99_000)} == bounds(("cjk",), 9_000, {"cjk": 99_000})
