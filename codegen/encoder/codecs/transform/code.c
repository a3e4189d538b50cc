/* Bits of the transform codec: chooses the parameters of a track and writes a clip. */
#include "codecs/transform/code.h"

#include <stdlib.h>
#include <string.h>

#include "bank/osc_format.h"
#include "base/arrays.h"
#include "base/quantise.h"

/* Approximate bits of a track header: sub-track, packing, width, shift of the ends, first step. */
#define HEADER_BITS 16u
#define MOST_BITS 3u
#define MODE_BITS 2u
#define MOST_LIKELY 13u          /* parameter of coefficients to try first */
#define RICES_BELOW 3u           /* parameters to try below the likely one; and one above */
#define RICES (RICES_BELOW + 2u) /* including the likely one */

uint32_t enc_transform_near_bits(uint32_t value, uint32_t previous, uint32_t count)
{
    uint32_t mask = (1u << count) - 1u, step = (value - previous) & mask;
    return step == 0u ? 1u : step == 1u || step == mask ? 3u : 2u + count;
}

static int32_t coded_end(const enc_transform_track *track, uint32_t segment, uint32_t component)
{
    return *enc_transform_end(track, segment, component) / (int32_t)track->end_grid;
}

static uint32_t coded_chord(const enc_transform_track *track, uint32_t segment, uint32_t component)
{
    return enc_zigzag(
        osc_sub(coded_end(track, segment + 1u, component), coded_end(track, segment, component)));
}

/* Counts chords as numbers or, with bits [count], their bits with the parameters from `first` on.
 * Ends are divided only once each, because division is the slowest part. */
static uint64_t tally_chords(const enc_transform_track *track, uint32_t component, uint32_t chords,
                             uint32_t first, uint32_t count, uint64_t *bits)
{
    uint64_t sum = 0;
    int32_t end = coded_end(track, 0, component);
    for (uint32_t s = 0; s < chords; s++) {
        int32_t next = coded_end(track, s + 1u, component);
        uint32_t zigzag = enc_zigzag(osc_sub(next, end));
        end = next;
        sum += zigzag;
        for (uint32_t i = 0; i < count; i++)
            bits[i] += enc_rice_bits(zigzag, first + i);
    }
    return sum;
}

/* The Rice parameter with the lowest cost, including its own bits. */
static uint32_t choose_end_parameter(const enc_transform_track *track, uint32_t component,
                                     uint32_t previous, uint64_t *bits)
{
    uint32_t count = track->frame_count > 1u ? track->segments : 0u, likely = 0;
    uint64_t sum = tally_chords(track, component, count, 0, 0, NULL), totals[RICES] = {0};
    *bits = enc_transform_near_bits(OSC_RICE_ZERO, previous, 4u);
    if (count == 0u)
        *bits = 1u;
    if (sum == 0)
        return count == 0u ? previous : OSC_RICE_ZERO;
    while (likely < OSC_RICE_ZERO - 1u && ((uint64_t)count << (likely + 1u)) <= sum)
        likely++;
    uint32_t first = likely < RICES_BELOW ? 0u : likely - RICES_BELOW, best = first;
    (void)tally_chords(track, component, count, first, RICES, totals);
    *bits = UINT64_MAX;
    for (uint32_t k = first; k <= likely + 1u && k < OSC_RICE_ZERO; k++) {
        uint64_t total = totals[k - first] + enc_transform_near_bits(k, previous, 4u);
        if (total < *bits) {
            *bits = total;
            best = k;
        }
    }
    return best;
}

/* The largest number of coefficients that a segment can have in a component, up to `most`. */
static uint32_t room(const enc_transform_track *track, uint32_t segment, uint32_t most)
{
    uint32_t length = osc_transform_length(track->frame_count, segment);
    if (length == 0u)
        return 0;
    return most < length - 1u ? most : length - 1u;
}

/* The bits of the number of coefficients. */
static uint32_t count_bits(uint32_t count, uint32_t most, uint32_t mode)
{
    if (mode == OSC_TRANSFORM_ALWAYS || most == 0u)
        return 0;
    if (mode == OSC_TRANSFORM_PLAIN)
        return 3;
    uint32_t ones = mode == OSC_TRANSFORM_UP ? count : most - count;
    return ones < most ? ones + 1u : most;
}

/* The bits of coefficients, of which the first has the parameter k_q2. */
static uint32_t number_bits(const int32_t *values, uint32_t count, int32_t k_q2)
{
    uint32_t bits = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t k = osc_transform_rice_k(k_q2), zigzag = enc_zigzag(values[i]);
        bits += enc_rice_bits(zigzag, k);
        k_q2 = osc_transform_next_k(k_q2, zigzag >> k);
    }
    return bits;
}

/* in the mode without counts, a segment has as many coefficients as fit */
uint32_t enc_transform_segment_bits(const enc_transform_track *track, uint32_t segment,
                                    uint32_t component, const enc_transform_codes *codes)
{
    uint32_t most = room(track, segment, codes->most);
    uint32_t count = *enc_transform_count(track, segment, component);
    return count_bits(count, most, codes->mode) +
           number_bits(enc_transform_coefficients(track, segment, component),
                       codes->mode == OSC_TRANSFORM_ALWAYS ? most : count,
                       (int32_t)(codes->k << 2));
}

void enc_transform_set_bill(enc_transform_bill *bill, const enc_transform_track *track,
                            uint32_t segment, uint32_t component, const enc_transform_codes *codes)
{
    const int32_t *values = enc_transform_coefficients(track, segment, component);
    int32_t k_q2 = (int32_t)(codes->k << 2);
    bill->most = room(track, segment, codes->most);
    bill->mode = codes->mode;
    bill->before[0] = 0;
    for (uint32_t i = 0; i < ENC_TRANSFORM_ORDERS; i++) {
        uint32_t k = osc_transform_rice_k(k_q2), zigzag = enc_zigzag(values[i]);
        bill->k_q2[i] = k_q2;
        bill->before[i + 1u] = bill->before[i] + enc_rice_bits(zigzag, k);
        k_q2 = osc_transform_next_k(k_q2, zigzag >> k);
    }
}

uint32_t enc_transform_billed(const enc_transform_bill *bill, const int32_t *values, uint32_t count,
                              uint32_t order, int32_t other)
{
    if (other == 0 && order + 1u == count) /* all coefficients after the last one are zero */
        for (count = order; count > 0u && values[count - 1u] == 0; count--)
            ;
    uint32_t bits = count_bits(count, bill->most, bill->mode);
    if (bill->mode == OSC_TRANSFORM_ALWAYS)
        count = bill->most;
    if (count <= order)
        return bits + bill->before[count];
    uint32_t k = osc_transform_rice_k(bill->k_q2[order]), zigzag = enc_zigzag(other);
    int32_t k_q2 = osc_transform_next_k(bill->k_q2[order], zigzag >> k);
    return bits + bill->before[order] + enc_rice_bits(zigzag, k) +
           number_bits(values + order + 1u, count - order - 1u, k_q2);
}

/* The bits of all coefficients of a component, without their counts: each segment has at least
 * `least`, or as many as fit, zeros at the end included. */
static uint64_t all_number_bits(const enc_transform_track *track, uint32_t component, uint32_t k,
                                uint32_t least)
{
    uint64_t bits = 0;
    for (uint32_t s = 0; s < track->segments; s++) {
        uint32_t count = *enc_transform_count(track, s, component), fit = room(track, s, least);
        bits += number_bits(enc_transform_coefficients(track, s, component),
                            count > fit ? count : fit, (int32_t)(k << 2));
    }
    return bits;
}

/* Tries the parameters around the likely one, downwards while that pays. The cost of a parameter
 * itself can outweigh a few saved bits. Returns the bits of the coefficients and the best
 * parameter. */
static uint64_t choose_parameter(const enc_transform_track *track, uint32_t component,
                                 uint32_t likely, uint32_t previous, uint32_t *best_k)
{
    uint64_t best = UINT64_MAX, before = UINT64_MAX;
    for (uint32_t k = likely + 2u; k-- > 0u;) {
        uint64_t numbers = all_number_bits(track, component, k, 0);
        uint64_t bits = numbers + enc_transform_near_bits(k, previous, 4u);
        if (bits <= best) {
            best = bits;
            *best_k = k;
        }
        if (k < likely && numbers > before)
            break;
        before = numbers;
    }
    return best;
}

/* Counts the bits that counts of coefficients take in each mode, and the least bits in zeros
 * (ALWAYS) that replace them. */
static void tally_counts(const enc_transform_track *track, uint32_t component, uint32_t most,
                         uint64_t bits[OSC_TRANSFORM_PLAIN + 1u])
{
    memset(bits, 0, (OSC_TRANSFORM_PLAIN + 1u) * sizeof *bits);
    for (uint32_t s = 0; s < track->segments; s++) {
        uint32_t count = *enc_transform_count(track, s, component), fit = room(track, s, most);
        bits[OSC_TRANSFORM_ALWAYS] += fit - count;
        for (uint32_t mode = OSC_TRANSFORM_UP; mode <= OSC_TRANSFORM_PLAIN; mode++)
            bits[mode] += count_bits(count, fit, mode);
    }
}

/* Chooses the cheapest mode. numbers: bits of the coefficients alone. Returns the bits of all. */
static uint64_t choose_mode(const enc_transform_track *track, uint32_t component, uint64_t numbers,
                            uint32_t previous, enc_transform_codes *codes)
{
    uint64_t counts[OSC_TRANSFORM_PLAIN + 1u];
    tally_counts(track, component, codes->most, counts);
    codes->mode = OSC_TRANSFORM_UP;
    for (uint32_t mode = OSC_TRANSFORM_DOWN; mode <= OSC_TRANSFORM_PLAIN; mode++)
        if (counts[mode] < counts[codes->mode])
            codes->mode = mode;
    uint64_t best = numbers + counts[codes->mode];
    if (numbers + counts[OSC_TRANSFORM_ALWAYS] >= best)
        return best;
    uint64_t bits = enc_transform_near_bits(codes->k, previous, 4u) +
                    all_number_bits(track, component, codes->k, codes->most);
    if (bits >= best)
        return best;
    codes->mode = OSC_TRANSFORM_ALWAYS;
    return bits;
}

uint64_t enc_transform_choose(const enc_transform_track *track, uint32_t component,
                              enc_transform_codes *codes)
{
    uint64_t ends, sum = 0, number = 0;
    uint32_t likely = 0, previous = codes->k;
    codes->end_k = choose_end_parameter(track, component, codes->end_k, &ends);
    codes->most = 0;
    for (uint32_t s = 0; s < track->segments; s++) {
        uint32_t count = *enc_transform_count(track, s, component);
        const int32_t *values = enc_transform_coefficients(track, s, component);
        codes->most = count > codes->most ? count : codes->most;
        for (uint32_t i = 0; i < count; i++)
            sum += (uint64_t)enc_zigzag(values[i]) << i;
        number += count;
    }
    ends += MOST_BITS;
    if (codes->most == 0u)
        return ends;
    while (likely < MOST_LIKELY && (number << (likely + 1u)) <= sum)
        likely++;
    uint64_t numbers = choose_parameter(track, component, likely, previous, &codes->k);
    return ends + MODE_BITS + choose_mode(track, component, numbers, previous, codes);
}

/* The bits of a plain end, which the largest end at the start of a block determines. */
static uint32_t plain_width(const enc_transform_track *track)
{
    uint32_t width = 1;
    for (uint32_t s = 0; s < track->segments; s++)
        for (uint32_t i = 0; i < track->components; i++)
            if (osc_transform_begins_block(s, track->restart_log2)) {
                uint32_t w = enc_signed_width(coded_end(track, s, i));
                width = w > width ? w : width;
            }
    return width;
}

static uint32_t block_count(const enc_transform_track *track)
{
    uint32_t count = 0;
    for (uint32_t s = 0; s < track->segments; s++)
        count += osc_transform_begins_block(s, track->restart_log2);
    return count;
}

uint64_t enc_transform_bits(const enc_transform_track *track,
                            enc_transform_codes chosen[ENC_TRANSFORM_COMPONENTS])
{
    uint64_t bits = (uint64_t)plain_width(track) * track->components * block_count(track);
    enc_transform_codes codes = {OSC_TRANSFORM_FIRST_K, OSC_TRANSFORM_FIRST_K, 0, 0};
    bits += HEADER_BITS;
    for (uint32_t i = 1; i < track->components; i++)
        bits += enc_transform_near_bits(track->step[i], track->step[i - 1u], 6u);
    for (uint32_t i = 0; i < track->components; i++) {
        bits += enc_transform_choose(track, i, &codes);
        chosen[i] = codes;
    }
    return bits;
}

/* ---- writing ---- */

/* A clip being written. */
typedef struct {
    enc_transform_track *tracks; /* unpacked */
    uint32_t track_count, frame_count, restart_log2;
    uint32_t size_bits;
    enc_transform_codes *codes; /* [track][ENC_TRANSFORM_COMPONENTS] */
} clip_writer;

static const enc_transform_track *track_of(const clip_writer *clip, uint32_t index)
{
    return &clip->tracks[index];
}

static const enc_transform_codes *codes_of(const clip_writer *clip, uint32_t index,
                                           uint32_t component)
{
    return &clip->codes[(size_t)index * ENC_TRANSFORM_COMPONENTS + component];
}

static void choose_codes(clip_writer *clip)
{
    enc_transform_codes codes = {OSC_TRANSFORM_FIRST_K, OSC_TRANSFORM_FIRST_K, 0, 0};
    for (uint32_t i = 0; i < clip->track_count; i++)
        for (uint32_t c = 0; c < track_of(clip, i)->components; c++) {
            enc_transform_choose(track_of(clip, i), c, &codes);
            clip->codes[(size_t)i * ENC_TRANSFORM_COMPONENTS + c] = codes;
        }
}

/* See take_near in runtime/codecs/osc_transform.c. */
static void put_near(enc_bit_writer *out, uint32_t value, uint32_t *previous, uint32_t count)
{
    uint32_t mask = (1u << count) - 1u, step = (value - *previous) & mask;
    if (step == 0u) {
        enc_bits_put(out, 0u, 1u);
    } else if (step == 1u || step == mask) {
        enc_bits_put(out, step == 1u ? 5u : 1u, 3u);
    } else {
        enc_bits_put(out, 3u, 2u);
        enc_bits_put(out, value, count);
    }
    *previous = value;
}

static void put_headers(const clip_writer *clip, const uint32_t *subtracks, enc_bit_writer *out)
{
    uint32_t next = 0, width = OSC_TRANSFORM_FIRST_WIDTH, step = OSC_TRANSFORM_FIRST_STEP;
    uint32_t grid = OSC_TRANSFORM_FIRST_GRID;
    uint32_t end_k = OSC_TRANSFORM_FIRST_K, k = OSC_TRANSFORM_FIRST_K;
    if (clip->track_count == 0u)
        return;
    enc_bits_put(out, clip->track_count, 12u);
    enc_bits_put(out, (clip->size_bits - 1u) << 3, 8u);
    for (uint32_t i = 0; i < clip->track_count; i++) {
        const enc_transform_track *track = track_of(clip, i);
        uint32_t no_gap = 0;
        put_near(out, subtracks[i] - next, &no_gap, 12u);
        next = subtracks[i] + 1u;
        if (track->packing != OSC_TRANSFORM_VECTOR)
            enc_bits_put(out, track->packing, 4u);
        put_near(out, plain_width(track) - 1u, &width, 5u);
        put_near(out, track->end_grid - 1u, &grid, 3u);
        for (uint32_t c = 0; c < track->components; c++) {
            const enc_transform_codes *codes = codes_of(clip, i, c);
            put_near(out, track->step[c], &step, 6u);
            put_near(out, codes->end_k, &end_k, 4u);
            enc_bits_put(out, codes->most, 3u);
            if (codes->most != 0u) {
                put_near(out, codes->k, &k, 4u);
                enc_bits_put(out, codes->mode, 2u);
            }
        }
    }
}

static void put_ends(const clip_writer *clip, uint32_t segment, enc_bit_writer *out)
{
    bool first = osc_transform_begins_block(segment, clip->restart_log2);
    for (uint32_t i = 0; i < clip->track_count; i++) {
        const enc_transform_track *track = track_of(clip, i);
        uint32_t width = first ? plain_width(track) : 0u;
        for (uint32_t c = 0; c < track->components; c++) {
            uint32_t k = codes_of(clip, i, c)->end_k;
            if (first)
                enc_bits_put(out, (uint32_t)coded_end(track, segment, c), width);
            if (k != OSC_RICE_ZERO && clip->frame_count > 1u)
                enc_bits_put_rice(out, coded_chord(track, segment, c), k);
        }
    }
}

static void put_count(enc_bit_writer *out, uint32_t count, uint32_t most, uint32_t mode)
{
    if (mode == OSC_TRANSFORM_PLAIN && most != 0u) {
        enc_bits_put(out, count, 3u);
    } else {
        uint32_t ones = mode == OSC_TRANSFORM_UP ? count : most - count;
        enc_bits_put(out, (1u << ones) - 1u, count_bits(count, most, mode));
    }
}

static void put_coefficients(const clip_writer *clip, uint32_t segment, enc_bit_writer *out)
{
    for (uint32_t i = 0; i < clip->track_count; i++) {
        const enc_transform_track *track = track_of(clip, i);
        for (uint32_t c = 0; c < track->components; c++) {
            const enc_transform_codes *codes = codes_of(clip, i, c);
            uint32_t most = room(track, segment, codes->most);
            uint32_t count = *enc_transform_count(track, segment, c);
            const int32_t *values = enc_transform_coefficients(track, segment, c);
            put_count(out, count, most, codes->mode);
            if (codes->mode == OSC_TRANSFORM_ALWAYS)
                count = most;
            int32_t k_q2 = (int32_t)(codes->k << 2);
            for (uint32_t o = 0; o < count; o++) {
                uint32_t k = osc_transform_rice_k(k_q2), zigzag = enc_zigzag(values[o]);
                enc_bits_put_rice(out, zigzag, k);
                k_q2 = osc_transform_next_k(k_q2, zigzag >> k);
            }
        }
    }
}

/* Returns whether the size of a segment's coefficients is written, so that jumps to the next one
 * can skip them. */
static bool has_size(const clip_writer *clip, uint32_t segment)
{
    return segment + 1u < osc_transform_segments(clip->frame_count) &&
           !osc_transform_begins_block(segment + 1u, clip->restart_log2);
}

static uint32_t size_of(const clip_writer *clip, uint32_t segment)
{
    uint32_t bits = 0;
    for (uint32_t i = 0; i < clip->track_count; i++)
        for (uint32_t c = 0; c < track_of(clip, i)->components; c++)
            bits += enc_transform_segment_bits(track_of(clip, i), segment, c, codes_of(clip, i, c));
    return bits;
}

/* The bits needed for the size of the largest segment. */
static uint32_t bits_of_sizes(const clip_writer *clip)
{
    uint32_t needed = 1;
    for (uint32_t s = 0; s < osc_transform_segments(clip->frame_count); s++)
        if (has_size(clip, s))
            for (uint32_t size = size_of(clip, s); needed < 32u && (size >> needed) != 0u;)
                needed++;
    return needed;
}

static void put_segments(const clip_writer *clip, enc_bit_writer *restarts, enc_bit_writer *stream)
{
    uint32_t segments = osc_transform_segments(clip->frame_count), frame = 0;
    uint32_t log2 = clip->restart_log2;
    for (uint32_t s = 0; s < segments; s++) {
        /* several restart points in one segment all denote its start */
        for (;
             frame < clip->frame_count && (frame / OSC_TRANSFORM_FRAMES == s || s + 1u == segments);
             frame++)
            if (frame != 0u && (frame >> log2) << log2 == frame)
                enc_bits_put(restarts, (uint32_t)stream->bits, 32u);
        put_ends(clip, s, stream);
        if (has_size(clip, s))
            enc_bits_put(stream, size_of(clip, s), clip->size_bits);
        put_coefficients(clip, s, stream);
    }
}

/* out: a copy with coefficients of its own. Returns false without memory. */
static bool unpack(enc_transform_track *out, const enc_transform_track *track)
{
    *out = *track;
    out->is_packed = false;
    out->coefficients = enc_transform_unpacked(track);
    return out->coefficients != NULL;
}

int32_t enc_transform_write(const enc_clip_tracks *clip, const enc_clip_streams *out)
{
    clip_writer writer = {.track_count = clip->track_count,
                          .frame_count = clip->frame_count,
                          .restart_log2 = clip->restart_log2,
                          .size_bits = 1u};
    size_t codes = (size_t)clip->track_count * ENC_TRANSFORM_COMPONENTS + 1u;
    bool complete = true;
    writer.codes = enc_array(codes, sizeof *writer.codes, &complete);
    writer.tracks = enc_array(clip->track_count + 1u, sizeof *writer.tracks, &complete);
    for (uint32_t i = 0; i < clip->track_count && complete; i++)
        complete = unpack(&writer.tracks[i], clip->tracks[i]->data);
    if (complete) {
        choose_codes(&writer);
        writer.size_bits = bits_of_sizes(&writer);
        put_headers(&writer, clip->subtracks, out->headers);
        put_segments(&writer, out->restarts, out->blocks);
    }
    for (uint32_t i = 0; i < clip->track_count && writer.tracks != NULL; i++)
        free(writer.tracks[i].coefficients);
    free(writer.tracks);
    free(writer.codes);
    if (!complete)
        return ENC_ERROR_MEMORY;
    return out->blocks->bits > UINT32_MAX / 2u ? ENC_ERROR_TOO_LARGE : ENC_OK;
}
