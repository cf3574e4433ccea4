"""The seven evidence geometries (paper, section 2.3 and Table 7): a file each; `GEOMETRIES` shows their order."""

from __future__ import annotations

from wildtrace import vocabulary
from wildtrace.construct.geometries.abductive import Abductive
from wildtrace.construct.geometries.base import Geometry, Layout
from wildtrace.construct.geometries.causal import Causal
from wildtrace.construct.geometries.comparative import Comparative
from wildtrace.construct.geometries.counterfactual import Counterfactual
from wildtrace.construct.geometries.forward import Forward
from wildtrace.construct.geometries.intersection import Intersection
from wildtrace.construct.geometries.temporal import Temporal

GEOMETRIES: tuple[Geometry, ...] = (
    Forward(),
    Intersection(),
    Comparative(),
    Temporal(),
    Causal(),
    Abductive(),
    Counterfactual(),
)

__all__ = ["GEOMETRIES", "Geometry", "Layout", "all_definitions", "geometry_named"]


def geometry_named(text: str) -> Geometry | None:
    """The geometry of a name or a synonym; None where it is neither."""
    name = vocabulary.GEOMETRIES.read(text) or text.strip().lower()
    return next((geometry for geometry in GEOMETRIES if geometry.name == name), None)


def all_definitions() -> str:
    """Every geometry with its definition and conditions, a line each, as the prompts show them."""
    return "\n".join(f"{each.name}: {each.definition} {each.conditions}" for each in GEOMETRIES)
