"""Japanese twins: what render, export and the blocks of AGENTS.md and the like say."""

from __future__ import annotations

JA = {
    # comments of a block
    "this memtools comment cannot be read": "この memtools コメントは読めません",
    "the end comment has no begin comment above it": "終わりのコメントより上に、始まりのコメントがありません",
    "the begin comment has no end comment below it": "始まりのコメントより下に、終わりのコメントがありません",
    "a second memtools comment of the same kind stands here": "同じ種類の memtools コメントが 2 つ目です",
    "leave one line <!-- memtools:begin --> and, below it, one line <!-- memtools:end -->": "<!-- memtools:begin --> の行を 1 つ、その下に <!-- memtools:end --> の行を 1 つだけ残してください",
    "this is no UTF-8 text with usual line ends, so no block can be added": "通常の改行の UTF-8 テキストではないため、ブロックを追加できません",
    "save it as UTF-8 with LF line ends": "改行 LF の UTF-8 で保存してください",
    # commits
    "{path}: its block of memories changes in this commit": "{path}: メモリーのブロックもこのコミットで変わります",
    # check
    "type: memtools render; then commit {path}": "次を入力: memtools render。その後 {path} をコミットしてください",
    'no memory says this line of the block: "{text}"': "ブロックのこの行は、どのメモリーにもありません: 「{text}」",
    "no memory says {count} more lines of this block": "このブロックには、どのメモリーにもない行がほかに {count} 行あります",
    "this block leaves out, or puts in another order, what the memories say": "このブロックは、メモリーの内容を省いているか、順序を変えています",
}
