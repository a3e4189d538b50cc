"""The generated table of the joints in the order of the skin, to which vertices of a mesh refer."""
from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from bank_writer import Skeleton, write_bank
from compiling import compile_strict, run
from gltf_builder import GltfBuilder, turn

from ossicle.bank.file import BankProblem, parse_bank
from ossicle.encoding.encoder import encode
from ossicle.encoding.settings import Settings
from ossicle.generate.emit import generate
from ossicle.model.import_options import ImportOptions
from mentions import mentioning

CHAIN = ("Root", "Hips", "Spine", "Hand", "Finger")
SHUFFLED = (3, 0, 4, 1, 2)

MAIN = '''#include "hero.h"
#include <stdio.h>
int main(void)
{
    for (size_t i = 0; i < sizeof hero_skin_joints / sizeof *hero_skin_joints; i++)
        puts(hero_joint_names[hero_skin_joints[i]]);
    return 0;
}
'''


def bank_of(folder: Path, skin: Sequence[int] | None, drop: tuple[str, ...] = ()) -> bytes:
    """The bank of a chain of joints that the skin lists in this order."""
    g = GltfBuilder()
    for number, name in enumerate(CHAIN):
        g.node(name, translation=[0, 0.2, 0], **({"children": [number + 1]} if number < 4 else {}))
    if skin is not None:
        g.skin(list(skin))
    g.animation("Nod", *((joint, "rotation", [0, 0.5], [turn("x", 0), turn("x", 20)], "LINEAR")
                         for joint in range(len(CHAIN))))
    return encode([g.write_glb(folder)], Settings(importing=ImportOptions(drop=drop))).bank


def table_of(folder: Path, bank: bytes) -> list[str]:
    """The names of the joints in the table that is generated for a bank."""
    (folder / "hero.ossb").write_bytes(bank)
    generate(folder / "hero.ossb", folder)
    (folder / "main.c").write_text(MAIN, encoding="utf-8")
    compile_strict("gcc", [folder / "main.c", folder / "hero_tables.c"], folder / "print", "-O0")
    return run([folder / "print"]).stdout.split()


def test_it_has_the_order_of_the_skin(tmp_path: Path) -> None:
    assert table_of(tmp_path, bank_of(tmp_path, SHUFFLED)) == [CHAIN[joint] for joint in SHUFFLED]


@pytest.mark.parametrize("skin", [None, range(5)])
def test_the_order_of_the_bank_takes_no_bytes(skin: Sequence[int] | None, tmp_path: Path) -> None:
    bank = bank_of(tmp_path, skin)
    assert "SKJN" not in [section.tag for section in parse_bank(bank).sections]
    assert table_of(tmp_path, bank) == list(CHAIN)


@pytest.mark.parametrize(("drop", "expected"), [
    (("Spine", "Finger"), ["Hand", "Root", "Hand", "Hips", "Hips"]),
    (("Hand", "Finger"), ["Spine", "Root", "Spine", "Hips", "Spine"]),
    (("Root",), ["Hand", "Hips", "Finger", "Hips", "Spine"]),
])
def test_vertices_of_a_joint_that_is_left_out_follow_the_one_above(
        drop: tuple[str, ...], expected: list[str], tmp_path: Path) -> None:
    assert table_of(tmp_path, bank_of(tmp_path, SHUFFLED, drop)) == expected


@pytest.mark.parametrize(("words", "message"), [
    ([], "SKJN 0"),
    ([0], "SKJN 1"),
    ([3, 0], "SKJN 2"),
    ([2, 0, 0], "SKJN 3"),
    ([2, 2 << 16], "2"),
])
def test_a_damaged_section_is_refused(words: list[int], message: str) -> None:
    still = [0, 0, 0, 1 << 20, 0, 0, 0]
    skeleton = Skeleton([-1, 0], [still, still], [[], [], []])
    assert parse_bank(write_bank(skeleton, [], extra=[(b"SKJN", False, [3, 1 << 16, 1])])).skin_joints == (0, 1, 1)
    with pytest.raises(BankProblem, match=mentioning(message)):
        parse_bank(write_bank(skeleton, [], extra=[(b"SKJN", False, words)]))
