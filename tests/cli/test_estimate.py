import asyncio
import io
import json
import re
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from tests.fakes import Fake, Made, answer, config_table, run_config
from wildtrace.cli.estimate import FORMAT, Shown, command, plain, tables
from wildtrace.cli.main import COMMANDS, exit_status, main
from wildtrace.estimate.run import EstimateJob, estimate
from wildtrace.evaluate.run import evaluate

PRICES = {"in": 1.5, "out": 6}


def priced(url: str = "http://127.0.0.1:9/v1", **changes: Any) -> dict[str, Any]:
    """The made config with prices everywhere."""
    table = config_table(url, prices=PRICES, **changes)
    return {**table, "judges": [{**judge, "prices": PRICES} for judge in table["judges"]]}


def run(made: Made, table: dict[str, Any], *options: str) -> Result:
    """The command on the made release."""
    config = made.folder / "config.json"
    config.write_text(json.dumps(table), encoding="utf-8")
    return CliRunner().invoke(
        main, ["estimate", "--config", str(config), "--data", str(made.data), "--corpus", str(made.corpus), *options]
    )


def test_plain_text_says_the_numbers_and_what_they_rest_on(made: Made) -> None:
    """Tables by tier and endpoint, rates, assumptions, the bound, no prefix discount; nothing is asked."""
    result = run(made, priced())
    assert 0 == result.exit_code
    lines = result.stdout.splitlines()
    assert ["tier", "tasks", "out", "of", "scope", "finished", "to", "ask", "tokens", "in"] == lines[0].split()
    assert ["L0", "6", "0", "0", "6"] == lines[1].split()[:5]
    assert ["contestant", "tested", "6"] == next(line for line in lines if "contestant" in line).split()[:3]
    assert "4.2 characters a token, 1.15 for Chinese" in result.stdout
    assert "600 an answer, 200 a verdict, 4,000 of reasoning" in result.stdout
    assert "No prefix-cache discount" in result.stdout
    assert "no prices" not in result.stdout


def test_json_holds_the_whole_plan(made: Made) -> None:
    """Everything the tables show and the assumptions, as data; the total cost is that of its parts."""
    result = run(made, priced(), "--json", "--latency", "30", "--answer-tokens", "100")
    data = json.loads(result.stdout)
    assert FORMAT == data["format"]
    assert ["contestant", "judge1", "judge2", "judge3"] == [endpoint["name"] for endpoint in data["endpoints"]]
    expected = sum(
        (endpoint["input_tokens"]["usual"] * 1.5 + endpoint["output_tokens"] * 6) / 1e6
        for endpoint in data["endpoints"]
    )
    assert pytest.approx(expected) == data["total"]["cost"]
    assert data["total"]["cost"] < data["total"]["cost_limit"]
    assert 60 == data["total"]["seconds"]
    assert 100 == data["assumptions"]["answer_tokens"]
    assert {"en": 10_000, "cjk": 10_000, "source": "config"} == data["cap"]


def test_a_missing_price_is_said(made: Made) -> None:
    """Null in JSON, words in text, and the sum of what is known; never 0."""
    table = priced()
    del table["judges"][1]["prices"]
    data = json.loads(run(made, table, "--json").stdout)["total"]
    assert (None, ["judge2"]) == (data["cost"], data["unpriced"])
    said = run(made, table).stdout
    assert re.search(r"No prices for judge2: the total cost is not known; the others come to 0\.0\d", said)
    assert "no prices" in next(line for line in said.splitlines() if line.startswith("judge2"))


def test_a_config_without_judges_says_that_judging_is_left_out(made: Made) -> None:
    """A total that is silent about judges would be taken for the whole."""
    assert "The config has no judges" in run(made, {**priced(), "judges": []}).stdout


def test_finished_answers_are_left_out(made: Made) -> None:
    """--out names a responses file; one that is not there is said to hold nothing."""
    assert "nothing is finished there yet" in run(made, priced(), "--out", str(made.responses)).stderr
    asyncio.run(evaluate(made.evaluate_job(run_config()), opener=Fake(answer).opener))
    result = run(made, priced(), "--out", str(made.responses), "--json")
    assert [0, 6, 6, 6] == [endpoint["requests"] for endpoint in json.loads(result.stdout)["endpoints"]]
    assert "nothing is finished" not in result.stderr


@pytest.mark.parametrize(
    ("options", "status", "said"),
    [
        (["--limit", "0"], 64, "--limit"),
        (["--answer-tokens", "x"], 64, "--answer-tokens"),
        (["--data", "missing.json"], 65, "missing.json cannot be read"),
        (["--corpus", "nowhere"], 65, "nowhere is no folder"),
        (["--config", "missing.json"], 78, "missing.json cannot be read"),
    ],
)
def test_bad_input_is_one_sentence_and_its_status(
    made: Made,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    options: list[str],
    status: int,
    said: str,
) -> None:
    """No traceback; the file or option is named."""
    config = made.folder / "config.json"
    config.write_text(json.dumps(config_table()), encoding="utf-8")
    given = ["--config", str(config), "--data", str(made.data), "--corpus", str(made.corpus), *options]
    monkeypatch.setattr("sys.argv", ["wildtrace", "estimate", *given])
    assert status == exit_status(main, "wildtrace")
    assert said in capsys.readouterr().err


def test_a_terminal_gets_a_table_with_every_number(made: Made, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same cells as the plain text, drawn; brackets are text, not markup."""

    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    screen = Terminal()
    config = made.folder / "config.json"
    config.write_text(json.dumps(priced(model="[red]tested[/red]")), encoding="utf-8")
    monkeypatch.setattr("sys.stdout", screen)
    monkeypatch.setenv("COLUMNS", "200")
    command.main(
        ["--config", str(config), "--data", str(made.data), "--corpus", str(made.corpus)], standalone_mode=False
    )
    shown = re.sub(r"\x1b\[[0-9;]*m", "", screen.getvalue())
    assert "│" in shown
    assert "contestant [red]tested[/red]" in shown
    plan = estimate(EstimateJob(run_config(prices=PRICES), made.data, made.corpus)).plan
    assert all(f"{endpoint.input_tokens.usual:,}" in shown for endpoint in plan.endpoints)


def test_plain_tables_are_aligned_and_whole() -> None:
    """Words to the left, numbers to the right, nothing cut."""
    table = Shown(("what", "n"), (("a", "1,000,000"), ("bbbbbb", "1")))
    assert ["what            n", "a       1,000,000", "bbbbbb          1"] == plain(table)


def test_the_last_row_is_the_sum(made: Made) -> None:
    """Of tasks, requests and tokens."""
    tiers, endpoints = tables(estimate(EstimateJob(run_config(), made.data, made.corpus)).plan)
    assert ("all", "6", "0", "0", "6") == tiers.rows[-1][:5]
    assert ("all", "24") == endpoints.rows[-1][:2]


def test_the_documentation_names_every_option() -> None:
    """docs/estimate.md lists what the command offers, and the command is registered."""
    page = (Path(__file__).parents[2] / "docs" / "estimate.md").read_text(encoding="utf-8")
    options = {name for option in command.params for name in option.opts}
    assert set() == {name for name in options if f"`{name}" not in page}
    assert "wildtrace.cli.estimate:command" == COMMANDS["estimate"][0]


@pytest.mark.parametrize("latency", ["nan", "inf", "1e300"])
def test_a_latency_that_is_no_number_is_refused(latency: str, made: Made) -> None:
    """JSON knows neither NaN nor Infinity."""
    result = run(made, priced(), "--json", "--latency", latency)
    assert 0 != result.exit_code
    assert "" == result.stdout
