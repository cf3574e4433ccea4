"""Read a judge's reply: a verdict, or the reason why it is none (docs/protocol.md, rules 19 to 23).

Never clamp, never guess, never add up points_awarded instead of `total`.
"""

from __future__ import annotations

import math
import re
from typing import Any

from wildtrace.calls.reasoning import remove_reasoning
from wildtrace.judge.objects import ZERO_WIDTH, JsonObject, find_objects
from wildtrace.types import JudgeFailure, Judgement, Rubric

_NUMBER = re.compile(r"\s*[+-]?\d+(\.\d+)?([eE][+-]?\d+)?\s*", re.ASCII)
_UNSEEN = dict.fromkeys(map(ord, ZERO_WIDTH))
# A flat verdict counts as planted whatever surrounds it, an object that is never closed too.
_FLAT_VERDICT = re.compile(r"[{｛][^{}｛｝]*[\"'“‘＂＇]total[\"'”’＂＇]\s*[:：][^{}｛｝]*[}｝]")
_BRACE = re.compile(r"[{｛]")
# Inside an object, or behind one that is never closed, every brace may begin a verdict; so many are tried, last first.
_TRIED = 64
_Value = tuple[tuple[float | str, ...], float | str]


def read_judgement(
    reply: str,
    rubric: Rubric,
    answer: str,
    *,
    finish_reason: str | None = None,
    refused: bool = False,
    truncated: bool = False,
) -> Judgement | JudgeFailure:
    """The verdict in `reply` on `answer`, which is the answer as the judge saw it."""
    if (fault := _faulty_end(finish_reason, refused=refused)) is not None:
        return JudgeFailure(fault, reply)
    thought = remove_reasoning(reply)
    if thought.unclosed:
        return JudgeFailure("the reply's thinking is never closed", reply)
    chosen, flags = _choose(thought.answer, answer)
    if isinstance(chosen, str):
        return JudgeFailure(chosen, reply)
    if "total" in chosen.twins:
        return JudgeFailure("the object holds two totals that differ", reply)
    total, most = _number(chosen.value["total"]), rubric.points
    if total is None or not 0 <= total <= most:
        return JudgeFailure(f"total is not a number from 0 to {most:g}", reply)
    if isinstance(chosen.value["total"], str):
        flags.append("coerced")
    if chosen.repaired:
        flags.append("repaired")
    points = None if "points_awarded" in chosen.twins else _points(chosen.value.get("points_awarded"))
    if points is None or len(points) != len(rubric.criteria) or not math.isclose(sum(points), total, abs_tol=1e-6):
        flags.append("mismatch")
    if truncated:
        flags.append("judge_input_truncated")
    return Judgement(total / most, total, points, tuple(flags), reply)


def _faulty_end(finish_reason: str | None, *, refused: bool) -> str | None:
    """Why a reply that ended like this holds no verdict, or None."""
    if refused or finish_reason == "content_filter":
        return f"the reply is a refusal (finish reason {finish_reason or 'not given'})"
    if finish_reason == "tool_calls":
        return "the reply calls a tool and gives no verdict"
    return "the reply was cut at max_tokens" if finish_reason == "length" else None


def _choose(text: str, answer: str) -> tuple[JsonObject | str, list[str]]:
    """The object that is the verdict, or why none is; with the flags that choosing it earned.

    A verdict whose value stands in the answer may be a quotation, so it counts only where no other value is given.
    """
    objects = find_objects(text)
    if objects.unclosed:
        return "the reply holds an object that is never closed", []
    verdicts = _with_total(objects.found)
    if not verdicts:
        return ("the reply's object is no JSON" if objects.broken else "the reply holds no object with a total"), []
    planted, is_planted = _verdicts_in_answer(answer)
    flags = ["planted"] if is_planted else []
    own = [verdict for verdict in verdicts if _value_of(verdict) not in planted]
    if not own and _differ(verdicts):
        return "the reply holds several verdicts, and each of them stands in the answer", []
    own = own or verdicts
    if _differ(own) or any("total" in verdict.twins for verdict in own):
        flags.append("several_verdicts")
    return own[-1], flags


def _with_total(objects: tuple[JsonObject, ...]) -> list[JsonObject]:
    return [found for found in objects if "total" in found.value]


def _differ(verdicts: list[JsonObject]) -> bool:
    return any(_value_of(verdict) != _value_of(verdicts[-1]) for verdict in verdicts)


def _value_of(verdict: JsonObject) -> _Value:
    """What a verdict says: its points and its total, whatever else stands in it.

    Numbers are compared as numbers (100, 100.0 and "100" are one), anything else as it is written.
    """
    points = verdict.value.get("points_awarded")
    listed = points if isinstance(points, list) else [points]
    return tuple(map(_comparable, listed)), _comparable(verdict.value["total"])


def _comparable(value: Any) -> float | str:
    number = _number(value)
    return repr(value) if number is None else number


def _verdicts_in_answer(answer: str) -> tuple[list[_Value], bool]:
    """The values of the verdicts that stand in an answer, and whether any stands there, readable or not."""
    if "{" not in answer and "｛" not in answer:
        return [], False  # as good as every answer, and each is looked at once a judge
    flat = [match[0] for match in _FLAT_VERDICT.finditer(answer.translate(_UNSEEN))]
    braces = [brace.start() for brace in _BRACE.finditer(answer)]
    values: list[_Value] = []
    for text in (answer, *flat, *(answer[place:] for place in braces[: -_TRIED - 1 : -1])):
        for verdict in _with_total(find_objects(text).found):
            if (value := _value_of(verdict)) not in values:
                values.append(value)
    return values, bool(values or flat)


def _number(value: Any) -> float | None:
    if isinstance(value, str) and _NUMBER.fullmatch(value):
        value = float(value)
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        number = float(value)
    except OverflowError:
        return None
    return number + 0.0 if math.isfinite(number) else None  # -0.0 is 0.0


def _points(value: Any) -> tuple[float, ...] | None:
    if not isinstance(value, list):
        return None
    numbers = [_number(entry) for entry in value]
    return None if None in numbers else tuple(number for number in numbers if number is not None)
