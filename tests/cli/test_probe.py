import json
import os
import pty
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from tests.cli.test_serve_offline import serving
from tests.endpoint import event, streamed
from tests.endpoint import serving as scripted
from wildtrace.cli.main import COMMANDS
from wildtrace.cli.probe import command, rounded, told
from wildtrace.endpoints.caps import Cap
from wildtrace.endpoints.config import load_config
from wildtrace.probe.findings import Finding
from wildtrace.probe.run import ProbeJob, ScriptOutcome
from wildtrace.probe.search import Search

SMALL = ["--lower", "8000", "--upper-en", "100000", "--upper-cjk", "60000"]


def config(tmp_path: Path, url: str = "http://127.0.0.1:9/v1", **changes: Any) -> Path:
    """A config of the offline echo, with room for a short answer."""
    path = tmp_path / "config.json"
    table = {"base_url": url, "model": "echo-codes", "max_tokens": 500, "prices": {"in": 2, "out": 8}, "backoff_s": 0}
    path.write_text(json.dumps({**table, **changes}), encoding="utf-8")
    return path


def probe(*options: str, **settings: Any) -> subprocess.CompletedProcess[str]:
    """The command as a process of its own, without a terminal."""
    words = [sys.executable, "-m", "wildtrace", "probe", *options]
    return subprocess.run(
        words, capture_output=True, text=True, timeout=120, check=False, stdin=subprocess.DEVNULL, **settings
    )


def test_it_announces_measures_prints_and_writes_the_entry(tmp_path: Path) -> None:
    """Standard output is the entry alone; --write puts it into the config, where eval finds it."""
    with serving("--context-tokens", "15000") as (_, url):
        path = config(tmp_path, url)
        done = probe("--config", str(path), *SMALL, "--yes", "--write")
    assert 0 == done.returncode, done.stderr
    entry = json.loads(done.stdout)
    cap = entry["echo-codes"]
    assert 44_000 < cap["en"] <= 49_500 - 1650
    assert 20_000 < cap["cjk"] <= 22_500 - 750
    assert {"echo-codes": Cap(**cap)} == load_config(path).caps
    said = done.stderr.splitlines()
    assert said[0] == f"Probing echo-codes at {url}: en 8,000 to 100,000, cjk 8,000 to 60,000 characters."
    assert re.fullmatch(
        r"At most \d+ requests, \d\.\d million tokens in, [\d,]+ out\. Cost \d\.\d\d by the config's prices\.", said[1]
    )
    assert said[2] == (
        "About half if the model repeats every code, less if its window is small. "
        "Requests that break off (up to 5 repeats each) come on top."
    )
    assert any(line.startswith("Spent: ") for line in said)
    assert any(line.startswith("en: at least ") and line.endswith("(error).") for line in said)


@pytest.mark.parametrize(
    ("tokens", "said"),
    [
        (0, "0"),
        (99_999, "99,999"),
        (100_000, "0.10 million"),
        (344_064, "0.35 million"),
        (999_999, "1.00 million"),
        (1_000_000, "1.0 million"),
        (29_784_198, "29.8 million"),
        (29_800_001, "29.9 million"),
    ],
)
def test_what_is_spent_at_most_is_rounded_up(tokens: int, said: str) -> None:
    """A bound stays one."""
    assert said == rounded(tokens)


def test_without_prices_the_cost_is_unknown(tmp_path: Path) -> None:
    """And it is said so, in a sentence of its own."""
    done = probe("--config", str(config(tmp_path, prices={"in": 0, "out": 0})), *SMALL)
    assert "Cost 0.00 by the config's prices.\n" in done.stderr
    path = config(tmp_path)
    path.write_text(path.read_text(encoding="utf-8").replace('"prices": {"in": 2, "out": 8}, ', ""), encoding="utf-8")
    assert " out. Cost unknown: the config has no prices.\n" in probe("--config", str(path), *SMALL).stderr


def test_the_help_and_the_page_say_what_write_needs() -> None:
    """One script alone is written only beside the model's other cap."""
    said = " ".join(probe("--help").stdout.split())
    assert "with --script the file must have one of the model" in said
    page = (Path(__file__).parents[2] / "docs" / "probe.md").read_text(encoding="utf-8")
    assert "with `--script` the config must have one for this model already" in page


def test_without_a_terminal_it_spends_only_when_told_to(tmp_path: Path) -> None:
    """64, after saying what it would spend, and no request."""
    log = tmp_path / "log.jsonl"
    with serving("--log", str(log)) as (_, url):
        done = probe("--config", str(config(tmp_path, url)), *SMALL)
    assert (64, "") == (done.returncode, done.stdout)
    assert "At most" in done.stderr
    assert "--yes" in done.stderr.splitlines()[-1]
    assert "" == log.read_text(encoding="utf-8")


@pytest.mark.parametrize(("typed", "status", "asked"), [("n\n", 2, False), ("\n", 2, False), ("y\n", 0, True)])
def test_on_a_terminal_it_asks_first(tmp_path: Path, typed: str, status: int, asked: bool) -> None:
    """No is the default; yes goes on."""
    log = tmp_path / "log.jsonl"
    mine, its = pty.openpty()
    with serving("--log", str(log)) as (_, url):
        words = [sys.executable, "-m", "wildtrace", "probe", "--config", str(config(tmp_path, url)), *SMALL]
        os.write(mine, typed.encode())
        done = subprocess.run(words, stdin=its, capture_output=True, text=True, timeout=120, check=False)
    os.close(mine)
    os.close(its)
    assert status == done.returncode
    assert "Go on? [y/N]" in done.stderr
    assert asked == bool(log.read_text(encoding="utf-8"))
    assert asked != ("Nothing was sent." in done.stderr)


def test_a_spent_limit_is_incomplete_and_writes_nothing(tmp_path: Path) -> None:
    """2, with the bracket found so far; neither an entry nor a change of the config."""
    with serving("--context-tokens", "15000") as (_, url):
        path = config(tmp_path, url)
        before = path.read_bytes()
        done = probe("--config", str(path), *SMALL, "--yes", "--write", "--max-tokens-spent", "30000")
    assert (2, "") == (done.returncode, done.stdout)
    assert "It stops before 30,000 tokens are exceeded" in done.stderr
    assert "en: NOT FINISHED (the next request would exceed --max-tokens-spent); found so far: at least" in done.stderr
    assert before == path.read_bytes()


def test_a_spent_limit_holds_against_a_server_that_cuts_every_stream(tmp_path: Path) -> None:
    """Repeats count: what is told as spent is what was sent, and it is within the limit."""
    with scripted([streamed(event({"content": "QX"}), cut=True)]) as endpoint:
        path = config(tmp_path, endpoint.url)
        done = probe("--config", str(path), *SMALL, "--yes", "--max-tokens-spent", "13000")
    assert (2, "") == (done.returncode, done.stdout)
    assert 1 < len(endpoint.asked)
    assert sum(len(one.prompt) / 3.3 + 500 for one in endpoint.asked) <= 13_000
    (spent,) = re.findall(r"Spent: (\d+) requests, ([\d,]+) tokens in and ([\d,]+) out", done.stderr)
    assert len(endpoint.asked) == int(spent[0])
    assert int(spent[1].replace(",", "")) + int(spent[2].replace(",", "")) <= 13_000
    assert "exceed --max-tokens-spent" in done.stderr


def test_an_endpoint_error_is_78_with_what_to_change(tmp_path: Path) -> None:
    """A model that is not there: the endpoint's words and the advice, no traceback."""
    with serving() as (_, url):
        done = probe("--config", str(config(tmp_path, url, model="gpt-5")), *SMALL, "--yes")
    assert (78, "") == (done.returncode, done.stdout)
    assert "HTTP 404" in done.stderr
    assert "check base_url" in done.stderr
    assert "Traceback" not in done.stderr


def test_an_endpoint_that_is_down_is_2(tmp_path: Path) -> None:
    """Worth trying again later: it says that nobody listens, and that nothing was spent."""
    done = probe("--config", str(config(tmp_path)), *SMALL, "--yes")
    assert 2 == done.returncode
    assert "NOT FINISHED (ClientConnectorError: connection refused, nothing listens at that address)" in done.stderr
    assert "Spent: 6 requests, 0 tokens in and 0 out" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_window_without_room_for_an_answer_is_78(tmp_path: Path) -> None:
    """No cap can be given: max_tokens is named."""
    with serving("--context-tokens", "8000") as (_, url):
        path = config(tmp_path, url, max_tokens=30_000)
        done = probe("--config", str(path), *SMALL, "--script", "en", "--yes")
    assert (78, "") == (done.returncode, done.stdout)
    assert "max_tokens 30000 leaves no room" in done.stderr


def test_a_window_below_the_lower_bound_is_78(tmp_path: Path) -> None:
    """The lower bound is named."""
    with serving("--context-tokens", "2000") as (_, url):
        done = probe("--config", str(config(tmp_path, url)), *SMALL, "--script", "en", "--yes")
    assert (78, "") == (done.returncode, done.stdout)
    assert "below 8,000 characters" in done.stderr


def test_one_script_is_written_beside_the_configs_other_cap(tmp_path: Path) -> None:
    """English anew, Chinese as it stood."""
    caps = {"echo-codes": {"en": 7, "cjk": 20}}
    with serving() as (_, url):
        path = config(tmp_path, url, caps=caps)
        done = probe("--config", str(path), *SMALL, "--script", "en", "--yes", "--write")
    assert (0, {"echo-codes": {"en": 100_000}}) == (done.returncode, json.loads(done.stdout))
    assert {"echo-codes": Cap(100_000, 20)} == load_config(path).caps


def test_ctrl_c_keeps_the_bracket(tmp_path: Path) -> None:
    """130, what is in flight finished, no entry."""
    with serving("--latency", "0.5", "--context-tokens", "15000") as (_, url):
        words = [sys.executable, "-m", "wildtrace", "probe", "--config", str(config(tmp_path, url)), *SMALL, "--yes"]
        running = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        assert running.stderr is not None
        while "read whole" not in running.stderr.readline():
            assert running.poll() is None
        time.sleep(0.1)
        running.send_signal(signal.SIGINT)
        out, err = running.communicate(timeout=60)
    assert (130, "") == (running.returncode, out)
    assert "en: NOT FINISHED (stopped); found so far: at least" in err
    assert "Traceback" not in err


@pytest.mark.parametrize(
    ("options", "status", "said"),
    [
        (["--lower", "100"], 64, "--lower"),
        (["--lower", "50000", "--upper-en", "9000"], 64, "--upper-en 9000 is below --lower 50000"),
        (["--script", "fr"], 64, "--script"),
        (["--max-tokens-spent", "0"], 64, "--max-tokens-spent"),
        (["--script", "en", "--write"], 64, "--write needs both caps"),
    ],
)
def test_options_that_make_no_sense_are_usage_errors(
    tmp_path: Path, options: list[str], status: int, said: str
) -> None:
    """64, naming what to change, before anything is sent."""
    done = probe("--config", str(config(tmp_path)), "--yes", *options)
    assert (status, "") == (done.returncode, done.stdout)
    assert said in done.stderr
    assert "Traceback" not in done.stderr


def test_a_bad_config_is_78(tmp_path: Path) -> None:
    """Missing, or with a key's variable that is not set."""
    missing = probe("--config", str(tmp_path / "none.json"), "--yes")
    assert (78, 1) == (missing.returncode, missing.stderr.count("\n"))
    unset = probe("--config", str(config(tmp_path, api_key_env="NO_SUCH_KEY")), "--yes")
    assert 78 == unset.returncode
    assert "NO_SUCH_KEY" in unset.stderr


def test_the_documentation_names_every_option() -> None:
    """docs/probe.md lists what the command offers, and the command is registered."""
    page = (Path(__file__).parents[2] / "docs" / "probe.md").read_text(encoding="utf-8")
    options = {name for option in command.params for name in option.opts}
    assert set() == {name for name in options if f"`{name}" not in page}
    assert "wildtrace.cli.probe:command" == COMMANDS["probe"][0]


@pytest.mark.parametrize(
    ("tokens", "words"), [(1000, "weak recall, which is no matter of the cap"), (980, "or a cut too small to tell")]
)
def test_lost_codes_are_no_matter_of_the_window_only_where_the_count_is_full(
    tmp_path: Path, tokens: int, words: str
) -> None:
    """A count that is a little low leaves it open."""
    finding = Finding(9000, "recall", missing=(3,), prompt_tokens=tokens, expected_tokens=1000)
    found = ScriptOutcome("en", Search(8000, 9000, fits=9000), (finding,), None, 9000)
    job = ProbeJob(load_config(config(tmp_path)), {"en": Search(8000, 9000)})
    assert words in told(found, job)[-1]
