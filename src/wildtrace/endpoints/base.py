"""What goes to a model and what comes back: one protocol for contestants, judges and roles."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol


@dataclass(frozen=True, slots=True)
class ReplySchema:
    """The JSON schema that a reply should follow, and the name that the wire format wants for it."""

    name: str
    schema: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Request:
    """One user turn. The document, where there is one, is spliced in between `before` and `after`.

    `document` fetches the document's JSON-escaped bytes when they are about to be sent, so that a request waiting for
    its turn, or for its answer, holds no copy. `schema` is a wish: an endpoint that takes none is asked without it.
    """

    before: str
    after: str = ""
    document: Callable[[], bytes] | None = None
    schema: ReplySchema | None = None


@dataclass(frozen=True, slots=True)
class Reply:
    """What a model said. `refused` is the endpoint's own mark, never inferred from wording; times are Unix seconds.

    `key_removed` says that the endpoint repeated a secret of the request, which was taken out; `without_schema` that it
    would not take the request's schema.
    """

    content: str
    reasoning: str | None = None
    finish_reason: str | None = None
    refused: bool = False
    usage: dict[str, int] | None = None
    served_model: str | None = None
    fingerprint: str | None = None
    attempts: int = 1
    latency_s: float = 0.0
    sent_at: float = 0.0
    key_removed: bool = False
    without_schema: bool = False


class Model(Protocol):
    """Anything that can be asked. Raises failures.CallError; its subclasses say what to do next."""

    async def ask(self, request: Request) -> Reply:
        """Ask once and return the reply; transient errors have been retried."""
        ...
