"""Front and back matter is marked where it stands; the work itself is not."""

from __future__ import annotations

import os
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wildtrace.construct.ingest.ingest import ingest
from wildtrace.construct.ingest.steps.matter import matter_of, merged
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


def test_what_is_produced_in_the_work_is_no_note() -> None:
    """A wrapped line, or a paragraph about lace, that begins with those words; far from the edges also a name's."""
    lace = "Produced by hand in the valley, the lace was famous in all the world.\n\n"
    wrapped = "The light was a new thing,\nproduced by water, and\nProduced by Mr. Smith they said.\n\n"
    named = "Produced by Mr. Smith of London, the play ran for a year.\n\n"
    assert [] == marked(f"Title\n\n{lace}{wrapped}{STORY}{named}{STORY}{wrapped}{lace}", "note")


def test_a_note_of_several_paragraphs_is_marked_whole() -> None:
    """As long as they speak of the file, to a gap, a list of corrections included; the work after it is not."""
    note = (
        "Transcriber's Note:\n\nItalic text is denoted by _underscores_.\n\nTypographical errors were corrected.\n\n"
        'Corrections were made, on page\n\n  18 "goal" changed to "gaol" (in the county gaol)\n  77 "wan\'t" changed\n'
    )
    assert [note] == marked(f"{note}\n\n[Illustration: a gap is before]\n\n{STORY}", "note")
    assert [note] == marked(f"{note}\nThe Ship\n\n{STORY}", "note")
    assert [note] == marked(f"{STORY}{note}", "note")
    unclosed = "[Transcriber's note: spelling kept.\n"
    assert [unclosed] == marked(f"{unclosed}\nThe Ship\n\n{STORY[:300]} [sic]", "note")


def test_the_end_of_project_gutenberg_in_a_sentence_is_no_licence() -> None:
    """The marker names the book's file."""
    assert [] == marked(f"{STORY}End of Project Gutenberg, I said.\n\n{STORY}", "licence")
    assert 1 == len(marked(f"{STORY}End of Project Gutenberg's The Ship, by A. Person\n\nterms\n", "licence"))


@pytest.mark.parametrize(
    "text",
    [
        (
            f"CHAPTER I\n\n{STORY[:600]}She read the list of its\n\nContents\n\n"
            f"1. A knife\n\n2. A rope\n\n3. A candle\n\n4. A letter from my uncle\n\n5. Poison\n\n{STORY}"
        ),
        "他翻开账本，见上面写着\n\n目录\n\n1. 刀一把\n\n2. 绳一条\n\n3. 烛一支\n\n4. 信一封\n\n5. 药一包\n\n"
        + "他看了半天，不知何意。\n\n" * 60,
        "DRAMA\n\n"
        + "HAMLET\n\nTo be.\n\nOPHELIA\n\nMy lord.\n\nGHOST\n\nSwear.\n\nHORATIO\n\nSo.\n\nQUEEN\n\nAlas.\n\n" * 20,
        "HAMLET\nOPHELIA\nGHOST\nHORATIO\nQUEEN\n\nACT I\n\n"
        + "".join(
            f"{who}\n\nSpeech {n} is here.\n\n" for n in range(9) for who in ["HAMLET", "OPHELIA", "GHOST", "QUEEN"]
        ),
        "THE BALLAD\n\n"
        + "O the wind\n\nAnd the rose\n\nAnd the thorn\n\nAnd the sea\n\nAnd the sky\n\nIt blew\n\n" * 30,
    ],
    ids=["list", "清单", "play", "persons", "refrain"],
)
def test_lists_speakers_and_refrains_are_no_contents(text: str) -> None:
    """What neither names pages nor comes back as headings, and what comes back more often than headings do."""
    assert () == matter_of(text)


TERMS = {
    "ISM Code": "International Management Code for the Safe Operation\nof Ships",
    "IMO": "International Maritime Organization",
    "CO2": "carbon dioxide",
    "SOLAS": "International Convention for the Safety of Life at Sea",
    "UTC": "co-ordinated universal time",
}


@pytest.mark.parametrize("heading", ["Abbreviations", "List of Abbreviations", "Glossary", "缩略语表"])
@pytest.mark.parametrize(("between", "after"), [("\n\n", "\n\n"), (" ", "\n")])
def test_a_list_of_abbreviations_is_marked(heading: str, between: str, after: str) -> None:
    """Near the beginning or the end, a row a term or the explanation beneath it; what follows is not."""
    rows = "".join(f"{term}{between}{words}{after}" for term, words in TERMS.items()).rstrip("\n")
    expected = f"{heading}\n{rows}"
    assert [expected] == marked(f"A Title\n\n{expected}\n\n\n{STORY}", "word list")
    assert [expected] == marked(f"{STORY}\n\n{expected}\n\n\nSources\n\n{STORY[:300]}", "word list")


def test_a_chapter_called_glossary_is_no_list() -> None:
    """Paragraphs of sentences under the heading are the work's."""
    assert () == matter_of(f"A Title\n\nGlossary\n\n{STORY}")
    assert () == matter_of(f"{STORY}Abbreviations\n\nIMO\n\nThe crew wrote that down. It was dark.\n\n\n{STORY[:900]}")


def test_the_list_of_a_series_is_marked() -> None:
    """The other reports of the series at the end; reports that a report itself names are its own."""
    listed = "".join(f"0{n}-20{n}\n\nBulk carrier, grounding, Bay of Plenty, {n} May 200{n}\n\n" for n in range(1, 9))
    series = f"Recent Marine Occurrence Reports published by\nthe Commission\n\n{listed}Price $36.00\n"
    assert [series] == marked(f"{STORY}{series}", "series list")
    own = f"Other reports published by the owner\n\nIn 08-201 and 08-202 he wrote of it.\n\n{STORY[:900]}"
    assert [] == marked(f"{STORY}{own}", "series list")
    assert [] == marked(f"{series}{STORY}", "series list")


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
        ("tr_tpc_wellington_enclosed_space_2011.txt", "Data summary\nVessel", "Tauranga"),
    ],
)
def test_real_works_begin_where_their_front_matter_ends(file: str, first: str, last: str) -> None:
    """The contents and licences of real files are marked; the work's first words are not, nor do its last follow."""
    path = Path(os.environ["WILDTRACE_CORPUS"]) / file
    found = ingest(path.read_bytes(), path.name)
    start = found.text.index(first)
    assert not any(each.start <= start < each.end for each in found.structure.matter)
    assert any(each.kind == "contents" and each.end <= start for each in found.structure.matter)
    own = [at for at in range(len(found.text)) if found.text.startswith(last, at)]
    assert not own or any(not any(each.start <= at < each.end for each in found.structure.matter) for at in own)
