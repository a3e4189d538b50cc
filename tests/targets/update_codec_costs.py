"""Measures what codecs cost, and what code takes of fast memory, and writes both to targets/*/target.toml:
`update_codec_costs.py [TARGET...]`."""
from __future__ import annotations

import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True
sys.path[:0] = [str(Path(__file__).resolve().parents[2] / folder)
                for folder in ("codegen", "tests/support")]

from codec_cost_table import TABLE, demo_banks, measurable, table_of
from hot_table import TABLE as HOT
from hot_table import hot_banks, hot_table_of
from ossicle.cli.main import PROBLEMS
from ossicle.targets import list_targets, load_target
from ossicle.base.places import TARGETS


def main(names: list[str]) -> int:
    """Replaces the tables; the exit status."""
    try:
        with tempfile.TemporaryDirectory() as folder:
            banks, hot = demo_banks(Path(folder)), hot_banks(Path(folder))
            for name in names or list_targets():
                path = TARGETS / name / "target.toml"
                text = path.read_text(encoding="utf-8")
                if measurable(name):
                    text = TABLE.sub("", text) + table_of(name, banks, Path(folder))
                if load_target(name).hot:
                    text = HOT.sub("", text) + hot_table_of(name, hot, Path(folder))
                path.write_text(text, encoding="utf-8")
                print(f"wrote {path}")
    except (*PROBLEMS, ValueError, OSError) as problem:
        print(f"update_codec_costs.py: {problem}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
