"""`ossicle view --stream`: files written and served, and refused options."""
from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest
from ossicle.bank.file import parse_bank, read_bank
from ossicle.bank.strip import without_tiers
from ossicle.cli.main import main
from written import ROOT, data_of, encode_tiers, write_streamed
from mentions import mentions

PATIENCE_S = 20.0


@pytest.fixture(scope="module")
def bank(tmp_path_factory: pytest.TempPathFactory, built_encoder: None) -> Path:
    return encode_tiers(tmp_path_factory.mktemp("bank") / "hero.ossb")


def test_the_folder(tmp_path: Path, bank: Path) -> None:
    """The page has the base alone; the files are the tiers of the bank."""
    folder = write_streamed(tmp_path, bank)
    assert sorted(path.name for path in folder.iterdir()) == ["index.html", "tier-1.bin", "tier-2.bin"]
    base, tiers = without_tiers(read_bank(bank), 0)
    assert [(folder / f"tier-{number}.bin").read_bytes() for number in (1, 2)] == [tiers[1], tiers[2]]
    _, _, document, arrays = data_of(folder / "index.html")
    place = document["banks"][0]["data"]
    contained = arrays[place["at"]:place["at"] + place["bytes"]]
    assert contained == base and parse_bank(contained).tiers
    assert document["banks"][0]["stream"]["files"] == [
        {"url": "tier-1.bin", "at": 0, "bytes": len(tiers[1])},
        {"url": "tier-2.bin", "at": len(tiers[1]), "bytes": len(tiers[2])}]


def test_it_serves_until_it_is_interrupted(bank: Path) -> None:
    command = [sys.executable, "-m", "ossicle", "view", bank, "--stream", "--rate", "50kB/s", "--no-open"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                          env=os.environ | {"PYTHONPATH": str(ROOT / "codegen")}) as running:
        try:
            line = running.stdout.readline()
            [address] = re.findall(r"^(http://127\.0\.0\.1:\d+/) .*\b2\b.*Ctrl-C", line)
            wanted = urllib.request.Request(f"{address}tier-2.bin", headers={"Range": "bytes=4-11"})
            with urllib.request.urlopen(wanted, timeout=PATIENCE_S) as answer:
                assert (answer.status, answer.read()) == (206, without_tiers(read_bank(bank), 0)[1][2][4:12])
            running.send_signal(signal.SIGINT)
            assert running.wait(PATIENCE_S) == 128 + signal.SIGINT
        finally:
            running.kill()


@pytest.mark.parametrize(("arguments", "facts"), [
    (["--rate", "50kB"], "--rate --stream"),
    (["--stream", "--rate", "50kB", "-o", "page"], "--rate --stream -o"),
    (["--stream", "--rate", "10"], "--rate 10 50kB 1kB"),
    (["--stream", "--rate", "999B"], "--rate 999B 50kB 1kB"),
    (["--stream", "-o", "page.html"], "page.html --stream"),
])
def test_what_does_not_go_together(bank: Path, arguments: list[str], facts: str, capsys: pytest.CaptureFixture) -> None:
    assert main(["view", str(bank), *arguments]) == 1
    assert mentions(capsys.readouterr().err, facts)


@pytest.mark.parametrize(("keep", "facts"), [(None, "hero --stream --tiers 8mm"), (1, "hero 2 --stream")])
def test_banks_without_tiers(bank: Path, tmp_path: Path, keep: int | None, facts: str,
                             capsys: pytest.CaptureFixture) -> None:
    other = tmp_path / "hero.ossb"
    if keep is None:
        encode_tiers(other, "--tolerance", "20mm", tiers=False)
    else:
        other.write_bytes(without_tiers(read_bank(bank), keep)[0])
    assert main(["view", str(other), "--stream", "-o", str(tmp_path / "page")]) == 1
    assert mentions(capsys.readouterr().err, facts) and not (tmp_path / "page").exists()


def test_the_bank_is_never_overwritten(bank: Path, tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    (tmp_path / "tier-1.bin").symlink_to(bank)
    before = bank.read_bytes()
    assert main(["view", str(bank), "--stream", "-o", str(tmp_path)]) == 1
    assert mentions(capsys.readouterr().err, tmp_path / "tier-1.bin") and bank.read_bytes() == before
