"""How any format's draft becomes canonical text: an ordered tuple of steps, one file each.

A step takes a draft and gives one; what it takes out is recorded, and the map and the blocks go along.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from wildtrace.construct.ingest.draft import Draft, Options
from wildtrace.construct.ingest.steps.blocks import find_blocks
from wildtrace.construct.ingest.steps.characters import clean_characters
from wildtrace.construct.ingest.steps.furniture import remove_furniture
from wildtrace.construct.ingest.steps.hyphens import join_words
from wildtrace.construct.ingest.steps.matter import mark_matter
from wildtrace.construct.ingest.steps.notes import take_note_marks
from wildtrace.construct.ingest.steps.pages import join_pages
from wildtrace.construct.ingest.steps.sections import find_sections

Step = Callable[[Draft, Options], Draft]

STEPS: Final[tuple[Step, ...]] = (
    clean_characters,
    remove_furniture,  # form feeds show the page edges, which the next step takes out
    join_pages,
    join_words,
    take_note_marks,
    find_blocks,
    mark_matter,
    find_sections,  # a line of a contents list is no heading, so matter is known by then
)


def canonical(draft: Draft, options: Options) -> Draft:
    """The canonical form of a draft."""
    for step in STEPS:
        draft = step(draft, options)
    return draft
