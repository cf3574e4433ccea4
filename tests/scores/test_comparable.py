"""Which runs may share a table: equal protocol and judging, and never offline scores beside language models."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.scores.score_files import provenance, with_setting
from wildtrace.errors import ConfigError
from wildtrace.scores.comparable import Provenance, check, refuse_other_data


def run(model: str, fields: dict[str, Any] | None = None) -> Provenance:
    """A run of `model`."""
    return Provenance(Path(f"{model}.scores.json"), model, fields or provenance(model))


def offline(model: str, stated: object) -> Provenance:
    """A run whose provenance says `stated` of being offline."""
    return run(model, provenance(model, offline=stated))


def test_equal_settings_share_a_table() -> None:
    """Other models, routes and dates are what a table compares."""
    assert check([run("a"), run("b")], allow_mixed=False) == ()


@pytest.mark.parametrize(
    ("part", "changes", "words"),
    [
        ("protocol", {"prompt": "p2"}, "protocol.prompt: p1 -> p2"),
        ("protocol", {"retry": {"count": 1}}, "protocol.retry.count: 5 -> 1"),
        ("judging", {"prompt": "j2"}, "judging.prompt: j1 -> j2"),
        ("judging", {"panel": [{"name": "x"}]}, "judging.panel"),
    ],
)
def test_other_settings_are_refused_by_key_path(part: str, changes: dict[str, Any], words: str) -> None:
    """The message names both files and what differs."""
    with pytest.raises(ConfigError) as caught:
        check([run("a"), run("b", with_setting(provenance("b"), part, **changes))], allow_mixed=False)

    assert words in str(caught.value)
    assert "a.scores.json" in str(caught.value)
    assert "b.scores.json" in str(caught.value)


def test_allow_mixed_marks_the_table() -> None:
    """On request the table is made, and says in capitals what differs."""
    marks = check([run("a"), run("b", with_setting(provenance("b"), "protocol", prompt="p2"))], allow_mixed=True)

    assert len(marks) == 1
    assert marks[0].startswith("MIXED: ")
    assert "protocol.prompt: p1 -> p2" in marks[0]


OFFLINE = [
    True,
    {"contestant": True, "judges": []},
    {"contestant": False, "judges": ["cedar-judge", "quill-judge", "reed-judge"]},
]


@pytest.mark.parametrize("stated", OFFLINE)
@pytest.mark.parametrize("allow_mixed", [False, True])
def test_offline_scores_never_stand_beside_language_models(stated: object, allow_mixed: bool) -> None:
    """Not even on request, in either order, in both forms of the statement."""
    pair = [offline("a", stated), run("b")]
    for runs in (pair, pair[::-1]):
        with pytest.raises(ConfigError, match="never share a table"):
            check(runs, allow_mixed=allow_mixed)


@pytest.mark.parametrize("stated", OFFLINE)
def test_offline_runs_share_a_table_and_are_marked(stated: object) -> None:
    """A rehearsal can be reported, under its own name."""
    marks = check([offline("a", stated), offline("b", stated)], allow_mixed=False)

    assert marks == ("Offline scores: no language model judged these answers.",)


def test_a_panel_of_both_kinds_is_refused() -> None:
    """One offline judge among language models makes no score of a panel of language models."""
    with pytest.raises(ConfigError, match="beside language models"):
        check([offline("a", {"contestant": False, "judges": ["reed-judge"]})], allow_mixed=True)


def test_other_conditions_differ_in_condition_and_prompt_alone() -> None:
    """The access statistic compares conditions, but not under other panels or retry policies."""
    evidence = with_setting(provenance("a"), "protocol", condition="evidence", prompt="p9")
    assert check([run("a"), run("a", evidence)], allow_mixed=False, other_condition=True) == ()

    with pytest.raises(ConfigError, match=r"protocol\.condition"):
        check([run("a"), run("a", evidence)], allow_mixed=False)
    other = with_setting(evidence, "judging", prompt="j2")
    with pytest.raises(ConfigError, match=r"judging\.prompt"):
        check([run("a"), run("a", other)], allow_mixed=False, other_condition=True)


def test_a_run_without_a_signature_differs_from_one_with() -> None:
    """What says nothing of its settings is not comparable with what does."""
    with pytest.raises(ConfigError, match="other settings"):
        check([run("a"), run("b", provenance("b", signature=None))], allow_mixed=False)


@pytest.mark.parametrize("signature", [None, {}, {"protocol": {"prompt": "p1"}}])
def test_runs_without_a_signature_are_marked(signature: object) -> None:
    """One or several: nobody knows under what settings they were made."""
    fields = provenance("a", signature=signature)
    alone = check([run("a", fields)], allow_mixed=False)
    pair = check([run("a", fields), run("b", fields)], allow_mixed=False)

    assert alone == ("A scores file carries no signature: whether its runs are comparable is not checked (a).",)
    assert pair == ("A scores file carries no signature: whether its runs are comparable is not checked (a, b).",)


def test_signed_beside_unsigned_is_marked_on_request() -> None:
    """The table says both that they differ and whose settings are unknown."""
    marks = check([run("a"), run("b", provenance("b", signature=None))], allow_mixed=True)

    assert any("carries no signature" in mark and "(b)" in mark for mark in marks)
    assert any(mark.startswith("MIXED: ") for mark in marks)


@pytest.mark.parametrize("signature", [None, provenance("a")["signature"]])
def test_runs_with_other_judges_are_refused(signature: object) -> None:
    """A panel is the judges that the files list, in any order, whatever the signatures leave out."""

    def of(model: str, *judges: str) -> Provenance:
        return replace(run(model, provenance(model, signature=signature)), judges=judges)

    with pytest.raises(ConfigError, match=r"by other panels \(judges: x, y -> x, z\)"):
        check([of("a", "x", "y"), of("b", "z", "x")], allow_mixed=False)
    marks = check([of("a", "x", "y"), of("b", "z", "x")], allow_mixed=True)
    assert any(mark.startswith("MIXED: ") and "judges: x, y -> x, z" in mark for mark in marks)
    same = check([of("a", "x", "y"), of("b", "y", "x")], allow_mixed=False)
    assert not any(mark.startswith("MIXED") for mark in same)


def test_the_order_of_the_panel_does_not_matter() -> None:
    """The same judges named in another order are the same panel."""
    panel = provenance("b")["signature"]["judging"]["panel"]
    other = with_setting(provenance("b"), "judging", panel=panel[::-1])

    assert check([run("a"), run("b", other)], allow_mixed=False) == ()


def test_scores_by_the_contestant_itself_are_marked() -> None:
    """A panel that holds the contestant is allowed on request only, and said in every table."""
    marks = check([run("a"), run("b", provenance("b", self_judging=True))], allow_mixed=False)

    assert marks == ("SELF-JUDGED: the panel holds the contestant itself (b).",)


def test_runs_on_other_rubrics_are_refused() -> None:
    """The same id with another question or rubric is another task, marked or not."""
    pair = [run(name, provenance(name, tasks={"q1": f"x:{name}", "q2": "y:z"})) for name in "ab"]

    with pytest.raises(ConfigError, match="other questions or rubrics for q1,"):
        check(pair, allow_mixed=True)


def test_data_that_has_changed_since_is_refused() -> None:
    """Scores belong to the data they were judged with."""
    made = run("a", provenance("a", tasks={"q1": "x:y", "q2": "x:y"}))

    refuse_other_data(made, {"q1": "x:y", "q3": "n:m"}, Path("data.json"))
    with pytest.raises(ConfigError, match=r"than data\.json has for q2;"):
        refuse_other_data(made, {"q1": "x:y", "q2": "x:new"}, Path("data.json"))
