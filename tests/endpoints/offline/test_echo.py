from tests.endpoints.offline.test_parsing import asked
from wildtrace.endpoints.offline.echo import echo_codes


def test_every_code_of_the_document_is_repeated_once_in_order() -> None:
    """Codes stand free or against Chinese text; look-alikes and the question's own are none."""
    document = "First QX1234ZB here. 密码是AB0001CD。AB12345CD aAB1234CD ab1234cd QX1234ZB"
    assert "QX1234ZB AB0001CD" == echo_codes(asked("Like AA1111AA?", document))


def test_a_document_without_codes_is_answered_all_the_same() -> None:
    """An answer is never empty: that would be a failed response, not a lost code."""
    assert "No code." == echo_codes(asked("Codes?", "nothing"))
