#!/usr/bin/env python3
"""Writes a rotor as a .bvh: it starts, runs, and slows down about an axis that never moves."""
from __future__ import annotations

import argparse
import math
import sys
from pathlib import Path

FRAMES = 480
RATE_HZ = 30
BLADE_CM = 50.0
RUNNING_DEGREES = 15.0  # per frame
START_FRAMES, STOP_FRAMES = 150, 120
BLADES = ("front", "left", "back", "right")


def speed_at(frame: int) -> float:
    """Returns the degrees from this frame to the next; the speed rises and falls smoothly, with gusts in between."""
    start = min(frame / START_FRAMES, 1.0)
    stop = min((FRAMES - 1 - frame) / STOP_FRAMES, 1.0)
    ramp = 0.5 - 0.5 * math.cos(math.pi * min(start, stop))
    gust = 1.0 + 0.04 * math.sin(0.37 * frame) + 0.03 * math.sin(0.11 * frame + 1.0)
    return RUNNING_DEGREES * ramp * gust


def author() -> str:
    """Returns the text of the .bvh, which is the same on every machine."""
    lines = ["HIERARCHY", "ROOT mast", "{", "  OFFSET 0 0 0",
             "  CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation",
             "  JOINT rotor", "  {", "    OFFSET 0 100 0", "    CHANNELS 1 Yrotation"]
    for number, name in enumerate(BLADES):
        x, z = ((0.0, BLADE_CM), (BLADE_CM, 0.0), (0.0, -BLADE_CM), (-BLADE_CM, 0.0))[number]
        lines += [f"    JOINT {name}", "    {", f"      OFFSET {x:g} 0 {z:g}",
                  "      CHANNELS 1 Yrotation", "      End Site", "      {",
                  "        OFFSET 0 0 1", "      }", "    }"]
    lines += ["  }", "}", "MOTION", f"Frames: {FRAMES}", f"Frame Time: {1 / RATE_HZ:.6f}"]
    angle = 0.0
    for frame in range(FRAMES):
        still = " ".join(["0"] * len(BLADES))
        lines.append(f"0 0 0 8 -12 0 {angle % 360.0:.4f} {still}")
        angle += speed_at(frame)
    return "\n".join(lines) + "\n"


def main() -> int:
    """Writes the file named on the command line and returns the exit status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-o", "--output", type=Path, default=Path("rotor.bvh"), metavar="FILE",
                        help="the .bvh to write (default: rotor.bvh)")
    output = parser.parse_args().output
    try:
        output.write_text(author(), encoding="ascii")
    except OSError as error:
        print(f"author_rotor: {output}: {error.strerror}; choose another file with -o",
              file=sys.stderr)
        return 1
    print(f"{output}: {FRAMES} frames")
    return 0


if __name__ == "__main__":
    sys.exit(main())
