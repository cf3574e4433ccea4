"""The roles against a scripted endpoint over real HTTP: good, cut, malformed, invented, slow and failing replies."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable
from importlib import resources
from pathlib import Path
from typing import Any

import pytest

from tests.construct.story import english_story
from tests.endpoint import Answer, Asked, raw, serving, whole
from wildtrace.construct.asking import RolesJob
from wildtrace.construct.evidence import trails_of
from wildtrace.construct.ingest.run import IngestOptions, ingest_files
from wildtrace.construct.plan import planned_calls
from wildtrace.construct.role_calls import IMPLICIT, Heard
from wildtrace.construct.run import InduceOptions, InduceOutcome, induce_sources, load_graph
from wildtrace.construct.workspace import open_workspace
from wildtrace.endpoints.config import RunConfig, parse_config
from wildtrace.errors import ConfigError
from wildtrace.types import EvidenceGraph

QUOTE = "Mrs. Dean burnt the letter"
INVENTED = "Mrs. Dean sold the letter to a stranger"


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    """A workspace with one source of two windows."""
    (tmp_path / "mill.txt").write_text(english_story(24), encoding="utf-8")
    list(ingest_files([tmp_path / "mill.txt"], tmp_path / "workspace", IngestOptions("english_literature")))
    return tmp_path / "workspace"


def config(url: str, *roles: str, **settings: Any) -> RunConfig:
    """A configuration whose roles all ask one endpoint."""
    endpoint = {"base_url": url, "model": "scripted", "backoff_s": 0.0, "stream": False, **settings}
    return parse_config(
        {"base_url": url, "model": "other", "roles": {role: [endpoint] for role in roles}}, "config.json"
    )


def induce(workspace: Path, url: str, *roles: str, **settings: Any) -> list[InduceOutcome]:
    """Induce with roles."""
    job = RolesJob.of(config(url, *roles, **settings), workspace)
    return list(induce_sources(workspace, InduceOptions(1, job)))


def graph(workspace: Path) -> EvidenceGraph:
    """The graph of the one source."""
    with open_workspace(workspace) as opened:
        return load_graph(opened, opened.sources()[0])


def role_of(asked: Asked) -> str:
    """The role by its prompt's first line."""
    return asked.prompt.partition("\n")[0].removeprefix("ROLE: ")


def records(*quotes: str) -> str:
    """An extractor's reply."""
    return json.dumps({"records": [{"kind": "event", "quote": quote, "fields": {}} for quote in quotes]})


def by_role(**scripts: Callable[[Asked], Answer]) -> Callable[[Asked], Answer]:
    """One script for each role."""
    return lambda asked: scripts[role_of(asked)](asked)


def sampled(folder: Path, file: str) -> tuple[Path, EvidenceGraph]:
    """A workspace with one document of the sample release, and the graph of the rules alone."""
    sample = resources.files("wildtrace.release") / "sample" / "corpus" / file
    (folder / file).write_bytes(sample.read_bytes())
    list(ingest_files([folder / file], folder / "workspace", IngestOptions("english_literature")))
    list(induce_sources(folder / "workspace", InduceOptions(1)))
    return folder / "workspace", graph(folder / "workspace")


def test_grounded_records_enter_and_invented_ones_do_not(workspace: Path) -> None:
    """Each window is asked once; what stands in it is a record with the model's provenance."""
    with serving(lambda _: whole(records(QUOTE, INVENTED))) as endpoint:
        (outcome,) = induce(workspace, endpoint.url, "extractor")
    made = [record for record in graph(workspace).records if record.provenance == "extractor:scripted"]
    assert "induced" == outcome.status
    assert [QUOTE] == [record.span.quote for record in made]


def test_a_talkative_extractor_takes_no_trail_away(tmp_path: Path) -> None:
    """A sentence in every cut: what there is no room for is counted, and both bounds hold."""
    carts = " ".join(f"Cart {n} of Harrow Mill brought barley to Mr. Lewis before noon." for n in range(200))
    (tmp_path / "mill.txt").write_text(f"{english_story(12)}\n{carts}", encoding="utf-8")
    folder = tmp_path / "workspace"
    list(ingest_files([tmp_path / "mill.txt"], folder, IngestOptions("english_literature")))
    (alone,) = induce_sources(folder, InduceOptions(1))

    def script(asked: Asked) -> Answer:
        told = re.findall(r"Cart \d+ of [^.]+\. Lewis", asked.prompt)
        return whole(records(*(one[: len(one) - cut] for one in told for cut in range(0, 30, 6))))

    with serving(script) as endpoint:
        (outcome,) = induce(folder, endpoint.url, "extractor")
    made = graph(folder)
    assert outcome.left_out > 0
    assert outcome.trails >= alone.trails > 0
    assert 15 * made.chars / 1000 >= len(made.records) == outcome.records
    assert 60 * made.chars / 1000 >= len(made.edges) == outcome.edges
    assert any(one.provenance == "extractor:scripted" for one in made.records)


def test_a_cut_reply_is_asked_again_and_nothing_valid_is_lost(workspace: Path) -> None:
    """The whole entries of the cut reply and those of the next one all enter."""

    def script(asked: Asked) -> Answer:
        if asked.place % 2 == 0:
            return whole(records("the letter of Jack Tanner never left the house", QUOTE)[:-12], finish="length")
        return whole(records(QUOTE))

    with serving(script) as endpoint:
        induce(workspace, endpoint.url, "extractor", concurrency=1)
        asked = Counter(one.prompt for one in endpoint.asked)
    assert {2} == set(asked.values())
    quotes = {
        " ".join(one.span.quote.split()) for one in graph(workspace).records if one.provenance.startswith("extractor")
    }
    assert {QUOTE, "the letter of Jack Tanner never left the house"} == quotes


def test_malformed_replies_are_asked_three_times_and_the_rules_stand(workspace: Path) -> None:
    """A model that never gives JSON adds nothing and stops nothing."""
    with serving(lambda _: whole("I would rather talk about the weather.")) as endpoint:
        (outcome,) = induce(workspace, endpoint.url, "extractor")
        asked = Counter(one.prompt for one in endpoint.asked)
    assert {3} == set(asked.values())
    assert "induced" == outcome.status
    assert not [one for one in graph(workspace).records if one.provenance.startswith("extractor")]


@pytest.mark.parametrize("file", ["en_story.txt", "zh_story.txt"])
def test_an_extractor_of_no_use_takes_nothing_away(tmp_path: Path, file: str) -> None:
    """The graph is that of the rules alone, record by record; how many replies could be used is told."""
    folder, alone = sampled(tmp_path, file)
    with serving(lambda _: whole("I would rather talk about the weather.")) as endpoint:
        (outcome,) = induce(folder, endpoint.url, "extractor")
        calls = len({one.prompt for one in endpoint.asked})
    assert alone == graph(folder)
    assert {"extractor": Heard(calls, 0)} == outcome.heard


@pytest.mark.parametrize("file", ["tr_incident.txt", "zh_story.txt"])
def test_the_rules_records_make_room_only_for_as_many_as_come(tmp_path: Path, file: str) -> None:
    """What is gone is told by its event, the bound holds, and the same replies give the same graph once more."""
    folder, alone = sampled(tmp_path, file)

    def script(asked: Asked) -> Answer:
        text = asked.prompt.rpartition("\nEND OF WINDOW_TEXT")[0]
        return whole(records(*(text[at : at + 60] for at in range(len(text) // 2, len(text) - 60, 90))))

    with serving(script) as endpoint:
        job = RolesJob.of(config(endpoint.url, "extractor"), folder)
        (outcome,) = induce_sources(folder, InduceOptions(1, job))
        made = graph(folder)
        with open_workspace(folder) as opened, opened.transaction() as connection:
            connection.exec_driver_sql("DELETE FROM graphs")
        list(induce_sources(folder, InduceOptions(1, job)))
    assert made == graph(folder)
    new = [one for one in made.records if one.provenance.startswith("extractor")]
    gone = {one.id: one for one in alone.records}.keys() - {one.id for one in made.records}
    most = int(15 * made.chars / 1000)
    assert most == len(made.records) == len(alone.records) + len(new) - len(gone)
    assert len(new) >= int(1.8 * made.chars / 1000)
    assert outcome.heard["extractor"].used == outcome.heard["extractor"].calls
    told = {(each["kind"], each["start"]) for one in made.records for each in one.fields.get("also", ())}
    left = [one for one in alone.records if one.id in gone and one.kind != "relation"]
    events = [one.span for one in made.records if one.kind == "event" and one.provenance.startswith("rule:")]
    inside = [one for one in left if any(span.start <= one.span.start < span.end for span in events)]
    assert inside
    assert {(one.kind, one.span.start) for one in inside} <= told


def test_finished_calls_are_not_asked_again(workspace: Path) -> None:
    """Even where the graph is gone, the ledger has every reply."""
    with serving(lambda _: whole(records(QUOTE))) as later:
        job = RolesJob.of(config(later.url, "extractor"), workspace)
        assert ["induced"] == [one.status for one in induce_sources(workspace, InduceOptions(1, job))]
    with open_workspace(workspace) as opened, opened.transaction() as connection:
        connection.exec_driver_sql("DELETE FROM graphs")
    with serving([whole("unused")]) as again:
        list(induce_sources(workspace, InduceOptions(1, job)))
        assert [] == again.asked


def test_answered_windows_outlive_a_failing_endpoint(workspace: Path) -> None:
    """The same endpoint, back again: only what it had not answered is asked."""
    down = True

    def script(asked: Asked) -> Answer:
        return raw({"error": {"message": "busy"}}, 500) if down and asked.place else whole(records(QUOTE))

    with serving(script) as endpoint:
        (outcome,) = induce(workspace, endpoint.url, "extractor", concurrency=1)
        assert "incomplete" == outcome.status
        assert "1 of 2 calls of the extractor were not answered (HTTP 500: busy); run the same" in str(outcome.reason)
        answered, before = endpoint.asked[0].prompt, len(endpoint.asked)
        down = False
        induce(workspace, endpoint.url, "extractor", concurrency=1)
        assert answered not in [one.prompt for one in endpoint.asked[before:]]


def test_a_refused_key_stops_with_what_to_change(workspace: Path) -> None:
    """401 ends the asking at once."""
    with serving(lambda _: raw({"error": {"message": "no such key"}}, 401)) as endpoint, pytest.raises(ConfigError):
        induce(workspace, endpoint.url, "extractor")


def linked(asked: Asked) -> Answer:
    """A linker that proposes the first candidate pair, with words of its first record, and one pair of its own."""
    pairs = asked.prompt.partition("Candidate pairs:\n")[2].partition("\nEND OF PAIRS")[0].split("\n")
    head, tail = pairs[0].split()
    text = next(line for line in asked.prompt.split("\n") if line.startswith(f"{head} ") and line.split()[1].isdigit())
    quote = text.split(" ", 2)[2][:40].rsplit(" ", 1)[0]
    edges = [
        {"from": head, "to": tail, "type": "explains", "quote": quote},
        {"from": head, "to": "r0000000000000000", "type": "causes", "quote": quote},
    ]
    return whole(json.dumps({"edges": edges}))


@pytest.mark.parametrize(("supported", "kept"), [(True, "kept"), (None, "review"), (False, None)])
def test_the_verifier_decides_on_proposed_edges(workspace: Path, supported: bool | None, kept: str | None) -> None:
    """Supported edges are kept with the verifier's words as basis, doubtful ones wait, others are gone."""

    def verified(asked: Asked) -> Answer:
        context = asked.prompt.partition("CONTEXT OF FROM:\n")[2]
        return whole(json.dumps({"supported": supported, "quote": " ".join(context.split()[2:8])}))

    with serving(by_role(linker=linked, verifier=verified)) as endpoint:
        induce(workspace, endpoint.url, "linker", "verifier")
    proposed = [edge for edge in graph(workspace).edges if edge.provenance.startswith("linker:scripted")]
    assert {kept} - {None} == {edge.status for edge in proposed}
    if supported:
        assert all("verifier:scripted" in edge.provenance for edge in proposed)


def test_without_a_verifier_proposals_wait_for_review(workspace: Path) -> None:
    """What no one has checked is in no trail."""
    with serving(linked) as endpoint:
        induce(workspace, endpoint.url, "linker")
    proposed = [edge for edge in graph(workspace).edges if edge.provenance.startswith("linker")]
    assert proposed
    assert {"review"} == {edge.status for edge in proposed}


def test_the_plan_asks_nothing(workspace: Path) -> None:
    """Calls, tokens and cost by role, before any request."""
    with serving([whole("unused")]) as endpoint:
        settings = {"prices": {"in": 1.0, "out": 2.0}}
        job = RolesJob.of(config(endpoint.url, "extractor", "verifier", **settings), workspace)
        extractor, verifier = planned_calls(workspace, job)
        assert [] == endpoint.asked
    with open_workspace(workspace) as opened:
        windows = opened.windows(opened.sources()[0].id)
    assert len(windows) == extractor.calls
    assert extractor.tokens_in > sum(window.end - window.start for window in windows) / 3.4
    assert extractor.cost == pytest.approx((extractor.tokens_in + 2 * extractor.tokens_out) / 1e6)
    assert verifier.calls


def test_a_configuration_without_roles_is_refused(workspace: Path) -> None:
    """The message names the roles."""
    with pytest.raises(ConfigError, match="extractor, linker or verifier"):
        RolesJob.of(config("http://127.0.0.1:9/v1"), workspace)


def test_a_missing_key_is_told_before_anything_is_read(workspace: Path) -> None:
    """Also where another endpoint of the role has its own; reading a long book first would waste the user's time."""
    with serving([whole("unused")]) as endpoint:
        with pytest.raises(ConfigError, match="NOT_SET_HERE that api_key_env of verifier names is not set"):
            induce(workspace, endpoint.url, "verifier", api_key_env="NOT_SET_HERE")
        assert [] == endpoint.asked
    with open_workspace(workspace) as opened:
        assert [(0,)] == list(opened.connection.exec_driver_sql("SELECT count(*) FROM window_records"))


def test_a_models_relation_needs_a_verifier_to_be_kept(workspace: Path) -> None:
    """Both passages stand there, yet that one causes the other is the model's word."""
    first, second = "Mrs. Dean burnt the letter", "she wanted Jack Tanner to go to sea"
    fields = {"type": "causes", "first": second, "second": first}
    said = {"records": [{"kind": "relation", "quote": f"{first} because {second}", "fields": fields}]}
    with serving(lambda _: whole(json.dumps(said))) as endpoint:
        induce(workspace, endpoint.url, "extractor")
    quotes = {record.id: record.span.quote for record in graph(workspace).records}
    (edge,) = [edge for edge in graph(workspace).edges if edge.provenance == "extractor:scripted"]
    assert (second, first) == (" ".join(quotes[edge.head].split()), " ".join(quotes[edge.tail].split()))
    assert ("causes", "review", 0.75) == (edge.type, edge.status, edge.confidence)


@pytest.mark.parametrize("rounds", [8, 0], ids=["to the end", "no round"])
def test_no_trail_uses_an_edge_that_the_verifier_was_not_asked_about(
    workspace: Path, monkeypatch: pytest.MonkeyPatch, rounds: int
) -> None:
    """What it rejects makes way for other trails, whose edges are asked about too; beyond the last round they wait."""
    monkeypatch.setattr("wildtrace.construct.role_calls.ROUNDS", rounds)
    with serving(lambda _: whole('{"supported": false, "quote": null}')) as endpoint:
        (outcome,) = induce(workspace, endpoint.url, "verifier")
        asked = len(endpoint.asked)
    with open_workspace(workspace) as opened:
        (source,) = opened.sources()
        used = {edge for trail in trails_of(opened, source) for edge in trail.edges}
        edges = load_graph(opened, source).edges
    assert (rounds > 0, "induced") == (asked > 0, outcome.status)
    assert not [edge for edge in edges if edge.id in used and edge.provenance in IMPLICIT]
    assert rounds or {"review"} == {edge.status for edge in edges if edge.provenance in IMPLICIT}
