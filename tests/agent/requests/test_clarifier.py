import pytest
from pydantic import JsonValue

from agent.requests.clarifier import answer_value
from function_pool.spec import default_pool
from heed.errors import UsageError
from heed.language import Language
from models.values.person import Person
from tests.agent.make import NOON


def value(function: str, name: str, words: str) -> tuple[str, JsonValue]:
    return answer_value(default_pool().get(function), name, words, NOON, Person(), Language.EN)


@pytest.mark.parametrize(
    ("function", "name", "words", "read"),
    [
        ("check_shopping_order", "platform_info", "jd", "JD"),
        ("set_alarm", "time", "half past six", "06:30"),
        ("send_sms", "recipient", "Bob", "Bob"),
        ("send_sms", "content", "I am late", "I am late"),
        ("make_phone_call", "contact_name", "Bob", "Bob"),
    ],
)
def test_an_answer_is_read_as_a_value_of_its_parameter(function: str, name: str, words: str, read: str) -> None:
    assert value(function, name, words) == (name, read)


def test_a_number_answers_the_question_whom_to_call() -> None:
    assert value("make_phone_call", "contact_name", "01632 960983")[0] == "phone_number"


def test_an_answer_that_is_no_value_is_refused() -> None:
    with pytest.raises(UsageError):
        value("set_alarm", "time", "whenever you like")
