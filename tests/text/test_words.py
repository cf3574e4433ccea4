import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wildtrace.text.words import CHINESE_STOP, ENGLISH_STOP, content_words, stem

TEXTS = st.text(st.characters(exclude_categories=["Cs"])) | st.text("aB1.,' \n’的水闸记录在Ａ１é々カ", max_size=80)


def test_english_function_words_are_left_out_and_the_rest_is_lower_cased_and_stemmed() -> None:
    """What stays of an English sentence is what it speaks of."""
    assert ["captain", "found", "two", "valv", "open"] == content_words("The captain had found two of the Valves open.")


def test_chinese_runs_become_overlapping_pairs() -> None:
    """Pairs overlap within a run of ideographs and never reach over punctuation or a function character."""
    assert ["水闸", "记录", "录簿", "闸门"] == content_words("水闸的记录簿，闸门。")


def test_a_single_ideograph_counts_where_its_run_has_no_other() -> None:
    """A word of one character is kept; a function character alone is not."""
    assert ["3", "月", "5", "日", "风"] == content_words("3月5日，风，是")


def test_mixed_text_keeps_both_scripts_in_order() -> None:
    """Latin words, codes and numbers inside Chinese text stand where they stood."""
    assert ["泵房", "b12", "阀门", "门压", "压力", "3.5", "mpa"] == content_words("泵房 B12 阀门压力3.5MPa")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1,250.5 kPa", ["1250.5", "kpa"]),
        ("12,000", ["12000"]),
        ("3.50", ["3.50"]),
        ("35kPa", ["35", "kpa"]),
        ("3.5.2021", ["3", "5", "2021"]),
        ("1,2,3", ["1", "2", "3"]),
        ("03:57:20, 4:35", ["03:57:20", "4:35"]),
        ("1:2:3", ["1", "2", "3"]),
        ("page 12.", ["page"[:-1], "12"]),
    ],
)
def test_numbers_keep_decimals_and_lose_thousands_separators(text: str, expected: list[str]) -> None:
    """A quantity or a clock time is one word; dates, lists and section numbers fall into their parts."""
    assert expected == content_words(text)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("valves", "valve"),
        ("stopped", "stop"),
        ("racing", "race"),
        ("carried", "carries"),
        ("boxes", "box"),
        ("quickly", "quick"),
        ("captain's", "captain"),
        ("captain’s", "captains"),
        ("branches", "branch"),
        ("entries", "entry"),
        ("potatoes", "potato"),
        ("falling", "falls"),
        ("passed", "pass"),
    ],
)
def test_inflected_forms_meet(one: str, other: str) -> None:
    """A criterion and an answer that inflect a word differently still share it."""
    assert content_words(one) == content_words(other)


@pytest.mark.parametrize("word", ["bus", "loss", "king", "red", "bed", "fly", "string", "axis", "is", "b12s", "été"])
def test_short_words_and_codes_are_not_stemmed_away(word: str) -> None:
    """Stemming never eats a word whose ending is no suffix."""
    assert word == stem(word)


def test_words_with_different_stems_stay_apart() -> None:
    """Light stemming does not merge words that merely begin alike."""
    apart = [
        "station",
        "state",
        "general",
        "generator",
        "policy",
        "police",
        "stopper",
        "stop",
        "university",
        "universe",
    ]
    assert len(apart) == len({stem(word) for word in apart})


@given(TEXTS, TEXTS)
def test_words_of_two_texts_are_the_words_of_each(one: str, other: str) -> None:
    """No word reaches over a line end, so passages can be counted apart."""
    assert content_words(one) + content_words(other) == content_words(f"{one}\n{other}")


@given(st.text("ABYZabyz019.,' -水闸", max_size=60))
def test_case_and_width_do_not_matter(text: str) -> None:
    """Upper case and full-width forms give the words of the plain text."""
    wide = "".join(chr(ord(char) + 0xFEE0) if "!" <= char <= "~" else char for char in text)
    assert content_words(text) == content_words(text.upper()) == content_words(wide)


@given(TEXTS)
def test_no_function_word_and_nothing_empty_comes_out(text: str) -> None:
    """Stop lists hold in every surrounding, and a word is never empty or white space."""
    words = content_words(text)
    assert [] == [word for word in words if not word.strip() or word in CHINESE_STOP]
    assert [] == [word for word in text.lower().split() if word in ENGLISH_STOP and content_words(word)]


@pytest.mark.timeout(60)
@pytest.mark.parametrize(
    "text", ["1.1," * 200_000 + "x", "'a" * 400_000, "1" * 800_000, "水" * 800_000, "ａ" * 800_000]
)
def test_time_is_linear_in_the_length(text: str) -> None:
    """Text made to provoke backtracking is read in the time of any other text."""
    assert set("".join(content_words(text))) <= set(unicodedata.normalize("NFKC", text))
