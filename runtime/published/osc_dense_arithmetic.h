/* SPDX-License-Identifier: MIT */
/* The arithmetic of the dense codec that decoder and encoder share: SPEC.md section 14. */
#ifndef OSC_DENSE_ARITHMETIC_H
#define OSC_DENSE_ARITHMETIC_H

#include "arithmetic/osc_unit.h"
#include "bank/osc_internal.h"
#include "published/osc_keys.h"

/* Words of state: of a clip with tracks, of each class of a clip with tiers, and of each track. */
#define OSC_DENSE_STATE_WORDS 5u
#define OSC_DENSE_CLASS_WORDS 2u
#define OSC_DENSE_TRACK_WORDS 2u

/* Bits of a key's index in the order in which the keys of a block move from the clip to tiers. */
static inline uint32_t osc_dense_order_bits(uint32_t restart_log2)
{
    return restart_log2 != 0u ? restart_log2 : 1u;
}

/* The keys of a block: one every `period` frames from its first on, and one at its last. */
typedef struct osc_dense_block {
    uint32_t first, last, period;
} osc_dense_block;

static inline osc_dense_block osc_dense_block_at(uint32_t frame, uint32_t row_count,
                                                 uint32_t restart_log2, uint32_t period)
{
    osc_dense_block block;
    block.first = (frame >> restart_log2) << restart_log2;
    block.last = block.first + ((1u << restart_log2) - 1u);
    if (block.last > row_count - 1u)
        block.last = row_count - 1u;
    block.period = period;
    return block;
}

static inline uint32_t osc_dense_key_count(const osc_dense_block *block)
{
    return (block->last - block->first + block->period - 1u) / block->period + 1u;
}

static inline uint32_t osc_dense_key_frame(const osc_dense_block *block, uint32_t key)
{
    uint32_t frame = block->first + key * block->period;
    return frame < block->last ? frame : block->last;
}

/* The number of the last key at or before a frame of the block. */
static inline uint32_t osc_dense_key_before(const osc_dense_block *block, uint32_t frame)
{
    return frame == block->last ? osc_dense_key_count(block) - 1u
                                : (frame - block->first) / block->period;
}

/* Interpolates: row holds the left key and becomes the row. part_q20: weight of the right key */
static inline void osc_dense_mix(int32_t *row, const int32_t *right, int32_t part_q20,
                                 bool rotation)
{
    for (uint32_t i = 0; i < (rotation ? 4u : 3u); i++)
        row[i] = osc_add(row[i], osc_mul_q20(osc_sub(right[i], row[i]), part_q20));
    if (rotation)
        osc_unit(row);
}

#endif
