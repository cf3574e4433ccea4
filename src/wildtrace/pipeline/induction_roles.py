"""What the construction roles add: records of the extractor, edges of the linker, the verifier's word on edges."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, Protocol

from wildtrace.build.induction import Sent
from wildtrace.build.joining import BY_MODEL, bounded, fitting, join
from wildtrace.build.link.blocks import blocks
from wildtrace.build.link.board import LONGEST_BASIS, surest
from wildtrace.build.link.graph import link
from wildtrace.build.mine import mine
from wildtrace.build.role_prompts import extractor_prompt, linker_prompt, prose, verifier_prompt
from wildtrace.build.roles import (
    EDGES_A_PAIR,
    WindowReader,
    entries,
    take_edges,
    verdict,
)
from wildtrace.pipeline.asking import Call, Said
from wildtrace.pipeline.progress import Progress
from wildtrace.text.counting import counted
from wildtrace.types import Edge, EvidenceGraph, Matter, Record, Source, Window

_SHOWN: Final = 80
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
    """What the rules made of a source: its text, windows and matter, what reading knew, entity and window records."""

    text: str
    windows: Sequence[Window]
    matter: Sequence[Matter]
    known: Sent
    entities: Sequence[Record]
    records: Sequence[Record]


@dataclass(frozen=True, slots=True)
class Built:
    """A source's graph; `own` are its records that stand in no window's, `review` what a person must look at.

    `left_out` counts the records of the extractor that the bound on volume had no room for.
    """

    graph: EvidenceGraph
    own: Sequence[Record]
    review: Sequence[Mapping[str, Any]] = ()
    left_out: int = 0


def without_roles(source: Source, rules: ByRules) -> Built:
    """The graph by rules alone."""
    return Built(link(source.id, len(rules.text), [*rules.entities, *rules.records]), rules.entities)


def with_roles(roles: Roles, source: Source, rules: ByRules, progress: Progress) -> Built:
    """The graph with the extractor's records, the linker's edges and the verifier's word on what trails would use."""
    extracted = extract_by_model(roles, source, rules, progress)
    known = [*rules.entities, *rules.records]
    found = fitting(known, extracted.records, len(rules.text))
    ids = {record.id for record in known}
    own = [*rules.entities, *(record for record in found if record.id not in ids)]
    graph = join(without_roles(source, rules).graph, found)
    proposed = link_by_model(roles, source, rules.text, graph, progress)
    graph = bounded(replace(graph, edges=tuple(surest((*graph.edges, *proposed)).values())))
    checked = _verified(roles, source, rules.text, graph, progress)
    return Built(checked, own, extracted.review, len(extracted.records) - len(found))


def _verified(roles: Roles, source: Source, text: str, graph: EvidenceGraph, progress: Progress) -> EvidenceGraph:
    """The graph with the verifier's word on the unproven edges that a trail would use; a model's others wait."""
    unproven = {edge.id for edge in graph.edges if is_unproven(edge)}
    used: set[str] = set()
    if unproven and roles.asks("verifier"):
        used = unproven & {edge_id for trail in mine(graph).trails for edge_id in trail.edges}
    asked = [edge for edge in graph.edges if edge.id in used]
    checked = verify_by_model(roles, source, text, graph, asked, progress, "edges that trails use")
    others = (for_review(edge) if edge.id in unproven else edge for edge in graph.edges if edge.id not in used)
    return replace(graph, edges=(*others, *checked))


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


def extract_by_model(roles: Roles, source: Source, rules: ByRules, progress: Progress) -> Extracted:
    """What the extractor adds, each record grounded in its window; nothing where no extractor is configured."""
    if not roles.asks("extractor"):
        return Extracted()
    asked = extractor_calls(source, rules.text, rules.windows, rules.matter)
    found: dict[str, Record] = {}
    review: list[Mapping[str, Any]] = []
    refused: Counter[str] = Counter()
    replies_of = roles.ask("extractor", [call for _, call in asked], progress, source.title)
    for (window, _), replies in zip(asked, replies_of, strict=True):
        reader = WindowReader(source, window, rules.text, rules.known.known, rules.matter)
        for said in replies:
            taken = reader.take(entries(said.text, "records", cut=said.cut).found, f"{BY_MODEL}{said.model}")
            for record in taken.records:
                found.setdefault(record.id, record)
            review += taken.review
            refused.update(taken.refused)
    told = f"extractor: records taken {len(found)}, {_told(refused)}, for review {len(review)}"
    progress.say(told + _never_whole([call for _, call in asked], replies_of))
    return Extracted(tuple(found.values()), tuple(review))


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


def link_by_model(roles: Roles, source: Source, text: str, graph: EvidenceGraph, progress: Progress) -> list[Edge]:
    """The edges that the linker proposes among blocked pairs, as the verifier leaves them; for review without one."""
    if not roles.asks("linker"):
        return []
    asked = list(blocks(graph))
    calls = [
        Call(linker_prompt(source, records, pairs), _whole_edges, len(pairs) * EDGES_A_PAIR) for records, pairs in asked
    ]
    found: dict[str, Edge] = {}
    refused: Counter[str] = Counter()
    replies_of = roles.ask("linker", calls, progress, source.title)
    for (_, pairs), replies in zip(asked, replies_of, strict=True):
        for said in replies:
            taken = take_edges(
                source, graph, pairs, entries(said.text, "edges", cut=said.cut).found, f"linker:{said.model}"
            )
            for edge in taken.edges:
                found.setdefault(edge.id, edge)
            refused.update(taken.refused)
    progress.say(f"linker: edges proposed {len(found)}, {_told(refused)}{_never_whole(calls, replies_of)}")
    return verify_by_model(roles, source, text, graph, list(found.values()), progress, "proposed edges")


def verify_by_model(
    roles: Roles, source: Source, text: str, graph: EvidenceGraph, edges: Sequence[Edge], progress: Progress, which: str
) -> list[Edge]:
    """These edges with the verifier's word on each: kept, for review, or left out; as they are where none is asked."""
    if not roles.asks("verifier") or not edges:
        return [for_review(edge) for edge in edges]
    by_id = {record.id: record for record in graph.records}
    ends = [(by_id[edge.head], by_id[edge.tail]) for edge in edges]
    calls = [
        Call(verifier_prompt(source, text, edge, head, tail), _usable(text, head, tail))
        for edge, (head, tail) in zip(edges, ends, strict=True)
    ]
    replies_of = roles.ask("verifier", calls, progress, f"{source.title}, {which}")
    checked = [_judged(edge, replies, text, *both) for edge, both, replies in zip(edges, ends, replies_of, strict=True)]
    counts = Counter("rejected" if edge is None else edge.status for edge in checked)
    said = f"verifier: edges kept {counts['kept']}, for review {counts['review']}, rejected {counts['rejected']}"
    progress.say(said + _never_whole(calls, replies_of))
    return [edge for edge in checked if edge is not None]


def _judged(edge: Edge, replies: Sequence[Said], text: str, head: Record, tail: Record) -> Edge | None:
    """An edge as the last reply leaves it; None where it is rejected. Without a usable reply it waits for review."""
    word = verdict(replies[-1].text, text, head, tail, cut=replies[-1].cut) if replies else None
    if word is None or word[0] is None:
        return edge._replace(status="review")
    if not word[0]:
        return None
    provenance = f"{edge.provenance}, verifier:{replies[-1].model}"
    return edge._replace(status="kept", basis=word[1][:LONGEST_BASIS], provenance=provenance)


def _usable(text: str, head: Record, tail: Record) -> Callable[[str, bool], bool]:
    return lambda reply, cut: verdict(reply, text, head, tail, cut=cut) is not None
