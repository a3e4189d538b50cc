/* A bank, a stream that brings its tiers from a medium of the tests, a player, and the bits that
 * the player gives once all tiers are there. */
#ifndef STREAM_TOOLS_H
#define STREAM_TOOLS_H

#include "medium.h"
#include "tier_bank.h"

typedef struct stream_setup {
    uint32_t unit_bytes, align_bytes, most_bytes; /* 0: 256, 4, 4096 */
    uint32_t pool_words;                          /* beside slots and faults; 0: room for all */
    uint32_t slots;                               /* 0: enough */
    uint32_t place, gap;                          /* of tiers on the medium */
} stream_setup;

typedef struct test_stream {
    tier_bank tiers;
    test_player made, full; /* `full` has all tiers attached */
    test_medium medium;
    osc_stream stream;
    osc_stream_source source;
    uint32_t *memory;
} test_stream;

void stream_make(test_stream *s, tier_bank tiers, stream_setup setup);
void stream_free(test_stream *s);

/* Wants a block, 1 ms a call, until nothing is missing. Returns the number of calls; it stops after
 * a thousand. */
uint32_t stream_bring(test_stream *s, osc_want want);

/* The hash of a pose of the player, or of the one that has all tiers. */
uint32_t stream_hash(test_stream *s, uint32_t clip, int32_t position_q11);
uint32_t full_hash(test_stream *s, uint32_t clip, int32_t position_q11);

/* Chunks that are in memory. */
uint32_t stream_chunks_there(const test_stream *s);

/* The number of the chunk's entry, and whether it is in memory. */
uint32_t stream_number(const test_stream *s, uint32_t tier, uint32_t clip, uint32_t block);
bool stream_has(const test_stream *s, uint32_t tier, uint32_t clip, uint32_t block);

/* Updates of 1 ms each. */
void stream_pass_ms(test_stream *s, uint32_t ms);

#endif
