"""Plays a clip from 16-bit keys and from baked matrices on a target (naive_q14.h)."""
from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from naive_keys import PLAY_HZ, RUN_SECONDS
from ossicle.base.arrays import Array
from ossicle.base.places import TARGETS
from ossicle.machines import TargetError, compile_object, load_target
from ossicle.machines.firmware import link
from ossicle.machines.runner import command_for
from ossicle.machines.tools import run_tool
from ossicle.model.clip import Clip, Skeleton
from ossicle.model.editing.aligning import model_rotations
from ossicle.model.mesh.skinning import rotation_rows, skinning_of
from ossicle.model.rotations import from_matrix, multiply, rotate

HERE = Path(__file__).resolve().parent
KEY_BYTES, MATRIX_BYTES = 14, 32
LAYOUTS = {"local": KEY_BYTES, "model": KEY_BYTES, "absolute": KEY_BYTES, "baked": MATRIX_BYTES}
TURN, LENGTH = 1 << 14, 1 << 12
_BACK = np.array([-1.0, -1.0, -1.0, 1.0])


@dataclass(frozen=True)
class Played:
    """average, worst: the cost of a frame of play at 60 Hz, None where nothing is counted. matrices: [J, 3, 4] of the
    last frame, those of the model in the layout `model`, and otherwise for skinning."""

    average: int | None
    worst: int | None
    matrices: Array


def bytes_of(clips: Iterable[Clip], layout: str) -> int:
    """The bytes of all frames of clips."""
    return sum(LAYOUTS[layout] * clip.frames.shape[0] * clip.frames.shape[1] for clip in clips)


def moved_from_bind(clip: Clip, skeleton: Skeleton) -> tuple[Array, Array]:
    """The rotations [F, J, 4] and translations [F, J, 3] that move points from the bind pose; neighbours are in one
    hemisphere."""
    inverse = skinning_of(skeleton)[:, :3]
    bind = np.array([from_matrix(matrix[:, :3]) for matrix in inverse])
    rotations, translations = np.empty((*clip.frames.shape[:2], 4)), np.empty((*clip.frames.shape[:2], 3))
    for frame, transforms in enumerate(np.asarray(clip.frames)):
        model = model_rotations(skeleton.parents, transforms)
        places = np.empty((len(model), 3))
        for joint, parent in enumerate(skeleton.parents):
            places[joint] = transforms[joint, 4:7]
            if parent >= 0:
                places[joint] = places[parent] + rotate(model[parent], places[joint])
        rotations[frame] = multiply(model, bind)
        translations[frame] = places + rotate(model, inverse[:, :, 3])
    return in_one_hemisphere(rotations), translations


def in_one_hemisphere(rotations: Array) -> Array:
    """Rotations [F, J, 4] with signs such that neighbouring frames are near each other."""
    signs = np.where((rotations[1:] * rotations[:-1]).sum(axis=-1) < 0.0, -1.0, 1.0)
    return rotations * np.concatenate([np.ones((1, rotations.shape[1])), np.cumprod(signs, axis=0)])[..., None]


def write_keys(clip: Clip, skeleton: Skeleton, folder: Path) -> None:
    """Writes naive_q14_keys.h and naive_q14_keys.c. The scales of a clip have to be one."""
    frames, joints = clip.frames.shape[:2]
    (folder / "naive_q14_keys.h").write_text(
        '#include "naive_q14.h"\n'
        f"#define NAIVE_JOINT_COUNT {joints}u\n#define NAIVE_FRAME_COUNT {frames}u\n"
        f"#define NAIVE_STEP_Q12 {round(clip.rate / PLAY_HZ * 4096)}u\nextern const naive_q14_clip naive_keys;\n",
        encoding="utf-8")
    rotations, translations = moved_from_bind(clip, skeleton)
    local = np.concatenate([in_one_hemisphere(clip.frames[:, :, :4]) * TURN, clip.frames[:, :, 4:7] * LENGTH], axis=2)
    absolute = np.concatenate([rotations * TURN, translations * LENGTH], axis=2)
    turns = np.array([[rotation_rows(q).ravel() for q in pose] for pose in rotations]) * TURN
    baked = [f"{{{{{_words(turn)}}}, 0, {{{_words(move)}}}}}" for turn, move in zip(
        turns.reshape(-1, 9), translations.reshape(-1, 3) * LENGTH)]
    binds = skeleton.inverse_bind
    inverse = "" if binds is None else "static const int32_t binds[] = " \
        f"{{{_words(binds[:, :3] * [TURN, TURN, TURN, LENGTH])}}};\n"
    (folder / "naive_q14_keys.c").write_text(
        '#include "naive_q14_keys.h"\n'
        f"static const int16_t local[] = {{{_words(local)}}};\n"
        f"static const int16_t absolute[] = {{{_words(absolute)}}};\n"
        f"static const naive_q14_matrix baked[] = {{{', '.join(baked)}}};\n{inverse}"
        f"static const int16_t parents[] = {{{', '.join(map(str, skeleton.parents))}}};\n"
        "const naive_q14_clip naive_keys = {(const naive_q14_key *)local, (const naive_q14_key *)absolute, baked, "
        f"{'(const naive_q14_model *)binds' if inverse else '0'}, parents, NAIVE_FRAME_COUNT, NAIVE_JOINT_COUNT}};\n",
        encoding="utf-8")


def play(target: str, clip: Clip, skeleton: Skeleton, folder: Path) -> dict[str, Played]:
    """Plays a clip on a target in every layout, without `local` if the skeleton has no inverse bind matrices. `folder`
    gets the program. TargetError."""
    machine = load_target(target)
    machine = replace(machine, flags=(*machine.flags, "-O3"))
    folder.mkdir(parents=True, exist_ok=True)
    write_keys(clip, skeleton, folder)
    sources = [HERE / "naive_q14_play.c", HERE / "naive_q14.c", folder / "naive_q14_keys.c", TARGETS / "print.c",
               *machine.sources]
    objects = [compile_object(machine, source, folder, [folder, HERE]) for source in sources]
    link(machine, objects, folder / "naive.elf")
    ran = run_tool(command_for(machine, folder / "naive.elf"), timeout_s=RUN_SECONDS)
    result = {}
    for layout in LAYOUTS:
        rows = re.findall(rf"^{layout}((?: [0-9a-f]{{8}}){{12}})$", ran.stdout, re.MULTILINE)
        if not rows and layout == "local" and skeleton.inverse_bind is None:
            continue
        if ran.returncode != 0 or len(rows) != len(skeleton.names):
            raise TargetError(f"target {target}: {layout} keys ended with {ran.returncode}: {ran.stdout[-200:]}")
        words = np.array([[int(word, 16) for word in row.split()] for row in rows], np.uint32).view(np.int32)
        cost = re.search(rf"^cost {layout} (\d+) (\d+)$", ran.stdout, re.MULTILINE)
        result[layout] = Played(*(map(int, cost.groups()) if cost else (None, None)),
                                words.reshape(-1, 3, 4) / [TURN, TURN, TURN, LENGTH])
    return result


def _words(values: Array) -> str:
    return ", ".join(map(str, np.rint(values).astype(int).ravel()))
