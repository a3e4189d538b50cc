"""Measures what codecs cost and writes it to targets/*/target.toml: `update_codec_costs.py [TARGET...]`."""
from __future__ import annotations

import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True
sys.path[:0] = [str(Path(__file__).resolve().parents[2] / folder)
                for folder in ("codegen", "tests/support")]

from codec_cost_table import TABLE, demo_banks, measurable, table_of
from ossicle.cli.main import PROBLEMS
from ossicle.targets import list_targets
from ossicle.base.places import TARGETS


def main(names: list[str]) -> int:
    """Replaces the tables; the exit status."""
    try:
        with tempfile.TemporaryDirectory() as folder:
            banks = demo_banks(Path(folder))
            for name in names or [name for name in list_targets() if measurable(name)]:
                path = TARGETS / name / "target.toml"
                text = TABLE.sub("", path.read_text(encoding="utf-8"))
                path.write_text(text + table_of(name, banks, Path(folder)), encoding="utf-8")
                print(f"wrote {path}")
    except (*PROBLEMS, ValueError, OSError) as problem:
        print(f"update_codec_costs.py: {problem}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
