#!/usr/bin/env python3
"""Writes the demo character: an 18-joint biped with its clips, as a glTF 2.0 binary file."""
from __future__ import annotations

import argparse
import sys
from pathlib import Path

from hero import gltf_writer, mesh, motions_actions, motions_cycles

DEFAULT_OUTPUT = Path(__file__).resolve().parent / "hero.glb"
CLIPS = (motions_cycles.idle, motions_cycles.walk, motions_cycles.run, motions_actions.jump,
         motions_actions.wave, motions_actions.spin, motions_cycles.signal)


def author() -> bytes:
    """Returns the bytes of the demo character's .glb, which are the same on every machine."""
    return gltf_writer.to_glb(mesh.build(), [clip() for clip in CLIPS])


def main() -> int:
    """Writes the file named on the command line and returns the exit status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-o", "--output", type=Path, default=DEFAULT_OUTPUT, metavar="FILE",
                        help="the .glb to write (default: hero.glb beside this script)")
    output = parser.parse_args().output
    data = author()
    try:
        output.write_bytes(data)
    except OSError as error:
        print(f"author_hero: {output}: {error.strerror}; choose another file with -o",
              file=sys.stderr)
        return 1
    print(f"{output}: {len(data)} bytes, {len(CLIPS)} clips")
    return 0


if __name__ == "__main__":
    sys.exit(main())
