"""Paths for the tests of device images: `ossicle pack`, `strip`, and the C that plays their output."""
from __future__ import annotations

import sys
from pathlib import Path

TESTS = Path(__file__).parents[1]
sys.path.insert(0, str(TESTS / "cli"))
