"""What the studies share: the key of a study, and drawing answers for it.

A study is a folder. `study.json` holds the key (who answered, what the panel gave, the original label) and is not for
annotators. It is written last, so that a folder that has it is a whole study.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeVar

import msgspec
import orjson

from wildtrace.diagnose.strata import Candidate
from wildtrace.errors import DataError, UsageError
from wildtrace.files import write_atomically
from wildtrace.scores.loading import Loaded
from wildtrace.types import Item

Kind = Literal["expert", "evidence-visible", "relabel"]
STUDY_FILE = "study.json"

Key = TypeVar("Key", bound="StudyFile")
Drawn = TypeVar("Drawn")


class StudyFile(msgspec.Struct, kw_only=True):
    """What the key of every study begins with."""

    format: Literal["wildtrace.study/1"] = "wildtrace.study/1"
    study: Kind
    seed: int


@dataclass(frozen=True, slots=True)
class Answer:
    """A drawn answer: its candidate, its item and its text."""

    cell_id: str
    candidate: Candidate
    item: Item
    text: str


def refuse_drawn(folder: Path) -> None:
    """UsageError where the folder holds a study already: what people filled in would lose its key."""
    path = folder / STUDY_FILE
    if path.exists():
        raise UsageError(f"{path} exists: a study is drawn once; choose another --out")


def write_study(folder: Path, study: StudyFile) -> None:
    """Write the key."""
    write_atomically(folder / STUDY_FILE, [orjson.dumps(msgspec.to_builtins(study), option=orjson.OPT_INDENT_2)])


def read_study(folder: Path, file: type[Key], kind: Kind) -> Key:
    """Read the key of a study of this kind. DataError where there is none, or it is another study's."""
    path = folder / STUDY_FILE
    advice = f"name the folder that `wildtrace reliability sample {kind}` wrote"
    try:
        raw = path.read_bytes()
        head = msgspec.json.decode(raw, type=StudyFile)
        if head.study != kind:
            raise DataError(f"{path} is of the study {head.study}, not {kind}; name that study")
        return msgspec.json.decode(raw, type=file)
    except OSError as error:
        raise DataError(f"{path} cannot be read ({error.strerror}); {advice}") from None
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise DataError(f"{path} is no study file ({error}); {advice}") from None


def draw(size: int, most: int, sample: Callable[[int], list[Drawn]], more: str) -> list[Drawn]:
    """Draw a sample of this size.

    DataError where that cannot be; it names the largest size up to `most` that can be drawn, and `more`, the way to
    have more to draw from.
    """
    try:
        return sample(size)
    except DataError as error:
        reason = str(error).partition("; choose a smaller --size")[0]
    for smaller in range(min(size - 1, most), 0, -1):
        try:
            sample(smaller)
        except DataError:
            continue
        raise DataError(f"{reason}; choose --size {smaller}, the largest that works, or {more}")
    raise DataError(f"{reason}; {more}, as no smaller --size works")


def candidates(loaded: Loaded) -> list[Candidate]:
    """Every answer that the whole panel judged."""
    scores, tasks = loaded.scores, loaded.scores.tasks
    mean, answered = scores.panel_mean(), scores.answered()
    return [
        Candidate(model, tasks.question_ids[at], float(mean[row, at]), tasks.families[at], tasks.geometries[at])
        for row, model in enumerate(scores.models)
        for at in range(len(tasks))
        if answered[row, at]
    ]


def answers(loaded: Loaded, drawn: Sequence[Candidate]) -> list[Answer]:
    """The drawn answers with their texts, numbered in the order of the draw. DataError where a text is missing."""
    by_model = {run.model: run.responses for run in loaded.runs if run.provenance.condition == "full"}
    items = {item.question_id: item for item in loaded.items}
    numbered = []
    for number, candidate in enumerate(drawn, 1):
        response = by_model.get(candidate.model, {}).get(candidate.question_id)
        if response is None or response.response is None:
            raise DataError(
                f"the answer of {candidate.model!r} to {candidate.question_id!r} is in no responses file; "
                "add the run's --responses"
            )
        numbered.append(Answer(f"c{number:03d}", candidate, items[candidate.question_id], response.response))
    return numbered
