/* A serial NOR flash of the 25 series on an SPI bus, and the time that both take. It needs no C
 * library, so that it also stands in for a chip on boards that have none.
 *
 *     static mock_spi_nor mock;
 *     mock_spi_nor_insert(&mock, &(mock_spi_nor_part){.words = image, .size_bytes = sizeof image,
 *                                                     .clock_hz = 25000000});
 *     osc_spi_nor_init(&flash, &(osc_spi_nor_setup){.bus = &mock.bus, ..});
 *     mock_spi_nor_advance_us(&mock, 16667);           // a frame: DMA goes on
 *
 * A byte takes eight clocks. What the processor waits for (`exchange`) lets the time pass by
 * itself; a transfer by DMA goes on when the time is advanced, byte by byte. What no real program
 * may do is counted in `violations`, and told in `violation`: tests assert that there was none. */
#ifndef MOCK_SPI_NOR_H
#define MOCK_SPI_NOR_H

#include "osc_spi_nor.h"

#define MOCK_NOR_PAGE_BYTES 256u
#define MOCK_NOR_SECTOR_BYTES 4096u
#define MOCK_NOR_SENT_BYTES 8u

/* Zero stands for what is in brackets. */
typedef struct mock_spi_nor_part {
    const uint32_t *words; /* what it holds, as the processor has it in memory */
    uint32_t *writable;    /* the same words where they can be programmed and erased, or null */
    uint32_t size_bytes;   /* a multiple of 4; addresses beyond it begin again at 0 */
    uint32_t clock_hz;     /* [50000000] */
    uint32_t id;           /* [0xef4018] */
    uint32_t slow_read_hz; /* the fastest clock for 0x03 and 0x13 [50000000] */
    uint32_t program_us, erase_us; /* of a page, of a sector [700, 45000] */
    uint32_t sleep_us, wake_us;    /* [3, 3] */
    uint32_t align_bytes;          /* of DMA [4] */
} mock_spi_nor_part;

typedef struct mock_spi_nor {
    osc_spi_bus bus; /* for osc_spi_nor_init */
    mock_spi_nor_part part;

    /* to be set by tests, at any time */
    bool is_taken;        /* another device has the bus */
    bool is_removed;      /* nobody answers */
    uint32_t refused;     /* so many of the next transfers cannot begin .. */
    uint32_t failing;     /* .. and so many end with an error, half way */
    uint32_t flipped;     /* .. and in so many a bit arrives wrong */
    uint32_t lost_select; /* the bus is taken at this selection from now on: 1: the next */

    /* to be read */
    const char *violation; /* the last one, or null */
    uint32_t violations;
    uint32_t selects, deselects, transfers, aborts;
    uint32_t statuses, reads, programs, erases;
    uint64_t bytes;                      /* on the bus */
    uint8_t sent[MOCK_NOR_SENT_BYTES];   /* the first bytes of the last selection */
    uint32_t sent_count, received_count; /* bytes of the last selection: exchanged, by DMA */

    /* private */
    uint64_t clocks, part_clocks;
    uint64_t busy_until, deaf_until;
    bool is_selected, is_asleep, is_enabled;
    uint8_t command;
    uint32_t position; /* bytes since the selection */
    uint32_t address;
    uint8_t page[MOCK_NOR_PAGE_BYTES];
    uint32_t page_count;
    uint8_t *out;
    uint32_t out_bytes, out_done;
    uint64_t out_clocks; /* when the transfer began */
    bool is_moving, has_failed, flips;
} mock_spi_nor;

/* Connects the chip: idle, awake, all counts zero. */
void mock_spi_nor_insert(mock_spi_nor *mock, const mock_spi_nor_part *part);

/* Lets time pass. */
void mock_spi_nor_advance_us(mock_spi_nor *mock, uint32_t us);

/* Time since the chip was inserted. */
uint64_t mock_spi_nor_now_us(const mock_spi_nor *mock);

/* As the game's own code does it, through the bus: erases the sector of an address, or programs
 * bytes of a page, which begin again at its start when they reach its end. They return at once; the
 * chip is busy then. */
void mock_spi_nor_erase(mock_spi_nor *mock, uint32_t address);
void mock_spi_nor_program(mock_spi_nor *mock, uint32_t address, const uint8_t *bytes,
                          uint32_t count);

#endif
