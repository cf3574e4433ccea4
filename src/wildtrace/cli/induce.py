"""`wildtrace induce`: records, evidence graphs and trails from the sources of a workspace."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

import click

from wildtrace.cli.progress import ShownProgress
from wildtrace.cli.terminal import FILE, FOLDER, tell
from wildtrace.endpoints.config import load_config
from wildtrace.errors import ConfigError, DataError, IncompleteError, UsageError
from wildtrace.evaluate.plan import money
from wildtrace.text.counting import counted

try:
    from wildtrace.construct.asking import RolesJob
    from wildtrace.construct.plan import planned_calls
    from wildtrace.construct.role_calls import Heard
    from wildtrace.construct.run import InduceOptions, InduceOutcome, induce_sources
except ModuleNotFoundError as error:
    raise ConfigError(f"inducing needs {error.name}; run pip install -e '.[build]' in the checkout") from None

_WITHOUT: Final = {
    "extractor": "all records are the rules'",
    "linker": "all edges are of the rules and of what other roles said",
    "verifier": "what it was asked about waits for review",
}
"""What it comes to where a role said nothing of use."""


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
    if offline and config is not None:
        raise UsageError("give --offline or --config, not both")
    if not offline and config is None:
        raise UsageError("say --offline for rules alone, or name a --config with roles")
    roles = None if config is None else RolesJob.of(load_config(config), workspace)
    if dry_run:
        _tell_plan(workspace, roles, workers)
        return 0
    left: list[InduceOutcome] = []
    heard: defaultdict[str, Heard] = defaultdict(Heard)
    try:
        with ShownProgress() as progress:
            for outcome in induce_sources(workspace, InduceOptions(workers, roles), progress):
                for role, answers in outcome.heard.items():
                    heard[role].add(answers.calls, answers.used)
                if outcome.reason is not None:
                    left.append(outcome)
                else:
                    for line in _lines(outcome):
                        progress.result(line)
    finally:
        _tell_spent(roles)
    _tell_unused(heard)
    for outcome in left:
        tell(f"wildtrace: {outcome.source.title}: {outcome.reason}", err=True)
    return _status(left)


def _status(left: list[InduceOutcome]) -> int:
    """65 where a source failed, else 2 where a role left calls unanswered."""
    if any(outcome.status == "failed" for outcome in left):
        return DataError.exit_status
    return IncompleteError.exit_status if left else 0


def _tell_unused(heard: Mapping[str, Heard]) -> None:
    """Which roles were asked for nothing, and what that leaves."""
    for role, answers in heard.items():
        if answers.calls and not answers.used:
            calls = counted(answers.calls, "call")
            tell(f"wildtrace: no reply of the {role} could be used ({calls}): {_WITHOUT[role]}", err=True)


def _tell_spent(roles: RolesJob | None) -> None:
    """What each endpoint was asked in this run, as far as it reports tokens; standard error, as all progress."""
    for line in (line for lines in (roles.lines.values() if roles else ()) for line in lines if line.spent.replies):
        spent = line.spent
        said = f"{line.name}: {counted(spent.replies, 'reply', 'replies')}"
        if spent.reported:
            some = "" if spent.reported == spent.replies else f" (reported for {spent.reported:,} of them)"
            said += f", {spent.tokens_in:,} tokens in, {spent.tokens_out:,} out{some}"
            cost = money(line.endpoint, spent.tokens_in, spent.tokens_out)
            said += "" if cost is None else f", cost {cost:,.2f}"
        tell(said, err=True)


def _lines(outcome: InduceOutcome) -> Iterator[str]:
    """What came of a source: its counts, a line a geometry, and once each why others found nothing."""
    source = outcome.source
    if outcome.status == "unchanged":
        yield f"{source.id} {source.title}: unchanged"
    else:
        made = ((outcome.records, "record"), (outcome.edges, "edge"), (outcome.trails, "trail"))
        yield f"{source.id} {source.title}: {', '.join(counted(number, word) for number, word in made)}"
    if outcome.left_out:
        yield f"  left out of what the extractor found, for lack of room: {counted(outcome.left_out, 'record')}"
    nothing: dict[str, list[str]] = {}
    for report in outcome.reports:
        capped = ", search ended by its cap" if report.capped else ""
        if report.reason:
            nothing.setdefault(f"{report.reason}{capped}", []).append(report.geometry)
        else:
            yield f"  {report.geometry}: {counted(report.kept, 'trail')} kept of {report.candidates:,} found{capped}"
    for reason, geometries in nothing.items():
        yield f"  nothing for {', '.join(geometries)}: {reason}"


_MORE = "; more where it rejects edges, for what trails then use instead"


def _tell_plan(workspace: Path, roles: RolesJob | None, workers: int | None) -> None:
    with ShownProgress() as progress:
        plan = planned_calls(workspace, roles, workers, progress)
    if not plan:
        tell("0 calls, 0 tokens, no cost: rules alone")
    for entry in plan:
        dearest = "at most about " if len(entry.models) > 1 else "about "
        cost = "price unknown" if entry.cost is None else f"cost {dearest}{entry.cost:,.2f}"
        about, more = ("up to ", _MORE) if entry.role == "verifier" else ("", "")
        tell(
            f"{entry.role} ({', '.join(entry.models)}): {about}{counted(entry.calls, 'call')}, "
            f"about {entry.tokens_in:,} tokens in and {entry.tokens_out:,} out, {cost}{more}"
        )
