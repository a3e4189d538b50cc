"""target.toml: complete for every target, and errors that say what to change."""
from __future__ import annotations

from pathlib import Path

import pytest
from ossicle.targets import TargetError, list_targets, load_target
from ossicle.targets.runner import command_for
from ossicle.targets.settings import TARGETS

GOOD = {
    "target.toml": 'description = "a board"\ntools = ""\nflags = []\nsources = ["*.c"]\n',
    "hal.c": "int hal;\n",
}


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
    assert folders == used | {target.name for target in targets}


@pytest.mark.parametrize("name", list_targets())
def test_settings_are_complete(name: str) -> None:
    target = load_target(name)
    assert target.name == name and target.description and target.sources
    assert all(path.is_file() for path in target.sources)
    assert all(path.is_dir() for path in target.include)
    assert (target.platform_folder / "osc_port_config.h").is_file()
    assert (target.emulator is None) == (target.tools == "")
    assert (target.emulator is not None and target.emulator.machine is not None) == (
        target.memory is not None)
    if target.memory is not None:
        assert target.linker_script is not None and target.linker_script.is_file()
        assert target.memory.ram_bytes >= 0x4000 and target.memory.rom_bytes >= 0x40000


@pytest.mark.parametrize(("wrong", "right"), [("micro_bit", "microbit"), ("hosst", "host"),
                                              ("mps3", "mps3_an547")])
def test_unknown_target_names_the_nearest(wrong: str, right: str) -> None:
    with pytest.raises(TargetError) as caught:
        load_target(wrong)
    assert str(caught.value) == (f"unknown target {wrong!r}; did you mean {right!r}? "
                                 f"Known: {', '.join(list_targets())}")


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
    assert str(caught.value) == (
        "target board: this computer's processor has no time_travel")


@pytest.mark.parametrize(("change", "message"), [
    (("flags", "flag"), "targets/board/target.toml: unknown key 'flag'; did you mean 'flags'?"),
    (('tools = ""\n', ""), "targets/board/target.toml: tools is missing"),
    (("flags = []", 'flags = []\nunroll = ["lopp"]'),
     "targets/board/target.toml: unroll 'lopp' is unknown; did you mean 'loop'?"),
    (("flags = []", "flags = 3"),
     "targets/board/target.toml: flags is 3; a TOML array is needed"),
    (("flags", 'float_instructions = ["sqrtdp"]\nflags'),
     "targets/board/target.toml: float_instructions: 'sqrtdp' is none"),
    (("flags", 'platform = "skalar"\nflags'),
     "targets/board/target.toml: unknown platform 'skalar'; did you mean 'scalar'? Known: "),
    (("*.c", "*.s"), "targets/board/target.toml: sources: '*.s' matches no file"),
    (('sources = ["*.c"]', 'sources = ["*.c"]\n[emulator]\nmashine = "m"'),
     "targets/board/target.toml [emulator]: unknown key 'mashine'; did you mean 'machine'?"),
    (('sources = ["*.c"]', 'sources = ["*.c"]\nlinker_script = "x.ld"'),
     "targets/board/target.toml: linker_script and [memory] need each other"),
    (('sources = ["*.c"]', 'sources = ["*.c"]\n[memory]\nrom_origin = 0\nrom_bytes = 1\n'
      'ram_origin = 0'), "targets/board/target.toml [memory]: ram_bytes is missing"),
    (("flags = []", "flags = ["), "targets/board/target.toml: "),
])
def test_wrong_settings(tmp_path: Path, change: tuple[str, str], message: str) -> None:
    folder = write_target(tmp_path, GOOD["target.toml"].replace(*change))
    with pytest.raises(TargetError) as caught:
        load_target("board", folder)
    assert str(caught.value).startswith(message)
    assert "\n" not in str(caught.value)
