"""The page as a file: one document, its policy true to its scripts, with or without answers, in both scripts."""

from __future__ import annotations

import base64
import gzip
import hashlib
import html
import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from tests.report.html.made import ANSWER, ITEMS, load_made, report_of
from wildtrace.report.document import Report
from wildtrace.report.html import html_parts
from wildtrace.report.html.page import SCRIPTS, asset


@pytest.fixture(scope="module")
def reports(tmp_path_factory: pytest.TempPathFactory) -> tuple[Report, Report]:
    """The made report with answers and without."""
    loaded = load_made(tmp_path_factory.mktemp("made"))
    return report_of(loaded), report_of(loaded, "none")


@pytest.fixture(scope="module")
def page(reports: tuple[Report, Report]) -> str:
    """The page with answers."""
    return b"".join(html_parts(reports[0])).decode()


def blocks(page: str) -> list[object]:
    """Every packed record of an item."""
    texts = re.findall(r'<script type="text/plain" id="i\d+">([^<]*)</script>', page)
    return [json.loads(gzip.decompress(base64.b64decode(text))) for text in texts]


def test_the_policy_names_the_scripts_and_the_style_of_the_page(page: str) -> None:
    """The hashes are those of what stands there, and every inline script is named."""
    policy = html.unescape(re.search(r'Content-Security-Policy" content="([^"]+)"', page)[1])  # type: ignore[index]
    inline = re.findall(r"<script>(.*?)</script>", page, re.DOTALL) + re.findall(
        r"<style>(.*?)</style>", page, re.DOTALL
    )
    hashes = [base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() for text in inline]

    assert 3 == len(inline)
    assert sorted(hashes) == sorted(re.findall(r"'sha256-([^']+)'", policy))


def test_it_names_no_address(page: str) -> None:
    """Nothing is fetched: no element has a source, no style an import, and the scripts of the page ask for nothing."""
    own = "".join(map(asset, SCRIPTS)) + asset("report.css") + asset("body.html")

    assert not re.search(r"\b(src|srcset|action|data|poster)\s*=", asset("body.html"))
    assert not re.search(r"@import|url\(", asset("report.css"))
    assert {"http://www.w3.org/2000/svg"} == set(re.findall(r"https?://[^'\"\s)]+", own))
    for word in ("fetch(", "XMLHttpRequest", "importScripts", "sendBeacon", "WebSocket", "eval(", "new Function"):
        assert word not in own
    assert page.count("<!DOCTYPE html>") == 1


def test_text_from_data_is_only_ever_set_as_text() -> None:
    """No script of the page writes markup, and attributes with power over the page are never set."""
    own = "".join(map(asset, SCRIPTS))

    for word in (
        "innerHTML",
        "outerHTML",
        "insertAdjacentHTML",
        "document.write",
        "createContextualFragment",
        "srcdoc",
    ):
        assert word not in own.replace("(`innerHTML` and its kin)", ""), word
    assert not re.search(r"\.(href|src)\s*=", own)


def test_with_answers_every_text_is_in_its_items_record(page: str) -> None:
    """A record has the item's hidden part, every answer and every reply."""
    records = blocks(page)

    assert len(ITEMS) == len(records)
    text = json.dumps(records[0], ensure_ascii=False)
    assert ANSWER in text
    assert '"reply"' in text
    assert ITEMS[0].reference_answer in text


def test_without_answers_no_answer_and_no_reply_is_left(reports: tuple[Report, Report]) -> None:
    """Points, flags and rubrics stay; texts of models and judges are gone."""
    made = b"".join(html_parts(reports[1])).decode()
    text = json.dumps(blocks(made), ensure_ascii=False)

    assert '"points_awarded"' in text
    assert '"rubric"' in text
    assert '"reply"' not in text
    assert '"response"' not in text
    assert ANSWER[:20] not in text


def test_without_figures_there_is_no_chart_library(reports: tuple[Report, Report]) -> None:
    """Tables alone make a small page."""
    made = b"".join(html_parts(replace(reports[0], figures=())))

    assert b"vegaEmbed=" not in made
    assert 1 == made.count(b"<script>")


def test_an_odd_title_does_not_break_the_head(reports: tuple[Report, Report]) -> None:
    """Markup, quotes, Chinese and an unpaired surrogate in the title stay in the title."""
    made = b"".join(html_parts(replace(reports[0], figures=(), title='</title><b>"中文" \udcff'))).decode()

    assert "<title>&lt;/title&gt;&lt;b&gt;&quot;中文&quot; \\udcff</title>" in made


def test_a_report_of_nothing_is_a_page() -> None:
    """No tables, no items, no runs."""
    made = b"".join(html_parts(Report("Nothing", ()))).decode()

    assert made.endswith("</html>\n")
    assert '"items":[]' in made


def test_every_script_and_style_is_a_package_file() -> None:
    """Nothing but the named assets is in the folder, so nothing is left out of a page."""
    folder = Path(__file__).parents[3] / "src/wildtrace/report/html/assets"

    assert {*SCRIPTS, "report.css", "body.html"} == {path.name for path in folder.iterdir()}
    for name in SCRIPTS:
        assert len(asset(name).splitlines()) <= 400
