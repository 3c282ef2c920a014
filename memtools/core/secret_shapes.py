"""The shapes of secrets as their issuers publish them: prefixes, key blocks, signed addresses.

Must not know how a text is read before they are looked for.
"""

from __future__ import annotations

# (name, words one of which must stand in the text before the shape is compiled at all, shape).
# Prefixes as their issuers publish them. A group is the part that a placeholder would stand in.
SHAPES = (
    (
        "private-key",
        ("PRIVATE KEY", "PuTTY-User-Key", "AGE-SECRET-KEY-"),
        # Quoted or followed by dots it is a word about keys.
        r"-----? ?BEGIN (?:[A-Z0-9]{1,20} ){0,4}PRIVATE KEY(?: BLOCK)? ?-----?"
        r"(?![-]?(?:[`\"')\]\u300d\u300f]|[ ]?\.\.\.))"
        r"|PuTTY-User-Key-File-[0-9]:|AGE-SECRET-KEY-1[0-9A-Z]{50,}",
    ),
    (
        "aws-key",
        ("AKIA", "ASIA", "ABIA", "ACCA", "ABSK", "AWS", "aws"),
        r"(?<![A-Za-z0-9])(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}(?![A-Za-z0-9])"
        r"|(?<![A-Za-z0-9])ABSK[A-Za-z0-9+/]{100,}"
        r"|(?i:aws)\w{0,20}(?i:secret)\w{0,20}(?:[\"']?[ ]?[:=]{1,2}[ ]?|[ ])[\"']?"
        r"([A-Za-z0-9/+]{40})(?![A-Za-z0-9/+])",
    ),
    (
        "github-token",
        ("ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_"),
        r"(?<![A-Za-z0-9_])(?:gh[pousr]_[A-Za-z0-9]{36,}|github_pat_[A-Za-z0-9_]{50,})",
    ),
    (
        "gitlab-token",
        (
            *("glpat-", "gldt-", "glrt-", "glrtr-", "glptt-", "glsoat-", "glcbt-", "gloas-"),
            *("glft-", "glagent-", "glimt-", "glffct-", "GR1348941"),
        ),
        r"(?<![A-Za-z0-9_])(?:gl(?:pat|dt|rtr?|ptt|soat|cbt|oas|ft|agent|imt|ffct)-|GR1348941)"
        r"[A-Za-z0-9_.-]{20,}",
    ),
    (
        "slack-token",
        ("xox", "xapp-", "xwfp-", "hooks.slack.com/"),
        r"(?<![A-Za-z0-9_])(?:xox[a-z](?:\.[a-z]{3,4})?|xapp|xwfp)-[A-Za-z0-9-]{10,}"
        r"|hooks\.slack\.com/(?:services|workflows|triggers)/[A-Za-z0-9_/]{20,}",
    ),
    (
        "stripe-key",
        ("k_live_", "k_test_", "whsec_"),
        r"(?<![A-Za-z0-9_])(?:[rs]k_(?:live|test)_[A-Za-z0-9]{16,}|whsec_[A-Za-z0-9+/=]{24,})",
    ),
    (
        "google-key",
        ("AIza", "GOCSPX-", "ya29.", "1//0"),
        r"(?<![A-Za-z0-9_-])(?:AIza[A-Za-z0-9_-]{35}(?![A-Za-z0-9_-])|GOCSPX-[A-Za-z0-9_-]{20,}"
        r"|ya29\.[A-Za-z0-9_-]{30,}|(?<!/)1//0[A-Za-z0-9_-]{40,})",
    ),
    (
        "model-key",
        ("sk-", "gsk_", "xai-", "hf_", "r8_", "pplx-", "lsv2_"),
        r"(?<![A-Za-z0-9_-])(?:sk-(?:ant|proj|svcacct|admin|or|lf)-[A-Za-z0-9_-]{20,}"
        r"|sk-[A-Za-z0-9]{32,}|gsk_[A-Za-z0-9]{40,}|xai-[A-Za-z0-9]{40,}|hf_[A-Za-z0-9]{30,}"
        r"|r8_[A-Za-z0-9]{36,}|pplx-[A-Za-z0-9]{40,}|lsv2_(?:pt|sk)_[a-f0-9]{32}_[a-f0-9]{10})",
    ),
    (
        "model-key",
        ("api_org_", "tvly-", "pcsk_", "nvapi-", "csk-", "fw_", "pa-"),
        r"(?<![A-Za-z0-9_-])(?:api_org_[A-Za-z0-9]{30,}|tvly-[A-Za-z0-9-]{28,}"
        r"|pcsk_[A-Za-z0-9]{4,8}_[A-Za-z0-9]{40,}|nvapi-[A-Za-z0-9_-]{50,}|csk-[a-z0-9]{40,}"
        r"|fw_(?=[A-Za-z]{0,30}[0-9])[A-Za-z0-9]{22,}(?![A-Za-z0-9_])"
        r"|pa-(?=[A-Za-z_-]{0,40}[0-9])(?=[a-z0-9_-]{0,40}[A-Z])[A-Za-z0-9_-]{43}(?![A-Za-z0-9_-]))",
    ),
    (
        "npm-token",
        ("npm_", "_auth"),
        r"(?<![A-Za-z0-9_])npm_[A-Za-z0-9]{36}(?![A-Za-z0-9_])"
        r"|(?<![A-Za-z0-9])_auth(?:Token)?[ ]?=[ ]?[\"']?([A-Za-z0-9+/=_.-]{20,})",
    ),
    (
        "azure-key",
        ("Q~", "AZDO", "AzSe", "AzFu", "JQQJ9", "ASt", "ACDb", "AMC", "ABa", "APIM"),
        r"(?<![A-Za-z0-9_~.-])[A-Za-z0-9_~.]{3}[0-9]Q~[A-Za-z0-9_~.-]{31,34}(?![A-Za-z0-9_~-])"
        r"|(?<![A-Za-z0-9+/_-])(?:[A-Za-z0-9]{76}AZDO[A-Za-z0-9]{4}|[A-Za-z0-9]{42}AzSe[A-D][A-Za-z0-9]{5}"
        r"|[A-Za-z0-9_-]{44}AzFu[A-Za-z0-9_-]{5}[AQgw]==|[A-Za-z0-9]{52}JQQJ9[9D][A-Za-z0-9]{26}"
        r"|[A-Za-z0-9+/]{76}(?:\+ASt|\+AMC|\+ABa|ACDb|APIM)[A-Za-z0-9+/]{5,6}[AQgw]==)",
    ),
    ("pypi-token", ("pypi-",), r"(?<![A-Za-z0-9_])pypi-[A-Za-z0-9_-]{50,}"),
    (
        "service-token",
        (
            *("lin_api_", "ntn_", "secret_", "figd_", "pat", "ATATT", "ATCTT", "ATBB", "dapi"),
            *("NRAK-", "glsa_", "sntrys_", "sntryu_", "sbp_", "PMAK-", "EAA", "CFPAT-", "key-"),
            *("rubygems_", "dckr_", "dop_v1_", "doo_v1_", "dor_v1_", "hvs.", "hvb.", "dp.pt."),
            *("dp.st.", "tfp_", "shp", "atlasv1.", "fo1_", "fm1", "fm2", "rnd_"),
        ),
        r"(?<![A-Za-z0-9_-])(?:lin_api_[A-Za-z0-9]{32,}|(?:ntn|secret)_[A-Za-z0-9]{40,}"
        r"|figd_[A-Za-z0-9_-]{30,}|pat[A-Za-z0-9]{14}\.[a-f0-9]{64}"
        r"|AT(?:ATT|CTT|BB)[A-Za-z0-9_=-]{28,}"
        r"|dapi[a-f0-9]{32}|NRAK-[A-Z0-9]{27}|glsa_[A-Za-z0-9_]{32,}|sntry[su]_[A-Za-z0-9+/=_]{40,}"
        r"|sbp_[a-f0-9]{40}|PMAK-[a-f0-9]{24}-[a-f0-9]{34}|EAA[A-Za-z0-9]{80,}|EAAA[A-Za-z0-9_-]{60}"
        r"|CFPAT-[A-Za-z0-9_-]{40,}|key-[a-f0-9]{32}(?![a-f0-9])|rubygems_[a-f0-9]{40,}|dckr_[po]at_[A-Za-z0-9_-]{20,}"
        r"|do[opr]_v1_[a-f0-9]{40,}|hv[sb]\.[A-Za-z0-9_-]{24,}|dp\.[ps]t\.[A-Za-z0-9.]{40,}"
        r"|tfp_[A-Za-z0-9]{40,}|shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}|rnd_[A-Za-z0-9]{28,}"
        r"|[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_=-]{50,}|fo1_[A-Za-z0-9_-]{40,}"
        r"|fm[12][a-z]?_[A-Za-z0-9+/=,_-]{60,})",
    ),
    (
        "service-token",
        (
            *("glc_", "sb_secret_", "nfp_", "pscale_", "access_token$", "HRKU-", "sl.", "pul-"),
            *("tskey-", "dt0", "bkua_", "CCIP", "aio_", "FLWSECK-", "access-production-", "EZAK"),
            *("duffel_live_", "fio-u-", "rdme_", "xkeysib-", "s-s4t2", "CLOJARS_", "LTAI"),
            *("AQVN", "AKID", "pnu_", "pnb_", "oy2"),
        ),
        r"(?<![A-Za-z0-9_-])(?:glc_[A-Za-z0-9+/=]{60,}|sb_secret_[A-Za-z0-9_-]{30,}"
        r"|nfp_[A-Za-z0-9]{36,}|pscale_(?:tkn|pw|oauth)_[A-Za-z0-9_.=-]{32,}"
        r"|access_token\$(?:production|sandbox)\$[a-z0-9]{16}\$[a-f0-9]{32}|HRKU-[A-Za-z0-9_-]{36,}"
        r"|sl\.[A-Za-z0-9_-]{100,}|pul-[a-f0-9]{40}|dt0[a-z][0-9]{2}\.[A-Z0-9]{24}\.[A-Z0-9]{64}"
        r"|tskey-[a-z]{2,12}-[A-Za-z0-9]{8,}-[A-Za-z0-9]{16,}|bkua_[a-f0-9]{40}"
        r"|CCIP(?:AT|RJ)_[A-Za-z0-9]{16,}_[a-f0-9]{40}|aio_[A-Za-z0-9]{28}"
        r"|FLWSECK-[a-f0-9]{32}-X|access-production-[a-f0-9]{8}(?:-[a-f0-9]{4}){3}-[a-f0-9]{12}"
        r"|EZAK[A-Za-z0-9]{54}|duffel_live_[A-Za-z0-9_=-]{40,}|fio-u-[A-Za-z0-9_=-]{60,}"
        r"|rdme_[a-z0-9]{70}|xkeysib-[a-f0-9]{64}-[A-Za-z0-9]{16}|s-s4t2(?:ud|af)-[a-f0-9]{64}"
        r"|CLOJARS_[a-z0-9]{60}|LTAI[A-Za-z0-9]{12,24}(?![A-Za-z0-9])|AKID[A-Za-z0-9]{32}"
        r"|AQVN[A-Za-z0-9_-]{35,38}|pn[ub]_[A-Za-z0-9]{36}|oy2[a-z0-9]{43})",
    ),
    (
        "service-token",
        (
            *("sq0atp-", "eyJrIjoi", "dbtc_", "dbtu_", "v1.0-", "ico-", "AKCp", "cmVmdGtu"),
            *("AAAAAAAAAAAAAAAAAAAA", "IGQ", "rzp_live_", "AQE", "napi_", "shippo_", "sgp_"),
            *("sqp_", "squ_", "sqa_", "sdk-", "sk.eyJ", "A3-", "y0_", "pat-na1-", "pat-eu1-"),
            *("_mmk", "amzn.mws.", ":APA91b"),
        ),
        r"(?<![A-Za-z0-9_-])(?:sq0atp-[A-Za-z0-9_-]{22,}|eyJrIjoi[A-Za-z0-9+/=]{50,}"
        r"|dbt[cu]_[A-Za-z0-9_]{36,}|v1\.0-[a-f0-9]{24}-[a-f0-9]{100,}|ico-[A-Za-z0-9]{32}"
        r"|AKCp[A-Za-z0-9]{65,}|cmVmdGtu[A-Za-z0-9]{50,}"
        r"|A{20,}+[A-Za-z0-9%]{50,}|IGQ[A-Z]{2}[A-Za-z0-9_-]{60,}|rzp_live_[A-Za-z0-9]{14}"
        r"|AQE[A-Za-z][A-Za-z0-9+/=]{40,}-[A-Za-z0-9+/=<>{}.]{20,}|napi_[a-z0-9]{50,}"
        r"|shippo_(?:live|test)_[a-f0-9]{40}|sgp_(?:[a-z0-9]{5,16}_)?[a-f0-9]{40}"
        r"|sq[pua]_[a-f0-9]{40}"
        r"|(?:sdk|pat-(?:na|eu)[0-9])-[a-f0-9]{8}(?:-[a-f0-9]{4}){3}-[a-f0-9]{12}"
        r"|sk\.eyJ[A-Za-z0-9_-]{30,}\.[A-Za-z0-9_-]{20,}"
        r"|A3-[A-Z0-9]{6}-(?:[A-Z0-9]{5,6}-){4}[A-Z0-9]{5}|y0_[A-Za-z0-9_-]{50,}"
        r"|[A-Za-z0-9]{6}_[A-Za-z0-9]{29}_mmk|amzn\.mws\.[a-f0-9]{8}(?:-[a-f0-9]{4}){3}-[a-f0-9]{12}"
        r"|[A-Za-z0-9_-]{11,22}:APA91b[A-Za-z0-9_-]{100,})(?![A-Za-z0-9])",
    ),
    (
        # Their words stand in many texts: kept short.
        "service-token",
        ("re_", "live_", "cio", "sm_", "1/1", "api-", "mob-"),
        r"(?<![A-Za-z0-9_-])(?:re_[A-Za-z0-9]{8}_[A-Za-z0-9]{20,}|live_[a-f0-9]{35}"
        r"|(?:api|mob)-[a-f0-9]{8}(?:-[a-f0-9]{4}){3}-[a-f0-9]{12}"
        r"|cio[A-Za-z0-9]{32}|sm_[pas]at_[A-Za-z0-9]{16}|1/1[0-9]{15}(?:/[0-9]{16})?:[a-f0-9]{32})"
        r"(?![A-Za-z0-9])",
    ),
    (
        "signed-address",
        ("/api/webhooks/", "/webhookb2/", "sig=", "hooks.zapier.com/"),
        r"(?i:discord(?:app)?\.com/api/(?:v[0-9]{1,2}/)?webhooks/[0-9]{15,22}/[\w-]{50,})"
        r"|\.webhook\.office\.com/webhookb2/[^\s)]{80,}"
        r"|hooks\.zapier\.com/hooks/(?:catch|standard)/[0-9]{4,}/[A-Za-z0-9]{5,}"
        r"|[?&]sig=(?:[A-Za-z0-9+/]|%[0-9A-Fa-f]{2}){40,}",
    ),
    (
        "json-web-token",
        ("eyJ",),
        r"(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{10,}+\.eyJ[A-Za-z0-9_-]{10,}+\.[A-Za-z0-9_-]{0,}",
    ),
    (
        "url-password",
        ("://", "jdbc:oracle:"),
        r"(?<![A-Za-z0-9+.-])[A-Za-z][A-Za-z0-9+.-]{0,30}://[^\s/:@]{0,80}:"
        r"([^\s/@<>{}$*]{3,200})@[^\s/@]"
        r"|(?i:jdbc:oracle:[a-z]{2,6}:)[^\s/:@]{1,80}/([^\s/@<>{}$*]{3,200})@",
    ),
    (
        "authorization-header",
        (
            *("Basic ", "basic ", "Bearer ", "bearer ", "uthorization", "UTHORIZATION"),
            *("Cookie", "cookie"),
        ),
        r"(?i:authorization[\"']?[:=] ?[\"']?basic )([A-Za-z0-9+/]{12,}={0,2})"
        r"|(?i:authorization[\"']?[:=] ?[\"']?(?:token|ssws|api-?key|key|bot) (?:token=)?)"
        r"[\"']?([A-Za-z0-9._~+/=-]{20,})"
        r"|(?i:cookie[\"']?: ?[^\n]{0,80}?(?:sess(?:ion)?(?:_?id)?|sid|auth|token)=)"
        r"([A-Za-z0-9%._~+/-]{20,})"
        r"|(?i:bearer )(?=[A-Za-z0-9._~+/-]{0,200}[0-9])([A-Za-z0-9._~+/-]{24,})",
    ),
)
