"""The values of `--embed`: the parts of a bank that generated C can contain."""
from __future__ import annotations

BASE = "base"  # the bank without its tiers
