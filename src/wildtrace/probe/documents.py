"""Made documents for the window probe: natural-looking text of an exact length with codes at 16 even places.

The words and patterns (words.json: a river port's chronicle that never was) were written for the probe: places and
names are invented and numbers frequent, so that a made text is at least as dense in tokens as real novels and reports.
Deterministic by script, length and seed. No sentence stands twice. The first code opens the document and the last one
ends it, so that whatever a server cuts at either end takes a code with it.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any, Final, Literal

from wildtrace.prompts.render import template
from wildtrace.text.codes import make_codes

Script = Literal["en", "cjk"]
SCRIPTS: Final[tuple[Script, ...]] = ("en", "cjk")
CODES: Final = 16
# Below this, sixteen codes crowd out the text between them.
SHORTEST: Final = 8000
# Characters a token of made text with the densest of five tokenizers measured; plans count with it.
DENSEST: Final[dict[str, float]] = {"en": 3.0, "cjk": 0.6}

_SLOT: Final = re.compile(r"\{(\w+)\}")
_MONTHS: Final = ("January", "March", "April", "June", "July", "August", "October", "November")
_CHINESE_DIGITS: Final = "零一二三四五六七八九"
_CHINESE_UNITS: Final = ((1000, "千"), (100, "百"), (10, "十"))


@dataclass(frozen=True, slots=True)
class MadeDocument:
    """A document of `len(text)` code points and the codes in it, in their order."""

    text: str
    codes: tuple[str, ...]


def probe_question(script: Script) -> str:
    """The question that asks for every code, in the document's language."""
    return template(f"probe_{script}")


def make_document(script: Script, chars: int, seed: int) -> MadeDocument:
    """Make a document of exactly `chars` code points. ValueError below `SHORTEST`."""
    if chars < SHORTEST:
        raise ValueError(f"a made document has at least {SHORTEST} characters")
    rng = random.Random(f"{script}/{chars}/{seed}")
    writer = _Writer(patterns(script), rng)
    codes = make_codes(CODES, rng)
    last = "\n\n" + writer.carrier(codes[-1])
    body_chars = chars - len(last)
    body = "".join(_with_codes(writer, codes[:-1], body_chars))
    return MadeDocument(body[:body_chars] + last, codes)


def _with_codes(writer: _Writer, codes: tuple[str, ...], chars: int) -> Iterator[str]:
    """Prose of at least `chars` code points, the codes at even places from its first word on."""
    placed = length = 0
    for sentence in writer.prose():
        if placed < len(codes) and length >= chars * placed // len(codes):
            carrier = writer.carrier(codes[placed]) + writer.space
            placed += 1
            length += len(carrier)
            yield carrier
        length += len(sentence)
        yield sentence
        if length >= chars:
            return


class _Writer:
    """Writes sentences that it never wrote before."""

    def __init__(self, language: dict[str, Any], rng: random.Random) -> None:
        self._language = language
        self._rng = rng
        self._written: set[str] = set()
        self.space: str = language["space"]

    def prose(self) -> Iterator[str]:
        """Sentences without end, in paragraphs of four to eight, under a heading every 40 paragraphs or so."""
        while True:
            if self._rng.random() < 1 / 40:
                yield self._fill(self._language["heading"]) + "\n\n"
            for _ in range(self._rng.randrange(4, 9)):
                yield self._new_sentence() + self.space
            yield "\n\n"

    def carrier(self, code: str) -> str:
        """A sentence with a code in it."""
        return self._fill(self._rng.choice(self._language["carriers"])).replace("{code}", code)

    def _new_sentence(self) -> str:
        sentence = self._sentence()
        while sentence in self._written:
            sentence = self._sentence()
        self._written.add(sentence)
        return sentence

    def _sentence(self) -> str:
        parts = [self._rng.choice(self._language[part]) for part in ("openings", "middles", "endings")]
        drawn = self._rng.random()
        if drawn < 0.25:
            parts = parts[1:]
        elif drawn < 0.5:
            parts = parts[:2]
        text = self._fill(self._language["comma"].join(parts))
        return text[0].upper() + text[1:] + str(self._language["stop"])

    def _fill(self, pattern: str) -> str:
        return _SLOT.sub(lambda slot: self._word(slot[1]), pattern)

    def _word(self, slot: str) -> str:
        rng, chinese = self._rng, not self.space
        match slot:
            case "code":
                return "{code}"
            case "number":
                number = rng.randrange(12, 9800)
                return chinese_number(number) if chinese else f"{number:,}"
            case "clock":
                return f"{rng.randrange(1, 13)}:{rng.randrange(60):02}"
            case "date" if chinese:
                month, day = rng.randrange(1, 13), rng.randrange(1, 31)
                year = rng.randrange(2, 60)
                return f"{chinese_number(year)}年{chinese_number(month)}月{chinese_number(day)}日"
            case "date":
                month_name = rng.choice(_MONTHS)
                return f"{rng.randrange(1, 31)} {month_name} {rng.randrange(1781, 1939)}"
            case _:
                word: str = rng.choice(self._language["words"][slot])
                return word


@cache
def patterns(script: Script) -> dict[str, Any]:
    """The patterns of a script's sentences and the words of their slots, from words.json."""
    data = json.loads(resources.files("wildtrace.probe").joinpath("words.json").read_bytes())
    language: dict[str, Any] = data[script]
    return {**language, "words": {slot: words.split() for slot, words in language["words"].items()}}


def chinese_number(number: int) -> str:
    """A number from 1 to 9,999 in Chinese numerals."""
    written, rest, skipped = "", number, False
    for unit, name in _CHINESE_UNITS:
        digit, rest = divmod(rest, unit)
        if digit:
            written += ("零" if skipped else "") + _CHINESE_DIGITS[digit] + name
        skipped = bool(written) and not digit
    return written + ("零" if skipped and rest else "") + (_CHINESE_DIGITS[rest] if rest else "")
