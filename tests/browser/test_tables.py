"""Tables of a report: sorting, filtering, moving by keyboard, and the same numbers as in every other form."""

from __future__ import annotations

from typing import Any

from tests.browser.conftest import Opened
from tests.browser.waiting import wait_until
from wildtrace.report.document import Report
from wildtrace.tables.layout import lay_out


def first_column(page: Any, table: str) -> list[str]:
    """The first cell of every row that is shown."""
    texts: list[str] = page.locator(f"#{table} tbody th").all_inner_texts()
    return texts


def test_tables_print_what_every_other_form_prints(opened: Opened, made_report: Report) -> None:
    """Each cell has the text that the Markdown and LaTeX tables have; rows beyond the first page come with Next."""
    shown: dict[str, list[list[str]]] = opened.page.evaluate(
        "Object.fromEntries([...document.querySelectorAll('#tables section')].map(section => [section.id,"
        " [...section.querySelectorAll('tbody tr')].map(row => [...row.cells].map(cell => cell.textContent))]))"
    )

    for table in made_report.tables:
        assert [list(row) for row in lay_out(table).rows[:60]] == shown[table.name], table.name


def test_notes_explain_headers_and_repeat_none(opened: Opened) -> None:
    """Each says its column, once, also where the explanation begins with it; bold rows are explained there too."""
    notes = opened.page.locator("#leaderboard .notes").inner_text().splitlines()

    assert {
        "95 % interval: over items.",
        "document 95 %: 95 % interval over source documents.",
        "score: All, in which every item counts.",
        "ties leader: the item interval overlaps the leader's (bold).",
    } <= set(notes)
    assert not [note for note in notes if note.startswith("Bold")]
    assert not [note for note in notes if note.startswith("95 % interval: 95")]


def test_a_header_sorts_both_ways_with_gaps_last(opened: Opened) -> None:
    """Numbers sort from the highest first, then from the lowest; a dash stays at the end; the order is announced."""
    page = opened.page
    header = page.locator("#geometries thead th").filter(has_text="L7 (n)")
    column = header.evaluate("cell => cell.cellIndex")
    values = f"[...document.querySelectorAll('#geometries tbody tr')].map(row => row.cells[{column}].textContent)"
    header.locator("button").click()
    falling = page.evaluate(values)
    assert page.locator("#geometries th[aria-sort=descending]").count() == 1
    page.locator("#geometries th[aria-sort=descending] button").click()
    rising = page.evaluate(values)

    numbers = [float(text.split()[0]) for text in falling if not text.startswith("–")]
    assert len(falling) > len(numbers) > 1
    assert sorted(numbers, reverse=True) == numbers
    assert numbers[::-1] == [float(text.split()[0]) for text in rising if not text.startswith("–")]
    assert all(text.startswith("–") for text in rising[len(numbers) :])


def test_a_text_header_sorts_by_letters(opened: Opened) -> None:
    """Names go from A to Z, numbers in them by size."""
    page = opened.page
    page.locator("#geometries thead button").first.click()

    names = first_column(page, "geometries")
    assert sorted(names) == names


def test_a_filter_keeps_the_rows_that_hold_the_words(opened: Opened) -> None:
    """Typing narrows the rows at once; no hit is said; clearing brings all back."""
    page = opened.page
    box = page.locator("#composition input")
    everything = first_column(page, "composition")
    box.fill("CAUSAL")

    assert ["geometry"] == first_column(page, "composition")
    box.fill("no such thing")
    assert [] == first_column(page, "composition")
    assert "No row." in page.locator("#composition").inner_text()
    box.fill("")
    assert everything == first_column(page, "composition")


def test_long_tables_turn_pages(opened: Opened, made_report: Report) -> None:
    """The criteria come sixty at a time, and sorting goes over all of them."""
    page = opened.page
    rows = len(made_report.table("loss").rows)
    assert rows > 60
    assert f"Rows 1 to 60 of {rows}" in page.locator("#loss .pager").inner_text()
    page.locator("#loss .pager button").filter(has_text="Next").click()

    assert f"Rows 61 to {min(120, rows)} of {rows}" in page.locator("#loss .pager").inner_text()
    page.locator("#loss thead button").filter(has_text="mean").click()
    highest = page.locator("#loss tbody tr").first.locator("td").nth(2).inner_text()
    means = [cell for cell in made_report.table("loss").column("mean") if isinstance(cell, float)]
    assert f"{max(means):.1f}" == highest


def test_arrow_keys_move_within_a_table_and_enter_opens(opened: Opened) -> None:
    """A table is one stop of the Tab key; Enter on a number lists its answers and moves the focus there."""
    page = opened.page
    assert (
        page.evaluate("[...document.querySelectorAll('#tiers tbody button')].filter(b => b.tabIndex === 0).length") == 1
    )
    page.locator("#tiers tbody button[tabindex='0']").focus()
    for key in ("ArrowDown", "ArrowRight", "ArrowRight", "ArrowUp", "ArrowLeft"):
        page.keyboard.press(key)

    place = "(b => [b.closest('tr').sectionRowIndex, b.closest('th,td').cellIndex])(document.activeElement)"
    assert page.evaluate(place) == [0, 1]
    page.keyboard.press("Enter")
    page.wait_for_selector("#answers-kept button")
    wait_until(page, "document.activeElement.id === 'answers-title'")
