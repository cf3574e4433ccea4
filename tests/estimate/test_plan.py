from dataclasses import replace

import msgspec
import pytest

from wildtrace.endpoints.config import Endpoint, Prices
from wildtrace.estimate.plan import (
    Assumptions,
    Between,
    EndpointPlan,
    Plan,
    TaskPlan,
    TierPlan,
    plan_endpoint,
    plan_tiers,
    tokens_between,
    totals,
)
from wildtrace.text.mix import TextMix

ENDPOINT = Endpoint(
    name="contestant", base_url="http://127.0.0.1:9/v1", model="tested", concurrency=4, prices=Prices(2.0, 10.0)
)
HELD = Assumptions(answer_tokens=600, reasoning_tokens=4000, judge_tokens=200)


def test_tokens_are_the_sum_over_all_texts_at_three_rates() -> None:
    """4.2, 4.9 and 3.6 characters a token, 1.15, 1.4 and 0.7 for Chinese, rounded once."""
    mixes = [TextMix(other=420), TextMix(wide=115, other=420)]
    assert Between(usual=300, fewest=round(840 / 4.9 + 115 / 1.4), most=round(840 / 3.6 + 115 / 0.7)) == tokens_between(
        mixes
    )


def test_an_endpoint_is_planned_from_its_prompts() -> None:
    """Requests, tokens, money and time, by hand."""
    plan = plan_endpoint(ENDPOINT, [TextMix(other=4200)] * 9, 600, replace(HELD, latency_s=30.0))
    assert (
        EndpointPlan(
            name="contestant",
            model="tested",
            requests=9,
            input_tokens=Between(9000, round(9 * 4200 / 4.9), 10500),
            output_tokens=9 * 600,
            output_limit=9 * 8192,
            cost=(9000 * 2 + 5400 * 10) / 1e6,
            cost_limit=(10500 * 2 + 73728 * 10) / 1e6,
            seconds=3 * 30.0,
        )
        == plan
    )


@pytest.mark.parametrize(
    ("reasoning", "max_tokens", "expected"),
    [(False, 8192, 600), (True, 32768, 4600), (True, 1000, 1000), (False, 50, 50)],
)
def test_a_reply_reasons_only_where_told_and_never_exceeds_its_budget(
    reasoning: bool, max_tokens: int, expected: int
) -> None:
    """The reasoning allowance is for `reasoning: true`; `max_tokens` bounds both."""
    endpoint = msgspec.structs.replace(ENDPOINT, reasoning=reasoning, max_tokens=max_tokens)
    assert expected == HELD.output_tokens(endpoint, 600)


def test_a_missing_price_is_unknown_and_not_nothing() -> None:
    """No prices: no cost, for the endpoint and for the whole; the others' sum is still told."""
    unpriced = plan_endpoint(
        msgspec.structs.replace(ENDPOINT, name="judge", prices=None), [TextMix(other=42)], 200, HELD
    )
    priced = plan_endpoint(ENDPOINT, [TextMix(other=4200)], 600, HELD)
    plan = Plan((), priced, (unpriced,), HELD)
    assert (None, None) == (unpriced.cost, unpriced.cost_limit)
    assert (None, None, ("judge",)) == (plan.cost, plan.cost_limit, plan.unpriced)
    assert priced.cost == plan.priced_cost


def test_an_unpriced_endpoint_that_is_not_asked_costs_nothing() -> None:
    """What is not sent needs no price."""
    idle = plan_endpoint(msgspec.structs.replace(ENDPOINT, name="judge", prices=None), [], 200, HELD)
    priced = plan_endpoint(ENDPOINT, [TextMix(other=4200)], 600, HELD)
    assert priced.cost == Plan((), priced, (idle,), HELD).cost


def test_the_cost_of_tokens_is_by_the_million() -> None:
    """None without prices."""
    assert 3.0 * 2 + 15.0 == msgspec.structs.replace(ENDPOINT, prices=Prices(3.0, 15.0)).cost(2_000_000, 1_000_000)
    assert msgspec.structs.replace(ENDPOINT, prices=None).cost(2_000_000, 1_000_000) is None


def test_a_free_endpoint_costs_zero() -> None:
    """Prices of 0 are prices."""
    assert 0 == msgspec.structs.replace(ENDPOINT, prices=Prices(0, 0)).cost(1000, 1000)


def test_judges_work_at_once_after_the_answers() -> None:
    """The whole time is that of the answers and of the slowest judge."""
    held = replace(HELD, latency_s=10.0)
    contestant = plan_endpoint(ENDPOINT, [TextMix()] * 8, 600, held)
    slow = plan_endpoint(msgspec.structs.replace(ENDPOINT, concurrency=1), [TextMix()] * 8, 200, held)
    quick = plan_endpoint(ENDPOINT, [TextMix()] * 8, 200, held)
    assert 20 + 80 == Plan((), contestant, (quick, slow), held).seconds
    assert 20 == Plan((), contestant, (), held).seconds
    assert None is Plan((), plan_endpoint(ENDPOINT, [], 600, HELD), (), HELD).seconds


def test_tasks_are_counted_by_tier() -> None:
    """Out of scope, finished and to ask make all tasks; tiers stand in order."""
    rows = [
        TaskPlan("L1", in_scope=False, prompt=None),
        TaskPlan("L0", in_scope=True, prompt=TextMix(other=420)),
        TaskPlan("L0", in_scope=True, prompt=None),
        TaskPlan("L0", in_scope=True, prompt=TextMix(other=420)),
    ]
    assert (TierPlan("L0", 3, 0, 1, 2, 200), TierPlan("L1", 1, 1, 0, 0, 0)) == plan_tiers(rows)


def test_totals_are_sums_over_endpoints() -> None:
    """Contestant and judges together."""
    one = plan_endpoint(ENDPOINT, [TextMix(other=4200)], 600, HELD)
    plan = Plan((), one, (one, one), HELD)
    assert 3 == plan.requests
    assert {"input": 3000, "input_most": 3 * 1167, "output": 1800, "output_limit": 3 * 8192} == totals(plan)
