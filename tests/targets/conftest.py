"""Makes the modules of this folder known to the tests in its subfolders."""
from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
