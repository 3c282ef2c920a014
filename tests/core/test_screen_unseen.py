"""What a reader does not see, or sees as something else: characters, alphabets, comments."""

import pytest

from memtools.core.screen import Finding, screen


def kinds(text):
    return {one.kind for one in screen(text)}


@pytest.mark.parametrize(
    "hidden",
    [
        "\u200b", "\u200c", "\u200d", "\u2060", "\u2063", "\ufeff", "\u00ad", "\u034f", "\u180e",
        "\u200e", "\u061c", "\u202e", "\u2066", "\u115f", "\u1160", "\u3164", "\uffa0", "\u2800",
        "\ufe0f", "\U000e0100", "\U000e0041", "\U000e0001", "\x00", "\x1b", "\x7f", "\x9b",
        "\U0001d173",
    ],
    ids=ascii,
)  # fmt: skip
def test_an_unseen_character_inside_a_word_is_found(hidden):
    assert kinds(f"one\npass{hidden}word\n") == {"hidden"}
    assert {one.line for one in screen(f"一\n設定{hidden}値\n")} <= {2}
    assert kinds(f"emoji 😀{hidden}{hidden}!") == {"hidden"}


@pytest.mark.parametrize(
    "text", ["ひ\ufe00ら", "1\ufe0f2", "!\ufe0f", "a\u180eb", "é\ufe0e", "ab\U00013430c"], ids=ascii
)
def test_what_one_script_or_sign_needs_is_found_elsewhere(text):
    assert kinds(text) == {"hidden"}


@pytest.mark.parametrize(
    "text",
    [
        "👨\u200d👩\u200d👧\u200d👦 👩🏽\u200d💻 🏳\ufe0f\u200d🌈 ❤\ufe0f\u200d🔥 👍🏽",
        "1\ufe0f\u20e3 ©\ufe0f ↔\ufe0f ℹ\ufe0f",
        "🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f 🇯🇵",
        "می\u200cخواهم",
        "क\u094d\u200dष और क\u094d\u200cष",
        "ภาษา\u200bไทย",
        "葛\U000e0104城市",
        "全角　空白\u00a0と改行\tタブ",
        "\ufeff先頭の印",
        "ᠬᠠᠨ\u180eᠠ",
        "句点、\ufe00。\ufe01",
    ],
)
def test_what_a_script_or_an_emoji_needs_passes(text):
    assert screen(text) == ()


@pytest.mark.parametrize(
    "word", ["pаypal", "gοogle", "Αdmin", "пaроль", "ехamрle", "admιn", "Тoken"]
)
def test_look_alike_letters_of_two_alphabets_in_one_word_are_found(word):
    assert screen(f"the word {word} here") == (
        Finding("mixed-script", screen(f"x {word}")[0].name, 1),
    )


@pytest.mark.parametrize(
    "text",
    [
        "µs, kΩ, 5μm and Ωcm",
        "Δt, λx, αβ検定, TNFα, NFκB",
        "TypeScriptで書く、SQLを使うAPI、ＡＢＣ順",
        "Привет world, SQL-запрос, ПО",
        "ITшник",
        "Größe, naïve, Łódź",
    ],
)
def test_words_that_mix_scripts_honestly_pass(text):
    assert screen(text) == ()


@pytest.mark.parametrize(
    "text",
    [
        "a\n<!-- x -->",
        "a\n<!--\nx\n-->",
        "[//]: # (x)",
        "[comment]: <> (x)",
        "a %%x%% b",
        '<span style="display:none">x</span>',
        "```\n\n<!-- in a fence that is never closed",
    ],
)
def test_text_the_page_does_not_show_is_found(text):
    assert kinds(text) == {"comment"}


@pytest.mark.parametrize(
    "text", ["`<!-- x -->` is HTML", "```html\n<!-- x -->\n```", "a < b, 100%%, %%time", "[a]: #x"]
)
def test_comments_in_code_are_shown(text):
    assert screen(text) == ()


def test_findings_name_the_line_and_stand_once_a_line():
    assert screen("a\r\nb\u200b\u200b\rc\u200b\n") == (
        Finding("hidden", "zero-width", 2),
        Finding("hidden", "zero-width", 3),
    )


@pytest.mark.parametrize("letters", ["ignor", "ustx", "hello1"])
def test_a_black_flag_of_no_region_hides_no_letters(letters):
    tagged = "".join(chr(0xE0000 + ord(ch)) for ch in letters)
    assert kinds(f"\U0001f3f4{tagged}\U000e007f") == {"hidden"}
