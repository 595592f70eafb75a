"""``mneme page``: a link to the page, of the running Mneme or, where none runs, of one that serves it alone."""

import asyncio
import sys
import webbrowser
from contextlib import suppress

from adapters.page.gate import ask_for_link, delete_redirects, write_redirect
from adapters.page.site import LoopbackPage
from bot.config.folders import Folders
from bot.config.live import LiveSettings
from bot.errors import ConfigInvalid, StorageUnavailable
from bot.features.page.parts import build_page_parts, build_sessions, find_state
from bot.features.page.settings import PageSettings
from bot.features.page.visitors import open_everything
from bot.runtime.app import App, OpenApp
from bot.runtime.installation import is_running, load_live_settings, only_mneme, set_up_logs

_LAPSE_S = 5.0


async def run_page(places: Folders, open_app: OpenApp, *, browse: bool) -> None:
    """Print a link to the page, and open it where there is a browser: asked of the running Mneme, else served here.

    Raises :class:`~bot.errors.ConfigInvalid` where the page is switched off.
    """
    live = load_live_settings(places)
    if not live.current.of(PageSettings).enabled:
        raise ConfigInvalid("the page is switched off: set page.enabled to true in runtime-config.json")
    if is_running(places):
        link = await ask_for_link(find_state(places))
        if link is None:
            raise ConfigInvalid("the running Mneme does not answer: was page.enabled false when it started?")
        await _show(link, places, live, browse=browse)
        return
    with only_mneme(places):
        await _serve_alone(places, live, open_app, browse=browse)


async def _serve_alone(places: Folders, live: LiveSettings, open_app: OpenApp, *, browse: bool) -> None:
    set_up_logs(live.current.log.level, "json", places.logs / "mneme.log")
    app = await open_app(places, live)
    page = LoopbackPage(build_page_parts(app, alone=True), build_sessions(app))
    beside = [
        asyncio.create_task(_lapse(app), name="lapse"),
        asyncio.create_task(app.housekeeping.catch_up(), name="catch up"),
    ]
    try:
        await app.housekeeping.resume()
        sys.stderr.write("Ctrl-C closes the page.\n")
        await _show(await page.make_link(open_everything()), places, live, browse=browse)
        await page.wait_until_unused()
    finally:
        await page.close()
        await asyncio.to_thread(delete_redirects, find_state(places))
        for task in beside:
            task.cancel()
        await asyncio.gather(*beside, return_exceptions=True)
        with suppress(StorageUnavailable):
            await app.housekeeping.lapse(everything=True)
        await app.close()


async def _lapse(app: App) -> None:
    """Make erases final in time: alone there is no other job that does it."""
    while True:
        await asyncio.sleep(_LAPSE_S)
        with suppress(StorageUnavailable):
            await app.housekeeping.lapse()


async def _show(link: str, places: Folders, live: LiveSettings, *, browse: bool) -> None:
    sys.stdout.write(f"{link}\n")
    sys.stdout.flush()
    minutes = live.current.of(PageSettings).link_minutes
    sys.stderr.write(f"Opens the page of memory on this machine, once, within {minutes} minutes.\n")
    if browse and sys.stdout.isatty():
        with suppress(OSError):  # the link has been printed
            file = await asyncio.to_thread(write_redirect, find_state(places), link)
            await asyncio.to_thread(webbrowser.open, file.as_uri())  # a browser of the terminal is waited for
