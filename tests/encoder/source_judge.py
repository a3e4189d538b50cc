"""The distance of a bank from its source file, at the file's own keys: the file is read by a reader
that was written from glTF's specification, the bank by the runtime."""
from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

import numpy as np
from gltf_reader import Gltf
from pose_driver import Driver, Query
from shell_measure import axis_lengths, compose, local_matrices

from ossicle.encoding.encoder import BankResult

ONE_Q20, ONE_Q11 = 1 << 20, 1 << 11
SHELL_M = 0.03
ROUNDING_MM = 2e-4  # of single precision in files and judges, and of Q20


def played(driver: Driver, bank: bytes, clip: int, times: np.ndarray, rate: float, frames: int) -> np.ndarray:
    """Local transforms [T, J, 10] where the runtime plays these times."""
    end = (frames - 1) * ONE_Q11
    queries = [Query(clip, 0, min(round(time * rate * ONE_Q11), end)) for time in times]
    status, _, answers = driver.ask(bank, queries)
    assert status == 0
    joints = len(answers[0].model) // 12
    words = np.array([answer.pose for answer in answers]) / ONE_Q20
    local = np.ones((len(times), joints, 10))
    at = 0
    for part in (slice(0, 4), slice(4, 7), slice(7, 10)):
        width = part.stop - part.start
        if at < words.shape[1]:
            local[..., part] = words[:, at:at + width * joints].reshape(-1, joints, width)
        at += width * joints
    return local


def worst_mm(driver: Driver, path: Path, result: BankResult, clip: int = 0, frames: bool = False,
             joints: Collection[str] | None = None, times: np.ndarray | None = None) -> tuple[float, float]:
    """The largest error at the keys of the file, and at their midpoints. frames: also at midpoints of frames;
    joints: the names of those that count; times: seconds to look at instead of the keys and what is between them."""
    gltf, found = Gltf(path), result.clips[clip]
    animation = gltf.animations[clip]
    of_tracks = [times for *_, times, _ in gltf.samplers(animation)]
    if not of_tracks:  # it moves weights alone
        return 0.0, 0.0
    keys = np.unique(np.concatenate(of_tracks))
    of_channels = [(times[1:] + times[:-1]) / 2 for times in of_tracks]
    halves = np.unique(np.concatenate([(keys[1:] + keys[:-1]) / 2, *of_channels]))
    if frames:
        middles = (np.arange(found.frames - 1) + 0.5) / found.rate
        halves = np.union1d(halves, np.minimum(middles, keys[-1]))
    names = [gltf.nodes[node].get("name", f"node{node}") for node in range(len(gltf.nodes))]
    parents, bind = result.skeleton.parents, gltf.models(None, np.zeros(1))
    lengths = axis_lengths(parents, result.skeleton.bind)
    errors = []
    for seconds in (keys, halves) if times is None else (times, keys[:0]):
        if len(seconds) == 0:
            errors.append(0.0)
            continue
        wanted = gltf.models(animation, seconds)
        local = local_matrices(played(driver, result.bank, clip, seconds, found.rate, found.frames))
        worst = 0.0
        for joint, name in enumerate(result.skeleton.names):
            if parents[joint] >= 0:
                local[:, joint] = compose(local[:, parents[joint]], local[:, joint])
            if joints is not None and name not in joints:
                continue
            node = names.index(name)
            source, model = wanted[node][:, :3], local[:, joint]
            along = SHELL_M / np.linalg.norm(bind[node][0, :3, :3], axis=0), SHELL_M / lengths[joint]
            points = (source[..., :3] * along[0] + source[..., 3:]) - (model[..., :3] * along[1] + model[..., 3:])
            worst = max(worst, float(np.linalg.norm(points, axis=-2).max(initial=0.0)))
        errors.append(worst * 1e3)
    return errors[0], errors[1]
