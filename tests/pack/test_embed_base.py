"""`embed = "base"`: a build that leaves tiers to a card."""
from __future__ import annotations

import re
from pathlib import Path

import pytest
from running import contents, run_inside, write_bvh

from ossicle.bank.file import parse_bank
from ossicle.bank.strip import without_tiers
from mentions import mentions

TEXT = 'inputs = ["walk.bvh"]\ngenerate = "code"\neffort = "fast"\ntiers = ["20mm"]\nembed = {}\n'


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    write_bvh(tmp_path / "walk.bvh", frames=90, joints=("hips", "spine", "neck", "head"))
    return tmp_path


def embedded_words(folder: Path) -> int:
    return len(re.findall(r"\bW\(0x", (folder / "code/hero_bank.c").read_text(encoding="utf-8")))


def test_a_build_embeds_as_the_file_states(folder: Path) -> None:
    words = {}
    for value in ("true", '"base"', "false"):
        Path("hero.toml").write_text(TEXT.format(value), encoding="utf-8")
        ran = run_inside("build", "hero.toml")
        assert ran.status == 0, ran
        words[value] = embedded_words(folder) if Path("code/hero_bank.c").exists() else 0
    bank = parse_bank(Path("hero.ossb").read_bytes())
    assert any(tier.there for tier in bank.tiers)
    assert words == {"true": len(bank.words), '"base"': len(without_tiers(bank, 0)[0]) // 4, "false": 0}


def test_the_base_of_a_build_and_the_image_fit(folder: Path) -> None:
    """Output of `pack` for the bank of a build, and the code of that build."""
    Path("hero.toml").write_text(TEXT.format('"base"'), encoding="utf-8")
    assert run_inside("build", "hero.toml").status == 0
    assert run_inside("pack", "hero.ossb", "-o", "card.img", "--embed", "--bases", "again").status == 0
    assert contents(folder / "again") == contents(folder / "code")


@pytest.mark.parametrize("value", ['"bank"', "1", '["base"]'])
def test_other_values_are_refused(value: str) -> None:
    Path("hero.toml").write_text(TEXT.format(value), encoding="utf-8")
    ran = run_inside("build", "hero.toml")
    assert ran.status == 1 and mentions(ran.line, "embed base")


def test_a_bank_is_embedded_with_its_tiers_or_without(folder: Path) -> None:
    assert run_inside("encode", "walk.bvh", "-o", "hero.ossb", "--tiers", "20mm", "--effort", "fast").status == 0
    ran = run_inside("generate", "hero.ossb", "-o", "code", "--embed", "--embed-base")
    assert ran.status == 1 and mentions(ran.line, "--embed --embed-base")
    assert not (folder / "code").exists()
