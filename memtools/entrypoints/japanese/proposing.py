"""Japanese twins: what the write gate, propose and import say."""

from __future__ import annotations

JA = {
    # candidate
    "the candidate is larger than {limit} bytes": "候補が {limit} バイトを超えています",
    "the candidate holds conflict marks in line {line}": "候補の {line} 行目にコンフリクトの印が残っています",
    "the header of the candidate cannot be set for sure": "候補のヘッダーを確実に設定できません",
    "the candidate is not UTF-8 text": "候補が UTF-8 のテキストではありません",
    "the candidate is no text": "候補がテキストではありません",
    "resolve the conflict first": "先にコンフリクトを解消してください",
    "the candidate is empty": "候補が空です",
    "mend it, or leave it out": "ヘッダーを直すか、外してください",
    "save it as UTF-8": "UTF-8 で保存してください",
    # gate
    "it says again what {path} said, retracted by {by} on {at} because: {why}": "撤回済みの {path} と同じ内容です ({by} が {at} に撤回。理由: {why})",
    "it says again what was retracted": "撤回済みの内容と同じです",
    "it says again what {path} said, retracted by {by} on {at}": "撤回済みの {path} と同じ内容です ({by} が {at} に撤回)",
    "it holds what looks like a secret": "秘密情報らしきものが含まれています",
    "it holds what looks like personal data": "個人情報らしきものが含まれています",
    "its confidence {given} is below min_confidence {least}": "確度 {given} が min_confidence {least} を下回っています",
    "it was inferred, and inferred attributes are not stored": "推測によるものです。推測した属性は保存しません",
    "it holds text that a reader would not see, or not see right": "読み手に見えない文字、または違って見える文字が含まれています",
    "it gives orders to an assistant": "アシスタントへの指示が含まれています",
    "it would retract a memory only a person may retract: {paths}": "人だけが撤回できるメモリーを撤回します: {paths}",
    "it would retract {count} memories, more than {most}": "{count} 件のメモリーを撤回します ({most} 件を超えています)",
    "it has a RETRACTS: line that would not act as it stands": "そのままでは働かない RETRACTS: の行があります",
    "it comes from outside": "外部の内容です",
    "it was inferred": "推測によるものです",
    "a mistake in it would be costly": "誤りの損害が大きい内容です",
    "it asks to be put before every agent at every turn": "毎ターンすべてのエージェントに示すよう求めています",
    "its confidence is not at or over auto_confidence {wanted}": "確度が auto_confidence {wanted} に達していません",
    "it is a fact from a conversation, sure enough and of low cost": "会話から得た事実で、確度は十分、誤りの損害は小さい内容です",
    "a person stated it, and a mistake in it would cost little": "人が明示的に述べたことで、誤りの損害は小さい内容です",
    "what a program proposes waits for a person whatever it claims": "プログラムからの提案は、何と申告しても人の承認を待ちます",
    "an agent or importer proposes it, and input_trust is low": "エージェントまたは取り込みによる提案で、input_trust は low です",
    # propose
    "{decision} ({rule})": "{decision} ({rule})",
    "  {reason}": "  {reason}",
    "  found: {kind} in line {line}": "  検出: {kind} ({line} 行目)",
    "  found: {kind} in title or scope": "  検出: {kind} (タイトルか scope)",
    "once it is approved it retracts:": "承認されると次を撤回します:",
    "  reads like {path} ({status}, {percent} %)": "  {path} に似ています ({status}、{percent} %)",
    "(nothing is stored)": "(何も保存しません)",
    "(no changes; --apply stores it as {path})": "(変更なし。--apply を付けると {path} として保存します)",
    "stored and approved: {path}": "保存して承認しました: {path}",
    "stored as a candidate: {path}; due for approval on {day}": "候補として保存しました: {path}。承認の予定日: {day}",
    "stored as a candidate, waiting for a person: {path}": "候補として保存しました。人の承認を待ちます: {path}",
    "stored as {path} on the branch {branch}; to merge it is to approve it": "ブランチ {branch} に {path} として保存しました。マージすると承認になります",
    "there is no candidate": "候補がありません",
    "type: memtools propose FILE --source stated": "次のように実行してください: memtools propose FILE --source stated",
    # judge
    "{word} is no source": "{word} は source ではありません",
    "{word} is no failure cost": "{word} は failure cost ではありません",
    "a confidence is a number from 0 to 1": "confidence は 0 から 1 の数です",
    # quarantine
    "no root of this repository can take a candidate": "このリポジトリの roots には候補を置ける場所がありません",
    "there is no commit yet a branch could start from": "ブランチの起点になるコミットがまだありません",
    "commit something first, or leave out --branch": "先に何かコミットするか、--branch を外してください",
    # reading
    "{path} cannot be read: {reason}": "{path} を読めません: {reason}",
    "{path} is no regular file": "{path} は通常のファイルではありません",
}
