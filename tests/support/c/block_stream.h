/* A stream of the bank of tier_bank_of_blocks whose coarser tiers are in memory as a whole, so that
 * only blocks of the finest tier are read. */
#ifndef BLOCK_STREAM_H
#define BLOCK_STREAM_H

#include "stream_tools.h"

enum { FINE_TIER = 3 };

/* Blocks of the long clip in the finest tier, all of the same size but for the last one. Blocks 3
 * and 8 are not in this tier. */
extern const uint32_t fine_blocks[6];

/* A stream with room for `chunks` blocks of the finest tier. slots: as in stream_setup. */
void block_stream_make(test_stream *s, uint32_t chunks, uint32_t slots);

/* A want of a block of the long clip. */
osc_want block_of(const test_stream *s, uint32_t block);

/* Whether the finest version of a block of the long clip is in memory. */
bool has_block(const test_stream *s, uint32_t block);

/* Wants a block, and updates twice, 1 us each: a medium that is not busy brings it in that time. */
void stream_bring_now(test_stream *s, osc_want want);

/* Passes the time after which wants fade. */
void let_wants_fade(test_stream *s);

#endif
