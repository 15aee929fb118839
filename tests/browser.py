"""A real browser for tests of pages: the installed Chromium, driven by Playwright.

Without one these tests skip themselves, which CI counts as failures (see conftest.py). The browser is started
once for each test process, so its fixtures and the tests that use them share the session's event loop::

    from tests.browser import browser, page_at  # in a conftest.py, and both in its __all__

    pytestmark = pytest.mark.asyncio(loop_scope="session")  # in a test module
"""

import os
import shutil
from collections.abc import AsyncIterator, Awaitable, Callable
from urllib.parse import urlsplit

import pytest
import pytest_asyncio
from playwright.async_api import Browser, ConsoleMessage, Page, async_playwright, expect

from tests.patience import PATIENCE

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
DESKTOP = (1440, 900)
PHONE = (390, 844)

OpenPage = Callable[..., Awaitable[Page]]


def chromium_path() -> str | None:
    """The browser's program: what CHROMIUM names, else the first one on the PATH."""
    return os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def browser() -> AsyncIterator[Browser]:
    """One browser for all tests of this process."""
    path = chromium_path()
    if path is None:
        pytest.skip(f"no Chromium on this machine (looked for {', '.join(NAMES)}; CHROMIUM may name one)")
    expect.set_options(timeout=1000 * PATIENCE)
    async with async_playwright() as playwright:
        # No sandbox of Chromium's own: containers and root cannot have it, and it only ever sees our pages.
        browser = await playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield browser
        await browser.close()


@pytest_asyncio.fixture(loop_scope="session")
async def page_at(browser: Browser) -> AsyncIterator[OpenPage]:
    """Opens an address in a fresh profile: ``await page_at(url, size=PHONE, theme="dark")``.

    ``before`` is done with the page while it is still blank.

    Every error on a page and every request to somewhere else fails the test at its end.
    """
    contexts = []
    problems: list[str] = []

    async def open_page(
        url: str,
        *,
        size: tuple[int, int] = DESKTOP,
        theme: str = "light",
        language: str = "en-US",
        before: Callable[[Page], Awaitable[None]] | None = None,
    ) -> Page:
        context = await browser.new_context(
            viewport={"width": size[0], "height": size[1]},
            color_scheme="dark" if theme == "dark" else "light",
            locale=language,
            reduced_motion="reduce",
            permissions=["clipboard-read", "clipboard-write"],
        )
        contexts.append(context)
        context.set_default_timeout(1000 * PATIENCE)
        page = await context.new_page()
        page.on("pageerror", lambda error: problems.append(f"error on the page: {error}"))
        page.on("console", lambda message: problems.extend(_errors_in(message)))
        page.on("request", lambda request: problems.extend(_foreign(request.url, _origin(url))))
        if before is not None:
            await before(page)
        await page.goto(url)
        return page

    yield open_page
    for context in contexts:
        await context.close()
    assert not problems, problems


def _errors_in(message: ConsoleMessage) -> list[str]:
    """Errors that a page logs; what the server refuses is the page's to show, and Chromium logs it too."""
    is_error = message.type == "error" and "the server responded with a status of 4" not in message.text
    return [f"on the console: {message.text}"] if is_error else []


def _origin(url: str) -> str:
    return "{0.scheme}://{0.netloc}/".format(urlsplit(url))


def _foreign(requested: str, home: str) -> list[str]:
    is_ours = requested.startswith((home, "data:", "blob:"))
    return [] if is_ours else [f"a request to somewhere else: {requested}"]
