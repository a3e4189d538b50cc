"""The last check of a bank plays it and measures every clip once more: a bank that plays anything else than
what was measured is refused, and the clip named."""
from __future__ import annotations

from dataclasses import replace
from itertools import islice

import numpy as np
import pytest

from damage import damaged_banks, mended
from encoding import CLEARLY_M, axis_angle, rest
from ossicle.encoding import encoder as encode
from ossicle.encoding import native
from ossicle.encoding.bank_draft import BankDraft
from ossicle.encoding.clip_encoder import ClipEncoder
from ossicle.bank.file import parse_bank
from ossicle.model.joint_rules import JointRule
from ossicle.model.lengths import Tolerance
from ossicle.model.clip import Clip, Imported, Skeleton
from ossicle.encoding.settings import Settings
from shell_measure import shell_errors, with_midpoints
from mentions import mentioning

JOINTS, TOLERANCE_M = 3, 1e-3
DAMAGES = 250  # banks that are tried for each clip
NAMES = ("first", "second", "third")


def imported() -> Imported:
    """Three clips of the same length, each of them another motion."""
    bind = rest(1, JOINTS)[0]
    bind[1:, 5] = 0.4
    clips = []
    for number, name in enumerate(NAMES):
        frames = np.repeat(bind[None], 40, 0)
        for joint in range(JOINTS):
            axis = np.array([1.0, joint, number])
            frames[:, joint, :4] = axis_angle(axis, 0.5 * np.sin(np.arange(40) * 0.2 + joint + number))
        frames[:, 0, 4] = 0.3 * np.sin(np.arange(40) * 0.1 * (1 + number))
        clips.append(Clip(name=name, source="moves.bvh", rate=30.0, frames=frames,
                          steps=np.zeros((40, JOINTS, 3), bool)))
    skeleton = Skeleton(names=("hips", "chest", "head"), parents=np.array([-1, 0, 1], np.int32), bind=bind)
    return Imported(skeleton, clips, [])


def draft_of(source: Imported, settings: Settings) -> tuple[BankDraft, bytes]:
    """All clips, encoded, and their bank."""
    draft = BankDraft(source, settings, ClipEncoder(source, settings, 1, None, False, native.encode_clip))
    draft.encode()
    return draft, draft.write()


def own_error(source: Imported, words: np.ndarray, index: int) -> float:
    """The error of a clip by the tests' own measure."""
    clip = source.clips[index]
    played = native.decode_clip(words, index, JOINTS, True).astype(float)
    reference = with_midpoints(clip.frames, np.zeros((len(clip.frames), JOINTS, 3), bool))
    return float(shell_errors(source.skeleton.parents, reference, played).max())


LOOSE = Settings(codec="delta", joints=(JointRule("hips", Tolerance(metres=0.5)),))


@pytest.mark.parametrize("codec", ["delta", "curve", "transform", "velocity"])
def test_damage_that_shows_is_found_and_named(codec: str) -> None:
    source = imported()
    draft, bank = draft_of(source, Settings(codec=codec))
    reports = [draft.clip_encoder.encoded[index].report.error_m for index in range(len(NAMES))]
    draft.verify(bank)
    found = 0
    for index, name in enumerate(NAMES):
        for damaged in islice(damaged_banks(bank, index), JOINTS, JOINTS + DAMAGES):  # its own data
            words = native.bank_words(damaged)
            with np.errstate(invalid="ignore"):
                if native.check_bank(words)[0] != 0 or not (
                        abs(own_error(source, words, index) - reports[index]) > CLEARLY_M):
                    continue
            found += 1
            assert native.verify_clips(words, draft.finest_clips()) == index
            with pytest.raises(encode.EncodeProblem, match=mentioning(f"moves.bvh {name}")):
                draft.verify(damaged)
    assert found > DAMAGES


def test_damage_is_found_where_joints_may_be_far_off() -> None:
    """The joint with the largest error is not the one that is nearest to its tolerance: both count. Here the first one
    alone is moved, at a right angle to the way that it misses: what changes is how large the error is, not where."""
    source = imported()
    source = replace(source, skeleton=replace(source.skeleton, parents=np.array([-1, -1, 1], np.int32)))
    draft, bank = draft_of(source, LOOSE)
    words, clips = native.bank_words(bank), draft.finest_clips()
    assert native.verify_clips(words, clips) is None
    bind = next(section.offset for section in parse_bank(bank).sections if section.tag == "SKEL") + 4
    assert words[bind + 3] == 1 << 20 and words[bind + 5] == 0  # w of the hips' rotation, and their y
    words[bind + 5] = 1 << 16
    words = native.bank_words(mended(words))
    assert native.check_bank(words)[0] == 0
    assert own_error(source, words, 0) > clips[0].report.error_m + CLEARLY_M
    assert native.verify_clips(words, clips) == 0


def test_clips_in_another_order_are_found() -> None:
    """The clips have equal shapes, so that nothing but what they play tells them apart."""
    source = imported()
    draft, bank = draft_of(source, Settings(codec="delta"))
    words, clips = native.bank_words(bank), draft.finest_clips()
    assert native.verify_clips(words, clips) is None
    assert native.verify_clips(words, [clips[1], clips[0], clips[2]]) == 0
    assert native.verify_clips(words, [clips[0], clips[2], clips[1]]) == 1


def test_a_bank_that_does_not_open_is_found() -> None:
    draft, bank = draft_of(imported(), Settings(codec="delta"))
    words = native.bank_words(bank)
    words[-1] ^= 1
    with pytest.raises(encode.EncodeProblem, match=mentioning("first")):
        draft.verify(words.astype("<u4").tobytes())


def test_a_clip_of_another_length_is_found() -> None:
    """As long as the rest plays alike, only the length can tell."""
    source = imported()
    still = np.repeat(source.clips[2].frames[:1], 40, 0)
    source.clips[2] = replace(source.clips[2], frames=still)
    draft, bank = draft_of(source, Settings(codec="delta"))
    words = native.bank_words(bank)
    directory = next(at for at in range(len(words)) if words[at] == 0x50494C43)  # "CLIP"
    shape = (int(words[directory + 1]) & 0x7FFFFFFF) + 1 + 2 + 3 * 2 + 1
    assert words[shape] & 0xFFFFF == 39
    for change in (-1, 1):
        changed = words.copy()
        changed[shape] = int(words[shape]) + change
        changed = native.bank_words(mended(changed))
        assert native.check_bank(changed)[0] == 0
        assert native.verify_clips(changed, draft.finest_clips()) == 2


def test_a_damaged_bank_is_never_written(monkeypatch: pytest.MonkeyPatch) -> None:
    """If a bank is damaged after encoding, the user sees an error."""
    source, write_bank = imported(), native.write_sized_bank

    def write_damaged(*arguments: object) -> tuple[bytes, native.BankSize]:
        bank, size = write_bank(*arguments)
        return next(islice(damaged_banks(bank, 0), 1, None)), size

    monkeypatch.setattr(native, "write_sized_bank", write_damaged)
    with pytest.raises(encode.EncodeProblem, match=mentioning("clip")):
        encode.encode_clips(source, Settings(codec="delta"))
