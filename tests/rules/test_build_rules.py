"""Games built by common tools: the projects in projects/ are as a user would write them."""
from __future__ import annotations

import functools
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from c_programs import INCLUDES, RUNTIME, STRICT, build_program
from gltf_builder import GltfBuilder, turn
from ossicle.cli.main import main
from ossicle.machines import load_target
from pages import README, ROOT, read_blocks, read_page, sample_files
from mentions import mentions

pytestmark = pytest.mark.integration

HERE = Path(__file__).parent
PROJECTS = HERE / "projects"
RULES = ROOT / "codegen/rules"
HELLO = sample_files(read_blocks(read_page(README.name), README.name))["hello.c"]
Character = Callable[[Path], None]  # writes it
MESON_LINK = ["ln", "-s", str(RULES / "meson"), "subprojects/ossicle"]


@dataclass(frozen=True)
class Tool:
    """file: the one that names the character; others are what every project of the tool has. most_lines: what a
    user writes, at most, commands to set the project up included. sources: where game and character lie. main:
    how the game begins, if not as in C."""

    name: str
    file: str
    most_lines: int
    set_up: tuple[list[str], ...]
    build: list[str]
    program: str
    others: tuple[str, ...] = ()
    sources: str = "."
    main: str = "int main(void)"
    variables: tuple[tuple[str, str], ...] = ()

    def run(self, words: list[str], folder: Path, status: int = 0) -> str:
        """Runs one of its commands; returns the output."""
        return run(words, folder, status, **dict(self.variables))


_CMAKE = ["cmake", "-B", "build", f"-DOssicle_DIR={RULES / 'cmake'}"]
TOOLS = [
    Tool("cmake", "CMakeLists.txt", 5, ([*_CMAKE, "-G", "Unix Makefiles"],), ["cmake", "--build", "build"],
         "build/game"),
    Tool("cmake", "CMakeLists.txt", 5, ([*_CMAKE, "-G", "Ninja"],), ["cmake", "--build", "build"], "build/game"),
    Tool("make", "Makefile", 5, (), ["make"], "game"),
    Tool("scons", "SConstruct", 5, (), ["scons", "-Q"], "game"),
    Tool("meson", "meson.build", 6, (["mkdir", "subprojects"], MESON_LINK, ["meson", "setup", "build"]),
         ["ninja", "-C", "build"], "build/game"),
    Tool("esp-idf", "main/CMakeLists.txt", 5, (
        ["cmake", "-B", "build", "-G", "Ninja", f"-DEXTRA_COMPONENT_DIRS={RULES / 'esp-idf/ossicle'}"],),
        ["cmake", "--build", "build"], "build/game.elf", ("CMakeLists.txt",), "main", "void app_main(void)",
        (("IDF_PATH", str(HERE / "esp-idf")),)),
    Tool("zephyr", "CMakeLists.txt", 6, (
        ["cmake", "-B", "build", "-G", "Ninja", f"-DEXTRA_ZEPHYR_MODULES={RULES / 'zephyr'}"],),
        ["cmake", "--build", "build"], "build/zephyr/zephyr.elf", ("prj.conf",),
        variables=(("ZEPHYR_BASE", str(HERE / "zephyr")), ("PYTHON", sys.executable))),
    Tool("platformio", "platformio.ini", 5, (["ln", "-s", str(RULES / "platformio/ossicle.py"), "."],),
         ["scons", "-Q", "-f", str(HERE / "platformio/SConstruct")], ".pio/build/game/program", sources="src"),
]
IDS = ["cmake-make", "cmake-ninja", "make", "scons", "meson", "esp-idf", "zephyr", "platformio"]
# Files of projects that test_sdks.py and test_drawing.py build.
SDK_FILES = [("pico-sdk", "CMakeLists.txt"), ("pico-sdk", "main.c"), ("playdate", "CMakeLists.txt"),
             ("libdragon", "Makefile"), ("raylib", "CMakeLists.txt"), ("raylib", "game.c"), ("sdl", "Makefile"),
             ("sdl", "CMakeLists.txt"), ("sdl", "game.c"), ("lvgl", "hero_widget.c"),
             ("blocksds", "Makefile"), ("blocksds", "source/main.c"), ("butano", "Makefile")]
STAND_INS = {"esp-idf", "zephyr", "platformio"}  # the tests have no more of these than their folder here
# Steps that every user of the tool takes, whatever the project uses.
USUAL = {"cmake": 1, "meson": 1, "esp-idf": 1, "zephyr": 1}


def run(words: list[str], folder: Path, status: int = 0, **variables: str) -> str:
    """Runs a command with `ossicle` on the path; returns its output."""
    environment = {name: value for name, value in os.environ.items()
                   if name not in ("PYTHONPATH", "OSSICLE_ENCODER", "MAKEFLAGS", "CFLAGS")}
    environment |= variables
    environment["PATH"] = f"{ROOT / 'build/bin'}:{environment['PATH']}"
    ran = subprocess.run(words, cwd=folder, env=environment, check=False, text=True, timeout=600,
                         stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    assert (ran.returncode == 0) == (status == 0), ran.stdout
    return ran.stdout


def project_of(tool: Tool, folder: Path, character: Character) -> Path:
    shutil.copytree(PROJECTS / tool.name, folder)
    game = folder / tool.sources
    game.mkdir(exist_ok=True)
    text = HELLO if tool.main in HELLO else HELLO.replace("int main(void)", tool.main).replace("    return 0;\n", "")
    (game / "hello.c").write_text(text, encoding="utf-8")
    character(game / "hero.glb")
    return folder


def products(folder: Path) -> dict[Path, int]:
    """Modification times of all that was generated, compiled or linked."""
    return {path: path.stat().st_mtime_ns for path in folder.rglob("*")
            if path.is_file() and (path.suffix in (".c", ".h", ".o", ".ossb", ".json", ".mk", ".elf")
                                   or path.name in ("game", "program"))}


def small_character(path: Path, clip: str = "Walk", degrees: float = 90.0) -> None:
    """A character with the names that hello.c uses, and quick to encode."""
    builder = GltfBuilder()
    hand = builder.node("right_hand", translation=[0.0, 1.0, 0.0])
    root = builder.node("root", children=[hand])
    times = [frame / 30 for frame in range(16)]
    for name in {"Walk": None, clip: None}:
        builder.animation(name, (root, "rotation", times, [turn("x", degrees * t) for t in times], "LINEAR"))
    builder.skin([root, hand])
    path.write_bytes(builder.glb_bytes())


def demo_character(path: Path) -> None:
    shutil.copy(ROOT / "codegen/demo/hero.glb", path)


@pytest.fixture(scope="session")
def expected(tmp_path_factory: pytest.TempPathFactory, built_encoder: None) -> Callable[[Character], str]:
    """Output of the game with a character when it is compiled without any rule."""
    return functools.cache(lambda character: without_a_rule(character, tmp_path_factory.mktemp("plain")))


def without_a_rule(character: Character, folder: Path) -> str:
    (folder / "hello.c").write_text(HELLO, encoding="utf-8")
    character(folder / "hero.glb")
    assert main(["build", str(folder / "hero.glb"), "-o", str(folder), "--quiet"]) == 0
    build_program("gcc", [*STRICT, *INCLUDES, f"-I{folder}"], [
        folder / "hello.c", *(folder / f"hero_{part}.c" for part in ("tables", "pose", "bank")), *RUNTIME],
                  folder / "game")
    return run(["./game"], folder)


@pytest.mark.parametrize("tool", [
    pytest.param(tool, id=name, marks=[] if name in ("make", "cmake-ninja") else pytest.mark.exhaustive)
    for tool, name in zip(TOOLS[1:], IDS[1:], strict=True)])
def test_a_character_in_a_game(tool: Tool, tmp_path: Path, expected: Callable[[Character], str]) -> None:
    """And a second build does nothing. The demo character takes longer: where the tool is not the real one, a
    small one will do."""
    character = small_character if tool.name in STAND_INS else demo_character
    folder = project_of(tool, tmp_path / "game", character)
    for command in tool.set_up:
        tool.run(command, folder)
    tool.run(tool.build, folder)
    assert run([f"./{tool.program}"], folder) == expected(character)
    before = products(folder)
    tool.run(tool.build, folder)
    assert products(folder) == before


@pytest.mark.parametrize("tool", TOOLS, ids=IDS)
def test_what_a_user_writes(tool: Tool) -> None:
    files = (tool.file, *tool.others)
    texts = [(PROJECTS / tool.name / file).read_text(encoding="utf-8") for file in files]
    lines = [line for text in texts for line in text.splitlines() if line.strip() and not line.startswith("#")]
    own_steps = len([step for step in tool.set_up if step[0] != "mkdir"]) - USUAL.get(tool.name, 0)
    assert len(lines) + own_steps <= tool.most_lines
    found = {str(path.relative_to(PROJECTS / tool.name)) for path in (PROJECTS / tool.name).rglob("*")
             if path.is_file()}
    assert found == set(files)


@pytest.mark.parametrize("tool", [
    pytest.param(tool, id=name, marks=[] if name == "make" else pytest.mark.exhaustive)
    for tool, name in zip(TOOLS, IDS, strict=True)])
def test_changes_are_built_and_nothing_else(tool: Tool, tmp_path: Path, built_encoder: None) -> None:
    folder = project_of(tool, tmp_path / "game", small_character)
    text = (folder / tool.file).read_text(encoding="utf-8")
    (folder / tool.file).write_text(text.replace("hero.glb", "hero.toml"), encoding="utf-8")
    game = folder / tool.sources
    (game / "hero.toml").write_text('inputs = ["hero.glb"]\ngenerate = "."\nembed = true\n', encoding="utf-8")
    for command in tool.set_up:
        tool.run(command, folder)
    tool.run(tool.build, folder)
    first, height = products(folder), run([f"./{tool.program}"], folder)
    header = next(path for path in first if path.name == "hero.h")

    small_character(game / "hero.glb", "Sit", degrees=120.0)
    tool.run(tool.build, folder)
    second = products(folder)
    assert "HERO_CLIP_SIT" in header.read_text(encoding="utf-8")
    assert run([f"./{tool.program}"], folder) != height
    compiled = {path.name for path in second if path.suffix == ".o" and second[path] != first.get(path)}
    assert compiled and not [name for name in compiled if "osc_" in name]  # not the runtime
    tool.run(tool.build, folder)
    assert products(folder) == second

    with (game / "hero.toml").open("a", encoding="utf-8") as file:
        file.write('tolerance = "4mm"\n')
    tool.run(tool.build, folder)
    third = products(folder)
    bank = next(path for path in third if path.name == "hero.ossb")
    assert third[bank] != second[bank] and third[folder / tool.program] != second[folder / tool.program]
    tool.run(tool.build, folder)
    assert products(folder) == third

    for text, facts in (('inputs = ["hero.glb"]\n', "generate"), ("tolerence = 1\n", "tolerence tolerance")):
        (game / "hero.toml").write_text(text, encoding="utf-8")
        assert mentions(" ".join(tool.run(tool.build, folder, status=1).split()), facts)


def test_a_game_in_cpp_with_assembler_for_the_target(tmp_path: Path) -> None:
    """With the target's compiler. That of this computer refuses the flags: nothing of the target is left."""
    tool = TOOLS[1]
    folder = project_of(tool, tmp_path / "game", small_character)
    (folder / "hello.c").rename(folder / "hello.cpp")
    (folder / "hero.toml").write_text('inputs = ["hero.glb"]\ngenerate = "."\nembed = true\ncodec = "curve"\n'
                                      'target = "cortex-m4"\noptimise = "cycles"\n', encoding="utf-8")
    text = (folder / tool.file).read_text(encoding="utf-8")
    text = text.replace("hello.c", "hello.cpp").replace("hero.glb", "hero.toml").replace(" C)", " C CXX)")
    (folder / tool.file).write_text(text, encoding="utf-8")
    assert "mps2_an386" in run(tool.set_up[0], folder)

    board = " ".join(load_target("cortex-m4").flags)
    cross = [*tool.set_up[0], "-B", "board", "-DCMAKE_SYSTEM_NAME=Generic",
             "-DCMAKE_TRY_COMPILE_TARGET_TYPE=STATIC_LIBRARY", "-DCMAKE_C_COMPILER=arm-none-eabi-gcc",
             "-DCMAKE_CXX_COMPILER=arm-none-eabi-gcc",
             f"-DCMAKE_EXE_LINKER_FLAGS={board} --specs=rdimon.specs", f"-DCMAKE_CXX_FLAGS={board}"]
    assert "add ASM to project()" in " ".join(run(cross, folder, status=1).split())
    (folder / tool.file).write_text(text.replace(" CXX)", " CXX ASM)"), encoding="utf-8")
    run(cross, folder)
    run(["cmake", "--build", "board"], folder)
    assert "osc_curve_fill" in run(["arm-none-eabi-nm", "board/game"], folder)


@pytest.mark.exhaustive
def test_a_makefile_of_devkitpro(tmp_path: Path, expected: Callable[[Character], str]) -> None:
    """With rules that stand for devkitPro's, and their compiler. The game runs on a PC that emulates the
    processor, and has no code that it does not need."""
    tool = Tool("devkitpro", "Makefile", 4, (), ["make", "game.elf"], "game.elf")
    folder = project_of(tool, tmp_path / "game", small_character)
    rules = {"DEVKITARM": str(Path(__file__).parent / "devkitarm")}
    run(["make"], folder, **rules)
    assert run(["qemu-arm", "game.elf"], folder) == expected(small_character)
    symbols = run(["arm-none-eabi-nm", "game.elf"], folder)
    assert "osc_player_start" in symbols and "osc_bank_attach_tier" not in symbols
    before = products(folder)
    run(["make"], folder, **rules)
    assert products(folder) == before


def test_code_of_a_target_in_the_memory_of_devkitpro(tmp_path: Path) -> None:
    """The game is in Thumb state, the runtime in ARM state, and hot code in sections with the one name that devkitPro's
    linker scripts know: what the game does not need is left out all the same."""
    tool = Tool("devkitpro", "Makefile", 4, (), ["make", "game.elf"], "game.elf")
    folder = project_of(tool, tmp_path / "game", small_character)
    (folder / "hero.toml").write_text('inputs = ["hero.glb"]\ngenerate = "."\nembed = true\ntarget = "gba"\n',
                                      encoding="utf-8")
    makefile = (folder / tool.file).read_text(encoding="utf-8")
    (folder / tool.file).write_text(makefile.replace("hero.glb", "hero.toml"), encoding="utf-8")
    assert "warning" not in run(["make"], folder, DEVKITARM=str(HERE / "devkitarm"))
    objects = folder / "build/build/ossicle"
    names = {line.split()[1] for path in objects.glob("*.o")
             for line in run(["arm-none-eabi-objdump", "-h", str(path)], folder).splitlines() if ".iwram" in line}
    assert names == {".iwram"}
    symbols = run(["arm-none-eabi-nm", "game.elf"], folder)
    assert "osc_player_seek_q11" in symbols and "osc_transition_apply" not in symbols
    code = {name: run(["arm-none-eabi-readelf", "-s", path], folder) for name, path in
            (("game", "build/hello.o"), ("runtime", str(objects / "osc_player.o")))}
    assert " $t" in code["game"] and " $a" in code["runtime"] and " $t" not in code["runtime"]


def build_sketch(folder: Path, sketch: str) -> None:
    """Builds a sketch of the folder with the real arduino-builder, the libraries of the folder, those of the tests, and
    a package that has this computer in the place of a board."""
    (folder / "built").mkdir()
    output = run(["arduino-builder", "-compile", "-fqbn", "ossicle:host:pc", "-libraries", "libraries",
                  "-libraries", str(HERE / "arduino/libraries"),
                  "-hardware", "/usr/share/arduino-builder", "-tools", "/usr/share/arduino-builder",
                  "-hardware", str(HERE / "arduino"), "-build-path", str(folder / "built"), sketch], folder)
    assert "warning" not in output.lower()


@pytest.mark.exhaustive
def test_a_sketch_of_arduino(tmp_path: Path, expected: Callable[[Character], str]) -> None:
    sketch = tmp_path / "game"
    shutil.copytree(PROJECTS / "arduino", sketch)
    small_character(tmp_path / "hero.glb")
    run(["ossicle", "runtime", "--library", "-o", "libraries/Ossicle"], tmp_path)
    run(["ossicle", "build", "hero.glb", "-o", "game/src"], tmp_path)
    build_sketch(tmp_path, "game/game.ino")
    assert run(["built/game.ino.elf"], tmp_path) == expected(small_character)
    symbols = run(["nm", "built/game.ino.elf"], tmp_path)
    assert "osc_player_start" in symbols and "osc_bank_attach_tier" not in symbols


@pytest.mark.parametrize("tool", [*TOOLS[1:], Tool("devkitpro", "Makefile", 4, (), [], ""),
                                  Tool("arduino", "game.ino", 0, (), [], ""),
                                  *(Tool(name, file, 0, (), [], "") for name, file in SDK_FILES)],
                         ids=lambda tool: f"{tool.name}-{tool.file}")
def test_the_page_shows_these_projects(tool: Tool) -> None:
    shown = [block.text for block in read_blocks(read_page("codegen/rules/README.md"), "rules")]
    text = (PROJECTS / tool.name / tool.file).read_text(encoding="utf-8")
    first = {"devkitpro": "OSSICLE_CHARACTERS", "butano": "ifeq"}.get(tool.name, "")
    assert text[text.index(first):].split("\n\nendif")[0].rstrip("\n") + "\n" in shown
