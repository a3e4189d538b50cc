/* SPDX-License-Identifier: MIT */
/* A mock of a card, or of a NAND behind its translation layer, as a block device with the time that
 * it takes. It uses no C library and allocates nothing.
 *
 *     static mock_card card;
 *     mock_card_insert(&card, &(mock_card_part){.words = image, .sector_count = count});
 *     osc_block_medium_init(&medium, &(osc_block_setup){.device = card.device, ..});
 *     mock_card_advance_us(&card, 16667);              // a frame: the read goes on
 *
 * A read waits for the card's latency; then sector after sector arrives as time passes. The
 * blocking driver lets time pass, also that of the shared clock. `violations` counts what
 * no correct driver does, such as a read during another: tests assert that it is 0.
 *
 * Faults come in two ways: a test counts them out (`timeouts = 2`: the next two reads never
 * deliver), or gives them a chance of so many in 256 (`timeouts_q8 = 26`: about a tenth of all
 * reads). The same seed and the same calls give the same faults on every machine. */
#ifndef MOCK_CARD_H
#define MOCK_CARD_H

#include "mock_clock.h"
#include "osc_block_medium.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Zero stands for the default in brackets. */
typedef struct mock_card_part {
    mock_clock *clock;     /* whose time it shares [null: it has its own, from 0 on] */
    const uint32_t *words; /* of all sectors, as the processor has them in memory */
    uint32_t sector_count;
    uint32_t sector_bytes; /* [512] */
    uint32_t latency_us;   /* until the first sector begins to arrive [500] */
    uint32_t sector_us;    /* from one sector to the next [50] */
    uint32_t timeout_us;   /* after which the blocking driver gives up [100000] */
    uint32_t align_bytes;  /* what DMA demands of destinations [4] */
} mock_card_part;

typedef struct mock_card {
    osc_block_device device;   /* for osc_block_medium_init: start, poll and cancel */
    osc_block_device blocking; /* instead of it: a read that waits */
    mock_card_part part;

    /* to be set by tests, at any time */
    bool is_removed;     /* pulled out: reads end with an error */
    uint32_t writing;    /* so many of the next starts find the card busy */
    uint32_t timeouts;   /* so many of the next reads never deliver anything */
    uint32_t crc_errors; /* so many deliver a wrong bit in their last sector, and an error */
    uint32_t flipped;    /* so many deliver one without an error: a driver that checks no CRC */

    /* the same by chance, of 256, drawn from the seed; to be set by tests, at any time */
    uint64_t seed; /* changes with each fault that is drawn; also says which bit is wrong */
    uint32_t writing_q8, timeouts_q8, crc_errors_q8, flipped_q8;

    /* to be read */
    const char *violation; /* a description of the last one, or null */
    uint32_t violations;
    uint32_t starts, cancels, reads; /* reads: of the blocking driver */
    uint32_t sectors;                /* that arrived whole */
    uint32_t first_sector, count;    /* of the last read */
    uint64_t now_us;

    /* private */
    uint8_t *out;
    uint32_t done;
    uint64_t started_us;
    uint32_t flip_at; /* the bit of the last sector */
    bool is_reading, is_silent, is_damaged, is_flipped;
} mock_card;

/* Puts the card into its slot: idle, without faults, all counts zero. part: is copied; its words
 * must outlive the mock, which must not move. Inserting a card again is a power cut. */
void mock_card_insert(mock_card *mock, const mock_card_part *part);

/* Lets time pass for a card without a shared clock; mock_clock_advance_us does so for one with. */
void mock_card_advance_us(mock_card *mock, uint32_t us);

#ifdef __cplusplus
}
#endif

#endif
