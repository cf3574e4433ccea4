"""What a mutation run accepts: a change that a test notices, one whose reason is written down, and nothing else."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from tools.mutants import EXPLAINED, ROOT, Change, Explained, Found, explained_in, lines_of, numbered, problems

DIFF = """--- src/wildtrace/x.py
+++ src/wildtrace/x.py
@@ -1,4 +1,4 @@
 def f(a):
-    if a < 0:
+    if a <= 0:
         return "水"
"""
ONE = Change("x.f", "if a < 0:", "if a <= 0:")
TWO = Change("x.f", "a += 1", "a = 1")


def explained(survives: list[Change], endless: list[Change]) -> Explained:
    """Each with some reason."""
    return Explained(dict.fromkeys(survives, "why"), dict.fromkeys(endless, "why"))


def test_a_change_is_known_by_its_lines_whatever_stands_around_them() -> None:
    """Indentation and line numbers are none of its name; several lines stay in order."""
    assert ("if a < 0:", "if a <= 0:") == lines_of(DIFF)
    moved = DIFF.replace("@@ -1,4 +1,4 @@", "@@ -90,4 +90,4 @@").replace("    if", "        if")
    assert lines_of(DIFF) == lines_of(moved)
    assert ("a\nb", "c") == lines_of("-  a\n-  b\n+  c")


def test_equal_changes_of_one_function_are_told_apart() -> None:
    """By their order; those of another function count for themselves."""
    line = ("a += 1", "a = 1")
    assert [1, 1, 2, 1] == [
        change.place
        for change in numbered([("x.f", *line), ("x.g", *line), ("x.f", *line), ("x.f", "b += 1", "b = 1")])
    ]


@pytest.mark.parametrize(
    ("outcome", "survives", "endless", "heard"),
    [
        ("killed", [], [], ""),
        ("survived", [ONE], [], ""),
        ("no tests", [ONE], [], ""),
        ("timeout", [], [ONE], ""),
        ("segfault", [], [ONE], ""),
        ("killed", [], [ONE], ""),  # what grows without end can meet another limit first
        ("survived", [], [], "survived, and nobody says why"),
        ("no tests", [], [], "no tests, and nobody says why"),
        ("timeout", [], [], "timeout, and nobody says why"),
        ("suspicious", [], [], "suspicious, and nobody says why"),
        ("not checked", [], [], "not checked, and nobody says why"),
        ("survived", [TWO], [TWO], "survived, and nobody says why"),
        ("survived", [], [ONE], "survived, and nobody says why"),
        ("timeout", [ONE], [], "timeout, and nobody says why"),
        ("killed", [ONE], [], "explained, and killed"),
        ("killed", [TWO], [], "explained, and gone"),
        ("killed", [], [TWO], "explained, and gone"),
    ],
)
def test_every_survivor_is_explained_and_every_explanation_holds(
    outcome: str, survives: list[Change], endless: list[Change], heard: str
) -> None:
    """The change and the explanations must agree, in both directions; what does not is shown with its lines."""
    told = problems([Found("x.x_f__mutmut_1", ONE, outcome)], explained(survives, endless))
    assert bool(heard) == bool(told)
    assert all(heard in line or "gone" in line for line in told)
    assert all("+ a = 1" in line if "gone" in line else "- if a < 0:\n    + if a <= 0:" in line for line in told)


def test_an_explanation_needs_a_reason_and_stands_once() -> None:
    """Else the file is refused."""
    entry = '[[survives]]\nfunction = "x.f"\nwas = "a"\nbecomes = "b"\n'
    assert {Change("x.f", "a", "b"): "so"} == explained_in(entry + 'why = "so"').survives
    for text in (entry, entry + 'why = " "', f'{entry}why = "so"\n{entry}why = "so"'):
        with pytest.raises(ValueError, match=r"no reason|twice"):
            explained_in(text)


def test_the_written_explanations_can_be_read_and_speak_of_what_is_broken() -> None:
    """Each names a function of a module that the configuration breaks, and a line that stands in it."""
    reasons = explained_in(EXPLAINED.read_text(encoding="utf-8"))
    broken = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["mutmut"]["only_mutate"]
    sources = {
        str(path.relative_to(ROOT / "src").with_suffix("")).replace("/", "."): path.read_text(encoding="utf-8")
        for pattern in broken
        for path in Path(ROOT).glob(pattern)
    }
    for change in (*reasons.survives, *reasons.endless):
        (module,) = (name for name in sources if change.function.startswith(f"{name}."))
        assert all(line in sources[module] for line in change.was.splitlines()), change
