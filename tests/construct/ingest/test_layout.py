"""Layout undone: line ends, page breaks, running lines, page numbers, broken words, hard wraps."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wildtrace.construct.ingest.draft import Draft, Options
from wildtrace.construct.ingest.steps import canonical

BODY = "The boat was lowered at {} minutes past the hour and pulled away from the side\nof the ship into the dark.\n"


def text_of(text: str, *, unwrap: bool = False) -> str:
    """The canonical form of a text."""
    return canonical(Draft(text), Options(unwrap=unwrap)).text


def kinds(text: str) -> set[str]:
    """What kinds of things are removed from a text."""
    return {removal.kind for removal in canonical(Draft(text), Options()).removed}


def pages(count: int, head: str = "", foot: str = "") -> str:
    """Pages with a header and a footer that may hold the page's number as {n} or {roman}."""
    romans = ["", "i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x"]
    made = []
    for n in range(1, count + 1):
        lines = [head.format(n=n, roman=romans[n % 11]), BODY.format(n * 3), foot.format(n=n, roman=romans[n % 11])]
        made.append("\n".join(line for line in lines if line))
    return "\n\f".join(made)


def test_line_ends_are_line_feeds() -> None:
    """CRLF, CR, and the Unicode and vertical line ends; control characters go, tabs stay."""
    assert "a\nb\nc\nd\ne\nf\tg" == text_of("a\r\nb\rc\u2028d\x0be\u2029f\tg\x00\x07")
    assert "text" == text_of("\ufefftext")


@pytest.mark.parametrize(
    ("head", "foot"),
    [
        ("REPORT ON THE LOSS OF A SHIP", ""),
        ("", "Page {n}"),
        ("", "- {n} -"),
        ("", "{n}"),
        ("", "{roman}"),
        ("Final report 11-204 | Page {n}", ""),
        ("The Loss of a Ship          {n}", "Printed for His Majesty"),
        ("第{n}页", ""),
        ("沉船調查報告", "— {n} —"),
    ],
)
def test_running_lines_and_page_numbers_go(head: str, foot: str) -> None:
    """Headers, footers and page numbers of any style are removed, recorded, and the body stays whole."""
    text = pages(9, head, foot)
    expected = "\n".join(BODY.format(n * 3).rstrip("\n") for n in range(1, 10))
    assert expected.split() == text_of(text).split()
    assert kinds(text) & {"running header", "running footer", "page number"}


def test_alternating_sides_are_one_footer() -> None:
    """Left and right pages with the number on either side, and front pages with Roman numbers."""
    made = []
    for n in range(1, 12):
        foot = f"Page {n} | Final report" if n % 2 else f"Final report | Page {n}"
        made.append(BODY.format(n * 3) + foot)
    found = text_of("\n\f".join(made))
    assert "Final report" not in found
    assert 11 == found.count("The boat was lowered")


def test_numbers_that_do_not_count_pages_stay() -> None:
    """Paragraph numbers, chapter numbers and headings at the top of pages are text."""
    numbered = "\n\f".join(f"{n}.\n{BODY.format(n)}" for n in range(1, 8))
    assert all(f"{n}.\n" in text_of(numbered) for n in range(1, 8))
    chapters = "\n\f".join((f"CHAPTER {n // 4 + 1}\n" if n % 4 == 0 else "") + BODY.format(n) for n in range(24))
    assert 6 == text_of(chapters).count("CHAPTER")
    years = "\n\f".join(f"{1900 + n * n}\n{BODY.format(n)}" for n in range(8))
    assert all(str(1900 + n * n) in text_of(years) for n in range(8))


def test_page_numbers_without_page_breaks() -> None:
    """Lines that say they are page numbers and count up go; chapter numbers far and unevenly apart stay."""
    body = BODY.format(7) * 5
    paged = "\n\n".join(f"{body}\n[Page {n}]" for n in range(3, 9))
    assert "Page" not in text_of(paged)
    inline = " ".join(f"words before [Pg {n}] and words after" for n in range(10, 15))
    assert "Pg" not in text_of(inline)
    chapters = "\n\n".join(f"{n}\n\n{BODY.format(n) * (5 + 40 * (n % 3))}" for n in range(1, 14))
    assert all(f"{n}\n\nThe boat" in text_of(chapters) for n in range(1, 14))
    titled = "\n".join(f"The Loss of a Ship\n{BODY.format(n) * 12}" for n in range(3, 12))
    assert "Loss" not in text_of(titled)
    refrain = "\n".join(f"Row, sailors, row\n{BODY.format(n) * (3 + n * n % 17)}" for n in range(3, 14))
    assert 11 == text_of(refrain).count("Row, sailors")
    headed = "\n\n".join(f"{body}\nTHE LOSS OF A SHIP\n{n}" for n in range(3, 9))
    assert "LOSS" not in text_of(headed)


WRAPPED = "The boat was lowered in the dark\nand pulled away from the side of the ship,\nand nobody saw it again.\n"
CHINESE = "那一日天色已晚，众人都睡了。他独自走了出去，心中想道此事如何是好。\n"


def parted(mark: str, numbers: range) -> tuple[str, str]:
    """Pages of both languages, each of which breaks off in a sentence; with and without the marks between them."""
    words = ["ash", "birch", "cedar", "elm", "fir", "hazel", "larch", "maple", "oak", "pine", "rowan", "yew"]
    pages = [(f"{WRAPPED * 8}There they saw the {word}", f"{word} boats, and rowed on.\n{WRAPPED}") for word in words]
    pages += [(f"{CHINESE * 20}{word}他独自一个人慢慢地走了出去", f"{word}心中想道此事。\n") for word in "甲乙丙丁戊"]
    pages = [pages[number % len(pages)] for number in numbers]
    lines = [mark.format(n=number) for number in numbers]
    marked = "".join(f"{first}\n{line}\n{second}" for (first, second), line in zip(pages, lines, strict=True))
    return marked, "".join(f"{first}\n{second}" for first, second in pages)


@pytest.mark.parametrize("mark", ["({n})", "- {n} -", "{n}", "【{n}】", "190{n}", "CHAPTER\n{n}"])
@pytest.mark.parametrize("body", [WRAPPED * 8, CHINESE * 30])
@pytest.mark.parametrize("many", [5, 24])
def test_numbers_that_each_begin_a_section_stay(mark: str, body: str, many: int) -> None:
    """However even the sections are: a number that counts pages would part a sentence now and then."""
    text = "\n".join(f"{mark.format(n=n)}\n\n{body}" for n in range(1, many))
    assert text == text_of(text)


@pytest.mark.parametrize("mark", ["({n})", "- {n} -", "— {n} —", "[{n}]"])
@pytest.mark.parametrize("numbers", [range(3, 8), range(15, 20), range(1, 40)])
def test_marked_numbers_that_part_sentences_go(mark: str, numbers: range) -> None:
    """Dashed and bracketed numbers a page's length apart, in the middle of sentences, are the pages'."""
    text, expected = parted(mark, numbers)
    assert expected == text_of(text)


@pytest.mark.parametrize("numbers", [range(1, 15), range(300, 314)])
def test_bare_numbers_that_part_sentences_go(numbers: range) -> None:
    """Where many of them stand as evenly as pages do."""
    text, expected = parted("{n}", numbers)
    assert expected == text_of(text)


def test_headings_that_come_back_evenly_stay() -> None:
    """A line between blank lines that never parts a sentence is a heading, even as evenly spaced as pages."""
    for heading in ("Chorus of the Brave", "Letter from Anna", "证人供词"):
        text = "\n\n".join(f"{heading}\n\n{WRAPPED * 9}" for _ in range(10))
        assert text == text_of(text)


def test_citations_of_pages_stay() -> None:
    """Three pages cited in a sentence count up and are no page numbers; five a page's length apart are."""
    cited = f"As cited in [p. 12] and [p. 13] and [p. 14] and [p. 15] and [p. 16] of the Act. {WRAPPED}"
    assert cited == text_of(cited)
    text = " ".join(f"{WRAPPED * 8}It was [p. {n}] dark." for n in range(2, 9))
    assert " ".join(f"{WRAPPED * 8}It was dark." for _ in range(2, 9)) == text_of(text)


def test_a_page_number_on_its_line_is_removed_once() -> None:
    """`[Page 5]` alone on its line is one removal, not two."""
    draft = canonical(Draft("\n".join(f"{WRAPPED * 9}[Page {n}]" for n in range(1, 8))), Options())
    assert 7 == len(draft.removed)


ROMANS = ["i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x", "xi", "xii"]


@pytest.mark.parametrize("front", [3, 4, 10, 12])
def test_roman_front_pages_and_arabic_pages_go(front: int) -> None:
    """However many of the pages are front pages."""
    numbers = [*ROMANS[:front], *map(str, range(1, 31 - front))]
    text = "\n\f".join(f"{WRAPPED}{number}" for number in numbers)
    assert (WRAPPED * 30).split() == text_of(text).split()


def test_numbering_that_jumps_goes_on_both_sides() -> None:
    """Plates that are not in the file make the numbers jump; numbers by chapter begin anew."""
    jumps = "\n\f".join(f"{WRAPPED}{n if n < 20 else n + 2}" for n in range(1, 40))
    assert (WRAPPED * 39).split() == text_of(jumps).split()
    anew = "\n\f".join(f"{WRAPPED}{n // 10 + 1}-{n % 10 + 1}" for n in range(40))
    assert (WRAPPED * 40).split() == text_of(anew).split()


@pytest.mark.parametrize("head", ["Chapter {}", "第{}章"])
def test_a_running_head_with_the_chapters_number_goes(head: str) -> None:
    """It stays the same for some pages, then has the next number; one that stands on single pages is a heading."""
    text = "\n\f".join(f"{head.format(n // 7 + 1)}\n{WRAPPED}{n + 1}" for n in range(30))
    assert (WRAPPED * 30).split() == text_of(text).split()
    single = "\n\f".join(f"{head.format(n // 3 + 1)}\n{WRAPPED}" if n % 3 == 0 else WRAPPED for n in range(27))
    assert 9 == sum(text_of(single).count(head.format(n)) for n in range(1, 10))


def test_furniture_behind_an_unknown_line_goes() -> None:
    """A stamp of its own on each page's edge does not shield the header and the number behind it."""
    stamps = ["ash", "birch", "cedar", "elm", "fir", "hazel", "larch", "maple", "oak", "pine", "rowan", "willow"]
    text = "\n\f".join(
        f"{stamp}\nTHE LOSS OF A SHIP\n{WRAPPED}- {n} -\n{stamp.upper()}" for n, stamp in enumerate(stamps, 3)
    )
    assert "\n".join(f"{stamp}\n{WRAPPED}{stamp.upper()}" for stamp in stamps) == text_of(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The ex-\nplosion was heard. An explosion.", "The explosion\nwas heard. An explosion."),
        ("A well-\nknown man, a well-known one.", "A well-known\nman, a well-known one."),
        ("An Anglo-\nSaxon word.", "An Anglo-Saxon\nword."),
        ("The trans-\n   mission failed.", "The transmission\nfailed."),
        ("a soft\u00ad\nened blow", "a softened\nblow"),
        ("He went--\nand came.", "He went--\nand came."),
        ("pages 10-\n12 of it", "pages 10-\n12 of it"),
        ("the so-\ncalled so, called so", "the so-called\nso, called so"),
        ("non\x02standard loads and non-standard ones", "non-standard loads and non-standard ones"),
        ("The ex-\n\fplosion. An explosion.", "The explosion.\nAn explosion."),
        ("The govern-\nment of the govern-\nment.", "The government\nof the government."),
        ("He as-\ncended as the ser-\nvice cended.", "He ascended\nas the service\ncended."),
        ("In person he spoke of age to a person-\nage.", "In person he spoke of age to a personage."),
        ("He was a well-\nknown man.", "He was a well-known\nman."),
        ("A self-\nmade man, self-\nish, in ill-\nness.", "A self-made\nman, selfish,\nin illness."),
        ("A half-\nburnt half-\npenny.", "A half-burnt\nhalfpenny."),
        ("Some twenty-\nfive men on the Thirty-\nfirst.", "Some twenty-five\nmen on the Thirty-first."),
        ("His mother-in-\nlaw came.", "His mother-in-law\ncame."),
        ("A well-rec-\nognized and recognized sign.", "A well-recognized\nand recognized sign."),
        ("An iron cable held the iron-\ncable.", "An iron cable held the iron-cable."),
    ],
)
def test_words_broken_at_line_ends_are_joined(text: str, expected: str) -> None:
    """A hyphen that the line end put there goes, one that is the word's own stays; the line ends after the word."""
    assert expected == text_of(text)


def test_a_page_break_is_a_line_end_or_a_paragraph_end() -> None:
    """Within a sentence the text goes on in the next line; after a short last line that ends one, a paragraph ends."""
    assert "of the side\nof the ship" in text_of(
        "It was one half of a sentence of the side\n\fof the ship that sank here."
    )
    line = "A long line of words that fills the whole width of the page here.\n"
    assert "It ended.\n\nA long" in text_of(f"{line * 5}It ended.\n\f{line * 5}")
    assert "\f" not in text_of("\f\fa\f\f")


def test_hard_wraps_are_kept_unless_asked() -> None:
    """With unwrapping, wrapped prose is one line a paragraph; verse, lists, tables and headings keep their lines."""
    prose = (
        "The inspector came to the works on the following day and looked at\n"
        "the boiler, which had been patched in three places and leaked at the\n"
        "seams, and wrote down what he saw there.\n"
    )
    verse = "The sea is wide,\nThe boat is small,\n"
    table = "| plate | inch |\n| shell | 3/8  |\n"
    text = f"CHAPTER I\n\n{prose}\n{verse}\n{table}\n- one\n- two\n"
    assert text == text_of(text)
    expected = f"CHAPTER I\n\n{' '.join(prose.split())}\n\n{verse}\n{table}\n- one\n- two\n"
    assert expected == text_of(text, unwrap=True)
    chinese = "那一日老爷吩咐众人都到后面去自己却\n在书房里坐着心中想道这件事如何是好\n正说着。\n"
    assert chinese.replace("\n", "") + "\n" == text_of(chinese, unwrap=True)


@given(st.text(alphabet="ab-\n\r 1.\u00ad\x02", max_size=80))
def test_no_control_character_is_left_and_no_letter_lost(text: str) -> None:
    """Whatever goes in, no carriage return, form feed or control character comes out, and no letter is lost."""
    found = text_of(text)
    assert not set(found) & set("\r\f\x02")
    assert [each for each in text if each in "ab"] == [each for each in found if each in "ab"]


def test_removals_slice_the_decoded_text() -> None:
    """Every removal's offsets point at its own text in the file."""
    text = pages(9, "The Loss of a Ship {n}", "- {n} -").replace("\n", "\r\n")
    draft = canonical(Draft(text), Options())
    assert draft.removed
    for removal in draft.removed:
        assert removal.text.rstrip("\n") == text[removal.start : removal.end].rstrip("\r\n")
