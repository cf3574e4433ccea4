"""Differences that change what is said: numbers, negations, names, order."""

from __future__ import annotations

import pytest

from wildtrace.ground.critical import reason_against
from wildtrace.ground.difference import difference
from wildtrace.ground.lexemes import read
from wildtrace.ground.vocabulary import Vocabulary

STORY = "Then the captain, however it leaked then, told Smith and Rose a story." + "宝玉道：「好」。" * 3


def reason(quote: str, source: str) -> str | None:
    """Why a quote does not say what the source says."""
    return reason_against(difference(read(quote), read(source)), Vocabulary(f"{STORY} {source}"))


@pytest.mark.parametrize(
    ("quote", "source", "expected"),
    [
        ("he saw two ships", "he saw ten ships", "a number differs"),
        ("he saw ships", "he saw 2 ships", "a number differs"),
        ("it cost $5 then", "it cost £5 then", "a number differs"),
        ("on the fourteenth of May", "on the fifteenth of May", "a number differs"),
        ("at 7 am he rose", "at 7 pm he rose", "a number differs"),
        ("a 10² part", "a 10³ part", "a number differs"),
        ("他有三个人", "他有五个人", "a number differs"),
        ("他走了二百里", "他走了百里", "a number differs"),
        ("he did see it", "he did not see it", "a negation differs"),
        ("they could see it", "they couldn't see it", "a negation differs"),
        ("a lawful act", "an unlawful act", "a negation differs"),
        ("a careful man", "a careless man", "a negation differs"),
        ("他去了那里", "他没去那里", "a negation differs"),
        ("请勿开门", "请去开门", "a negation differs"),
        ("they told Jones and left", "they told Smith and left", "a name differs"),
        ("they told him and left", "they told Smith and left", "a name differs"),
        ("后来宝玉走了", "后来众人走了", "a name differs"),
        ("后来李明走了", "后来王强走了", "a name differs"),
        ("后来李明走了", "后来走了", "a name differs"),
        ("那时张夫人来", "那时何夫人来", "a name differs"),
        ("spent three dollars", "spent three trillion dollars", "a number differs"),
        ("on sides of it", "on both sides of it", "a number differs"),
        ("at so delicate", "at once so delicate", "a number differs"),
        ("stood at five degrees", "stood at minus five degrees", "a number differs"),
        ("stood at plus five degrees", "stood at minus five degrees", "a number differs"),
        ("a pair of shillings", "a score of shillings", "a number differs"),
        ("a lot of loaves", "a couple of loaves", "a number differs"),
        ("in chapter xvi of it", "in chapter xiv of it", "a number differs"),
        ("a threefold loss", "a heavy loss", "a number differs"),
        ("it was sixty pounds", "it was more than sixty pounds", "a number differs"),
        ("it was less than sixty pounds", "it was more than sixty pounds", "a number differs"),
        ("at the sixty men", "at least the sixty men", "a number differs"),
        ("they were able to go", "they were unable to go", "a negation differs"),
        ("the crew is to go", "the crew is unable to go", "a negation differs"),
        ("the terrible but feat", "the terrible but impossible feat", "a negation differs"),
        ("it was a very thing", "it was a most unusual thing", "a negation differs"),
        ("the ship 5 left port", "the ship A5 left port", "a number differs"),
        ("the boat 505 sank", "the boat U-505 sank", "a number differs"),
        ("in the 1920 they sang", "in the 1920s they sang", "a number differs"),
        ("he was able to go home", "he was un-\nable to go home", "a negation differs"),
        ("the combatants went home", "the non-combatants went home", "a negation differs"),
        ("in another's place", "in one's place", "a number differs"),
        ("he was often seen", "he was seldom seen", "a negation differs"),
        ("and spoke to them", "and rarely spoke to them", "a negation differs"),
        ("he had authority to stop", "he lacked authority to stop", "a negation differs"),
        ("it started when it fell", "it started unless it fell", "a negation differs"),
        ("everybody including him left", "everybody except him left", "a negation differs"),
        ("he would go", "he refused to go", "a negation differs"),
        ("opened after the fire", "opened before the fire", "a word stands for its opposite"),
        ("steered south along it", "steered north along it", "a word stands for its opposite"),
        ("steered along it", "steered northwards along it", "a word stands for its opposite"),
        ("the water went down", "the water went up", "a word stands for its opposite"),
        ("stood below it", "stood above it", "a word stands for its opposite"),
        ("as described below.", "as described above. Below", "a word stands for its opposite"),
        ("for many hours there", "for many weeks there", "a word stands for its opposite"),
        ("all men left", "some men left", "a word stands for its opposite"),
        ("上午十时举行大礼", "上午十一时举行大礼", "a number differs"),
        ("过了三分钟回来", "过了三十分钟回来", "a number differs"),
        ("摆着六十处标记", "摆着六十四处标记", "a number differs"),
        ("挂着三十面旗子", "挂着三十一面旗子", "a number differs"),
        ("又出了数起命案", "又出了一起命案", "a number differs"),
        ("银子二百五十分文", "银子二百五十万分文", "a number differs"),
        ("共有三十人", "共有三十余人", "a number differs"),
        ("过了三月回来", "过了三年回来", "a number differs"),
        ("他在三号门", "他在第三号门", "a number differs"),
        ("限定下午来", "限定上午来", "a number differs"),
        ("于下午十二点钟来", "于上午十二点钟来", "a number differs"),
        ("先生来赴席", "先生未来赴席", "a negation differs"),
        ("先生又来赴席", "先生未来赴席", "a negation differs"),
        ("论起来是他所为", "论起来是非他所为", "a negation differs"),
        ("断不可处去寻", "断不可别处去寻", "a negation differs"),
        ("惧怕这狗头么", "难道惧怕这狗头么", "a negation differs"),
        ("锅炉停止转动", "锅炉继续转动", "a negation differs"),
        ("他到达南京那天", "他到达北京那天", "a name differs"),
        ("同行至山西地界", "同行至山东地界", "a name differs"),
        ("就在杭州地方", "就在苏州地方", "a name differs"),
        ("从广西去的", "从广东去的", "a name differs"),
        ("会同河北道御史", "会同河南道御史", "a name differs"),
        ("崑山西门外", "崑山东门外", "a name differs"),
        ("他住在云阳县里", "他住在南阳县里", "a name differs"),
        ("操作员王建军没有发现", "操作员王建国没有发现", "a name differs"),
        ("操作员王建没有发现", "操作员王建国没有发现", "a name differs"),
        ("操作员王大国没有发现", "操作员王建国没有发现", "a name differs"),
        ("翠花聽了，低頭", "翠環聽了，低頭", "a name differs"),
        ("老殘說：「未必」", "黃人瑞說：「未必」", "a name differs"),
        ("當時老殘說：「未必」", "當時黃人瑞說：「未必」", "a name differs"),
        ("名叫蓬莱山，很高", "名叫蓬萊閣，很高", "a name differs"),
        ("那年登上蓬莱山看海", "那年登上蓬莱阁看海", "a name differs"),
        ("宫保将他轻轻扶起", "高公将他轻轻扶起", "a name differs"),
        ("那时宫保便到", "那时高公便到", "a name differs"),
        ("那妇人，有二十岁光景", "那妇人，约有二十岁光景", "a number differs"),
        ("的人，有五十多岁", "的人，约有五十多岁", "a number differs"),
        ("東西共值五千兩", "東西約共值五千兩", "a number differs"),
        ("大还有六七里地", "大约还有六七里地", "a number differs"),
        ("那妇人，约二十岁", "那妇人，约二十岁上下", "a number differs"),
        ("走了三里便到", "走了三里多便到", "a number differs"),
        ("船在左边停着", "船在右边停着", "a word stands for its opposite"),
        ("他把门关了", "他把门开了", "a word stands for its opposite"),
        ("这里分别放着", "这里一同放着", "a number differs"),
        ("大船在海里沉没", "大船在海里漂流", "a negation differs"),
        ("the dog bit the man hard", "the man bit the dog hard", "the order differs"),
        ("after dinner they sang loudly", "loudly after dinner they sang", "the order differs"),
    ],
)
def test_what_changes_the_meaning_is_named(quote: str, source: str, expected: str) -> None:
    """One word is enough where it counts, denies, names, turns round or stands elsewhere."""
    assert expected == reason(quote, source)


@pytest.mark.parametrize(
    ("quote", "source"),
    [
        ("the old valve leaked", "the new valve leaked"),
        ("Smith's old hat", "Smith's red hat"),
        ("it cost 1500 then", "it cost 1,500 then"),
        ("However it leaked", "Then it leaked"),
        ("I saw the ship", "we saw the ship"),
        ("他一面走了过来", "他一直走了过来"),
        ("锅炉慢慢地裂开", "锅炉忽然地裂开"),
        ("他们在船上休息", "他们在船上睡觉"),
        ("他一同走了过来", "他一起走了过来"),
        ("部队伍散开了", "部队开始散开了"),
        ("他把东西收拾妥当", "他把东西收藏妥当"),
        ("众人都站在那里看", "众人便站在那里看"),
        ("一张桌子摆着", "一张椅子摆着"),
        ("宝玉便说：去", "宝玉就说：去"),
        ("他慢慢将纸包打开", "他轻轻将纸包打开"),
        ("连忙将纸包打开", "急忙将纸包打开"),
        ("他们约好一同去", "他们说好一同去"),
        ("到了这山上来", "到了这楼上来"),
        ("行李走得留下", "行李都得留下"),
        ("那张豹轻贺爷", "那张豹见贺爷，张豹，张豹"),
        ("he bit the old man", "he bit the man"),
        ("he went into the garden", "he went through the garden"),
        ("it was an image of him", "it was a picture of him"),
        ("the mix was bad", "the paste was bad"),
        ("about the harbour", "around the harbour"),
    ],
)
def test_other_words_are_harmless(quote: str, source: str) -> None:
    """An adjective, a pronoun, a word that may begin a sentence, an idiom that counts or denies nothing."""
    assert reason(quote, source) is None
