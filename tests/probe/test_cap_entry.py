import json
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.fakes import run_config
from wildtrace.endpoints.caps import Cap
from wildtrace.endpoints.config import load_config, route_of
from wildtrace.errors import ConfigError
from wildtrace.probe.cap_entry import known_cap, write_cap

CAP = Cap(399_000, 181_000)
TEXT = """{
    "model": "tested",
    "prices": {"in": 0.25, "out": 2},
    "base_url": "http://127.0.0.1:9/v1",
    "caps": {"other": {"en": 1, "cjk": 2}},
    "judges": [{"name": "法官", "base_url": "http://127.0.0.1:9/v1", "model": "m"}]
}
"""


def config(tmp_path: Path, text: str = TEXT) -> Path:
    """A config file."""
    path = tmp_path / "config.json"
    path.write_text(text, encoding="utf-8")
    return path


def test_the_entry_is_added_and_everything_else_stays(tmp_path: Path) -> None:
    """Values, their order and their characters; the text around it; the entry is the route's cap from then on."""
    path = config(tmp_path)
    write_cap(path, "tested", CAP)
    before, after = json.loads(TEXT), json.loads(path.read_text(encoding="utf-8"))
    assert {**before, "caps": {**before["caps"], "tested": {"en": 399_000, "cjk": 181_000}}} == after
    assert list(before) == list(after)
    assert ["other", "tested"] == list(after["caps"])
    assert '\n    "model": "tested",\n' in path.read_text(encoding="utf-8")
    assert "法官" in path.read_text(encoding="utf-8")
    assert (CAP, "config") == (route_of(load_config(path)).cap, route_of(load_config(path)).source)


def test_an_entry_that_is_there_is_replaced_at_its_place(tmp_path: Path) -> None:
    """The order of models stays."""
    path = config(tmp_path)
    write_cap(path, "other", CAP)
    assert {"other": {"en": 399_000, "cjk": 181_000}} == json.loads(path.read_text(encoding="utf-8"))["caps"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("{}", '{"caps": {"m": {"en": 399000, "cjk": 181000}}}\n'),
        (
            '\ufeff{\n\t"model": "模型"\n}',
            '{\n\t"model": "模型",\n\t"caps": {\n\t\t"m": {\n\t\t\t"en": 399000,\n\t\t\t"cjk": 181000\n\t\t}\n\t}\n}\n',
        ),
        ('{"a": "\\ud800"}', '{"a": "\\ud800", "caps": {"m": {"en": 399000, "cjk": 181000}}}\n'),
    ],
)
def test_a_config_keeps_its_indentation(tmp_path: Path, text: str, expected: str) -> None:
    """One line, tabs or spaces; `caps` comes last where it was missing; a byte order mark is dropped."""
    path = tmp_path / "config.json"
    path.write_bytes(text.encode())
    write_cap(path, "m", CAP)
    assert expected.encode() == path.read_bytes()


@given(model=st.text(min_size=1, max_size=20), before=st.dictionaries(st.text(max_size=5), st.integers() | st.none()))
def test_any_model_name_and_any_keys_survive(
    tmp_path_factory: pytest.TempPathFactory, model: str, before: dict[str, int | None]
) -> None:
    """Quotes, emoji, controls: what was there reads back."""
    before.pop("caps", None)
    path = tmp_path_factory.mktemp("cap") / "config.json"
    path.write_text(json.dumps(before), encoding="utf-8")
    write_cap(path, model, CAP)
    assert {**before, "caps": {model: {"en": 399_000, "cjk": 181_000}}} == json.loads(path.read_text(encoding="utf-8"))
    write_cap(path, model, Cap(1, 2))
    assert {**before, "caps": {model: {"en": 1, "cjk": 2}}} == json.loads(path.read_text(encoding="utf-8"))


@pytest.mark.parametrize("mode", [0o600, 0o640, 0o644])
def test_a_private_config_stays_private(tmp_path: Path, mode: int) -> None:
    """It may hold a password in its address; neither the file nor this process's own mask changes."""
    path = config(tmp_path)
    path.chmod(mode)
    mask = os.umask(0o022)
    try:
        write_cap(path, "tested", CAP)
        assert 0o022 == os.umask(0o022)
    finally:
        os.umask(mask)
    assert mode == stat.S_IMODE(path.stat().st_mode)
    assert ["config.json"] == [entry.name for entry in tmp_path.iterdir()]


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    """The file it points to is the one that changes."""
    path = config(tmp_path)
    link = tmp_path / "link.json"
    link.symlink_to(path)
    write_cap(link, "tested", CAP)
    assert link.is_symlink()
    assert "tested" in json.loads(path.read_text(encoding="utf-8"))["caps"]


@pytest.mark.parametrize("text", ["", "[]", "{", '{"caps": 3}'])
def test_a_config_that_broke_meanwhile_is_left_alone(tmp_path: Path, text: str) -> None:
    """78, in one sentence, and not a byte changed."""
    path = config(tmp_path, text)
    with pytest.raises(ConfigError, match=r"config\.json .*by hand"):
        write_cap(path, "tested", CAP)
    assert text == path.read_text(encoding="utf-8")


def test_a_config_that_is_gone_is_told(tmp_path: Path) -> None:
    """78 as well."""
    with pytest.raises(ConfigError, match="by hand"):
        write_cap(tmp_path / "config.json", "tested", CAP)


def test_a_full_disk_is_74_and_changes_nothing(tmp_path: Path) -> None:
    """A process that may write no more than 20 bytes a file: one sentence, the old config, nothing left beside it."""
    path = config(tmp_path)
    code = (
        "import resource, sys; from pathlib import Path; from wildtrace.probe.cap_entry import write_cap\n"
        "from wildtrace.endpoints.caps import Cap\n"
        "from wildtrace.errors import OutputError\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (20, 20))\n"
        "try: write_cap(Path(sys.argv[1]), 'tested', Cap(1, 2))\n"
        "except OutputError as error: sys.exit(f'{error.exit_status} {error}')"
    )
    done = subprocess.run(
        [sys.executable, "-B", "-c", code, str(path)], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.stderr.startswith(f"74 {path} cannot be written (")
    assert TEXT == path.read_text(encoding="utf-8")
    assert ["config.json"] == [entry.name for entry in tmp_path.iterdir()]


def test_a_script_that_was_not_probed_keeps_the_configs_cap() -> None:
    """Never the protocol's or another model's: without an entry there is none to write."""
    caps = {"tested": {"en": 10, "cjk": 20}}
    assert Cap(5, 20) == known_cap(run_config(caps=caps), {"en": 5})
    assert Cap(10, 6) == known_cap(run_config(caps=caps), {"cjk": 6})
    assert Cap(5, 6) == known_cap(run_config(caps={}), {"en": 5, "cjk": 6})
    assert None is known_cap(run_config(caps={}, model="gpt-5.1"), {"en": 5})
