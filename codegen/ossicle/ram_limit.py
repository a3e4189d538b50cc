"""Keeping a bank's player within the memory that is allowed."""
from __future__ import annotations

from .bank_file import Bank
from .problem import SettingProblem


def cheaper_codecs(bank: Bank, allowed: list[tuple[str, ...]], max_bytes: int
                   ) -> dict[int, tuple[str, ...]]:
    """The clips to encode again so that a player of the bank takes at most max_bytes, each with
    the codecs to choose from; empty when it does already.

    allowed: the codecs that each clip could choose from until now. A clip whose state is too large
    gives up the codec that it has; delta has no state. SettingProblem names the numbers when the
    rows alone are too large, or a clip has no other codec.
    """
    needed = 4 * bank.player_words
    if needed <= max_bytes:
        return {}
    rows = needed - 4 * bank.state_words
    if rows > max_bytes:
        # which tracks move, and so the rows, depends on the codecs a little
        last = {index: ("delta",) for index, clip in enumerate(bank.clips)
                if clip.codec != "delta" and "delta" in allowed[index]}
        if not last:
            raise SettingProblem(
                f"max_ram_bytes {max_bytes}: a player of this bank takes {rows} bytes even if all "
                f"clips have the codec delta; allow {rows}, or animate fewer tracks")
        return last
    again = {}
    for index, clip in enumerate(bank.clips):
        if rows + 4 * clip.state_words <= max_bytes:
            continue
        left = tuple(codec for codec in allowed[index] if codec != clip.codec)
        if not left:
            raise SettingProblem(
                f"max_ram_bytes {max_bytes}: clip {clip.name}: codec {clip.codec} takes "
                f"{4 * clip.state_words} bytes beside the {rows} of the rows; allow "
                f"{rows + 4 * clip.state_words}, or the codec delta for this clip")
        again[index] = left
    return again
