"""A page of English speech as its turns: what one paragraph says, what is said of its speaker, who the persons are."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, field

from wildtrace.construct.extract.page import Page
from wildtrace.construct.extract.participants import Finder, Found
from wildtrace.construct.extract.speaker_tags import Tag
from wildtrace.languages.en.given_names import gender_of


@dataclass(slots=True)
class Turn:
    """A paragraph with speech: its place, its speeches' places, its tags, and its speaker once that is known.

    `first` is the paragraph from which it follows on the one before: the narrative that leads it in, else itself.
    `tag` is the first thing said of the speaker, a beat last; `told` says that the narrative has settled the speaker,
    or that it is somebody without a name.
    """

    paragraph: int
    first: int
    speeches: range
    tags: list[Tag | None]
    tag: Tag | None
    goes_on: bool
    opens: bool
    speaker: int | None = None
    basis: str = "unknown"
    told: bool = False


@dataclass(slots=True)
class Scene:
    """A page and its persons' mentions, with the genders of the persons as they are asked for."""

    page: Page
    finder: Finder
    persons: list[Found]
    starts: list[int]
    speech_starts: list[int]
    genders: dict[int, str | None] = field(default_factory=dict)

    def gender(self, entity: int) -> str | None:
        """The gender of a person, by title or given name before what stands around the mentions."""
        if entity not in self.genders:
            person = self.finder.cast.entities[entity]
            self.genders[entity] = gender_of(person.aliases) or person.gender
        return self.genders[entity]

    def fits(self, entity: int, gender: str | None) -> bool:
        """Whether a person can be of a gender."""
        return gender is None or self.gender(entity) in (None, gender)

    def mentioned(self, start: int, end: int) -> Sequence[Found]:
        """The persons mentioned from `start` to `end`."""
        return self.persons[bisect_left(self.starts, start) : bisect_left(self.starts, end)]

    def is_spoken(self, place: int) -> bool:
        """Whether a place stands in direct speech."""
        at = bisect_left(self.speech_starts, place + 1) - 1
        return at >= 0 and place < self.page.speeches[at][0].end


def spoken_of(scene: Scene, turn: Turn) -> set[int]:
    """The persons that a turn's speeches name: nobody speaks of himself by name."""
    return {
        entity
        for place in turn.speeches
        for _, _, entity in scene.mentioned(scene.page.speeches[place][0].start, scene.page.speeches[place][0].end)
    }
