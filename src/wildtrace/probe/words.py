"""The words that made documents are written from, English and Chinese: a river port's chronicle that never was.

Written for the probe. Places and names are invented and numbers are frequent, so that a made text is at least as dense
in tokens as real novels and reports are: a window measured on it holds for them too.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Language:
    """How one language's sentences are put together; `{slot}` in a pattern is a word list or a `makers` entry."""

    openings: tuple[str, ...]
    middles: tuple[str, ...]
    endings: tuple[str, ...]
    carriers: tuple[str, ...]
    heading: str
    words: Mapping[str, tuple[str, ...]]
    makers: Mapping[str, Callable[[random.Random], str]]
    comma: str
    stop: str
    space: str


_DIGITS: Final = "零一二三四五六七八九"
_UNITS: Final = ((1000, "千"), (100, "百"), (10, "十"))


def chinese_number(number: int) -> str:
    """A number from 1 to 9,999 in Chinese numerals."""
    written, rest, skipped = "", number, False
    for unit, name in _UNITS:
        digit, rest = divmod(rest, unit)
        if digit:
            written += ("零" if skipped else "") + _DIGITS[digit] + name
        skipped = bool(written) and not digit
    return written + ("零" if skipped and rest else "") + (_DIGITS[rest] if rest else "")


def _number(rng: random.Random) -> str:
    return f"{rng.randrange(12, 9800):,}"


def _clock(rng: random.Random) -> str:
    return f"{rng.randrange(1, 13)}:{rng.randrange(60):02}"


def _date(rng: random.Random) -> str:
    month = rng.choice(("January", "March", "April", "June", "July", "August", "October", "November"))
    return f"{rng.randrange(1, 31)} {month} {rng.randrange(1781, 1939)}"


def _chinese_number(rng: random.Random) -> str:
    return chinese_number(rng.randrange(12, 9800))


def _chinese_date(rng: random.Random) -> str:
    month, day = rng.randrange(1, 13), rng.randrange(1, 31)
    return f"{chinese_number(rng.randrange(2, 60))}年{chinese_number(month)}月{chinese_number(day)}日"


def _split(words: str) -> tuple[str, ...]:
    return tuple(words.split())


ENGLISH: Final = Language(
    openings=(
        "On {date}",
        "Towards {clock} that night",
        "By the reckoning of {first} {last}",
        "While {first} {last} was still at {stem}{tail}",
        "In the book kept at {stem}{tail}",
        "Against the word of {first} {last}",
        "After the {thing} had lain {number} days at {stem}{tail}",
        "Between {stem}{tail} and {stem}{tail}",
        "As soon as {first} {last} had signed for the {thing}",
        "With {number} {thing}s still owing",
        "Below the weir at {stem}{tail}",
        "Before {clock} struck at {stem}{tail}",
    ),
    middles=(
        "{first} {last} took {number} {thing}s down to {stem}{tail}",
        "the {trade} of {stem}{tail} gave {first} {last} a receipt for {number} {thing}s",
        "{first} {last} swore before the {trade} that the {thing} weighed {number} pounds",
        "a {quality} {thing} was sold to {first} {last} for {number} crowns",
        "the ferry from {stem}{tail} landed {number} {thing}s and one {quality} {trade}",
        "{first} {last} wrote to the {trade} at {stem}{tail} about a {quality} {thing}",
        "the {trade} counted {number} {thing}s where {first} {last} had counted {number}",
        "two men from {stem}{tail} dug up a {quality} {thing} near the {number}-yard stone",
        "{first} {last} quarrelled with {first} {last} over the {quality} {thing}",
        "the toll at {stem}{tail} rose to {number} pence on every {thing}",
        "{first} {last} lent the {trade} a {quality} {thing} until {date}",
        "a {quality} fog held {number} {thing}s at {stem}{tail} until {clock}",
    ),
    endings=(
        "and the {trade} of {stem}{tail} made no note of it",
        "though {first} {last} told it otherwise",
        "which left {number} {thing}s in the loft at {stem}{tail}",
        "because the road by {stem}{tail} lay {number} yards under water",
        "so that {first} {last} went home without the {quality} {thing}",
        "and {first} {last} paid the {trade} {number} shillings to forget it",
        "as the {quality} glass at {stem}{tail} had foretold",
        "for want of a {thing} and of a {quality} {trade}",
        "until {first} {last} came up from {stem}{tail} at {clock}",
        "and that was the last {quality} {thing} of the season",
    ),
    carriers=(
        "The mark burnt into the crate was {code}, and {first} {last} copied it twice.",
        "Beside the entry for {stem}{tail} stood the mark {code} in red ink.",
        "{first} {last} read out the mark {code} and shut the book.",
        "On the underside of the {thing} somebody had cut {code}, no more.",
    ),
    heading="Leaf {number}: {stem}{tail}",
    words={
        "first": _split(
            "Abigail Ambrose Barnaby Bettina Caspar Clemency Cuthbert Dorothea Ebenezer Edwina Ezra Fenella Gideon "
            "Griselda Hester Horatio Isidore Jemima Jethro Keturah Lavinia Leopold Lysander Mehitabel Mordecai "
            "Nathaniel Octavia Obadiah Peregrine Philippa Phineas Rosamund Septimus Silas Tabitha Thaddeus Ursula "
            "Valentine Winifred Zachariah"
        ),
        "last": _split(
            "Ablethorpe Aldcroft Bagshawe Birkinshaw Cattermole Clitheroe Dunkerley Entwistle Fazackerley Garfitt "
            "Gathercole Hebblewhite Hockaday Ickringill Jellicoe Kettlewell Lamplugh Longbottom Micklethwait "
            "Murgatroyd Nettleship Oldroyd Ormerod Pennefather Postlethwaite Quarmby Ramsbottom Satterthwaite "
            "Shufflebotham Sowerby Tattersall Thistlethwayte Umfreville Venables Waddilove Wigglesworth Winterbottom "
            "Yoxall"
        ),
        "stem": _split(
            "Ald Bram Cald Dunn Eller Farn Gris Hathers Ingle Jarr Keld Langs Mell Nether Ocker Pick Quern Rams Skel "
            "Thorn Ull Vell Whin Yar Brack Crims Dray Esk Fos Gar"
        ),
        "tail": _split(
            "beck brough cliffe dale ferry garth hithe holm keld ley mere ness quay rigg sett shaw stead thwaite wath "
            "wick"
        ),
        "thing": _split(
            "anchor barrel basket bobbin buckle candlestick cask chisel churn bucket crate griddle halter hinge "
            "kettle lantern loom mallet mangle oar pulley quern rudder saddle sextant shuttle sickle spindle tankard "
            "tarpaulin tiller trestle trowel wheelbarrow ladder pitcher"
        ),
        "trade": _split(
            "bargeman beadle bellfounder chandler constable cooper coroner cordwainer curate drover exciseman farrier "
            "fletcher fuller glazier harbourmaster lighterman lock-keeper maltster miller ostler pilot ropemaker "
            "sawyer sexton surveyor tanner thatcher verger wharfinger"
        ),
        "quality": _split(
            "battered blackened borrowed brittle chipped cracked crooked dented double-bottomed faded gilded "
            "half-mended hollow iron-bound lacquered mildewed mismatched moth-eaten nameless patched pewter rusted "
            "salt-stained second-hand splintered tarnished threadbare tin-lined unclaimed unpaid varnished walnut "
            "warped waterlogged weathered worm-eaten"
        ),
    },
    makers={"number": _number, "clock": _clock, "date": _date},
    comma=", ",
    stop=".",
    space=" ",
)

CHINESE: Final = Language(
    openings=(
        "{date}",
        "据{surname}{given}所记",
        "{stem}{tail}涨水之后",
        "{surname}{given}尚在{stem}{tail}的时候",
        "不顾{surname}{given}的劝阻",
        "从{stem}{tail}到{stem}{tail}的路上",
        "那{thing}搁了{number}天",
        "{stem}{tail}更鼓才敲过",
        "等{surname}{given}画了押",
        "还欠着{number}件{thing}",
        "{stem}{tail}渡口封了",
        "照{trade}的旧例",
    ),
    middles=(
        "{surname}{given}押着{number}件{thing}往{stem}{tail}去",
        "{stem}{tail}的{trade}给{surname}{given}开了{number}两银子的收条",
        "{surname}{given}当着{trade}的面说那{thing}重{number}斤",
        "一只{quality}的{thing}以{number}文卖给了{surname}{given}",
        "{stem}{tail}来的船卸下{number}件{thing}和一位{trade}",
        "{surname}{given}为一只{quality}的{thing}写信给{stem}{tail}的{trade}",
        "{trade}点出{number}件{thing}而{surname}{given}只点出{number}件",
        "{stem}{tail}两个挑夫挖出一只{quality}的{thing}",
        "{surname}{given}同{surname}{given}为了{quality}的{thing}争了一场",
        "{stem}{tail}的厘金每件{thing}涨到{number}文",
        "{surname}{given}把{quality}的{thing}借与{trade}",
        "大雾把{number}件{thing}困在{stem}{tail}",
    ),
    endings=(
        "{stem}{tail}的{trade}却未入账",
        "{surname}{given}后来又是另一种说法",
        "阁楼里便只剩{number}件{thing}",
        "因为{stem}{tail}的堤路淹了{number}丈",
        "{surname}{given}只得空手回去",
        "{surname}{given}拿{number}文堵了{trade}的嘴",
        "这正应了{stem}{tail}老人的话",
        "缺的不过是一只{quality}的{thing}",
        "直到{surname}{given}从{stem}{tail}上来",
        "此后再没有见过那样{quality}的{thing}",
    ),
    carriers=(
        "箱板上烙着标记{code}，{surname}{given}抄了两遍。",
        "{stem}{tail}那一条旁边用朱笔写着标记{code}。",
        "{surname}{given}念出标记{code}，便合上了账簿。",
        "那{thing}底下有人刻了标记{code}，别无他字。",
    ),
    heading="第{number}叶　{stem}{tail}",
    words={
        "surname": _split(
            "欧阳 司徒 上官 诸葛 慕容 尉迟 令狐 濮阳 翟 覃 阚 蔺 郗 缪 宓 蒯 逄 亓 晏 瞿 糜 羿 郤 璩 仉 暨 禚 谌 郄 逯"
        ),
        "given": _split(
            "砚樵 澹庵 霁川 韫玉 筠圃 蕴藻 骥臣 绶堂 颐斋 谦甫 湜之 黼廷 琛卿 翥云 愨生 昉初 珩叔 "
            "絜如 璟仲 鹄亭 黻堂 茝香 澂江 馥园 蘅皋 斝仙 琬青 骞若 彝仲 勖哉"
        ),
        "stem": _split(
            "芦荻 鹭洲 枫桥 苕溪 菱塘 槐荫 蓼花 栗墅 螺蛳 鸬鹚 砻坊 箬岭 柘皋 榉林 薜萝 鹧鸪 梓潼 菖蒲 槲叶 獭窟"
        ),
        "tail": _split("渡 浦 埠 汛 圩 坞 堰 埭 闸 碛 墟 峪 堡 垸 汊"),
        "thing": _split(
            "罗盘 铜镬 桐油桶 辘轳 砧板 缆桩 舵柄 鱼罾 马镫 蓑笠 油篓 铁锚 漆匣 秤砣 锡罍 纺锤 "
            "犁铧 石碾 风箱 竹篙 灯笼架 绞盘 瓷瓮 藤箧 砚滴 箩筐 铜磬 棕绳 木屐 毡毯"
        ),
        "trade": _split(
            "税吏 船户 更夫 铁匠 账房 驿丞 篾匠 染坊主 牙人 塾师 巡检 闸官 药铺掌柜 鞍匠 盐商 仵作 "
            "保正 庙祝 脚夫头 漕书"
        ),
        "quality": _split(
            "斑驳 缺口 锈蚀 霉烂 包浆 无主 描金 虫蛀 开裂 抵债 褪色 鎏银 歪斜 补过三回 水渍累累 "
            "来历不明 半旧 沉甸甸 刻了字 漆皮剥落"
        ),
    },
    makers={"number": _chinese_number, "date": _chinese_date},
    comma="，",
    stop="。",
    space="",
)
LANGUAGES: Final[Mapping[str, Language]] = {"en": ENGLISH, "cjk": CHINESE}
