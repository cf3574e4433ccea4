"""Step 8, leak test and critic: does the document tell the answer at one place, and does the trail bear it?

A search of the whole text brings the best passages for each sentence of the answer; since negation is no content word,
the same passages are the best for its negation. A critic in a fresh context judges places, sentences, clues and
geometry; what it repairs goes through check and verifier again and to a second critic. Two rounds at most.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from wildtrace import geometries
from wildtrace.construct.account import Asker
from wildtrace.construct.check import faults
from wildtrace.construct.document import Document, Range
from wildtrace.construct.draft import Draft, read_draft
from wildtrace.construct.prompting import cut, prompt
from wildtrace.construct.read import whole_sentences
from wildtrace.construct.replies import Entry, entries, read_object, text_of, texts_of
from wildtrace.construct.verify import verify
from wildtrace.geometries import geometry_named
from wildtrace.ground.grounding import Quote, Source, ground
from wildtrace.text.sentences import sentences
from wildtrace.types import Fact, Leak, TrailStep

ROUNDS: Final = 2
PASSAGES_EACH: Final = 4
"""Passages for a sentence of the answer."""
PASSAGES_SHOWN: Final = 10
LOOKED_UP_EACH: Final = 3
"""Passages for each word that a critic wants looked up, two words at most."""


@dataclass(frozen=True, slots=True)
class Judged:
    """A draft after the critic: accepted, or not and why."""

    draft: Draft
    accepted: bool
    reason: str


@dataclass(frozen=True, slots=True)
class _Shown:
    """What a critic is shown: the places of the clues, then other passages, numbered through from 1."""

    places: tuple[Range, ...]
    others: tuple[Range, ...]

    @property
    def all(self) -> tuple[Range, ...]:
        """Every passage in the order of its number."""
        return (*self.places, *self.others)


async def criticise(asker: Asker, document: Document, draft: Draft) -> Judged:
    """The verdict on a draft after at most two rounds, each in a fresh context."""
    looked_up: tuple[str, ...] = ()
    for turn in range(1, ROUNDS + 1):
        shown = _shown(document, draft, looked_up)
        reply = await asker.ask("critic", "critic", _prompt(document, draft, shown))
        found = read_object(reply.text)
        verdict, reason = (
            text_of(found.get("verdict")).lower().replace(" ", "_"),
            cut(text_of(found.get("reason")), 600),
        )
        draft = replace(draft, interest=_interest(found), leaks=_leaks(found, shown))
        draft = _with_step(draft, f"critic:{reply.model}", f"round {turn}: {verdict or 'no verdict'}: {reason}")
        told_whole = next((leak for leak in draft.leaks if leak.tells == "whole"), None)
        if told_whole is not None:
            return Judged(draft, False, f"told whole at {document.position(told_whole.start)}: {reason}")
        if verdict in ("accept", "answer_edit"):
            changed = _after_acceptance(found, draft, verdict)
            fault = _unborne(found)
            if fault:
                return Judged(draft, False, fault)
            more = tuple(texts_of(found.get("look_up")))[:2]
            if changed.key == draft.key and not _unseen(document, draft, shown, more):
                return Judged(changed, True, reason)
            looked_up, last = more, verdict
        elif verdict == "repair" and isinstance(found.get("repair"), dict):
            changed, last = _repaired(document, draft, shown, found["repair"]), verdict
        else:
            return Judged(draft, False, reason or "the critic gave no usable verdict")
        if turn == ROUNDS:
            return Judged(draft, False, f"still to be changed after {ROUNDS} rounds: {reason}")
        changed, why = await _proved(asker, document, changed)
        if why:
            return Judged(changed, False, f"{last} by the critic did not hold: {why}")
        draft = changed
    raise AssertionError("every round returns or changes the draft")


async def _proved(asker: Asker, document: Document, draft: Draft) -> tuple[Draft, str]:
    """A changed draft through check and verifier again."""
    found = faults(draft, document)
    return (draft, "; ".join(found)) if found else await verify(asker, document, draft)


def _prompt(document: Document, draft: Draft, shown: _Shown) -> str:
    number = len(shown.places)
    own = [each for each in geometries.GEOMETRIES if each.name == draft.geometry]
    return prompt(
        "critic",
        source=document.source.id,
        geometry="".join(f"{each.name}: {each.definition} {each.conditions}" for each in own),
        others=" ".join(f"{each.name}: {each.definition}" for each in geometries.GEOMETRIES if each not in own),
        answer=" ".join(f"({at}) {sentence}" for at, sentence in enumerate(answer_sentences(draft.answer), 1)),
        hedge=draft.hedge or "none",
        clues="\n".join(
            f"{document.line(document.facts[each.fact])} | {each.role}, {each.side or 'no side'}"
            for each in draft.clues
        ),
        edges="\n".join(f"{e.from_fact} {e.type} {e.to_fact}: {e.why} | {e.verdict}" for e in draft.edges),
        places="\n\n".join(_passage(document, each, at) for at, each in enumerate(shown.places, 1)),
        passages="\n\n".join(_passage(document, each, at) for at, each in enumerate(shown.others, number + 1))
        or "(none)",
    )


def _passage(document: Document, range_: Range, number: int) -> str:
    return f"P{number} | {document.position(range_[0])}\n{document.text[slice(*range_)].strip()}\nEND OF P{number}"


def answer_sentences(answer: str) -> list[str]:
    """The sentences of an answer."""
    return [answer[start:end] for start, end in sentences(answer)]


def _shown(document: Document, draft: Draft, looked_up: Sequence[str]) -> _Shown:
    """The places of the clues, and what the search brings that does not lie in them."""
    places = []
    for group in document.places(draft.facts):
        facts = [document.facts[fact] for fact in group]
        places.append(document.context(min(fact.start for fact in facts), max(fact.end for fact in facts)))
    found: dict[int, None] = {}
    by_sentence = [_search(document, sentence, PASSAGES_EACH, places) for sentence in answer_sentences(draft.answer)]
    for turn in range(PASSAGES_EACH):
        found |= {numbers[turn]: None for numbers in by_sentence if turn < len(numbers)}
    others = list(found)[:PASSAGES_SHOWN]
    for word in looked_up:
        others += [number for number in _search(document, word, LOOKED_UP_EACH, places) if number not in others]
    return _Shown(tuple(places), tuple(document.passages[number] for number in sorted(others)))


def _search(document: Document, sentence: str, most: int, places: Sequence[Range]) -> list[int]:
    """The best passages outside these places, every designation of whom the sentence names sought too."""
    names = " ".join(name for member in document.names_in(sentence) for name in member.names)

    def is_elsewhere(number: int) -> bool:
        start, end = document.passages[number]
        return all(end <= first or start >= last for first, last in places)

    return document.passage_index.best(f"{sentence} {names}", most, is_elsewhere)


def _unseen(document: Document, draft: Draft, shown: _Shown, words: Sequence[str]) -> bool:
    """Whether looking up these words brings passages that the critic has not seen."""
    return bool(words) and not set(_shown(document, draft, words).others) <= set(shown.others)


def _interest(found: Entry) -> int:
    value = found.get("interest")
    return min(5, max(1, round(value))) if isinstance(value, int | float) and not isinstance(value, bool) else 0


def _leaks(found: Entry, shown: _Shown) -> tuple[Leak, ...]:
    """The passages that tell part or the whole of the answer, by the critic."""
    leaks = []
    for entry in entries(found.get("passages")):
        number, tells = _number(entry.get("n")), text_of(entry.get("tells")).lower()
        if 0 < number <= len(shown.all) and tells in ("part", "whole"):
            leaks.append(Leak(*shown.all[number - 1], tells))
    return tuple(leaks)


def _number(value: Any) -> int:
    digits = text_of(value).upper().removeprefix("P")
    return int(digits) if digits.isascii() and digits.isdigit() and len(digits) < 5 else 0


def _unborne(found: Entry) -> str:
    """Why an acceptance contradicts itself: a sentence of the answer that no clue bears."""
    bare = [text_of(entry.get("sentence")) for entry in entries(found.get("answer")) if entry.get("clues") == []]
    return f"no clue bears sentence {', '.join(bare)} of the answer" if bare else ""


def _after_acceptance(found: Entry, draft: Draft, verdict: str) -> Draft:
    """An accepted draft with the edited answer, without the clues that are not necessary, under the better geometry."""
    edited = cut(text_of(found.get("answer_edit")), 1500) if verdict == "answer_edit" else ""
    spare = {text_of(entry.get("fact")) for entry in entries(found.get("clues")) if entry.get("necessary") is False}
    better = geometry_named(text_of(found.get("better_geometry"))) if found.get("geometry_fits") is False else None
    return replace(
        draft,
        geometry=better.name if better else draft.geometry,
        answer=edited or draft.answer,
        clues=tuple(clue for clue in draft.clues if clue.fact not in spare),
        edges=tuple(edge for edge in draft.edges if not {edge.from_fact, edge.to_fact} & spare),
    )


def _repaired(document: Document, draft: Draft, shown: _Shown, repair: Entry) -> Draft:
    """The draft as a critic repaired it; a passage with an exact quote becomes a fact and a clue."""
    names: dict[str, str] = {}
    for clue in entries(repair.get("clues")):
        number = _number(clue.get("passage"))
        if not text_of(clue.get("fact")) and 0 < number <= len(shown.all):
            fact = _new_fact(document, shown.all[number - 1], clue)
            if fact is not None:
                names[f"P{number}"] = fact.id
    changed = read_draft(repair, draft.steps, names)
    return replace(
        changed,
        geometry=changed.geometry or draft.geometry,
        clues=changed.clues or draft.clues,
        edges=changed.edges or draft.edges,
        answer=changed.answer or draft.answer,
        hedge=changed.hedge or draft.hedge,
        needs={**draft.needs, **changed.needs},
        interest=draft.interest,
        leaks=draft.leaks,
    )


def _new_fact(document: Document, passage: Range, clue: Entry) -> Fact | None:
    """The fact that a critic quotes from a passage; None where the quote does not stand there."""
    start, end = passage
    found = ground(Quote(text_of(clue.get("quote"))), Source("passage", document.text[start:end]))
    if found.span is None or found.status == "fuzzy":
        return None
    span = whole_sentences(document.text, document.sentences, start + found.span.start, start + found.span.end)
    same = next((fact for fact in document.reading.facts if fact.spans == (span,)), None)
    if same is not None:
        return same
    name = hashlib.blake2b(f"{span.start}:{span.end}".encode(), digest_size=4).hexdigest()
    gist = cut(text_of(clue.get("gist")), 400) or cut(" ".join(span.quote.split()), 200)
    fact = Fact(f"p{name}", document.source.id, "event", (span,), gist, found_by="critic")
    document.add_fact(fact)
    return fact


def _with_step(draft: Draft, by: str, note: str) -> Draft:
    return replace(draft, steps=(*draft.steps, TrailStep("critic", by, note)))
