"""The player program from end to end: the same bits on every machine, and differences that are
found. The banks are the golden ones, written by the reference writer."""
from __future__ import annotations

import re
import sys
from functools import lru_cache
from pathlib import Path

import pytest
from ossicle import machines
from ossicle.cli.main import main
from ossicle.machines import DoesNotFit, Firmware, RunResult, TargetError
from target_support import generate_sample, sample_banks

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "cli"))
from running import write_bvh  # noqa: E402
from mentions import mentioning, mentions

SAMPLES = [sample.name for sample in sample_banks.samples()]
# One machine of each kind; test_target_demo.py plays on all of them.
MACHINES = ["host", "microbit", "mps2_an386"]
# Another backend than the scalar one meets numbers that wrap, and scales, here.
TRICKY = ["extreme", "scale"]


def machines_for(sample: str) -> list[str]:
    """Targets that play a sample: MACHINES, and every target with a backend of its own."""
    others = [name for name in machines.list_supported_targets() if name not in MACHINES
              and machines.load_target(name).platform != "scalar"]
    return MACHINES + (others if sample in TRICKY else [])


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory):
    """played(sample, target): the program and its output, built once."""

    @lru_cache(maxsize=None)
    def play(sample: str, target: str) -> tuple[Firmware, RunResult]:
        folder = tmp_path_factory.mktemp(f"{sample}-{target}")
        firmware = machines.build(target, generate_sample(sample, folder), folder / "out")
        return firmware, machines.run(firmware, count=False)

    return play


@pytest.mark.parametrize("sample", [
    pytest.param(sample, marks=() if sample == "walk" else pytest.mark.exhaustive) for sample in SAMPLES])
def test_all_targets_give_the_same_bits(played, sample: str) -> None:
    host, *others = [played(sample, target)[1] for target in machines_for(sample)]
    assert host.hashes and host.poses > 0
    for other in others:
        assert (other.hashes, other.total_hash, other.poses) == (host.hashes, host.total_hash, host.poses)


def test_a_character_with_curves(tmp_path: Path) -> None:
    """Its joints that hold curves have no matrices, which a comparison of models must leave out."""
    write_bvh(tmp_path / "walk.bvh", frames=9)
    (tmp_path / "character.toml").write_text(
        'inputs = ["walk.bvh"]\ngenerate = "code"\nembed = true\neffort = "fast"\nskinning = true\n'
        '[clips.walk.curves]\nglow = [[0.0, 0.0], [0.2, 1.0]]\n', encoding="utf-8")
    assert main(["build", str(tmp_path / "character.toml"), "--quiet"]) == 0
    ran = machines.run(machines.build("host", tmp_path / "code", tmp_path / "out"), count=False)
    assert ran.poses > 0


@pytest.mark.parametrize("target", ["microbit", "mps2_an386"])
def test_costs_are_measured(played, target: str) -> None:
    firmware, result = played("walk", target)
    cost = result.instructions
    assert set(cost) == {"evaluate", "compose", "generic_evaluate", "generic_compose",
                         "row_average", "row_worst", "play_average", "play_worst"}
    assert 0 < cost["evaluate"] < cost["generic_evaluate"]
    assert 0 < cost["compose"] < 1.1 * cost["generic_compose"]
    assert 0 < cost["row_average"] <= cost["row_worst"]
    assert cost["evaluate"] + cost["compose"] < cost["play_average"] <= cost["play_worst"]
    assert machines.run(firmware).instructions == cost, "counts are the same in every run"


@pytest.mark.parametrize("target", MACHINES)
def test_footprint(played, target: str) -> None:
    firmware, result = played("walk", target)
    sizes = machines.footprint(firmware)
    joints, row_words, held = 3, 3 * 4 + 3, 2
    [sample] = [entry for entry in sample_banks.samples() if entry.name == "walk"]
    assert sizes.bank_bytes == len(sample.bank)
    assert sizes.pose_bytes == joints * 28 and sizes.model_bytes == joints * 48
    memory_bytes = 4 * (2 * row_words + joints + 5 * held)
    assert memory_bytes < sizes.player_bytes < memory_bytes + 144
    assert sizes.ram_bytes == (sizes.player_bytes + sizes.pose_bytes + sizes.model_bytes)
    assert 4000 < sizes.flash_code_bytes < 16000
    assert sizes.stack_bytes_worst == max(sizes.stack_bytes[call] for call in ("seek", "evaluate", "compose"))
    if result.stack_bytes is not None:
        assert 0.5 * sizes.stack_bytes_worst < result.stack_bytes <= sizes.stack_bytes_worst


def test_the_host_is_counted_by_valgrind(played) -> None:
    firmware, _ = played("walk", "host")
    cost = machines.run(firmware).instructions
    assert set(cost) == {"evaluate", "compose", "generic_evaluate", "generic_compose", "row_average"}
    assert 0 < cost["evaluate"] < cost["generic_evaluate"]
    assert 0 < cost["compose"] < 1.1 * cost["generic_compose"]


def test_without_valgrind_the_host_is_not_counted(played, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    firmware, result = played("walk", "host")
    monkeypatch.setenv("PATH", str(tmp_path))
    again = machines.run(Firmware(**{**vars(firmware), "image": firmware.image.resolve()}))
    assert again.hashes == result.hashes and again.instructions == {}


def test_a_character_of_any_name(played, tmp_path: Path) -> None:
    folder = generate_sample("walk", tmp_path / "generated", "hero")
    firmware = machines.build("microbit", folder, tmp_path / "out", "hero")
    assert machines.run(firmware).hashes == played("walk", "microbit")[1].hashes
    assert machines.footprint(firmware) == machines.footprint(played("walk", "microbit")[0])


@pytest.mark.parametrize(("function", "message"), [("evaluate", "evaluator 0"), ("compose", "composition 0")])
def test_a_single_wrong_bit_is_found(function: str, message: str, tmp_path: Path) -> None:
    folder = generate_sample("walk", tmp_path / "generated")
    source = folder / "character_pose.c"
    text = source.read_text(encoding="utf-8")
    wrong = {"evaluate": "pose->rotations[1].z ^= 1;", "compose": "model->joints[2].m[11] ^= 1;"}
    changed = re.sub(rf"(void character_{function}\(.*?\n)}}", rf"\1    {wrong[function]}\n}}", text, flags=re.DOTALL)
    assert changed != text
    source.write_text(changed, encoding="utf-8")
    firmware = machines.build("host", folder, tmp_path / "out")
    with pytest.raises(TargetError) as caught:
        machines.run(firmware)
    assert mentions(str(caught.value), message) and mentions(caught.value, "1 1/2048 0")


def test_generated_code_is_proved(tmp_path: Path) -> None:
    folder = generate_sample("walk", tmp_path / "generated")
    with (folder / "character_tables.c").open("a", encoding="utf-8") as file:
        file.write("int forgotten = 1;\n")
    with pytest.raises(TargetError, match=mentioning("host character_tables.o 4B")):
        machines.build("host", folder, tmp_path / "out")


def test_a_bank_larger_than_the_flash(tmp_path: Path) -> None:
    folder = generate_sample("walk", tmp_path / "generated")
    with (folder / "character_bank.c").open("a", encoding="utf-8") as file:
        file.write("extern const uint8_t more[262144];\nconst uint8_t more[262144] = {1};\n")
    source = folder / "character_pose.c"
    text = source.read_text(encoding="utf-8").replace(
        "void character_compose(", "extern const uint8_t more[];\nvoid character_compose(", 1)
    source.write_text(re.sub(r"(void character_compose.*?\n{\n)",
                             r"\1    if (more[model->joints[0].m[0] & 1] == 7) return;\n", text,
                             flags=re.DOTALL), encoding="utf-8")
    with pytest.raises(DoesNotFit, match=mentioning("262144B")):
        machines.build("microbit", folder, tmp_path / "out")


def test_a_pose_larger_than_the_ram(tmp_path: Path) -> None:
    folder = generate_sample("walk", tmp_path / "generated")
    header = folder / "character.h"
    text = header.read_text(encoding="utf-8")
    header.write_text(re.sub(r"(int32_t memory)\[\w+\]", r"\1[4000]", text), encoding="utf-8")
    with pytest.raises(DoesNotFit, match=mentioning("16384B")):
        machines.build("microbit", folder, tmp_path / "out")


def test_missing_files_and_unknown_targets(tmp_path: Path) -> None:
    with pytest.raises(TargetError, match=mentioning("character.h --name")):
        machines.build("host", tmp_path, tmp_path / "out")
    with pytest.raises(TargetError, match=mentioning("micro microbit")):
        machines.build("micro", tmp_path, tmp_path / "out")
