"""Undo what layout did to text: line ends, control characters, page breaks, broken words and, if asked, hard wraps."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise

from wildtrace.construct.ingest.draft import Draft, Edit
from wildtrace.construct.ingest.furniture import furniture

_LINE_ENDS = re.compile("\r\n?|[\x0b\x85\u2028\u2029]")
_CONTROLS = re.compile("\ufeff|[\x00\x01\x03-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff]+")
# A PDF's text layer marks a hyphen at a line end with U+0002 or U+FFFE in place of hyphen and line end.
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
_SENTENCE_END = re.compile(r"[.!?:;。！？；：…][\"'”’」』)\]）]*\s*$")
_IDEOGRAPH = re.compile(r"[\u2e80-\u9fff\uf900-\ufaff\uff00-\uff60\U00020000-\U000323af]")
_TABULAR = re.compile(r"[|\t]|\S {3,}\S|^\s*[-=_+*.]{4,}")
_LIST_ITEM = re.compile(r"^\s*(?:[-*•·‣–]|\(?\d{1,3}[.)]|\(?[a-z][.)]|[ivx]+[.)])\s")
_SHORT_LINE = 0.7
_WIDEST_WRAP = 200
_LOOK_BACK = 300


def canonical(draft: Draft, *, unwrap: bool) -> Draft:
    """The canonical form of a draft: line feeds only, no page furniture, no broken words; hard wraps go if asked."""
    draft = draft.edited(_line_ends(draft.text))
    draft = draft.edited(furniture(draft.text))
    draft = draft.edited(_page_breaks(draft.text))
    draft = draft.edited(_hyphens(draft.text))
    draft = draft.edited(Edit(*match.span(), "", "control character") for match in _STRAY_MARKS.finditer(draft.text))
    return draft.edited(_unwrapped(draft.text)) if unwrap else draft


def _line_ends(text: str) -> list[Edit]:
    edits = [Edit(match.start(), match.end(), "\n") for match in _LINE_ENDS.finditer(text)]
    edits += [Edit(match.start(), match.end(), "", "control character") for match in _CONTROLS.finditer(text)]
    return sorted(edits)


def _page_breaks(text: str) -> Iterator[Edit]:
    """A page break becomes a line end, or a blank line where the page's last line is short and ends a sentence."""
    width = _width(text) if "\f" in text else 0
    for match in re.finditer("\f", text):
        before = text[max(0, match.start() - _LOOK_BACK) : match.start()].rstrip("\n\f")
        last = before[before.rfind("\n") + 1 :]
        ends_line = text[max(0, match.start() - 1) : match.start()] in ("", "\n", "\f")
        ends_paragraph = len(last.strip()) < _SHORT_LINE * width and _SENTENCE_END.search(last) is not None
        yield Edit(match.start(), match.end(), "\n" * (ends_paragraph + (not ends_line)), "form feed")


def _width(text: str) -> int:
    """The length that nine of ten lines stay within."""
    lengths = sorted(len(line) for line in text.split("\n") if line.strip())
    return lengths[len(lengths) * 9 // 10] if lengths else 0


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


def _unwrapped(text: str) -> Iterator[Edit]:
    """Line ends that only the width made become spaces, or nothing between ideographs.

    A line end is the width's when the next line's first word would not have fitted; short lines, verse, lists and
    tables keep theirs.
    """
    width = _width(text)
    at = 0
    lines = text.split("\n")
    for line, following in pairwise(lines):
        end = at + len(line)
        at = end + 1
        if _is_wrapped(line, following, width):
            bare = len(line.rstrip())
            start, stop = end - len(line) + bare, end + 1
            glue = "" if _IDEOGRAPH.match(following) and _IDEOGRAPH.match(line[bare - 1]) else " "
            yield Edit(start, stop, glue)


def _is_wrapped(line: str, following: str, width: int) -> bool:
    if not line.strip() or not following.strip() or following[0].isspace() or width > _WIDEST_WRAP:
        return False
    if _TABULAR.search(line) or _TABULAR.search(following) or _LIST_ITEM.match(following):
        return False
    # The next line's first word, or first ideograph, is what did not fit.
    needed = 1 if _IDEOGRAPH.match(following) else 1 + len(following.split(maxsplit=1)[0])
    return len(line.rstrip()) + needed > width
