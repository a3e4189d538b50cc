"""Draws a rotation of the demo character as each codec gives it: codegen/codecs.svg."""
from __future__ import annotations

import argparse
import sys
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[3]
PICTURE = ROOT / "codegen/codecs.svg"
sys.path[:0] = [str(ROOT / folder) for folder in ("codegen", "tests/bench")]

import ossicle
from picture import save, subplots

HERO = ROOT / "codegen/demo/hero.glb"
CODECS, CLIP, JOINT, AXIS, TOLERANCE = ("delta", "curve", "transform"), "Run", "left_lower_leg", 0, "8mm"


def degrees(imported: ossicle.Imported) -> np.ndarray:
    """Returns the rotation of the joint about one of its axes at each frame of the clip."""
    rotations = imported.clips[0].frames[:, imported.skeleton.names.index(JOINT), :4]
    return np.degrees(2 * np.arctan2(rotations[:, AXIS], rotations[:, 3]))


def draw(path: Path) -> None:
    """Draws the source, the frames as the runtime decodes them, and the differences."""
    source = degrees(ossicle.read(HERO, clips=[CLIP]))
    figure, axes = subplots(2, len(CODECS), figsize=(9, 3.2), sharex=True, sharey="row", height_ratios=(2, 1))
    for (above, below), codec in zip(axes.T, CODECS, strict=True):
        encoded = ossicle.encode(HERO, clips=[CLIP], codec=codec, tolerance=TOLERANCE, jobs=1, cache="off")
        decoded = degrees(encoded.bank.decode(CLIP))
        above.plot(source, color="#999999", label="source")
        above.plot(decoded, "o", color="#2f6f8f", markersize=3, label="decoded")
        above.set_title(f"{codec}: {encoded.report['clips'][0]['bytes']:,} bytes")
        below.vlines(range(len(source)), 0, decoded - source, color="#b04a3a", linewidth=4)
        below.set_xlabel("frame")
    axes[0][0].set_ylabel("degrees")
    axes[1][0].set_ylabel("difference")
    axes[0][0].legend(frameon=False)
    save(figure, path)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--output", type=Path, default=PICTURE, help="the picture to write")
    draw(parser.parse_args().output)
