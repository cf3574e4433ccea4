"""`wildtrace induce`: records, evidence graphs and trails from the sources of a workspace."""

from __future__ import annotations

from pathlib import Path

import click

from wildtrace.cli.progress import ShownProgress
from wildtrace.cli.terminal import FILE, FOLDER, tell
from wildtrace.errors import ConfigError, DataError, UsageError
from wildtrace.models.config import load_config

try:
    from wildtrace.pipeline.induce import InduceOptions, InduceOutcome, induce_sources
    from wildtrace.pipeline.induction_plan import planned_calls
    from wildtrace.pipeline.induction_roles import RolesJob
except ModuleNotFoundError as error:
    raise ConfigError(f"inducing needs {error.name}; run pip install -e '.[build]' in the checkout") from None


@click.command("induce")
@click.option("--workspace", type=FOLDER, required=True, help="The workspace's folder.")
@click.option("--offline", is_flag=True, help="Use rules alone, no model.")
@click.option("--config", type=FILE, help="config.json: extractor, linker and verifier stand under roles.")
@click.option("--workers", type=click.IntRange(min=1), help="Processes; one a core if not given.")
@click.option("--dry-run", is_flag=True, help="Say what the roles would be asked and cost, and ask nothing.")
def command(*, workspace: Path, offline: bool, config: Path | None, workers: int | None, dry_run: bool) -> int:
    """Extract records, link them, and mine evidence trails, for every source of a workspace.

    Goes on where an earlier run stopped; a source that fails stops only itself and is named at the end.
    """
    if offline == (config is not None):
        raise UsageError("say --offline for rules alone, or name a --config with roles")
    roles = None if config is None else RolesJob.of(load_config(config), workspace)
    if dry_run:
        _tell_plan(workspace, roles)
        return 0
    failed: list[InduceOutcome] = []
    with ShownProgress() as progress:
        for outcome in induce_sources(workspace, InduceOptions(workers, roles), progress):
            if outcome.status == "failed":
                failed.append(outcome)
            else:
                _tell(outcome)
    for outcome in failed:
        tell(f"wildtrace: {outcome.source.title}: {outcome.reason}", err=True)
    return DataError.exit_status if failed else 0


def _tell(outcome: InduceOutcome) -> None:
    source = outcome.source
    if outcome.status == "unchanged":
        tell(f"{source.id} {source.title}: unchanged")
        return
    tell(f"{source.id} {source.title}: {outcome.records:,} records, {outcome.edges:,} edges, {outcome.trails:,} trails")
    for report in outcome.reports:
        capped = ", search ended by its cap" if report.capped else ""
        reason = f": {report.reason}" if report.reason else ""
        tell(f"  {report.geometry}: {report.kept} of {report.candidates} candidates{capped}{reason}")


def _tell_plan(workspace: Path, roles: RolesJob | None) -> None:
    plan = planned_calls(workspace, roles)
    if not plan:
        tell("0 calls, 0 tokens, no cost: rules alone")
    for entry in plan:
        cost = "price unknown" if entry.cost is None else f"cost {entry.cost:.2f}"
        tell(
            f"{entry.role} ({entry.model}): {entry.calls:,} calls, {entry.tokens_in:,} tokens in, "
            f"up to {entry.tokens_out:,} out, {cost}"
        )
