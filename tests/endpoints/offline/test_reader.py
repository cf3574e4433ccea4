import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.endpoints.offline.test_parsing import asked
from wildtrace.endpoints.offline.passages import IndexCache
from wildtrace.endpoints.offline.reader import FIRST_LIMIT, READ_LIMIT, first_passages, lexical_reader, no_document

FILLER = "The weather was fair and the road went on through quiet fields. "
ZH_FILLER = "天气晴好，道路穿过安静田野，行人稀少。"


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
