import math
from collections import Counter

import orjson
import pytest

from wildtrace.endpoints.offline.faults import FaultRates, fault_of, malformed
from wildtrace.errors import UsageError

RATES = FaultRates(too_many=0.1, server=0.05, drop=0.2, cut=0.15, malformed=0.25)


def test_faults_come_at_the_rates_asked_for() -> None:
    """Over many requests each kind's share is its rate, within four standard deviations."""
    n = 20_000
    counts = Counter(fault.name if fault else "" for fault in (fault_of(RATES, 1, k, judge=True) for k in range(n)))
    rates = {"429": 0.1, "5xx": 0.05, "drop": 0.2, "cut": 0.15, "malformed": 0.25, "": 0.25}
    for name, rate in rates.items():
        assert abs(counts[name] - n * rate) < 4 * math.sqrt(n * rate * (1 - rate)), name


def test_the_same_seed_gives_the_same_faults_and_another_seed_others() -> None:
    """A rehearsal can be repeated."""
    one, again, other = ([fault_of(RATES, seed, k, judge=True) for k in range(200)] for seed in (3, 3, 4))
    assert one == again
    assert one != other


def test_malformed_verdicts_are_for_judges_alone() -> None:
    """A contestant has no verdict to spoil, and is otherwise treated alike."""
    for number in range(500):
        judge, contestant = (fault_of(RATES, 0, number, judge=judge) for judge in (True, False))
        assert contestant == (None if judge and judge.name == "malformed" else judge)


def test_every_run_of_faults_ends() -> None:
    """Even at nine faults in ten, a retried request succeeds."""
    rates = FaultRates(too_many=0.5, drop=0.4)
    assert any(fault_of(rates, 5, number, judge=False) is None for number in range(100))


def test_server_errors_are_of_several_kinds() -> None:
    """A scripted 5xx is one of the four that gateways send."""
    faults = [fault_of(FaultRates(server=1), 0, number, judge=False) for number in range(100)]
    assert {500, 502, 503, 504} == {fault.status for fault in faults if fault}


def test_malformed_verdicts_are_unusable_in_several_ways() -> None:
    """Prose, a cut object, no total, a total above the rubric, below zero, null."""
    verdict = '{"points_awarded":[30.0,20.5],"total":50.5}'
    forms = {malformed(verdict, 100.0, number / 60) for number in range(60)}
    assert 6 == len(forms)
    assert verdict not in forms
    totals = []
    for form in forms:
        try:
            totals.append(orjson.loads(form).get("total", "missing"))
        except orjson.JSONDecodeError:
            totals.append("no JSON")
    assert Counter({"no JSON": 2, "missing": 1, 120.0: 1, -1: 1, None: 1}) == Counter(totals)


@pytest.mark.parametrize("rates", [{"drop": -0.1}, {"cut": 1.1}, {"cut": 0.6, "drop": 0.6}, {"server": math.nan}])
def test_rates_that_are_no_shares_are_refused(rates: dict[str, float]) -> None:
    """One sentence says what a rate is."""
    with pytest.raises(UsageError, match="each between 0 and 1, together at most 1"):
        FaultRates(**rates)
