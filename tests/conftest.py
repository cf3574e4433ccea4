"""What all tests share: an environment without keys or proxies, and the small made release."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import Phase, settings

from tests.fakes import Made, make_release

UNSET = (
    "API_KEY",
    "OPENAI_API_KEY",
    "http_proxy",
    "https_proxy",
    "all_proxy",
    "HTTP_PROXY",
    "HTTPS_PROXY",
    "ALL_PROXY",
)

# No deadline: a machine that is busy with something else is no fault of the code.
settings.register_profile("quick", deadline=None, max_examples=25)
settings.register_profile("ci", deadline=None, max_examples=200)
# A mutation run asks the same of every change, each time, and only whether it fails.
settings.register_profile("mutants", deadline=None, derandomize=True, phases=[Phase.explicit, Phase.generate])
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "quick"))


@pytest.fixture(autouse=True)
def _plain_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """No key and no proxy of the machine reaches a test."""
    for name in UNSET:
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def made(tmp_path: Path) -> Made:
    """The made release, in a folder of its own."""
    return make_release(tmp_path / "release")
