/* SPDX-License-Identifier: MIT */
/* Requests to a stream: banks, requests for blocks, and holds. */
#include "osc_stream.h"
#include "arithmetic/osc_fixed.h"
#include "bank/osc_tiers.h"
#include "stream/osc_stream_pool.h"
#include "stream/osc_stream_read.h"

/* ---- memory ---- */

static bool is_power_of_two(uint32_t number)
{
    return number != 0u && (number & (number - 1u)) == 0u;
}

static bool medium_valid(const osc_medium *medium)
{
    return is_power_of_two(medium->unit_bytes) && is_power_of_two(medium->align_bytes) &&
           medium->align_bytes >= 4u && medium->align_bytes <= 64u &&
           medium->align_bytes <= medium->unit_bytes && medium->most_bytes != 0u &&
           (medium->most_bytes & (medium->unit_bytes - 1u)) == 0u;
}

int32_t osc_stream_init(osc_stream *stream, const osc_medium *medium, uint32_t *memory,
                        uint32_t memory_words, uint32_t slot_count)
{
    OSC_ASSERT(stream != 0 && medium != 0 && memory != 0);
    if (!medium_valid(medium) || ((uintptr_t)memory & (medium->align_bytes - 1u)) != 0u)
        return OSC_ERROR_ALIGNMENT;
    if (slot_count == 0u || slot_count >= OSC_NO_SLOT + 1u)
        return OSC_ERROR_MEMORY;
    uint32_t align_words = medium->align_bytes / 4u;
    uint32_t slot_words =
        (slot_count * OSC_STREAM_SLOT_WORDS + align_words - 1u) & ~(align_words - 1u);
    if (memory_words < slot_words || memory_words - slot_words < medium->unit_bytes / 4u)
        return OSC_ERROR_MEMORY;
    stream->medium = medium;
    stream->slots = (osc_stream_slot *)memory;
    stream->slot_count = slot_count;
    stream->pool = memory + slot_words;
    stream->pool_words = memory_words - slot_words;
    if (stream->pool_words > OSC_POOL_MOST_WORDS)
        stream->pool_words = OSC_POOL_MOST_WORDS;
    stream->sources = 0;
    stream->tick = stream->untold = 0;
    stream->read_bytes = 0;
    stream->first = OSC_NO_SLOT;
    stream->started = false;
    stream->counts = (osc_stream_counts){0, 0, 0, 0, 0, 0};
    for (uint32_t i = 0; i < slot_words; i++)
        memory[i] = 0; /* all slots are free */
    return OSC_OK;
}

/* Returns whether a whole tier can be read: the medium has at most 4 GiB.
 */
static bool place_valid(const osc_stream *stream, const osc_bank *bank, uint32_t tier,
                        uint32_t place)
{
    uint32_t size_bytes = 4u * osc_word(osc_tier_record(bank, tier)[OSC_TIER_SIZE_WORDS]);
    uint32_t most = 0u - stream->medium->unit_bytes;
    return (place & 3u) == 0u && place <= most && size_bytes <= most - place;
}

/* The free words of the pool after all chunks. */
static uint32_t words_behind(const osc_stream *stream)
{
    uint32_t end = 0;
    for (uint32_t number = stream->first; number != OSC_NO_SLOT;) {
        const osc_stream_slot *slot = stream->slots + number;
        end = slot->at + slot->word_count;
        number = slot->next;
    }
    return stream->pool_words - end;
}

int32_t osc_stream_add(osc_stream *stream, osc_stream_source *source, osc_bank *bank,
                       osc_codec_check *const *checks, const uint32_t *places)
{
    OSC_ASSERT(stream != 0 && source != 0 && bank != 0 && checks != 0 && places != 0);
    uint32_t chunks = bank->tier_count != 0u ? osc_chunks_end(bank, bank->tier_count) : 0u;
    uint32_t fault_words = (chunks + 3u) / 4u, unit_words = stream->medium->unit_bytes / 4u;
    uint32_t number = stream->sources != 0 ? stream->sources->number + 1u : 0u;
    if (bank->tier_count == 0u)
        return OSC_ERROR_NOT_FOUND;
    for (uint32_t tier = 1; tier <= bank->tier_count; tier++)
        if (!place_valid(stream, bank, tier, places[tier - 1u]))
            return OSC_ERROR_ALIGNMENT;
    if (number >= OSC_STREAM_MAX_SOURCES || stream->read_bytes != 0u ||
        fault_words > words_behind(stream) || stream->pool_words - fault_words < unit_words)
        return OSC_ERROR_MEMORY;
    stream->pool_words -= fault_words;
    source->chunks.find = osc_stream_find;
    source->stream = stream;
    source->bank = bank;
    source->checks = checks;
    source->faults = (uint8_t *)(stream->pool + stream->pool_words);
    for (uint32_t i = 0; i < chunks; i++)
        source->faults[i] = 0;
    for (uint32_t tier = 1; tier <= bank->tier_count; tier++)
        source->places[tier - 1u] = places[tier - 1u];
    source->number = (uint8_t)number;
    source->tiers_there = bank->tiers_there;
    source->next = stream->sources;
    stream->sources = source;
    bank->chunks = &source->chunks;
    bank->tier_changes++;
    return OSC_OK;
}

/* ---- wants ---- */

/* A request, found in the directory of its bank. */
typedef struct request {
    osc_stream_source *source;
    uint32_t clip, block, tiers;
    osc_stream_slot as; /* the initial value of a new slot */
} request;

/* Returns OSC_ERROR_NOT_FOUND if there is no such bank or clip. */
static int32_t find_request(const osc_stream *stream, const osc_want *want, request *found)
{
    osc_stream_source *source = stream->sources;
    while (source != 0 && source->bank != want->bank)
        source = source->next;
    if (source == 0 || want->clip >= want->bank->clip_count)
        return OSC_ERROR_NOT_FOUND;
    const osc_bank *bank = want->bank;
    const uint32_t *clip = bank->clips + want->clip * OSC_CLIP_ENTRY_WORDS;
    uint32_t last = osc_shape_frame_count(osc_clip_shape(clip)) - 1u;
    bool all = want->tiers == 0u || want->tiers > bank->tier_count;
    found->source = source;
    found->clip = want->clip;
    found->block = osc_block_of(bank, clip, want->frame < last ? want->frame : last);
    found->tiers = all ? bank->tier_count : want->tiers;
    osc_stream_slot *as = &found->as;
    as->at = as->word_count = as->number = as->wait_us = 0;
    as->left_us = want->due_us < ~OSC_STREAM_GRACE_US ? want->due_us + OSC_STREAM_GRACE_US : ~0u;
    as->used = stream->tick;
    as->holds = 0;
    as->next = OSC_NO_SLOT;
    as->source = source->number;
    as->state = OSC_SLOT_WANTED;
    as->plays = want->due_us == 0u;
    as->priority = want->priority;
    as->tier = 0;
    return OSC_OK;
}

/* Sets `as` to a tier's chunk of the block. Returns false if the tier has none. */
static bool choose_tier(request *of, uint32_t tier)
{
    int32_t number = osc_chunk_for_block(of->source->bank, tier, of->clip, of->block);
    of->as.number = (uint32_t)number;
    of->as.tier = tier & 0xffu;
    return number >= 0;
}

/* Returns the slot of the chosen chunk, which is now requested, or null if no slot is available: a
 * hold takes the slot of any chunk that is not held, a request only that of a less urgent chunk. */
static osc_stream_slot *want_slot(osc_stream *stream, const request *of, bool held)
{
    const osc_stream_slot *as = &of->as;
    osc_stream_slot *slot = osc_slot_find(stream, of->source, as->number);
    if (slot == 0) {
        slot = osc_slot_take(stream, held ? 0 : as);
        if (slot != 0)
            *slot = *as;
        return slot;
    }
    bool again = slot->used == as->used && slot->left_us != 0u; /* requested twice in one frame */
    if (!again || as->priority > slot->priority)
        slot->priority = as->priority;
    if (!again || as->left_us < slot->left_us)
        slot->left_us = as->left_us;
    slot->plays = (again && slot->plays != 0u) || as->plays != 0u;
    slot->used = as->used;
    return slot;
}

static int32_t want_chunks(osc_stream *stream, request *of)
{
    const osc_bank *bank = of->source->bank;
    int32_t missing = 0;
    for (uint32_t tier = 1; tier <= bank->tier_count; tier++) {
        if (!choose_tier(of, tier))
            continue;
        osc_chunk_entry entry = osc_chunk_describe(bank, tier, of->as.number);
        if (osc_stream_covered(bank, &entry, false))
            continue;
        const osc_stream_slot *slot = osc_slot_find(stream, of->source, of->as.number);
        bool there = slot != 0 && slot->state == OSC_SLOT_THERE;
        bool faulty = osc_fault_is_final(of->source->faults[of->as.number]);
        if (!there && (tier > of->tiers || faulty))
            continue;
        (void)want_slot(stream, of, false);
        missing += there ? 0 : 1;
    }
    return missing;
}

int32_t osc_stream_want(osc_stream *stream, const osc_want *want)
{
    OSC_ASSERT(stream != 0 && want != 0);
    request of;
    int32_t status = find_request(stream, want, &of);
    return status == OSC_OK ? want_chunks(stream, &of) : status;
}

/* Releases a hold of the leading tiers' chunks of the block. */
static void release_tiers(osc_stream *stream, request *of, uint32_t tiers)
{
    for (uint32_t tier = 1; tier <= tiers; tier++) {
        osc_stream_slot *slot =
            choose_tier(of, tier) ? osc_slot_find(stream, of->source, of->as.number) : 0;
        if (slot == 0 || slot->holds == 0u)
            continue;
        slot->holds = (slot->holds - 1u) & OSC_MOST_HOLDS;
        if (slot->state == OSC_SLOT_COVERED)
            osc_slot_leave(stream, slot, OSC_SLOT_COVERED);
    }
}

int32_t osc_stream_hold(osc_stream *stream, const osc_want *want)
{
    OSC_ASSERT(stream != 0 && want != 0);
    request of;
    int32_t status = find_request(stream, want, &of);
    if (status != OSC_OK)
        return status;
    for (uint32_t tier = 1; tier <= of.tiers; tier++) {
        if (!choose_tier(&of, tier))
            continue;
        osc_stream_slot *slot = want_slot(stream, &of, true);
        if (slot == 0 || slot->holds == OSC_MOST_HOLDS) {
            release_tiers(stream, &of, tier - 1u);
            return OSC_ERROR_MEMORY;
        }
        slot->holds = (slot->holds + 1u) & OSC_MOST_HOLDS;
    }
    return want_chunks(stream, &of);
}

void osc_stream_release(osc_stream *stream, const osc_want *want)
{
    OSC_ASSERT(stream != 0 && want != 0);
    request of;
    if (find_request(stream, want, &of) == OSC_OK)
        release_tiers(stream, &of, of.tiers);
}

/* ---- players ---- */

static uint32_t frame_us(const osc_bank *bank, const uint32_t *clip)
{
    return osc_frame_us(osc_word(osc_clip_rate(bank, clip)[OSC_RATE_Q16]));
}

/* Returns the product, saturated. Tests the upper half of the product, because clang recognises a
 * division here as an overflow check and compiles it to a 64-bit product. */
static uint32_t frames_us(uint32_t frames, uint32_t us)
{
    return osc_mulhi_u32(frames, us) == 0u ? frames * us : ~0u;
}

/* The frames from a frame to the next block in this direction; *frame: the beginning of that block.
 * At the end of a loop, its other end comes next; otherwise there is no next block, and the result
 * is 0. */
static uint32_t step_to_block(const osc_player *player, uint32_t last, bool backward,
                              uint32_t *frame)
{
    uint32_t mask = (1u << player->bank->block_log2) - 1u, from = *frame;
    uint32_t step = backward ? (from & mask) + 1u : mask + 1u - (from & mask);
    if (backward ? step <= from : from + step < last) {
        *frame = backward ? from - step : from + step;
        return step;
    }
    if (!player->loop)
        return 0;
    *frame = backward ? last - 1u : 0u;
    return backward ? from + 1u : last - from;
}

int32_t osc_stream_follow(osc_stream *stream, const osc_player *player, int32_t ahead_frames)
{
    OSC_ASSERT(stream != 0 && player != 0 && player->clip != 0);
    const osc_bank *bank = player->bank;
    uint32_t last = osc_shape_frame_count(osc_clip_shape(player->clip)) - 1u;
    osc_want want = {bank, player->clip_number, player->first_frame + player->left_frame, 0, 0, 0};
    int32_t missing = osc_stream_want(stream, &want);
    uint32_t us = frame_us(bank, player->clip), passed = 0;
    uint32_t ahead = ahead_frames < 0 ? 0u - (uint32_t)ahead_frames : (uint32_t)ahead_frames;
    ahead = ahead < last ? ahead : last;
    while (missing >= 0 && last >> bank->block_log2 != 0u) {
        uint32_t step = step_to_block(player, last, ahead_frames < 0, &want.frame);
        passed += step;
        if (step == 0u || passed > ahead)
            break;
        want.due_us = frames_us(passed, us);
        missing += osc_stream_want(stream, &want); /* finds what the first request has found */
    }
    return missing;
}
