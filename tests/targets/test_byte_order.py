"""Banks in files are little-endian, and play the same on machines of the other byte order."""
from __future__ import annotations


import pytest
from samples import sample_banks
from c_programs import INCLUDES, RUNTIME, STRICT, build_program
from ossicle import machines
from ossicle.machines.runner import command_for
from pose_driver import Driver, Query
from target_support import ROOT

FRAMES = range(0, 12 * 2048, 1500)
DAMAGED_WORDS = range(0, 60, 7)


@pytest.fixture(scope="module")
def other_order(tmp_path_factory: pytest.TempPathFactory) -> Driver:
    machine = machines.load_target("mips_be")
    program = build_program(machine.compiler, [*machine.flags, *STRICT, *INCLUDES, "-static"],
                            [ROOT / "tests/support/drivers/pose_driver.c", *RUNTIME],
                            tmp_path_factory.mktemp("mips") / "pose_driver")
    with Driver(*command_for(machine, program), order=">") as running:
        yield running


@pytest.mark.parametrize("sample", [sample.name for sample in sample_banks.samples()])
def test_a_bank_from_a_file(sample: str, driver: Driver, other_order: Driver) -> None:
    [bank] = [item.bank for item in sample_banks.samples() if item.name == sample]
    queries = [Query(0, mode, position, position == 0) for mode in (1, 2) for position in FRAMES]
    assert other_order.ask(bank, queries) == driver.ask(bank, queries)


def test_damage_is_the_same_error(driver: Driver, other_order: Driver) -> None:
    bank = sample_banks.samples()[0].bank
    found = set()
    for word in DAMAGED_WORDS:
        damaged = bytearray(bank)
        damaged[4 * word] ^= 0x10
        status, *_ = driver.ask(bytes(damaged), [])
        assert other_order.ask(bytes(damaged), [])[0] == status
        found.add(status)
    assert min(found) < 0
