/* Ossicle: streaming. Chunks of tiers come from a medium that is too large or too slow to play from
 * (serial flash, a card, a network) into memory of the caller, while clips play with what is there:
 * always with the base, which is part of the bank, and finer once a chunk has arrived.
 *
 *     static uint32_t memory[3072];
 *     osc_stream_init(&stream, &medium, memory, 3072, 16);
 *     osc_stream_add(&stream, &source, &bank, hero_checks, hero_tier_places);
 *     ..
 *     osc_stream_want(&stream, &(osc_want){&bank, HERO_CLIP_JUMP, .due_us = 500000});
 *     osc_stream_follow(&stream, &player.player, 30);  // each frame, for what is on the screen
 *     osc_stream_update(&stream, elapsed_us);          // each frame, last
 *
 * A chunk is read as a whole, checked (CRC-32, and what osc_bank_open checks of a clip), and only
 * then plays. Chunks that are not wanted make room for others, and may go at any time: no player
 * keeps a pointer to one from one position to the next. Chunks that do not arrive, or arrive
 * damaged, are read again up to OSC_STREAM_TRIES times; then the stream leaves them, says so once,
 * and the clip goes on as it is.
 *
 * All functions belong to the thread that moves the players of these banks. Only the medium's own
 * work (DMA, interrupts, another thread) goes on beside them. Nothing here waits or allocates. */
#ifndef OSC_STREAM_H
#define OSC_STREAM_H

#include "ossicle.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { OSC_MEDIUM_BUSY = 1 }; /* beside OSC_OK and errors below zero */

/* How a medium is read: one read at a time, by three functions that do not wait.
 *
 * start: begins to copy size_bytes bytes from offset_bytes on to `destination`. Returns OSC_OK;
 * OSC_MEDIUM_BUSY if it cannot begin now, and is to be asked again in each update, however long; or
 * an error below zero.
 *
 * poll: OSC_MEDIUM_BUSY while the read goes on, OSC_OK once every byte lies in memory (after DMA:
 * once the processor sees them), or an error below zero, after which the read is over.
 *
 * cancel: ends a read that was started and is not over. Afterwards nothing is written to its
 * destination any more. Called for a read that takes longer than timeout_us, and by
 * osc_stream_cancel and osc_stream_drop.
 *
 * timeout_us counts the time that osc_stream_update is told, the whole of the step after the start
 * included: choose several frames at least. A shorter one ends every read that its first poll does
 * not find complete.
 *
 * Offsets and sizes of reads are multiples of unit_bytes (a power of two from 4 on: a page, a
 * sector), destinations multiples of align_bytes (a power of two from 4 to 64, at most unit_bytes,
 * such as a cache line; the stream's memory has to be so, too), and no read is larger than
 * most_bytes (a multiple of unit_bytes). */
typedef struct osc_medium {
    int32_t (*start)(void *context, uint32_t offset_bytes, void *destination, uint32_t size_bytes);
    int32_t (*poll)(void *context);
    void (*cancel)(void *context);
    void *context;
    uint32_t unit_bytes, align_bytes, most_bytes;
    uint32_t timeout_us; /* of one read; several frames at least */
} osc_medium;

typedef struct osc_stream osc_stream;

/* What a stream keeps of one bank. The caller's memory; all fields are private. */
typedef struct osc_stream_source {
    osc_chunk_source chunks; /* first: what the bank points to */
    osc_stream *stream;
    osc_bank *bank;
    osc_codec_check *const *checks;
    uint8_t *faults; /* a byte for each chunk, in the stream's memory */
    struct osc_stream_source *next;
    uint32_t places[OSC_MAX_TIERS]; /* offsets of the tiers on the medium, in bytes */
    uint8_t number;
    uint8_t tiers_there; /* the bank's, when the stream last looked */
} osc_stream_source;

/* What a stream has done since osc_stream_init. */
typedef struct osc_stream_counts {
    uint32_t reads, read_bytes; /* that the medium completed */
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
    uint32_t read_done_bytes, reading_us;          /* of the read, of its part that goes on */
    uint16_t first;                                /* slot of the first chunk in the pool */
    bool started;                                  /* the medium reads; it was busy otherwise */
    osc_stream_counts counts;
};

#define OSC_STREAM_SLOT_WORDS 8u /* of the memory, for each slot */
#define OSC_STREAM_TRIES 4u      /* of a chunk, before it is given up */
/* The pause after a failure; doubled after each further one of a chunk. */
#define OSC_STREAM_PAUSE_US 20000u
/* A want that is not repeated fades so long after it was due. */
#define OSC_STREAM_GRACE_US 500000u
#define OSC_STREAM_MAX_SOURCES 255u

/* Fills a stream. The medium and the memory must outlive it.
 *
 * memory: memory_words words, aligned to medium->align_bytes: OSC_STREAM_SLOT_WORDS for each slot,
 * a byte for each chunk of the banks that are added, and the rest for chunks: at least the largest
 * chunk and two units of the medium, in which it may begin and end anywhere; for the keys of a
 * dense clip, all of its chunks together, two units, and align_bytes. slot_count: how many chunks
 * may be in memory or wanted at a time, 1 .. 65535; with one for each tier, or more, a block goes
 * through all of its versions.
 *
 * Errors: OSC_ERROR_MEMORY when the memory has no room for the slots and a unit of the medium;
 * OSC_ERROR_ALIGNMENT for a memory or a medium whose numbers are not as they have to be. To use the
 * memory otherwise, or a bank without the stream: osc_stream_cancel, and open the bank again. */
int32_t osc_stream_init(osc_stream *stream, const osc_medium *medium, uint32_t *memory,
                        uint32_t memory_words, uint32_t slot_count);

/* Adds a bank, whose chunks the stream then brings. The bank has to lie in RAM as a structure (a
 * copy of hero_embedded, or one that hero_open has filled), because the stream writes to it.
 *
 * source: the caller's memory for what the stream keeps of the bank. checks: as for
 * osc_bank_open_codecs; osc_all_checks (osc_codecs.h) for a bank of any codec. places: where each
 * tier of the bank begins on the medium, in bytes, multiples of 4; tier_count numbers, which
 * `ossicle pack` writes to a header.
 *
 * Call it before anything is wanted. Errors: OSC_ERROR_MEMORY, also for more banks than
 * OSC_STREAM_MAX_SOURCES and while a read goes on; OSC_ERROR_ALIGNMENT for a place that is no
 * multiple of 4, or from which the tier would not end a unit below 4 GiB; OSC_ERROR_NOT_FOUND when
 * the bank has no tiers. */
int32_t osc_stream_add(osc_stream *stream, osc_stream_source *source, osc_bank *bank,
                       osc_codec_check *const *checks, const uint32_t *places);

/* What should be in memory, and when. */
typedef struct osc_want {
    const osc_bank *bank;
    uint32_t clip;
    uint32_t frame;   /* of a clip in several blocks: one of the block */
    uint32_t due_us;  /* until it plays: 0: it plays now */
    uint8_t priority; /* what has more is read first, whenever it is due */
    uint8_t tiers;    /* the first so many of the bank; 0: all */
} osc_want;

/* Says that a block of a clip will be played: a hint, which may be repeated as often as the game
 * likes and never has to be taken back. It counts until OSC_STREAM_GRACE_US after it was due; then
 * its chunks are unused. Request the blocks that are playing every frame: any other makes room for
 * those that play then. Chunks of a higher priority are read first, of the same priority those that
 * are due sooner, then coarse tiers, then what lies first on the medium. When room is needed,
 * those go first that are unused for the longest time, then those of less priority, then those that
 * are due last; none makes room for one that is not more urgent, except a coarser version for a
 * finer one of the same block. A want for which no slot is left waits until it is repeated. Returns
 * the number of chunks that are still missing, 0 once all are there, without those that were given
 * up; or OSC_ERROR_NOT_FOUND for a bank that was not added or a clip that it does not have. */
int32_t osc_stream_want(osc_stream *stream, const osc_want *want);

/* Wants what a player plays now, and in a clip of several blocks also what lies up to
 * `ahead_frames` frames further, below 0 backward, which is due when the clip gets there at the
 * speed as recorded. Call it each frame for each character on the screen. Returns as
 * osc_stream_want. */
int32_t osc_stream_follow(osc_stream *stream, const osc_player *player, int32_t ahead_frames);

/* Wants a block of a clip until it is released, and keeps its chunks in memory, once they are
 * there, until they are released as often as they were held, with the same `tiers`. Coarser
 * versions make room for finer ones that are held as often, and for whole tiers that are attached.
 * A hold needs a slot for each tier that has a chunk of the block: OSC_ERROR_MEMORY when there is
 * none that could be given up; nothing is held then. Otherwise returns as osc_stream_want. */
int32_t osc_stream_hold(osc_stream *stream, const osc_want *want);
void osc_stream_release(osc_stream *stream, const osc_want *want);

/* Goes on: looks after the read that is under way, takes what has arrived, and begins the next
 * read, so that at most most_bytes of the medium arrive in a call. Call it once a frame, or more
 * often while the game waits for something. elapsed_us: since the last call. Cost: the check of a
 * chunk that has arrived (one pass for the CRC, one over its headers); moving chunks together where
 * room is needed; otherwise linear in the slots. */
void osc_stream_update(osc_stream *stream, uint32_t elapsed_us);

/* Ends the read that is under way, if any: before the medium is switched off, or the memory used
 * otherwise. What is in memory plays on. */
void osc_stream_cancel(osc_stream *stream);

/* Drops everything that no one holds, and ends the read that is under way: the clips play as the
 * bank has them. */
void osc_stream_drop(osc_stream *stream);

/* A chunk that was given up. */
typedef struct osc_stream_fault {
    const osc_bank *bank;
    uint32_t tier, clip, block;
    int32_t error; /* OSC_ERROR_READ, OSC_ERROR_CRC, OSC_ERROR_CLIP, OSC_ERROR_CODEC; or
                      OSC_ERROR_MEMORY: larger than the pool */
} osc_stream_fault;

/* Tells each chunk that was given up, once. Returns false when there is nothing to tell. */
bool osc_stream_next_fault(osc_stream *stream, osc_stream_fault *fault);

/* Forgets all faults: once a card is back, everything that is wanted is read again. Faults that
 * were not told yet are not told any more. */
void osc_stream_retry(osc_stream *stream);

#ifdef __cplusplus
}
#endif

#endif
