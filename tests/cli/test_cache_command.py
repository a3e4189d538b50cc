"""`ossicle cache`, and which cache the commands use."""
from __future__ import annotations

import json
from pathlib import Path

import pytest

from ossicle.encoding.cache.place import VARIABLE, users_cache
from running import HERO, Ran, run_command, run_inside
from mentions import mentions


def encode(folder: Path, *more: object) -> Ran:
    ran = run_inside("encode", HERO, "-o", folder / "hero.ossb", "--quiet", "--clips", "Jump", *more)
    assert ran.status == 0, ran
    return ran


def stats(*more: object) -> dict:
    ran = run_inside("cache", "stats", "--json", *more)
    assert ran.status == 0, ran
    return json.loads(ran.out)


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The cache of a user whose folders are empty."""
    monkeypatch.delenv(VARIABLE, raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "caches"))
    return tmp_path / "caches/ossicle"


def test_stats_verify_and_clear(tmp_path: Path) -> None:
    folder = tmp_path / "kept"
    for _ in range(2):
        encode(tmp_path, "--effort", "fast", "--cache", folder, "--cache-size", "1MB")
    first = stats("--cache", folder)
    assert (first["hits"], first["misses"], first["limit_bytes"]) == (first["entries"], first["entries"], 1_000_000)
    shown = run_inside("cache", "stats", "--cache", folder).out
    assert "50.0 %" in shown and str(folder) in shown
    assert mentions(run_inside("cache", "verify", "--cache", folder).out, f"0 {first['entries']}")
    assert run_inside("cache", "clear", "--cache", folder).status == 0 and not folder.exists()
    assert mentions(run_inside("cache", "stats", "--cache", folder).line, f"{folder} --cache --effort")


def test_the_environment_names_a_cache_and_the_option_another(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, str(tmp_path / "one"))
    encode(tmp_path, "--effort", "fast")
    assert stats()["misses"] > 0
    encode(tmp_path, "--effort", "fast", "--cache", tmp_path / "two")
    assert stats("--cache", tmp_path / "two")["misses"] > 0 and stats()["hits"] == 0
    encode(tmp_path, "--effort", "fast", "--cache", "off")
    assert stats()["hits"] == 0
    assert mentions(run_inside("cache", "stats", "--cache", "off").line, f"--cache {VARIABLE}")


@pytest.mark.parametrize("off", ["off", "OFF", "Off", " off "])
def test_off_is_no_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, off: str) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "hero.toml").write_text(f'inputs = ["{HERO}"]\nclips = ["Jump"]\neffort = "fast"\n', encoding="utf-8")
    encode(tmp_path, "--effort", "fast", "--cache", off)
    assert run_command("build", "hero.toml", "--quiet", "--cache", off).status == 0
    monkeypatch.setenv(VARIABLE, off)
    encode(tmp_path, "--effort", "fast")
    assert run_command("build", "hero.toml", "--quiet").status == 0
    assert not [path for path in tmp_path.iterdir() if path.is_dir()]


@pytest.mark.parametrize("blank", ["", " "])
def test_a_blank_name_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, blank: str) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "hero.toml").write_text(f'inputs = ["{HERO}"]\nclips = ["Jump"]\neffort = "fast"\n', encoding="utf-8")
    commands = (("encode", HERO, "-o", "hero.ossb", "--quiet", "--clips", "Jump"), ("build", "hero.toml", "--quiet"),
                ("cache", "clear"))
    for command in commands:
        assert mentions(run_command(*command, "--cache", blank).line, f"--cache {blank}")
    monkeypatch.setenv(VARIABLE, blank)
    for command in commands:
        assert mentions(run_command(*command).line, f"{VARIABLE} {blank}")
    assert [path.name for path in tmp_path.iterdir()] == ["hero.toml"]


def test_only_the_greatest_effort_is_kept_unasked(tmp_path: Path, own_cache: Path) -> None:
    encode(tmp_path, "--effort", "fast")
    encode(tmp_path)
    assert not own_cache.exists()
    encode(tmp_path, "--effort", "max")
    assert users_cache() == own_cache and stats()["misses"] > 0


def test_builds_use_it(tmp_path: Path) -> None:
    (tmp_path / "hero.toml").write_text(f'inputs = ["{HERO}"]\nclips = ["Jump"]\neffort = "fast"\n', encoding="utf-8")
    for _ in range(2):
        assert run_inside("build", tmp_path / "hero.toml", "--quiet", "--cache", tmp_path / "kept").status == 0
        (tmp_path / "hero.ossb").unlink()
    facts = stats("--cache", tmp_path / "kept")
    assert facts["hits"] == facts["misses"] > 0


def test_damage_is_reported_once_for_all_characters(tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    (tmp_path / "library.toml").write_text(
        f'inputs = ["{HERO}"]\nclips = ["Jump"]\neffort = "fast"\n'
        + "".join(f'[character.c{number}]\ntolerance = "{number + 1}mm"\n' for number in range(3)), encoding="utf-8")
    (kept / "ossicle-clips").mkdir(parents=True)
    (kept / "ossicle-cache").touch()
    (kept / "ossicle-clips/cache.db").write_bytes(b"no database")
    ran = run_inside("build", tmp_path / "library.toml", "--quiet", "--cache", kept)
    assert ran.status == 0 and ran.err.count("\n") == 1 and mentions(ran.line, "--cache")
    for action in ("stats", "verify"):
        ran = run_inside("cache", action, "--cache", kept)
        assert ran.status == 1 and mentions(ran.line, f"--cache {kept}")
    cleared = run_inside("cache", "clear", "--cache", kept)
    assert cleared.status == 0 and str(kept) in cleared.out and not cleared.err
    assert run_inside("build", tmp_path / "library.toml", "--quiet", "--cache", kept) == Ran(0, "", "")


@pytest.mark.parametrize("arguments, facts", [
    (["cache", "stat"], "stat"),
    (["cache", "stats", "--cache-size", "5XB"], "5GB"),
    (["cache", "stats", "--cache-size", "0GB"], "5GB"),
    (["cache", "clear", "--cache", HERO.parent], HERO.parent),
    (["encode", HERO, "-o", "x.ossb", "--cache", HERO], HERO),
    (["encode", HERO, "-o", "x.ossb", "--cache", HERO.parent], HERO.parent)])
def test_mistakes_are_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list, facts: str) -> None:
    monkeypatch.chdir(tmp_path)
    ran = run_inside(*arguments)
    assert ran.status != 0 and mentions(ran.line, facts)
    assert not (tmp_path / "x.ossb").exists()
