"""Games that draw a character with a library for graphics. SDL2 is the real one; for others, substitutes print what
they are given."""
from __future__ import annotations

import math
import shutil
from pathlib import Path

import numpy as np
import pytest
from gltf_builder import GltfBuilder, turn
from pages import read_blocks, read_page
from PIL import Image
from test_build_rules import HERE, PROJECTS, RULES, build_sketch, demo_character, run
from tools.release.sketch import example, write_sketch

pytestmark = pytest.mark.integration

Pixels = np.ndarray[tuple[int, ...], np.dtype[np.uint8]]
Mask = np.ndarray[tuple[int, ...], np.dtype[np.bool_]]
SETTINGS = 'inputs = ["hero.glb"]\ngenerate = "."\nembed = true\nskinning = true\n'
BACKGROUND = (48, 64, 120)  # behind the character in the SDL2 game
SHOWN_LEAST, SHOWN_MOST = 0.03, 0.3  # parts of the picture that a whole character covers
BACKGROUND_565 = 48 >> 3 << 11 | 64 >> 2 << 5 | 120 >> 3  # behind it in the LVGL widget
DEGREES_A_SECOND = 90.0
FRAME_SECONDS = 0.125  # between two frames of the raylib stand-in
HEIGHT_M = (1.6, 1.9)  # how tall the demo character is while it walks
CENTRE_M = 0.1
EDGE_M = 0.4  # the longest edge of its triangles, at most
ROUNDING_M = 2e-4  # the bank's half a millimetre a metre, and four printed digits


def project(name: str, folder: Path, settings: str = "") -> Path:
    shutil.copytree(PROJECTS / name, folder)
    (folder / "hero.toml").write_text(SETTINGS + settings, encoding="utf-8")
    return folder


def turning_character(path: Path) -> None:
    """A hand a metre above the root, which turns. The matrices of the bind pose are those of joints."""
    builder = GltfBuilder()
    hand = builder.node("right_hand", translation=[0.0, 1.0, 0.0])
    root = builder.node("root", children=[hand])
    times = [frame / 30 for frame in range(31)]
    builder.animation("Walk", (root, "rotation", times, [turn("x", DEGREES_A_SECOND * t) for t in times], "LINEAR"))
    builder.skin([root, hand])
    path.write_bytes(builder.glb_bytes())


def check_pictures(shown: list[Mask]) -> None:
    """All of the character is in each picture, and moves."""
    for part in shown:
        assert SHOWN_LEAST < part.mean() < SHOWN_MOST
        rows, columns = np.nonzero(part)
        assert abs(columns.mean() / part.shape[1] - 0.5) < 0.1 and 0.5 < np.ptp(rows) / part.shape[0] < 0.9
    assert (shown[0] != shown[1]).any() and (shown[1] != shown[2]).any()


def pictures(folder: Path) -> list[Pixels]:
    return [np.asarray(Image.open(folder / f"{number}.bmp").convert("RGB")) for number in range(3)]


def prepare_sdl(folder: Path) -> str:
    """Adds the character and the code that saves pictures to a game. Returns the flags that link this code."""
    demo_character(folder / "hero.glb")
    shutil.copy(HERE / "sdl/save_pictures.c", folder)
    run(["sh", "-c", "cc -c save_pictures.c $(sdl2-config --cflags)"], folder)
    return f"-Wl,--wrap=SDL_RenderPresent -Wl,--wrap=SDL_GetTicks {folder}/save_pictures.o"


def test_a_game_of_sdl(tmp_path: Path) -> None:
    """With the library's software renderer. The character is in the middle, shaded in its colours, and moves."""
    folder = project("sdl", tmp_path / "game", 'matrices = "q14"\n')
    wrapped = prepare_sdl(folder)
    make = ["make", "CFLAGS=-std=c99 -Wall -Wextra -Werror", f"CC=cc {wrapped}", "game"]
    run(["make", "CFLAGS=-std=c99 -Wall -Wextra -Werror", "game.o"], folder)
    run(make, folder)
    run(["./game"], folder, SDL_VIDEODRIVER="dummy", SDL_RENDER_DRIVER="software")
    shown = [(picture != BACKGROUND).any(axis=2) for picture in pictures(folder)]
    check_pictures(shown)
    assert len(np.unique(pictures(folder)[0][shown[0]], axis=0)) > 20  # shades between those of the ramps


@pytest.mark.exhaustive
def test_a_game_of_sdl_in_cmake(tmp_path: Path) -> None:
    """The files of the page, with its hero.toml."""
    folder = project("sdl", tmp_path / "game")
    page = read_blocks(read_page("codegen/rules/README.md").partition("\n## SDL2\n")[2])
    (folder / "hero.toml").write_text(next(block.text for block in page if block.language == "toml"), encoding="utf-8")
    wrapped = prepare_sdl(folder)
    run(["cmake", "-B", "build", "-G", "Ninja", f"-DOssicle_DIR={RULES / 'cmake'}",
         f"-DCMAKE_C_STANDARD_LIBRARIES={wrapped}", "-DCMAKE_C_FLAGS=-Wall -Wextra -Werror"], folder)
    run(["cmake", "--build", "build"], folder)
    run(["build/game"], folder, SDL_VIDEODRIVER="dummy", SDL_RENDER_DRIVER="software")
    check_pictures([(picture != BACKGROUND).any(axis=2) for picture in pictures(folder)])


@pytest.mark.exhaustive
@pytest.mark.parametrize("version", [5, 6])
def test_a_game_of_raylib(tmp_path: Path, version: int) -> None:
    """Vertices and normals follow their bones; a second one blends two of them."""
    folder = project("raylib", tmp_path / "game")
    turning_character(folder / "hero.glb")
    run(["cmake", "-B", "build", "-G", "Ninja", f"-DOssicle_DIR={RULES / 'cmake'}", f"-Draylib_DIR={HERE / 'raylib'}",
         f"-DCMAKE_C_FLAGS=-Wall -Wextra -Werror -DRAYLIB_VERSION_MAJOR={version}"], folder)
    run(["cmake", "--build", "build"], folder)
    lines = np.array([line.split() for line in run(["build/game"], folder).splitlines()], float).reshape(3, 2, 2, 3)
    for frame, drawn in enumerate(lines):
        angle = math.radians(DEGREES_A_SECOND * FRAME_SECONDS * frame)
        along = np.array([0.0, math.cos(angle), math.sin(angle)])
        across = np.array([0.0, -math.sin(angle), math.cos(angle)])
        expected = [[1.5 * along, along], [along, across]]
        assert np.abs(drawn - expected).max() < ROUNDING_M


@pytest.mark.exhaustive
def test_a_widget_of_lvgl(tmp_path: Path) -> None:
    """It draws until it is deleted, and asks LVGL to show each picture. A second build does nothing; it builds the mesh
    again if the bank has changed."""
    folder = project("lvgl", tmp_path / "game", 'matrices = "q14"\n')
    demo_character(folder / "hero.glb")
    shutil.copytree(HERE / "lvgl", folder, dirs_exist_ok=True)
    run(["cmake", "-B", "build", "-G", "Ninja", f"-DOssicle_DIR={RULES / 'cmake'}",
         "-DCMAKE_C_FLAGS=-Wall -Wextra -Werror"], folder)
    run(["cmake", "--build", "build"], folder)
    width, height = map(int, run(["build/game"], folder).split())
    pixels = [np.fromfile(folder / f"{number}.565", "<u2").reshape(height, width) for number in range(3)]
    check_pictures([part != BACKGROUND_565 for part in pixels])
    assert "no work to do" in run(["cmake", "--build", "build"], folder)
    with (folder / "hero.toml").open("a", encoding="utf-8") as file:
        file.write('drop = ["left_hand"]\n')
    assert "hero_mesh" in run(["cmake", "--build", "build"], folder)


def test_the_example_of_the_arduino_library_is_the_sketch(tmp_path: Path) -> None:
    write_sketch(tmp_path / "ST7789")
    files = [path for path in tmp_path.rglob("*") if path.suffix in (".ino", ".h", ".c", ".cpp")]
    found = example()
    assert "examples/ST7789/ST7789.ino" in found
    assert {f"examples/{path.relative_to(tmp_path)}": path.read_bytes() for path in files}.items() <= found.items()


@pytest.mark.exhaustive
def test_the_sketch_of_the_arduino_library(tmp_path: Path) -> None:
    """On a substitute for the library of the display. The picture is in its middle."""
    write_sketch(tmp_path / "ST7789")
    run(["ossicle", "runtime", "--library", "-o", "libraries/Ossicle"], tmp_path)
    build_sketch(tmp_path, "ST7789/ST7789.ino")
    display, *windows = [list(map(int, line.split())) for line in run(["built/ST7789.ino.elf"], tmp_path).splitlines()]
    for left, top, width, height in windows:
        assert [2 * left + width, 2 * top + height] == display
    pixels = [np.fromfile(tmp_path / f"{number}.565", "<u2").reshape(height, width) for number in range(3)]
    check_pictures([part != BACKGROUND_565 for part in pixels])


@pytest.mark.exhaustive
def test_a_game_of_blocksds(tmp_path: Path) -> None:
    """With a substitute for libnds, on an emulated processor: the corners of all triangles, as the hardware moves them.
    A corner that followed another joint would be far from its neighbours. Hot code is in the fast memory."""
    folder = project("blocksds", tmp_path / "game", 'matrices = "20.12"\ntarget = "nds"\n')
    demo_character(folder / "hero.glb")
    run(["make"], folder, BLOCKSDS=str(HERE / "blocksds"))
    printed = run(["qemu-arm", "game.nds"], folder).split()
    corners = np.array(printed, float).reshape(3, -1, 3, 3) / 4096  # pictures, triangles, corners, axes
    header = (folder / "build/ossicle/hero_mesh.h").read_text(encoding="utf-8")
    assert f"HERO_MESH_FACES {corners.shape[1]}u" in header
    for drawn in corners:
        assert HEIGHT_M[0] < np.ptp(drawn[..., 1]) < HEIGHT_M[1] and np.abs(drawn[..., 0].mean()) < CENTRE_M
        assert np.linalg.norm(drawn - np.roll(drawn, 1, axis=1), axis=2).max() < EDGE_M
    assert (corners[0] != corners[1]).any() and (corners[1] != corners[2]).any()
    sections = run(["arm-none-eabi-objdump", "-h", "build/ossicle/hero_pose.o"], folder)
    assert ".itcm" in sections and ".dtcm" in sections
    assert "Nothing to be done" in run(["make"], folder, BLOCKSDS=str(HERE / "blocksds"))
