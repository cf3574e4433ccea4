"""Names of people and places in Chinese, by where they stand: before a verb of speech, behind `named`, with a title.

No word list of names and no tagger: a candidate is what recurs in such a place. Surnames, titles and the words that
only look like names are tables of our own.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from typing import Final

SURNAMES: Final = frozenset(
    "赵钱孙李周吴郑王冯陈褚卫蒋沈韩杨朱秦尤许何吕施张孔曹严华金魏陶姜戚谢邹喻柏窦章苏潘葛范彭郎鲁韦马苗凤方俞任袁柳"
    "鲍史唐费廉岑薛雷贺倪汤滕殷罗毕郝邬安常乐于傅齐康伍余顾孟黄穆萧尹姚邵汪祁毛狄米贝臧计成戴宋庞熊纪舒屈项祝董梁杜阮"
    "蓝闵季贾路娄江童颜郭梅盛林钟徐邱骆高夏蔡田樊胡凌霍虞万柯卢莫丁邓单洪包诸石崔龚程邢裴陆荣翁荀惠曲封储段富巫乌焦侯"
    "甘厉武刘景龙叶黎白蒲赖卓屠蒙池乔谭申冉桑桂牛边燕尚温庄柴翟阎慕习艾古易廖耿寇关聂辛简饶曾沙丰巢商佟黑贾褚仇"
    "趙錢孫吳鄭馮陳衛蔣韓楊許呂張嚴華陶謝鄒竇蘇範魯韋馬鳳魯費賀湯羅畢鄔樂傅齊餘顧黃蕭計龐紀項閔賈婁顏鍾駱盧單諸龔陸榮"
    "儲烏葉賴喬譚邊溫莊閻廖關聶簡饒豐劉龍鄧萬厲區凌梁夏侯"
)
_TITLES_WORDS = """
    公 爷 爺 太太 老爷 老爺 大人 奶奶 姑娘 小姐 先生 氏 相公 员外 員外 大爷 大爺 二爷 二爺 三爷 三爺 老爹 大嫂 嫂 婆
    妈 媽 总镇 總鎮 副将 副將 千总 千總 巡检 巡檢 知县 知縣 知府 道台 道臺 大老爷 大老爺 老太 太监 太監 老师 老師
    师爷 師爺 大哥 二哥 三哥 寡妇 寡婦 道士 和尚 掌柜 掌櫃 老 翁 郎 贼 賊 公子 按院 太尊 太守 亲家 親家 总办 總辦
    举人 舉人 侍郎 给事 給事 中书 中書 总督 總督 抚台 撫臺 巡抚 巡撫 宫保 宮保 司务 司務 老儿 老兒 员外郎 秀才 主事
    守备 守備
"""
TITLES: Final = tuple(_TITLES_WORDS.split())
_FEMALE_TITLES_WORDS = """
    太太 奶奶 姑娘 小姐 氏 大嫂 嫂 婆 妈 媽 老太 寡妇 寡婦
"""
FEMALE_TITLES: Final = frozenset(_FEMALE_TITLES_WORDS.split())
_GENERIC_WORDS = """
    当时 當時 心下 带笑 帶笑 复又 復又 赶着 趕著 点头 點頭 陪笑 冷笑 大笑 老人 官兵 差役 州官 钦差 欽差 无量
    众人 眾人 二人 两人 兩人 三人 四人 那人 此人 大家 一人 来人 來人 有人 旁人 别人 別人 老爷 老爺 大人 太太
    夫人 小人 小的 本县 本縣 本官 老者 老道 店家 和尚 道人 道士 差人 公差 家人 丫鬟 丫环 丫頭 丫头 媒婆 妇人
    婦人 女子 男子 老汉 老漢 老翁 书童 書童 小二 店小 掌柜 掌櫃 强盗 強盜 贤臣 賢臣 奶奶 姑娘 小姐 先生 相公
    员外 員外 弟兄 兄弟 哥哥 弟弟 姐姐 妹妹 嫂嫂 母亲 母親 父亲 父親 爹爹 妈妈 媽媽 婆婆 公公 叔叔 舅舅 儿子
    兒子 女儿 女兒 媳妇 媳婦 官人 大爷 大爺 二爷 二爺 三爷 三爺 老太 主人 客人 朋友 众官 眾官 衙役 青衣 书吏
    書吏 门上 門上 小子 小厮 小廝 自己 咱们 咱們 我们 我們 你们 你們 他们 他們 她们 她們 心中 只得 口中 口内
    一面 一齐 一齊 不觉 不覺 忽然 连忙 連忙 急忙 于是 於是 然后 然後 如今 今日 明日 昨日 当下 當下 登时 登時
    听见 聽見 听了 聽了 看见 看見 说罢 說罢 笑着 却说 卻說 且说 且說 再说 再說 话说 話說 又说 又說 不说 不說
    正说 正說 这里 這裡 那里 那裡 怎么 怎麼 什么 甚麼 为何 為何 原来 原來 所以 因此 这才 這才 答应 答應 回答
    齐声 齊聲 大怒 大喜 众贼 眾賊 贼人 賊人 老贼 好汉 好漢 壮士 壯士 正是 常言 古人 俗语 俗話 俗话 吩咐 地方
    立刻 转身 轉身 武艺 武藝 主意 卑职 卑職 商量 果然 恐怕 千万 千萬 毕竟 畢竟 次日 终日 終日 嘴里 嘴裡 年纪
    年紀 诸事 諸事 叩头 叩頭 女人 男人 伙计 夥計 车夫 車夫 委员 委員 愚兄 愚弟 贤弟 賢弟 忠良 立即 当即 當即
    随即 隨即 早已 索性 断乎 斷乎 顷刻 頃刻 赶紧 趕緊 何以 何尝 何嘗 半日 内中 內中 许久 許久 莫非 翻身 身体
    身體 容易 相貌 栽倒 动手 動手 逃走 县官 縣官 官校 喽兵 嘍兵 庄丁 莊丁 一众 众寇 眾寇 恶人 惡人 诸位 諸位
    众位 眾位 尔等 爾等 交代 公子 管家 婆子 官儿 官兒 妈儿 媽兒 姨太太 娘姨 堂倌 马车 馬車 外面 里面 裡面 门外
    門外 房中 屋内 床上 堂上 堂下 一声 一聲 高声 高聲 大声 大聲 低声 低聲 开言 開言 开口 開口 上前 向前
    王爷 王爺 孩子 上写 上寫 下写 下寫 奴才 太子 皇上 圣上 聖上 陛下 娘娘 万岁 萬歲
"""
GENERIC: Final = frozenset(_GENERIC_WORDS.split())
_NOT_FIRST: Final = frozenset(
    "你我他她它这這那其此众眾各大小两兩二三四五六七八九十一的了着在是有不就也都便又忙却卻只正才再可因若如但且即乃遂被把将將"
    "对對向从從到往来來去上下里裡外中前后後说說道问問听聽见見看想叫请請让讓给給与與和同跟为為于於个個些每某本该該何怎什甚"
    "时時日今明昨当當等可能会會要得必须須还還已未没沒无無非莫休别別很太极極更最自己谁誰哪所以人心口手头頭声聲话話事笑哭"
    "连連急登随隨忽猛故仍竟偏倒虽雖然而则則或及并並之以使令教命差派回答应應起出进進入过過站坐跪走跑拿取用吃喝打骂罵好"
    "微冷高怒叹嘆点點低抬几幾门門全既早直同别"
)
_NOT_LAST: Final = frozenset(
    "的了着着在是有不就也都便又忙却卻只正才再可因若如但且即乃遂被把将將对對向从從到往来來去上下说說道问問听聽见見看想叫请請"
    "笑哭怒叹嘆喝连連急等们們又微冷答应應回起之一大心忙手口低点點暗自已亦随隨当當二两兩三此这這那个個既仍齐齊接赶趕还還时時后後着"
)
_DEEDS: Final = "听聽见見看想说說问問道笑哭怒骂罵叫喝叹嘆答应應接赶趕忙连連急"
_GIVEN_ENDS: Final = "来來之心若有"
_FULL: Final = 3
_VERB: Final = (
    "说道|說道|问道|問道|答道|叫道|笑道|喝道|骂道|罵道|叹道|嘆道|回道|想道|劝道|勸道|怒道|哭道|喊道|道|曰"
    "|说|說|问|問|吩咐|答应|答應|禀|稟"
)
FUNCTION_CHARACTERS: Final = frozenset(
    "的了着著是在有不就也都又被把让從从對对道说說问問听聽见見看想来來去上下中里裡一二三四五六七八九十"
    "个個这這那其此他她我你们們之以于於而且与與及若因何所便将將么么麼还還再又才只没沒甚很更最已曾未缘"
)
"""Characters that are part of no thing's name worth following."""
_NEVER_FIRST: Final = frozenset("你我他她它咱这這那其此众眾各两兩一二三四五六七八九十的了着又也不说說道便就")
_HAN: Final = "\u4e00-\u9fff"
_ADVERBS: Final = "又便就也乃即忙急连連大微冷高低怒笑哭叹嘆喝接回答含着向上前且因遂才仍再亦都"
_SPEAKERS: Final = re.compile(
    rf"(?<![{_HAN}])([{_HAN}]{{2,4}}?)[{_ADVERBS}]{{0,3}}(?:{_VERB})(?=[：:，,「“『\"]|[{_HAN}]{{0,4}}[：:])"
)
_ACTORS: Final = re.compile(
    rf"(?<![{_HAN}])([{_HAN}]{{2,3}}?)(?:听|聽|见|見|闻|聞|吩咐|大怒|大喜|点头|點頭|答应|答應|跪|叩|忙|连忙|連忙|急忙|只得|心中|便|就|又|也"
    rf"|即|遂|乃|才|却|卻|走|来到|來到|进|進|出|拿|起身|回到|正|已|不|在|带|帶|同)"
)
_NAMED: Final = re.compile(
    rf"(?:姓([{_HAN}])，?(?:双)?名(?:字)?(?:叫|唤|喚|曰|为|為|是)?([{_HAN}]{{1,2}})(?=[，。；、的]))"
    rf"|(?:(?:名叫|名唤|名喚|叫做|唤做|喚做|名字叫|唤作|喚作)([{_HAN}]{{2,3}})(?=[，。；、的」”]))"
)
_TITLED: Final = re.compile(
    rf"([{''.join(sorted(SURNAMES))}])({'|'.join(sorted(TITLES, key=len, reverse=True))})(?![{_HAN}]{{0,1}}[子])"
)

_RECURRING: Final = re.compile(
    rf"[{''.join(sorted(SURNAMES))}](?<=[，。：；、“”「」！？\n与與向同和对對叫被把请請是见見了有].)"
    rf"(?![{''.join(sorted(FUNCTION_CHARACTERS))}])[{_HAN}](?![{''.join(sorted(FUNCTION_CHARACTERS))}])[{_HAN}]"
)


def speakers(text: str) -> Counter[str]:
    """What stands before verbs of speech at the start of a clause, with counts; these tell whether it is a name."""
    counts = Counter(match[1] for match in _SPEAKERS.finditer(text))
    return Counter({name: count for name, count in counts.items() if _is_likely_speaker(name)})


def _is_likely_speaker(name: str) -> bool:
    if name in GENERIC or name[0] in _NEVER_FIRST:
        return False
    if name[-1] not in _NOT_LAST or _looks_like_name(name):
        return True
    # A function character may end a given name: 夏逢若, 吴益之, 天來.
    if len(name) == _FULL:
        return name[0] in SURNAMES and name[-1] not in _DEEDS
    return name[-1] in _GIVEN_ENDS and name[0] not in _NOT_FIRST


def is_plausible(name: str) -> bool:
    """Whether a candidate has the shape of a name, so that little need speak for it."""
    return _looks_like_name(name)


def actors(text: str) -> Counter[str]:
    """What stands before verbs and adverbs that persons have, at the start of a clause, with counts."""
    return _plausible(match[1] for match in _ACTORS.finditer(text))


def named(text: str) -> Counter[str]:
    """Names that the text introduces as names (姓王名安, 名叫王安)."""
    return _plausible(_introduced(match) for match in _NAMED.finditer(text))


def _introduced(match: re.Match[str]) -> str:
    surname, given = match[1] or "", match[2] or match[3]
    return given if surname and given.startswith(surname) else surname + given


def recurring(text: str) -> Counter[str]:
    """A surname with two more characters where a name may stand, with counts; what follows tells whether it is one."""
    return _plausible(_RECURRING.findall(text))


def titled(text: str) -> Counter[str]:
    """A surname with a title, as in 施公, 杨太太."""
    return _plausible(match[0] for match in _TITLED.finditer(text))


def title_of(name: str) -> str | None:
    """The title that ends a name of one surname and a title, else None."""
    rest = name[1:]
    return rest if name[:1] in SURNAMES and rest in TITLES else None


def _plausible(found: Iterable[str]) -> Counter[str]:
    counts = Counter(found)
    return Counter({name: count for name, count in counts.items() if _looks_like_name(name)})


def could_be_noun(pair: str) -> bool:
    """Whether two ideographs could name a thing: neither begins nor ends as function words and verbs do."""
    return pair not in GENERIC and pair[0] not in _NOT_FIRST and pair[-1] not in _NOT_LAST


def _looks_like_name(name: str) -> bool:
    if len(name) == 2 and name[0] in SURNAMES and name[1] in "二三":
        return True  # 王二, 陶三: by place among brothers
    if name in GENERIC or name[-1] in _NOT_LAST:
        return False
    return name[0] not in _NOT_FIRST or (name[0] in SURNAMES and name[1] not in _NOT_LAST)
