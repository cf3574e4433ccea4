"""`wildtrace config`: what a config.json may hold."""

from __future__ import annotations

import json

import click

from wildtrace.endpoints.config import json_schema


@click.group("config")
def command() -> None:
    """What a config.json may hold."""


@command.command("schema")
def schema() -> None:
    """Print the JSON Schema of config.json, for editors and other programs."""
    click.echo(json.dumps(json_schema(), ensure_ascii=False, indent=2))
