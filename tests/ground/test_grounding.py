"""Grounding: a span for the whole quote where it stands, and for nothing else."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wildtrace.ground.grounding import ADMITTED, LOCATED, Grounding, Quote, Source, ground, ground_all

ENGLISH = Source(
    "boiler.txt",
    """The boiler of the packet Rose exploded at noon on the 5th; fifteen men were killed, and the pressure had been
1.5 bar, not 15 bar. It was impossible to reach the engine-room before dark. Captain Smith did not order the ex-
plosion to be reported. "He went home," said Mr. Bennet, "and he was never seen again." He nodded slowly.
The inspector could find a flaw in the plate; the crew can't have seen it. _Something_ moved -- a shadow.
He nodded slowly. The temperature fell to -5 degrees and the price rose by 12% to £1,500 that winter.
The old valve had been closed by the mate at six. It sailed on the twelfth
at 7.30 a.m. with the tide. Then the water rose in the hold, and the men took to the boats.
""",
)
CHINESE = Source(
    "锅炉.txt",
    """　　话说宝玉笑道：“妹妹那里去？”黛玉听了，便說道：「三十人不在這裏，須等到初五日。」
　　賈母道：“罷了。”宝玉笑道：“好。”宝玉说道：“走。”黛玉道：“是。”黛玉笑道：“去。”黛玉道：“也罢。”
　　那一日李明关闭了三号阀门，锅炉里的水慢慢地流了出来，众人都站在岸边看着，谁也没有说话。　　他点了点头。
　　后来他点了点头。\U00020000字难写，𠮷野家在此。林如海病重，书信寄到扬州府来；高夫人看了，一夜没有睡着。""",
)


def at(quote: str, source: Source, **kwargs: tuple[int, int]) -> tuple[str, str | None]:
    """The status of a quote and the source's text of its span."""
    found = ground(Quote(quote, **kwargs), source)
    return found.status, found.span.quote if found.span else None


@pytest.mark.parametrize(
    ("quote", "expected"),
    [
        ("The boiler of the packet Rose exploded at noon", "exact"),
        ("killed, and the pressure had been 1.5 bar", "normalised"),
        ("did not order the explosion to be reported", "normalised"),
        ("did not order the ex-plosion to be reported", "normalised"),
        ("“He went home,” said Mr. Bennet", "normalised"),
        ("Something moved—a shadow", "normalised"),
        ("the temperature fell to −5 degrees", "normalised"),
        ("it was impossible to reach the en\u00adgine‑room", "normalised"),
        ("ｆｉｆｔｅｅｎ ｍｅｎ were killed", "normalised"),
        ("the \ufb02aw", "unsupported"),
        ("The boiler of the packet Rose burst at noon", "fuzzy"),
        ("Then the water slowly rose in the hold, and men took to their boats", "fuzzy"),
        ("The old valve had been closed by the mate, at six", "fuzzy"),
    ],
)
def test_statuses_in_english(quote: str, expected: str) -> None:
    """Exact text, the same text written otherwise, and a few harmless words."""
    assert expected == at(quote, ENGLISH)[0]


@pytest.mark.parametrize(
    ("quote", "expected"),
    [
        ("黛玉听了，便說道", "exact"),
        ("黛玉聽了，便说道：“三十人不在这里", "normalised"),
        ("话说宝玉笑道:“妹妹那里去?”", "normalised"),
        ("锅炉里的水 慢慢地流了出来，", "normalised"),
        ("锅炉里的水慢慢地淌了出来，众人都站在岸边望着", "fuzzy"),
        ("\U00020000字难写", "exact"),
        ("𠮷野家 在此", "normalised"),
    ],
)
def test_statuses_in_chinese(quote: str, expected: str) -> None:
    """The same in Chinese, across scripts, widths and beyond the basic plane."""
    assert expected == at(quote, CHINESE)[0]


@pytest.mark.parametrize(
    ("quote", "source"),
    [
        ("The boiler of the packet Rose exploded at noon on the 6th; fifteen men", ENGLISH),
        ("The boiler of the packet Rose exploded at noon on the 5th; sixteen men", ENGLISH),
        ("and the pressure had been 15 bar, not 15 bar", ENGLISH),
        ("5 bar, not 15 bar", ENGLISH),
        ("The temperature fell to 5 degrees and the price", ENGLISH),
        ("5 degrees and the price rose", ENGLISH),
        ("the price rose by 12 to £1,500", ENGLISH),
        ("to £1,50", ENGLISH),
        ("It sailed on the twentieth at 7.30 a.m. with the tide", ENGLISH),
        ("It sailed on the twelfth at 7.30 p.m. with the tide", ENGLISH),
        ("人不在这里，须等到初六日", CHINESE),
        ("十人不在這裏", CHINESE),
        ("便说道：三十五人不在这里，须等到初五日", CHINESE),
        ("那一日李明关闭了二号阀门，锅炉里的水", CHINESE),
    ],
)
def test_a_number_that_differs_is_never_located(quote: str, source: Source) -> None:
    """Digits, signs, points, percent, currency, number words and Chinese numerals, within and cut at an end."""
    assert ("unsupported", None) == at(quote, source)


@pytest.mark.parametrize(
    ("quote", "text"),
    [
        ("1012 tons of coal", "There were 10-\n12 tons of coal on board."),
        ("war of 19141918", "He wrote of the war of 1914-\n1918 then."),
        ("five men came", "Twenty-five men came at noon."),
        ("500 francs were paid", "And 1 500 francs were paid to him."),
        ("50 francs were paid", "$50 francs were paid to him."),
        ("hundred men were lost", "That day two hundred men were lost."),
        ("no fewer than two", "No fewer than two hundred men were lost."),
        ("九百人", "营里共有八九百人，都在那里。"),
        ("三天", "他们到第三天才回来。"),
        ("必如此", "这件事未必如此，你且看来。"),
        ("5 left port", "The submarine A5 left port at dawn."),
    ],
)
def test_an_exact_stretch_that_cuts_a_number_or_a_denial_is_not_located(quote: str, text: str) -> None:
    """Number words, groups of digits, a currency, numerals in a row, 第, 未, a designation."""
    assert ("unsupported", None) == at(quote, Source("s", text))


def test_what_is_counted_may_be_quoted_without_its_number() -> None:
    """A quote that begins behind a whole number says no other one."""
    assert ("exact", "men came") == at("men came", Source("s", "Twenty-five men came at noon."))


@pytest.mark.parametrize(
    ("quote", "source"),
    [
        ("Captain Smith did order the explosion to be reported", ENGLISH),
        ("It was possible to reach the engine-room before dark", ENGLISH),
        ("possible to reach the engine-room before dark", ENGLISH),
        ("the crew can have seen it. Something moved", ENGLISH),
        ("in the plate; the crew can", ENGLISH),
        ("and he was seen again", ENGLISH),
        ("The inspector could not find a flaw in the plate", ENGLISH),
        ("三十人在这里，须等到初五日", CHINESE),
        ("众人都没站在岸边看着", CHINESE),
    ],
)
def test_a_negation_that_differs_is_never_located(quote: str, source: Source) -> None:
    """A negation left out, added, hidden in a prefix or cut off at an end."""
    assert ("unsupported", None) == at(quote, source)


@pytest.mark.parametrize(
    ("quote", "source"),
    [
        ('"He went home," said Mrs. Bennet, "and he was never', ENGLISH),
        ("Captain Jones did not order the explosion", ENGLISH),
        ("The boiler of the packet Lily exploded at noon", ENGLISH),
        ("话说黛玉笑道：“妹妹那里去？”", CHINESE),
        ("那一日王强关闭了三号阀门，锅炉里的水", CHINESE),
        ("那一日关闭了三号阀门，锅炉里的水", CHINESE),
        ("石中玉病重，书信寄到扬州府来", CHINESE),
        ("林如海病重，书信寄到苏杭府来", CHINESE),
        ("何夫人看了，一夜没有睡着", CHINESE),
        ("老殘說：「未必如此。」", Source("s", "黃人瑞說：「未必如此。」")),
        ("名叫蓬莱山，造得画栋飞云", Source("s", "山上有個閣子，名叫蓬萊閣，造得畫棟飛雲。")),
        ("宫保将他轻轻扶起，对着窗户", Source("s", "高公将他轻轻扶起，对着窗户的亮光。")),
    ],
)
def test_a_name_that_differs_is_never_located(quote: str, source: Source) -> None:
    """A title, a surname, a ship, who speaks, a whole Chinese name replaced or left out."""
    assert ("unsupported", None) == at(quote, source)


@pytest.mark.parametrize(
    ("quote", "source"),
    [
        ("The boiler of the packet Rose exploded ... and the pressure had been", ENGLISH),
        ("The boiler of the packet Rose … at noon on the 5th", ENGLISH),
        ("The old valve had been [...] by the mate at six", ENGLISH),
        ("The old valve had been closed by the mate; the men took to the boats", ENGLISH),
        ("and the men took to the boats. Then the water rose in the hold", ENGLISH),
        ("the men took to the boats, which sank within the hour of leaving", ENGLISH),
        ("The old valve had been closed by the mate because of the frost in the pipes", ENGLISH),
        ("six at mate the by closed been had valve old The", ENGLISH),
        ("the old valve took to the boats", ENGLISH),
        ("锅炉里的水……众人都站在岸边看着", CHINESE),
        ("众人都站在岸边看着，锅炉里的水慢慢地流了出来", CHINESE),
        ("众人都站在岸边看着，后来一齐跳进了水里游走", CHINESE),
    ],
)
def test_a_part_of_a_quote_is_never_located(quote: str, source: Source) -> None:
    """Hidden words, joined fragments, another order, an invented continuation: no span."""
    assert ("unsupported", None) == at(quote, source)


def test_an_ellipsis_of_the_source_is_quoted_as_such() -> None:
    """Where the source itself has an ellipsis, a quote with it is found, in any form; outer ones hide nothing."""
    source = Source("s", "I thought... no, I knew… that he was gone.")
    assert ("normalised", "I thought... no, I knew… that") == at("I thought… no, I knew... that", source)
    assert ("normalised", "... no, I knew") == at("… no, I knew …", source)


@pytest.mark.parametrize("quote", ["", " ", "\n\t\u3000", "?!", "。。。", "\u200b", "\ud800", "(.*)", "a" * 100_000])
def test_quotes_without_words_or_sense_are_unsupported(quote: str) -> None:
    """Empty, blank, bare punctuation that is not there, surrogates, patterns and junk are refused without failing."""
    assert ("unsupported", None) == at(quote, ENGLISH)


@pytest.mark.parametrize("quote", [r"a.b*c", r"[x]{2,}", "$^", r"\d+", "(?i)x"])
def test_characters_of_patterns_are_text(quote: str) -> None:
    """A quote is searched as text, whatever it means to a regular expression."""
    source = Source("s", f"before {quote} after")
    assert ("exact", quote) == at(quote, source)


def test_combining_marks_belong_to_their_letter() -> None:
    """A decomposed letter equals the composed one, its span holds its marks, and a bare letter is another word."""
    source = Source("s", "the cafe\u0301 on the corner was closed for good")
    assert ("normalised", "the cafe\u0301") == at("the café", source)
    assert ("normalised", "the cafe\u0301 on the corner") == at("the café on the corner", source)
    assert "unsupported" == at("the cafe", source)[0]


def test_a_repeated_quote_is_ambiguous_and_a_window_decides() -> None:
    """Several places are candidates, none is the span, unless exactly one lies in the window."""
    text = ENGLISH.text
    first = text.index("He nodded slowly")
    second = text.index("He nodded slowly", first + 1)
    found = ground(Quote("He nodded slowly."), ENGLISH)
    assert "ambiguous" == found.status
    assert found.span is None
    assert [first, second] == [candidate.start for candidate in found.candidates]
    located = ground(Quote("He nodded slowly.", window=(second - 10, len(text))), ENGLISH)
    assert located.span is not None
    assert ("exact", second) == (located.status, located.span.start)
    assert "ambiguous" == ground(Quote("He nodded slowly.", window=(0, len(text))), ENGLISH).status
    assert "ambiguous" == ground(Quote("He nodded slowly.", window=(0, 5)), ENGLISH).status


def test_quotes_in_order_map_in_order() -> None:
    """A quote given as often as it stands maps place by place; one between two located quotes is the one between."""
    text = "Start here. He nodded. The sea rose. He nodded. The wind fell. He nodded. The end came."
    source = Source("s", text)
    places = [at for at in range(len(text)) if text.startswith("He nodded.", at)]
    repeated = ground_all([Quote("He nodded.")] * 3, source)
    assert places == starts(repeated)
    between = ground_all([Quote("The sea rose."), Quote("He nodded."), Quote("The wind fell.")], source)
    assert places[1] == starts(between)[1]
    one_side = ground_all([Quote("The wind fell."), Quote("He nodded.")], source)
    assert "ambiguous" == one_side[1].status
    disordered = ground_all([Quote("The wind fell."), Quote("He nodded."), Quote("The sea rose.")], source)
    assert "ambiguous" == disordered[1].status


@pytest.mark.timeout(60)
def test_many_repeated_quotes_are_put_in_order_in_linear_time() -> None:
    """Each of the thousands that stand twice is decided by its neighbours."""
    known = [f"Row {number} was told of the ship." for number in range(3_000)]
    twice = [f"Then the bell rang {number} times." for number in range(3_000)]
    pairs = list(zip(known, twice, strict=True))
    source = Source("s", "\n".join([f"{one} {other}" for one, other in pairs] + twice))
    quotes = [Quote(text) for pair in pairs for text in pair]
    found = ground_all([*quotes, Quote("Row 2999 was told of the ship.")], source)
    assert {"exact"} == {grounding.status for grounding in found[:-3]}


def starts(found: list[Grounding]) -> list[int]:
    """The starts of located quotes."""
    return [grounding.span.start if grounding.span else -1 for grounding in found]


def test_a_quote_of_another_source_is_misattributed() -> None:
    """It has no span in the source; the candidates name where it stands, near or exactly."""
    found = ground(Quote("锅炉里的水慢慢地流了出来"), ENGLISH, [CHINESE])
    assert ("misattributed", None) == (found.status, found.span)
    candidate = found.candidates[0]
    assert ("锅炉.txt", "锅炉里的水慢慢地流了出来") == (candidate.source, CHINESE.text[candidate.start : candidate.end])
    assert "unsupported" == ground(Quote("neither here nor there in any book"), ENGLISH, [CHINESE]).status


def test_a_quote_that_is_near_here_and_the_same_elsewhere_is_misattributed() -> None:
    """Of two sources with like sentences, the one that says just this is the quote's; its own source comes first."""
    here = Source("here", "The keeper of the lighthouse lit the lamp at dusk and wrote the log.")
    there = Source("there", "The keeper of the lighthouse trimmed the lamp at dusk and wrote the log.")
    quote = Quote("the keeper of the lighthouse trimmed the lamp at dusk")
    assert "misattributed" == ground(quote, here, [there]).status
    assert "fuzzy" == ground(quote, here).status
    assert "normalised" == ground(quote, there, [here]).status


def test_invisible_and_joined_characters_of_the_source_are_no_difference() -> None:
    """Ligatures, soft hyphens, zero-width and non-breaking characters and CRLF line ends in the source itself."""
    text = "The ﬁrst of\u00adﬁcer saw the boi\u200bler\u00a0house ﬂooded, the ex-\r\nplosion having burst the main."
    source = Source("s", text)
    quote = "The first officer saw the boiler house flooded, the explosion having burst"
    assert ("normalised", text[: text.index(" the main")]) == at(quote, source)


def test_an_empty_source_locates_nothing() -> None:
    """No text, no place, no failure."""
    assert ("unsupported", None) == at("any words at all in this quote", Source("s", ""))


def test_an_exact_place_is_preferred_to_one_written_otherwise() -> None:
    """Of two places the one that reads as the quote does is meant."""
    source = Source("s", "it was so\nlong ago. And it was so long ago.")
    assert ("exact", "it was so long ago") == at("it was so long ago", source)


def test_two_equally_near_places_are_ambiguous() -> None:
    """A quote with an edited word that fits two places alike has no span."""
    sentence = "the keeper of the lighthouse lit the lamp at dusk and wrote the log. "
    source = Source("s", sentence + "Nothing else was seen that year. " + sentence)
    assert "ambiguous" == at("the keeper of the lighthouse trimmed the lamp at dusk", source)[0]


@pytest.mark.parametrize(
    ("quote", "text", "why"),
    [
        ("Male workers were paid less.", "Female workers were paid less.", "a word is cut"),
        ("He told him", "She told him", "more than a few words differ"),
        ("Body came", "Nobody came", "more than a few words differ"),
        ("eartless before the others d", "he was heartless before the others did.", "a word is cut"),
        ("table saw that he was heartless", "An old stable saw that he was heartless.", "a word is cut"),
        (
            "The captain ordered retreat.",
            "The captain ordered silence. Hours later the mate ordered retreat.",
            "what differs stands elsewhere",
        ),
    ],
)
def test_a_quote_has_whole_words_and_is_of_one_place(quote: str, text: str, why: str) -> None:
    """One that begins or ends within a word, or takes its meaning from another sentence, stands nowhere."""
    found = ground(Quote(quote), Source("s", text))
    assert ("unsupported", None, why) == (found.status, found.span, found.reason)


@pytest.mark.parametrize(
    ("quote", "text", "stands"),
    [
        ("patients.", "They saw patients [12]. Then they left.", "patients"),
        ("saw patients and left", "They saw patients [12,13] and left.", "saw patients [12,13] and left"),
        ("noon and", "It was noon,1 and they left.", "noon,1 and"),
        ("was noon, and they", "It was noon,1 and they left.", "was noon,1 and they"),
    ],
)
def test_a_note_mark_is_no_text(quote: str, text: str, stands: str) -> None:
    """A quote without the mark of a note is normalised where the source has one; other figures differ as ever."""
    found = ground(Quote(quote), Source("s", text))
    assert found.span is not None
    assert ("normalised", stands) == (found.status, found.span.quote)
    assert (
        "unsupported" == ground(Quote("saw patients [11] and"), Source("s", "They saw patients [12] and left.")).status
    )


def test_the_difference_of_a_fuzzy_quote_is_kept() -> None:
    """A reviewer sees both sides of what differs."""
    found = ground(Quote("The boiler of the packet Rose burst at noon"), ENGLISH)
    assert [("words", "burst", "exploded")] == [(change.kind, change.quote, change.source) for change in found.changes]
    assert "fuzzy" not in ADMITTED


@pytest.mark.timeout(60)
@pytest.mark.parametrize(
    ("quote", "text", "expected"),
    [
        ("11", "1" * 50_000, "unsupported"),
        ("1" * 7_999, "1" * 8_000, "unsupported"),
        ("三", "三" * 20_000, "unsupported"),
        ("十百", "十百" * 10_000, "unsupported"),
        ("hundred hundred", "hundred " * 20_000, "unsupported"),
        ("234", "1 234 " * 20_000, "unsupported"),
        ("1.1", "1." * 50_000, "unsupported"),
        ("ab ab", "ab " * 50_000, "ambiguous"),
        ("a b", "a" + " " * 100_000 + "b", "normalised"),
        ("a" + " " * 100_000 + "b", "a b", "normalised"),
        ("say “a” now", '"' * 50_000 + "say 'a' now" + '"' * 50_000, "normalised"),
        ('"' * 1_000, '"' * 50_000, "ambiguous"),
        ("e\u0301", "e" + "\u0301" * 5_000, "normalised"),
        ("cafe" + "\u0301" * 5_000, "the cafe was", "unsupported"),
        ("\u0301\u0327", "e" + "\u0301\u0327" * 5_000, "exact"),
        ("能来", "不能来" * 20_000, "unsupported"),
        ("ab", "a" + "\u200b" * 100_000 + "b", "normalised"),
    ],
)
def test_runs_without_an_end_are_answered(quote: str, text: str, expected: str) -> None:
    """Digits, numerals, number words, white space, quotation marks, combining and invisible marks, repeated words."""
    assert expected == at(quote, Source("s", text))[0]


TEXTS = st.sampled_from([ENGLISH, CHINESE])


@given(TEXTS, st.data())
def test_a_slice_of_the_source_is_found_or_ambiguous(source: Source, data: st.DataObject) -> None:
    """Any long slice that keeps numbers and words whole stands where it was cut; a span is always the source's text."""
    start = data.draw(st.integers(0, len(source.text) - 40))
    end = data.draw(st.integers(start + 30, len(source.text)))
    found = ground(Quote(source.text[start:end]), source)
    if found.span is not None:
        assert found.span.stands_in(source.text)
        assert source.text[start:end] == found.span.quote or found.status == "fuzzy"
    else:
        assert found.reason is not None


@given(TEXTS, st.text(max_size=80))
def test_any_quote_gets_an_answer_and_no_false_exactness(source: Source, quote: str) -> None:
    """Whatever the quote is, a span stands in the source, and exact means equal."""
    found = ground(Quote(quote), source)
    assert (found.status in LOCATED) == (found.span is not None)
    if found.span is not None:
        assert found.span.stands_in(source.text)
        assert found.status != "exact" or found.span.quote in (quote, quote.strip())


@given(st.integers(0, 10_000))
def test_rewriting_a_passage_does_not_lose_it(seed: int) -> None:
    """Other white space, quotation marks, dashes and widths leave the span where it was."""
    make = Random(seed)
    words = ENGLISH.text.split()
    first = make.randrange(len(words) - 12)
    passage = words[first : first + 12]
    quote = make.choice([" ", "\n", "\u00a0", "  "]).join(passage).replace('"', make.choice("“”「")).replace("--", "—")
    status, text = at(quote, ENGLISH)
    assert status in ADMITTED
    assert text is not None
    assert " ".join(text.split()).strip("\"'.,;_- ") == " ".join(passage).strip("\"'.,;_- ")
