"""Which buttons are the owner's, by their words in both languages."""

from pathlib import Path

import pytest
import yaml

from executors.steps.last_buttons import LastButton, is_secret, last_button, payment_sheet
from function_pool.risk import Risk

LABELS = yaml.safe_load(Path(__file__).with_name("labels.yaml").read_text("utf-8"))
OWNERS = [(kind, label) for kind, labels in LABELS["owner"].items() for label in labels]


def test_there_are_two_hundred_labels() -> None:
    assert len(OWNERS) >= 100
    assert len(LABELS["may"]) >= 100


@pytest.mark.parametrize("risk", Risk)
def test_what_pays_orders_sends_posts_deletes_or_grants_is_the_owners(risk: Risk) -> None:
    found = {label: last_button((label,), "", risk) for _, label in OWNERS}
    assert [label for label, kind in found.items() if kind is None] == []


def test_the_kind_is_the_one_that_the_words_say() -> None:
    wrong = [
        (kind, label, found)
        for kind, label in OWNERS
        if kind != "disguised" and (found := last_button((label,), "", Risk.R0)) != kind
    ]
    assert wrong == []


@pytest.mark.parametrize("risk", Risk)
def test_other_buttons_may_be_pressed_for_any_function(risk: Risk) -> None:
    assert [label for label in LABELS["may"] if last_button((label,), "", risk) is not None] == []


@pytest.mark.parametrize(
    "label", ["OK", "Yes", "Confirm", "Continue", "Next", "Done", "确定", "确认", "下一步", "完成"]
)
def test_a_button_that_confirms_anything_is_pressed_only_where_little_can_happen(label: str) -> None:
    assert last_button((label,), "", Risk.R1) is None
    assert last_button((label,), "", Risk.R2) is LastButton.CONFIRM


def test_a_button_without_words_is_pressed_only_where_little_can_happen() -> None:
    assert last_button((), "", Risk.R0) is None
    assert last_button((), "", Risk.R3) is LastButton.CONFIRM


@pytest.mark.parametrize(
    "name", ["com.x:id/btn_pay", "com.x:id/placeOrder", "com.x:id/send_message_button", "a:id/delete"]
)
def test_the_name_of_a_view_counts_like_a_label(name: str) -> None:
    assert last_button((), name, Risk.R0) is not None
    assert last_button(("Hello",), name, Risk.R0) is not None


def test_a_description_beside_a_label_is_read_as_prose() -> None:
    texts = ("Noodle House", "Hand pulled noodles that we deliver when you order and pay online")
    assert last_button(texts, "", Risk.R3) is None


@pytest.mark.parametrize(
    "label", ["Password", "Enter PIN", "CVV", "Card number", "密码", "请输入验证码", "身份证号码", "OTP"]
)
def test_fields_for_secrets_are_known_by_their_words(label: str) -> None:
    assert is_secret((label,), "")


@pytest.mark.parametrize("label", ["Search", "Message", "Name", "Address", "搜索", "备注", "Shopping list"])
def test_other_fields_are_not(label: str) -> None:
    assert not is_secret((label,), "")


@pytest.mark.parametrize(
    "text", ["Confirm payment", "Enter payment password", "Pay with Visa", "请输入支付密码", "确认付款"]
)
def test_a_payment_sheet_is_known_by_its_words(text: str) -> None:
    assert payment_sheet(["Hello", text]) == text


def test_an_ordinary_page_is_no_payment_sheet() -> None:
    assert payment_sheet(["Total", "¥69", "Place order", "Delivery", "付款码", "Payment methods"]) == ""
