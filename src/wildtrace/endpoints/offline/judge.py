"""`lexical-judge`: grades an answer by the share of each criterion's content words that stand in it.

A baseline, not a judge of meaning: it is blind to negation, to who did what to whom, and to paraphrase. Words that the
question gives away earn nothing.
"""

from __future__ import annotations

import orjson

from wildtrace.endpoints.offline.parsing import Grading, Line, parse_grading
from wildtrace.text.words import content_words

RECALL_OF_NOTHING = 0.35  # criteria share this much with any answer on the subject
RECALL_OF_ALL = 0.75  # a right answer in other words still shares this much


def lexical_judge(prompt: str) -> str | None:
    """The verdict on a judge prompt as the protocol's JSON, or None for any other text."""
    grading = parse_grading(prompt)
    if grading is None:
        return None
    awarded, total = grade(grading)
    return orjson.dumps({"points_awarded": awarded, "total": total}).decode()


def grade(grading: Grading) -> tuple[list[float], float]:
    """Points awarded for each rubric line, and their sum, never above the rubric's own."""
    given = set(content_words(grading.question))
    found = set(content_words(grading.response))
    awarded = [_points(line, given, found) for line in grading.lines]
    # A sum of rounded points may differ in its last digits; rounding it again must not lift it above the maximum.
    return awarded, min(round(sum(awarded), 6), sum(line.points for line in grading.lines))


def _points(line: Line, given: set[str], found: set[str]) -> float:
    points = credit(line.criterion, given, found) * line.points
    return line.points if points == line.points else min(round(points, 1), line.points)


def credit(criterion: str, given: set[str], found: set[str]) -> float:
    """0 to 1: the share of the criterion's words outside `given` that are in `found`, on a ramp from 0.35 to 0.75."""
    words = set(content_words(criterion))
    sought = words - given or words
    if not sought:
        return 0.0
    recall = len(sought & found) / len(sought)
    return min(1.0, max(0.0, (recall - RECALL_OF_NOTHING) / (RECALL_OF_ALL - RECALL_OF_NOTHING)))
