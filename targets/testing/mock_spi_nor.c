/* SPDX-License-Identifier: MIT */
/* The chip takes a byte and gives one; the bus moves the bytes and the time. */
#include "mock_spi_nor.h"

#define UNDRIVEN 0xffu
#define LARGE_BYTES 0x1000000u
enum { REFUSED = -5, BROKEN = -6 }; /* of the bus: any number but OSC_OK and OSC_MEDIUM_BUSY */
enum { WRITE_ENABLE = 0x06, STATUS = 0x05, IDENTIFY = 0x9f, SLEEP = 0xb9, WAKE = 0xab };
enum { READ = 0x03, READ_4 = 0x13, FAST = 0x0b, FAST_4 = 0x0c };
enum { PROGRAM = 0x02, PROGRAM_4 = 0x12, ERASE = 0x20, ERASE_4 = 0x21 };

static void violate(mock_spi_nor *mock, const char *what)
{
    mock->violation = what;
    mock->violations++;
}

static uint64_t clocks_of(const mock_spi_nor *mock, uint32_t us)
{
    return (uint64_t)us * mock->part.clock_hz / 1000000u;
}

static bool is_busy(const mock_spi_nor *mock)
{
    return mock->clocks < mock->busy_until;
}

static uint32_t address_bytes(uint8_t command)
{
    switch (command) {
    case READ:
    case FAST:
    case PROGRAM:
    case ERASE:
        return 3;
    case READ_4:
    case FAST_4:
    case PROGRAM_4:
    case ERASE_4:
        return 4;
    default:
        return 0;
    }
}

/* ---- the chip ---- */

/* A chip that is busy cannot be asleep, and ignores being woken. */
static bool takes(mock_spi_nor *mock, uint8_t command)
{
    if (is_busy(mock) && command == WAKE)
        return false;
    if (mock->is_asleep && command != WAKE)
        violate(mock, "a command to a chip that sleeps");
    else if (mock->clocks < mock->deaf_until)
        violate(mock, "a command to a chip that wakes up or falls asleep");
    else if (is_busy(mock) && command != STATUS)
        violate(mock, "a command to a chip that is busy");
    else
        return true;
    return false;
}

/* The condition under which a command takes effect. */
static void begin_command(mock_spi_nor *mock, uint8_t command)
{
    bool is_slow = command == READ || command == READ_4;
    mock->command = takes(mock, command) ? command : 0u;
    mock->statuses += mock->command == STATUS;
    mock->reads += is_slow || command == FAST || command == FAST_4;
    if (is_slow && mock->part.clock_hz > mock->part.slow_read_hz)
        violate(mock, "a slow read with a fast clock");
    if (mock->command != 0u && address_bytes(command) == 0u && command != WRITE_ENABLE &&
        command != STATUS && command != IDENTIFY && command != SLEEP && command != WAKE)
        violate(mock, "an unknown command");
    if (address_bytes(command) == 3u && mock->part.size_bytes > LARGE_BYTES)
        violate(mock, "a short address for a large chip");
}

static uint8_t content(mock_spi_nor *mock)
{
    const uint8_t *bytes = (const uint8_t *)mock->part.words;
    uint8_t byte = bytes[mock->address];
    mock->address = mock->address + 1u < mock->part.size_bytes ? mock->address + 1u : 0u;
    return byte;
}

static uint8_t data_byte(mock_spi_nor *mock, uint8_t in, uint32_t number)
{
    switch (mock->command) {
    case FAST:
    case FAST_4:
        return number == 0u ? UNDRIVEN : content(mock); /* the dummy byte */
    case READ:
    case READ_4:
        return content(mock);
    case PROGRAM:
    case PROGRAM_4:
        mock->page[(mock->address + number) % MOCK_NOR_PAGE_BYTES] = in;
        mock->page_count = number + 1u;
        return UNDRIVEN;
    default:
        violate(mock, "more bytes than a command has");
        return UNDRIVEN;
    }
}

/* A byte arrives, and one goes back. */
static uint8_t answer(mock_spi_nor *mock, uint8_t in)
{
    uint32_t position = mock->position++;
    if (mock->is_removed)
        return UNDRIVEN;
    if (position == 0u) {
        begin_command(mock, in);
        return UNDRIVEN;
    }
    uint32_t of_address = address_bytes(mock->command);
    if (position <= of_address) {
        mock->address = mock->address << 8 | in;
        if (position == of_address)
            mock->address %= mock->part.size_bytes;
        return UNDRIVEN;
    }
    if (of_address != 0u)
        return data_byte(mock, in, position - of_address - 1u);
    if (mock->command == STATUS)
        return (uint8_t)(is_busy(mock) | mock->is_enabled << 1);
    if (mock->command == IDENTIFY)
        return (uint8_t)(position > 3u ? 0u : mock->part.id >> 8u * (3u - position));
    if (mock->command != 0u)
        violate(mock, "more bytes than a command has");
    return UNDRIVEN;
}

static bool may_write(mock_spi_nor *mock)
{
    if (!mock->is_enabled)
        violate(mock, "a write that was not enabled");
    else if (mock->part.writable == NULL)
        violate(mock, "a write to a chip that cannot be written");
    else
        return true;
    return false;
}

static void store_page(mock_spi_nor *mock)
{
    uint8_t *bytes = (uint8_t *)mock->part.writable;
    uint32_t first = mock->address / MOCK_NOR_PAGE_BYTES * MOCK_NOR_PAGE_BYTES;
    for (uint32_t i = 0; i < MOCK_NOR_PAGE_BYTES && first + i < mock->part.size_bytes; i++)
        bytes[first + i] &= mock->page[i];
    mock->programs++;
    mock->busy_until = mock->clocks + clocks_of(mock, mock->part.program_us);
    mock->is_enabled = false;
}

static void erase_sector(mock_spi_nor *mock)
{
    uint8_t *bytes = (uint8_t *)mock->part.writable;
    uint32_t first = mock->address / MOCK_NOR_SECTOR_BYTES * MOCK_NOR_SECTOR_BYTES;
    for (uint32_t i = 0; i < MOCK_NOR_SECTOR_BYTES && first + i < mock->part.size_bytes; i++)
        bytes[first + i] = 0xff;
    mock->erases++;
    mock->busy_until = mock->clocks + clocks_of(mock, mock->part.erase_us);
    mock->is_enabled = false;
}

/* Commands that change something do so when the chip is released, and only after all of their
 * bytes and none more. */
static void end_command(mock_spi_nor *mock)
{
    if (mock->is_removed || mock->position == 0u)
        return;
    bool has_data = mock->command == PROGRAM || mock->command == PROGRAM_4;
    if (!has_data && mock->position != address_bytes(mock->command) + 1u)
        return;
    switch (mock->command) {
    case WRITE_ENABLE:
        mock->is_enabled = true;
        break;
    case SLEEP:
        mock->is_asleep = true;
        mock->deaf_until = mock->clocks + clocks_of(mock, mock->part.sleep_us);
        break;
    case WAKE:
        mock->is_asleep = false;
        mock->deaf_until = mock->clocks + clocks_of(mock, mock->part.wake_us);
        break;
    case PROGRAM:
    case PROGRAM_4:
        if (mock->page_count != 0u && may_write(mock))
            store_page(mock);
        break;
    case ERASE:
    case ERASE_4:
        if (may_write(mock))
            erase_sector(mock);
        break;
    default:
        break;
    }
}

/* ---- the bus ---- */

static uint8_t move_byte(mock_spi_nor *mock, uint8_t in)
{
    mock->bytes++;
    if (mock->is_selected)
        return answer(mock, in);
    violate(mock, "bytes outside a selection");
    return UNDRIVEN;
}

static bool select(void *context)
{
    mock_spi_nor *mock = context;
    bool is_lost = mock->lost_select != 0u && --mock->lost_select == 0u;
    if (mock->is_taken || is_lost || mock_chance(&mock->seed, mock->taken_q8))
        return false;
    if (mock->is_selected)
        violate(mock, "a selection within another");
    mock->is_selected = true;
    mock->selects++;
    mock->position = mock->address = mock->page_count = 0;
    mock->sent_count = mock->received_count = 0;
    for (uint32_t i = 0; i < MOCK_NOR_PAGE_BYTES; i++)
        mock->page[i] = 0xff;
    return true;
}

static void deselect(void *context)
{
    mock_spi_nor *mock = context;
    if (!mock->is_selected)
        violate(mock, "a release without a selection");
    if (mock->is_moving)
        violate(mock, "a release during a transfer");
    end_command(mock);
    mock->is_selected = false;
    mock->deselects++;
}

static void exchange(void *context, uint8_t *bytes, uint32_t count)
{
    mock_spi_nor *mock = context;
    if (mock->is_moving)
        violate(mock, "an exchange during a transfer");
    for (uint32_t i = 0; i < count; i++) {
        if (mock->sent_count < MOCK_NOR_SENT_BYTES)
            mock->sent[mock->sent_count] = bytes[i];
        mock->sent_count++;
        bytes[i] = move_byte(mock, bytes[i]);
        mock->clocks += 8u;
    }
    mock->waited += (uint64_t)count * 8u * 1000000u;
    mock_clock_wait(mock->part.clock, mock, (uint32_t)(mock->waited / mock->part.clock_hz));
    mock->waited %= mock->part.clock_hz;
}

static int32_t receive(void *context, void *destination, uint32_t size_bytes)
{
    mock_spi_nor *mock = context;
    if (mock->is_moving)
        violate(mock, "a transfer during another");
    if (((uintptr_t)destination & (mock->part.align_bytes - 1u)) != 0u)
        violate(mock, "a destination that is not aligned");
    if (mock_fault(&mock->seed, &mock->refused, mock->refused_q8))
        return REFUSED;
    mock->transfers++;
    mock->out = destination;
    mock->out_bytes = size_bytes;
    mock->out_done = 0;
    mock->out_clocks = mock->clocks;
    mock->is_moving = true;
    mock->has_failed = false;
    mock->fails = mock_fault(&mock->seed, &mock->failing, mock->failing_q8);
    mock->flips = mock_fault(&mock->seed, &mock->flipped, mock->flipped_q8);
    if (mock->flips)
        mock->flip_at = mock_below(&mock->seed, 8u * size_bytes);
    return OSC_OK;
}

/* The bytes that have arrived. A transfer that fails ends after half of its bytes. */
static void go_on(mock_spi_nor *mock)
{
    if (!mock->is_moving)
        return;
    uint64_t due = (mock->clocks - mock->out_clocks) / 8u;
    uint32_t last = mock->fails ? mock->out_bytes / 2u : mock->out_bytes;
    while (mock->out_done < last && mock->out_done < due) {
        uint8_t byte = move_byte(mock, 0);
        if (mock->flips && mock->out_done == mock->flip_at / 8u)
            byte ^= (uint8_t)(1u << mock->flip_at % 8u);
        mock->out[mock->out_done++] = byte;
        mock->received_count++;
    }
    if (mock->out_done < last)
        return;
    mock->is_moving = false;
    mock->has_failed = mock->fails;
}

static int32_t received(void *context)
{
    mock_spi_nor *mock = context;
    go_on(mock);
    if (mock->is_moving)
        return OSC_MEDIUM_BUSY;
    return mock->has_failed ? BROKEN : OSC_OK;
}

static void abort_transfer(void *context)
{
    mock_spi_nor *mock = context;
    mock->is_moving = false;
    mock->aborts++;
}

static void set_default(uint32_t *number, uint32_t otherwise)
{
    if (*number == 0u)
        *number = otherwise;
}

static void advance(void *device, uint32_t us)
{
    mock_spi_nor_advance_us(device, us);
}

void mock_spi_nor_insert(mock_spi_nor *mock, const mock_spi_nor_part *part)
{
    *mock = (mock_spi_nor){.bus = {.select = select,
                                   .deselect = deselect,
                                   .exchange = exchange,
                                   .receive = receive,
                                   .received = received,
                                   .abort = abort_transfer,
                                   .context = mock},
                           .part = *part};
    set_default(&mock->part.clock_hz, 50000000u);
    set_default(&mock->part.id, 0xef4018u);
    set_default(&mock->part.slow_read_hz, 50000000u);
    set_default(&mock->part.program_us, 700u);
    set_default(&mock->part.erase_us, 45000u);
    set_default(&mock->part.sleep_us, 3u);
    set_default(&mock->part.wake_us, 3u);
    set_default(&mock->part.align_bytes, 4u);
    if (!mock_clock_connect(part->clock, mock, advance))
        violate(mock, "more mocks on a clock than it has room for");
}

void mock_spi_nor_advance_us(mock_spi_nor *mock, uint32_t us)
{
    mock->part_clocks += (uint64_t)us * mock->part.clock_hz;
    mock->clocks += mock->part_clocks / 1000000u;
    mock->part_clocks %= 1000000u;
    go_on(mock);
}

uint64_t mock_spi_nor_now_us(const mock_spi_nor *mock)
{
    uint32_t whole = mock->part.clock_hz;
    return mock->clocks / whole * 1000000u + mock->clocks % whole * 1000000u / whole;
}

static void write_command(mock_spi_nor *mock, uint8_t command, uint8_t long_command,
                          uint32_t address)
{
    bool is_large = mock->part.size_bytes > LARGE_BYTES;
    uint8_t bytes[] = {is_large ? long_command : command, (uint8_t)(address >> 24),
                       (uint8_t)(address >> 16), (uint8_t)(address >> 8), (uint8_t)address};
    if (!is_large)
        bytes[1] = command;
    exchange(mock, is_large ? bytes : bytes + 1, is_large ? 5u : 4u);
}

static bool enable_and_select(mock_spi_nor *mock)
{
    uint8_t enable[] = {WRITE_ENABLE};
    if (!select(mock))
        return false;
    exchange(mock, enable, sizeof enable);
    deselect(mock);
    return select(mock);
}

void mock_spi_nor_erase(mock_spi_nor *mock, uint32_t address)
{
    if (!enable_and_select(mock))
        return;
    write_command(mock, ERASE, ERASE_4, address);
    deselect(mock);
}

void mock_spi_nor_program(mock_spi_nor *mock, uint32_t address, const uint8_t *bytes,
                          uint32_t count)
{
    if (!enable_and_select(mock))
        return;
    write_command(mock, PROGRAM, PROGRAM_4, address);
    for (uint32_t i = 0; i < count; i++) {
        uint8_t byte = bytes[i];
        exchange(mock, &byte, 1);
    }
    deselect(mock);
}
