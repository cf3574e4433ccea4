"""Which judges a panel may have, and how often each is asked (docs/protocol.md, rules 24 and 25)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from wildtrace.calls.identity import route
from wildtrace.endpoints.config import Endpoint, RunConfig
from wildtrace.errors import ConfigError

# A judge is asked once and, where its reply is of no use, at most twice again in a run (rule 24).
SAMPLES: Final = 3


def check_panel(config: RunConfig, answered: Mapping[str, Any]) -> bool:
    """Refuse an empty panel, and one that judges itself unless that is allowed; whether it does.

    `answered` is the provenance of the answers. ConfigError names the judge and the setting.
    """
    judges = config.judges
    if not judges:
        raise ConfigError("the config names no judges; add the panel: judges, a list of endpoints each with a name")
    for judge in judges:
        judge.api_key()
    contestants = [answered.get("model") or config.contestant.model, *(answered.get("served_models") or ())]
    own = _own(judges, contestants)
    twins = _twins(judges)
    if (own or twins) and not config.allow_self_judging:
        fault = (
            f"judge {own[0]!r} is the contestant itself"
            if own
            else f"judges {twins[0]!r} and {twins[1]!r} are one model at one address"
        )
        raise ConfigError(f"{fault}; choose another, or set allow_self_judging to mark the scores")
    return bool(own or twins)


def _own(judges: Iterable[Endpoint], contestants: Iterable[str]) -> list[str]:
    names = {model_name(name) for name in contestants}
    return [judge.name for judge in judges if model_name(judge.model) in names]


def _twins(judges: Sequence[Endpoint]) -> list[str]:
    """The names of the first two judges that are one model at one address."""
    first: dict[tuple[str, str], str] = {}
    for judge in judges:
        place = (model_name(judge.model), str(route(judge)["endpoint"]).lower())
        if place in first:
            return [first[place], judge.name]
        first[place] = judge.name
    return []


def model_name(name: str) -> str:
    """A model's name for comparing: without case, white space and a route's prefix such as `openai/`."""
    return "".join(name.split()).casefold().rpartition("/")[2]
