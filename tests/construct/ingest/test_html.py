"""HTML: what a reader sees, with its place in the markup."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.construct.ingest.files import book
from wildtrace.construct.ingest.formats import Decoded, epub, html


def matter(found: Decoded) -> list[tuple[str, str]]:
    """What is marked as matter, with its text."""
    text = found.draft.text
    return [(each.mark, text[each.start : each.end].strip()) for each in found.draft.blocks if each.kind == "matter"]


def text_of(markup: str) -> str:
    """The text of a document or fragment."""
    return html.read(markup.encode(), "f.html").draft.text


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        ("<p>One\n  two</p><p>Three</p>", "One two\n\nThree"),
        ("<p>One<br>two<br/>three", "One\ntwo\nthree"),
        ("<h1>Title</h1>Text <b>bold</b> and <i>more</i>.", "Title\n\nText bold and more."),
        ("<ul><li>one<li>two</ul>after", "one\ntwo\n\nafter"),
        ("<table><tr><td>a</td><td>b</td></tr><tr><td>c</td><td>d</td></tr></table>", "a\tb\nc\td"),
        ("<pre>a  b\n  c</pre>", "a  b\n  c"),
        ("A &amp; B &lt;x&gt; &eacute; &#8212; &#x4e2d; &nosuch; & end", "A & B <x> é — 中 &nosuch; & end"),
        ("1 < 2 and 3 > 2 <", "1 < 2 and 3 > 2 <"),
        ("<ruby>漢<rp>(</rp><rt>kan</rt><rp>)</rp></ruby>字", "漢字"),
        ("<p title='a > b'>inside</p>", "inside"),
        ("<P CLASS=x>UPPER</P>", "UPPER"),
        ("<p></p><p></p><p>only</p>", "only"),
        ("<p>soft&shy;hyphen and&nbsp;space</p>", "soft\u00adhyphen and\u00a0space"),
    ],
)
def test_text_is_laid_out_as_blocks_lines_and_cells(markup: str, expected: str) -> None:
    """Blocks are paragraphs, line breaks and items lines, cells are apart; entities are characters."""
    assert expected == text_of(markup)


@pytest.mark.parametrize(
    "unseen",
    [
        "<script>var a = '<p>evil</p>';</script>",
        "<SCRIPT type=x>evil</SCRIPT >",
        "<style>p { evil }</style>",
        "<!-- evil -- > <p>evil</p> -->",
        "<![CDATA[evil]]>",
        "<?php evil ?>",
        "<!DOCTYPE evil>",
        "<noscript>evil</noscript>",
        "<template><p>evil</p></template>",
        "<svg><text>evil</text></svg>",
        "<iframe>evil</iframe>",
        "<textarea><p>evil</textarea>",
        "<div hidden><div>evil</div>evil</div>",
        "<p style='color:red; DISPLAY: none'>evil</p>",
        "<span class='x pagenum'>evil 12</span>",
        "<head><meta name=a><title>evil</title></head>",
    ],
)
def test_what_is_not_shown_is_no_text(unseen: str) -> None:
    """Scripts, styles, comments, hidden and embedded elements leave nothing, and what follows is there."""
    assert ["before", "after"] == text_of(f"<p>before</p>{unseen}<p>after</p>").split()


def test_hidden_text_and_page_numbers_are_recorded() -> None:
    """Text that a reader would not see is left out by name, with its place in the markup."""
    markup = "<p>a<span class=pagenum>[Pg 5]</span>b</p><p hidden>secret</p>"
    draft = html.read(markup.encode(), "f.html").draft
    found = [(removal.kind, markup[removal.start : removal.end]) for removal in draft.removed]
    assert [("page number", "[Pg 5]"), ("hidden text", "secret")] == found


def test_title_and_contents_are_known() -> None:
    """The title is the head's; a contents list is marked where it stands."""
    markup = "<html><head><title>A  Made &amp; True\nTitle</title></head><body><ul class=toc><li>One</ul><p>Text"
    found = html.read(markup.encode(), "f.html")
    assert "A Made & True Title" == found.title
    assert [("contents", "One")] == matter(found)


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        ("<p><ruby>漢<rt>kan</ruby> after ruby.</p><p>Two", "漢 after ruby.\n\nTwo"),
        ("<p>Start.</p><ul><li hidden>x<li>shown</ul><p>The rest", "Start.\n\nshown\n\nThe rest"),
        ("<table><tr><td hidden>a<td>b</table>end", "b\n\nend"),
        ("<table><tr hidden><td>a<tr><td>b<td>c</table>end", "b\tc\n\nend"),
        ("<dl><dt hidden>a<dd>b<dt>c</dl>end", "b\n\nc\n\nend"),
        ("<div><p hidden>secret</div>shown", "shown"),
        ("<p><span hidden>secret</p><p>shown", "shown"),
        ("<video src=x><p>The rest", "The rest"),
        ("<object data=x><param><p>The rest", "The rest"),
        ("<video src=x><p>one<video>old</video><p>two", "one\n\ntwo"),
        ("<html><head><title>T</title><p>一、冰", "一、冰"),
        ("<html><head><title>T</title>Words", "Words"),
        ("<html><head><title>T</title><body>Words", "Words"),
    ],
)
def test_an_element_without_an_end_tag_ends_where_html_says(markup: str, expected: str) -> None:
    """What is not shown ends with its parent or before its sibling, and swallows nothing after it."""
    assert expected == text_of(markup)


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        ("<table><tr><td><p>a</p></td><td><p>b</p></td></tr></table>", "a\tb"),
        ("<table><tr><td><p>a</p><p>b</p></td> <td><div>丙</div></td></tr></table>", "a\n\nb\t丙"),
        ("a<!--> b <!-- c --> d<!---> e <!-- f --!> g", "a b d e g"),
        ("<p>&#xFFFFFFFF; &#00000000065; &#" + "9" * 5000 + ";", "� A �"),
        ("<title>One</title><p>text<title>two</title>", "text"),
    ],
)
def test_cells_comments_and_references_are_read_as_in_a_browser(markup: str, expected: str) -> None:
    """Blocks in cells, empty comments, characters beyond Unicode, a second title."""
    assert expected == text_of(markup)


@pytest.mark.parametrize(
    "markup",
    [
        '<section class="chapter pagebreak"><h2>Chapter One</h2><p>The ship.</section>',
        '<h2 class="pagebreak">XII</h2>',
        '<p class="pagebreak">Chapter 12</p>',
        '<body class="pagenum"><p>12 men',
        '<div class="pagebreak">第一章 船</div>',
        '<span class="pagenum">The mild sea</span>',
    ],
)
def test_text_of_a_class_of_page_breaks_stays(markup: str) -> None:
    """Only a number goes, never a heading, a section or a sentence."""
    draft = html.read(markup.encode(), "f.html").draft
    assert ((), True) == (draft.removed, len(draft.text) > 2)


@pytest.mark.parametrize(
    "number",
    [
        "<span class=pagenum><a id=p12></a>[Pg 12]</span>",
        "<a class=pageno>xii</a>",
        "<p class=pagenum>12<p>",
        "<div class=pagenum><p>12</p></div>",
        "<span epub:type=pagebreak>第12页</span>",
        "<span class=pagenum>12<p>",
    ],
)
def test_page_numbers_go(number: str) -> None:
    """Numerals, named or set off, and nothing after them."""
    draft = html.read(f"<p>before</p>{number}<p>after</p>".encode(), "f.html").draft
    assert (["before", "after"], ["page number"]) == (draft.text.split(), [each.kind for each in draft.removed])


@pytest.mark.parametrize(
    "opening", ["<div class=contents>", "<p class=contents>", "<body class=toc>", "<nav><a href=x>x</a>"]
)
def test_prose_of_a_class_of_contents_is_no_contents(opening: str) -> None:
    """Only a list of entries is one."""
    found = html.read(f"{opening}<p>{'The ship went on. 船行。' * 40}".encode(), "f.html")
    assert ([], ()) == (matter(found), found.draft.removed)


@pytest.mark.parametrize(
    "hostile",
    [
        "<table><tr><td><object>" * 10_000 + "</tr>" * 30_000,
        "<p><span hidden><div>" * 10_000 + "</span>" * 20_000,
        "<video>" * 60_000,
        "<nav><a href=x>x" * 20_000,
        "<p class=pagenum>" * 10_000,
        "<" * 200_000,
        '<a "' * 60_000,
        "<!--" * 60_000,
        "<div>" * 100_000,
        "<a b='" * 60_000,
        "&" * 200_000,
        "<script>" * 60_000,
        "<p hidden>" * 60_000,
        "</" * 100_000,
        "<title>" * 60_000,
        "<p " + "a=1 " * 100_000,
    ],
)
@pytest.mark.timeout(60)
def test_hostile_markup_takes_linear_time(hostile: str) -> None:
    """Unclosed tags, quotes, comments and elements by the ten thousand are read in a moment."""
    assert html.read(b"<p>text</p>" + hostile.encode(), "f.html").draft.text.startswith("text")


@given(st.text(alphabet="<>/!-&;\"'= abpscript\n中é", max_size=120))
def test_any_markup_gives_text_that_leads_back(markup: str) -> None:
    """Whatever the markup, every copied character stands in it at its origin."""
    draft = html.read(f"<p>x{markup}".encode(), "f.html").draft
    source = f"<p>x{markup}"
    copied = [
        (origin, is_copied) for length, origin, is_copied in draft.map.pieces(0, len(draft.text)) for _ in [length]
    ]
    at = 0
    for (origin, is_copied), (length, _, _) in zip(copied, draft.map.pieces(0, len(draft.text)), strict=True):
        assert not is_copied or draft.text[at : at + length] == source[origin : origin + length]
        at += length


@pytest.mark.corpus
@pytest.mark.skipif("WILDTRACE_CORPUS" not in os.environ, reason="WILDTRACE_CORPUS names no folder")
def test_a_real_page_has_the_words_of_its_text_edition() -> None:
    """The HTML and the plain text edition of one report have nearly the same words in the same order."""
    folder = Path(os.environ["WILDTRACE_CORPUS"]) / "formats"
    words = [word.strip("_=") for word in text_of((folder / "titanic_39415.latin1.htm").read_text("latin-1")).split()]
    plain = (folder / "titanic_39415.latin1.crlf.txt").read_text("latin-1").replace("_", "").split()
    assert len(plain) == pytest.approx(len(words), rel=0.05)
    assert len(set(words) & set(plain)) > 0.9 * len(set(plain))


SUBSET = (
    '<?xml version="1.0"?>\n<!DOCTYPE html PUBLIC "-//X//EN" "x.dtd" [\n<!ENTITY a "]>">\n<!-- ]> it\'s -->{}]  >\n'
)


@pytest.mark.parametrize("declared", ["", "<!ENTITY nbsp '&#160;'>\n", "<?x ]> ?><!ELEMENT p (#PCDATA)>"])
def test_a_document_types_own_declarations_are_no_text(declared: str) -> None:
    """Whatever stands in them: quoted, in comments, in instructions."""
    page = SUBSET.format(declared) + "<html><body><p>The sea was high.</p></body></html>"
    assert "The sea was high." == html.read(page.encode(), "f.xhtml").draft.text
    (chapter,) = epub.read(book({"x.xhtml": page}), "f.epub").draft.text.split("\n")
    assert "The sea was high." == chapter


def test_an_unfinished_document_type_swallows_nothing() -> None:
    """Declarations that never end are passed over up to their first `>`."""
    assert "Sea ] and ice" in html.read(b"<!DOCTYPE html [ <!ENTITY a 'x> <p>Sea ] and ice</p>", "f.html").draft.text
