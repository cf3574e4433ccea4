"""The speakers of a made text, given its cast."""

from __future__ import annotations

from collections.abc import Mapping

from wildtrace.construct.extract.cast import Cast, Entity
from wildtrace.construct.extract.page import read_page
from wildtrace.construct.extract.participants import Finder
from wildtrace.construct.extract.quotations import turns
from wildtrace.languages.speech import Marks
from wildtrace.languages.tries import phrase_pattern


def speakers_of(text: str, genders: Mapping[str, str | None], *, chinese: bool = False) -> list[tuple[str | None, str]]:
    """The speaker of each speech between curved marks, and what tells it; `genders` is the cast."""
    names = list(genders)
    entities = tuple(
        Entity(place, name, "person", genders[name], (name,), 2, 0, len(name)) for place, name in enumerate(names)
    )
    by_words = {(name,) if chinese else tuple(name.split()): place for place, name in enumerate(names)}
    pattern = phrase_pattern(names) if chinese else None
    finder = Finder(Cast(entities, by_words, {}), chinese=chinese, pattern=pattern)
    page = read_page(text, 0, Marks("“", "”"), chinese=chinese, by_line=chinese)
    return [
        (None if turn.speaker is None else names[turn.speaker], turn.basis)
        for turn in turns(page, finder, finder.found(text))
    ]
