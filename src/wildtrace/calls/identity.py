"""A run's signature: every setting that can move a score, and what a change of it means (decisions.md, rule 27).

    route      model, base URL and its query
    decoding   temperature and output budget
    protocol   prompt, access condition, retry policy, reasoning policy
    judging    panel, judge settings, judge prompt, samples (scores only)

Two runs may share a table when `protocol` and `judging` are equal. A run is resumed only under its own signature; per
task also the question, the document and (when judging) the rubric must be the same. Tasks may come, go and move.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping
from itertools import zip_longest
from typing import Any, Final
from urllib.parse import unquote_plus, urlsplit

import orjson

from wildtrace.endpoints.config import Endpoint
from wildtrace.endpoints.retry import POLICY
from wildtrace.errors import ConfigError
from wildtrace.evaluate.respond import Condition, prompt_name
from wildtrace.judge.panel import SAMPLES
from wildtrace.prompts import render
from wildtrace.types import DocumentFacts, Item, Question, Rubric

_CREDENTIAL: Final = re.compile(r"key|token|secret|passw|pwd|auth|credential|^sig|^code$", re.IGNORECASE)


def digest(value: Any, size: int = 16) -> str:
    """A short, stable digest of any JSON value, in hexadecimal."""
    data = orjson.dumps(value, option=orjson.OPT_SORT_KEYS)
    return hashlib.blake2b(data, digest_size=size // 2).hexdigest()


def text_digest(text: str) -> str:
    """A short digest of a text."""
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()


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
    """The model and where it is asked, without credentials; `query` only where `base_url` has one that is none."""
    asked = query(endpoint)
    return {"model": endpoint.model, "base_url": endpoint.public_url, **({"query": asked} if asked else {})}


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
    return {name: digest(told) for name, told in values.items()}


def answering(endpoint: Endpoint, condition: Condition) -> dict[str, Any]:
    """The signature of an answering run."""
    return {
        "route": route(endpoint),
        "decoding": decoding(endpoint),
        "protocol": {
            "prompt": render.digest(prompt_name(condition)),
            "condition": condition,
            "retry": POLICY,
            "strip_reasoning": endpoint.strip_reasoning,
        },
    }


def judging(answers: Mapping[str, Any], judges: Iterable[Endpoint]) -> dict[str, Any]:
    """The signature of a judging run: that of the answers, and the panel's, in whatever order it is configured."""
    by_name = sorted(judges, key=lambda judge: judge.name)
    panel = [{"name": judge.name, **route(judge), **decoding(judge)} for judge in by_name]
    return {
        **answers,
        "judging": {"panel": panel, "prompt": render.digest("judge"), "samples": SAMPLES, "retry": POLICY},
    }


def with_digest(signature: Mapping[str, Any]) -> dict[str, Any]:
    """The signature as it stands in a provenance: its parts and one short digest of all."""
    return {**signature, "digest": digest(signature)}


def task_print(question: Question, facts: DocumentFacts, passages: str | None = None) -> str:
    """`question:document` in short digests, and `:passages` where these are shown in the document's place."""
    mark = f"{text_digest(question.text)}:{facts.sha256[:16]}"
    return mark if passages is None else f"{mark}:{text_digest(passages)}"


def judged_prints(items: Iterable[Item]) -> dict[str, str]:
    """Per task, `question:rubric` in short digests."""
    return {item.question_id: f"{text_digest(item.question.text)}:{rubric_digest(item.rubric)}" for item in items}


def differences(old: Any, new: Any, path: str = "") -> list[str]:
    """What differs between two signatures, each as `key.path: old -> new`."""
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


def refuse_other_run(out: str, old: Mapping[str, Any], new: Mapping[str, Any]) -> None:
    """ConfigError, showing what differs, where `out` was made under another signature."""
    changed = differences(_plain(old), _plain(new))
    if changed:
        raise ConfigError(
            f"{out} belongs to a run with other settings ({'; '.join(changed[:4])}); choose another output, or go back"
        )


def _plain(signature: Mapping[str, Any]) -> Any:
    """The signature as it reads back from a file."""
    return orjson.loads(orjson.dumps(signature))


def refuse_changed_tasks(
    out: str, old: Mapping[str, str], new: Mapping[str, str], parts: tuple[str, ...] = ("question", "document")
) -> None:
    """ConfigError naming the tasks whose question, document or rubric is not what `out` was made with."""
    changed = [
        f"{question_id} ({_which(old[question_id], new[question_id], parts)})"
        for question_id in new
        if question_id in old and old[question_id] != new[question_id]
    ]
    if changed:
        shown = ", ".join(changed[:3]) + (f" and {len(changed) - 3} more" if len(changed) > 3 else "")
        raise ConfigError(
            f"{out} was made with other data: {shown} changed; choose another output, or restore the data"
        )


def _which(old: str, new: str, parts: tuple[str, ...]) -> str:
    pairs = zip(parts, old.split(":"), new.split(":"), strict=False)
    return " and ".join(part for part, left, right in pairs if left != right) or "format"
