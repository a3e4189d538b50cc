"""Measures the cost of scale in a rig: encodes clips as they are, and the same motion in other units.

    python3 tests/bench/sizes/bench_scaled_rigs.py FILE..  [--tolerance 1mm] [--effort fast] [--rig "root 0.01"]

For each file and rig: the bytes of the bank of all clips, the largest error by an independent judge (model_space.py),
the largest error that the report states, and the largest gap of a loop, by `ossicle clips`; then the greatest
differences from the file as it is. Files as they are come first."""
from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
sys.path[:0] = [str(ROOT / "tests/support"), str(ROOT / "tests/support/files")]

import model_space  # noqa: E402
import rawclip_reader  # noqa: E402
from gltf_reader import Gltf  # noqa: E402
from rescaled import bvh_as_gltf, rescale  # noqa: E402


@dataclass(frozen=True)
class Found:
    bytes: int
    judged_mm: dict[str, float]
    stated_mm: dict[str, float]
    gaps_mm: dict[str, float]


RUNS = """import json, sys
from ossicle.cli.main import main
for arguments in json.load(sys.stdin):
    if status := main(arguments):
        sys.exit(status)
"""


def ossicle(*commands: list[str]) -> str:
    """Runs commands one after the other in one new process."""
    environment = os.environ | {"PYTHONPATH": str(ROOT / "codegen"), "OSSICLE_CACHE": "off"}
    return subprocess.run([sys.executable, "-c", RUNS], check=True, stdout=subprocess.PIPE, text=True,
                          input=json.dumps(commands), env=environment).stdout


def measured(source: Path, folder: Path, options: list[str]) -> Found:
    bank, report = folder / "x.ossb", folder / "x.json"
    ossicle(["encode", str(source), "-o", str(bank), "--json", str(report), "--quiet", *options])
    stated = {clip["name"]: clip["error_mm"] for clip in json.loads(report.read_text())["clips"]}
    decoded = {name: folder / f"{number}.rawclip" for number, name in enumerate(stated)}
    ossicle(*(["decode", str(bank), "--clip", name, "--midpoints", "-o", str(path)] for name, path in decoded.items()))
    judged = {name: 1e3 * float(model_space.errors_m(source, name, rawclip_reader.read(path)).max())
              for name, path in decoded.items()}
    gaps = {clip["name"]: clip["gap_mm"] for clip in json.loads(ossicle(["clips", str(source), "--json"]))["clips"]}
    return Found(bank.stat().st_size, judged, stated, gaps)


def rigs(source: Path) -> dict[str, dict[str, dict[str, float]]]:
    """Returns the joints at which each rig scales: its root, the middle (the joint with most joints below it that is no
    root and has a sibling or not, on the longest chain), and plain nodes above these."""
    gltf = Gltf(source)
    joints = gltf.document["skins"][0]["joints"]

    def chain(node: int) -> list[int]:
        below = [chain(child) for child in gltf.nodes[node].get("children", []) if child in joints]
        return [node, *max(below, key=len, default=[])]

    root = next(joint for joint in joints if gltf.parents.get(joint) not in joints)
    longest = chain(root)
    top, middle = (gltf.nodes[node].get("name", f"node{node}") for node in (root, longest[len(longest) // 2]))
    return {"as it is": {}, "root 0.01": {"at": {top: 0.01}}, "root 100": {"at": {top: 100.0}},
            "middle 0.01": {"at": {middle: 0.01}}, "middle 100": {"at": {middle: 100.0}},
            "mixed 0.01, 100": {"at": {top: 0.01, middle: 100.0}},
            "mixed 100, 0.01": {"at": {top: 100.0, middle: 0.01}},
            "above 0.01": {"above": {top: 0.01}}, "above 100": {"above": {top: 100.0}},
            "between 0.01": {"above": {middle: 0.01}}}


def apart(first: dict[str, float], other: dict[str, float]) -> float:
    return max(abs(first[name] - other[name]) for name in first)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--tolerance", default="1mm")
    parser.add_argument("--effort", default="fast")
    parser.add_argument("--rig", action="append", help="only these, and the file as it is; by default all")
    asked = parser.parse_args()
    options = ["--tolerance", asked.tolerance, "--effort", asked.effort]
    print(f"{'file':24} {'rig':16} {'bytes':>8} {'%':>6} {'judged mm':>10} {'stated mm':>10} {'gap mm':>10}"
          f" {'judged -':>9} {'stated -':>9} {'gap -':>9}")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for path in asked.files:
            source = bvh_as_gltf(path, folder / f"{path.stem}.gltf") if path.suffix == ".bvh" else path
            plain = None
            chosen = {rig: units for rig, units in rigs(source).items()
                      if not asked.rig or not units or rig in asked.rig}
            for rig, units in chosen.items():
                scaled = rescale(source, folder / "scaled.gltf", **units) if units else source
                found = measured(scaled, folder, options)
                plain = plain or found
                print(f"{path.stem[-24:]:24} {rig:16} {found.bytes:8} {100 * (found.bytes / plain.bytes - 1):6.2f} "
                      f"{max(found.judged_mm.values()):10.4f} {max(found.stated_mm.values()):10.4f} "
                      f"{max(found.gaps_mm.values()):10.3f} {apart(found.judged_mm, plain.judged_mm):9.5f} "
                      f"{apart(found.stated_mm, plain.stated_mm):9.5f} {apart(found.gaps_mm, plain.gaps_mm):9.5f}",
                      flush=True)


if __name__ == "__main__":
    main()
