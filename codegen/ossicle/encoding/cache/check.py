"""Reports the content of a cache of encoded clips, and checks it."""
from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from ...base.problem import SettingProblem
from .entry import unsealed
from .store import FAILURES, ClipStore, open_store, reason, remedy


@dataclass(frozen=True)
class CacheFacts:
    """The content of a cache, and its statistics since it was created or cleared."""

    folder: Path
    entries: int
    size_bytes: int
    limit_bytes: int
    hits: int
    misses: int

    @property
    def hit_rate(self) -> float:
        """The fraction of requested clips that were found; 0 without requests."""
        return self.hits / max(self.hits + self.misses, 1)


def cache_facts(folder: Path, limit_bytes: int | None = None) -> CacheFacts:
    """Returns facts about a cache. limit_bytes: see open_store. Raises SettingProblem if it cannot be read."""
    with _opened(folder, limit_bytes) as store:
        hits, misses = store.stats()
        return CacheFacts(folder, len(store), store.volume(), store.size_limit, hits, misses)


def verify_cache(folder: Path, limit_bytes: int | None = None) -> int:
    """Removes all damaged entries, and returns their number. limit_bytes: see open_store. Raises SettingProblem."""
    with _opened(folder, limit_bytes) as store:
        return store.remove_bad(lambda key, entry: unsealed(key, entry) is not None)


@contextmanager
def _opened(folder: Path, limit_bytes: int | None) -> Iterator[ClipStore]:
    try:
        with closing(open_store(folder, limit_bytes)) as store:
            yield store
    except FAILURES as error:
        raise SettingProblem(f"{folder}: the cache cannot be read ({reason(error)}); {remedy(folder)}") from error
