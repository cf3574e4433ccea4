"""Take the protocol's two prompts apart again: what an offline model needs to know stands only in its prompt.

Questions, documents, criteria and answers are free text and may contain the prompt's own headings; each is told apart
by its place and by the protocol's limits. What stays out: a question that contains `Document:` between blank lines.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from wildtrace.prompts.render import CRITERION_LIMIT, RESPONSE_LIMIT, template

RELEASED_POINTS = 100.0

_LABEL = re.compile(r"P(?P<number>[0-9]+) \((?P<points>[0-9]+(?:\.[0-9]+)?)pts\): ")


@dataclass(frozen=True, slots=True)
class Asked:
    """A contestant's prompt, taken apart; `document` is empty where none was given."""

    question: str
    document: str


@dataclass(frozen=True, slots=True)
class Line:
    """One rubric line of a judge prompt: points and criterion as the judge sees them."""

    points: float
    criterion: str


@dataclass(frozen=True, slots=True)
class Grading:
    """A judge's prompt, taken apart."""

    question: str
    lines: tuple[Line, ...]
    response: str


def parse_asked(prompt: str) -> Asked | None:
    """The question and the document of a contestant's prompt (protocol, section 1), with or without its document.

    None for any other text: a prompt cut at the front, a chat.
    """
    before, between, _ = _literals("answer")
    if prompt.startswith(before):
        question, _, document = prompt[len(before) :].partition(between)
        return Asked(question, document)
    alone, _ = _literals("answer_none")
    if prompt.startswith(alone):
        return Asked(prompt[len(alone) :], "")
    return None


def read_asked(prompt: str) -> Asked:
    """As `parse_asked`; of any other text the first paragraph is the question, the rest the document."""
    asked = parse_asked(prompt)
    if asked is not None:
        return asked
    question, _, document = prompt.partition("\n\n")
    return Asked(question, document)


def parse_grading(prompt: str) -> Grading | None:
    """The question, rubric and answer of a judge's prompt (protocol, section 4), or None for any other text."""
    before, rubric_heading, response_heading, end = _literals("judge")
    if not (prompt.startswith(before) and prompt.endswith(end)):
        return None
    body = prompt[len(before) : len(prompt) - len(end)]
    question, found, rest = _before_rubric(body, rubric_heading)
    if not found:
        return None
    fallback = None
    for lines, response in _readings(rest, response_heading):
        grading = Grading(question, lines, response)
        if sum(line.points for line in lines) == RELEASED_POINTS:
            return grading
        fallback = fallback or grading
    return fallback


def _literals(name: str) -> list[str]:
    """The fixed texts of a prompt file, between and around its placeholders."""
    return re.split(r"\{[a-z]+\}", template(name))


def _before_rubric(body: str, heading: str) -> tuple[str, bool, str]:
    """Split at the first rubric heading that a rubric line follows."""
    for match in re.finditer(re.escape(heading), body):
        if _LABEL.match(body, match.end()):
            return body[: match.start()], True, body[match.end() :]
    return body, False, ""


def _readings(rest: str, heading: str) -> Iterator[tuple[tuple[Line, ...], str]]:
    """Each way to part the rubric from the answer that keeps the protocol's limits, the earliest heading first."""
    earliest = max(0, len(rest) - RESPONSE_LIMIT - len(heading))
    for match in re.compile(re.escape(heading)).finditer(rest, earliest):
        lines = tuple(_lines(rest[: match.start()]))
        if all(len(line.criterion) <= CRITERION_LIMIT for line in lines):
            yield lines, rest[match.end() :]


def _lines(rubric: str) -> Iterator[Line]:
    """The lines of a rubric: P1, P2 and so on; a criterion goes on until the next label, at the start of a line."""
    labels: list[re.Match[str]] = []
    for label in _LABEL.finditer(rubric):
        starts_a_line = label.start() == 0 or rubric[label.start() - 1] == "\n"
        if starts_a_line and int(label["number"]) == len(labels) + 1:
            labels.append(label)
    ends = [label.start() - 1 for label in labels[1:]] + [len(rubric)]
    for label, end in zip(labels, ends, strict=True):
        yield Line(float(label["points"]), rubric[label.end() : end])
