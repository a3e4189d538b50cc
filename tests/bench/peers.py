"""Costs of other libraries, beside which the benches show those of this project: peers.toml."""
from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path

PEERS = Path(__file__).with_name("peers.toml")


@cache
def _tables() -> Mapping[str, Mapping[str, Mapping[str, Mapping[str, int]]]]:
    return tomllib.loads(PEERS.read_text(encoding="utf-8"))


def versions() -> dict[str, str]:
    """The full name of each library, with its version, by its key."""
    return dict(_tables()["libraries"])


def costs(what: str, target: str) -> dict[str, dict[str, int]]:
    """The instructions of each library on a target: by library, then by operation or clip. what: "operations",
    "forward" or "random". Libraries without a figure for the target are left out."""
    found = {library: {name: by_target[target] for name, by_target in figures.items() if target in by_target}
             for library, figures in _tables()[what].items()}
    return {library: figures for library, figures in found.items() if figures}


def instance_bytes() -> dict[str, int]:
    """Bytes of RAM that an instance of the Knight takes, by library."""
    return dict(_tables()["instance_bytes"])


def encoding_seconds(clips: int) -> dict[str, float]:
    """How long each library would take to encode so many clips on one core."""
    return {library: clips * found["seconds"] / found["clips"] for library, found in _tables()["encoding"].items()}


def clip_bytes() -> dict[str, dict[str, int]]:
    """Bytes of all clips at an error of at most 1 mm, by library and character."""
    return {library: dict(found) for library, found in _tables()["clip_bytes"].items()}
