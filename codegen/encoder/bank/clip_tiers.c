#include "bank/clip_tiers.h"

#include <math.h>

#include "model/measure.h"
#include "solve/tiers/tiers.h"

/* The published error of a clip without keys, in tolerances: without the last tier, and without
 * any. */
#define WITHOUT_LAST 8.0
#define WITHOUT_ANY 32.0

#define ATTEMPTS 16u /* to keep a stated error everywhere: steps are found at frames alone */
#define CLOSER 0.99  /* than the measured error asks for, of a further attempt */

/* Whether the clip has keys that can be moved. */
static bool can_move(const enc_clip *clip)
{
    return clip->plan.track_count != 0u;
}

static int32_t measure(enc_clip *clip, uint32_t tiers)
{
    enc_report *report = &clip->report;
    int32_t status = ENC_OK;
    report->tiers = tiers;
    for (uint32_t with = 0; with < tiers && status == ENC_OK; with++) {
        enc_report found = {0};
        status = enc_tiers_measure(&clip->plan, &clip->source, &clip->options, &clip->solution,
                                   with, &found);
        report->tier_error_m[with] = found.error_m;
        report->tier_tolerances[with] = enc_relative_error(&clip->options, &found);
    }
    return status;
}

/* Lowers the limits that the clip does not keep. Whether all are kept. */
static bool lower_limits(const enc_clip *clip, uint32_t tiers, const double *stated, double *limits)
{
    bool kept = true;
    for (uint32_t t = 0; t < tiers; t++)
        if (clip->report.tier_tolerances[t] > stated[t]) {
            limits[t] *= CLOSER * stated[t] / clip->report.tier_tolerances[t];
            kept = false;
        }
    return kept;
}

/* Moves keys so that the clip keeps errors, stated in tolerances. */
static int32_t keep_stated(enc_clip *clip, uint32_t tiers, const double *stated)
{
    double limits[ENC_TIERS];
    int32_t status = ENC_OK;
    for (uint32_t t = 0; t < tiers; t++)
        limits[t] = stated[t];
    for (uint32_t attempt = 0; attempt <= ATTEMPTS && status == ENC_OK; attempt++) {
        if (attempt == ATTEMPTS) /* no key moves: the clip itself keeps every stated error */
            for (uint32_t t = 0; t < tiers; t++)
                limits[t] = -1.0;
        status = enc_tiers_assign(&clip->plan, tiers, limits);
        if (status == ENC_OK)
            status = measure(clip, tiers);
        if (status == ENC_OK && lower_limits(clip, tiers, stated, limits))
            break;
    }
    return status;
}

static void in_tolerances(const enc_clip *clip, uint32_t tiers, const double *error_m, double *out)
{
    for (uint32_t t = 0; t < tiers; t++)
        out[t] = error_m[t] / clip->options.tolerance_m;
}

int32_t enc_clip_plan_tiers(enc_clip *clip, const uint8_t *kept)
{
    uint32_t tiers = clip->scheme.tiers;
    double stated[ENC_TIERS];
    int32_t status =
        enc_tier_plan_make(&clip->plan, &clip->source, &clip->options, &clip->solution, kept);
    if (status != ENC_OK || !can_move(clip))
        return status;
    in_tolerances(clip, tiers, clip->scheme.tier_m, stated);
    for (uint32_t t = 0; t < tiers; t++)
        if (!(clip->scheme.tier_m[t] > 0.0))
            stated[t] = t + 1u == tiers ? WITHOUT_LAST : WITHOUT_ANY;
    return keep_stated(clip, tiers, stated);
}

int32_t enc_clip_move_keys(enc_clip *clip, uint32_t tiers, const double *error_m,
                           enc_report *report)
{
    double stated[ENC_TIERS];
    int32_t status = ENC_OK;
    in_tolerances(clip, tiers, error_m, stated);
    if (can_move(clip))
        status = keep_stated(clip, tiers, stated);
    *report = clip->report;
    return status;
}

int32_t enc_clip_key_bits(const enc_clip *clip, uint32_t tiers, const double *error_m,
                          uint64_t *bits)
{
    double limits[ENC_TIERS];
    for (uint32_t t = 0; t <= tiers; t++)
        bits[t] = 0;
    if (!can_move(clip))
        return ENC_OK;
    in_tolerances(clip, tiers, error_m, limits);
    return enc_tiers_count(&clip->plan, tiers, limits, bits);
}
