"""Time records and what anchors them."""

from __future__ import annotations

from typing import Any

import pytest

from wildtrace.construct.extract.page import read_page
from wildtrace.construct.extract.times import time_records


def fields_of(text: str, *, chinese: bool = False) -> list[tuple[str, dict[str, Any]]]:
    """The quotes and fields of a text's time records."""
    page = read_page(text, 100, None, chinese=chinese, by_line=chinese)
    return [(record.span.quote, dict(record.fields)) for record in time_records("s", page)]


def dates_of(text: str, *, chinese: bool = False) -> list[str | None]:
    """The values of a text's times, in order."""
    return [fields["edtf"] for _, fields in fields_of(text, chinese=chinese)]


def test_a_relative_day_counts_from_the_date_before_it() -> None:
    """And the anchor is told by its offset in the document."""
    (_, first), (quote, second) = fields_of("On 5 October 2011 she sailed.\n\nThe next morning she struck.")
    assert ("The next morning", "2011-10-06", 1) == (quote, second["edtf"], second["shift"])
    assert 103 == second["anchor"]
    assert "anchor" not in first


def test_a_bound_beside_a_date_is_kept_and_anchors_nothing_else() -> None:
    """The value is the date as told, from which the story counts on; how far it reaches stands beside it."""
    (_, first), (_, second) = fields_of("He was away until 5 October 2011. The next day he came.")
    assert ("2011-10-05", "../2011-10-05") == (first["edtf"], first["reach"])
    assert ("2011-10-06", None) == (second["edtf"], second.get("reach"))
    ((_, chinese),) = fields_of("康熙五十年以前無此例。", chinese=True)
    assert ("1711", "../1711") == (chinese["edtf"], chinese["reach"])


def test_days_follow_on_each_other() -> None:
    """The story moves on; the day before does not move it back."""
    text = "On 5 October 2011 it began. The next day it went on. Two days later it ended. The day before it had rained."
    assert ["2011-10-05", "2011-10-06", "2011-10-08", "2011-10-07"] == dates_of(text)


def test_a_date_without_a_year_takes_the_place_of_the_one_before() -> None:
    """So that the next day is not the next of a date told earlier."""
    assert ["1912-04-10", "XXXX-04-14", "XXXX-04-15"] == dates_of("April 10, 1912. On April 14 ice; the next day none.")


def test_years_later_is_a_year() -> None:
    """A count of years is no day."""
    assert ["1861-05-03", "1863"] == dates_of("On 3 May 1861 he left. Two years later he came back.")


def test_what_is_spoken_counts_within_its_paragraph_only() -> None:
    """To-morrow in a later scene is not the morrow of the last date."""
    assert ["1861-05-03", "1861-05-04"] == dates_of("On 3 May 1861 she wrote: I come to-morrow.")
    assert ["1861-05-03", None] == dates_of("On 3 May 1861 she wrote.\n\n“I go to-morrow,” said he.")


@pytest.mark.parametrize("text", ["The next day he left.", "In 1861 he came. The next day he left."])
def test_without_a_day_nothing_is_anchored(text: str) -> None:
    """A year has no next day."""
    assert dates_of(text)[-1] is None


def test_an_open_count_breaks_the_chain() -> None:
    """Some days later the date is lost."""
    assert ["1785-04-10", None, None] == dates_of("乾隆五十年三月初二到京，數日後病了，次日便死。", chinese=True)


def test_chinese_days_follow_on_each_other() -> None:
    """By the moon's calendar and by ours."""
    assert ["1785-04-10", "1785-04-11", "1786"] == dates_of(
        "乾隆五十年三月初二到京，次日见面，次年回家。", chinese=True
    )


def test_a_lunar_date_takes_the_year_stated_before_it() -> None:
    """As long as the months do not run backwards."""
    text = "雍正五年动身，到了六月初一日起程，八月十六日到家。"
    assert ["1727", "1727-07-19", "1727-09-30"] == dates_of(text, chinese=True)
    (_, (_, second), (_, third)) = fields_of("雍正五年八月初一，又到正月初三，三月初五。", chinese=True)
    assert (None, "1-3") == (second["edtf"], second["lunar"])
    assert third["edtf"] is None


def test_a_lunar_date_far_from_a_year_stays_open() -> None:
    """And so does one without any."""
    assert ["1727", None] == dates_of(f"雍正五年动身。{'走路。' * 300}六月初一日到了。", chinese=True)
    assert [None] == dates_of("六月初一日到了。", chinese=True)
