"""Names, questions, answers and replies that try to be markup, script or an address: all is shown, nothing runs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.browser.conftest import Opened, write_page
from tests.browser.waiting import wait_until
from tests.report.html.made import ITEMS, load_rows, report_of
from wildtrace.report.document import Report
from wildtrace.types import Clue, Criterion, Item, Judgement, Question, Rubric, Score, TrailEdge

RUN = "window.ran=(window.ran||0)+1"
ATTACKS = (
    f"<script>{RUN}</script>",
    f"</script><script>{RUN}</script>",
    f"<!--<script></script>{RUN}//-->",
    f"<img src=x onerror={RUN}>",
    f"<svg/onload={RUN}>",
    f"<iframe srcdoc='<script>parent.{RUN}</script>'></iframe>",
    f'"><a href="javascript:{RUN}" autofocus onfocus={RUN}>javascript:{RUN}</a>',
    f"</style></title></textarea></noscript></dialog></template><body onload={RUN}>",
    "<meta http-equiv=refresh content='0;url=https://evil.invalid/'><base href=https://evil.invalid/>",
    "<link rel=stylesheet href=https://evil.invalid/x.css><form action=https://evil.invalid/><input></form>",
    f"{{{{constructor.constructor('{RUN}')()}}}} ${{{RUN}}} `{RUN}`",
    f"'];{RUN};//\\'];{RUN};//",
    f"datum.x); {RUN}; (",
    f"\u2028{RUN}\u2029{RUN}\r\n{RUN}\r{RUN}",
    "\u202egnp.exe\u202c \u2066isolated\u2069 \u200e\u200f\u061c zero\u200bwidth\ufeff soft\u00adhyphen",
    "\x00nul \x07bell \x1b[31mred\x1b[0m \x7fdel \x85nel",
    "\U000e0041\U000e0042 tag letters, emoji 👩‍🔬 and 中文标点：“引号”。",
    "]]> &lt;b&gt; &amp; &#60;script&#62; %3Cscript%3E \\u003cscript\\u003e",
    "__proto__",
    "constructor",
)
HOSTILE = "\n".join(ATTACKS)
MODELS = (*ATTACKS[:6], "__proto__", "constructor", ATTACKS[14], ATTACKS[9])
JUDGES = (ATTACKS[3], ATTACKS[14], "__proto__")


def hostile_item(at: int, item: Item) -> Item:
    """The item with every text of it hostile, and names of its facets too."""
    attack = ATTACKS[at % len(ATTACKS)]
    return replace(
        item,
        question=Question(f"{attack} {at}", HOSTILE, item.question.corpus_file),
        source_id=f"{attack} source",
        geometry=ATTACKS[at % 4],
        reference_answer=HOSTILE,
        key_facts=ATTACKS,
        rubric=Rubric((Criterion(attack, 60.0, HOSTILE, (attack,)), Criterion("__proto__", 40.0, attack))),
        clues=(Clue(attack, attack, HOSTILE, 0, 10), Clue("constructor", HOSTILE, attack)),
        edges=(TrailEdge(attack, "constructor", HOSTILE),),
        doc_token_estimate=None,
    )


def hostile_score(item: Item, at: int) -> Score:
    """A judged answer, or one that failed for a hostile reason."""
    attack = ATTACKS[at % len(ATTACKS)]
    if at % 5 == 4:
        return Score(item.question_id, "failed", None, {}, attack, (attack,))
    judges = {name: Judgement(0.5, 50.0, (30.0, 20.0), (attack,), HOSTILE) for name in JUDGES}
    return Score(item.question_id, "ok", 0.5, judges, None, (attack,))


@pytest.fixture(scope="module")
def hostile_report(tmp_path_factory: pytest.TempPathFactory) -> Report:
    """A report in which every text that can come from a file is hostile."""
    items = [hostile_item(at, item) for at, item in enumerate(ITEMS[:20])]
    rows = {model: [hostile_score(item, at) for at, item in enumerate(items)] for model in MODELS}
    answers = {item.question_id: HOSTILE for item in items}
    loaded = load_rows(tmp_path_factory.mktemp("hostile"), items, rows, answers, JUDGES)
    return replace(report_of(loaded), title=HOSTILE, marks=(HOSTILE,))


@pytest.fixture(scope="module")
def hostile_page(hostile_report: Report, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """That report as a page."""
    return write_page(tmp_path_factory.mktemp("page") / "hostile.html", hostile_report)


@pytest.fixture
def attacked(hostile_page: Path, open_page: Callable[..., Opened]) -> Opened:
    """That page, opened."""
    return open_page(hostile_page)


def assert_nothing_ran(opened: Opened) -> None:
    """No planted script ran, the policy had nothing to stop, nothing was asked for, no element came from data."""
    page = opened.page
    assert page.evaluate("window.ran") is None
    assert [] == opened.messages
    assert 1 == len(opened.requests), opened.requests
    assert [] == page.evaluate(
        "[...document.querySelectorAll('img,iframe,object,embed,base,link,style,script,meta,form:not(.vega-bindings)')]"
        ".filter(e => e.parentElement !== document.head)"
        ".filter(e => e.tagName !== 'SCRIPT' || e.parentElement !== document.body)"
        ".map(e => e.outerHTML)"
    )
    assert 1 == page.locator("style").count()
    assert 5 == page.locator("meta").count()
    assert 2 == page.evaluate("[...document.scripts].filter(s => !s.type).length")
    assert page.evaluate("[...document.links].every(link => link.getAttribute('href').startsWith('#'))")
    attributes = (
        "[...document.querySelectorAll('*')].flatMap(e => e.getAttributeNames()).filter(a => a.startsWith('on'))"
    )
    assert [] == page.evaluate(attributes)


def visible(text: str) -> str:
    """The text as a reader sees it: what would be unseen is a code point's name."""
    # The same list as the page's, written down a second time on purpose.
    unseen = set(range(0x09)) | set(range(0x0B, 0x20)) | set(range(0x7F, 0xA0)) | {0xAD, 0x61C, 0x200B, 0x200E}
    unseen |= {0x200F, 0xFEFF} | set(range(0x2028, 0x202F)) | set(range(0x2060, 0x2070)) | set(range(0xE0000, 0xE0080))
    text = text.replace("\r\n", "\n")
    return "".join(f"U+{ord(char):04X}" if ord(char) in unseen else char for char in text)


def test_nothing_runs_when_the_page_opens(attacked: Opened) -> None:
    """Title, marks, tables, charts, contents and lists are full of attacks, and all are text."""
    assert_nothing_ran(attacked)
    page = attacked.page
    assert visible(HOSTILE) == page.locator("h1").text_content()
    assert visible(HOSTILE) == page.locator("#marks p").text_content()
    names = page.locator("#leaderboard tbody th").all_text_contents()
    assert sorted(map(visible, MODELS)) == sorted(names)


def test_charts_show_hostile_names_as_text(attacked: Opened) -> None:
    """Axis labels, the legend and the words under the pointer are the names; the legend still works."""
    page = attacked.page
    labels = page.locator("#figure-leaderboard .role-axis-label text").all_text_contents()
    assert {"__proto__", "constructor"} <= {label.strip() for label in labels}
    assert any("<script>" in label for label in labels)
    for entry in page.locator("#figure-tiers .entry").all():
        entry.click()
    page.locator("#figure-leaderboard .mark-symbol path").first.hover()
    page.wait_for_selector("#tip:not([hidden])")
    page.locator("#figure-leaderboard .mark-symbol path").first.click()
    page.wait_for_selector("#answers-kept button")
    assert_nothing_ran(attacked)


def test_every_filter_and_every_cell_of_hostile_names_works(attacked: Opened) -> None:
    """Names that are words of the language (`__proto__`) are names: their filters find their answers."""
    page = attacked.page
    for model in ("__proto__", "constructor", ATTACKS[0]):
        page.locator("#filter-model").select_option(label=model)
        wait_until(page, "document.getElementById('answers-summary').textContent.startsWith('20 answers')")
        kept = "document.querySelector('#answers-kept').textContent"
        wait_until(page, f"{kept}.includes({model!r})")
    for row in page.locator("#geometries tbody tr").all():
        row.locator("button").first.click()
    for header in page.locator("thead button").all():
        header.evaluate("button => button.click()")
    assert_nothing_ran(attacked)


def test_an_opened_item_shows_every_attack_as_text(attacked: Opened) -> None:
    """Question, answer, replies, rubric, clues, facts and names stand there letter by letter; nothing runs."""
    page = attacked.page
    page.locator("#answers-list tbody button").first.click()
    page.wait_for_selector("dialog[open]")
    page.evaluate("document.querySelectorAll('#item details').forEach(box => { box.open = true; })")

    blocks = page.locator("#item .prose").all_text_contents()
    # The question, the answer, the replies of three judges, the reference answer and the quote of a clue.
    assert 7 == blocks.count(visible(HOSTILE))
    facts = page.locator("#item li").all_text_contents()
    for attack in ATTACKS:
        assert visible(attack) in facts
    assert_nothing_ran(attacked)


def test_every_item_opens(attacked: Opened, hostile_report: Report) -> None:
    """All items open by their hostile ids, for every system, without a word on the console."""
    page = attacked.page
    for item in hostile_report.items[:20]:
        page.evaluate(
            "id => { location.hash = '#item?' + encodeURIComponent(JSON.stringify({item: id})); }", item["question_id"]
        )
        wait_until(
            page,
            "id => document.querySelector('#item-title')?.textContent === 'Item ' + id",
            arg=visible(item["question_id"]),
        )
        rows: Any = page.locator("#item section tbody tr")
        assert rows.count() >= len(MODELS)
    assert_nothing_ran(attacked)


def test_the_address_is_not_trusted(hostile_page: Path, open_page: Callable[..., Opened]) -> None:
    """Markup and code in the part after # end as text or as nothing."""
    for address in (
        f"#<img src=x onerror={RUN}>",
        f"#item?%7B%22item%22%3A%22%3Cimg%20src%3Dx%20onerror%3D{RUN}%3E%22%7D",
        f"#answers?%7B%22model%22%3A%22%3Cscript%3E{RUN}%3C/script%3E%22%2C%22__proto__%22%3A%7B%22x%22%3A1%7D%7D",
        "#answers?%7B%22top%22%3A%22x%22%2C%22tier%22%3A%7B%7D%2C%22text%22%3A7%7D",
    ):
        opened = open_page(hostile_page)
        opened.page.evaluate("address => { location.hash = address; }", address)
        opened.page.wait_for_timeout(50)
        assert_nothing_ran(opened)


def test_the_policy_would_stop_markup_that_got_in(attacked: Opened) -> None:
    """Even code of the page itself can neither write markup, nor compile text, nor run or load anything new."""
    page = attacked.page
    outcome = page.evaluate(
        # The driver lifts the ban on eval while its own code runs, so the attempts are made after that.
        """async () => {
          await new Promise((done) => setTimeout(done, 20));
          const tried = {};
          const refused = (name, attempt) => {
            tried[name] = 'refused';
            try { attempt(); tried[name] = 'allowed'; } catch { /* as it should be */ }
          };
          refused('innerHTML', () => { document.body.innerHTML = '<img src=x onerror=window.ran=1>'; });
          refused('eval', () => Reflect.apply(window.eval, window, ['window.ran=1']));
          refused('Function', () => new Function('window.ran=1')());
          const script = document.createElement('script');
          refused('script', () => { script.text = 'window.ran=1'; });
          const other = document.createElement('script');
          other.append('window.ran=1');
          document.body.append(other);
          other.remove();
          const image = document.createElement('img');
          refused('onerror', () => { image.setAttribute('onerror', 'window.ran=1'); });
          tried.fetch = await fetch('https://evil.invalid/').then(() => 'allowed', () => 'refused');
          return [tried, window.ran ?? null];
        }"""
    )

    kinds = ("innerHTML", "eval", "Function", "script", "onerror", "fetch")
    assert [dict.fromkeys(kinds, "refused"), None] == outcome
