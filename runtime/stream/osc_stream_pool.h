/* SPDX-License-Identifier: MIT */
/* The memory of a stream: a slot for each chunk that is in memory or requested, and the pool that
 * contains the chunks. */
#ifndef OSC_STREAM_POOL_H
#define OSC_STREAM_POOL_H

#include "bank/osc_tiers.h"
#include "osc_stream.h"

/* The state of a slot. */
enum {
    OSC_SLOT_FREE,
    OSC_SLOT_WANTED,  /* to be read */
    OSC_SLOT_STUCK,   /* to be read, but there was no room */
    OSC_SLOT_COVERED, /* held, but not used: a finer version is in memory */
    OSC_SLOT_READING,
    OSC_SLOT_THERE
};

/* All fields are words, like the caller's memory.
 */
typedef struct osc_stream_slot {
    uint32_t at, word_count; /* in the pool */
    uint32_t number;         /* of the chunk in the directory of its bank */
    uint32_t left_us;        /* until due plus OSC_STREAM_GRACE_US; 0: not requested */
    uint32_t wait_us;        /* before it is read again */
    uint32_t used;           /* the stream's tick when it was last requested */
    uint32_t holds : 16;
    uint32_t next : 16; /* the slot after it in the pool, or OSC_NO_SLOT */
    uint32_t source : 8;
    uint32_t state : 7;
    uint32_t plays : 1; /* it was due immediately when last requested */
    uint32_t priority : 8;
    uint32_t tier : 8;
} osc_stream_slot;

/* The byte of a chunk counts failures until the chunk is given up; then it contains the reason. */
#define OSC_FAULT_FINAL 0x80u  /* given up */
#define OSC_FAULT_UNTOLD 0x40u /* and not yet reported */
#define OSC_FAULT_ERROR_MASK 0x3fu

static inline bool osc_fault_is_final(uint32_t fault)
{
    return (fault & OSC_FAULT_FINAL) != 0u;
}

#define OSC_NO_SLOT 0xffffu
#define OSC_MOST_HOLDS 0xffffu
#define OSC_POOL_MOST_WORDS 0x20000000u /* sums of offsets and sizes do not overflow */

/* Room in the pool. */
typedef struct osc_stream_gap {
    uint32_t at, end; /* in words; both 0 if there is none */
} osc_stream_gap;

static inline bool osc_slot_is_unread(const osc_stream_slot *slot)
{
    return slot->state == OSC_SLOT_WANTED || slot->state == OSC_SLOT_STUCK;
}

static inline bool osc_slot_is_wanted(const osc_stream_slot *slot)
{
    return slot->left_us != 0u || slot->holds != 0u;
}

static inline uint32_t osc_slot_due_us(const osc_stream_slot *slot)
{
    return slot->left_us > OSC_STREAM_GRACE_US ? slot->left_us - OSC_STREAM_GRACE_US : 0u;
}

osc_stream_source *osc_slot_source(const osc_stream *stream, const osc_stream_slot *slot);
osc_chunk_entry osc_slot_entry(const osc_stream *stream, const osc_stream_slot *slot);

/* The byte of its chunk, see above. */
uint8_t *osc_slot_fault(const osc_stream *stream, const osc_stream_slot *slot);

/* The slot of a chunk, or null. */
osc_stream_slot *osc_slot_find(const osc_stream *stream, const osc_stream_source *source,
                               uint32_t number);

/* Returns a free slot or, if necessary, the slot of a chunk that is less urgent than `as` (null: of
 * any chunk that is not held). Null if there is none. */
osc_stream_slot *osc_slot_take(osc_stream *stream, const osc_stream_slot *as);

/* Frees the slot or, if it is held, only the memory of its chunk, whose state becomes `state`. */
void osc_slot_leave(osc_stream *stream, osc_stream_slot *slot, uint32_t state);

/* Inserts an arrived chunk into the list of the pool. */
void osc_pool_insert(osc_stream *stream, osc_stream_slot *slot, uint32_t at, uint32_t word_count);

/* Returns room for the chunk of a slot, word_count words with the alignment of the medium: the
 * first gap that is large enough, if necessary after compacting chunks or, only if that helps,
 * dropping less urgent ones. Not to be called during a read. */
osc_stream_gap osc_pool_room(osc_stream *stream, const osc_stream_slot *slot, uint32_t word_count);

/* Lets stuck requests be tried again, because there may be room. */
void osc_slots_unstick(osc_stream *stream);

#endif
