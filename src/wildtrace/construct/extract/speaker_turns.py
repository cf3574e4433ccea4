"""Turns of English dialogue that alternate: who speaks where the narrative does not say.

In a run of paragraphs with nothing told between them, one without a tag has the speaker of the nearest turns told at an
even distance, where those on both sides agree, or one is very much nearer, and no turn told between says otherwise.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from wildtrace.construct.extract.speaker_pronouns import addressed
from wildtrace.construct.extract.speaker_scene import Scene, Turn, spoken_of

_FARTHEST: Final = 12
_NEARER: Final = 3
_NOBODY: Final = -1


def runs(turns: Sequence[Turn]) -> Iterator[list[Turn]]:
    """Turns that follow one another with nothing told between; those that only go on are left out."""
    run: list[Turn] = []
    last = -2
    for turn in turns:
        if turn.first != last + 1 or not (turn.opens or turn.told):
            if run:
                yield run
            run = []
        last = turn.paragraph
        if not (turn.goes_on and run) and (turn.opens or turn.tag is not None):
            run.append(turn)
    if run:
        yield run


def settle_nouns(scene: Scene, run: Sequence[Turn]) -> None:
    """A speaker told by a noun is that of the turns at an even distance on both sides, or somebody without a name."""
    for place, turn in enumerate(run):
        tag = turn.tag
        if turn.told or tag is None or tag.kind != "noun":
            continue
        before, after = _side(run, place, -1), _side(run, place, 1)
        fits = before.speaker not in (None, _NOBODY) and before.speaker == after.speaker
        if fits and before.speaker not in before.passed | after.passed and scene.fits(before.speaker or 0, tag.gender):
            turn.speaker, turn.basis = before.speaker, "turn"
        turn.told = True


def alternate(scene: Scene, run: Sequence[Turn]) -> None:
    """Give the turns of a run that have no speaker that of the turns at an even distance."""
    for place, turn in enumerate(run):
        if turn.told:
            continue
        before, after = _side(run, place, -1), _side(run, place, 1)
        speaker = _agreed(before, after)
        if speaker is None and place and before.speaker is None and after.speaker is None:
            speaker = addressed(scene, run[place - 1])
        if speaker is None or speaker in before.passed | after.passed:
            continue
        alike = [turn, *run[max(0, place - 2) : place - 1], *run[place + 2 : place + 3]]
        fits = all(scene.fits(speaker, other.tag.gender) for other in alike if other.tag is not None)
        if fits and speaker not in spoken_of(scene, turn):
            turn.speaker, turn.basis = speaker, "turn"


@dataclass(frozen=True, slots=True)
class _Side:
    """The speaker told at the nearest even distance on one side, that distance, and those told at odd ones before it.

    The speaker is None where none is told near, `_NOBODY` where one without a name is.
    """

    speaker: int | None
    distance: int
    passed: set[int]


def _agreed(one: _Side, other: _Side) -> int | None:
    """The speaker that two sides agree on; where they do not, that of the side that is very much nearer."""
    near, far = (one, other) if one.distance <= other.distance else (other, one)
    if near.speaker is None or near.speaker == _NOBODY:
        return None
    if far.speaker in (None, near.speaker) or near.distance * _NEARER <= far.distance:
        return near.speaker
    return None


def _side(run: Sequence[Turn], place: int, way: int) -> _Side:
    """What is told on one side of a turn."""
    passed: set[int] = set()
    for distance in range(1, _FARTHEST + 1):
        at = place + way * distance
        if not 0 <= at < len(run):
            break
        turn = run[at]
        if not turn.told:
            continue
        if distance % 2 == 0:
            return _Side(_NOBODY if turn.speaker is None else turn.speaker, distance, passed)
        if turn.speaker is not None:
            passed.add(turn.speaker)
    return _Side(None, _FARTHEST + 1, passed)
