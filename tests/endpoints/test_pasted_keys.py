"""A key in the place of a name or in an address is noticed; names of models are none."""

from __future__ import annotations

import random
import string

import pytest

from wildtrace.endpoints.pasted_keys import address_holds_key, holds_any, looks_like_key

NAMES = """
gpt-4.1 gpt-5.5 gpt-4o-mini-2024-07-18 o4-mini-deep-research-2025-06-26 chatgpt-4o-latest gpt-oss-120b
ft:gpt-4o-mini-2024-07-18:acme-research-lab::9xYzAbCd ft:gpt-3.5-turbo-0125:personal:long-suffix-name:AbC1dE2f
claude-opus-4.8 claude-sonnet-4-5-20250929 mr.claude-sonnet-4-6-20260217 anthropic.claude-3-5-sonnet-20241022-v2:0
us.anthropic.claude-3-7-sonnet-20250219-v1:0 bedrock/us-west-2.anthropic.claude-instant-v1
arn:aws:bedrock:us-east-1:123456789012:application-inference-profile/a1b2c3d4e5f6 gemini-2.5-flash
models/gemini-2.5-flash-preview-native-audio-dialog publishers/google/models/gemini-2.5-pro
projects/my-project-123456/locations/us-central1/endpoints/1234567890123456789 Qwen/Qwen3-235B-A22B-Instruct-2507
Qwen/Qwen2.5-VL-72B-Instruct-AWQ qwen3.5-plus Qwen3-Next-80B-A3B-Thinking-FP8
accounts/fireworks/models/llama-v3p1-405b-instruct accounts/acme/deployedModels/llama-v3p1-8b-instruct-a1b2c3d4
meta-llama/Meta-Llama-3.1-405B-Instruct-Turbo meta-llama/Llama-4-Maverick-17B-128E-Instruct-FP8
meta/llama-2-70b-chat:02e509c789964a7ea8736978a43525956ef40397be9033abf9fd2badfe68c9e3
deepseek-ai/DeepSeek-R1-Distill-Qwen-32B deepseek-ai/DeepSeek-V3.2-Exp DeepSeek-R1-0528-UD-IQ1_S.gguf
mistralai/Mixtral-8x22B-Instruct-v0.1 mistral-large-2411 NousHermesLlama2Yarn13b128k
nousresearch/hermes-3-llama-3.1-405b:free moonshotai/Kimi-K2-Instruct-0905 kimi-k2.6 zai-org/GLM-4.5-Air-FP8
doubao-seed-2.1 doubao-1-5-pro-256k-250115 ep-20240901123456-abcde minimax-m2.7 MiniMaxAI/MiniMax-Text-01
x-ai/grok-4-fast-non-reasoning @cf/meta/llama-3.1-8b-instruct microsoft/Phi-3-medium-128k-instruct
01-ai/Yi-1.5-34B-Chat-16K CohereForAI/c4ai-command-r-plus-08-2024 tiiuae/falcon-180B-chat
TheBloke/CodeLlama-34B-Instruct-GPTQ HuggingFaceTB/SmolLM2-135M-Instruct pplx-70b-online sonar-reasoning-pro
NeverSleep/Noromaid-v0.1-mixtral-8x7b-Instruct-v3-GGUF skt/kogpt2-base-v2
hf.co/bartowski/Llama-3.2-3B-Instruct-GGUF:Q4_K_M llama3.1:70b-instruct-q4_K_M gemma-3-27b-it-qat-q4_0-gguf
nvidia/llama-3_1-nemotron-ultra-253b-v1
/models/models--Qwen--Qwen2.5-7B-Instruct/snapshots/a09a35458c702b33eeacc393d103063234e8bc28
projects/3fa85f64-5717-4562-b3fc-2c963f66afa6/m sk-telecom-A.X-4.0-Light skt/sk-telecom-A.X-4.0-Light:q4_K_M
sk-hynix-korean-instruct-v2 lexical-reader no-document 通义千问-max ibm-granite/granite-3.3-8b-instruct EMPTY
local
"""
KEYS = """
sk-abcdefghijklmnopqrstuvwx sk-proj-Zx81_kLmNopQ-2rStUvWxYz0123456789 sk-ant-api03-AbCdEf0123456789-xyz
sk-or-v1-0123456789abcdef0123456789abcdef gsk_aB3dE5gH7jK9mN1pQ3sT5vW7 xai-aB3dE5gH7jK9mN1pQ3sT5vW7xY9z
hf_aBcDeFgHiJkLmNoPqRsTuVwX AIzaSyA1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q nvapi-aB3dE5gH7jK9mN1pQ3sT5vW7
AKIAIOSFODNN7EXAMPLE eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.abcDEF123456 0123456789abcdef0123456789abcdef
sk-0123456789abcdef sk-abcdefghijklmnop sk-secret-4f1c9b27d8 sk-ant-api03-A.b-C_d-E.f-G
3fa85f64-5717-4562-b3fc-2c963f66afa6 3FA85F64-5717-4562-B3FC-2C963F66AFA6
b6f1c8a0d7e94f1289ab34cd56ef7890.Xy3kLm9QwErTyUi8 r8_aB3dE5gH7jK9mN1pQ3sT5vW7 openai/sk-abcdefghijklmnopqrstuvwx
"""


@pytest.mark.parametrize("name", NAMES.split())
def test_a_models_name_is_no_key(name: str) -> None:
    """Names as endpoints, gateways, local servers and clouds write them, with sizes, dates and digests."""
    assert not looks_like_key(name)


@pytest.mark.parametrize("key", [*KEYS.split(), "Bearer abcdefgh1234"])
def test_a_key_is_one(key: str) -> None:
    """Of well-known services, and without a prefix; white space around it does not hide it."""
    assert looks_like_key(key)
    assert looks_like_key(f" {key}\n")


@pytest.mark.parametrize(("length", "least"), [(32, 990), (40, 995), (48, 998), (24, 850)])
def test_a_random_token_is_a_key(length: int, least: int) -> None:
    """Letters and digits without a prefix: nearly all of a thousand, the longer the surer."""
    rng = random.Random(7)
    tokens = ["".join(rng.choices(string.ascii_letters + string.digits, k=length)) for _ in range(1000)]
    assert sum(map(looks_like_key, tokens)) >= least


@pytest.mark.parametrize(
    "url",
    [
        "https://api.openai.com/v1",
        "http://127.0.0.1:8000/v1",
        "https://openrouter.ai/api/v1",
        "https://generativelanguage.googleapis.com/v1beta/openai/",
        "https://api.cloudflare.com/client/v4/accounts/0123456789abcdef0123456789abcdef/ai/v1",
        "https://gateway.ai.cloudflare.com/v1/0123456789abcdef0123456789abcdef/my-gateway/openai",
        "https://my-resource.openai.azure.com/openai/deployments/gpt-4o/?api-version=2024-10-21",
        "https://us-central1-aiplatform.googleapis.com/v1/projects/p-123/locations/us-central1/endpoints/openapi",
        "https://api.runpod.ai/v2/a1b2c3d4e5f6g7/openai/v1",
        "https://abcd1234efgh5678.us-east-1.aws.endpoints.huggingface.cloud/v1",
        "http://127.0.0.1:9/v1?token=token-8d1f0a6c5b3e29",
        "https://ann:sk-abcdefghijklmnopqrstuvwx@gateway.example/v1",
        "https://sk-telecom.example.com:8443/v1;version=2",
        "https://host/3fa85f64-5717-4562-b3fc-2c963f66afa6/v1",
        "https://abcdefghij0123456789klmnopqrstuv.lambda-url.us-east-1.on.aws/v1",
    ],
)
def test_an_address_is_no_key(url: str) -> None:
    """Ids of accounts and deployments belong into paths, versions and gateways' tokens into queries."""
    assert not address_holds_key(url)


@pytest.mark.parametrize("key", [key for key in KEYS.split() if "/" not in key and "sk-" in key])
def test_a_key_in_an_address_is_one(key: str) -> None:
    """In the path and in the query, percent-encoded too."""
    for text in (key, key.replace("-", "%2D")):
        assert address_holds_key(f"https://host/{text}/v1")
        assert address_holds_key(f"https://host/v1;{text}")
        assert address_holds_key(f"https://host/v1;key={text}/x")
        assert address_holds_key(f"https://host/v1/Bearer%20{text}")
        assert address_holds_key(f"https://host/v1?key={text}&x=1")


def test_a_key_in_a_host_is_one() -> None:
    """Alone, as a label, and before a port; the short one behind its scheme."""
    for host in (
        "sk-proj-abcdEFGH1234567890abcdEFGH",
        "sk-0123456789abcdef.invalid",
        "a.gsk_aB3dE5gH7jK9mN1pQ3sT5vW7:80",
    ):
        assert address_holds_key(f"https://{host}/v1")
    assert address_holds_key("https://host/v1/Bearer%20sk-abcdefghijkl")


def test_a_random_part_of_a_path_is_a_key() -> None:
    """It would be stored in every results file."""
    assert address_holds_key("https://host/Zx81kLmNopQ2rStUvWxYz0123aB4cD5e/v1")


@pytest.mark.parametrize(("key", "held"), [("pa55word", True), ("a-very-long-password", True), ("lm-studio", False)])
def test_a_known_key_is_found_whatever_it_looks_like(key: str, held: bool) -> None:
    """In a name or an address, encoded too; a word that local servers take for a key is none."""
    assert held == holds_any(key, [key])
    assert held == holds_any(f"/v1/{key.replace('-', '%2D')}", ["", key])
    assert not holds_any("gpt-4.1", [key, ""])
