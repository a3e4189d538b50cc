/* SPDX-License-Identifier: MIT */
/* Reads chunks, one read at a time. A read consists of whole units of the medium, which may contain
 * several chunks; once they have arrived, each has memory of its own. */
#include "stream/osc_stream_read.h"
#include "bank/osc_codecs.h"
#include "stream/osc_stream_pool.h"

#define CANDIDATES 4u /* tried in an update, so that it remains linear in the slots */

const uint32_t *osc_stream_find(const osc_chunk_source *source, uint32_t number)
{
    const osc_stream_source *own = (const osc_stream_source *)source;
    const osc_stream_slot *slot = osc_slot_find(own->stream, own, number);
    return slot != 0 && slot->state == OSC_SLOT_THERE ? own->stream->pool + slot->at : 0;
}

bool osc_stream_covered(const osc_bank *bank, const osc_chunk_entry *entry, bool whole)
{
    if (bank->tiers[entry->tier - 1u] != 0)
        return true;
    for (uint32_t tier = entry->tier + 1u; tier <= bank->tier_count && entry->codec != 0u; tier++) {
        osc_chunk finer = osc_tier_chunk(bank, tier, entry->clip, entry->block);
        if (finer.words != 0 && finer.codec != 0u && (!whole || bank->tiers[tier - 1u] != 0))
            return true;
    }
    return false;
}

/* ---- failures ---- */

/* The slot remains until the request expires, for osc_stream_retry. */
static void give_up(osc_stream *stream, const osc_stream_slot *slot, int32_t error)
{
    *osc_slot_fault(stream, slot) =
        (uint8_t)(OSC_FAULT_FINAL | OSC_FAULT_UNTOLD | (uint32_t)-error);
    stream->untold++;
    stream->counts.given_up++;
}

static void note_failure(osc_stream *stream, osc_stream_slot *slot, int32_t error)
{
    uint8_t *fault = osc_slot_fault(stream, slot);
    slot->state = OSC_SLOT_WANTED;
    slot->wait_us = OSC_STREAM_PAUSE_US << *fault;
    *fault = (uint8_t)(*fault + 1u);
    if (*fault >= OSC_STREAM_TRIES)
        give_up(stream, slot, error);
}

/* Ends a read without its chunks. error: OSC_OK if no fault is to be reported. */
static void abandon_read(osc_stream *stream, int32_t error)
{
    osc_stream_slot *slot = stream->slots;
    for (uint32_t left = stream->slot_count; left != 0u; left--, slot++) {
        if (slot->state != OSC_SLOT_READING)
            continue;
        slot->state = OSC_SLOT_WANTED;
        if (error != OSC_OK)
            note_failure(stream, slot, error);
    }
    stream->counts.failures += error != OSC_OK ? 1u : 0u;
    stream->read_bytes = 0;
    stream->started = false;
}

bool osc_stream_next_fault(osc_stream *stream, osc_stream_fault *fault)
{
    OSC_ASSERT(stream != 0 && fault != 0);
    if (stream->untold == 0u)
        return false;
    const osc_stream_source *source = stream->sources;
    uint32_t number = 0, tier = 1;
    while ((source->faults[number] & OSC_FAULT_UNTOLD) == 0u)
        if (++number == osc_chunks_end(source->bank, source->bank->tier_count)) {
            source = source->next;
            number = 0;
        }
    while (number >= osc_chunks_end(source->bank, tier))
        tier++;
    osc_chunk_entry entry = osc_chunk_describe(source->bank, tier, number);
    fault->bank = source->bank;
    fault->tier = tier;
    fault->clip = entry.clip;
    fault->block = entry.block;
    fault->error = -(int32_t)(source->faults[number] & OSC_FAULT_ERROR_MASK);
    source->faults[number] = (uint8_t)(source->faults[number] & ~OSC_FAULT_UNTOLD);
    stream->untold--;
    return true;
}

void osc_stream_retry(osc_stream *stream)
{
    OSC_ASSERT(stream != 0);
    for (osc_stream_source *source = stream->sources; source != 0; source = source->next)
        for (uint32_t i = osc_chunks_end(source->bank, source->bank->tier_count); i-- > 0u;)
            source->faults[i] = 0;
    for (uint32_t i = 0; i < stream->slot_count; i++)
        stream->slots[i].wait_us = 0;
    stream->untold = 0;
}

/* ---- arrival ---- */

/* Drops coarser versions of a block once a finer version is in memory that is held as firmly. None
 * of them is being read, because a read has chunks of one tier only. */
static void drop_coarser(osc_stream *stream, const osc_stream_source *source,
                         const osc_chunk_entry *finer, uint32_t holds)
{
    for (uint32_t tier = 1; tier < finer->tier && finer->codec != 0u; tier++) {
        int32_t number = osc_chunk_number(source->bank, tier, finer->clip, finer->block);
        if (number < 0 || osc_chunk_describe(source->bank, tier, (uint32_t)number).codec == 0u)
            continue;
        osc_stream_slot *slot = osc_slot_find(stream, source, (uint32_t)number);
        if (slot != 0 && slot->holds <= holds)
            osc_slot_leave(stream, slot, OSC_SLOT_COVERED);
    }
}

/* Accepts a chunk that has been read to this position in the pool, unless it is damaged. */
static void take_chunk(osc_stream *stream, osc_stream_slot *slot)
{
    osc_stream_source *source = osc_slot_source(stream, slot);
    osc_chunk_entry entry = osc_slot_entry(stream, slot);
    uint32_t offset_bytes = source->places[entry.tier - 1u] + 4u * entry.offset_words;
    uint32_t at = stream->read_at + (offset_bytes - stream->read_from_bytes) / 4u;
    const uint32_t *words = stream->pool + at;
    int32_t status = OSC_ERROR_CRC;
    if ((osc_crc_words(0xffffffffu, words, entry.word_count) ^ 0xffffffffu) == entry.crc)
        status = osc_chunk_check(source->bank, &entry, words, source->checks);
    if (status != OSC_OK) {
        stream->counts.failures++;
        note_failure(stream, slot, status);
        return;
    }
    source->faults[slot->number] = 0;
    osc_pool_insert(stream, slot, at, entry.word_count);
    source->bank->tier_changes++;
    stream->counts.arrived++;
    if (osc_stream_covered(source->bank, &entry, false))
        osc_slot_leave(stream, slot, OSC_SLOT_COVERED);
    else
        drop_coarser(stream, source, &entry, slot->holds);
}

static void end_read(osc_stream *stream)
{
    osc_stream_slot *slot = stream->slots;
    for (uint32_t left = stream->slot_count; left != 0u; left--, slot++)
        if (slot->state == OSC_SLOT_READING)
            take_chunk(stream, slot);
    stream->read_bytes = 0;
    osc_slots_unstick(stream);
}

/* ---- the current read ---- */

static uint32_t part_bytes(const osc_stream *stream)
{
    uint32_t left = stream->read_bytes - stream->read_done_bytes;
    return left < stream->medium->most_bytes ? left : stream->medium->most_bytes;
}

/* Begins the next part of the read, unless the medium is busy. */
static void start_part(osc_stream *stream)
{
    const osc_medium *medium = stream->medium;
    int32_t status = medium->start(
        medium->context, stream->read_from_bytes + stream->read_done_bytes,
        stream->pool + stream->read_at + stream->read_done_bytes / 4u, part_bytes(stream));
    stream->reading_us = 0;
    stream->started = status == OSC_OK;
    if (status < 0)
        abandon_read(stream, OSC_ERROR_READ);
}

static void poll_part(osc_stream *stream, uint32_t elapsed_us)
{
    const osc_medium *medium = stream->medium;
    int32_t status = medium->poll(medium->context);
    stream->reading_us += elapsed_us < ~stream->reading_us ? elapsed_us : ~stream->reading_us;
    if (status == OSC_MEDIUM_BUSY && stream->reading_us <= medium->timeout_us)
        return;
    stream->started = false;
    if (status == OSC_MEDIUM_BUSY)
        medium->cancel(medium->context);
    if (status != OSC_OK) {
        abandon_read(stream, OSC_ERROR_READ);
        return;
    }
    stream->counts.reads++;
    stream->counts.read_bytes += part_bytes(stream);
    stream->read_done_bytes += part_bytes(stream);
    if (stream->read_done_bytes == stream->read_bytes)
        end_read(stream);
}

void osc_stream_cancel(osc_stream *stream)
{
    OSC_ASSERT(stream != 0);
    if (stream->started)
        stream->medium->cancel(stream->medium->context);
    abandon_read(stream, OSC_OK);
}

void osc_stream_drop(osc_stream *stream)
{
    osc_stream_cancel(stream);
    for (uint32_t i = 0; i < stream->slot_count; i++)
        if (stream->slots[i].holds == 0u)
            osc_slot_leave(stream, stream->slots + i, OSC_SLOT_FREE);
}

/* ---- the next read ---- */

/* A run of adjacent chunks on the medium, and the units that contain it. */
typedef struct span {
    uint32_t first_bytes, end_bytes; /* of the chunks */
    uint32_t from_bytes, size_bytes; /* of the units */
} span;

static void cover_units(const osc_stream *stream, span *covered)
{
    uint32_t mask = stream->medium->unit_bytes - 1u;
    covered->from_bytes = covered->first_bytes & ~mask;
    covered->size_bytes = ((covered->end_bytes + mask) & ~mask) - covered->from_bytes;
}

static uint32_t first_byte(const osc_stream *stream, const osc_stream_slot *slot)
{
    return osc_slot_source(stream, slot)->places[slot->tier - 1u] +
           4u * osc_slot_entry(stream, slot).offset_words;
}

/* Returns whether `a` is read before `b`: by priority, then by the time when it is due, then by
 * tier, then by offset on the medium. */
static bool is_before(const osc_stream *stream, const osc_stream_slot *a, const osc_stream_slot *b)
{
    if (a->priority != b->priority)
        return a->priority > b->priority;
    if (osc_slot_due_us(a) != osc_slot_due_us(b))
        return osc_slot_due_us(a) < osc_slot_due_us(b);
    if (a->tier != b->tier)
        return a->tier < b->tier;
    return first_byte(stream, a) < first_byte(stream, b);
}

static osc_stream_slot *choose_slot(osc_stream *stream)
{
    osc_stream_slot *slot = stream->slots, *best = 0;
    for (uint32_t left = stream->slot_count; left != 0u; left--, slot++)
        if (slot->state == OSC_SLOT_WANTED && slot->wait_us == 0u &&
            !osc_fault_is_final(*osc_slot_fault(stream, slot)) &&
            (best == 0 || is_before(stream, slot, best)))
            best = slot;
    return best;
}

/* The slot of the adjacent chunk, if it can be read with this one. A chunk that has failed is read
 * separately, so that its neighbours do not fail with it. */
static osc_stream_slot *neighbour(const osc_stream *stream, const osc_stream_slot *slot,
                                  uint32_t number)
{
    const osc_stream_source *source = osc_slot_source(stream, slot);
    if (number < osc_chunks_end(source->bank, slot->tier - 1u) ||
        number >= osc_chunks_end(source->bank, slot->tier) || source->faults[number] != 0u)
        return 0;
    osc_stream_slot *beside = osc_slot_find(stream, source, number);
    if (beside == 0 || !osc_slot_is_unread(beside))
        return 0;
    osc_chunk_entry entry = osc_slot_entry(stream, beside);
    return osc_stream_covered(source->bank, &entry, false) ? 0 : beside;
}

/* Extends the span by adjacent chunks, one at a time, upward or downward, while the free memory and
 * the medium's largest read allow it. */
static void widen(osc_stream *stream, const osc_stream_slot *slot, uint32_t step,
                  uint32_t room_bytes, span *wide)
{
    osc_stream_slot *beside = 0;
    for (uint32_t number = slot->number + step; (beside = neighbour(stream, slot, number)) != 0;
         number += step) {
        span wider = *wide;
        uint32_t first = first_byte(stream, beside);
        if (first < wider.first_bytes)
            wider.first_bytes = first;
        else
            wider.end_bytes = first + 4u * osc_slot_entry(stream, beside).word_count;
        cover_units(stream, &wider);
        if (wider.size_bytes > room_bytes || wider.size_bytes > stream->medium->most_bytes)
            return;
        *wide = wider;
        beside->state = OSC_SLOT_READING;
    }
}

/* Begins to read the chunk of a slot, and adjacent chunks. Returns false if there is no room. */
static bool begin_read(osc_stream *stream, osc_stream_slot *slot)
{
    span wide;
    wide.first_bytes = first_byte(stream, slot);
    wide.end_bytes = wide.first_bytes + 4u * osc_slot_entry(stream, slot).word_count;
    cover_units(stream, &wide);
    if (wide.size_bytes / 4u > stream->pool_words) {
        give_up(stream, slot, OSC_ERROR_MEMORY);
        return true;
    }
    osc_stream_gap gap = osc_pool_room(stream, slot, wide.size_bytes / 4u);
    slot->state = gap.end != 0u ? OSC_SLOT_READING : OSC_SLOT_STUCK;
    if (gap.end == 0u)
        return false;
    if (*osc_slot_fault(stream, slot) == 0u) {
        widen(stream, slot, 1u, 4u * (gap.end - gap.at), &wide);
        widen(stream, slot, ~0u, 4u * (gap.end - gap.at), &wide);
    }
    stream->read_at = gap.at;
    stream->read_from_bytes = wide.from_bytes;
    stream->read_bytes = wide.size_bytes;
    stream->read_done_bytes = 0;
    start_part(stream);
    return true;
}

static void choose_read(osc_stream *stream)
{
    for (uint32_t tries = CANDIDATES; tries != 0u && stream->read_bytes == 0u; tries--) {
        osc_stream_slot *slot = choose_slot(stream);
        if (slot == 0) { /* room may become available silently, as chunks become less urgent */
            osc_slots_unstick(stream);
            return;
        }
        osc_chunk_entry entry = osc_slot_entry(stream, slot);
        if (osc_stream_covered(osc_slot_source(stream, slot)->bank, &entry, false))
            osc_slot_leave(stream, slot, OSC_SLOT_COVERED);
        else
            (void)begin_read(stream, slot);
    }
}

/* ---- time ---- */

static void pass_time(osc_stream *stream, uint32_t elapsed_us)
{
    osc_stream_slot *slot = stream->slots;
    for (uint32_t left = stream->slot_count; left != 0u; left--, slot++) {
        slot->left_us -= elapsed_us < slot->left_us ? elapsed_us : slot->left_us;
        slot->wait_us -= elapsed_us < slot->wait_us ? elapsed_us : slot->wait_us;
        if (osc_slot_is_unread(slot) && !osc_slot_is_wanted(slot))
            slot->state = OSC_SLOT_FREE;
    }
}

/* Updates the chunks after whole tiers were attached, which makes their chunks useless, or
 * detached. */
static void notice_tiers(osc_stream *stream, osc_stream_source *source)
{
    if (source->tiers_there == source->bank->tiers_there)
        return;
    source->tiers_there = source->bank->tiers_there;
    osc_stream_slot *slot = stream->slots;
    for (uint32_t left = stream->slot_count; left != 0u; left--, slot++) {
        if (slot->state != OSC_SLOT_THERE || slot->source != source->number)
            continue;
        osc_chunk_entry entry = osc_slot_entry(stream, slot);
        if (osc_stream_covered(source->bank, &entry, slot->holds != 0u))
            osc_slot_leave(stream, slot, OSC_SLOT_COVERED);
    }
    osc_slots_unstick(stream);
}

void osc_stream_update(osc_stream *stream, uint32_t elapsed_us)
{
    OSC_ASSERT(stream != 0);
    stream->tick++;
    pass_time(stream, elapsed_us);
    for (osc_stream_source *source = stream->sources; source != 0; source = source->next)
        notice_tiers(stream, source);
    if (stream->started)
        poll_part(stream, elapsed_us);
    if (stream->read_bytes != 0u && !stream->started)
        start_part(stream);
    if (stream->read_bytes == 0u)
        choose_read(stream);
}
