"""The choices of what `--embed` puts into the generated C, besides the whole bank."""
from __future__ import annotations

BASE = "base"  # the bank without its tiers
