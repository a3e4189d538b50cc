"""The measured tables of target.toml, [codecs], [graph] and [hot]: those of the file and of a measurement.
test_codec_costs.py compares the two, and update_codec_costs.py writes the second."""
from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import codec_cost_table
import graph_cost_table
import hot_table
from ossicle.base.places import TARGETS
from ossicle.machines import list_targets, load_target

Banks = dict[str, Path]


@dataclass(frozen=True)
class CostTable:
    """A table: the targets that have it, the banks that it is measured with, and the measurement."""

    name: str
    has: Callable[[str], bool]
    encode: Callable[[Path], Banks]
    measure: Callable[[str, Banks, Path], str]

    @property
    def targets(self) -> list[str]:
        return [name for name in list_targets() if self.has(name)]

    def banks(self, folder: Path) -> Banks:
        """The banks, in a folder of the table's own: tables give different banks the same name."""
        place = folder / self.name
        place.mkdir(parents=True)
        return self.encode(place)

    def written(self, target: str) -> str:
        """The table in target.toml; empty if there is none."""
        found = self._pattern.search(_file(target).read_text(encoding="utf-8"))
        return found.group() if found else ""

    def write(self, target: str, table: str) -> Path:
        """Replaces the table in target.toml; the file."""
        path = _file(target)
        path.write_text(self._pattern.sub("", path.read_text(encoding="utf-8")) + table, encoding="utf-8")
        return path

    @property
    def _pattern(self) -> re.Pattern[str]:
        return re.compile(rf"\n\[{self.name}\]\n(?:\w.*\n)*")


def _file(target: str) -> Path:
    return TARGETS / target / "target.toml"


CODECS = CostTable("codecs", codec_cost_table.measurable, codec_cost_table.demo_banks, codec_cost_table.table_of)
HOT = CostTable("hot", lambda name: load_target(name).hot is not None, hot_table.hot_banks, hot_table.hot_table_of)
GRAPH = CostTable("graph", lambda name: name in graph_cost_table.TARGETS, graph_cost_table.graph_banks,
                  graph_cost_table.graph_table_of)
TABLES = (CODECS, GRAPH, HOT)
