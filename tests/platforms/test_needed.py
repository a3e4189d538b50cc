"""The files of the runtime that test programs are linked with."""
from __future__ import annotations

from pathlib import Path

from c_programs import INCLUDES, ROOT, RUNTIME, build_program
from needed import definers

from ossicle.machines.tools import checked_tool


def test_every_symbol_is_found_where_it_is_defined() -> None:
    stem, symbols = "", {}
    for line in checked_tool(["nm", "--defined-only", "--extern-only", str(ROOT / "build/host/libossicle.a")],
                             "nm").splitlines():
        if line.endswith(".o:"):
            stem = line.removesuffix(".o:")
        elif line:
            symbols[line.split()[-1]] = stem
    assert len(symbols) > 100
    assert symbols.items() <= definers().items()


def test_a_program_links_only_the_files_it_needs(tmp_path: Path) -> None:
    source = tmp_path / "main.c"
    source.write_text('#include "ossicle.h"\nint main(void)\n{\n    uint32_t word = 1u;\n'
                      "    return (int)(osc_hash_words(OSC_HASH_START, &word, 1u) == 0u);\n}\n", encoding="utf-8")
    build_program("gcc", ["-std=c99", *INCLUDES], [source, *RUNTIME], tmp_path / "main")
    linked = {path.stem.partition("-")[2] for path in (tmp_path / "main.objects").glob("*.o")}
    assert "main" in linked and len(linked) < len(RUNTIME) // 4
    checked_tool([str(tmp_path / "main")], "main")
