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
 * programming, which is the game's own affair. While the chip erases or programs, it answers
 * nothing but its status, and reads cannot begin: OSC_MEDIUM_BUSY. */
#ifndef OSC_SPI_NOR_H
#define OSC_SPI_NOR_H

#include "osc_medium_read.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The bus, in mode 0 or 3, most significant bit first. All functions are the game's.
 *
 * select: takes the bus and pulls the chip select low. Returns false when another device, or the
 * game's own code for this chip, has the bus: reads then wait. deselect: the reverse; called
 * exactly once after each successful select, and never while a transfer runs.
 *
 * exchange: sends so many bytes (at most OSC_SPI_NOR_COMMAND_BYTES), and puts in the place of each
 * the one that arrived meanwhile. It waits: 6 bytes take one microsecond at 48 MHz.
 *
 * receive: begins to receive so many bytes, usually by DMA, and does not wait. The bytes that go
 * out are of no importance. Returns OSC_OK, or anything else when it cannot. With a data cache:
 * invalidate the lines of the destination here, so that none is written back over what arrives.
 *
 * received: OSC_MEDIUM_BUSY while the transfer runs, OSC_OK once it is complete, anything else
 * after an error, with which it has to have ended. With a data cache: invalidate the lines again,
 * which the processor may have fetched ahead meanwhile.
 *
 * abort: ends a transfer. Nothing is written to the destination afterwards: wait until the DMA
 * channel says that it is off. */
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

/* Zero stands for the default in brackets. */
typedef struct osc_spi_nor_setup {
    const osc_spi_bus *bus;
    uint32_t size_bytes;  /* of the chip, a multiple of align_bytes */
    bool fast_read;       /* 0x0b instead of 0x03, which most chips allow up to 33 or 50 MHz */
    uint32_t align_bytes; /* a cache line where DMA bypasses the cache; also the unit [4] */
    uint32_t most_bytes;  /* of one transfer: what the DMA counts, or may keep the bus for [4096] */
    uint32_t timeout_us;  /* more than most_bytes take on the bus [100000] */
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
 * OSC_OK; OSC_MEDIUM_BUSY as a read would; OSC_ERROR_READ when no chip answers. */
int32_t osc_spi_nor_identify(osc_spi_nor *nor, uint32_t *id);

/* Puts the chip into power-down (0xb9). Reads that begin from now on are OSC_MEDIUM_BUSY, so that
 * nothing is given up while the game sleeps. Returns OSC_OK; OSC_MEDIUM_BUSY while a read is under
 * way (osc_stream_cancel ends it), the chip erases or programs, or the bus is taken; OSC_ERROR_READ
 * when no chip answers. */
int32_t osc_spi_nor_sleep(osc_spi_nor *nor);

/* Releases the chip from power-down (0xab). It must be left alone for OSC_SPI_NOR_WAKE_US then.
 * Returns OSC_OK, or OSC_MEDIUM_BUSY when the bus is taken. */
int32_t osc_spi_nor_wake(osc_spi_nor *nor);

#ifdef __cplusplus
}
#endif

#endif
