"""How an endpoint is opened: over HTTP, unless a test or another program brings its own models."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager

from wildtrace.endpoints.base import Model
from wildtrace.endpoints.config import Endpoint

ModelOpener = Callable[[Endpoint, asyncio.Event], AbstractAsyncContextManager[Model]]


def default_opener(endpoint: Endpoint, stop: asyncio.Event) -> AbstractAsyncContextManager[Model]:
    """The real thing: HTTP. Imported late, since a finished run needs none of it."""
    from wildtrace.endpoints.transport import open_endpoint  # noqa: PLC0415 - see above

    return open_endpoint(endpoint, stop)
