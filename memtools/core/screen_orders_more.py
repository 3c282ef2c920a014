"""Orders to an assistant in other languages than English and Japanese, for `screen_orders`.

Reads text in small letters. Must not know how a finding is told.
"""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

# Who gives earlier orders up names three things, in an order that differs from language to
# language: what to do, what was before, what it was. Stems, one row a language.
_OVERRIDES = (
    (
        ("ignorier", "vergiss", "vergesst", "vergessen sie", "missachte"),
        ("vorherig", "vorig", "bisherig", "obig", "früher", "vorangegangen", "deine"),
        ("anweisung", "instruktion", "regel", "vorgabe", "befehl", "prompt"),
    ),
    (
        ("ignora", "ignore", "olvid", "desobede", "caso omiso"),
        ("anterior", "previa", "previo", " tus ", " sus ", "arriba"),
        ("instruccion", "orden", "regla", "indicacion", "directriz"),
    ),
    (
        ("ignor", "esqueç", "esquec", "desconsider"),
        ("anterior", "prévi", " acima", " suas ", " tuas "),
        ("instruç", "regra", "ordens", "comando", "diretriz"),
    ),
    (
        ("ignor", "oubli", "compte"),
        ("précédent", "antérieur", "ci-dessus", " tes ", " vos "),
        ("instruction", "consigne", "règle", "ordre", "directive"),
    ),
    (
        ("ignora", "dimentica", "trascura"),
        ("precedent", " tue ", " sopra"),
        ("istruzion", "regol", "ordini", "direttiv"),
    ),
    (
        ("negeer", "vergeet"),
        ("vorige", "eerdere", "bovenstaande", "voorgaande"),
        ("instructie", "regels", "opdracht", "aanwijzing"),
    ),
    (
        ("ignorer", "bortse", "glöm", "glem", "ohita", "unohda"),
        ("tidigare", "tidligere", "föregående", "forrige", "ovan", "aiemmat", "aikaisemmat"),
        ("instruktion", "instruks", "regler", "ohjeet"),
    ),
    (
        ("ignoruj", "zapomnij", "pomiń", "zapomeň"),
        ("poprzedni", "wcześniejsz", "powyższ", "předchoz"),
        ("instrukc", "polece", "zasad", "pokyn"),
    ),
    (
        ("игнорируй", "забудь", "не обращай", "ігноруй"),
        ("предыдущ", "прежн", "прошл", "выше", "попередн"),
        ("инструкц", "указани", "правил", "команд", "інструкц", "вказівк"),
    ),
    (
        ("yok say", "görmezden", "unut", "dikkate alma"),
        ("önceki", "yukarıdaki"),
        ("talimat", "kural", "komut", "yönerge"),
    ),
    (
        ("bỏ qua", "quên", "phớt lờ"),
        ("trước", "ở trên"),
        ("hướng dẫn", "chỉ thị", "lệnh", "quy tắc"),
    ),
    (
        ("abaikan", "lupakan"),
        ("sebelumnya", "di atas"),
        ("instruksi", "perintah", "aturan", "arahan"),
    ),
    (
        ("忽略", "忽视", "忽視", "无视", "無視", "忘记", "忘記", "忘掉", "不要遵守", "不用遵守"),
        ("之前", "以前", "先前", "以上", "上述", "前面", "此前", "所有"),
        ("指示", "指令", "命令", "规则", "規則", "提示", "要求", "限制"),
    ),
    (
        ("무시", "잊어", "따르지"),
        ("이전", "위의", "앞의", "지금까지", "기존"),
        ("지시", "명령", "규칙", "프롬프트", "지침"),
    ),
    (("تجاهل", "انس"), ("السابق", "أعلاه"), ("تعليمات", "الأوامر", "القواعد")),
    (("नज़रअंदाज", "अनदेखा", "भूल"), ("पिछले", "पहले", "ऊपर"), ("निर्देश", "नियम", "आदेश")),
    (("ละเว้น", "เพิกเฉย", "ลืม"), ("ก่อนหน้า", "ข้างต้น"), ("คำสั่ง", "คำแนะนำ")),
)
_GAP = r"[^\n.。!?！？]{0,40}?"
# (name, words one of which stands in all that matches, shape).
_PHRASES = (
    (
        "persona",
        (
            *("从现在", "你现在", "你現在", "限制的", "bist ", " eres ", "tu es ", "êtes "),
            *("ora sei ",),
            *("adesso sei ", "você ", "теперь", "지금부터", "이제"),
        ),
        r"从现在(?:开始|起).{0,4}你|你(?:现在|現在)(?:开始)?是|[没沒]有限制的(?:助手|ai|模型)"
        r"|du bist (?:jetzt|nun|ab jetzt|ab sofort) "
        r"|(?:ahora|desde ahora|a partir de ahora),? eres "
        r"|tu es (?:maintenant|désormais)|vous êtes (?:maintenant|désormais)|(?:ora|adesso) sei "
        r"|(?:agora você|você agora) é |(?:теперь ты|ты теперь) |지금부터 ?(?:너는|넌|당신은)"
        r"|(?:너는|당신은) 이제",
    ),
    (
        "secrecy",
        (
            *("告诉", "告訴", "不要通知", "别通知", "別通知", "透露", "保密", "隐瞒", "nutzer"),
            *("niemand",),
            *("usuario", "nadie", "utilisateur", "personne", "usuário", "ninguém", "utente"),
            *("nessuno", "пользовател", "никому", "사용자", "누구"),
        ),
        r"(?:不要|别|別|不得|切勿|不能)(?:告诉|告訴|通知|透露给)(?:用户|用戶|使用者|任何人)"
        r"|[对對](?:用户|用戶|使用者)(?:保密|隐瞒)"
        r"|(?:sag|verrat|verrät|erzähl|teil|melde)\w{0,3} [^\n.]{0,20}?"
        r"(?:nutzer\w{0,3} [^\n.]{0,20}?(?:nicht|kein)|niemand)"
        r"|no (?:le |les |se lo )?(?:digas?|cuentes?|informes?|menciones?|reveles?)"
        r"[^\n.]{0,30}?(?:usuario|nadie)"
        r"|ne (?:le |lui )?(?:dis|dites|parle|révèle|mentionne)\w{0,2} "
        r"(?:rien|pas|jamais|ceci|cela)[^\n.]{0,20}?(?:utilisateur|personne)"
        r"|não (?:conte|diga|informe|mencione|revele)[^\n.]{0,20}?(?:usuário|ninguém)"
        r"|non (?:dire|rivelare|informare|menzionare)[^\n.]{0,20}?(?:utente|nessuno)"
        r"|не (?:говори|сообщай|рассказывай|упоминай)[^\n.]{0,20}?(?:пользовател|никому)"
        r"|(?:사용자|누구)(?:에게|한테)[^\n.]{0,14}?(?:말하지|알리지|밝히지) ?(?:마|말)",
    ),
    (
        "exfiltration",
        (
            *("系统提示", "系统指令", "系統提示", "系統指令", "-prompt", "prompt d"),
            *("prompt syst", "systemprompt", "системн", "시스템", "到http"),
            *("至http", "给http", "到 http", "至 http", "给 http", " an http", " nach http"),
            *(" a http", " à http", " para http", " на http", " ke http"),
        ),
        r"(?:显示|顯示|输出|輸出|打印|透露|告诉我)[^\n。]{0,10}?系[统統](?:提示|指令)"
        r"|(?:gib|zeige?|nenne?) (?:mir )?(?:deinen?|den) system-?prompt"
        r"|(?:muestra|revela|dime)[^\n.]{0,14}?prompt del? sistema"
        r"|(?:affiche|montre|révèle)\w{0,2}[^\n.]{0,14}?prompt (?:du )?syst[èe]me"
        r"|(?:mostra|rivela|mostre|revele)[^\n.]{0,14}?prompt d[eio]l? ?sistema"
        r"|(?:покажи|выведи|раскрой)[^\n.]{0,14}?системн\w{1,3} (?:промпт|подсказк|запрос)"
        r"|시스템 ?프롬프트를[^\n.]{0,10}?(?:보여|출력|공개|알려)"
        r"|(?:发送|發送|上传|上傳|转发|轉發)(?:到|至|给) ?https?:"
        r"|(?:\bsende|\bschick|\benví|\benvi[ae]|\benvoi|\bekspor|\binvia|отправ|\bkirim)\w{0,3} "
        r"[^\n]{3,60}? (?:an|nach|a|à|para|на|ke) https?:",
    ),
    (
        "unguarded",
        (
            *("无需", "無需", "不用", "不必", "无须"),
            *(" ohne ", " sin ", " sans ", " senza ", " sem ", " без "),
        ),
        r"(?:无需|無需|不用|不必|无须)(?:确认|確認|询问)[^\n。]{0,12}?(?:执行|執行|删除|刪除|批准|发送)"
        r"|\b(?:führ|lösch|start|genehmig|send|install)e?\b[^\n.]{0,60}? ohne "
        r"(?:rückfrage|nachfrage|bestätigung|zu fragen)"
        r"|(?:ejecut|elimin|borr|aprueb|aprob)[ae]\b[^\n.]{0,60}? sin (?:preguntar|confirma|pedir)"
        r"|(?:exécut|supprim|approuv|lanc)(?:e|ez)\b[^\n.]{0,60}? sans (?:demander|confirm|poser)"
        r"|(?:esegui|elimina|cancella|approva)\b[^\n.]{0,60}? senza (?:chiedere|conferma)"
        r"|(?:execut|delet|apagu|aprov)[ea]\b[^\n.]{0,60}? sem (?:perguntar|confirma|pedir)"
        r"|(?:выполни|удали|одобри|запусти)\b[^\n.]{0,60}? без (?:подтвержд|вопрос|запрос)",
    ),
    (
        "approval",
        ("批准", "genehmig", "aprueb", "approuve", "approva", "одобр", "aprove", "승인"),
        r"批准(?:所有|一切)(?:的)?(?:请求|請求|候选|更改)|(?:直接|自动|自動)批准"
        r"|\bgenehmige?n? (?:sie )?alles?\b|\baprueb[ae] tod[oa]s?\b|\bapprouve[sz]? tou[ts]\b"
        r"|\bapprova tutt[oi]\b|\baprove tod[oa]s?\b|\baprove tudo\b|\bодобр(?:и|яй) вс[её]\b"
        r"|(?:모두|모든)[^\n.]{0,10}?승인(?:하세요|해)",
    ),
)


def more_orders_in(folded: str) -> Iterator[tuple[str, int]]:
    """(name, offset) of each piece of text that gives orders to an assistant."""
    for row in _OVERRIDES:
        if all(any(map(folded.__contains__, stems)) for stems in row):
            for match in re.finditer(_override(*row), folded):
                yield "override", match.start()
    for name, needed, shape in _PHRASES:
        if any(map(folded.__contains__, needed)):
            for match in re.finditer(shape, folded):
                yield name, match.start()


def _override(*row: tuple[str, ...]) -> str:
    verb, earlier, rules = (f"(?:{'|'.join(map(re.escape, stems))})" for stems in row)
    orders = ((verb, earlier, rules), (verb, rules, earlier), (earlier, rules, verb))
    return "|".join(_GAP.join(order) for order in orders)
