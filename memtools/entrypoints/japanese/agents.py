"""Japanese twins: what the MCP server and the memory tool refuse."""

from __future__ import annotations

JA = {
    "the MCP server needs a package that is missing or too old: mcp": "MCP サーバーに必要なパッケージ mcp がないか、古すぎます",
    "there is no resource {uri}": "リソース {uri} はありません",
    "{path} is gone: {reason}": "{path} がなくなりました: {reason}",
    "start the server in another folder": "別のフォルダーでサーバーを起動してください",
    "this memory belongs to another scope than this session": "このメモリーは、このセッションとは別のスコープのものです",
    "this address names {count} memories": "このアドレスはメモリー {count} 件に当たります",
    "no memory has this address": "このアドレスのメモリーはありません",
    "search for words of it": "その中の語句で検索してください",
    "an address is a path, id:… or [[a page]]; these are words": "アドレスはパス、id:…、[[ページ]] のどれかです。これは語句です",
    "search for them": "語句で検索してください",
    "{path} is not handed out: {reason}": "{path} は渡せません: {reason}",
    "do not rely on what it said; its history tells more": "その内容は信用しないでください。経緯は history で確認できます",
}
