/* SPDX-License-Identifier: MIT */
/* Slots and memory of a stream. The chunks in the pool form a list in the order of their offsets,
 * so that one pass finds gaps or compacts the chunks. */
#include "stream/osc_stream_pool.h"
#include "arithmetic/osc_fixed.h"

OSC_STATIC_ASSERT(sizeof(osc_stream_slot) == 4u * OSC_STREAM_SLOT_WORDS, slot_words_agree);

osc_stream_source *osc_slot_source(const osc_stream *stream, const osc_stream_slot *slot)
{
    osc_stream_source *source = stream->sources;
    while (source->number != slot->source)
        source = source->next;
    return source;
}

osc_chunk_entry osc_slot_entry(const osc_stream *stream, const osc_stream_slot *slot)
{
    return osc_chunk_describe(osc_slot_source(stream, slot)->bank, slot->tier, slot->number);
}

uint8_t *osc_slot_fault(const osc_stream *stream, const osc_stream_slot *slot)
{
    return osc_slot_source(stream, slot)->faults + slot->number;
}

osc_stream_slot *osc_slot_find(const osc_stream *stream, const osc_stream_source *source,
                               uint32_t number)
{
    osc_stream_slot *slot = stream->slots;
    for (uint32_t left = stream->slot_count; left != 0u; left--, slot++)
        if (slot->number == number && slot->source == source->number &&
            slot->state != OSC_SLOT_FREE)
            return slot;
    return 0;
}

/* ---- urgency ---- */

/* Returns whether a chunk has stopped playing: chunks that play are requested in every frame. A
 * hint is not repeated, and does not end. */
static bool has_ended(const osc_stream *stream, const osc_stream_slot *slot)
{
    return slot->plays != 0u && slot->holds == 0u && stream->tick - slot->used > 1u;
}

/* Returns whether `a` is less urgent than `b`: chunks that are not requested, the longest unused
 * first; then those of lower priority, those due later, and those that have ended. */
static bool is_less_urgent(const osc_stream *stream, const osc_stream_slot *a,
                           const osc_stream_slot *b)
{
    if (osc_slot_is_wanted(a) != osc_slot_is_wanted(b))
        return !osc_slot_is_wanted(a);
    if (!osc_slot_is_wanted(a))
        return stream->tick - a->used > stream->tick - b->used;
    if (a->priority != b->priority)
        return a->priority < b->priority;
    if (osc_slot_due_us(a) != osc_slot_due_us(b))
        return osc_slot_due_us(a) > osc_slot_due_us(b);
    return has_ended(stream, a) && !has_ended(stream, b);
}

/* Returns whether a chunk is a coarser version of the chunk that is to be read, which is worth
 * more. */
static bool is_coarser(const osc_stream *stream, const osc_stream_slot *slot,
                       const osc_stream_slot *finer)
{
    if (slot->source != finer->source || slot->tier >= finer->tier)
        return false;
    osc_chunk_entry a = osc_slot_entry(stream, slot), b = osc_slot_entry(stream, finer);
    return a.clip == b.clip && a.block == b.block && a.codec != 0u && b.codec != 0u;
}

static bool may_drop(const osc_stream *stream, const osc_stream_slot *slot,
                     const osc_stream_slot *as)
{
    return slot->holds == 0u && (is_less_urgent(stream, slot, as) || is_coarser(stream, slot, as));
}

/* ---- slots ---- */

/* Returns whether a slot may be taken for `as` (null: for a hold). The slot of a chunk that was
 * given up only stores the request. */
static bool may_take(const osc_stream *stream, const osc_stream_slot *slot,
                     const osc_stream_slot *as)
{
    if (as == 0)
        return slot->holds == 0u;
    return slot->state == OSC_SLOT_THERE
               ? may_drop(stream, slot, as)
               : slot->holds == 0u && (is_less_urgent(stream, slot, as) ||
                                       osc_fault_is_final(*osc_slot_fault(stream, slot)));
}

osc_stream_slot *osc_slot_take(osc_stream *stream, const osc_stream_slot *as)
{
    osc_stream_slot *slot = stream->slots, *least = 0;
    for (uint32_t left = stream->slot_count; left != 0u; left--, slot++) {
        if (slot->state == OSC_SLOT_FREE)
            return slot;
        if (slot->state != OSC_SLOT_READING && may_take(stream, slot, as) &&
            (least == 0 || is_less_urgent(stream, slot, least)))
            least = slot;
    }
    if (least != 0)
        osc_slot_leave(stream, least, OSC_SLOT_FREE);
    return least;
}

static void unlink_chunk(osc_stream *stream, const osc_stream_slot *slot)
{
    uint32_t number = (uint32_t)(slot - stream->slots);
    if (stream->first == number) {
        stream->first = (uint16_t)slot->next;
        return;
    }
    osc_stream_slot *before = stream->slots + stream->first;
    while (before->next != number)
        before = stream->slots + before->next;
    before->next = slot->next;
}

void osc_slot_leave(osc_stream *stream, osc_stream_slot *slot, uint32_t state)
{
    if (slot->state == OSC_SLOT_THERE) {
        osc_stream_source *source = osc_slot_source(stream, slot);
        unlink_chunk(stream, slot);
        source->bank->tier_changes++;
        stream->counts.dropped++;
    }
    slot->state = (slot->holds != 0u ? state : (uint32_t)OSC_SLOT_FREE) & 0x7fu;
}

void osc_slots_unstick(osc_stream *stream)
{
    osc_stream_slot *slot = stream->slots;
    for (uint32_t left = stream->slot_count; left != 0u; left--, slot++)
        if (slot->state == OSC_SLOT_STUCK || slot->state == OSC_SLOT_COVERED)
            slot->state = OSC_SLOT_WANTED;
}

/* ---- free memory ---- */

void osc_pool_insert(osc_stream *stream, osc_stream_slot *slot, uint32_t at, uint32_t word_count)
{
    osc_stream_slot *before = 0;
    uint32_t next = stream->first;
    while (next != OSC_NO_SLOT && stream->slots[next].at < at) {
        before = stream->slots + next;
        next = before->next;
    }
    slot->at = at;
    slot->word_count = word_count;
    slot->next = next & 0xffffu;
    slot->state = OSC_SLOT_THERE;
    if (before == 0)
        stream->first = (uint16_t)(slot - stream->slots);
    else
        before->next = (uint32_t)(slot - stream->slots) & 0xffffu;
}

static uint32_t aligned(const osc_stream *stream, uint32_t words)
{
    uint32_t mask = stream->medium->align_bytes / 4u - 1u;
    return (words + mask) & ~mask;
}

static void move(osc_stream *stream, osc_stream_slot *slot, uint32_t to)
{
    const uint32_t *from = stream->pool + slot->at;
    for (uint32_t i = 0; i < slot->word_count; i++)
        stream->pool[to + i] = from[i];
    slot->at = to;
    osc_slot_source(stream, slot)->bank->tier_changes++;
}

/* Finds the first gap of this size; with `moving`, compacts chunks until there is one. */
static osc_stream_gap find_gap(osc_stream *stream, uint32_t word_count, bool moving)
{
    uint32_t end = 0;
    osc_stream_gap gap = {0, 0};
    for (uint32_t number = stream->first;;) {
        osc_stream_slot *slot = number != OSC_NO_SLOT ? stream->slots + number : 0;
        uint32_t next = slot != 0 ? slot->at : stream->pool_words;
        if (aligned(stream, end) + word_count <= next) {
            gap.at = aligned(stream, end);
            gap.end = next;
            return gap;
        }
        if (slot == 0)
            return gap;
        if (moving && slot->at != end)
            move(stream, slot, end);
        end = slot->at + slot->word_count;
        number = slot->next;
    }
}

/* The least urgent chunk in the pool that may be dropped for `as`, or null. */
static osc_stream_slot *least_urgent(const osc_stream *stream, const osc_stream_slot *as)
{
    osc_stream_slot *least = 0;
    for (uint32_t number = stream->first; number != OSC_NO_SLOT;) {
        osc_stream_slot *slot = stream->slots + number;
        if (may_drop(stream, slot, as) && (least == 0 || is_less_urgent(stream, slot, least)))
            least = slot;
        number = slot->next;
    }
    return least;
}

osc_stream_gap osc_pool_room(osc_stream *stream, const osc_stream_slot *slot, uint32_t word_count)
{
    osc_stream_gap gap = find_gap(stream, word_count, false);
    if (gap.end != 0u)
        return gap;
    uint32_t used = 0, kept = 0;
    for (uint32_t number = stream->first; number != OSC_NO_SLOT;) {
        const osc_stream_slot *other = stream->slots + number;
        used += other->word_count;
        kept += may_drop(stream, other, slot) ? 0u : other->word_count;
        number = other->next;
    }
    if (aligned(stream, kept) + word_count > stream->pool_words)
        return gap;
    while (aligned(stream, used) + word_count > stream->pool_words) {
        osc_stream_slot *least = least_urgent(stream, slot);
        used -= least->word_count;
        osc_slot_leave(stream, least, OSC_SLOT_FREE);
    }
    gap = find_gap(stream, word_count, false);
    return gap.end != 0u ? gap : find_gap(stream, word_count, true);
}
