"""Output of the benches."""
from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from pathlib import Path


def write_csv(rows: Sequence[Mapping[str, object]], path: Path) -> None:
    """Writes rows, at least one, that all have the first one's keys, below a line of those keys;
    folders are made. None is an empty cell. OSError where the file cannot be written."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
