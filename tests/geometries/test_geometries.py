"""The geometries: one file each, named alike everywhere, and what each refuses."""

from __future__ import annotations

from pathlib import Path

import pytest

from wildtrace import geometries
from wildtrace.construct.seeds import SEEDS
from wildtrace.geometries import Layout, geometry_named

Edges = tuple[tuple[str, str, str], ...]


def layout(edges: Edges, sides: str = "", order: str = "abc") -> Layout:
    """Clues a, b, c (told in this order) with these edges and sides."""
    side = dict(zip("abc", sides or ["", "", ""], strict=True))
    return Layout({name: 1000 * at for at, name in enumerate(order)}, side, dict.fromkeys("abc", "asserted"), edges)


def test_folder_and_tuple_name_the_same() -> None:
    """A file each, a line each; the seeds they like exist."""
    folder = Path(geometries.__file__).parent
    files = {path.stem for path in folder.glob("*.py")} - {"__init__", "base"}
    assert files == {each.name for each in geometries.GEOMETRIES} == set(geometries.GEOMETRY_NAMES)
    assert {seed for each in geometries.GEOMETRIES for seed in each.seeds} <= {seed.__name__ for seed in SEEDS}
    assert all(each.name in geometries.all_definitions() and each.hides for each in geometries.GEOMETRIES)


@pytest.mark.parametrize(
    ("name", "good", "bad", "sides"),
    [
        ("forward", (("a", "b", "causes"), ("b", "c", "enables")), (("a", "b", "causes"), ("c", "b", "causes")), ""),
        ("intersection", (("a", "b", "same_entity"), ("b", "c", "same_entity")), (("a", "b", "same_entity"),), ""),
        ("comparative", (("a", "b", "contrasts"), ("b", "c", "causes")), (("b", "c", "contrasts"),), "xyy"),
        ("temporal", (("b", "a", "precedes"), ("a", "c", "precedes")), (("a", "b", "precedes"),), ""),
        ("causal", (("a", "c", "causes"), ("b", "c", "enables")), (("a", "b", "causes"),), ""),
        ("abductive", (("c", "a", "explains"), ("c", "b", "explains")), (("c", "a", "explains"),), ""),
        ("counterfactual", (("a", "b", "alternative_of"),), (("a", "b", "contrasts"),), "xyy"),
    ],
)
def test_a_geometry_takes_its_shape_and_says_why_it_refuses_another(
    name: str, good: Edges, bad: Edges, sides: str
) -> None:
    """By number, type and direction of edges, by sides, by order of telling."""
    geometry = geometry_named(name)
    assert geometry is not None
    assert [] == list(geometry.faults(layout(good, sides)))
    assert all(fault.strip() for fault in geometry.faults(layout(bad, sides)))
    assert [] != list(geometry.faults(layout(bad, sides)))
