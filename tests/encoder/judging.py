"""Loads the independent tools that lie beside the checkout."""
from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType


def load_judge(shared: Path) -> tuple[ModuleType, ModuleType]:
    """The modules rawclip and shell_error of ../shared/tools; sys.path and sys.modules stay as
    they were, as the first has the name of one of ours."""
    loaded = []
    path, own = sys.path.copy(), sys.modules.pop("rawclip", None)
    try:
        for name in ("rawclip", "shell_error"):
            spec = importlib.util.spec_from_file_location(f"judging_{name}",
                                                          shared / f"tools/{name}.py")
            assert spec is not None and spec.loader is not None
            module = importlib.util.module_from_spec(spec)
            spec.loader.exec_module(module)
            loaded.append(module)
    finally:
        sys.path[:] = path
        sys.modules.pop("rawclip", None)
        if own is not None:
            sys.modules["rawclip"] = own
    return loaded[0], loaded[1]
