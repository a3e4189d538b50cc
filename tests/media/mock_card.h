/* A card, or a NAND behind its translation layer, as a block device with the time that it takes. It
 * needs no C library. A read waits for the card's latency, then sector after sector arrives as the
 * time is advanced. The blocking driver lets the time pass by itself. What no real program may do
 * is counted in `violations`. */
#ifndef MOCK_CARD_H
#define MOCK_CARD_H

#include "osc_block_medium.h"

/* Zero stands for what is in brackets. */
typedef struct mock_card_part {
    const uint32_t *words; /* of all sectors, as the processor has them in memory */
    uint32_t sector_count;
    uint32_t sector_bytes; /* [512] */
    uint32_t latency_us;   /* until the first sector begins to arrive [500] */
    uint32_t sector_us;    /* [50] */
    uint32_t timeout_us;   /* after which the blocking driver gives up [100000] */
    uint32_t align_bytes;  /* of DMA [4] */
} mock_card_part;

typedef struct mock_card {
    osc_block_device device;   /* as start, poll and cancel */
    osc_block_device blocking; /* as a read that waits */
    mock_card_part part;

    /* to be set by tests, at any time */
    bool is_removed;
    uint32_t writing;    /* so many of the next starts find the card busy */
    uint32_t crc_errors; /* so many of the next reads deliver a wrong bit in their last sector .. */
    uint32_t timeouts;   /* .. and so many never deliver anything */

    /* to be read */
    const char *violation; /* the last one, or null */
    uint32_t violations;
    uint32_t starts, cancels, reads; /* reads: of the blocking driver */
    uint32_t sectors;                /* that arrived whole */
    uint32_t first_sector, count;    /* of the last read */
    uint64_t now_us;

    /* private */
    uint8_t *out;
    uint32_t done;
    uint64_t started_us;
    bool is_reading, is_silent, is_damaged;
} mock_card;

/* Puts the card into its slot: idle, all counts zero. */
void mock_card_insert(mock_card *mock, const mock_card_part *part);

/* Lets time pass. */
void mock_card_advance_us(mock_card *mock, uint32_t us);

#endif
