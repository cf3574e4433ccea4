"""The words of a text that say that something happened: past verbs, and participles behind `had` and `was`.

Left out is what a text does not assert: what a modal, a negation or a condition governs, what is asked, what always
holds, states, participles that describe. Chinese: `text.chinese_happenings`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Set
from functools import lru_cache
from typing import Final, Literal

from wildtrace.languages.tries import phrase_pattern

Range = tuple[int, int]

_PAST_WORDS = """
    arose ate awoke became befell began begun beheld bent bit bitten blew blown bled bought bound broke broken brought
    built burnt burst came cast caught chose chosen clung crept dealt drew drawn drank driven drove dug eaten fed fell
    fallen fled flew flung forbade forgot forgotten fought found froze gave given gone got grew grown heard hid hidden
    hit hung hurt knelt laid led left lent lit lost made met paid put quit ran rang rent rode rose risen said sang sank
    sat saw seen sent set shook shaken shot shrank shrunk shut slain slept slid slung smote sold sought spent spoke
    spoken sprang sprung spun stole stolen strode strove struck stricken stuck stung sunk swam swept swore sworn swung
    taken taught threw thrown thought told took tore torn trod undertook undergone went wept withdrew withdrawn woke won
    wound wrote written wrung overtook overheard foundered
"""
_STATES_WORDS = """
    red indeed naked wicked beloved kindred hatred exceed proceed succeed breed deed weed greed creed bleed hundred
    sacred shed need seed feed speed aged seemed appeared occupied contained consisted belonged surrounded covered
    provided extended remained existed wanted wished hoped loved hated liked believed supposed expected intended needed
    required deserved resembled depended concerned involved included lived used owned possessed tended represented
    regarded considered marked allowed situated fitted divided connected equipped designed located composed associated
    inclined obliged accustomed interested pleased tired engaged attached placed permitted described named entitled
    constructed arranged limited complicated unexpected experienced so-called detailed increased reduced doubted
    feared enjoyed preferred trusted pretended desired admired
"""
_STATES: Final = frozenset(_STATES_WORDS.split())
_PATTERN: Final = re.compile(
    rf"\s(?:{phrase_pattern(_PAST_WORDS.split())}|[a-z]++(?<=[^e]ed)|agreed|freed|guaranteed)\b(?!-)"
)
_BEFORE_WORDS = """
    the a an his her my your their our its this these those some any no each every all both such of in on at by with
    from for to as than is are be being am isn't aren't very so more most too not never hardly scarcely would could
    should might may must can will shall cannot if unless whether having without upon into between under over about
    once whose what
"""
_NOT_BEHIND: Final = frozenset(_BEFORE_WORDS.split())
_ADVERB_WORDS = """
    often now then just already also ever soon still thus again even only at once half
"""
_ADVERBS: Final = frozenset(_ADVERB_WORDS.split())
_AUXILIARY: Final = frozenset(["was", "were", "been", "have", "had", "has"])
_MODAL: Final = re.compile(
    r"\b(?:would|could|should|might|may|must|can|will|shall|to)\s+"
    r"(?:(?:not|also|very|well|almost|\w+ly)\s+){0,3}(?:have|be)\b|\b[Ii]f\b"
)
# A staircase leads, a participle describes.
_SPATIAL: Final = re.compile(r"led\s+to|[a-z]+ed\s+by")
_LOOK: Final = 60
_CONDITIONAL_WORDS = "if unless would could might may should must will shall whether ll"
_CONDITIONAL: Final = frozenset(_CONDITIONAL_WORDS.split(" "))
_NEGATED_WORDS = """
    not never no nor neither nobody nothing none cannot didn doesn don isn wasn weren hasn haven hadn
    couldn wouldn mustn
"""
_NEGATED: Final = frozenset(_NEGATED_WORDS.split())
MODAL_WORDS: Final = _CONDITIONAL | _NEGATED
"""The English words in small letters that `modality` looks for."""
_CHINESE_CONDITIONAL: Final = re.compile(
    "若|如果|倘|假如|要是|除非|恐怕|可能|也许|也許|应当|應當|应该|應該|须得|須得|不如|何不|本该|本該|将要|將要"
)
_CHINESE_NEGATED: Final = re.compile("[不没沒未無无莫休]")


_SENTENCE_END: Final = re.compile(r"[.!?。！？]|\n\s*\n")
_LONGEST_QUESTION: Final = 400


def happenings(text: str) -> Iterator[Range]:
    """The words of an English text that tell of what happened, in order."""
    for match in _PATTERN.finditer(text):
        before, end = match.span()
        start = before + 1
        if text[start:end] not in _STATES and _is_asserted(text, start) and not is_asked(text, end):
            yield start, end


def is_asked(text: str, at: int) -> bool:
    """Whether the sentence that goes on at `at` ends as a question."""
    end = _SENTENCE_END.search(text, at, at + _LONGEST_QUESTION)
    return end is not None and end[0] in "?？"


def _is_asserted(text: str, start: int) -> bool:
    # Mostly the last word alone tells, which is cut off more quickly than all are parted.
    words = text[max(0, start - _LOOK) : start].rsplit(None, 1)
    while len(words) > 1 and _is_adverb(words[-1]):
        words = words[0].rsplit(None, 1)
    governs = _governs(words[-1]) if words else None
    if governs is None:
        return not words or _SPATIAL.match(text, start) is None
    return governs == "auxiliary" and not _MODAL.search(" ".join(" ".join(words).split()[-6:]))


@lru_cache(maxsize=1 << 14)
def _is_adverb(word: str) -> bool:
    return word in _ADVERBS or word.endswith("ly")


@lru_cache(maxsize=1 << 14)
def _governs(word: str) -> Literal["auxiliary", "other"] | None:
    """Whether a word before a verb takes it into its own form."""
    lowered = word.lower()
    if lowered in _NOT_BEHIND or lowered.endswith(("n't", "n’t")):
        return "other"
    return "auxiliary" if lowered in _AUXILIARY else None


def modality(text: str, words: Set[str] | None = None) -> str:
    """Why a clause tells of nothing that happened: it is `asked`, `conditional`, `negated`, or `general` (a state).

    `words` are the runs of small letters in an English one; without them it is read as Chinese.
    """
    if text.rstrip("\"'”’」』 )")[-1:] in ("?", "？"):
        return "asked"
    if words is not None:
        return _told(not _CONDITIONAL.isdisjoint(words), not _NEGATED.isdisjoint(words))
    return _told(_CHINESE_CONDITIONAL.search(text) is not None, _CHINESE_NEGATED.search(text) is not None)


def _told(conditional: bool, negated: bool) -> str:
    return "conditional" if conditional else "negated" if negated else "general"
