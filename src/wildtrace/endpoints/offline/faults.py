"""Scripted faults: what goes wrong with a real endpoint, at chosen rates, the same again for the same seed.

The fault of a request depends on the seed and on how many requests came before, not on what is asked: a retry is
another request, so below a rate of 1 it succeeds sooner or later.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, fields
from random import Random
from typing import Literal

import orjson

from wildtrace.errors import UsageError

FaultName = Literal["429", "5xx", "drop", "cut", "malformed"]
SERVER_ERRORS = (500, 502, 503, 504)


@dataclass(frozen=True, slots=True)
class FaultRates:
    """The share of requests, 0 to 1, that meet each fault; together at most 1.

    `too_many` is a 429 with Retry-After, `server` one of 500, 502, 503 and 504, `drop` a connection closed without a
    reply, `cut` a reply that ends half way, `malformed` an unusable judge verdict (judges only).
    """

    too_many: float = 0.0
    server: float = 0.0
    drop: float = 0.0
    cut: float = 0.0
    malformed: float = 0.0

    def __post_init__(self) -> None:
        rates = [getattr(self, field.name) for field in fields(self)]
        if not all(math.isfinite(rate) and 0 <= rate <= 1 for rate in rates) or sum(rates) > 1 + 1e-9:
            raise UsageError("fault rates are shares of the requests: each between 0 and 1, together at most 1")


@dataclass(frozen=True, slots=True)
class Fault:
    """What befalls one request; `draw` (0 to 1) chooses between the kinds of that fault."""

    name: FaultName
    draw: float

    @property
    def status(self) -> int:
        """The HTTP status it is answered with; 0 where no status line is sent."""
        if self.name == "5xx":
            return SERVER_ERRORS[int(self.draw * len(SERVER_ERRORS))]
        return {"429": 429, "drop": 0}.get(self.name, 200)


def fault_of(rates: FaultRates, seed: int, number: int, *, judge: bool) -> Fault | None:
    """The fault of the request with this number, or None."""
    random = Random(f"{seed}:{number}")
    place, draw = random.random(), random.random()
    steps: tuple[tuple[FaultName, float], ...] = (
        ("429", rates.too_many),
        ("5xx", rates.server),
        ("drop", rates.drop),
        ("cut", rates.cut),
        ("malformed", rates.malformed),
    )
    for name, rate in steps:
        if place < rate:
            return Fault(name, draw) if judge or name != "malformed" else None
        place -= rate
    return None


def malformed(verdict: str, points: float, draw: float) -> str:
    """An unusable form of a usable `verdict` on a rubric of `points`: prose, cut, or with a missing or wrong total."""
    awarded = orjson.loads(verdict)["points_awarded"]
    forms = (
        "The response covers most of the rubric and reads well; I would give it a good mark overall.",
        verdict[: len(verdict) * 2 // 3],
        orjson.dumps({"points_awarded": awarded}).decode(),
        orjson.dumps({"points_awarded": awarded, "total": points + 20}).decode(),
        orjson.dumps({"points_awarded": awarded, "total": -1}).decode(),
        orjson.dumps({"points_awarded": awarded, "total": None}).decode(),
    )
    return forms[int(draw * len(forms))]
