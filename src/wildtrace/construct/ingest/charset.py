"""Which charset a file is written in: candidates are decoded and their texts judged; no codec wins for not failing.

Big5 bytes decode as GB18030 without an error, and Latin-1 decodes anything; what tells is whether the result reads like
a text: ideographs that are common ones, accented letters that stand among plain ones, few bytes that decode to nothing.
"""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass, replace
from functools import cache

from charset_normalizer import from_bytes

from wildtrace.errors import DataError
from wildtrace.text.normalise import simplified_forms

_BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_CANDIDATES = ("utf-8", "gb18030", "cp950", "big5hkscs", "cp1252", "mac_roman", "cp850", "utf-16-le", "utf-16-be")
_JUDGED = 200_000
_ASCII = bytes(range(128))
# Charsets that write other letters in ASCII bytes between shifts: what tells the shifts, and the codecs to try.
_SHIFTED = (
    (re.compile(rb"\x1b(?:\$[@ABD]|\$\([A-D]|\([BJI])"), ("iso2022_jp", "iso2022_jp_2", "iso2022_jp_ext")),
    (re.compile(rb"\x1b\$\)C[^\x0f]*\x0e"), ("iso2022_kr",)),
    (re.compile(rb"~\{(?:[\x21-\x77][\x21-\x7e])+~\}"), ("hz",)),
)
# Another guess for letters of one kind, where it reads as well: far more texts are written in it.
_COMMONER = {"iso8859_10": ("iso8859_2", "cp1250")}
_HZ_SHARE = 0.3
_GOOD = 0.5
_CLOSE = 0.1
"""A candidate that reads nearly as well as the best one makes the charset doubtful."""
_BROKEN_PENALTY = 20
_DECLARATION = re.compile(rb"""(?:charset|encoding)\s*=\s*["']?\s*([A-Za-z0-9_.:-]{2,40})""")
_LETTERS_A_BREAK = 500
_SOUND_A_BREAK = 10
"""UTF-8 in which one place in so many characters, or in so many of those beyond ASCII, is broken, is UTF-8 still."""
_COMMON = (
    "的一是不了在人有我他这个们中来上大为和国地到以说时要就出会可也你对生能而子那得于着下自之年过发后作里用道行所然家种事成方"
    "多经么去法学如都同现当没动面起看定天分还进好小部其些主样理心她本前开但因只从想实日者意无力它与长把机十民第公此已工使情明性"
    "知全三又关点正外将两高间由问很最重并物手应向头文体相见被利什二等或新己身果加西月话合回特代内信表老给世位次门任常先海通教儿"
    "原东声立及比员解水名真处走各入几口认条平气活更别打女变四神何安少才结反受目太再做必场件直德命山金许统保便空治马五书非则听白"
    "却光放强即难且思王完色路记南住告求北边死交万取望传师观清今切让带曰乃矣焉吾汝臣爷娘姐妇府县官夫叫笑哪吃请"
)
_PUNCTUATION = "，。、：；？！「」『』“”‘’（）《》…—·　"
# Lower case among plain letters, upper case not after lower case: what another codec makes of either is neither.
_LATIN = re.compile(r"(?<![^\x00-\x7f])(?:[ß-öø-ÿœšž]|(?<![a-z])[À-ÖØ-ÞŒŠŽŸ])(?![^\x00-\x7f])")
_TYPOGRAPHY = re.compile(r"[‘’“”–—…]|(?<![^\x00-\x7f])[€™•£§°¼½¾©®«»†‡×\u00a0](?![^\x00-\x7f])")
_IN_WORDS = re.compile(r"(?<=[a-z])[^\W\d_a-z]|[^\W\d_a-z](?=[a-z])")
_BROKEN = re.compile("\ufffd+")
_CONTROL = re.compile(r"[\x00-\x08\x0e-\x1f\x7f-\x9f]")
_MARKUP = re.compile(rb"\s*<")
_C1 = re.compile(rb"[\x80-\x9f]")
_NO_DECLARATION = ("utf-16", "utf-32", "unicode", "raw", "punycode", "idna")
"""What no document that begins with ASCII tags can be in, whatever it declares, and codecs that are no charsets."""
_WIDER = {"gb2312": "gb18030", "gbk": "gb18030", "big5": "cp950"}
"""Charsets that files are declared to be in, by the wider one that browsers read them as."""


@dataclass(frozen=True, slots=True)
class DecodedBytes:
    """A file's text as its bytes say it, the charset's name, how many places could not be decoded, and doubts."""

    text: str
    charset: str
    broken: int = 0
    doubts: tuple[str, ...] = ()


def decode(raw: bytes, name: str, encoding: str | None = None) -> DecodedBytes:
    """Decode a file: by `encoding` where the user gave one, else by what the file's bytes say.

    A byte order mark decides, then valid UTF-8, then a declaration in markup that decodes the whole file, then
    statistics. DataError where it is no text, or `encoding` is unknown or does not fit.
    """
    decoded = (
        _by_encoding(raw, name, encoding)
        if encoding
        else _by_byte_order_mark(raw) or _ascii_or_utf8(raw) or _by_declaration(raw)
    )
    decoded = decoded or _likeliest(raw)
    controls = len(_CONTROL.findall(decoded.text[:_JUDGED]))
    if controls > 8 and controls * 50 > len(decoded.text[:_JUDGED]):
        raise DataError(f"{name} is no text, PDF, EPUB, HTML, Markdown or DOCX file; convert it to one and run again")
    return decoded


def _by_encoding(raw: bytes, name: str, encoding: str) -> DecodedBytes:
    try:
        codec = codecs.lookup(encoding).name
        return DecodedBytes(raw.decode(codec).removeprefix("\ufeff"), codec)
    except LookupError:
        raise DataError(f"{encoding} is no charset; name one that Python knows, such as gb18030 or cp1250") from None
    except (UnicodeError, ValueError) as error:
        raise DataError(
            f"{name} cannot be read as {encoding} ({error}); leave --encoding out or name another"
        ) from None


def _by_byte_order_mark(raw: bytes) -> DecodedBytes | None:
    codec = next((codec for mark, codec in _BYTE_ORDER_MARKS if raw.startswith(mark)), None)
    return None if codec is None else _decoded(raw, codec)


def _ascii_or_utf8(raw: bytes) -> DecodedBytes | None:
    """ASCII, also with a charset's shifts, or UTF-8: no other charset's text of some length is valid UTF-8."""
    if b"\0" in raw:
        return None
    if raw.isascii():
        return _with_shifts(raw) or DecodedBytes(raw.decode("ascii"), "ascii")
    try:
        return DecodedBytes(raw.decode("utf-8"), "utf-8")
    except UnicodeDecodeError:
        return None


def _by_declaration(raw: bytes) -> DecodedBytes | None:
    """By the charset that markup declares near its start, as browsers read that name, if it decodes the whole file."""
    match = _DECLARATION.search(raw[:4096]) if _MARKUP.match(raw) else None
    if match is None:
        return None
    try:
        codec = codecs.lookup(match[1].decode("ascii")).name
        if codec.startswith(_NO_DECLARATION):
            return None
        if codec == "iso8859-1" and _C1.search(raw) is not None:
            codec = "cp1252"
        return DecodedBytes(raw.decode(_WIDER.get(codec, codec)), codec)
    except (LookupError, UnicodeError, ValueError):
        return None


def _likeliest(raw: bytes) -> DecodedBytes:
    """By statistics: the candidate whose text reads best, with a doubt where another one reads nearly as well."""
    scored = [
        (_score(decoded, raw), decoded) for codec in _CANDIDATES if (decoded := _if_decodable(raw, codec)) is not None
    ]
    # Nearly any bytes are ideographs in UTF-16; without a mark it must read well.
    likely = [pair for pair in scored if pair[0] >= _GOOD or not pair[1].charset.startswith("utf-16")]
    score, best = max(likely, key=lambda pair: pair[0])
    if score < _GOOD:
        best = _damaged_utf8(raw) or _by_statistics(raw) or best
    others = [
        decoded.charset
        for other, decoded in likely
        if other > score - _CLOSE and not decoded.broken and decoded.text != best.text and score >= _GOOD
    ]
    if not others:
        return best
    doubt = f"its charset is in doubt: read as {best.charset}, may be {' or '.join(others)}; --encoding settles it"
    return replace(best, doubts=(doubt,))


def _with_shifts(raw: bytes) -> DecodedBytes | None:
    """ASCII bytes as a charset with shifts, where they have such and all of them decode to letters beyond ASCII."""
    for shift, codecs_of_it in _SHIFTED:
        if shift.search(raw) is None:
            continue
        for codec in codecs_of_it:
            try:
                text = raw.decode(codec)
            except UnicodeError:
                continue
            foreign = [character for character in text[:_JUDGED] if not character.isascii()]
            # Braces between tildes may be a template's.
            least = _HZ_SHARE * len(foreign) if codec == "hz" else 0
            if foreign and sum(map(_common().__contains__, foreign)) >= least:
                return DecodedBytes(text, codec, 0)
    return None


def _if_decodable(raw: bytes, codec: str) -> DecodedBytes | None:
    if codec.startswith("utf-16") and len(raw) % 2:
        return None
    try:
        return _decoded(raw, codec)
    except (UnicodeError, LookupError, ValueError):
        return None


def _decoded(raw: bytes, codec: str) -> DecodedBytes:
    text = raw.decode(codec, errors="replace")
    broken = text.count("\ufffd")
    if broken and codec.startswith("utf-8"):
        # Replacement characters that the file itself holds are no failure to decode it.
        broken -= raw.count("\ufffd".encode())
    return DecodedBytes(text, codec.removesuffix("-sig"), broken)


def _score(decoded: DecodedBytes, raw: bytes) -> float:
    """About 1 for a text that reads well, 0 for nonsense."""
    foreign = re.sub(r"[\x00-\x7f]+", "", decoded.text[:_JUDGED])
    controls = len(_CONTROL.findall(decoded.text[:_JUDGED])) / max(1, len(decoded.text[:_JUDGED]))
    if not foreign:
        return 1 - 10 * controls
    common = sum(map(_common().__contains__, foreign))
    western = len(_LATIN.findall(decoded.text[:_JUDGED])) + len(_TYPOGRAPHY.findall(decoded.text[:_JUDGED]))
    score = max(common, western) / len(foreign)
    score -= _BROKEN_PENALTY * decoded.broken / max(1, len(raw[:_JUDGED].translate(None, _ASCII)))
    score -= 10 * controls
    return score


@cache
def _common() -> frozenset[str]:
    """Common ideographs of both scripts, and their punctuation."""
    both = {form for form, simplified in simplified_forms().items() if simplified in _COMMON}
    return frozenset({*_COMMON, *_PUNCTUATION, *both})


def _damaged_utf8(raw: bytes) -> DecodedBytes | None:
    """UTF-8 where nearly all is: a place that fits no charset among plain letters is damage, no other charset."""
    if b"\0" in raw:
        return None
    decoded = _decoded(raw, "utf-8")
    places = len(_BROKEN.findall(decoded.text))
    beyond_ascii = sum(not char.isascii() for char in decoded.text) - decoded.broken
    few = max(1, len(decoded.text) // _LETTERS_A_BREAK, beyond_ascii // _SOUND_A_BREAK)
    return decoded if places <= few else None


def _by_statistics(raw: bytes) -> DecodedBytes | None:
    """Another charset by its letter statistics: Cyrillic, Japanese, Korean and others."""
    best = from_bytes(raw[:_JUDGED]).best()
    if best is None:
        return None
    guesses = [
        decoded for codec in _COMMONER.get(best.encoding, ()) if (decoded := _if_decodable(raw, codec)) is not None
    ]
    sound = [decoded for decoded in guesses if not decoded.broken and not _CONTROL.search(decoded.text[:_JUDGED])]
    return max(sound, key=_letters, default=None) or _if_decodable(raw, best.encoding)


def _letters(decoded: DecodedBytes) -> int:
    """How many letters beyond ASCII stand beside plain ones, as in words."""
    return len(_IN_WORDS.findall(decoded.text[:_JUDGED]))
