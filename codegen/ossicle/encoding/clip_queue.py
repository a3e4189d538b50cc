"""Encodes single clips of a bank before the bank itself, in any order and in any process."""
from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress

from ..base.codec import CODEC_NAMES
from ..base.problem import SettingProblem
from ..model.clip import ImportProblem
from . import native
from .clip_encoder import ClipEncoder, Encode
from .cache.entry import Result
from .choice.codec_sets import LONG_FRAMES
from .choice.codec_chooser import CLIPS_AT_A_TIME
from .edits import Edited
from .problems import EncodeProblem
from .settings import Settings


class _Call:
    """Calls the current encoder of clips. Not a method of ClipQueue, because that would be a reference cycle, which
    Python collects late, with all samples of the character."""

    def __init__(self) -> None:
        self.encode: Encode = native.encode_clip

    def __call__(self, skeleton: native.Skeleton, clip: native.ClipInput, settings: native.EncodeSettings) -> Result:
        return self.encode(skeleton, clip, settings)


class ClipQueue:
    """The clips of a bank, to be encoded as encode_clips will. encode_clips makes the final choice, also of versions
    for tiers, and encodes what it needs beyond this.

    work: for each clip, the frames that encode_clips counts for it."""

    def __init__(self, character: Edited, settings: Settings) -> None:
        imported = character.imported
        self._call = _Call()
        self._goal = settings.optimise if settings.costs is not None else ""
        self._encoder = ClipEncoder(imported, settings, 1, None, False, self._call)
        self._free = [index for index, options in enumerate(self._encoder.options)
                      if self._goal and len(self._encoder.allowed[index]) > 1 and not options.schemes]
        self.names = [clip.name for clip in imported.clips]
        self.work = [len(clip.frames) * self._encoder.tries(index) for index, clip in enumerate(imported.clips)]
        self.joints = len(imported.skeleton.names)

    def encode(self, indices: Iterable[int], encode: Encode) -> None:
        """Calls encode for each of these clips with everything that encode_clips will request first. Problems of a
        clip are left for encode_clips to report."""
        self._call.encode = encode
        for index in indices:
            if self._encoder.read[index].mirror_of is not None:  # it shares the data of another clip
                continue
            with suppress(EncodeProblem, ImportProblem, SettingProblem):
                outcome = self._encoder.attempt(index)
                if outcome.encoded is not None and index in self._surely_tried() \
                        and len(outcome.source.clip.frames) <= LONG_FRAMES:
                    for codec in self._encoder.allowed[index]:
                        if codec != CODEC_NAMES[outcome.report.codec]:
                            self._encoder.attempt(index, (codec,))

    def _surely_tried(self) -> Sequence[int]:
        """Returns the clips that are tried with every codec. Their results decide whether the others are."""
        return self._free[:CLIPS_AT_A_TIME] if self._goal == "flash" else self._free
