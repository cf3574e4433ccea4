"""The pure steps of induction, as they travel between processes."""

from __future__ import annotations

import pickle

from tests.construct.story import english_story
from wildtrace.construct.induction import cast_of, plan, read_task, survey_task
from wildtrace.construct.segment import segment


def test_what_is_known_reads_the_same_in_another_process() -> None:
    """It is pickled once for many tasks and received once; the same records come of it."""
    text = english_story()
    taken_apart = plan(text, tuple(segment(text, "s", "L0")), ())
    surveys = [survey_task((taken_apart.manner, pieces)) for pieces in taken_apart.pieces]
    known, _ = cast_of("s", text, taken_apart.manner, surveys)
    received, again = (pickle.loads(pickle.dumps(known)) for _ in range(2))  # noqa: S301 - what was just made
    assert received is again
    assert received is not known
    tasks = list(enumerate(taken_apart.pieces))
    assert read_task((known, tasks)) == read_task((received, tasks))
