"""The .rawclip exchange format: exact bytes, round trip, damaged files."""
from __future__ import annotations

import struct
from pathlib import Path

import numpy as np
import pytest
from ossicle.importers import rawclip
from ossicle.model.clip import ImportProblem, Skeleton
from mentions import mentioning

RNG = np.random.default_rng(3)
SKELETON = Skeleton(
    ("Hips", "Füße", "Head"), np.array([-1, 0, 0], np.int32), RNG.normal(size=(3, 10)).astype("<f4").astype(float), )
FRAMES = RNG.normal(size=(4, 3, 10)).astype("<f4").astype(float)


def written(folder: Path) -> Path:
    path = folder / "walk.rawclip"
    rawclip.write(path, SKELETON, FRAMES, 29.97)
    return path


def test_layout(tmp_path: Path) -> None:
    """Every byte of a one-joint clip."""
    path = tmp_path / "one.rawclip"
    skeleton = Skeleton(("A",), np.array([-1], np.int32), np.arange(10.0)[None])
    rawclip.write(path, skeleton, np.arange(10.0, 30.0).reshape(2, 1, 10), 30.0)
    assert path.read_bytes() == (
        b"RCLP\x01\0\0\0\x01\0\0\0\x02\0\0\0\0\0\xf0\x41\0\0\0\0"
        + b"\xff\xff\0\0"
        + struct.pack("<30f", *range(30))
        + b"\x01\0\0\0A"
    )


def test_round_trip(tmp_path: Path) -> None:
    skeleton, clip = rawclip.read(written(tmp_path))
    assert skeleton.names == SKELETON.names
    assert skeleton.inverse_bind is None
    np.testing.assert_array_equal(skeleton.parents, SKELETON.parents)
    np.testing.assert_array_equal(skeleton.bind, SKELETON.bind)
    np.testing.assert_array_equal(clip.frames, FRAMES)
    assert (clip.name, clip.source) == ("walk", "walk.rawclip")
    assert clip.rate == pytest.approx(29.97, rel=1e-7)
    assert clip.steps.shape == (4, 3, 3) and not clip.steps.any()


def test_every_truncation_is_a_problem(tmp_path: Path) -> None:
    path = written(tmp_path)
    data = path.read_bytes()
    for size in range(len(data)):
        path.write_bytes(data[:size])
        with pytest.raises(ImportProblem, match="^walk.rawclip: .*; "):
            rawclip.read(path)


@pytest.mark.parametrize(
    ("offset", "patch", "message"),
    [
        (0, b"RCLQ", ".rawclip"),
        (4, b"\x02", "2 1"),
        (8, b"\xff\xff\xff\xff", "4294967295"),
        (8, b"\0\0\0\0", "walk.rawclip"),
        (16, b"\0\0\xc0\x7f", "walk.rawclip"),
        (16, b"\0\0\0\0", "walk.rawclip"),
        (26, b"\x01\0", "walk.rawclip"),
        (40, b"\0\0\x80\x7f", "walk.rawclip"),
        (-4, b"ips\n", "4 3"),
        (-4, b"\xff", "UTF-8"),
        (-5, b"\nHips", "walk.rawclip"),
    ],
)
def test_damage(tmp_path: Path, offset: int, patch: bytes, message: str) -> None:
    path = written(tmp_path)
    data = bytearray(path.read_bytes())
    start = offset % len(data)
    data[start: start + len(patch)] = patch
    path.write_bytes(data)
    with pytest.raises(ImportProblem, match=mentioning(f"walk.rawclip {message}")):
        rawclip.read(path)


def test_missing_file(tmp_path: Path) -> None:
    with pytest.raises(ImportProblem, match=mentioning("no.rawclip No such file")):
        rawclip.read(tmp_path / "no.rawclip")


@pytest.mark.parametrize("frames", [np.zeros((2, 10)), np.zeros((2, 2, 10)), np.zeros((2, 3, 9))])
def test_wrong_shapes_are_not_written(tmp_path: Path, frames: np.ndarray) -> None:
    with pytest.raises(ValueError):
        rawclip.write(tmp_path / "x.rawclip", SKELETON, frames, 30)


def test_line_feed_in_a_name_is_not_written(tmp_path: Path) -> None:
    skeleton = Skeleton(("A\nB",), np.array([-1], np.int32), np.zeros((1, 10)))
    with pytest.raises(ValueError, match=".rawclip"):
        rawclip.write(tmp_path / "x.rawclip", skeleton, np.zeros((1, 1, 10)), 30)
