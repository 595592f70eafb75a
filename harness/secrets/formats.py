"""Keys drawn in the formats that their issuers publish; none of them opens anything.

In a format ``{a8}`` is eight characters of the alphabet ``a``; everything else stands as it is.
"""

from __future__ import annotations

import random
import re
import string
from typing import Final

_ALPHABETS: Final = {
    "a": string.ascii_letters + string.digits,
    "l": string.ascii_lowercase + string.digits,
    "u": string.ascii_uppercase + string.digits,
    "s": string.ascii_letters + string.digits + "-_",
    "b": string.ascii_letters + string.digits + "+/",
    "h": string.digits + "abcdef",
    "d": string.digits,
    "w": string.ascii_letters,
    "n": "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz",
    "q": "023456789acdefghjklmnpqrstuvwxyz",
}
FORMATS: Final = (
    *("sk-{a48}", "sk-proj-{s64}", "sk-ant-api03-{s93}AA", "sk-or-v1-{h64}", "gsk_{a52}", "xai-{a80}", "pplx-{a48}"),
    *(
        "hf_{w34}",
        "r8_{a37}",
        "nvapi-{s64}",
        "AIza{s35}",
        "ya29.{s100}",
        "GOCSPX-{s28}",
        "AKIA{u16}",
        "ASIA{u16}",
        "{b40}",
    ),
    *(
        "ABSK{b110}",
        "LTAI{a20}",
        "{a3}8Q~{a34}",
        "ghp_{a36}",
        "gho_{a36}",
        "ghs_{a36}",
        "github_pat_{a22}_{a59}",
        "glpat-{s20}",
    ),
    *(
        "glrt-{s20}",
        "glptt-{h40}",
        "gldt-{s20}",
        "xoxb-{d12}-{d13}-{a24}",
        "xoxp-{d12}-{d12}-{d13}-{h32}",
        "xapp-1-A{u10}-{d13}-{h64}",
    ),
    *("https://hooks.slack.com/services/T{u10}/B{u10}/{a24}", "https://discord.com/api/webhooks/{d18}/{s68}"),
    *(
        "sk_live_{a24}",
        "rk_live_{a24}",
        "sk_test_{a99}",
        "whsec_{a32}",
        "SG.{s22}.{s43}",
        "SK{h32}",
        "key-{h32}",
        "{h32}-us12",
    ),
    *(
        "dapi{h32}",
        "pypi-AgEIcHlwaS5vcmc{s70}",
        "npm_{a36}",
        "dop_v1_{h64}",
        "doo_v1_{h64}",
        "shpat_{h32}",
        "shpss_{h32}",
    ),
    *(
        "lin_api_{a40}",
        "secret_{a43}",
        "ntn_{d11}{a35}",
        "sntryu_{h64}",
        "sbp_{h40}",
        "dckr_pat_{s27}",
        "rubygems_{h48}",
    ),
    *(
        "hvs.{s90}",
        "hvb.{s138}",
        "EAA{a120}",
        "sq0atp-{s22}",
        "sq0csp-{s43}",
        "EAAA{s60}",
        "dp.pt.{a43}",
        "dt0c01.{u24}.{u64}",
    ),
    *(
        "sl.{s135}",
        "pat{a14}.{h64}",
        "pat.{s22}.{h24}.{a20}",
        "{a14}.atlasv1.{s67}",
        "pat-na1-{h8}-{h4}-{h4}-{h4}-{h12}",
    ),
    *("access-production-{h8}-{h4}-{h4}-{h4}-{h12}", "A3-{u6}-{u6}-{u5}-{u5}-{u5}-{u5}", "ops_eyJ{b280}", "NRAK-{u27}"),
    *(
        "NRII-{a32}",
        "FLWSECK_TEST-{h32}-X",
        "API-{u26}",
        "sha256~{s43}",
        "oy2{l43}",
        "live_{h35}",
        "sm_pat_{a16}",
        "AVNS_{s19}",
    ),
    *(
        "figd_{s40}",
        "nfp_{a36}",
        "rnd_{a32}",
        "re_{a32}",
        "phc_{a43}",
        "pcsk_{a60}",
        "pul-{h40}",
        "pnu_{l36}",
        "rdme_{l70}",
    ),
    *(
        "sgp_{h40}",
        "tfp_{s44}_{s14}",
        "bkua_{h40}",
        "glc_{b64}",
        "glsa_{a32}_{h8}",
        "duffel_live_{s43}",
        "shippo_live_{h40}",
    ),
    *(
        "pscale_tkn_{s43}",
        "pscale_pw_{s43}",
        "CLOJARS_{l60}",
        "apify_api_{a36}",
        "squ_{h40}",
        "fo1_{s43}",
        "fio-u-{s64}",
    ),
    *(
        "ico-{a32}",
        "fc-{h32}",
        "tskey-auth-{a12}CNTRL-{a32}",
        "xkeysib-{h64}-{a16}",
        "PMAK-{h24}-{h34}",
        "EZAK{a54}",
        "EZTK{a54}",
    ),
    *("tk-us-{s48}", "p8e-{l32}", "t1.{s60}.{s86}", "AQVN{s36}", "{d15}|{s27}", "pk.{a60}.{a22}", "sk.{a80}.{a22}"),
    *(
        "CFPAT-{s43}",
        "HRKU-AA{s58}",
        "ATATT3{s186}",
        "ATCTT3{s186}",
        "AKCp{a69}",
        "cmVmd{a59}",
        "{a6}_{a29}_mmk",
        "tvly-{a32}",
    ),
    *(
        "lsv2_pt_{h32}_{h10}",
        "phx_{a43}",
        "csk-{l48}",
        "sk_{h48}",
        "lip_{a20}",
        "v1.0-{h24}-{h146}",
        "4b1d{a38}",
        "s-s4t2ud-{h64}",
    ),
    *(
        "{d9}:AA{s33}",
        "MT{s22}.{s6}.{s38}",
        "eyJ{s36}.eyJ{s60}.{s43}",
        "AGE-SECRET-KEY-1{u58}",
        "5H{n49}",
        "K{n51}",
        "0x{h64}",
    ),
    *("xprv9s21ZrQH143K{n95}", "{a64}", "{a32}", "{l40}", "postgres://app:{a20}@db.example.com/x", "{s43}"),
)
"""OpenAI to Square: one format a line of their documentation on keys; the last ones are what has no mark at all."""
LABELS: Final = (
    *(
        "my API key is {}",
        "api_key={}",
        "API_TOKEN: {}",
        "the secret is {} please keep it",
        'token = "{}"',
        "export SECRET_KEY={}",
    ),
    *(
        "вот ключ: {}",
        "токен от сервиса: {}",
        "Mein API-Schlüssel lautet {}",
        '{{"access_token": "{}"}}',
        "Authorization: Bearer {}",
    ),
)
BARE: Final = (
    "{}",
    "look: {}",
    "{} works",
    "I put {} into the file",
    "вот: {}",
    "Hier ist es: {}",
    "({})",
    "`{}`",
    "one\n{}\ntwo",
)
_FIELD: Final = re.compile(r"\{([a-z])([0-9]{1,3})\}")


def drawn(chance: random.Random, form: str) -> str:
    """Return a key of a format."""
    return _FIELD.sub(lambda field: "".join(chance.choices(_ALPHABETS[field[1]], k=int(field[2]))), form)
