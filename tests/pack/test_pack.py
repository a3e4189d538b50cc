"""`ossicle pack`: the image plays on a device as the whole bank does."""
from __future__ import annotations

import zlib
from collections.abc import Sequence
from pathlib import Path

import pytest
from c_programs import INCLUDES, RUNTIME, SANITIZERS, SANITIZING, STRICT, build_program
from running import contents, run_inside
from tiered_bank import tiered

from ossicle.bank.file import parse_bank
from ossicle.bank.strip import without_tiers
from ossicle.machines.tools import checked_tool
from mentions import mentions

HERE = Path(__file__).parent
CPP = ["-xc++", "-std=c++11", "-Wall", "-Wextra", "-Wold-style-cast", "-Wconversion", "-Werror"]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two banks: a hero with three tiers, of which the last is empty, and a dog with two."""
    (tmp_path / "hero.ossb").write_bytes(tiered(3))
    (tmp_path / "dog.ossb").write_bytes(tiered(2, seed=7))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def tiers_in(path: Path) -> list[bytes]:
    bank = parse_bank(path.read_bytes())
    _, gone = without_tiers(bank, 0)
    return [gone.get(number, b"") for number in range(1, len(bank.tiers) + 1)]


def expected_image(tiers: list[bytes], unit: int) -> tuple[bytes, list[int]]:
    """The image of tiers, and the place of each in it."""
    image, places = b"", []
    for tier in tiers:
        places.append(len(image))
        units = (len(tier) + unit - 1) // unit
        image += tier.ljust(units * unit, b"\xff")
    return image, places


@pytest.mark.parametrize(("unit", "size"), [("spi", 256), ("card", 512), ("nand", 2048), ("file", 4), ("4", 4),
                                            ("64", 64), ("1048576", 1 << 20), (None, 512)])
def test_tiers_begin_at_units(folder: Path, unit: str | None, size: int) -> None:
    ran = run_inside("pack", "hero.ossb", "dog.ossb", "-o", "out/card.img", "--header", "out/card.h",
                     *(("--unit", unit) if unit else ()))
    assert ran.status == 0 and ran.err == ""
    image, places = expected_image(tiers_in(folder / "hero.ossb") + tiers_in(folder / "dog.ossb"), size)
    assert (folder / "out/card.img").read_bytes() == image
    header = (folder / "out/card.h").read_text(encoding="utf-8")
    assert f"hero_tier_places[] = {{{places[0]}u, {places[1]}u, {places[2]}u}};" in header
    assert f"dog_tier_places[] = {{{places[3]}u, {places[4]}u}};" in header
    assert f"#define CARD_IMAGE_BYTES {len(image)}u\n" in header
    assert f"#define CARD_IMAGE_UNIT_BYTES {size}u\n" in header
    assert f"#define CARD_IMAGE_CRC 0x{zlib.crc32(image):08x}u\n" in header


def test_output_and_files(folder: Path) -> None:
    ran = run_inside("pack", "hero.ossb", "dog.ossb", "-o", "card.img", "--header", "card.h", "--bases", "flash")
    assert ran.out.splitlines()[-4:] == ["wrote card.img", "wrote card.h", "wrote flash/hero.base.ossb",
                                         "wrote flash/dog.base.ossb"]
    _, places = expected_image(tiers_in(folder / "hero.ossb") + tiers_in(folder / "dog.ossb"), 512)
    rows = [line.split() for line in ran.out.splitlines()]
    hero = parse_bank((folder / "hero.ossb").read_bytes())
    base = (folder / "flash/hero.base.ossb").read_bytes()
    assert rows[0] == ["bank", "part", "place", "bytes", "chunks", "error", "mm"]
    assert rows[1][:3] == ["hero", "base", f"{len(base):,}"]
    for row, number, tier, place in zip(rows[2:], (1, 2, 3), hero.tiers, places):
        assert row[:5] == ["tier", str(number), f"{place:,}", f"{4 * tier.words:,}", str(len(tier.chunks))]
        assert tier.error_mm <= float(row[5]) < tier.error_mm + 1.001e-4
    assert base == without_tiers(hero, 0)[0]
    assert run_inside("pack", "hero.ossb", "-o", "card.img", "--quiet").out == ""
    assert not (folder / "hero.base.ossb").exists()  # it was not asked for


def test_the_same_every_time(folder: Path) -> None:
    for out in ("a", "b"):
        assert run_inside("pack", "hero.ossb", "dog.ossb", "-o", f"{out}/card.img", "--header", f"{out}/card.h",
                          "--embed").status == 0
    assert contents(folder / "a") == contents(folder / "b") != {}


def test_an_offset_is_added_to_all_places(folder: Path) -> None:
    for out, more in (("a", ()), ("b", ("--at", "0x10000"))):
        assert run_inside("pack", "hero.ossb", "-o", f"{out}/card.img", "--header", f"{out}/card.h", *more).status == 0
    assert (folder / "a/card.img").read_bytes() == (folder / "b/card.img").read_bytes()
    _, places = expected_image(tiers_in(folder / "hero.ossb"), 512)
    header = (folder / "b/card.h").read_text(encoding="utf-8")
    assert f"hero_tier_places[] = {{{', '.join(f'{65536 + place}u' for place in places)}}};" in header
    assert "#define CARD_IMAGE_PLACE 65536u\n" in header


def packed_program(folder: Path, *more: str, compiler: str = "gcc", flags: Sequence[str] = STRICT) -> Path:
    """attach_driver.c with the bases of both banks compiled in."""
    assert run_inside("pack", "hero.ossb", "dog.ossb", "-o", "code/card.img", "--header", "code/card.h",
                      "--embed", *more).status == 0
    sources = sorted((folder / "code").glob("*.c"))
    assert len(sources) == 6
    return build_program(compiler, [*flags, *INCLUDES, f"-I{folder / 'code'}"],
                         [HERE / "attach_driver.c", *sources, *RUNTIME], folder / "play")


@pytest.mark.parametrize("more", [(), ("--unit", "file"), ("--at", "4096", "--unit", "nand")])
def test_a_bank_cut_from_the_image_plays_as_the_whole_bank(folder: Path, more: tuple[str, ...]) -> None:
    program = packed_program(folder, *more)
    printed = checked_tool([str(program), str(folder / "code/card.img"), "hero.ossb", "dog.ossb"], "play")
    lines = [line.split() for line in printed.splitlines()]
    assert len(lines) == 2
    for base, first, both, reverse, whole in lines:
        assert both == reverse == whole
        assert len({base, first, both}) == 3
    for name, (base, first, *_) in zip(("hero", "dog"), lines):  # as stripped banks do
        for keep, poses in ((0, base), (1, first)):
            assert run_inside("strip", f"{name}.ossb", "--tiers", keep, "-o", f"less/{name}.ossb").status == 0
            files = [f"less/{item}.ossb" if item == name else f"{item}.ossb" for item in ("hero", "dog")]
            printed = checked_tool([str(program), str(folder / "code/card.img"), *files], "play")
            assert printed.splitlines()[name == "dog"].split()[-1] == poses


def test_the_memory_of_a_player_is_enough_for_all_versions(folder: Path) -> None:
    """No clip writes outside its buffers: addresses and overflows are watched."""
    plain, watched = (checked_tool([str(packed_program(folder, compiler=compiler, flags=flags)),
                                    str(folder / "code/card.img"),
                                    "hero.ossb", "dog.ossb"], "play")
                      for compiler, flags in (("gcc", STRICT), (SANITIZING, [*STRICT, *SANITIZERS])))
    assert plain == watched != ""


@pytest.mark.parametrize("compiler", ["gcc", "clang"])
def test_the_header_is_c_and_cplusplus_without_warnings(folder: Path, compiler: str) -> None:
    assert run_inside("pack", "hero.ossb", "dog.ossb", "-o", "card.img", "--header", "card.h").status == 0
    (folder / "game.c").write_text('#include "card.h"\n#include "card.h"\n'
                                   "uint32_t place(int tier);\n"
                                   "uint32_t place(int tier) { return hero_tier_places[tier] + dog_tier_places[0] + "
                                   "HERO_TIER_1_BYTES + CARD_IMAGE_CRC; }\n", encoding="utf-8")
    for flags in (STRICT, CPP):
        checked_tool([compiler, *flags, "-Wshadow", "-fsyntax-only", str(folder / "game.c")], "header")


def test_tiers_that_were_left_out_come_from_files(folder: Path) -> None:
    assert run_inside("strip", "hero.ossb", "--tiers", "1", "--tier-files", "-o", "less/hero.ossb").status == 0
    assert sorted(path.name for path in (folder / "less").iterdir()) == ["hero.ossb", "hero.ossb.tie2"]
    assert run_inside("pack", "hero.ossb", "-o", "a/card.img").status == 0
    assert run_inside("pack", "less/hero.ossb", "--tier-files", "-o", "b/card.img").status == 0
    assert contents(folder / "a") == contents(folder / "b") != {}


def write_case(folder: Path, name: str) -> None:
    if name == "plain.ossb":
        (folder / name).write_bytes(tiered(0))
    elif name == "class.ossb":
        (folder / name).write_bytes(tiered(1))
    elif name.startswith("less"):
        arguments = () if name == "less.ossb" else ("--tier-files",)
        assert run_inside("strip", "hero.ossb", "--tiers", "0", "-o", name, *arguments).status == 0
    if name == "less2.ossb":
        data = bytearray((folder / "less2.ossb.tie2").read_bytes())
        data[40] ^= 1
        (folder / "less2.ossb.tie2").write_bytes(data)


@pytest.mark.parametrize(("arguments", "message"), [
    (("plain.ossb", "-o", "card.img"), "plain.ossb --tiers"),
    (("less.ossb", "-o", "card.img"), "less.ossb 1 --tier-files less.ossb.tie1"),
    (("less.ossb", "-o", "card.img", "--tier-files"), "less.ossb.tie1 No such file or directory --tier-files"),
    (("less2.ossb", "-o", "card.img", "--tier-files"), "less2.ossb.tie2 2 less2.ossb --tier-files"),
    (("less3.ossb", "-o", "less3.ossb.tie1", "--tier-files"), "less3.ossb.tie1 less3.ossb"),
    (("hero.ossb", "./hero.ossb", "-o", "card.img"), "hero.ossb hero"),
    (("class.ossb", "-o", "card.img"), "class.ossb class C++"),
    (("hero.ossb", "-o", "hero.ossb"), "hero.ossb"),
    (("hero.ossb", "-o", "card.img", "--header", "dog.ossb/card.h"), "dog.ossb/card.h Not a directory"),
    (("hero.ossb", "-o", "card.img", "--header", "./card.img"), "card.img"),
    (("hero.ossb", "-o", "card.img", "--embed", "--header", "hero.h"), "hero.h"),
    (("hero.ossb", "-o", "hero.base.ossb", "--bases", "."), "hero.base.ossb"),
    (("hero.ossb", "-o", "card.img", "--at", "700"), "--at 700 512 1024"),
    (("hero.ossb", "-o", "card.img", "--at", "4294966784"), "hero.ossb 4,294,968,832 4,294,967,296 --at"),
    (("hero.ossb", "-o", "card.img", "--at", "-512"), "--at -512 0"),
    (("hero.ossb", "-o", "card.img", "--unit", "100"), "--unit 100 4 1048576 spi"),
    (("hero.ossb", "-o", "card.img", "--unit", "2"), "--unit 2"),
    (("hero.ossb", "-o", "card.img", "--unit", "2097152"), "--unit 2097152"),
    (("hero.ossb", "-o", "card.img", "--unit", "cart"), "--unit cart card"),
    (("gone.ossb", "-o", "card.img"), "gone.ossb No such file or directory"),
])
def test_what_cannot_be_packed(folder: Path, arguments: tuple[str, ...], message: str) -> None:
    write_case(folder, arguments[0])
    before = contents(folder)
    ran = run_inside("pack", *arguments)
    assert ran.status == 1 and mentions(ran.line, message), ran.line
    assert contents(folder) == before
