"""Secrets that are named by a word before them, and those in links."""

import re
from typing import NamedTuple

from heed.redaction.shapes import END

_IS = (
    r"[\s:：=#]{0,8}(?:(?:no\.?|nr\.?|n[°º]|№|number|numéro|número|номер|番号|번호|is|was|ist|est|es|号码?|號碼?|"
    r"字號|为|為|是|は)"
    r"[\s:：=#]{1,8}|(?:号码?|號碼?|字號|番号|번호|为|為|是|は)[\s:：=#]{0,8}){0,3}"
)
_EQUALS = r"[\"']?\s{0,8}[:：=]\s{0,8}[\"']?"


class NamedSecret(NamedTuple):
    """One kind of value and the words that name it."""

    label: str
    stems: tuple[str, ...]
    """One of these must be there at all, case-folded: looking for them first is ten times as fast."""
    pattern: re.Pattern[str]
    """Its first group stays, the rest is the value."""

    def redact(self, text: str, folded: str) -> str:
        return self.pattern.sub(rf"\1[{self.label}]", text) if any(stem in folded for stem in self.stems) else text


_SIGN_IN_STEMS = (
    "passw", "passphrase", "passcode", "pwd", "pw", "kennwort", "mot de passe", "contraseña", "contrasena", "clave",
    "senha",
    "парол", "パスワード", "비밀번호", "şifre", "parola", "mật khẩu", "รหัสผ่าน", "kata sandi", "hasło", "wachtwoord",
    "lösenord", "passord", "adgangskode", "salasana", "heslo", "jelszó", "parol", "κωδικός", "סיסמ", "كلمة", "पासवर्ड",
    "密码", "密碼", "口令",
)  # fmt: skip
_SIGN_IN = (
    r"(?:password|passwd|passwort|passphrase|passcode|pwd|\bpw|kennwort|mot de passe|contrase[ñn]a|clave|senha|пароль|"
    r"パスワード|비밀번호|şifre|parola|mật khẩu|รหัสผ่าน|kata sandi|hasło|wachtwoord|lösenord|passord|adgangskode|"
    r"salasana|"
    r"heslo|jelszó|parol[ăa]|κωδικός(?: πρόσβασης)?|סיסמ[הא]|كلمة (?:المرور|السر)|पासवर्ड|密码|密碼|口令)"
    r"(?: \(?(?:wi-?fi|wlan)\)?)?"
)
_SIGN_IN_IS = (
    r"(?:is|ist|lautet|est|es|è|é|this|to|jest|adalah|là|är|er|on|je|este|είναι|это|是|为|為|は|는|은|คือ|הוא|"
    r"הא|هي|هو|है)"
)
_NO_LABEL = r"(?!\[(?:card|code|id|key)\])"
"""A label stands for what was redacted there: what is no value in front of a secret is none in front of its label."""
_ID_VALUE = (
    r"(?:[A-Z]{0,4}\d(?:[ ./-]?\d){4,18}(?:[ -]?[A-Z\d*]{1,2})?|(?=(?:[A-Z]{0,8}\d){3})[A-Z\d]{7,18}|"
    r"[A-Z]?\d{6,18}[\d*]{1,12})" + END + _NO_LABEL
)

NAMED: tuple[NamedSecret, ...] = (
    NamedSecret("key", ("bearer",), re.compile(r"(\bbearer\s{1,8})[-\w.~+/]{12,}+=*", re.I | re.A)),
    NamedSecret(
        "key",
        ("authorization",),
        re.compile(r"(\bauthorization:\s{0,8}basic\s{1,8})[\w+/]{8,}+=*", re.I | re.A),
    ),
    NamedSecret("key", ("cookie",), re.compile(r"(\bcookie:\s{0,8})(?=[\w.-]{1,80}=)[^\n\x1d]{3,4096}", re.I)),
    NamedSecret(
        "key",
        ("key", "token", "secret", "signature", "session", "csrf"),
        re.compile(
            rf"((?:(?:api|access|secret|account)[-_ ]?key|token|client[-_]?secret|signature|session_?id|"
            rf"csrf\w{{0,12}}){_EQUALS})"
            r"[-\w.~+/%]{8,}+=*",
            re.I | re.A,
        ),
    ),
    NamedSecret(
        "key",
        ("private", "seed"),
        re.compile(r"((?:private[ _]?key|seed)[\s:=]{1,8}(?:0x)?)[0-9a-f]{64}" + END, re.I),
    ),
    NamedSecret(
        "key",
        ("setup key", "secret key", "entry key", "密钥"),
        re.compile(r"((?:(?:setup|secret|entry) key|密钥)[\s:：]{1,8})[A-Z2-7]{4}(?:[ -]?[A-Z2-7]{4}){3,15}" + END,
        re.I),
    ),
    NamedSecret(
        "code",
        ("backup", "recovery", "emergency", "备用", "恢复"),
        re.compile(
            r"((?:(?:backup|recovery|emergency)[- ]codes?|备用(?:验证)?码|恢复码)[\s:：是]{0,8})"
            r"(?=[A-Z]{0,8}\d)[A-Z\d]{4,12}(?:[-\s,;、，]{1,3}(?=[A-Z]{0,8}\d)[A-Z\d]{4,12}){0,40}",
            re.I,
        ),
    ),
    NamedSecret("key", ("wifi:",), re.compile(r"(\bWIFI:[^\n\x1d]{0,200}?P:)[^;\n\x1d]{1,128}", re.I)),
    NamedSecret("key", _SIGN_IN_STEMS, re.compile(rf"({_SIGN_IN}\s{{0,8}}[:：=]\s{{0,8}})(?!\[)[!-~]{{4,}}+", re.I)),
    NamedSecret(
        "key",
        _SIGN_IN_STEMS,
        re.compile(
         rf"({_SIGN_IN}\s{{0,8}}{_SIGN_IN_IS}\s{{0,8}}(?:(?:still|now|"
         rf"again)\s{{1,8}})?)(?=[!-/:-~]{{0,64}}\d)[!-~]{{4,}}+", re.I),
    ),
    NamedSecret(
        "id",
        ("passport", "护照", "護照", "passeport", "pasaporte", "passaporto", "passaporte", "reisepass", "паспорт",
         "여권",
         "旅券", "パスポート", "pasaport", "paszport", "通行证", "通行證"),
        re.compile(
            rf"((?:passport|护照|護照|passeport|pasaporte|passaport[oe]|reisepass|паспорт|여권|旅券|パスポート|"
            rf"pasaport|paszport"
            rf"|通行[证證]){_IS}){_ID_VALUE}",
            re.I,
        ),
    ),
    NamedSecret(
        "id",
        ("身份证", "身分證", "身份證", "社保", "医保", "驾驶证", "social security", "licen", "führerschein", "permis",
         "aadhaar",
         "cpf", "dni", "nie", "codice fiscale", "sécurité sociale", "pesel", "주민", "マイナンバー", "nric", "kimlik",
         "снилс",
         "инн", "steuer", "medicare", "personalausweis", "curp", "bsn", "personnummer", "nhs", "cédula", "ktp", "nik",
         "tax id", "sin"),
        re.compile(
            rf"((?:身份[证證]|身分證|社保卡?|医保卡?|驾驶证|social security|driv(?:er'?s|ing) licen[cs]e|führerschein|"
            rf"permis de conduire|aadhaar|\bcpf|\bdni|\bnie|codice fiscale|sécurité sociale|pesel|주민등록|"
            rf"マイナンバー|nric|"
            rf"kimlik|снилс|\bинн|steuer-?(?:id|nummer|identifikationsnummer)|medicare|personalausweis|curp|\bbsn|"
            rf"personnummer|"
            rf"\bnhs|cédula|\bktp|\bnik|\btax id|(?-i:\bSIN)){_IS}){_ID_VALUE}",
            re.I,
        ),
    ),
    NamedSecret(
        "card",
        ("卡", "账号", "帐号", "账户", "帳號", "iban", "card", "account", "acct", "konto", "compte", "cuenta", "conto",
         "conta",
         "сч", "口座", "계좌", "rekening", "clabe", "kreditkarte", "карт", "tarjeta", "carte"),
        re.compile(
            rf"((?:卡号|银行卡|账号|帐号|账户|帳號|iban|card|account|acct|konto(?:nummer)?|compte|cuenta|conto|"
            rf"conta|сч[её]т|口座|계좌|"
            rf"rekening|clabe|kreditkarte|карт[аы]|tarjeta|carte){_IS})(?!(?:19|20)\d{{6}}(?!\d))\d(?:[ -]?\d){{7,18}}",
            re.I,
        ),
    ),
    NamedSecret("code", ("cvv", "cvc", "安全码"), re.compile(rf"((?:cvv2?|cvc2?|安全码){_IS})\d{{3,4}}(?!\d)", re.I)),
)  # fmt: skip

_LINK = re.compile(r"(?<![a-z0-9+.-])[a-z][a-z0-9+.-]{1,20}+://[^\s\"'<>，。）]{1,4096}+", re.I)
_CREDENTIALS = re.compile(r"(://[^\s/:@]{0,128}:)[^\s/@]{1,256}(?=@)")
_PARAMETER = re.compile(
    r"([?&#;](?:[a-z]{1,16}[_-])?(?:pwd|pass|passw(?:or)?d|token|secret|signature|sig|otp|auth|session(?:_?id)?|"
    r"sid|api_?key|"
    r"access_?key|credential)=)[^&#\s]{4,}+",
    re.I,
)
_ACCOUNT_LINK = re.compile(
    r"reset|recover|magic|verif|confirm|activat|invite|log-?in|sign-?in|passwor[dt]|passwd|auth|sso|session", re.I
)
_TOKEN = re.compile(r"(?<![\w.%-])(?=[a-z_-]{0,60}\d)(?=[\d_-]{0,60}[a-z])[\w%-]{10,}+(?![.])", re.I | re.A)

_MIXED = re.compile(r"(?=[a-z]{0,60}\d)(?=\d{0,60}[a-z])[a-z\d]{4,}+", re.I | re.A)


def redact(text: str) -> str:
    """``text`` without values that a word or a link names as secret."""
    if "://" in text:
        text = _LINK.sub(_redact_link, text)
    folded = text.casefold()
    for rule in NAMED:
        text = rule.redact(text, folded)
    return text


def _redact_link(match: re.Match[str]) -> str:
    link = _PARAMETER.sub(r"\1[key]", _CREDENTIALS.sub(r"\1[key]", match[0]))
    scheme, _, rest = link.partition("://")
    host, slash, path = rest.partition("/")
    if not _ACCOUNT_LINK.search(path):
        return link
    return f"{scheme}://{host}{slash}{_TOKEN.sub(_redact_token, path)}"


def _redact_token(match: re.Match[str]) -> str:
    """Words and dates joined by hyphens are a title; a part that mixes letters and digits is a token."""
    parts = re.split("[-_%]", match[0])
    return "[key]" if any(_MIXED.fullmatch(part) for part in parts) else match[0]
