"""Pages made from the code, and pages that the code must not outrun."""

from __future__ import annotations

import json
import re
import subprocess
import sys

import pytest
from click.testing import CliRunner
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]  # it ships no types
from tools.generated_docs import DOCS, PAGES

from tests.fakes import config_table
from wildtrace.cli.main import COMMANDS, main
from wildtrace.endpoints.config import RunConfig, parse_config


@pytest.mark.parametrize("name", PAGES)
def test_generated_pages_are_up_to_date(name: str) -> None:
    """`make docs` was run after the last change of a command.

    Made in a process of its own: a command keeps the names of its help option from whoever asked for them first.
    """
    making = (
        "import sys; from tools.generated_docs import PAGES; sys.stdout.buffer.write(PAGES[sys.argv[1]]().encode())"
    )
    made = subprocess.run([sys.executable, "-c", making, name], cwd=DOCS.parent, capture_output=True, check=True)
    assert made.stdout.decode() == (DOCS / name).read_text(encoding="utf-8"), "run make docs"


def test_every_rule_has_a_paragraph() -> None:
    """docs/protocol.md states each of the thirty rules."""
    page = (DOCS / "protocol.md").read_text(encoding="utf-8")

    assert [str(number) for number in range(1, 31)] == re.findall(r"^(\d+)\. \*\*[PD]\*\*", page, re.MULTILINE)


def _shown(page: str) -> list[str]:
    """The whole configs that a page shows, fenced or indented."""
    return re.findall(r"^(?:```json\n|    )(\{\s*\"base_url\".*?\}\n?)(?:```|\n(?=\S))", page, re.MULTILINE | re.DOTALL)


def _configs(page: str) -> list[RunConfig]:
    return [parse_config(json.loads(text), "shown") for text in _shown(page)]


def test_every_config_that_is_shown_fits_the_published_schema() -> None:
    """Those of the pages and that of the tests; `wildtrace config schema` prints the schema."""
    pages = [*DOCS.glob("*.md"), DOCS.parent / "README.md"]
    shown = [json.loads(text) for page in pages for text in _shown(page.read_text(encoding="utf-8"))]
    schema = json.loads((DOCS / "config.schema.json").read_text(encoding="utf-8"))

    validator = Draft202012Validator(schema)

    assert len(shown) >= 2
    assert [] == [error.message for config in [*shown, config_table()] for error in validator.iter_errors(config)]
    assert schema == json.loads(CliRunner().invoke(main, ["config", "schema"]).output)


def test_the_readmes_config_has_a_price_for_every_endpoint() -> None:
    """So that `estimate` can give the total with it."""
    (config,) = _configs((DOCS.parent / "README.md").read_text(encoding="utf-8"))

    assert 3 == len(config.judges)
    assert [] == [endpoint.name for endpoint in (config.contestant, *config.judges) if endpoint.prices is None]


def test_the_rehearsal_is_told_to_its_end() -> None:
    """docs/offline.md shows a config that can be read, and both commands that use it."""
    page = (DOCS / "offline.md").read_text(encoding="utf-8")
    (config,) = _configs(page)

    assert ("lexical-reader", "lexical-judge") == (config.contestant.model, config.judges[0].model)
    assert "\n    wildtrace eval  --config config.json --data sample/tasks.json --corpus sample/corpus " in page
    assert "\n    wildtrace judge --config config.json --data sample/tasks.json --responses " in page


def test_pages_link_to_pages_that_exist() -> None:
    """No link between the documents is broken, README and changelog included."""
    pages = [*DOCS.glob("*.md"), DOCS.parent / "README.md", DOCS.parent / "CHANGELOG.md"]
    broken = [
        f"{page.name}: {target}"
        for page in pages
        for target in re.findall(r"\]\((?!https?:)([^)#]+)", page.read_text(encoding="utf-8"))
        if not (page.parent / target).exists()
    ]

    assert [] == broken


def test_every_command_stands_in_the_readme_or_a_page() -> None:
    """A user can find each command without `--help`."""
    text = "".join(page.read_text(encoding="utf-8") for page in (*DOCS.glob("*.md"), DOCS.parent / "README.md"))

    assert [] == [name for name in COMMANDS if f"wildtrace {name}" not in text]
