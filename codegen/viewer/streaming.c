/* The stream of the page: tiers of one bank come through the runtime's own osc_stream, and the page
 * reads the medium, by HTTP. */
#include "osc_stream.h"

#include "bank/osc_codecs.h"
#include "player.h"
#include "stream/osc_stream_pool.h"

#define IMPORT(name) __attribute__((import_module("medium"), import_name(name)))

#define UNIT_BYTES 4u                    /* HTTP reads any bytes */
#define MOST_BYTES 16384u                /* of a read: what is wanted meanwhile waits for its end */
#define TIMEOUT_US (20u * 1000u * 1000u) /* 16 KiB at 1 kB/s */
#define WHOLE_POOL 0u

IMPORT("start")
int32_t medium_start(uint32_t offset_bytes, void *destination, uint32_t size_bytes);
IMPORT("poll") int32_t medium_poll(void);
IMPORT("cancel") void medium_cancel(void);

static int32_t start_read(void *context, uint32_t offset_bytes, void *destination,
                          uint32_t size_bytes)
{
    (void)context;
    return medium_start(offset_bytes, destination, size_bytes);
}

static int32_t poll_read(void *context)
{
    (void)context;
    return medium_poll();
}

static void cancel_read(void *context)
{
    (void)context;
    medium_cancel();
}

static const osc_medium medium = {
    .start = start_read,
    .poll = poll_read,
    .cancel = cancel_read,
    .unit_bytes = UNIT_BYTES,
    .align_bytes = 4,
    .most_bytes = MOST_BYTES,
    .timeout_us = TIMEOUT_US,
};

static osc_stream stream;
static osc_stream_source source;
static uint32_t *memory;

/* Begins to stream the tiers of a bank, or begins again with a pool of another size, from the base.
 *
 * places: where each tier begins on the medium, in bytes. pool_bytes: the room for chunks;
 * WHOLE_POOL: for all of them. Returns OSC_OK or an error. */
EXPORT("stream") int32_t begin_stream(stage *stage, const uint32_t *places, uint32_t pool_bytes);
int32_t begin_stream(stage *stage, const uint32_t *places, uint32_t pool_bytes)
{
    osc_bank *bank = &stage->opened->bank;
    uint32_t chunks = bank->tier_count != 0u ? osc_chunks_end(bank, bank->tier_count) : 0u;
    uint32_t slots = chunks != 0u ? chunks : 1u, all_words = UNIT_BYTES / 4u;
    for (uint32_t tier = 1; tier <= bank->tier_count; tier++)
        all_words += osc_tier_record(bank, tier)[OSC_TIER_SIZE_WORDS];
    uint32_t own_words = slots * OSC_STREAM_SLOT_WORDS + (chunks + 3u) / 4u;
    uint32_t pool_words = pool_bytes / 4u;
    if (pool_bytes == WHOLE_POOL || pool_words > all_words)
        pool_words = all_words;
    if (memory == 0)
        memory = reserve(4u * (own_words + all_words));
    else
        osc_stream_cancel(&stream);
    if (memory == 0)
        return OSC_ERROR_MEMORY;
    int32_t status = osc_stream_init(&stream, &medium, memory, own_words + pool_words, slots);
    if (status != OSC_OK)
        return status;
    return osc_stream_add(&stream, &source, bank, osc_all_checks, places);
}

/* Wants what a stage plays, and what follows so many frames ahead, below 0 backward. */
EXPORT("follow") void follow(const stage *stage, int32_t ahead_frames);
void follow(const stage *stage, int32_t ahead_frames)
{
    (void)osc_stream_follow(&stream, &stage->player, ahead_frames);
}

/* Wants all of a clip that begins to play so long from now. Returns how many chunks are missing. */
EXPORT("want") int32_t want(const stage *stage, uint32_t clip, uint32_t due_us);
int32_t want(const stage *stage, uint32_t clip, uint32_t due_us)
{
    const osc_bank *bank = &stage->opened->bank;
    const uint32_t *entry = bank->clips + clip * OSC_CLIP_ENTRY_WORDS;
    uint32_t last = osc_shape_frame_count(osc_clip_shape(entry)) - 1u;
    osc_want wanted = {.bank = bank, .clip = clip, .due_us = due_us};
    int32_t missing = 0;
    do {
        int32_t more = osc_stream_want(&stream, &wanted);
        missing += more > 0 ? more : 0;
        wanted.frame += 1u << bank->block_log2;
    } while (wanted.frame < last);
    return missing;
}

/* Goes on, after so much time. */
EXPORT("update") void update(uint32_t elapsed_us);
void update(uint32_t elapsed_us)
{
    osc_stream_update(&stream, elapsed_us);
}

/* Returns whether a chunk of the clip is being read. */
EXPORT("is_arriving") uint32_t is_arriving(uint32_t clip);
uint32_t is_arriving(uint32_t clip)
{
    for (uint32_t i = 0; i < stream.slot_count; i++) {
        const osc_stream_slot *slot = stream.slots + i;
        if (slot->state == OSC_SLOT_READING && osc_slot_entry(&stream, slot).clip == clip)
            return 1;
    }
    return 0;
}

/* The work of the stream since it began: six numbers. */
EXPORT("counts") const osc_stream_counts *counts(void);
const osc_stream_counts *counts(void)
{
    return &stream.counts;
}

/* The next chunk that was given up: its tier, clip, block and error. Null if there is none. */
EXPORT("next_fault") const int32_t *next_fault(void);
const int32_t *next_fault(void)
{
    static int32_t told[4];
    osc_stream_fault fault;
    if (!osc_stream_next_fault(&stream, &fault))
        return 0;
    told[0] = (int32_t)fault.tier;
    told[1] = (int32_t)fault.clip;
    told[2] = (int32_t)fault.block;
    told[3] = fault.error;
    return told;
}

/* Reads again what was given up. */
EXPORT("retry") void retry(void);
void retry(void)
{
    osc_stream_retry(&stream);
}
