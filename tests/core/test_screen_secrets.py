"""Secrets: known shapes, those of detect-secrets, and passwords that are spelled out.

Values that look like real credentials are put together here, so that scanners leave the file alone.
"""

import pytest

from memtools.core.screen import screen


def secrets(text):
    return {one.name for one in screen(text) if one.kind == "secret" and one.is_certain}


GITHUB = "gh" + "p_" + "P7v664kVJu3A7FAKE4uVNYgULXmNp4RrFcJr"


@pytest.mark.parametrize(
    "text",
    [
        GITHUB,
        "github_" + "pat_11ABCDEFG0aBcDeFgHiJkL_" + "a1B2c3D4e5F6g7H8i9J0" * 2,
        "export AWS_SECRET_ACCESS_KEY=wJalrXUtnFEMI/K7MDENG/bPxRfiCYFAKEKEY123",
        'aws_secret_access_key = "wJalrXUtnFEMIaK7MDENGabPxRfiCYFAKEKEY12a"',
        "SG" + ".aBcDeFgHiJkLmNoPqRsTuV." + "aBcDeFgHiJkLmNoPqRsTuVwXyZ0123456789aBcDeFg",
        "AccountKey=" + "a" * 40 + "Bc9" * 16,
        "https://hooks.slack.com/services/" + "T00FAKE12/B00FAKE34/XyZfAKE1234567890abcdEF",
        "123456789:" + "AAFakeFakeFakeFakeFakeFakeFakeFakeFak",
        "mongodb+srv://root:S3cr3tFAKEpw@cluster0.example.mongodb.net/x",
        "redis://:p4ssFAKEw0rd9@cache.internal:6379/0",
        "Authorization: Basic dXNlcjpGQUtFcGFzc3dvcmQ=",
        "Bearer a1B2c3D4e5F6g7H8i9J0FAKEk1L2",
        "sq0csp-" + "aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5bC7dE9f",
        "-----BEGIN " + "PGP PRIVATE KEY BLOCK-----",
        "-----BEGIN " + "EC PRIVATE KEY-----",
        "hf_" + "aBcDeFgHiJkLmNoPqRsTuVwXyZaBcDeFgH",
        "dckr_" + "pat_aBcD1234eFgH5678iJkL90mNoPq",
        "SK" + "0123456789abcdef" * 2,
        "AB" + "SK" + "aB3dE5fG7hJ9" * 9,
        "gl" + "agent-" + "aB3dE5fG7hJ9" * 4,
        "https://discord.com/api/webhooks/" + "123456789012345678/" + "aB3dE5fG7hJ9" * 5,
        "https://x.blob.core.windows.net/c?sv=2022-11-02&" + "sig=" + "aB3dE5f%2F" * 5 + "%3D",
        "gl" + "c_eyJ" + "aB3dE5fG7hJ9" * 6,
        "tskey-" + "auth-kaB3dE5fG7-" + "aB3dE5fG7hJ9" * 3,
        "lsv2" + "_pt_" + "0123456789abcdef" * 2 + "_0123456789",
        "sb_" + "secret_" + "aB3dE5fG7hJ9" * 3,
        "xkey" + "sib-" + "0123456789abcdef" * 4 + "-aB3dE5fG7hJ9aB3d",
        "EA" + "AA" + "aB3dE5fG7hJ9" * 5,
    ],
)
def test_a_secret_of_a_known_shape_is_found(text):
    assert secrets(text)
    assert secrets(f"鍵は{text}です。") or "\\b" in text


@pytest.mark.parametrize(
    "text",
    [
        "The admin password is Tr0ub4dor&3FAKE.",
        "password: xK9#mP2$vL5n",
        "DB_PASSWORD=qZ8!fAkE7wE1",
        "パスワード：Kj8$fAkE2x9Lm",
        "パスワードは「xY7#FAKEq2Lp」です。",
        "管理画面のパスワードは xY7FAKEq2Lp9 に変更した。",
        "APIキーは a8F3kE9zQ2mX7bL1vT5c です。",
        "Wi-FiのパスワードはhY7kFAKE92mQです",
        "client_secret: fAkE8Q~a9Bc7dEf6gHi5jKl4mNo3pQr2s",
        "暗証番号は4649です。",
        "PIN: 4821",
        "JWT_SECRET=dNN/8TbqwT9VMiOmFAKEDTtqoeaNaCco9hD7HH/ZLV8=",
        "The admin password is vY2/4cD9Ln%j+9Ck",
        "パスワードは-a11rwo8$gU3#ZX*です",
        "LINE_CHANNEL_SECRET=" + "0fa1b2c3d4e5f687" * 2,
        "HEROKU_API_KEY=2a769de4-33e7-6361-6ba2-0d367ed28f77",
        "鍵はcurl -u ann:2chFAKEt487NOLbWzj https://api.example.com",
        "sshpass -p Xk29fFAKEq0ZpW1 ssh ann@host",
        "mysql -uroot -pXk29fFAKEq0ZpW1 app",
        "machine github.com login ann password Xk29fFAKEq0ZpW1",
    ],
)
def test_a_password_that_is_spelled_out_is_found(text):
    assert secrets(text)


@pytest.mark.parametrize(
    ("text", "is_certain"),
    [
        ("password: winter2024", True),
        ("パスワードは winter2024 です", True),
        ("token: winter2024", False),
        ("password: winter-2024", False),
    ],
)
def test_a_word_with_digits_is_a_password_where_a_person_makes_it_up(text, is_certain):
    assert [one.is_certain for one in screen(text)] == [is_certain]


@pytest.mark.parametrize(
    "text",
    [
        GITHUB.replace("p_", "p\u200b_"),
        GITHUB.replace("p_", "p\ufe0f_"),
        GITHUB.replace("_", "\\_"),
        "".join(chr(ord(ch) + 0xFEE0) for ch in GITHUB),
        *(GITHUB.replace("P7", f"P{ch}7") for ch in "\x85\u2800\u180b\ufff0\U0001bca0\U000e0081"),
    ],
)
def test_a_secret_in_disguise_is_found(text):
    assert "github-token" in secrets(text)


@pytest.mark.parametrize(
    "text",
    [
        "commit 5cfc0a19b7c1f5d9e0a2c3b4d5e6f708192a3b4c",
        "sha256 of the key: 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
        "UUID 123e4567-e89b-12d3-a456-426614174000",
        "docker pull app@sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
        "pod app-7d9f8b6c5-x2k4q",
        "sk-learn, sk-1, the pat branch, APACHELICENSE",
        "AKIA" + "IOSFODNN7EXAMPLE",
        "postgres://${DB_USER}:${DB_PASS}@${DB_HOST}:5432/app",
        "postgres://user:password@localhost/db",
        "https://<user>:<token>@host/",
        "https://user@host.example.com/repo.git",
        "Passwords must have at least 12 characters.",
        "The password is stored in 1Password.",
        "パスワードは 1Password で管理する。",
        "パスワードは Argon2id でハッシュ化する。",
        "password is hashed with PBKDF2-SHA256",
        "password: see vault",
        'password field uses type="password"',
        "The token expires after 3600 seconds",
        "token = os.environ['TOKEN']",
        "api_key=$API_KEY",
        "API_KEY: ${{ secrets.API_KEY }}",
        "set secret: true in the config",
        "The secret is called prod/db/main",
        "Use `Authorization: Bearer $TOKEN`",
        "トークンは GitHub Actions が発行する。",
        "アクセスキーは四半期ごとに更新する。",
        "暗証番号は 4桁",
        "The API key is rotated by terraform-module-v2",
        "秘密鍵は ~/.ssh/id_ed25519 に置く",
        "The private key is at ./ops/keys2/id_rsa4096",
        "secret: vault:kv/app2",
        "The SAS address is signed with sig= and expires with se=",
    ],
)
def test_words_about_secrets_are_none(text):
    assert screen(text) == ()
