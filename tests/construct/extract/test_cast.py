"""Which runs of words mean which entity, over a whole document."""

from __future__ import annotations

import pytest

from tests.construct.induced import records_of
from wildtrace.types import Record


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


def named(text: str) -> dict[str, Record]:
    """The named entities of a text, by every alias."""
    entities = [record for record in records_of(text) if record.kind == "entity"]
    return {alias: entity for entity in entities for alias in entity.fields["aliases"]}


def test_a_ship_is_a_thing_and_no_man() -> None:
    """Where a name stands behind `the`, a pronoun now and then means another; `MV Rena` and `Rena` are one."""
    text = "The container ship MV Rena had left. The crew of the Rena slept. The Rena grounded on the reef. "
    text += "The master left the Rena. He slept. They saw the Rena. "
    found = named(text * 8)
    assert found["Rena"] is found["MV Rena"]
    assert ("thing", None) == (found["Rena"].fields["type"], found["Rena"].fields["gender"])
    assert not any(record.fields.get("resolved") for record in records_of(text * 8) if record.kind == "event")


@pytest.mark.parametrize("ship", ["HMS Hood", "SS Arctic", "USS Cole", "RMS Baltic"])
def test_a_prefix_tells_a_ship(ship: str) -> None:
    """What is written before a ship's name, whoever is spoken of behind it."""
    assert "thing" == kinds_of(f"Then he saw {ship}, and he waited till {ship} came to him. " * 4)[ship]


def test_what_is_called_a_ship_is_one() -> None:
    """`the steamer X` and `the X`."""
    text = "Then came the steamer Titanic from the south. They heard Titanic call, and he saw the Titanic. "
    assert (
        "thing"
        == kinds_of((text + "There was Titanic again. Nobody went to Titanic or heard from Titanic. " * 2) * 4)[
            "Titanic"
        ]
    )


def test_a_town_is_not_called_as_a_ship_is() -> None:
    """Wellington is not the TPC Wellington, nor Rome the Rome Express."""
    text = "They took the TPC Wellington out of Wellington. She left the Rome Express in Rome. " * 4
    found = aliases_of(text)
    assert ({"TPC Wellington"}, {"Wellington"}) == (found["TPC Wellington"], found["Wellington"])
    assert ({"Rome Express"}, {"Rome"}) == (found["Rome Express"], found["Rome"])


def test_a_hotel_is_called_by_its_first_name() -> None:
    """The Falcon is the Falcon Hotel, a place."""
    found = named("They dined at the Falcon Hotel. Then they left the Falcon, and he laughed. " * 3)
    assert found["Falcon"] is found["Falcon Hotel"]
    assert "place" == found["Falcon"].fields["type"]


@pytest.mark.parametrize(
    ("titles", "name"),
    [
        ("Rev. Dr. Washburn", "Rev Dr Washburn"),
        ("Rev. Dr.\n    Washburn", "Rev Dr Washburn"),
        ("Right Hon. Lord Pirrie", "Hon Lord Pirrie"),
        ("Rt. Hon. Sir John Simon", "Hon Sir John Simon"),
        ("Mr. St. George", "Mr St George"),
    ],
)
def test_stacked_titles_belong_to_one_name(titles: str, name: str) -> None:
    """No person is made of titles alone."""
    found = named(f"They went to see the {titles} there. His house was near. " * 4)
    assert [name] == [alias for alias, one in found.items() if one.fields["type"] == "person"]
    assert "male" == found[name].fields["gender"]


@pytest.mark.parametrize("titles", ["Rev.", "Rev. Dr.", "Right Hon.", "Hon. Sir"])
def test_titles_alone_are_nobody(titles: str) -> None:
    """As where initials follow that no name is read from."""
    text = f"They saw the {titles} there. He bowed. Then came the {titles} again. " * 4
    assert "person" not in kinds_of(text).values()


def test_one_title_of_several_joins_the_same_name() -> None:
    """`Honourable Mr. Crayton` is Mr. Crayton."""
    text = "They saw the Honourable Mr. Crayton. Then Mr. Crayton bowed, and Crayton left. " * 3
    assert {"Honourable Mr Crayton", "Mr Crayton", "Crayton"} == aliases_of(text)["Crayton"]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Miss Minnie Mixer", "Dr. Mixer"),
        ("Miss Minnie Mixer", "Captain Mixer"),
        ("Mrs. Ann Mixer", "Professor Mixer"),
        ("Sir John Harding", "Mr. Harding"),
        ("Lord John Harding", "Mr. Harding"),
        ("Mr. John Harding", "Sir John Harding"),
        ("Violet Polkington", "Captain Polkington"),
        ("Tom Sheppard", "Mrs. Sheppard"),
        ("Harry Collett", "Mrs. Harry Collett"),
    ],
)
def test_a_title_joins_nobody_of_another_rank_or_gender(one: str, other: str) -> None:
    """No Dr. is Miss or Mrs., no Mr. Sir or Lord, no Captain Violet, and no Mrs. her husband."""
    found = aliases_of(f"They met {one} at noon. Then they saw {other} there. " * 4)
    assert found[one.replace(".", "")].isdisjoint(found[other.replace(".", "")])


def test_a_title_joins_a_name_that_it_does_not_contradict() -> None:
    """Dr. Dean is John Dean, and Mrs. Beele is Mrs. Frank Beele."""
    text = "They met John Dean and Mrs. Frank Beele. Then they saw Dr. Dean with Mrs. Beele. " * 4
    found = aliases_of(text)
    assert {"John Dean", "Dr Dean"} == found["Dr Dean"]
    assert {"Mrs Frank Beele", "Mrs Beele"} == found["Mrs Beele"]


@pytest.mark.parametrize(
    "name",
    [
        "Sabbath",
        "New Year",
        "New Year's Eve",
        "Heavens",
        "Quai",
        "Hôtel Ivoire",
        "Rue Tessin",
        "South America",
    ],
)
def test_days_exclamations_and_kinds_of_places_are_no_persons(name: str) -> None:
    """Whoever is spoken of behind them."""
    text = f"They spoke of the {name}, and he laughed. Then he went by the {name}; he had seen the {name}. " * 4
    assert "person" != kinds_of(text).get(name)


def test_an_office_is_a_person() -> None:
    """What ends in a title, though it stands behind `the`."""
    assert "person" == kinds_of("They asked the Vice President. Then the Vice President left. " * 4)["Vice President"]


@pytest.mark.parametrize("name", ["Old Bailey", "Old Ship Hotel", "Old London Bridge"])
def test_what_is_old_is_not_therefore_a_person(name: str) -> None:
    """Nor young: behind `the`, or where a kind of place ends the name."""
    text = f"They spoke of the {name}. Then a man left the {name} with all the others who had come there. " * 4
    assert "person" != kinds_of(text)[name]
