"""What inducing would ask of the roles and cost, by stage, before anything is asked.

The reader's calls are counted exactly; the others are estimated from the length of the source at the rates of the
trials, since they hang on what is read. Sources that are finished ask for nothing.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from wildtrace.construct import evidence
from wildtrace.construct.document_map import MAP_TOKENS
from wildtrace.construct.memory import MEMORY_TOKENS
from wildtrace.construct.pieces import cut_pieces, sentence_ranges
from wildtrace.construct.prompting import template
from wildtrace.construct.propose import CHARS_A_PROMPT, TRAILS_EACH
from wildtrace.construct.read import FACTS_EACH_10K
from wildtrace.construct.run import made_by_of
from wildtrace.construct.workspace import open_workspace
from wildtrace.endpoints.config import RunConfig
from wildtrace.text.script import is_cjk
from wildtrace.text.tokens import estimate_tokens

FACT_TOKENS: Final = 130
"""Tokens of a fact in a reply; about half of that in a map."""
EDGES_EACH: Final = 3.3
JUDGED_SHARE: Final = 0.7
"""The share of proposals that reach a critic."""
ROUNDS_EACH: Final = 1.5


@dataclass(frozen=True, slots=True)
class PlannedStage:
    """About what a stage would ask; `cost` is that of the dearest endpoint, None where a price is unknown."""

    stage: str
    role: str
    models: tuple[str, ...]
    calls: int
    tokens_in: int
    tokens_out: int
    cost: float | None


def planned_stages(folder: Path, config: RunConfig) -> list[PlannedStage]:
    """The stages of a run over all sources that are not finished."""
    totals: dict[tuple[str, str], list[float]] = {}
    with open_workspace(folder) as workspace:
        for source in workspace.sources():
            if evidence.finished_by(workspace, source.id) == made_by_of(workspace, source, config):
                continue
            text, structure = workspace.text(source.id), workspace.structure(source.id)
            sentences = sentence_ranges(text, structure)
            chains = cut_pieces(text, workspace.windows(source.id), structure.matter, sentences)
            pieces = sum(map(len, chains))
            for key, figures in _figures(text, pieces).items():
                total = totals.setdefault(key, [0, 0, 0])
                for place, value in enumerate(figures):
                    total[place] += value
    return [_stage(config, stage, role, *map(round, total)) for (stage, role), total in totals.items()]


def _figures(text: str, pieces: int) -> dict[tuple[str, str], tuple[float, float, float]]:
    """Calls, tokens in and tokens out of one source by stage and role."""
    cjk = is_cjk(text)
    facts = FACTS_EACH_10K[cjk] * len(text) / 10_000
    prompts = max(1, math.ceil(len(text) / CHARS_A_PROMPT))
    proposals = prompts * TRAILS_EACH * 0.75
    judged = proposals * JUDGED_SHARE * ROUNDS_EACH
    own = {name: estimate_tokens(len(template(name)), cjk=False) for name in ("read", "propose", "verify", "critic")}
    map_tokens = min(MAP_TOKENS, facts * FACT_TOKENS / 2)
    read_in = pieces * (own["read"] + MEMORY_TOKENS / 2) + estimate_tokens(len(text), cjk=cjk)
    settle = max(1, math.ceil(facts / 80))
    return {
        ("read", "reader"): (pieces, read_in, facts * FACT_TOKENS * 1.4),
        ("reconcile", "reader"): (settle, settle * 5000, settle * 100),
        ("propose", "proposer"): (
            prompts * 1.5,
            prompts * 1.5 * (own["propose"] + map_tokens + 12_000),
            proposals * 500,
        ),
        ("verify", "verifier"): (
            proposals * EDGES_EACH,
            proposals * EDGES_EACH * (own["verify"] + 900),
            proposals * 400,
        ),
        ("critic", "critic"): (judged, judged * (own["critic"] + 4500), judged * 500),
    }


def _stage(config: RunConfig, stage: str, role: str, calls: int, tokens_in: int, tokens_out: int) -> PlannedStage:
    endpoints = config.roles[role]
    costs = [endpoint.cost(tokens_in, tokens_out) for endpoint in endpoints]
    known = [cost for cost in costs if cost is not None]
    models = tuple(dict.fromkeys(endpoint.model for endpoint in endpoints))
    return PlannedStage(
        stage, role, models, calls, tokens_in, tokens_out, max(known) if len(known) == len(costs) else None
    )
