"""The words that stand before a secret which is spelled out, in the languages people note it in.

Must not know what a value looks like. Read without regard to case, as the text of `plain_text`.
"""

from __future__ import annotations

# What people make up themselves: letters with figures behind one of these are a password.
PASSWORDS = (
    r"(?:pass(?:word|wd|phrase|code|wort)|(?<![A-Za-z])(?:pwd|pw)(?![A-Za-z])"
    r"|(?<=[A-Za-z]_)pass(?![A-Za-z])|(?<![A-Za-z0-9_])pass(?=[ ]?[:=])"
    r"|パスワード|パスフレーズ|パスコード|合言葉|kennwort|mot[ ]de[ ]passe|contrase[ñn]a|senha"
    r"|(?:recovery|backup)[ ]codes?|(?:リカバリー?|バックアップ)コード"
    r"|wachtwoord|hasło|şifre|lösenord|salasana|heslo|mật[ ]khẩu"
    r"|парол[ьяе]|密[码碼]|口令|비밀[ ]?번호|암호)"
)
# What programs make: only a long value, or one that no word looks like, counts.
KEYS = (
    r"(?:(?:api|access|secret|private|auth|client|signing|encryption|admin|master|deploy|service"
    r"|licen[cs]e|product|activation)"
    r"[ _-]?(?:key|token|secret)|(?<![A-Za-z])(?:secret|token|credentials?|creds)(?![A-Za-z])"
    r"|(?<=[A-Za-z]_)pat(?![A-Za-z])|(?<![A-Za-z])(?:totp|otp|2fa)[ _-]?seed"
    r"|(?:API|アクセス|秘密|共有|認証|暗号)[ ]?(?:キー|鍵)|シークレット|トークン|認証情報"
    r"|密[钥鑰]|令牌|clave[ ](?:secreta|privada)|schlüssel|ключ)"
)
# One of these stands in every text that has one of the above, in small letters.
WORDS = (
    *("pass", "pwd", "pw", "パス", "合言葉", "kennwort", "contrase", "senha", "wachtwoord"),
    *("hasło",),
    *("şifre", "lösenord", "salasana", "heslo", "mật", "парол", "密", "口令", "비밀", "암호"),
    *("key", "token", "secret", "cred", "_pat", "キー", "鍵", "シークレット", "トークン"),
    *("認証情報", "令牌", "clave", "schlüssel", "ключ", "seed"),
    *("recovery code", "backup code", "リカバリ", "バックアップ"),
    *("暗証番号", "pin", "login", "ログイン", "curl ", "mysql", "redis-cli", "-p ", "net use"),
)
