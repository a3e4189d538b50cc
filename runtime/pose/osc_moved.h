/* SPDX-License-Identifier: MIT */
/* Players that were copied together with their memory: the offset to correct in their pointers. */
#ifndef OSC_MOVED_H
#define OSC_MOVED_H

#include "ossicle.h"

/* In bytes, modulo 2^(bits of a pointer); 0 for a player that does not contain its memory.
 * Addresses are integers here, because the original may no longer exist. */
static inline uintptr_t osc_moved_bytes(const osc_player *player)
{
    return player->whole ? (uintptr_t)player - (uintptr_t)player->home : 0u;
}

static inline int32_t *osc_moved(const int32_t *words, uintptr_t moved_bytes)
{
    return (int32_t *)((uintptr_t)words + moved_bytes);
}

#endif
