"""Error against bytes moved out: keys that leave by what their absence causes, against frame stripping,
which removes every n-th frame of every clip. Writes a table and a picture (scons bench-tiers).

Both start with the same clips of `acl-2.1-tiers`. Stripping keeps evenly spaced frames of every segment;
all other keys move out, and what that saves is counted without anything that says where they are. The
tiers are those of a bank that takes no more bytes without them."""
from __future__ import annotations

import argparse
import csv
import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[3]
SHARED = ROOT.parent / "shared"
sys.path[:0] = [str(ROOT / folder) for folder in ("codegen", "tests/bench")]

from bench_inputs import SMALLEST, files_of_corpora
from ossicle.encoding import native
from ossicle.encoding.edits import edited
from ossicle.encoding.clip_encoder import ClipEncoder
from ossicle.encoding.tiers.key_tiers import LIMITS_M, move_keys
from ossicle.encoding.problems import EncodeProblem, entry
from ossicle.encoding.sections import names_section
from ossicle.encoding.settings import Settings
from ossicle.encoding.tiers.sizes import TierTargets
from ossicle.importers.importer import read_clips
from picture import save, subplots

PRESET = "acl-2.1-tiers"
SEGMENT = 16
KEPT = (12, 10, 9, 8, 7, 6, 5, 4)  # frames of a segment; 9: every second one, and the last
MOST_M = float(LIMITS_M[-1])


@dataclass(frozen=True)
class Point:
    """Bytes of the base, and the largest error of each clip, in metres."""

    bytes: int
    errors_m: np.ndarray


def stripped(frames: int, kept: int) -> np.ndarray:
    """The frames that stripping keeps, bool [frames]."""
    stay = np.zeros(frames, bool)
    for first in range(0, frames, SEGMENT):
        count = min(SEGMENT, frames - first)
        here = max(min(count, 2), round(kept * count / SEGMENT))
        stay[first + (np.arange(0, count, 2) if kept == SEGMENT // 2 + 1 else
                      np.linspace(0, count - 1, here).round().astype(int))] = True
        stay[first + count - 1] = True
    return stay


class Corpus:
    """The clips of some files, which can be encoded with keys that have to stay."""

    def __init__(self, paths: list[Path]) -> None:
        settings = Settings().with_preset(PRESET, "--preset")
        self._imported = edited(read_clips(paths, settings.importing), settings).imported
        self._encoder = ClipEncoder(self._imported, settings, None, None, False, native.encode_clip)
        self._encoder.encode(range(len(self._imported.clips)))
        self._settings, self.source = settings, self._imported.clips[0].source

    def encoded(self, kept: int | None = None, tiers: int = 1) -> list[native.EncodedClip]:
        """The clips. kept: all keys move but those that stripping keeps; otherwise as for stated sizes."""
        encoder, clips = self._encoder, []
        for index in range(len(self._imported.clips)):
            source, options = encoder.sources[index].input, encoder.options[index]
            if kept is not None:
                stay = np.ones(len(source.frames), bool)
                rows = len(stay) - bool(source.loop)
                stay[:rows] = stripped(rows, kept)
                source = replace(source, kept=stay)
            scheme = replace(options.schemes[0], tiers=tiers, tier_m=() if kept is None else (MOST_M,) * tiers)
            wanted = native.EncodeSettings(options.tolerance_m, self._settings.shell_m, options.restart_log2,
                                           self._settings.effort, ("dense",), encoder.limits_m[index], scheme=scheme)
            clips.append(native.encode_clip(encoder.inner, source, wanted)[1])
        return clips

    def write(self, clips: list[native.EncodedClip]) -> bytes:
        sources = [self._encoder.sources[index].clip for index in range(len(clips))]
        names = names_section(self._encoder.skeleton.names, [clip.name for clip in sources])
        return native.write_bank(self._encoder.inner, clips, [entry(clip) for clip in sources], names)


def points(corpus: Corpus) -> Iterator[tuple[int, int, Point, Point]]:
    """(frames kept of a segment, bytes of all, stripped, with tiers) at equal bytes, as far as tiers go."""
    clips, whole = corpus.encoded(), len(corpus.write(corpus.encoded(tiers=0)))
    for kept in KEPT:
        strips = corpus.encoded(kept)
        moved = sum(clip.key_bits([MOST_M])[1] for clip in strips) // 8
        base = whole - moved
        try:
            move_keys(clips, TierTargets(sizes=(base,)), lambda: corpus.write(clips), corpus.source)
        except EncodeProblem as problem:
            print(f"{kept} of {SEGMENT} frames kept: {problem}")
            return
        yield kept, whole, Point(base, _errors(strips)), Point(base, _errors(clips))


def _errors(clips: list[native.EncodedClip]) -> np.ndarray:
    return np.array([clip.report.tier_error_m[0] for clip in clips])


def rows_of(name: str, corpus: Corpus) -> list[dict[str, object]]:
    """The rows of the table."""
    rows = []
    for kept, whole, strip, tiers in points(corpus):
        rows.append({"corpus": name, "kept": kept, "bytes": strip.bytes,
                     "moved_percent": round(100 * (1 - strip.bytes / whole), 2)}
                    | {f"{how}_{which}_mm": round(float(of(point.errors_m)) * 1e3, 3)
                       for how, point in (("strip", strip), ("tiers", tiers))
                       for which, of in (("largest", np.max), ("mean", np.mean))})
        print(*(f"{key} {value}" for key, value in rows[-1].items()))
    return rows


def draw(rows: list[dict[str, object]], path: Path) -> None:
    """The picture: errors against the part of the bytes that moved out."""
    names = list(dict.fromkeys(row["corpus"] for row in rows))
    figure, axes = subplots(1, len(names), figsize=(4.2 * len(names), 3.2), sharey=True, squeeze=False)
    for axis, name in zip(axes[0], names):
        some = [row for row in rows if row["corpus"] == name]
        for how, colour, label in (("strip", "#b04a3a", "frame stripping"), ("tiers", "#2f6f8f", "tiers")):
            for which, style in (("largest", "-"), ("mean", "--")):
                axis.plot([row["moved_percent"] for row in some], [row[f"{how}_{which}_mm"] for row in some], style,
                          color=colour, marker="o", markersize=3, label=f"{label}, {which}")
        axis.set(title=name, xlabel="% of the bytes moved out", yscale="log")
        axis.grid(True, alpha=0.3)
    axes[0][0].set_ylabel("error of clips, mm")
    axes[0][0].legend(frameon=False)
    save(figure, path)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--output", type=Path, default=Path("build/bench"),
                        help="the folder for tiers.csv and tiers.svg")
    parser.add_argument("--smallest", action="store_true", help=SMALLEST)
    arguments = parser.parse_args()
    rows = [row for corpus, paths in files_of_corpora(SHARED, arguments.smallest).items()
            for row in rows_of(corpus, Corpus(paths))]
    if not rows:
        return
    arguments.output.mkdir(parents=True, exist_ok=True)
    with (arguments.output / "tiers.csv").open("w", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    draw(rows, arguments.output / "tiers.svg")


if __name__ == "__main__":
    main()
