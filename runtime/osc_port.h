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
 *   OSC_PORT_MATRIX_MULTIPLY  osc_matrix_multiply
 *   OSC_PORT_ROWS             osc_transpose_tracks, osc_fill_tracks
 *   OSC_PORT_CURVE_ROWS       osc_curve_fill, and what the curve codec needs to know of it
 *
 * These headers include osc_port.h and nothing else of the runtime: what stands above a group here
 * is declared when its header is read, the types and definitions of the runtime among it. All
 * functions are static inline, but for osc_curve_fill, which a port may have in assembler. None of
 * them allocates, recurses or keeps state. */
#ifndef OSC_PORT_H
#define OSC_PORT_H

#include "arithmetic/osc_fixed.h"
#include "arithmetic/osc_quaternion.h"
#include "osc_port_config.h"
#include "ossicle.h"

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

/* What one position inside a frame means for every track: made once per pose. */
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
static inline void osc_matrix_multiply(const osc_matrix *parent, const osc_matrix *local,
                                       osc_matrix *out);

#ifdef OSC_PORT_LOCAL_MATRIX
#include OSC_PORT_LOCAL_MATRIX
#endif
#ifdef OSC_PORT_MATRIX_MULTIPLY
#include OSC_PORT_MATRIX_MULTIPLY
#endif
#include "arithmetic/osc_compose.h"

/* ---- key rows of the transform codec ----
 *
 * osc_transform_arithmetic.h says how a parsed segment lies in the player's state, and osc_transform_rows.h
 * defines osc_fill_track, which makes one track's part of a row. */
#include "codecs/osc_transform_rows.h"

/* Called when a segment has been parsed: may copy it to the player's spare memory in an order that
 * suits vectors. first: its first track; tracks: how many; transposed, words: the spare memory,
 * which may be of no words. */
static inline void osc_transpose_tracks(const int32_t *first, uint32_t tracks, int32_t *transposed,
                                        uint32_t words);

/* Fills the tracks of a row, and the chords of its rotations: osc_fill_track of each. transposed:
 * the copy, null if the player has no spare memory. The word after the last component is
 * OSC_TRANSFORM_END. */
static inline void osc_fill_tracks(const int32_t *at, uint32_t tracks, const int32_t *transposed,
                                   const osc_rows *rows);

#ifdef OSC_PORT_ROWS
#include OSC_PORT_ROWS
#else
static inline void osc_transpose_tracks(const int32_t *first, uint32_t tracks, int32_t *transposed,
                                        uint32_t words)
{
    (void)first;
    (void)tracks;
    (void)transposed;
    (void)words;
}

static inline void osc_fill_tracks(const int32_t *at, uint32_t tracks, const int32_t *transposed,
                                   const osc_rows *rows)
{
    (void)transposed;
    for (; tracks != 0u; tracks--)
        at = osc_fill_track(at, rows);
}
#endif

/* ---- key rows of the curve codec ----
 *
 * A port may fill many tracks of a row at once. The tracks lie in the player's state as
 * osc_curve_track.h says. OSC_CURVE_FILLS is 1 where there is such a port; the functions are not
 * called otherwise. */
#include "codecs/osc_curve_track.h"

/* From the Rice parameter of a dense component, in quarters, to what the port keeps of it in 14
 * bits; and back. */
static inline uint32_t osc_curve_keep_k(uint32_t k_q2);
static inline uint32_t osc_curve_kept_k(uint32_t kept);

/* Called when a section begins; filled: its first row is made. May give the track a kind of the
 * port's own and change its coefficients to suit. A track of the kind OSC_CURVE_OTHER is left to
 * osc_curve.c. */
static inline void osc_curve_ready(osc_curve_sparse *track, bool filled);

#ifdef OSC_PORT_CURVE_ROWS
#define OSC_CURVE_FILLS 1

/* Fills tracks from run->track on, and reads the codes of dense ones. May stop before any track
 * with nothing of it read; before a section of the port's own kinds only if that ends at this
 * frame. May begin a section, and stop before it with the kind OSC_CURVE_OTHER. */
void osc_curve_fill(osc_curve_run *run);

#include OSC_PORT_CURVE_ROWS
#else
#define OSC_CURVE_FILLS 0

/* The kind of a section that ends, and so begins, at the frame of a row. */
#define OSC_CURVE_BEGINS OSC_CURVE_OTHER

static inline uint32_t osc_curve_keep_k(uint32_t k_q2)
{
    return k_q2;
}

static inline uint32_t osc_curve_kept_k(uint32_t kept)
{
    return kept;
}

static inline void osc_curve_ready(osc_curve_sparse *track, bool filled)
{
    (void)track;
    (void)filled;
}

static inline void osc_curve_fill(osc_curve_run *run)
{
    (void)run;
}

#endif

#endif
