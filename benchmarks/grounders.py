"""What locates quotes in a text: wildtrace, and what a user would pick instead, each as it comes.

wildtrace and rapidfuzz get the whole text. langextract aligns what a model extracted with the stretch that the model
read and is far too slow for a book, so it gets the window that holds the quote, which spares it the search.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Final

from rapidfuzz import fuzz

from wildtrace.ground.grounding import Quote, Source, ground_all

Place = tuple[int, int]
"""Half-open offsets in the text."""


@dataclass(frozen=True, slots=True)
class Job:
    """Quotes to locate in a text, and a window of the text for each, for those that cannot search the whole."""

    text: str
    quotes: Sequence[str]
    windows: Sequence[Place]


Grounder = Callable[[Job], list[Place | None]]
"""The place of each quote, or None where it is said to stand nowhere."""

LANGEXTRACT: Final[Mapping[str, Mapping[str, bool]]] = {
    "langextract": {},
    "langextract, Unicode tokenizer": {"unicode": True},
    "langextract, whole quotes only": {"whole": True},
    "langextract, Unicode tokenizer, whole quotes only": {"unicode": True, "whole": True},
}
"""Its settings; `whole` refuses a place for the beginning of a quote, `unicode` makes each ideograph a word."""


def grounder(name: str) -> Grounder:
    """The grounder of that name, with what it needs imported. One that is not installed ends the process, saying so."""
    if name in LANGEXTRACT:
        return _langextract(**LANGEXTRACT[name])
    return {"wildtrace": _by_wildtrace, "rapidfuzz alone": _by_rapidfuzz}[name]


def _by_wildtrace(job: Job) -> list[Place | None]:
    found = ground_all([Quote(quote) for quote in job.quotes], Source("source", job.text))
    return [(each.span.start, each.span.end) if each.span else None for each in found]


def _by_rapidfuzz(job: Job) -> list[Place | None]:
    """The best window of the quote's length, accepted from 80 of 100 on; nothing else is checked."""
    found = (fuzz.partial_ratio_alignment(quote, job.text, score_cutoff=80) for quote in job.quotes)
    return [(each.dest_start, each.dest_end) if each else None for each in found]


def _langextract(*, unicode: bool = False, whole: bool = False) -> Grounder:
    """Each quote by itself through the resolver that langextract puts models' replies through; no model is called."""
    sys.addaudithook(_stay_offline)
    try:
        resolver = import_module("langextract.resolver").Resolver()
        extraction = import_module("langextract.core.data").Extraction
        tokenizer = import_module("langextract.core.tokenizer").UnicodeTokenizer() if unicode else None
    except ImportError as error:
        raise SystemExit(f"langextract is not installed here ({error}): install it, or give --no-peer.") from error

    def place(quote: str, stretch: str, start: int) -> Place | None:
        settings = {"accept_match_lesser": not whole, "tokenizer_inst": tokenizer}
        (aligned,) = resolver.align([extraction("quote", quote)], stretch, 0, start, **settings)
        found = aligned.char_interval
        return None if found is None else (found.start_pos, found.end_pos)

    def ground(job: Job) -> list[Place | None]:
        pairs = zip(job.quotes, job.windows, strict=True)
        return [place(quote, job.text[start:end], start) for quote, (start, end) in pairs]

    return ground


def _stay_offline(event: str, _: tuple[Any, ...]) -> None:
    if event in {"socket.connect", "socket.getaddrinfo", "socket.sendto"}:
        raise SystemExit("langextract reached for the network, which it has no need of here; the run was ended.")
