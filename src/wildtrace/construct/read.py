"""Step 1, read: piece after piece with a memory, into facts, cast, links and open items, each grounded in the text.

A reply is checked entry by entry. What stands nowhere in the piece, names an id that nobody gave, or repeats one, is
refused and counted; what is certain stays. The program gives the ids: f3.2 is the second fact of the third piece.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

from wildtrace.calls.roles import RoleReply
from wildtrace.construct.account import Asker
from wildtrace.construct.memory import Memory
from wildtrace.construct.pieces import Piece
from wildtrace.construct.prompting import cut, prompt
from wildtrace.construct.replies import Entry, entries, read_object, text_of, texts_of
from wildtrace.ground.grounding import Quote, ground_all
from wildtrace.ground.grounding import Source as Ground
from wildtrace.text.script import is_cjk
from wildtrace.types import CastMember, Fact, Link, OpenItem, Source, Span
from wildtrace.vocabulary import CLOSINGS, EDGE_TYPES, FACT_KINDS, FACT_STATUSES

LONGEST_QUOTE: Final = 1500
"""A longer quote is a passage, not a fact."""
MOST_A_PIECE: Final = 200
"""So many of the newest facts are looked through for what the lead of a piece repeats."""
LONG_SENTENCE: Final = 500
"""A longer sentence may be quoted by its clauses."""
LONGEST_GIST: Final = 600
FACTS_EACH_10K: Final = {False: 23, True: 40}
"""Facts to note in 10,000 code points, by whether the text is Chinese: 23 English ones held 22 of 27 clues of readers'
trails, 13 Chinese ones only 17 of 53 (a Chinese character says about as much as two or three English letters)."""
_CLAUSE_ENDS: Final = ";；。！？!?"


async def read_chain(
    asker: Asker, source: Source, text: str, pieces: Sequence[Piece], sentences: Sequence[tuple[int, int]]
) -> Memory:
    """Read the pieces of one chain in order, each with what the ones before it left in memory."""
    memory = Memory()
    for piece in pieces:
        reply = await asker.ask("read", "reader", read_prompt(source, text, piece, memory))
        note(reply, source, text, piece, sentences, memory)
    return memory


def read_prompt(source: Source, text: str, piece: Piece, memory: Memory) -> str:
    """The prompt for a piece."""
    stretch = text[piece.lead : piece.end]
    cast = memory.cast_for(stretch)
    opens = memory.opens_for(stretch, cast)
    earlier = memory.facts_for(stretch, cast, opens)
    chars = max(len(text), 1)
    density = FACTS_EACH_10K[is_cjk(stretch)] * len(stretch) / 10_000
    return prompt(
        "read",
        source=source.id,
        cast=_lines(f"{each.id}: {' / '.join(each.names)} | {cut(each.gist, 120)}" for each in cast),
        opens=_lines(f"{each.id} | {each.fact} | {cut(each.gist, 200)}" for each in opens),
        earlier=_lines(f"{each.id} | {100 * each.start / chars:.1f}% | {cut(each.gist, 240)}" for each in earlier),
        offset=str(piece.lead),
        lead=str(piece.start - piece.lead),
        total=str(len(text)),
        text=stretch,
        density=str(max(5, round(density))),
        types=", ".join(EDGE_TYPES),
    )


def _lines(lines: Any) -> str:
    return "\n".join(lines) or "(none)"


def note(
    reply: RoleReply,
    source: Source,
    text: str,
    piece: Piece,
    sentences: Sequence[tuple[int, int]],
    memory: Memory,
) -> None:
    """Take what a reply makes certain into memory."""
    found = read_object(reply.text)
    notes = _Notes(source, text, piece, sentences, memory, f"reader:{reply.model}")
    notes.cast(entries(found.get("cast")))
    notes.facts(entries(found.get("facts")))
    notes.links(entries(found.get("links")))
    notes.opens(entries(found.get("opens")))
    notes.closes(entries(found.get("closes")))
    summary = text_of(found.get("summary"))
    if summary:
        memory.summaries.append((piece.start, piece.end, cut(summary, LONGEST_GIST)))
    if not found:
        memory.refused["a reply without a JSON object"] += 1


class _Notes:
    """One reply on its way into memory; `_ids` are the reply's own ids, which hold inside it alone."""

    def __init__(
        self,
        source: Source,
        text: str,
        piece: Piece,
        sentences: Sequence[tuple[int, int]],
        memory: Memory,
        found_by: str,
    ) -> None:
        self._source, self._text, self._piece, self._memory = source, text, piece, memory
        self._sentences, self._found_by = sentences, found_by
        self._ids: dict[str, str] = {}

    def cast(self, found: Sequence[Entry]) -> None:
        """New members, and more names of earlier ones; who is named as exactly one earlier member is that one."""
        new = 0
        for entry in found:
            own, names = text_of(entry.get("id")), texts_of(entry.get("names"))
            stretch = self._text[self._piece.lead : self._piece.end]
            known = own if own in self._memory.cast else None
            known = known or next((at for at in map(self._memory.member_named, names) if at is not None), None)
            if not names and known is None:
                self._memory.refused["a cast member without a name"] += 1
                continue
            if own in self._ids:
                self._memory.refused["an id twice in a reply"] += 1
                continue
            if known is None:
                new += 1
                known = f"c{self._piece.number}.{new}"
                member = CastMember(known, self._source.id, ())
            else:
                member = self._memory.cast[known]
            self._ids[own] = known
            quotes = [*member.quotes]
            for name in names:
                at = stretch.find(name)
                if at >= 0 and sum(quote.quote == name for quote in quotes) < 2:
                    start = self._piece.lead + at
                    quotes.append(Span(start, start + len(name), name))
            self._memory.add_member(
                replace(
                    member,
                    names=tuple(dict.fromkeys((*member.names, *names))),
                    kind=member.kind or text_of(entry.get("kind")),
                    gist=cut("; ".join(dict.fromkeys(filter(None, (member.gist, text_of(entry.get("gist")))))), 300),
                    quotes=tuple(quotes),
                )
            )

    def facts(self, found: Sequence[Entry]) -> None:
        """The facts whose every quote stands in the piece."""
        parts = [_quote_parts(entry.get("quote")) for entry in found]
        window = Ground(self._source.id, self._text[self._piece.lead : self._piece.end])
        grounded = iter(ground_all([Quote(part) for each in parts for part in each], window))
        seen: set[tuple[tuple[Span, ...], str]] = set()
        before = {fact.spans for fact in self._memory.facts[-MOST_A_PIECE:]}
        number = 0
        for entry, each in zip(found, parts, strict=True):
            groundings = [next(grounded) for _ in each]
            spans = [self._span(grounding) for grounding in groundings]
            gist, own = cut(text_of(entry.get("gist")), LONGEST_GIST), text_of(entry.get("id"))
            whole = tuple(sorted({span for span in spans if span is not None}, key=lambda span: span.start))
            repeated = (whole, gist) in seen or (whole in before and whole[-1].end <= self._piece.start)
            why = self._fault(own, gist, spans, repeated)
            if why:
                self._memory.refused[why] += 1
                continue
            seen.add((whole, gist))
            number += 1
            fact = self._fact(f"f{self._piece.number}.{number}", entry, whole, gist)
            if own:
                self._ids[own] = fact.id
            self._memory.add_fact(fact)
            for member in fact.who:
                known = self._memory.cast[member]
                self._memory.cast[member] = replace(known, facts=(*known.facts, fact.id))

    def _fault(self, own: str, gist: str, spans: Sequence[Span | None], repeated: bool) -> str:
        """Why a fact is refused; empty where it is not."""
        if not spans or any(span is None for span in spans):
            return "a quote that stands nowhere in the piece"
        if not gist:
            return "a fact without a gist"
        if own and own in self._ids:
            return "an id twice in a reply"
        if sum(len(span.quote) for span in spans if span) > LONGEST_QUOTE:
            return "a quote that is too long"
        return "the same fact twice" if repeated else ""

    def _fact(self, fact_id: str, entry: Entry, spans: tuple[Span, ...], gist: str) -> Fact:
        who = dict.fromkeys(filter(None, map(self._member, texts_of(entry.get("who")))))
        return Fact(
            fact_id,
            self._source.id,
            FACT_KINDS.read(text_of(entry.get("kind"))) or "event",
            spans,
            gist,
            inferred=cut(text_of(entry.get("inferred")), LONGEST_GIST),
            who=tuple(who),
            when=cut(text_of(entry.get("when")), 120),
            status=FACT_STATUSES.read(text_of(entry.get("status"))) or "asserted",
            level=cut(text_of(entry.get("level")), 120),
            found_by=self._found_by,
        )

    def _member(self, name: str) -> str | None:
        own = self._ids.get(name, name)
        return own if own in self._memory.cast else self._memory.member_named(name)

    def _span(self, grounding: Any) -> Span | None:
        """Where a quote stands, widened to whole sentences; a quote that stands twice is taken at its first place."""
        if grounding.status in ("exact", "normalised"):
            start, end = grounding.span.start, grounding.span.end
        elif grounding.status == "ambiguous" and grounding.candidates[0].score == 1:
            start, end = grounding.candidates[0].start, grounding.candidates[0].end
        else:
            return None
        offset = self._piece.lead
        return whole_sentences(self._text, self._sentences, offset + start, offset + end)

    def links(self, found: Sequence[Entry]) -> None:
        """The relations between facts that are there; `restates` is noted as the same claim."""
        number = 0
        for entry in found:
            one, other = (self._fact_id(entry.get(side)) for side in ("from", "to"))
            kind = text_of(entry.get("type"))
            if one is None or other is None or one == other:
                self._memory.refused["a link with an unknown end"] += 1
            elif kind == "restates":
                self._memory.same.append((one, other))
            elif (kind := EDGE_TYPES.read(kind) or "") == "":
                self._memory.refused["a link of an unknown type"] += 1
            else:
                number += 1
                self._memory.links.append(
                    Link(
                        f"l{self._piece.number}.{number}",
                        self._source.id,
                        one,
                        other,
                        kind,
                        cut(text_of(entry.get("why")), 200),
                        self._found_by,
                    )
                )

    def opens(self, found: Sequence[Entry]) -> None:
        """The open items whose fact is there."""
        number = 0
        for entry in found:
            fact, gist, own = self._fact_id(entry.get("fact")), text_of(entry.get("gist")), text_of(entry.get("id"))
            if fact is None or not gist or own in self._ids:
                self._memory.refused["an open item without a fact, or with an id twice"] += 1
                continue
            number += 1
            item = OpenItem(f"o{self._piece.number}.{number}", self._source.id, fact, cut(gist, 300))
            if own:
                self._ids[own] = item.id
            self._memory.opens[item.id] = item

    def closes(self, found: Sequence[Entry]) -> None:
        """What answers an open item; one that is answered wholly is shown no more."""
        for entry in found:
            name, fact = text_of(entry.get("open")), self._fact_id(entry.get("fact"))
            how = CLOSINGS.read(text_of(entry.get("how")))
            item = self._memory.opens.get(self._ids.get(name, name))
            earlier = item.fact if item is not None else self._fact_id(name)
            if fact is None or earlier is None or how is None or fact == earlier:
                self._memory.refused["a close of an unknown item, or by an unknown fact"] += 1
            elif how == "same_claim":
                self._memory.same.append((earlier, fact))
            elif item is not None:
                self._memory.opens[item.id] = replace(item, closed_by=(*item.closed_by, (fact, how)))
                if how != "mentions_again" and entry.get("partly") is not True:
                    self._memory.retired.add(item.id)

    def _fact_id(self, value: Any) -> str | None:
        name = text_of(value)
        own = self._ids.get(name, name)
        return own if own in self._memory.by_id else None


def _quote_parts(value: Any) -> tuple[str, ...]:
    """The quotes of a fact: those of a list, or of one text the stretches that an ellipsis parts."""
    if isinstance(value, str):
        return (value.strip(),) if value.strip() else ()
    return (
        tuple(part.strip() for part in value if isinstance(part, str) and part.strip())
        if isinstance(value, list)
        else ()
    )


def whole_sentences(text: str, sentences: Sequence[tuple[int, int]], start: int, end: int) -> Span:
    """A range widened to the sentences it touches; in a very long sentence to the clauses it touches."""
    first = bisect_right(sentences, (start, len(text) + 1)) - 1
    last = bisect_left(sentences, (end, 0)) - 1
    if first >= 0 and sentences[first][0] <= start < sentences[first][1]:
        start = _widened(text, sentences[first], start, backwards=True)
    if last >= 0 and sentences[last][0] < end <= sentences[last][1]:
        end = _widened(text, sentences[last], end, backwards=False)
    return Span(start, end, text[start:end])


def _widened(text: str, sentence: tuple[int, int], at: int, *, backwards: bool) -> int:
    """The end of the sentence on that side, or of the clause where the sentence is very long."""
    first, last = sentence
    if last - first <= LONG_SENTENCE:
        return first if backwards else last
    if backwards:
        cut_at = max((text.rfind(mark, first, at) for mark in _CLAUSE_ENDS), default=-1)
        opening = cut_at + 1 if cut_at >= 0 else first
        return opening + (len(text[opening:at]) - len(text[opening:at].lstrip()))
    if text[at - 1] in _CLAUSE_ENDS:
        return at
    ends = [place for mark in _CLAUSE_ENDS if (place := text.find(mark, at, last)) >= 0]
    return min(ends) + 1 if ends else last
