"""Tools that are missing, fail or hang."""
from __future__ import annotations

from pathlib import Path

import pytest
from ossicle.machines import TargetError, list_targets, load_target
from ossicle.machines.tools import DEBIAN_PACKAGES, checked_tool, find_tool, run_tool
from mentions import mentioning, mentions


@pytest.mark.parametrize(("tool", "package"), [
    ("arm-none-eabi-gcc", "gcc-arm-none-eabi libnewlib-arm-none-eabi"),
    ("qemu-system-arm", "qemu-system-arm"),
    ("llvm-readobj", "llvm"),
    ("node", "nodejs"),
    ("gcc", "gcc"),
])
def test_missing_tool_names_the_package(
    tool: str, package: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(TargetError) as caught:
        find_tool(tool)
    assert mentions(str(caught.value), f"{tool} {package}")


def test_every_tool_of_every_target_has_a_package() -> None:
    for name in list_targets():
        target = load_target(name)
        assert {target.compiler, f"{target.tools}nm", f"{target.tools}objdump"} <= set(DEBIAN_PACKAGES)
        assert target.emulator is None or target.emulator.program in DEBIAN_PACKAGES


def test_a_hanging_tool_is_stopped() -> None:
    with pytest.raises(TargetError, match=mentioning("sleep 0s")):
        run_tool(["sleep", "30"], timeout_s=0.1)


def test_a_failing_compiler_is_quoted(tmp_path: Path) -> None:
    source = tmp_path / "bad.c"
    source.write_text("int main(void) { return nowhere; }\n", encoding="utf-8")
    with pytest.raises(TargetError) as caught:
        checked_tool(["gcc", "-c", str(source), "-o", str(tmp_path / "bad.o")], "bad.c")
    assert str(caught.value).startswith("bad.c: ") and "nowhere" in str(caught.value)
    assert "error:" in str(caught.value) and "\n" not in str(caught.value)
