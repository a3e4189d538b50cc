/* SPDX-License-Identifier: MIT */
/* A medium of osc_stream.h: memory that is slow to play from, such as flash behind a cartridge bus,
 * or large RAM next to a small fast one.
 *
 *     static osc_memory_medium cartridge;
 *     osc_memory_medium_init(&cartridge, hero_tiers, sizeof hero_tiers / 4, 2048);
 *     osc_stream_init(&stream, &cartridge.medium, memory, memory_words, 16);
 *
 * Tiers that the processor can address seldom need it: osc_bank_attach_tier plays them in place,
 * without copies and without a pool. A stream is worth its memory only if a row from the slow
 * memory costs more time than the game can spare. */
#ifndef OSC_MEMORY_MEDIUM_H
#define OSC_MEMORY_MEDIUM_H

#include "osc_medium_read.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A memory. It must not move: `medium` points to it. `medium` is for the stream; the rest is
 * private. */
typedef struct osc_memory_medium {
    osc_medium medium;
    osc_medium_read read;
    const uint32_t *words;
    uint32_t size_bytes;
} osc_memory_medium;

/* Fills `medium`. words: word_count words, which outlive the stream; at most 2^30 - 1. most_bytes:
 * a multiple of 4, which the processor copies word by word in one poll; 0 selects 1024. */
void osc_memory_medium_init(osc_memory_medium *medium, const uint32_t *words, uint32_t word_count,
                            uint32_t most_bytes);

#ifdef __cplusplus
}
#endif

#endif
