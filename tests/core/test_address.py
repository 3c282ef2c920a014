"""Rule 3: what a marker or a command points with."""

import pytest

from memtools.core.address import Address, parse_address, target_fault


@pytest.mark.parametrize(
    ("phrase", "address"),
    [
        ("notes/dns.md", Address("path", "notes/dns.md")),
        ("  ./notes/My Note.MD ", Address("path", "notes/My Note.MD")),
        ("場面設計.md", Address("path", "場面設計.md")),
        ("[[dns]]", Address("link", "dns")),
        ("[[dns|the note]]", Address("link", "dns")),
        ("[[dns#Cause]]", Address("link", "dns")),
        ("[[notes/dns#Cause|the note]]", Address("link", "notes/dns")),
        ("[[dns\\|in a table]]", Address("link", "dns")),
        ("[[ 原因 ]]", Address("link", "原因")),
        ("[[dns]]\u200b", Address("link", "dns")),
        ("id:007", Address("id", "007")),
        ("id: 2026-11 a", Address("id", "2026-11 a")),
        ("the root cause", Address("phrase", "the root cause")),
        ("ID:007", Address("phrase", "ID:007")),
        ("id:", Address("phrase", "id:")),
        ("[[#Cause]]", Address("phrase", "[[#Cause]]")),
        ("[[a]] and [[b]]", Address("phrase", "[[a]] and [[b]]")),
        ("see [[a]]", Address("phrase", "see [[a]]")),
        ("notes/dns.mdx", Address("phrase", "notes/dns.mdx")),
        ("", Address("phrase", "")),
    ],
)
def test_the_form_of_the_text_says_what_kind_of_address_it_is(phrase, address):
    assert parse_address(phrase) == address


@pytest.mark.parametrize("text", ["a.md", "[[a]]", "id:7"])
def test_an_address_may_be_short_and_a_phrase_may_not(text):
    assert target_fault(text, 10) == ""
    assert target_fault("a", 10) == "short"
    assert target_fault("", 10) == "empty"
