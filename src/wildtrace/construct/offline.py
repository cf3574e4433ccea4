"""Reading and trails by rules alone, without a model: a rehearsal."""

from __future__ import annotations

from wildtrace.errors import ConfigError
from wildtrace.types import Reading, Source, Structure, Trail

_NOT_YET = "this version has no rules for --offline; name a --config with roles"


def offline_reading(_source: Source, _text: str, _structure: Structure | None) -> Reading:
    """What rules read out of a source. ConfigError: they are not there yet."""
    raise ConfigError(_NOT_YET)


def offline_trails(_reading: Reading, _text: str) -> list[Trail]:
    """The trails that rules find. ConfigError: they are not there yet."""
    raise ConfigError(_NOT_YET)
