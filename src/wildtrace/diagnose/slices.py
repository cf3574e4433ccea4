"""Slices of the items: by tier, geometry and source family, each with what a report lists behind it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from wildtrace.diagnose.base import Drill
from wildtrace.scores.table import POWERED_TIERS, STRESS_TIER, BoolArray, Tasks, present
from wildtrace.vocabulary import FAMILIES, TIERS

# Each facet as tables call it: the attribute of `Tasks`, the facet of a drill, and the values that come first.
FACETS: Final = {
    "tier": ("tiers", "tier", TIERS.names),
    "geometry": ("geometries", "geometry", ()),
    "source family": ("families", "family", FAMILIES.names),
}
_NAMED: Final = 5


def slices(tasks: Tasks, facet: str) -> Iterator[tuple[str, BoolArray, Drill]]:
    """Each value of a facet that occurs, which items have it, and what leads to them."""
    attribute, drilled, order = FACETS[facet]
    for value in present(getattr(tasks, attribute), order):
        yield value, tasks.mask(attribute, value), {drilled: [value]}


def unknown_tier_notes(tasks: Tasks) -> tuple[str, ...]:
    """A sentence that counts the items whose tier is none of L0 to L7 and names such tiers, where there are any."""
    known = tasks.in_tiers(*POWERED_TIERS, STRESS_TIER, "")
    unknown = [tier for tier, is_known in zip(tasks.tiers, known, strict=True) if not is_known]
    if not unknown:
        return ()
    names = ", ".join(sorted(set(unknown))[:_NAMED])
    return (f"{len(unknown)} items have a tier that is none of L0 to L7 ({names}) and are left out.",)
