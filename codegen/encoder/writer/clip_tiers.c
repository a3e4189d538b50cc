#include "writer/clip_tiers.h"

#include <math.h>
#include <stdlib.h>

#include "base/arrays.h"
#include "codecs/codecs.h"
#include "model/measure.h"
#include "published/tiers/tiers.h"

/* The published error of a clip without keys, in tolerances: without the last tier, and without
 * any. */
#define WITHOUT_LAST 8.0
#define WITHOUT_ANY 32.0

/* Steps are found from errors at frames, to first order. The true loss of a block is measured, and
 * its limit for steps is moved towards the stated error this often. */
#define ATTEMPTS 7u
#define LAST_ATTEMPTS 24u /* to come below the stated error if classes of tracks are in the way */
#define RAISED_MOST 2.0   /* a limit, by one attempt */
#define LOWERED 0.98      /* more than the measured error requires */
#define CLOSE 1.02        /* limits that are not worth another attempt */
#define NO_STEP (-1.0)    /* a limit that no step keeps */

/* Returns whether the clip has keys that can be moved. */
static bool can_move(const enc_clip *clip)
{
    return clip->plan.track_count != 0u;
}

/* The limits of a clip for the errors of steps during the search. [block][tier] */
typedef struct {
    uint32_t tiers, count;
    double *limit, *good, *bad; /* good: kept the error; bad: did not */
    double *worst;              /* measured errors */
    double *of_blocks;          /* [block]: scratch */
} fitting;

static bool fitting_new(fitting *fit, const enc_clip *clip, uint32_t tiers)
{
    bool complete = true;
    *fit = (fitting){.tiers = tiers, .count = clip->plan.block_count * tiers};
    fit->limit = enc_array(fit->count, sizeof *fit->limit, &complete);
    fit->good = enc_array(fit->count, sizeof *fit->good, &complete);
    fit->bad = enc_array(fit->count, sizeof *fit->bad, &complete);
    fit->worst = enc_array(fit->count, sizeof *fit->worst, &complete);
    fit->of_blocks = enc_array(clip->plan.block_count, sizeof *fit->of_blocks, &complete);
    return complete;
}

static void fitting_release(fitting *fit)
{
    free(fit->limit);
    free(fit->good);
    free(fit->bad);
    free(fit->worst);
    free(fit->of_blocks);
}

/* Moves the keys within the limits, and measures all blocks. */
static int32_t try_limits(enc_clip *clip, fitting *fit)
{
    enc_report *report = &clip->report;
    int32_t status = enc_tiers_assign(&clip->plan, fit->tiers, fit->limit);
    report->tiers = fit->tiers;
    for (uint32_t with = 0; with < fit->tiers && status == ENC_OK; with++) {
        enc_report found = {0};
        status = enc_tiers_measure(&clip->plan, with, &found, fit->of_blocks);
        report->tier_error_m[with] = found.error_m;
        for (uint32_t block = 0; block < clip->plan.block_count; block++)
            fit->worst[block * fit->tiers + with] = fit->of_blocks[block];
    }
    return status;
}

/* Stores the measured errors, and sets the next limits. */
static void next_limits(fitting *fit, const double *stated)
{
    for (uint32_t i = 0; i < fit->count; i++) {
        double aim = stated[i % fit->tiers], limit = fit->limit[i];
        if (fit->worst[i] <= aim)
            fit->good[i] = fmax(fit->good[i], limit);
        else
            fit->bad[i] = fmin(fit->bad[i], limit);
        if (fit->good[i] == NO_STEP)
            fit->limit[i] = LOWERED * limit * aim / fit->worst[i];
        else if (fit->bad[i] == HUGE_VAL)
            fit->limit[i] = limit * fmax(fmin(aim / fit->worst[i], RAISED_MOST), CLOSE);
        else if (fit->bad[i] > CLOSE * fit->good[i])
            fit->limit[i] = sqrt(fit->good[i] * fit->bad[i]);
        else
            fit->limit[i] = fit->good[i];
    }
}

/* Lowers the limits that are not kept. Returns whether all are kept. give_up: moves no key of such
 * a block, because its tiers share classes, and lower limits for one tier may be too high for
 * another. */
static bool lower_limits(fitting *fit, const double *stated, bool give_up)
{
    bool kept = true;
    for (uint32_t i = 0; i < fit->count; i++) {
        if (fit->worst[i] <= stated[i % fit->tiers])
            continue;
        kept = false;
        fit->limit[i] *= LOWERED;
        for (uint32_t t = 0; t < fit->tiers && give_up; t++)
            fit->limit[i - i % fit->tiers + t] = NO_STEP;
    }
    return kept;
}

/* Sorts the limits, so that with fewer tiers no fewer steps are taken. */
static void sort_limits(fitting *fit)
{
    for (uint32_t i = fit->count; i-- > 0u;)
        if (i % fit->tiers + 1u < fit->tiers)
            fit->limit[i] = fmax(fit->limit[i], fit->limit[i + 1u]);
}

static int32_t fit_limits(enc_clip *clip, fitting *fit, const double *stated)
{
    int32_t status = ENC_OK;
    for (uint32_t i = 0; i < fit->count; i++) { /* the result depends only on the stated errors */
        fit->limit[i] = stated[i % fit->tiers];
        fit->good[i] = NO_STEP;
        fit->bad[i] = HUGE_VAL;
    }
    for (uint32_t i = 0; i < ATTEMPTS && status == ENC_OK; i++) {
        sort_limits(fit);
        status = try_limits(clip, fit);
        next_limits(fit, stated);
    }
    for (uint32_t i = 0; i < fit->count; i++)
        fit->limit[i] = fit->good[i];
    for (uint32_t i = 0; i <= LAST_ATTEMPTS && status == ENC_OK; i++) {
        sort_limits(fit);
        status = try_limits(clip, fit);
        if (status == ENC_OK && lower_limits(fit, stated, i + 1u >= LAST_ATTEMPTS))
            break;
    }
    return status;
}

/* Moves keys so that the clip keeps errors that are stated in tolerances. */
static int32_t keep_stated(enc_clip *clip, uint32_t tiers, const double *stated)
{
    fitting fit;
    int32_t status =
        fitting_new(&fit, clip, tiers) ? fit_limits(clip, &fit, stated) : ENC_ERROR_MEMORY;
    for (uint32_t i = 0; i < fit.count && status == ENC_OK; i++)
        if (fit.limit[i] > 0.0)
            clip->plan.ratio[i / tiers * ENC_TIERS + i % tiers] = fit.limit[i] / stated[i % tiers];
    fitting_release(&fit);
    return status;
}

static void in_tolerances(const enc_clip *clip, uint32_t tiers, const double *error_m, double *out)
{
    for (uint32_t t = 0; t < tiers; t++)
        out[t] = error_m[t] / clip->options.tolerance_m;
}

/* Chooses the number of classes once: if it followed the limits, sizes and errors would jump. */
static int32_t choose_classes(enc_clip *clip, uint32_t tiers, const double *stated)
{
    fitting fit;
    int32_t status = ENC_ERROR_MEMORY;
    if (fitting_new(&fit, clip, tiers)) {
        for (uint32_t i = 0; i < fit.count; i++)
            fit.limit[i] = stated[i % tiers];
        sort_limits(&fit);
        status = enc_tiers_choose_classes(&clip->plan, tiers, fit.limit);
    }
    fitting_release(&fit);
    return status;
}

int32_t enc_clip_plan_tiers(enc_clip *clip, const uint8_t *kept)
{
    uint32_t tiers = clip->scheme.tiers;
    double stated[ENC_TIERS];
    if (tiers == 0u || clip->codec != &enc_dense_codec)
        return ENC_OK;
    int32_t status =
        enc_tier_plan_make(&clip->plan, &clip->source, &clip->options, &clip->solution, kept);
    if (status != ENC_OK || !can_move(clip))
        return status;
    in_tolerances(clip, tiers, clip->scheme.tier_m, stated);
    for (uint32_t t = 0; t < tiers; t++)
        if (!(clip->scheme.tier_m[t] > 0.0))
            stated[t] = t + 1u == tiers ? WITHOUT_LAST : WITHOUT_ANY;
    status = choose_classes(clip, tiers, stated);
    return status == ENC_OK ? keep_stated(clip, tiers, stated) : status;
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
    fitting fit;
    double stated[ENC_TIERS];
    for (uint32_t t = 0; t <= tiers; t++)
        bits[t] = 0;
    if (!can_move(clip))
        return ENC_OK;
    in_tolerances(clip, tiers, error_m, stated);
    int32_t status = ENC_ERROR_MEMORY;
    if (fitting_new(&fit, clip, tiers)) {
        for (uint32_t i = 0; i < fit.count; i++)
            fit.limit[i] = stated[i % tiers] * clip->plan.ratio[i / tiers * ENC_TIERS + i % tiers];
        sort_limits(&fit);
        status = enc_tiers_count(&clip->plan, tiers, fit.limit, bits);
    }
    fitting_release(&fit);
    return status;
}
