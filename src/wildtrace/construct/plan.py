"""What inducing would ask of the roles, before anything is asked: calls, tokens, cost."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from wildtrace.calls.ledger import Ledger, open_ledger
from wildtrace.calls.progress import Progress, Silent
from wildtrace.construct import evidence
from wildtrace.construct.asking import Call, RolesJob, Said, stored_replies
from wildtrace.construct.role_calls import extractor_calls, with_roles
from wildtrace.construct.run import by_rules, made_by_of
from wildtrace.construct.spread import Spread, spread
from wildtrace.construct.workspace import Workspace, open_workspace
from wildtrace.endpoints.config import Endpoint
from wildtrace.evaluate.plan import money
from wildtrace.text.script import is_cjk
from wildtrace.text.tokens import estimate_tokens
from wildtrace.text.words import IDEOGRAPHS
from wildtrace.types import Source

_OUT: Final = {"extractor": 4000, "linker": 800, "verifier": 150}
"""About how many tokens a reply has."""
_VERIFIER_CHARS: Final = 3600
_IDEOGRAPH: Final = re.compile(f"[{IDEOGRAPHS}]")


@dataclass(frozen=True, slots=True)
class PlannedCalls:
    """What a role would be asked: calls, about how many tokens in and out, and their price where it is known.

    With several endpoints the price is that of the dearest.
    """

    role: str
    models: tuple[str, ...]
    calls: int
    tokens_in: int
    tokens_out: int
    cost: float | None


@dataclass(slots=True)
class _Count:
    calls: int = 0
    tokens: int = 0
    proposals: int = 0


@dataclass(slots=True)
class _Planning:
    """Roles that answer from the ledger alone and count what is not there."""

    job: RolesJob
    ledger: Ledger | None
    counts: defaultdict[str, _Count] = field(default_factory=lambda: defaultdict(_Count))

    def asks(self, role: str) -> bool:
        """Whether a role has an endpoint."""
        return self.job.asks(role)

    def ask(
        self,
        role: str,
        calls: Sequence[Call],
        progress: Progress,  # noqa: ARG002 - as the protocol wants it
        title: str,  # noqa: ARG002 - the same
    ) -> list[list[Said]]:
        """What the ledger has of each call; the open ones are counted."""
        said = {prompt: self._one(role, call) for prompt, call in {call.prompt: call for call in calls}.items()}
        return [said[call.prompt] for call in calls]

    def _one(self, role: str, call: Call) -> list[Said]:
        kept, done = ([], False) if self.ledger is None else stored_replies(self.ledger, self.job, role, call)
        if not done:
            count = self.counts[role]
            count.calls += 1
            count.tokens += _tokens(call.prompt)
            count.proposals += call.most
        return kept


def planned_calls(
    folder: Path, roles: RolesJob | None, workers: int | None = None, progress: Progress | None = None
) -> list[PlannedCalls]:
    """The calls of each configured role that are not answered yet, for the sources that are not induced yet.

    Each call counts once; a cut or unusable reply is asked again, three samples at most. The extractor's calls are
    counted exactly. The linker's and the verifier's are counted on what the rules and the replies so far give: what
    the extractor's open replies add to the graph is not known yet. For every edge that a linker may still propose a
    verifier's call is counted.
    """
    if roles is None:
        return []
    with open_workspace(folder) as workspace, _ledger(roles) as ledger:
        open_ = [
            source
            for source in workspace.sources()
            if evidence.graph_made_by(workspace, source.id) != made_by_of(workspace, source, roles)
        ]
        totals = {role: [0, 0, 0] for role in roles.lines}
        with spread(workers) as spreading:
            for source in open_:
                planning = _Planning(roles, ledger)
                _plan_source(planning, workspace, source, spreading, progress or Silent())
                for role, total in totals.items():
                    for place, value in enumerate(_figures(planning, role, cjk=is_cjk(workspace.text(source.id)))):
                        total[place] += value
    return [_planned(role, [line.endpoint for line in roles.lines[role]], *total) for role, total in totals.items()]


@contextmanager
def _ledger(roles: RolesJob) -> Iterator[Ledger | None]:
    if not roles.ledger.exists():
        yield None
        return
    with open_ledger(roles.ledger) as ledger:
        yield ledger


def _plan_source(
    planning: _Planning, workspace: Workspace, source: Source, spreading: Spread, progress: Progress
) -> None:
    """Ask everything of the ledger alone. For an extractor by itself the rules need not read the source."""
    if set(planning.job.lines) == {"extractor"}:
        text = workspace.text(source.id)
        calls = extractor_calls(source, text, workspace.windows(source.id), workspace.matter(source.id))
        planning.ask("extractor", [call for _, call in calls], progress, source.title)
        return
    made_by = made_by_of(workspace, source, planning.job)
    rules = by_rules(workspace, source, made_by, spreading, progress, keep=False)
    with_roles(planning, source, rules, Silent())


def _figures(planning: _Planning, role: str, *, cjk: bool) -> tuple[int, int, int]:
    """Calls and tokens in and out of one source; a verifier is asked about what open linker calls may propose, too."""
    count = planning.counts[role]
    calls, tokens = count.calls, count.tokens
    if role == "verifier":
        proposed = planning.counts["linker"].proposals
        tokens += proposed * (tokens // calls if calls else estimate_tokens(_VERIFIER_CHARS, cjk=cjk))
        calls += proposed
    most = max(line.endpoint.max_tokens for line in planning.job.lines[role])
    return calls, tokens, calls * min(_OUT[role], most)


def _tokens(prompt: str) -> int:
    """About how many tokens a prompt has: our own words are English whatever the document is written in."""
    ideographs = len(_IDEOGRAPH.findall(prompt))
    return estimate_tokens(ideographs, cjk=True) + estimate_tokens(len(prompt) - ideographs, cjk=False)


def _planned(role: str, endpoints: Sequence[Endpoint], calls: int, tokens_in: int, tokens_out: int) -> PlannedCalls:
    costs = [money(endpoint, tokens_in, tokens_out) for endpoint in endpoints]
    known = [cost for cost in costs if cost is not None]
    models = tuple(dict.fromkeys(endpoint.model for endpoint in endpoints))
    return PlannedCalls(role, models, calls, tokens_in, tokens_out, max(known) if len(known) == len(costs) else None)
