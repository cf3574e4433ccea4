"""Step 7, verify: each edge by itself, from the two passages alone; only what is stated or follows bears a trail."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from wildtrace.calls.roles import RoleReply
from wildtrace.construct.account import Asker
from wildtrace.construct.check import faults
from wildtrace.construct.document import Document
from wildtrace.construct.draft import Draft
from wildtrace.construct.prompting import prompt
from wildtrace.construct.replies import read_object, text_of, texts_of
from wildtrace.geometries import geometry_named
from wildtrace.ground.grounding import Quote, Source, ground
from wildtrace.types import ProvedEdge, TrailStep
from wildtrace.vocabulary import EDGE_TYPES, EDGE_VERDICTS

CLAIMS: Final = ("stated", "follows", "hypothetical")
"""The verdicts that need words to support them."""


async def verify(asker: Asker, document: Document, draft: Draft) -> tuple[Draft, str]:
    """The draft with its edges' verdicts, and why it falls; empty where every clue hangs on edges that bear it.

    An edge that does not bear is dropped where the trail is whole without it; one that holds as another type becomes
    that, where the geometry's conditions are met with it.
    """
    prompts = [_prompt(document, edge) for edge in draft.edges]
    replies = await asker.ask_all("verify", "verifier", prompts)
    judged = [_judged(document, edge, reply) for edge, reply in zip(draft.edges, replies, strict=True)]
    geometry = geometry_named(draft.geometry)
    bearing = geometry.bearing if geometry else frozenset()
    whole = [edge for edge, objection in judged if edge.verdict in bearing and not objection]
    objections = [
        f"{edge.from_fact} {edge.type} {edge.to_fact} is {edge.verdict}{f': {objection}' if objection else ''}"
        for edge, objection in judged
        if edge not in whole
    ]
    models = ", ".join(sorted({reply.model for reply in replies}))
    step = TrailStep("verify", f"verifier:{models}", "; ".join(objections) or "every edge bears")
    proved = replace(draft, edges=tuple(whole), steps=(*draft.steps, step))
    retyped = [
        f"{edge.from_fact} {old.type} {edge.to_fact} holds as {edge.type}"
        for old, (edge, _) in zip(draft.edges, judged, strict=True)
        if edge in whole and edge.type != old.type
    ]
    if not (objections or retyped) or not (unmet := faults(proved, document)):
        return proved, ""
    why = "; ".join([*objections, *retyped, *([] if objections else unmet)])
    return replace(proved, edges=tuple(edge for edge, _ in judged)), why


def _prompt(document: Document, edge: ProvedEdge) -> str:
    ends = [document.facts[fact] for fact in (edge.from_fact, edge.to_fact)]
    contexts = [document.text[slice(*document.context(fact.start, fact.end))] for fact in ends]
    return prompt(
        "verify",
        source=document.source.id,
        type=edge.type,
        meaning=EDGE_TYPES.meaning(edge.type),
        **{"from": document.quoted_line(ends[0]), "to": document.quoted_line(ends[1])},
        from_context=contexts[0],
        to_context=contexts[1],
        types=", ".join(EDGE_TYPES),
    )


def _judged(document: Document, edge: ProvedEdge, reply: RoleReply) -> tuple[ProvedEdge, str]:
    """The edge with its verdict, and what the verifier objects to it."""
    found = read_object(reply.text)
    verdict = EDGE_VERDICTS.read(text_of(found.get("verdict"))) or "plausible"
    quotes = texts_of(found.get("quotes"))
    objection = text_of(found.get("why"))
    better = EDGE_TYPES.read(text_of(found.get("type")))
    if found.get("reversed") is True:
        return replace(edge, verdict="wrong", quotes=quotes), f"it runs the other way. {objection}"
    if verdict not in CLAIMS and better and better != edge.type:
        return replace(edge, verdict="wrong", quotes=quotes), f"{better} would hold. {objection}"
    edge = replace(edge, type=better or edge.type)
    if verdict not in CLAIMS:
        return replace(edge, verdict=verdict, quotes=quotes), objection or "the passages do not bear it"
    if not _stand(document, edge, quotes):
        return replace(edge, verdict="plausible"), "the words that should support it do not stand in the passages"
    return replace(edge, verdict=verdict, quotes=quotes), ""


def _stand(document: Document, edge: ProvedEdge, quotes: Sequence[str]) -> bool:
    """Whether the verifier's quotes stand in the passages that it was shown, one for each end."""
    ranges = [
        document.context(fact.start, fact.end)
        for fact in (document.facts[edge.from_fact], document.facts[edge.to_fact])
    ]
    shown = Source("passages", "\n".join(document.text[start:end] for start, end in ranges))
    statuses = [ground(Quote(quote), shown).status for quote in quotes]
    return len(quotes) >= 2 and all(status in ("exact", "normalised", "ambiguous") for status in statuses)
