/* The reads of a stream: what is read next, what has arrived, and what does not arrive. */
#ifndef OSC_STREAM_READ_H
#define OSC_STREAM_READ_H

#include "bank/osc_tiers.h"
#include "osc_stream.h"

/* osc_chunk_source.find of all sources. */
const uint32_t *osc_stream_find(const osc_chunk_source *source, uint32_t number);

/* Returns whether a chunk is of no use, because its whole tier or a finer version is there; of
 * these only whole tiers count if `whole`, because they are never dropped to make room. */
bool osc_stream_covered(const osc_bank *bank, const osc_chunk_entry *entry, bool whole);

#endif
