"""Which roles a configuration names."""

from __future__ import annotations

from pathlib import Path

import pytest

from wildtrace.construct.asking import RolesJob
from wildtrace.endpoints.config import parse_config
from wildtrace.errors import ConfigError


def test_a_misspelt_role_is_refused_and_other_stages_roles_are_not(tmp_path: Path) -> None:
    """A slip of the pen would otherwise be asked nothing, in silence."""
    endpoint = {"base_url": "http://127.0.0.1:9/v1", "model": "m"}
    roles = {"extracter": [endpoint], "linker": [endpoint]}
    with pytest.raises(ConfigError, match="'extracter'; did you mean 'extractor'"):
        RolesJob.of(parse_config({**endpoint, "roles": roles}, "config.json"), tmp_path)
    roles = {"writer": [endpoint], "linker": [endpoint]}
    job = RolesJob.of(parse_config({**endpoint, "roles": roles}, "config.json"), tmp_path)
    assert ["linker"] == list(job.lines)
