"""Shapes of English orders to an assistant, for `screen_orders`.

Must not know how they are looked for, but that it is with VERBOSE, in small letters.
"""

from __future__ import annotations

from memtools.core.screen_orders_deeds import DEEDS

# In the shapes ~ stands for what may be between two words: blanks, line ends, marks of emphasis.
_GAP = r"\W{1,12}"
_WHO = (
    "(?:assistants?|agents?|ai|llms?|language[ ]models?|models?|chat[ ]?bots?|copilot|claude|gpt)"
)
_USER = "(?:the[ ]user|an?[ ]user|users|the[ ]customer|the[ ]human|someone|anyone|anybody|they)"

_DROP = (
    r"\b(?:ignore|disregard|forget|override|bypass|discard|abandon|stop~following"
    "|pay~no~attention~to|(?:do~not|don't|no~longer)~(?:follow|obey))"
)

_SHAPES = (
    (
        "override",
        r"""@DROP~
        (?:(?:all|any|every|everything|the|your|my|of|these|those|other)~){0,4}
        (?:previous|prior|above|earlier|preceding|former|existing|original|foregoing|other|system
            |safety)~
        (?:\w+~){0,2}?
        (?:instructions?|rules?|prompts?|directions?|directives?|guidelines?|guardrails?|orders
            |commands|polic(?:y|ies)|restrictions?|context)\b""",
    ),
    (
        "override",
        r"""@DROP~(?:(?:all|any|of|the|your)~){0,3}
        (?:instructions?|rules?|prompts?|guidelines?)~(?:above|before|so~far|you~(?:were|have))\b
        | \b(?:previous|prior|earlier)~(?:instructions?|prompts?)~
        (?:(?:are|is)~(?:now~)?(?:void|cancell?ed|invalid|obsolete|revoked|superseded)|no~longer)\b
        | \bsystem~override\b
        | \b(?:ignore|disregard|forget)~(?:everything|anything|all|what)~
        (?:(?:that|was|you|were|have|been|i)~){0,3}
        (?:above|before|previously|told|said|instructed)\b
        | \b(?:ignore|disregard|forget)~(?:all~|any~)?(?:of~)?your~(?:\w+~)?
        (?:instructions?|rules|guidelines|training|programming)\b""",
    ),
    (
        "override",
        r"""\b(?:new|updated|real|actual|secret|hidden)~(?:system~)?
        (?:instructions?|prompt|directives?)~(?:is|are|follow|for~(?:the~)?@WHO)\b
        | \byour~(?:new|real|true|only|actual)~
        (?:instructions?|task|goal|role|job|purpose|directive)\b""",
    ),
    (
        "persona",
        r"""\byou~are~(?:no~longer|now~(?:an?|the|my|our|in|called|named|acting|free|dan))\b
        | \b(?:from~now~on|now)~(?:act|behave|respond|answer|pretend)~(?:as|like|to~be)\b
        | \bpretend~(?:to~be|(?:that~)?you)\b
        | \b(?:enter|enable|activate|switch~to|in|into)~(?:(?:a|the)~)?
        (?:developer|admin|administrator|maintenance|god|jailbreak|unrestricted|unfiltered)~mode\b""",
    ),
    (
        "standing-order",
        r"""\b(?:you|@WHO)~
        (?:must|shall|will|have~to|are~(?:required|instructed|ordered|obliged)~to)~
        (?:now~)?(?:always|never|immediately|obey|comply|ignore|not~(?:mention|tell|reveal|ask))\b
        | \bfrom~now~on~(?:you|always|never)\b""",
    ),
    (
        "approval",
        r"""\b(?:always|automatically|silently|blindly)~
        (?:approve|accept|trust|authori[sz]e)\b
        | \bapprove~(?:everything|anything)\b
        | \b(?:approve|accept|trust)~(?:all|any|every|each)~(?:\w+~){0,3}?
        (?:requests?|candidates?|memor(?:y|ies)|commands?|changes?|proposals?)~
        (?:automatically|without|from)\b
        | \b(?:treat|mark|consider)~(?:\w+~){1,5}?as~(?:already~)?
        (?:approved|trusted|verified|confirmed)\b""",
    ),
    (
        "addressed",
        r"""\b(?:note|message|instructions?|attention|reminder|dear|hey|hello)~
        (?:(?:to|for|all|any|the|this)~){0,3}@WHO\b(?=\W{0,3}(?:[:!,-]|\w+ing\b|that\b|who\b))
        | \b(?:if|when|while)~you~(?:are|re)~an?~(?:\w+~){0,2}?@WHO\b
        | \b@WHO~(?:(?:that|who|which)~reads?|reading)~this\b""",
    ),
    (
        "trigger",
        r"""\b(?:when|whenever|once|if|as~soon~as|after|(?:the~)?next~time)~
        (?:@USER~
        (?:(?:next|ever|again|then)~)?
        (?:say|ask|type|mention|repl|answer|write|thank|confirm|request|greet|send|open)\w*\b
            |you~(?:see|read|hear|encounter)~(?:the|this)~(?:word|phrase|keyword|text|message)\b)
        [^\n]{0,100}?
        \b(?:call|send|run|execute|upload|post|forward|email|mail|transfer|delete|fetch|curl|invoke
            |leak|exfiltrate|append|insert|include|reveal|disclose|copy|paste|approve|visit)\b""",
    ),
    (
        "secrecy",
        r"""\b(?:do~not|don'?t|never|without)~
        (?:mention|tell|reveal|inform|disclose|notify|alert|warn|ask)(?:ing)?~
        (?:(?:this|these|it|that|about|to)~){0,2}
        (?:anyone|anybody|this|(?:the~)?(?:user|human|owner|reviewer)s?
            (?=~(?:about|of|that|this|for)\b|\W{0,2}(?:[.;!]|$))
            |(?:the|these|your)~(?:instructions?|prompt))\b
        | \b(?:do~not|don'?t|never)~(?:reveal|disclose|mention)~these~instructions\b
        | \b(?:do~not|don'?t|never)~mention~(?:this|it|that~you)\b
        | \bkeep~this~(?:\w+~)?(?:secret|hidden)~from\b""",
    ),
    (
        "exfiltration",
        r"""\b(?:print|reveal|show|output|repeat|display|leak|dump|give|tell)~
        (?:(?:me|us|out|all|the|your|any|every|full|entire|whole|of|my|its)~){0,4}
        (?:(?:system|hidden)~prompt|(?:initial|hidden|secret|system)~instructions)\b
        | \b(?:send|post|upload|email|forward|exfiltrate|leak|dump|append|reveal|disclose)~
        (?:(?:me|us|out|all|the|your|any|every|full|entire|whole|of|my|its)~){0,4}
        (?:environment~variables|env~vars|api~keys?|credentials|secrets|passwords|access~tokens?
            |private~keys?|ssh~keys?|(?:chat|conversation)~history
            |contents?~of~(?:the|your|this|all|every|my)~\w+)\b""",
    ),
    (
        "tool-call",
        r"""\b(?:call|invoke|trigger)~(?:the~|your~)?\w+~(?:tool|function|plugin)~
        (?:with|to|on|and|using|for)\b""",
    ),
    (
        "override",
        r"""@DROP~(?:(?:all|any|the|your|my)~){0,3}(?:previous|prior|above|earlier)~guidance\b
        | \b(?:ignore|disregard|forget)~what~(?:your|the)~
        (?:developers?|creators?|operators?|system)\b
        | \bas~if~you~(?:had|have)~no~(?:\w+~)?(?:restrictions?|rules?|limits?|guidelines?)\b""",
    ),
    (
        "trigger",
        r"""\byou~(?:read|see|load|recall|find)~this~(?:note|memory|file|page|entry|document)\b
        [^\n]{0,100}?\b(?:call|send|run|execute|upload|delete|fetch|curl|open|visit|say|reply)\b
        | \b(?:before|after)~(?:you~)?(?:answer|reply|respond)(?:ing)?~
        (?:(?:to|any|every|each|the|next|all)~){1,3}(?:questions?|messages?|requests?|prompts?)\b
        [^\n]{0,60}?\b(?:call|send|run|execute|upload|fetch|curl|open|visit|download)\b""",
    ),
    (
        "approval",
        r"""\b(?:this|the)~(?:memory|candidate|note)~(?:has~been|was|is)~(?:already~|pre-)?
        (?:approved|verified|reviewed|authori[sz]ed)~by\b
        | \bset~(?:its|the|this)~(?:\w+~)?status~to~active\b""",
    ),
    (
        "secrecy",
        r"""\bkeep~(?:this|it)~(?:away~)?from~(?:the~)?(?:user|human|owner|reviewer)s?\b
        | \b(?:never|do~not|don'?t)~(?:reveal|admit|disclose|say)~that~you\b""",
    ),
    (
        "unguarded",
        r"""\b(?:run|execute)~(?:(?:the|this|these|any|all|following)~){1,3}(?:\w+~)?
        (?:commands?|code|scripts?|base64)\b[^\n]{0,40}?
        \b(?:without~(?:asking|confirmation|permission)|silently)\b
        | \b(?:disable|bypass|switch~off|turn~off)~the~(?:write|memory)~gate\b
        | \bset~memtools_off\b""",
    ),
    (
        "override",
        r"""\b(?:ignore|disregard|forget)~(?:all~|everything~)?(?:of~)?(?:the~)?
        (?:above|foregoing|preceding)\b(?=\W{1,3}(?:and|then|but)\b|[ ]?[.;!,:]|$)
        | \b(?:stop~following|no~longer~follow|(?:do~not|don't)~(?:follow|obey))~
        (?:your~(?:\w+~)?(?:rules|guidelines|instructions|training)
            |(?:the~|any~)?(?:rules|instructions|guidelines)~(?:in|of|from)~
            (?:agents|claude|gemini|the~system|your))\b
        | \b(?:new|updated)~(?:system~)?instructions?[ ]?:
        | \b(?:this|these|the)~(?:memory|note|rule|message|instruction)s?~
        (?:overrides?|supersedes?|takes?~precedence~over)~
        (?:all|any|every|other|your|the~other)\b""",
    ),
    (
        "persona",
        r"""\b(?:act|behave|respond|work)~as~(?:the|an?|my|if~you~were)~(?:\w+~)?
        (?:administrator|admin|root|owner|superuser)\b
        | \byou~(?:now~)?(?:have|got)~(?:(?:full|my|the)~)?
        (?:permission|authori[sz]ation|admin~rights|root~access)~to\b
        | \b(?:you~(?:must|may|can|shall)~(?:not|never)|never)~refuse~(?:any|a|to)\b""",
    ),
    *DEEDS,
)
ENGLISH = tuple(
    (
        name,
        shape.replace("@DROP", _DROP)
        .replace("@WHO", _WHO)
        .replace("@USER", _USER)
        .replace("~", _GAP),
    )
    for name, shape in _SHAPES
)
