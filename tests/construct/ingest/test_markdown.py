"""Markdown: words without marks, each with its place in the file."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wildtrace.construct.ingest.formats import markdown


def text_of(source: str) -> str:
    """The text of a Markdown file."""
    return markdown.read(source.encode(), "f.md").draft.text


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("# Title #\n\nText.", "Title\n\nText."),
        ("Title\n=====\n\nText.", "Title\n\nText."),
        ("a **bold** and *thin* and __both__ _so_ word", "a bold and thin and both so word"),
        ("snake_case_name and 2 * 3 * 4", "snake_case_name and 2 * 3 * 4"),
        ("see [the report](http://x/y) and ![a chart](c.png)", "see the report and a chart"),
        ("see [the report][1]\n\n[1]: http://x/y\n", "see the report"),
        ("> quoted\n> twice", "quoted\ntwice"),
        ("use `code` here", "use code here"),
        ("```python\nx = **1**\n```\nafter **it**", "x = **1**\n\nafter it"),
        ("a\n\n~~~~\n```\n| a |\n|---|\n~~~~\n\nb", "a\n\n```\n| a |\n|---|\n\nb"),
        ("```\nnever closed **x**", "never closed **x**"),
        ("a <script>if (x < y) { evil() }</script> b<STYLE type='x'>\np {}\n</Style >", "a  b"),
        ("```\n<script>x</script>\n```\n<script>never closed", "<script>x</script>\n\nnever closed"),
        ("| a | *b* |\n|---|:-:|\n| 1 \\| 0 | 2 |\n\nend | it", "a\tb\n1 | 0\t2\n\nend | it"),
        ("年 | 人\n--- | ---\n三 | 四", "年\t人\n三\t四"),
        ("no head\n\n|---|", "no head\n\n|---|"),
        ("a <b>tag</b> and <!-- a\ncomment --> end", "a tag and  end"),
        ("1 < 2, a&amp;b, 5 &lt; 6, \\*not\\*", "1 < 2, a&b, 5 < 6, *not*"),
        ("---\ntitle: T\n---\nBody", "Body"),
        ("一个**重要**的词", "一个重要的词"),
    ],
)
def test_marks_go_and_words_stay(source: str, expected: str) -> None:
    """Headings, emphasis, links, images, quotes, code, tags, comments, escapes and front matter."""
    assert expected == text_of(source)


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("Text[^1].\n\n[^1]: The note on the mast says much.", "Text[^1].\n\n[^1]: The note on the mast says much."),
        ("[Note]: the ship sank at dawn. All were lost.", "[Note]: the ship sank at dawn. All were lost."),
        ("[答]: 是", "[答]: 是"),
        ("He was [1][2] there", "He was [1][2] there"),
        ("see [it][A  b]\n\n[a B]: <x y> 'T'\nend", "see it\n\nend"),
        ("see [it](x/(y)) and [so](see page 3)", "see it and [so](see page 3)"),
        ("see [word]\n\n[word]: there\nend", "see word\n\nend"),
    ],
)
def test_only_a_link_and_its_definition_lose_their_brackets(source: str, expected: str) -> None:
    """Notes and words after a bracket and a colon stay; a label makes a link only where it is defined."""
    assert expected == text_of(source)


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("---\n\nThe first chapter: ice.\n\n---\n\nThe second.", "The first chapter: ice.\n\nThe second."),
        ("---\nThe first. It was cold.\n---\nTwo", "The first. It was cold.\n\nTwo"),
        ("---\nAnna: Yes.\nJohn: No.\nAnna: Yes!\n---\nTwo", "Anna: Yes.\nJohn: No.\nAnna: Yes!\n\nTwo"),
        ("---\n题目: 冰\ntags:\n  - a\n\n# note\n...\nTwo", "Two"),
    ],
)
def test_front_matter_is_yaml_at_the_beginning(source: str, expected: str) -> None:
    """Text between two rules is text."""
    assert expected == text_of(source)


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("use `a*b*c` and `<b>` or `&amp;`", "use a*b*c and <b> or &amp;"),
        ("``x ` y`` and `` `中` ``", "x ` y and `中`"),
        ("```\n&amp; <b>\n```\n&amp;", "&amp; <b>\n\n&"),
        ("a\n\n    *x* <b>\n\nb", "a\n\n*x* <b>\n\nb"),
        ("- a\n\n    *x*", "a\n\nx"),
        ("a\n    *x*", "a\nx"),
        ("*a `*` b*", "a * b"),
        ("| a | b |\n|---|---|\n| `x\\|*y*` | 2 |\n", "a\tb\nx|*y*\t2"),
        ("`x\\|y`", "x\\|y"),
        ("a ` b\n\nc ` *d*", "a ` b\n\nc ` d"),
        ("```x``` and *y*", "x and y"),
    ],
)
def test_code_keeps_its_text(source: str, expected: str) -> None:
    """Nothing in code is a mark: within lines, between fences, indented."""
    assert expected == text_of(source)


@pytest.mark.parametrize(
    ("source", "title"),
    [
        ("---\ntitle: 'The Loss'\nx: 1\n---\n# Other", "The Loss"),
        ("text\n\n## The *Loss* #", "The Loss"),
        ("```\n# code\n```\ntext", None),
        ("text", None),
    ],
)
def test_the_title_is_the_front_matters_or_the_first_heading(source: str, title: str | None) -> None:
    """The file's own title, without marks."""
    assert title == markdown.read(source.encode(), "f.md").title


@given(st.text(alphabet="#*_`[]()!<>-=~\\&; \nab中", max_size=100))
def test_any_text_leads_back(source: str) -> None:
    """Whatever the file holds, copied characters stand at their origins."""
    draft = markdown.read(f"x{source}".encode(), "f.md").draft
    at = 0
    for length, origin, is_copied in draft.map.pieces(0, len(draft.text)):
        assert not is_copied or draft.text[at : at + length] == f"x{source}"[origin : origin + length]
        at += length


@pytest.mark.timeout(60)
@pytest.mark.parametrize(
    "hostile",
    ["<script>", " ", "[a](x(y", "` `` ", "\n\n    x", "> ", "| a ", "|---|\n", "a" + " " * 50 + "|", "```\n", "- | :"],
)
def test_hostile_files_cost_linear_time(hostile: str) -> None:
    """Half a million code points of marks that open, or look like tables, are read in seconds."""
    assert text_of(f"Before.\n\n{hostile * (500_000 // len(hostile))}").startswith("Before.")
