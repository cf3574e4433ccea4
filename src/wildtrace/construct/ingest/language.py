"""Which script and which language a text is written in: two facts, neither of which follows from the charset."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache

from wildtrace.text.normalise import simplified_forms

_SLICE = 100_000
_SCRIPTS = {
    "Kana": re.compile(r"[\u3041-\u30fa]"),
    "Hang": re.compile(r"[\uac00-\ud7a3]"),
    "Han": re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff\U00020000-\U000323af]"),
    "Cyrl": re.compile(r"[\u0400-\u04ff]"),
    "Grek": re.compile(r"[\u0370-\u03ff\u1f00-\u1fff]"),
    "Arab": re.compile(r"[\u0600-\u06ff]"),
    "Hebr": re.compile(r"[\u0590-\u05ff]"),
    "Latn": re.compile(r"[A-Za-zÀ-ɏ]"),
}
_FUNCTION_WORDS = {
    "en": "the of and to a in that was it he for with his as had is on at but not",
    "fr": "le la les de des et un une que qui dans il elle ne pas est pour au du sur",
    "de": "der die das und in zu den nicht ein eine ist von mit sich auf dem für war er sie",
    "es": "el la los las de que y en un una no se por con del su para es lo al",
    "it": "il la di che e un una non per in con del si della le era gli come da ma",
    "pt": "o a os as de que e um uma não se por com do da em para no na ao",
    "nl": "de het een en van in dat te niet is was op met voor zijn hij zij die er aan",
    "la": "et in est non ad cum quod ut si sed ex per qui quae hoc enim autem esse ac aut",
}
_OTHER_LANGUAGES = {"Cyrl": "ru", "Grek": "el", "Arab": "ar", "Hebr": "he"}
_MIXED_SHARE = 0.01
_LEAST_JUDGED = 200
_VOWELS = frozenset("aeiouyàáâãäåæèéêëìíîïòóôõöøùúûüýąęıőűœăâîėįųūāēīōů")
_LEAST_VOWELS = 0.25
"""Languages written in Latin letters have from 35 % vowels on; lists of names and abbreviations somewhat fewer."""
_MARKS_IN_WORDS = re.compile(r"(?<=[A-Za-z])[^\w\s'’.,;:?!/()&@-](?=[A-Za-z])|(?<=[A-Za-z])[0-9](?=[A-Za-z])")
_MOST_MARKED = 0.3


def script_of(text: str) -> str:
    """The ISO 15924 code of the script: Hans, Hant, Hani where both forms or neither stand, Jpan, Kore, Latn, ..."""
    part = _slices(text)
    counts = Counter({name: len(pattern.findall(part)) for name, pattern in _SCRIPTS.items()})
    if not counts.total():
        return "Zyyy"
    cjk = counts["Kana"] + counts["Hang"] + counts["Han"]
    # An ideograph says as much as a short word, so fewer of them make a text Chinese.
    if cjk * 3 > counts["Latn"]:
        if counts["Kana"] * 5 > cjk:
            return "Jpan"
        return "Kore" if counts["Hang"] * 2 > cjk else _han_script(part)
    return max(counts, key=lambda name: counts[name])


def _han_script(text: str) -> str:
    traditional, simplified = _script_forms()
    counts = sum(map(traditional.__contains__, text)), sum(map(simplified.__contains__, text))
    if not sum(counts):
        return "Hani"
    share = counts[1] / sum(counts)
    if share >= 1 - _MIXED_SHARE:
        return "Hans"
    return "Hant" if share <= _MIXED_SHARE else "Hani"


@cache
def _script_forms() -> tuple[frozenset[str], frozenset[str]]:
    """Ideographs that only traditional texts have, and those that only simplified ones have.

    A simplified form that Big5 holds is an old character of its own (里, 后) and tells nothing.
    """
    table = simplified_forms()
    simplified = frozenset(form for form in table.values() if form not in table and not _is_in_big5(form))
    return frozenset(form for form in table if _is_in_big5(form)), simplified


def _is_in_big5(character: str) -> bool:
    return bool(character.encode("cp950", errors="ignore"))


def language_of(text: str, script: str) -> str:
    """The ISO 639 code of the language, `und` where nothing tells."""
    if script in ("Hans", "Hant", "Hani"):
        return "zh"
    if script in ("Jpan", "Kore"):
        return {"Jpan": "ja", "Kore": "ko"}[script]
    if script != "Latn":
        return _OTHER_LANGUAGES.get(script, "und")
    words = Counter(re.findall(r"[^\W\d_]+", _slices(text).lower()))
    shares = {code: sum(words[word] for word in listed.split()) for code, listed in _FUNCTION_WORDS.items()}
    best = max(shares, key=lambda code: shares[code])
    return best if shares[best] * 10 >= words.total() > 0 else "und"


def _slices(text: str) -> str:
    """The start, middle and end of a long text: a licence in front does not decide."""
    if len(text) <= 3 * _SLICE:
        return text
    middle = len(text) // 2
    return text[:_SLICE] + text[middle : middle + _SLICE] + text[-_SLICE:]


def reads_as_text(text: str) -> bool:
    """Whether a text layer has words: glyph codes have no common word, and other letters than a language has.

    Only long enough a text of Latin letters or ideographs is judged; what script it is in nobody can tell from codes.
    """
    part = _slices(text)
    if len(part) < _LEAST_JUDGED:
        return True
    private = sum("\ue000" <= character <= "\uf8ff" or character == "\ufffd" for character in part)
    if private * 5 > len(part):
        return False
    if script_of(text) not in ("Latn", "Zyyy") or language_of(text, "Latn") != "und":
        return True
    letters = [character for character in part.lower() if character.isalpha()]
    vowels = sum(character in _VOWELS for character in letters)
    marks = len(_MARKS_IN_WORDS.findall(part))
    return (
        _LEAST_VOWELS * len(letters) <= vowels and marks <= _MOST_MARKED * max(1, len(part.split())) and bool(letters)
    )
