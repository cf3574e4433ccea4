from base64 import b64encode, urlsafe_b64encode
from dataclasses import replace
from urllib.parse import quote, quote_plus

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wildtrace.endpoints.base import Reply
from wildtrace.endpoints.openai_errors import one_line
from wildtrace.endpoints.redact import Secrets

KEY = "sk-proj-0123456789abcdef"


def test_the_key_the_password_and_their_header_are_secrets() -> None:
    """So are the user's name, which may be a key, every value of a query, and what the proxy is sent."""
    secrets = Secrets.of(KEY, "https://anna:p%40ss@host/v1?token=a1b%2Bc&v=2024&bare", "http://pete:s3cret@proxy:1")
    headers = {b64encode(pair).decode() for pair in (b"anna:p@ss", b"pete:s3cret")}
    assert {KEY, "anna", "p@ss", "a1b+c", "2024", "bare", "pete", "s3cret", *headers} == set(secrets.values)


@pytest.mark.parametrize("secret", ["a+b/c=d&e@f g", "p%40ss", "密钥-0001", "ab12"])
def test_however_a_secret_is_written_it_is_blotted_out(secret: str) -> None:
    """As it is, percent-encoded in either case and in part, and as a form writes it."""
    secrets = Secrets.of(secret, "http://host/v1")
    encoded = quote(secret, safe="")
    for written in (secret, encoded, encoded.lower(), quote(secret), quote(secret, safe="@="), quote_plus(secret)):
        assert "wrong: [key]!" == secrets.blot(f"wrong: {written}!")
    for url in (f"http://{encoded}@host/v1", f"http://u:{encoded}@host/v1", f"http://host/v1?k={encoded}"):
        assert "wrong: [key]!" == Secrets.of(None, url).blot(f"wrong: {secret}!")
        assert "wrong: [key]!" == Secrets.of(None, "http://host", url).blot(f"wrong: {encoded}!")


def test_an_endpoint_without_any_has_no_secrets() -> None:
    """Nothing is blotted out."""
    assert () == Secrets.of(None, "http://127.0.0.1:8000/v1").values


@given(st.text(max_size=20), st.integers(8, len(KEY)), st.sampled_from(["", "…", "...", "; check the key", "****cdef"]))
def test_no_long_beginning_of_a_key_stays_at_a_messages_end(before: str, length: int, after: str) -> None:
    """Whole or cut by whoever wrote the message; the words around it stay."""
    assert f"{before}[key]{after}" == Secrets((KEY,)).blot(f"{before}{KEY[:length]}{after}")


@pytest.mark.parametrize("between", ["\u200b", "\n", " ", "\u2060\u00ad", "\ufe0f", "\u034f", "\r\n\t", "\u3164"])
@pytest.mark.parametrize("place", [1, 8, 11, len(KEY) - 1])
def test_a_key_in_two_pieces_is_blotted_out(between: str, place: int) -> None:
    """Between them a line break or what is not seen; as the server sent it, in one line, and where that was cut."""
    secrets = Secrets((KEY,))
    said = f"钥匙 {KEY[:place]}{between}{KEY[place:]} 不对"
    assert "钥匙 [key] 不对" == secrets.blot(said)
    assert "钥匙 [key] 不对" == secrets.blot(one_line(said))
    apart = between.join(KEY)
    assert "wrong: [key]!" == secrets.blot(one_line(f"wrong: {apart}!"))
    for length in range(8, len(KEY)):
        cut = secrets.blot(one_line(f"wrong: {between.join(KEY[:length])}…"))
        assert "wrong: [key]…" == cut


def test_words_apart_are_no_short_secret() -> None:
    """What an answer may hold by chance must stand in one piece."""
    secrets = Secrets.of("none", "http://host/v1")
    assert "no network" == secrets.blot("no network")
    assert "It was no nest" == secrets.blot("It was no nest")


def test_words_that_a_key_begins_with_are_no_secret() -> None:
    """They stay in an answer wherever they stand, and in the middle of a message."""
    secrets = Secrets.of("internal-tools-key-0001", "http://host/v1")
    said = "The internal-tools-key of 1901, an internal audit, internal"
    reply = Reply(said, reasoning=said)
    assert reply is secrets.blot_reply(reply)
    assert "internal audit" == secrets.blot("internal audit")


def test_what_names_an_apis_version_stays_in_an_answer() -> None:
    """A date is a value of many addresses and the answer to many questions."""
    secrets = Secrets.of(None, "http://host/v1?api-version=2024-06-01")
    reply = Reply("On 2024-06-01.")
    assert reply is secrets.blot_reply(reply)


def test_a_short_beginning_before_an_ellipsis_does_not_stay_either() -> None:
    """That is how a cut message ends."""
    assert "wrong key [key]…" == Secrets((KEY,)).blot("wrong key sk-pro…")


def test_a_password_of_a_few_letters_is_blotted_out_of_messages_alone() -> None:
    """A word such as `none` is no secret of a reply, in which it may stand by right."""
    secrets = Secrets.of("none", "http://host/v1")
    assert "[key] of these" == secrets.blot("none of these")
    reply = Reply("none of these")
    assert reply is secrets.blot_reply(reply)


def test_a_reply_that_holds_the_key_loses_it() -> None:
    """Content, reasoning, the model's name and its print; it says so, and the rest is as it was."""
    reply = Reply(f"I was sent {KEY}", f"so {KEY}?", "stop", served_model=KEY, fingerprint=f"fp {KEY}", attempts=3)
    clean = Secrets((KEY,)).blot_reply(reply)
    expected = Reply("I was sent [key]", "so [key]?", "stop", served_model="[key]", fingerprint="fp [key]", attempts=3)
    assert replace(expected, key_removed=True) == clean


def test_a_count_named_by_the_key_is_dropped() -> None:
    """The other counts stay."""
    usage = {"prompt_tokens": 5, f"{KEY}_tokens": 7}
    assert {"prompt_tokens": 5} == Secrets((KEY,)).blot_reply(Reply("a", usage=usage)).usage
    assert Secrets((KEY,)).blot_reply(Reply("a", usage={f"{KEY}_tokens": 7})).usage is None


@pytest.mark.parametrize("key", [KEY, "sk-9f~8>7?6=ab?>~0123", "密钥-0001-测试-abcdef"])
@pytest.mark.parametrize("before", ["", "Bearer ", "a", "ab", "水 {"])
@pytest.mark.parametrize("after", ["", "\n", '", "b"', "水水"])
def test_a_key_in_base64_is_blotted_out(key: str, before: str, after: str) -> None:
    """In both alphabets, whatever stands before and after it in what was encoded; whole, in lines, and cut."""
    secrets = Secrets((key,))
    for encode in (b64encode, urlsafe_b64encode):
        written = encode(f"{before}{key}{after}".encode()).decode()
        inner = written[(len(before.encode()) + 2) // 3 * 4 :][: len(key.encode()) // 3 * 4 - 4]
        assert len(inner) > 12
        assert inner[2:-2] not in secrets.blot(f"dump {written}!")
        assert inner[2:-2] not in secrets.blot(one_line(f"dump {written[:12]}\n{written[12:]}")).replace(" ", "")
        assert inner[2:10] not in secrets.blot(f"dump {written[:-8]}…")
        clean = secrets.blot_reply(Reply(f"水 {written} 水", usage={f"{written}_tokens": 1}))
        assert (True, None) == (clean.key_removed, clean.usage)
        assert inner[2:-2] not in clean.content


def test_a_key_in_other_letters_case_is_blotted_out_of_messages() -> None:
    """One that no message holds by chance; a word that is a password is not looked for in other words."""
    assert "key [key]; [key]" == Secrets((KEY,)).blot(f"key {KEY.upper()}; {KEY.title()}")
    assert "None of Http" == Secrets(("none", "http")).blot("None of Http")


def test_base64_of_a_short_secret_is_not_looked_for() -> None:
    """Four letters of it stand in any text."""
    reply = Reply(b64encode(b"none").decode())
    assert reply is Secrets(("none",)).blot_reply(reply)
    assert reply.content == Secrets(("none",)).blot(reply.content)
