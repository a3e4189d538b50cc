"""Only the codecs of a bank cost flash: generated code names them, and the linker drops the others."""
from __future__ import annotations

import ctypes
import re
from itertools import combinations
from pathlib import Path

import pytest
from c_programs import RUNTIME, build_program
from compiling import INCLUDES, ROOT, STRICT, compile_strict, run
from encoded_banks import encoded

from ossicle import machines
from ossicle.base.codec import CODECS, OWN_CODECS
from ossicle.base.format import codec_entries
from ossicle.generate.code import Code
from ossicle.generate.emit import generate

OSC_ERROR_CODEC, OSC_ERROR_LAYOUT = -13, -12
KEYS = ("osc_keys.c", "osc_unit.c")
SOURCES_OF = {"delta": ("osc_delta.c",), "curve": ("osc_curve.c", "osc_curve_arithmetic.c", "osc_curve_base.c",
                                                   "osc_curve_dense.c"),
              "transform": ("osc_transform.c", "osc_transform_basis.c", "osc_transform_segments.c",
                            "osc_unit.c"),
              "velocity": ("osc_velocity.c",), "sparse": ("osc_sparse.c", *KEYS),
              "dense": ("osc_dense.c", *KEYS)}
CHOICES = [choice for count in (1, 2, 3, 4) for choice in combinations(OWN_CODECS, count)]
CHOICES += [("sparse",), ("dense",), ("delta", "sparse", "dense"), CODECS]
# Less would mean that most of a codec was still there. Bytes of Thumb code at -O2.
LEAST_SAVED = {"curve": 2500, "transform": 1500}


def runtime_sources(codecs: tuple[str, ...]) -> list[Path]:
    """The runtime without the files of all other codecs, and without the one that names them all."""
    needed = {name for codec in codecs for name in SOURCES_OF[codec]}
    left_out = {name for names in SOURCES_OF.values() for name in names} - needed
    return [path for path in RUNTIME if path.name not in left_out | {"osc_all_codecs.c"}]


def generated(codecs: tuple[str, ...], folder: Path, name: str = "hero") -> list[Path]:
    """The generated files of a bank with these codecs, header first."""
    bank = folder / f"{name}.ossb"
    bank.write_bytes(encoded(codecs)[0])
    return generate(bank, folder)


def test_the_codecs_have_these_files() -> None:
    for names in SOURCES_OF.values():
        assert {path.name for path in RUNTIME} >= set(names)
    assert {path.name for path in RUNTIME} >= {f"osc_{codec}.c" for codec in CODECS}


def test_the_list_of_codecs_is_in_the_order_of_their_numbers() -> None:
    """Tables are expanded from it, and generated, by position."""
    text = (ROOT / "runtime/bank/osc_codecs.def").read_text(encoding="utf-8")
    assert re.findall(r"^OSC_CODEC\(\w+, (\w+),", text, re.MULTILINE) == list(CODECS)
    assert [entry.number for entry in codec_entries()] == list(range(1, len(CODECS) + 1))


@pytest.mark.parametrize("codecs", CHOICES, ids="+".join)
def test_a_runtime_without_the_files_of_other_codecs(codecs: tuple[str, ...], tmp_path: Path) -> None:
    """Generated code links without them even where nothing is optimised, and knows which banks it can play."""
    sources = [path for path in generated(codecs, tmp_path) if path.suffix == ".c"]
    library = tmp_path / "runtime.so"
    build_program("gcc", [*STRICT, "-O0", "-fPIC", *INCLUDES, f"-I{tmp_path}"],
                  [*sources, *runtime_sources(codecs)], library, ["-shared", "-Wl,-z,defs"])
    open_bank = ctypes.CDLL(str(library)).hero_open
    for codec in CODECS:
        data, _ = encoded((codec,))
        words = (ctypes.c_uint32 * (len(data) // 4)).from_buffer_copy(data)
        status = open_bank((ctypes.c_uint64 * 64)(), words, ctypes.c_size_t(len(data)))
        assert status in ((0, OSC_ERROR_LAYOUT) if codec in codecs else (OSC_ERROR_CODEC,))


def test_two_banks_may_share_a_runtime(tmp_path: Path) -> None:
    sources = [path for name, codec in (("hero", "curve"), ("dog", "transform"))
               for path in generated((codec,), tmp_path, name) if path.suffix == ".c"]
    build_program("gcc", [*STRICT, "-O0", "-fPIC", *INCLUDES, f"-I{tmp_path}"],
                  [*sources, *runtime_sources(("curve", "transform"))], tmp_path / "runtime.so",
                  ["-shared", "-Wl,-z,defs"])


@pytest.mark.parametrize("codecs", [("delta",), ("delta", "curve"), CODECS], ids="+".join)
def test_the_generated_header_says_which(codecs: tuple[str, ...], tmp_path: Path) -> None:
    text = generated(codecs, tmp_path)[0].read_text(encoding="utf-8")
    assert f" * Here: {', '.join(codecs)}. */\n" in text


@pytest.mark.exhaustive
def test_parts_left_out_save_flash(tmp_path: Path) -> None:
    """Three banks of the same clip, one a codec, and one of all: as built for a device."""
    sizes = {}
    for codecs in (CODECS, ("delta",), ("delta", "curve"), ("delta", "transform")):
        folder = tmp_path / "-".join(codecs)
        folder.mkdir()
        (folder / "bank.ossb").write_bytes(encoded(codecs)[0])
        generate(folder / "bank.ossb", folder, Code("character", embed=True))
        sizes[codecs] = machines.footprint(machines.build("microbit", folder, folder / "out")).flash_code_bytes
    for codec, other in (("curve", "transform"), ("transform", "curve")):
        assert sizes[CODECS] - sizes["delta", other] >= LEAST_SAVED[codec]
        assert sizes["delta", codec] - sizes["delta",] >= LEAST_SAVED[codec]


DAMAGED = r"""
#include <string.h>
#include "hero.h"

static uint32_t copy[HERO_BANK_WORDS];
static osc_bank bank;

/* The embedded bank opens unchecked, and equals a checked one; a copy is checked. */
int main(void)
{
    if (hero_open(&bank, hero_bank, HERO_BANK_BYTES) != OSC_OK)
        return 1;
    if (memcmp(&bank, &hero_embedded, offsetof(osc_bank, has_scale) + 1u) != 0)
        return 2;
    memset(&bank, 0, sizeof bank);
    if (osc_bank_open_codecs(&bank, hero_bank, HERO_BANK_BYTES, hero_codecs, hero_checks) != OSC_OK)
        return 3;
    if (memcmp(&bank, &hero_embedded, offsetof(osc_bank, has_scale) + 1u) != 0)
        return 4;
    memcpy(copy, hero_bank, sizeof copy);
    if (hero_open(&bank, copy, HERO_BANK_BYTES) != OSC_OK || bank.words != copy)
        return 5;
    copy[HERO_BANK_WORDS / 2] ^= 1u;
    if (hero_open(&bank, copy, HERO_BANK_BYTES) != OSC_ERROR_CRC)
        return 6;
    return hero_open(&bank, hero_bank, HERO_BANK_BYTES - 4) == OSC_ERROR_SIZE ? 0 : 7;
}
"""


@pytest.mark.parametrize("codecs", [("delta",), ("delta", "transform"), CODECS], ids="+".join)
def test_the_embedded_bank_is_open(codecs: tuple[str, ...], tmp_path: Path) -> None:
    bank, program = tmp_path / "hero.ossb", tmp_path / "program.c"
    bank.write_bytes(encoded(codecs)[0])
    program.write_text(DAMAGED, encoding="utf-8")
    files = generate(bank, tmp_path, Code(embed=True))
    compile_strict("gcc", [*files[1:], program], tmp_path / "program")
    run([tmp_path / "program"])
