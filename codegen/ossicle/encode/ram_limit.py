"""Keeps a bank's player within the memory that is allowed."""
from __future__ import annotations

from collections.abc import Sequence

from ..bank.file import Bank
from ..base.problem import SettingProblem


def cheaper_codecs(bank: Bank, allowed: Sequence[tuple[str, ...]], random_access: Sequence[bool],
                   max_bytes: int) -> dict[int, tuple[str, ...]]:
    """Returns the clips to encode again so that a player of the bank takes at most max_bytes, each
    with the codecs to choose from; empty if the player already fits.

    allowed: the codecs from which each clip could choose so far; random_access: whether each clip
    was required to have it. A clip whose state is too large gives up its present codec; delta has
    no state. Raises SettingProblem, which states the memory needed, if the rows alone are too
    large, or clips have no other codec.
    """
    if bank.player_bytes <= max_bytes:
        return {}
    rows = bank.player_bytes - 4 * bank.state_words  # with the player itself
    too_large = [index for index, clip in enumerate(bank.clips)
                 if rows + 4 * clip.state_words > max_bytes and clip.codec != "delta"]
    limit = f"RAM limit of {max_bytes} bytes"
    stuck = [index for index in too_large if len(allowed[index]) == 1]
    if stuck:
        raise SettingProblem(f"{limit}: "
                             + _what_helps(bank, stuck, random_access, rows, max_bytes))
    if rows > max_bytes and not too_large:
        raise SettingProblem(f"{limit}: a player of this bank takes {rows} bytes "
                             f"even if all clips have the codec delta; allow {rows}, or animate "
                             "fewer tracks")
    if rows > max_bytes:  # the codecs have some influence on which tracks move, and so on the rows
        return {index: ("delta",) for index in too_large}
    return {index: tuple(codec for codec in allowed[index] if codec != bank.clips[index].codec)
            for index in too_large}


def _what_helps(bank: Bank, stuck: Sequence[int], random_access: Sequence[bool], rows: int,
                max_bytes: int) -> str:
    """Names the clip that needs most memory among those without another codec, and the remedies."""
    worst = max(stuck, key=lambda index: bank.clips[index].state_words)
    clip, few = bank.clips[worst], len(stuck) == 1
    most = "" if few else f", the most of {len(stuck)} such clips"
    ways = f"allow {rows + 4 * clip.state_words}"
    if rows <= max_bytes:
        whose = "this clip" if few else "these clips"
        ways += (f", or give up random access for {whose}"
                 if any(random_access[index] for index in stuck) else
                 f", or the codec delta for {whose}")
    return (f"clip {clip.name}: codec {clip.codec} takes {4 * clip.state_words} bytes beside the "
            f"{rows} of the player and its rows{most}; {ways}")
