/* SPDX-License-Identifier: MIT */
/* A medium of osc_stream.h: serial NOR flash (25-series) on an SPI bus.
 *
 *     static osc_spi_nor flash;
 *     osc_spi_nor_init(&flash, &(osc_spi_nor_setup){.bus = &bus, .size_bytes = 8u << 20});
 *     osc_spi_nor_wake(&flash);                        // if something may have put it to sleep
 *     wait_us(OSC_SPI_NOR_WAKE_US);
 *     osc_stream_init(&stream, &flash.medium, memory, memory_words, 16);
 *
 * A read is one command, an address of 3 bytes (4 for chips above 16 MB, by commands of their own,
 * so that the chip's address mode does not matter), a dummy byte if it is a fast read, and the
 * data. It begins at any address and runs across pages, sectors and blocks: pages matter only for
 * programming, which is left to the game. While the chip erases or programs, it answers only status
 * requests, and reads cannot begin: OSC_MEDIUM_BUSY. */
#ifndef OSC_SPI_NOR_H
#define OSC_SPI_NOR_H

#include "osc_medium_read.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The bus, in mode 0 or 3, most significant bit first. The game provides all functions.
 *
 * select: takes the bus and pulls the chip select low. Returns false if another device, or the
 * game's own code for this chip, uses the bus: reads then wait. deselect: the reverse; called
 * exactly once after each successful select, and never while a transfer runs.
 *
 * exchange: sends this many bytes (at most OSC_SPI_NOR_COMMAND_BYTES), and replaces each by the
 * byte that arrives in the meantime. It waits: 6 bytes take one microsecond at 48 MHz.
 *
 * receive: begins to receive this many bytes, usually by DMA, and does not wait. The sent bytes are
 * ignored. Returns OSC_OK, or anything else on failure. With a data cache: invalidate the lines of
 * the destination here, so that none is written back over the received data.
 *
 * received: OSC_MEDIUM_BUSY while the transfer runs, OSC_OK once it is complete, anything else
 * after an error, which must have ended it. With a data cache: invalidate the lines again, because
 * the processor may have prefetched them.
 *
 * abort: ends a transfer. Nothing is written to the destination afterwards: wait until the DMA
 * channel reports that it is off. */
typedef struct osc_spi_bus {
    bool (*select)(void *context);
    void (*deselect)(void *context);
    void (*exchange)(void *context, uint8_t *bytes, uint32_t count);
    int32_t (*receive)(void *context, void *destination, uint32_t size_bytes);
    int32_t (*received)(void *context);
    void (*abort)(void *context);
    void *context;
} osc_spi_bus;

#define OSC_SPI_NOR_COMMAND_BYTES 6u
#define OSC_SPI_NOR_WAKE_US                                                                        \
    35u /* from osc_spi_nor_wake to the next command, on the slowest chips */

/* Zero selects the default in brackets. */
typedef struct osc_spi_nor_setup {
    const osc_spi_bus *bus;
    uint32_t size_bytes;  /* of the chip, a multiple of align_bytes */
    bool fast_read;       /* 0x0b instead of 0x03, which most chips allow up to 33 or 50 MHz */
    uint32_t align_bytes; /* a cache line where DMA bypasses the cache; also the unit [4] */
    uint32_t
        most_bytes; /* of one transfer: the limit of the DMA's counter, or of bus time [4096] */
    uint32_t timeout_us; /* more than most_bytes take on the bus [100000] */
} osc_spi_nor_setup;

/* A chip. It must not move: `medium` points to it. `medium` is for the stream; the rest is private.
 */
typedef struct osc_spi_nor {
    osc_medium medium;
    osc_medium_read read;
    const osc_spi_bus *bus;
    uint32_t size_bytes;
    bool fast_read, asleep;
} osc_spi_nor;

/* Fills `nor`. Sends nothing. osc_stream_init checks the numbers. */
void osc_spi_nor_init(osc_spi_nor *nor, const osc_spi_nor_setup *setup);

/* Reads manufacturer, type and capacity (0x9f) to bits 23..16, 15..8 and 7..0 of `id`. Returns
 * OSC_OK; OSC_MEDIUM_BUSY like a read; OSC_ERROR_READ if no chip answers. */
int32_t osc_spi_nor_identify(osc_spi_nor *nor, uint32_t *id);

/* Puts the chip into power-down (0xb9). Later reads return OSC_MEDIUM_BUSY, so that no chunk is
 * given up while the game sleeps. Returns OSC_OK; OSC_MEDIUM_BUSY during a read (osc_stream_cancel
 * ends it), while the chip erases or programs, or if the bus is taken; OSC_ERROR_READ if no chip
 * answers. */
int32_t osc_spi_nor_sleep(osc_spi_nor *nor);

/* Releases the chip from power-down (0xab). It must not be accessed for OSC_SPI_NOR_WAKE_US
 * afterwards. Returns OSC_OK, or OSC_MEDIUM_BUSY if the bus is taken. */
int32_t osc_spi_nor_wake(osc_spi_nor *nor);

#ifdef __cplusplus
}
#endif

#endif
