/* The registers keep what is written to them. Effects are found by comparing them with what they
 * held before, since code under test has only their places. */
#include "mock_gba.h"
#include "bare_metal/stack_guard.h"
#include "check.h"

#include <string.h>

#define IO 0x04000000u
#define IO_END 0x04000210u
#define DEBUG_TEXT_PLACE 0x04fff600u
#define DEBUG_FLAGS_PLACE 0x04fff700u
#define DEBUG_ENABLE_PLACE 0x04fff780u
#define PALETTE_PLACE 0x05000000u
#define PAGES_PLACE 0x06000000u
#define DEBUG_TEXT_BYTES 256u

#define SLOT(address) (((address)-IO) / 2u)
#define SLOTS SLOT(IO_END)
enum { DISPLAY = SLOT(IO), LINE = SLOT(IO + 6u), KEYS_SLOT = SLOT(IO + 0x130u) };
enum { FROM = SLOT(IO + 0xd4u), TO = SLOT(IO + 0xd8u), COUNT = SLOT(IO + 0xdcu) };
enum { TRANSFER = SLOT(IO + 0xdeu) };

#define SECOND_PAGE 0x10u
#define DMA_ON 0x8000u
#define DMA_OF_WORDS 0x400u
#define DMA_FROM_ONE_PLACE 0x100u
#define TIMER_ON 0x80u
#define TIMER_CASCADE 4u
#define TIMERS 4u

/* Each register has 8 bytes, as pointers to the PC's memory need them. */
typedef union slot {
    uint16_t half;
    const volatile uint32_t *from;
    uint16_t *to;
    uint64_t all;
} slot;

typedef struct timer {
    uint16_t count, reload;
    uint64_t part; /* cycles since it counted last */
} timer;

mock_gba mock;
static slot slots[SLOTS], before[SLOTS];
static timer timers[TIMERS];
static uint64_t cycles;
static uint32_t line_of_access, filled_with;
static char text[DEBUG_TEXT_BYTES];
static slot flags, enable;

void mock_reset(void)
{
    memset(&mock, 0, sizeof mock);
    memset(slots, 0, sizeof slots);
    memset(before, 0, sizeof before);
    memset(timers, 0, sizeof timers);
    cycles = 0;
}

static uint32_t control_of(uint32_t number)
{
    return before[SLOT(IO + 0x102u + 4u * number)].half;
}

uint32_t mock_line(void)
{
    return (uint32_t)(cycles / MOCK_LINE_CYCLES % MOCK_LINES);
}

uint64_t mock_until_overflow(void)
{
    return 64u * (0x10000u - timers[0].count) - timers[0].part;
}

/* Counts on by so many steps, and returns how often the timer began again. */
static uint64_t count_on(timer *one, uint64_t steps)
{
    uint64_t sum = one->count + steps, range = 0x10000u - one->reload;
    uint64_t over = sum < 0x10000u ? 0u : (sum - 0x10000u) / range + 1u;
    one->count = (uint16_t)(over == 0u ? sum : one->reload + (sum - 0x10000u) % range);
    return over;
}

void mock_pass(uint64_t passed)
{
    static const uint32_t steps_cycles[] = {1, 64, 256, 1024};
    mock_settle();
    cycles += passed;
    uint64_t over = 0;
    for (uint32_t i = 0; i < TIMERS; i++) {
        uint64_t steps = over;
        over = 0;
        if ((control_of(i) & TIMER_ON) == 0u)
            continue;
        if ((control_of(i) & TIMER_CASCADE) == 0u) {
            uint32_t step = steps_cycles[control_of(i) & 3u];
            timers[i].part += passed;
            steps = timers[i].part / step;
            timers[i].part %= step;
        }
        over = count_on(&timers[i], steps);
    }
}

static void start_or_stop(uint32_t number, uint32_t was, uint32_t is)
{
    if ((was & TIMER_ON) == 0u && (is & TIMER_ON) != 0u) {
        timers[number].count = timers[number].reload;
        timers[number].part = 0;
    }
}

/* The filled memory lies in a variable of the code under test, which may have gone by now: its
 * value was taken when the code turned to the register. */
static void transfer(uint32_t control)
{
    if ((control & DMA_ON) == 0u)
        return;
    assert_int_equal(control & (DMA_OF_WORDS | DMA_FROM_ONE_PLACE),
                     DMA_OF_WORDS | DMA_FROM_ONE_PLACE);
    uint32_t words = slots[COUNT].half == 0u ? 0x10000u : slots[COUNT].half;
    uintptr_t first = (uintptr_t)slots[TO].to - (uintptr_t)mock.pages;
    assert_true(first % 4u == 0u && first + 4u * words <= sizeof mock.pages);
    for (uint32_t i = 0; i < words; i++)
        memcpy((char *)mock.pages + first + 4u * i, &filled_with, 4);
    mock.fills++;
    slots[TRANSFER].half &= (uint16_t)~DMA_ON;
}

static void send(void)
{
    if (enable.half != 0xc0deu || (flags.half & 0x100u) == 0u)
        return;
    assert_non_null(memchr(text, 0, sizeof text));
    uint32_t length = (uint32_t)strlen(text);
    assert_true(strlen(mock.text) + length < sizeof mock.text);
    strcat(mock.text, text);
    mock.longest = length > mock.longest ? length : mock.longest;
    mock.level = flags.half & 7u;
    mock.sent++;
    flags.half = 0;
}

void mock_settle(void)
{
    if (slots[DISPLAY].half != before[DISPLAY].half) {
        mock.shown = (slots[DISPLAY].half & SECOND_PAGE) != 0u;
        mock.changes++;
        mock.changed_line = line_of_access;
    }
    if (slots[TRANSFER].half != before[TRANSFER].half)
        transfer(slots[TRANSFER].half);
    for (uint32_t i = 0; i < TIMERS; i++) {
        uint32_t count = SLOT(IO + 0x100u + 4u * i), control = count + 1u;
        if (slots[count].half != before[count].half)
            timers[i].reload = slots[count].half;
        if (slots[control].half != before[control].half)
            start_or_stop(i, before[control].half, slots[control].half);
    }
    memcpy(before, slots, sizeof before);
    send();
}

/* The value that a register reads as; writes have no effect. */
static void hold(uint32_t number, uint32_t value)
{
    slots[number].half = before[number].half = (uint16_t)value;
}

uintptr_t mock_address(uint32_t address)
{
    if (address == PALETTE_PLACE)
        return (uintptr_t)mock.palette;
    if (address == PAGES_PLACE)
        return (uintptr_t)mock.pages;
    if (address == DEBUG_TEXT_PLACE) {
        mock_settle();
        return (uintptr_t)text;
    }
    mock_pass(mock.access_cycles);
    if (address == DEBUG_FLAGS_PLACE)
        return (uintptr_t)&flags;
    if (address == DEBUG_ENABLE_PLACE)
        return (uintptr_t)&enable;
    assert_true(address >= IO && address < IO_END);
    uint32_t number = SLOT(address);
    if (number == LINE)
        hold(LINE, mock_line());
    if (number == KEYS_SLOT)
        hold(KEYS_SLOT, ~mock.keys & 0x3ffu);
    if (number == TRANSFER && slots[FROM].from != NULL)
        filled_with = *slots[FROM].from;
    for (uint32_t i = 0; i < TIMERS; i++)
        if (address == IO + 0x100u + 4u * i)
            hold(number, timers[i].count);
    line_of_access = mock_line();
    return (uintptr_t)&slots[number];
}

/* This computer's stack needs no guard. */
int stack_guard_exit_code(int code)
{
    return code;
}
