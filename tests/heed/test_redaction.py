"""What is a secret, what only looks like one."""

from pathlib import Path

import pytest
import yaml
from hypothesis import example, given
from hypothesis import strategies as st
from pydantic import JsonValue

from heed.redaction import holds_secret, redact, redact_fields, redact_message, redact_together, redact_value

SECRETS = [
    # one-time codes, English
    ("Your verification code is 482913.", "482913"),
    ("482913 is your Google verification code", "482913"),
    ("G-482913 is your Google verification code.", "G-482913"),
    ("Your code is 482913", "482913"),
    ("this is Bob's parcel service, your code is 482913", "482913"),
    ("Use code: 482 913 to log in", "482 913"),
    ("OTP for your transaction of Rs 4500.00 is 773301. Do not share it.", "773301"),
    ("<#> 884422 is your one-time password. Valid for 10 minutes", "884422"),
    ("Your login code: A3F9K2", "A3F9K2"),
    ("Use the verification code below to sign in.\n\n482913\n\nIt expires in 15 minutes.", "482913"),
    ("Your PIN is 4821", "4821"),
    ("Your code is 2019", "2019"),
    ("WhatsApp code 482-913. Don't share this code with others", "482-913"),
    ("Enter passcode 55120 to confirm your booking on 2026-02-06 at 15:30", "55120"),
    ("[Bank] Security code 190233, amount 2500 yuan, call 95533 if this was not you", "190233"),
    ("CVV 123", "123"),
    # one-time codes, Chinese
    ("【工商银行】您的验证码为482913，5分钟内有效。", "482913"),
    ("【京东】验证码：8372，请勿泄露", "8372"),
    ("482913（登录验证码），如非本人操作请致电95533", "482913"),
    ("【支付宝】您正在付款1500元，校验码660912，切勿告诉他人", "660912"),
    ("您于2026年2月6日申请的动态密码是 551203", "551203"),
    ("验证码已发送：4411，15分钟内有效", "4411"),
    ("您的驗證碼是 903311", "903311"),
    ("链接: https://pan.example/s/1 提取码: x7k2", "x7k2"),
    ("开门密码是 482913#", "482913"),
    ("１２３４５６是您的验证码", "１２３４５６"),
    # cards and accounts
    ("Card 4111 1111 1111 1111 expires 12/27", "4111 1111 1111 1111"),
    ("付款卡4111111111111111已绑定", "4111111111111111"),
    ("Amex 3782-822463-10005", "3782-822463-10005"),
    ("卡号：6217000010001234567", "6217000010001234567"),
    ("Account number: 0012 3456 7890", "0012 3456 7890"),
    ("IBAN DE89 3704 0044 0532 0130 00", "DE89 3704 0044 0532 0130 00"),
    ("GB82WEST12345698765432 is the account", "GB82WEST12345698765432"),
    # identity
    ("身份证11010519491231002X", "11010519491231002X"),
    ("我的身份证号是110105194912310021", "110105194912310021"),
    ("SSN 078-05-1120", "078-05-1120"),
    ("护照号：E12345678", "E12345678"),
    ("Passport number is 123456789", "123456789"),
    ("NI number AB123456C", "AB123456C"),
    # keys and passwords
    ("密钥sk-proj-abcdefghijklmnop1234", "sk-proj-abcdefghijklmnop1234"),
    ("token ghp_abcdefghijklmnopqrstuvwxyz0123456789", "ghp_abcdefghijklmnopqrstuvwxyz0123456789"),
    ("AKIAIOSFODNN7EXAMPLE", "AKIAIOSFODNN7EXAMPLE"),
    ("Authorization: Bearer abcdefghijklmnop.qrst", "abcdefghijklmnop.qrst"),
    ("https://x.example/cb?access_token=abcdef123456&x=1", "abcdef123456"),
    ("eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N", "dozjgNryP4J3jVmNHl0w5N"),
    ("-----BEGIN RSA PRIVATE KEY-----\nMIIEow\nIBAAKCAQ\n-----END RSA PRIVATE KEY-----", "MIIEow"),
    ("-----BEGIN PRIVATE KEY-----\nMIIEvQ cut off here", "MIIEvQ"),
    ("Wi-Fi password: hunter2!", "hunter2!"),
    ("the password is hunter2", "hunter2"),
    ("家里WiFi密码：abcd1234", "abcd1234"),
]

HARMLESS = [
    # prices, quantities
    "Total 1500 yuan, 20% off",
    "共消费1500元，余额23456.78元",
    "Your order of $4500 ships in 3 days",
    "¥12800 已到账",
    # times, dates, years
    "Meeting at 1530 on 2026-02-06, room 4021",
    "会议 2026年2月6日 15:30 开始",
    "Happy 2026! See you at 10:00",
    "It is Thursday 13 November 2025, 20:16",
    "2026-02-06T16:10:00+08:00",
    # phone numbers
    "Hi, this is Bob, my new number is 555-0199.",
    "+86 139-0000-1024",
    "call me at +1 210 555 0164",
    "请致电400-820-8820或95533",
    "我的新号码是13900001024",
    "Sender 10690000123456",
    # public codes
    "Use promo code SAVE2026 for 20% off",
    "The zip code is 94107",
    "error code 4041 in production",
    "Scan the QR code at gate 1204",
    "The country code is 8610",
    "code review at 1530, 4 people",
    "邮政编码100080",
    # identifiers that are no secrets
    "SF1234567890123 has left the depot",
    "订单号 202602061234",
    "1770360000000",
    "com.google.android.apps.messaging",
    "北京市海淀区知春路 6 号院 锦秋国际大厦 1202室",
    "Flight CA1234 departs at 18:05",
    "Screenshot_20260206-211530.png",
    "尾号1234的储蓄卡",
    # near a code word, but something else
    "We never ask for your verification code by phone: call 95533",
    "验证码将在10分钟后失效，共1500人参加活动",
    "password is required",
    "The password must have 12 characters",
    "PIN codes are changed every 90 days",
    "Security update 2026 is ready",
]


@pytest.mark.parametrize(("text", "secret"), SECRETS)
def test_a_secret_is_replaced_by_a_label(text: str, secret: str) -> None:
    shown = redact(text)
    assert secret not in shown
    assert any(label in shown for label in ("[code]", "[card]", "[id]", "[key]"))


@pytest.mark.parametrize("text", HARMLESS)
def test_what_only_looks_like_a_secret_is_left_alone(text: str) -> None:
    assert redact(text) == text


def _with_check_digit(digits: str) -> str:
    """ISO/IEC 7812-1 annex B: the digit that makes the Luhn sum a multiple of ten."""
    doubled = [int(digit) * (2 if place % 2 == 0 else 1) for place, digit in enumerate(reversed(digits))]
    return digits + str(-sum(value // 10 + value % 10 for value in doubled) % 10)


@given(st.from_regex(r"(4[0-9]{14}|5[1-5][0-9]{13}|62[0-9]{13,16}|3[47][0-9]{12})", fullmatch=True))
def test_every_card_number_with_a_right_check_digit_is_hidden(digits: str) -> None:
    number = _with_check_digit(digits)
    assert number not in redact(f"paid with {number} today")
    assert number not in redact(f"尾款已用{number}支付")


@given(
    st.from_regex(r"[0-9]{6}", fullmatch=True),
    st.sampled_from(
        [
            "Your verification code is {}",
            "{} is your security code",
            "您的验证码是{}，请勿泄露",
            "【某行】验证码 {} 用于登录",
            "OTP: {}",
            "{}（动态码）",
            "Use {} as your login code",
            "Your one-time password: {}.",
        ]
    ),
)
def test_every_six_digit_code_is_hidden_however_it_is_announced(code: str, sentence: str) -> None:
    assert code not in redact(sentence.format(code))


FRAGMENTS = st.sampled_from(
    [
        "code",
        "验证码",
        " is ",
        "：",
        "482913",
        "4111111111111111",
        " ",
        "password",
        "pin",
        "[code]",
        "[card]",
        "card",
        "(",
        "]",
        "your ",
        "2026",
        "元",
        "1500",
        "token=",
        "abcdef12345",
        "身份证",
        "call ",
        "A3F9K2",
        "\n",
        "是",
        "passport",
        "E12345678",
    ]
)


@given(st.lists(FRAGMENTS, max_size=12).map("".join))
@example("身份证482913card4111111111111111")
@example("passport482913passportE12345678")
@example("1500 is 482913验证码")
@example("验证码1500call 1500验证码")
def test_redacting_twice_is_redacting_once(text: str) -> None:
    once = redact(text)
    assert redact(once) == once


def test_a_number_before_a_code_is_no_second_code() -> None:
    assert redact("1500 is 482913验证码") == "1500 is [code]验证码"


@given(st.text())
def test_any_text_can_be_redacted(text: str) -> None:
    redact(text)


def test_a_value_is_redacted_all_the_way_down_but_identifiers_stay() -> None:
    sms: JsonValue = {
        "number": "4111111111111111",
        "text": "your code is 482913",
        "parts": ["OTP 112233"],
        "read": False,
    }
    assert redact_value([sms]) == [
        {"number": "4111111111111111", "text": "your code is [code]", "parts": ["OTP [code]"], "read": False}
    ]


MESSAGES = yaml.safe_load(Path(__file__).with_name("secrets.yaml").read_text("utf-8"))


FIELDS = ("title", "text", "sender")


def _redacted(message: dict[str, str]) -> str:
    return "\n".join(redact_message(**{name: message.get(name, "") for name in FIELDS}))


@pytest.mark.parametrize("message", MESSAGES["secrets"], ids=str)
def test_no_secret_of_a_message_is_left(message: dict[str, str]) -> None:
    secrets = message["secret"] if isinstance(message["secret"], list) else [message["secret"]]
    shown = _redacted(message)
    assert not [secret for secret in secrets if secret in shown]
    assert redact(shown) == shown


def test_at_most_three_percent_of_harmless_messages_are_touched() -> None:
    touched = [one for one in MESSAGES["harmless"] if _redacted(one) != "\n".join(one.get(name, "") for name in FIELDS)]
    assert len(MESSAGES["secrets"]) >= 120
    assert len(MESSAGES["harmless"]) >= 120
    assert len(touched) <= 0.03 * len(MESSAGES["harmless"]), touched


def test_the_words_of_a_code_may_stand_in_another_text_of_the_message() -> None:
    assert redact("482913") == "482913"
    assert redact_message(title="Your verification code", text="482913") == ("Your verification code", "[code]", "")
    assert redact_together(["Bank", "验证码", "482913"]) == ["Bank", "验证码", "[code]"]
    notification = {"title": "Verification code", "text": "4829", "big_text": "4829 is valid for 5 min", "time": "1530"}
    assert redact_fields(notification) == notification | {"text": "[code]", "big_text": "[code] is valid for 5 min"}
    assert holds_secret(["Enter your one-time password", "", "482 913"])
    assert not holds_secret(["Enter your one-time password", "Cancel"])


def test_a_code_is_removed_wherever_it_stands_in_the_message() -> None:
    message = redact_message(title="482913", text="482913 is your verification code. Tap 482913 to copy.")
    assert "482913" not in "".join(message)


@given(st.lists(st.one_of(FRAGMENTS, st.text(max_size=20)), min_size=1, max_size=4))
def test_every_text_of_a_message_is_returned_in_its_place(texts: list[str]) -> None:
    assert len(redact_together(texts)) == len(texts)


@pytest.mark.parametrize(
    "piece", ["verification code 123456 code 1234 ", "code ", " ", "eyJ-", "http://a:b", "abandon "]
)
def test_long_texts_are_redacted(piece: str) -> None:
    redact(piece * (100_000 // len(piece)))


def test_times_beside_a_text_stay_whole() -> None:
    text, start = "please send it back to this account", "2026-02-09T16:23:00+08:00"
    assert redact_fields({"title": text, "start": start, "day": "2026-02-09"}) == {
        "title": text, "start": start, "day": "2026-02-09",
    }  # fmt: skip
