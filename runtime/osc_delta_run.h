/* A row of the delta codec, track by track: what the codec shares with the platforms' ways to fill
 * many tracks at once. */
#ifndef OSC_DELTA_RUN_H
#define OSC_DELTA_RUN_H

#include <stdbool.h>

#include "osc_bits.h"

typedef struct osc_delta_run {
    const uint32_t *track, *end; /* the next record, and where they end */
    uint32_t lane;               /* of the record before it */
    uint32_t record;
    osc_bits bits; /* the stream; what is taken of it moves its position */
    uint32_t rotation_lanes;
    int32_t *row;
    const int32_t *previous;
    uint32_t *chords;
} osc_delta_run;

/* Moves on to the next track, whose record and lane then stand in *run. Returns false where there
 * is none. */
static inline bool osc_delta_step(osc_delta_run *run)
{
    while (run->track != run->end) {
        run->record = osc_word(*run->track++);
        run->lane += OSC_TRACK_GAP(run->record);
        if (OSC_TRACK_PACKING(run->record) != OSC_PACKING_SKIP)
            return true;
    }
    return false;
}

#endif
