"""What Telegram hands to a Mini App: taken with its signature for this bot, fresh and whole, and not otherwise."""

from __future__ import annotations

from datetime import timedelta
from urllib.parse import urlencode

from aiogram.utils.web_app import check_webapp_signature

from adapters.telegram.access import MiniAppUser, read_init_data
from harness.samples import NOON
from tests.cases import each_row
from tests.mini_app import sign_in

TOKEN = "42:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
USER = {"id": 7, "first_name": "Anna", "last_name": "B", "language_code": "de", "is_premium": True}


def init_data(user: object = USER, *, token: str = TOKEN, at: float | None = None, **others: str) -> str:
    """What Telegram's client puts into the address."""
    return sign_in(user, token, NOON.timestamp() if at is None else at, **others)


def test_what_telegram_signed_is_believed() -> None:
    """As the client library checks it, too."""
    assert check_webapp_signature(TOKEN, init_data())
    assert read_init_data(TOKEN, init_data(), NOON) == MiniAppUser(7, "Anna B", "de")


@each_row("minutes", [-9.9, 0, 0.9])
def test_it_is_fresh_for_ten_minutes(minutes: float) -> None:
    """A clock may differ by a minute."""
    assert read_init_data(TOKEN, init_data(at=(NOON + timedelta(minutes=minutes)).timestamp()), NOON) is not None


@each_row(
    "told",
    [
        "",
        "hash=",
        "nonsense",
        "a=1&a=2&hash=00",
        init_data(token="43:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"),
        init_data(at=(NOON - timedelta(minutes=11)).timestamp()),
        init_data(at=(NOON + timedelta(minutes=2)).timestamp()),
        init_data().replace("%22id%22%3A+7", "%22id%22%3A+8"),
        init_data() + "&user=%7B%22id%22%3A8%7D",
        init_data()[:-1] + ("0" if init_data()[-1] != "0" else "1"),
        init_data().replace("hash=", "hash=ü"),
        init_data(auth_date="never"),
        init_data({"id": "7"}),
        init_data({"id": True}),
        init_data({"id": -7}),
        init_data({"id": 7, "is_bot": True}),
        init_data([7]),
        init_data(x="y" * 9000),
        urlencode({f"f{number}": "x" for number in range(40)}),
    ],
)
def test_anything_else_is_refused(told: str) -> None:
    """Forged, another bot's, old, from the future, changed, doubled or malformed.

    Seen to fail without the comparison of signatures, and without the look at ``auth_date``.
    """
    assert read_init_data(TOKEN, told, NOON) is None
