/* SPDX-License-Identifier: MIT */
/* Reads the headers, gaps, keys and tangents of a curve clip, for the codec and for the encoder,
 * which counts their bits. Functions are not inline: that keyword would enlarge the codec by up
 * to a fifth. */
#ifndef OSC_CURVE_READER_H
#define OSC_CURVE_READER_H

#include "codecs/osc_curve_dense.h"
#include "codecs/osc_curve_walk.h"
#include "codecs/osc_headers.h"

/* Some bits of a header, which end before the 32 that were read at once do. */
typedef struct osc_curve_header_bits {
    uint32_t ahead, passed;
} osc_curve_header_bits;

static inline osc_curve_header_bits osc_curve_open_fields(const osc_bits *bits)
{
    osc_curve_header_bits fields = {osc_bits_peek(bits), 0};
    return fields;
}

/* count: 0..31 */
static inline uint32_t osc_curve_take_field(osc_curve_header_bits *fields, uint32_t count)
{
    uint32_t value = fields->ahead & ((1u << count) - 1u);
    fields->ahead >>= count;
    fields->passed += count;
    return value;
}

/* The number of ones before a zero; none follows `most` of them. */
static inline uint32_t osc_curve_take_unary(osc_curve_header_bits *fields, uint32_t most)
{
    uint32_t ones = 0;
    while (ones < most && osc_curve_take_field(fields, 1u) != 0u)
        ones++;
    return ones;
}

/* The parameter of a component's tangents. Its bits are those of k, the parameter of the keys. */
static inline uint32_t osc_curve_take_tangent_rice(osc_curve_header_bits *fields, uint32_t k)
{
    uint32_t width = 0;
    if (k == OSC_RICE_ZERO || osc_curve_take_field(fields, 1u) == 0u)
        return OSC_RICE_ZERO;
    while (k >> width != 0u)
        width++;
    return osc_curve_take_field(fields, width);
}

/* Reads the components of a header. Adds their coarsenings to the form, and returns their
 * parameters. */
OSC_HOT_CURVE static OSC_CURVE_SMALL uint32_t osc_curve_take_components(osc_bits *bits,
                                                                        uint32_t *form)
{
    uint32_t basis = OSC_CURVE_BASIS(*form), count = osc_curve_components(*form), rice = 0;
    bool sparse = basis != OSC_CURVE_DENSE;
    for (uint32_t i = 0; i < count; i++) {
        osc_curve_header_bits fields = osc_curve_open_fields(bits);
        uint32_t coarsening = i < 3u ? osc_curve_take_unary(&fields, 3u) : 0u;
        uint32_t value = OSC_RICE_ZERO, other = sparse ? OSC_RICE_ZERO : 0u;
        *form |= coarsening << (OSC_CURVE_COARSENING_AT + 2u * i);
        if (coarsening != OSC_CURVE_ABSENT) {
            if (sparse) {
                value = osc_curve_take_field(&fields, 4u);
            } else {
                bits->position += fields.passed;
                value = osc_bits_take_rice_unsigned(bits, 1u) & 15u;
                fields = osc_curve_open_fields(bits);
                other = osc_curve_take_field(&fields,
                                             OSC_CURVE_PACKING(*form) == OSC_CURVE_FOUR ? 2u : 4u);
            }
            if (basis == OSC_CURVE_HERMITE)
                other = osc_curve_take_tangent_rice(&fields, value);
        }
        bits->position += fields.passed;
        rice |= value << (4u * i) | other << (16u + 4u * i);
    }
    return rice;
}

/* Reads a header after its gap. *shift: the one of the track before, and then of this one. */
OSC_HOT_CURVE static OSC_CURVE_SMALL void osc_curve_take_header(osc_bits *bits, bool rotation,
                                                                uint32_t *shift, uint32_t *form_out,
                                                                uint32_t *rice_out)
{
    osc_curve_header_bits fields = osc_curve_open_fields(bits);
    /* dense, Hermite, cubic, linear; of vectors dense is the last */
    uint32_t basis = (0u - osc_curve_take_unary(&fields, 3u) - (rotation ? 0u : 1u)) & 3u;
    bits->position += fields.passed;
    *shift = (*shift + (uint32_t)osc_bits_take_rice(bits, 0)) & OSC_CURVE_SHIFT_MAX;
    uint32_t number =
        osc_bits_take_rice_unsigned(bits, rotation ? OSC_CURVE_PACKING_RICE : OSC_CURVE_WIDTH_RICE);
    uint32_t packing = OSC_CURVE_VECTOR, width = (OSC_CURVE_VECTOR_WIDTH - 1u - number) & 31u;
    fields = osc_curve_open_fields(bits);
    if (rotation) {
        packing = (number ^ OSC_CURVE_PACKING_USUAL) & 15u;
        /* the width of a plain key follows from its step, less what the track spares */
        width = OSC_CURVE_ROTATION_WIDTH - 1u - *shift - osc_curve_take_field(&fields, 2u);
    }
    uint32_t form =
        OSC_CURVE_AT(*shift, OSC_CURVE_FORM_SHIFT) | OSC_CURVE_AT(basis, OSC_CURVE_FORM_BASIS) |
        OSC_CURVE_AT(packing, OSC_CURVE_FORM_PACKING) | OSC_CURVE_AT(width, OSC_CURVE_FORM_WIDTH);
    form |= OSC_CURVE_AT(osc_curve_take_field(&fields, 1u), OSC_CURVE_FORM_MODE);
    if (basis != OSC_CURVE_DENSE)
        form |= OSC_CURVE_AT(3u - osc_curve_take_unary(&fields, 3u), OSC_CURVE_FORM_GAP_RICE);
    if (basis == OSC_CURVE_CUBIC)
        form |= OSC_CURVE_AT(osc_curve_take_field(&fields, OSC_CURVE_FORM_JUMPS_BITS),
                             OSC_CURVE_FORM_JUMPS);
    if (basis == OSC_CURVE_HERMITE)
        form |= OSC_CURVE_AT(osc_curve_take_unary(&fields, OSC_CURVE_FORM_UNIT_BITS),
                             OSC_CURVE_FORM_UNIT);
    bits->position += fields.passed;
    *rice_out = osc_curve_take_components(bits, &form);
    *form_out = form;
}

OSC_HOT_CURVE static int32_t osc_curve_take_plain(osc_bits *bits, uint32_t form, uint32_t i)
{
    return osc_shl(osc_curve_take_plain_steps(bits, form, i), OSC_CURVE_COARSENING(form, i));
}

/* The source of a block's keys. */
typedef struct osc_curve_reader {
    osc_window_store *store;
    uint32_t ahead;     /* bit position of the restart point that ends the block */
    uint32_t block_end; /* frame of the block's last key */
    bool joined;        /* that key is the next restart point's */
} osc_curve_reader;

/* Frames from the key at `frame` to the next; *jump: nothing lies between them and they share no
 * tangent. */
OSC_HOT_CURVE static uint32_t osc_curve_take_gap(osc_curve_reader *reader, uint32_t form,
                                                 uint32_t frame, uint32_t *jump)
{
    osc_window window = osc_window_resume(reader->store);
    uint32_t symbol = osc_window_take_rice_unsigned(&window, OSC_CURVE_GAP_RICE(form));
    osc_window_suspend(&window);
    uint32_t room = reader->block_end - frame;
    *jump = 0;
    if (OSC_CURVE_HAS_JUMPS(form) != 0u) {
        if (symbol == 0u) {
            *jump = 1u;
            return 1u;
        }
        symbol--;
    }
    if (room > OSC_CURVE_MAX_GAP)
        room = OSC_CURVE_MAX_GAP;
    return symbol < room ? symbol + 1u : room;
}

/* Returns whether the key at `frame` is the next restart point's. */
static bool osc_curve_is_ahead(const osc_curve_reader *reader, uint32_t frame)
{
    return frame == reader->block_end && reader->joined;
}

static osc_bits osc_curve_bits_ahead(const osc_curve_reader *reader, const osc_curve_sparse *track)
{
    osc_bits plain = reader->store->bits;
    plain.position = reader->ahead + (track->upcoming >> OSC_CURVE_PLAIN_SHIFT);
    return plain;
}

OSC_HOT_CURVE static void osc_curve_take_keys_ahead(const osc_curve_reader *reader,
                                                    osc_curve_sparse *track)
{
    osc_bits plain = osc_curve_bits_ahead(reader, track);
    osc_curve_key *keys = osc_curve_keys(track);
    for (uint32_t i = 0; i < osc_curve_components(track->form); i++)
        keys[i].after = osc_curve_take_plain(&plain, track->form, i);
}

/* A coded component of a key. */
static inline int32_t osc_curve_take_key(osc_window *window, uint32_t coarsening, uint32_t k,
                                         int32_t guess)
{
    guess = osc_add(guess, (int32_t)((1u << coarsening) >> 1)) >> coarsening;
    if (!OSC_UNLIKELY(k == OSC_RICE_ZERO))
        guess = osc_add(guess, osc_window_take_rice(window, k));
    return osc_shl(guess, coarsening);
}

/* The key at `frame` to `after`, which holds what it is predicted to be. */
OSC_HOT_CURVE static void osc_curve_take_keys(osc_curve_reader *reader, osc_curve_sparse *track,
                                              uint32_t frame)
{
    if (osc_curve_is_ahead(reader, frame)) {
        osc_curve_take_keys_ahead(reader, track);
        return;
    }
    uint32_t rice = track->rice, coarsenings = track->form >> OSC_CURVE_COARSENING_AT;
    osc_window window = osc_window_resume(reader->store);
    osc_curve_key *key = osc_curve_keys(track), *end = key + osc_curve_components(track->form);
    for (; key != end; key++, rice >>= 4, coarsenings >>= 2)
        key->after = osc_curve_take_key(&window, coarsenings & 3u, rice & 15u, key->after);
    osc_window_suspend(&window);
}

OSC_HOT_CURVE static OSC_CURVE_RARE void osc_curve_take_tangents(osc_curve_reader *reader,
                                                                 osc_curve_sparse *track)
{
    uint32_t up = OSC_CURVE_FRACTION - OSC_CURVE_UNIT(track->form);
    uint32_t rice = track->rice >> 16, coarsenings = track->form >> OSC_CURVE_COARSENING_AT;
    osc_window window = osc_window_resume(reader->store);
    osc_curve_key *key = osc_curve_keys(track), *end = key + osc_curve_components(track->form);
    for (; key != end; key++, rice >>= 4, coarsenings >>= 2) {
        uint32_t k = rice & 15u;
        key->tangent = 0;
        if (k != OSC_RICE_ZERO)
            key->tangent = osc_shl(osc_window_take_rice(&window, k), up + (coarsenings & 3u));
    }
    osc_window_suspend(&window);
}

/* The plain keys that begin every block, one after another. */
OSC_HOT_CURVE static void osc_curve_start_block(osc_curve_track *track, osc_bits *bits)
{
    for (; osc_curve_is_track(track); track = osc_curve_next_track(track)) {
        if (OSC_CURVE_DISPATCH_KIND(track->dispatch) < OSC_CURVE_POINT_KINDS) {
            osc_curve_start_dense(bits, (osc_curve_dense *)track);
        } else if (OSC_CURVE_DISPATCH_KIND(track->dispatch) == OSC_CURVE_DENSE_FOUR) {
            osc_curve_start_dense_four(bits, (osc_curve_dense_four *)track);
        } else {
            osc_curve_key *key = osc_curve_keys((osc_curve_sparse *)track);
            for (uint32_t c = 0; c < osc_curve_components(track->form); c++, key++) {
                key->end = osc_curve_take_plain(bits, track->form, c);
                key->tangent = 0;
            }
        }
    }
}

#endif
