"""Numbers that prove themselves, against the published examples and ranges."""

from __future__ import annotations

from bot.memory.secrets.shapes import is_card, is_iban, is_luhn
from tests.cases import each_row

IBANS = """
NO9386011117947 BE68539007547034 DK5000400440116243 FI2112345600000785 FO6264600001631634 NL91ABNA0417164300
MK07250120000058984 SI56263300012039086 AT611904300234573201 EE382200221020145685 LT121000011101001000
LU280019400644750000 CH9300762011623852957 HR1210010051863000160 BG80BNBG96611020345678 DE89370400440532013000
GB29NWBK60161331926819 IE29AIBK93115212345678 GI75NWBK000000007099453 AE070331234567890123456 IL620108000000099999999
AD1200012030200359100100 CZ6508000000192000145399 ES9121000418450200051332 SE4550000000058398257466
PT50000201231234567890154 IS140159260076545510730339 TR330006100519786457841326 FR1420041010050500013M02606
IT60X0542811101000000123456 GR1601101250000000012300695 AL47212110090000000235698741 CY17002001280000001200527600
PL61109010140000071219812874 HU42117730161111101800000000 QA58DOHB00001234567890ABCDEFG
BR1800360305000010009795493C1 UA213223130000026007233566001 JO94CBJO0010000000000131000302
KW81CBKU0000000000001234560101 MT84MALT011000012345MTLCAST001S LC55HEMM000100010012001200023015
""".split()  # noqa: SIM905 - the registry's own examples, as they stand there

CARDS = [
    *(("34", {15}), ("37", {15}), ("300", {14}), ("305", {14}), ("36", {14}), ("38", {14, 16}), ("39", {14, 16})),
    *(("3528", {16, 17, 18, 19}), ("3589", {16, 17, 18, 19}), ("4", {13, 16, 18, 19}), ("51", {16}), ("55", {16})),
    *(("2221", {16}), ("2720", {16}), ("2200", {16, 17, 18, 19}), ("2204", {16, 17, 18, 19}), ("50", {16, 18, 19})),
    *(("56", {16, 18, 19}), ("59", {16, 18, 19}), ("60", {16, 17, 18, 19}), ("62", {16, 17, 18, 19}), ("9792", {16})),
    *(("65", {16, 17, 18, 19}), ("67", {16, 17, 18, 19})),
    *(
        (nobody, set[int]())
        for nobody in ("1", "33", "306", "3527", "3590", "2220", "2721", "2205", "61", "66", "69", "7", "8", "9793")
    ),
]


def completed(prefix: str, length: int) -> str:
    """Return a number of this length with a right check digit (ISO/IEC 7812-1, annex B), made without our own code."""
    body = (prefix + "1029384756" * 2)[: length - 1]
    doubled = [int(digit) * (2 if place % 2 == 0 else 1) for place, digit in enumerate(reversed(body))]
    return body + str(-sum(value // 10 + value % 10 for value in doubled) % 10)


@each_row("iban", IBANS)
def test_accounts_are_those_of_the_registry(iban: str) -> None:
    """The registry's examples pass; with another figure, one more or one less they do not."""
    other = iban[:-2] + ("1" if iban[-2] == "0" else "0") + iban[-1]

    assert is_iban(iban)
    assert not is_iban(other)
    assert not is_iban(iban + "0")
    assert not is_iban(iban[:-1])


@each_row("text", ["", "D", "DE", "XX89370400440532013000", "DEA9370400440532013000"])
def test_what_only_looks_like_an_account_is_none(text: str) -> None:
    """No such country, or letters where the check digits stand."""
    assert not is_iban(text)


@each_row(("prefix", "lengths"), CARDS)
def test_cards_are_those_of_the_issuers(prefix: str, lengths: set[int]) -> None:
    """Each issuer's range has its lengths, and no others; a wrong check digit is no card."""
    found = {length for length in range(12, 21) if is_card(completed(prefix, length))}
    wrong = [number[:-1] + str((int(number[-1]) + 1) % 10) for number in (completed(prefix, n) for n in lengths)]

    assert found == lengths
    assert not any(map(is_card, wrong))


def test_the_check_digit_is_luhn_s() -> None:
    """The standard's own example, doubled figures above nine included."""
    assert is_luhn("79927398713")
    assert not any(is_luhn(f"7992739871{digit}") for digit in "012456789")
    assert is_luhn("4111111111111111")
    assert is_luhn("378282246310005")
    assert is_luhn("5555555555554444")
