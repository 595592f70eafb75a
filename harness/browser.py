"""A Chromium without a screen, driven over its own protocol: for what no text of a page tells.

Whichever is installed is used, with its driver; nothing is downloaded, and it reaches this machine alone.
"""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

from selenium.webdriver import Chrome
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.support.wait import WebDriverWait

_NAMES: Final = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
_LIMIT_S: Final = 20
PHONE, DESKTOP = (390, 844), (1280, 800)
_RUN_AXE: Final = (
    "axe.run(document, {resultTypes: ['violations'], rules: {'label-content-name-mismatch': {enabled: true}}})"
    ".then(arguments[0])"
)


@dataclass(frozen=True, slots=True)
class Browser:
    """One window."""

    driver: Chrome

    def show_as(self, size: tuple[int, int], *, dark: bool = False) -> None:
        """Look like a phone or a desktop, in light or dark."""
        width, height = size
        metrics = {"width": width, "height": height, "deviceScaleFactor": 1.0, "mobile": size == PHONE}
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [scheme]})

    def open(self, address: str) -> None:
        self.driver.get(address)

    def run(self, script: str, *arguments: object) -> Any:  # Any: JSON
        """Return what a script returns; it runs beside the page's own policy."""
        return self.driver.execute_script(script, *arguments)

    def wait_for(self, script: str) -> None:
        """Wait until a script returns something that counts as true."""
        WebDriverWait(self.driver, _LIMIT_S, poll_frequency=0.05).until(lambda driver: driver.execute_script(script))

    def press(self, *keys: str) -> None:
        ActionChains(self.driver).send_keys(*keys).perform()

    def find_faults(self) -> list[str]:
        """Return what axe-core finds that keeps somebody out, with the elements; https://github.com/dequelabs/axe-core."""
        self.driver.execute_script(files("axe_core_python").joinpath("axe.min.js").read_text(encoding="utf-8"))
        found = self.driver.execute_async_script(_RUN_AXE)
        return [f"{each['id']}: {[node['html'][:200] for node in each['nodes'][:3]]}" for each in found["violations"]]

    def list_complaints(self) -> list[str]:
        """Return what the browser complained of since this was asked: refused scripts, styles, requests."""
        return [entry["message"] for entry in self.driver.get_log("browser")]  # type: ignore[no-untyped-call]  # selenium tells no types there

    def save_picture(self, file: Path) -> None:
        self.driver.save_screenshot(str(file))


def find_chromium() -> tuple[str, str] | None:
    """Return the paths of a browser and its driver, ``None`` if either is not installed."""
    browser = next((path for name in _NAMES if (path := shutil.which(name))), None)
    driver = shutil.which("chromedriver")
    return (browser, driver) if browser and driver else None


@contextmanager
def open_browser() -> Iterator[Browser]:
    """Start a browser that :func:`find_chromium` finds, and end it."""
    found = find_chromium()
    assert found is not None, "no Chromium with chromedriver is installed"
    options = Options()
    options.binary_location = found[0]
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    for argument in (
        "--headless=new",
        "--disable-gpu",
        "--hide-scrollbars",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--lang=en",
        "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
        *(("--no-sandbox",) if os.geteuid() == 0 else ()),
    ):
        options.add_argument(argument)
    driver = Chrome(options=options, service=Service(found[1]))
    driver.set_page_load_timeout(_LIMIT_S)
    try:
        yield Browser(driver)
    finally:
        driver.quit()
