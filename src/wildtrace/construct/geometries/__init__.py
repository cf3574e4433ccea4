"""The seven evidence geometries (paper, section 2.3 and Table 7): a file each; `GEOMETRIES` shows their order."""

from __future__ import annotations

from wildtrace.construct.geometries.abductive import Abductive
from wildtrace.construct.geometries.base import Geometry
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

__all__ = ["GEOMETRIES", "Geometry"]
