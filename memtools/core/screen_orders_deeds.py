"""Shapes of English orders that ask for a deed: run it unasked, send it off, put it everywhere.

Must not know how they are looked for; ~ and the words with @ are those of `screen_orders_en`.
"""

from __future__ import annotations

DEEDS = (
    (
        # a command, not what a program does by itself
        "unguarded",
        r"""(?:^|[.!?:;][ ]{1,3}|\b(?:always|must|should|please|then|and|to|just|it)~)
        (?:run|execute|delete|remove|install|deploy|push|merge|send|approve|accept)\b
        [^\n]{0,80}?\bwithout~
        (?:asking|confirmation|confirming|permission|review|approval|reading|checking|consent)\b""",
    ),
    (
        "unguarded",
        r"""\b(?:skip|suppress|disable|bypass|ignore)~(?:(?:all|any|the|every)~){0,2}
        (?:confirmations?|approvals?|safety|permission|consent)~
        (?:prompts?|checks?|steps?|dialogs?|requests?|gates?|questions?)\b
        | \b(?:user|owner|customer|human)~has~(?:already~)?
        (?:consented|agreed~to~(?:everything|all|any)|given~(?:permission|consent))\b
        | \b(?:run|execute)~(?:(?:the|this|these)~)?
        (?:following|commands?|scripts?|code|instructions?)\b[^\n]{0,80}?
        \b(?:curl[ ]|wget[ ]|base64|rm[ ]-rf)""",
    ),
    (
        "trigger",
        r"""\b(?:when|whenever|if|once)~(?:you~are~)?asked~(?:for|to|about|if|by)\b[^\n]{0,80}?
        \b(?:call|send|run|execute|upload|post|forward|delete|fetch|curl|invoke|leak|reveal
            |disclose|approve|print|dump|output|recommend|promote)\b
        | \b(?:when|whenever|if|once)~@USER~(?:asks?|says?|mentions?|wants?)\b[^\n]{0,80}?
        \b(?:recommend|promote|advertise|praise|approve)\b
        | \b(?:print|show|output|dump|display|reveal|list)~(?:all~)?(?:(?:the|your|of)~){0,2}
        (?:environment~var\w*|secrets|credentials)\b[^\n]{0,40}?
        \b(?:when|if|whenever|every~time)\b""",
    ),
    (
        "standing-order",
        r"""\b(?:respond|reply|answer)~(?:to~)?(?:every|any|all|each)~(?:\w+~){0,2}?
        (?:questions?|requests?|messages?|prompts?)~(?:with|by)\b
        | \b(?:in|to|at~the~end~of)~(?:every|each|all|any|your)~(?:\w+~)?
        (?:repl(?:y|ies)|answers?|responses?|messages?|files?~you~\w+)\b[^\n]{0,30}?
        \b(?:append|include|insert|embed|mention)~(?:\w+~){0,3}?
        (?:text|link|url|image|pixel|line|phrase|https?)\b
        | \b(?:append|include|insert|embed|add~the~following)~(?:\w+~){0,3}?
        (?:text|link|url|image|pixel|line|phrase|https?)\b[^\n]{0,60}?
        \b(?:in|to)~(?:every|each|all|your)~(?:\w+~)?
        (?:repl(?:y|ies)|answers?|responses?|messages?|files?~you~\w+)\b""",
    ),
    (
        "tool-call",
        r"""\buse~(?:the~|your~)?\w+~tools?~to~
        (?:fetch|download|send|delete|run|execute|open|upload|post|call)\b""",
    ),
    (
        "persona",
        r"""\bas~(?:the|an?)~(?:ai|(?:ai~)?assistant|llm|(?:language~)?model|chat~?bot)~you~
        (?:must|shall)\b
        | \b(?:act|answer|respond|behave|operate)~without~(?:any~)?
        (?:restrictions?|limits?|limitations?|filters?|censorship)\b
        | \byou~(?:have|got)~no~(?:\w+~)?(?:restrictions?|limitations?|limits?)\b""",
    ),
    (
        "trigger",
        r"""\bafter~(?:you~(?:have~)?)?read(?:ing)?~(?:this|it)[ ]?,[^\n]{0,40}?
        \b(?:delete|send|run|call|execute|fetch|open|visit|approve|upload|forward)\b
        | \b(?:when|whenever|if|while)~(?:you~)?
        (?:summari[sz]|answer|reply|respond|review|translat)\w*\b
        [^\n]{0,60}?\b(?:insert|include|append|embed)\b[^\n]{0,30}?
        (?:https?:|\bimage|\bpixel)""",
    ),
    (
        "exfiltration",
        r"""\b(?:reply|respond|answer)~(?:with|by)~the~contents?~of\b
        | \b(?:send|post|upload|forward|submit|transmit|copy|push)~[^\n]{0,40}?
        (?:contents?~of|all~(?:the~|your~|my~)?(?:notes?|memor\w+|files?|messages?|data|secrets?))\b
        [^\n]{0,40}?\bto~(?:the~|an?~|this~)?(?:external~)?
        (?:webhook|endpoint|server|address|https?)\b
        | \b(?:tell|let)~(?:the~)?(?:users?|them|everyone)~[^\n]{1,60}?
        \b(?:even~if|regardless~of)\b""",
    ),
)
