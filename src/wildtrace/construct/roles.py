"""Which roles induction asks, and where the ledger of their calls stands."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from wildtrace.calls.opening import ModelOpener, default_opener
from wildtrace.calls.roles import RolesJob
from wildtrace.construct.replies import is_whole
from wildtrace.endpoints.config import RunConfig

ROLES: Final = ("reader", "proposer", "verifier", "critic")
LEDGER: Final = "induce.ledger"


def roles_job(
    config: RunConfig, folder: Path, budget: float | None = None, opener: ModelOpener = default_opener
) -> RolesJob:
    """How induction in the workspace at `folder` asks its roles: a reply serves where it is whole JSON."""
    return RolesJob(
        config, ROLES, folder / LEDGER, lambda text, cut: is_whole(text) and not cut, budget=budget, opener=opener
    )
