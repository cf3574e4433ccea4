"""Extraction of whole documents by rules, English and Chinese."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.construct.induced import names_of, records_of
from tests.construct.story import chinese_story, english_story
from wildtrace.construct.extract.extraction import manner_of
from wildtrace.construct.extract.page import read_page
from wildtrace.construct.extract.stretches import stretches
from wildtrace.construct.segment import segment
from wildtrace.text.sentences import ends_at_lines
from wildtrace.types import RECORD_KINDS, Record

ENGLISH, CHINESE = english_story(), chinese_story()
STORIES = pytest.mark.parametrize("text", [ENGLISH, CHINESE], ids=["english", "chinese"])


def of_kind(text: str, kind: str) -> list[Record]:
    """The records of one kind."""
    return [record for record in records_of(text) if record.kind == kind]


@STORIES
def test_every_record_quotes_what_stands_there(text: str) -> None:
    """Offsets are the document's, and every kind is a known one."""
    records = records_of(text)
    assert all(record.span.stands_in(text) and record.kind in RECORD_KINDS for record in records)


@STORIES
def test_records_are_the_same_in_every_run(text: str) -> None:
    """Ids are derived from content, and no two records share one."""
    ids = [record.id for record in records_of(text)]
    assert ids == [record.id for record in records_of(text)]
    assert 1 == max(Counter(ids).values())


@STORIES
def test_volume_is_bounded(text: str) -> None:
    """At most 15 records for 1,000 code points."""
    assert 15 * len(text) / 1000 >= len(records_of(text))


@STORIES
def test_events_lie_side_by_side(text: str) -> None:
    """No two events overlap: what stands in two windows is extracted once."""
    events = sorted(of_kind(text, "event"), key=lambda record: record.span.start)
    assert all(one.span.end <= other.span.start for one, other in pairwise(events))


def test_a_cue_cuts_cause_and_effect_apart() -> None:
    """Both ends of a stated cause are events, and the relation names the cause first."""
    (relation,) = [
        r for r in of_kind(ENGLISH, "relation") if r.fields.get("cue") == "because" and "burnt" in r.span.quote
    ]
    by_id = {record.id: record.span.quote for record in of_kind(ENGLISH, "event")}
    assert by_id[relation.fields["first"]].startswith("because she wanted")
    assert by_id[relation.fields["second"]].rstrip().endswith("burnt the letter")


def test_speakers_are_named() -> None:
    """A speech with `said` beside it has its speaker, in both languages."""
    longer = ENGLISH.replace("sail on Monday", "sail on Monday with the tide, and not come back to Harrow Mill")
    (spoken,) = [record for record in of_kind(longer, "quotation") if "sail" in record.span.quote]
    assert "Jack Tanner" == names_of(records_of(longer))[spoken.fields["speaker"]]
    quoted = "王安说道：“若是明日天晴，我便与你同去，不必再等他们众人了。”"
    text = CHINESE + quoted * 3
    speakers = {names_of(records_of(text)).get(record.fields["speaker"]) for record in of_kind(text, "quotation")}
    assert "王安" in speakers


def test_dates_are_records() -> None:
    """A date in words is a time record with its EDTF value."""
    assert {"1861-05-03", "1858-04-09"} <= {record.fields["edtf"] for record in of_kind(ENGLISH, "time")}


def test_things_that_come_back_are_entities() -> None:
    """What a document keeps coming back to is followed."""
    names = set(names_of(records_of(ENGLISH)).values())
    assert {"letter", "certificate", "ledger"} <= names


@pytest.mark.parametrize(
    ("text", "thing", "mentions"),
    [
        (
            "He took the lantern away. Then a lantern fell, and two lanterns burnt. The lantern was old. " * 2,
            "lantern",
            8,
        ),
        ("他把桌子擦了。桌子旧了。那桌子翻了。" * 2, "桌子", 6),
    ],
)
def test_mentions_of_things_are_counted(text: str, thing: str, mentions: int) -> None:
    """In every number of an English noun."""
    counted = {record.fields["name"]: record.fields["mentions"] for record in of_kind(text, "entity")}
    assert mentions == counted[thing]


@pytest.mark.parametrize(
    ("text", "earlier"),
    [
        ("The hatter had taken his watch out of his pocket before the silence at the long table was broken.", True),
        ("The hatter broke the silence at the long table, and by then he had taken out his watch.", False),
        ("The hatter broke the long silence at the table and took his watch out of his pocket.", False),
    ],
)
def test_an_event_is_told_as_past_where_its_first_verb_is(text: str, earlier: bool) -> None:
    """A pluperfect behind another verb tells what was before that one, in the same event."""
    (event,) = of_kind(text, "event")
    assert earlier == event.fields.get("earlier", False)


def test_a_heading_is_no_part_of_what_stands_under_it() -> None:
    """Nor does the end of a sentence cut at its cue go on into a numbered section."""
    text = (
        "CHAPTER VI. Pig and Pepper\n\nFor a minute or two she stood looking at the house.\n\n"
        "The officers on the bridge agreed that the fatigue of the mate contributed to the grounding.\n\n"
        "5.5 The failure of the crew to plot the course was told to the owner."
    )
    quotes = [" ".join(event.span.quote.split()) for event in of_kind(text, "event")]
    assert not any("Pepper For" in quote or "grounding. 5.5" in quote for quote in quotes), quotes
    assert any(quote.startswith("For a minute") for quote in quotes)


@pytest.mark.parametrize(
    ("text", "heading"),
    [
        ("The salvors reported to the third mate.\n\n2.9.\n\nWhile the work went on, the mate slept below.", "2.9."),
        ("众人听了，且听下回分解。\n第三回 金线东来寻黑虎\n话说众人来到村中，不见一人。", "第三回"),
    ],
)
def test_no_event_runs_over_the_number_of_a_section(text: str, heading: str) -> None:
    """Nor over the heading of a chapter, though what stands around it is short."""
    quotes = [event.span.quote for event in of_kind(text, "event")]
    assert not [quote for quote in quotes if heading in quote and not quote.startswith(heading)], quotes


def test_a_question_tells_of_nothing_that_happened() -> None:
    """Cut at a cue or not: it is asked, whatever verbs it holds."""
    text = "Were any of the vessels in the sea prevented from going to her assistance owing to any erroneous messages?"
    told = [event.fields for event in of_kind(text, "event")]
    assert told
    assert {("asked", None)} == {(fields.get("modality"), fields.get("triggers")) for fields in told}


def test_an_unreal_past_is_no_earlier_time() -> None:
    """`If he had gone` is supposed."""
    (event,) = of_kind("If the mate had encouraged the men on the deck, the boats would have been lowered.", "event")
    assert "earlier" not in event.fields


def test_words_that_say_that_something_is_a_cause_are_no_things() -> None:
    """However often they come back behind an article: what they join has nothing in common by them."""
    text = "The contributing lamp was the cause. A lamp of the contributing kind failed, and the lamp fell. " * 4
    names = set(names_of(records_of(text)).values())
    assert "lamp" in names
    assert not {"contributing", "cause"} & names


def test_front_and_back_matter_say_nothing() -> None:
    """A text of nothing but rules and numbers gives no events."""
    table = "┼───────┼────────────┼─────────┼\n  229  │       │     12     │    7    │\n" * 40
    assert [] == of_kind(table, "event")


@settings(max_examples=25, deadline=None)
@given(
    st.lists(
        st.sampled_from(["A short one. ", "It rained; they left.\n\n", "他来了。\n", "x" * 900, "\n\n"]), max_size=120
    )
)
def test_stretches_partition_a_document(parts: list[str]) -> None:
    """Each stretch lies in its window, and together they are the text."""
    text = "".join(parts) * 30
    windows = [(window.start, window.end) for window in segment(text, "source", "L0")]
    found = stretches(text, windows, by_line=ends_at_lines(text)) if windows else []
    assert text == "".join(text[start:end] for start, end in found)
    assert all(window[0] <= start and end <= window[1] for window, (start, end) in zip(windows, found, strict=True))


@settings(max_examples=50, deadline=None)
@given(st.text(alphabet=st.sampled_from(list('abC. ,"\n因为所以。“”')), max_size=400))
def test_any_text_is_read(text: str) -> None:
    """Units stand in order and do not overlap, whatever the text."""
    manner = manner_of(text)
    page = read_page(text, 0, manner.marks, chinese=manner.chinese, by_line=manner.by_line)
    bounds = [bound for unit in page.units for bound in (unit.start, unit.end)]
    assert sorted(bounds) == bounds


@STORIES
def test_an_event_says_what_happened_or_why_nothing_did(text: str) -> None:
    """Its triggers lie in it, at the document's offsets; without any it is asked, conditional, negated or general."""
    found = of_kind(text, "event")
    assert any(record.fields.get("triggers") for record in found)
    for record in found:
        triggers = record.fields.get("triggers", ())
        assert all(record.span.start <= start < end <= record.span.end for start, end in triggers)
        kinds = {"asked", "conditional", "negated", "general"}
        assert bool(triggers) != (record.fields.get("modality") in kinds)


@pytest.mark.parametrize(
    "text", [ENGLISH, CHINESE + "王安因为天色已晚，便不去了。李成因想打听，故缓缓起行。"], ids=["english", "chinese"]
)
def test_a_cause_tells_its_words(text: str) -> None:
    """Cause and effect at the document's offsets, inside the record; one event holds both, or two hold one each."""
    stated = [record for record in of_kind(text, "relation") if record.fields["type"] == "causes"]
    events = {record.id for record in of_kind(text, "event")}
    assert stated
    for record in stated:
        ends = record.fields["cause"], record.fields["effect"]
        assert all(record.span.start <= start < end <= record.span.end for start, end in ends)
        held = {record.fields[name] for name in ("event", "first", "second") if name in record.fields}
        assert held <= events
        assert len(held) == 1 + ("event" not in record.fields)


def test_many_names_leave_room_for_what_happens() -> None:
    """The bound holds where every sentence names somebody else: the least mentioned go, events stay."""
    given = [one + other for one in "安福成德明文武义" for other in "平生华贵清和远志"]
    text = "".join(
        f"那日，王{name}说道：“来了。”王{name}又说道：“去了。”李{name}笑道：“好。”李{name}答道：“是。”"
        for name in given
    )
    kinds = Counter(record.kind for record in records_of(text))
    assert 15 * len(text) / 1000 >= sum(kinds.values())
    assert 2 * len(text) / 1000 <= kinds["event"]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (
            "三人坐下，孔制台叫人把他帶了下去，對著三人道：「三位想都聽明白了，兄弟昨夜問他，又沒有動刑，可見得不是刑逼的。」\n",
            "聽明白了，",
        ),
        (
            "老爷坐下，叫人把他带了下去，对着三人道：“三位想都听明白了，兄弟昨夜问他，又没有动刑，可见不是屈招的。”\n",
            "听明白了，",
        ),
    ],
)
def test_a_chinese_cue_inside_a_clause_cuts_no_event(text: str, told: str) -> None:
    """`understood` behind its verb is no clause of its own."""
    assert any(told in record.span.quote for record in of_kind(text * 3, "event"))


@pytest.mark.parametrize(
    "text",
    [
        ENGLISH,
        CHINESE,
        "那人不敢说，只得叫人去打听明白了，忽然见他在门外问明白了，原来是他的兄弟回来了，众人都笑起来，便把帐算明白了回家。\n"
        * 4,
        "The bridge had been inspected and was found to have failed because the bolts had been left out that year. "
        * 4,
    ],
)
def test_triggers_stand_inside_their_event(text: str) -> None:
    """An event's end cuts no word that says what happened."""
    for record in of_kind(text, "event"):
        for start, end in record.fields.get("triggers", ()):
            assert record.span.start <= start < end <= record.span.end
