"""The words of a Chinese text that say that something happened: verbs of acts by a compact list, and by what follows.

Chinese verbs have no tense. An act counts where its clause goes on as narration does: behind the start of a clause or
an adverb of narration, before 了, a direction, a second verb or an object, and not behind a negation, a wish, a
possibility or a condition.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

Range = tuple[int, int]

_NOT_BEHIND: Final = "不没沒未無无莫别別休勿非要欲愿願肯敢能会會可须須应應该該必得若倘如何怎难難的之所请請"
_ACTS: Final = (
    "道曰写寫托雇算付买買卖賣搬挂掛叹嘆问問答叫唤喚喝骂罵哭笑喊嚷听聽闻聞见見看瞧望想取拿接递遞翻揭斟奉敬拜跪叩坐站立起磕遇撞"
    "走跑奔赶趕追逃退进進入出到至回归歸住睡歇醒吃饮飲喝打杀殺砍刺射擒捉捆绑綁放送迎邀约約派差带帶领領率引推拉占佔"
    "扯抓抱扶举舉抬挑背开開关關闭閉锁鎖点點烧燒拆砸摔扔丢丟抛拋埋藏搜查审審判革参參奏封赏賞赐賜升降娶嫁生死病伤傷告报報禀稟传傳"
    "谢謝劝勸应應允辞辭换換穿脱脫戴洗梳收交还還借赠贈赢贏输輸赌賭抢搶偷骗騙害救治医醫说說讲講竖豎让讓签簽吩分商预預动動转轉教"
)
_SPECIAL: Final = {
    "大": "怒喜哭笑", "冷": "笑", "自": "尽盡", "身": "死", "中": "举舉", "成": "亲親", "只": "见見",
    "上": "马馬轿轎船来來", "下": "马馬轿轎船来來", "会": "意", "會": "意", "闲": "坐", "摇": "头頭", "登": "程时",
}  # fmt: skip
_SECOND: Final = (
    "道见見得咐应應辞辭身前出住下立饭飯酒茶门門城行宿息觉覺头頭扫掃拾备備发發议議量训訓获獲命令堂谢謝恩明知诉訴"
)
_BEHIND: Final = "了过過着著来來去出进進上下起开開住到回入罢罷毕畢完见見得与與给給在将將把一两兩三四五六七八九十几幾"
_OBJECTS: Final = "个個他她我你这這那众眾，。；！？：“「"
_OPENERS: Final = "便就遂即乃又忙也已亦才方只先再急正复復仍竟都，。；！？：”」、\n"
_PATTERN: Final = re.compile(
    rf"[来來去{_ACTS}{''.join(_SPECIAL)}](?<![{_NOT_BEHIND}].)(?:(?<=[{_ACTS}])"
    rf"(?:[{_SECOND}]|(?=[{_BEHIND}])(?![来來去得见見]?的)|(?=[{_OBJECTS}])|(?<=[{_OPENERS}].))"
    rf"|(?<=[来來去])(?<![{_ACTS}].)(?:(?=了)|(?<=[{_OPENERS}].))"
    rf"|{'|'.join(f'(?<={first})[{seconds}]' for first, seconds in _SPECIAL.items())})"
    "[进進出上下起过過回]?[来來去]?"
)


def chinese_happenings(text: str) -> Iterator[Range]:
    """The words of a Chinese text that tell of what happened, in order."""
    return (match.span() for match in _PATTERN.finditer(text))
