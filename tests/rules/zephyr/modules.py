"""Prints CMake commands for modules of Zephyr: the settings that prj.conf gives to their Kconfig, read by the
library that Zephyr reads it with, and their CMakeLists.txt."""
import sys
import tempfile
from pathlib import Path

import kconfiglib
import yaml

settings, *modules = map(Path, sys.argv[1:])
builds = {module: yaml.safe_load((module / "zephyr/module.yml").read_text(encoding="utf-8"))["build"]
          for module in modules}
with tempfile.NamedTemporaryFile("w", encoding="utf-8") as tree:
    tree.writelines(f'source "{module / build["kconfig"]}"\n' for module, build in builds.items())
    tree.flush()
    kconfig = kconfiglib.Kconfig(tree.name, warn_to_stderr=False)
    kconfig.load_config(str(settings))
if kconfig.warnings:
    sys.exit("\n".join(kconfig.warnings))
for symbol in kconfig.unique_defined_syms:
    print(f"set(CONFIG_{symbol.name} {symbol.str_value})")
for module, build in builds.items():
    print(f'add_subdirectory("{module / build["cmake"]}" "modules/{module.name}")')
