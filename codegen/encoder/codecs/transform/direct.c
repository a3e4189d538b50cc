/* The last resort of the transform codec: codes every frame of a track on its own, for jumps and
 * vibrations that sums of the basis cannot follow. */
#include "codecs/transform/direct.h"

#include <math.h>

#include "base/quantise.h"
#include "ossicle.h"

#define CODES 4u         /* number of direct step codes */
#define RANGE_Q20 0x1p31 /* range of a row's word */

/* Stores a frame as its end, or as a coefficient relative to the left end. */
static void put_frame(enc_transform_track *track, uint32_t frame, const int32_t *steps)
{
    uint32_t segment = frame / OSC_TRANSFORM_FRAMES, inner = frame % OSC_TRANSFORM_FRAMES;
    bool last = frame == track->frame_count - 1u;
    for (uint32_t c = 0; c < track->components; c++) {
        if (inner == 0u)
            *enc_transform_end(track, segment, c) = steps[c];
        else if (!last)
            enc_transform_coefficients(track, segment, c)[inner - 1u] =
                osc_sub(steps[c], *enc_transform_end(track, segment, c));
        if (last && (inner != 0u || frame == 0u))
            *enc_transform_end(track, segment + 1u, c) = steps[c];
    }
}

static bool steps_hold(enc_transform_fitter *fitter, uint32_t frame, const int32_t *steps)
{
    enc_transform_track *track = fitter->track;
    int32_t values[ENC_TRANSFORM_COMPONENTS];
    for (uint32_t c = 0; c < track->components; c++)
        values[c] = osc_shl(steps[c], osc_transform_direct_shift(track->step[c]));
    return enc_transform_row_holds(fitter, frame, values);
}

/* Codes a frame with the nearest steps, or with a neighbour in one component. */
static bool fit_frame(enc_transform_fitter *fitter, uint32_t frame)
{
    enc_transform_track *track = fitter->track;
    const double *wanted = fitter->values + (size_t)frame * ENC_TRANSFORM_COMPONENTS;
    int32_t steps[ENC_TRANSFORM_COMPONENTS] = {0};
    for (uint32_t c = 0; c < track->components; c++) {
        double size = 1u << osc_transform_direct_shift(track->step[c]);
        double nearest = floor(wanted[c] / size + 0.5);
        if (!(fabs(nearest) * size + size < RANGE_Q20))
            return false;
        steps[c] = (int32_t)nearest;
    }
    bool holds = steps_hold(fitter, frame, steps);
    for (uint32_t c = 0; c < track->components && !holds; c++)
        for (int32_t by = -1; by <= 1 && !holds; by += 2) {
            steps[c] += by;
            holds = steps_hold(fitter, frame, steps);
            steps[c] -= holds ? 0 : by;
        }
    put_frame(track, frame, steps);
    return holds;
}

static void count_coefficients(enc_transform_track *track)
{
    for (uint32_t s = 0; s < track->segments; s++)
        for (uint32_t c = 0; c < track->components; c++) {
            uint32_t length = osc_transform_length(track->frame_count, s);
            enc_transform_recount(track, s, c, length > 0u ? length - 1u : 0u);
        }
}

bool enc_transform_fit_direct(enc_transform_fitter *fitter)
{
    enc_transform_track *track = fitter->track;
    track->end_grid = 1;
    for (uint32_t code = OSC_TRANSFORM_DIRECT + CODES; code-- > OSC_TRANSFORM_DIRECT;) {
        bool holds = true;
        for (uint32_t c = 0; c < ENC_TRANSFORM_COMPONENTS; c++)
            track->step[c] = code;
        for (uint32_t f = 0; f < track->frame_count && holds; f++)
            holds = fit_frame(fitter, f);
        if (holds && enc_transform_blends(fitter)) {
            count_coefficients(track);
            return true;
        }
    }
    return false;
}
