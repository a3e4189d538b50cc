/* SPDX-License-Identifier: MIT */
/* A mock of a serial NOR flash of the 25 series on an SPI bus, with the time that both take. It
 * uses no C library and allocates nothing, so that it also stands in for a chip on boards that have
 * none.
 *
 *     static mock_spi_nor mock;
 *     mock_spi_nor_insert(&mock, &(mock_spi_nor_part){.words = image, .size_bytes = sizeof image,
 *                                                     .clock_hz = 25000000});
 *     osc_spi_nor_init(&flash, &(osc_spi_nor_setup){.bus = &mock.bus, ..});
 *     mock_spi_nor_advance_us(&mock, 16667);           // a frame: DMA goes on
 *
 * A byte takes eight clocks. What the processor waits for (`exchange`) lets time pass, also that of
 * the shared clock; a transfer by DMA goes on when time passes, byte by byte. `violations`
 * counts what no correct driver does, such as a command to a chip that is busy: tests assert that
 * it is 0.
 *
 * Faults come in two ways: a test counts them out (`failing = 2`: the next two transfers fail), or
 * gives them a chance of so many in 256 (`failing_q8 = 26`: about a tenth of all transfers). The
 * same seed and the same calls give the same faults on every machine. */
#ifndef MOCK_SPI_NOR_H
#define MOCK_SPI_NOR_H

#include "mock_clock.h"
#include "osc_spi_nor.h"

#ifdef __cplusplus
extern "C" {
#endif

#define MOCK_NOR_PAGE_BYTES 256u
#define MOCK_NOR_SECTOR_BYTES 4096u
#define MOCK_NOR_SENT_BYTES 8u

/* Zero stands for the default in brackets. */
typedef struct mock_spi_nor_part {
    mock_clock *clock;     /* whose time it shares [null: it has its own, from 0 on] */
    const uint32_t *words; /* what it holds, as the processor has it in memory */
    uint32_t *writable;    /* the same words where they can be programmed and erased [null] */
    uint32_t size_bytes;   /* a multiple of 4; addresses beyond it begin again at 0 */
    uint32_t clock_hz;     /* of the bus: a slow one makes reads slow [50000000] */
    uint32_t id;           /* [0xef4018] */
    uint32_t slow_read_hz; /* the fastest clock for 0x03 and 0x13 [50000000] */
    uint32_t program_us, erase_us; /* a page, a sector [700, 45000] */
    uint32_t sleep_us, wake_us;    /* [3, 3] */
    uint32_t align_bytes;          /* what DMA demands of destinations [4] */
} mock_spi_nor_part;

typedef struct mock_spi_nor {
    osc_spi_bus bus; /* for osc_spi_nor_init */
    mock_spi_nor_part part;

    /* to be set by tests, at any time */
    bool is_taken;        /* another device has the bus: reads wait */
    bool is_removed;      /* pulled out: all bytes that arrive are 0xff */
    uint32_t refused;     /* so many of the next transfers cannot begin */
    uint32_t failing;     /* so many end with an error, half way */
    uint32_t flipped;     /* in so many a bit arrives wrong, unnoticed: the seed says which */
    uint32_t lost_select; /* the bus is taken at this selection from now on: 1: the next */

    /* the same by chance, of 256, drawn from the seed; to be set by tests, at any time */
    uint64_t seed; /* changes with each fault that is drawn */
    uint32_t taken_q8, refused_q8, failing_q8, flipped_q8;

    /* to be read */
    const char *violation; /* a description of the last one, or null */
    uint32_t violations;
    uint32_t selects, deselects, transfers, aborts;
    uint32_t statuses, reads, programs, erases;
    uint64_t bytes;                      /* on the bus */
    uint8_t sent[MOCK_NOR_SENT_BYTES];   /* the first bytes of the last selection */
    uint32_t sent_count, received_count; /* bytes of the last selection: exchanged, by DMA */

    /* private */
    uint64_t clocks, part_clocks, waited;
    uint64_t busy_until, deaf_until;
    bool is_selected, is_asleep, is_enabled;
    uint8_t command;
    uint32_t position; /* bytes since the selection */
    uint32_t address;
    uint8_t page[MOCK_NOR_PAGE_BYTES];
    uint32_t page_count;
    uint8_t *out;
    uint32_t out_bytes, out_done, flip_at;
    uint64_t out_clocks; /* when the transfer began */
    bool is_moving, fails, has_failed, flips;
} mock_spi_nor;

/* Connects the chip: idle, awake, without faults, all counts zero. part: is copied; its words must
 * outlive the mock, which must not move. Inserting a chip again is a power cut. */
void mock_spi_nor_insert(mock_spi_nor *mock, const mock_spi_nor_part *part);

/* Lets time pass for a chip without a shared clock; mock_clock_advance_us does so for one with. */
void mock_spi_nor_advance_us(mock_spi_nor *mock, uint32_t us);

/* Microseconds since the chip was inserted, rounded down. */
uint64_t mock_spi_nor_now_us(const mock_spi_nor *mock);

/* Erases the sector of an address, or programs bytes of a page, through the bus as a game's own
 * code does: for tests of reads meanwhile. Bytes that reach the end of the page go on at its start.
 * Both return at once, with the chip busy for erase_us or program_us; nothing happens while the bus
 * is taken. */
void mock_spi_nor_erase(mock_spi_nor *mock, uint32_t address);
void mock_spi_nor_program(mock_spi_nor *mock, uint32_t address, const uint8_t *bytes,
                          uint32_t count);

#ifdef __cplusplus
}
#endif

#endif
