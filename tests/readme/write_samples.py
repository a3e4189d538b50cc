"""Writes the files that the pages show: `write_samples.py DIR`."""
from __future__ import annotations

import sys
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))

from pages import all_blocks, sample_files


def main(arguments: list[str]) -> int:
    """Writes the samples to the folder named; the exit status."""
    if len(arguments) != 1 or arguments[0].startswith("-"):
        print("usage: write_samples.py DIR", file=sys.stderr)
        return 2
    folder = Path(arguments[0])
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in sample_files(all_blocks()).items():
            (folder / name).write_text(text, encoding="utf-8")
            print(f"wrote {folder / name}")
    except OSError as error:
        print(f"write_samples.py: {folder}: cannot be written ({error.strerror})", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
