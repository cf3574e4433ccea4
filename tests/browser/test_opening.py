"""A report opens from disk: alone, quietly, with all its tables and charts, and a way for the keyboard."""

from __future__ import annotations

from tests.browser.conftest import Opened
from tests.browser.waiting import wait_until
from wildtrace.report.document import Report


def test_it_opens_without_a_request_or_a_word_on_the_console(opened: Opened) -> None:
    """The only thing asked for is the file; the policy stops nothing that the page needs."""
    assert [opened.page.url] == opened.requests
    assert [] == opened.messages


def test_every_table_has_its_heading_and_its_place_in_the_contents(opened: Opened, made_report: Report) -> None:
    """Sections stand in the order of the tables, each with a heading of the second level that the contents lead to."""
    page = opened.page
    titles = [table.title for table in made_report.tables]

    assert titles == page.eval_on_selector_all("#tables section > h2", "all => all.map(h => h.firstChild.data)")
    assert [*titles, "Answers and items", "Runs"] == page.locator("nav a").all_inner_texts()
    targets = page.eval_on_selector_all(
        "nav a", "all => all.map(a => document.getElementById(a.hash.slice(1)) !== null)"
    )
    assert all(targets)
    assert page.locator("h1").count() == 1


def test_every_chart_is_drawn_with_units_and_n(opened: Opened, made_report: Report) -> None:
    """Each figure is a picture under a caption that says how many items or answers it rests on."""
    page = opened.page
    for figure in made_report.figures:
        box = page.locator(f"#figure-{figure.name}")
        assert box.locator("svg.marks").count() == 1
        assert "n = " in box.locator("figcaption").inner_text()
    assert "Score (points of 100)" in page.locator("#figure-tiers svg.marks").text_content()


def test_a_chart_says_more_under_the_pointer(opened: Opened) -> None:
    """Hovering a mark shows its system and its score."""
    page = opened.page
    page.locator("#figure-leaderboard .mark-symbol path").first.hover()

    page.wait_for_selector("#tip:not([hidden])")
    assert "amber-1" in page.locator("#tip").inner_text()
    assert "score" in page.locator("#tip").inner_text()


def test_gaps_are_dashes_with_their_reason(opened: Opened) -> None:
    """What cannot be given is a dash that says why, for the eye and for a screen reader, and under the table."""
    page = opened.page
    gap = page.locator("#geometries tbody button[aria-label]").first

    assert gap.get_attribute("aria-label").endswith(": no items")
    assert gap.inner_text().startswith("–")
    assert "– no items." in page.locator("#geometries .notes").inner_text()


def test_the_theme_follows_the_system_and_the_switch(opened: Opened) -> None:
    """Dark on a dark system, and whatever the switch says; the charts follow by the same variables."""
    page = opened.page
    ground = "getComputedStyle(document.body).backgroundColor"
    ink = "getComputedStyle(document.querySelector('#figure-leaderboard .role-axis-label text')).fill"
    light = page.evaluate(ground), page.evaluate(ink)
    page.emulate_media(color_scheme="dark")
    dark = page.evaluate(ground), page.evaluate(ink)
    page.locator("#theme").select_option("light")

    assert light != dark
    assert light[1] != dark[1]
    assert light == (page.evaluate(ground), page.evaluate(ink))
    page.reload()
    page.wait_for_selector("body[data-charts=drawn]")
    assert light == (page.evaluate(ground), page.evaluate(ink))


def test_a_legend_entry_emphasises_and_fades_its_line(opened: Opened) -> None:
    """Pressing a system's entry, by pointer or by keyboard, fades its line and brings it back."""
    page = opened.page
    entry = page.locator("#figure-tiers .entry").filter(has_text="birch-1")
    faint = (
        "() => [...document.querySelectorAll('#figure-tiers .mark-line path')]"
        ".filter(line => Number(line.getAttribute('opacity')) < 0.5).length"
    )

    assert page.evaluate(faint) == 0
    entry.click()
    wait_until(page, f"({faint})() === 1")
    assert entry.get_attribute("aria-pressed") == "false"
    entry.focus()
    page.keyboard.press("Enter")
    wait_until(page, f"({faint})() === 0")
    assert entry.get_attribute("aria-pressed") == "true"
    page.locator("#figure-tiers .legend button").filter(has_text="none").click()
    wait_until(page, f"({faint})() === 4")
    assert [] == opened.messages


def test_a_mark_leads_to_its_answers(opened: Opened) -> None:
    """Clicking a point of a curve lists the answers of its system in its tier."""
    page = opened.page
    page.locator("#figure-tiers .mark-symbol path").first.click()

    page.wait_for_selector("#answers-kept button")
    kept = " ".join(page.locator("#answers-kept").all_inner_texts())
    assert "system: amber-1" in kept
    assert "tier: L0" in kept


def test_it_prints(opened: Opened) -> None:
    """Paper gets the light theme, whole tables and charts, and neither controls nor the list of answers."""
    page = opened.page
    page.emulate_media(media="print", color_scheme="dark")

    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    assert not page.locator("nav").is_visible()
    assert not page.locator("#answers").is_visible()
    assert page.locator("#leaderboard thead .paper").first.is_visible()
    pdf = page.pdf(prefer_css_page_size=True)
    assert pdf.startswith(b"%PDF-")
    assert pdf.count(b"/Type /Page\n") + pdf.count(b"/Type /Page ") + pdf.count(b"/Type /Page/") >= 4


def test_a_long_table_prints_whole(opened: Opened) -> None:
    """The sheet has every row, the screen a page of them again afterwards; the list of answers is not printed."""
    page = opened.page
    whole = """() => [...document.querySelectorAll('section:not(#answers)')]
        .filter((section) => section.querySelector('.pager')).map((section) => section.id)"""
    paged = page.evaluate(whole)
    page.evaluate("window.dispatchEvent(new Event('beforeprint'))")
    assert paged
    assert page.evaluate(whole) == []
    page.evaluate("window.dispatchEvent(new Event('afterprint'))")
    assert page.evaluate(whole) == paged


def test_an_open_item_prints_alone(opened: Opened) -> None:
    """With an item open the sheet has that item and nothing else."""
    page = opened.page
    page.locator("#answers-list tbody button").first.click()
    page.wait_for_selector("dialog[open]")
    page.emulate_media(media="print")

    assert page.locator("#item-title").is_visible()
    assert not page.locator("#leaderboard").is_visible()
    assert not page.locator("#item .close").is_visible()
    assert page.evaluate("getComputedStyle(document.getElementById('item')).overflowY") == "visible"
    assert page.evaluate("document.getElementById('item').getBoundingClientRect().top") == 0


def test_narrow_screens_scroll_tables_and_not_the_page(opened: Opened) -> None:
    """At the width of a phone only what is too wide scrolls, in its own box."""
    page = opened.page
    page.set_viewport_size({"width": 390, "height": 800})

    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert page.evaluate("getComputedStyle(document.querySelector('#families .scroll')).overflowX") == "auto"
