"""Keys never reach a file, a log or an error, whatever a server or a user does with them."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

import pytest

from tests.endpoint import DONE, Answer, Asked, event, raw, serving, streamed, whole
from tests.faults.harness import SECRET, Done, Offline, Work, snapshot

PASSWORD = "p4ssw0rd-of-the-gateway"  # noqa: S105 - made for these tests
QUERY = "token-8d1f0a6c5b3e29"
BASIC = base64.b64encode(f"ann:{PASSWORD}".encode()).decode()
VERDICT = '{"points_awarded": [60, 40], "total": 100}'


def leaks(work: Work, *done: Done) -> list[str]:
    """Where a secret, or more than half of one, stands: files, standard output, standard error."""
    places = {name: raw for name, raw in snapshot(work.folder).items() if name != "config.json"}
    for number, one in enumerate(done):
        places |= {f"out {number}": one.out.encode(), f"err {number}": one.err.encode()}
    needles = [secret[: len(secret) // 2 + 1].encode() for secret in (SECRET, PASSWORD, QUERY, BASIC)]
    return [name for name, raw in places.items() for needle in needles if needle in raw]


def echoing(asked: Asked) -> Answer:
    """A server that repeats the headers and the address it was sent, in every place it has."""
    told = f"{asked.headers.get('Authorization')} {asked.path} {SECRET} {PASSWORD}"
    if "STRICT grader" in asked.prompt:
        return whole(f"{told} {VERDICT}", reasoning_content=told)
    if asked.place % 4 == 0:
        return raw({"error": {"message": f"{'x' * (asked.place % 300)} {told}", "code": told}}, status=400)
    if asked.place % 4 == 1:
        message = {"content": told, "reasoning_content": told, "role": "assistant"}
        return whole(message=message, model=told, system_fingerprint=told, id=told)
    if asked.place % 4 == 2:
        pieces = [event({"content": piece}, model=told) for piece in (told[:20], told[20:])]
        return streamed(*pieces, event({}, finish="stop"), DONE)
    return raw({"error": told})


@pytest.mark.parametrize("credentials", ["", f"ann:{PASSWORD}@"])
@pytest.mark.parametrize("key", [SECRET, ""])
def test_a_server_that_echoes_the_key(work: Work, credentials: str, key: str) -> None:
    """In error messages, in contents, reasoning, model names and fingerprints; cut and whole; from URL or variable."""
    with serving(echoing) as server:
        url = server.url.replace("http://", f"http://{credentials}") + f"?token={QUERY}"
        work.configure(url)
        env = {"API_KEY": key} if key else {}
        done = work.run("eval", env=env)
        judged = work.run("judge", env=env)
        assert {2} == {done.status, judged.status}
        sent = {asked.headers.get("Authorization") for asked in server.asked}
    assert {f"Bearer {SECRET}"} == sent if key else {f"Basic {BASIC}"} == sent if credentials else {None} == sent
    # A server that invents a secret nobody sent repeats none.
    if key and credentials:
        assert [] == leaks(work, done, judged)
    assert "[key]" in work.responses.read_text("utf-8")


@pytest.mark.parametrize("status", [401, 403, 404, 402, 429, 500])
def test_an_error_that_names_the_key(work: Work, status: int) -> None:
    """Whatever the error, what is said of it does not repeat the key."""
    answer = raw({"error": {"message": f"Incorrect API key provided: {SECRET}."}}, status=status)
    with serving([answer]) as server:
        work.configure(server.url)
        done = work.run("eval", env={"API_KEY": SECRET}, limit=2)
    assert done.status in {2, 78}
    assert [] == leaks(work, done)
    if status < 405:
        assert "[key]" in done.err


@pytest.mark.parametrize(
    "fields",
    [
        {"api_key": SECRET},
        {"api_key_env": SECRET},
        {SECRET: "API_KEY"},
        {"key": {SECRET: SECRET}},
        {"headers": {"Authorization": SECRET}},
        {"max_tokens": SECRET},
        {"base_url": SECRET},
        {"base_url": f"http://127.0.0.1:9/{SECRET}/v1"},
        {"model": SECRET},
        {"judges": [{"name": SECRET, "base_url": "http://127.0.0.1:9/v1", "model": "m"}]},
        {"judges": [{"name": "ada", "base_url": "http://127.0.0.1:9/v1", "model": SECRET}]},
        {"base_url": f"http://ann:{PASSWORD}@[::1/v1"},
        {"judges": [{"name": "ada", "api_key": SECRET}]},
        {"judges": [{"name": "ada", "api_key_env": SECRET, "base_url": "http://127.0.0.1:9/v1", "model": "m"}]},
        {"prices": {SECRET: 1}},
    ],
)
def test_a_key_pasted_into_the_config(work: Work, endpoint: Offline, calm_run: Work, fields: dict[str, Any]) -> None:
    """Refused without repeating it."""
    table = json.loads(work.config.read_bytes())
    work.config.write_text(json.dumps({**table, **fields}), encoding="utf-8")
    env = {"API_KEY": SECRET}
    done = work.run("eval", env=env)
    work.responses.unlink(missing_ok=True)
    work.take_answers(calm_run)
    judged = work.run("judge", env=env)
    assert 78 in {done.status, judged.status}
    assert [] == leaks(work, done, judged)
    assert len(endpoint.news()) in {0, len(work.rows), 3 * len(work.rows)}


def test_a_config_cut_in_a_key(work: Work, endpoint: Offline) -> None:
    """What is wrong with the JSON is told by its line alone."""
    work.config.write_text(f'{{"base_url": "http://x", "api_key": "{SECRET}', encoding="utf-8")
    done = work.run("eval")
    assert 78 == done.status
    assert [] == leaks(work, done)
    assert [] == endpoint.news()


def test_a_key_with_characters_that_no_header_holds(work: Work, endpoint: Offline) -> None:
    """The variable is named, the key is not."""
    done = work.run("eval", env={"API_KEY": f"{SECRET}\u200b\nX-Evil: 1"})
    assert 78 == done.status
    assert "the key in API_KEY" in done.said
    assert [] == leaks(work, done)
    assert [] == endpoint.news()


def test_the_key_goes_to_no_other_address(work: Work) -> None:
    """A redirect is not followed: the final address belongs into base_url."""
    with serving([whole()]) as other:
        moved = Answer(307, headers={"Location": f"{other.url}/chat/completions"})
        with serving([moved]) as server:
            work.configure(server.url)
            done = work.run("eval", env={"API_KEY": SECRET}, limit=2)
    assert 78 == done.status
    assert "base_url points to another place" in done.err
    assert [] == other.asked
    assert [] == leaks(work, done)


def test_credentials_in_the_url_reach_no_results(work: Work, tmp_path: Path, endpoint: Offline) -> None:
    """Provenance and ledger name the address without them; a run with other credentials is the same run."""
    for name in ("ann", "bob"):
        work.configure(endpoint.url.replace("http://", f"http://{name}:{PASSWORD}@"))
        done = work.run("eval")
        judged = work.run("judge")
        assert (0, 0) == (done.status, judged.status)
        assert [] == leaks(work, done, judged)
    provenance = json.loads(work.responses.read_bytes())["provenance"]
    assert endpoint.url == provenance["base_url"]
    assert len(work.rows) * 4 == len(endpoint.news())
    assert not list(tmp_path.rglob("core*"))
