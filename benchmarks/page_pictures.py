"""Makes the pictures of README and docs: ``python -m benchmarks.page_pictures [docs/pictures]``.

The page over a made-up circle of people, as a phone and a desktop show it, in light and dark; a conversation and the
terminal, drawn by the same browser.  Needs a Chromium with chromedriver.
"""

import argparse
import asyncio
import io
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from html import escape
from pathlib import Path

from PIL import Image
from rich.console import Console
from rich.markdown import Markdown

from adapters.page.gate import Visitor
from bot.memory.scope import Scope
from bot.memory.speakers import Reader
from harness.application import ANNA, NO_RAG, run_console, run_on_telegram
from harness.browser import DESKTOP, PHONE, Browser, find_chromium, open_browser
from harness.fakes.telegram import FakeTelegram
from harness.fakes.telegram.chats import Shown
from harness.page import Circle, fill, open_page

_SCOPE = Scope("tu42")
_LARGEST = 150_000
_COLOURS = 160
_PICTURES = (
    ("page-people-phone", "people", PHONE, False),
    ("page-people-phone-dark", "people", PHONE, True),
    ("page-people", "people", DESKTOP, False),
    ("page-people-dark", "people", DESKTOP, True),
    ("page-timeline", "timeline", DESKTOP, False),
    ("page-search-dark", "search?q=Where+does+my+sister+live%3F", DESKTOP, True),
    ("page-memory-phone", "memories/1", PHONE, False),
)
_SAID = (
    "My sister Vera lives in Porto.",
    "I prefer tea over coffee.",
    "Where does my sister live?",
    "/why",
    "/forget coffee",
)


_STYLE = """
body { margin: 0; padding: 12px; background: #c8d9c5; font: 15px/1.4 system-ui, sans-serif; display: flow-root; }
div { max-width: 84%; margin: 0 0 8px; clear: both; float: left; }
p { margin: 0; padding: 7px 11px; border-radius: 12px; background: #fff; white-space: pre-wrap; }
.me { float: right; } .me p { background: #e3fcd0; }
b { display: block; margin-top: 4px; padding: 6px; border-radius: 8px; background: #4f7350; color: #fff; }
"""


async def draw_page(folder: Path, browser: Browser) -> None:
    """Draw the pages of a circle of sixty people."""
    with tempfile.TemporaryDirectory() as home:
        async with run_console(Path(home), NO_RAG) as chat, open_page(chat.app.parts) as page:
            await fill(chat.app.parts, Circle.of(60), 400, _SCOPE)
            await chat.app.parts.housekeeping.catch_up()
            for name, path, size, dark in _PICTURES:
                browser.show_as(size, dark=dark)
                link = await page.link(Visitor((_SCOPE,), Reader(42, "Anna", alone=True)))

                def take(link: str = link, path: str = path, name: str = name) -> None:
                    browser.open(link)
                    browser.wait_for("return document.querySelector('.top nav') !== null")
                    browser.open(f"{page.base}/m/tu42/{path}")
                    browser.save_picture(folder / f"{name}.png")

                await asyncio.to_thread(take)


async def draw_terminal(folder: Path, browser: Browser) -> None:
    """Draw a conversation as the terminal shows it."""
    console = Console(record=True, width=92, file=io.StringIO(), force_terminal=True)
    with tempfile.TemporaryDirectory() as home:
        async with run_console(Path(home), NO_RAG) as chat:
            for text in _SAID:
                console.print(f"[bold green]you>[/bold green] {text}")
                answer = await chat.say(text)
                console.print("[bold blue]mneme[/bold blue]", end="  ")
                console.print(Markdown(answer))
                console.print()
        await asyncio.to_thread(_draw_svg, browser, console.export_svg(title="mneme chat"), folder / "terminal.png")


async def draw_conversation(folder: Path, browser: Browser) -> None:
    """Draw a conversation as it arrived at a strict fake of Telegram, with its buttons."""
    said: list[tuple[str, str, list[str]]] = []
    with tempfile.TemporaryDirectory() as home:
        async with FakeTelegram() as telegram, run_on_telegram(Path(home), telegram) as chats:
            for text in _SAID:
                before = len(telegram.texts(ANNA))
                await chats.ask(text, language="en")
                said.append(("me", text, []))
                said += [("bot", each.text, _list_labels(each)) for each in telegram.chats.of(ANNA)[before:]]
    await asyncio.to_thread(_draw_html, browser, _render(said), folder / "conversation.png")


def _list_labels(shown: Shown) -> list[str]:
    rows = (shown.keyboard or {}).get("inline_keyboard", [])
    return [button["text"] for row in rows for button in row]


def _render(said: list[tuple[str, str, list[str]]]) -> str:
    drawn = "".join(
        f'<div class="{who}"><p>{escape(text)}</p>{"".join(f"<b>{escape(label)}</b>" for label in labels)}</div>'
        for who, text, labels in said
    )
    return f'<!doctype html><meta charset="utf-8"><style>{_STYLE}</style>{drawn}'


def _draw_html(browser: Browser, page: str, to: Path) -> None:
    browser.show_as((480, 200))
    with _open_text(browser, page, ".html"):
        browser.show_as((480, int(browser.run("return document.documentElement.scrollHeight"))))
        browser.save_picture(to)


def _draw_svg(browser: Browser, svg: str, to: Path) -> None:
    with _open_text(browser, svg, ".svg"):
        box = "const box = document.documentElement.viewBox.baseVal;"
        browser.show_as(tuple(browser.run(f"{box} return [Math.ceil(box.width), Math.ceil(box.height)]")))
        browser.save_picture(to)


@contextmanager
def _open_text(browser: Browser, text: str, suffix: str) -> Iterator[None]:
    with tempfile.NamedTemporaryFile(suffix=suffix) as drawn:
        drawn.write(text.encode())
        drawn.flush()
        browser.open(Path(drawn.name).as_uri())
        yield


def main() -> None:
    """Draw everything and say how large it is; a picture that is too large ends with an error."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, nargs="?", default=Path("docs/pictures"))
    folder: Path = parser.parse_args().folder
    if find_chromium() is None:
        raise SystemExit("no Chromium with chromedriver is installed")
    folder.mkdir(parents=True, exist_ok=True)
    with open_browser() as browser:
        asyncio.run(draw_page(folder, browser))
        asyncio.run(draw_terminal(folder, browser))
        asyncio.run(draw_conversation(folder, browser))
    too_large = []
    for file in sorted(folder.glob("*.png")):
        with Image.open(file) as drawn:
            fewer = drawn.convert("RGB").quantize(_COLOURS)
        fewer.save(file, optimize=True)
        print(f"{file}  {file.stat().st_size / 1000:.0f} kB")
        too_large += [file.name] if file.stat().st_size > _LARGEST else []
    if too_large:
        raise SystemExit(f"larger than {_LARGEST / 1000:.0f} kB: {', '.join(too_large)}")


if __name__ == "__main__":
    main()
