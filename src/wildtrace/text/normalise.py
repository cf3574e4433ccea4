"""Folding of characters that are written differently and mean the same, with a map back to the original offsets.

What is folded: compatibility letters (ligatures, full- and half-width and presentation forms), composed and decomposed
accents, quotation marks, dashes, white space, zero-width characters, traditional and simplified ideographs.
Superscripts, subscripts, fractions and circled digits stay themselves, since `10²` is not `102`.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from wildtrace.errors import ConfigError

CJK = (
    r"\u2e80-\u2fdf\u3005-\u3007\u3021-\u3029\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff"
    r"\uf900-\ufaff\U00020000-\U000323af"
)
"""The inside of a regular expression's character class: scripts without spaces, compared character by character."""

LETTER = re.compile(f"[^\\W_]|[{CJK}]")
"""A letter, a digit or an ideograph, also one newer than Python's own tables."""

QUOTE_MARKS = frozenset('"“”„‟«»‹›「」『』﹁﹂﹃﹄〝〞〟《》〈〉″＂')
APOSTROPHES = frozenset("'’‘‛‚′ʼ`´＇")
DASHES = frozenset("-‐‑‒–—―⸺⸻−﹘﹣－─━")
_UNFOLDED_TAGS = ("<super>", "<sub>", "<fraction>", "<circle>", "<square>")
_LIGATURES = {"æ": "ae", "Æ": "AE", "œ": "oe", "Œ": "OE"}
_STOPS = {"。": ".", "｡": ".", "、": ",", "､": ","}
# Everyday pairs that the character tables leave to a phrase dictionary, or list only second.
_EXTRA_FORMS = {"著": "着", "馀": "余", "锺": "钟"}


@dataclass(frozen=True, slots=True)
class Folded:
    """Folded text and, for each of its code points, the offset of the character it came from."""

    text: str
    offsets: tuple[int, ...]


def fold(text: str) -> Folded:
    """Fold `text`; time and memory are linear in its length."""
    out: list[str] = []
    offsets: list[int] = []
    for offset, character in enumerate(text):
        folded = fold_character(character)
        places = [offset] * len(folded)
        if out and folded and unicodedata.combining(folded[0]):
            folded = unicodedata.normalize("NFC", out.pop() + folded)
            # A mark that composes with its base stands where the base stands; else the base keeps its place.
            places = [offsets.pop(), *[offset] * (len(folded) - 1)]
        out.extend(folded)
        offsets.extend(places)
    return Folded("".join(out), tuple(offsets))


@cache
def fold_character(character: str) -> str:
    """What one code point folds to: mostly one code point, nothing for invisible ones, several for a ligature.

    Quotation marks become `"`, apostrophes `'`, dashes `-`, white space a space (a line feed stays), other code points
    what their compatibility decomposition says unless it would change a number; ideographs become simplified.
    """
    if character in _LIGATURES or character in _STOPS:
        return _LIGATURES.get(character) or _STOPS[character]
    for marks, folded in ((QUOTE_MARKS, '"'), (APOSTROPHES, "'"), (DASHES, "-")):
        if character in marks:
            return folded
    if character == "\n" or " " < character <= "~":
        return character
    return _fold_by_category(character)


def _fold_by_category(character: str) -> str:
    category = unicodedata.category(character)
    if character.isspace() or category in ("Zs", "Zl", "Zp"):
        return " "
    if category == "Cf" or "\ufe00" <= character <= "\ufe0f":
        return ""
    if unicodedata.decomposition(character).startswith(_UNFOLDED_TAGS):
        return character
    normal = unicodedata.normalize("NFKC", character)
    table = simplified_forms()
    return "".join(table.get(letter, letter) for letter in normal)


@cache
def skeleton_character(character: str) -> str:
    """The letters and digits that a code point leaves in a skeleton: folded, lower case, without accents."""
    parts = unicodedata.normalize("NFKD", fold_character(character).casefold())
    plain = "".join(map(fold_character, parts)).casefold()
    table = simplified_forms()
    return "".join(table.get(letter, letter) for letter in plain if LETTER.match(letter))


@cache
def simplified_forms() -> dict[str, str]:
    """The simplified form of every ideograph that has another one (the first of OpenCC's character tables)."""
    try:
        folder = files("opencc")
    except ModuleNotFoundError:
        raise ConfigError(
            "comparing Chinese scripts needs opencc; run pip install -e '.[build]' in the checkout"
        ) from None
    table = folder.joinpath("dictionary", "TSCharacters.txt").read_text(encoding="utf-8")
    first = dict(pair for line in table.splitlines() if (pair := _first_other(line)) is not None) | _EXTRA_FORMS
    return {form: first.get(simplified, simplified) for form, simplified in first.items()}


def _first_other(line: str) -> tuple[str, str] | None:
    traditional, _, simplified = line.partition("\t")
    return next(((traditional, form) for form in simplified.split() if form != traditional), None)
