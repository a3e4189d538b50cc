"""Selects the cache of encoded clips of a command."""
from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ...base.files.cache_folder import is_cache_folder
from ...base.files.private_folder import belongs_to_user
from ...base.problem import SettingProblem

if TYPE_CHECKING:
    from ..clip_encoder import Encode
    from ..settings import Settings
    from .cache import ClipCache

VARIABLE = "OSSICLE_CACHE"
OFF = "off"
WORTH_IT = "max"  # the effort at which clips are cached by default


@dataclass(frozen=True)
class Caching:
    """The cache of a command. folder: None for off; named: whether the user named it, so that all clips are cached;
    limit_bytes: None for the limit of the folder."""

    folder: Path | None
    named: bool
    limit_bytes: int | None = None

    def is_for(self, settings: Settings) -> bool:
        """Returns whether to cache clips with these settings."""
        return self.folder is not None and (self.named or settings.effort == WORTH_IT)


def users_cache() -> Path | None:
    """Returns the folder for caches of this user, by the XDG convention, or None for a user without a home. A shared
    folder such as /tmp is unsuitable, because another user could create the cache first."""
    base = os.environ.get("XDG_CACHE_HOME", "")
    with suppress(RuntimeError):  # a user without a home
        return (Path(base) if os.path.isabs(base) else Path.home() / ".cache") / "ossicle"
    return None


def _named(option: str | None) -> str | None:
    """Returns the value of the option or else of the environment: a folder, OFF, or None. Raises SettingProblem."""
    for where, value in (("--cache", option), (VARIABLE, os.environ.get(VARIABLE))):
        if value is not None:
            if not value.strip():
                raise SettingProblem(f"{where} {value!r}: give a folder, or {OFF}")
            return OFF if value.strip().lower() == OFF else value
    return None


def caching_of(option: str | None, limit_bytes: int | None) -> Caching:
    """Returns the cache that an option or the environment selects. Raises SettingProblem."""
    named = _named(option)
    folder = users_cache() if named is None else None if named == OFF else Path(named)
    return Caching(folder, named is not None, limit_bytes)


def digests_folder(option: str | None) -> Path | None:
    """Returns the folder for digests of files: the named cache, or the user's cache if it exists and the user owns it,
    or None. Raises SettingProblem."""
    named = _named(option)
    if named is not None:
        return None if named == OFF else Path(named)
    users = users_cache()
    return users if users is not None and is_cache_folder(users) and belongs_to_user(users) else None


def encode_of(caching: Caching, settings: Settings, say: Callable[[str], None]) -> Encode | None:
    """Returns the encoder of a command that uses its cache, or None without a cache; see cache_of."""
    cache = cache_of(caching, settings, say)
    return None if cache is None else cache.encode


def cache_of(caching: Caching, settings: Settings, say: Callable[[str], None]) -> ClipCache | None:
    """Returns the cache of a command, or None. say: receives, perhaps repeatedly, the reason for None. Raises
    SettingProblem."""
    if caching.folder is None or not caching.is_for(settings):
        return None
    from .cache import ClipCache  # imported late, because its store is only needed here
    try:
        return ClipCache(caching.folder, say, caching.limit_bytes)
    except SettingProblem as problem:
        if caching.named:
            raise
        say(str(problem))  # the user did not ask for a cache
        return None
