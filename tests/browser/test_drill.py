"""From a number to the answers behind it: every cell's filter gives that very number back, and an item opens."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.browser.conftest import Opened, write_page
from tests.browser.waiting import wait_until
from tests.report.html.made import ANSWER, ITEMS, MODELS, leave_unjudged, load_rows, report_of, score_of
from wildtrace.diagnose.base import Cell, Column, Table
from wildtrace.report.document import Report
from wildtrace.tables.layout import format_cell

# Press one cell, wait until its answers are listed, and read the line that sums them up.
PRESS = """async ([table, row, column]) => {
  const cell = document.querySelector(`#${table} tbody`).rows[row].cells[column].querySelector('button');
  const summary = document.getElementById('answers-summary');
  summary.replaceChildren();
  cell.click();
  while (!summary.textContent) await new Promise((done) => setTimeout(done, 2));
  return summary.textContent;
}"""
AS_IN_ALL, JUDGED = "mean as in All (zeros filled in)", "mean of judged answers"
MEANS = {
    "tiers": AS_IN_ALL,
    "geometries": AS_IN_ALL,
    "geometry_tiers": AS_IN_ALL,
    "families": AS_IN_ALL,
}


def said(summary: str, label: str) -> str:
    """The number behind a label of the summary."""
    found = re.search(re.escape(label) + r" ([\d.]+|–)", summary)
    assert found, summary
    return found[1]


def counted(summary: str) -> int:
    """How many answers or items the summary counts."""
    return int(summary.split(maxsplit=1)[0].replace(",", ""))


def cells(table: Table) -> Iterator[tuple[int, int, Column, Cell, tuple[Cell, ...]]]:
    """Row, printed column, column, cell and its row, for a table none of whose columns are printed as one."""
    printed = 0
    for at, column in enumerate(table.columns):
        joined = at > 0 and (column.role == "high" or column.name == f"{table.columns[at - 1].name} n")
        printed += not joined
        for row, values in enumerate(table.rows):
            yield row, printed - 1, column, values[at], values


@pytest.mark.parametrize("name", list(MEANS))
def test_the_answers_behind_a_mean_have_that_mean(name: str, opened: Opened, made_report: Report) -> None:
    """Every mean of the tier, geometry and family tables is the mean of the answers that its cell leads to."""
    checked = 0
    for row, at, column, cell, values in cells(made_report.table(name)):
        if column.format == "score" and isinstance(cell, float) and not str(values[0]).startswith("best - "):
            summary = opened.page.evaluate(PRESS, [name, row, at])
            assert format_cell(cell, column) == said(summary, MEANS[name]), (values[0], column.name, summary)
            checked += 1
    assert checked > 8


def test_the_answers_behind_the_leaderboard_add_up(opened: Opened, made_report: Report) -> None:
    """All, Scored, their counts and every reason for a zero lead to just these answers."""
    table = made_report.table("leaderboard")
    zeros = 0
    for row, at, column, cell, _ in cells(table):
        if column.format == "text" or column.role in ("low", "high", "mark"):
            continue
        summary = opened.page.evaluate(PRESS, ["leaderboard", row, at])
        if column.name == "score":
            assert format_cell(cell, column) == said(summary, AS_IN_ALL)
        elif column.name == "scored":
            assert format_cell(cell, column) == said(summary, JUDGED)
        elif column.name in ("n", "scored_n") or column.name.startswith("zero: "):
            assert cell == counted(summary), column.name
            zeros += column.name.startswith("zero: ") and cell != 0
    assert zeros >= 3


def test_the_answers_behind_a_judge_a_flag_and_a_count_are_those(opened: Opened, made_report: Report) -> None:
    """Means by judge, flags of answers and of replies, and counts of items each lead to what was counted."""
    for row, at, column, cell, _ in cells(made_report.table("judge_means")):
        if column.name.startswith("judge: "):
            summary = opened.page.evaluate(PRESS, ["judge_means", row, at])
            assert format_cell(cell, column) == said(summary, f"mean by {column.name.removeprefix('judge: ')}")
    for row, at, column, cell, _ in cells(made_report.table("flags")):
        if column.role == "count" and column.name != "answers":
            assert cell == counted(opened.page.evaluate(PRESS, ["flags", row, at])), column.name
    for name in ("composition", "floor"):
        for row, at, column, cell, values in cells(made_report.table(name)):
            if column.unit == "items" and isinstance(cell, int):
                assert cell == counted(opened.page.evaluate(PRESS, [name, row, at])), (name, values[:2], column.name)


def test_a_criterion_leads_to_its_item_and_is_pointed_at(opened: Opened) -> None:
    """A row of the loss view lists its item's answers; an opened one has the criterion in bold."""
    page = opened.page
    item, criterion = page.locator("#loss tbody th").first.inner_text().split()
    summary = page.evaluate(PRESS, ["loss", 0, 3])
    assert "to 1 item;" in summary
    page.locator("#answers-list tbody button").first.click()
    page.wait_for_selector("dialog[open]")

    assert item in page.locator("#item-title").inner_text()
    assert page.locator("#item tr.strong th b").inner_text() == criterion


def test_an_item_shows_all_that_is_known_of_an_answer(opened: Opened, made_report: Report) -> None:
    """Question, answer, points by judge and criterion, raw replies, rubric, flags, reason and the hidden part."""
    page = opened.page
    page.locator("#filter-model").select_option(label="cedar-2")
    page.locator("#filter-text").fill(ITEMS[6].question_id)
    page.locator("#filter-text").press("Enter")
    wait_until(page, "document.querySelectorAll('#answers-list tbody tr').length === 1")
    page.locator("#answers-list tbody button").click()
    page.wait_for_selector("dialog[open]")
    text = page.locator("#item").inner_text()

    record = next(item for item in made_report.items if item["question_id"] == ITEMS[6].question_id)
    given = next(answer for answer in record["answers"] if answer["model"] == "cedar-2")
    assert ITEMS[6].question.text in text
    assert ANSWER in text
    assert "(planted)" in text
    for name, judge in given["judges"].items():
        assert f"{name}: {100 * judge['score']:.1f} points" in text
        page.locator("#item summary").filter(has_text=name).click()
        assert page.locator("#item").get_by_text(judge["reply"], exact=True).first.is_visible()
    rows = page.locator("#item tbody tr").all_inner_texts()
    assert len(ITEMS[6].rubric.criteria) == len(rows)
    first = given["judges"]["cedar-judge"]["points_awarded"][0]
    assert f"{round(first, 4):g}" in rows[0].split("\t")
    page.locator("#item summary").filter(has_text="Reference answer").click()
    assert page.locator("#item").get_by_text(ITEMS[6].reference_answer).is_visible()


def test_a_failed_answer_says_why(opened: Opened) -> None:
    """An answer without a text states its status, its reason and that it counts zero."""
    page = opened.page
    page.locator("#filter-zero").select_option(label="refusal")
    wait_until(page, "document.querySelectorAll('#answers-list tbody tr').length === 1")
    page.locator("#answers-list tbody button").click()
    page.wait_for_selector("dialog[open]")

    assert "status failed · reason refusal · counts zero in All · score 0.0" in page.locator("#item").inner_text()


def test_items_are_left_by_escape_and_found_again_by_back(opened: Opened) -> None:
    """Next goes along the list, Escape returns to it with its filters, Back opens the item again."""
    page = opened.page
    page.evaluate(PRESS, ["tiers", 0, 1])
    page.locator("#answers-list tbody button").first.click()
    page.wait_for_selector("dialog[open]")
    first = page.locator("#item-title").inner_text()
    page.locator("#item .bar button").filter(has_text="Next").click()
    wait_until(page, f"document.getElementById('item-title').textContent !== {first!r}")
    page.go_back()
    wait_until(page, f"document.getElementById('item-title').textContent === {first!r}")
    page.keyboard.press("Escape")

    page.wait_for_selector("dialog", state="hidden")
    wait_until(page, "location.hash.startsWith('#answers')")
    assert "tier: L0" in page.locator("#answers-kept").inner_text()
    assert [] == opened.messages


def test_a_long_answer_scrolls_in_a_box_that_the_keyboard_reaches(
    tmp_path: Path, open_page: Callable[..., Opened]
) -> None:
    """An answer of several screens does not push the rubric out of reach; a Chinese one is marked as Chinese."""
    items = ITEMS[:2]
    rows = {"long": [score_of((0.5, 0.25, 0.75), item) for item in items]}
    answers = {items[0].question_id: "阀门一直开着，泵因此失效。" * 400, items[1].question_id: "Short."}
    page = open_page(write_page(tmp_path / "report.html", report_of(load_rows(tmp_path, items, rows, answers)))).page
    page.locator("#answers-list tbody button").first.click()
    page.wait_for_selector("dialog[open]")
    box = page.locator("#item .prose.long")

    assert box.get_attribute("tabindex") == "0"
    assert box.get_attribute("lang") == "zh-Hans"
    assert answers[items[0].question_id] == box.text_content()
    assert box.evaluate("box => box.scrollHeight > box.clientHeight && box.clientHeight < 600")
    page.locator("#item .bar button").filter(has_text="Next").click()
    wait_until(page, f"document.getElementById('item-title').textContent.includes('{items[1].question_id}')")
    assert page.locator("#item .long").count() == 0


def test_an_address_names_an_item_or_a_list(made_page: Path, open_page: Callable[..., Opened]) -> None:
    """A link into the page opens what it names; one that names nonsense opens the page."""
    item = ITEMS[0].question_id
    linked = open_page(made_page, f"#item?%7B%22item%22%3A%22{item}%22%7D")
    linked.page.wait_for_selector("dialog[open]")
    assert [*MODELS] == sorted(linked.page.locator("#item section tbody th button").all_inner_texts())
    for nonsense in ("#item?{", "#answers?null", "#answers?%5B1%5D", "#item?%7B%22item%22%3A%22none%22%7D", "#%zz"):
        assert [] == open_page(made_page, nonsense).messages


def test_filters_are_removed_one_by_one_and_sorting_goes_both_ways(opened: Opened) -> None:
    """A chip takes its filter away; the score header sorts the answers."""
    page = opened.page
    page.evaluate(PRESS, ["tiers", 0, 1])
    before = counted(page.locator("#answers-summary").inner_text())
    page.locator("#answers-kept button").filter(has_text="system: ").click()
    wait_until(page, f"!document.getElementById('answers-summary').textContent.startsWith('{before} ')")
    assert before < counted(page.locator("#answers-summary").inner_text())
    header = page.locator("#answers-list thead button").filter(has_text="score")
    header.click()
    values = "[...document.querySelectorAll('#answers-list tbody tr')].map(row => Number(row.cells[5].textContent))"
    rising = page.evaluate(values)
    assert sorted(rising) == rising
    page.locator("#answers-list thead button").filter(has_text="score").click()
    falling = page.evaluate(values)
    assert sorted(falling, reverse=True) == falling


def test_an_answer_that_awaits_a_judge_is_no_zero(tmp_path: Path, open_page: Callable[..., Opened]) -> None:
    """It shows a dash, says what it waits for, and its system is left out of what only complete systems enter."""
    items = ITEMS[:4]
    rows = {name: [score_of((0.5, 0.25, 0.75), item) for item in items] for name in ("ready", "waiting")}
    rows["waiting"][2] = leave_unjudged(rows["waiting"][2])
    page = open_page(write_page(tmp_path / "report.html", report_of(load_rows(tmp_path, items, rows)))).page
    page.locator("#filter-model").select_option(label="waiting")
    wait_until(page, "document.getElementById('answers-summary').textContent.startsWith('4 ')")

    line: Any = page.locator("#answers-list tbody tr").nth(2)
    assert "awaits a judge" in line.inner_text()
    assert "\t–\t50.0\t25.0\t–\t" in line.inner_text()
    line.locator("button").click()
    page.wait_for_selector("dialog[open]")
    assert "reed-judge: no usable reply: the reply holds no object with a total" in page.locator("#item").inner_text()
