from base64 import b64encode

from hypothesis import given
from hypothesis import strategies as st

from wildtrace.models.base import Reply
from wildtrace.models.secrets import Secrets

KEY = "sk-proj-0123456789abcdef"


def test_the_key_the_password_and_their_header_are_secrets() -> None:
    """As they are sent, and as a URL writes them; a query's long values too, its short ones not."""
    secrets = Secrets.of(KEY, "https://ann:p%40ss@host/v1?token=0123456789abcdef&version=2024")
    header = b64encode(b"ann:p@ss").decode()
    assert {KEY, "p%40ss", "p@ss", header, "0123456789abcdef"} == set(secrets.values)


def test_an_endpoint_without_any_has_no_secrets() -> None:
    """Nothing is blotted out."""
    assert () == Secrets.of(None, "http://127.0.0.1:8000/v1").values


@given(st.text(max_size=20), st.integers(8, len(KEY)), st.text(max_size=20))
def test_no_long_beginning_of_a_long_key_stays(before: str, length: int, after: str) -> None:
    """Whole or cut by whoever wrote the message; the words around it stay."""
    assert f"{before}[key]{after}" == Secrets((KEY,)).blot(f"{before}{KEY[:length]}{after}") or after.startswith(
        KEY[length : length + 1]
    )


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
    """Content, reasoning and the model's name; the rest is as it was."""
    reply = Reply(f"I was sent {KEY}", reasoning=f"so {KEY}?", served_model=KEY, finish_reason="stop", attempts=3)
    clean = Secrets((KEY,)).blot_reply(reply)
    assert (
        Reply("I was sent [key]", reasoning="so [key]?", served_model="[key]", finish_reason="stop", attempts=3)
        == clean
    )
