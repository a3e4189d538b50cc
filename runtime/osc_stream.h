/* SPDX-License-Identifier: MIT */
/* Ossicle: streaming. Reads chunks of tiers from a medium that is too large or too slow to play
 * from (serial flash, a card, a network) into the caller's memory, while clips play: with the base,
 * which is part of the bank, and more precisely once a chunk has arrived.
 *
 *     static uint32_t memory[3072];
 *     osc_stream_init(&stream, &medium, memory, 3072, 16);
 *     osc_stream_add(&stream, &source, &bank, hero_checks, hero_tier_places);
 *     ..
 *     osc_stream_want(&stream, &(osc_want){&bank, HERO_CLIP_JUMP, .due_us = 500000});
 *     osc_stream_follow(&stream, &player.player, 30);  // each frame, for what is on the screen
 *     osc_stream_update(&stream, elapsed_us);          // each frame, last
 *
 * A chunk is read as a whole and checked (CRC-32, and the checks of a clip in osc_bank_open) before
 * it plays. Chunks that are no longer requested may be dropped at any time: players do not keep
 * pointers to them from one position to the next. Chunks that do not arrive, or arrive damaged, are
 * read up to OSC_STREAM_TRIES times; then the stream gives them up and reports a fault once, and
 * the clip plays on without them.
 *
 * Call all functions from the thread that moves the players of these banks. Only the medium's own
 * work (DMA, interrupts, another thread) runs in parallel. No function waits or allocates. */
#ifndef OSC_STREAM_H
#define OSC_STREAM_H

#include "ossicle.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { OSC_MEDIUM_BUSY = 1 }; /* in addition to OSC_OK and errors below zero */

/* A medium, read by three functions that do not wait, one read at a time.
 *
 * start: begins to copy size_bytes bytes from offset_bytes to `destination`. Returns OSC_OK;
 * OSC_MEDIUM_BUSY if it cannot begin yet, and each update will try again, without limit; or an
 * error below zero.
 *
 * poll: returns OSC_MEDIUM_BUSY while the read continues, OSC_OK once every byte is in memory
 * (after DMA: once the processor sees them), or an error below zero, which ends the read.
 *
 * cancel: ends an unfinished read. Afterwards, nothing may be written to its destination. Called
 * for a read that takes longer than timeout_us, and by osc_stream_cancel and osc_stream_drop.
 *
 * timeout_us counts the elapsed_us of osc_stream_update, including all of the first step after the
 * start: choose at least several frames. A shorter time ends every read that is not complete at its
 * first poll.
 *
 * Offsets and sizes of reads are multiples of unit_bytes (a power of two from 4 on: a page, a
 * sector), destinations multiples of align_bytes (a power of two from 4 to 64, at most unit_bytes,
 * such as a cache line; so must the stream's memory be), and no read is larger than most_bytes (a
 * multiple of unit_bytes). */
typedef struct osc_medium {
    int32_t (*start)(void *context, uint32_t offset_bytes, void *destination, uint32_t size_bytes);
    int32_t (*poll)(void *context);
    void (*cancel)(void *context);
    void *context;
    uint32_t unit_bytes, align_bytes, most_bytes;
    uint32_t timeout_us; /* of one read; several frames at least */
} osc_medium;

typedef struct osc_stream osc_stream;

/* A stream's data about a bank, in the caller's memory. All fields are private. */
typedef struct osc_stream_source {
    osc_chunk_source chunks; /* must be first: the bank points to it */
    osc_stream *stream;
    osc_bank *bank;
    osc_codec_check *const *checks;
    uint8_t *faults; /* a byte for each chunk, in the stream's memory */
    struct osc_stream_source *next;
    uint32_t places[OSC_MAX_TIERS]; /* offsets of the tiers on the medium, in bytes */
    uint8_t number;
    uint8_t tiers_there; /* the bank's, at the stream's last check */
} osc_stream_source;

/* Counters since osc_stream_init. */
typedef struct osc_stream_counts {
    uint32_t reads, read_bytes; /* completed by the medium */
    uint32_t failures;         /* reads that failed or timed out, and chunks that arrived damaged */
    uint32_t arrived, dropped; /* chunks */
    uint32_t given_up;         /* chunks: after OSC_STREAM_TRIES, or larger than the pool */
} osc_stream_counts;

/* A stream. All fields but `counts` are private. */
struct osc_stream {
    const osc_medium *medium;
    uint32_t *pool;
    uint32_t pool_words;
    struct osc_stream_slot *slots;
    uint32_t slot_count;
    osc_stream_source *sources;
    uint32_t tick;                                 /* counts updates */
    uint32_t untold;                               /* faults */
    uint32_t read_at, read_from_bytes, read_bytes; /* in the pool and on the medium; 0: no read */
    uint32_t read_done_bytes, reading_us;          /* of the read, and of its current part */
    uint16_t first;                                /* slot of the first chunk in the pool */
    bool started;                                  /* the medium reads; false: it was busy */
    osc_stream_counts counts;
};

#define OSC_STREAM_SLOT_WORDS 8u /* of the memory, for each slot */
#define OSC_STREAM_TRIES 4u      /* of a chunk, before it is given up */
/* The pause after a failure; doubled after each further one of a chunk. */
#define OSC_STREAM_PAUSE_US 20000u
/* A request that is not repeated expires this long after it was due. */
#define OSC_STREAM_GRACE_US 500000u
#define OSC_STREAM_MAX_SOURCES 255u

/* Fills a stream. The medium and the memory must outlive it.
 *
 * memory: memory_words words, aligned to medium->align_bytes: OSC_STREAM_SLOT_WORDS for each slot,
 * a byte for each chunk of the added banks, and the rest for chunks: at least the largest chunk and
 * two units of the medium, because a chunk may begin and end anywhere in a unit; for the keys of a
 * dense clip, all of its chunks together, two units, and align_bytes. slot_count: the number of
 * chunks that may be in memory or requested at a time, 1 .. 65535; with at least one for each tier,
 * a block plays all of its versions in turn.
 *
 * Errors: OSC_ERROR_MEMORY if the memory has no room for the slots and a unit of the medium;
 * OSC_ERROR_ALIGNMENT if the alignment of the memory or the numbers of the medium are invalid. To
 * reuse the memory, or to use a bank without the stream, call osc_stream_cancel and open the bank
 * again. */
int32_t osc_stream_init(osc_stream *stream, const osc_medium *medium, uint32_t *memory,
                        uint32_t memory_words, uint32_t slot_count);

/* Adds a bank, whose chunks the stream then reads. The osc_bank must be in RAM (a copy of
 * hero_embedded, or filled by hero_open), because the stream writes to it.
 *
 * source: the caller's memory for the stream's data about the bank. checks: as for
 * osc_bank_open_codecs; osc_all_checks (osc_codecs.h) for a bank with any codecs. places: the
 * offset of each tier on the medium, in bytes, multiples of 4; tier_count numbers, which `ossicle
 * pack` writes to a header.
 *
 * Call it before any request. Errors: OSC_ERROR_MEMORY, also for more than OSC_STREAM_MAX_SOURCES
 * banks and during a read; OSC_ERROR_ALIGNMENT for an offset that is not a multiple of 4, or with
 * which the tier does not end at least a unit below 4 GiB; OSC_ERROR_NOT_FOUND if the bank has no
 * tiers. */
int32_t osc_stream_add(osc_stream *stream, osc_stream_source *source, osc_bank *bank,
                       osc_codec_check *const *checks, const uint32_t *places);

/* A request: the data that should be in memory, and when. */
typedef struct osc_want {
    const osc_bank *bank;
    uint32_t clip;
    uint32_t frame;   /* of a clip in several blocks: any frame of the block */
    uint32_t due_us;  /* time until it plays; 0: it plays now */
    uint8_t priority; /* higher priorities are read first, whenever they are due */
    uint8_t tiers;    /* the number of leading tiers of the bank; 0: all */
} osc_want;

/* Requests a block of a clip that will be played: a hint, which may be repeated at any time and
 * need not be withdrawn. It expires OSC_STREAM_GRACE_US after it was due; its chunks are then
 * unused. Request the blocks that are playing every frame, because other blocks make room for those
 * that play. Chunks are read in order of priority, then by the time when they are due, then coarse
 * tiers first, then by offset on the medium. When room is needed, the chunks that have been unused
 * for the longest time are dropped first, then those of lower priority, then those that are due
 * last. A chunk is not dropped for one that is no more urgent, except a coarser version for a finer
 * one of the same block. A request for which no slot is free waits until it is repeated. Returns
 * the number of chunks that are still missing, not counting those that were given up; or
 * OSC_ERROR_NOT_FOUND for a bank that was not added or a clip that it does not have. */
int32_t osc_stream_want(osc_stream *stream, const osc_want *want);

/* Requests the block that a player plays now and, in a clip of several blocks, those up to
 * `ahead_frames` frames ahead (below 0: behind), due when the clip gets there at its recorded
 * speed. Call it each frame for each character on the screen. Returns as osc_stream_want. */
int32_t osc_stream_follow(osc_stream *stream, const osc_player *player, int32_t ahead_frames);

/* Requests a block of a clip until it is released, and keeps its chunks in memory, once they are
 * there, until they have been released as often as they were held, with the same `tiers`. Coarser
 * versions make room for finer ones that are held as often, and for whole tiers that are attached.
 * A hold needs a slot for each tier that has a chunk of the block: OSC_ERROR_MEMORY if no slot can
 * be freed; nothing is held then. Otherwise returns as osc_stream_want. */
int32_t osc_stream_hold(osc_stream *stream, const osc_want *want);
void osc_stream_release(osc_stream *stream, const osc_want *want);

/* Continues the work of the stream: polls the current read, accepts the chunk that has arrived, and
 * begins the next read, so that at most most_bytes of the medium arrive in a call. Call it once a
 * frame, or more often while the game waits for something. elapsed_us: since the last call. Cost:
 * the check of an arrived chunk (one pass for the CRC, one over its headers); compacting the pool
 * when room is needed; otherwise linear in the slots. */
void osc_stream_update(osc_stream *stream, uint32_t elapsed_us);

/* Ends the current read, if any. Call it before switching off the medium or reusing the memory.
 * Chunks in memory play on. */
void osc_stream_cancel(osc_stream *stream);

/* Drops all chunks that are not held, and ends the current read: clips then play from the bank
 * alone. */
void osc_stream_drop(osc_stream *stream);

/* A chunk that was given up. */
typedef struct osc_stream_fault {
    const osc_bank *bank;
    uint32_t tier, clip, block;
    int32_t error; /* OSC_ERROR_READ, OSC_ERROR_CRC, OSC_ERROR_CLIP, OSC_ERROR_CODEC; or
                      OSC_ERROR_MEMORY: larger than the pool */
} osc_stream_fault;

/* Reports each chunk that was given up, once. Returns false if there is none left to report. */
bool osc_stream_next_fault(osc_stream *stream, osc_stream_fault *fault);

/* Forgets all faults, including those that were not reported yet: for example when a card is back,
 * so that all requested chunks are read again. */
void osc_stream_retry(osc_stream *stream);

#ifdef __cplusplus
}
#endif

#endif
