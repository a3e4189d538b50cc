"""`ossicle strip` of banks with up to four tiers, of versions in all codecs."""
from __future__ import annotations

from pathlib import Path

import pytest
from running import contents, run_inside
from tiered_bank import tiered

from ossicle.bank.file import parse_bank
from ossicle.encoding import native
from mentions import mentions


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for tiers in range(5):
        Path(f"hero{tiers}.ossb").write_bytes(tiered(tiers))
    return tmp_path


@pytest.mark.parametrize(("tiers", "keep"), [(1, 0), (2, 0), (2, 1), (3, 0), (3, 1), (4, 0), (4, 1)])
def test_the_first_tiers_stay(tiers: int, keep: int) -> None:
    """Tiers without chunks have no file. The others play."""
    ran = run_inside("strip", f"hero{tiers}.ossb", "--tiers", keep, "--tier-files", "-o", "out/hero.ossb")
    assert ran.status == 0 and ran.err == ""
    bank = parse_bank(Path("out/hero.ossb").read_bytes())
    whole = parse_bank(tiered(tiers))
    full = [number for number, tier in enumerate(whole.tiers, 1) if tier.words]
    files = [f"hero.ossb.tie{number}" for number in full if number > keep]
    assert sorted(contents(Path("out"))) == sorted(["hero.ossb", *files])
    assert [Path("out", file).stat().st_size for file in files] == [
        4 * whole.tiers[number - 1].words for number in full if number > keep]
    assert len(bank.tiers) == tiers and bank.codecs == whole.codecs and bank.player_words == whole.player_words
    assert [number for number, tier in enumerate(bank.tiers, 1) if tier.there] == [
        number for number in full if number <= keep]
    status, player_words = native.check_bank(native.bank_words(Path("out/hero.ossb").read_bytes()))
    assert status == native.OK and player_words == whole.player_words


@pytest.mark.parametrize(("arguments", "message"), [
    (("hero0.ossb", "--tiers", 0), "hero0.ossb"),
    (("hero1.ossb", "--tiers", 1), "--tiers 1 hero1.ossb 0"),
    (("hero2.ossb", "--tiers", 2), "--tiers 2 hero2.ossb 0 1"),
    (("hero4.ossb", "--tiers", 4), "--tiers 4 hero4.ossb 0 3"),
    (("hero4.ossb", "--tiers", -1), "--tiers -1 hero4.ossb 4 0"),
    (("hero4.ossb", "--tiers", 2), "hero4.ossb 2 --tiers"),
    (("hero4.ossb", "--tiers", "all"), "--tiers all"),
])
def test_what_cannot_be_left_out(folder: Path, arguments: tuple[object, ...], message: str) -> None:
    before = contents(folder)
    ran = run_inside("strip", *arguments, "-o", "out.ossb")
    assert ran.status == 1 and mentions(ran.line, message), ran.line
    assert contents(folder) == before


def test_joints_already_left_out() -> None:
    assert run_inside("strip", "hero2.ossb", "--tiers", 0, "-o", "base.ossb").status == 0
    assert mentions(run_inside("strip", "base.ossb", "--tiers", 0, "-o", "again.ossb").line, "base.ossb --tiers 0")
