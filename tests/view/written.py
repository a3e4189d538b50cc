"""Pages for the tests."""
from __future__ import annotations

import base64
import json
import struct
import zlib
from pathlib import Path
from typing import Any

from ossicle.cli.main import main

ROOT = Path(__file__).resolve().parents[2]
HERO = ROOT / "codegen/demo/hero.glb"
_CHOSEN = 'codec = "delta"\nclips = ["Walk", "Run", "Jump"]\n'
_TIERS = 'tiers = ["40%", "70%"]\n'
PAUSED = "clip=Walk&paused=&frame=0"


def config_with(folder: Path, text: str) -> tuple[str, str]:
    """The option for a configuration file with this text."""
    (folder / "settings.toml").write_text(text, encoding="utf-8")
    return "--config", str(folder / "settings.toml")


def write_page(folder: Path, *arguments: object) -> Path:
    """The page that a command line of `ossicle view` writes."""
    page = folder / "page.html"
    assert main(["view", *map(str, arguments), "-o", str(page), "--no-open", "--quiet"]) == 0
    return page


def encode_tiers(bank: Path, *arguments: str, tiers: bool = True) -> Path:
    """A bank of three clips of the demo character, in a base and two tiers."""
    config = config_with(bank.parent, _TIERS * tiers + _CHOSEN)
    assert main(["encode", str(HERO), *config, *arguments, "-o", str(bank), "--quiet"]) == 0
    return bank


def write_streamed(folder: Path, bank: Path | None = None) -> Path:
    """The folder that `ossicle view --stream -o` writes, of this bank or of such a one with its source."""
    shown = [str(HERO), *config_with(folder, _TIERS + _CHOSEN)] if bank is None else [str(bank)]
    assert main(["view", *shown, "--stream", "-o", str(folder / "page"), "--quiet"]) == 0
    return folder / "page"


def data_of(page: Path) -> tuple[str, bytes, dict[str, Any], bytes]:
    """The text of a page, its data, and the JSON and the arrays in it."""
    text = page.read_text(encoding="utf-8")
    start = text.index('<script id="data" type="text/plain">') + len('<script id="data" type="text/plain">')
    packed = text[start:text.index("</script>", start)]
    data = zlib.decompress(base64.b64decode(packed))
    size = struct.unpack_from("<I", data)[0]
    return packed, data, json.loads(data[4:4 + size]), data[-(-(4 + size) // 8) * 8:]
