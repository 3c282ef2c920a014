"""Personal data: what is found in which notation, and which numbers are nobody's."""

import pytest

from memtools.core.screen import screen


def names(text):
    return {one.name for one in screen(text) if one.kind == "personal" and one.is_certain}


@pytest.mark.parametrize(
    "text",
    [
        "03(1234)5678 です",
        "Tel: 06-6123-4567",
        "０９０－１２３４－５６７８",
        "090ー1234ー5678",
        "080 1234 5678",
        "携帯は09012345678です",
        "電話 0312345678",
        "0120-123-456",
        "連絡先は+81-90-1234-5678。",
        "+81 3 1234 5678",
        "+1-415-555-2671",
        "415-555-2671",
        "415.555.2671",
        "1-800-555-0199",
        "(555) 123-4567",
        "phone: 020 7946 0958",
        "Call +44 7700 900123",
        "+49 30 901820",
        "+33 1 23 45 67 89",
        "+86 138 0013 8000",
        "韓国の窓口は+82-10-1234-5678です",
        "TEL:03-3580-1234",
        "電話番号：０３－３５８０－１２３４",
        "携帯=09012345678",
        "[call](tel:0312345678)",
    ],
)
def test_telephone_numbers_are_found(text):
    assert names(text) == {"phone-number"}


@pytest.mark.parametrize(
    "text",
    [
        "taro＠example.jp",
        "bob@mail.example.org.",
        "<bob.smith@corp.example>",
        "mailto:bob@corp.example",
        "Bob (bob@corp.example), Alice",
        "bob [at] corp.example",
        "連絡はtaro@example.co.jpまで",
        "問い合わせ:taro@example.co.jp:平日のみ",
        "BOB@CORP.EXAMPLE",
        "o'brien@corp.example",
        "taro_yamada+ml@sub.corp.example",
    ],
)
def test_mail_addresses_are_found(text):
    assert names(text) == {"mail-address"}


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("5555 5555 5555 4444", "card-number"),
        ("4111-1111-1111-1111", "card-number"),
        ("378282246310005", "card-number"),
        ("3530111333300000", "card-number"),
        ("カードは４１１１　１１１１　１１１１　１１１１", "card-number"),
        ("GB29 NWBK 6016 1331 9268 19", "iban"),
        ("IBAN DE89 3704 0044 0532 0130 00 EUR", "iban"),
        ("iban:FR1420041010050500013M02606", "iban"),
        ("個人番号 123456789018", "my-number"),
        ("My Number: 1234-5678-9018", "my-number"),
        ("マイナンバー：１２３４　５６７８　９０１８", "my-number"),
        ("マイナンバーは123456789012", "my-number"),
        ("個人番号（マイナンバー）\n1234 5678 9018", "my-number"),
        ("パスポート番号は TK1234567", "passport"),
        ("SSN 078-05-1120", "social-security-number"),
        ("普通預金口座 1234567", "bank-account"),
        ("東京都千代田区丸の内1-9-1", "postal-address"),
        ("〒１００－０００５　東京都千代田区丸の内１−９−１", "postal-address"),
        ("〒100-0005 東京都千代田区丸の内一丁目", "postal-address"),
        ("横浜市西区みなとみらい2-3-1", "postal-address"),
        ("京都市中京区寺町通御池上る上本能寺前町488番地", "postal-address"),
        ("北海道札幌市中央区北1条西2丁目", "postal-address"),
        ("神奈川県川崎市架空区見本1-2", "postal-address"),
    ],
)
def test_numbers_and_addresses_of_persons_are_found(text, name):
    assert name in names(text)


@pytest.mark.parametrize("text", ["番号 1234 5678 9018 を参照", "batch 202611290006"])
def test_twelve_digits_without_a_word_are_for_a_person_to_judge(text):
    assert [(one.name, one.is_certain) for one in screen(text)] == [("my-number-like", False)]


@pytest.mark.parametrize(
    "text",
    [
        "Released 2026-11-29 at 20:15:00, 2026-11-29T20:15:00+09:00, 2026/11/29 09:00-12:00",
        "20261129201500, 1700000000, 1700000000000, epoch 1732881600123",
        "v1.2.3-rc.4, 10.0.19045.3803, 版 1.2.3-4-5, バージョン 2026.11.29-1",
        "10.0.0.1, 192.168.100.200:8080, 2001:db8::1, 00:1A:2B:3C:4D:5E",
        "UUID 123e4567-e89b-12d3-a456-426614174000",
        "0123456789012345678901234567890123456789",
        "ISBN 978-4-87311-778-2, ISBN 4-87311-778-X, ISSN 1234-5678, JAN 4901234567894",
        "注文番号 1234567890123、伝票番号 1234-5678-9012、チケット #123456789012",
        "order 100-2345678-1234567, column width 010-020-0300, 12-34-56-78",
        "ports 8000-8010, pages 100-1234, 3.14159265358979, 1,234,567,890,123円",
        "緯度 35.681236, 139.767125",
        "arn:aws:iam::123456789012:role/Admin",
        "https://example.com/a?id=4111111111111111 and https://medium.com/@user/post-1234567890",
        "call foo(1234567890); phone model Pixel 8; 電話は 9:00-18:00; 内線 1234",
        "react@18.2.0, @types/node, actions/checkout@v4, logo@2x.png, wg-quick@wg0.service",
        "git@github.com:team/app.git, user@host, @pytest.mark.parametrize",
        "ssh deploy@web1.example.com",
        "scp a.txt user@host.example.com:/tmp/a",
        "Co-authored-by: bot <noreply@example.com>",
        "東京都の会議は3-4名で行う。大阪府の店舗は10-20店。本社は東京都千代田区。",
        "横浜市では 2-3 日かかる。第3条2項。1-2-3で進める。",
        "宛名の書式は「〒 郵便番号 住所」の順、郵便番号は7桁",
        "マイナンバー制度の説明資料を作る。個人番号は記録しない。",
        "口座の振替は月末、部屋番号は401",
    ],
)
def test_other_numbers_and_at_signs_are_nobodys(text):
    assert screen(text) == ()


def test_digits_grouped_as_on_no_card_are_for_a_person_to_judge():
    found = screen("Order 250-1234567-7654321")
    assert [(one.name, one.is_certain) for one in found] == [("card-number-like", False)]
