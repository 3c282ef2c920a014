"""Synthetic notes for benchmarks: same seed, same bytes; about 1.5 kB each, a quarter Japanese.

    for path, data in make_notes(10_000): ...

Words are drawn by a Zipf-like law from made-up vocabularies, so that common and rare words both
exist, and each note holds one sentence that no other note has (`unique_phrase(number)`).
"""

from __future__ import annotations

import random
from itertools import accumulate

_SIZE = 1500
_TOPICS = [
    "dns",
    "cache",
    "sync",
    "auth",
    "build",
    "deploy",
    "queue",
    "index",
    "retry",
    "backup",
    "metrics",
    "schema",
]
_EN = [
    "the",
    "of",
    "and",
    "to",
    "in",
    "a",
    "is",
    "that",
    "for",
    "it",
    "was",
    "on",
    "with",
    "as",
    "by",
    "at",
    "from",
    "this",
    "be",
    "are",
    "or",
    "not",
    "have",
    "when",
    "after",
    "server",
    "client",
    "root",
    "cause",
    "timeout",
    "error",
    "config",
    "value",
    "request",
    "response",
    "key",
    "token",
    "branch",
    "commit",
    "merge",
    "release",
    "service",
    "database",
    "table",
    "column",
    "query",
    "user",
    "session",
    "cookie",
    "header",
    "network",
    "packet",
    "memory",
    "process",
    "thread",
    "lock",
    "file",
    "folder",
    "path",
    "name",
    "test",
    "script",
    "deploy",
    "rollback",
    "monitor",
    "alert",
    "log",
    "trace",
    "latency",
    "region",
    "cluster",
    "node",
    "pod",
    "container",
    "image",
    "registry",
    "cache",
    "store",
    "version",
    "update",
    "patch",
    "schedule",
    "worker",
    "job",
    "task",
    "queue",
    "message",
    "event",
    "stream",
    "batch",
    "record",
    "field",
    "parser",
    "encoder",
    "format",
]
_SYLLABLES = [
    "ba",
    "be",
    "bi",
    "bo",
    "bu",
    "da",
    "de",
    "di",
    "do",
    "du",
    "ka",
    "ke",
    "ki",
    "ko",
    "ku",
    "la",
    "le",
    "li",
    "lo",
    "lu",
    "ma",
    "me",
    "mi",
    "mo",
    "mu",
    "ra",
    "re",
    "ri",
]
_KANJI = (
    "原因遅延健康設定確認接続認証障害再起動処理結果情報更新記録検索履歴変更対象環境本番開発試験運用監視通知"
    "失敗成功時間問題解決方法手順資料会議担当顧客契約予算計画期限品質性能安全機能画面入力出力保存削除追加"
)
_KANA = "のをにはがでともからまでについてによるためこれそれでしたますですあるいるするした"


def _vocabulary():
    rng = random.Random(7)
    english = list(_EN)
    while len(english) < 6000:
        english.append("".join(rng.choice(_SYLLABLES) for _ in range(rng.randint(2, 4))))
    japanese = [_KANJI[at : at + 2] for at in range(0, len(_KANJI) - 1, 2)]
    while len(japanese) < 3000:
        japanese.append("".join(rng.choice(_KANJI) for _ in range(2)))
    return english, japanese


_ENGLISH, _JAPANESE = _vocabulary()
_EN_WEIGHTS = list(accumulate(1 / rank for rank in range(3, len(_ENGLISH) + 3)))
_JA_WEIGHTS = list(accumulate(1 / rank for rank in range(3, len(_JAPANESE) + 3)))


def unique_phrase(number):
    """The words only note `number` holds; a quarter of them Japanese, as the note itself."""
    if is_japanese(number):
        return f"障害番号{number}の根本原因は設定の更新漏れ"
    return f"the root cause of incident {number} was a stale config value"


def is_japanese(number):
    return number % 4 == 3


def make_notes(count, seed=1):
    """Yield (path, bytes) of `count` notes."""
    for number in range(count):
        yield make_note(number, seed)


def make_note(number, seed=1):
    """One note as (path, bytes)."""
    rng = random.Random(seed * 1_000_003 + number)
    topic = rng.choice(_TOPICS)
    path = f"notes/{topic}/{number:06d}.md"
    japanese = is_japanese(number)
    title = f"{topic} の記録 {number}" if japanese else f"Note {number} about {topic}"
    head = ["---", f"title: {title}", f"priority: {'high' if rng.random() < 0.01 else 'normal'}"]
    head += ["status: active", f"scope: {rng.choice(['alpha', 'beta', 'gamma'])}"]
    head += [f"tags: [{topic}, {rng.choice(_TOPICS)}]", "created: 2026-11-01", "---"]
    body = ["", f"# {title}", "", unique_phrase(number) + ("。" if japanese else "."), ""]
    size = len("\n".join(head + body).encode())
    make = _japanese_sentence if japanese else _english_sentence
    while size < _SIZE:
        paragraph = " ".join(make(rng) for _ in range(4)) if not japanese else _paragraph(rng, make)
        body += [paragraph, ""]
        size += len(paragraph.encode()) + 2
    return path, "\n".join(head + body).encode()


def _paragraph(rng, make):
    return "".join(make(rng) for _ in range(4))


def _english_sentence(rng):
    words = rng.choices(_ENGLISH, cum_weights=_EN_WEIGHTS, k=rng.randint(8, 16))
    if rng.random() < 0.2:
        at = rng.randrange(len(words))
        words[at] = f"**{words[at]}**"
    return " ".join(words).capitalize() + "."


def _japanese_sentence(rng):
    words = rng.choices(_JAPANESE, cum_weights=_JA_WEIGHTS, k=rng.randint(4, 8))
    kana = []
    for word in words:
        at = rng.randrange(len(_KANA) - 2)
        kana.append(word + _KANA[at : at + rng.randint(1, 2)])
    return "".join(kana) + "。"
