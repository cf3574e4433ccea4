"""A run's identity: every setting that can move a score, and the digests of its tasks (docs/protocol.md, rule 27).

    route      the model and the endpoint's id: host and path of its base URL
    decoding   temperature and output budget
    protocol   prompt, access condition, retry policy, reasoning policy
    judging    panel, judge settings, judge prompt, samples (scores only)

Two runs may share a table when `protocol` and `judging` are equal. A run is resumed only under its own identity. Tasks
may be added, left out and reordered; of one that is in both runs the question, the document and (when judging) the
rubric must be the same.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any, Final
from urllib.parse import unquote_plus, urlsplit

import orjson

from wildtrace.endpoints.config import Endpoint
from wildtrace.errors import ConfigError
from wildtrace.types import DocumentFacts, Item, Question, Rubric

_CREDENTIAL: Final = re.compile(r"key|token|secret|passw|pwd|auth|credential|^sig|^code$", re.IGNORECASE)


def digest(value: Any, size: int = 16) -> str:
    """A short, stable digest of any JSON value, in hexadecimal."""
    data = orjson.dumps(value, option=orjson.OPT_SORT_KEYS)
    return hashlib.blake2b(data, digest_size=size // 2).hexdigest()


def text_digest(text: str) -> str:
    """A short digest of a text."""
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()


def task_digest(question: Question, facts: DocumentFacts, passages: str | None = None) -> str:
    """`question:document` in short digests, and `:passages` where these are shown in the document's place."""
    parts = [text_digest(question.text), facts.sha256[:16]]
    return ":".join(parts if passages is None else [*parts, text_digest(passages)])


def judged_task_digests(items: Iterable[Item]) -> dict[str, str]:
    """Per task, `question:rubric` in short digests."""
    return {item.question_id: f"{text_digest(item.question.text)}:{rubric_digest(item.rubric)}" for item in items}


def rubric_digest(rubric: Rubric) -> str:
    """A short digest of what a rubric awards points for; 60 and 60.0 are the same points."""
    return digest([[float(criterion.points), criterion.text] for criterion in rubric.criteria])


def decoding(endpoint: Endpoint) -> dict[str, Any]:
    """The decoding settings that a request carries."""
    return {
        "temperature": endpoint.temperature,
        "max_tokens": endpoint.max_tokens,
        "max_tokens_field": endpoint.max_tokens_field,
    }


def route(endpoint: Endpoint) -> dict[str, Any]:
    """The model and the endpoint's id; `query` only where `base_url` has one that is no credential."""
    parts = urlsplit(endpoint.base_url)
    asked = query(endpoint)
    place = f"{parts.hostname or ''}{parts.path.rstrip('/')}"
    return {"model": endpoint.model, "endpoint": place, **({"query": asked} if asked else {})}


def address(endpoint: Endpoint) -> dict[str, Any]:
    """The model and where it is asked, without credentials, as a provenance shows it."""
    return {**route(endpoint), "base_url": endpoint.public_url}


def query(endpoint: Endpoint) -> dict[str, str]:
    """The names in the query of `base_url`, each with a digest of its values: a deployment, an API's version.

    What authenticates is left out: a new key asks the same model. What stands without a name has the name "".
    """
    values: dict[str, list[str]] = {}
    for pair in filter(None, re.split("[&;]", urlsplit(endpoint.base_url).query)):
        name, has_name, value = pair.partition("=")
        if not _CREDENTIAL.search(name if has_name else ""):
            values.setdefault(unquote_plus(name) if has_name else "", []).append(
                unquote_plus(value if has_name else pair)
            )
    return {name: digest(given) for name, given in values.items()}


@dataclass(frozen=True, slots=True)
class Identity:
    """What a run is known by; `task_parts` name what each task's digest is made of, in order."""

    settings: Mapping[str, Any]
    tasks: Mapping[str, str]
    task_parts: tuple[str, ...]

    @property
    def digest(self) -> str:
        """One short digest of all settings; the tasks may change."""
        return digest(self.settings)

    @property
    def signature(self) -> dict[str, Any]:
        """The settings with their digest, as they stand in a provenance."""
        return {**self.settings, "digest": self.digest}

    def differences(self, settings: Mapping[str, Any]) -> list[str]:
        """What is not as in these settings of another run, each as `key.path: theirs -> ours`."""
        return differences(settings, json.loads(json.dumps(self.settings)))

    def refuse_other(self, out: str, settings: Mapping[str, Any], tasks: Mapping[str, str]) -> None:
        """ConfigError, showing the difference, where `out` was made under these other settings or from other data."""
        if changed := self.differences(settings):
            raise ConfigError(
                f"{out} belongs to a run with other settings ({'; '.join(changed[:4])}); choose another output, or go "
                "back"
            )
        refuse_changed_tasks(out, tasks, self.tasks, self.task_parts)


def differences(old: Any, new: Any, path: str = "") -> list[str]:
    """What differs between two JSON values, each as `key.path: old -> new`; digests aside."""
    if isinstance(old, Mapping) and isinstance(new, Mapping):
        keys = [key for key in dict.fromkeys([*old, *new]) if key != "digest"]
        return [line for key in keys for line in differences(old.get(key), new.get(key), f"{path}.{key}".lstrip("."))]
    if isinstance(old, list) and isinstance(new, list) and all(isinstance(entry, Mapping) for entry in (*old, *new)):
        pairs = enumerate(zip_longest(old, new))
        return [line for place, (left, right) in pairs for line in differences(left, right, f"{path}[{place}]")]
    return [] if old == new else [f"{path}: {_short(old)} -> {_short(new)}"]


def _short(value: Any) -> str:
    text = "none" if value is None else str(value)
    return text if len(text) <= 80 else text[:79] + "…"


def refuse_changed_tasks(out: str, old: Mapping[str, str], new: Mapping[str, str], parts: tuple[str, ...]) -> None:
    """ConfigError naming the tasks that are in both runs and of which a part has another digest."""
    changed = []
    for question_id, now in new.items():
        before = old.get(question_id, now)
        if before != now:
            pairs = zip(parts, before.split(":"), now.split(":"), strict=False)
            which = " and ".join(part for part, left, right in pairs if left != right) or "format"
            changed.append(f"{question_id} ({which})")
    if changed:
        shown = ", ".join(changed[:3]) + (f" and {len(changed) - 3} more" if len(changed) > 3 else "")
        raise ConfigError(
            f"{out} was made with other data: {shown} changed; choose another output, or restore the data"
        )
