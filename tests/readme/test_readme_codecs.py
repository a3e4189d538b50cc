"""RAM of a player beside the rows, by codec, as documented."""
from __future__ import annotations

import pytest
from figures import all_figures, figure
from ossicle.bank import curve as bank_curve
from ossicle.bank import transform as bank_transform
from ossicle.bank.file import parse_bank
from ossicle.bank.published import keys as bank_keys
from ossicle.bank.published import velocity as bank_velocity
from ossicle.base.codec import CODECS
from tools.demo import HERO
from ossicle.encoding.encoder import encode
from ossicle.model.lengths import Tolerance
from ossicle.encoding.settings import Settings

VECTOR, ROTATION = 3, 4  # components of a track, at least and at most
# Words a track by the headers of its codec, and words of the whole clip.
MOST_COEFFICIENTS = (1 << bank_transform.MOST_BITS) - 1
TRACK_WORDS = {
    "curve": [*(bank_curve.DENSE_WORDS + bank_curve.POINT_WORDS * n for n in (VECTOR, ROTATION)),
              *(bank_curve.SPARSE_WORDS + bank_curve.COMPONENT_WORDS * n for n in (VECTOR, ROTATION))],
    "transform": [bank_transform.TRACK_WORDS + (bank_transform.COMPONENT_WORDS + more) * n
                  for n in (VECTOR, ROTATION) for more in (0, MOST_COEFFICIENTS)],
    "velocity": [bank_velocity.TRACK_WORDS],
    "sparse": [bank_keys.SPARSE_EVERY_WORDS,
               *(bank_keys.SPARSE_TRACK_WORDS + kept * n
                 for kept in bank_keys.KEPT for n in (VECTOR, ROTATION))],
    "dense": [bank_keys.DENSE_TRACK_WORDS],
}
CLIP_WORDS = {"delta": 0, "curve": bank_curve.CLIP_WORDS, "transform": bank_transform.CLIP_WORDS,
              "velocity": bank_velocity.CLIP_WORDS, "sparse": bank_keys.SPARSE_CLIP_WORDS,
              "dense": bank_keys.DENSE_CLIP_WORDS}
PRESETS = {"sparse": "riot-2015", "dense": "acl-2017"}


def shown(codec: str) -> tuple[int, int]:
    """The least and the most words of a moving track, which are one figure where they are the same."""
    same = (f"codecs.{codec}_words",) * 2
    least, most = same if same[0] in all_figures() else (f"codecs.{codec}_least_words", f"codecs.{codec}_most_words")
    return figure(least), figure(most)


@pytest.mark.parametrize("codec", TRACK_WORDS)
def test_the_range_is_that_of_the_format(codec: str) -> None:
    assert shown(codec) == (min(TRACK_WORDS[codec]), max(TRACK_WORDS[codec]))


@pytest.mark.parametrize("codec", CODECS)
def test_clips_are_within_it(codec: str) -> None:
    settings = Settings(tolerance=Tolerance(1e-3), effort="fast", codec="auto" if codec in PRESETS else codec)
    if codec in PRESETS:
        settings = settings.with_preset(PRESETS[codec], "preset")
    for clip in parse_bank(encode([HERO], settings).bank).clips:
        words = clip.state_words - CLIP_WORDS[codec]
        least, most = shown(codec) if codec != "delta" else (0, 0)
        assert least * len(clip.tracks) <= words <= most * len(clip.tracks)
