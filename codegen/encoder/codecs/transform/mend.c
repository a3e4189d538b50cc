/* Mends a transform track: if limits change at a few frames, or ancestors move there, most of its
 * segments can stay. */
#include "codecs/transform/mend.h"

#include <stdlib.h>
#include <string.h>

#include "codecs/transform/code.h"
#include "codecs/transform/error_points.h"

/* The parts of a track that do not hold. */
typedef struct {
    uint8_t *ends;     /* [end] */
    uint8_t *segments; /* [segment]: a frame or midpoint between its ends */
} faults;

static void note_fault(const enc_transform_track *track, uint32_t frame, faults *found)
{
    uint32_t segment = frame / OSC_TRANSFORM_FRAMES;
    if (frame % OSC_TRANSFORM_FRAMES == 0u)
        found->ends[segment] = 1;
    else if (frame + 1u == track->frame_count)
        found->ends[segment + 1u] = 1;
    else
        found->segments[segment] = 1;
}

static void find_faults(const enc_transform_fitter *fitter, faults *found)
{
    const enc_fit *fit = fitter->fit;
    const enc_transform_track *track = fitter->track;
    for (uint32_t f = 0; f < fit->frame_count; f++) {
        const int32_t *row = track->rows + (size_t)f * enc_components(fit->kind);
        if (!fit->holds(fit->context, f, row))
            note_fault(track, f, found);
        if (fit->between != NULL && f + 1u < fit->frame_count &&
            !fit->between(fit->context, f, track->rows)) {
            note_fault(track, f, found);
            note_fault(track, f + 1u, found);
        }
    }
}

static void set_quadratics(enc_transform_fitter *fitter, uint32_t first, uint32_t count)
{
    for (uint32_t f = first; f < first + count && f < fitter->fit->frame_count; f++)
        enc_transform_set_frame(fitter, f);
}

/* Fits faulty ends again, and marks the segments that change with them. */
static bool mend_ends(enc_transform_fitter *fitter, faults *found)
{
    enc_transform_track *track = fitter->track;
    for (uint32_t i = 0; i <= track->segments; i++) {
        int32_t *end = enc_transform_end(track, i, 0), before[ENC_TRANSFORM_COMPONENTS];
        uint32_t frame = i * OSC_TRANSFORM_FRAMES;
        if (found->ends[i] == 0)
            continue;
        set_quadratics(fitter, frame < track->frame_count ? frame : track->frame_count - 1u, 1u);
        memcpy(before, end, sizeof before);
        if (!enc_transform_fit_end(fitter, i))
            return false;
        if (memcmp(before, end, sizeof before) == 0)
            continue;
        if (i > 0u)
            found->segments[i - 1u] = 1;
        if (i < track->segments)
            found->segments[i] = 1;
    }
    return true;
}

static bool mend_segments(enc_transform_fitter *fitter, const faults *found)
{
    (void)enc_transform_bits(fitter->track, fitter->codes);
    for (uint32_t s = 0; s < fitter->track->segments; s++) {
        if (found->segments[s] == 0)
            continue;
        set_quadratics(fitter, s * OSC_TRANSFORM_FRAMES, OSC_TRANSFORM_FRAMES);
        if (!enc_transform_fit_segment(fitter, s))
            return false;
    }
    return enc_transform_blends(fitter);
}

/* Marks the ends of faulty segments as faulty. */
static void blame_ends(const enc_transform_track *track, faults *found)
{
    for (uint32_t s = 0; s < track->segments; s++)
        if (found->segments[s] != 0)
            found->ends[s] = found->ends[s + 1u] = 1;
}

bool enc_transform_mend(enc_transform_fitter *fitter, bool finely)
{
    enc_transform_track *track = fitter->track;
    uint8_t *flags = calloc(2u * (size_t)track->segments + 1u, 1);
    if (flags == NULL)
        return false;
    faults found = {flags, flags + track->segments + 1u};
    find_faults(fitter, &found);
    if (finely) {
        track->end_grid = 1;
        blame_ends(track, &found);
    }
    bool mended = mend_ends(fitter, &found) && mend_segments(fitter, &found);
    free(flags);
    return mended;
}
