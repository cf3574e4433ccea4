"""Breaks what a score hangs on, one place at a time, and shows every change that no test noticed. Run: make mutants.

Which modules are broken and which tests must notice stands in pyproject.toml, [tool.mutmut]. Each change that survives
is explained in mutants_explained.toml, or the run fails; it fails too on a change that never ends and is not listed
there, and on an explanation of what is no longer so.

Not broken: constants and expressions at module level, and decorated functions, which the tool leaves alone. Tests hold
them against values written out a second time: the prompt files (tests/prompts), caps and script ranges (rules 7 and 8),
limits and rates (rules 16 and 18), what a reply may look like (tests/judging), tiers (rule 30).
"""

from __future__ import annotations

import os
import resource
import shutil
import subprocess
import sys
import time
import tomllib
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

import click

ROOT = Path(__file__).parent.parent
EXPLAINED = Path(__file__).with_name("mutants_explained.toml")
# A change that never ends may also never stop to grow.
MEMORY = 2 * 1024**3
ENDED = {"killed", "timeout", "segfault"}


@dataclass(frozen=True, slots=True)
class Change:
    """A change by its function and its lines, whatever is edited elsewhere; `place` counts equal ones from 1."""

    function: str
    was: str
    becomes: str
    place: int = 1


@dataclass(frozen=True, slots=True)
class Found:
    """What became of a change: the tool's name for it and `killed`, `survived`, `timeout`, `no tests`, ..."""

    name: str
    change: Change
    outcome: str


@dataclass(frozen=True, slots=True)
class Explained:
    """Changes that make no difference, and changes that never end; each with the reason."""

    survives: Mapping[Change, str]
    endless: Mapping[Change, str]


def lines_of(diff: str) -> tuple[str, str]:
    """The lines that a diff takes away and those it puts there, without indentation."""
    body = [line for line in diff.splitlines() if not line.startswith(("---", "+++"))]
    was, becomes = ("\n".join(line[1:].strip() for line in body if line.startswith(sign)) for sign in "-+")
    return was, becomes


def numbered(changes: Iterable[tuple[str, str, str]]) -> list[Change]:
    """The changes in order, equal ones told apart by their place."""
    seen: Counter[tuple[str, str, str]] = Counter()
    result = []
    for change in changes:
        seen[change] += 1
        result.append(Change(*change, seen[change]))
    return result


def explained_in(text: str) -> Explained:
    """Read mutants_explained.toml; ValueError names an entry that is no explanation."""
    tables = tomllib.loads(text)
    return Explained(*(_reasons(name, tables.pop(name, [])) for name in ("survives", "endless")))


def _reasons(table: str, entries: list[dict[str, str]]) -> dict[Change, str]:
    reasons: dict[Change, str] = {}
    for entry in entries:
        why = entry.pop("why", "").strip()
        change = Change(**entry)  # type: ignore[arg-type]
        if not why or change in reasons:
            raise ValueError(f"[[{table}]] {change}: {'twice' if why else 'no reason'}")
        reasons[change] = why
    return reasons


def problems(found: Iterable[Found], explained: Explained) -> list[str]:
    """Every change that a test should notice or somebody should explain, and every explanation that is out of date."""
    outcomes = {entry.change: entry.outcome for entry in found}
    told = [
        f"{outcome}, and nobody says why: {_shown(change)}"
        for change, outcome in outcomes.items()
        if not _accounted(change, outcome, explained)
    ]
    told += [
        f"explained, and {outcomes.get(change, 'gone')}: {_shown(change)}"
        for change in explained.survives
        if outcomes.get(change, "killed") == "killed"
    ]
    told += [f"explained, and gone: {_shown(change)}" for change in explained.endless if change not in outcomes]
    return told


def _accounted(change: Change, outcome: str, explained: Explained) -> bool:
    if outcome == "killed":
        return True
    if change in explained.endless:
        return outcome in ENDED
    return outcome not in ENDED and change in explained.survives


def _shown(change: Change) -> str:
    place = f" (place {change.place})" if change.place > 1 else ""
    lines = [f"- {line}" for line in change.was.splitlines()] + [f"+ {line}" for line in change.becomes.splitlines()]
    return "\n    ".join([change.function + place, *lines])


def break_everything(names: Iterable[str] = ()) -> None:
    """Run the tool over all changes, or again over those named; exit with its output where the unbroken code fails."""
    command = [str(Path(sys.executable).with_name("mutmut")), "run", *names]
    quiet = None if sys.stdout.isatty() else subprocess.PIPE
    ended = subprocess.run(  # noqa: S603 - our own program
        command, cwd=ROOT, stdout=quiet, stderr=subprocess.STDOUT, text=True, check=False, preexec_fn=_little_memory
    )
    if ended.returncode:
        click.echo((ended.stdout or "")[-4000:])
        sys.exit("The tests fail on the unbroken code, or the tool does; see above.")


def _little_memory() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


def outcomes() -> list[Found]:
    """What became of each change of the last run, in the order of the code."""
    from mutmut.mutation.data import SourceFileMutationData  # noqa: PLC0415 - reads the configuration of the folder
    from mutmut.mutation.diff_apply import get_diff_for_mutant  # noqa: PLC0415
    from mutmut.stats import status_by_exit_code  # noqa: PLC0415
    from mutmut.utils.file_utils import walk_mutatable_files  # noqa: PLC0415

    names, statuses, changes = [], [], []
    for path in sorted(walk_mutatable_files()):
        data = SourceFileMutationData(path=path)
        data.load()
        for name, code in data.exit_code_by_key.items():
            names.append(name)
            statuses.append(status_by_exit_code[code])
            changes.append((_function(name), *lines_of(get_diff_for_mutant(name, path=path))))
    return [Found(*entry) for entry in zip(names, numbered(changes), statuses, strict=True)]


def _function(name: str) -> str:
    """`package.module.x_name__mutmut_3`, or with `xǁClassǁname`, as `package.module.name` or with the class."""
    module, _, mangled = name.partition("__mutmut_")[0].rpartition(".")
    return f"{module}.{mangled.removeprefix('x').removeprefix('_').strip('ǁ').replace('ǁ', '.')}"


def main() -> None:
    """Break, count, compare with what is explained; exit status 1 where something is not."""
    os.chdir(ROOT)
    explained = explained_in(EXPLAINED.read_text(encoding="utf-8"))
    shutil.rmtree(ROOT / "mutants", ignore_errors=True)
    began = time.monotonic()
    break_everything()
    found = outcomes()
    late = [entry.name for entry in found if entry.outcome == "timeout" and entry.change not in explained.endless]
    if late:
        # A busy machine can make any change look endless.
        break_everything(late)
        found = outcomes()
    counts = Counter(entry.outcome for entry in found)
    shown = ", ".join(f"{count} {outcome}" for outcome, count in counts.most_common())
    told = problems(found, explained)
    click.echo(f"{len(found)} changes in {time.monotonic() - began:.0f} s: {shown}; {len(told)} to look at")
    if told:
        click.echo("\n\n".join(told))
        sys.exit(1)


if __name__ == "__main__":
    main()
