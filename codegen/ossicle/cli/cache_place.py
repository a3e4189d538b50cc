"""Which cache of encoded clips a command uses."""
from __future__ import annotations

import argparse
import os
from collections.abc import Callable
from pathlib import Path

from ..encode.clip_encoder import Encode
from ..encode.settings import Settings

VARIABLE = "OSSICLE_CACHE"
OFF = "off"
WORTH_IT = "max"  # the effort at which clips are kept unless somebody says otherwise


def users_cache() -> Path:
    """The folder for caches of this user, by the XDG convention."""
    base = os.environ.get("XDG_CACHE_HOME", "")
    return (Path(base) if os.path.isabs(base) else Path.home() / ".cache") / "ossicle"


def cache_folder(arguments: argparse.Namespace) -> Path | None:
    """The folder that is named, the user's own if none is; None for off."""
    named = arguments.cache or os.environ.get(VARIABLE) or ""
    if named == OFF:
        return None
    return Path(named) if named else users_cache()


def encode_of(arguments: argparse.Namespace, settings: Settings, say: Callable[[str], None]) -> Encode | None:
    """What encodes the clips of a command: a cache, or None for none. Raises SettingProblem."""
    named = bool(arguments.cache or os.environ.get(VARIABLE))
    folder = cache_folder(arguments)
    if folder is None or not named and settings.effort != WORTH_IT:
        return None
    from ..encode.clip_cache import ClipCache  # not above: its store is only needed here
    return ClipCache(folder, say, arguments.cache_size).encode
