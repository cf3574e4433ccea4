"""The things a document keeps coming back to: words worth following from place to place, each an entity of its own.

English: a word that stands behind a determiner often enough to be a noun, and seldom enough to tell places apart.
Chinese: a pair of ideographs that keep together. Everyday words, which join everything with everything, are left out by
their share of the text.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from wildtrace.construct.extract.survey import Survey
from wildtrace.languages.causes import CAUSING
from wildtrace.languages.zh.names import FUNCTION_CHARACTERS, could_be_noun
from wildtrace.text.words import CHINESE_STOP, ENGLISH_STOP

LEAST: Final = 3
MOST_SHARE: Final = 0.00022
MOST_FLOOR: Final = 12
MOST_CEILING: Final = 700
MOST_TOPICS: Final = 120
THINGS_PER_THOUSAND: Final = 1.6
CHINESE_THINGS_PER_THOUSAND: Final = 0.8
FEWEST_THINGS: Final = 60
_NOUN_SHARE: Final = 0.2
_NOUN_LEAST: Final = 2
_COHESION: Final = 0.12
_VERBAL: Final = re.compile(r"(?:ly|est|self|selves)$")
_PLURAL: Final = re.compile(r"(?:(?<=[^aeious])s|(?<=[aeiou][^s])s|(?<=(?:sh|ch))es|(?<=[sx])es)$")
_COMMON_WORDS = """
    man men own new old way one two three day boy end few lot bit use act air arm ear eye leg lip hat cap box bed cup
    god sir miss madam yes not but her his him she you all any who why how now then than too very had has was did can
    will young present sudden deep full clear cold warm happy sorry sure glad angry quick slow soft hard
    late early open
    answer question talking going coming looking standing sitting saying
    thing things time times moment minute hour hours day days week weeks month months year years night morning
    evening afternoon part parts side place places people person persons kind sort number case cases fact
    matter matters way ways other others same first last next little great good young small large long short
    high whole certain different following present former latter subject reason result point points question
    order manner means name word words head hand hands face eyes voice mind heart life world thought idea look
    state end top bottom front middle rest half best better worst worse more most only usual ordinary
    particular possible able likely general second third many home gentleman
    lady man woman boy girl child wife husband father mother brother sister son daughter friend friends poor
    dear tone chapter page figure report section right left white black dark light were that with from when
    they there very will would been have this what could into then them some than
"""
_COMMON: Final = frozenset(_COMMON_WORDS.split())
_COMMON_CHINESE_WORDS = """
    立刻 起身 转身 轉身 站起 立起 次日 当日 當日 每日 方才 方纔 早已 点头 點頭 商议 商議 商量 渐渐 漸漸 慢慢
    连连 連連 喜欢 喜歡 欢喜 歡喜 分付 吩咐 容易 许多 許多 多少 几句 幾句 两句 兩句 明白 意思 面前 旁边 旁邊
    后边 後邊 今儿 今兒 半天 大约 大約 随便 隨便 样子 樣子 工夫 事情 东西 東西 放心 晓得 曉得 认得 認得 知道
    看见 看見 听见 聽見 只怕 只管 恰好 打算 收拾 依旧 依舊 当即 當即 哪知 谁知 誰知 随即 随后 隨後 即刻 无奈
    無奈 果然 却好 告诉 告訴 取出 拿出 动手 動手 跪倒 叩头 叩頭 磕头 磕頭 伺候 预备 預備 带笑 帶笑 言语 言語
    口尊 仿佛 彷彿 光景 情形 声音 聲音 眼睛 起来 起來 出来 出來 正经 正經 要紧 要緊 休要 真正 险些 險些 慌忙
    暗暗 细细 細細 高兴 高興 请教 請教 无论 無論 顷刻 頃刻 究竟 毕竟 畢竟 不料 如此 这般 這般 那般 名叫 叫做
    今年 去年 明年 多时 多時 房内 房內 进城 進城
    欲知 分解 且听 且聽 下回 上回 做什 做甚
"""
_COMMON_CHINESE: Final = frozenset(_COMMON_CHINESE_WORDS.split())


@dataclass(frozen=True, slots=True)
class Followed:
    """Words to follow with the rarity of each (higher is rarer); `topics` are those that the whole text is about."""

    rarity: Mapping[str, float]
    topics: frozenset[str]


def things(survey: Survey, chars: int, *, chinese: bool) -> Followed:
    """The words to follow: rare ones, the more the longer the text, and its most frequent topics."""
    counts = _chinese(survey.words) if chinese else _english(survey)
    most = min(MOST_CEILING, max(MOST_FLOOR, chars * MOST_SHARE))
    ranked = sorted(counts, key=lambda word: (-counts[word], word))
    topics = [word for word in ranked if counts[word] > most][:MOST_TOPICS]
    rare = [word for word in ranked if LEAST <= counts[word] <= most]
    share = CHINESE_THINGS_PER_THOUSAND if chinese else THINGS_PER_THOUSAND
    rare = rare[: max(FEWEST_THINGS, int(share * chars / 1000))]
    rarity = {word: math.log(1 + chars / 100 / counts[word]) for word in (*topics, *rare)}
    return Followed(rarity, frozenset(topics))


@lru_cache(maxsize=1 << 16)
def singular(word: str) -> str:
    """An English noun without its plural ending, roughly."""
    if len(word) < 5 or word[-1] != "s" or word.endswith(("ss", "us", "is")):
        return word
    return f"{word[:-3]}y" if word.endswith("ies") else _PLURAL.sub("", word)


def _english(survey: Survey) -> Mapping[str, int]:
    counts: dict[str, int] = {}
    determined: Counter[str] = Counter()
    for word, count in survey.words.items():
        one = singular(word)
        counts[one] = counts.get(one, 0) + count
    for word, count in survey.things.items():
        determined[singular(word)] += count
    return {
        word: counts.get(word, 0) for word, count in determined.items() if _is_noun(word, count, counts.get(word, 0))
    }


def _is_noun(word: str, determined: int, count: int) -> bool:
    if len(word) < 3 or word in ENGLISH_STOP or word in _COMMON or word in CAUSING or _VERBAL.search(word):
        return False
    return determined >= _NOUN_LEAST and determined >= _NOUN_SHARE * count


def _chinese(pairs: Mapping[str, int]) -> Mapping[str, int]:
    first: Counter[str] = Counter()
    second: Counter[str] = Counter()
    for pair, count in pairs.items():
        first[pair[0]] += count
        second[pair[1]] += count
    return {
        pair: count
        for pair, count in pairs.items()
        if count >= LEAST and count >= _COHESION * min(first[pair[0]], second[pair[1]]) and _is_thing(pair)
    }


def _is_thing(pair: str) -> bool:
    plain = could_be_noun(pair) and pair not in CHINESE_STOP and pair not in _COMMON_CHINESE
    return plain and FUNCTION_CHARACTERS.isdisjoint(pair)
