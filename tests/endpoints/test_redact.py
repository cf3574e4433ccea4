"""What was sent to authenticate never comes back out of a message or a reply."""

from __future__ import annotations

import base64
import re
from dataclasses import replace
from urllib.parse import quote, quote_plus

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wildtrace.endpoints.base import Reply
from wildtrace.endpoints.redact import REDACTED, Secrets

KEY = "sk-proj-0123456789abcdef"

# A key is what a header can carry; 16 characters stand in no answer by chance.
keys = st.text(st.characters(min_codepoint=0x21, max_codepoint=0x7E), min_size=16, max_size=60)
passwords = st.text(st.characters(exclude_categories=["C"]), min_size=16, max_size=30)
words = st.text(st.characters(exclude_categories=["Cs"]), max_size=40)


@given(keys | passwords, words, words)
def test_a_key_as_it_is_or_percent_encoded_is_taken_out(key: str, before: str, after: str) -> None:
    """Whatever stands around it, in messages and replies, however much of it a URL would encode."""
    secrets = Secrets((key,))
    all_of_it = "".join(f"%{byte:02x}" for byte in key.encode())
    lower = re.sub("%..", lambda code: code[0].lower(), quote(key, safe=""))
    for written in (key, quote(key), quote(key, safe=""), lower, quote_plus(key), all_of_it):
        message = secrets.redact(f"{before}{written}{after}")
        assert REDACTED in message
        assert written not in message
        reply = secrets.redact_reply(Reply(f"{before}{written}{after}", reasoning=written))
        assert (True, REDACTED) == (reply.key_removed, reply.reasoning)


@given(keys | passwords, st.binary(max_size=12), st.binary(max_size=12), st.booleans())
def test_a_key_in_base64_is_taken_out(key: str, before: bytes, after: bytes, url_safe: bool) -> None:
    """At any offset in its groups of three bytes, in both alphabets; what is left decodes to no four bytes of it."""
    encode = base64.urlsafe_b64encode if url_safe else base64.b64encode
    data = key.encode()
    written = encode(before + data + after).decode()
    clean = Secrets((key,)).redact(f"dump {written}!")
    assert REDACTED in clean
    whole_groups = range(-(-len(before) // 3) * 4, (len(before) + len(data)) // 3 * 4, 4)
    certain = written[whole_groups.start : whole_groups.stop]
    assert certain not in clean
    assert Secrets((key,)).redact_reply(Reply(written)).key_removed


@given(words)
def test_a_message_without_a_secret_stays(text: str) -> None:
    """Nothing is taken out that was not sent; a reply is the same object."""
    assert text == Secrets((KEY,)).redact(text)
    reply = Reply(text, usage={"prompt_tokens": 3})
    assert reply is Secrets((KEY,)).redact_reply(reply)


def test_the_key_the_password_and_their_header_are_secrets() -> None:
    """So are the user's name, which may be a key, every value of a query, and what the proxy is sent."""
    secrets = Secrets.of(KEY, "https://anna:p%40ss@host/v1?token=a1b%2Bc&v=2024&bare", "http://pete:s3cret@proxy:1")
    headers = {base64.b64encode(pair).decode() for pair in (b"anna:p@ss", b"pete:s3cret")}
    assert {KEY, "anna", "p@ss", "a1b+c", "2024", "bare", "pete", "s3cret", *headers} == set(secrets.values)
    assert () == Secrets.of(None, "http://127.0.0.1:8000/v1").values


@pytest.mark.parametrize("secret", ["a+b/c=d&e@f g", "p%40ss", "密钥-0001", "ab12"])
def test_a_secret_of_a_url_is_taken_out_of_messages(secret: str) -> None:
    """Wherever the URL has it, and however the message writes it."""
    encoded = quote(secret, safe="")
    for url in (f"http://{encoded}@host/v1", f"http://u:{encoded}@host/v1", f"http://host/v1?k={encoded}"):
        for written in (secret, encoded, encoded.lower(), quote(secret, safe="@="), quote_plus(secret)):
            assert "wrong: [key]!" == Secrets.of(None, url).redact(f"wrong: {written}!")
            assert "wrong: [key]!" == Secrets.of(None, "http://host", url).redact(f"wrong: {written}!")


@given(st.integers(4, len(KEY) - 1))
def test_no_beginning_of_a_key_stays_where_our_own_ellipsis_cut_the_message(length: int) -> None:
    """Messages are cut to a line before they get here."""
    assert "wrong key [key]…; check the key" == Secrets((KEY,)).redact(f"wrong key {KEY[:length]}…; check the key")


@pytest.mark.parametrize("secret", ["none", "lm-studio", "2024-06-01"])
def test_a_word_is_no_secret_of_an_answer(secret: str) -> None:
    """Local servers take any word for a key, and a date is the value of many addresses; messages lose them."""
    secrets = Secrets.of(secret, "http://host/v1")
    reply = Reply(f"It was {secret}.")
    assert reply is secrets.redact_reply(reply)
    assert "It was [key]." == secrets.redact(reply.content)


def test_a_reply_that_holds_the_key_loses_it() -> None:
    """Content, reasoning, the model's name and its fingerprint; it says so, and the rest is as it was."""
    reply = Reply(f"I was sent {KEY}", f"so {KEY}?", "stop", served_model=KEY, fingerprint=f"fp {KEY}", attempts=3)
    clean = Secrets((KEY,)).redact_reply(reply)
    expected = Reply("I was sent [key]", "so [key]?", "stop", served_model="[key]", fingerprint="fp [key]", attempts=3)
    assert replace(expected, key_removed=True) == clean


def test_a_count_named_by_the_key_is_dropped() -> None:
    """The other counts stay."""
    usage = {"prompt_tokens": 5, f"{KEY}_tokens": 7}
    assert {"prompt_tokens": 5} == Secrets((KEY,)).redact_reply(Reply("a", usage=usage)).usage
    assert Secrets((KEY,)).redact_reply(Reply("a", usage={f"{KEY}_tokens": 7})).usage is None
