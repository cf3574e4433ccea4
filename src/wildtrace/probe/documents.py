"""Made documents for the window probe: natural-looking text of an exact length with codes at 16 even places.

Deterministic by script, length and seed. No sentence stands twice. The first code opens the document and the last one
ends it, so that whatever a server cuts at either end takes a code with it.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal

from wildtrace.probe.words import LANGUAGES, Language
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
    writer = _Writer(LANGUAGES[script], rng)
    codes = make_codes(CODES, rng)
    last = "\n\n" + writer.carrier(codes[-1])
    room = chars - len(last)
    return MadeDocument("".join(_pieces(writer, codes[:-1], room))[:room] + last, codes)


def _pieces(writer: _Writer, codes: tuple[str, ...], room: int) -> Iterator[str]:
    """Prose of at least `room` code points, the codes at even places from its first word on."""
    waiting = list(codes)
    length = 0
    for sentence in writer.prose():
        if waiting and length >= room * (len(codes) - len(waiting)) // len(codes):
            carrier = writer.carrier(waiting.pop(0)) + writer.space
            length += len(carrier)
            yield carrier
        length += len(sentence)
        yield sentence
        if length >= room:
            return


class _Writer:
    """Writes sentences that it never wrote before."""

    def __init__(self, language: Language, rng: random.Random) -> None:
        self._language = language
        self._rng = rng
        self._written: set[str] = set()
        self.space = language.space

    def prose(self) -> Iterator[str]:
        """Sentences without end, in paragraphs of four to eight, under a heading every 40 paragraphs or so."""
        while True:
            if self._rng.random() < 1 / 40:
                yield self._fill(self._language.heading) + "\n\n"
            for _ in range(self._rng.randrange(4, 9)):
                yield self._sentence() + self.space
            yield "\n\n"

    def carrier(self, code: str) -> str:
        """A sentence with a code in it."""
        return self._fill(self._rng.choice(self._language.carriers)).replace("{code}", code)

    def _sentence(self) -> str:
        while True:
            sentence = self._made()
            if sentence not in self._written:
                self._written.add(sentence)
                return sentence

    def _made(self) -> str:
        language, choose = self._language, self._rng.choice
        parts = [choose(language.openings), choose(language.middles), choose(language.endings)]
        drawn = self._rng.random()
        if drawn < 0.25:
            parts = parts[1:]
        elif drawn < 0.5:
            parts = parts[:2]
        text = self._fill(language.comma.join(parts))
        return text[0].upper() + text[1:] + language.stop

    def _fill(self, pattern: str) -> str:
        return _SLOT.sub(lambda slot: self._word(slot[1]), pattern)

    def _word(self, slot: str) -> str:
        if slot in self._language.makers:
            return self._language.makers[slot](self._rng)
        return self._rng.choice(self._language.words[slot]) if slot in self._language.words else f"{{{slot}}}"
