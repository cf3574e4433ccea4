"""Charsets: the text that reads well wins, not the codec that does not fail."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wildtrace.construct.ingest.charset import decode
from wildtrace.errors import DataError

SIMPLIFIED = (
    "话说那一日，老爷吩咐众人都到后面去，自己却在书房里坐着，心中想道：“这件事如何是好？”正说着，外面进来一个人。"
)
TRADITIONAL = (
    "話說那一日，老爺吩咐眾人都到後面去，自己卻在書房裏坐著，心中想道：「這件事如何是好？」正說著，外面進來一個人。"
)
FRENCH = "Un été à la forêt, où l’élève naïf était déjà âgé ; « ça va », dit-il. Où êtes-vous, Élise ? "
ENGLISH = "The temperature was 5° and the price £6—“too dear,” he said; the naïve façade of the café. "
RUSSIAN = "Все счастливые семьи похожи друг на друга, каждая несчастливая семья несчастлива по-своему. "
JAPANESE = "吾輩は猫である。名前はまだ無い。どこで生れたかとんと見当がつかぬ。"
POLISH = "Zażółć gęślą jaźń. Litwo! Ojczyzno moja! ty jesteś jak zdrowie; ile cię trzeba cenić, ten tylko się dowie. "
CZECH = "Příliš žluťoučký kůň úpěl ďábelské ódy, a všichni věděli, že to není pravda. Řekl jí, ať přijde zítra. "
KOREAN = "나는 고양이다. 이름은 아직 없다. 어디서 태어났는지 도무지 모른다. "


@pytest.mark.parametrize(
    ("text", "charset"),
    [
        (SIMPLIFIED, "gbk"),
        (SIMPLIFIED, "gb18030"),
        (TRADITIONAL, "gb18030"),
        (TRADITIONAL, "cp950"),
        (TRADITIONAL, "big5hkscs"),
        (FRENCH, "cp1252"),
        (FRENCH, "mac_roman"),
        (ENGLISH, "cp1252"),
        (RUSSIAN, "cp1251"),
        (RUSSIAN, "koi8-r"),
        (JAPANESE, "shift_jis"),
        (JAPANESE, "euc_jp"),
        (KOREAN, "euc_kr"),
        (JAPANESE, "iso2022_jp"),
        (SIMPLIFIED, "hz"),
        (KOREAN, "iso2022_kr"),
        (POLISH, "iso8859_2"),
        (POLISH, "cp1250"),
        (CZECH, "cp1250"),
    ],
)
@pytest.mark.parametrize("times", [4, 400])
def test_legacy_charsets_are_told_by_what_they_say(text: str, charset: str, times: int) -> None:
    """A text in any of these charsets reads as it was written, short or long."""
    found = decode((text * times).encode(charset), "f.txt")
    assert (text * times, 0) == (found.text, found.broken)


@pytest.mark.parametrize("text", [SIMPLIFIED, TRADITIONAL, FRENCH, ENGLISH, RUSSIAN, JAPANESE, KOREAN, "plain"])
@pytest.mark.parametrize("charset", ["utf-8", "utf-8-sig", "utf-16", "utf-32", "utf-16-le", "utf-16-be"])
def test_unicode_charsets_are_known_with_and_without_a_mark(text: str, charset: str) -> None:
    """UTF-8, UTF-16 and UTF-32 with a byte order mark; UTF-8 and UTF-16 also without one. The mark is no text."""
    assert text * 20 == decode((text * 20).encode(charset), "f.txt").text


@pytest.mark.parametrize("plain", ["a ~{ brace ~} here", "~{}~", "x ~~ y ~{~}", "~{1}~}"])
def test_ascii_with_tildes_and_braces_stays_as_it_is(plain: str) -> None:
    """What is no shift, or shifts to nothing, is plain text."""
    assert (plain, "ascii") == (decode(plain.encode(), "f.txt").text, decode(plain.encode(), "f.txt").charset)


def test_big5_that_gb18030_decodes_without_error_is_big5() -> None:
    """The trap itself: both codecs accept the bytes, one of them gives nonsense."""
    raw = (TRADITIONAL * 5).encode("cp950")
    assert raw.decode("gb18030", errors="replace") != TRADITIONAL * 5
    assert TRADITIONAL * 5 == decode(raw, "f.txt").text


def test_a_broken_place_does_not_change_the_charset_and_is_counted() -> None:
    """A few damaged bytes in a long text stand as U+FFFD; a replacement character of the file's own does not count."""
    raw = (SIMPLIFIED * 50).encode()
    found = decode(raw[:3000] + b"\xff" + raw[3000:], "f.txt")
    assert ("utf-8", 1) == (found.charset, found.broken)
    assert 0 == decode(f"{SIMPLIFIED}\ufffd".encode(), "f.txt").broken
    legacy = decode((SIMPLIFIED * 50).encode("gbk") + b"\x81", "f.txt")
    assert ("gb18030", 1) == (legacy.charset, legacy.broken)


@pytest.mark.parametrize("torn", [b"\xe2\x80", b"\xed\xa0\x80\xed\xb0\x80", b"\xc3", b"\xf0\x9f\x98", b"\xef\xbf"])
@pytest.mark.parametrize("around", ["", "It was the café’s naïve façade. ", "话说那一日，老爷吩咐众人。"])
def test_a_torn_letter_among_plain_ones_is_damage(torn: bytes, around: str) -> None:
    """Text that is ASCII or UTF-8 but for one place is UTF-8, whatever another charset makes of that place."""
    plain = "The crew rowed on, and slept on the ice. " * 9
    found = decode(plain.encode() + around.encode() + b" ro" + torn + b"w " + plain.encode(), "f.txt")
    assert ("utf-8", True) == (found.charset, found.broken > 0)
    assert f"{plain}{around} ro\ufffd" == found.text[: len(plain) + len(around) + 4]
    assert found.text.endswith(f"w {plain}")


def test_what_a_legacy_charset_says_well_is_no_damage() -> None:
    """A single accent, a euro, a trade mark among plain letters stand in the charset that gives them."""
    plain = "The crew rowed on, and slept on the ice. " * 80
    for sign in ("caf\u00e9", "\u20ac 5", "Rowing\u2122", "\u00a3 6"):
        assert f"{plain}{sign} {plain}" == decode(f"{plain}{sign} {plain}".encode("cp1252"), "f.txt").text


def test_a_declaration_is_a_hint_and_no_more() -> None:
    """A declared charset that fits is taken; one that lies is not."""
    page = f'<html><meta charset="{{}}"><p>{FRENCH * 5}</p></html>'
    assert "iso8859-1" == decode(page.replace("’", "'").format("iso-8859-1").encode("latin-1"), "f.html").charset
    assert FRENCH in decode(page.format("shift_jis").encode("utf-8"), "f.html").text
    assert FRENCH in decode(page.format("no-such-charset").encode("cp1252"), "f.html").text


@pytest.mark.parametrize("raw", [bytes(range(256)) * 40, b"\x7fELF" + b"\x00\x01\x02" * 500])
def test_what_is_no_text_is_refused(raw: bytes) -> None:
    """Binary files are refused with their name."""
    with pytest.raises(DataError, match=r"f\.bin is no text"):
        decode(raw, "f.bin")


@given(st.binary(min_size=1, max_size=400))
def test_any_bytes_are_decoded_or_refused(raw: bytes) -> None:
    """Whatever the bytes, there is a text of Unicode scalar values or a refusal."""
    try:
        found = decode(raw, "f.txt")
    except DataError:
        return
    assert found.text == found.text.encode("utf-8").decode("utf-8")


@pytest.mark.corpus
@pytest.mark.skipif("WILDTRACE_CORPUS" not in os.environ, reason="WILDTRACE_CORPUS names no folder")
@pytest.mark.parametrize(
    ("file", "codec"),
    [
        ("laocan_youji.gb18030.txt", "gb18030"),
        ("pingshan_lengyan.big5.crlf.txt", "cp950"),
        ("titanic_39415.latin1.crlf.txt", "latin-1"),
        ("sickness_63408.utf8bom.crlf.txt", "utf-8-sig"),
    ],
)
def test_real_files_read_as_they_were_written(file: str, codec: str) -> None:
    """Real files in four charsets."""
    raw = (Path(os.environ["WILDTRACE_CORPUS"]) / "formats" / file).read_bytes()
    assert raw.decode(codec) == decode(raw, file).text
