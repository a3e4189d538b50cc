"""Reads the settings of each target: targets/NAME/target.toml."""
from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from platform import machine as this_processor

import tomllib
from typing import Any

from ..base.codec import AUTO_CODECS, CODECS, OWN_CODECS, STEP_PARTS, CodecCosts, StepCosts
from ..base.places import PLATFORMS, RUNTIME, TARGETS
from ..base.problem import SettingProblem, nearest
from ..base.unrolling import parse_unroll
from .flash_methods import FlashMethod, read_methods
from .images import WRITERS
from .symbols import is_floating
from .toml_keys import check_keys
from .tools import TargetError, which

_KEYS = {"description": str, "tools": str, "flags": list}
_OPTIONAL_KEYS = {"aliases": list, "sources": list, "compiler": str, "platform": str,
                  "float_instructions": list, "include": list, "unroll": list, "matrices": str, "linker_script": str,
                  "link_flags": list, "screen": list, "crowd": list, "rom": list, "needs": str, "memory": dict,
                  "emulator": dict, "codecs": dict, "codecs_as": str, "graph": dict, "hot": dict, "flash": dict}
_COST_KEYS = {"flash_bytes": int, "row": float}
_HOT_KEYS = {"limit_bytes": int, "pose": int, "joint": int}
_MEMORY_KEYS = {"rom_origin": int, "rom_bytes": int, "ram_origin": int, "ram_bytes": int}
_FAST_MEMORY_KEYS = {"fast_origin": int, "fast_bytes": int, "fast_data_origin": int, "fast_data_bytes": int}
_EMULATOR_KEYS = {"program": str, "machine": str, "arguments": list, "icount_shift": int,
                  "script": str}
_ROWS_FLAG = "-DOSC_FAST_ROWS="
_HOT_FLAGS = ("-DOSC_HOT_SECTION=", "-DOSC_HOT_DATA_SECTION=")
# The machine whose codec costs are used for machines that are not named or not measured.
COMMON = "mps2_an386"
_CPU_FLAG = re.compile(r"(?:-mcpu|-march|--target)=(\S+)")
_CPUINFO = Path("/proc/cpuinfo")


@dataclass(frozen=True)
class Memory:
    """The memory of a target. Origins are addresses, lengths are bytes."""

    rom_origin: int
    rom_bytes: int
    ram_origin: int
    ram_bytes: int
    fast_origin: int | None = None  # memory for code marked OSC_HOT, if there is any
    fast_bytes: int | None = None
    fast_data_origin: int | None = None  # separate memory for data marked OSC_HOT_DATA
    fast_data_bytes: int | None = None

    @property
    def linker_flags(self) -> list[str]:
        """The symbols that linker scripts read."""
        return [f"-Wl,--defsym={key}={value:#x}" for key, value in vars(self).items() if value is not None]


@dataclass(frozen=True)
class Emulator:
    """Runs the programs of a target that this computer cannot run."""

    program: str
    machine: str | None  # a QEMU board; None: the program takes the image as its argument
    arguments: tuple[str, ...]  # arguments for a board, besides the usual ones
    icount_shift: int  # an instruction takes 2^icount_shift ns of the board's time
    script: Path | None  # for the program, with the image as its argument; one in Python starts the program


@dataclass(frozen=True)
class HotCosts:
    """The bytes that code and tables marked OSC_HOT and OSC_HOT_DATA take of a machine's fast memory. limit_bytes:
    their maximum in total; pose: all except codecs and the tables of joints; joint: the tables of a joint; codecs: the
    functions of each codec that was measured."""

    limit_bytes: int
    pose: int
    joint: int
    codecs: Mapping[str, int]


@dataclass(frozen=True)
class Target:
    """A machine, with the settings to compile for it and to run its programs."""

    name: str
    aliases: tuple[str, ...]  # other names, such as those of machines with the same processor
    description: str
    tools: str  # prefix of nm, objdump and, unless a compiler is named, gcc
    compiler: str
    flags: tuple[str, ...]
    sources: tuple[Path, ...]  # empty: code is compiled for the machine, but no program is linked
    include: tuple[Path, ...]
    platform: str  # the folder in platforms/ with the backend of generated code
    unroll: tuple[str, ...]  # the layout of generated code unless the user chooses another
    matrices: str | None  # the format of skinning matrices in benches; None: q20
    float_instructions: tuple[str, ...]  # that its backend may use, see symbols.py
    linker_script: Path | None
    link_flags: tuple[str, ...]
    screen: tuple[Path, ...]  # its display and buttons, see targets/screen.h; empty: none
    crowd: tuple[Path, ...]  # a program that draws many characters with the machine's own 3D hardware
    rom: tuple[str, ...]  # suffixes of files for the machine, see images.py
    flash: tuple[FlashMethod, ...]  # methods of flashing them; the first is the default
    needs: str | None  # a feature of this computer's processor, as /proc/cpuinfo spells it
    memory: Memory | None  # None: the operating system's
    emulator: Emulator | None  # None: runs here
    codecs: CodecCosts | None = field(compare=False)  # their costs; None: not measured
    codecs_as: str | None  # a target with similar costs of codecs
    steps: StepCosts | None = field(compare=False)  # of graphs; None: not measured
    hot: HotCosts | None = field(compare=False)  # None: no fast memory, or not measured

    @property
    def writes_call_graphs(self) -> bool:
        """True if the compiler is a gcc, which the worst-case stack requires."""
        return self.compiler.endswith("gcc")

    @property
    def unsupported(self) -> str | None:
        """The reason why programs cannot run on this computer, or None."""
        if self.only_compiled:
            return f"target {self.name}: code is only compiled for it; choose a target with an emulator"
        if self.needs is None or self.needs in _processor_features():
            return None
        return f"target {self.name}: this computer's processor has no {self.needs}"

    @property
    def only_compiled(self) -> bool:
        """True if the target has flags, but no start-up code and no emulator."""
        return not self.sources

    @property
    def cpu(self) -> str:
        """The processor or architecture that the flags or the tools name, or this computer's."""
        named = _CPU_FLAG.search(" ".join(self.flags))
        return named.group(1) if named else self.tools.split("-")[0] or this_processor()

    @property
    def runs_here(self) -> bool:
        """True if programs run on this computer, in an installed emulator if necessary."""
        return self.unsupported is None and (
            self.emulator is None or which(self.emulator.program) is not None)

    @property
    def running(self) -> str:
        """The program that runs the target's programs here, or the reason why there is none."""
        if self.only_compiled:
            return "only compiled"
        if self.unsupported:
            return f"no {self.needs} here"
        if self.emulator is None:
            return "this computer"
        return self.emulator.program + ("" if self.runs_here else ", not installed")

    def with_fast_rows(self, fast: bool = True) -> Target:
        """Returns the target with or without the platform's assembler for key rows (OSC_FAST_ROWS)."""
        others = [flag for flag in self.flags if not flag.startswith(_ROWS_FLAG)]
        return replace(self, flags=(*others, f"{_ROWS_FLAG}{int(fast)}"))

    def requested(self, fast_rows: bool, cold: Iterable[str]) -> Target:
        """Returns the target with the flags of a character: fast rows, and codecs in normal memory."""
        machine = self.with_fast_rows() if fast_rows and not self.says_rows else self
        return replace(machine, flags=(*machine.flags, *(f"-DOSC_COLD_{codec.upper()}=1" for codec in cold)))

    @property
    def defines(self) -> tuple[str, ...]:
        """The macros of the whole program, as NAME or NAME=VALUE."""
        return tuple(flag[2:] for flag in self.flags if flag.startswith("-D"))

    @property
    def says_rows(self) -> bool:
        """True if the flags define OSC_FAST_ROWS."""
        return any(flag.startswith(_ROWS_FLAG) for flag in self.flags)

    @property
    def hot_sections(self) -> tuple[str, ...]:
        """The sections of code and data marked OSC_HOT and OSC_HOT_DATA; empty if there are none."""
        return tuple(flag.partition("=")[2] for flag in self.flags if flag.startswith(_HOT_FLAGS))

    @property
    def runtime_files(self) -> list[Path]:
        """The runtime's sources, including the platform's, as patterns."""
        assembler = [self.platform_folder / "*.S"] * any(self.platform_folder.glob("*.S"))
        return [RUNTIME / "*" / "*.c", *assembler]

    @property
    def platform_folder(self) -> Path:
        """The folder of osc_port_config.h, which is on the include path of runtime and generated code."""
        return PLATFORMS / self.platform


def list_targets(folder: Path = TARGETS) -> list[str]:
    """Returns the sorted names of all targets, which are the folders that contain a target.toml."""
    return sorted(path.parent.name for path in folder.glob("*/target.toml"))


@functools.lru_cache
def target_names(folder: Path = TARGETS) -> dict[str, str]:
    """Maps names and aliases to targets. Raises TargetError if two targets have the same name."""
    names = {name: name for name in list_targets(folder)}
    for name in list(names):
        for alias in load_target(name, folder).aliases:
            if names.setdefault(alias, name) != name or alias == name:
                raise TargetError(f"targets/{name}/target.toml: aliases: {alias!r} is also an alias of the target "
                                  f"{names[alias]}")
    return names


def list_supported_targets() -> list[str]:
    """Returns the names of the targets whose programs can run on this computer, if necessary in an emulator."""
    return [name for name in list_targets() if load_target(name).unsupported is None]


def list_platforms(folder: Path = PLATFORMS) -> list[str]:
    """Returns the sorted names of all backends, which are the folders that contain an osc_port_config.h."""
    return sorted(path.parent.name for path in folder.glob("*/osc_port_config.h"))


def load_target(name: str, folder: Path = TARGETS) -> Target:
    """Reads a target's settings. name: its folder or an alias. Raises TargetError for an unknown target (with the
    nearest names), an unknown or missing key, a value of the wrong type, an unknown platform, or a source pattern
    without a match."""
    if name not in list_targets(folder):
        name = _target_of(name, target_names(folder))
    path = folder / name / "target.toml"
    place = f"targets/{name}/target.toml"
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise TargetError(f"{place}: {error}") from error
    check_keys(table, _KEYS, _OPTIONAL_KEYS, place)
    memory = table.get("memory")
    if memory is not None:
        check_keys(memory, _MEMORY_KEYS, _FAST_MEMORY_KEYS, f"{place} [memory]")
    emulator = table.get("emulator")
    if emulator is not None:
        check_keys(emulator, {}, _EMULATOR_KEYS, f"{place} [emulator]")
    if (memory is None) != ("linker_script" not in table):
        raise TargetError(f"{place}: linker_script and [memory] need each other")
    script = table.get("linker_script")
    platform = table.get("platform", "scalar")
    if platform not in list_platforms():
        raise TargetError(f"{place}: unknown platform {platform!r}{nearest(platform, list_platforms())}")
    for mnemonic in table.get("float_instructions", []):
        if not is_floating(mnemonic):
            raise TargetError(f"{place}: float_instructions: {mnemonic!r} is not a floating-point instruction")
    sources = _sources(path.parent, table.get("sources", []), place)
    if not sources and (script or emulator is not None or "flash" in table):
        raise TargetError(f"{place}: [emulator], [flash] and linker_script need sources")
    return Target(
        name=name,
        aliases=tuple(table.get("aliases", [])),
        description=table["description"],
        tools=table["tools"],
        compiler=table.get("compiler", f"{table['tools']}gcc"),
        flags=tuple(table["flags"]),
        sources=tuple(sources),
        include=tuple(path.parent / entry for entry in table.get("include", [])),
        platform=platform,
        unroll=_unroll(table.get("unroll", []), place),
        matrices=table.get("matrices"),
        float_instructions=tuple(table.get("float_instructions", [])),
        linker_script=path.parent / script if script else None,
        link_flags=tuple(table.get("link_flags", [])),
        screen=tuple(_sources(path.parent, table.get("screen", []), place)),
        crowd=tuple(_sources(path.parent, table.get("crowd", []), place)),
        rom=_suffixes(table.get("rom", []), place),
        flash=read_methods(table.get("flash", {}), table.get("rom", []), memory is not None, place),
        needs=table.get("needs"),
        memory=Memory(**memory) if memory is not None else None,
        emulator=_emulator(emulator, path.parent) if emulator is not None else None,
        codecs_as=table.get("codecs_as"),
        codecs=_codec_costs(name, table.get("codecs"), place),
        hot=_hot_costs(table.get("hot"), place),
        steps=_step_costs(name, table.get("graph"), place),
    )


def known_costs(target: str | None) -> CodecCosts:
    """Returns the costs of codecs on a target or its substitute, by default a Cortex-M4."""
    machine = load_target(target or COMMON)
    costs = machine.codecs or load_target(machine.codecs_as or COMMON).codecs
    assert costs is not None  # ensured by a test
    return costs


def known_step_costs(target: str | None) -> StepCosts:
    """Returns the costs of a step of a graph on a target or its substitute, by default a Cortex-M4."""
    machine = load_target(target or COMMON)
    costs = machine.steps or load_target(machine.codecs_as or COMMON).steps
    assert costs is not None  # ensured by a test
    return costs


def _target_of(name: str, names: dict[str, str]) -> str:
    """Returns the target with this name or alias, ignoring case, spaces and underscores."""
    plain = {_plain(known): target for known, target in names.items()}
    if _plain(name) in plain:
        return plain[_plain(name)]
    raise TargetError(f"unknown target {name!r}{nearest(name, names)} (`ossicle targets` lists all)")


def _plain(name: str) -> str:
    return re.sub("[_ ]", "-", name.lower())


def _codec_costs(name: str, table: dict[str, Any] | None, place: str) -> CodecCosts | None:
    if table is None:
        return None
    check_keys(table, {"base_row_bytes": int}, dict.fromkeys(OWN_CODECS, dict), f"{place} [codecs]")
    codecs = {codec: costs for codec, costs in table.items() if codec in OWN_CODECS}
    for codec, costs in codecs.items():
        check_keys(costs, _COST_KEYS, {}, f"{place} [codecs] {codec}")
    return CodecCosts(name, {codec: costs["flash_bytes"] for codec, costs in codecs.items()},
                      {codec: costs["row"] for codec, costs in codecs.items()}, table["base_row_bytes"])


def _step_costs(name: str, table: dict[str, Any] | None, place: str) -> StepCosts | None:
    if table is None:
        return None
    check_keys(table, {"unit": str, "row": dict} | dict.fromkeys(STEP_PARTS, float), {}, f"{place} [graph]")
    check_keys(table["row"], dict.fromkeys(AUTO_CODECS, float), {}, f"{place} [graph] row")
    return StepCosts(name, table["unit"], table["row"], {part: table[part] for part in STEP_PARTS})


def _hot_costs(table: dict[str, int] | None, place: str) -> HotCosts | None:
    if table is None:
        return None
    check_keys(table, _HOT_KEYS, dict.fromkeys(CODECS, int), f"{place} [hot]")
    return HotCosts(table["limit_bytes"], table["pose"], table["joint"],
                    {codec: table[codec] for codec in CODECS if codec in table})


def _unroll(entries: list[object], place: str) -> tuple[str, ...]:
    choices = tuple(map(str, entries))
    try:
        parse_unroll(choices)
    except SettingProblem as problem:
        raise TargetError(f"{place}: {problem}") from problem
    return choices


def _suffixes(entries: list[object], place: str) -> tuple[str, ...]:
    for entry in entries:
        if entry not in WRITERS:
            raise TargetError(f"{place}: rom: nothing writes {entry!r}{nearest(str(entry), WRITERS)}")
    return tuple(map(str, entries))


def _emulator(table: dict[str, Any], folder: Path) -> Emulator:
    script = table.get("script")
    return Emulator(table.get("program", "qemu-system-arm"), table.get("machine"),
                    tuple(table.get("arguments", [])), table.get("icount_shift", 7),
                    folder / script if script else None)


def _processor_features() -> set[str]:
    if not _CPUINFO.is_file():
        return set()
    lines = _CPUINFO.read_text(encoding="utf-8", errors="replace").splitlines()
    return set(next((line for line in lines if line.startswith("flags")), "").split())


def _sources(folder: Path, patterns: list[str], place: str) -> list[Path]:
    found: list[Path] = []
    for pattern in patterns:
        base = (folder / pattern).parent.resolve()
        matches = sorted(base.glob(Path(pattern).name))
        if not matches:
            raise TargetError(f"{place}: sources: {pattern!r} matches no file")
        found += matches
    return found
