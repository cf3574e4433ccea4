"""Who speaks in English: what the narrative says beside each speech, then pronouns, then turns.

A paragraph is one speaker's turn unless two are named in it; one whose speech was left open goes on in the next.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from wildtrace.construct.extract.page import Page
from wildtrace.construct.extract.participants import Finder, Found
from wildtrace.construct.extract.speaker_pronouns import meant, narrator_of
from wildtrace.construct.extract.speaker_scene import Scene, Turn
from wildtrace.construct.extract.speaker_tags import NARRATOR, Tag, tag_before, tag_behind, tag_in_sentence
from wildtrace.construct.extract.speaker_turns import alternate, runs, settle_nouns

Told = tuple[int | None, str]
"""A speaker, None where open, and what tells the speaker."""
UNKNOWN: Final[Told] = (None, "unknown")
_MARKS: Final = "\"“‘'"
_LEADS: Final = ":—"


def english_speakers(page: Page, finder: Finder, found: Sequence[Found]) -> list[Told]:
    """The speaker of each speech of a page, and what tells the speaker."""
    entities = finder.cast.entities
    persons = [mention for mention in found if entities[mention[2]].kind in ("person", "thing")]
    scene = Scene(
        page, finder, persons, [start for start, _, _ in persons], [speech.start for speech, _ in page.speeches]
    )
    turns = list(_turns(scene))
    for place, turn in enumerate(turns):
        _tell(scene, turns, place, turn)
    narrator = narrator_of(scene, turns)
    if narrator is not None:
        for turn in turns:
            if turn.tag is NARRATOR:
                turn.speaker, turn.basis = narrator, "narrator"
    for run in runs(turns):
        settle_nouns(scene, run)
        alternate(scene, run)
    return [told for turn in turns for told in _each(turn)]


def _turns(scene: Scene) -> Iterator[Turn]:
    """The paragraphs with speech, with what the narrative in them and leading them in says."""
    page, place, count = scene.page, 0, len(scene.page.speeches)
    open_end = -1
    while place < count:
        paragraph = page.speeches[place][1]
        behind = place + 1
        while behind < count and page.speeches[behind][1] == paragraph:
            behind += 1
        start, end = page.paragraphs[paragraph]
        opens = page.text[start] in _MARKS
        tags = _tags(scene, place, behind, start, end)
        first = paragraph
        if opens and paragraph and (place == 0 or page.speeches[place - 1][1] < paragraph - 1):
            lead_start, lead_end = page.paragraphs[paragraph - 1]
            if page.text[lead_end - 1] in _LEADS:
                first = paragraph - 1
                lead = tag_before(page.text, scene.persons, scene.starts, lead_start, lead_end)
                if tags[0] is None and lead is not None and lead.kind != "beat":
                    tags[0] = lead
        goes_on = opens and open_end == paragraph - 1
        closing = page.speeches[behind - 1][0].end
        leads = closing < end - 1 and page.text[end - 1] in _LEADS
        if leads and tags[-1] is None:
            tags[-1] = tag_before(page.text, scene.persons, scene.starts, closing + 1, end)
        open_end = paragraph if closing >= end or leads else -1
        yield Turn(paragraph, first, range(place, behind), tags, _first_said(tags), goes_on, opens)
        place = behind


def _tags(scene: Scene, place: int, behind: int, start: int, end: int) -> list[Tag | None]:
    """What is said beside each speech of one paragraph: behind it, else before it."""
    page = scene.page
    tags: list[Tag | None] = []
    before = start
    for at in range(place, behind):
        speech = page.speeches[at][0]
        after = page.speeches[at + 1][0].start - 1 if at + 1 < behind else end
        tag = tag_behind(page.text, scene.persons, scene.starts, speech.end + 1, after)
        unsaid = at == place or tags[-1] is None or tags[-1].kind == "beat"
        if (tag is None or tag.kind == "noun") and unsaid and speech.start - 1 > before:
            tag = tag_before(page.text, scene.persons, scene.starts, before, speech.start - 1) or tag
        if tag is None and not unsaid and page.text[speech.start - 2 : speech.start - 1].isspace():
            tag = tag_in_sentence(page.text, scene.persons, scene.starts, before, speech.start - 1)
        tags.append(tag)
        before = speech.end + 1
    return tags


def _first_said(tags: Sequence[Tag | None]) -> Tag | None:
    """The first thing said of a speaker, a beat last."""
    beat: Tag | None = None
    for tag in tags:
        if tag is not None and tag.kind != "beat":
            return tag
        beat = beat or tag
    return beat


def _tell(scene: Scene, turns: Sequence[Turn], place: int, turn: Turn) -> None:
    """Note the speaker of a turn that the narrative tells."""
    before = turns[place - 1] if place and turns[place - 1].paragraph == turn.first - 1 else None
    tag = turn.tag
    if turn.goes_on and before is not None and (tag is None or tag.kind == "beat"):
        turn.speaker, turn.basis, turn.told = before.speaker, "turn", before.told
    elif tag is None:
        return
    elif tag.entity is not None and tag.kind in ("named", "beat"):
        turn.speaker, turn.basis, turn.told = tag.entity, "named" if tag.kind == "named" else "beat", True
    elif tag.kind == "narrator":
        turn.told = True
    elif tag.gender is not None and tag.kind != "noun":
        turn.speaker = meant(scene, turns, place, turn, tag.gender)
        if turn.speaker is not None and scene.gender(turn.speaker) is None:
            scene.genders[turn.speaker] = tag.gender
        turn.basis = "pronoun" if turn.speaker is not None else "unknown"
        turn.told = turn.speaker is not None


def _each(turn: Turn) -> Iterator[Told]:
    """The speaker of each speech of a turn: one for all, unless the narrative names several."""
    if len(turn.tags) == 1:
        yield UNKNOWN if turn.speaker is None else (turn.speaker, turn.basis)
        return
    named = [tag.entity if tag is not None and tag.kind == "named" else None for tag in turn.tags]
    several = len(set(named) - {None}) > 1
    current = next((entity for entity in named if entity is not None), None) if several else turn.speaker
    for entity in named:
        current = entity if several and entity is not None else current
        if current is None:
            yield UNKNOWN
        else:
            unnamed = entity is None and (several or turn.basis == "named")
            yield current, "same paragraph" if unnamed else "named" if several else turn.basis
