"""Japanese sentences of what agents are told at each turn."""

from __future__ import annotations

JA: dict[str, str] = {
    # sessions
    "withdrawn: {path} (retracted {at} by {by}). Do not rely on what it said.": "取り下げ: {path} ({at} に {by} が撤回)。その内容に頼らないでください。",
    "withdrawn: {path} (retracted by {by}). Do not rely on what it said.": "取り下げ: {path} ({by} が撤回)。その内容に頼らないでください。",
    "withdrawn: {path} (no longer given out). Do not rely on what it said.": "取り下げ: {path} (もう渡されません)。その内容に頼らないでください。",
    # turn
    "an event of an agent is missing on stdin": "標準入力にエージェントのイベントがありません",
    "agents call this at every turn; what they get, type: memtools recall": "これはエージェントが毎ターン呼ぶものです。渡される内容を見るには: memtools recall",
    "the event on stdin is larger than {size} bytes": "標準入力のイベントが {size} バイトを超えています",
    "the event on stdin is not JSON": "標準入力のイベントが JSON ではありません",
    "the event on stdin names no hook_event_name": "標準入力のイベントに hook_event_name がありません",
    "memtools turn takes no arguments": "memtools turn に引数はありません",
}
