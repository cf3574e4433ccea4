"""What one stretch shows of names and words, to be added up over the document before anything is decided.

A name is one over the whole document: whether `Squire` is a person, `Rose` a name and `letter` worth following is told
by all places together. A survey is counts and first offsets only, so surveys add up and travel between processes.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import chain, islice
from string import ascii_letters
from typing import Final

from wildtrace.languages.en.names import Words, mentions
from wildtrace.languages.tries import phrase_pattern
from wildtrace.languages.zh import names as chinese_names
from wildtrace.languages.zh import places as chinese_places
from wildtrace.text.letters import only_small, pairs

# The first character alone is looked for; what stands before it is checked behind it: many times quicker.
_PRONOUN: Final = re.compile(r"[hs](?<!\w.)(?:(?<=h)(?:e(?:r(?:s(?:elf)?)?)?|im(?:self)?|is)|(?<=s)he)\b")
_LEAST_LETTERS: Final = 3
_DETERMINERS: Final = phrase_pattern("the a an his her this that its their my your our no any each".split())  # noqa: SIM905
# What stands before a determiner is looked for, not its many first letters: a text's first one has a line end there.
_DETERMINED: Final = re.compile(rf"[^A-Za-z0-9_À-ÖØ-öø-ɏ](?:{_DETERMINERS})\s+([a-z]{{3,}})\b(?:[\s-]([a-z]{{3,}})\b)?")
_PREPOSITIONS: Final = tuple(
    f" {word} {article}"
    for word in ("at", "in", "from", "near", "into", "through", "towards", "reached", "leave", "left")
    for article in (("", "the ") if word in ("at", "in", "near", "into", "through") else ("",))
)
_SAID: Final = tuple(
    f" {verb} " for verb in ("said", "asked", "cried", "replied", "answered", "returned", "exclaimed", "remarked")
)
_ENOUGH_SEEN: Final = 80
_SPEECH: Final = re.compile(
    r"\s*,?\s*(?:said|asked|cried|replied|answered|returned|exclaimed|remarked|whispered|says)\b"
)
_SAYS_NOTHING: Final = frozenset(ascii_letters) - frozenset("sacrew")
"""The letters that no verb of `_SPEECH` begins with."""
_AFTER: Final = 44
_ARTICLES: Final = tuple(f"{the} {mark}" for the in (" the", "The") for mark in ("", *"\"“'‘_"))
_VESSELS: Final = (" vessel ", " ship ", " steamer ", " steamship ", " schooner ", " carrier ", " liner ")
_AFLOAT: Final = (" aground", " ran aground", " grounded", " had grounded", " foundered", " berthed", " was berthed")
Range = tuple[int, int]
# Function characters end a run: no thing is named with them, and two thirds of all pairs need not be counted.
_HAN_RUN: Final = re.compile(f"(?:(?![{''.join(sorted(chinese_names.FUNCTION_CHARACTERS))}])[\u4e00-\u9fff]){{2,}}")


@dataclass(slots=True)
class Seen:
    """How often a run of words was met inside sentences and opening them, where first, and what stood around it."""

    inside: int = 0
    opening: int = 0
    first: int = -1
    length: int = 0
    male: int = 0
    female: int = 0
    place: int = 0
    speech: int = 0
    article: int = 0
    vessel: int = 0

    @property
    def count(self) -> int:
        """All its mentions."""
        return self.inside + self.opening

    def plus(self, other: Seen) -> Seen:
        """This and what is seen elsewhere; first where either was."""
        first = self if self.first <= other.first else other
        return Seen(
            self.inside + other.inside,
            self.opening + other.opening,
            first.first,
            first.length,
            self.male + other.male,
            self.female + other.female,
            self.place + other.place,
            self.speech + other.speech,
            self.article + other.article,
            self.vessel + other.vessel,
        )


@dataclass(slots=True)
class Survey:
    """Counts over one stretch or several: runs of names, words (pairs of ideographs), words behind a determiner.

    `within` tells the first stretch that a word stands in. What is in `letters` (each stretch with its small letters)
    and in `determined` waits for `counted`: once for a document is quicker than once for a stretch and then in sums.
    """

    names: dict[Words, Seen] = field(default_factory=dict)
    words: Counter[str] = field(default_factory=Counter)
    things: Counter[str] = field(default_factory=Counter)
    chinese: dict[str, Counter[str]] = field(default_factory=dict)
    within: dict[str, Range] = field(default_factory=dict)
    letters: list[tuple[Range, str]] = field(default_factory=list)
    determined: list[tuple[str, str]] = field(default_factory=list)


def survey(text: str, offset: int = 0, *, chinese: bool) -> Survey:
    """Look through the text of one stretch that begins at `offset` of its document."""
    return _survey_chinese(text) if chinese else _survey_english(text, offset)


def joined(surveys: Iterable[Survey]) -> Survey:
    """The sum of surveys of a document's stretches, given in text order."""
    total, *others = surveys = list(surveys) or [Survey()]
    if not others:
        return total
    total = Survey()
    names = total.names
    for part in surveys:
        for name, seen in part.names.items():
            known = names.get(name)
            names[name] = seen if known is None else known.plus(seen)
        total.words.update(part.words)
        total.letters += part.letters
        total.determined += part.determined
        for kind, counts in part.chinese.items():
            total.chinese.setdefault(kind, Counter()).update(counts)
    return total


def counted(survey: Survey) -> Survey:
    """A survey whose words are counted, and the first stretch of each told."""
    if not survey.letters:
        return survey
    words: Counter[str] = Counter()
    sizes = [0]
    for _, letters in survey.letters:
        words.update(letters.split())
        sizes.append(len(words))
    # A counter keeps the order in which words came: those that a stretch added stand together.
    met = iter(words)
    within: dict[str, Range] = {}
    for (bounds, _), before, after in zip(survey.letters, sizes, sizes[1:], strict=False):
        within.update(dict.fromkeys(islice(met, after - before), bounds))
    for word in [word for word in words if len(word) < _LEAST_LETTERS]:
        del words[word], within[word]
    things = Counter(chain.from_iterable(survey.determined))
    del things[""]
    return Survey(survey.names, words, things, within=within)


def _survey_english(text: str, offset: int) -> Survey:
    names: dict[Words, Seen] = {}
    flat = text.replace("\n", " ")
    for start, end, words, opens in mentions(text):
        seen = names.get(words)
        if seen is None:
            seen = names[words] = Seen(first=offset + start, length=end - start)
        if opens:
            seen.opening += 1
        else:
            seen.inside += 1
        if seen.inside + seen.opening <= _ENOUGH_SEEN:
            _look_around(flat, start, end, seen)
    letters = [((offset, offset + len(text)), only_small(text))]
    return Survey(names, letters=letters, determined=_DETERMINED.findall(f"\n{text}"))


def _look_around(text: str, start: int, end: int, seen: Seen) -> None:
    """Note what stands around a mention in a text without line ends; what the first ones show is enough."""
    pronoun = _PRONOUN.search(text, end, end + _AFTER)
    if pronoun is not None:
        if pronoun[0].startswith(("s", "her")):
            seen.female += 1
        else:
            seen.male += 1
    if text.startswith("The ", start) or text.endswith(_ARTICLES, 0, start):
        seen.article += 1
        seen.vessel += text.startswith(_AFLOAT, end)
    elif text.endswith(_VESSELS, 0, start):
        seen.vessel += 1
    if text.endswith(_PREPOSITIONS, 0, start):
        seen.place += 1
    # Most names are followed by a word with another letter: one look at it saves an expression.
    elif text.endswith(_SAID, 0, start) or (
        (text[end : end + 1] != " " or text[end + 1 : end + 2] not in _SAYS_NOTHING) and _SPEECH.match(text, end)
    ):
        seen.speech += 1


def _survey_chinese(text: str) -> Survey:
    runs = _HAN_RUN.findall(text)
    words: Counter[str] = Counter(chain.from_iterable(map(pairs, runs)))
    kinds = {
        "speakers": chinese_names.speakers(text),
        "actors": chinese_names.actors(text),
        "named": chinese_names.named(text),
        "titled": chinese_names.titled(text),
        "recurring": chinese_names.recurring(text),
        "places": chinese_places.places(text),
    }
    return Survey(words=words, chinese=kinds)
