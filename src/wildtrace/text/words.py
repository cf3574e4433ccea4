"""The content words of a text, in English and Chinese, for lexical comparison: no model, no word list to download.

English: letters and digits, lower-cased, without function words, lightly stemmed. A number ends where letters begin
(`35kPa` is `35 kPa`), keeps its decimals and loses its thousands separators; a clock time is one word. Chinese and
kana: overlapping pairs of characters within a run, a single one where the run has no other; function characters end a
run, function pairs are left out. Full-width forms count as their ASCII ones.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import pairwise, product

LONGEST_WORD = 64  # longer runs of letters are data, not words; they are not worth remembering
IDEOGRAPHS = "\u3005\u3007\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U000323af"

_WORD = re.compile(
    rf"(?P<run>[{IDEOGRAPHS}]+)"
    r"|(?P<number>[0-9]+(?:[.,:][0-9]+)*)"
    rf"|[^\W_0-9{IDEOGRAPHS}][^\W_{IDEOGRAPHS}]*(?:['’][^\W\d_{IDEOGRAPHS}]+)*"
)
_THOUSANDS = re.compile(r"[0-9]{1,3}(?:,[0-9]{3})+(?:\.[0-9]+)?")
_WHOLE = re.compile(r"[0-9]+(?:\.[0-9]+|(?::[0-9]{2}){1,2})?")  # 1250, 3.5, 04:15, 04:15:20
_FULL_WIDTH = re.compile("[\uff01-\uff5e]")
_FOLD = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)}

_ENGLISH = """
    a about above after again against ago all almost alone along already also although always am among an and another
    any anyone anything are around as at away back be became because become been before behind being below between both
    but by came can cannot could did do does doing done down during each either else enough even ever every everyone
    everything few for from further gave get give given go goes going gone got had has have having he hence her here
    hers herself him himself his how however i if in indeed instead into is it its itself just keep kept last least less
    let like made make many may me might mine more most much must my myself near neither never no nobody none nor not
    nothing now of off often on once one only onto or other others our ours ourselves out over own per perhaps put quite
    rather really said same say says see seem seemed seen several shall she should since so some someone something still
    such take taken than that the their theirs them themselves then there therefore these they thing this those though
    through thus to together too took toward towards under until up upon us very was we well went were what whatever
    when where whether which while who whole whom whose why will with within without would yet you your yours yourself
    aren't can't couldn't didn't doesn't don't hadn't hasn't haven't i'd i'll i'm i've isn't it'd it'll let's mustn't
    shouldn't that'll they'd they'll they're they've wasn't we'd we'll we're we've weren't what're who'd who'll won't
    wouldn't you'd you'll you're you've he'd he'll she'd she'll s t mr mrs ms dr
"""
ENGLISH_STOP = frozenset(_ENGLISH.split())
# These never belong to a name or a thing, so a pair that reaches across one says nothing.
_SEPARATOR = re.compile("[的了着吗呢吧啊呀么嘛哪与及或和跟而且之矣焉哉也兮乎]")
_CHINESE_SINGLE = "是在有我你他她它这那不就都又还把被让给从对向于其此个一很也上下里为以到说要会能怎什"
_CHINESE_PAIRS = """
    这个 那个 这些 那些 这样 那样 这里 那里 这时 那时 此时 一个 一些 一样 一种 一次 一下 我们 你们 他们 她们 它们
    自己 咱们 为什 怎样 如何 哪里 哪个 没有 可以 因为 所以 但是 可是 不过 然而 如果 虽然 于是 然后 已经 还是 就是
    不是 都是 也是 只是 这是 那是 是在 便是 乃是 并且 而是 对于 关于 由于 根据 通过 以及 其中 其实 其他 之后 之前
    时候 还有 只有 不会 不能 不要 可能 应该 能够 必须 起来 出来 下来 上来 过来 过去 进去 一直 一定 非常 十分 这一
    那一 有些 某个 各个 每个 因此 从而 为了 除了 以后 以前
"""
_PAIRS_OF_SINGLES = (first + second for first, second in product(_CHINESE_SINGLE, repeat=2))
CHINESE_STOP = frozenset((*_CHINESE_SINGLE, *_PAIRS_OF_SINGLES, *_CHINESE_PAIRS.split()))

_VOWEL = re.compile("[aeiouy]")
_DOUBLE = re.compile(r"([bdfgmnprt])\1$")
_POSSESSIVE = re.compile("['’]s?$")


def content_words(text: str) -> list[str]:
    """The content words of `text` in order, with repeats; linear in its length.

    Two texts that say a thing in the same words share its content words, whatever the case, the inflection (roughly)
    and the width of the characters. Negation is a function word here: what is compared is what is spoken of.
    """
    return [word for word in _words(_folded(text)) if word]


def _folded(text: str) -> str:
    if _FULL_WIDTH.search(text):
        text = text.translate(_FOLD)
    return text.lower()


def _words(text: str) -> Iterator[str]:
    for match in _WORD.finditer(text):
        kind = match.lastgroup
        if kind is None:
            yield _term(match[0]) if len(match[0]) <= LONGEST_WORD else match[0]
        elif kind == "run":
            yield from _pairs(match[0])
        else:
            yield from _numbers(match[0])


def _pairs(run: str) -> Iterator[str]:
    for piece in _SEPARATOR.split(run):
        if len(piece) == 1:
            yield "" if piece in CHINESE_STOP else piece
        for first, second in pairwise(piece):
            pair = first + second
            if pair not in CHINESE_STOP:
                yield pair


def _numbers(text: str) -> Iterable[str]:
    if _WHOLE.fullmatch(text):
        return (text,)
    if _THOUSANDS.fullmatch(text):
        return (text.replace(",", ""),)
    return re.split("[.,:]", text)  # a date, a section number or a list: each part is a number of its own


@lru_cache(maxsize=1 << 16)
def _term(word: str) -> str:
    """The stem of one lower-cased word, or nothing for a function word."""
    plain = word.replace("’", "'")
    if plain in ENGLISH_STOP:
        return ""
    plain = _POSSESSIVE.sub("", plain)
    return "" if plain in ENGLISH_STOP else stem(plain)


def stem(word: str) -> str:
    """A lower-cased English word without its plural, -ing, -ed, -ly and final e; others come back as they are."""
    if len(word) < 4 or not (word.isascii() and word.isalpha()):
        return word
    return _without_e(_without_suffix(_without_plural(word)))


def _without_plural(word: str) -> str:
    # The e of `boxes` goes with the final e.
    if word.endswith("ies"):
        return word[:-3] + "y"
    return word if word.endswith(("ss", "us", "is")) or not word.endswith("s") else word[:-1]


def _without_suffix(word: str) -> str:
    if word.endswith("ied"):
        return word[:-3] + "y"
    for suffix in ("ing", "ed", "ly"):
        rest = word.removesuffix(suffix)
        if rest != word and len(rest) > 2 and _VOWEL.search(rest):
            return _DOUBLE.sub(r"\1", rest) if suffix != "ly" else rest
    return word


def _without_e(word: str) -> str:
    return word[:-1] if len(word) > 3 and word.endswith("e") else word
