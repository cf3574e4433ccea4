"""Differences that change what is said however few words they touch: numbers, negations, names, order.

The word lists are short on purpose: they hold what turns a statement round, in English and in Chinese.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter

from wildtrace.text.difference import Difference
from wildtrace.text.lexemes import Lexeme, Reading
from wildtrace.text.vocabulary import SURNAMES, Vocabulary

_NUMBER_WORD_LIST = """
    zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen
    eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand million billion dozen half
    quarter first second third fourth fifth sixth seventh eighth ninth tenth twice thrice double triple hundreds
    thousands millions dozens thirds fourths fifths
"""
_NEGATION_LIST = """
    no not never none nothing nobody nowhere neither nor cannot without hardly scarcely barely fail
    fails failed failing refuse refuses refused deny denies denied dont doesnt didnt wont wouldnt cant
    couldnt shant shouldnt isnt arent wasnt werent hasnt havent hadnt aint mustnt neednt
"""
_ORDINAL = re.compile("(?:eleventh|twelfth|teenth|tieth)s?$")
_NUMBER_WORDS = frozenset(_NUMBER_WORD_LIST.split())
_NEGATIONS = frozenset(_NEGATION_LIST.split())
NEGATIVE_PREFIXES = ("un", "in", "im", "ir", "il", "dis", "non", "mis")
_CHINESE_NUMERALS = frozenset("〇零一二两三四五六七八九十百千万亿兆廿卅半双壹贰叁肆伍陆柒捌玖拾佰仟")
_CHINESE_UNITS = frozenset("十百千万亿廿卅拾佰仟")
_CHINESE_NEGATIONS = frozenset("不没无未非莫勿毋弗否别休甭")
# Numerals and negations inside everyday words that count or deny nothing.
_IDIOMS = re.compile(
    "一(?=[面时同齐概切般样些直起定旦向味边路并番])|(?<=[统同唯])一|十(?=分)|百(?=姓)|千万(?=[别不])|万(?=分)|四(?=处)"
    "|非(?=常)|(?<=是)非|别(?=[人的处])|(?<=[特分告])别|无(?=论)|休(?![要得想怪说提问慌叫])|(?<=约)莫|未(?=[来时])"
    "|(?<=[沉淹湮])没"
)
# Surnames that are everyday words too: told from them by another one in their place and what follows.
_LIKELY_SURNAMES = SURNAMES | frozenset(
    "林高何石方金白黄马周程罗唐许谢田余于叶苏钟卢丁江顾毛万常武康贺严尹洪施陶温文柳秦史侯孟龙段雷邱汤殷邢尤柴庄"
)
_TITLES = re.compile(
    "夫人|老爷|太太|公子|小姐|姑娘|先生|大人|将军|县令|知县|掌柜|师傅|局长|经理|工程师|船长|医生|老师|主任|氏|公|爷|母|妈|嫂"
)
_PLACES = ("省", "市", "县", "州", "府", "国")
_NOT_PLACES = re.compile("[本该此这那各全外中大小新旧我他敌知到在进出某何贵]")
_PRONOUNS = frozenset({"i", "o", "oh", "i'm", "i'll", "i've", "i'd"})
_MAY_BEGIN_A_SENTENCE = re.compile(r"[.!?:;\"'(\n\-]")
_LONGEST_NAME = 4


def reason_against(difference: Difference, vocabulary: Vocabulary) -> str | None:
    """Why these differences change what is said, or None: a number, a negation or a name differs, or the order does."""
    quote, source = difference.quote, difference.source
    for hunk in difference.hunks:
        mine, theirs = (hunk.quote_start, hunk.quote_end), (hunk.source_start, hunk.source_end)
        if _numbers(quote, *mine) != _numbers(source, *theirs):
            return "a number differs"
        if _negations(quote, *mine) != _negations(source, *theirs) or _is_negated_pair(quote, mine, source, theirs):
            return "a negation differs"
        if _names(quote, *mine, vocabulary) != _names(source, *theirs, vocabulary):
            return "a name differs"
        if _is_renamed(quote, mine, source, theirs):
            return "a name differs"
    return "the order differs" if _is_reordered(difference) else None


def is_cut_number(before: str, after: str) -> bool:
    """Whether an edge between these two characters of the source cuts a number written in Chinese numerals in two."""
    pair = {before, after}
    return pair <= _CHINESE_NUMERALS and not pair.isdisjoint(_CHINESE_UNITS)


def _numbers(reading: Reading, first: int, last: int) -> list[str]:
    return [_value(lexeme) for at, lexeme in _lexemes(reading, first, last) if _is_number(reading, at)]


def _value(lexeme: Lexeme) -> str:
    """A number's spelling without thousands separators."""
    return re.sub(r"(?<=\d),(?=\d{3}(?!\d))", "", lexeme.form)


def _is_number(reading: Reading, at: int) -> bool:
    lexeme = reading.lexemes[at]
    if lexeme.kind == "ideograph":
        return lexeme.form in _CHINESE_NUMERALS and not _is_idiom(reading, at)
    if lexeme.kind == "word" and (lexeme.form in _NUMBER_WORDS or _ORDINAL.search(lexeme.form)):
        return True
    if lexeme.form in ("a", "p", "am", "pm") and _is_half_of_day(reading, at):
        return True
    return lexeme.kind == "number" or any(unicodedata.numeric(letter, None) is not None for letter in lexeme.form)


def _is_half_of_day(reading: Reading, at: int) -> bool:
    """Whether `a` or `p` stands in `a.m.` or `p.m.`, or `am` or `pm` after a number."""
    if len(reading.forms[at]) > 1:
        return at > 0 and reading.lexemes[at - 1].kind == "number"
    return reading.forms[at + 1 : at + 2] == ["m"] and reading.mark(at + 1) in ("", ".")


def _negations(reading: Reading, first: int, last: int) -> list[str]:
    return [lexeme.form for at, lexeme in _lexemes(reading, first, last) if _is_negation(reading, at)]


def _is_negation(reading: Reading, at: int) -> bool:
    lexeme = reading.lexemes[at]
    if lexeme.kind == "ideograph":
        return lexeme.form in _CHINESE_NEGATIONS and not _is_idiom(reading, at)
    return lexeme.form in _NEGATIONS or lexeme.form.endswith("n't")


def _is_idiom(reading: Reading, at: int) -> bool:
    around = "".join(lexeme.form for lexeme in reading.lexemes[max(0, at - 1) : at + 3])
    inside = 1 if at else 0
    return any(match.start() <= inside < match.end() for match in _IDIOMS.finditer(around))


def _is_negated_pair(quote: Reading, mine: tuple[int, int], source: Reading, theirs: tuple[int, int]) -> bool:
    """Whether one side has a word of the other with a negative prefix or with `less` for `ful`."""
    words, others = set(quote.forms[slice(*mine)]), set(source.forms[slice(*theirs)])
    return any(_negates(word, other) or _negates(other, word) for word in words for other in others)


def _negates(word: str, other: str) -> bool:
    if word.endswith("less") and other in (word[:-4], f"{word[:-4]}ful"):
        return True
    return len(other) > 2 and any(word == prefix + other for prefix in NEGATIVE_PREFIXES)


def _names(reading: Reading, first: int, last: int, vocabulary: Vocabulary) -> list[str]:
    words = [
        lexeme.form.removesuffix("'s")
        for at, lexeme in _lexemes(reading, first, last)
        if lexeme.kind == "word" and _is_name(reading, at, vocabulary)
    ]
    return words + _chinese_names(reading, first, last, vocabulary)


def _is_name(reading: Reading, at: int, vocabulary: Vocabulary) -> bool:
    lexeme = reading.lexemes[at]
    if not lexeme.surface[0].isupper() or lexeme.form in _PRONOUNS:
        return False
    if at and not _MAY_BEGIN_A_SENTENCE.search(reading.gaps[at]):
        return True
    return vocabulary.is_name(lexeme.surface)


def _chinese_names(reading: Reading, first: int, last: int, vocabulary: Vocabulary) -> list[str]:
    """The known names that these ideographs are part of, or that an insertion here would break."""
    begin = max(0, first - _LONGEST_NAME)
    around = reading.lexemes[begin : last + _LONGEST_NAME]
    if not any(lexeme.kind == "ideograph" for lexeme in around):
        return []
    # Other words fill one place each, so that places in the string are places in the reading.
    text = "".join(lexeme.form if lexeme.kind == "ideograph" else " " for lexeme in around)
    low, high = first - begin, last - begin
    stretches = (
        (start, end)
        for start in range(len(text))
        for end in range(start + 2, min(start + _LONGEST_NAME, len(text)) + 1)
        if (start < high and end > low) or start < low < end
    )
    return [text[start:end] for start, end in stretches if text[start:end] in vocabulary.speakers]


def _is_renamed(quote: Reading, mine: tuple[int, int], source: Reading, theirs: tuple[int, int]) -> bool:
    """Whether ideographs of the shape of a Chinese name or place name come, go or replace others of that shape."""
    one, other = "".join(quote.forms[slice(*mine)]), "".join(source.forms[slice(*theirs)])
    if max(len(one), len(other)) >= _LONGEST_NAME:
        return False
    if not one or not other:
        return len(one + other) > 1 and (one + other)[0] in SURNAMES
    if {one[0], other[0]} <= SURNAMES or (len(one) == len(other) and _follows_surname(source, theirs[0])):
        return True
    following = "".join(source.forms[theirs[1] : theirs[1] + _LONGEST_NAME])
    is_long = min(len(one), len(other)) > 1
    if {one[0], other[0]} <= _LIKELY_SURNAMES and (is_long or _TITLES.match(following)):
        return True
    return is_long and following[:1] in _PLACES and not _NOT_PLACES.search(one + other)


def _follows_surname(reading: Reading, at: int) -> bool:
    """Whether the ideograph before is a surname that begins a clause, so that a given name is what stands here."""
    return at > 0 and reading.forms[at - 1] in SURNAMES and (at == 1 or bool(reading.mark(at - 1)))


def _is_reordered(difference: Difference) -> bool:
    """Whether words stand elsewhere in the quote than in the source: one content word, or two ideographs."""
    added = _content(difference, of_quote=True)
    moved = added & _content(difference, of_quote=False)
    return any(len(form) > 3 for form in moved) or sum(moved.values()) >= 2


def _content(difference: Difference, *, of_quote: bool) -> Counter[str]:
    reading = difference.quote if of_quote else difference.source
    bounds = (hunk[:2] if of_quote else hunk[2:] for hunk in difference.hunks)
    return Counter(form for first, last in bounds for form in reading.forms[first:last])


def _lexemes(reading: Reading, first: int, last: int) -> list[tuple[int, Lexeme]]:
    return [(at, reading.lexemes[at]) for at in range(first, last)]
