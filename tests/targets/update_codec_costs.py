"""Measures what codecs cost, what the parts of a step of a graph cost, and what code takes of fast memory, and writes
all to targets/*/target.toml: `update_codec_costs.py [TARGET...]`."""
from __future__ import annotations

import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True
sys.path[:0] = [str(Path(__file__).resolve().parents[2] / folder) for folder in ("codegen", "tests/support")]

from cost_tables import TABLES  # noqa: E402
from ossicle.cli.main import PROBLEMS  # noqa: E402
from ossicle.machines import list_targets  # noqa: E402


def main(names: list[str]) -> int:
    """Replaces the tables; the exit status."""
    try:
        with tempfile.TemporaryDirectory() as folder:
            for table in TABLES:
                banks = table.banks(Path(folder))
                for name in names or list_targets():
                    if name in table.targets:
                        path = table.write(name, table.measure(name, banks, Path(folder) / table.name))
                        print(f"{path}: [{table.name}]")
    except (*PROBLEMS, ValueError, OSError) as problem:
        print(f"update_codec_costs.py: {problem}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
