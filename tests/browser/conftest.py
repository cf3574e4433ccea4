"""A real browser and pages opened from disk; all tests here skip where there is no chromium."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from tests.report.html.made import load_made, report_of
from wildtrace.report.document import Report
from wildtrace.report.html import html_parts

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-dev-shm-usage"]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Everything in this folder drives a browser."""
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.browser)


@dataclass(slots=True)
class Opened:
    """A page, and all that it said and asked for since it was opened."""

    page: Any
    messages: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)


def refuse(opened: Opened) -> Callable[[Any], None]:
    """Close a dialog that a script opened, and note what it said."""

    def refused(dialog: Any) -> None:
        opened.messages.append(dialog.message)
        dialog.dismiss()

    return refused


# Its event loop runs as long as it is open, so it is closed before other tests run loops of their own.
@pytest.fixture(scope="package")
def browser() -> Iterator[Any]:
    """One chromium for all tests of this folder."""
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    if CHROMIUM is None:
        pytest.skip("no chromium on the path")
    with playwright.sync_playwright() as running:
        launched = running.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield launched
        launched.close()


@pytest.fixture
def open_page(browser: Any) -> Iterator[Callable[..., Opened]]:
    """Open a file in a context of its own and wait until its charts are drawn."""
    contexts = []

    def opened(path: Path, address: str = "", **options: Any) -> Opened:
        context = browser.new_context(**({"viewport": {"width": 1280, "height": 900}} | options))
        contexts.append(context)
        made = Opened(context.new_page())
        made.page.on("console", lambda message: made.messages.append(message.text))
        made.page.on("pageerror", lambda error: made.messages.append(str(error)))
        made.page.on("dialog", refuse(made))
        made.page.on("request", lambda request: made.requests.append(request.url))
        made.page.goto(path.as_uri() + address)
        made.page.wait_for_selector("body[data-charts=drawn]")
        made.page.wait_for_selector("#answers-list tbody tr")
        return made

    yield opened
    for context in contexts:
        context.close()


def write_page(path: Path, report: Report) -> Path:
    """The report as a file."""
    path.write_bytes(b"".join(html_parts(report)))
    return path


@pytest.fixture(scope="session")
def made_report(tmp_path_factory: pytest.TempPathFactory) -> Report:
    """The made report, with answers."""
    return report_of(load_made(tmp_path_factory.mktemp("made")))


@pytest.fixture(scope="session")
def made_page(made_report: Report, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The made report as a page."""
    return write_page(tmp_path_factory.mktemp("page") / "report.html", made_report)


@pytest.fixture
def opened(made_page: Path, open_page: Callable[..., Opened]) -> Opened:
    """The made page, opened."""
    return open_page(made_page)
