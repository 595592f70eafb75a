"""Opens the ways in: Telegram, the terminal for people, the terminal for scripts."""

import asyncio
import gc
import math
import os
import signal
import sys
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from datetime import timedelta
from importlib import import_module
from threading import Timer

import structlog
from rich.console import Console
from rich.markup import escape

from adapters.console.plain import ADDRESS, ConsoleMessages, PlainMessenger, PlainReceiver
from adapters.llm.health import find_local_servers
from adapters.preferences import watch_changes
from bot.compose.building import open_parts
from bot.compose.pipeline import build_application, list_commands
from bot.config.folders import Folders
from bot.config.live import LiveSettings
from bot.config.schema import Settings, TelegramSettings
from bot.errors import ConfigInvalid, MnemeError, StorageAway, StorageInUse, StorageUnavailable
from bot.ports.leases import LEADER, under
from bot.runtime.app import App
from bot.runtime.application import Application
from bot.runtime.channel import Channel, find_plugins
from bot.runtime.installation import PATIENCE_S, is_running, load_live_settings, only_mneme, set_up_logs
from language.registry import choose_texts

Waits = tuple[type[MnemeError], ...]
"""What a start waits for until it is over."""
_SETTLE_S = 300.0
_READY_S = 10.0
_AGAIN_S = 0.5
"""Between two tries to have a PostgreSQL that does not answer, or that another Mneme uses."""
_END_S = 14.0
"""Running turns have ten of them; service managers wait for ninety, people for less."""
_NEW_OBJECTS = 10_000
"""After which a collection of garbage looks at them: a millisecond or two."""
_LAST_UPDATE_S = 2.0
"""For a message that is being accepted."""


async def run_default(places: Folders, *, standby: bool = False) -> None:
    """Start on Telegram if there is a token, on the channels of plug-ins, else as a chat in the terminal.

    With ``standby`` a Mneme that uses the folder, or the same PostgreSQL from another one, is waited for; what it left
    half done is what a restart would find.
    """
    if standby and is_running(places):
        sys.stderr.write(f"mneme: another Mneme uses {places.data}; this one waits, and takes over when it ends\n")
        import_module("bot.compose.telegram")  # aiogram takes a second to import
    with only_mneme(places, patience_s=math.inf if standby else PATIENCE_S):
        say_new(places)
        live = load_live_settings(places)
        waits = (StorageAway, StorageInUse) if standby else (StorageAway,)
        if live.current.telegram.token or live.current.plugins.channels:
            await run_service(places, waits)
        else:
            await _chat(places, live, waits, plain=not sys.stdin.isatty())


async def run_chat(places: Folders, *, plain: bool, settle: bool) -> None:
    """Chat in the terminal."""
    with only_mneme(places):
        say_new(places)
        await _chat(places, load_live_settings(places), plain=plain, settle=settle)


async def _chat(places: Folders, live: LiveSettings, waits: Waits = (), *, plain: bool, settle: bool = False) -> None:
    if plain:
        await _plain(places, live, waits, settle=settle)
    else:
        await _interactive(places, live, waits)


def say_new(places: Folders) -> None:
    """Tell where things are kept when the default settings were just put there."""
    if places.is_new:
        what = "no settings were found, these are the defaults" if places.started.exists() else "new here"
        sys.stderr.write(f"mneme: {what}: memory is kept in {places.data}, settings in {places.preferences}\n")


async def run_service(places: Folders, waits: Waits = (StorageAway,), *, worker: bool = False) -> None:
    """Answer on Telegram, and on the channels of plug-ins, until SIGTERM or Ctrl-C.

    ``worker``: beside other workers on one PostgreSQL.  One that was declared gone begins anew, as another one: nothing
    that it knew is trusted.  So does everybody whose start met one of ``waits``.
    """
    stopping = asyncio.Event()
    told = False
    stop_on_signals(stopping.set)
    while not stopping.is_set():
        live = load_live_settings(places)
        set_up_logs(live.current.log.level, live.current.log.format)
        _say_problem(live)
        if worker and not (live.current.telegram.token or live.current.plugins.channels):
            raise ConfigInvalid("a worker answers on Telegram: set TELEGRAM_TOKEN in .env or the environment")
        try:
            app = _build(await open_parts(places, live, worker=worker, alone=not worker), live)
            told = False
            await _work(app, places, live.current, stopping)
            if not worker:
                return
        except waits as error:
            told = _say_waiting(error, told=told)
            with suppress(TimeoutError):
                await asyncio.wait_for(stopping.wait(), _AGAIN_S)


async def run_worker(places: Folders) -> None:
    """Answer beside other workers on one PostgreSQL, until SIGTERM or Ctrl-C."""
    with only_mneme(places):
        await run_service(places, worker=True)


async def _work(app: Application, places: Folders, settings: Settings, stopping: asyncio.Event) -> None:
    """Work until it is to stop, all channels have ended, or others have declared it gone."""
    channels: list[Channel] = []
    ended = app.sharing.ended if app.sharing is not None else stopping
    waits = [asyncio.create_task(event.wait()) for event in (stopping, ended)]
    receiving: list[asyncio.Task[None]] = []
    try:
        await _open_channels(app, settings, channels)
        everywhere = [channel for channel in channels if channel.everywhere or app.sharing is None]
        led = [channel for channel in channels if channel not in everywhere]
        await app.start(watch_changes(places.preferences))
        if app.sharing is None:
            await greeting(app.parts, Console(stderr=True))
        async with serving(app.parts):
            if everywhere:
                receiving.append(asyncio.create_task(_receive(everywhere), name="receiving"))
            leading = asyncio.create_task(app.leading.wait())
            await asyncio.wait((*waits, *receiving, leading), return_when=asyncio.FIRST_COMPLETED)
            if app.leading.is_set() and led:
                with under(LEADER):
                    receiving.append(asyncio.create_task(_receive(led), name="leading"))
            await asyncio.wait((*waits, *receiving), return_when=asyncio.FIRST_COMPLETED)
            leading.cancel()
    finally:
        for wait in waits:
            wait.cancel()
        _stop(channels)
        if receiving:
            await asyncio.wait(receiving, timeout=_LAST_UPDATE_S)
        gone = app.parts.leases is not None and app.parts.leases.gone
        await app.close(0.0 if gone else None)
        for channel in channels:
            await channel.close()
    for task in receiving:
        task.cancel()
    for outcome in await asyncio.gather(*receiving, return_exceptions=True):
        if isinstance(outcome, Exception) and not gone:
            raise outcome


async def _open_channels(app: Application, settings: Settings, channels: list[Channel]) -> None:
    """Open what the settings name; what was opened before a failure is in ``channels``, to be closed."""
    for make in find_plugins("channels", settings.plugins.channels):
        channels.append(await make(app.parts, app.accept))  # noqa: PERF401 - see above
    if settings.telegram.token:
        from bot.compose.telegram import open_telegram  # noqa: PLC0415 - aiogram takes a second to import

        channels.append(open_telegram(app.parts, app.accept))
    if not channels:
        missing = ", ".join(settings.plugins.channels)
        raise ConfigInvalid(f"no channel to answer on: plugins.channels names {missing}, which is not installed")
    for channel in channels:
        app.parts.add_channel(channel)


async def _receive(channels: Sequence[Channel]) -> None:
    """Receive on every channel until all are stopped."""
    tasks = [asyncio.create_task(channel.receive(), name=channel.name) for channel in channels]
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_EXCEPTION)
    finally:
        _stop(channels)
        ended = await asyncio.gather(*tasks, return_exceptions=True)
    for error in filter(None, ended):
        raise error


def _stop(channels: Sequence[Channel]) -> None:
    for channel in channels:
        channel.stop()


async def issue_code(places: Folders) -> None:
    """Print a one-time pairing code."""
    live = load_live_settings(places)
    settings = live.current.telegram
    if not settings.token:
        raise ConfigInvalid("there is no Telegram bot to pair with: set TELEGRAM_TOKEN in .env or the environment")
    parts = await open_parts(places, live)
    try:
        code = await _issue_code(parts)
    finally:
        await parts.close()
    sys.stdout.write(f"{code}\n")
    sys.stdout.flush()
    sys.stderr.write(f"Send your bot: /start {code}   (once, within {settings.pairing_code_minutes} minutes)\n")
    if link := await _ask_for_link(settings, code):
        sys.stderr.write(f"or open: {link}\n")


async def _issue_code(parts: App) -> str:
    from adapters.telegram.access import make_pairing_code  # noqa: PLC0415 - aiogram takes a second to import

    settings, code = parts.settings.current.telegram, make_pairing_code()
    expires = parts.clock.now() + timedelta(minutes=settings.pairing_code_minutes)
    await parts.access.issue(int(settings.token.split(":", 1)[0]), code, expires)
    return code


async def _ask_for_link(settings: TelegramSettings, code: str) -> str:
    from adapters.telegram.account import make_api_server, make_invitation_link  # noqa: PLC0415 - as above

    return await make_invitation_link(settings.token, make_api_server(settings.api_url), code)


async def _plain(places: Folders, live: LiveSettings, waits: Waits, *, settle: bool) -> None:
    app = await _open(places, live, waits)
    app.parts.messengers["console"] = PlainMessenger(received=places.received)

    async def tell(text: str) -> None:
        sys.stderr.write(f"mneme: {text}\n")

    app.parts.tell_operator["console"] = tell

    async def answered() -> None:
        await app.answered(ADDRESS)

    async def settled() -> None:
        await app.parts.housekeeping.lapse(everything=True)
        if not await app.parts.longterm.settle(_SETTLE_S):
            late = f"not everything was indexed within {_SETTLE_S:g} s; it will be, later"
            sys.stderr.write(f"mneme: {app.parts.longterm.refusal or late}\n")

    receiver = PlainReceiver(
        app.accept, answered, settled if settle else None, ConsoleMessages(app.parts.clock.now, read_locale(os.environ))
    )

    async def read() -> None:
        # A script cannot see that long-term memory or a server of tools is still starting: its first line waits for
        # them, within reason.
        await app.start(watch_changes(places.preferences))
        if live.current.rag.enabled:
            await app.parts.longterm.ready(_SETTLE_S if settle else _READY_S)
        with suppress(TimeoutError):
            await asyncio.wait_for(asyncio.gather(*(wait() for wait in app.parts.added.settling)), _READY_S)
        await answered()
        async with serving(app.parts):
            await receiver.run()

    reading = asyncio.create_task(read(), name="input")
    stop_on_signals(reading.cancel)
    try:
        await reading
    except asyncio.CancelledError:
        if not reading.cancelled():
            raise
    finally:
        reading.cancel()
        await asyncio.gather(reading, return_exceptions=True)
        await _lapse(app)
        await app.close()


async def _interactive(places: Folders, live: LiveSettings, waits: Waits) -> None:
    # Line editing takes a quarter of the start, and only people need it.
    from adapters.console.interactive import InteractiveReceiver, RichMessenger  # noqa: PLC0415
    from adapters.console.plain import clean_for_terminal, replace_unencodable  # noqa: PLC0415

    replace_unencodable(sys.stdout)
    console = Console()
    console.print("[dim]starting …[/dim]")
    app = await _open(places, live, waits)
    messenger = RichMessenger(console, places.received)
    app.parts.messengers["console"] = messenger

    async def tell(text: str) -> None:
        console.print(f"[yellow]{escape(clean_for_terminal(text))}[/yellow]")

    app.parts.tell_operator["console"] = tell
    try:
        await app.start(watch_changes(places.preferences))
        await greeting(app.parts, console)
        if app.parts.model() is None:
            await offer_model(console)

        async def answered() -> None:
            await app.answered(ADDRESS)

        menu = tuple(f"/{name}" for name, _ in list_commands(app.parts, choose_texts("", live.current.language)))
        receiver = InteractiveReceiver(
            app.accept,
            answered,
            ConsoleMessages(app.parts.clock.now, read_locale(os.environ)),
            places.typed_lines,
            menu,
            messenger.keys,
            lambda text: console.print(f"[dim]{escape(text)}[/dim]"),
            messenger.growing,
        )
        async with serving(app.parts):
            await receiver.run()
    finally:
        console.print("[dim]closing …[/dim]")
        await _lapse(app)
        await app.close()


@asynccontextmanager
async def serving(app: App) -> AsyncIterator[None]:
    """Serve what features serve beside the conversation, for as long as this lasts.

    What the start has made stays: collections of garbage, which no turn goes on beside, do not look at it again.
    """
    gc.freeze()
    gc.set_threshold(_NEW_OBJECTS)
    async with AsyncExitStack() as stack:
        stack.callback(gc.unfreeze)  # a worker that was declared gone begins anew: what it was has to go
        for serve in app.added.serving:
            await stack.enter_async_context(serve())
        yield


async def _lapse(app: Application) -> None:
    """Make erases final: a terminal chat that has ended has nobody to take them back, and no job to finish them."""
    with suppress(StorageUnavailable):
        await app.parts.housekeeping.lapse(everything=True)


async def _open(places: Folders, live: LiveSettings, waits: Waits) -> Application:
    """Return the application of a chat, once nothing keeps it from being opened that is to be waited for."""
    set_up_logs(live.current.log.level, "json", places.logs / "mneme.log")
    _say_problem(live)
    told = False
    while True:
        try:
            return _build(await open_parts(places, live, alone=True), live)
        except waits as error:
            told = _say_waiting(error, told=told)
            await asyncio.sleep(_AGAIN_S)


def _build(parts: App, live: LiveSettings) -> Application:
    app = build_application(parts)
    live.subscribe(app.settings_changed)
    for problem in parts.problems:
        sys.stderr.write(f"mneme: {problem}\n")
    return app


def _say_waiting(error: MnemeError, *, told: bool) -> bool:
    if not told:
        why = str(error).partition(": ")[0]
        sys.stderr.write(f"mneme: {why}; this one waits, and goes on when that is over\n")
    return True


def read_locale(environment: Mapping[str, str]) -> str:
    """Return the language that a terminal's messages are wanted in ("ru_RU.UTF-8"), "" where nobody said.

    The order is POSIX's: https://pubs.opengroup.org/onlinepubs/9799919799/basedefs/V1_chap08.html#tag_08_02
    """
    return next((value for name in ("LC_ALL", "LC_MESSAGES", "LANG") if (value := environment.get(name))), "")


def _say_problem(live: LiveSettings) -> None:
    if live.problem is not None:
        sys.stderr.write(f"mneme: {live.problem}\nmneme: {live.in_force} are in force\n")


def stop_on_signals(stop: object, *, within_s: float = _END_S) -> None:
    """First SIGTERM or SIGINT: stop gracefully.  Second: end at once (nothing is lost, the journal has it).

    Whatever does not end ``within_s`` seconds after the first is left as a power cut would leave it, and the process
    ends with 0: what it was told to do is done.
    """
    seen = 0

    def end() -> None:
        structlog.get_logger().warning("ended while something would not end", after_s=within_s)
        os._exit(0)

    def on_signal(number: int) -> None:
        nonlocal seen
        seen += 1
        if seen > 1:
            signal.signal(number, signal.SIG_DFL)
            signal.raise_signal(number)
            return
        late = Timer(within_s, end)
        late.daemon = True
        late.start()
        if callable(stop):
            stop()

    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        with suppress(NotImplementedError):
            loop.add_signal_handler(number, on_signal, number)


async def greeting(parts: App, console: Console) -> None:
    """Say where things are and how to go on; without an allow list also a pairing code for Telegram."""
    settings = parts.settings.current
    console.print(f"[bold]Mneme[/bold]  memory in {parts.places.data}, settings in {parts.places.config}")
    model = parts.model()
    console.print(
        f"Language model: {settings.llm.model}"
        if model
        else "No language model: I answer from memory alone.  Add one with LLM_URL and LLM_MODEL in .env."
    )
    if not settings.telegram.token and settings.plugins.channels:
        console.print(f"Channels: {', '.join(parts.messengers)}\n")
    elif not settings.telegram.token:
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


async def _offer_code(parts: App, console: Console) -> None:
    settings, code = parts.settings.current.telegram, await _issue_code(parts)
    console.print(
        f"Nobody is allowed to talk to the bot yet.  Send it, in a direct chat:  [bold]/start {code}[/bold]\n"
        f"(once, within {settings.pairing_code_minutes} minutes; later: mneme pair)",
        soft_wrap=True,  # a code that is wrapped cannot be copied
    )
    if link := await _ask_for_link(settings, code):
        console.print(f"or open: {link}", soft_wrap=True, highlight=False)
