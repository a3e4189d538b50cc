"""Encodes the clips of a character for a command, with cache and progress bar."""
from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from ..base.problem import SettingProblem
from ..encoding.edits import Edited
from ..encoding.encoder import encode_edited
from ..encoding.results import BankResult
from ..encoding.settings import Settings
from ..graph.rules import GraphProblem
from ..machines import known_costs, known_step_costs
from ..encoding.cache.place import cache_of, caching_of
from ..reporting.console import progress_bar
from .manifest import own_digest
from .options import EncodeOptions


def with_costs(settings: Settings) -> Settings:
    """Returns the settings with the costs of codecs on their target, which determine the choice of codecs, and of a
    step of a graph."""
    return replace(settings, costs=known_costs(settings.target), step_costs=known_step_costs(settings.target))


@contextmanager
def graph_problems_of(config: Path | None) -> Iterator[None]:
    """Prefixes problems of a graph that only its clips show with the file that contains it, if there is one."""
    try:
        yield
    except GraphProblem as problem:
        raise SettingProblem(f"{config}: {problem}" if config else str(problem)) from problem


def compress(character: Edited, settings: Settings, work: EncodeOptions) -> BankResult:
    """Encodes a character, with the costs of its target."""
    settings = with_costs(settings)
    cache = cache_of(caching_of(work.cache, work.cache_size), settings, work.warn)
    encode, memory = None, None
    if cache is not None:
        from ..encoding.cache.choice import ChoiceCache  # imported late, as its store
        encode, memory = cache.encode, ChoiceCache(cache, own_digest())
    if work.quiet:
        return encode_edited(character, settings, work.jobs, encode=encode, memory=memory)
    with progress_bar("encoding", "frames") as progress:
        return encode_edited(character, settings, work.jobs, progress, encode=encode, memory=memory)
