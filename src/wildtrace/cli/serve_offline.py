"""`wildtrace serve-offline`: the offline models behind an OpenAI-compatible endpoint on loopback."""

from __future__ import annotations

import asyncio
import signal
from pathlib import Path
from typing import TYPE_CHECKING, get_args

import click

from wildtrace.cli.terminal import FILE, tell
from wildtrace.endpoints.offline.faults import FaultRates
from wildtrace.endpoints.offline.models import ContextWindow, Cut
from wildtrace.errors import EXIT_INTERRUPTED, EXIT_TERMINATED

if TYPE_CHECKING:
    from wildtrace.endpoints.offline.server import OfflineOptions

RATE = click.FloatRange(0, 1)


@click.command("serve-offline")
@click.option("--port", type=click.IntRange(0, 65535), default=8765, show_default=True, help="0 takes a free one.")
@click.option(
    "--latency", type=click.FloatRange(min=0), default=0.0, help="Seconds from a request to its reply, at least."
)
@click.option(
    "--context-tokens", type=click.IntRange(min=1), help="Answer longer prompts with an error (or --truncate)."
)
@click.option("--truncate", type=click.Choice(get_args(Cut)), help="Cut longer prompts there, silently, instead.")
@click.option("--fault-429", type=RATE, default=0.0, help="Share of requests told to come back later.")
@click.option("--fault-5xx", type=RATE, default=0.0, help="Share of requests met by a server error.")
@click.option("--fault-drop", type=RATE, default=0.0, help="Share of requests whose connection is closed unanswered.")
@click.option("--fault-cut", type=RATE, default=0.0, help="Share of replies that end half way.")
@click.option("--fault-malformed", type=RATE, default=0.0, help="Share of requests met by an unusable judge verdict.")
@click.option("--retry-after", type=click.IntRange(min=0), default=1, show_default=True, help="Seconds, with a 429.")
@click.option("--seed", type=int, default=0, show_default=True, help="Chooses which requests meet the faults.")
@click.option("--log", type=FILE, help="Append one JSON line a request here.")
def command(
    *,
    port: int,
    latency: float,
    context_tokens: int | None,
    truncate: Cut | None,
    fault_429: float,
    fault_5xx: float,
    fault_drop: float,
    fault_cut: float,
    fault_malformed: float,
    retry_after: int,
    seed: int,
    log: Path | None,
) -> int:
    """Serve the offline models on loopback, without a key, until Ctrl-C.

    Contestants: lexical-reader, first-passages, no-document, echo-codes. Judge: lexical-judge.
    """
    from wildtrace.endpoints.offline.server import OfflineOptions  # noqa: PLC0415 - aiohttp, when it serves

    faults = FaultRates(fault_429, fault_5xx, fault_drop, fault_cut, fault_malformed)
    window = ContextWindow(context_tokens, truncate)
    return asyncio.run(_serve(OfflineOptions(port, latency, window, faults, seed, retry_after, log)))


async def _serve(options: OfflineOptions) -> int:
    """Serve until a signal comes; the exit status that goes with it."""
    from wildtrace.endpoints.offline.server import offline_endpoint  # noqa: PLC0415 - the same

    stopped: asyncio.Future[int] = asyncio.get_running_loop().create_future()
    for number, status in ((signal.SIGINT, EXIT_INTERRUPTED), (signal.SIGTERM, EXIT_TERMINATED)):
        asyncio.get_running_loop().add_signal_handler(number, _stop, stopped, status)
    async with offline_endpoint(options) as base_url:
        tell(base_url)
        return await stopped


def _stop(stopped: asyncio.Future[int], status: int) -> None:
    if not stopped.done():
        stopped.set_result(status)
