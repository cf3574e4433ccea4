"""`wildtrace estimate`: what a run will send, take and cost, before any request."""

from __future__ import annotations

import json
import math
import shutil
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import click

from wildtrace.cli.terminal import FILE, FOLDER, tell
from wildtrace.endpoints.config import load_config
from wildtrace.errors import UsageError
from wildtrace.estimate.plan import Assumptions, Between, EndpointPlan, Plan, totals
from wildtrace.estimate.run import Estimate, EstimateJob, estimate
from wildtrace.text.mix import FEWEST_TOKENS, MOST_TOKENS, USUAL
from wildtrace.text.printable import printable

FORMAT = "wildtrace.estimate/1"
DEFAULTS = Assumptions()
MOST_SECONDS = 1e9  # sums of larger ones leave what JSON can say


@click.command("estimate")
@click.option("--config", type=FILE, required=True, help="config.json: the model, its caps, prices, and the judges.")
@click.option("--data", type=FILE, required=True, help="The release's tasks, .json or .jsonl.")
@click.option("--corpus", type=FOLDER, required=True, help="The corpus folder.")
@click.option("--limit", type=click.IntRange(min=1), help="Plan for eval --limit.")
@click.option("--out", type=FILE, help="A responses file: what it holds already is left out.")
@click.option(
    "--answer-tokens",
    type=click.IntRange(min=1),
    default=DEFAULTS.answer_tokens,
    show_default=True,
    help="Assumed tokens of an answer.",
)
@click.option(
    "--reasoning-tokens",
    type=click.IntRange(min=0),
    default=DEFAULTS.reasoning_tokens,
    show_default=True,
    help="Assumed tokens of reasoning a reply, where reasoning is true.",
)
@click.option(
    "--judge-tokens",
    type=click.IntRange(min=1),
    default=DEFAULTS.judge_tokens,
    show_default=True,
    help="Assumed tokens of a judge's verdict.",
)
@click.option(
    "--latency",
    type=click.FloatRange(min=0, max=MOST_SECONDS),
    help="Seconds from a request to its reply: gives a rough time.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the whole plan as JSON.")
def command(
    *,
    config: Path,
    data: Path,
    corpus: Path,
    limit: int | None,
    out: Path | None,
    answer_tokens: int,
    reasoning_tokens: int,
    judge_tokens: int,
    latency: float | None,
    as_json: bool,
) -> None:
    """Say what a run will send, take and cost, from the real documents and without any request."""
    if latency is not None and math.isnan(latency):
        raise UsageError("--latency nan is no number of seconds; give one from 0 to 1,000,000,000")
    held = Assumptions(answer_tokens, reasoning_tokens, judge_tokens, latency)
    found = estimate(EstimateJob(load_config(config), data, corpus, out, limit, held))
    for line in found.warnings:
        tell(line, err=True)
    if out is not None and not any(tier.finished for tier in found.plan.tiers):
        tell(f"{out}: nothing is finished there yet.", err=True)
    if as_json:
        click.echo(json.dumps(as_data(found), ensure_ascii=False, indent=1))
        return
    for table in tables(found.plan):
        _show(table)
    for line in sentences(found):
        _tell_sentence(line)


def as_data(found: Estimate) -> dict[str, Any]:
    """The plan as JSON values (docs/estimate.md)."""
    plan = found.plan
    return {
        "format": FORMAT,
        "cap": {"en": found.route.cap.en, "cjk": found.route.cap.cjk, "source": found.route.source},
        "tiers": [asdict(tier) for tier in plan.tiers],
        "endpoints": [asdict(endpoint) for endpoint in plan.endpoints],
        "total": {
            "requests": plan.requests,
            "tokens": totals(plan),
            "cost": plan.cost,
            "cost_limit": plan.cost_limit,
            "priced_cost": plan.priced_cost,
            "unpriced": list(plan.unpriced),
            "seconds": plan.seconds,
        },
        "assumptions": {**asdict(plan.held), "characters_per_token": _rates(), "prefix_cache_discount": False},
        "warnings": list(found.warnings),
    }


def _rates() -> dict[str, dict[str, float]]:
    return {"usual": asdict(USUAL), "fewest_tokens": asdict(FEWEST_TOKENS), "most_tokens": asdict(MOST_TOKENS)}


@dataclass(frozen=True, slots=True)
class Shown:
    """A table as shown: the first column is words, the others are numbers; the last row is the sum."""

    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def tables(plan: Plan) -> tuple[Shown, Shown]:
    """The tasks by tier, and the endpoints with tokens and money."""
    tiers = [[tier.tasks, tier.out_of_scope, tier.finished, tier.to_ask, tier.input_tokens] for tier in plan.tiers]
    sums = [sum(column) for column in zip(*tiers, strict=True)]
    named = [(tier.tier, row) for tier, row in zip(plan.tiers, tiers, strict=True)]
    by_tier = tuple((name, *(f"{number:,}" for number in row)) for name, row in [*named, ("all", sums)])
    sent = totals(plan)
    total = ("all", f"{plan.requests:,}", f"{sent['input']:,}", "", f"{sent['output']:,}", "", "")
    return (
        Shown(("tier", "tasks", "out of scope", "finished", "to ask", "tokens in"), by_tier),
        Shown(
            ("endpoint", "requests", "tokens in", "(from to)", "tokens out", "cost", "at most"),
            (*(_endpoint_row(endpoint) for endpoint in plan.endpoints), (*total[:5], *_costs(plan))),
        ),
    )


def _endpoint_row(endpoint: EndpointPlan) -> tuple[str, ...]:
    return (
        f"{endpoint.name} {endpoint.model}",
        f"{endpoint.requests:,}",
        f"{endpoint.input_tokens.usual:,}",
        _between(endpoint.input_tokens),
        f"{endpoint.output_tokens:,}",
        _money(endpoint.cost),
        _money(endpoint.cost_limit),
    )


def _between(tokens: Between) -> str:
    return f"({tokens.fewest:,} to {tokens.most:,})"


def _costs(plan: Plan) -> tuple[str, str]:
    return _money(plan.cost), _money(plan.cost_limit)


def _money(amount: float | None) -> str:
    if amount is None:
        return "no prices"
    return f"{amount:,.2f}" if amount == 0 or amount >= 0.01 else f"{amount:.2g}"


def sentences(found: Estimate) -> list[str]:
    """What the numbers rest on."""
    plan, held = found.plan, found.plan.held
    lines = []
    if plan.unpriced:
        known = f"; the others come to {_money(plan.priced_cost)}" if plan.priced_cost else ""
        lines.append(f"No prices for {', '.join(plan.unpriced)}: the total cost is not known{known}.")
    if not plan.judges:
        lines.append("The config has no judges: judging is not in these numbers.")
    counted = (
        f"Tokens in: counted from the real texts at {USUAL.other} characters a token, {USUAL.wide} for Chinese, "
        f"Japanese and Korean characters; from {FEWEST_TOKENS.other} and {FEWEST_TOKENS.wide} to {MOST_TOKENS.other} "
        f"and {MOST_TOKENS.wide}, by tokenizer."
    )
    assumed = (
        f"Tokens out, assumed: {held.answer_tokens:,} an answer, {held.judge_tokens:,} a verdict, "
        f"{held.reasoning_tokens:,} of reasoning where reasoning is true; set them with --answer-tokens, "
        "--judge-tokens, --reasoning-tokens."
    )
    lines += [
        counted,
        assumed,
        "At most: the densest tokenizer and every reply at its max_tokens; calls that have to be repeated not counted.",
        "No prefix-cache discount is in these numbers: the question stands before the document, so prompts share none.",
    ]
    if plan.seconds is not None:
        minutes = plan.seconds / 60
        lines.append(
            f"Time: about {minutes:,.1f} minutes at {held.latency_s:g} s a reply and the config's concurrency."
        )
    return lines


def _show(table: Shown) -> None:
    """A rich table on a terminal, aligned plain text elsewhere; nothing is ever cut from plain text."""
    if sys.stdout.isatty():
        _show_rich(table)
        return
    for line in plain(table):
        tell(line)
    click.echo()


def _tell_sentence(line: str) -> None:
    """A sentence, broken between words on a terminal."""
    if not sys.stdout.isatty():
        tell(line)
        return
    from wildtrace.cli.columns import columns, wrapped  # noqa: PLC0415 - only a terminal needs it

    for part in wrapped(line, columns()):
        tell(part)


def _show_rich(table: Shown) -> None:
    from wildtrace.tables.drawing import Drawn, draw  # noqa: PLC0415 - only a terminal needs it

    numeric = tuple(place > 0 for place in range(len(table.heads)))
    rows = tuple(tuple(map(printable, row)) for row in table.rows)
    drawn = Drawn(table.heads, rows, numeric, line_after=len(rows) - 2)
    click.echo(draw(drawn, shutil.get_terminal_size().columns), nl=False)


def plain(table: Shown) -> list[str]:
    """The table as aligned lines."""
    rows: Sequence[Sequence[str]] = (table.heads, *table.rows)
    widths = [max(len(row[place]) for row in rows) for place in range(len(table.heads))]
    return [
        "  ".join(
            cell.rjust(width) if place else cell.ljust(width)
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]
