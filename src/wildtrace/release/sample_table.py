"""How far single clues carry: the lexical judge's credit for a task's clue windows, one by one and together.

A task is dispersed where all windows together answer it and no window alone does. A clue's window is that of
text/passages.py. The judge here reads the windows whole, not only their first 5,000 code points.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from wildtrace.endpoints.offline.judge import grade
from wildtrace.endpoints.offline.parsing import Grading, Line
from wildtrace.text.passages import clue_window
from wildtrace.types import Item, Span


@dataclass(frozen=True, slots=True)
class ClueCredits:
    """Credits (0 to 1) of one task: for its best single window, all windows, an empty answer, the reference answer."""

    question_id: str
    geometry: str
    best_clue: str
    best_single: float
    together: float
    nothing: float
    reference: float


def clue_spans(item: Item, document: str) -> tuple[Span, ...]:
    """The item's clues as spans of `document`. Raises ValueError where a clue does not stand at its offsets."""
    spans = []
    for clue in item.clues:
        if clue.start is None or clue.end is None:
            raise ValueError(f"{item.question_id}: clue {clue.span_id} has no offsets")
        span = Span(clue.start, clue.end, clue.quote)
        if not span.stands_in(document):
            raise ValueError(f"{item.question_id}: clue {clue.span_id} does not stand at its offsets")
        spans.append(span)
    return tuple(spans)


def credit(item: Item, response: str) -> float:
    """The lexical judge's credit for `response`, 0 to 1."""
    lines = tuple(Line(criterion.points, criterion.text) for criterion in item.rubric.criteria)
    _, total = grade(Grading(item.question.text, lines, response))
    return total / item.rubric.points


def clue_credits(item: Item, document: str) -> ClueCredits:
    """The credits of one task. Raises ValueError where a clue does not stand in the document."""
    windows = [document[slice(*clue_window(document, span.start, span.end))] for span in clue_spans(item, document)]
    singles = [(credit(item, text), clue.span_id) for text, clue in zip(windows, item.clues, strict=True)]
    best_single, best_clue = max(singles)
    return ClueCredits(
        question_id=item.question_id,
        geometry=item.geometry,
        best_clue=best_clue,
        best_single=best_single,
        together=credit(item, "\n\n".join(windows)),
        nothing=credit(item, ""),
        reference=credit(item, item.reference_answer),
    )


def as_lines(table: Sequence[ClueCredits]) -> Iterable[str]:
    """The table as aligned text, credits as scores from 0 to 100."""
    width = max(len(row.question_id) for row in table)
    yield f"{'task':{width}}  best single window  all windows  nothing  reference answer"
    for row in table:
        single = f"{100 * row.best_single:.1f} ({row.best_clue})"
        together, nothing, reference = (f"{100 * value:.1f}" for value in (row.together, row.nothing, row.reference))
        yield f"{row.question_id:{width}}  {single:>18}  {together:>11}  {nothing:>7}  {reference:>16}"
