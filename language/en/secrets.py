"""Secrets in English."""

from typing import Final

from language.secrets import SecretPatterns
from language.words import word_set

SECRETS: Final = SecretPatterns(
    keys=(
        r"(?:pass(?:words?|codes?|phrase|wd)|pwd)(?:['’]s)?(?![^\W_-])|(?<![^\W_])(?:pass|passw|pw|psw|pswd|creds?|"
        r"credentials)(?![^\W_-])|(?<![^\W_])(?:wlan|wi-?fi|wpa[23]?|wep|router|netzwerk)[- ]?(?:key|code)"
        r"(?![^\W_-])|(?<![^\W_])(?:wlan|wi-?fi)[^\W\d]?\b[^\n.!?]{0,60}? key(?![^\W_-])"
    ),
    ambiguous="pass|creds?|credentials|passwords",
    participles=r"[a-z]{5,}ed|(?:un|mis|for|over)[a-z]{2,}en|[a-z]{4,}(?:ally|ely|ently|ibly|ably)",
    vowels="aeiou",
    heads=("password",),
    refers=r"(?:it|that|this|which)(?:['’]s|\s+is)",
    remembers="remember|memori[sz]e|note|save|keep|store",
    phrase_keys="pass[ -]?phrase|master[ -]?(?:password|passcode)",
    phrase_names="sentence|phrase|words|line|verse|lyrics",
    namely=r"namely|that is|i\.e\.|it['’]?s",
    tells="reads|goes|the following|set to|changed to|like this",
    begins=word_set("never always today tomorrow yesterday soon correct wrong strong weak secret old new good bad"),
    chooses=(
        r"(?:i|we|he|she|they)(?:['’](?:ve|d)| have| had)?(?: just| simply)? "
        r"(?:used?|picked|pick|chose|chosen|took|take|set|went with|typed)"
    ),
    logins=r"log-?ins?(?: details| data)?|log-?in|credentials|creds|user(?:name)? ?(?:/|and|&|\+) ?pass(?:word)?",
    conjoins="and|with",
    unchanged=(
        r"(?:is |are |was )?(?:still|unchanged|as (?:always|before|ever|usual)|(?:the )?same as (?:always|before|ever)|"
        r"(?:has|have)(?:n['’]t| not) changed|like before)(?: the same| as (?:always|before|ever))?"
    ),
    fillers="lol|btw|haha|thanks|please|i think|ok",
    verbal=(
        r"[a-z]{2,}(?:ing|[^s]s|tion|ity|ment|ness|ance|ence|able|ible)|leak|breach|vault|dump|audit|attempt|question|"
        r"cracker|keeper|entry|screen|dialog|button|request|safety|reuse|etiquette|idea|clue"
    ),
    pin_keys=(
        r"pin(?:[- ]?(?:code|number))?|(?:card|personal) secret (?:code|number)|secret number|"
        r"personal identification number|cvv2?|cvc2?|puk"
    ),
    whose="my|our|the|visa|mastercard|bank|credit|debit|ec|giro|sim|phone|card",
    belongs_to="for|to|of|on|from|at|in",
    being="is|are",
    verbs=(
        r"is|was|are|has (?:always )?been|will be|should be|became|has been (?:changed|set) to|"
        r"(?:was |is )?(?:re)?set to|(?:was |is )?changed to"
    ),
    adverbs=(
        "now|still|simply|just|always|also|by the way|btw|from now on|since [a-z]{3,12}|currently|actually|this|"
        "the following"
    ),
    uses=r"use|try|enter|type|with|user(?:name)?|login|log in|ssh",
    changes="changed?|changing|set|reset|updated?",
    changed_from="from",
    changed_to="to|as",
    is_the="is|that['’]s|that is|this is",
    possessives="my|our|the|his|her",
    goes_on="for|and|on",
    goes_on_used="of|to|at|in",
    seed_before="seed|recovery|mnemonic|wallet",
    seed_phrase="phrase|words",
    uses_as="use|using|used|set|take|choose|chose|pick|enter",
    as_what="as|for",
    next_clause=(
        r"and|but|so|for|on|if|in case|now|today|yesterday|btw|please|sorry|then|i think|i guess|lol|thanks|"
        r"to (?:log|enter|get)"
    ),
    example_names="pass(?:word|phrase|code)?|pwd|pw|passwd",
    such_as=r"e\.g\.?|i\.e\.?",
    hints=(
        *("login", "log-in", "secret n", "secret c", "pass", "pw", "psw", "cred"),
        *("wifi", "wi-fi", "wlan", "wpa", "wep", "router", "netzwerk", "puk", "pin"),
        *("cvv", "cvc", "seed", "recovery", "mnemonic", "wallet"),
    ),
    key_words=r"key|token|secret|credential|auth|(?:recovery|backup|activation|access|security) codes?",
    checksums="commit|sha-?[0-9]*|md5|hash|checksum|digest|revision|fingerprint",
    states=(
        r"commits?|sha-?[0-9]*|md5|hash\w*|checksum|digest|revision|fingerprint|fix\w*|merge\w*|revert\w*|build|"
        r"release\w*|version|image|layer|etag|object|blob|tree|branch"
    ),
    seed_list="english",
    about=word_set(
        """
        a an the my your his her our their its this that these those it he she they we i you one who what which where
        when why how if and or but nor for to of in on at by with from as into about than then so no not never always
        also only just still now here there too very quite rather really more most less least all any some something
        somewhere nothing none wrong correct incorrect invalid valid weak strong stronger secure insecure safe unsafe
        secret same different required needed mandatory optional necessary empty blank missing long longer short shorter
        good better bad easy hard difficult simple complex old new fine ok okay stored saved kept hidden visible unique
        known unknown private public shared set reset changed expired forgotten lost gone written protected encrypted
        hashed case-sensitive important enough ready due being going getting used useless boring annoying impossible
        possible compromised leaked exposed stolen rejected accepted denied manager managers field fields policy
        policies hint hints prompt protection rules rule length strength generator change recovery page form box hash
        hashing list file files link email e-mail login logins authentication auth again please thanks today tomorrow
        yesterday soon later is was are were be been has have had can could must should would will may might do does did
        dont doesnt wont string str bool float char varchar text int bytes null true false undefined input secretstr
        type value values self user username wifi wi-fi gmail google github facebook instagram netflix steam apple
        icloud amazon expire expires ever somehow securely telegram whatsapp viber vk yandex mail outlook windows linux
        android iphone wlan router laptop account accounts site server admin root database bank computer phone confirm
        confirmation yes yeah nope passkey passkeys stuck hung hanging lying sitting sent told shown inside outside
        behind near within works fails applies unchanged biometrics weekly monthly daily yearly number numbers
        """
    ),
)
