"""What counts of a role's reply: prompts, entries, grounding, verdicts."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.construct.induced import graph_of
from tests.construct.story import english_story
from wildtrace.construct.induction import cast_of, plan, survey_task
from wildtrace.construct.packing import pack_records, unpack_records
from wildtrace.construct.role_prompts import extractor_prompt, linker_prompt, prose, verifier_prompt
from wildtrace.construct.roles import (
    MOST_ENTRIES,
    Taken,
    WindowReader,
    entries,
    take_edges,
    verdict,
)
from wildtrace.construct.segment import segment
from wildtrace.types import Matter, Source

TEXT = (
    "Captain Orla Finch kept two ledgers. The lamp failed because the oil was low.\n\n"
    "Nobody read the second ledger until the inquest. The pump had not been tested for 35 days.\n\n"
    "王安说道：“书信已经烧了。”\n"
) * 2
SOURCE = Source("s1", "f.txt", "F", None, "en", "Latn", "utf-8", "L0", 100, len(TEXT), "", "")
GOOD = {"kind": "event", "quote": "The lamp failed because the oil was low.", "fields": {"participants": []}}


def read(*found: object) -> Taken:
    """What a window's reader takes of entries, in a text whose halves are alike but for the first one's opening."""
    text = "An opening. " + TEXT[: len(TEXT) // 2]
    windows = tuple(segment(text, SOURCE.id, "L0"))
    taken_apart = plan(text, windows, ())
    known, _ = cast_of(SOURCE.id, text, taken_apart.manner, [survey_task((taken_apart.manner, taken_apart.pieces[0]))])
    reader = WindowReader(SOURCE, windows[0], text, known.known)
    return reader.take([entry for entry in found if isinstance(entry, dict)], "extractor:test")


def reply(*found: object) -> str:
    """A whole reply."""
    return json.dumps({"records": list(found)}, ensure_ascii=False)


@pytest.mark.parametrize("role", ["extractor", "linker", "verifier"])
def test_a_prompt_begins_with_its_role(role: str) -> None:
    """Anyone can script a role by the first line."""
    graph = graph_of(TEXT)
    head, tail = [record for record in graph.records if record.kind == "event"][:2]
    window = next(iter(segment(TEXT, SOURCE.id, "L0")))
    prompts = {
        "extractor": extractor_prompt(SOURCE, window, TEXT),
        "linker": linker_prompt(SOURCE, [head, tail], [(head.id, tail.id)]),
        "verifier": verifier_prompt(SOURCE, TEXT, graph.edges[0], head, tail),
    }
    assert f"ROLE: {role}\n" == prompts[role][: len(role) + 7]
    assert not prompts[role].endswith("\n")
    assert TEXT.strip() in extractor_prompt(SOURCE, window, TEXT)


@pytest.mark.parametrize(
    "wrapped",
    [
        "{}",
        "Here you are:\n```json\n{}\n```\nI hope this helps.",
        '<think>Let me see: {{"records": []}}</think>{}',
        "\ufeff{}\n\n",
    ],
)
def test_prose_fences_and_thinking_are_passed_over(wrapped: str) -> None:
    """What stands around the object does not matter."""
    found = entries(
        wrapped.replace("{{", "{").replace("}}", "}").replace("{}", reply(GOOD), 1) if "{}" in wrapped else wrapped,
        "records",
        cut=False,
    )
    assert (True, GOOD) == (found.whole, dict(found.found[0]))


@pytest.mark.parametrize(
    "quote", ["The tag </think> closed it.", "It said <think> and no more.", "他写下</think>二字。"]
)
@pytest.mark.parametrize("wrapped", ["{}", "\n```json\n{}\n```", "<think>Perhaps.</think>{}"])
def test_tags_in_a_text_are_no_thinking(wrapped: str, quote: str) -> None:
    """A document may speak of them: in a reply that begins as JSON they are what a quote holds."""
    records = [{"kind": "event", "quote": quote}, {"kind": "event", "quote": "b b"}]
    reply = wrapped.replace("{}", json.dumps({"records": records}, ensure_ascii=False))
    assert (tuple(records), True) == (
        entries(reply, "records", cut=False).found,
        entries(reply, "records", cut=False).whole,
    )


def test_a_cut_reply_gives_what_is_whole_and_is_asked_again() -> None:
    """Entries before the cut are taken, the half one is not, and the reply does not count as whole."""
    cut = reply(GOOD, {"kind": "event", "quote": "Nobody read the second ledger"})[:-20]
    found = entries(cut, "records", cut=True)
    assert [GOOD] == [dict(entry) for entry in found.found]
    assert not found.whole
    assert not entries(cut, "records", cut=False).whole


@pytest.mark.parametrize(
    "cut", ['{"records": [', f'{{"records": [{json.dumps(GOOD)},', f'{{"records": [{json.dumps(GOOD)}']
)
def test_a_list_that_is_never_closed_is_cut_whatever_the_endpoint_says(cut: str) -> None:
    """Between two entries nothing is left open but the list; what is whole counts all the same."""
    found = entries(cut, "records", cut=False)
    assert not found.whole
    assert cut.count("quote") == len(found.found)


WORDS = st.text(st.sampled_from("ab \"\\\\{}[],:水“”'\n"), max_size=12)


@given(st.lists(WORDS, max_size=4), st.data())
def test_a_reply_cut_anywhere_gives_its_whole_entries_and_no_others(quotes: list[str], data: st.DataObject) -> None:
    """Whatever stands in the quotes: a beginning of the list, which is whole when its end was reached."""
    said = [{"kind": "event", "quote": quote, "fields": {"participants": [quote]}} for quote in quotes]
    text = json.dumps({"records": said}, ensure_ascii=data.draw(st.booleans()))
    cut = text[: data.draw(st.integers(0, len(text)))]
    found = entries(cut, "records", cut=False)
    assert said[: len(found.found)] == [dict(entry) for entry in found.found]
    assert found.whole == (len(cut) >= len(text) - 1)
    if found.whole:
        assert len(said) == len(found.found)


def test_several_lists_count_together() -> None:
    """An example before the reply, or a reply in two parts."""
    other = {**GOOD, "quote": "Nobody read the second ledger until the inquest."}
    for before, wanted in (('The shape: {"records": []}. So:\n', [GOOD]), (reply(other), [other, GOOD])):
        found = entries(before + reply(GOOD), "records", cut=False)
        assert (True, wanted) == (found.whole, [dict(entry) for entry in found.found])


@pytest.mark.parametrize("bad", ["I cannot do that.", "", "<think>still thinking", '{"answer": []}x', "[1, 2]"])
def test_a_reply_without_entries_is_not_whole(bad: str) -> None:
    """It is asked again."""
    assert not entries(bad, "records", cut=False).whole


def test_an_empty_list_is_an_answer() -> None:
    """Nothing to record is a whole reply."""
    assert (True, ()) == (
        entries('{"records": []}', "records", cut=False).whole,
        entries('{"records": []}', "records", cut=False).found,
    )


def test_what_grounds_is_taken_with_the_sources_own_text() -> None:
    """A quote in other white space and quotes is the source's stretch; its record joins the rules' entities."""
    (record,) = read({**GOOD, "quote": "Captain  Orla Finch\nkept two ledgers."}).records
    assert "Captain Orla Finch kept two ledgers." == record.span.quote
    assert "extractor:test" == record.provenance


@pytest.mark.parametrize(
    "quote",
    [
        "The lamp exploded because of the wind.",
        "The pump had been tested for 35 days.",
        "The pump had not been tested for 53 days.",
        "Captain Orla Finch ... the oil was low.",
        "",
        "x" * 2000,
    ],
)
def test_what_does_not_ground_is_refused(quote: str) -> None:
    """Invented, negated, renumbered, stitched, empty and endless quotes enter nowhere."""
    taken = read({**GOOD, "quote": quote})
    assert () == taken.records
    assert 1 == len(taken.refused) + len(taken.review)


def test_a_quote_with_other_words_goes_to_review_with_its_difference() -> None:
    """Where it nearly stands, the source's own words, and what differs."""
    quote = "Nobody ever read the second ledger until that inquest."
    ((row,), records) = (read({**GOOD, "quote": quote}).review, read({**GOOD, "quote": quote}).records)
    text = "An opening. " + TEXT[: len(TEXT) // 2]
    assert () == records
    assert "Nobody read the second ledger until the inquest." == row["text"] == text[row["start"] : row["end"]]
    assert (quote, "event", "extractor:test") == (row["quote"], row["kind"], row["provenance"])
    assert {"ever", "that"} <= {change["quote"] for change in row["changes"]}


def fields_of(kind: str, quote: str, **fields: object) -> dict[str, object]:
    """The fields of the record that an entry makes."""
    (record,) = read({"kind": kind, "quote": quote, "fields": fields}).records
    return dict(record.fields)


@pytest.mark.parametrize(
    ("kind", "quote", "said", "wanted"),
    [
        ("entity", "Captain Orla Finch", {"name": "Orla Finch", "type": "person"}, {"name": "Orla Finch"}),
        ("entity", "Captain Orla Finch", {"name": "Queen Victoria"}, {"name": "Captain Orla Finch", "type": "thing"}),
        ("entity", "Captain Orla Finch", {"name": "la Fin", "type": "god"}, {"name": "Captain Orla Finch"}),
        ("entity", "王安", {"name": "王安", "type": "person"}, {"name": "王安", "type": "person"}),
        ("attribute", "tested for 35 days", {"value": 35, "unit": "days"}, {"value": 35, "unit": "days"}),
        ("attribute", "tested for 35 days", {"value": "35"}, {"value": "35", "unit": None, "type": "state"}),
        ("attribute", "tested for 35 days", {"value": 5, "unit": "weeks"}, {"value": None, "unit": None}),
        ("attribute", "tested for 35 days", {"value": "5"}, {"value": None}),
        ("attribute", "the oil was low", {"value": True, "entity": "oil"}, {"value": None, "entity": None}),
        ("time", "for 35 days", {"edtf": "1861-05-03"}, {"edtf": None}),
        ("quotation", "书信已经烧了", {"speaker": "Queen Victoria"}, {"speaker": None}),
    ],
)
def test_fields_hold_only_what_the_source_bears_out(
    kind: str, quote: str, said: dict[str, object], wanted: dict[str, object]
) -> None:
    """What a model makes up stands in no field."""
    fields = fields_of(kind, quote, **said)
    assert wanted == {key: fields[key] for key in wanted}
    assert "Victoria" not in str(fields)


def test_words_of_the_window_are_kept_as_said() -> None:
    """Names and wordings that stand there, one by one; what is paraphrased or made up is left out."""
    quote = "Captain Orla Finch kept two ledgers."
    said = {"participants": ["Orla Finch", "Zorblax"], "what": "kept two ledgers", "note": "Zorblax"}
    assert {"participants": ["Orla Finch"], "what": "kept two ledgers"} == fields_of("event", quote, **said)["said"]
    assert {"participants": []} == fields_of("event", quote, what="did Zorblax's books", participants=[7, None])["said"]


def test_a_date_is_as_our_own_rules_read_it() -> None:
    """The model's date where the quote says the same, the quote's own otherwise, none where it has two others."""
    text = "On 3 May 1861 the ledger was found; the lamp failed on 4 May 1861.\n\n"
    source = replace(SOURCE, chars=len(text))
    (window,) = segment(text, SOURCE.id, "L0")
    taken_apart = plan(text, (window,), ())
    known, _ = cast_of(SOURCE.id, text, taken_apart.manner, [survey_task((taken_apart.manner, taken_apart.pieces[0]))])
    reader = WindowReader(source, window, text, known.known)
    for quote, edtf, wanted in (
        ("3 May 1861", "1861-05-03", "1861-05-03"),
        ("3 May 1861", "1816-05-03", "1861-05-03"),
        (text.strip(), "1861-05-04", "1861-05-04"),
        (text.strip(), "1861-05-05", None),
    ):
        (record,) = reader.take([{"kind": "time", "quote": quote, "fields": {"edtf": edtf}}], "extractor:test").records
        assert wanted == record.fields["edtf"]


@pytest.mark.parametrize("value", [1 << 80, float("inf"), {"a": {"b": 1}}, [[1], {"a": 2}]])
def test_values_that_no_format_holds_are_left_out(value: object) -> None:
    """Huge numbers, infinities, nested objects: the record is taken without them, and can be stored."""
    records = read({"kind": "attribute", "quote": "tested for 35 days", "fields": {"value": value}}).records
    assert 1 == len(unpack_records("s1", "x" * 1000, pack_records(records)))
    assert records[0].fields["value"] is None


def test_a_name_is_no_part_of_a_word() -> None:
    """`Finc` stands in Finch, but is nobody's name."""
    assert () == read({"kind": "entity", "quote": "Finc", "fields": {}}).records


def test_front_and_back_matter_is_not_shown_and_nothing_stands_there() -> None:
    """A heading of the contents that stands in the text as well is the text's; what spans the matter is refused."""
    contents = "Contents\n\nThe oil was low\n\nThe second ledger\n\n"
    text = contents + "The work begins. The oil was low. All slept.\n\nAdvert.\n\nIt ends."
    source = replace(SOURCE, chars=len(text))
    (window,) = segment(text, SOURCE.id, "L0")
    begins, advert = text.index("The work"), text.index("Advert.")
    matter = (Matter("advert", advert, advert + 9), Matter("contents", 0, begins))
    prompt = extractor_prompt(source, window, text, matter)
    assert "WINDOW_TEXT:\nThe work begins. The oil was low. All slept.\n\n\n\nIt ends.\nEND" in prompt
    known, _ = cast_of(SOURCE.id, text, plan(text, (window,), matter).manner, [])
    reader = WindowReader(source, window, text, known.known, matter)
    quotes = ("The oil was low", "The second ledger", "Advert.", "All slept. It ends.")
    taken = reader.take([{"kind": "event", "quote": quote, "fields": {}} for quote in quotes], "extractor:test")
    (record,) = taken.records
    assert text.rindex("The oil was low") == record.span.start
    assert 3 == len(taken.refused)
    assert "" == prose(window, text, [Matter("licence", 0, len(text))])


def test_half_valid_replies_keep_the_valid_half() -> None:
    """Record by record: the good ones enter, the others are counted."""
    taken = read(GOOD, {"kind": "event"}, {"kind": "wish", "quote": GOOD["quote"]}, {"quote": 7, "kind": "event"})
    assert (1, 3) == (len(taken.records), len(taken.refused))


def test_a_model_relation_has_two_grounded_ends() -> None:
    """Both passages become events; one that stands nowhere refuses the whole relation."""
    relation = {
        "kind": "relation",
        "quote": "The lamp failed because the oil was low.",
        "fields": {"type": "causes", "first": "the oil was low", "second": "The lamp failed"},
    }
    taken = read(relation)
    first, second, made = taken.records
    assert ["event", "event", "relation"] == [record.kind for record in taken.records]
    assert (first.id, second.id) == (made.fields["first"], made.fields["second"])
    lost = {**relation, "fields": {"type": "causes", "first": "the wind rose", "second": "The lamp failed"}}
    assert not [record for record in read(lost).records if record.kind == "relation"]


def test_an_edge_needs_an_asked_pair_a_known_type_and_a_quote() -> None:
    """What the linker adds of its own is refused; what it may say waits for the verifier."""
    graph = graph_of(english_story(2))
    head, tail, other = [record.id for record in graph.records if record.kind == "event"][:3]
    quotes = {record.id: record.span.quote for record in graph.records}
    good = {"from": head, "to": tail, "type": "causes", "quote": quotes[head][:30]}
    found = [
        good,
        {**good, "to": other},
        {**good, "type": "likes"},
        {**good, "quote": "the wind rose in the night"},
        {"from": head, "to": tail},
    ]
    taken = take_edges(SOURCE, graph, [(head, tail)], found, "linker:test")
    assert [(head, tail, "causes", "review")] == [(one.head, one.tail, one.type, one.status) for one in taken.edges]
    assert 4 == len(taken.refused)


def test_a_linker_may_say_two_things_of_a_pair() -> None:
    """Further ones would cost a verifier's call each; the direction does not matter, another pair has its own two."""
    graph = graph_of(english_story(2))
    head, tail, other = [record for record in graph.records if record.kind == "event"][:3]
    said = [{"from": head.id, "to": tail.id, "type": kind, "quote": head.span.quote} for kind in ("causes", "enables")]
    found = [*said, {**said[0], "from": tail.id, "to": head.id}, {**said[0], "to": other.id}]
    taken = take_edges(SOURCE, graph, [(head.id, tail.id), (head.id, other.id)], found, "linker:test")
    assert [tail.id, tail.id, other.id] == [edge.tail for edge in taken.edges]
    assert 1 == len(taken.refused)


@pytest.mark.parametrize("quote", ["the", "oil was", ". . . . . .", "", "   "])
def test_a_few_letters_are_no_basis(quote: str) -> None:
    """They stand anywhere, so they support nothing; an ideograph says as much as three letters."""
    head, tail = [record for record in graph_of(TEXT).records if record.kind == "event"][:2]
    assert (None, "") == verdict(json.dumps({"supported": True, "quote": quote}), TEXT, head, tail, cut=False)


def test_the_basis_is_the_sources_own_text() -> None:
    """However the model wrote the quote."""
    head, tail = [record for record in graph_of(TEXT).records if record.kind == "event"][:2]
    said = '{"supported": true, "quote": "The  lamp failed\\nbecause the oil was low."}'
    text = TEXT[: len(TEXT) // 2]
    assert (True, "The lamp failed because the oil was low.") == verdict(said, text, head, tail, cut=False)


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ('{"supported": true, "quote": "the oil was low"}', (True, "the oil was low")),
        ('{"supported": true, "quote": "the wind rose"}', (None, "")),
        ('{"supported": true}', (None, "")),
        ('{"supported": false, "quote": ""}', (False, "")),
        ('{"supported": null, "quote": null}', (None, "")),
        ('Sure.\n```json\n{"supported": false}\n```', (False, "")),
        ('{"supported": "yes"}', None),
        ("It is.", None),
        ('{"supported": true, "quo', None),
    ],
)
def test_a_verdict_is_read_strictly(said: str, expected: tuple[bool | None, str] | None) -> None:
    """Support without words that stand in the context is no support; what is no verdict is asked again."""
    head, tail = [record for record in graph_of(TEXT).records if record.kind == "event"][:2]
    assert expected == verdict(said, TEXT, head, tail, cut=False)


@pytest.mark.timeout(60)
def test_a_stuck_extractor_is_read_up_to_a_bound() -> None:
    """Repeated entries are one record or one row for review; what goes on and on is refused and counted."""
    near = {**GOOD, "quote": "The lamps failed because the oil was low."}
    taken = read(*[GOOD, near] * 26_000)
    assert {GOOD["quote"]} == {record.span.quote for record in taken.records}
    assert [near["quote"]] == [row["quote"] for row in taken.review]
    assert ["the reply has too many entries"] * (52_000 - MOST_ENTRIES) == list(taken.refused)


@pytest.mark.timeout(60)
def test_a_stuck_linker_and_a_quote_without_end_take_no_time() -> None:
    """Too many entries are refused; a quote far longer than what it is to stand in is not looked for."""
    graph = graph_of(TEXT)
    head, tail = [record for record in graph.records if record.kind == "event"][:2]
    entry = {"from": head.id, "to": tail.id, "type": "causes", "quote": "words of neither record " * 50_000}
    taken = take_edges(SOURCE, graph, [(head.id, tail.id)], [entry] * 52_000, "linker:test")
    assert ((), 52_000) == (taken.edges, len(taken.refused))
    endless = json.dumps({"supported": True, "quote": "words of neither context " * 50_000})
    assert (None, "") == verdict(endless, TEXT, head, tail, cut=False)


@pytest.mark.parametrize(("quote", "names"), [(GOOD["quote"], ["lamp"]), ("王安说道：“书信已经烧了。”", ["王安"])])
def test_a_list_of_names_without_end_is_cut(quote: str, names: list[str]) -> None:
    """An event has a hundred participants at most."""
    (record,) = read({"kind": "event", "quote": quote, "fields": {"participants": names * 1000}}).records
    assert names * 100 == record.fields["said"]["participants"]
