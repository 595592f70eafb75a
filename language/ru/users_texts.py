"""The words of /users in Russian."""

from __future__ import annotations

from typing import Final

from language.users_texts import UsersTexts

USERS: Final = UsersTexts(
    head="Кому можно говорить со мной",
    none="Говорить со мной пока никому нельзя. Впустите кого-нибудь по коду:",
    owner_only="Только владелец (telegram.ownerId) видит и меняет, кому можно говорить со мной.",
    not_here="Кому можно говорить со мной, я называю только в нашем личном чате.",
    line="{who} – сообщений: {messages}",
    by_code="Впущен по коду: {day}",
    by_settings="Впущен в конфигурации (telegram.allowedUsers)",
    seen="Последнее сообщение: {moment}",
    never_seen="Ещё не писал",
    messages="Сохранённых сообщений: {count}",
    tokens="Токенов в этом месяце: {count}",
    owner="(мой владелец)",
    revoke_button="Отозвать",
    back="‹ Назад",
    confirm="Больше не впускать: {who}? Следующее сообщение будет сообщением незнакомца. То, что запомнено, остаётся.",
    confirm_button="Отозвать {id}",
    revoked="Доступ отозван: {id}. То, что запомнено, остаётся, и новый код снова откроет к этому доступ.",
    unknown="{id}: доступа по коду нет.",
    listed="{id} впущен в конфигурации (telegram.allowedUsers), убрать его можно только там.",
    invite_button="Пригласить кого-нибудь",
    invited=(
        "Передайте это: `/start {code}`\nКод впускает одного человека, один раз, в течение {minutes} минут, в личном "
        "чате со мной."
    ),
    link="Или ссылкой: {link}",
    no_bot="Бота Telegram нет: задайте TELEGRAM_TOKEN в .env или в окружении.",
    pairing_off="Коды выключены (telegram.pairing).",
)
