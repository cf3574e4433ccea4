"""`wildtrace induce`: facts and proved evidence trails from the sources of a workspace."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import click

from wildtrace.cli.progress import ShownProgress
from wildtrace.cli.terminal import FILE, FOLDER, tell
from wildtrace.endpoints.config import RunConfig, load_config
from wildtrace.errors import ConfigError, DataError, UsageError
from wildtrace.text.counting import counted

try:
    from wildtrace.construct.account import Spent
    from wildtrace.construct.plan import planned_stages
    from wildtrace.construct.run import InduceOptions, InduceOutcome, induce_sources
except ModuleNotFoundError as error:
    raise ConfigError(f"inducing needs {error.name}; run pip install -e '.[build]' in the checkout") from None


_OFFLINE = (
    "wildtrace: this was a rehearsal by rules: they resolve no pronoun, judge no importance and see no relation that "
    "the text does not state in so many words; most sources give no trail, and every trail is unverified"
)


@click.command("induce")
@click.option("--workspace", type=FOLDER, required=True, help="The workspace's folder.")
@click.option("--config", type=FILE, help="config.json: reader, proposer, verifier and critic stand under roles.")
@click.option("--offline", is_flag=True, help="Use rules alone, no model: a rehearsal, every trail unverified.")
@click.option("--dry-run", is_flag=True, help="Say about what the roles would be asked and cost, and ask nothing.")
@click.option("--budget", type=click.FloatRange(min=0, min_open=True), help="Stop in order when so much is spent.")
def command(*, workspace: Path, config: Path | None, offline: bool, dry_run: bool, budget: float | None) -> int:
    """Read every source of a workspace, and propose, check and prove evidence trails.

    Goes on where an earlier run stopped; a source that fails stops only itself and is named at the end.
    """
    if offline == (config is not None):
        raise UsageError("name a --config with roles, or say --offline for rules alone, not both")
    settings = None if config is None else load_config(config)
    if dry_run:
        _tell_plan(workspace, settings)
        return 0
    with ShownProgress() as progress:

        def report(outcome: InduceOutcome) -> None:
            for line in outcome_lines(outcome):
                progress.result(line)

        outcomes = induce_sources(workspace, InduceOptions(settings, budget), progress, report)
    if offline:
        tell(_OFFLINE, err=True)
    if settings is not None and _judges_itself(settings):
        tell("wildtrace: proposer and critic are the same model; another critic would be the stricter one", err=True)
    for outcome in outcomes:
        if outcome.error is not None:
            tell(f"wildtrace: {outcome.source.title}: {outcome.error}", err=True)
    return _status(outcomes)


def _status(outcomes: list[InduceOutcome]) -> int:
    """65 where a source failed, else that of what stopped the others: 2, or a signal's."""
    if any(outcome.status == "failed" for outcome in outcomes):
        return DataError.exit_status
    return max((outcome.error.exit_status for outcome in outcomes if outcome.error is not None), default=0)


def _judges_itself(config: RunConfig) -> bool:
    models = [{endpoint.model for endpoint in config.roles.get(role, ())} for role in ("proposer", "critic")]
    return bool(models[0] & models[1])


def outcome_lines(outcome: InduceOutcome) -> Iterator[str]:
    """What came of a source: facts and trails, why others fell, what was refused, what it cost by stage."""
    source = outcome.source
    if outcome.status in ("failed", "incomplete"):
        yield f"{source.id} {source.title}: {outcome.status}"
        yield from _account_lines(outcome, 0)
        return
    by_status: dict[str, Counter[str]] = {}
    for trail in outcome.trails:
        by_status.setdefault(trail.status, Counter())[trail.geometry] += 1
    said = [f"{counts.total():,} {status}" for status, counts in by_status.items()] or ["none"]
    unchanged = " (unchanged)" if outcome.status == "unchanged" else ""
    yield f"{source.id} {source.title}: {counted(outcome.facts, 'fact')}, trails: {', '.join(said)}{unchanged}"
    for status, counts in by_status.items():
        yield f"  {status}: {', '.join(f'{count} {name}' for name, count in sorted(counts.items()))}"
    if outcome.status == "induced":
        yield from _account_lines(outcome, by_status.get("accepted", Counter()).total())


def _account_lines(outcome: InduceOutcome, accepted: int) -> Iterator[str]:
    account = outcome.account
    for reason, count in sorted(account.refused.items(), key=lambda each: -each[1]):
        yield f"  refused, {reason}: {count:,}"
    for stage, spent in account.stages.items():
        yield f"  {stage}: {_spent(spent)}"
    if account.stages:
        each = f"; {_each(account.total, accepted)} an accepted trail" if accepted else ""
        yield f"  in all: {_spent(account.total)}{each}"


def _spent(spent: Spent) -> str:
    cost = "" if spent.cost is None else f", cost {spent.cost:,.2f}"
    return f"{counted(spent.calls, 'call')}, {spent.tokens_in:,} tokens in, {spent.tokens_out:,} out{cost}"


def _each(total: Spent, accepted: int) -> str:
    tokens = (total.tokens_in + total.tokens_out) // accepted
    return f"{tokens:,} tokens" if total.cost is None else f"{tokens:,} tokens, {total.cost / accepted:,.2f}"


def _tell_plan(workspace: Path, config: RunConfig | None) -> None:
    stages = [] if config is None else planned_stages(workspace, config)
    if not stages:
        tell("0 calls, 0 tokens, no cost: nothing is left to ask")
    for stage in stages:
        dearest = "at most about " if len(stage.models) > 1 else "about "
        cost = "price unknown" if stage.cost is None else f"cost {dearest}{stage.cost:,.2f}"
        tell(
            f"{stage.stage} ({stage.role}: {', '.join(stage.models)}): about {counted(stage.calls, 'call')}, "
            f"{stage.tokens_in:,} tokens in and {stage.tokens_out:,} out, {cost}"
        )
