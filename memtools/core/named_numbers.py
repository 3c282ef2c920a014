"""Numbers that are personal data because a word before them says what they are, as one table.

Must not know how far from its word a number may stand.
"""

from __future__ import annotations

_START, _END = r"(?<![A-Za-z0-9-])", r"(?![A-Za-z0-9-])"
_MONTH = "(?i:jan|feb|m[aä]r|apr|ma[yi]|jun|jul|aug|sep|o[ck]t|nov|de[cz])[a-z]{0,6}"
_DATE = (
    r"(?:[0-9]{4}[-/. ][0-9]{1,2}[-/. ][0-9]{1,2}|[0-9]{1,2}[-/.][0-9]{1,2}[-/.][0-9]{4}"
    r"|(?:[0-9]{4}|(?:昭和|平成|令和)[0-9元]{1,2})年[ ]?[0-9]{1,2}月[ ]?[0-9]{1,2}日"
    rf"|[0-9]{{1,2}}[. ]{{1,2}}{_MONTH}[ ][0-9]{{4}}"
    rf"|{_MONTH}[ ][0-9]{{1,2}},?[ ][0-9]{{4}})(?![0-9])"
)

# (name, what such a word holds, in small letters, word that says so, the value behind it).
NAMED = (
    (
        "passport",
        ("passport", "パスポート", "旅券", "reisepass", "passeport", "pasaporte", "护照", "여권"),
        r"(?i:passport|パスポート|旅券|reisepass|passeport|pasaporte|护照|여권)",
        r"(?<![A-Za-z0-9])(?:[A-Z]{1,2}[0-9]{6,8}|(?<![.-])[0-9]{9})(?![A-Za-z0-9-])",
    ),
    (
        "social-security-number",
        ("ssn", "social security", "社会保障番号"),
        r"(?i:(?<![a-z])ssn(?![a-z])|social security|社会保障番号)",
        rf"{_START}[0-9]{{3}}[ -]?[0-9]{{2}}[ -]?[0-9]{{4}}(?![0-9-])",
    ),
    (
        "driving-licence",
        ("免許証", "driv", "führerschein", "permis"),
        r"(?i:免許証|driv(?:ing|er'?s?)[ ]licen[cs]e|führerschein|permis[ ]de[ ]conduire)",
        rf"{_START}(?:[0-9]{{12}}|[A-Z][0-9]{{7,14}}|[A-Z][0-9A-Z]{{10}}){_END}",
    ),
    (
        "bank-account",
        ("口座", "普通", "当座"),
        r"(?:口座|普通預金|当座預金|支店[ ]?(?:普通|当座))",
        rf"{_START}[0-9]{{7}}(?![0-9-])",
    ),
    (
        "bank-account",
        ("account ", "routing", "kontonummer", "sort code"),
        r"(?i:account (?:number|no\.?)|routing(?: (?:number|no\.?))?|kontonummer|sort code)",
        rf"{_START}(?:[0-9]{{8,12}}|[0-9]{{2}}-[0-9]{{2}}-[0-9]{{2}})(?![0-9-])",
    ),
    (
        "pension-number",
        ("年金",),
        r"(?:年金番号|年金手帳)",
        r"(?<![0-9-])[0-9]{4}-?[0-9]{6}(?![0-9-])",
    ),
    (
        "insurance-number",
        ("保険", "被保険者"),
        r"(?:保険証|被保険者)",
        r"(?<![0-9-])(?:[0-9]{7,8}(?:-?[0-9]{2})?|[0-9]{4}-[0-9]{6}-[0-9])(?![0-9-])",
    ),
    (
        "resident-card",
        ("在留カード",),
        r"(?:在留カード)",
        rf"{_START}[A-Z]{{2}}[0-9]{{8}}[A-Z]{{2}}{_END}",
    ),
    (
        "national-number",
        ("national insurance", "ni n"),
        r"(?i:national insurance|(?<![a-z])ni[ ](?:number|no))",
        rf"{_START}[A-Z]{{2}}(?:[ ]?[0-9]{{2}}){{3}}[ ]?[A-D]{_END}",
    ),
    (
        "national-number",
        ("insee", "nir", "curit"),
        r"(?i:(?<![a-z])(?:insee|nir)(?![a-z])|s[ée]curit[ée] sociale)",
        rf"{_START}[12](?:[ ]?[0-9]{{2}}){{2}}[ ]?[0-9AB]{{2}}(?:[ ]?[0-9]{{3}}){{2}}"
        rf"(?:[ ]?[0-9]{{2}})?{_END}",
    ),
    (
        "national-number",
        ("dni", "nie", "nif"),
        r"(?i:(?<![a-z])(?:dni|nie|nif)(?![a-z]))",
        rf"{_START}[0-9XYZ][0-9]{{7}}-?[A-Z]{_END}",
    ),
    (
        "national-number",
        ("cpf",),
        r"(?i:(?<![a-z])cpf(?![a-z]))",
        rf"{_START}[0-9]{{3}}\.?[0-9]{{3}}\.?[0-9]{{3}}-?[0-9]{{2}}{_END}",
    ),
    (
        "national-number",
        ("aadha", "आधार"),
        r"(?i:aadhaa?r|आधार)",
        rf"{_START}[2-9][0-9]{{3}}[ -]?[0-9]{{4}}[ -]?[0-9]{{4}}{_END}",
    ),
    (
        "national-number",
        ("身份", "身分證"),
        r"(?:身份证|身分證|居民身份)",
        rf"{_START}(?:[0-9]{{17}}[0-9Xx]|[A-Z][12][0-9]{{8}}){_END}",
    ),
    (
        "national-number",
        ("등록",),
        r"(?:주민[ ]?등록|외국인[ ]?등록)",
        rf"{_START}[0-9]{{6}}-?[1-8][0-9]{{6}}{_END}",
    ),
    (
        "national-number",
        ("steuer", "idnr"),
        r"(?i:steuer-?id(?:entifikations)?|steuernummer|(?<![a-z])idnr(?![a-z]))",
        rf"{_START}(?:[1-9][0-9 ]{{9,13}}[0-9]|[0-9]{{2,3}}/[0-9]{{3,4}}/[0-9]{{4,5}}){_END}",
    ),
    (
        "national-number",
        ("versicherung", "ahv"),
        r"(?i:sozialversicherung|rentenversicherung|(?<![a-z])ahv(?![a-z]))",
        rf"{_START}(?:[0-9]{{2}}[ ]?[0-9]{{6}}[ ]?[A-Z][ ]?[0-9]{{3}}"
        rf"|756(?:\.[0-9]{{4}}){{2}}\.[0-9]{{2}}){_END}",
    ),
    (
        "national-number",
        ("codice",),
        r"(?i:codice[ ]fiscale)",
        rf"{_START}[A-Z]{{6}}[0-9]{{2}}[A-Z][0-9]{{2}}[A-Z][0-9]{{3}}[A-Z]{_END}",
    ),
    ("national-number", ("bsn",), r"(?i:(?<![a-z])bsn(?![a-z]))", rf"{_START}[0-9]{{9}}{_END}"),
    (
        "national-number",
        ("personnummer", "fødsel", "cpr", "henkilö"),
        r"(?i:personnummer|fødselsnummer|(?<![a-z])cpr(?![a-z])|henkilötunnus)",
        rf"{_START}[0-9]{{6,8}}[-+ A]?[0-9]{{3,5}}[A-Z0-9]?{_END}",
    ),
    (
        "birth-date",
        (
            "生年月日",
            "誕生日",
            "birth",
            "dob",
            "geburt",
            "naissance",
            "nacimiento",
            "出生",
            "생년",
            "рожд",
        ),
        r"(?i:生年月日|誕生日|date of birth|birth ?date|(?<![a-z])dob(?![a-z])|geburtsdatum"
        r"|date de naissance|fecha de nacimiento|出生日期|생년월일|дата рождения)",
        rf"(?<![0-9-]){_DATE}",
    ),
)
