"""Rules 6 to 17: how questions are asked and what the endpoint's words mean."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from typing import Any

import pytest

from tests.endpoint import DONE, Answer, Loopback, event, raw, serving, streamed, whole
from tests.fakes import CHINESE, DOCUMENTS, ENGLISH, IDS, ROWS, Call, Fake, Made, answer, reply, run_config
from wildtrace.calls.reasoning import split_reasoning
from wildtrace.endpoints.base import Reply, Request
from wildtrace.endpoints.caps import CAPS, Cap
from wildtrace.endpoints.config import Endpoint, route_of
from wildtrace.endpoints.failures import (
    CallError,
    ContextOverflow,
    EndpointError,
    QuotaError,
    RefusedError,
    TransientError,
)
from wildtrace.endpoints.transport import open_endpoint
from wildtrace.evaluate.reply import read_response
from wildtrace.evaluate.run import EvaluateOutcome, evaluate
from wildtrace.evaluate.tasks import answer_prompt
from wildtrace.scores.results import read_responses
from wildtrace.text.json_escape import escape
from wildtrace.text.reading import decode, document_facts
from wildtrace.text.script import is_cjk, is_other_cjk
from wildtrace.types import DocumentFacts, Question, Response

PAPER_CAPS = {
    "gpt-4.1": (2850000, 850000),
    "gpt-5.4": (2850000, 850000),
    "gpt-5.5": (2850000, 850000),
    "qwen3.5-plus": (2850000, 850000),
    "qwen3.6-plus": (2850000, 850000),
    "qwen3.7-max": (2850000, 850000),
    "qwen3.7-plus": (2850000, 850000),
    "gemini-2.5-pro": (2850000, 850000),
    "gemini-3.1": (2850000, 850000),
    "deepseek-v4": (2850000, 850000),
    "glm-5.2": (2850000, 850000),
    "claude-opus-4.6": (2850000, 850000),
    "claude-opus-4.8": (2850000, 850000),
    "deepseek-v3.2": (1200000, 400000),
    "gpt-5.1": (1050000, 320000),
    "kimi-k2.6": (1000000, 320000),
    "doubao-seed-2.1": (1000000, 320000),
    "qwen3-max": (690000, 210000),
    "minimax-m2.7": (570000, 220000),
}


def contestant(url: str, **changes: Any) -> Endpoint:
    """An endpoint that is asked without waiting."""
    return Endpoint(**{"name": "contestant", "base_url": url, "model": "tested", "backoff_s": 0.0, **changes})


async def ask(script: Any, **changes: Any) -> tuple[Reply | CallError, Loopback]:
    """Ask a scripted endpoint once; the reply or the failure, and what it was asked."""
    with serving(script) as endpoint:
        async with open_endpoint(contestant(endpoint.url, **changes)) as model:
            try:
                return await model.ask(Request("before ", " after", lambda: escape('the "document" 水\n'))), endpoint
            except CallError as failure:
                return failure, endpoint


async def answered(
    made: Made, say: Callable[[Call], Any] = answer, **config: Any
) -> tuple[EvaluateOutcome, dict[str, Response], Fake]:
    """Answer the made release with a fake model; the outcome, the responses as filed, and the fake."""
    fake = Fake(say)
    outcome = await evaluate(made.evaluate_job(run_config(**config)), opener=fake.opener)
    return outcome, {response.question_id: response for response in read_responses(made.responses).responses}, fake


async def test_rule_06_a_document_above_the_cap_is_never_sent_and_never_cut(made: Made) -> None:
    """Exactly at the cap it is sent whole; one code point above, it is out of scope."""
    caps = {"tested": {"en": len(ENGLISH) - 1, "cjk": len(CHINESE)}}
    _, responses, fake = await answered(made, caps=caps)
    assert {"zh-1", "zh-2", "tr-1", "tr-2"} == set(fake.ids)
    assert all(CHINESE in call.prompt for call in fake.asked if call.question_id.startswith("zh"))
    assert Response("en-1", "out_of_context_scope") == responses["en-1"]
    assert list(IDS) == list(responses)


@pytest.mark.parametrize(
    ("text", "cjk"),
    [
        ("一" * 20, False),
        ("一" * 21, True),
        ("鿿" * 21, True),
        ("䷿" * 30, False),  # the code point before the range
        ("ꀀ" * 30, False),  # the code point after it
        ("a" * 3979 + "水" * 21, True),
        ("a" * 3980 + "水" * 21, False),
        ("かな" * 300, False),
        ("한글" * 300, False),
        ("", False),
    ],
)
def test_rule_07_cjk_is_more_than_20_ideographs_among_the_first_4000(text: str, cjk: bool) -> None:
    """By the protocol's range and head, counted in code points."""
    assert cjk == is_cjk(text)


async def test_rule_07_a_cjk_script_beyond_the_range_is_warned_of(made: Made) -> None:
    """Kana, hangul and extension blocks keep the en cap, and a line says so."""
    assert [True, True, True, False, False] == [
        is_other_cjk(t) for t in ("かな" * 20, "한글" * 20, "𠀀" * 21, "水" * 30, "a" * 99)
    ]
    (made.corpus / "voyage.txt").write_text("한글 이야기. " * 20, encoding="utf-8")
    lines: list[str] = []
    fake = Fake(answer)
    job = made.evaluate_job(run_config())
    await evaluate(job, Saying(lines), fake.opener)
    assert ["voyage.txt"] == [line.split(":")[0] for line in lines if "the en cap was used" in line]


class Saying:
    """A Progress that keeps what is said."""

    def __init__(self, lines: list[str]) -> None:
        self.lines = lines

    def start(self, what: str, total: int, done: int) -> None:
        """Ignore."""

    def advance(self, finished: object) -> None:
        """Ignore."""

    def say(self, line: str) -> None:
        """Keep the line."""
        self.lines.append(line)


def test_rule_08_the_table_is_the_papers() -> None:
    """Every entry, written out here a second time."""
    assert PAPER_CAPS == {name: (cap.en, cap.cjk) for name, cap in CAPS.items()}


@pytest.mark.parametrize(
    ("config", "cap", "source"),
    [
        ({"model": "qwen3-max", "caps": {"qwen3-max": {"en": 5, "cjk": 6}}}, (5, 6), "config"),
        ({"model": "qwen3-max", "caps": {"other": {"en": 5, "cjk": 6}}}, (690000, 210000), "table"),
        ({"model": "mr.qwen", "caps": {}, "cap_as": "qwen3-max"}, (690000, 210000), "table"),
        ({"model": "gpt-5.1", "caps": {}, "cap_as": "qwen3-max"}, (1050000, 320000), "table"),
        ({"model": "qwen3.7", "caps": {}}, (2850000, 850000), "default"),
        ({"model": "QWEN3-MAX", "caps": {}}, (2850000, 850000), "default"),
        ({"model": "qwen3-max-0101", "caps": {}}, (2850000, 850000), "default"),
    ],
)
def test_rule_08_the_cap_is_the_configs_the_tables_or_the_default(
    config: dict[str, Any], cap: tuple[int, int], source: str
) -> None:
    """By exact name, in this order; an older version's cap is never inherited."""
    route = route_of(run_config(**config))
    assert (Cap(*cap), source) == (route.cap, route.source)


async def test_rule_08_the_default_is_warned_of_and_the_source_is_recorded(made: Made) -> None:
    """The warning names probe; provenance holds cap and source."""
    lines: list[str] = []
    await evaluate(made.evaluate_job(run_config(caps={})), Saying(lines), Fake(answer).opener)
    provenance = read_responses(made.responses).provenance
    assert 1 == sum("wildtrace probe" in line for line in lines)
    assert ("default", {"en": 2850000, "cjk": 850000}) == (provenance["cap_source"], provenance["caps"])


@pytest.mark.parametrize("document", ["{question}", "{document} {question}", "plain", "{}", "%s {0}"])
def test_rule_09_placeholders_inside_question_and_document_stay(document: str) -> None:
    """One pass; LF only; no trailing newline."""
    question = "Is {document} or {question} meant, {other}?"
    prompt = answer_prompt(Question("q", question, "d.txt"))
    wanted = (
        "Answer using ONLY the document below. Include every specific detail from the text.\n"
        "\n"
        f"Question: {question}\n"
        "\n"
        "Document:\n"
        f"{document}"
    )
    assert wanted == prompt.before + document + prompt.after


@pytest.mark.parametrize(
    ("settings", "wanted"),
    [
        ({}, {"temperature": 0.1, "max_tokens": 8192}),
        ({"reasoning": True}, {"temperature": 0.1, "max_tokens": 32768}),
        ({"send_temperature": False}, {"max_tokens": 8192}),
        ({"max_tokens_field": "max_completion_tokens"}, {"temperature": 0.1, "max_completion_tokens": 8192}),
    ],
)
async def test_rule_10_decoding_is_as_the_protocol_says(settings: dict[str, Any], wanted: dict[str, Any]) -> None:
    """These keys and no others; one user turn; streamed with usage unless that is switched off."""
    with serving([whole()]) as endpoint:
        for stream in (True, False):
            config = run_config(endpoint.url, stream=stream, **settings)
            async with open_endpoint(config.contestant) as model:
                await model.ask(Request("Say 水."))
    turn = {"model": "tested", "messages": [{"role": "user", "content": "Say 水."}]}
    assert {**turn, **wanted, "stream": True, "stream_options": {"include_usage": True}} == endpoint.asked[0].body
    assert {**turn, **wanted} == endpoint.asked[1].body
    assert "/v1/chat/completions" == endpoint.asked[0].path


def failing(times: int, answer: Answer) -> Callable[[Any], Answer]:
    """An endpoint that fails so many times, then answers."""
    return lambda asked: answer if asked.place < times else whole("late")


TRANSIENT = {
    "408": raw({"error": {"message": "slow"}}, 408),
    "409": raw({"error": {"message": "conflict"}}, 409),
    "429": raw({"error": {"message": "slow down"}}, 429),
    "500": raw(b"<html>oops</html>", 500),
    "503": raw(b"", 503),
    "529": raw({"type": "error", "error": {"type": "overloaded_error"}}, 529),
    "an error in a 200": raw({"error": {"message": "upstream died"}}),
    "no choices": raw({"choices": []}),
    "choices null": raw({"choices": None}),
    "no JSON": raw(b"oops"),
    "half a body": Answer(pieces=(b'{"choices": [',), cut=True),
    "a cut stream": streamed(event({"content": "half an"})),
    "a broken stream": streamed(event({"content": "half an"}), cut=True),
    "an error in a stream": streamed(event({"content": "half"}), event(error={"message": "upstream died"})),
    "an error beside a choice": streamed(
        event({"content": "half"}), event({"content": ""}, finish="error", error={"code": 502, "message": "gone"}), DONE
    ),
}


@pytest.mark.parametrize("kind", TRANSIENT)
async def test_rule_11_transient_errors_are_retried_five_times(kind: str) -> None:
    """Five retries after the first request reach the answer; a sixth failure in a row is the end."""
    got, endpoint = await ask(failing(5, TRANSIENT[kind]))
    assert isinstance(got, Reply)
    assert ("late", 6, 6) == (got.content, got.attempts, len(endpoint.asked))
    assert 1 == len({asked.raw for asked in endpoint.asked})
    failure, endpoint = await ask([TRANSIENT[kind]])
    assert isinstance(failure, TransientError)
    assert (6, 6) == (failure.attempts, len(endpoint.asked))


async def test_rule_11_connection_errors_and_timeouts_are_retried() -> None:
    """A connection that breaks and a server that does not answer in time."""
    for broken, reason in ((Answer(pieces=(b"{",), cut=True), "connection"), (Answer(delay_s=0.5), "timeout")):
        with serving([broken]) as endpoint:
            async with open_endpoint(contestant(endpoint.url, timeout_s=0.2)) as model:
                with pytest.raises(TransientError) as failed:
                    await model.ask(Request("x"))
        assert (reason, 6) == (failed.value.reason, failed.value.attempts)


async def test_rule_12_an_endpoint_that_was_never_reached_ends_the_asking(unused_tcp_port: int) -> None:
    """After a few attempts of the first calls, naming the address; nothing is asked after that."""
    url = f"http://127.0.0.1:{unused_tcp_port}/v1"
    async with open_endpoint(contestant(url)) as model:
        for attempts in (3, 0):
            with pytest.raises(EndpointError, match=r"cannot reach 127\.0\.0\.1") as failed:
                await model.ask(Request("x"))
            assert attempts == failed.value.attempts


@pytest.mark.timeout(60)
async def test_rule_11_retry_after_is_honoured() -> None:
    """The wait is the one that the endpoint names, not the backoff's, which would be half an hour at the least."""
    busy = raw({"error": {"message": "slow down"}}, 429, headers={"Retry-After": "0.2"})
    loop = asyncio.get_running_loop()
    began = loop.time()
    got, _ = await ask(failing(1, busy), backoff_s=3600.0)
    assert isinstance(got, Reply)
    assert loop.time() - began >= 0.2


HALF = {
    "aborted": whole("The val", finish="abort"),
    "aborted without text": whole("", finish="aborted"),
    "cancelled": whole("The val", finish="CANCELLED"),
    "an error in the choice": raw(
        {
            "choices": [
                {"message": {"content": "Partial "}, "finish_reason": "stop", "error": {"message": "x", "code": 504}}
            ]
        }
    ),
    "aborted stream": streamed(event({"content": "The val"}), event({}, finish="abort"), DONE),
    "aborted stream without text": streamed(event({}, finish="timeout"), DONE),
    "an error in a stream's choice": streamed(
        event({"content": "Partial "}),
        b'data: {"choices": [{"delta": {}, "finish_reason": "stop", "error": {"message": "late", "code": 504}}]}\n\n',
        DONE,
    ),
}


@pytest.mark.parametrize("kind", HALF)
async def test_rule_11_what_the_engine_broke_off_is_asked_again(kind: str) -> None:
    """Never an answer, never a zero: the next reply counts, and five retries without one leave it pending."""
    got, endpoint = await ask([HALF[kind], HALF[kind], whole("The valve failed.")])
    assert isinstance(got, Reply)
    assert ("The valve failed.", 3) == (got.content, len(endpoint.asked))
    failure, endpoint = await ask([HALF[kind]])
    assert isinstance(failure, TransientError)
    assert 6 == len(endpoint.asked)


async def test_rule_11_what_stays_transient_is_pending_and_asked_again_by_the_next_run(made: Made) -> None:
    """The task is neither failed nor a stored zero."""
    outcome, responses, _ = await answered(made, lambda _: TransientError("HTTP 503", reason="server_error"))
    assert {("pending", "server_error")} == {(entry.status, entry.reason) for entry in responses.values()}
    assert (6, None) == (outcome.pending, outcome.stopped_by)
    _, responses, fake = await answered(made)
    assert (set(IDS), {"ok"}) == (set(fake.ids), {entry.status for entry in responses.values()})


@pytest.mark.parametrize(
    ("status", "error", "kind", "advice"),
    [
        (401, {"message": "bad key"}, EndpointError, "api_key_env"),
        (403, {"message": "forbidden"}, EndpointError, "this key may not use"),
        (404, {"message": "no such model", "code": "model_not_found"}, EndpointError, "base_url"),
        (
            400,
            {"message": "nope", "param": "temperature", "code": "unsupported_value"},
            EndpointError,
            "send_temperature",
        ),
        (400, {"message": "`temperature` is deprecated for this model."}, EndpointError, "send_temperature"),
        (400, {"message": "invalid temperature: only 1 is allowed for this model"}, EndpointError, "send_temperature"),
        (
            400,
            {"message": "'max_tokens' is not supported with this model.", "param": "max_tokens"},
            EndpointError,
            "max_completion_tokens",
        ),
        (400, {"message": "Range of max_tokens should be [1, 8192]"}, EndpointError, "max_tokens"),
        (402, {"message": "Insufficient Balance"}, QuotaError, "no quota"),
        (429, {"message": "quota", "type": "insufficient_quota"}, QuotaError, "no quota"),
        (403, {"message": "account", "type": "exceeded_current_quota_error"}, QuotaError, "no quota"),
        (400, {"message": "denied", "code": "Arrearage"}, QuotaError, "no quota"),
    ],
)
async def test_rule_12_errors_that_every_request_would_meet_end_the_asking(
    status: int, error: dict[str, Any], kind: type[EndpointError], advice: str
) -> None:
    """No retry, and the message says what to change."""
    failure, endpoint = await ask([raw({"error": error}, status)])
    assert kind is type(failure)
    assert advice in str(failure)
    assert 1 == len(endpoint.asked)


@pytest.mark.parametrize(
    ("status", "error"),
    [
        (403, {"message": "set safety_identifier", "type": "safety_identifier_missing"}),
        (400, {"message": "model names are case sensitive", "code": "model_name_is_case_sensitive"}),
    ],
)
async def test_rule_12_a_wrong_setting_stops_the_run_and_refuses_no_task(
    made: Made, status: int, error: dict[str, Any]
) -> None:
    """Its code holds a moderation code's word; moderation codes are compared whole."""
    failure, endpoint = await ask([raw({"error": error}, status)])
    assert EndpointError is type(failure)
    assert 1 == len(endpoint.asked)
    outcome, responses, _ = await answered(made, lambda _: failure)
    assert {"pending"} == {entry.status for entry in responses.values()}
    assert failure is outcome.stopped_by


async def test_rule_12_the_requests_in_flight_end_and_no_other_begins(made: Made) -> None:
    """Two in flight: one meets a bad key, the other's answer is kept, the other four are not asked."""
    second, refused = asyncio.Event(), asyncio.Event()

    async def say(call: Call) -> Any:
        if call.place == 0:
            await second.wait()
            refused.set()
            return EndpointError("HTTP 401; check the key")
        second.set()
        await refused.wait()
        await asyncio.sleep(0.01)
        return answer(call)

    outcome, responses, fake = await answered(made, say, concurrency=2)
    assert 2 == len(fake.asked)
    assert 1 == sum(entry.status == "ok" for entry in responses.values())
    assert 5 == outcome.pending
    assert "HTTP 401; check the key" == str(outcome.stopped_by)


@pytest.mark.parametrize(
    ("status", "error"),
    [
        (400, {"message": "x", "code": "content_filter", "innererror": {"code": "ResponsibleAIPolicyViolation"}}),
        (400, {"message": "x", "code": "data_inspection_failed"}),
        (400, {"message": "x", "code": "InputTextSensitiveContentDetected"}),
        (403, {"message": "x", "code": "moderation_blocked"}),
        (403, {"message": "x", "code": 403, "metadata": {"reasons": ["violence"], "flagged_input": "…"}}),
    ],
)
async def test_rule_12_a_moderation_code_is_a_refusal_of_that_task_alone(
    made: Made, status: int, error: dict[str, Any]
) -> None:
    """Final for the task, nothing for the others."""
    failure, endpoint = await ask([raw({"error": error}, status)])
    assert isinstance(failure, RefusedError)
    assert 1 == len(endpoint.asked)
    outcome, responses, fake = await answered(
        made, lambda call: failure if call.question_id == "zh-1" else answer(call)
    )
    assert ("failed", "refusal") == (responses["zh-1"].status, responses["zh-1"].reason)
    assert (6, 0, None) == (len(fake.asked), outcome.pending, outcome.stopped_by)


@pytest.mark.parametrize(
    ("status", "body"),
    [
        (413, b"too large"),
        (400, {"error": {"message": "x", "code": "context_length_exceeded"}}),
        (
            400,
            {
                "error": {
                    "message": "This model's maximum context length is 131072 tokens. However, you requested 140000"
                }
            },
        ),
        (
            400,
            {
                "error": {
                    "message": "the request exceeds the available context size",
                    "type": "exceed_context_size_error",
                }
            },
        ),
        (
            400,
            {
                "error": {
                    "message": "prompt is too long: 208310 tokens > 200000 maximum",
                    "type": "invalid_request_error",
                }
            },
        ),
        (400, {"error": {"message": "Range of input length should be [1, 983616]", "code": "invalid_parameter_error"}}),
        (400, {"error": {"message": "Invalid request: Your request exceeded model token limit: 262144"}}),
        (
            400,
            [
                {
                    "error": {
                        "code": 400,
                        "message": "The input token count (1200000) exceeds the maximum number of tokens (1048576).",
                        "status": "INVALID_ARGUMENT",
                    }
                }
            ],
        ),
        (422, {"detail": "Input is too long for the context window"}),
        (400, {"object": "error", "message": "This model's maximum context length is 4096 tokens.", "code": 400}),
    ],
)
async def test_rule_13_a_context_overflow_is_pending_and_not_retried(status: int, body: Any) -> None:
    """By status or by the words of context length, in many vendors' shapes; with the advice to lower the cap."""
    failure, endpoint = await ask([raw(body, status)])
    assert isinstance(failure, ContextOverflow)
    assert (1, "context_overflow") == (len(endpoint.asked), failure.reason)
    assert "lower this model's cap" in str(failure)


async def test_rule_13_it_is_not_sent_again_until_the_cap_changes(made: Made) -> None:
    """The same cap: kept, not asked; another cap: asked; a cap below the document: out of scope."""
    overflow = ContextOverflow("HTTP 400: too long; lower this model's cap")
    _, responses, _ = await answered(made, lambda call: overflow if call.question_id == "en-1" else answer(call))
    assert ("pending", "context_overflow", str(overflow)) == (
        responses["en-1"].status,
        responses["en-1"].reason,
        responses["en-1"].error,
    )
    _, responses, fake = await answered(made)
    assert ([], "context_overflow") == (fake.ids, responses["en-1"].reason)
    _, responses, fake = await answered(made, caps={"tested": {"en": 9_999, "cjk": 10_000}})
    assert (["en-1"], "ok") == (fake.ids, responses["en-1"].status)


REFUSED = {
    "finish reason": whole("I must", finish="content_filter"),
    "refusal field": whole(message={"role": "assistant", "content": None, "refusal": "No."}),
    "refusal in a stream": streamed(event({"refusal": "No."}), event({}, finish="stop"), DONE),
    "finish reason in a stream": streamed(event({"content": "I must"}), event({}, finish="content_filter"), DONE),
    "no message": raw({"choices": [{"index": 0, "message": None, "finish_reason": "PROHIBITED_CONTENT"}]}),
    "no message, filtered": raw({"choices": [{"index": 0, "message": None, "finish_reason": "content_filter"}]}),
}


@pytest.mark.parametrize("kind", REFUSED)
async def test_rule_14_a_refusal_is_final(made: Made, kind: str) -> None:
    """By the endpoint's own mark; one request, no content retry by this run or the next."""
    got, endpoint = await ask([REFUSED[kind]])
    assert isinstance(got, Reply)
    assert 1 == len(endpoint.asked)
    _, responses, _ = await answered(made, lambda _: got)
    assert {("failed", "refusal")} == {(entry.status, entry.reason) for entry in responses.values()}
    _, again, fake = await answered(made)
    assert ([], responses) == (fake.asked, again)


async def test_rule_14_an_error_whose_body_is_a_filtered_completion_is_a_refusal(made: Made) -> None:
    """HTTP 400 with a chat completion that a filter kept back: final after one request."""
    filtered = {"object": "chat.completion", "choices": [{"message": None, "finish_reason": "content_filter"}]}
    failure, endpoint = await ask([raw(filtered, 400)])
    assert isinstance(failure, RefusedError)
    assert "HTTP 400: the completion was filtered (content_filter)" == str(failure)
    assert 1 == len(endpoint.asked)
    _, responses, _ = await answered(made, lambda _: failure)
    assert {("failed", "refusal")} == {(entry.status, entry.reason) for entry in responses.values()}


@pytest.mark.parametrize(
    ("said", "status", "reason"),
    [
        (reply(""), "failed", "empty_stop"),
        (reply(" \n\u3000"), "failed", "empty_stop"),
        (reply("", finish_reason="length"), "failed", "empty_truncated"),
        (reply("", finish_reason="content_filter"), "failed", "refusal"),
        (reply("I cannot help with that request."), "ok", None),
        (reply("抱歉，我无法回答。"), "ok", None),
        (reply("half", finish_reason="length"), "ok", None),
    ],
)
def test_rule_14_the_reasons_stay_distinct_and_wording_is_no_refusal(
    said: Reply, status: str, reason: str | None
) -> None:
    """An apology is an answer; an empty answer is a failure, by how it ended."""
    response = read_response("q", said, prompt_chars=10, cjk=False)
    assert (status, reason) == (response.status, response.reason)


@pytest.mark.parametrize(
    ("content", "kept", "reasoning", "unclosed"),
    [
        ("<think>a</think>b", "b", "a", False),
        ("\n <think>\na\n</think>\n\nb\n", "b\n", "a", False),
        ("a</think>b", "b", "a", False),
        ("<think>a", "", "a", True),
        ("<think>a</think><think>b</think>c", "c", "a\n\nb", False),
        ("<think>a</think>b<think>c</think>", "b<think>c</think>", "a", False),
        ("b <think>c</think> d", "b <think>c</think> d", None, False),
        ("plain", "plain", None, False),
        ("思考</think>答案", "答案", "思考", False),
    ],
)
def test_rule_15_reasoning_never_becomes_the_answer(
    content: str, kept: str, reasoning: str | None, unclosed: bool
) -> None:
    """A block that opens the content, and a closing tag without an opening one, are moved."""
    thought = split_reasoning(content)
    assert (kept, reasoning, unclosed) == (thought.answer, thought.reasoning, thought.unclosed)


async def test_rule_15_reasoning_content_is_stored_apart_and_stripping_can_be_switched_off(made: Made) -> None:
    """By either field name, whole or streamed; an unclosed block is an empty answer that was cut."""
    for name in ("reasoning_content", "reasoning"):
        got, _ = await ask([whole(message={"content": "b", name: "a"})])
        assert isinstance(got, Reply)
        assert ("b", "a") == (got.content, got.reasoning)
        got, _ = await ask([streamed(event({name: "a"}), event({"content": "b"}, finish="stop"), DONE)])
        assert isinstance(got, Reply)
        assert ("b", "a") == (got.content, got.reasoning)
    _, responses, _ = await answered(
        made, lambda call: "<think>a</think>b" if call.question_id == "en-1" else "<think>a"
    )
    assert ("ok", "b", "a") == (responses["en-1"].status, responses["en-1"].response, responses["en-1"].reasoning)
    assert ("failed", "empty_truncated", "") == (
        responses["zh-1"].status,
        responses["zh-1"].reason,
        responses["zh-1"].response,
    )
    response = read_response("q", reply("<think>a"), prompt_chars=1, cjk=False, strip_reasoning=False)
    assert ("ok", "<think>a") == (response.status, response.response)


async def test_rule_16_usage_is_asked_for_and_the_option_dropped_once() -> None:
    """A server that rejects stream_options is asked again without it, at no cost in retries, also many at a time."""

    def picky(asked: Any) -> Answer:
        if "stream_options" in asked.body:
            return raw({"error": {"message": "stream_options: Extra inputs are not permitted"}}, 422)
        return whole("fine")

    with serving(picky) as endpoint:
        async with open_endpoint(contestant(endpoint.url)) as model:
            replies = await asyncio.gather(*(model.ask(Request("x")) for _ in range(8)))
            later = await model.ask(Request("x"))
    assert {("fine", 1)} == {(got.content, got.attempts) for got in (*replies, later)}
    assert "stream_options" in endpoint.asked[0].body
    assert "stream_options" not in endpoint.asked[-1].body
    assert 17 >= len(endpoint.asked)


@pytest.mark.parametrize(
    ("chars", "usage", "cjk", "flags"),
    [
        (600, {"prompt_tokens": 100}, False, ()),
        (601, {"prompt_tokens": 100}, False, ("suspected_truncation",)),
        (250, {"prompt_tokens": 100}, True, ()),
        (251, {"prompt_tokens": 100}, True, ("suspected_truncation",)),
        (601, None, False, ("unverified",)),
        (601, {"completion_tokens": 5}, False, ("unverified",)),
    ],
)
def test_rule_16_a_prompt_that_was_not_read_whole_is_suspected(
    chars: int, usage: dict[str, int] | None, cjk: bool, flags: tuple[str, ...]
) -> None:
    """Above 6 characters a prompt token, 2.5 in CJK text; unverified where no usage came back."""
    assert flags == read_response("q", reply("a", usage=usage), prompt_chars=chars, cjk=cjk).flags


async def test_rule_16_the_whole_prompt_is_measured_and_the_flags_are_counted(made: Made) -> None:
    """Question and frame count beside the document, by the document's own script."""

    def say(call: Call) -> Reply:
        limit = 2.5 if call.question_id.startswith("zh") else 6
        tokens = int(len(call.prompt) / limit) + (0 if call.question_id.endswith("1") else 1)
        return reply("a", usage={"prompt_tokens": tokens})

    _, responses, _ = await answered(made, say)
    flagged = {question_id for question_id, entry in responses.items() if "suspected_truncation" in entry.flags}
    exact = {row["question_id"] for row in ROWS if row["question_id"].endswith("1")}
    assert exact == flagged | {q for q in exact if _even(q)}
    assert {"suspected_truncation": len(flagged)} == read_responses(made.responses).provenance["flags"]


def _even(question_id: str) -> bool:
    """Whether the prompt's length is a whole multiple of the limit, so that the exact count is not above it."""
    row = next(row for row in ROWS if row["question_id"] == question_id)
    prompt = answer_prompt(Question("q", row["question_text"], row["corpus_file"]))
    chars = len(prompt.before) + len(DOCUMENTS[row["corpus_file"]]) + len(prompt.after)
    return chars % (2.5 if question_id.startswith("zh") else 6) == 0


async def test_rule_17_lone_surrogates_are_replaced_and_flagged(made: Made) -> None:
    """In content and reasoning, whole or streamed; a pair cut between two events is one character."""
    body = json.dumps(
        {"choices": [{"message": {"content": "a\ud800b", "reasoning": "\udfff"}, "finish_reason": "stop"}]}
    )
    lone, _ = await ask([raw(body.encode())])
    assert isinstance(lone, Reply)
    response = read_response("q", lone, prompt_chars=1, cjk=False)
    assert ("a\ufffdb", "\ufffd") == (response.response, response.reasoning)
    assert "surrogates_replaced" in response.flags
    pair, _ = await ask([streamed(event({"content": "\ud83d"}), event({"content": "\ude00"}, finish="stop"), DONE)])
    assert isinstance(pair, Reply)
    response = read_response("q", pair, prompt_chars=1, cjk=False)
    assert ("😀", False) == (response.response, "surrogates_replaced" in response.flags)
    _, responses, _ = await answered(made, lambda _: lone)
    assert "a\ufffdb" == responses["en-1"].response


def facts_of(text: str) -> DocumentFacts:
    """The facts of a text."""
    return document_facts("d.txt", decode(text.encode(), "d.txt"))


def test_rule_07_the_cjk_cap_holds_for_cjk_documents() -> None:
    """The same length is in scope by one cap and out by the other."""
    route = route_of(run_config(caps={"tested": {"en": 100, "cjk": 50}}))
    assert [True, False] == [route.admits(facts_of("a" * 100)), route.admits(facts_of("水" * 51))]
    assert [False, True] == [route.admits(facts_of("a" * 101)), route.admits(facts_of("水" * 50))]
