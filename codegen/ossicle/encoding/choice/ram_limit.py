"""Keeps a bank's player within a memory limit."""
from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from ...bank.file import HELD_WORDS, TRACK_KINDS, Bank
from ...bank.graph.ram import character_parts
from ...base.problem import SettingProblem
from ...graph.rules import TABLE, GraphProblem

_MOST_NAMED = 3

# The weights of a word of state, in bits, that are tried for clips of the codec curve. With the last one, a track has a
# key on every frame even if that takes 120 KB more.
STATE_BITS = (0, 1, 2, 3, 4, 6, 8, 11, 16, 23, 32, 64, 128, 512, 4096, 1 << 16)


def too_large_clips(bank: Bank, max_bytes: int) -> set[int]:
    """Returns the clips whose state is too large for a player of at most max_bytes; none if the rows alone are too
    large."""
    rows = bank.player_bytes - 4 * bank.state_words
    return {index for index, clip in enumerate(bank.clips) if rows <= max_bytes < rows + 4 * clip.state_words}


def cheaper_codecs(bank: Bank, allowed: Sequence[tuple[str, ...]], random_access: Sequence[bool],
                   max_bytes: int) -> dict[int, tuple[str, ...]]:
    """Returns the clips to encode again so that a player of the bank takes at most max_bytes, each with the codecs to
    choose from.

    allowed: the codecs from which each clip could choose so far; random_access: whether each clip
    was required to have it. A clip whose state is too large gives up its present codec; delta has
    no state. Raises SettingProblem with the memory needed if the rows alone are too large or clips have no other codec.
    """
    rows = bank.player_bytes - 4 * bank.state_words  # with the player itself
    too_large = [index for index, clip in enumerate(bank.clips)
                 if rows + 4 * clip.state_words > max_bytes and clip.codec != "delta"]
    limit = f"RAM limit of {max_bytes} bytes"
    stuck = [index for index in too_large if len(allowed[index]) == 1]
    if stuck:
        raise SettingProblem(f"{limit}: "
                             + _what_helps(bank, stuck, random_access, rows, max_bytes))
    if rows > max_bytes and not too_large:
        raise SettingProblem(f"{limit}: a player of this bank takes {rows} bytes even with the codec delta for all "
                             f"clips; allow {rows} bytes, or animate fewer tracks: "
                             + "; ".join([*_tracks(bank), *_without(bank, rows)]))
    if rows > max_bytes:  # the codecs have some influence on which tracks move, and so on the rows
        return {index: ("delta",) for index in too_large}
    return {index: tuple(codec for codec in allowed[index] if codec != bank.clips[index].codec)
            for index in too_large}


def check_ram(bank: Bank, max_bytes: int | None, source: str) -> None:
    """Raises SettingProblem if a player takes more than max_bytes: once the clips themselves fit, only versions in
    tiers can cause that."""
    if max_bytes is not None and bank.player_bytes > max_bytes:
        raise SettingProblem(f"{source}: RAM limit of {max_bytes} bytes: with the versions in tiers a player takes "
                             f"{bank.player_bytes} bytes; allow these, or choose the codec delta")


def check_character_ram(bank: Bank, max_bytes: int | None, source: str) -> None:
    """Raises GraphProblem if a character of the bank's graph takes more than max_bytes."""
    parts = character_parts(bank)
    if max_bytes is None or (total := sum(parts.values())) <= max_bytes:
        return
    assert bank.graph is not None
    remedies = [f"allow {total}", "animate fewer joints"]
    if bank.graph.has_blends:
        remedies.append("let no state blend clips")
    if bank.graph.transition_count:
        remedies.append("use only the kind cut")
    raise GraphProblem(f"[{TABLE}] max_ram_bytes = {max_bytes}: a character of {source} takes {total} bytes, "
                       + ", ".join(f"{size} for {what}" for what, size in parts.items()) + "; "
                       + ", ".join(remedies[:-1]) + f" or {remedies[-1]}")


def _bytes_of(bank: Bank, subtracks: Iterable[int]) -> int:
    """Returns the memory of these sub-tracks in a player: two key rows, and a chord for a rotation."""
    kinds = [bank.subtracks[subtrack][0] for subtrack in subtracks]
    return sum(4 * (2 * 4 + 1 if kind == "rotation" else 2 * 3) for kind in kinds)


def _tracks(bank: Bank) -> Iterator[str]:
    """Yields the text for the memory of each kind of tracks, with joints unless the kind is rotation."""
    for kind in TRACK_KINDS:
        tracks = [subtrack for subtrack, (of, _) in enumerate(bank.subtracks) if of == kind]
        names = [bank.joints[bank.subtracks[subtrack][1]].name for subtrack in tracks]
        shown = f" ({', '.join(names[:_MOST_NAMED])}{', ...' * (len(names) > _MOST_NAMED)})"
        if tracks:
            yield (f"{len(tracks)} {kind} track{'s' * (len(tracks) > 1)}{shown * (kind != 'rotation')}: "
                   f"{_bytes_of(bank, tracks)} bytes")
    if bank.max_held:
        yield f"{bank.max_held} tracks that jump at one frame: {4 * HELD_WORDS * bank.max_held} bytes"


def _without(bank: Bank, rows: int) -> Iterator[str]:
    """Yields the text for the memory without each of the clips that cost most through tracks that no other clip
    moves."""
    used = [{track.subtrack for track in clip.tracks} | set(clip.constant_subtracks) for clip in bank.clips]
    users = Counter(subtrack for clip in used for subtrack in clip)
    freed = [(_bytes_of(bank, (subtrack for subtrack in clip if users[subtrack] == 1)), bank.clips[index].name)
             for index, clip in enumerate(used)]
    costly = sorted((one for one in freed if one[0]), key=lambda one: -one[0])[:_MOST_NAMED]
    for saved, name in costly if len(used) > 1 else ():
        yield f"without clip {name}: {rows - saved}"


def _what_helps(bank: Bank, stuck: Sequence[int], random_access: Sequence[bool], rows: int,
                max_bytes: int) -> str:
    """Returns the text for the clip that needs most memory among those without another codec, and the remedies."""
    worst = max(stuck, key=lambda index: bank.clips[index].state_words)
    clip, few = bank.clips[worst], len(stuck) == 1
    others = sorted((index for index in stuck if index != worst),
                    key=lambda index: -bank.clips[index].state_words)[:_MOST_NAMED]
    most = "" if few else (f", the most of {len(stuck)} such clips (then " + ", ".join(
        f"{bank.clips[index].name} {4 * bank.clips[index].state_words}" for index in others) + ")")
    remedies = f"allow {rows + 4 * clip.state_words}"
    if rows <= max_bytes:
        whose = "this clip" if few else "these clips"
        remedies += (f", or give up random access for {whose}"
                     if any(random_access[index] for index in stuck) else
                     f", or the codec delta for {whose}")
    return (f"clip {clip.name}: codec {clip.codec} takes {4 * clip.state_words} bytes in addition to the {rows} of the "
            f"player and its rows{most}; {remedies}")
