"""Prints JSON documents."""
from __future__ import annotations

import json
from typing import Any

from ..base.output import print_json_text


def print_json(document: Any) -> None:
    print_json_text(json.dumps(document, indent=1, ensure_ascii=False) + "\n")
