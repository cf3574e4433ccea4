"""What a language offers to a reading without a model: annotators of one stretch of text, each plain and checkable.

A language is a folder with an instance of `Language` in its `__init__` and its lists in data files. It overrides what
it can do and leaves the rest: an annotator that a language does not have finds nothing. All offsets are those of the
text that was given.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Final, Literal

from wildtrace.text.sentences import sentences

Range = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Time:
    """A mention of a time: its range and its EDTF value (ISO 8601-2), None where the text alone does not say."""

    start: int
    end: int
    kind: Literal["date", "clock", "relative"]
    edtf: str | None = None


@dataclass(frozen=True, slots=True)
class Measure:
    """A number with its unit as written, and the dimension that the unit measures."""

    start: int
    end: int
    value: str
    unit: str
    dimension: str


@dataclass(frozen=True, slots=True)
class Connective:
    """Words that state a cause: their range and the ranges of cause and effect in the sentence.

    The cause is None where a sentence opens with the connective (`Therefore, ...`): it is what stands before.
    """

    start: int
    end: int
    cause: Range | None
    effect: Range


@dataclass(frozen=True, slots=True)
class Reference:
    """A pointer to a numbered part of the same text (`see section 4.3`, `finding 5`); `kind` is in small letters."""

    start: int
    end: int
    kind: str
    number: str


@dataclass(frozen=True, slots=True)
class Identity:
    """A statement that two designations name one referent: the range of each, and the words that say so."""

    name: Range
    alias: Range
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Name:
    """A name that an engine found, with its kind: person, place or organisation."""

    start: int
    end: int
    kind: str


ANNOTATORS: Final = ("times", "measures", "connectives", "references", "identities", "status", "names")
"""The methods that a language may override, apart from `sentences`, which all have."""


class Language:
    """The language that nothing is known of: it has sentences, and every annotator finds nothing."""

    code = "none"
    """ISO 639-1, as in `Source.language`."""
    name = "no language in particular"

    def offers(self) -> tuple[str, ...]:
        """The annotators that this language has."""
        return tuple(each for each in ANNOTATORS if getattr(type(self), each) is not getattr(Language, each))

    def sentences(self, text: str, start: int, end: int) -> Iterator[Range]:
        """The sentences of one paragraph."""
        return sentences(text, start, end)

    def times(self, text: str) -> Sequence[Time]:  # noqa: ARG002 - the interface of those that override it
        """The mentions of times, in order."""
        return ()

    def measures(self, text: str) -> Sequence[Measure]:  # noqa: ARG002 - the same
        """The measurements, in order."""
        return ()

    def connectives(self, sentence: str) -> Sequence[Connective]:  # noqa: ARG002 - the same
        """The causes that one sentence states, in order."""
        return ()

    def references(self, text: str) -> Sequence[Reference]:  # noqa: ARG002 - the same
        """The pointers to numbered parts of the same text, in order."""
        return ()

    def identities(self, text: str) -> Sequence[Identity]:  # noqa: ARG002 - the same
        """The statements that two designations name one referent, in order."""
        return ()

    def status(self, sentence: str) -> str:  # noqa: ARG002 - the same
        """One of FACT_STATUSES by the words that mark it; coarse, since a marking word may govern half a sentence."""
        return "asserted"

    def names(self, text: str) -> Iterable[Name] | None:  # noqa: ARG002 - the same
        """The names in a text; None where no engine for this language is installed (extra `names`)."""
        return None


@cache
def data(package: str, file: str) -> Any:
    """The lists of a language: a JSON file in its folder, whose `source` says where they come from."""
    return json.loads(files(package).joinpath(file).read_text(encoding="utf-8"))


def any_of(phrases: Iterable[str]) -> str:
    r"""A pattern for the longest of these phrases; a space matches any white space, an apostrophe either form."""
    ordered = sorted(set(phrases), key=len, reverse=True)
    return "|".join(re.escape(each).replace(r"\ ", r"\s+").replace("'", "['’]") for each in ordered)


def trimmed(text: str, start: int, end: int) -> Range:
    """A range without what is no letter and no digit at its ends."""
    while start < end and not text[start].isalnum():
        start += 1
    while end > start and not text[end - 1].isalnum():
        end -= 1
    return start, end
