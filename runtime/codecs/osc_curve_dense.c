/* SPDX-License-Identifier: MIT */
/* The dense tracks of curve clips: a number for every frame. */
#include "codecs/osc_curve_dense.h"
#include "bank/osc_internal.h"
#include "codecs/osc_port_rows.h"

#define STEP_SHIFT OSC_CURVE_KEPT_K_BITS
#define KEPT_K_MASK ((1u << STEP_SHIFT) - 1u)

/* Reads the plain value with which a component of a dense track begins a block. */
OSC_HOT_CURVE static void start_component(osc_bits *bits, osc_curve_dense_component *component,
                                          uint32_t form, uint32_t i)
{
    uint32_t step_q20 = component->step_q20_k >> STEP_SHIFT;
    int32_t value = osc_curve_take_plain_steps(bits, form, i);
    component->step_q20_k =
        step_q20 << STEP_SHIFT | osc_curve_keep_k(OSC_CURVE_FIRST_K(form, i) << 2);
    component->value = osc_mul(value, (int32_t)step_q20);
    component->before = component->step = 0;
}

OSC_HOT_CURVE void osc_curve_start_dense(osc_bits *bits, osc_curve_dense *track)
{
    for (uint32_t i = 0; i < 3u; i++)
        start_component(bits, &track->components[i], track->form, i);
}

OSC_HOT_CURVE void osc_curve_start_dense_four(osc_bits *bits, osc_curve_dense_four *track)
{
    for (uint32_t i = 0; i < 4u; i++) {
        osc_curve_four_component *component = &track->components[i];
        uint32_t fields = component->fields;
        component->value = component->before = component->step = 0;
        if (OSC_CURVE_FOUR_ABSENT(fields) == 0u)
            component->value = osc_bits_take_signed(bits, OSC_CURVE_FOUR_WIDTH(fields));
        component->fields =
            (fields & ~KEPT_K_MASK) | osc_curve_keep_k(OSC_CURVE_FOUR_K(fields) << 2);
    }
}

static inline uint32_t component_k_q2(const osc_curve_dense_component *component)
{
    return osc_curve_kept_k(component->step_q20_k & KEPT_K_MASK);
}

static inline void set_k_q2(osc_curve_dense_component *component, uint32_t k_q2)
{
    component->step_q20_k = (component->step_q20_k & ~KEPT_K_MASK) | osc_curve_keep_k(k_q2);
}

/* The next value of a component of a dense track, from its residual. A component without codes has
 * no steps and stays in place with any predictor. */
OSC_INLINE void move_component(osc_curve_dense_component *component, uint32_t kind, int32_t number)
{
    uint32_t predictor = OSC_CURVE_POINT_PREDICTOR(kind);
    int32_t step = osc_curve_next_step(component->step, component->before, predictor, number);
    component->before = component->step;
    component->step = step;
    component->value =
        osc_add(component->value, osc_mul(step, (int32_t)(component->step_q20_k >> STEP_SHIFT)));
}

OSC_INLINE void take_dense_curve_component(osc_window *window, osc_curve_dense_component *component,
                                           uint32_t kind, bool adapts)
{
    uint32_t k_q2 = component_k_q2(component), quotient;
    if (OSC_UNLIKELY(kind == OSC_CURVE_POINT_CONSTANT))
        return;
    int32_t number = osc_window_take_rice_quotient(window, k_q2 >> 2, &quotient);
    if (adapts)
        set_k_q2(component, osc_curve_next_k(k_q2, quotient));
    move_component(component, kind, number);
}

/* Reads the next values of a dense track. */
OSC_HOT_CURVE OSC_CURVE_RARE void osc_curve_take_dense(osc_window_store *store,
                                                       osc_curve_dense *track)
{
    bool adapts = OSC_CURVE_MODE(track->form) != 0u;
    osc_window window = osc_window_resume(store);
    take_dense_curve_component(&window, &track->components[0],
                               OSC_CURVE_DISPATCH_COMPONENT(track->dispatch, 0), adapts);
    take_dense_curve_component(&window, &track->components[1],
                               OSC_CURVE_DISPATCH_COMPONENT(track->dispatch, 1u), adapts);
    take_dense_curve_component(&window, &track->components[2],
                               OSC_CURVE_DISPATCH_COMPONENT(track->dispatch, 2u), adapts);
    osc_window_suspend(&window);
}

/* The next value of a component of a dense track in packing four. A component without codes still
 * has steps, from frames in which it was rebuilt, and continues as they predict. */
OSC_HOT_CURVE static void take_four_component(osc_window *window,
                                              osc_curve_four_component *component, bool adapts)
{
    uint32_t predictor = OSC_CURVE_FOUR_PREDICTOR(component->fields), quotient;
    int32_t number = 0;
    if (OSC_CURVE_FOUR_CODELESS(component->fields) == 0u) {
        uint32_t kept = component->fields & KEPT_K_MASK, k_q2 = osc_curve_kept_k(kept);
        number = osc_window_take_rice_quotient(window, k_q2 >> 2, &quotient);
        if (adapts)
            component->fields ^= kept ^ osc_curve_keep_k(osc_curve_next_k(k_q2, quotient));
    }
    int32_t step = osc_curve_next_step(component->step, component->before, predictor, number);
    component->before = component->step;
    component->step = step;
    component->value = osc_add(component->value, step);
}

OSC_HOT_CURVE static void scale_four(const osc_curve_dense_four *track, int32_t *row)
{
    for (uint32_t i = 0; i < 4u; i++)
        row[i] =
            osc_shl(track->components[i].value, OSC_CURVE_FOUR_SHIFT(track->components[i].fields));
}

/* The next row of a dense track in packing four: the component that was largest in the previous
 * frame is rebuilt. */
OSC_HOT_CURVE static OSC_CURVE_RARE void move_four(osc_window_store *store,
                                                   osc_curve_dense_four *track, int32_t *row)
{
    scale_four(track, row);
    uint32_t dropped = osc_largest_component(row);
    int32_t kept = row[dropped];
    osc_window window = osc_window_resume(store);
    for (uint32_t i = 0; i < 4u; i++)
        if (i != dropped)
            take_four_component(&window, &track->components[i], (track->dispatch & 1u) != 0u);
    osc_window_suspend(&window);
    scale_four(track, row);
    osc_rebuild(row, dropped, kept < 0);
    osc_curve_four_component *component = &track->components[dropped];
    int32_t value = osc_curve_grid(row[dropped], OSC_CURVE_FOUR_SHIFT(component->fields));
    component->before = component->step;
    component->step = osc_sub(value, component->value);
    component->value = value;
}

OSC_HOT_CURVE OSC_CURVE_RARE uint32_t osc_curve_fill_four(osc_window_store *store,
                                                          osc_curve_dense_four *track, bool first,
                                                          int32_t *row, const int32_t *previous)
{
    if (first) {
        scale_four(track, row);
        uint32_t dropped = osc_largest_component(row);
        osc_rebuild(row, dropped, row[dropped] < 0);
    } else {
        move_four(store, track, row);
    }
    return osc_chord_q20(previous, row);
}

/* No step precedes a block's second frame. */
OSC_HOT_CURVE void osc_curve_begin_steps(osc_curve_track *track)
{
    if (OSC_CURVE_DISPATCH_KIND(track->dispatch) < OSC_CURVE_POINT_KINDS) {
        osc_curve_dense *dense = (osc_curve_dense *)track;
        for (uint32_t i = 0; i < 3u; i++)
            dense->components[i].before = dense->components[i].step;
    } else if (OSC_CURVE_DISPATCH_KIND(track->dispatch) == OSC_CURVE_DENSE_FOUR) {
        osc_curve_dense_four *four = (osc_curve_dense_four *)track;
        for (uint32_t i = 0; i < 4u; i++)
            four->components[i].before = four->components[i].step;
    }
}

void osc_curve_open_dense(osc_curve_dense *track, uint32_t rice)
{
    uint32_t form = track->form;
    for (uint32_t i = 0; i < 3u; i++) {
        uint32_t shift = OSC_CURVE_SHIFT(form) + OSC_CURVE_COARSENING(form, i);
        uint32_t quarters = (rice >> (18u + 4u * i)) & 3u;
        track->components[i].step_q20_k = (uint32_t)osc_curve_step(shift, quarters) << STEP_SHIFT;
    }
    track->form = (form & ~OSC_CURVE_K_FIELDS) |
                  OSC_CURVE_KEEP_K(rice & 15u, (rice >> 4) & 15u, (rice >> 8) & 15u);
}

void osc_curve_open_dense_four(osc_curve_dense_four *track, uint32_t form, uint32_t rice)
{
    for (uint32_t i = 0; i < 4u; i++) {
        uint32_t k = (rice >> (4u * i)) & 15u, width = osc_curve_plain_width(form, i);
        uint32_t shift = OSC_CURVE_SHIFT(form) + OSC_CURVE_COARSENING(form, i);
        uint32_t predictor = (rice >> (16u + 4u * i)) & 3u;
        uint32_t codeless = k == OSC_RICE_ZERO ? 1u : 0u, absent = width == 0u ? 1u : 0u;
        track->components[i].fields =
            OSC_CURVE_FOUR_FIELDS(predictor, codeless, shift, k, (width - 1u) & 31u, absent);
    }
}
