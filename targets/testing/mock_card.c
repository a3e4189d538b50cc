/* SPDX-License-Identifier: MIT */
#include "mock_card.h"

/* Errors as drivers number them: below and above zero. */
enum { NO_CARD = -123, WRONG_CRC = 84, TOO_LATE = -116 };

static void violate(mock_card *mock, const char *what)
{
    mock->violation = what;
    mock->violations++;
}

static void copy_sector(mock_card *mock)
{
    uint32_t size = mock->part.sector_bytes;
    const uint8_t *in =
        (const uint8_t *)mock->part.words + (size_t)(mock->first_sector + mock->done) * size;
    uint8_t *out = mock->out + (size_t)mock->done * size;
    for (uint32_t i = 0; i < size; i++)
        out[i] = in[i];
    mock->done++;
    mock->sectors++;
    if ((mock->is_damaged || mock->is_flipped) && mock->done == mock->count)
        out[mock->flip_at / 8u] ^= (uint8_t)(1u << mock->flip_at % 8u);
}

/* The bytes that have arrived. */
static void go_on(mock_card *mock)
{
    uint64_t passed = mock->now_us - mock->started_us;
    if (!mock->is_reading || mock->is_silent || mock->is_removed || passed < mock->part.latency_us)
        return;
    uint64_t due = (passed - mock->part.latency_us) / mock->part.sector_us;
    while (mock->done < mock->count && mock->done < due)
        copy_sector(mock);
}

static void draw_faults(mock_card *mock)
{
    mock->is_silent = mock_fault(&mock->seed, &mock->timeouts, mock->timeouts_q8);
    mock->is_damaged =
        !mock->is_silent && mock_fault(&mock->seed, &mock->crc_errors, mock->crc_errors_q8);
    mock->is_flipped = !mock->is_silent && !mock->is_damaged &&
                       mock_fault(&mock->seed, &mock->flipped, mock->flipped_q8);
    if (mock->is_damaged || mock->is_flipped)
        mock->flip_at = mock_below(&mock->seed, 8u * mock->part.sector_bytes);
}

/* Prepares a read; false when the card cannot do it. */
static bool begin(mock_card *mock, uint32_t first_sector, uint32_t count, void *destination)
{
    if (mock->is_reading)
        violate(mock, "a read during another");
    if (count == 0u || count > mock->part.sector_count ||
        first_sector > mock->part.sector_count - count)
        violate(mock, "sectors beyond the last");
    if (((uintptr_t)destination & (mock->part.align_bytes - 1u)) != 0u)
        violate(mock, "a destination that is not aligned");
    if (mock->violations != 0u)
        return false;
    mock->first_sector = first_sector;
    mock->count = count;
    mock->out = destination;
    mock->done = 0;
    mock->started_us = mock->now_us;
    draw_faults(mock);
    mock->is_reading = true;
    return true;
}

static int32_t start(void *context, uint32_t first_sector, uint32_t count, void *destination)
{
    mock_card *mock = context;
    mock->starts++;
    if (mock->is_removed)
        return NO_CARD;
    if (mock_fault(&mock->seed, &mock->writing, mock->writing_q8))
        return OSC_MEDIUM_BUSY;
    return begin(mock, first_sector, count, destination) ? OSC_OK : -1;
}

static int32_t poll(void *context)
{
    mock_card *mock = context;
    if (!mock->is_reading) {
        violate(mock, "a poll without a read");
        return -1;
    }
    go_on(mock);
    if (!mock->is_removed && mock->done < mock->count)
        return OSC_MEDIUM_BUSY;
    mock->is_reading = false;
    if (mock->is_removed)
        return NO_CARD;
    return mock->is_damaged ? WRONG_CRC : OSC_OK;
}

static void cancel(void *context)
{
    mock_card *mock = context;
    if (!mock->is_reading)
        violate(mock, "a cancel without a read");
    mock->cancels++;
    mock->is_reading = false;
}

static int32_t read(void *context, uint32_t first_sector, uint32_t count, void *destination)
{
    mock_card *mock = context;
    mock->reads++;
    if (mock->is_removed)
        return NO_CARD;
    if (!begin(mock, first_sector, count, destination))
        return -1;
    uint32_t waited_us = mock->is_silent ? mock->part.timeout_us
                                         : mock->part.latency_us + count * mock->part.sector_us;
    mock->now_us += waited_us;
    mock_clock_wait(mock->part.clock, mock, waited_us);
    go_on(mock);
    mock->is_reading = false;
    if (mock->is_silent)
        return TOO_LATE;
    return mock->is_damaged ? WRONG_CRC : 0;
}

static void set_default(uint32_t *number, uint32_t otherwise)
{
    if (*number == 0u)
        *number = otherwise;
}

static void advance(void *device, uint32_t us)
{
    mock_card_advance_us(device, us);
}

void mock_card_insert(mock_card *mock, const mock_card_part *part)
{
    *mock = (mock_card){
        .device = {.start = start, .poll = poll, .cancel = cancel, .context = mock},
        .blocking = {.read = read, .context = mock},
        .part = *part,
    };
    set_default(&mock->part.sector_bytes, 512u);
    set_default(&mock->part.latency_us, 500u);
    set_default(&mock->part.sector_us, 50u);
    set_default(&mock->part.timeout_us, 100000u);
    set_default(&mock->part.align_bytes, 4u);
    if (!mock_clock_connect(part->clock, mock, advance))
        violate(mock, "more mocks on a clock than it has room for");
}

void mock_card_advance_us(mock_card *mock, uint32_t us)
{
    mock->now_us += us;
    go_on(mock);
}
