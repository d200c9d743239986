"""The words around one-time codes in the languages of the world, as parts of patterns (case is ignored).

``STRONG`` announce a code: the nearest number to them is one unless something else explains it. Each entry has stems,
of which one must be there at all, and a pattern. ``WEAK`` name a code only where directly tied to it ("code is 4829").
"""

STRONG: tuple[tuple[tuple[str, ...], str], ...] = (
    # English, and words that many languages use
    (("code", "pin", "passw", "passcode", "number"),
     r"(?:verification|security|authenti\w{1,10}|auth|login|log-in|sign-in|access|one[- ]time|single-use|2fa)[ -]"
     r"(?:code|pin|password|passcode|number)s?|confirmation[ -](?:code|pin)s?|passcodes?"),
    (("one", "otp", "tan", "2fa", "factor", "verif", "<#>"),
     r"one[- ]time|\b(?:otp|[mp]?tan|smstan|pushtan|2fa)\b|two[- ]factor|\bverification\b|\bverify your\b|<#>"),
    (("share", "表", "泄", "告", "转发", "berikan", "bagikan", "compart", "condivi", "weiter", "paylaş", "сообщайте",
     "教え"),
     r"(?:do not|don['’]?t|never) share|(?:请勿|切勿|不要)(?:向他人)?(?:泄[露漏]|告[诉知]|转发)|jangan (?:berikan|"
     r"bagikan)|"
     r"no (?:l[ao] )?compart\w{1,4}|não compartilhe|non condivid\w{1,5}|kimseyle paylaş\w{1,6}|не сообщайте"),
    # Chinese
    (("码", "碼", "动态", "動態", "登录验证"),
     r"验证码|校验码|驗證碼|認證碼|动态码|动态密码|動態密碼|动态口令|随机码|激活码|短信码|登录码|确认码|授权码|"
     r"安全码|凭证码|登录验证"),
    # Romance languages
    (("clave", "código", "codigo", "contraseña"),
     r"c[óo]digo (?:de |del )?(?:verificaci[óo]n|seguridad|confirmaci[óo]n|acceso|activaci[óo]n|autorizaci[óo]n|"
     r"autenticaci[óo]n|"
     r"un solo uso|inicio de sesi[óo]n)|clave (?:din[áa]mica|temporal|de (?:un solo uso|acceso|verificaci[óo]n))|"
     r"contraseña (?:de un solo uso|temporal)"),
    (("code", "mot de passe"),
     r"code (?:de |d['’])(?:vérification|sécurité|confirmation|validation|connexion|accès|activation|authentification|"
     r"autorisation|identification)|code (?:à usage )?(?:unique|temporaire)|mot de passe (?:à usage unique|"
     r"temporaire|provisoire)"),
    (("codice", "password"),
     r"codice (?:di |d['’])?(?:verifica|sicurezza|conferma|accesso|attivazione|autorizzazione|autenticazione|otp|"
     r"monouso|temporaneo)"
     r"|password (?:temporanea|monouso)"),
    (("código", "codigo", "senha"),
     r"c[óo]digo de (?:verificaç[ãa]o|segurança|confirmaç[ãa]o|acesso|ativaç[ãa]o|autorizaç[ãa]o|autenticaç[ãa]o|"
     r"login)|"
     r"senha (?:temporária|descartável|de uso único)"),
    (("cod", "parol"),
     r"cod(?:ul)?(?: \w{1,20})? de (?:verificare|securitate|confirmare|acces|activare|autentificare)|"
     r"parol[ăa] unic[ăa]"),
    # Germanic and Nordic languages
    (("code", "pin", "wort", "nummer", "kod", "lösenord", "passord", "adgangskode"),
     r"(?:bestätigungs|sicherheits|verifizierungs|verifikations|aktivierungs|zugangs|anmelde|login|prüf|einmal|"
     r"freigabe|"
     r"authentifizierungs|sms|registrierungs)-?(?:code|pin|kennwort|passwort|nummer)|"
     r"(?:verificatie|bevestigings|beveiligings|toegangs|inlog|activerings|sms|eenmalige )-?code|"
     r"(?:verifierings|bekräftelse|säkerhets|engångs|inloggnings)-?(?:kod|lösenord)\w{0,2}|"
     r"(?:bekreftelses|bekræftelses|verifiserings|verifikations|sikkerhets|sikkerheds|engangs|påloggings)-?"
     r"(?:kode|passord|adgangskode)\w{0,2}"),
    (("koodi", "tunnus", "salasana"),
     r"(?:vahvistus|turva|varmennus|todennus|kertakäyttö)-?(?:koodi|tunnus|salasana)\w{0,4}"),
    # Slavic languages, Hungarian, Greek
    (("код", "парол"),
     r"код (?:для )?(?:подтверждени|безопасност|доступ|активаци|авторизаци|верификаци|проверк|вход)\w{1,3}|"
     r"код (?:підтвердження|безпеки|доступу|активації|авторизації|перевірки)|(?:одноразов\w{2,3}|смс-?|"
     r"sms-?) ?(?:код|пароль)|"
     r"пароль для (?:подтверждения|входа)"),
    (("kod", "kód", "hasło", "heslo"),
     r"kod (?:weryfikacyjny|autoryzacyjny|bezpieczeństwa|potwierdzający|dostępu|aktywacyjny|sms|jednorazowy)|"
     r"hasło (?:sms|jednorazowe)|"
     r"(?:ověřovací|overovací|bezpečnostní|bezpečnostný|potvrzovací|potvrdzovací|aktivační|autorizační|"
     r"přihlašovací) kód|"
     r"(?:ellenőrző|biztonsági|megerősítő|hitelesítő|belépési|aktivációs|egyszeri) (?:kód|jelszó)\w{0,3}"),
    (("κωδικ",), r"κωδικ[όο]ς (?:επαλήθευσης|επιβεβαίωσης|ασφαλείας|πρόσβασης|μίας χρήσης)"),
    # Japanese, Korean
    (("コード", "番号", "パスワード", "パスコード"),
     r"(?:認証|確認|検証|ログイン|セキュリティ|ワンタイム|承認|本人確認|二段階認証)(?:コード|番号|パスワード|キー)|"
     r"パスコード|暗証番号"),
    (("인증", "코드", "번호"), r"인증 ?(?:번호|코드)|확인 ?코드|보안 ?(?:코드|번호)|로그인 ?코드|일회용 ?비밀번호"),
    # Arabic, Persian, Hebrew
    (("رمز", "كود", "رقم"), r"(?:رمز|كود|رقم) (?:التحقق|التأكيد|التفعيل|الأمان|الدخول|المرور|السري|لمرة)"),
    (("کد", "رمز"), r"کد (?:تایید|تأیید|ورود|فعال\W?سازی|یک ?بار مصرف)|رمز (?:یک ?بار مصرف|پویا|دوم)"),
    (("קוד", "סיסמ"), r"קוד (?:ה?אימות|ה?אבטחה|ה?כניסה|ה?גישה|חד.פעמי)|סיסמה חד"),
    # India
    (("कोड", "ओटीपी", "टाइम"), r"(?:सत्यापन|पुष्टिकरण|सुरक्षा|लॉगिन|प्रमाणीकरण) कोड|ओटीपी|वन.टाइम"),
    (("কোড", "ওটিপি"), r"(?:যাচাইকরণ|নিশ্চিতকরণ|ভেরিফিকেশন) কোড|ওটিপি"),
    # Turkish, Vietnamese, Thai, Indonesian, Malay
    (("kod", "şifre", "parola"),
     r"(?:doğrulama|onay|güvenlik|giriş|aktivasyon|erişim) (?:kod|şifre)\w{0,6}|tek kullanımlık (?:şifre|kod|"
     r"parola)\w{0,6}"),
    (("mã", "ma "), r"\bm[ãa] (?:xác (?:minh|thực|nhận)|xac (?:minh|thuc|nhan)|otp|bảo mật|kích hoạt|đăng nhập)"),
    (("รหัส",), r"รหัส ?(?:ยืนยัน|otp|ความปลอดภัย|ผ่านครั้งเดียว|เข้าใช้)"),
    (("kod",),
     r"kode (?:verifikasi|otp|keamanan|konfirmasi|aktivasi|akses|masuk|rahasia)|kod (?:pengesahan|keselamatan|tac)"),
)  # fmt: skip

WEAK = (
    r"(?<!\[)\b(?:code|pin|token|código|codigo|codice|codul|kode|kod|kodu|kodunuz|koodi|kód|hasło|clave|contraseña|"
    r"senha|mã|şifreniz|"
    r"код|пароль|κωδικός|קוד|סיסמה|رمز|كود|کد)\b|कोड|ওটিপি|コード|パスワード|코드|비밀번호|รหัส|密码|密碼|口令|提取码"
)

PUBLIC = (
    r"(?:zip|post(?:al)?|promo(?:tion)?|discount|coupon|voucher|error|status|exit|area|country|dial(?:ling)?|dress|"
    r"source|"
    r"qr|bar|colou?r|product|item|room|course|flight|tax|sort|hs|pick-?up|pick up|collection|locker|"
    r"indirim|posta|エラー|商品|製品|에러|오류|상품|바|쿠폰|할인|우편|クーポン|郵便|折扣|优惠|邮政|兑换|取件|取餐|"
    r"取货|提货|自提|取票)[ -]?$"
)
"""Stands before a weak word that names something public."""

IS = (
    r"['’]s|e['’]|is|was|are|lautet|ist|est|es|è|é|to|jest|je|är|er|on|este|είναι|là|adalah|ialah|คือ|هو|هي|הוא|है|은|"
    r"는|は|係|为|為|是|码"
)
AS = r"is|as|for|ist|est|es|è|é|to|jest|är|er|on|—|–|-|为|為|是|作为|係|[（(【]"

ENTER = (
    r"enter|use|type|introduce|introduzca|ingres[ae]|us[ae]|utilice|saisissez|entrez|utilisez|digit[ae]|inserisci|"
    r"inser[ie]|insira|"
    r"introduza|gib|geben sie|введите|wpisz|podaj|masukkan|gunakan|nhập|girin|voer|ange|输入|请输入"
)
TO_CONFIRM = (
    r"(?:to |para |pour |per |um |zum |zur |чтобы |для |aby |untuk |để |için |om |för att |以|来)?"
    r"(?:sign|log|verif|vérif|confirm|continu|entrar|acced|inici|autori|valid|accéd|conn|anmeld|bestätig|подтвер|"
    r"вход|войти|"
    r"potwierdz|zalogow|masuk|đăng nhập|xác|giriş|onay|登录|登入|确认|验证)"
)
"""An order to enter a number, and what for: "enter 482913 to sign in"."""

UNIT = (
    r"[%％°]|[€$£₽₹₩฿]|元|块|万|亿|美元|人民币|港币|欧元|円|원|บาท|руб|分钟|小时|天|日|秒|年|月|号楼|楼|室|米|公里|"
    r"千米|公斤|人|条|个|件|次|"
    r"份|张|歩|名|"
    r"(?:yuan|rmb|cny|usd|eur|gbp|vnd|pln|try|tl|ft|huf|czk|sek|nok|dkk|chf|inr|idr|thb|krw|jpy|rub|brl|mxn|"
    r"dollars?|euros?|"
    r"pounds?|minutes?|minuten|minutos|minuti|mins?|hours?|hrs?|days?|seconds?|secs?|weeks?|months?|years?|people|"
    r"points?|"
    r"steps?|km|kg|m|cm|mb|gb|kb|mah|kcal|miles?|am|pm|uhr|[ap]\.m)(?![A-Za-z])"
)
"""Stands after a number that counts something."""

CURRENCY = r"[¥￥$€£₽₹₩฿]|(?<![^\W\d_])(?:rs\.?|inr|rmb|cny|usd|eur|gbp|chf|r\$)"
"""Stands before an amount."""

REASON = (
    r"call|phone|tel|dial|text|sms|to|from|hotline|llame? al|teléfono|telefon|telefono|anrufen|"
    r"appelez|тел|телефон|звоните|電話|전화|文电|致电|拨打|电话|热线|客服|来电|联系|发送[至到]|回复|尾号|末四位|"
    r"订单号?|单号|编号|余额|消费|"
    r"支出|金额|ending(?: in)?|order|invoice|ticket|flight|room|gate|ref(?:erence)?|amount|balance|pedido|"
    r"bestellung|commande|"
    r"заказ|注文番号|주문번호|pesanan|zamówienie|sipariş|取件码|取餐号|pick-?up code"
)
"""Stands before a number and says what else it is."""

REASON_UNSPACED = (
    r"致电|拨打|电话|热线|客服|尾号|订单号?|单号|编号|余额|消费|支出|金额|取件码|取餐号|電話|전화|주문번호|注文番号"
)
"""The same in scripts that put no blanks between words."""
