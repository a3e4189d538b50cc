/* A row of the delta codec, track by track: what the codec shares with the platforms' ways to fill
 * many tracks at once. */
#ifndef OSC_DELTA_RUN_H
#define OSC_DELTA_RUN_H

#include "osc_format.h"
#include "osc_window.h"

typedef struct osc_delta_run {
    const uint32_t *track, *end; /* the next record, and where they end */
    uint32_t lane;               /* the next one */
    uint32_t rotation_lanes;
    uint32_t row_words;
    uint32_t linear; /* for all records: all bits, or all but that one */
    int32_t *first;  /* of the row */
    const int32_t *first_previous;
    uint32_t *first_chord;
    /* a track that is to be filled */
    uint32_t record;
    int32_t *row;
    const int32_t *previous;
    uint32_t *chord; /* if it is a rotation */
} osc_delta_run;

/* Moves on to the next track. Returns false where there is none. */
static inline bool osc_delta_step(osc_delta_run *run)
{
    while (run->track != run->end) {
        uint32_t record = osc_word(*run->track++) & run->linear, chart = OSC_TRACK_CHART(record);
        uint32_t lane = run->lane + OSC_TRACK_GAP(record);
        run->lane = lane;
        if (chart == OSC_CHART_SKIP)
            continue;
        uint32_t offset = chart < OSC_CHART_VECTOR ? 4u * lane : 3u * lane + run->rotation_lanes;
        run->lane++;
        run->record = record;
        run->row = run->first + offset;
        run->previous = run->first_previous + offset;
        run->chord = run->first_chord + lane;
        return true;
    }
    return false;
}

#endif
