"""Start and stop the offline endpoint in this process, on loopback only."""

from __future__ import annotations

import errno
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from aiohttp import web

from wildtrace.endpoints.offline.server import OfflineOptions, application
from wildtrace.errors import OutputError

HOST = "127.0.0.1"
STOP_WITHIN_S = 1.0


@asynccontextmanager
async def offline_endpoint(options: OfflineOptions | None = None) -> AsyncIterator[str]:
    """Serve the offline models while the block runs; gives the base URL (`http://127.0.0.1:PORT/v1`).

    Leaving the block waits up to a second for replies under way. Raises OutputError where the port is taken or the log
    cannot be written.
    """
    options = options or OfflineOptions()
    runner = web.AppRunner(application(options), access_log=None, shutdown_timeout=STOP_WITHIN_S)
    await runner.setup()
    try:
        site = web.TCPSite(runner, HOST, options.port)
        await _start(site, options.port)
        yield f"http://{HOST}:{runner.addresses[0][1]}/v1"
    finally:
        await runner.cleanup()


async def _start(site: web.TCPSite, port: int) -> None:
    try:
        await site.start()
    except OSError as error:
        why = "is in use" if error.errno == errno.EADDRINUSE else f"cannot be opened ({error.strerror})"
        raise OutputError(f"port {port} of {HOST} {why}; choose another with --port, or 0 for a free one") from error
