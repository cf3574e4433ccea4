"""`wildtrace probe`: measure a new model's real window and print its cap entry."""

from __future__ import annotations

import asyncio
import json
import math
import sys
from pathlib import Path

import click

from wildtrace.cli.progress import ShownProgress
from wildtrace.cli.terminal import FILE, tell
from wildtrace.endpoints.config import load_config
from wildtrace.endpoints.failures import EndpointError, QuotaError
from wildtrace.endpoints.retry import RETRIES
from wildtrace.errors import ConfigError, IncompleteError, UsageError
from wildtrace.probe.cap_entry import known_cap, write_cap
from wildtrace.probe.documents import SCRIPTS, SHORTEST, Script
from wildtrace.probe.run import (
    LOWER,
    UPPER,
    ProbeJob,
    ProbeOutcome,
    ScriptOutcome,
    bounds,
    most_spent,
    probe,
)
from wildtrace.probe.spending import Spending
from wildtrace.text.counting import counted

LENGTH = click.IntRange(min=SHORTEST)


@click.command("probe")
@click.option(
    "--config",
    type=FILE,
    required=True,
    help="config.json: the model under test.",
)
@click.option("--script", type=click.Choice(SCRIPTS), help="Only this script. Without it English, then Chinese.")
@click.option("--lower", type=LENGTH, default=LOWER, show_default=True, help="Characters of the shortest document.")
@click.option("--upper-en", type=LENGTH, default=UPPER["en"], show_default=True, help="Of the longest English one.")
@click.option("--upper-cjk", type=LENGTH, default=UPPER["cjk"], show_default=True, help="Of the longest Chinese one.")
@click.option("--seed", type=int, default=0, show_default=True, help="Which documents are made.")
@click.option(
    "--max-tokens-spent", type=click.IntRange(min=1), help="Send no request that would take the total above this."
)
@click.option("--yes", is_flag=True, help="Spend without asking first.")
@click.option(
    "--write",
    is_flag=True,
    help="Add the cap entry to the config file; with --script the file must have one of the model.",
)
def command(
    *,
    config: Path,
    script: Script | None,
    lower: int,
    upper_en: int,
    upper_cjk: int,
    seed: int,
    max_tokens_spent: int | None,
    yes: bool,
    write: bool,
) -> int:
    """Measure the real context window with made documents and print the cap entry.

    Documents hold codes at 16 even places and the model is asked for all of them; bisection over the length finds where
    the endpoint refuses or silently cuts. Says first what it will spend at most.
    """
    scripts: tuple[Script, ...] = (script,) if script else SCRIPTS
    searches = bounds(scripts, lower, {"en": upper_en, "cjk": upper_cjk})
    for name, search in searches.items():
        if search.upper < lower:
            raise UsageError(
                f"--upper-{name} {search.upper} is below --lower {lower}; lower the one or raise the other"
            )
    job = ProbeJob(load_config(config), searches, seed, max_tokens_spent)
    if write and known_cap(job.config, dict.fromkeys(scripts, 1)) is None:
        raise UsageError(
            f"--write needs both caps, and {config} has no entry for {job.endpoint.model!r}; probe without --script"
        )
    job.endpoint.api_key()
    announce(job)
    if not agreed(yes=yes):
        tell("Nothing was sent.", err=True)
        return IncompleteError.exit_status
    with ShownProgress() as progress:
        outcome = asyncio.run(probe(job, progress))
    return conclude(job, outcome, config if write else None)


def announce(job: ProbeJob) -> None:
    """Say what the probe will spend at most."""
    most, endpoint = most_spent(job), job.endpoint
    ranges = ", ".join(f"{name} {search.lower:,} to {search.upper:,}" for name, search in job.searches.items())
    tell(f"Probing {endpoint.model} at {endpoint.public_url}: {ranges} characters.", err=True)
    cost = endpoint.cost(most.tokens_in, most.tokens_out)
    said = "Cost unknown: the config has no prices." if cost is None else f"Cost {cost:,.2f} by the config's prices."
    requests = counted(most.requests, "request")
    tell(f"At most {requests}, {rounded(most.tokens_in)} tokens in, {rounded(most.tokens_out)} out. {said}", err=True)
    tell(
        "About half if the model repeats every code, less if its window is small. "
        f"Requests that break off (up to {RETRIES} repeats each) come on top.",
        err=True,
    )
    if job.max_tokens_spent is not None:
        tell(f"It stops before {job.max_tokens_spent:,} tokens are exceeded (--max-tokens-spent).", err=True)


def rounded(tokens: int) -> str:
    """Tokens as a bound, rounded up, in millions where there are many."""
    if tokens < 100_000:
        return f"{tokens:,}"
    places = 1 if tokens >= 1_000_000 else 2
    return f"{math.ceil(tokens / 10 ** (6 - places)) / 10**places:,.{places}f} million"


def _sent(spending: Spending) -> str:
    requests = counted(spending.requests, "request")
    return f"{requests}, {spending.tokens_in:,} tokens in and {spending.tokens_out:,} out"


def agreed(*, yes: bool) -> bool:
    """Whether the user agrees to spend; UsageError where nobody can be asked."""
    if yes:
        return True
    if not sys.stdin.isatty():
        raise UsageError("there is no terminal to ask on; say --yes to spend this")
    return click.confirm("Go on?", err=True)


def conclude(job: ProbeJob, outcome: ProbeOutcome, config: Path | None) -> int:
    """Tell what was found, print the entry, write it where asked; the exit status."""
    for script in outcome.scripts:
        for line in told(script, job):
            tell(line, err=True)
    spent = outcome.spent
    cost = job.endpoint.cost(spent.tokens_in, spent.tokens_out)
    priced = "" if cost is None else f", {cost:,.2f} by the config's prices"
    click.echo(
        f"Spent: {_sent(spent)}{priced}.",
        err=True,
    )
    caps = outcome.caps
    if caps:
        click.echo(json.dumps({job.endpoint.model: caps}, ensure_ascii=False))
    if outcome.complete and config is not None and len(caps) == len(outcome.scripts):
        cap = known_cap(job.config, caps)
        assert cap is not None  # noqa: S101 - checked before anything was spent
        write_cap(config, job.endpoint.model, cap)
        tell(f"{config}: the entry was added under caps.", err=True)
    return _status(outcome)


def told(script: ScriptOutcome, job: ProbeJob) -> list[str]:
    """The end of one script's search, in sentences."""
    search, name = script.search, script.script
    bracket = f"at least {search.fits:,} characters" if search.fits else "no length fitted yet"
    if search.fails is not None:
        bracket += f", below {search.fails:,}"
    if script.unfinished is not None:
        return [f"{name}: NOT FINISHED ({script.unfinished}); found so far: {bracket}."]
    if not search.fits:
        return [f"{name}: the window is below {search.fails:,} characters; call again with a smaller --lower."]
    lines = []
    if search.fails is None:
        lines.append(f"{name}: no limit met up to {search.fits:,} characters.")
    else:
        places = sorted(
            {f"{finding.verdict} {finding.where or ''}".strip() for finding in script.findings if not finding.fits}
        )
        lines.append(f"{name}: {bracket} ({', '.join(places)}).")
    if not script.counted:
        lines.append(f"{name}: UNVERIFIED: the endpoint gives no token counts; decided by the codes alone.")
    recall = [finding for finding in script.findings if finding.verdict == "recall"]
    if any(finding.counted_low for finding in recall):
        lines.append(
            f"{name}: codes were lost where the count is a little low: weak recall, or a cut too small to tell."
        )
    elif recall:
        lines.append(
            f"{name}: the model lost codes that it was given whole: weak recall, which is no matter of the cap."
        )
    if script.cap is None:
        lines.append(f"{name}: max_tokens {job.endpoint.max_tokens} leaves no room for a document; lower max_tokens.")
    return lines


def _status(outcome: ProbeOutcome) -> int:
    if isinstance(outcome.stopped_by, EndpointError) and not isinstance(outcome.stopped_by, QuotaError):
        return ConfigError.exit_status
    if not outcome.complete:
        return outcome.signal_status or IncompleteError.exit_status
    return 0 if len(outcome.caps) == len(outcome.scripts) else ConfigError.exit_status
