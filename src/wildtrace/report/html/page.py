"""The document in its parts: policy, style, tables and figures, scripts, then a packed block a system and an item.

What is read first stands first: a page shows its tables before a browser has read the blocks at its end.
"""

from __future__ import annotations

import html
from collections.abc import Iterator
from importlib.resources import files
from typing import Any

from wildtrace.geometries import GEOMETRY_NAMES
from wildtrace.report.document import Report
from wildtrace.report.html.cells import Cells, cell_blocks, collect, item_blocks, item_facts
from wildtrace.report.html.charts import chart_library, figure_payload
from wildtrace.report.html.embed import json_block
from wildtrace.report.html.policy import content_security_policy
from wildtrace.report.html.tables import table_payload
from wildtrace.vocabulary import (
    ANSWER_FLAGS,
    CAP_SOURCES,
    FAMILIES,
    JUDGE_FLAGS,
    REASONS,
    STATUSES,
    TIERS,
)

STYLE = "report.css"
# The page explains these words where it shows them.
EXPLAINED = (STATUSES, REASONS, ANSWER_FLAGS, JUDGE_FLAGS, TIERS, GEOMETRY_NAMES, FAMILIES, CAP_SOURCES)
# Later scripts use what earlier ones define; `main.js` starts the page.
SCRIPTS = (
    "text.js",
    "blocks.js",
    "cells.js",
    "tables.js",
    "charts.js",
    "answers.js",
    "item.js",
    "runs.js",
    "main.js",
)
BODY = "body.html"


def html_parts(report: Report) -> Iterator[bytes]:
    """The report as one HTML document, part by part.

    It makes no request and runs no script but its own. ConfigError where figures are to be shown and the `report`
    extra is not installed.
    """
    library = chart_library() if report.figures else ""
    style, script = asset(STYLE), page_script()
    scripts = [script, library] if library else [script]
    cells = collect(report)
    yield _head(report.title, content_security_policy(scripts, [style]), style)
    yield asset(BODY).encode()
    yield json_block("payload", page_payload(report, cells))
    if library:
        yield _script(library)
    yield _script(script)
    yield from cell_blocks(cells)
    yield from item_blocks(report.items)
    yield b"</body>\n</html>\n"


def page_payload(report: Report, cells: Cells) -> dict[str, Any]:
    """All that the page knows from the start: everything but the answers and the items' hidden parts."""
    return {
        "title": report.title,
        "marks": list(report.marks),
        "answers": report.answers,
        "runs": [dict(run) for run in report.runs],
        "tables": [table_payload(table) for table in report.tables],
        "figures": [figure_payload(figure) for figure in report.figures],
        "models": list(cells.models),
        "judges": list(cells.judges),
        "items": item_facts(report.items),
        "meanings": [[term.name, term.meaning] for words in EXPLAINED for term in words.terms],
    }


def page_script() -> str:
    """The page's scripts as one, in a scope of their own."""
    return "(() => {\n'use strict';\n" + "\n".join(asset(name) for name in SCRIPTS) + "\n})();\n"


def asset(name: str) -> str:
    """The text of a file in `assets/`."""
    return files(__package__).joinpath("assets", name).read_text(encoding="utf-8")


def _head(title: str, policy: str, style: str) -> bytes:
    text = (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{html.escape(policy)}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="referrer" content="no-referrer">\n<meta name="color-scheme" content="light dark">\n'
        f"<title>{html.escape(title)}</title>\n<style>{style}</style>\n</head>\n"
    )
    return text.encode("utf-8", "backslashreplace")


def _script(text: str) -> bytes:
    return f"<script>{text}</script>\n".encode()
