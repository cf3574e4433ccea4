"""The seven evidence geometries (paper, section 2.3 and Table 7): a file each; `GEOMETRIES` shows their order."""

from __future__ import annotations

from wildtrace.geometries.abductive import Abductive
from wildtrace.geometries.base import Geometry
from wildtrace.geometries.causal import Causal
from wildtrace.geometries.comparative import Comparative
from wildtrace.geometries.counterfactual import Counterfactual
from wildtrace.geometries.forward import Forward
from wildtrace.geometries.intersection import Intersection
from wildtrace.geometries.temporal import Temporal

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
