"""Ossicle: compresses skeletal animation and generates the C that plays it on small devices.

    import ossicle

    encoded = ossicle.encode("hero.glb", tolerance="0.5mm", clips={"Walk": {"loop": True}})
    encoded.bank.write("hero.ossb")
    walk = encoded.bank.decode("Walk").clips[0].frames  # as the device plays it

Settings have the names and values of configuration files. Failures are `ossicle.Problem`; the text of one is a line
with the remedy. Importing this package is quick, because modules are loaded at their first use.
"""
from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .base.problem import Problem as Problem
    from .interface.banks import Bank as Bank
    from .interface.build import BuildFailed as BuildFailed
    from .interface.build import Built as Built
    from .interface.build import build as build
    from .interface.encode import Encoded as Encoded
    from .interface.encode import encode as encode
    from .interface.encode import read as read
    from .interface.report import report as report
    from .interface.retarget import retarget as retarget
    from .interface.write import write as write
    from .model.clip import Clip as Clip
    from .model.clip import Imported as Imported
    from .model.clip import Skeleton as Skeleton

_MODULES = {
    "Problem": "base.problem", "Bank": "interface.banks", "BuildFailed": "interface.build", "Built": "interface.build",
    "build": "interface.build", "Encoded": "interface.encode", "encode": "interface.encode", "read": "interface.encode",
    "report": "interface.report", "retarget": "interface.retarget", "write": "interface.write", "Clip": "model.clip",
    "Imported": "model.clip", "Skeleton": "model.clip",
}


def __dir__() -> list[str]:
    return sorted(_MODULES)


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f".{_MODULES[name]}", __name__), name)
