/* It counts down from RELOAD to 0 and begins again. A write is seen when a register holds something
 * else than was put there for a reading. */
#include "mock_systick.h"
#include "check.h"

#define BASE 0xe000e010u
#define RANGE 0xffffffu
#define ON 1u
#define WRAPPED 0x10000u
#define MOST_ACCESSES 1000u
enum { CONTROL, RELOAD, VALUE, REGISTERS };

mock_systick mock = {.ticks = 1, .per_instructions = 1};
static uint32_t registers[REGISTERS], before[REGISTERS], asked = REGISTERS;
static uint32_t value;
static bool wrapped;
static uint32_t waited;
static uint64_t part;

static void settle(void)
{
    if (registers[VALUE] != before[VALUE]) {
        value = 0;
        wrapped = false;
    } else if (asked == CONTROL && registers[CONTROL] == before[CONTROL]) {
        wrapped = false; /* it was read */
    }
    registers[CONTROL] &= ~WRAPPED;
    if (mock.missing)
        for (uint32_t i = 0; i < REGISTERS; i++)
            registers[i] = 0;
    for (uint32_t i = 0; i < REGISTERS; i++)
        before[i] = registers[i];
    asked = REGISTERS;
}

static void count_down(uint64_t ticks)
{
    if (ticks != 0u && value == 0u) {
        value = registers[RELOAD] & RANGE;
        ticks--;
    }
    if (ticks >= value && ticks != 0u) {
        wrapped = true;
        uint64_t range = (registers[RELOAD] & RANGE) + 1u;
        ticks = (ticks - value) % range;
        value = ticks == 0u ? 0u : (uint32_t)(range - ticks);
        return;
    }
    value -= (uint32_t)ticks;
}

void mock_work(uint64_t instructions)
{
    settle();
    part += instructions * mock.ticks;
    if ((registers[CONTROL] & ON) != 0u)
        count_down(part / mock.per_instructions);
    part %= mock.per_instructions;
}

uintptr_t mock_address(uint32_t address)
{
    mock_work(mock.access_instructions);
    asked = (address - BASE) / 4u;
    assert_true(asked < REGISTERS);
    if (mock.missing && ++waited > MOST_ACCESSES)
        fail_msg("the code waits for a timer that is not there");
    if (!mock.missing) {
        registers[VALUE] = before[VALUE] = value;
        if (asked == CONTROL)
            before[CONTROL] = registers[CONTROL] |= wrapped ? WRAPPED : 0u;
    }
    return (uintptr_t)&registers[asked];
}
