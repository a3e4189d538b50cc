/* SPDX-License-Identifier: MIT */
/* The port contract: the operations that a platform may provide in its own way.
 *
 * The runtime owns this contract and defines every operation in plain C. A port replaces some of
 * them and gives the same bits for every input, valid or not; runtime/SPEC.md states them as
 * formulas. Runtime and generated code call nothing of a platform that is not declared here.
 *
 * A platform is a folder on the include path (-Iplatforms/neon) with one header, osc_port_config.h.
 * That header names the platform and, for each group of operations that it replaces, the header
 * that has them:
 *
 *   OSC_PORT_NAME             the platform's name, a string
 *   OSC_PORT_SQRT             osc_sqrt_q20
 *   OSC_PORT_BLEND            osc_blend, osc_blend_at, osc_blend_rotation, osc_blend_vector
 *   OSC_PORT_BLEND_4          osc_blend_4_rotations, osc_blend_4_vectors
 *   OSC_PORT_LOCAL_MATRIX     osc_local_matrix
 *   OSC_PORT_MATRIX_MULTIPLY  osc_matrix_product
 *   OSC_PORT_CHILD_MATRIX     osc_child_matrix
 *   OSC_PORT_MATRIX_Q14       osc_child_matrix_q14, osc_skin_matrix_q14,
 *                             osc_skin_offset_q14
 *   OSC_PORT_TRACK            osc_fill_row_track (codecs/osc_port_rows.h)
 *   OSC_PORT_ROWS             osc_transpose_tracks, osc_fill_tracks (codecs/osc_port_rows.h)
 *   OSC_PORT_CURVE_ROWS       osc_curve_fill and its helpers (codecs/osc_port_rows.h)
 *   OSC_PORT_MIX              osc_mix_rotations and others (arithmetic/osc_mix_arithmetic.h)
 *   OSC_PORT_MIX_RUNS         osc_mix_unit_rotations and others (likewise)
 *   OSC_PORT_MIRROR           osc_mirror_joints (mix/osc_port_mirror.h)
 *   OSC_PORT_OFFSET           osc_offset_rotation, osc_keep_rotation (mix/osc_port_offsets.h)
 *   OSC_PORT_OFFSETS          the same, osc_offset_4_rotations, osc_offset_vector (likewise)
 *   OSC_PORT_BEGIN            osc_begin_4_rotations, osc_begin_vector (likewise)
 *
 * These headers include port/osc_port.h and nothing else of the runtime: everything above the place
 * where a group's header is included is already declared. All functions are static inline, except
 * osc_curve_fill, which a port may write in assembler; that may include codecs/osc_curve_fields.h.
 * No function allocates, recurses or keeps state. */
#ifndef OSC_PORT_H
#define OSC_PORT_H

#include "arithmetic/osc_fixed.h"
#include "arithmetic/osc_quaternion.h"
#include "osc_port_config.h"
#include "ossicle.h"

#ifndef OSC_PORT_NAME
#error "osc_port_config.h of the platform has to define OSC_PORT_NAME"
#endif
#if defined(OSC_FAST_ROWS) && OSC_FAST_ROWS != 0 && OSC_FAST_ROWS != 1
#error "OSC_FAST_ROWS is 0 or 1"
#endif

/* ---- the square root ---- */

#ifdef OSC_PORT_SQRT
#define OSC_SQRT 1

/* A whole number near the root of n * 2^12, for 0 <= n <= 2^28: at most 0.1 above it, at most 1.1
 * below. osc_root.h rounds it exactly, by integers, so that every unit and rounding mode gives the
 * same bits. For processors with an instruction for a single root. */
static inline uint32_t osc_sqrt_q20(uint32_t n_q28);

#include OSC_PORT_SQRT
#else
#define OSC_SQRT 0 /* osc_root.h has a table */
#endif

#include "arithmetic/osc_root.h"

/* ---- blending two key rows ----
 *
 * left, right: where a track lies in the two rows, aligned to four bytes; nothing beyond the track
 * is read. Outputs overlap neither each other nor the rows. */

/* The weights of a position between two frames for all tracks, computed once per pose. */
typedef struct osc_blend osc_blend;

/* fraction_q11: 0..2047 */
static inline osc_blend osc_blend_at(uint32_t fraction_q11);

/* One rotation: normalised linear interpolation without a root. chord_q20: osc_chord_q20 of the
 * two. */
static inline void osc_blend_rotation(const int32_t *left, const int32_t *right, uint32_t chord_q20,
                                      osc_blend blend, osc_quaternion *out);

/* One translation or scale: linear interpolation, rounded half up. */
static inline void osc_blend_vector(const int32_t *left, const int32_t *right, osc_blend blend,
                                    osc_vector *out);

/* Four that follow each other in the row. */
static inline void osc_blend_4_rotations(const int32_t *left, const int32_t *right,
                                         const uint32_t *chords_q20, osc_blend blend,
                                         osc_quaternion *out0, osc_quaternion *out1,
                                         osc_quaternion *out2, osc_quaternion *out3);
static inline void osc_blend_4_vectors(const int32_t *left, const int32_t *right, osc_blend blend,
                                       osc_vector *out0, osc_vector *out1, osc_vector *out2,
                                       osc_vector *out3);

#ifdef OSC_PORT_BLEND
#include OSC_PORT_BLEND
#endif
#ifdef OSC_PORT_BLEND_4
#include OSC_PORT_BLEND_4
#endif
#include "arithmetic/osc_blend.h"

/* ---- composing matrices ---- */

/* The local matrix T * R * S of a joint, each product rounded to Q20; scale may be null. */
static inline void osc_local_matrix(const osc_quaternion *rotation, const osc_vector *translation,
                                    const osc_vector *scale, osc_matrix *out);

/* out = parent * local, each element summed exactly and rounded once; out may be the parent. */
static inline void osc_matrix_product(const osc_matrix *parent, const osc_matrix *local,
                                      osc_matrix *out);

/* out = parent * local matrix of a joint, which is rounded as above; scale may be null; out may not
 * be the parent. */
static inline void osc_child_matrix(const osc_quaternion *rotation, const osc_vector *translation,
                                    const osc_vector *scale, const osc_matrix *parent,
                                    osc_matrix *out);

#ifdef OSC_PORT_LOCAL_MATRIX
#include OSC_PORT_LOCAL_MATRIX
#endif
#ifdef OSC_PORT_MATRIX_MULTIPLY
#include OSC_PORT_MATRIX_MULTIPLY
#endif
#ifdef OSC_PORT_CHILD_MATRIX
#include OSC_PORT_CHILD_MATRIX
#endif
#include "arithmetic/osc_compose.h"

/* ---- small matrices: turns in Q14, translations with `bits` bits of fraction, 8..18 ---- */

/* out = parent * local matrix of a joint; scale may be null; out may not be the parent. */
static inline void osc_child_matrix_q14(const osc_quaternion *rotation,
                                        const osc_vector *translation, const osc_vector *scale,
                                        uint32_t bits, const osc_matrix *parent, osc_matrix *out);

/* out = model * inverse bind matrix, which is in Q20. */
static inline void osc_skin_matrix_q14(const osc_matrix *model, const osc_matrix *inverse_bind,
                                       uint32_t bits, osc_matrix_q14 *out);

/* The same for an inverse bind matrix that does not turn: columns 0..2 are those of the identity.
 * offset: column 3 with `bits` bits of fraction. */
static inline void osc_skin_offset_q14(const osc_matrix *model, const int32_t offset[3],
                                       osc_matrix_q14 *out);

#include "arithmetic/osc_compose_q14.h"
#ifdef OSC_PORT_MATRIX_Q14
#include OSC_PORT_MATRIX_Q14
#endif

#endif
