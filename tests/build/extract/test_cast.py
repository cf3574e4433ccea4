"""Which runs of words mean which entity, over a whole document."""

from __future__ import annotations

import pytest

from tests.build.induced import records_of


def aliases_of(text: str) -> dict[str, set[str]]:
    """The aliases of each named entity of a text, by every alias."""
    entities = [record for record in records_of(text) if record.kind == "entity"]
    return {alias: set(entity.fields["aliases"]) for entity in entities for alias in entity.fields["aliases"]}


def test_a_title_joins_the_name_it_stands_before() -> None:
    """Ahab is Captain Ahab where no other Ahab is."""
    text = (
        'The ship waited for Captain Ahab. "Where is he?" asked Starbuck. Then Ahab came, and Captain Ahab spoke. ' * 3
    )
    assert {"Captain Ahab", "Ahab"} == aliases_of(text)["Ahab"]


def test_titles_keep_a_family_apart() -> None:
    """Mr., Mrs. and Miss Bennet stay three."""
    text = "When Mr. Bennet came, Mrs. Bennet rose. She saw Miss Bennet. " * 3
    text += "Then Mr. Bennet left Mrs. Bennet with Miss Bennet. " * 3
    found = aliases_of(text)
    assert 3 == len({frozenset(found[name]) for name in ("Mr Bennet", "Mrs Bennet", "Miss Bennet")})


def test_a_nickname_joins_the_full_name() -> None:
    """Jack Tanner is John Tanner, and Jack is he where there is no other."""
    text = "They met John Tanner at noon. He was tired. Then Jack Tanner laughed, and Jack went home. " * 3
    assert {"John Tanner", "Jack Tanner", "Jack"} == aliases_of(text)["Jack"]


def test_a_name_that_could_mean_two_stays_alone() -> None:
    """Two Orms of the same weight: the bare surname joins neither."""
    text = (
        "There stood Henry Orm and there stood Walter Orm. Then spoke Orm. He saw Henry Orm; she saw Walter Orm. " * 3
    )
    assert {"Orm"} == aliases_of(text)["Orm"]


def test_titles_and_given_names_tell_gender() -> None:
    """The Countess is a woman whoever is spoken of beside her, and so is Julia, of whom little is said."""
    text = 'They waited for the Countess. He bowed. "Go," said the Countess. He went. "No," answered Julia. ' * 4
    entities = [record for record in records_of(text) if record.kind == "entity"]
    genders = {entity.fields["name"]: entity.fields["gender"] for entity in entities}
    assert ("female", "female") == (genders["Countess"], genders["Julia"])


def test_an_abbreviation_joins_what_it_abbreviates() -> None:
    """The initials of three words or more."""
    text = (
        "The rules of the International Maritime Organization apply, and the IMO said so in the report of the IMO. " * 3
    )
    assert aliases_of(text)["IMO"] >= {"International Maritime Organization", "IMO"}


@pytest.mark.parametrize("word", ["However", "Chapter", "Monday", "French"])
def test_capitals_alone_make_no_name(word: str) -> None:
    """Words that open sentences, days and languages are no entities."""
    text = f"{word} the man came. It was {word} then, and the {word} man left. " * 4
    assert word not in aliases_of(text)


def test_chinese_given_names_join_full_names() -> None:
    """宝玉 is 贾宝玉; 贾母 of the same surname is another."""
    text = "　　宝玉笑道：“好。”贾宝玉说道：“来。”贾母道：“去。”贾母说道：“坐。”宝玉道：“是。”\n" * 6
    found = aliases_of(text)
    assert {"宝玉", "贾宝玉"} == found["宝玉"]
    assert {"贾母"} == found["贾母"]


def test_chinese_titles_of_one_rank_are_one_person() -> None:
    """施公 and 施大人 are one; 施氏 is another."""
    text = "　　施公说道：“来。”施大人吩咐：“去。”施公道：“好。”施氏哭道：“冤枉。”施氏说道：“大人。”\n" * 6
    found = aliases_of(text)
    assert {"施公", "施大人"} == found["施公"]
    assert {"施氏"} == found["施氏"]


def test_a_full_name_that_only_acts_is_known_by_its_recurrence() -> None:
    """Two characters that mostly stand behind one surname, with varied words behind them; a place by its ending."""
    deeds = ("有亲", "来了", "是秀才", "做官", "病了", "出城")
    text = "".join(f"那日，崔少华{deed}。众人在济南府等他，都不说话。" for deed in deeds)
    entities = {str(one.fields["name"]): one.fields["type"] for one in records_of(text) if one.kind == "entity"}
    assert "person" == entities.get("崔少华")
    assert "place" == entities.get("济南府")


def test_a_word_with_one_word_behind_it_is_no_full_name() -> None:
    """费大小 is always followed by 姐."""
    text = "".join(f"那日，费大小姐{deed}。众人都不说话。" for deed in ("来了", "去了", "病了", "好了", "笑了"))
    assert "费大小" not in {one.fields["name"] for one in records_of(text) if one.kind == "entity"}


def kinds_of(text: str) -> dict[str, str]:
    """The kind of each named entity of a text, by every alias."""
    entities = [record for record in records_of(text) if record.kind == "entity"]
    return {alias: str(one.fields["type"]) for one in entities for alias in one.fields["aliases"]}


@pytest.mark.parametrize(
    ("sentence", "name", "kind"),
    [
        ("It was for the Board of Trade to say. ", "Board of Trade", "organisation"),
        ("He went to the British Embassy at once. ", "British Embassy", "organisation"),
        ("It was printed for Parliament to read. ", "Parliament", "organisation"),
        ("They sailed to Cornwall with him. ", "Cornwall", "place"),
        ("We saw THAMES DARRELL coming, and he laughed. ", "THAMES DARRELL", "person"),
        ("The Midland Counties Railway paid, and Midland Counties was named. ", "Midland Counties", "organisation"),
    ],
)
def test_kinds_are_told_by_names(sentence: str, name: str, kind: str) -> None:
    """By what organisations are called, by well-known places, and by the longer names that a name begins."""
    assert kind == kinds_of(sentence * 4)[name]


def test_a_well_known_place_needs_one_mention() -> None:
    """And so does a full name behind a title; a nationality is no name, and no numeral of a chapter."""
    text = (
        "CHAPTER VII\n\nA Frenchman came from Norfolk to see Mr. John Harrison, and a Cornish boiler. "
        + "They talked. " * 40
    )
    assert {"Norfolk": "place", "Mr John Harrison": "person"} == {
        name: kind for name, kind in kinds_of(text).items() if kind != "thing"
    }


def test_a_person_may_be_called_like_a_place() -> None:
    """Thames is Thames Darrell where one is named so."""
    text = 'Then Thames Darrell came. "Go," said Thames. Thames laughed, and Thames sat down by Thames Darrell. ' * 4
    assert "person" == kinds_of(text)["Thames"]
