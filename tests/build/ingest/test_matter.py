"""Front and back matter is marked where it stands; the work itself is not."""

from __future__ import annotations

import os
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wildtrace.build.ingest import ingest
from wildtrace.build.ingest.matter import matter_of, merged
from wildtrace.types import Matter

STORY = "".join(
    f"On day {n} the crew rowed {n * 3} miles and slept on the ice. They were cold.\n\n" for n in range(400)
)
HEADINGS = ["The Ship", "The Ice", "The Long March", "The Winter House", "The Return"]


def chapters(headings: list[str]) -> str:
    """A body with these headings."""
    return "".join(f"{heading}\n\n{STORY[n * 900 : n * 900 + 3000]}\n\n" for n, heading in enumerate(headings))


def marked(text: str, kind: str) -> list[str]:
    """The marked stretches of a kind."""
    return [text[each.start : each.end] for each in matter_of(text) if each.kind == kind]


@pytest.mark.parametrize(
    "lines",
    [
        ["CONTENTS", "", *(f"{heading} .......... {n}" for n, heading in enumerate(HEADINGS, 3))],
        ["Table of Contents", "", *(f"Chapter {n}. {heading}    {n * 12}" for n, heading in enumerate(HEADINGS, 1))],
        list(HEADINGS),
    ],
)
def test_a_contents_list_is_marked(lines: list[str]) -> None:
    """With leaders, with page numbers under a heading, or told by its headings coming back in order."""
    contents = "\n".join(lines)
    text = f"A Title\n\n{contents}\n\n\n{chapters(HEADINGS)}"
    assert [contents.strip()] == [each.strip() for each in marked(text, "contents")]


def test_a_chinese_contents_list_is_marked() -> None:
    """A list of 回 in front whose headings come back."""
    headings = [f"第{n}回　風雪{word}" for n, word in zip("一二三四五六", "夜行歸人山寺", strict=True)]
    body = "".join(f"{heading}\n\n　　那一日天色已晚，眾人都睡了。他獨自走了出去。\n" for heading in headings)
    contents = "\n".join(headings)
    text = f"書名\n\n{contents}\n\n\n{body}"
    assert [contents] == marked(text, "contents")
    assert ["目錄\n" + contents] == marked(f"書名\n\n目錄\n{contents}\n\n\n{body}", "contents")


def test_a_licence_is_marked_around_the_work() -> None:
    """What stands before the start marker and after the end marker; the work between is not marked."""
    text = (
        "The Project Gutenberg eBook of X\n\nTitle: X\n\n*** START OF THE PROJECT GUTENBERG EBOOK X ***\n\n"
        f"{STORY}*** END OF THE PROJECT GUTENBERG EBOOK X ***\n\nSection 1. General terms of use.\n"
    )
    first, last = matter_of(text)
    assert ("licence", 0, "licence", len(text)) == (first.kind, first.start, last.kind, last.end)
    assert STORY.strip() == text[first.end : last.start].strip()


def test_a_transcribers_note_is_marked() -> None:
    """A bracketed note to its bracket, a paragraph to its end."""
    text = f"Title\n\n[Transcriber's Note: Spelling was kept.\n\nEven twice.]\n\n{STORY}"
    assert ["[Transcriber's Note: Spelling was kept.\n\nEven twice.]"] == marked(text, "note")
    assert ["Produced by A. Person and others\n"] == marked(
        f"Title\n\nProduced by A. Person and others\n\n{STORY}", "note"
    )


def test_adverts_are_marked_and_prices_in_a_report_are_not() -> None:
    """A publisher's list names prices and formats in every paragraph; a report that names sums does not."""
    adverts = "\n\n".join(f"A BOOK OF THINGS, No. {n}. Crown 8vo, cloth, {n}s. 6d." for n in range(1, 9))
    assert [adverts] == [each.strip() for each in marked(f"{STORY}\n\n{adverts}\n", "advert")]
    report = "\n\n".join(f"The plate cost {n}s. 6d. and the labour £{n * 3}." for n in range(1, 40))
    assert [] == marked(STORY + report, "advert")


def test_a_work_without_matter_has_none() -> None:
    """Dialogue, repeated short lines, numbered findings and tables are the work's own."""
    talk = "".join(f'"Yes."\n\n"No."\n\n"Yes."\n\nHe went {n} times.\n\n' for n in range(300))
    findings = "".join(f"{n}. The valve was open at station {n}\n\n" for n in range(1, 60))
    table = "".join(f"| plate {n} | {n * 3} |\n" for n in range(60))
    assert () == matter_of(f"A Title\n\n{talk}{findings}{table}{STORY}")


@given(st.lists(st.tuples(st.integers(0, 50), st.integers(1, 20)), max_size=8))
def test_merged_stretches_do_not_overlap_and_lose_nothing(pairs: list[tuple[int, int]]) -> None:
    """Overlapping stretches become stretches in order that cover the same places."""
    found = [Matter("kind", start, start + length) for start, length in pairs]
    ordered = merged(found)
    covered = {place for each in found for place in range(each.start, each.end)}
    assert covered == {place for each in ordered for place in range(each.start, each.end)}
    assert all(before.end <= after.start for before, after in pairwise(ordered))


@pytest.mark.corpus
@pytest.mark.skipif("WILDTRACE_CORPUS" not in os.environ, reason="WILDTRACE_CORPUS names no folder")
@pytest.mark.parametrize(
    ("file", "first", "last"),
    [
        ("formats/alice_pg11.epub", "CHAPTER I.\nDown the Rabbit-Hole", "THE END"),
        ("formats/titanic_39415.latin1.crlf.txt", "REPORT ON THE LOSS OF THE STEAMSHIP", "A. Lyon"),
        ("formats/laocan_youji.gb18030.txt", "第一回 土不制水历年成患 风能鼓浪到处可危\n\n话说", "词曰"),
        ("tr_tpc_wellington_enclosed_space_2011.txt", "Abbreviations\n\nBC Code", "Tauranga"),
    ],
)
def test_real_works_begin_where_their_front_matter_ends(file: str, first: str, last: str) -> None:
    """The contents and licences of real files are marked; the work's first words are not, nor do its last follow."""
    path = Path(os.environ["WILDTRACE_CORPUS"]) / file
    found = ingest(path.read_bytes(), path.name)
    start = found.text.index(first)
    assert not any(each.start <= start < each.end for each in found.matter)
    assert any(each.kind == "contents" and each.end <= start for each in found.matter)
    own = [at for at in range(len(found.text)) if found.text.startswith(last, at)]
    assert not own or any(not any(each.start <= at < each.end for each in found.matter) for at in own)
