"""The offline models: what each answers, and what of a prompt reaches them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.endpoints.offline.test_parsing import asked, grading
from wildtrace.endpoints.offline.models import (
    CONTESTANTS,
    FIRST_LIMIT,
    MODELS,
    READ_LIMIT,
    ContextWindow,
    Cut,
    complete,
    echo_codes,
    first_passages,
    lexical_reader,
    no_document,
)
from wildtrace.endpoints.offline.passages import IndexCache
from wildtrace.endpoints.offline.wire import ApiError, ChatRequest, Message
from wildtrace.errors import UsageError

CACHE = IndexCache()
OPEN = ContextWindow()
FILLER = "The weather was fair and the road went on through quiet fields. "
ZH_FILLER = "天气晴好，道路穿过安静田野，行人稀少。"


def chat(model: str, prompt: str, max_tokens: int | None = None) -> ChatRequest:
    """One user turn."""
    return ChatRequest(model, [Message("user", prompt)], max_tokens=max_tokens)


@pytest.mark.parametrize("model", CONTESTANTS)
def test_every_contestant_answers_the_protocols_prompt(model: str) -> None:
    """None is silent, and each says when it is finished."""
    completion = complete(chat(model, asked("Who?", "Ann AB1234CD. " * 50)), 1, OPEN, CACHE)
    assert completion.content
    assert "stop" == completion.finish_reason


def test_tokens_are_estimated_at_the_protocols_rates() -> None:
    """3.3 characters a token in English, 1.5 in Chinese, by the document's script and not the question's."""
    english, chinese = asked("Who?", "Ann. " * 200), asked("谁？", "水闸。" * 200)
    assert round(len(english) / 3.3) == complete(chat("no-document", english), 1, OPEN, CACHE).prompt_tokens
    mixed = asked("是谁在深夜里把水闸的闸门打开又关上然后逃走的呢请说明缘由", "Ann. " * 200)
    assert round(len(mixed) / 3.3) == complete(chat("no-document", mixed), 1, OPEN, CACHE).prompt_tokens
    assert round(len(chinese) / 1.5) == complete(chat("no-document", chinese), 1, OPEN, CACHE).prompt_tokens


def test_a_completion_budget_cuts_the_answer_and_says_so() -> None:
    """`max_tokens` ends the answer with finish reason length."""
    completion = complete(chat("first-passages", asked("Who?", "Ann opened the valve. " * 50), 10), 1, OPEN, CACHE)
    assert ("length", 33, 10) == (completion.finish_reason, len(completion.content), completion.completion_tokens)


def test_a_budget_that_just_fits_cuts_nothing() -> None:
    """An answer of exactly `max_tokens` tokens is finished."""
    prompt = asked("Who?", "x" * 33)
    assert "stop" == complete(chat("first-passages", prompt, 10), 1, OPEN, CACHE).finish_reason
    assert "length" == complete(chat("first-passages", prompt, 9), 1, OPEN, CACHE).finish_reason


def test_a_cut_in_the_middle_keeps_as_much_of_either_end() -> None:
    """Half of the room goes to the start, half to the end."""
    assert "abyz" == ContextWindow(3, "middle").visible("abcdefghijklmnopqrstuvwxyz"[:26], cjk=True)


def test_a_prompt_beyond_the_window_is_an_error() -> None:
    """HTTP 400 with the code that names context length, and both numbers in the message."""
    with pytest.raises(ApiError, match=r"is 100 tokens\. Your messages have 337") as caught:
        complete(chat("echo-codes", asked("Codes?", "x" * 1000)), 1, ContextWindow(100), CACHE)
    assert (400, "context_length_exceeded") == (caught.value.status, caught.value.code)


@pytest.mark.parametrize(
    ("cut", "expected"),
    [("end", "AA0000AA"), ("front", "CC2222CC"), ("middle", "AA0000AA CC2222CC")],
)
def test_a_silent_cut_loses_the_codes_that_stood_there(cut: Cut, expected: str) -> None:
    """What is cut away never reaches the model, and usage counts what was kept."""
    filler = "plain words\n\n" * 100
    prompt = asked("Codes?", f"AA0000AA {filler}BB1111BB {filler}CC2222CC")
    completion = complete(chat("echo-codes", prompt), 1, ContextWindow(200, cut), CACHE)
    assert expected == completion.content
    assert completion.prompt_tokens == pytest.approx(200, abs=1)


@given(st.integers(1, 400), st.sampled_from(["front", "middle", "end"]), st.booleans())
def test_what_is_kept_fits_the_window(tokens: int, cut: Cut, cjk: bool) -> None:
    """A cut prompt is a start and an end of the prompt, as long as the window allows."""
    prompt = "".join(chr(0x4E00 + number) for number in range(500))
    visible = ContextWindow(tokens, cut).visible(prompt, cjk=cjk)
    rate = 1.5 if cjk else 3.3
    assert (500 if round(500 / rate) <= tokens else int(tokens * rate)) == len(visible)
    assert any(
        prompt == visible[:n] + prompt[n : n + 500 - len(visible)] + visible[n:] for n in range(len(visible) + 1)
    )


def test_a_cut_without_a_window_is_refused() -> None:
    """Where to cut says nothing without how much fits."""
    with pytest.raises(UsageError, match="--context-tokens"):
        ContextWindow(cut="front")


def test_an_unknown_model_is_named_with_those_there_are() -> None:
    """HTTP 404 lists the offline models."""
    with pytest.raises(
        ApiError, match="lexical-reader, first-passages, no-document, echo-codes, lexical-judge"
    ) as caught:
        complete(chat("gpt", "x"), 1, OPEN, CACHE)
    assert 404 == caught.value.status
    assert 5 == len(MODELS)


def test_the_judge_refuses_what_is_no_judge_prompt() -> None:
    """A contestant's prompt sent to the judge is an error of the caller."""
    assert complete(chat("lexical-judge", grading("Q", [(100, "Ann")], "Ann")), 1, OPEN, CACHE).content
    with pytest.raises(ApiError, match="judge prompt") as caught:
        complete(chat("lexical-judge", asked("Who?", "Ann")), 1, OPEN, CACHE)
    assert 400 == caught.value.status


def test_the_reader_answers_with_the_passages_that_share_the_questions_words() -> None:
    """Far apart evidence comes together in document order, and the filler stays away."""
    document = (
        FILLER * 300 + "\n\nAnn bolted the sluice at dawn.\n\n" + FILLER * 300 + "\n\nBob unbolted the sluice at noon."
    )
    answer = lexical_reader(asked("Who bolted and unbolted the sluice?", document), IndexCache())
    assert 0 <= answer.find("Ann bolted") < answer.find("Bob unbolted")
    assert len(answer) < 1500


def test_the_reader_reads_chinese() -> None:
    """The same in Chinese, on a book of one line."""
    document = ZH_FILLER * 300 + "沈砚清在卯时关闭水闸。" + ZH_FILLER * 300 + "陆文柏在午时打开水闸。"
    answer = lexical_reader(asked("谁关闭水闸，谁打开水闸？", document), IndexCache())
    assert 0 <= answer.find("沈砚清") < answer.find("陆文柏")


def test_an_answer_has_at_most_twelve_passages_and_leaves_room_for_what_parts_them() -> None:
    """Twelve short ones of forty; of long ones as many as fit, the blank lines between them counted."""
    short = lexical_reader(
        asked("Who opened the sluice?", ("The sluice again" + "." * 300 + "\n\n") * 40), IndexCache()
    )
    assert 12 == len(short.split("\n\n"))
    long = lexical_reader(asked("水闸？", ("水闸" + "丙" * 405 + "。") * 12), IndexCache())
    assert 11 == len(long.split("\n\n"))


@given(st.text(st.characters(exclude_categories=["Cs"])), st.text("ab 水闸.。\n", max_size=9000))
def test_an_answer_is_made_of_the_document_and_fits_what_a_judge_reads(question: str, document: str) -> None:
    """Every piece of an answer stands in the document, and the whole is at most what the judge sees."""
    answer = lexical_reader(asked("about " + question, document), IndexCache())
    assert len(answer) <= READ_LIMIT
    assert all(piece in document for piece in answer.split("\n\n"))


def test_a_question_that_shares_no_word_gets_the_beginning() -> None:
    """No overlap is answered with the document's beginning, not with nothing."""
    assert FILLER.strip() == lexical_reader(asked("Why?", FILLER), IndexCache()).strip()


def test_first_passages_is_the_beginning_and_no_document_is_the_question() -> None:
    """The two lower baselines see what their names say."""
    document = "".join(f"{number} " for number in range(5000))
    assert document[:FIRST_LIMIT] == first_passages(asked("Why?", document))
    assert "Going by the question alone: Why?" == no_document(asked("Why?", document))


@pytest.mark.timeout(60)
def test_three_million_characters_are_read_in_linear_time() -> None:
    """The longest document the default cap lets through, with as many different words as a real one."""
    document = "".join(f"Clerk {number % 9973} wrote entry {number} of the ledger. " for number in range(75_000))
    prompt = asked("Who wrote entry 4711?", document[:3_000_000])
    assert "4711" in lexical_reader(prompt, IndexCache())


def test_every_code_of_the_document_is_repeated_once_in_order() -> None:
    """Codes stand free or against Chinese text; look-alikes and the question's own are none."""
    document = "First QX1234ZB here. 密码是AB0001CD。AB12345CD aAB1234CD ab1234cd QX1234ZB"
    assert "QX1234ZB AB0001CD" == echo_codes(asked("Like AA1111AA?", document))


def test_a_document_without_codes_is_answered_all_the_same() -> None:
    """An answer is never empty: that would be a failed response, not a lost code."""
    assert "No code." == echo_codes(asked("Codes?", "nothing"))
