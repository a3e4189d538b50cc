"""Only the codecs of a bank cost flash: OSC_CODECS leaves the others out, and banks that need them
are refused."""
from __future__ import annotations

import ctypes
from itertools import combinations
from pathlib import Path

import pytest
from c_programs import RUNTIME, build_program
from compiling import INCLUDES, ROOT, STRICT, run
from test_generator_codecs import encoded

from ossicle import targets
from ossicle.base.codec import CODECS, OWN_CODECS, codec_bits
from ossicle.generate.emit import generate
from ossicle.targets import TargetError

OSC_ERROR_CLIP, OSC_ERROR_CODEC = -8, -13
KEYS = ("osc_keys.c", "osc_unit.c")
SOURCES_OF = {"delta": ("osc_delta.c",), "curve": ("osc_curve.c", "osc_curve_arithmetic.c",
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
    """The runtime without the files of all other codecs."""
    needed = {name for codec in codecs for name in SOURCES_OF[codec]}
    left_out = {name for names in SOURCES_OF.values() for name in names} - needed
    return [path for path in RUNTIME if path.name not in left_out]


def test_the_codecs_have_these_files() -> None:
    for names in SOURCES_OF.values():
        assert {path.name for path in RUNTIME} >= set(names)
    assert {path.name for path in RUNTIME} >= {f"osc_{codec}.c" for codec in CODECS}


@pytest.mark.parametrize("codecs", CHOICES, ids="+".join)
def test_a_runtime_without_the_files_of_other_codecs(codecs: tuple[str, ...],
                                                     tmp_path: Path) -> None:
    """It links without them even where nothing is optimised, and knows which banks it can play."""
    library = tmp_path / "runtime.so"
    build_program("gcc", [*STRICT, "-O0", "-fPIC", f"-DOSC_CODECS={codec_bits(codecs)}u", *INCLUDES],
                  runtime_sources(codecs), library, ["-shared", "-Wl,-z,defs"])
    open_bank = ctypes.CDLL(str(library)).osc_bank_open
    for codec in CODECS:
        data, _ = encoded((codec,))
        words = (ctypes.c_uint32 * (len(data) // 4)).from_buffer_copy(data)
        status = open_bank((ctypes.c_uint64 * 64)(), words, ctypes.c_size_t(len(data)))
        assert status == (0 if codec in codecs else OSC_ERROR_CODEC)


def test_codecs_that_do_not_exist_do_not_compile(tmp_path: Path) -> None:
    for choice in ("0", "1u", "128u", "HERO_CODECS"):
        failed = run(["gcc", *STRICT, "-fsyntax-only", f"-DOSC_CODECS={choice}", *INCLUDES,
                      ROOT / "runtime/bank/osc_bank.c"], expect=1)
        assert "OSC_CODECS has to be a set of the bits" in failed.stderr
        assert "-include the header that names it" in failed.stderr


def test_two_banks_may_share_a_runtime(tmp_path: Path) -> None:
    headers = []
    for name, codec in (("hero", "curve"), ("dog", "transform")):
        (tmp_path / f"{name}.ossb").write_bytes(encoded((codec,))[0])
        headers += generate(tmp_path / f"{name}.ossb", tmp_path)
    named = ["-include", tmp_path / "hero.h", "-include", tmp_path / "dog.h"]
    sources = [path for path in headers if path.suffix == ".c"]
    for source in (*sources, *runtime_sources(("curve", "transform"))):
        run(["gcc", *STRICT, "-fsyntax-only", *named, "-DOSC_CODECS=(HERO_CODECS|DOG_CODECS)",
             *INCLUDES, source])
    failed = run(["gcc", *STRICT, "-fsyntax-only", *named, "-DOSC_CODECS=DOG_CODECS", *INCLUDES,
                  ROOT / "runtime/bank/osc_bank.c"], expect=1)
    assert "OSC_CODECS leaves out a codec that the bank of hero.h needs" in failed.stderr


@pytest.mark.parametrize("codecs", [("delta",), ("delta", "curve"), CODECS], ids="+".join)
def test_the_generated_header_says_which(codecs: tuple[str, ...], tmp_path: Path) -> None:
    bank = tmp_path / "hero.ossb"
    bank.write_bytes(encoded(codecs)[0])
    header, _, pose = generate(bank, tmp_path)
    text = header.read_text(encoding="utf-8")
    assert f"#define HERO_CODECS {codec_bits(codecs)}u\n" in text
    assert f"/* The codecs of the bank ({', '.join(codecs)}): " in text
    named = ["-include", header, "-DOSC_CODECS=HERO_CODECS"]
    for source in (pose, *runtime_sources(codecs)):
        run(["gcc", *STRICT, "-fsyntax-only", *named, *INCLUDES, source])
    if codecs != ("delta",):
        failed = run(["gcc", *STRICT, "-fsyntax-only", "-DOSC_CODECS=2u", *INCLUDES, pose],
                     expect=1)
        assert "OSC_CODECS leaves out a codec that the bank of hero.h needs" in failed.stderr


@pytest.mark.exhaustive
def test_what_is_left_out_saves_flash(tmp_path: Path) -> None:
    """Three banks of the same clip, one a codec, and one of all: as built for a device."""
    sizes = {}
    for codecs in (CODECS, ("delta",), ("delta", "curve"), ("delta", "transform")):
        folder = tmp_path / "-".join(codecs)
        folder.mkdir()
        (folder / "bank.ossb").write_bytes(encoded(codecs)[0])
        generate(folder / "bank.ossb", folder, "character", embed=True)
        sizes[codecs] = targets.footprint(
            targets.build("microbit", folder, folder / "out")).flash_code_bytes
    for codec, other in (("curve", "transform"), ("transform", "curve")):
        assert sizes[CODECS] - sizes["delta", other] >= LEAST_SAVED[codec]
        assert sizes["delta", codec] - sizes["delta",] >= LEAST_SAVED[codec]


def test_a_header_without_codecs_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "bank.ossb").write_bytes(encoded(("delta",))[0])
    header = generate(tmp_path / "bank.ossb", tmp_path, "character", embed=True)[0]
    header.write_text(header.read_text(encoding="utf-8").replace("_CODECS", "_CODEX"),
                      encoding="utf-8")
    with pytest.raises(TargetError, match="does not say which codecs it needs; generate it again"):
        targets.build("host", tmp_path, tmp_path / "out")
