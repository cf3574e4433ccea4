"""Induction: from a workspace's sources to facts and proved trails (paper, section 2.4; docs/induction.md).

read -> reconcile -> map -> seeds -> propose -> check -> verify -> leak test and critic -> keep. Every step is a
function of the source and of finished replies, so that a run that was stopped goes on from the ledger. Sources are
worked on side by side; one that fails stops only itself.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from pathlib import Path
from typing import Final, Literal

from wildtrace.calls.opening import ModelOpener, default_opener
from wildtrace.calls.progress import Progress, Silent
from wildtrace.calls.roles import Roles, RolesJob, UnansweredError, open_roles
from wildtrace.construct import evidence
from wildtrace.construct.account import Account, Asker, all_done
from wildtrace.construct.check import faults
from wildtrace.construct.critic import criticise
from wildtrace.construct.document import Document
from wildtrace.construct.document_map import draw_map
from wildtrace.construct.draft import Draft, as_trail
from wildtrace.construct.ingest.run import faulty_sources
from wildtrace.construct.keep import keep
from wildtrace.construct.memory import Memory
from wildtrace.construct.offline import offline_reading, offline_trails
from wildtrace.construct.pieces import cut_pieces, sentence_ranges
from wildtrace.construct.prompting import prompts_digest
from wildtrace.construct.propose import propose, revise
from wildtrace.construct.read import read_chain
from wildtrace.construct.reconcile import reconcile
from wildtrace.construct.roles import roles_job
from wildtrace.construct.seeds import find_seeds
from wildtrace.construct.verify import verify
from wildtrace.construct.workspace import Workspace, open_workspace
from wildtrace.endpoints.config import RunConfig
from wildtrace.errors import DataError, IncompleteError, WildtraceError
from wildtrace.types import Reading, Source, Trail, TrailStep

RULES: Final = "induction/2"
"""Raised with every change that makes other trails of the same replies."""
SOURCES_AT_ONCE: Final = 8
"""Each holds its text, its reading and two search indexes in memory."""


@dataclass(frozen=True, slots=True)
class InduceOptions:
    """How to induce: the roles' configuration (None: offline, by rules), the most money, how endpoints are opened."""

    config: RunConfig | None = None
    budget: float | None = None
    opener: ModelOpener = default_opener


@dataclass(frozen=True, slots=True)
class InduceOutcome:
    """What came of one source; `error` says why where it failed or lacks replies."""

    source: Source
    status: Literal["induced", "unchanged", "failed", "incomplete"]
    facts: int = 0
    trails: tuple[Trail, ...] = ()
    account: Account = field(default_factory=Account)
    error: WildtraceError | None = None


def induce_sources(
    folder: Path,
    options: InduceOptions,
    progress: Progress | None = None,
    report: Callable[[InduceOutcome], None] = lambda _: None,
) -> list[InduceOutcome]:
    """Induce every source of a workspace; `report` is told of each as it ends.

    Raises what opening the workspace raises (75, 65, 74), and ConfigError where a role cannot be asked at all; a
    source's own failure is its outcome.
    """
    progress = progress or Silent()
    job = None
    if options.config is not None:
        job = roles_job(options.config, folder, options.budget, options.opener)
        job.check()
    with open_workspace(folder) as workspace:
        sources = workspace.sources()
        if not sources:
            raise DataError(f"{folder} has no sources; bring some in with `wildtrace ingest`")
        if job is None:
            faulty = faulty_sources(workspace)
            return [_reported(_offline(workspace, source, faulty.get(source.id)), report) for source in sources]
        return asyncio.run(_with_roles(workspace, sources, job, progress, report))


def _reported(outcome: InduceOutcome, report: Callable[[InduceOutcome], None]) -> InduceOutcome:
    report(outcome)
    return outcome


async def _with_roles(
    workspace: Workspace,
    sources: Sequence[Source],
    job: RolesJob,
    progress: Progress,
    report: Callable[[InduceOutcome], None],
) -> list[InduceOutcome]:
    """All sources side by side; a second signal cancels what is in flight."""
    faulty = faulty_sources(workspace)
    places = asyncio.Semaphore(SOURCES_AT_ONCE)
    progress.start("calls", 0, 0)
    async with open_roles(job, progress) as roles:

        async def one(source: Source) -> InduceOutcome:
            async with places:
                fault = faulty.get(source.id)
                if fault is not None:
                    return _reported(InduceOutcome(source, "failed", error=DataError(fault)), report)
                return _reported(await _outcome(workspace, source, job.config, roles), report)

        work = asyncio.ensure_future(all_done([one(source) for source in sources]))
        halt = asyncio.ensure_future(roles.stop.now.wait())
        await asyncio.wait({work, halt}, return_when=asyncio.FIRST_COMPLETED)
        halt.cancel()
        if not work.done():
            work.cancel()
            await asyncio.gather(work, return_exceptions=True)
            stopped = IncompleteError("stopped at once; what was answered is saved, run the same command again")
            stopped.exit_status = roles.stop.status or IncompleteError.exit_status
            raise stopped
        return list(work.result())


async def _outcome(workspace: Workspace, source: Source, config: RunConfig, roles: Roles) -> InduceOutcome:
    made_by = made_by_of(workspace, source, config)
    if evidence.finished_by(workspace, source.id) == made_by:
        trails = tuple(evidence.trails_of(workspace, source))
        facts = len(evidence.reading_of(workspace, source).facts)
        return InduceOutcome(source, "unchanged", facts, trails, evidence.account_of(workspace, source))
    account = Account()
    try:
        reading, trails = await induce(workspace, source, made_by, Asker(roles, account))
    except DataError as error:
        return InduceOutcome(source, "failed", account=account, error=error)
    except (UnansweredError, IncompleteError) as error:
        return InduceOutcome(source, "incomplete", account=account, error=error)
    return InduceOutcome(source, "induced", len(reading.facts), trails, account)


async def induce(workspace: Workspace, source: Source, made_by: str, asker: Asker) -> tuple[Reading, tuple[Trail, ...]]:
    """One source from its text to its trails, the whole way."""
    text, structure = workspace.text(source.id), workspace.structure(source.id)
    sentences = sentence_ranges(text, structure)
    chains = cut_pieces(text, workspace.windows(source.id), structure.matter, sentences)

    memories = await all_done([read_chain(asker, source, text, pieces, sentences) for pieces in chains])
    _count_refused(asker.account, memories)
    reading = await reconcile(asker, source, memories)
    evidence.put_reading(workspace, reading, made_by, asker.account)

    document = Document(source, text, sentences, reading)
    seeds = find_seeds(document)
    drafts = await propose(asker, document, draw_map(document, structure), seeds)
    proved, fallen = await prove(asker, document, drafts)
    revised = await revise(asker, document, fallen) if fallen else []
    proved_later, fallen_later = await prove(asker, document, revised)
    judged = await all_done([criticise(asker, document, draft) for draft in [*proved, *proved_later]])

    trails = [
        as_trail(each.draft, document, "accepted" if each.accepted else "rejected", each.reason) for each in judged
    ]
    trails += [as_trail(draft, document, "rejected", why) for draft, why in [*fallen, *fallen_later]]
    kept = keep(trails, document)
    reading = replace(reading, facts=tuple(document.facts.values()))
    evidence.put_trails(workspace, reading, made_by, asker.account, kept)
    return reading, tuple(kept)


async def prove(
    asker: Asker, document: Document, drafts: Sequence[Draft]
) -> tuple[list[Draft], list[tuple[Draft, str]]]:
    """The drafts that pass the checks and whose edges bear them, and the others, each with the reason."""
    fallen: list[tuple[Draft, str]] = []
    sound: list[Draft] = []
    for draft in drafts:
        found = "; ".join(faults(draft, document))
        if found:
            fallen.append((replace(draft, steps=(*draft.steps, TrailStep("check", "rules", found))), found))
        else:
            sound.append(draft)
    proved: list[Draft] = []
    for draft, why in await all_done([verify(asker, document, draft) for draft in sound]):
        if why:
            fallen.append((draft, why))
        else:
            proved.append(draft)
    return proved, fallen


def _count_refused(account: Account, memories: Sequence[Memory]) -> None:
    for memory in memories:
        for reason, count in memory.refused.items():
            account.refuse(reason, count)


def made_by_of(workspace: Workspace, source: Source, config: RunConfig | None) -> str:
    """The digest of what a source's evidence is made by: rules, prompts, text, windows, roles."""
    facts = (
        RULES,
        prompts_digest(),
        source.sha256,
        [window.id for window in workspace.windows(source.id)],
        roles_job(config, Path()).signature() if config is not None else None,
    )
    return sha256(repr(facts).encode()).hexdigest()[:32]


def _offline(workspace: Workspace, source: Source, fault: str | None) -> InduceOutcome:
    """A source by rules alone: a rehearsal, every trail unverified."""
    if fault is not None:
        return InduceOutcome(source, "failed", error=DataError(fault))
    made_by = made_by_of(workspace, source, None)
    if evidence.finished_by(workspace, source.id) == made_by:
        facts, stored = evidence.reading_of(workspace, source).facts, evidence.trails_of(workspace, source)
        return InduceOutcome(source, "unchanged", len(facts), tuple(stored))
    text = workspace.text(source.id)
    reading = offline_reading(source, text, workspace.structure(source.id))
    trails = offline_trails(reading, text)
    evidence.put_trails(workspace, reading, made_by, Account(), trails)
    return InduceOutcome(source, "induced", len(reading.facts), trails)
