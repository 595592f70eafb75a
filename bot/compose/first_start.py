"""What a start says: what it found, and what to do next."""

from __future__ import annotations

from datetime import timedelta

from rich.console import Console

from adapters.llm.health import find_local_servers
from bot.runtime.container import Parts


async def greeting(parts: Parts, console: Console) -> None:
    """Say where things are and how to go on; without an allow list also a pairing code for Telegram."""
    settings = parts.settings.current()
    console.print(f"[bold]Mneme[/bold]  memory in {parts.places.data}, settings in {parts.places.config}")
    model = parts.model()
    console.print(
        f"Language model: {settings.llm.model}"
        if model
        else "No language model: I answer from memory alone.  Add one with LLM_URL and LLM_MODEL in .env."
    )
    if not settings.telegram.token:
        console.print(
            "No Telegram token: this is the terminal chat.  For Telegram, add TELEGRAM_TOKEN=… to .env and start again."
        )
        console.print("[dim]/help lists the commands, /exit or Ctrl-D leaves.[/dim]\n")
    elif settings.telegram.pairing and not settings.telegram.allowed_users and settings.telegram.owner_id is None:
        await _offer_code(parts, console)


async def offer_model(console: Console) -> None:
    """Look for a model server on this machine and say how to use it."""
    for server in await find_local_servers():
        if server.models:
            console.print(
                f"{server.name} is running here.  To use it, put into .env:\n"
                f"  LLM_URL={server.url}\n  LLM_MODEL={server.models[0]}\n"
            )
            return


async def _offer_code(parts: Parts, console: Console) -> None:
    # aiogram takes a second to import
    from adapters.telegram.access.bot_profile import make_api_server, make_invitation_link  # noqa: PLC0415
    from adapters.telegram.access.pairing import new_pairing_code  # noqa: PLC0415

    settings = parts.settings.current().telegram
    code = new_pairing_code()
    expires = parts.clock.now() + timedelta(minutes=settings.pairing_code_minutes)
    await parts.access.issue(int(settings.token.split(":", 1)[0]), code, expires)
    console.print(
        f"Nobody is allowed to talk to the bot yet.  Send it, in a direct chat:  [bold]/start {code}[/bold]\n"
        f"(once, within {settings.pairing_code_minutes} minutes; later: mneme pair)",
        soft_wrap=True,  # a code that is wrapped cannot be copied
    )
    if link := await make_invitation_link(settings.token, make_api_server(settings.api_url), code):
        console.print(f"or open: {link}", soft_wrap=True, highlight=False)
