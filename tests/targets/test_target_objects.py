"""Cached objects are reused for the same sources, and every caller gets the same files."""
from __future__ import annotations

import os
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from ossicle.machines import TargetError, object_store
from mentions import mentioning

FLAGS = ("gcc", "-O1", "-fcallgraph-info=su")


@pytest.fixture
def source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file of a checkout, with a header that it reads; objects are kept beside it."""
    monkeypatch.setenv(object_store.VARIABLE, str(tmp_path / "objects"))
    monkeypatch.setattr(object_store, "ROOT", tmp_path)
    (tmp_path / "header.h").write_text("#define NUMBER 1\n")
    path = tmp_path / "piece.c"
    path.write_text('#include "header.h"\nint piece(void);\nint piece(void) { return NUMBER; }\n')
    return path


def compiled(source: Path, *more: str) -> tuple[bytes, bytes]:
    """The object and its call graph."""
    result = source.parent / "out.o"
    object_store.compile_file([*FLAGS, *more], source, result, "piece.c")
    call_graph = result.with_suffix(".ci")
    contents = result.read_bytes(), call_graph.read_bytes()
    result.unlink()
    call_graph.unlink()
    return contents


def kept(source: Path) -> set[str]:
    return {path.name for path in (source.parent / "objects").glob("*.o")}


def test_the_second_time_gives_the_same_files(source: Path) -> None:
    first = compiled(source)
    assert compiled(source) == first and len(kept(source)) == 1
    [name] = kept(source)
    (source.parent / "objects" / name).write_bytes(b"kept")
    assert compiled(source)[0] == b"kept"


def rewrite(path: Path, before: str, after: str) -> None:
    path.write_text(path.read_text().replace(before, after))


@pytest.mark.parametrize(("change", "more"), [
    (lambda source: rewrite(source, "NUMBER", "NUMBER + 1"), ()),
    (lambda source: rewrite(source.parent / "header.h", "1", "2"), ()),
    (lambda source: rewrite(source, "NUMBER", "OTHER"), ("-DOTHER=3",)),
])
def test_a_change_makes_another(source: Path, change: Callable[[Path], None], more: tuple[str, ...]) -> None:
    before = compiled(source)
    change(source)
    assert compiled(source, *more) != before
    assert len(kept(source)) == 2


def test_a_flag_makes_another(source: Path) -> None:
    compiled(source)
    compiled(source, "-O2")
    assert len(kept(source)) == 2


def test_another_compiler_is_not_the_same(source: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    compiled(source)
    script = source.parent / "gcc"
    script.write_text('#!/bin/sh\nexec /usr/bin/gcc "$@"\n')
    script.chmod(0o755)
    monkeypatch.setenv("PATH", f"{source.parent}:{os.environ['PATH']}")
    compiled(source)
    assert len(kept(source)) == 2


def test_an_unused_definition_makes_no_difference(source: Path) -> None:
    assert compiled(source, "-DUNREAD") == compiled(source, "-DUNREAD=2")
    assert len(kept(source)) == 1


@pytest.fixture
def commands(source: Path, monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """The compiler's commands, the longest ago first. No request is remembered in this process."""
    started: list[list[str]] = []
    run = object_store.checked_tool
    monkeypatch.setattr(object_store, "checked_tool",
                        lambda command, purpose: started.append(command) or run(command, purpose))
    monkeypatch.setattr(object_store, "_keys", {})
    return started


def test_requests_of_another_process_are_not_preprocessed(
    source: Path, commands: list[list[str]], monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Nor if only folders of generated code differ that have nothing that it reads."""
    expected = compiled(source, "-g", f"-I{tmp_path_factory.mktemp('one')}")
    assert len(commands) == 2
    monkeypatch.setattr(object_store, "_keys", {})
    assert compiled(source, "-g", f"-I{tmp_path_factory.mktemp('other')}") == expected
    assert len(commands) == 2
    compiled(source, "-g", "-O2", f"-I{tmp_path_factory.mktemp('other')}")
    assert len(commands) == 4


@pytest.mark.parametrize("name", ["header.h", "deep/header.h"])
def test_a_header_that_is_found_first_is_read(source: Path, name: str, commands: list[list[str]],
                                              tmp_path_factory: pytest.TempPathFactory) -> None:
    rewrite(source, '"header.h"', f"<{name}>")
    (source.parent / name).parent.mkdir(exist_ok=True)
    (source.parent / name).write_text("#define NUMBER 1\n")
    for first in (source.parent / "first", tmp_path_factory.mktemp("first")):
        first.mkdir(exist_ok=True)
        before = compiled(source, f"-I{first}", f"-I{source.parent}")
        (first / name).parent.mkdir(exist_ok=True)
        (first / name).write_text("#define NUMBER 2\n")
        assert compiled(source, f"-I{first}", f"-I{source.parent}") != before


def test_generated_headers_are_told_apart(source: Path, commands: list[list[str]],
                                          tmp_path_factory: pytest.TempPathFactory) -> None:
    rewrite(source, "header.h", "generated.h")
    objects = []
    for number in (3, 4):
        folder = tmp_path_factory.mktemp("generated")
        (folder / "generated.h").write_text(f"#define NUMBER {number}\n")
        objects.append(compiled(source, f"-I{folder}"))
    assert objects[0] != objects[1]


def test_an_error_is_repeated(source: Path) -> None:
    rewrite(source, "NUMBER", "nowhere")
    for _ in range(2):
        with pytest.raises(TargetError, match=mentioning("piece.c nowhere")):
            compiled(source)
    assert kept(source) == set()


def test_many_at_once(source: Path) -> None:
    def numbered(number: int) -> bytes:
        result = source.parent / f"{number}.o"
        object_store.compile_file(FLAGS, source, result, "piece.c")
        return result.read_bytes()

    with ThreadPoolExecutor(8) as pool:
        assert len(set(pool.map(numbered, range(16)))) == 1
    assert len(kept(source)) == 1


def test_without_a_folder_and_elsewhere_nothing_is_kept(
    source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = compiled(source)
    monkeypatch.setattr(object_store, "ROOT", tmp_path / "checkout")
    rewrite(source, "NUMBER", "7")
    assert compiled(source) != expected
    monkeypatch.setattr(object_store, "ROOT", tmp_path)
    monkeypatch.delenv(object_store.VARIABLE)
    rewrite(source, "7", "8")
    assert compiled(source) != expected
    assert len(kept(source)) == 1


def test_unused_entries_are_removed(source: Path) -> None:
    compiled(source)
    object_store.forget_unused()
    assert len(kept(source)) == 1
    long_ago = time.time() - 30 * 24 * 3600
    for path in (source.parent / "objects").iterdir():
        os.utime(path, (long_ago, long_ago))
    object_store.forget_unused()
    assert list((source.parent / "objects").iterdir()) == []
