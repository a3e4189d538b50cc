"""`ossicle view --stream` in a browser: tiers arrive while the character moves."""
from __future__ import annotations

import shutil
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from chromium import Browser
from ossicle.view.server import PageServer, served
from written import HERO, PAUSED, config_with, data_of, write_page, write_streamed

pytestmark = pytest.mark.integration

HASH = "return document.getElementById('hash').className === 'good' && document.getElementById('hash').dataset.hash"
TIERS = "return [...document.querySelectorAll('#clips .tier')].map((mark) => mark.textContent)"
LINE = "return document.getElementById('stream-text').textContent"
MESSAGE = "return document.getElementById('message').textContent"
DRAWN = "return window.ossicle?.costs.frames > 0"
FRAME = "return ossicle.state.get('frame')"
POSE = "return [...ossicle.page.banks[0].stage.pose(0, 5)]"
RECEIVED = "return ossicle.page.medium.received"
LARGEST = "return ossicle.page.errorsOf(ossicle.page.clipIn(0, 0)).largest_mm"
WORST = "return document.querySelector('#joint-errors td').textContent"
SMALL = (700, 500)  # pixels, which software draws quickly
DAMAGED_AT = 40  # in the first chunk of a tier


class HeldServer(PageServer):
    """A server whose tiers wait until they may come."""

    def __init__(self, folder: Path) -> None:
        super().__init__({path.name: path.read_bytes() for path in folder.glob("tier-*.bin")})
        self.go = threading.Event()
        self.show((folder / "index.html").read_bytes())

    def pieces(self, body: bytes) -> Iterator[bytes]:
        self.go.wait()
        yield from super().pieces(body)


@pytest.fixture(scope="session")
def streamed(tmp_path_factory: pytest.TempPathFactory, built_encoder: None) -> Path:
    return write_streamed(tmp_path_factory.mktemp("streamed"))


@pytest.fixture
def server(streamed: Path) -> Iterator[HeldServer]:
    held = HeldServer(streamed)
    yield held
    held.go.set()


@pytest.fixture
def small(browser: Browser) -> Iterator[Browser]:
    browser.driver.get("about:blank")
    browser.log()  # what the page before complained of
    browser.resize(*SMALL)
    yield browser
    browser.driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def damaged(content: bytes) -> bytes:
    return content[:DAMAGED_AT] + bytes([content[DAMAGED_AT] ^ 1]) + content[DAMAGED_AT + 1:]


def press_button(browser: Browser, name: str) -> None:
    browser.run("document.getElementById(arguments[0]).click()", name)


def choose(browser: Browser, name: str, value: object, then: str = "") -> object:
    """The result of `then` before anything can arrive."""
    return browser.run("const choice = document.getElementById(arguments[0]); choice.value = arguments[1];"
                       f"choice.dispatchEvent(new Event('change')); {then}", name, str(value))


def test_tiers_arrive_while_it_moves(small: Browser, streamed: Path, server: HeldServer) -> None:
    """The base moves immediately; then every clip becomes finer, to the bit as with the whole bank."""
    bank = data_of(streamed / "index.html")[2]["banks"][0]
    with served(server) as address:
        small.driver.get(f"{address}#clip=Walk")
        small.wait(DRAWN)
        before = small.run(FRAME)
        small.wait(f"{FRAME} !== {before}")
        assert small.wait(HASH) == bank["stream"]["hash"] != bank["hash"]
        assert small.run(RECEIVED) == 0
        assert set(tier.partition(",")[0] for tier in small.run(TIERS)) == {"base"}
        assert small.run(LINE).startswith("base · at most ")
        coarse, largest, worst = small.run(POSE), small.run(LARGEST), small.run(WORST)
        server.go.set()
        small.wait(f"return ossicle.page.medium.received === {sum(map(len, server.files.values()))}")
        assert small.wait(HASH + f" === '{bank['hash']}' && '{bank['hash']}'") == bank["hash"]
        small.wait(f"{TIERS}.every((tier) => tier.startsWith('tier '))")
        assert small.run("return ossicle.state.get('playing')")
        assert small.run(POSE) != coarse
        assert small.run(LARGEST) == pytest.approx(bank["clips"][0]["errors"]["largest_mm"]) and 1.0 < largest
        small.wait(f"{WORST} !== '{worst}'")
        assert small.run(MESSAGE) == "" and small.log() == []
        assert small.run("return fetch('http://127.0.0.1:1/').then(() => 'loaded', (problem) => problem.name)"
                         ) == "TypeError"
        assert any("Content Security Policy" in line for line in small.log())


def test_a_damaged_tier(small: Browser, streamed: Path, server: HeldServer) -> None:
    """The file is read again, then reported and skipped; the clip plays on. It loads once the server has it."""
    wanted, good = data_of(streamed / "index.html")[2]["banks"][0]["hash"], server.files["tier-2.bin"]
    server.files["tier-2.bin"] = damaged(good)
    server.go.set()
    with served(server) as address:
        small.driver.get(f"{address}#clip=Walk")
        message = small.wait(MESSAGE)
        [first] = small.run("return [...new Set(ossicle.streaming.faults.map(({clip}) => "
                            "ossicle.page.clips[clip].name))]")
        assert message == f"Some of the tiers did not arrive (damaged). These clips play on, coarser: {first}"
        assert small.run("return ossicle.streaming.stream.counts().failures") == 4
        frame = small.run(FRAME)
        small.wait(f"{FRAME} !== {frame}")
        small.wait("return !document.getElementById('retry').hidden")
        server.files["tier-2.bin"] = good
        press_button(small, "retry")
        assert small.run("return document.getElementById('message').hidden")
        assert small.wait(HASH + f" === '{wanted}' && '{wanted}'") == wanted
        small.wait("return document.getElementById('retry').hidden")
        assert small.log() == []


def test_a_server_that_loses_a_tier(small: Browser, server: HeldServer) -> None:
    del server.files["tier-2.bin"]
    server.go.set()
    with served(server) as address:
        small.driver.get(f"{address}#{PAUSED}")
        small.wait("return window.ossicle?.streaming.faults.length > 0")
        assert "the server did not give it" in small.run(MESSAGE)
        assert max(small.run("return [0, 1, 2].map((clip) => ossicle.page.banks[0].stage.tierAt(clip, 0))")) < 2


def test_a_small_pool(small: Browser, server: HeldServer) -> None:
    """Chunks of clips that play are loaded, others are dropped."""
    server.go.set()
    with served(server) as address:
        small.driver.get(f"{address}#clip=Walk")
        small.wait("return window.ossicle?.streaming.isComplete()")
        assert small.run("return [...document.getElementById('pool').options].map(({text}) => text)"
                         ) == ["all", "8 KiB", "16 KiB", "64 KiB"]
        assert choose(small, "pool", 8192, "return ossicle.page.banks[0].stage.tierAt(0, 0)") == 0  # has room for all
        small.wait("return ossicle.streaming.isComplete()")
        small.run("ossicle.streaming.begin(ossicle.streaming.bytes >> 1)")
        for clip in range(3):
            small.run("ossicle.state.set({clip: arguments[0]})", clip)
            small.wait(f"return ossicle.page.banks[0].stage.tierAt({clip}, 0) > 0")
        assert small.run("return ossicle.streaming.stream.counts().dropped") > 0
        assert small.run("return [0, 1, 2].some((clip) => ossicle.page.banks[0].stage.tierAt(clip, 0) === 0)")
        small.wait(f"{LINE}.match(/ [1-9][0-9]* chunks dropped/)")
        assert small.log() == []


def test_a_disk_is_no_server(small: Browser, streamed: Path, tmp_path: Path) -> None:
    shutil.copytree(streamed, tmp_path / "copy")
    small.driver.get((tmp_path / "copy/index.html").as_uri())
    small.wait(DRAWN)
    assert "from a web server" in small.run(MESSAGE)
    assert small.run("return ossicle.page.banks[0].stage.tierAt(0, 0)") == 0


def test_tiers_that_the_page_contains(small: Browser, tmp_path: Path) -> None:
    """They are taken away and come back, with their errors."""
    page = write_page(tmp_path, HERO, *config_with(tmp_path, 'clips = ["Walk"]\ncodec = "delta"\ntiers = ["8mm"]'))
    small.open(page, PAUSED)
    bank = data_of(page)[2]["banks"][0]
    assert small.wait(HASH) == bank["hash"]
    fine, least = small.run(POSE), small.run(LARGEST)
    assert least == pytest.approx(bank["clips"][0]["errors"]["largest_mm"]) and least <= 1.0
    choose(small, "tiers", 0)
    assert small.run(POSE) != fine
    assert small.run(LARGEST) == pytest.approx(bank["clips"][0]["coarser"][0]["largest_mm"])
    small.wait("return parseFloat(document.querySelector('#joint-errors td').textContent) > 1")
    choose(small, "tiers", 1)
    assert small.run(POSE) == fine and small.run(LARGEST) == least
    assert small.run("return document.getElementById('pool').parentElement.hidden") and small.log() == []
