"""target.toml: complete for every target, and errors with a remedy."""
from __future__ import annotations

from pathlib import Path

import pytest
from ossicle.machines import (TargetError, build, compile_object, list_supported_targets, list_targets, load_target,
                              target_names)
from tools.show import STAGE
from ossicle.machines.firmware import runtime_sources
from ossicle.machines.runner import command_for
from ossicle.machines.settings import TARGETS
from ossicle.machines.symbols import check_objects
from target_support import generate_sample
from mentions import mentioning, mentions

MEDIA = "media"  # drivers of what tiers are read from, for any target
TESTING = "testing"  # mocks for unit tests of games
SAMPLE = "sample"  # a game, which is played on several
SDK = "sdk"  # headers for games that draw with other libraries

GOOD = {"target.toml": 'description = "a board"\ntools = ""\nflags = []\nsources = ["*.c"]\n', "hal.c": "int hal;\n"}


def write_target(folder: Path, text: str) -> Path:
    board = folder / "board"
    board.mkdir()
    (board / "hal.c").write_text(GOOD["hal.c"], encoding="utf-8")
    (board / "target.toml").write_text(text, encoding="utf-8")
    return folder


def test_every_folder_is_a_target_or_shared_by_some() -> None:
    targets = [load_target(name) for name in list_targets()]
    used = {path.resolve().parent.name for target in targets
            for path in (*target.sources, *((target.linker_script,) if target.linker_script else ()))}
    folders = {path.name for path in TARGETS.iterdir() if path.is_dir()}
    assert folders == used | {target.name for target in targets} | {STAGE.name, MEDIA, TESTING, SAMPLE, SDK}


@pytest.mark.parametrize("name", list_targets())
def test_settings_are_complete(name: str) -> None:
    target = load_target(name)
    assert target.name == name and target.description and target.cpu and target.flags
    assert all(path.is_file() for path in target.sources)
    assert all(path.is_dir() for path in target.include)
    assert (target.platform_folder / "osc_port_config.h").is_file()
    assert (target.emulator is None) == (target.tools == "" or target.only_compiled)
    if target.emulator is not None and target.emulator.machine is not None:
        assert target.memory is not None
    if target.memory is not None:
        assert target.linker_script is not None and target.linker_script.is_file()
        assert target.memory.ram_bytes >= 0x4000 and target.memory.rom_bytes >= 0x40000


@pytest.mark.parametrize(("name", "folder", "flag"), [
    ("gba", "gba", "-mcpu=arm7tdmi"), ("nds", "nds", "-mcpu=arm946e-s"), ("pico", "pico", "-mcpu=cortex-m0plus"),
    ("m0plus", "pico", "-mcpu=cortex-m0plus"), ("cortex-m0", "microbit", "-mcpu=cortex-m0"),
    ("m3", "mps2_an385", "-mcpu=cortex-m3"), ("stm32f405", "stm32f4", "-mcpu=cortex-m4"),
    ("m4", "mps2_an386", "-mfloat-abi=hard"), ("playdate", "mps2_an500", "-mcpu=cortex-m7"),
    ("m7", "mps2_an500", "-mfpu=fpv5-sp-d16"), ("m33", "mps2_an505", "-mcpu=cortex-m33"),
    ("m55", "mps3_an547", "-mcpu=cortex-m55"), ("armv7-neon", "linux_armv7", "-mfpu=neon"),
    ("3ds", "armv6", "-march=armv6"), ("raspberry-pi-zero", "armv6", "-marm"), ("rg350", "mips32el", "-G0"),
    ("gcw-zero", "mips32el", "-march=mips32r2"), ("milk-v", "riscv64", "-march=rv64gc"),
    ("esp32", "xtensa", "-mlongcalls"), ("esp8266", "xtensa", "-mlongcalls"),
    ("aarch64", "linux_aarch64", "-DOSC_TRANSPOSED"), ("x86-64", "host_sse2", "-msse2"),
    ("wasm", "wasm", "-msimd128"), ("Cortex_M4", "mps2_an386", "-mcpu=cortex-m4")])
def test_machines_have_the_names_that_people_use(name: str, folder: str, flag: str) -> None:
    target = load_target(name)
    assert target.name == folder and flag in target.flags


def test_a_name_is_one_target(tmp_path: Path) -> None:
    assert {target_names()[name] for name in target_names()} == set(list_targets())
    for board in ("one", "two"):
        (tmp_path / board).mkdir()
        (tmp_path / board / "hal.c").write_text(GOOD["hal.c"], encoding="utf-8")
        (tmp_path / board / "target.toml").write_text('aliases = ["both"]\n' + GOOD["target.toml"], encoding="utf-8")
    with pytest.raises(TargetError) as caught:
        load_target("both", tmp_path)
    assert mentions(str(caught.value), "targets/two/target.toml both")


@pytest.mark.parametrize(("wrong", "right"), [("micro_bit", "microbit"), ("hosst", "host"),
                                              ("mps3", "mps3_an547"), ("cortex-m77", "cortex-m7"),
                                              ("stm32f5", "stm32f4")])
def test_an_unknown_target_names_the_nearest(wrong: str, right: str) -> None:
    with pytest.raises(TargetError) as caught:
        load_target(wrong)
    message = str(caught.value)
    assert mentions(message, wrong) and repr(right) in message
    assert mentions(message, "targets")


ONLY_COMPILED = [name for name in list_targets() if load_target(name).only_compiled]


def test_some_targets_are_only_compiled() -> None:
    assert {"psp", "xtensa"} <= set(ONLY_COMPILED)
    assert not set(ONLY_COMPILED) & set(list_supported_targets())


@pytest.mark.parametrize("name", ONLY_COMPILED)
def test_code_is_compiled_where_nothing_runs_it(name: str, tmp_path: Path) -> None:
    target = load_target(name)
    folder = generate_sample("walk", tmp_path / "generated")
    sources = [*folder.glob("*.c"), *runtime_sources(target)]
    objects = [compile_object(target, path, tmp_path, [folder]) for path in sources]
    assert len(objects) >= 3 and check_objects(target.tools, objects) == []
    with pytest.raises(TargetError, match=mentioning(name)):
        build(name, folder, tmp_path / "build")


def test_good_settings_load(tmp_path: Path) -> None:
    target = load_target("board", write_target(tmp_path, GOOD["target.toml"]))
    assert target.unroll == () and load_target("microbit").unroll == ("loop",)
    assert target.compiler == "gcc" and [path.name for path in target.sources] == ["hal.c"]
    assert target.platform == "scalar"


def test_a_feature_that_is_not_there(tmp_path: Path) -> None:
    text = GOOD["target.toml"] + 'needs = "time_travel"\n'
    target = load_target("board", write_target(tmp_path, text))
    with pytest.raises(TargetError) as caught:
        command_for(target, tmp_path / "player.elf")
    assert mentions(str(caught.value), "time_travel")


@pytest.mark.parametrize(("change", "message"), [
    (("flags", "flag"), "targets/board/target.toml flag flags"),
    (('tools = ""\n', ""), "targets/board/target.toml tools"),
    (("flags = []", 'flags = []\nunroll = ["lopp"]'),
     "targets/board/target.toml unroll lopp loop"),
    (("flags = []", "flags = 3"),
     "targets/board/target.toml 3"),
    (("flags", 'float_instructions = ["sqrtdp"]\nflags'),
     "targets/board/target.toml float_instructions sqrtdp"),
    (("flags", 'platform = "skalar"\nflags'),
     "targets/board/target.toml skalar scalar"),
    (("*.c", "*.s"), "targets/board/target.toml *.s"),
    (('sources = ["*.c"]', 'sources = ["*.c"]\n[emulator]\nmashine = "m"'),
     "targets/board/target.toml [emulator] mashine machine"),
    (('sources = ["*.c"]', '[emulator]'),
     "targets/board/target.toml [emulator] [flash] linker_script"),
    (('sources = ["*.c"]', 'sources = ["*.c"]\nlinker_script = "x.ld"'),
     "targets/board/target.toml linker_script [memory]"),
    (('sources = ["*.c"]', 'sources = ["*.c"]\n[memory]\nrom_origin = 0\nrom_bytes = 1\n'
      'ram_origin = 0'), "targets/board/target.toml [memory] ram_bytes"),
    (("flags = []", "flags = ["), "targets/board/target.toml: "),
])
def test_wrong_settings(tmp_path: Path, change: tuple[str, str], message: str) -> None:
    folder = write_target(tmp_path, GOOD["target.toml"].replace(*change))
    with pytest.raises(TargetError) as caught:
        load_target("board", folder)
    assert mentions(caught.value, message)
    assert "\n" not in str(caught.value)
