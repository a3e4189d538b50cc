"""Nothing between a source file and a bank or its C code is left to the processor: which functions
of NumPy, of Python and of the C library are called, and how the encoder is compiled."""
from __future__ import annotations

import ast
import platform
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from c_programs import ENCODER, ENCODER_INCLUDES, ROOT, build_program
from ossicle.machines.tools import TargetError, checked_tool
from mentions import mentioning

PACKAGE = ROOT / "codegen/ossicle"
MODULES = sorted(path for path in PACKAGE.rglob("*.py") if path != PACKAGE / "compare/plots.py")
LIBRARY = ROOT / "build/host/libossicle_encoder.so"

# Exact, correctly rounded, or nothing but copying and comparing. Sums, products of matrices, norms,
# interpolation and everything transcendental are in portable_math.
NUMPY = set("""
    abs all allclose any append arange argmax argmin argwhere array array_equal asarray ascontiguousarray broadcast_to
    clip concatenate copysign count_nonzero ctypeslib diff dtype empty errstate eye finfo flatnonzero float32 float64
    floor ceil trunc frombuffer full iinfo insert int8 int32 int64 isfinite isinf isnan isin lexsort max maximum median
    min minimum moveaxis ndarray nextafter nonzero ones ones_like pad ptp repeat reshape rint roll searchsorted sign
    sort sqrt stack swapaxes tile uint8 uint16 uint32 union1d unique vstack where zeros zeros_like empty_like full_like
    """.split())
MATH = {"ceil", "copysign", "factorial", "floor", "frexp", "fsum", "gcd", "inf", "isfinite", "isinf", "isnan", "lcm",
        "ldexp", "nan", "pi", "prod", "sqrt"}
ORDERED_BY_NUMPY = {"cumprod", "cumsum", "dot", "mean", "prod", "std", "sum", "trace", "var"}
# Similarity has a product of its own, see folding.py.
OWN_PRODUCTS = {PACKAGE / "importers/gltf/chains.py"}

# Of the C library: memory, sorting (by orders without ties), and what IEEE 754 and C define exactly.
LIBC = set("""
    calloc free malloc mallopt malloc_trim realloc memcmp memcpy memmove memset qsort
    ceil floor fmax fmin frexp ldexp sqrt
    """.split())
FORBIDDEN_FLAGS = ("-ffast-math", "-Ofast", "-funsafe-math-optimizations", "-fassociative-math",
                   "-freciprocal-math", "-march", "-mfma", "-mfpmath", "-ffp-contract=fast",
                   "-ffp-contract=on")


def is_whole(node: ast.expr) -> bool:
    """True for an integer literal."""
    try:
        return isinstance(ast.literal_eval(node), int)
    except ValueError:
        return False


def doubtful(source: str, own_products: bool = False) -> Iterator[str]:
    """Calls of a module that may differ between machines, with the line."""
    for node in ast.walk(ast.parse(source)):
        line = getattr(node, "lineno", 0)
        match node:
            case ast.Attribute(value=ast.Name(id="np"), attr=name) if name not in NUMPY:
                yield f"line {line}: np.{name}"
            case ast.Attribute(value=ast.Name(id="math"), attr=name) if name not in MATH:
                yield f"line {line}: math.{name}"
            case ast.ImportFrom(module="math", names=names) if {n.name for n in names} - MATH:
                yield f"line {line}: {ast.unparse(node)}"
            case ast.ImportFrom(module=("numpy" | "cmath" | "statistics" | "scipy")):
                yield f"line {line}: {ast.unparse(node)}"
            case ast.Call(func=ast.Attribute(attr=name)) if name in ORDERED_BY_NUMPY:
                yield f"line {line}: .{name}()"
            case ast.Call(func=ast.Name(id="pow")):
                yield f"line {line}: pow()"
            case ast.BinOp(op=ast.MatMult()) if not own_products:
                yield f"line {line}: {ast.unparse(node)}"
            case ast.BinOp(left=base, op=ast.Pow()) if not is_whole(base):
                yield f"line {line}: {ast.unparse(node)}"


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_python_uses_exact_operations(path: Path) -> None:
    found = list(doubtful(path.read_text(encoding="utf-8"), path in OWN_PRODUCTS))
    assert not found, "use portable_math, or add what is exact to the list of this test"


@pytest.mark.parametrize("source", [
    "np.sin(x)", "np.linalg.norm(x)", "a @ b", "x.sum()", "np.einsum('ij,jk', a, b)", "math.tan(x)",
    "from math import cos", "from numpy import dot", "x ** 2", "pow(x, 3)", "x.mean(axis=0)"])
def test_doubtful_operations_are_found(source: str) -> None:
    assert list(doubtful(source))


def test_the_encoder_imports_exact_functions() -> None:
    listed = checked_tool(["nm", "-D", "--undefined-only", str(LIBRARY)], "nm does not run")
    imported = set(re.findall(r"^\s+U (\w+)", listed, re.MULTILINE))
    assert imported and imported <= LIBC


@pytest.mark.parametrize("flag", ["-ffast-math", *(["-mfpmath=387"] if platform.machine() == "x86_64" else [])])
def test_the_encoder_refuses_other_arithmetic(flag: str, tmp_path: Path) -> None:
    with pytest.raises(TargetError, match=mentioning("operation")):
        build_program("gcc", [flag, *ENCODER_INCLUDES], [ENCODER[0]], tmp_path / "encoder", ["-shared"])


def test_the_encoder_is_compiled_exactly() -> None:
    compiling = (ROOT / "codegen/encoder/compiling.py").read_text(encoding="utf-8").partition("\nROOT")[2]
    flags = (ROOT / "codegen/encoder/SConscript").read_text(encoding="utf-8").partition("CCFLAGS")[2]
    assert '"-ffp-contract=off"' in compiling.partition("FLAGS = ")[2].splitlines()[0] and "*FLAGS" in flags
    everything = compiling + flags + (ROOT / "SConstruct").read_text(encoding="utf-8")
    assert not [flag for flag in FORBIDDEN_FLAGS if flag in everything]
