"""`config.json`: every key, its default, and one sentence for what is wrong."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]  # it ships no types

from tests.fakes import config_table
from wildtrace.endpoints.caps import CAPS, Cap
from wildtrace.endpoints.config import (
    CONFIG_KEYS,
    ENDPOINT_KEYS,
    Endpoint,
    Prices,
    json_schema,
    load_config,
    parse_config,
)
from wildtrace.errors import ConfigError
from wildtrace.vocabulary import ROLES

URL = "https://host/v1"
PLAIN = {"base_url": URL, "model": "m"}


def test_defaults_are_the_protocols() -> None:
    """What a config of two keys means."""
    config = parse_config(PLAIN, "c.json")
    assert (
        Endpoint(
            name="m",
            base_url=URL,
            model="m",
            api_key_env=None,
            send_temperature=True,
            reasoning=False,
            max_tokens=8192,
            max_tokens_field="max_tokens",
            concurrency=8,
            timeout_s=3600.0,
            backoff_s=1.0,
            stream=True,
            strip_reasoning=True,
            json_schema=True,
            treat_as_refusal=(),
            prices=None,
        )
        == config.contestant
    )
    assert ({}, None, False, (), {}) == (
        config.caps,
        config.cap_as,
        config.allow_self_judging,
        config.judges,
        config.roles,
    )


def test_judges_have_their_own_budget_and_the_contestant_its_own() -> None:
    """16384 for judges, 32768 for a reasoning contestant, what is said wins."""
    judge = {"name": "j", **PLAIN}
    config = parse_config({**PLAIN, "reasoning": True, "judges": [judge, {**judge, "name": "k", "max_tokens": 5}]}, "c")
    assert [32768, 16384, 5] == [config.contestant.max_tokens, *(entry.max_tokens for entry in config.judges)]
    assert ["j", "k"] == [entry.name for entry in config.judges]
    roles = parse_config({**PLAIN, "roles": {"critic": [PLAIN]}}, "c").roles
    assert [("m", 16384)] == [(entry.name, entry.max_tokens) for entry in roles["critic"]]


def test_contestants_judges_and_roles_have_the_same_keys() -> None:
    """What one takes, the others take; a name is the model where none is given."""
    endpoint = {**PLAIN, "name": "n", "json_schema": False, "treat_as_refusal": ["1301", "Content Exists Risk"]}
    config = parse_config({**endpoint, "judges": [endpoint, PLAIN], "roles": {"critic": [endpoint]}}, "c")
    for each in (config.contestant, config.judges[0], config.roles["critic"][0]):
        assert ("n", False, ("1301", "Content Exists Risk")) == (each.name, each.json_schema, each.treat_as_refusal)
    assert "m" == config.judges[1].name


@pytest.mark.parametrize("role", ROLES.names)
def test_every_role_of_the_vocabulary_is_accepted(role: str) -> None:
    """And no other."""
    assert [role] == list(parse_config({**PLAIN, "roles": {role: [PLAIN]}}, "c").roles)


def test_every_key_is_read() -> None:
    """None is accepted and ignored: a changed value changes the endpoint."""
    changed: dict[str, Any] = {
        "base_url": "http://other/v2/",
        "model": "n",
        "name": "called",
        "api_key_env": "K",
        "send_temperature": False,
        "reasoning": True,
        "max_tokens": 7,
        "max_tokens_field": "max_completion_tokens",
        "concurrency": 3,
        "timeout_s": 5,
        "backoff_s": 0.5,
        "stream": False,
        "strip_reasoning": False,
        "json_schema": False,
        "treat_as_refusal": ["1301"],
        "prices": {"in": 1, "out": 2.5},
    }
    assert set(ENDPOINT_KEYS) == set(changed)
    endpoint = parse_config(changed, "c").contestant
    assert ("http://other/v2", Prices(1.0, 2.5)) == (endpoint.base_url, endpoint.prices)
    rest = {key: getattr(endpoint, key) for key in changed if key not in ("base_url", "prices")}
    assert {**{key: value for key, value in changed.items() if key in rest}, "treat_as_refusal": ("1301",)} == rest
    config = parse_config(
        {**PLAIN, "caps": {"m": {"en": 1, "cjk": 2}}, "cap_as": "gpt-4.1", "allow_self_judging": True}, "c"
    )
    assert ({"m": Cap(1, 2)}, "gpt-4.1", True) == (config.caps, config.cap_as, config.allow_self_judging)


@pytest.mark.parametrize(
    ("table", "said"),
    [
        ([], "c.json: the file must be a JSON object"),
        ({"model": "m"}, "c.json: base_url is missing"),
        ({"base_url": URL}, "c.json: model is missing"),
        ({**PLAIN, "temprature": 1}, "c.json: unknown key 'temprature'; did you mean 'send_temperature'?"),
        ({**PLAIN, "max_token": 1}, "c.json: unknown key 'max_token'; did you mean 'max_tokens'?"),
        ({**PLAIN, "api_key": "K"}, "c.json: unknown key 'api_key'; did you mean 'api_key_env'?"),
        ({**PLAIN, "zzz": 1}, f"c.json: unknown key 'zzz'; known keys: {', '.join(CONFIG_KEYS)}"),
        ({**PLAIN, "judges": [{"nme": "j", **PLAIN}]}, "c.json: unknown key 'judges[0].nme'; did you mean 'name'?"),
        (
            {**PLAIN, "judges": [{**PLAIN, "caps": {}}]},
            f"c.json: unknown key 'judges[0].caps'; known keys: {', '.join(ENDPOINT_KEYS)}",
        ),
        ({**PLAIN, "judges": [{**PLAIN, "name": " "}]}, "c.json: judges[0].name must be a non-empty string"),
        ({**PLAIN, "judges": [{"name": "j", "model": "m"}]}, "c.json: judges[0].base_url is missing"),
        ({**PLAIN, "judges": {"name": "j"}}, "c.json: judges must be a list of endpoints"),
        ({**PLAIN, "judges": [5]}, "c.json: judges[0] must be a JSON object"),
        (
            {**PLAIN, "judges": [{"name": "j", **PLAIN}] * 2},
            "c.json: judges[0] and judges[1] have one name; give each its own",
        ),
        ({**PLAIN, "caps": {"m": {"en": 1}}}, "c.json: caps[...].cjk is missing"),
        ({**PLAIN, "caps": {"m": 128000}}, 'c.json: caps[...] must be {"en": characters, "cjk": characters}'),
        (
            {**PLAIN, "caps": {"m": {"en": 0, "cjk": 1}}},
            "c.json: caps[...].en must be a whole number of characters, at least 1",
        ),
        ({**PLAIN, "max_tokens": True}, "c.json: max_tokens must be a whole number from 1 to 2,147,483,647"),
        ({**PLAIN, "concurrency": 0}, "c.json: concurrency must be a whole number from 1 to 4,096"),
        ({**PLAIN, "concurrency": 4097}, "c.json: concurrency must be a whole number from 1 to 4,096"),
        ({**PLAIN, "concurrency": 10**30}, "c.json: concurrency must be a whole number from 1 to 4,096"),
        ({**PLAIN, "timeout_s": -1}, "c.json: timeout_s must be a number of seconds, from 0 to 1,000,000,000"),
        ({**PLAIN, "timeout_s": 10**400}, "c.json: timeout_s must be a number of seconds, from 0 to 1,000,000,000"),
        (
            {**PLAIN, "timeout_s": float("nan")},
            "c.json: timeout_s must be a number of seconds, from 0 to 1,000,000,000",
        ),
        ({**PLAIN, "send_temperature": "false"}, "c.json: send_temperature must be true or false"),
        ({**PLAIN, "json_schema": "yes"}, "c.json: json_schema must be true or false"),
        ({**PLAIN, "model": " "}, "c.json: model must be a non-empty string"),
        ({**PLAIN, "model": "\ud800"}, "c.json: model must be text; it holds half a character"),
        (
            {**PLAIN, "treat_as_refusal": "1301"},
            "c.json: treat_as_refusal must be a list of error codes or exact messages",
        ),
        (
            {**PLAIN, "treat_as_refusal": [""]},
            "c.json: treat_as_refusal[0] must be a list of error codes or exact messages",
        ),
        *(
            (
                {**PLAIN, "base_url": address},
                "c.json: base_url must be an http:// or https:// address such as https://host/v1",
            )
            for address in ("host/v1", "http://h:99999/", "file:///etc", "http://[::1", "http://a b/v1")
        ),
        (
            {**PLAIN, "max_tokens_field": "n"},
            'c.json: max_tokens_field must be "max_tokens" or "max_completion_tokens"',
        ),
        ({**PLAIN, "prices": {"in": 1}}, "c.json: prices.out is missing"),
        ({**PLAIN, "prices": 1}, 'c.json: prices must be {"in": price, "out": price}, each for a million tokens'),
        *(
            (
                {**PLAIN, "prices": {"in": price, "out": 2}},
                "c.json: prices.in must be a price of a million tokens, from 0 to 1,000,000,000",
            )
            for price in ("1", -1, 1e308, float("inf"), float("nan"))
        ),
        ({**PLAIN, "prices": {"input": 1}}, "c.json: unknown key 'prices.input'; known keys: in, out"),
        ({**PLAIN, "roles": {"critic": []}}, "c.json: roles.critic must be a list of at least one endpoint"),
        ({**PLAIN, "roles": {"verifyer": []}}, "c.json: unknown key 'roles.verifyer'; did you mean 'verifier'?"),
        ({**PLAIN, "roles": {"w": []}}, f"c.json: unknown key 'roles.w'; known keys: {', '.join(ROLES)}"),
        (
            {**PLAIN, "roles": {"reader": [PLAIN, {**PLAIN, "concurency": 2}]}},
            "c.json: unknown key 'roles.reader[1].concurency'; did you mean 'concurrency'?",
        ),
    ],
)
def test_a_wrong_key_or_value_is_one_sentence(table: Any, said: str) -> None:
    """It names the file and the key by its path; exit status 78."""
    with pytest.raises(ConfigError) as refused:
        parse_config(table, "c.json")
    assert (said, 78) == (str(refused.value), refused.value.exit_status)


def test_no_value_is_ever_echoed() -> None:
    """A key pasted in the wrong place stays out of the message."""
    pasted = "sk-verysecret"
    for key in CONFIG_KEYS:
        if key in ("model", "name", "api_key_env"):
            continue
        with pytest.raises(ConfigError) as refused:
            parse_config({**PLAIN, key: pasted}, "c.json")
        assert pasted not in str(refused.value)


@pytest.mark.parametrize(
    "table",
    [
        {"sk-verysecret": 1},
        {"judges": [{"name": "sk-verysecret", **PLAIN}] * 2},
        {"judges": [{**PLAIN, "sk-verysecret": 1}]},
        {"caps": {"m": {"en": 1, "cjk": 1}, "sk-verysecret": 5}},
        {"caps": {"sk-verysecret": {"en": 1, "cjk": 1, "jp": 1}}},
        {"roles": {"sk-verysecret": 5}},
        {"roles": {"critic": [{**PLAIN, "prices": {"sk-verysecret": 5}}]}},
    ],
)
def test_a_key_pasted_for_a_name_is_not_repeated(table: dict[str, Any]) -> None:
    """What is no plain word of lower-case letters is told by its length, or by the list it stands in."""
    with pytest.raises(ConfigError) as refused:
        parse_config({**PLAIN, **table}, "c.json")
    assert "verysecret" not in str(refused.value)


@pytest.mark.parametrize("value", ["sk-verysecret", "", 5, ["gpt-4.1"]])
def test_cap_as_is_a_model_of_the_table(value: Any) -> None:
    """Anything else would be written into the responses file and change nothing; the models are listed."""
    with pytest.raises(
        ConfigError, match=r"c\.json: cap_as must be a model of the protocol's table: .*gpt-4\.1"
    ) as refused:
        parse_config({**PLAIN, "cap_as": value}, "c.json")
    assert "sk-verysecret" not in str(refused.value)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", r"no valid JSON \(line 1: Expecting value\)"),
        (b"{", r"no valid JSON \(line 1: Expecting property name enclosed in double quotes\)"),
        (b'{"a": 1,\n}', r"no valid JSON \(line 2: Expecting property name enclosed in double quotes\)|trailing comma"),
        (b'{"a": 1 "b"}', r"no valid JSON \(line 1: Expecting ',' delimiter\)"),
        (b"\xff", "not UTF-8 text"),
        (b"[" * 100_000, r"no valid JSON \(nested too deeply\)"),
    ],
)
def test_a_file_that_is_no_config_is_one_sentence(tmp_path: Path, content: bytes, said: str) -> None:
    """Empty, cut, of another charset, nested without end."""
    path = tmp_path / "config.json"
    path.write_bytes(content)
    with pytest.raises(ConfigError, match=said):
        load_config(path)
    with pytest.raises(ConfigError, match=r"gone\.json cannot be read \(No such file"):
        load_config(tmp_path / "gone.json")


def test_a_byte_order_mark_is_no_obstacle(tmp_path: Path) -> None:
    """Editors write them."""
    path = tmp_path / "config.json"
    path.write_bytes(b"\xef\xbb\xbf" + json.dumps(config_table()).encode())
    assert "tested" == load_config(path).contestant.model


def test_the_key_comes_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """API_KEY, then OPENAI_API_KEY, then none; a variable named in the config must be set."""
    endpoint = parse_config(PLAIN, "c").contestant
    assert endpoint.api_key() is None
    monkeypatch.setenv("OPENAI_API_KEY", "second")
    assert "second" == endpoint.api_key()
    monkeypatch.setenv("API_KEY", " first\n")
    assert "first" == endpoint.api_key()
    named = parse_config({**PLAIN, "api_key_env": "MINE"}, "c").contestant
    with pytest.raises(ConfigError, match="environment variable MINE that api_key_env of m names is not set"):
        named.api_key()
    for bad in ("ключ", "a\nb"):
        monkeypatch.setenv("MINE", bad)
        with pytest.raises(ConfigError, match="key in MINE holds characters") as refused:
            named.api_key()
        assert bad not in str(refused.value)


def test_the_public_address_has_no_credentials() -> None:
    """User, password and query are left out."""
    endpoint = parse_config({**PLAIN, "base_url": "https://u:p@host:8/v1/?key=k#f"}, "c").contestant
    assert "https://host:8/v1" == endpoint.public_url


JUDGE = {"name": "j", **PLAIN}


@pytest.mark.parametrize("variable", ["API_KEY", "OPENAI_API_KEY", "MY_KEY"])
@pytest.mark.parametrize("table", [{"model": "hunter2hunter2"}, {"base_url": f"{URL}/hunter2%68unter2"}])
def test_the_value_of_the_keys_variable_is_refused(
    monkeypatch: pytest.MonkeyPatch, variable: str, table: dict[str, Any]
) -> None:
    """Whatever it looks like, in the name or the path; in user and password it is where it belongs."""
    monkeypatch.setenv(variable, "hunter2hunter2")
    plain = {**PLAIN, "api_key_env": variable}
    with pytest.raises(ConfigError, match="holds a key") as refused:
        parse_config({**plain, **table}, "c.json")
    assert "hunter" not in str(refused.value)
    assert parse_config({**plain, "base_url": "https://ann:hunter2hunter2@host/v1"}, "c.json")


SECRET = "Tok.en-value.under_test-99"  # noqa: S105 - made for these tests
KEYED: dict[str, dict[str, Any]] = {
    "contestant": {**PLAIN, "api_key_env": "K"},
    "judge": {**PLAIN, "judges": [{**JUDGE, "api_key_env": "K"}]},
    "role": {**PLAIN, "roles": {"critic": [{**PLAIN, "api_key_env": "K"}]}},
}


def with_fields(owner: str, table: dict[str, Any]) -> dict[str, Any]:
    """The config whose `owner` names the variable, with more fields, judges and roles."""
    keyed = KEYED[owner]
    lists = {"judges": [*keyed.get("judges", []), *table.get("judges", [])]}
    return {**keyed, **table, **lists, "roles": {**keyed.get("roles", {}), **table.get("roles", {})}}


@pytest.mark.parametrize("owner", KEYED)
@pytest.mark.parametrize(
    "table",
    [
        {"model": SECRET},
        {"model": f"某模型/{SECRET}"},
        {"base_url": f"{URL}/{SECRET}"},
        {"base_url": f"http://{SECRET.replace('_', '%5F')}/v1"},
        {"base_url": f"http://{SECRET.lower()}.example/v1"},
        {"base_url": f"{URL};key={SECRET}"},
        {"base_url": f"{URL}?key={SECRET}"},
        {"caps": {SECRET: {"en": 1, "cjk": 1}}},
        {"judges": [{**JUDGE, "name": SECRET}]},
        {"judges": [{**JUDGE, "name": "second", "model": SECRET}]},
        {"judges": [{**JUDGE, "name": "second", "base_url": f"{URL}/{SECRET}"}]},
        {"roles": {SECRET: [PLAIN]}},
        {"roles": {"verifier": [{**PLAIN, "model": SECRET}]}},
        {SECRET: 1},
        {"judges": [{**JUDGE, "name": "second", SECRET: 1}]},
        {"roles": {"verifier": [{**PLAIN, SECRET: 1}]}},
        {"prices": {SECRET: 1}},
    ],
)
def test_the_value_of_any_keys_variable_is_refused_in_any_place(
    monkeypatch: pytest.MonkeyPatch, owner: str, table: dict[str, Any]
) -> None:
    """The contestant's key for a judge's name, a role's for the contestant's host: refused, and not repeated."""
    given = with_fields(owner, table)
    assert parse_config(KEYED[owner], "c.json")
    monkeypatch.setenv("K", f" {SECRET}\n")
    with pytest.raises(ConfigError) as refused:
        parse_config(given, "c.json")
    assert SECRET.lower() not in str(refused.value).lower()


def test_a_short_key_is_no_reason_to_refuse_a_name(monkeypatch: pytest.MonkeyPatch) -> None:
    """Local servers take any word for a key."""
    monkeypatch.setenv("API_KEY", "lm-studio")
    assert parse_config({**PLAIN, "model": "lm-studio-community/gpt"}, "c.json")


@pytest.mark.parametrize(
    ("field", "refusal"), [("hunter2hunter2", "holds a key"), ("model", "the key 'model' stands twice in one object")]
)
def test_a_key_that_stands_twice_is_refused(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, field: str, refusal: str
) -> None:
    """Of two values JSON keeps the last in silence, which hides a mistake; a secret is not repeated."""
    monkeypatch.setenv("K", "hunter2hunter2")
    path = tmp_path / "config.json"
    path.write_text(f'{{"judges": [{{"api_key_env": "K", "{field}": 1, "{field}": 2}}]}}', encoding="utf-8")
    with pytest.raises(ConfigError, match=refusal) as refused:
        load_config(path)
    assert "hunter" not in str(refused.value)


def test_the_schema_accepts_what_is_read_and_refuses_what_is_not() -> None:
    """`wildtrace config schema`: JSON Schema 2020-12, with every key and its meaning."""
    schema = json_schema()
    Draft202012Validator.check_schema(schema)
    validator = Draft202012Validator(schema)
    whole = {**PLAIN, "caps": {"m": {"en": 1, "cjk": 2}}, "cap_as": next(iter(CAPS)), "judges": [PLAIN, JUDGE]}
    whole |= {"roles": {role: [PLAIN] for role in ROLES}, "prices": {"in": 1, "out": 2.5}}
    assert parse_config(whole, "c")
    assert validator.is_valid(whole)
    for wrong in (
        {"prices": {"in": -1, "out": 1}},
        {"zzz": 1},
        {"roles": {"w": [PLAIN]}},
        {"cap_as": "z"},
        {"model": ""},
    ):
        assert not validator.is_valid({**whole, **wrong})
        with pytest.raises(ConfigError):
            parse_config({**whole, **wrong}, "c")
    described = schema["$defs"]["ConfigFile"]["properties"]
    assert set(CONFIG_KEYS) == {key for key, value in described.items() if value["description"]}
