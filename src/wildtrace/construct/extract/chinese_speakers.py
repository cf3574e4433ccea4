"""Who speaks in Chinese: the subject of the clause of saying before a speech, or of the sentence that it ends.

`春泉笑道` names its speaker. A clause without a subject (`便问道`, `向云龙说道`) takes that of its sentence, or of the
one before, where a known name opens it; right behind a speech (`又道`, `说罢问道`) the speaker goes on. A clause whose
subject is no known name (`丫头道`, `众人齐道`, `他道`) leaves the speaker open: the last one named is not guessed.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from typing import Final

from wildtrace.construct.extract.page import Page
from wildtrace.construct.extract.participants import Finder, Found

_TAIL: Final = 18
_REACH: Final = 220
_BACK: Final = 3
_PREFIX: Final = 12
_SAYING: Final = "道说說曰问問答叫喊骂罵禀稟云想呼唤喚嚷喝"
_LONGER: Final = re.compile(
    r"(?:吩咐|[口尊][称稱尊]|[叫喝骂罵尊说說喊称稱连連][声聲呼]|说是|說是|(?:道|说|說|问|問|喊|叫|骂|罵|答)(?:了|着|著)?(?:[一几幾两兩][句声聲番遍]|话|話)?)$"
)
_CLAUSE_ENDS: Final = '，。！？；：…”」』"\n'
_SENTENCE_ENDS: Final = '。！？”」』"\n'
# What may stand before the subject of a clause, and what says that a name is not all of the subject.
_OPENING: Final = re.compile(
    r"\s*(?:(?:到了|次日|一日|又一日|[这這那]日|少刻|少顷|是夜)[^，。]{0,6}，)?(?:却说|卻說|且说|且說|再说|再說|话说|話說|只见|只見|又见|忽见|忽見|只听|只聽|又听|又聽|听得|聽得|当下|當下|当时|當時|此时|此時|这里|這裡"
    r"|那里|少刻|少顷|忽|适|適|那|这|這|早有|旁边|旁邊|于是|於是|原来|原來|因此|又)*"
)
_NOT_ALL: Final = "的之家手等们們府母父妻"
# A clause of these alone has no subject of its own; a preposition opens its object.
_ADVERBS: Final = (
    "又便就也乃即忙急连連大微冷高低怒笑哭叹嘆喝接回答含因遂才仍再亦随隨忽却卻只得当當时時下于於是一面不觉覺禁由转轉起身开開口声聲言说說"
    "着著了这這道问問暗心中想里裡内內自己喃悄淡的地慢后後方早先已半晌过過会會儿然向上前忍住疑惊驚喜复復重叫喊追骂罵故正色拍手摇搖头頭点點"
)
_PREPOSITIONS: Final = "向对對朝望冲沖指拉同与與和给給在将將把命请請听聽见見"
_TOGETHER: Final = "齐齊众眾都各"
_GOES_ON: Final = re.compile(r"\s*(?:说|說|言|道|想|话|話|念)(?:毕|畢|罢|罷|完|着|著|了|到这|到此|未了)")
_AFTER: Final = re.compile(r"[^，。！？：“”「」见見听聽闻聞]{0,6}?(?:[说說问問答喊叫]道|道|说|說)(?:着|著)?。")
# What a clause begins with that says what its subject does next; `one of them` is a subject all the same.
_ACTIONS: Final = (
    "下上进進出走来來去到回站坐跪拿取看听聽见見用伸抱扭拱弯彎拜赶趕跑跳转轉退一接叹歎嘆叩磕点點翻放指送递遞哭笑揪扯拉摸擦吃饮飲开開关關胡满滿"
    "长長瞥抬立"
)
_SOMEBODY: Final = ("一个", "一個", "一人", "一位", "一名", "来人", "來人", "一干", "一众", "一眾", "一齐", "一齊")
# Somebody comes in: who speaks behind it is not the subject before it.
_NEWCOMER: Final = re.compile(r"[只忽早又][见見听聽有]|[一这這那][个個位名]|有人|那人")
_ANSWERS: Final = "答回应應"
_TO: Final = re.compile(r"[向对對朝望与與和同][^，]{1,8}$")

Told = tuple[int | None, str]
"""A speaker, None where open, and what tells the speaker."""
UNKNOWN: Final[Told] = (None, "unknown")


def chinese_speakers(page: Page, finder: Finder, found: Sequence[Found]) -> list[Told]:
    """The speaker of each speech of a page, and what tells the speaker."""
    entities = finder.cast.entities
    persons = [mention for mention in found if entities[mention[2]].kind == "person"]
    starts = [start for start, _, _ in persons]
    speakers: list[Told] = []
    last: Told = UNKNOWN
    before = -1
    current = -1
    for place, (speech, paragraph) in enumerate(page.speeches):
        if paragraph != current:
            last = last if paragraph == current + 1 else UNKNOWN
            current = paragraph
            before, end = page.paragraphs[paragraph]
        told = chinese_speaker(page, persons, starts, before, speech.start - 1, last[0])
        if told[0] is None:
            following = page.speeches[place + 1 : place + 2]
            after = following[0][0].start - 1 if following and following[0][1] == paragraph else end
            told = told_after(page, persons, starts, speech.end + 1, after)
        speakers.append(told)
        before, last = speech.end + 1, told
    return speakers


def chinese_speaker(
    page: Page, found: Sequence[Found], starts: Sequence[int], before: int, opening: int, last: int | None
) -> Told:
    """The speaker of the speech whose mark stands at `opening`, by the text from `before`, and what tells the speaker.

    `last` is the speaker of the speech before it in its paragraph, which ends at `before`.
    """
    text = page.text
    end = _verb(text, max(before, opening - _TAIL), opening)
    if end < 0:
        return UNKNOWN
    head = max(before, opening - _REACH)
    clause = _after_last(text, _CLAUSE_ENDS, head, end)
    named = _opens(page, found, starts, clause)
    if named is not None:
        return (named, "named") if named >= 0 else UNKNOWN
    if _has_subject(text[clause:end]):
        return UNKNOWN
    hearers = {entity for _, _, entity in found[bisect_left(starts, clause) : bisect_left(starts, end)]}
    sentence = _after_last(text, _SENTENCE_ENDS, head, end)
    for _ in range(_BACK):
        named = _opens(page, found, starts, sentence)
        if named is not None:
            known = named >= 0 and named not in hearers and _NEWCOMER.search(text, sentence + 2, end) is None
            return (named, "named") if known else UNKNOWN
        if sentence <= head:
            break
        sentence = _after_last(text, _SENTENCE_ENDS, head, sentence - 1)
    goes_on = head == before and (sentence == clause or _GOES_ON.match(text[head : head + 6]) is not None)
    if not goes_on or last is None or last in hearers or any(mark in text[clause:opening] for mark in _ANSWERS):
        return UNKNOWN
    return last, "same paragraph"


def told_after(page: Page, found: Sequence[Found], starts: Sequence[int], closing: int, end: int) -> Told:
    """The speaker told behind a speech whose mark stands at `closing` (`“去罢。”王安说。`)."""
    place = bisect_left(starts, closing)
    if place == len(found) or found[place][0] > closing + 2:
        return UNKNOWN
    _, behind, entity = found[place]
    return (entity, "named") if _AFTER.match(page.text, behind, end) else UNKNOWN


def _verb(text: str, start: int, end: int) -> int:
    """Where the verb of saying that `text[start:end]` ends in begins; -1 where it ends in none."""
    while end > start and text[end - 1] in "：:，,；; \n\u3000":
        end -= 1
    place = end
    while place > start and text[place - 1] in _SAYING:
        place -= 1
    if place < end:
        return place
    longer = _LONGER.search(text, start, end)
    return longer.start() if longer else -1


def _after_last(text: str, marks: str, start: int, end: int) -> int:
    """Where the part of `text[start:end]` behind its last mark begins."""
    place = end
    while place > start and text[place - 1] not in marks:
        place -= 1
    return place


def _opens(page: Page, found: Sequence[Found], starts: Sequence[int], clause: int) -> int | None:
    """The person whose name opens a clause; -1 where the name is only part of its subject, None where none opens it."""
    place = bisect_left(starts, clause)
    if place == len(found) or found[place][0] > clause + _PREFIX + 1:
        return None
    start, end, entity = found[place]
    opening = _OPENING.match(page.text, clause, start + 1)
    if start != clause and (opening is None or opening.end() < start):
        return None
    return -1 if page.text[end : end + 1] in _NOT_ALL else entity


def _has_subject(clause: str) -> bool:
    """Whether a clause of saying, its verb apart, holds a subject: more than adverbs, actions and an object."""
    clause = _TO.sub("", clause.strip())
    said = _GOES_ON.match(clause)
    clause = clause[said.end() :] if said else clause
    if not clause:
        return False
    if any(character in clause for character in _TOGETHER) or clause.startswith(_SOMEBODY):
        return True
    rest = clause.lstrip(_ADVERBS)
    return bool(rest) and clause[0] not in _PREPOSITIONS and rest[0] not in _PREPOSITIONS + _ACTIONS
