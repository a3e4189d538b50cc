/* SPDX-License-Identifier: MIT */
/* The state of the tracks of a curve clip in a player, one after the other, followed by a word
 * OSC_CURVE_END in place of `dispatch`. */
#ifndef OSC_CURVE_TRACK_H
#define OSC_CURVE_TRACK_H

#include <stddef.h>

#include "bank/osc_window.h"
#include "codecs/osc_curve_arithmetic.h"
#include "codecs/osc_curve_fields.h"

/* Functions that run once a clip are compiled for size. */
#ifdef __GNUC__
#define OSC_CURVE_SMALL __attribute__((cold))
#else
#define OSC_CURVE_SMALL
#endif

/* Every track begins with these. */
typedef struct osc_curve_track {
    uint32_t dispatch; /* method to fill the row: kinds, packing and offset, see below */
    uint32_t form;     /* from the header, see below */
} osc_curve_track;

/* A track of sections. */
typedef struct osc_curve_sparse {
    uint32_t dispatch, form;
    uint32_t end; /* the section ends before this frame, OSC_CURVE_NEVER after the last key */
    uint32_t bias, pace; /* u is (frame * pace + bias) >> 16 */
    uint32_t fit;        /* scale of the section, in bits 8..15; the rest is the platform's */
    uint32_t rice;       /* parameters, 4 bits a component; of tangents from bit 16 on */
    uint32_t upcoming;   /* see below */
    /* three, or four in packing four, and then as many osc_curve_key */
    osc_curve_polynomial polynomials[];
} osc_curve_sparse;

/* A component of a track with a key on every frame. */
typedef struct osc_curve_dense_component {
    uint32_t step_q20_k;  /* Q20 value of one coded step, from bit 14 on; below it the result of the
                             platform's osc_curve_keep_k for the adaptive parameter */
    int32_t value;        /* Q20 */
    int32_t before, step; /* the last steps, in coded steps */
} osc_curve_dense_component;

/* A track with a key on every frame, in all packings but four. The fields of its form that only
 * other tracks need contain the parameters with which it begins a block. */
typedef struct osc_curve_dense {
    uint32_t dispatch, form;
    osc_curve_dense_component components[3];
} osc_curve_dense;

/* The same in packing four. Values are in coded steps. `fields` contains the OSC_CURVE_FOUR_*
 * fields, from bit 14 on. */
typedef struct osc_curve_four_component {
    uint32_t fields;
    int32_t value, before, step;
} osc_curve_four_component;

typedef struct osc_curve_dense_four {
    uint32_t dispatch; /* bit 0: the parameters adapt */
    osc_curve_four_component components[4];
} osc_curve_dense_four;

OSC_STATIC_ASSERT(sizeof(osc_curve_sparse) == 4u * OSC_CURVE_SPARSE_WORDS, sparse_words);
OSC_STATIC_ASSERT(sizeof(osc_curve_dense) ==
                      4u * (OSC_CURVE_DENSE_WORDS + 3u * OSC_CURVE_POINT_WORDS),
                  dense_words);
OSC_STATIC_ASSERT(sizeof(osc_curve_dense_four) ==
                      4u * (OSC_CURVE_DENSE_WORDS + 4u * OSC_CURVE_POINT_WORDS),
                  dense_four_words);

#define OSC_CURVE_NEVER 0xffffffffu

/* A field of a word, see osc_curve_fields.h, and a word with that field alone. */
#define OSC_CURVE_FIELD(word, name) (((word) >> name##_AT) & ((1u << name##_BITS) - 1u))
#define OSC_CURVE_AT(value, name) ((uint32_t)(value) << name##_AT)

/* fields; width: bits of a plain key, less one */
#define OSC_CURVE_FOUR_FIELDS(predictor, codeless, shift, k, width, absent)                        \
    (OSC_CURVE_AT(predictor, OSC_CURVE_FOUR_PREDICTOR) |                                           \
     OSC_CURVE_AT(codeless, OSC_CURVE_FOUR_CODELESS) | OSC_CURVE_AT(shift, OSC_CURVE_FOUR_SHIFT) | \
     OSC_CURVE_AT(k, OSC_CURVE_FOUR_K) | OSC_CURVE_AT(width, OSC_CURVE_FOUR_WIDTH) |               \
     OSC_CURVE_AT(absent, OSC_CURVE_FOUR_ABSENT))
#define OSC_CURVE_FOUR_PREDICTOR(fields) OSC_CURVE_FIELD(fields, OSC_CURVE_FOUR_PREDICTOR)
#define OSC_CURVE_FOUR_CODELESS(fields) OSC_CURVE_FIELD(fields, OSC_CURVE_FOUR_CODELESS)
#define OSC_CURVE_FOUR_SHIFT(fields) OSC_CURVE_FIELD(fields, OSC_CURVE_FOUR_SHIFT)
#define OSC_CURVE_FOUR_K(fields) OSC_CURVE_FIELD(fields, OSC_CURVE_FOUR_K)
#define OSC_CURVE_FOUR_WIDTH(fields) (OSC_CURVE_FIELD(fields, OSC_CURVE_FOUR_WIDTH) + 1u)
#define OSC_CURVE_FOUR_ABSENT(fields) OSC_CURVE_FIELD(fields, OSC_CURVE_FOUR_ABSENT)

/* form */
#define OSC_CURVE_SHIFT(form) OSC_CURVE_FIELD(form, OSC_CURVE_FORM_SHIFT)
#define OSC_CURVE_BASIS(form) OSC_CURVE_FIELD(form, OSC_CURVE_FORM_BASIS)
#define OSC_CURVE_PACKING(form) OSC_CURVE_FIELD(form, OSC_CURVE_FORM_PACKING)
#define OSC_CURVE_MODE(form) OSC_CURVE_FIELD(form, OSC_CURVE_FORM_MODE)
#define OSC_CURVE_WIDTH(form) (OSC_CURVE_FIELD(form, OSC_CURVE_FORM_WIDTH) + 1u)
#define OSC_CURVE_GAP_RICE(form) OSC_CURVE_FIELD(form, OSC_CURVE_FORM_GAP_RICE)
#define OSC_CURVE_HAS_JUMPS(form) OSC_CURVE_FIELD(form, OSC_CURVE_FORM_JUMPS)
#define OSC_CURVE_UNIT(form) OSC_CURVE_FIELD(form, OSC_CURVE_FORM_UNIT)
#define OSC_CURVE_COARSENING_AT OSC_CURVE_FORM_COARSENING_AT
#define OSC_CURVE_COARSENING(form, i) (((form) >> (OSC_CURVE_COARSENING_AT + 2u * (i))) & 3u)

/* The same for dense tracks that are not in packing four: the parameters of x, y and z. */
#define OSC_CURVE_K_FIELDS 0xf01e000fu
#define OSC_CURVE_KEEP_K(k0, k1, k2) ((k0) | (k1) << 17 | (k2) << 28)
#define OSC_CURVE_FIRST_K(form, i) (((form) >> ((i) == 0u ? 0u : (i) == 1u ? 17u : 28u)) & 15u)

/* dispatch */
#define OSC_CURVE_DISPATCH(kind, packing, offset)                                                  \
    (OSC_CURVE_AT(kind, OSC_CURVE_KIND) |                                                          \
     OSC_CURVE_AT(OSC_CURVE_FINISH_FIRST + (packing), OSC_CURVE_FINISH) |                          \
     OSC_CURVE_AT(offset, OSC_CURVE_OFFSET))
#define OSC_CURVE_DISPATCH_KIND(dispatch) OSC_CURVE_FIELD(dispatch, OSC_CURVE_KIND)
#define OSC_CURVE_DISPATCH_PACKING(dispatch) OSC_CURVE_FIELD(dispatch, OSC_CURVE_TRACK_PACKING)
#define OSC_CURVE_DISPATCH_OFFSET(dispatch) OSC_CURVE_FIELD(dispatch, OSC_CURVE_OFFSET)
#define OSC_CURVE_DISPATCH_COMPONENT(dispatch, i)                                                  \
    (((dispatch) >> ((i) == 0u   ? OSC_CURVE_KIND_AT                                               \
                     : (i) == 1u ? OSC_CURVE_KIND_Y_AT                                             \
                                 : OSC_CURVE_KIND_Z_AT)) &                                         \
     15u)

/* Kinds 0..8 are dense tracks in packings other than four; each component has a kind: no codes, or
 * predictor and whether its parameter adapts. The platform gives other kinds to the sections that
 * it can fill. */
#define OSC_CURVE_POINT_CONSTANT 0u
#define OSC_CURVE_POINT(predictor, adapts) (1u + 2u * (predictor) + (adapts))
#define OSC_CURVE_POINT_PREDICTOR(kind) ((((kind)-1u) >> 1) & 3u)
#define OSC_CURVE_POINT_KINDS 9u
#define OSC_CURVE_OTHER ((uint32_t)OSC_CURVE_KIND_OTHER)
#define OSC_CURVE_DENSE_FOUR ((uint32_t)OSC_CURVE_KIND_DENSE_FOUR)
#define OSC_CURVE_END OSC_CURVE_DISPATCH(OSC_CURVE_OTHER, 15u, 0x3fffu)

/* upcoming */
#define OSC_CURVE_UPCOMING_GAP(upcoming) ((upcoming) & ((1u << OSC_CURVE_NEXT_GAP_BITS) - 1u))
#define OSC_CURVE_NEXT_JUMP (1u << OSC_CURVE_NEXT_JUMP_AT)
#define OSC_CURVE_THIS_JUMP (1u << OSC_CURVE_THIS_JUMP_AT)
#define OSC_CURVE_PLAIN_SHIFT OSC_CURVE_PLAIN_AT
#define OSC_CURVE_UPCOMING_MASK ((1u << OSC_CURVE_PLAIN_SHIFT) - 1u)

static inline uint32_t osc_curve_components(uint32_t form)
{
    return OSC_CURVE_PACKING(form) == OSC_CURVE_FOUR ? 4u : 3u;
}

static inline osc_curve_key *osc_curve_keys(osc_curve_sparse *track)
{
    return (osc_curve_key *)(track->polynomials + osc_curve_components(track->form));
}

/* Bits of the plain key that begins a component's block. */
static inline uint32_t osc_curve_plain_width(uint32_t form, uint32_t i)
{
    uint32_t coarsening = OSC_CURVE_COARSENING(form, i), width = OSC_CURVE_WIDTH(form);
    if (coarsening == OSC_CURVE_ABSENT)
        return 0;
    return width > coarsening ? width - coarsening : 1u;
}

/* That key, in coded steps. */
static inline int32_t osc_curve_take_plain_steps(osc_bits *bits, uint32_t form, uint32_t i)
{
    uint32_t width = osc_curve_plain_width(form, i);
    return width == 0u ? 0 : osc_bits_take_signed(bits, width);
}

/* The data that the rows of all tracks need. */
typedef struct osc_curve_run {
    int32_t *row;
    const int32_t *previous;
    uint32_t *chords;
    uint32_t frame;
    osc_window_store store;
    osc_curve_track *track; /* the next one */
    uint32_t block_end;     /* frame of the block's last key */
    uint32_t ahead_end;     /* the same if that key is at the next restart point, else NEVER */
    uint32_t ahead;         /* bit position of that restart point */
} osc_curve_run;

/* Checks osc_curve_fields.h; only machines with 32-bit pointers and registers have such assembler.
 */
#define OSC_CURVE_IS_AT(type, member, offset, name)                                                \
    OSC_STATIC_ASSERT(offsetof(type, member) == (offset), name)
OSC_CURVE_IS_AT(osc_curve_sparse, dispatch, OSC_CURVE_TRACK_DISPATCH, offset_of_dispatch);
OSC_CURVE_IS_AT(osc_curve_sparse, form, OSC_CURVE_TRACK_FORM, offset_of_form);
OSC_CURVE_IS_AT(osc_curve_sparse, end, OSC_CURVE_TRACK_END, offset_of_end);
OSC_CURVE_IS_AT(osc_curve_sparse, bias, OSC_CURVE_TRACK_BIAS, offset_of_bias);
OSC_CURVE_IS_AT(osc_curve_sparse, pace, OSC_CURVE_TRACK_PACE, offset_of_pace);
OSC_CURVE_IS_AT(osc_curve_sparse, fit, OSC_CURVE_TRACK_FIT, offset_of_fit);
OSC_CURVE_IS_AT(osc_curve_sparse, rice, OSC_CURVE_TRACK_RICE, offset_of_rice);
OSC_CURVE_IS_AT(osc_curve_sparse, upcoming, OSC_CURVE_TRACK_UPCOMING, offset_of_upcoming);
OSC_CURVE_IS_AT(osc_curve_sparse, polynomials, OSC_CURVE_TRACK_COMPONENTS, offset_of_components);
OSC_CURVE_IS_AT(osc_curve_dense, components, OSC_CURVE_TRACK_END, offset_of_dense_components);
OSC_CURVE_IS_AT(osc_curve_dense_four, components, OSC_CURVE_TRACK_FORM, offset_of_four_components);
OSC_CURVE_IS_AT(osc_curve_polynomial, a, OSC_CURVE_POLYNOMIAL_A, offset_of_a);
OSC_CURVE_IS_AT(osc_curve_key, tangent, OSC_CURVE_KEY_TANGENT, offset_of_tangent);
OSC_CURVE_IS_AT(osc_curve_dense_component, value, OSC_CURVE_DENSE_VALUE, offset_of_value);
OSC_STATIC_ASSERT(sizeof(osc_curve_polynomial) == OSC_CURVE_POLYNOMIAL_BYTES, polynomial_bytes);
OSC_STATIC_ASSERT(sizeof(osc_curve_key) == OSC_CURVE_KEY_BYTES, key_bytes);
OSC_STATIC_ASSERT(sizeof(osc_curve_dense_component) == OSC_CURVE_DENSE_BYTES, dense_bytes);
OSC_STATIC_ASSERT(sizeof(osc_curve_four_component) == OSC_CURVE_DENSE_BYTES, four_bytes);
OSC_STATIC_ASSERT(OSC_CURVE_FOUR == OSC_CURVE_PACKING_FOUR, packing_four);
OSC_STATIC_ASSERT(OSC_CURVE_CUBIC == OSC_CURVE_BASIS_CUBIC, basis_cubic);
OSC_STATIC_ASSERT(OSC_CURVE_ABSENT == OSC_CURVE_COARSENING_ABSENT, absent_component);
OSC_STATIC_ASSERT(OSC_RICE_ZERO == OSC_CURVE_RICE_NO_CODE, parameter_without_codes);
OSC_STATIC_ASSERT(OSC_RICE_ESCAPE == OSC_CURVE_RICE_ESCAPE, quotient_of_an_escape);
OSC_STATIC_ASSERT(OSC_CURVE_MAX_GAP == OSC_CURVE_GAP_MOST, greatest_gap);
OSC_STATIC_ASSERT(OSC_CURVE_FRACTION == OSC_CURVE_FRACTION_BITS, bits_of_slopes);
OSC_STATIC_ASSERT(OSC_CURVE_K_Q2_MAX == OSC_CURVE_K_Q2_MOST, greatest_parameter);
#if UINTPTR_MAX == 0xffffffffu && !OSC_LONG_REGISTERS
OSC_CURVE_IS_AT(osc_curve_run, row, 0u, offset_of_row);
OSC_CURVE_IS_AT(osc_curve_run, store.bits.position, OSC_CURVE_RUN_POSITION, offset_of_position);
OSC_CURVE_IS_AT(osc_curve_run, store.left, OSC_CURVE_RUN_LEFT, offset_of_left);
OSC_CURVE_IS_AT(osc_curve_run, track, OSC_CURVE_RUN_TRACK, offset_of_track);
OSC_CURVE_IS_AT(osc_curve_run, ahead, OSC_CURVE_RUN_AHEAD, offset_of_ahead);
#endif

#endif
