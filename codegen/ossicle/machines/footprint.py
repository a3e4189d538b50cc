"""Measures the cost of a character on a target: flash, RAM and worst-case stack."""
from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from .callgraph import read_call_graphs, worst_stack
from .firmware import Firmware
from .settings import Target
from .tools import TargetError, checked_tool

# The functions that a game calls. Unreachable code is dropped, as when the game is linked.
_RUNTIME_ENTRIES = ("osc_player_start", "osc_player_seek_q11")
_GENERATED_ENTRIES = ("embedded", "player_init", "evaluate", "compose")
_POSE_PATH = ("seek", "evaluate", "compose", "skin")
_CODEC = re.compile(r"osc_(\w+)_codec")
# Calls through osc_bank.tier_code and osc_bank.chunks, by functions that call no codec. Codecs look for chunks only in
# osc_dense_find_chunk, which is never inlined.
_TIER_CALLS = {
    "^osc_tier_chunk": ["osc_stream_find"],
    "^(choose_version|take_finest|count_key_tiers|osc_dense_find_chunk)": ["osc_tier_chunk"],
}
_BASE_ROW = "base_row"  # its function is in the table of codecs, and called by that of curve
_CODE_SECTIONS = (".text", ".rodata", ".data")


@dataclass(frozen=True)
class Footprint:
    """Sizes in bytes.

    flash_code_bytes: runtime, generated code, constant tables and the compiler's helpers that they call, without the
    bank and without the checks of banks that are not embedded. stack_bytes: the worst case of each call by a game.
    """

    flash_code_bytes: int
    bank_bytes: int
    player_bytes: int  # state and key rows, for each character
    pose_bytes: int
    model_bytes: int
    stack_bytes: dict[str, int]
    fast_bytes: int  # code and tables that are marked as hot

    @property
    def ram_bytes(self) -> int:
        """All memory of a character: player, rows, pose and model. The open bank is in flash."""
        return self.player_bytes + self.pose_bytes + self.model_bytes

    @property
    def stack_bytes_worst(self) -> int:
        """The worst case of the calls for each pose: seek, evaluate, compose, skin."""
        return max(self.stack_bytes.get(call, 0) for call in _POSE_PATH)


def footprint(firmware: Firmware) -> Footprint:
    """Measures the objects of a built program. Raises TargetError if the stack has no bound (see callgraph.py), or if
    the target's compiler writes no call graphs."""
    if not firmware.target.writes_call_graphs:
        raise TargetError(f"target {firmware.target.name}: {firmware.target.compiler} writes no "
                          "call graphs, from which the stack is computed")
    sizes = _symbol_sizes(firmware, firmware.program_object)
    bank = _symbol_sizes(firmware, firmware.bank_object)
    linked = _linked_bytes(firmware)
    bank_bytes = _size_of(bank, f"{firmware.name}_bank", firmware)
    return Footprint(
        flash_code_bytes=sum(linked.values()) - bank_bytes,
        bank_bytes=bank_bytes,
        player_bytes=_size_of(sizes, "player", firmware),
        pose_bytes=_size_of(sizes, "pose", firmware),
        model_bytes=_size_of(sizes, "model", firmware),
        stack_bytes=_stack(firmware),
        fast_bytes=sum(size for name, size in linked.items()
                       if name.startswith(firmware.target.hot_sections)),
    )


def _stack(firmware: Firmware) -> dict[str, int]:
    objects = [*firmware.runtime_objects, *firmware.generated_objects]
    graph = read_call_graphs([path.with_suffix(".ci") for path in objects])
    calls = {
        "open": f"{firmware.name}_open",
        "start": "osc_player_start",
        "seek": "osc_player_seek_q11",
        "evaluate": f"{firmware.name}_evaluate",
        "compose": f"{firmware.name}_compose",
    }
    if _has_skinning(firmware):
        calls["skin"] = f"{firmware.name}_skin_pose"
    codecs = _codecs(firmware)
    pointed = {
        **_TIER_CALLS,
        "^(fill_rest|curve_unpack)": ["take_first_keys"] if _BASE_ROW in codecs else [],
        "^(osc_bank_open|open_|check_)": [f"osc_{codec}_valid" for codec in codecs],
        "^(osc_player_start|begin_version)": ["choose_version",
                                              *(f"{codec}_start" for codec in codecs)],
        "^osc_player_seek": ["choose_version",
                             *(f"{codec}_{part}" for codec in codecs for part in ("start", "unpack"))],
        "": [f"{codec}_unpack" for codec in codecs],
    }
    return {call: worst_stack(graph, function, pointed) for call, function in calls.items()}


def _codecs(firmware: Firmware) -> list[str]:
    """Returns the codecs that the generated code links, and base_row if its bank has one."""
    output = "".join(checked_tool([f"{firmware.target.tools}nm", "-P", str(path)], path.name)
                     for path in firmware.generated_objects)
    return sorted(set(_CODEC.findall(output)))


def _has_skinning(firmware: Firmware) -> bool:
    return any(path.stem == f"{firmware.name}_skin" for path in firmware.generated_objects)


def _linked_bytes(firmware: Firmware) -> dict[str, int]:
    """Returns the bytes of the bank and the functions that a game calls, by section."""
    entries = [*_RUNTIME_ENTRIES, *(f"{firmware.name}_{part}" for part in _GENERATED_ENTRIES)]
    if _has_skinning(firmware):
        entries.append(f"{firmware.name}_skin_pose")
    return linked_bytes(
        firmware.target, [*firmware.generated_objects, firmware.bank_object, *firmware.runtime_objects],
        entries, firmware.image.with_name("footprint.elf"))


def linked_bytes(target: Target, objects: Sequence[Path], entries: Sequence[str], image: Path) -> dict[str, int]:
    """Links objects, drops code that the functions `entries` do not reach, and returns the bytes in flash of the rest
    by section. image: receives the linked program. Raises TargetError."""
    # On a device, the C library's block moves count too; elsewhere they belong to the system.
    specs = "--specs=nano.specs"
    library = [specs, "-lc"] if specs in target.link_flags else [
        "-Wl,--unresolved-symbols=ignore-all"]
    checked_tool(
        [target.compiler, *target.flags, "-static", "-nostdlib", "-Wl,--gc-sections", "-Wl,-e,0",
         "-Wl,--build-id=none", *(f"-Wl,-u,{entry}" for entry in entries), *map(str, objects),
         *library, "-lgcc", "-o", str(image)],
        f"target {target.name}: linking for the footprint failed",
    )
    return dict(_flash_sections(target, image))


def _flash_sections(target: Target, path: Path) -> list[tuple[str, int]]:
    """Returns the names and bytes of the sections in flash."""
    output = checked_tool([f"{target.tools}objdump", "-h", str(path)], f"{path.name}")
    rows = [line.split() for line in output.splitlines()]
    return [(row[1], int(row[2], 16)) for row in rows
            if len(row) == 7 and row[0].isdigit() and row[1].startswith((*_CODE_SECTIONS, *target.hot_sections))]


def hot_table_bytes(firmware: Firmware) -> int:
    """Returns the bytes of the generated tables in fast memory."""
    starts = tuple(f"{section}.data" for section in firmware.target.hot_sections)
    return sum(size for path in firmware.generated_objects
               for name, size in _flash_sections(firmware.target, path) if name.startswith(starts))


def section_bytes(target: Target, path: Path, function: str) -> tuple[int, int]:
    """Returns the bytes of code and of constants that a function reaches inside an object of `compile_object`,
    including itself. Raises TargetError if the linker fails, or if the target's compiler is not a gcc."""
    if not target.writes_call_graphs:
        raise TargetError(f"target {target.name}: sizes are measured with gcc only")
    reached = path.with_suffix(f".{function}.o")
    checked_tool([target.compiler, *target.flags, "-nostdlib", "-r", "-Wl,--gc-sections",
                  f"-Wl,-u,{function}", f"-Wl,-e,{function}", str(path), "-o", str(reached)],
                 f"target {target.name}: the size of {function} cannot be measured")
    sections = _flash_sections(target, reached)
    code = sum(size for name, size in sections if ".text" in name)
    return code, sum(size for _, size in sections) - code


def _symbol_sizes(firmware: Firmware, path: Path) -> dict[str, int]:
    output = checked_tool([f"{firmware.target.tools}nm", "-P", str(path)], f"{path.name}")
    sizes = {}
    for line in output.splitlines():
        parts = line.split()
        if len(parts) == 4:
            sizes[parts[0]] = int(parts[3], 16)
    return sizes


def _size_of(sizes: dict[str, int], symbol: str, firmware: Firmware) -> int:
    if symbol not in sizes:
        raise TargetError(f"target {firmware.target.name}: no object named {symbol}")
    return sizes[symbol]
