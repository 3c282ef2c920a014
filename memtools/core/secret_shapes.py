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
        r"-----BEGIN (?:[A-Z0-9]{1,20} ){0,4}PRIVATE KEY(?: BLOCK)?-----"
        r"|PuTTY-User-Key-File-[0-9]:|AGE-SECRET-KEY-1[0-9A-Z]{50,}",
    ),
    (
        "aws-key",
        ("AKIA", "ASIA", "ABIA", "ACCA", "ABSK", "AWS", "aws"),
        r"(?<![A-Za-z0-9])(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}(?![A-Za-z0-9])"
        r"|(?<![A-Za-z0-9])ABSK[A-Za-z0-9+/]{100,}"
        r"|(?i:aws)\w{0,20}(?i:secret)\w{0,20}[\"']?[ ]?[:=]{1,2}[ ]?[\"']?"
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
        ("k_live_", "whsec_"),
        r"(?<![A-Za-z0-9_])(?:[rs]k_live_[A-Za-z0-9]{16,}|whsec_[A-Za-z0-9+/=]{24,})",
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
    ("npm-token", ("npm_",), r"(?<![A-Za-z0-9_])npm_[A-Za-z0-9]{36}(?![A-Za-z0-9_])"),
    ("pypi-token", ("pypi-",), r"(?<![A-Za-z0-9_])pypi-[A-Za-z0-9_-]{50,}"),
    (
        "service-token",
        (
            *("lin_api_", "ntn_", "secret_", "figd_", "pat", "ATATT", "ATCTT", "ATBB", "dapi"),
            *("NRAK-", "glsa_", "sntrys_", "sntryu_", "sbp_", "PMAK-", "EAA", "CFPAT-", "key-"),
            *("rubygems_", "dckr_pat_", "dop_v1_", "doo_v1_", "dor_v1_", "hvs.", "hvb.", "dp.pt."),
            *("dp.st.", "tfp_", "shp", "atlasv1.", "fo1_", "FlyV1 ", "rnd_"),
        ),
        r"(?<![A-Za-z0-9_-])(?:lin_api_[A-Za-z0-9]{32,}|(?:ntn|secret)_[A-Za-z0-9]{40,}"
        r"|figd_[A-Za-z0-9_-]{30,}|pat[A-Za-z0-9]{14}\.[a-f0-9]{64}"
        r"|AT(?:ATT|CTT|BB)[A-Za-z0-9_=-]{28,}"
        r"|dapi[a-f0-9]{32}|NRAK-[A-Z0-9]{27}|glsa_[A-Za-z0-9_]{32,}|sntry[su]_[A-Za-z0-9+/=_]{40,}"
        r"|sbp_[a-f0-9]{40}|PMAK-[a-f0-9]{24}-[a-f0-9]{34}|EAA[A-Za-z0-9]{80,}|EAAA[A-Za-z0-9_-]{60}"
        r"|CFPAT-[A-Za-z0-9_-]{40,}|key-[a-f0-9]{32}(?![a-f0-9])|rubygems_[a-f0-9]{40,}|dckr_pat_[A-Za-z0-9_-]{20,}"
        r"|do[opr]_v1_[a-f0-9]{40,}|hv[sb]\.[A-Za-z0-9_-]{24,}|dp\.[ps]t\.[A-Za-z0-9.]{40,}"
        r"|tfp_[A-Za-z0-9]{40,}|shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}|rnd_[A-Za-z0-9]{28,}"
        r"|[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_=-]{50,}|fo1_[A-Za-z0-9_-]{40,}"
        r"|FlyV1 fm[0-9]_[A-Za-z0-9+/=,_-]{60,})",
    ),
    (
        "service-token",
        (
            *("glc_", "sb_secret_", "nfp_", "pscale_", "access_token$", "HRKU-", "sl.", "pul-"),
            *("tskey-", "dt0", "bkua_", "CCIP", "aio_", "FLWSECK-", "access-production-", "EZAK"),
            *("duffel_live_", "fio-u-", "rdme_", "xkeysib-", "s-s4t2", "CLOJARS_", "LTAI"),
            *("AQVN", "AKID", "pnu_", "oy2"),
        ),
        r"(?<![A-Za-z0-9_-])(?:glc_[A-Za-z0-9+/=]{60,}|sb_secret_[A-Za-z0-9_-]{30,}"
        r"|nfp_[A-Za-z0-9]{36,}|pscale_(?:tkn|pw|oauth)_[A-Za-z0-9_.=-]{32,}"
        r"|access_token\$production\$[a-z0-9]{16}\$[a-f0-9]{32}|HRKU-[A-Za-z0-9_-]{36,}"
        r"|sl\.[A-Za-z0-9_-]{100,}|pul-[a-f0-9]{40}|dt0[a-z][0-9]{2}\.[A-Z0-9]{24}\.[A-Z0-9]{64}"
        r"|tskey-[a-z]{2,12}-[A-Za-z0-9]{8,}-[A-Za-z0-9]{16,}|bkua_[a-f0-9]{40}"
        r"|CCIP(?:AT|RJ)_[A-Za-z0-9]{16,}_[a-f0-9]{40}|aio_[A-Za-z0-9]{28}"
        r"|FLWSECK-[a-f0-9]{32}-X|access-production-[a-f0-9]{8}(?:-[a-f0-9]{4}){3}-[a-f0-9]{12}"
        r"|EZAK[A-Za-z0-9]{54}|duffel_live_[A-Za-z0-9_=-]{40,}|fio-u-[A-Za-z0-9_=-]{60,}"
        r"|rdme_[a-z0-9]{70}|xkeysib-[a-f0-9]{64}-[A-Za-z0-9]{16}|s-s4t2(?:ud|af)-[a-f0-9]{64}"
        r"|CLOJARS_[a-z0-9]{60}|LTAI[A-Za-z0-9]{12,24}(?![A-Za-z0-9])|AKID[A-Za-z0-9]{32}"
        r"|AQVN[A-Za-z0-9_-]{35,38}|pnu_[a-z0-9]{36}|oy2[a-z0-9]{43})",
    ),
    (
        "signed-address",
        ("/api/webhooks/", "/webhookb2/", "sig="),
        r"(?i:discord(?:app)?\.com/api/(?:v[0-9]{1,2}/)?webhooks/[0-9]{15,22}/[\w-]{50,})"
        r"|\.webhook\.office\.com/webhookb2/[^\s)]{80,}"
        r"|[?&]sig=(?:[A-Za-z0-9+/]|%[0-9A-Fa-f]{2}){40,}",
    ),
    (
        "json-web-token",
        ("eyJ",),
        r"(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{10,}+\.eyJ[A-Za-z0-9_-]{10,}+\.[A-Za-z0-9_-]{0,}",
    ),
    (
        "url-password",
        ("://",),
        r"(?<![A-Za-z0-9+.-])[A-Za-z][A-Za-z0-9+.-]{0,30}://[^\s/:@]{0,80}:"
        r"([^\s/@<>{}$*]{3,200})@[^\s/@]",
    ),
    (
        "authorization-header",
        ("Basic ", "basic ", "Bearer ", "bearer "),
        r"(?i:authorization[\"']?[:=] ?[\"']?basic )([A-Za-z0-9+/]{12,}={0,2})"
        r"|(?i:bearer )(?=[A-Za-z0-9._~+/-]{0,200}[0-9])([A-Za-z0-9._~+/-]{24,})",
    ),
)
