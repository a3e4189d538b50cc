/* SPDX-License-Identifier: MIT */
/* The part of the port contract that only codecs need: key rows. osc_port.h has the rest. */
#ifndef OSC_PORT_ROWS_H
#define OSC_PORT_ROWS_H

#include "codecs/osc_curve_track.h"
#include "codecs/osc_transform_rows.h"
#include "codecs/osc_transform_segments.h"
#include "port/osc_port.h"

/* ---- key rows of the transform codec ----
 *
 * osc_transform_arithmetic.h describes a parsed segment in the player's state. osc_transform_rows.h
 * defines osc_fill_track, which computes one track's part of a row. */

/* Called when a clip starts. May move the numbers of tracks to memory behind the tracks, in an
 * order that suits vectors: osc_transform_segments.h describes what it then writes to the state.
 * Segments are read into that memory. first: the first track; tracks: their number; words: from the
 * first track to the end of the player's memory. Returns the words from the first track to the
 * moved numbers; 0 if nothing has changed. */
static inline uint32_t osc_transpose_tracks(int32_t *first, uint32_t tracks, uint32_t words);

/* Sets the moved coefficients to 0, before those of a segment are read. transposed: the moved
 * numbers, or null. */
static inline void osc_clear_coefficients(int32_t *transposed);

/* Fills the tracks of a row and the chords of its rotations, as osc_fill_track does for each track.
 * transposed: the moved numbers, or null. The word after the last component
 * is OSC_TRANSFORM_END. */
static inline void osc_fill_tracks(const int32_t *at, uint32_t tracks, const int32_t *transposed,
                                   const osc_rows *rows);

/* Rebuilds w of four rotations in a row, at these offsets, as osc_rebuild_q20 does, and computes
 * their chords. Two may be the same. Returns false with nothing done if a w is 0. Only a port with
 * OSC_REBUILDS_FOUR has this function. */
#ifdef OSC_PORT_ROWS
#define OSC_REBUILDS_FOUR 1
static inline bool osc_rebuild_four(const uint32_t offsets[4], int32_t *row,
                                    const int32_t *previous, uint32_t *chords);
#include OSC_PORT_ROWS
#else
#define OSC_REBUILDS_FOUR 0
static inline uint32_t osc_transpose_tracks(int32_t *first, uint32_t tracks, uint32_t words)
{
    (void)first;
    (void)tracks;
    (void)words;
    return 0;
}

static inline void osc_clear_coefficients(int32_t *transposed)
{
    (void)transposed;
}

/* Fills one track of a row and the chord of a rotation: the same as osc_fill_track. Returns the
 * next track. */
#ifdef OSC_PORT_TRACK
#include OSC_PORT_TRACK
#else
static inline const int32_t *osc_fill_row_track(const int32_t *at, const osc_rows *rows)
{
    return osc_fill_track(at, rows);
}
#endif

static inline void osc_fill_tracks(const int32_t *at, uint32_t tracks, const int32_t *transposed,
                                   const osc_rows *rows)
{
    (void)transposed;
    for (; tracks != 0u; tracks--)
        at = osc_fill_row_track(at, rows);
}
#endif

/* ---- key rows of the curve codec ----
 *
 * A port may fill many tracks of a row at once. osc_curve_track.h describes the tracks in the
 * player's state. OSC_CURVE_FILLS is 1 if the port does so; otherwise the functions are not
 * called. */

/* Converts the Rice parameter of a dense component, in quarters, to the 14 bits that the port keeps
 * for it; and back. */
static inline uint32_t osc_curve_keep_k(uint32_t k_q2);
static inline uint32_t osc_curve_kept_k(uint32_t kept);

/* Called when a section begins. filled: its first row is complete. May give the track one of the
 * port's own kinds and convert its coefficients. Tracks of the kind OSC_CURVE_OTHER are left to
 * osc_curve.c. */
static inline void osc_curve_ready(osc_curve_sparse *track, bool filled);

/* A port also defines OSC_CURVE_BEGINS: the kind of a section that ends at the frame of a row, so
 * that the next one begins there. */
#ifdef OSC_PORT_CURVE_ROWS
#define OSC_CURVE_FILLS 1

/* Fills tracks from run->track on, and reads the codes of dense ones. May stop before any track of
 * which it has read nothing; before a section of the port's own kinds only if the section ends at
 * this frame. May begin a section, and stop before it with the kind OSC_CURVE_OTHER. */
void osc_curve_fill(osc_curve_run *run);

#include OSC_PORT_CURVE_ROWS
#else
#define OSC_CURVE_FILLS 0

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
