"""Words without which a shape of `screen_orders` matches nothing: most notes are told by them.

In the order of the shapes, folded by `screen_orders`. A test works out from the shapes themselves
that no word is missing. Must not know the shapes.
"""

from __future__ import annotations

MARKS: tuple[tuple[str, ...], ...] = (
    (
        *("<|", "_of_turn>", "assistant", "developer", "function_calls", "inst]"),
        *("instructions", "invoke", "sys>>", "system", "tool_call"),
    ),
    ("developer", "human", "system", "システム", "開発者"),
    ("assistant", "developer", "system", "アシスタント", "システム"),
    ("assistant", "human", "instruction", "system", "アシスタント"),
    ("![", "]("),
)

ENGLISH: tuple[tuple[str, ...], ...] = (
    (
        *("abandon", "attention", "bypass", "discard", "disregard", "follow", "forget"),
        *("ignore", "obey", "override", "stop"),
    ),
    (
        *("disregard", "forget", "guideline", "ignore", "instruction", "prompt", "rule"),
        *("system", "your"),
    ),
    ("directive", "instruction", "prompt", "your"),
    ("from", "mode", "now", "pretend", "you"),
    (
        *("from", "have", "instructed", "must", "obliged", "ordered", "required"),
        *("shall", "will"),
    ),
    (
        *("accept", "always", "approve", "automatically", "blindly", "consider", "mark"),
        *("silently", "treat", "trust"),
    ),
    (
        *("attention", "dear", "hello", "hey", "instruction", "message", "note"),
        *("reminder", "this", "you"),
    ),
    (
        *(" user", "anybody", "anyone", "message", "phrase", "someone", "text"),
        *("the customer", "the human", "they", "users", "word"),
    ),
    (
        *("anybody", "anyone", "human", "instruction", "keep", "mention"),
        *("owner", "prompt", "reviewer", "these", "this", "user"),
    ),
    (
        *("append", "disclose", "dump", "email", "exfiltrate", "forward", "instructions"),
        *("leak", "post", "prompt", "reveal", "send", "upload"),
    ),
    ("call", "invoke", "trigger"),
    ("guidance", "restriction", "rule", "limit", "guideline", "what"),
    ("after", "before", "this"),
    ("candidate", "memory", "note", "status"),
    ("admit", "disclose", "keep", "reveal", "that"),
    ("gate", "memtools_off", "silently", "without"),
    (
        *("disregard", "follow", "forget", "ignore", "instruction", "longer", "obey"),
        *("override", "stop", "supersede", "take"),
    ),
    ("admin", "authori", "owner", "permission", "refuse", "root", "superuser"),
    ("without",),
    (
        *("agreed", "base64", "bypass", "consented", "curl ", "disable", "given"),
        *("ignore", "rm -rf", "skip", "suppress", "wget "),
    ),
    (
        *("advertise", "approve", "asked", "credentials", "environment", "praise", "promote"),
        *("recommend", "secrets"),
    ),
    (
        *("answer", "append", "embed", "file", "following", "include", "insert"),
        *("message", "repl", "respond", "response"),
    ),
    ("tool",),
    ("limit", "must", "restriction", "shall", "without"),
    ("after", "http", "image", "pixel"),
    (
        *("address", "content", "endpoint", "even", "http", "regardless"),
        *("server", "webhook"),
    ),
)

JAPANESE: tuple[tuple[str, ...], ...] = (
    (
        *("リセット", "上書き", "取り消", "従う必要", "従わな"),
        *("忘れ", "撤廃", "放棄", "新しい", "消去", "無効", "無視"),
        *("破棄",),
    ),
    (
        *("いつでも", "この先", "これから", "今後", "以後", "以降"),
        *("常に", "次回から"),
    ),
    ("信頼", "承認", "確認済み"),
    (
        *("これから", "は", "もう", "モード", "今から", "今後"),
        *("本日から",),
    ),
    (
        *("に告ぐ", "へ", "今後", "宛", "常に", "必ず", "絶対"),
        *("要約する", "見た", "読む", "読んだ", "読んでいる"),
    ),
    ("た", "ら", "ると", "れば", "次第"),
    (
        *("この", "上記の", "以上の", "伝え", "告げ", "報告せ"),
        *("悟られ", "教え", "明かさ", "気づかれ", "知らせ", "見せ"),
        *("言わ", "話さ", "通知せ"),
    ),
    (
        *("apiキー", "システムプロンプト", "中身", "会話", "内容"),
        *("内部", "環境変数", "秘密鍵", "認証情報", "資格情報"),
    ),
    (".ssh", "id_rsa", "環境変数", "秘密鍵", "認証情報"),
    ("無視",),
    ("回答", "応答", "返信", "返答"),
    ("status", "管理者"),
    ("断りなく", "書き込み", "確認", "許可", "黙って"),
    (
        *("セキュリティ", "制約", "制限", "安全", "従わず", "承認", "検閲"),
        *("無視して", "確認", "規制"),
    ),
    ("内密", "内緒", "秘密"),
    ("apiキー", "実行", "確認は"),
    ("回答", "応答", "返信", "返答"),
    ("に従", "適用"),
    ("承認", "確認", "許可"),
    ("要約", "見たら", "読み終え", "読んだら", "読んだ後"),
    ("」と",),
    ("トークン", "パスワード", "個人情報", "機密情報", "社外秘"),
    ("からの",),
)
