"""The seven evidence geometries (paper, section 2.3 and Table 7): a file each; `GEOMETRIES` shows their order."""

from __future__ import annotations

from wildtrace.geometries.abductive import Abductive
from wildtrace.geometries.base import Geometry, Layout
from wildtrace.geometries.causal import Causal
from wildtrace.geometries.comparative import Comparative
from wildtrace.geometries.counterfactual import Counterfactual
from wildtrace.geometries.forward import Forward
from wildtrace.geometries.intersection import Intersection
from wildtrace.geometries.temporal import Temporal
from wildtrace.vocabulary import Term, Vocabulary

GEOMETRIES: tuple[Geometry, ...] = (
    Forward(),
    Intersection(),
    Comparative(),
    Temporal(),
    Causal(),
    Abductive(),
    Counterfactual(),
)

GEOMETRY_NAMES = Vocabulary(tuple(Term(each.name, each.meaning, each.synonyms) for each in GEOMETRIES))
"""Their names as files write them, with the words that are read alike."""

__all__ = ["GEOMETRIES", "GEOMETRY_NAMES", "Geometry", "Layout", "all_definitions", "geometry_named"]


def geometry_named(text: str) -> Geometry | None:
    """The geometry of a name or a synonym; None where it is neither."""
    name = GEOMETRY_NAMES.read(text) or text.strip().lower()
    return next((geometry for geometry in GEOMETRIES if geometry.name == name), None)


def all_definitions() -> str:
    """Every geometry with its definition and conditions, a line each, as the prompts show them."""
    return "\n".join(f"{each.name}: {each.definition} {each.conditions}" for each in GEOMETRIES)
