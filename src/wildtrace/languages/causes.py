"""What an English text states to be a cause, and of what: the two stretches of words and the cue that joins them.

`X because Y`, `owing to Y, X` and `As Y was so, X` tell the effect first or last; `X, so that Y`, `X led to Y`, `so hot
that Y` and `For Y.` behind a sentence tell where the other end stands. Guarded: ways that lead, what is due to arrive,
purposes, `as` and `for` of time. Chinese: `text.chinese_causes`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from wildtrace.languages.denials import is_denied
from wildtrace.languages.tries import matches, phrase_pattern
from wildtrace.text.sentences import is_abbreviation

Range = tuple[int, int]


class Cause(NamedTuple):
    """A stated cause: the ranges of its cue, of the cause and of the effect."""

    cue: Range
    cause: Range
    effect: Range


_BEHIND_WORDS = """
    because|because of|owing to|due to|on account of|as a result of|as a consequence of|in consequence of|by reason of
    |in view of|for want of|for lack of|for fear of|for fear that
    |for fear lest|lest|through want of|through fear of|from want of|caused by|occasioned by
    |brought about by|produced by|triggered by|explained by|attributable to|attributed to|resulted from|resulting from
    |arose from|arising from|thanks to|consequent on|consequent upon|was the result of|were the result of
    |for the reason that|inasmuch as|seeing that
"""
_VERB_WORDS = """
    occasioned|caused|causes|causing|brought about|brings about|bring about|gave rise to|gives rise to|led to|leads to
    |leading to|resulted in|results in|resulting in|may cause|might cause|will cause|can cause|could cause
    |contributed to|made him|made her|made them|made me|made it|forced him|forced her|forced them|forced me
    |compelled him|compelled her|compelled them|compelled me|obliged him|obliged her|obliged them|prompted him
    |prompted her|prompted them|induced him|induced her|induced them|prevented him|prevented her|prevented them
    |prevented the
"""
_LINKING_WORDS = """
    therefore|consequently|accordingly|hence|thereby|so he|so she|so they|so we|so I|and so|for this reason
    |for that reason|that is why|that was why|which is why|which was why|on that account|on this account
    |with the result that|as a result,|in consequence,
"""
_behind = frozenset(" ".join(phrase.split()) for phrase in _BEHIND_WORDS.split("|"))
_verbs = frozenset(" ".join(phrase.split()) for phrase in _VERB_WORDS.split("|"))
_before = _verbs | {" ".join(phrase.split()) for phrase in _LINKING_WORDS.split("|")}
_written = {*_behind, *_before}
_capitalised = {phrase[0].upper() + phrase[1:] for phrase in _written}
CAUSE_PHRASES: Final = sorted({*_written, *_capitalised})
CAUSING: Final = frozenset(word for phrase in _written for word in phrase.split() if word.endswith(("ed", "ing"))) | {
    "attributable",
    "cause",
    "consequence",
    "consequent",
    "contributing",
    "contribution",
    "contributory",
}
"""Words that say that something is a cause, and not what."""
CAUSE_BEGINNINGS: Final = r"so\s|as(?<=[,;]\sas)\s|since(?<=[,;]\ssince)\s|for(?<=[;,—]\sfor)\s|As\s|For[,\s]"
"""What else a cue of a cause begins with."""
_SUBJECT: Final = (
    r"(?:he|she|it|they|I|we|you|there|this|that|the|his|her|their|my|our|its|a|an|all|no|nothing|[A-Z]\w+)\b"
)
# The empty groups at the ends name the branches: at the beginnings they would keep the quick look at first letters off.
_CUE: Final = re.compile(
    rf"[\s—](?:{phrase_pattern(CAUSE_PHRASES)}(?!\w)(?P<stated>)"
    r"|so(?<=[,;]\sso)\s+that\b(?!\s+\w+\s+(?:may|might|could|can|should|would)\b)(?P<result>)"
    r"|so\s+(?!that\b|as\b|far\b|long\b|soon\b|to\b|on\b|be\b)(?:[a-z]+\s+){1,4}?that\b(?P<degree>)"
    r"|As\s+(?!soon|for|to|if|though|a\b|an\b|usual|well|long|regards|far|much|we\s+have|I\s+have|you)"
    r"[^.,;!?]{0,90}?\s(?:was|were|had|did|could|is|are|has|would)\b(?P<since>)"
    r"|(?:as(?<=[,;]\sas)|since(?<=[,;]\ssince))\s+(?:he|she|it|they|we|I|there|no\s+one|nobody)\s+(?:was|could|did\s+not"
    r"|had\s+(?:no|not|to|been)|is|are|has|were\s+not|would|knew|felt)\b(?!\s+\w+ing\b|[,.;])(?P<told>)"
    r"|for(?<=[;,—]\sfor)\s+(?:he|she|it|they|I|we|you|there|nobody|nothing|no\s+one)\b(?P<reason>)"
    rf"|for(?<=;\sfor)\s(?={_SUBJECT})(?P<clause>)"
    r"|For(?:,\s|\s+(?:he|she|it|they|I|we|you|there)\b|\s+the\s+[A-Z]\w+\s+\w+ed\b)(?P<sentence>))"
)
_REASONS: Final = frozenset(["reason", "clause", "sentence"])
_END: Final = re.compile(r"[.!?][\"”’'»)\]_]*(?=\s+[\"“‘'(\[_]?[A-Z\d])|\n\s*\n|[”\"](?=\s+[a-z])")
_BREAK: Final = re.compile(r"[;:]\s|--|—|\(")
_AFTER: Final = re.compile(
    r"[;:)]|--|—|,\s+(?:and|but|so|or|yet|which|who|where|while|when|then|he|she|it|they|I|we|you|there|the)\b"
)
_COMMA: Final = re.compile(rf",\s+(?=(?:and\s+)?{_SUBJECT})")
_WAY: Final = re.compile(
    r"\b(?:stair|door|ladder|path|road|passage|gate|step|street|lane|way|corridor|avenue|walk|bridge|ladderway|flight)"
    r"(?:case|way)?s?\b[^.;]{0,24}$|,\s*(?:and\s+)?one[^.;]{0,30}$"
)
_PLACE: Final = re.compile(
    r"\s*(?:the\s+|a\s+|an\s+|his\s+|her\s+)?(?:[\w-]+\s+){0,2}?(?:deck|door|room|stair|house|garden|gate|road|street"
    r"|tunnel|end|hall|passage|cabin|church|station|yard|terrace|landing|village|town|river|window|[A-Z]\s+deck)s?\b"
)
_REACH: Final = 420
_SHORT: Final = 12
_LEAST: Final = 6


def causes(text: str, places: Iterable[int] | None = None) -> Iterator[Cause]:
    """The causes that an English text states, in order; `places` are all at which a cue may begin."""
    for match in matches(_CUE, text, 0, len(text), places, back=1):
        found = _read(text, match, match.start() + 1)
        if found is not None and min(found.cause[1] - found.cause[0], found.effect[1] - found.effect[0]) >= _LEAST:
            yield found


def _read(text: str, match: re.Match[str], at: int) -> Cause | None:
    start, end = _sentence(text, at)
    phrase = " ".join(match[0].split()).lower().lstrip("—")
    if is_denied(text, start, at, verb=match.lastgroup == "stated" and phrase in _verbs):
        return None
    return _told(text, match, phrase, (start, at, end))


def _told(text: str, match: re.Match[str], phrase: str, places: tuple[int, int, int]) -> Cause | None:
    """Cause and effect of a cue by its kind; `places` are its sentence's start, its own and the sentence's end."""
    start, at, end = places
    opens = not any(character.isalnum() for character in text[start:at])
    kind, cue = match.lastgroup, (at, match.end())
    if kind == "since":
        return _turned(text, (at, at + 2), end) if opens else None
    if kind == "told":
        return Cause(cue, _phrase_behind(text, at + 3, end), _clause(text, start, at))
    before = _sentence_before(text, start) if opens else _clause(text, start, at)
    if kind in _REASONS:
        return Cause(cue, trimmed(text, at + 3, end), before)
    if kind == "degree":
        return Cause(cue, _clause(text, start, match.end() - 4), trimmed(text, match.end(), end))
    if kind == "stated" and phrase not in _forward:
        told = Cause(cue, _phrase_behind(text, match.end(), end), before)
        return _turned(text, cue, end) if opens else told
    way = phrase.startswith("le") and (_WAY.search(text, start, at) or _PLACE.match(text, match.end(), end))
    return None if way else Cause(cue, before, _phrase_behind(text, match.end(), end))


_forward = frozenset(phrase.lower() for phrase in _before)


def _turned(text: str, cue: Range, end: int) -> Cause | None:
    """The cause up to a comma with a subject behind it, the effect behind that."""
    comma = _COMMA.search(text, cue[1] + _LEAST, end)
    if comma is None:
        return None
    return Cause(cue, trimmed(text, cue[1], comma.start()), trimmed(text, comma.end(), end))


def _sentence(text: str, at: int) -> Range:
    """The bounds of the sentence around a place, within reach."""
    low = max(0, at - _REACH)
    start = low
    for match in _ends(text, low, at + 1):
        start = match.end()
    after = next(_ends(text, at, at + _REACH), None)
    return start, after.start() if after is not None else min(len(text), at + _REACH)


def _ends(text: str, start: int, end: int) -> Iterator[re.Match[str]]:
    """The ends of sentences that begin in a stretch, without the stops of abbreviations."""
    for match in _END.finditer(text, start, end):
        if match[0] != "." or not is_abbreviation(text, match.end(), len(text)):
            yield match


def _sentence_before(text: str, start: int) -> Range:
    """The sentence that ends at a place."""
    before = _sentence(text, max(0, start - 2))[0]
    return trimmed(text, before, start)


def _clause(text: str, start: int, at: int) -> Range:
    """What stands before a cue in its sentence, from the last break that leaves enough."""
    first = start
    for match in _BREAK.finditer(text, start, at):
        if at - match.end() > _SHORT:
            first = match.end()
    return trimmed(text, first, at)


def _phrase_behind(text: str, at: int, end: int) -> Range:
    after = _AFTER.search(text, min(end, at + _LEAST), end)
    return trimmed(text, at, after.start() if after is not None else end)


def trimmed(text: str, start: int, end: int) -> Range:
    """A range without what is no letter and no digit at its ends."""
    while start < end and not text[start].isalnum():
        start += 1
    while end > start and not text[end - 1].isalnum():
        end -= 1
    return start, end
