/* SPDX-License-Identifier: MIT */
/* The first keys of curve clips in a bank with a base row. They are read once a clip. */
#include "codecs/osc_curve_base.h"
#include "bank/osc_codecs.h"
#include "bank/osc_section.h"
#include "codecs/osc_curve_walk.h"

#define SMALL OSC_CURVE_SMALL

/* What a track's first keys are read from. width: from its header */
typedef struct first_keys {
    osc_bits *bits;
    uint32_t packing, width;
    int32_t value[4]; /* the base row's, by component */
} first_keys;

SMALL static void open_first(first_keys *keys, const uint32_t *row, uint32_t offset)
{
    uint32_t count = keys->packing > OSC_CURVE_FOUR ? 3u : 4u;
    for (uint32_t i = 0; i < count; i++, offset++) {
        uint32_t pair = osc_word(row[offset >> 1]);
        keys->value[i] = (int32_t)(pair << (16u - 16u * (offset & 1u))) >> 16;
    }
    osc_curve_base_pack(keys->value, keys->packing);
}

/* Reads a component of the first key, in coded steps. The loop is the floor of a logarithm, and
 * takes less code than osc_floor_log2 on machines that cannot count zeros. */
SMALL OSC_NOINLINE int32_t take_first(const first_keys *keys, uint32_t i, uint32_t coarsening,
                                      uint32_t step_q20)
{
    uint32_t shift = 0;
    while (step_q20 >> shift > 1u)
        shift++;
    int32_t guess = osc_curve_base_steps(keys->value[i], step_q20, shift);
    uint32_t k = osc_curve_base_rice(keys->packing, shift, keys->width, coarsening);
    return k == OSC_RICE_ZERO ? guess : osc_add(guess, osc_bits_take_rice(keys->bits, k));
}

SMALL static void take_four(const first_keys *keys, osc_curve_four_component *components)
{
    uint32_t least = OSC_CURVE_FOUR_SHIFT(components[3].fields); /* it is never coarser */
    for (uint32_t i = 0; i < 4u; i++) {
        uint32_t fields = components[i].fields, shift = OSC_CURVE_FOUR_SHIFT(fields);
        if (OSC_CURVE_FOUR_ABSENT(fields) == 0u)
            components[i].value = take_first(keys, i, shift - least, 1u << shift);
    }
}

/* In dense tracks, the form has parameters in the place of the shift. */
SMALL static void take_three(const first_keys *keys, osc_curve_track *track, bool dense)
{
    osc_curve_dense_component *component = ((osc_curve_dense *)track)->components;
    osc_curve_key *key = dense ? 0 : osc_curve_keys((osc_curve_sparse *)track);
    uint32_t form = track->form, count = dense ? 3u : osc_curve_components(form);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t coarsening = OSC_CURVE_COARSENING(form, i);
        uint32_t step = dense ? component[i].step_q20_k >> OSC_CURVE_KEPT_K_BITS
                              : 1u << (OSC_CURVE_SHIFT(form) + coarsening);
        if (coarsening == OSC_CURVE_ABSENT)
            continue;
        int32_t first = take_first(keys, i, coarsening, step);
        if (dense)
            component[i].value = osc_mul(first, (int32_t)step);
        else
            key[i].end = osc_shl(first, coarsening);
    }
}

SMALL void osc_curve_base_take(const uint32_t *row, osc_bits *bits, osc_curve_track *track)
{
    uint32_t kind = OSC_CURVE_DISPATCH_KIND(track->dispatch);
    osc_curve_four_component *four = ((osc_curve_dense_four *)track)->components;
    first_keys keys; /* an initialiser would call memset */
    keys.bits = bits;
    keys.packing = OSC_CURVE_DISPATCH_PACKING(track->dispatch);
    keys.width = OSC_CURVE_WIDTH(track->form);
    open_first(&keys, row, OSC_CURVE_DISPATCH_OFFSET(track->dispatch));
    if (kind == OSC_CURVE_DENSE_FOUR) {
        keys.width = OSC_CURVE_FOUR_WIDTH(four[3].fields);
        take_four(&keys, four);
    } else {
        take_three(&keys, track, kind < OSC_CURVE_POINT_KINDS);
    }
}

/* Plain keys remain where a clip has other restart points, which all need keys of their own. */
SMALL const uint32_t *osc_curve_base_row(const osc_player *player)
{
    uint32_t shape = player->shape;
    if (osc_shape_additive(shape) ||
        (player->row_count - 1u) >> osc_shape_restart_log2(shape) != 0u)
        return 0;
    return osc_section_find(player->bank, OSC_TAG_BASE).words;
}

SMALL static void take_first_keys(const osc_player *player, osc_bits *bits)
{
    osc_curve_track *track = (osc_curve_track *)player->state;
    const uint32_t *row = osc_curve_base_row(player);
    if (row == 0)
        return;
    bits->position = player->first_position;
    for (; osc_curve_is_track(track); track = osc_curve_next_track(track))
        osc_curve_base_take(row, bits, track);
}

const osc_base_row osc_base_row_codec = {{0, 0}, take_first_keys};
