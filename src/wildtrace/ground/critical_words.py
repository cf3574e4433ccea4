"""The English and Chinese words that change what is said wherever they come, go or are exchanged.

Numbers and negations count alone; words of one group (`before`, `after`; 上, 下) count where one stands for another.
"""

from __future__ import annotations

import re
from typing import Final

_NUMBER_LIST = """
    zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen
    eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand million billion trillion
    dozen score pair couple both half quarter first second third fourth fifth sixth seventh eighth ninth tenth once
    twice thrice double triple hundreds thousands millions billions trillions dozens scores pairs couples halves
    quarters thirds fourths fifths single minus plus nought naught
"""
NUMBER_WORDS: Final = frozenset(_NUMBER_LIST.split())
ORDINAL: Final = re.compile(
    "(?:eleventh|twelfth|teenth|tieth)s?$|^(?:two|three|four|five|six|seven|eight|nine|ten|half|hundred)(?:fold|pence|penny)$"
)
"""Number words made of others."""
ROMAN: Final = re.compile("(?!mix$)(?=[ivxlcdm]{2}|[vx]$)m{0,3}(?:cm|cd|d?c{0,3})(?:xc|xl|l?x{0,3})(?:ix|iv|v?i{0,3})$")
"""Roman numerals in small letters, but for `i`, the pronoun, and single letters that stand for other things."""

_NEGATION_LIST = """
    no not non never none nothing nobody nowhere neither nor cannot without hardly scarcely barely seldom rarely almost
    nearly unless except excepting excepted instead unable inability impossible impossibility
    dont doesnt didnt wont wouldnt cant couldnt shant shouldnt isnt arent wasnt werent hasnt havent hadnt aint mustnt
    neednt
"""
NEGATIONS: Final = frozenset(_NEGATION_LIST.split())
_NEGATIVE_STEMS = re.compile(
    "(?:fail|refus|den[iy]|lack|prevent|prohibit|forb[ia]d|disagree|disapprov|dislik|disobey|disallow|disbelie|dishonest|disabl|disconnect|disappear)"
    "(?:e?s|e?d|ing|ies|ied|den|al|als|ure|ures|y|es|ef|eve|eved|ment)?$"
)
NEGATIVE_PREFIXES: Final = ("un", "in", "im", "ir", "il", "dis", "non", "mis")
_DENYING_ADJECTIVES = re.compile(
    "(?:inadequa|insufficien|imperfect|improper|incorrect|inaccura|incomplete|incapab|invalid|illegal|irregular|improbab"
    "|impractic|incompeten|ineffect|inefficien|inconsisten|invisib|irresponsib|independen|inaudib|immovab|intolerab)"
)
_UN = re.compile("un(?!der|cle|i[toqsv]|ifo|tie?r|ctu)[a-z]{4,}")
_NEGATED = re.compile("i[nmrl](.*(?:[ai]ble|[ae]nt|ate|ect|[iu]te|[lr]ar|al|ous|ive|ance|ence|ity|per|ly))$")
COMPASS: Final = re.compile("(?:north|south|east|west){1,2}(?:ern|erly|wards?|wardly)?$")
_BOUND_LIST = """
    more less fewer least most over under above below beneath exceeding exceeded beyond upwards about around roughly
    approximately only every
"""
BOUNDS: Final = frozenset(_BOUND_LIST.split())
"""Words that, shortly before a number, say how it is meant."""

_GROUPS = """
    before/after/since; earlier/later; early/late; above,over/below,beneath,under,underneath; up/down;
    upward,upwards/downward,downwards; upper,higher/lower; high/low; more,greater/less,fewer,smaller; most/least;
    left/right; port/starboard; inside,within/outside; into/from; on/off; in/out; forward/backward,backwards/aft;
    ahead/astern/behind; open,opened/closed,shut; increase/decrease; increased/decreased; rise/fall; rose/fell;
    risen/fallen; always/often/sometimes/occasionally; all/some/few/many/several/most/every/any; day/night;
    dawn/morning/noon/afternoon/evening/midnight/dusk; today/yesterday/tomorrow; spring/summer/autumn/winter;
    son/daughter; sons/daughters; brother/sister; brothers/sisters; father/mother; husband/wife; uncle/aunt;
    nephew/niece; he/she; him/her; his/her; himself/herself; man/woman; men/women; boy/girl; boys/girls; true/false;
    guilty/innocent; alive,living/dead; won/lost; bought/sold; buy/sell; accepted/rejected; began/ended;
    begin/end; started/stopped; start/stop; hot/cold; wet/dry; rich/poor; strong/weak; with/without; for/against;
    former/latter; inner/outer; internal/external; elder,older,senior/younger,junior; gained/lost; profit/loss;
    daily/weekly/monthly/yearly,annually/hourly; arrived/departed,left; came/went; must/may,might; much/little;
    import/export; imported/exported; maximum/minimum;
    positive/negative; 上/下; 前/后; 左/右; 东/南/西/北; 内,里/外; 多/少; 高/低; 大/小; 早/晚,迟;
    男/女; 父/母; 兄,哥/弟; 姐,姊/妹; 夫/妻; 子,儿/女; 生/死; 进,入/出; 来/去; 开/关,闭; 买/卖; 胜/败,负; 真/假;
    日/夜; 昼/夜; 春/夏/秋/冬; 昨/今/明; 增,加/减; 升/降; 快/慢; 长/短; 冷/热; 新/旧; 老/少; 轻/重; 他/她/它;
    有/无; 皆,都,全/或; 先/后; 已/将,尚,未
"""
_UNIT_LIST = """
    minute hour day week fortnight month year century inch foot,feet yard mile fathom furlong league knot mm cm m km
    millimetre,millimeter centimetre,centimeter metre,meter kilometre,kilometer ounce,oz pound,lb,lbs stone ton tonne
    cwt,hundredweight kg,kilogram,kilogramme g,gram,gramme pint quart gallon litre,liter shilling penny,pence guinea
    sovereign crown dollar cent franc fahrenheit celsius,centigrade volt ampere,amp watt kilowatt bar pascal
    年 月 日,天 时 刻 分 秒 岁 尺 寸 丈 里 斤 钱 石 吨 米 元 角
"""
CHINESE_UNITS_OF_MEASURE: Final = frozenset("年月日天时刻分秒岁尺寸丈里斤钱石吨米元角")


def _meanings() -> dict[str, list[tuple[int, int]]]:
    """The groups that a word belongs to, each with its place in the group."""
    units = " / ".join(_UNIT_LIST.split())
    found: dict[str, list[tuple[int, int]]] = {}
    for group, members in enumerate(f"{_GROUPS};{units}".split(";")):
        for place, words in enumerate(members.split("/")):
            for word in words.strip().split(","):
                found.setdefault(word, []).append((group, place))
    return found


_MEANINGS: Final = _meanings()


def are_opposed(words: list[str], others: list[str]) -> bool:
    """Whether a word of one side stands for one of its group on the other: an opposite, a unit, a quarter."""
    mine, theirs = _grouped(words), _grouped(others)
    return any(mine[group] != theirs[group] for group in mine.keys() & theirs.keys())


def _grouped(words: list[str]) -> dict[int, set[int]]:
    found: dict[int, set[int]] = {}
    for word in words:
        singulars = (word, word.removesuffix("s"), word.removesuffix("es"), f"{word.removesuffix('ies')}y")
        for group, place in next((_MEANINGS[form] for form in singulars if form in _MEANINGS), ()):
            found.setdefault(group, set()).add(place)
    return found


def is_negation(word: str) -> bool:
    """Whether an English word in small letters denies."""
    if word in NEGATIONS or word.endswith("n't"):
        return True
    return any(pattern.match(word) for pattern in (_NEGATIVE_STEMS, _DENYING_ADJECTIVES, _UN))


def denied(word: str) -> str | None:
    """What an English word of the shape of a denial denies (`adequate` of `inadequate`), if that is a word at all."""
    match = _NEGATED.match(word)
    return match[1] if match else None


CHINESE_NUMERALS: Final = frozenset("〇零一二两三四五六七八九十百千万亿兆廿卅半双几壹贰叁肆伍陆柒捌玖拾佰仟")
CHINESE_UNITS: Final = frozenset("十百千万亿廿卅拾佰仟")
CHINESE_NEGATIONS: Final = frozenset("不没无未非莫勿毋弗否别甭岂免禁缺乏罕拒")
