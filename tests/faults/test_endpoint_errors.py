"""Errors that every later request would meet end the asking at once, with what to change (protocol.md, rule 12)."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.endpoint import Answer, Asked, raw, serving, whole
from tests.faults.harness import JUDGES, Work

VERDICT = '{"points_awarded": [60, 40], "total": 100}'


def error(status: int, message: str = "no", **fields: Any) -> Answer:
    """An error in OpenAI's shape."""
    return raw({"error": {"message": message, **fields}}, status=status)


ERRORS: dict[str, tuple[Answer, int, tuple[str, ...]]] = {
    "401": (error(401), 78, ("HTTP 401", "check the key", "api_key_env")),
    "403": (error(403), 78, ("HTTP 403", "this key may not use this model")),
    "404": (error(404), 78, ("HTTP 404", "check base_url", "/v1", "model")),
    "402": (error(402), 2, ("no quota left", "fund it, then run the same command again")),
    "quota": (error(429, code="insufficient_quota"), 2, ("no quota left", "run the same command again")),
    "temperature": (
        error(
            400, "Unsupported value: 'temperature' does not support 0.1", param="temperature", code="unsupported_value"
        ),
        78,
        ('"send_temperature": false',),
    ),
    "max_tokens": (
        error(400, "Unsupported parameter: 'max_tokens'; use 'max_completion_tokens'", param="max_tokens"),
        78,
        ('"max_tokens_field": "max_completion_tokens"',),
    ),
    "a setting named after safety": (
        error(403, "no identifier", type="safety_identifier_missing"),
        78,
        ("HTTP 403: no identifier", "this key may not use this model"),
    ),
    "a model's name in other letters": (
        error(400, "model names are case sensitive", code="model_name_is_case_sensitive"),
        78,
        ("HTTP 400: model names are case sensitive", "check model"),
    ),
    "temperature, unwrapped": (
        raw({"message": "temperature is not supported by this model"}, status=400),
        78,
        ('"send_temperature": false',),
    ),
    "temperature, in plain text": (
        raw("该模型不支持 temperature 参数".encode(), status=400, content_type="text/plain"),
        78,
        ('"send_temperature": false',),
    ),
    "temperature, by its place": (
        raw({"detail": [{"loc": ["body", "temperature"], "msg": "Input should be at least 0.2"}]}, status=422),
        78,
        ("HTTP 422: temperature: Input should be at least 0.2", '"send_temperature": false'),
    ),
    "quota, unwrapped": (raw({"code": "insufficient_quota", "message": "no"}, status=429), 2, ("no quota left",)),
    "a redirect": (Answer(308, headers={"Location": "http://127.0.0.1:9/"}), 78, ("set it to the final address",)),
}


@pytest.mark.parametrize("case", ERRORS)
def test_the_contestants_endpoint_is_not_asked_any_more(work: Work, case: str) -> None:
    """At most `concurrency` requests; the rest is pending and asked when the cause is gone."""
    answer, status, words = ERRORS[case]
    broken = [True]
    with serving(lambda _: answer if broken[0] else whole()) as server:
        work.configure(server.url)
        done = work.run("eval")
        assert status == done.status, done
        assert len(server.asked) <= work.concurrency
        for word in words:
            assert word in done.err
        assert "Traceback" not in done.err
        rows = json.loads(work.responses.read_bytes())["responses"]
        assert {"pending"} == {row["status"] for row in rows}
        broken[0], before = False, len(server.asked)
        assert 0 == work.run("eval").status
        assert len(work.rows) == len(server.asked) - before


@pytest.mark.parametrize("case", ["401", "402", "temperature"])
def test_one_judge_stops_and_the_others_finish(work: Work, calm_run: Work, case: str) -> None:
    """Status 2, the judge and what to change are named, the others' verdicts stay."""
    work.take_answers(calm_run)
    answer, _, words = ERRORS[case]
    with serving([whole(VERDICT)]) as good, serving([answer]) as bad:
        work.configure(good.url)
        table = json.loads(work.config.read_bytes())
        table["judges"][1]["base_url"] = bad.url
        work.config.write_text(json.dumps(table), encoding="utf-8")
        done = work.run("judge")
        assert 2 == done.status, done
        assert f"Judge {JUDGES[1]} is not asked any more" in done.err
        for word in words:
            assert word in done.err
        assert len(bad.asked) <= work.concurrency
        assert 2 * len(work.rows) == len(good.asked)
    scores = json.loads(work.scores.read_bytes())
    assert scores["overall"] is None
    assert {None} == {score["score"] for score in scores["scores"]}
    assert all("error" in score["judges"][JUDGES[1]] for score in scores["scores"])
    assert all(score["judges"][JUDGES[0]]["score"] == 1.0 for score in scores["scores"])


@pytest.mark.parametrize("wrapped", [True, False])
def test_one_refused_task_is_no_reason_to_stop(work: Work, wrapped: bool) -> None:
    """A moderation code is that task's final result; a context overflow is pending and not asked again."""

    def failed(status: int, message: str, code: str) -> Answer:
        told = {"message": message, "code": code}
        return raw({"error": told} if wrapped else told, status=status)

    def script(asked: Asked) -> Answer:
        if "? (3)" in asked.prompt:
            return failed(403, "no", "content_policy_violation")
        if "? (5)" in asked.prompt:
            return failed(400, "maximum context length is 10 tokens", "context_length_exceeded")
        return whole()

    with serving(script) as server:
        work.configure(server.url)
        done = work.run("eval")
        assert 2 == done.status, done
        assert len(work.rows) == len(server.asked)
        rows = json.loads(work.responses.read_bytes())["responses"]
        assert ("failed", "refusal") == (rows[3]["status"], rows[3]["reason"])
        assert ("pending", "context_overflow") == (rows[5]["status"], rows[5]["reason"])
        assert "lower this model's cap" in rows[5]["error"]
        assert 2 == work.run("eval").status
        assert len(work.rows) == len(server.asked)


def test_a_rejected_budget_stops_the_run_and_a_mended_one_goes_on(work: Work) -> None:
    """No answer was paid for, so the same output takes the run with the budget that the model allows."""
    said = (
        "`max_tokens` must be less than or equal to `8192`, the maximum value for `max_tokens` is less than the "
        "`context_window` for this model"
    )

    def script(asked: Asked) -> Answer:
        return error(400, said, param="max_tokens") if asked.body["max_tokens"] > 8192 else whole()

    with serving(script) as server:
        work.configure(server.url, max_tokens=32768)
        done = work.run("eval")
        assert 78 == done.status, done
        assert 'set "max_tokens" to what the model allows' in done.err
        assert len(server.asked) <= work.concurrency
        work.configure(server.url, max_tokens=8192)
        assert 0 == work.run("eval").status


STREAM_OPTIONS_REJECTED = {
    "by parameter": error(400, "Unknown parameter: 'stream_options'", param="stream_options"),
    "in words": error(400, "Invalid field: stream_options"),
    "unwrapped": raw({"message": "extraneous key [stream_options] is not permitted"}, status=400),
    "in plain text": raw("不支持 stream_options".encode(), status=400, content_type="text/plain"),
}


@pytest.mark.parametrize("case", STREAM_OPTIONS_REJECTED)
def test_stream_options_are_dropped_once_for_all(work: Work, case: str) -> None:
    """A server that does not know them is asked without them, and no retry is used up."""

    def script(asked: Asked) -> Answer:
        if "stream_options" in asked.body:
            return STREAM_OPTIONS_REJECTED[case]
        return whole()

    with serving(script) as server:
        work.configure(server.url)
        assert 0 == work.run("eval").status
        rejected = sum("stream_options" in asked.body for asked in server.asked)
    assert 1 <= rejected <= work.concurrency
    assert {1} == {row["attempts"] for row in json.loads(work.responses.read_bytes())["responses"]}
