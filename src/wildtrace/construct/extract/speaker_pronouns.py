"""Whom the pronouns beside English speech mean, whom a speech calls by name, and who tells the story.

A pronoun is the subject that opens its paragraph's narrative or the paragraph that leads it in, else the person that
the turn before called by name, else the speaker before the last, else the one person of its gender that is near.
Nobody speaks of himself by name, and who just spoke is not the next speaker.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from wildtrace.construct.extract.speaker_scene import Scene, Turn, spoken_of
from wildtrace.construct.extract.speaker_tags import NARRATOR, ends_on_noun, opens_clause, opens_sentence

_NEAR: Final = 1000
_WIDELY: Final = 1800
_LOOKED_AT: Final = 24
_ASIDE: Final = 2
_HEARD: Final = 8
_TALK: Final = 7
_LEAST_CALLED, _SURELY, _SURELY_OF = 2, 4, 3
_CALLS: Final = re.compile(r"[,;!?.—-]\s+(?:(?:my|dear|oh|ah|no|yes|old|poor|well|and)\s+){0,2}\Z", re.IGNORECASE)
_POSSESSIVE: Final = ("'s", "’s")
_CALL_ENDS: Final = ",.!?;—-\u2060"


def meant(scene: Scene, turns: Sequence[Turn], place: int, turn: Turn, gender: str) -> int | None:
    """Whom a pronoun beside a turn's speech means."""
    own = next((tag.entity for tag in turn.tags if tag is not None and tag.entity is not None), None)
    if own is None:
        own = _opener(scene, scene.page.paragraphs[turn.paragraph][0], _first_said(scene, turn), gender)
    if own is not None and scene.fits(own, gender):
        return own
    if own is None and ends_on_noun(
        scene.page.text, scene.page.paragraphs[turn.paragraph][0], _first_said(scene, turn)
    ):
        return None
    barred = spoken_of(scene, turn)
    before = turns[place - 1] if place and turns[place - 1].paragraph == turn.first - 1 else None
    if before is None or not (before.opens or before.tag):
        return _behind_narrative(scene, turns, place, gender, barred)
    if before.speaker is not None:
        barred.add(before.speaker)
    answer = _answer(scene, turns, place, before, gender) if turn.opens else None
    if answer is not None:
        return answer if answer not in barred else None
    return _talking(scene, turns, place, gender, barred)


def _behind_narrative(scene: Scene, turns: Sequence[Turn], place: int, gender: str, barred: set[int]) -> int | None:
    """Whom a pronoun means where the paragraph before is narrative: its subject, else who is in the talk or near."""
    turn = turns[place]
    if turn.first:
        start, end = scene.page.paragraphs[turn.first - 1]
        if ends_on_noun(scene.page.text, start, end):
            return None
        led = _subject(scene, start, end, gender)
        if led is not None and led not in barred:
            return led
    earlier = _talk(turns, place)
    if earlier and earlier[0].speaker is not None:
        # Who spoke before a narrative may go on behind it, or be answered.
        if scene.gender(earlier[0].speaker) == gender:
            return None
        barred.add(earlier[0].speaker)
    return _talking(scene, turns, place, gender, barred)


def _talking(scene: Scene, turns: Sequence[Turn], place: int, gender: str, barred: set[int]) -> int | None:
    """The one person of a gender in the talk that a turn goes on with, else near before."""
    talking = {turn.speaker for turn in _talk(turns, place) if turn.speaker is not None} - barred
    talking = {person for person in talking if scene.gender(person) == gender}
    if len(talking) == 1:
        return talking.pop()
    heard = {turn.speaker for turn in turns[max(0, place - _HEARD) : place]}
    return _near(scene, scene.page.speeches[turns[place].speeches[0]][0].start, gender, barred, heard)


def _answer(scene: Scene, turns: Sequence[Turn], place: int, before: Turn, gender: str) -> int | None:
    """The person of a gender whom the turn before calls by name, else the one who spoke before it."""
    answering = addressed(scene, before)
    if answering is not None and scene.gender(answering) == gender:
        return answering
    last = turns[place - 2] if place > 1 and turns[place - 2].paragraph == before.first - 1 else None
    return last.speaker if last is not None and last.speaker is not None and scene.fits(last.speaker, gender) else None


def _talk(turns: Sequence[Turn], place: int) -> list[Turn]:
    """The turns of the talk that a turn goes on with, last first: hardly anything is told between them."""
    found: list[Turn] = []
    first = turns[place].first
    for turn in reversed(turns[max(0, place - _TALK) : place]):
        if not turn.opens and turn.tag is None:
            continue
        if first - turn.paragraph > _ASIDE:
            break
        found.append(turn)
        first = turn.first
    return found


def _subject(scene: Scene, start: int, end: int, gender: str) -> int | None:
    """The one person who can be of a gender and whose name opens a clause of a paragraph, and a sentence of it."""
    text = scene.page.text
    opening: set[int] = set()
    clauses: set[int] = set()
    for at, behind, entity in scene.mentioned(start, end):
        if scene.is_spoken(at) or not scene.fits(entity, gender) or text[behind : behind + 2] in _POSSESSIVE:
            continue
        if opens_sentence(text, start, at):
            opening.add(entity)
        elif opens_clause(text, start, at):
            clauses.add(entity)
    return opening.pop() if len(opening) == 1 and clauses <= opening else None


def addressed(scene: Scene, turn: Turn) -> int | None:
    """The one person whom a turn's speeches call by name (`Will you tell it, Rupert?`)."""
    text = scene.page.text
    called: set[int] = set()
    for place in turn.speeches:
        start, end = scene.page.speeches[place][0].start, scene.page.speeches[place][0].end
        for at, behind, entity in scene.mentioned(start, end):
            ends = behind == end or text[behind] in _CALL_ENDS
            if ends and (at == start or _CALLS.search(text, max(start, at - 12), at)):
                called.add(entity)
    called.discard(-1 if turn.speaker is None else turn.speaker)
    return called.pop() if len(called) == 1 else None


def _first_said(scene: Scene, turn: Turn) -> int:
    """Where the first speech of a turn that something is said of begins."""
    place = next(place for place, tag in zip(turn.speeches, turn.tags, strict=True) if tag is not None)
    return scene.page.speeches[place][0].start


def _opener(scene: Scene, start: int, end: int, gender: str) -> int | None:
    """The last person who can be of a gender and whose name opens a sentence of the narrative there."""
    text = scene.page.text
    for at, _, entity in reversed(scene.mentioned(start, end)):
        if not scene.is_spoken(at) and opens_sentence(text, start, at) and scene.fits(entity, gender):
            return entity
    return None


def _near(scene: Scene, place: int, gender: str, barred: set[int], heard: set[int | None]) -> int | None:
    """The one person near before who can be of a gender and opens a sentence or spoke; None for two, or none."""
    last = bisect_left(scene.starts, place)
    entities = scene.finder.cast.entities
    known: set[int] = set()
    opening: set[int] = set()
    others: set[int] = set()
    for start, end, entity in reversed(scene.persons[max(0, last - _LOOKED_AT) : last]):
        if place - start > _WIDELY:
            break
        if entity in barred or entities[entity].kind != "person" or not scene.fits(entity, gender):
            continue
        if scene.is_spoken(start):
            continue
        others.add(entity)
        possessive = scene.page.text[end : end + 2] in _POSSESSIVE
        if place - start <= _NEAR and not possessive and opens_sentence(scene.page.text, 0, start):
            opening.add(entity)
        if place - start <= _NEAR and scene.gender(entity) == gender:
            known.add(entity)
    if len(known) == 1 and (known == others or (opening <= known <= opening | heard)):
        return known.pop()
    return opening.pop() if len(opening) == 1 and not known - opening else None


def narrator_of(scene: Scene, turns: Sequence[Turn]) -> int | None:
    """The person that others call by name right before the narrator answers; None where it is not always the same."""
    called = Counter(
        answering
        for before, turn in pairwise(turns)
        if turn.tag is NARRATOR and turn.first == before.paragraph + 1 and before.tag is not NARRATOR
        if (answering := addressed(scene, before)) is not None
    )
    if not called:
        return None
    person, times = called.most_common(1)[0]
    return person if times >= _LEAST_CALLED and times * _SURELY >= _SURELY_OF * called.total() else None
