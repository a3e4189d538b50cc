/* The part of the port contract that only the curve codec needs: filling many tracks of a row at
 * once. Like the groups of osc_port.h, a platform that has such a way names the header that has
 * these operations in osc_port_config.h:
 *
 *   OSC_PORT_CURVE_ROWS  OSC_CURVE_BEGINS, osc_curve_keep_k, osc_curve_kept_k, osc_curve_ready,
 *                        osc_curve_fill
 *
 * osc_curve_track.h says how the tracks lie in the player's state. */
#ifndef OSC_CURVE_ROWS_H
#define OSC_CURVE_ROWS_H

#include "osc_curve_track.h"
#include "osc_port.h"

/* The 14 bits that a dense component keeps of its Rice parameter, in quarters, and back. */
static inline uint32_t osc_curve_keep_k(uint32_t k_q2);
static inline uint32_t osc_curve_kept_k(uint32_t kept);

#ifdef OSC_PORT_CURVE_ROWS
#define OSC_CURVE_FILLS 1

/* A section has begun, and its first row is filled or not yet: may give its track a kind of the
 * platform's own, and change coefficients to the form in which the platform wants them. A track of
 * the kind OSC_CURVE_OTHER is left to osc_curve.c. */
static inline void osc_curve_ready(osc_curve_sparse *track, bool filled);

/* Fills tracks from run->track on, and reads the codes of dense ones. Stops before any track, with
 * nothing of it read: before a section of the platform's own kinds only where that ends at this
 * frame. May also begin a section, and stop before it with the kind OSC_CURVE_OTHER. */
void osc_curve_fill(osc_curve_run *run);

/* The header also defines OSC_CURVE_BEGINS, a kind of the platform's own for a section that ends,
 * and so begins, at this frame. */
#include OSC_PORT_CURVE_ROWS
#else
#define OSC_CURVE_FILLS 0 /* osc_curve_ready and osc_curve_fill are not called */
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
