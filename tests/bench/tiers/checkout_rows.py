"""Costs of banks without tiers, as a checkout of the project encodes and plays them: `checkout_rows.py CHECKOUT`.

Prints a line of JSON for each character, codec and board: instructions of a row, and bytes of flash. Run by
bench_stream.py, in a process of its own for each checkout, whose package and libraries it uses."""
from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path

CHECKOUT = Path(sys.argv[1]).resolve()
SHARED = Path(__file__).resolve().parents[4] / "shared"
sys.dont_write_bytecode = True
sys.path.insert(0, str(CHECKOUT / "codegen"))

from ossicle import machines  # noqa: E402
from tools.demo import HERO  # noqa: E402
from ossicle.encoding.encoder import encode  # noqa: E402
from ossicle.encoding.settings import Settings  # noqa: E402
from ossicle.generate.code import Code
from ossicle.generate.emit import generate  # noqa: E402
from ossicle.model.lengths import Tolerance  # noqa: E402

CODECS = ("delta", "curve", "transform")
BOARDS = ("microbit", "mps2_an386")
TOLERANCE = Tolerance(metres=1e-3)
RUN_SECONDS = 600.0


def measure(source: Path, codec: str, folder: Path) -> None:
    """Encodes a source and plays it on all boards that it fits."""
    bank = folder / "bank.ossb"
    bank.write_bytes(encode([source], Settings(tolerance=TOLERANCE, codec=codec), 1).bank)
    for board in BOARDS:
        generate(bank, folder / board, Code("character", embed=True, unroll=machines.load_target(board).unroll))
        try:
            firmware = machines.build(board, folder / board, folder / board / "built")
        except machines.DoesNotFit:
            continue
        costs = machines.run(firmware, timeout_s=RUN_SECONDS).clip_costs
        sizes = machines.footprint(firmware)
        print(json.dumps({"corpus": source.stem, "codec": codec, "target": board,
                          "row": sum(cost.total for cost in costs) / sum(cost.rows for cost in costs),
                          "flash": sizes.flash_code_bytes}), flush=True)


def main() -> None:
    """Measures the demo character and, if it is there, the Knight."""
    for source in (HERO, SHARED / "corpus/Knight.glb"):
        for codec in CODECS if source.is_file() else ():
            with tempfile.TemporaryDirectory() as folder:
                measure(source, codec, Path(folder))


if __name__ == "__main__":
    main()
