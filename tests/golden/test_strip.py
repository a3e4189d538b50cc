"""`ossicle strip` against the writer of these tests."""
from __future__ import annotations

from pathlib import Path

import pytest
from bank_writer import write_sections
from published.dense_sample import dense_sample

from ossicle.bank.file import parse_bank
from ossicle.cli.main import main
from mentions import mentions

TAGS = (b"TIE1", b"TIE2")


def sections_of(data: bytes) -> dict[bytes, tuple[bool, list[int]]]:
    """Required, and the words, by tag: read without the package."""
    words = [int.from_bytes(data[i:i + 4], "little") for i in range(0, len(data), 4)]
    found = {}
    for at in range(5, 5 + 3 * words[4], 3):
        first = words[at + 1] % (1 << 31)
        found[words[at].to_bytes(4, "little")] = (bool(words[at + 1] >> 31), words[first:first + words[at + 2]])
    return found


@pytest.fixture
def bank(tmp_path: Path) -> Path:
    """A bank with two tiers."""
    path = tmp_path / "sample.ossb"
    path.write_bytes(dense_sample().bank)
    return path


@pytest.mark.parametrize("keep", [0, 1])
def test_tiers_are_left_out(bank: Path, tmp_path: Path, keep: int, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "new/small.ossb"
    assert main(["strip", str(bank), "--tiers", str(keep), "-o", str(out), "--tier-files"]) == 0
    whole = sections_of(bank.read_bytes())
    assert out.read_bytes() == write_sections(
        [(tag, *section) for tag, section in whole.items() if tag not in TAGS[keep:]])
    files = [out.with_name(f"small.ossb.tie{tier}") for tier in range(keep + 1, 3)]
    for path, tag in zip(files, TAGS[keep:], strict=True):
        assert path.read_bytes() == b"".join(word.to_bytes(4, "little") for word in whole[tag][1])
    assert sorted(out.parent.iterdir()) == sorted([out, *files])
    assert capsys.readouterr().out == "".join(f"wrote {path}\n" for path in [out, *files])
    assert [tier.there for tier in parse_bank(out.read_bytes()).tiers] == [keep > 0, False]


def test_tiers_are_not_written_unasked(bank: Path, tmp_path: Path) -> None:
    out = tmp_path / "small.ossb"
    assert main(["strip", str(bank), "--tiers", "0", "-o", str(out)]) == 0
    assert sorted(tmp_path.iterdir()) == sorted([bank, out])
    assert out.stat().st_size < bank.stat().st_size


@pytest.mark.parametrize(("arguments", "message"), [
    (["--tiers", "2", "-o", "out.ossb"], "--tiers 2 sample.ossb 0 1"),
    (["--tiers", "-1", "-o", "out.ossb"], "--tiers -1 sample.ossb 2 0"),
    (["--tiers", "0", "-o", "sample.ossb"], "sample.ossb"),
])
def test_what_cannot_be_stripped(bank: Path, monkeypatch: pytest.MonkeyPatch, message: str,
                                 arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(bank.parent)
    before = bank.read_bytes()
    assert main(["strip", bank.name, *arguments]) == 1
    assert mentions(capsys.readouterr().err, message)
    assert list(bank.parent.iterdir()) == [bank] and bank.read_bytes() == before


def test_a_bank_without_tiers(bank: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    small = tmp_path / "small.ossb"
    assert main(["strip", str(bank), "--tiers", "0", "-o", str(small)]) == 0
    capsys.readouterr()
    assert main(["strip", str(small), "--tiers", "0", "-o", str(tmp_path / "again.ossb")]) == 1
    assert mentions(capsys.readouterr().err, "small.ossb --tiers 0")
