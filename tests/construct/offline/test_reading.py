"""What is read without a model."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from wildtrace.construct.offline import offline_reading
from wildtrace.types import ListItem, Range, Reading, Row, Section, Source, SourceTable, Structure
from wildtrace.vocabulary import EDGE_TYPES, FACT_KINDS, FACT_STATUSES


def source(language: str = "en") -> Source:
    """A source in a language."""
    return Source("s1", "a.txt", "A", None, language, "Latn", "utf-8", "L0", 0, 0, "", "")


def read(text: str, language: str = "en", structure: Structure | None = None) -> Reading:
    """A text's reading."""
    return offline_reading(source(language), text, structure)


def place(text: str, words: str) -> Range:
    """Where words first stand."""
    start = text.index(words)
    return Range(start, start + len(words))


def test_sentences_that_state_something_are_facts() -> None:
    """Whole sentences, with the annotator that found them, their date and their status."""
    text = (
        "The ship sailed on 3 May 1871 with nine men. It was fine. The hull broke because the plate was thin.\n\n"
        "The tank was 12 metres deep. It would have held if the valve had been shut on 4 May 1871."
    )
    facts = read(text).facts
    assert ["time", "relation", "attribute", "time"] == [fact.kind for fact in facts]
    assert ["rule:times", "rule:connectives", "rule:measures", "rule:times"] == [fact.found_by for fact in facts]
    assert ["1871-05-03", "", "", "1871-05-04"] == [fact.when for fact in facts]
    assert ["asserted", "asserted", "asserted", "hypothetical"] == [fact.status for fact in facts]
    assert "The hull broke because the plate was thin." == facts[1].quote


def test_a_sentence_that_opens_with_its_cue_is_joined_with_the_one_before() -> None:
    """In its own paragraph; at a paragraph's beginning nothing is joined."""
    reading = read("The valve stuck. Consequently, the boiler burst.\n\nTherefore, the men were paid off.")
    (link,) = reading.links
    first, second = reading.facts
    assert ("The valve stuck.", "Consequently, the boiler burst.") == (first.quote, second.quote)
    assert (first.id, second.id, "causes", "rule:connectives") == (
        link.from_fact,
        link.to_fact,
        link.type,
        link.found_by,
    )


def test_two_names_of_one_referent_are_one_cast_member() -> None:
    """By a statement; both names have their places."""
    reading = read("Joseph Blake, alias Blueskin, ran. Blueskin was caught on 3 May 1724. He met Joseph Blake's wife.")
    (member,) = reading.cast
    assert ("Joseph Blake", "Blueskin") == member.names
    assert [fact.id for fact in reading.facts] == list(member.facts)
    assert {"Joseph Blake", "Blueskin"} == {quote.quote for quote in member.quotes}


def test_chinese_is_read_by_its_own_annotators() -> None:
    """A cause, a reign year, a second name."""
    reading = read("乾隆五十年，他来了。王安因为天晚，就歇了。此人名黄应图，号人瑞，系江西人氏。", "zh")
    assert ["time", "relation", "entity"] == [fact.kind for fact in reading.facts]
    assert "1785" == reading.facts[0].when
    assert [("黄应图", "人瑞")] == [member.names for member in reading.cast]


def test_a_language_without_annotators_is_not_guessed() -> None:
    """Nothing is read, whatever the text holds."""
    assert Reading("s1", 34) == read("Le navire partit le 3 mai 1871 à 9", "fr")


def test_no_fact_stands_outside_the_structures_sentences() -> None:
    """Headings, notes and matter have dates and measures, too."""
    text = "REPORT OF 3 MAY 1871\n\nThe ship sailed on 4 May 1871.\n\n1. See the log of 5 May 1871."
    structure = Structure(sentences=(place(text, "The ship sailed on 4 May 1871."),))
    assert ["1871-05-04"] == [fact.when for fact in read(text, structure=structure).facts]


def test_a_pointer_to_a_finding_is_joined_with_it() -> None:
    """Findings are numbered items under a heading that says so; what points to one rests on it."""
    text = "The owner shall fit a lamp, to meet finding 2.\n\nFindings\n\n1. The mate slept.\n2. The lamp was out."
    heading, item = place(text, "Findings"), place(text, "2. The lamp was out.")
    structure = Structure(
        sections=(Section(heading.start, len(text), 1, heading, "Findings"),),
        sentences=(
            place(text, text.split("\n", maxsplit=1)[0]),
            place(text, "The mate slept."),
            place(text, "The lamp was out."),
        ),
        items=(ListItem(item.start, item.end, "2."),),
    )
    reading = read(text, structure=structure)
    (link,) = reading.links
    quotes = {fact.id: fact.quote for fact in reading.facts}
    assert "explains" == link.type
    assert ("The lamp was out.", text.split("\n", maxsplit=1)[0]) == (quotes[link.from_fact], quotes[link.to_fact])


def test_rows_of_the_same_name_under_the_same_columns_are_aligned() -> None:
    """A row is quoted with its head."""
    text = "Part Load\nboom 4 t\nmast 9 t\n\nPart Load\nboom 5 t\nmast 9 t"
    half = text.index("\n\n") + 2

    def table(start: int) -> SourceTable:
        rows = []
        for line in ("Part Load", "boom 4 t" if start == 0 else "boom 5 t", "mast 9 t"):
            at = text.index(line, start)
            rows.append(Row(at, at + len(line), (Range(at, at + 4), Range(at + 5, at + len(line)))))
        return SourceTable(start, rows[-1].end, tuple(rows[1:]), rows[0])

    tables = table(0), table(half)
    sentences = tuple(Range(row.start, row.end) for each in tables for row in each.rows)
    reading = read(text, structure=Structure(sentences=sentences, tables=tables))
    assert [("same_attribute", "boom")] == [(link.type, link.why) for link in reading.links]
    assert "Part Load … boom 4 t" == reading.facts[0].quote


@given(st.text(alphabet=list("aB. \n19/因为，。号alias5 km"), max_size=120), st.sampled_from(["en", "zh"]))
def test_facts_stand_where_they_say(text: str, language: str) -> None:
    """Spans are exact, kinds, statuses and types are of the vocabulary, ids are unlike."""
    reading = read(text, language)
    assert all(span.stands_in(text) for fact in reading.facts for span in fact.spans)
    assert all(fact.kind in FACT_KINDS and fact.status in FACT_STATUSES for fact in reading.facts)
    assert all(link.type in EDGE_TYPES for link in reading.links)
    assert len(reading.facts) == len({fact.id for fact in reading.facts})
