"""Words broken at line ends are joined; a hyphen that is the word's own stays."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from wildtrace.construct.ingest.draft import Draft, Edit, Options

_HYPHEN = re.compile(r"(?<=[^\W\d_])(?:([-\u2010\u00ad])[ \t]*\n[ \t]*|[\x02\ufffe]\n?)(?=[^\W\d_])")
_STRAY_MARKS = re.compile("[\x02\ufffe]")
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_HYPHENATED = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)+")
_BEFORE = re.compile(r"((?:[^\W\d_]+-)*)([^\W\d_]+)$")
_LONGEST_WORD = 60
_NUMBER_WORD = re.compile(
    r"(?:twen|thir|for|fif|six|seven|eigh|nine)ty-"
    r"(?:one|two|three|four|five|six|seven|eight|nine|first|second|third|fourth|fifth|sixth|seventh|eighth|ninth)"
)
# First parts that make compounds, but for the words that are written in one.
_FIRST_PART = re.compile(
    r"(?:well|ill|half|self)-(?!(?:ing|ington|ness|illness|penny|pence|pennyworth|way|same|hood)\b|ish|less)"
)
# As first parts of a compound these words are rare, as first syllables common; the same for last ones.
_FIRST_SYLLABLE = re.compile(
    r"a[bcdlmnst]?|b[ey]|com|con|de|dis|do|e[mnx]|for|i[mnst]|m[ey]|mis|no|o[nr]|out|per|pre|pro|re|sub|to|u[nps]"
)
_LAST_SYLLABLE = re.compile(r"age|al|ally|ance|ed|en|er|ing|ion|is[mt]|ly|ness|or|our|y")


def join_words(draft: Draft, options: Options) -> Draft:
    """This draft with the words whole that line ends broke, and without what stood for hyphens there."""
    del options
    draft = draft.edited(_hyphens(draft.text))
    return draft.edited(Edit(*match.span(), "", "control character") for match in _STRAY_MARKS.finditer(draft.text))


def _hyphens(text: str) -> Iterator[Edit]:
    """Words broken at line ends are joined; the line ends after the word instead."""
    matches = list(_HYPHEN.finditer(text))
    if matches:
        words = Counter(word.lower() for word in _WORD.findall(text))
        # What a hyphen parted is no word for that: the two parts may be only syllables.
        words.subtract(part for match in matches for part in _parts(text, match)[1:])
        compounds = Counter(word.lower() for word in _HYPHENATED.findall(text))
        for match in matches:
            keeps = match[1] != "\u00ad" and _keeps_hyphen(text, match, words, compounds)
            yield Edit(match.start(), match.end(), "-" if keeps else "", "" if keeps else "line-end hyphen")
            space = re.compile(r"[^\s\x02\ufffe-]*( )").match(text, match.end())
            if space is not None and "\n" in match[0]:
                yield Edit(space.start(1), space.end(1), "\n")


def _parts(text: str, match: re.Match[str]) -> tuple[str, str, str]:
    """What a line-end hyphen parts, in small letters: first parts with hyphens of their own, the last one, the rest."""
    before = _BEFORE.search(text, max(0, match.start() - _LONGEST_WORD), match.start())
    after = _WORD.match(text, match.end())
    first, last = (before[1], before[2]) if before is not None else ("", "")
    return first.lower(), last.lower(), after[0].lower() if after is not None else ""


def _keeps_hyphen(text: str, match: re.Match[str], words: Counter[str], compounds: Counter[str]) -> bool:
    """Whether the hyphen is the word's own: as the text writes it elsewhere, else as such words are written.

    That is in numbers, after `well` and its like, where the word has another hyphen, and where both parts are words.
    """
    if text[match.end()].isupper():
        return True
    hyphenated, first, second = _parts(text, match)
    joined = compounds[hyphenated + first + second] if hyphenated else words[first + second]
    compound = compounds[f"{hyphenated}{first}-{second}"]
    if joined != compound:
        return compound > joined
    if hyphenated:
        return not words[first + second]
    if _NUMBER_WORD.fullmatch(f"{first}-{second}") or _FIRST_PART.match(f"{first}-{second}"):
        return True
    if _FIRST_SYLLABLE.fullmatch(first) or _LAST_SYLLABLE.fullmatch(second):
        return False
    return words[first] > 0 and words[second] > 0
