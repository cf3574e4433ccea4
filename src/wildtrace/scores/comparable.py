"""Which runs may stand in one table, and what must be said of those that may only on request.

Runs are comparable when the `protocol` and `judging` parts of their signatures are equal (protocol, section 5: do not
mix route caps, prompts, retry policies, panels). Offline scores never stand beside those of a panel of language models.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from wildtrace.calls.identity import differences
from wildtrace.errors import ConfigError

_SHOWN = 4
_OTHER_CONDITION = ("condition", "prompt")

OFFLINE_MARK = "Offline scores: no language model judged these answers."


@dataclass(frozen=True, slots=True)
class Provenance:
    """What comparability needs of a run: its file, its name, and the provenance and judges that stand in the file."""

    path: Path
    model: str
    fields: Mapping[str, Any]
    judges: tuple[str, ...] = ()

    @property
    def signed(self) -> bool:
        """Whether the file says under what settings the answers were made and judged."""
        settings = _settings(self, other_condition=False)
        return all(isinstance(part, Mapping) and part for part in settings.values())

    @property
    def condition(self) -> str:
        """The access condition of the answers: `full`, `evidence` or `none`."""
        return str(self.fields.get("condition") or "full")

    @property
    def offline(self) -> bool:
        """Whether the contestant or any judge was an offline one."""
        return any(self._offline())

    @property
    def offline_judges_in_part(self) -> bool:
        """Whether some of the panel is offline and some is not."""
        stated = self.fields.get("offline")
        if not isinstance(stated, Mapping):
            return False
        panel = _panel(self.fields)
        offline = set(stated.get("judges") or ())
        return bool(offline) and bool(panel - offline)

    @property
    def tasks(self) -> Mapping[str, str]:
        """The digests of question and rubric by task; empty where the file has none."""
        stated = self.fields.get("tasks")
        return stated if isinstance(stated, Mapping) else {}

    def _offline(self) -> tuple[bool, bool]:
        stated = self.fields.get("offline")
        if isinstance(stated, Mapping):
            return bool(stated.get("contestant")), bool(stated.get("judges"))
        return bool(stated), False


def check(runs: Sequence[Provenance], *, allow_mixed: bool, other_condition: bool = False) -> tuple[str, ...]:
    """Refuse runs that may not share a table (ConfigError, naming what differs); return what must be said of those.

    Runs without a signature are compared by their lists of judges alone, and every table of them says so. With
    `other_condition` the access condition and its prompt may differ, which is what the access statistic compares.
    """
    _refuse_offline_beside_models(runs)
    _refuse_other_tasks(runs)
    marks = [OFFLINE_MARK] if any(run.offline for run in runs) else []
    own = dict.fromkeys(run.model for run in runs if run.fields.get("self_judging"))
    if own:
        marks.append(f"SELF-JUDGED: the panel holds the contestant itself ({', '.join(own)}).")
    unsigned = list(dict.fromkeys(run.model for run in runs if not run.signed))
    if unsigned:
        marks.append(
            f"A scores file carries no signature: whether its runs are comparable is not checked ({_few(unsigned)})."
        )
    found = _differences(runs, other_condition=other_condition)
    if found and not allow_mixed:
        raise ConfigError(
            f"{found[0]} ({'; '.join(found[1][:_SHOWN])}), so they may not share a table; "
            "report them apart, or mark the table with --allow-mixed"
        )
    if found:
        marks.append(f"MIXED: {found[0]} ({'; '.join(found[1][:_SHOWN])}); differences may come from that.")
    return tuple(marks)


def refuse_other_data(run: Provenance, prints: Mapping[str, str], data: Path) -> None:
    """ConfigError where the run was judged with another question or rubric than `data` has (digests by task)."""
    changed = _changed(run.tasks, prints)
    if changed:
        raise ConfigError(
            f"{run.path} was judged with another question or rubric than {data} has for {_few(changed)}; name the data "
            "that the run was made with"
        )


def _refuse_other_tasks(runs: Sequence[Provenance]) -> None:
    for run in runs[1:]:
        changed = _changed(runs[0].tasks, run.tasks)
        if changed:
            raise ConfigError(
                f"{runs[0].path} and {run.path} were judged with other questions or rubrics for {_few(changed)}, so "
                "they are of different releases; judge them on one"
            )


def _changed(old: Mapping[str, str], new: Mapping[str, str]) -> list[str]:
    return sorted(name for name in old if name in new and old[name] != new[name])


def _few(names: Sequence[str]) -> str:
    more = len(names) - _SHOWN
    return ", ".join(names[:_SHOWN]) + (f" and {more} more" if more > 0 else "")


def _refuse_offline_beside_models(runs: Sequence[Provenance]) -> None:
    for run in runs:
        if run.offline_judges_in_part:
            raise ConfigError(
                f"{run.path} was judged by an offline judge beside language models; judge it anew with one kind"
            )
    offline = next((run for run in runs if run.offline), None)
    online = next((run for run in runs if not run.offline), None)
    if offline is not None and online is not None:
        raise ConfigError(
            f"{offline.path} holds offline scores and {online.path} those of a panel of language models, which never "
            "share a table; report them apart"
        )


def _differences(runs: Sequence[Provenance], *, other_condition: bool) -> tuple[str, list[str]] | None:
    for run in runs[1:]:
        found = differences(_settings(runs[0], other_condition), _settings(run, other_condition))
        if found:
            return f"{runs[0].path} and {run.path} were made under other settings", found
    for run in runs[1:]:
        if set(run.judges) != set(runs[0].judges):
            panels = [_few(sorted(one.judges)) or "nobody" for one in (runs[0], run)]
            return f"{runs[0].path} and {run.path} were judged by other panels", [f"judges: {' -> '.join(panels)}"]
    return None


def _settings(run: Provenance, other_condition: bool) -> dict[str, Any]:
    signature = run.fields.get("signature")
    parts = signature if isinstance(signature, Mapping) else {}
    protocol = parts.get("protocol")
    if other_condition and isinstance(protocol, Mapping):
        protocol = {key: value for key, value in protocol.items() if key not in _OTHER_CONDITION}
    return {"protocol": protocol, "judging": _by_name(parts.get("judging"))}


def _by_name(judging: Any) -> Any:
    """The panel in the order of its judges' names: the mean does not know who was asked first."""
    if not isinstance(judging, Mapping) or not isinstance(judging.get("panel"), list):
        return judging
    return {**judging, "panel": sorted(judging["panel"], key=str)}


def _panel(fields: Mapping[str, Any]) -> set[str]:
    signature = fields.get("signature")
    judging = signature.get("judging") if isinstance(signature, Mapping) else None
    panel = judging.get("panel") if isinstance(judging, Mapping) else None
    entries = panel if isinstance(panel, list) else []
    return {str(entry["name"] if isinstance(entry, Mapping) and "name" in entry else entry) for entry in entries}
