"""Plays keyframes in 20.12 fixed point on a target: the yardstick for those that count cycles."""
from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from ossicle.base.places import TARGETS
from ossicle.model.clip import Clip, Skeleton
from ossicle.machines import TargetError, compile_object, load_target
from ossicle.machines.firmware import link
from ossicle.machines.runner import command_for
from ossicle.machines.tools import run_tool

HERE = Path(__file__).resolve().parent
ONE = 4096
KEY_BYTES = 28  # rotation and translation in words
PLAY_HZ = 60.0
RUN_SECONDS = 120.0
_COST = re.compile(r"(?:cycles|instructions) naive_(average|worst) (\d+)")


@dataclass(frozen=True)
class NaivePlay:
    """Costs of a clip on a target. average, worst: of a frame of play at 60 Hz, None where nothing is counted.
    matrices: [J, 3, 4], those of the last frame that was played, as the target computed them."""

    average: int | None
    worst: int | None
    matrices: np.ndarray


def key_bytes(clips: Iterable[Clip]) -> int:
    """The keys of clips, one for each joint and frame."""
    return sum(KEY_BYTES * clip.frames.shape[0] * clip.frames.shape[1] for clip in clips)


def write_keys(clip: Clip, skeleton: Skeleton, folder: Path) -> None:
    """Writes naive_keys.h and naive_keys.c."""
    frames, joints = clip.frames.shape[:2]
    step = round(clip.rate / PLAY_HZ * ONE)
    (folder / "naive_keys.h").write_text(
        '#include "naive_q12.h"\n'
        f"#define NAIVE_JOINT_COUNT {joints}u\n#define NAIVE_FRAME_COUNT {frames}u\n#define NAIVE_STEP_Q12 {step}u\n"
        "extern const naive_q12_clip naive_keys;\n", encoding="utf-8")
    keys = _words(clip.frames[:, :, :7].reshape(-1, 7))
    binds = skeleton.inverse_bind
    inverse = "" if binds is None else (f"static const int32_t binds[] = {{{_words(binds[:, :3, :])}}};\n")
    (folder / "naive_keys.c").write_text(
        '#include "naive_keys.h"\n'
        f"static const int32_t keys[] = {{{keys}}};\n{inverse}"
        f"static const int16_t parents[] = {{{', '.join(map(str, skeleton.parents))}}};\n"
        "const naive_q12_clip naive_keys = {(const naive_q12_key *)keys, "
        f"{'(const naive_q12_matrix *)binds' if inverse else '0'}, parents, NAIVE_FRAME_COUNT, NAIVE_JOINT_COUNT}};\n",
        encoding="utf-8")


def play(target: str, clip: Clip, skeleton: Skeleton, folder: Path) -> NaivePlay:
    """Plays a clip on a target; `folder` gets the program. TargetError."""
    machine = load_target(target)
    machine = replace(machine, flags=(*machine.flags, "-O3"))  # unrolls products of matrices: half the time
    folder.mkdir(parents=True, exist_ok=True)
    write_keys(clip, skeleton, folder)
    sources = [HERE / "naive_play.c", HERE / "naive_q12.c", folder / "naive_keys.c", TARGETS / "print.c",
               *machine.sources]
    objects = [compile_object(machine, source, folder, [folder, HERE]) for source in sources]
    link(machine, objects, folder / "naive.elf")
    ran = run_tool(command_for(machine, folder / "naive.elf"), timeout_s=RUN_SECONDS)
    rows = re.findall(r"^matrix((?: [0-9a-f]{8}){12})$", ran.stdout, re.MULTILINE)
    if ran.returncode != 0 or len(rows) != len(skeleton.names):
        raise TargetError(f"target {target}: naive keyframes ended with {ran.returncode}: {ran.stdout[-200:]}")
    words = np.array([[int(word, 16) for word in row.split()] for row in rows], np.uint32).view(np.int32)
    costs = {name: int(cost) for name, cost in _COST.findall(ran.stdout)}
    return NaivePlay(costs.get("average"), costs.get("worst"), words.reshape(-1, 3, 4) / ONE)


def _words(values: np.ndarray) -> str:
    return ", ".join(map(str, np.rint(values * ONE).astype(int).ravel()))
