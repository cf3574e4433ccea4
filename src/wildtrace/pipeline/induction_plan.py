"""What inducing would ask of the roles, before anything is asked: calls, tokens, cost."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from wildtrace.build.link.blocks import MOST_BLOCKS, PAIRS
from wildtrace.build.roles import extractor_prompt
from wildtrace.pipeline.induce import made_by_of
from wildtrace.pipeline.induction_roles import PlannedCalls, RolesJob, role_cost
from wildtrace.store import evidence
from wildtrace.store.workspace import Workspace, open_workspace
from wildtrace.text.script import is_cjk
from wildtrace.text.tokens import estimate_tokens
from wildtrace.types import Source

_OUT: Final = {"extractor": 4000, "linker": 800, "verifier": 150}
_PAIR_CHARS: Final = 420
_CONTEXT_CHARS: Final = 3600


def planned_calls(folder: Path, roles: RolesJob | None) -> list[PlannedCalls]:
    """The calls of each configured role for the sources that are not induced yet, at most; none without roles.

    The extractor's are counted exactly; how many pairs and edges there will be is known only later, so that the
    linker's and the verifier's are upper bounds.
    """
    if roles is None:
        return []
    with open_workspace(folder) as workspace:
        open_ = [
            source
            for source in workspace.sources()
            if evidence.graph_made_by(workspace, source.id) != made_by_of(workspace, source, roles)
        ]
        return [_planned(workspace, open_, role, roles) for role in roles.endpoints]


def _planned(workspace: Workspace, sources: list[Source], role: str, roles: RolesJob) -> PlannedCalls:
    endpoint = roles.endpoints[role]
    calls = tokens_in = 0
    for source in sources:
        more, tokens = _calls_of(workspace, source, role)
        calls += more
        tokens_in += tokens
    tokens_out = calls * min(_OUT[role], endpoint.max_tokens)
    return PlannedCalls(role, endpoint.model, calls, tokens_in, tokens_out, role_cost(endpoint, tokens_in, tokens_out))


def _calls_of(workspace: Workspace, source: Source, role: str) -> tuple[int, int]:
    text = workspace.text(source.id)
    cjk = is_cjk(text)
    windows = workspace.windows(source.id)
    if role == "extractor":
        chars = sum(len(extractor_prompt(source, window, text)) for window in windows)
        return len(windows), estimate_tokens(chars, cjk=cjk)
    calls = min(MOST_BLOCKS, 2 * len(windows))
    chars = PAIRS * _PAIR_CHARS
    if role == "verifier":
        calls, chars = calls * PAIRS, _CONTEXT_CHARS
    return calls, estimate_tokens(calls * chars, cjk=cjk)
