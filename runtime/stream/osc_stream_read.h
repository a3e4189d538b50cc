/* SPDX-License-Identifier: MIT */
/* The reads of a stream: the choice of the next read, arrivals, and failures. */
#ifndef OSC_STREAM_READ_H
#define OSC_STREAM_READ_H

#include "bank/osc_tiers.h"
#include "osc_stream.h"

/* osc_chunk_source.find of all sources. */
const uint32_t *osc_stream_find(const osc_chunk_source *source, uint32_t number);

/* Returns whether a chunk is useless because its whole tier or a finer version is in memory. With
 * `whole`, only whole tiers count, because they are never dropped to make room. */
bool osc_stream_covered(const osc_bank *bank, const osc_chunk_entry *entry, bool whole);

#endif
