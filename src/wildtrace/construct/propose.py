"""Step 5, propose: seeds with their neighbourhood and the map go to the proposer, trails come back as drafts.

One prompt after the other, each with the answers of those before, so that no answer is proposed twice (sources run side
by side). A proposer may ask once to read passages before it commits.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Final

from wildtrace import geometries
from wildtrace.calls.roles import RoleReply
from wildtrace.construct.account import Asker
from wildtrace.construct.document import Document
from wildtrace.construct.document_map import DocumentMap, link_lines
from wildtrace.construct.draft import Draft, read_draft
from wildtrace.construct.prompting import cut, prompt
from wildtrace.construct.replies import entries, read_object, texts_of
from wildtrace.construct.seeds import Seed
from wildtrace.geometries import all_definitions
from wildtrace.types import Fact, TrailStep
from wildtrace.vocabulary import EDGE_TYPES

CHARS_A_PROMPT: Final = 25_000
"""One prompt for so many code points, where there are seeds for it: the trials found a trail in 10,000 to 15,000."""
SEEDS_EACH: Final = 6
FACTS_EACH: Final = 80
TRAILS_EACH: Final = 8
OPENED_EACH: Final = 20
ANSWERS_SHOWN: Final = 60
REVISED_EACH: Final = 10
LONGEST_SHOWN_QUOTE: Final = 400
LONGEST_SHOWN_INFERENCE: Final = 200
FEWEST_FACTS: Final = 3


async def propose(asker: Asker, document: Document, map_: DocumentMap, seeds: Sequence[Seed]) -> list[Draft]:
    """All drafts that the proposer gives, each once."""
    if len(document.reading.facts) < FEWEST_FACTS:
        return []
    wanted = math.ceil(len(document.text) / CHARS_A_PROMPT)
    count = max(1, min(wanted, math.ceil(len(seeds) / SEEDS_EACH)))
    groups = [seeds[start : start + SEEDS_EACH] for start in range(0, count * SEEDS_EACH, SEEDS_EACH)]
    drafts: dict[object, Draft] = {}
    for group in groups:
        answers = [draft.answer for draft in drafts.values()]
        for draft in await _propose(asker, document, map_, group, answers):
            drafts.setdefault((draft.key, draft.answer), draft)
    return list(drafts.values())


async def _propose(
    asker: Asker, document: Document, map_: DocumentMap, seeds: Sequence[Seed], answers: Sequence[str]
) -> list[Draft]:
    asked = _prompt(document, map_, seeds, answers)
    reply = await asker.ask("propose", "proposer", asked)
    found = read_object(reply.text)
    opened = [fact for fact in texts_of(found.get("open")) if fact in document.facts][:OPENED_EACH]
    if opened and not entries(found.get("trails")):
        passages = "\n\n".join(_passage(document, document.facts[fact]) for fact in dict.fromkeys(opened))
        reply = await asker.ask("propose", "proposer", prompt("passages", before=asked, passages=passages))
        found = read_object(reply.text)
    step = _step(
        "propose",
        reply,
        f"seeds: {'; '.join(f'{seed.kind} {seed.facts[0]} {seed.facts[1]}' for seed in seeds) or 'none'}",
    )
    return [read_draft(entry, [step]) for entry in entries(found.get("trails"))]


def _prompt(document: Document, map_: DocumentMap, seeds: Sequence[Seed], answers: Sequence[str]) -> str:
    near = neighbourhood(document, [fact for seed in seeds for fact in seed.facts])
    shown = {fact.id for fact in near}
    whole = len(shown) == len(document.reading.facts)
    return prompt(
        "propose",
        source=document.source.id,
        geometries=all_definitions(),
        already="".join(f"\n- {cut(answer, 300)}" for answer in answers[-ANSWERS_SHOWN:]) or "nothing yet",
        seeds="\n".join(_seed_line(seed) for seed in seeds) or "SEED: none; look over the map",
        facts=fact_lines(document, near),
        map_title=map_.title,
        map="(all facts stand above)" if whole else map_.lines,
        cast=map_.cast,
        links=link_lines(document, set(document.facts) if map_.title.startswith("MAP of the whole") else shown),
        types=", ".join(EDGE_TYPES),
        most=str(TRAILS_EACH),
    )


def _seed_line(seed: Seed) -> str:
    liked = ", ".join(geometry.name for geometry in geometries.GEOMETRIES if seed.kind in geometry.seeds)
    often = f" (often {liked})" if liked else ""
    return f"SEED: {seed.kind.replace('_', ' ')}{often}: {seed.facts[0]} and {seed.facts[1]}: {cut(seed.matches, 240)}"


def _passage(document: Document, fact: Fact) -> str:
    start, end = document.context(fact.start, fact.end)
    return f"{fact.id} | {document.position(fact.start)}\n{document.text[start:end]}\nEND OF PASSAGE"


def fact_lines(document: Document, facts: Iterable[Fact]) -> str:
    """Facts with their quotes, long ones cut, and what the reader inferred from them."""
    lines = []
    for fact in facts:
        lines += [document.line(fact), f"    > {cut(' '.join(fact.quote.split()), LONGEST_SHOWN_QUOTE)}"]
        lines += [f"    inferred: {cut(fact.inferred, LONGEST_SHOWN_INFERENCE)}"] if fact.inferred else []
    return "\n".join(lines)


def neighbourhood(document: Document, around: Sequence[str]) -> list[Fact]:
    """Facts that bear on these: their restatements, what links join to them, what shares most with them; in order."""
    all_facts = document.reading.facts
    if len(all_facts) <= FACTS_EACH:
        return list(all_facts)
    chosen = dict.fromkeys(each for fact in around for each in document.cluster(fact))
    for link in document.reading.links:
        if link.from_fact in around or link.to_fact in around:
            chosen |= dict.fromkeys((link.from_fact, link.to_fact))
    share = max(4, (FACTS_EACH - len(chosen)) // max(len(around), 1))
    for fact in around:
        known = document.facts[fact]
        names = " ".join(name for at in known.who if at in document.cast for name in document.cast[at].names)
        for number in document.fact_index.best(f"{known.gist} {names}", share):
            chosen[all_facts[number].id] = None
    if not around:
        step = len(all_facts) / FACTS_EACH
        chosen = dict.fromkeys(all_facts[int(number * step)].id for number in range(FACTS_EACH))
    kept = set(list(chosen)[:FACTS_EACH])
    return [fact for fact in all_facts if fact.id in kept]


async def revise(asker: Asker, document: Document, failed: Sequence[tuple[Draft, str]]) -> list[Draft]:
    """What the proposer makes of drafts that fell, each given back once with the reason."""
    groups = [failed[start : start + REVISED_EACH] for start in range(0, len(failed), REVISED_EACH)]
    replies = await asker.ask_all("propose", "proposer", [_revise_prompt(document, group) for group in groups])
    found: dict[object, Draft] = {}
    for reply in replies:
        step = _step("revise", reply, "given back once with the reason it fell")
        for entry in entries(read_object(reply.text).get("trails")):
            draft = read_draft(entry, [step])
            found.setdefault((draft.key, draft.answer), draft)
    return list(found.values())


def _revise_prompt(document: Document, failed: Sequence[tuple[Draft, str]]) -> str:
    named = [fact for draft, _ in failed for fact in draft.facts if fact in document.facts]
    return prompt(
        "revise",
        source=document.source.id,
        geometries=all_definitions(),
        failed="\n\n".join(f"{draft_lines(draft)}\nIT FELL: {why}" for draft, why in failed),
        facts=fact_lines(document, neighbourhood(document, list(dict.fromkeys(named)))),
        types=", ".join(EDGE_TYPES),
    )


def draft_lines(draft: Draft) -> str:
    """A draft as lines of a prompt."""
    clues = "; ".join(f"{clue.fact} ({clue.role}{f', {clue.side}' if clue.side else ''})" for clue in draft.clues)
    edges = "; ".join(f"{edge.from_fact} {edge.type} {edge.to_fact}" for edge in draft.edges)
    return f"{draft.geometry}\nclues: {clues}\nedges: {edges}\nanswer: {draft.answer}"


def _step(stage: str, reply: RoleReply, note: str) -> TrailStep:
    return TrailStep(stage, f"proposer:{reply.model}", note)
