"""English."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cache
from typing import Final

from wildtrace.languages.base import Connective, Identity, Language, Measure, Name, Reference, Time, any_of, data
from wildtrace.languages.en import connectives, dates, identities, measures, names, references


class English(Language):
    """English of reports and novels, from the nineteenth century on."""

    code = "en"
    name = "English"

    def times(self, text: str) -> Sequence[Time]:
        """Dates, clock times and relative days."""
        return dates.times(text)

    def measures(self, text: str) -> Sequence[Measure]:
        """Measurements in figures and in words."""
        return measures.measures(text)

    def connectives(self, sentence: str) -> Sequence[Connective]:
        """`because`, `led to`, `Therefore, ...`."""
        return connectives.connectives(sentence)

    def references(self, text: str) -> Sequence[Reference]:
        """`see section 4.3`, `finding 5`."""
        return references.references(text)

    def identities(self, text: str) -> Sequence[Identity]:
        """`X, alias Y`, `X, better known as Y`."""
        return identities.identities(text)

    def status(self, sentence: str) -> str:
        """By the first kind of marking word that the sentence holds."""
        match = _marks().search(sentence)
        return (match.lastgroup or "asserted") if match else "asserted"

    def names(self, text: str) -> Iterable[Name] | None:
        """By spaCy's small model, where it is installed."""
        return names.names(text)


@cache
def _marks() -> re.Pattern[str]:
    kinds = data(__name__, "words.json")["status"]
    return re.compile("|".join(rf"(?P<{kind}>\b(?:{any_of(words)})\b)" for kind, words in kinds.items()), re.IGNORECASE)


LANGUAGE: Final = English()
