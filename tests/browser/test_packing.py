"""The page opens what Python packed: every text comes back, byte for byte."""

from __future__ import annotations

import base64
import bz2
import json
import random
from typing import Any

import pytest

from tests.report.html.made import ANSWER
from wildtrace.report.html.embed import packed
from wildtrace.report.html.page import asset

OPEN = """text => {
  const bytes = bunzip(Uint8Array.from(atob(text), letter => letter.charCodeAt(0)));
  let whole = '';
  for (let at = 0; at < bytes.length; at += 32768) whole += String.fromCharCode(...bytes.subarray(at, at + 32768));
  return btoa(whole);
}"""


@pytest.fixture(scope="module")
def opener(browser: Any) -> Any:
    """An empty page that has the opener."""
    context = browser.new_context()
    page = context.new_page()
    page.set_content(f"<script>{asset('bunzip.js')}</script>")
    yield page
    context.close()


def opened(page: Any, packed_bytes: bytes) -> bytes:
    """What the page makes of a bzip2 stream."""
    return base64.b64decode(page.evaluate(OPEN, base64.b64encode(packed_bytes).decode()))


@pytest.mark.parametrize("length", [1, 2, 3, 4, 5, 254, 255, 256, 258, 259, 260, 261, 519, 1000])
def test_runs_of_every_length_come_back(opener: Any, length: int) -> None:
    """Runs around the limits of bzip2's first stage, alone and among other bytes."""
    for raw in (b"a" * length, b"ba" + b"a" * length + b"b" + b"\0" * length + b"a"):
        assert raw == opened(opener, bz2.compress(raw))


def test_bytes_of_every_kind_come_back(opener: Any) -> None:
    """All values, random noise, few symbols and many, several blocks at every level."""
    rng = random.Random(91)
    noise = rng.randbytes(30_000)
    words = [rng.choice(["the ", "泵失效", "valve ", "0.25,", "null,"]) for _ in range(60_000)]
    for raw in (bytes(range(256)) * 9, noise, noise[:1], "".join(words).encode(), bytes(rng.choices(b"ab", k=9_000))):
        assert raw == opened(opener, bz2.compress(raw))
        assert raw == opened(opener, bz2.compress(raw, 1))


def test_values_come_back_as_they_were(opener: Any) -> None:
    """JSON with both scripts, escapes and unpaired surrogates."""
    value = {"answer": ANSWER * 50, "list": [None, True, 0.1, -3], "odd": "\u2028</script>\x00", "half": "\ud83d"}

    assert value == json.loads(opened(opener, base64.b64decode(packed(value))))


@pytest.mark.parametrize("cut", [10, 30, 200])
def test_a_damaged_block_is_an_error_and_no_endless_loop(opener: Any, cut: int) -> None:
    """A stream that ends too early is refused."""
    whole = bz2.compress(ANSWER.encode() * 40)
    with pytest.raises(Exception, match=r"ends too early|damaged"):
        opened(opener, whole[:cut])
