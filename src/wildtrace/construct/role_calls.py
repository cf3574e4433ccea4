"""What the construction roles add: records of the extractor, edges of the linker, the verifier's word on edges."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import Any, Final, Protocol

from wildtrace.calls.progress import Progress
from wildtrace.construct.asking import Call, Said
from wildtrace.construct.extract.room import without
from wildtrace.construct.induction import Sent
from wildtrace.construct.joining import BY_MODEL, bounded, fitting, join, making_room
from wildtrace.construct.link.blocks import blocks
from wildtrace.construct.link.board import LONGEST_BASIS, surest
from wildtrace.construct.link.graph import link
from wildtrace.construct.mine import Mined, mine
from wildtrace.construct.role_prompts import extractor_prompt, linker_prompt, prose, verifier_prompt
from wildtrace.construct.roles import (
    EDGES_A_PAIR,
    Entries,
    WindowReader,
    entries,
    take_edges,
    verdict,
)
from wildtrace.text.counting import counted
from wildtrace.types import Edge, EvidenceGraph, Matter, Record, Source, Window

_SHOWN: Final = 80
ROUNDS: Final = 8
"""So often is the verifier asked about what trails use in place of what it rejected."""
IMPLICIT: Final = ("rule:explanations", "rule:branches", "rule:outcomes", "rule:parallels")


class Roles(Protocol):
    """The roles as a flow asks them: for real, or to see what would be asked."""

    def asks(self, role: str) -> bool:
        """Whether a role has an endpoint."""
        ...

    def ask(self, role: str, calls: Sequence[Call], progress: Progress, title: str) -> list[list[Said]]:
        """The replies to every call of a role about the source of that title, in order."""
        ...


@dataclass(frozen=True, slots=True)
class ByRules:
    """What the rules made of a source: its text, windows and matter, what reading knew, its records.

    `entities` stand in no window; `by_window` are the records of each window, in order.
    """

    text: str
    windows: Sequence[Window]
    matter: Sequence[Matter]
    known: Sent
    entities: Sequence[Record]
    by_window: Sequence[Sequence[Record]]

    @property
    def records(self) -> list[Record]:
        """All records, the entities first."""
        return [*self.entities, *chain.from_iterable(self.by_window)]


@dataclass(slots=True)
class Heard:
    """How many calls of a role were answered, and to how many of them an answer could be used."""

    calls: int = 0
    used: int = 0

    def add(self, calls: int, used: int) -> None:
        """Count some more."""
        self.calls += calls
        self.used += used


@dataclass(frozen=True, slots=True)
class Inquiry:
    """Asking the roles about one source, and how each answered."""

    roles: Roles
    source: Source
    text: str
    progress: Progress
    heard: defaultdict[str, Heard] = field(default_factory=lambda: defaultdict(Heard))

    def ask(self, role: str, calls: Sequence[Call], which: str = "") -> list[list[Said]]:
        """The replies to every call of a role, in order; `which` tells apart what one role is asked of one source."""
        return self.roles.ask(role, calls, self.progress, self.source.title + which)


@dataclass(frozen=True, slots=True)
class Built:
    """A source's graph; `own` are its records that stand in no window's, `review` what a person must look at.

    `by_window` are the rules' records of each window, without those that made room for the extractor's; `left_out`
    counts the records of the extractor that the bound on volume had no room for; `heard` is how each role answered;
    `mined` is what was mined of the graph, if that was.
    """

    graph: EvidenceGraph
    own: Sequence[Record]
    by_window: Sequence[Sequence[Record]]
    review: Sequence[Mapping[str, Any]] = ()
    left_out: int = 0
    heard: Mapping[str, Heard] = field(default_factory=dict)
    mined: Mined | None = None


def without_roles(source: Source, rules: ByRules) -> Built:
    """The graph by rules alone."""
    return Built(link(source.id, len(rules.text), rules.records), rules.entities, rules.by_window)


def with_roles(roles: Roles, source: Source, rules: ByRules, progress: Progress) -> Built:
    """The graph with the extractor's records, the linker's edges and the verifier's word on what trails would use."""
    inquiry = Inquiry(roles, source, rules.text, progress)
    extracted = extract_by_model(inquiry, rules)
    known, chars = rules.records, len(rules.text)
    found = fitting(known, extracted.records, chars)
    gone = making_room(known, found, chars, chinese=rules.known.known.manner.chinese)
    left = replace(rules, by_window=[without(records, gone) for records in rules.by_window])
    ids = {record.id for record in known}
    own = [*rules.entities, *(record for record in found if record.id not in ids)]
    graph = join(without_roles(source, left).graph, found)
    proposed = link_by_model(inquiry, graph)
    graph = bounded(replace(graph, edges=tuple(surest((*graph.edges, *proposed)).values())))
    checked, mined = _verified(inquiry, graph)
    left_out = len(extracted.records) - len(found)
    return Built(checked, own, left.by_window, extracted.review, left_out, inquiry.heard, mined)


def _verified(inquiry: Inquiry, graph: EvidenceGraph) -> tuple[EvidenceGraph, Mined | None]:
    """The graph with the verifier's word on every unproven edge that its trails use, and what was mined of it.

    What is rejected makes way for other trails, whose edges are asked about in turn. A model's edges that no trail uses
    wait for review, after the last round a rule's too: no trail uses what nobody was asked about.
    """
    unasked = {edge.id for edge in graph.edges if is_unproven(edge)}
    if not unasked or not inquiry.roles.asks("verifier"):
        return _waiting(graph, unasked, for_review), None
    for number in range(ROUNDS + 1):
        mined = mine(graph)
        used = unasked & _edges_of(mined)
        if not used and any(edge.provenance.startswith(BY_MODEL) for edge in graph.edges if edge.id in unasked):
            graph = _waiting(graph, unasked, for_review)
            unasked -= {edge.id for edge in graph.edges if edge.provenance.startswith(BY_MODEL)}
            mined = mine(graph)
            used = unasked & _edges_of(mined)
        if not used:
            return graph, mined
        if number < ROUNDS:
            graph = _with_word(inquiry, graph, used, "edges that trails use" + (" instead" if number else ""))
            unasked -= used
    inquiry.progress.say(f"verifier: what trails use after {ROUNDS} rounds, unasked, waits for review with its like")
    return _waiting(graph, unasked, lambda edge: edge._replace(status="review")), None


def _edges_of(mined: Mined) -> set[str]:
    return {edge_id for trail in mined.trails for edge_id in trail.edges}


def _waiting(graph: EvidenceGraph, unasked: Set[str], how: Callable[[Edge], Edge]) -> EvidenceGraph:
    return replace(graph, edges=tuple(how(edge) if edge.id in unasked else edge for edge in graph.edges))


def _with_word(inquiry: Inquiry, graph: EvidenceGraph, asked: Set[str], which: str) -> EvidenceGraph:
    """The graph with the verifier's word on these edges, each in its place."""
    checked = verify_by_model(inquiry, graph, [edge for edge in graph.edges if edge.id in asked], which)
    word = {edge.id: edge for edge in checked}
    kept = (word.get(edge.id) if edge.id in asked else edge for edge in graph.edges)
    return replace(graph, edges=tuple(edge for edge in kept if edge is not None))


@dataclass(frozen=True, slots=True)
class Extracted:
    """What the extractor added to a source, and the entries that a person must look at."""

    records: tuple[Record, ...] = ()
    review: tuple[Mapping[str, Any], ...] = ()


def extractor_calls(
    source: Source, text: str, windows: Sequence[Window], matter: Sequence[Matter]
) -> list[tuple[Window, Call]]:
    """A call for every window that is not all front and back matter."""
    return [
        (window, Call(extractor_prompt(source, window, text, matter), _whole_records))
        for window in windows
        if prose(window, text, matter).strip()
    ]


def extract_by_model(inquiry: Inquiry, rules: ByRules) -> Extracted:
    """What the extractor adds, each record grounded in its window; nothing where no extractor is configured."""
    source = inquiry.source
    if not inquiry.roles.asks("extractor"):
        return Extracted()
    asked = extractor_calls(source, rules.text, rules.windows, rules.matter)
    found: dict[str, Record] = {}
    review: list[Mapping[str, Any]] = []
    refused: Counter[str] = Counter()
    used = 0
    replies_of = inquiry.ask("extractor", [call for _, call in asked])
    for (window, _), replies in zip(asked, replies_of, strict=True):
        reader = WindowReader(source, window, rules.text, rules.known.known, rules.matter)
        useful = False
        for said in replies:
            read = entries(said.text, "records", cut=said.cut)
            taken = reader.take(read.found, f"{BY_MODEL}{said.model}")
            useful |= _is_useful(read, bool(taken.records or taken.review))
            for record in taken.records:
                found.setdefault(record.id, record)
            review += taken.review
            refused.update(taken.refused)
        used += useful
    inquiry.heard["extractor"].add(len(asked), used)
    told = f"extractor: records taken {len(found)}, {_told(refused)}, for review {len(review)}"
    inquiry.progress.say(told + _never_whole([call for _, call in asked], replies_of))
    return Extracted(tuple(found.values()), tuple(review))


def _is_useful(read: Entries, something: bool) -> bool:
    """Whether a reply could be used: something of it was taken, or it says in the asked form that there is nothing."""
    return something or (read.whole and not read.found)


def _never_whole(calls: Sequence[Call], replies_of: Sequence[Sequence[Said]]) -> str:
    """How many calls got no whole reply, however often they were asked, and the beginning of one of their replies."""
    lost = [
        replies[-1].text
        for call, replies in zip(calls, replies_of, strict=True)
        if replies and not any(said.refused or call.whole(said.text, said.cut) for said in replies)
    ]
    if not lost:
        return ""
    return f"; {len(lost)} of {counted(len(calls), 'call')} got no whole reply, for instance {lost[0][:_SHOWN]!r}"


def _told(refused: Counter[str]) -> str:
    """How many entries were refused and, of the commonest reasons, why."""
    reasons = "; ".join(f"{reason}: {count}" for reason, count in refused.most_common(3))
    return f"refused {refused.total()}" + (f" ({reasons})" if reasons else "")


def _whole_records(reply: str, cut: bool) -> bool:
    return entries(reply, "records", cut=cut).whole


def _whole_edges(reply: str, cut: bool) -> bool:
    return entries(reply, "edges", cut=cut).whole


def is_unproven(edge: Edge) -> bool:
    """Whether a verifier should speak on an edge: an implicit one of the rules, or one that a model stated."""
    return edge.provenance in IMPLICIT or edge.provenance.startswith(BY_MODEL)


def for_review(edge: Edge) -> Edge:
    """An edge that no verifier spoke on: one that a model stated waits for a reviewer, a rule's stands."""
    return edge._replace(status="review") if edge.provenance.startswith(BY_MODEL) else edge


def link_by_model(inquiry: Inquiry, graph: EvidenceGraph) -> list[Edge]:
    """The edges that the linker proposes among blocked pairs, as the verifier leaves them; for review without one."""
    source = inquiry.source
    if not inquiry.roles.asks("linker"):
        return []
    asked = list(blocks(graph))
    calls = [
        Call(linker_prompt(source, records, pairs), _whole_edges, len(pairs) * EDGES_A_PAIR) for records, pairs in asked
    ]
    found: dict[str, Edge] = {}
    refused: Counter[str] = Counter()
    used = 0
    replies_of = inquiry.ask("linker", calls)
    for (_, pairs), replies in zip(asked, replies_of, strict=True):
        useful = False
        for said in replies:
            read = entries(said.text, "edges", cut=said.cut)
            taken = take_edges(source, graph, pairs, read.found, f"linker:{said.model}")
            useful |= _is_useful(read, bool(taken.edges))
            for edge in taken.edges:
                found.setdefault(edge.id, edge)
            refused.update(taken.refused)
        used += useful
    inquiry.heard["linker"].add(len(asked), used)
    inquiry.progress.say(f"linker: edges proposed {len(found)}, {_told(refused)}{_never_whole(calls, replies_of)}")
    return verify_by_model(inquiry, graph, list(found.values()), "proposed edges")


def verify_by_model(inquiry: Inquiry, graph: EvidenceGraph, edges: Sequence[Edge], which: str) -> list[Edge]:
    """These edges with the verifier's word on each: kept, for review, or left out; as they are where none is asked."""
    if not inquiry.roles.asks("verifier") or not edges:
        return [for_review(edge) for edge in edges]
    source, text = inquiry.source, inquiry.text
    by_id = {record.id: record for record in graph.records}
    ends = [(by_id[edge.head], by_id[edge.tail]) for edge in edges]
    calls = [
        Call(verifier_prompt(source, text, edge, head, tail), _usable(text, head, tail))
        for edge, (head, tail) in zip(edges, ends, strict=True)
    ]
    replies_of = inquiry.ask("verifier", calls, f", {which}")
    checked = [_judged(edge, replies, text, *both) for edge, both, replies in zip(edges, ends, replies_of, strict=True)]
    used = (
        any(call.whole(said.text, said.cut) for said in said_of)
        for call, said_of in zip(calls, replies_of, strict=True)
    )
    inquiry.heard["verifier"].add(len(calls), sum(used))
    counts = Counter("rejected" if edge is None else edge.status for edge in checked)
    said = f"verifier: edges kept {counts['kept']}, for review {counts['review']}, rejected {counts['rejected']}"
    inquiry.progress.say(said + _never_whole(calls, replies_of))
    return [edge for edge in checked if edge is not None]


def _judged(edge: Edge, replies: Sequence[Said], text: str, head: Record, tail: Record) -> Edge | None:
    """An edge as the last reply leaves it; None where it is rejected. Without a usable one it waits for review.

    Without any reply, as where only a plan is made, nothing is known of it.
    """
    if not replies:
        return edge
    word = verdict(replies[-1].text, text, head, tail, cut=replies[-1].cut)
    if word is None or word[0] is None:
        return edge._replace(status="review")
    if not word[0]:
        return None
    provenance = f"{edge.provenance}, verifier:{replies[-1].model}"
    return edge._replace(status="kept", basis=word[1][:LONGEST_BASIS], provenance=provenance)


def _usable(text: str, head: Record, tail: Record) -> Callable[[str, bool], bool]:
    return lambda reply, cut: verdict(reply, text, head, tail, cut=cut) is not None
