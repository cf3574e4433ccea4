"""Names of places in Chinese: well-known ones by a table of our own, others by their endings and what leads up to them.

A name of two characters with an ending of administration, water, hill or temple is one wherever a verb of motion or a
preposition stands before it; those that end in a house or a shop must be met there more often. Words that only look
like names (`酒店`, `江湖`) are left out.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import Final

from wildtrace.languages.tries import phrase_pattern
from wildtrace.languages.zh.names import SURNAMES

_KNOWN_WORDS = """
    北京 南京 上海 天津 重庆 重慶 广州 廣州 苏州 蘇州 杭州 扬州 揚州 济南 濟南 开封 開封 洛阳 洛陽 长安 長安 西安
    成都 武昌 汉口 漢口 汉阳 漢陽 襄阳 襄陽 荆州 荊州 徐州 兖州 青州 登州 莱州 沧州 滄州 德州 通州 涿州 保定 大同
    太原 宣府 蓟州 薊州 山海关 山海關 沈阳 瀋陽 辽阳 遼陽 福州 泉州 厦门 廈門 漳州 宁波 寧波 绍兴 紹興 嘉兴 嘉興
    湖州 松江 镇江 鎮江 常州 无锡 無錫 徽州 安庆 安慶 南昌 九江 长沙 長沙 岳州 衡州 桂林 贵阳 貴陽 昆明 兰州 蘭州
    曹州 临清 臨清 淮安 山东 山東 山西 河南 河北 陕西 陝西 甘肃 甘肅 四川 云南 雲南 贵州 貴州 广东 廣東 广西 廣西
    湖广 湖廣 湖南 湖北 江西 江南 江苏 江蘇 浙江 安徽 福建 直隶 直隸 辽东 遼東 西藏 新疆 蒙古 台湾 臺灣 琉球 高丽
    高麗 朝鲜 朝鮮 日本 英国 英國 法国 法國 美国 美國 俄国 俄國 德国 德國 黄河 黃河 长江 長江 淮河 运河 運河 渭河
    汉江 漢江 泰山 华山 華山 嵩山 衡山 恒山 峨眉山 五台山 五臺山 武当山 武當山 西湖 洞庭湖 太湖 鄱阳湖 鄱陽湖
"""
KNOWN: Final = frozenset(_KNOWN_WORDS.split())
_STRONG: Final = "府县縣州镇鎮寺庙廟观觀庵巷山河湖桥橋关關岭嶺村堡屯"
_WEAK: Final = "庄莊城街店楼樓院衙园園阁閣宅"
_GENERIC_WORDS = """
    江湖 江山 河山 省城 京城 县城 縣城 府城 州城 皇城 满城 滿城 合城 府县 府縣 州县 州縣 官府 地府 天府 贵府 貴府
    尊府 本府 本县 本縣 本州 敝县 贵县 各县 各府 上府 内府 客店 酒店 饭店 飯店 旅店 小店 大店 宿店 当店 酒楼 酒樓
    茶楼 茶樓 高楼 高樓 城楼 城樓 门楼 門樓 鼓楼 鼓樓 官衙 私衙 县衙 縣衙 府衙 州衙 贵衙 察院 抚院 撫院 按院 都院
    后院 後院 前院 内院 外院 大院 书院 書院 妓院 行院 戏院 戲院 医院 醫院 深山 高山 大山 荒山 青山 半山 火山 上山
    下山 出山 大河 小河 过河 石桥 石橋 小桥 大桥 过桥 板桥 大街 小街 长街 長街 上街 小巷 村庄 村莊 山村 前村 后村
    乡村 鄉村 山庄 山莊 庄院 田庄 贵庄 貴莊 寺院 古寺 古庙 古廟 破庙 破廟 大庙 知府 知州 知县 知縣 王府 护庄河
    護莊河 大關 鬼门关 鬼門關 交关 交關 花园 花園 后花园 後花園 城池
"""
_GENERIC: Final = frozenset(_GENERIC_WORDS.split())
_LEAD: Final = "在到往至出回离離过過赴投进進奔抵住向去游遊"
_NOT_IN: Final = (
    "的了着著這这那此是有不里裡外上下前后後内內中旁边邊各本贵貴敝一二三四五六七八九十几幾两兩个個座處处你我他她"
    "爷爺官衙家等客酒饭飯茶"
)
_NOT_SECOND: Final = "的了着著这這那此是有不里裡外上下前后後内內中旁边邊各"
_NOT_FIRST: Final = frozenset(_NOT_IN + _LEAD + "问問见見转轉探看望说說咱轿轎灯燈门門副总總")
_HAN: Final = "\u4e00-\u9fff"
_SURNAME: Final = "".join(sorted(SURNAMES))
# These begin behind the surname: most places are passed over by one look.
_FAMILY: Final = re.compile(
    f"家(?<=[{_SURNAME}]家)[口庄莊村集堡屯镇鎮湾灣营營寨沟溝坡林铺鋪渡堂桥橋](?!丁)"
    f"|[宅府](?<=[{_SURNAME}].)(?=[，。；、里裡门門去来來])"
)
_LED: Final = re.compile(rf"[{_LEAD}](?![{_NOT_IN}])([{_HAN}]{{2}}[{_STRONG}{_WEAK}]|[{_HAN}]州)(?![{_STRONG}{_WEAK}])")
_NAMED: Final = re.compile(
    rf"(?:地名|村名|镇名|鎮名|[村镇鎮庄莊山寺店市]，?名[叫唤喚曰]?|处所，?名[叫唤喚曰]?)([{_HAN}]{{2,3}})(?=[，。；、的])"
)
_KNOWN_PATTERN: Final = re.compile(phrase_pattern(sorted(KNOWN)))
LEAST_WEAK: Final = 2


def places(text: str) -> Counter[str]:
    """Candidates of a text with counts: those that need no more than to be met again, and those met often enough."""
    found = Counter(text[match.start() - 1 : match.end()] for match in _FAMILY.finditer(text))
    for match in _NAMED.finditer(text):
        found[match[1]] += LEAST_WEAK
    found.update(match[1] for match in _LED.finditer(text))
    found.update(_KNOWN_PATTERN.findall(text))
    return found


def is_place(name: str, count: int) -> bool:
    """Whether a candidate met `count` times where a place would stand is one."""
    if name in KNOWN:
        return True
    if name in _GENERIC or name[-2:] in _GENERIC:
        return False
    if name[1:2] == "家":
        return True
    if name[0] in _NOT_FIRST or name[1] in _NOT_SECOND:
        return False
    return name[-1] in _STRONG or count >= LEAST_WEAK
