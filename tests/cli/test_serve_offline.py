import json
import os
import signal
import socket
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from wildtrace.cli.serve_offline import command
from wildtrace.endpoints.offline.models import MODELS

COMMAND = [sys.executable, "-m", "wildtrace", "serve-offline"]


@contextmanager
def serving(*options: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """The command as a process of its own, and the URL it printed."""
    process = subprocess.Popen(
        [*COMMAND, "--port", "0", *options], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    try:
        assert process.stdout is not None
        yield process, process.stdout.readline().strip()
    finally:
        process.kill()
        process.communicate()


def ask(url: str, model: str, prompt: str) -> str:
    """One question through the standard library's client."""
    payload = json.dumps({"model": model, "messages": [{"role": "user", "content": prompt}]}).encode()
    request = urllib.request.Request(f"{url}/chat/completions", payload, {"Content-Type": "application/json"})  # noqa: S310 - loopback
    with urllib.request.urlopen(request, timeout=30) as reply:  # noqa: S310 - loopback
        return str(json.load(reply)["choices"][0]["message"]["content"])


def refusal(*options: str) -> tuple[int, str]:
    """Exit status and what the command said on its error stream."""
    done = subprocess.run([*COMMAND, *options], capture_output=True, text=True, timeout=60, check=False)
    return done.returncode, done.stderr


@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_it_prints_its_url_answers_and_stops_on_a_signal(number: signal.Signals, status: int) -> None:
    """The printed URL works as a base URL; a signal ends it quietly with the signal's status."""
    with serving() as (process, url):
        assert "QX1234ZB" in ask(url, "echo-codes", "codes?\n\nQX1234ZB")
        process.send_signal(number)
        out, err = process.communicate(timeout=30)
    assert (status, "", "") == (process.returncode, out, err)


def test_faults_window_and_log_are_set_by_options(tmp_path: Path) -> None:
    """A rehearsal is scripted from the command line."""
    log = tmp_path / "log.jsonl"
    with serving("--fault-429", "1", "--retry-after", "3", "--log", str(log)) as (_, url):
        with pytest.raises(urllib.error.HTTPError) as caught:
            ask(url, "no-document", "hello")
        caught.value.close()
    assert (429, "3") == (caught.value.code, caught.value.headers["Retry-After"])
    assert "429" == json.loads(log.read_text(encoding="utf-8"))["fault"]
    with serving("--context-tokens", "10", "--truncate", "end") as (_, url):
        assert "AA0000AA" == ask(url, "echo-codes", "AA0000AA " + "x" * 100 + " BB1111BB")


def test_a_port_in_use_is_one_sentence_and_status_74() -> None:
    """No traceback; the port is named."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        status, said = refusal("--port", str(port))
    assert 74 == status
    assert f"wildtrace: port {port} of 127.0.0.1 is in use; choose another with --port, or 0 for a free one\n" == said


@pytest.mark.skipif(os.geteuid() == 0, reason="root may open any port")
def test_a_port_that_may_not_be_opened_is_status_74() -> None:
    """A privileged port is refused in the same words."""
    status, said = refusal("--port", "1")
    assert (74, 1) == (status, said.count("\n"))


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--fault-cut", "0.7", "--fault-drop", "0.7"], "together at most 1"),
        (["--fault-cut", "2"], "--fault-cut"),
        (["--truncate", "front"], "give both"),
        (["--port", "70000"], "--port"),
    ],
)
def test_options_that_make_no_sense_are_usage_errors(options: list[str], said: str) -> None:
    """Status 64, naming what to change."""
    status, stderr = refusal(*options)
    assert 64 == status
    assert said in stderr
    assert "Traceback" not in stderr


def test_the_documentation_names_every_option_and_model() -> None:
    """What the command offers stands in docs/offline.md, and its help names the models."""
    page = (Path(__file__).parents[2] / "docs" / "offline.md").read_text(encoding="utf-8")
    options = {name for option in command.params for name in option.opts}
    assert set() == {name for name in options if f"`{name}" not in page}
    assert set() == {name for name in MODELS if f"`{name}`" not in page or name not in str(command.help)}
