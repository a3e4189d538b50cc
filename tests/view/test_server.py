"""The server of `ossicle watch --view`: it has one page, and tells browsers of changes."""
from __future__ import annotations

import urllib.error
import urllib.request

import pytest
from chromium import Browser
from ossicle.view.server import CHANGES, PageServer, served

PATIENCE_S = 20.0


def read(address: str) -> bytes:
    with urllib.request.urlopen(address, timeout=PATIENCE_S) as answer:
        assert answer.headers["Cache-Control"] == "no-store"
        return answer.read()


def test_it_serves_the_page_as_it_is_now() -> None:
    server = PageServer()
    server.show(b"<html>first")
    with served(server) as address:
        assert address.startswith("http://127.0.0.1:")
        assert read(address) == b'<html data-change="1">first'
        server.show(b"<html>second")
        assert read(address) == b'<html data-change="2">second'
        with pytest.raises(urllib.error.HTTPError, match="404"):
            read(f"{address}etc/passwd")


@pytest.mark.parametrize("early", [False, True])
def test_browsers_hear_of_changes(early: bool) -> None:
    """Even of one that comes between the page and its question for changes."""
    server = PageServer()
    server.show(b"first")
    with served(server) as address:
        if early:
            server.show(b"second")
        with urllib.request.urlopen(f"{address.rstrip('/')}{CHANGES}1", timeout=PATIENCE_S) as events:
            if not early:
                server.show(b"second")
            assert events.readline() == b"data: changed\n"


def test_the_open_page_loads_itself_again(browser: Browser, hero_page: object) -> None:
    content = hero_page.read_bytes()
    server = PageServer()
    server.show(content)
    with served(server) as address:
        browser.driver.get(f"{address}#clip=Jump&paused=&frame=5")
        browser.wait("return window.ossicle?.costs.frames > 0")
        browser.run("window.isOld = true")
        server.show(content.replace(b"<h1", b"<h1 class='changed'"))
        browser.wait("return !window.isOld && window.ossicle?.costs.frames > 0")
        assert browser.run("return document.querySelectorAll('h1.changed').length") == 1
        assert browser.run("return [ossicle.page.clips[ossicle.state.get('clip')].name, ossicle.state.get('frame')]"
                           ) == ["Jump", 5]
