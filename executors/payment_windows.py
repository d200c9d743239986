"""The windows in which people pay: wallets, banks, and the payment pages of other apps."""

import re

_PAYMENT = re.compile(
    r"com\.eg\.android\.AlipayGphone/|com\.unionpay/|com\.paypal\.android\.p2pmobile/|com\.mipay\.wallet/"
    r"|com\.google\.android\.apps\.wallet\w*/|com\.samsung\.android\.(?:spay|samsungpay)\w*/|com\.huawei\.wallet/"
    r"|com\.tencent\.mm/.*\.(?:wallet|remittance|offline)\.|com\.coinbase\.android/|com\.revolut\.revolut/"
    r"|cmb\.pb/|com\.icbc/|com\.chinamworld\.main/|com\.android\.bankabc/|com\.chinamworld\.bocmbci/|com\.yitong\.mbank"
    r"|(?=[\w.]*+/)[\w.]*?\.(?:mobile)?bank",
    re.IGNORECASE,
)


def is_payment_window(title: str) -> bool:
    """Whether ``package/activity`` is a window of a wallet, a bank or an app's payment page."""
    return _PAYMENT.match(title) is not None
