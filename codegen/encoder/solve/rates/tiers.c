#include "solve/rates/tiers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arrays.h"
#include "codecs/dense/codec.h"
#include "model/measure.h"
#include "ossicle.h"

/* The published error of a clip without keys, in tolerances: without the last tier, and without
 * both of two. */
#define WITHOUT_LAST 8.0
#define WITHOUT_ANY 32.0

#define ATTEMPTS 16u /* to keep a stated error at midpoints, too, which the order of keys ignores  \
                      */
#define CLOSER 0.99  /* than the measured error asks for, of a further attempt */

/* A key that may move into a tier. */
typedef struct {
    double error; /* without it and all keys that move before it, in tolerances */
    uint32_t frame;
} candidate;

typedef struct {
    const enc_source *source;
    const enc_options *options;
    const enc_solution *solution;
    const enc_dense_track *any; /* one of the moving tracks: all have keys at the same frames */
    enc_matrix *model;          /* [joint] */
    bool *there;                /* [frame]: has a key that has not moved */
    double *cost;               /* [frame]: error without its key */
    candidate *candidates;
    uint32_t candidate_count;
    double permitted[ENC_TIERS]; /* with the first 0, 1, .. tiers alone, in tolerances */
} tiering;

/* The row of a track at a frame that is blended between two keys. */
static void mixed_row(const enc_track_choice *choice, uint32_t kind, uint32_t frame, uint32_t left,
                      uint32_t right, double *out)
{
    int32_t row[4] = {0};
    if (choice->coded != NULL)
        enc_dense_mix(choice->coded->data, frame, left, right, row);
    else
        memcpy(row, choice->constant.row, enc_components(kind) * sizeof *row);
    for (uint32_t i = 0; i < enc_components(kind); i++)
        out[i] = row[i] / (double)OSC_ONE_Q20;
}

/* The error at a frame that is blended between two keys, in tolerances. */
static double blended_error(tiering *t, uint32_t frame, uint32_t left, uint32_t right)
{
    const enc_source *source = t->source;
    double worst = 0.0;
    for (uint32_t joint = 0; joint < source->skeleton->joint_count; joint++) {
        double value[ENC_KINDS][4];
        enc_matrix local;
        const enc_track_choice *choices = &t->solution->tracks[joint * ENC_KINDS];
        for (uint32_t kind = 0; kind < ENC_KINDS; kind++)
            mixed_row(&choices[kind], kind, frame, left, right, value[kind]);
        enc_matrix_local(value[ENC_ROTATION], value[ENC_TRANSLATION], value[ENC_SCALE], &local);
        int32_t parent = source->skeleton->parents[joint];
        if (parent < 0)
            t->model[joint] = local;
        else
            enc_matrix_multiply(&t->model[parent], &local, &t->model[joint]);
        const enc_matrix *exact =
            &source->model[(size_t)joint * source->sample_count + 2u * (size_t)frame];
        double error2 = enc_shell_error2(exact, &t->model[joint], &t->options->shell);
        worst = fmax(worst, sqrt(error2) / enc_limit_m(t->options, joint));
    }
    return worst;
}

/* The nearest remaining keys on both sides of a frame; its block has some. */
static void neighbours(const tiering *t, uint32_t frame, uint32_t *left, uint32_t *right)
{
    for (*left = frame - 1u; !t->there[*left]; --*left) {
    }
    for (*right = frame + 1u; !t->there[*right]; ++*right) {
    }
}

static void set_cost(tiering *t, uint32_t frame)
{
    uint32_t left, right;
    neighbours(t, frame, &left, &right);
    t->cost[frame] = 0.0;
    for (uint32_t f = left + 1u; f < right; f++)
        t->cost[frame] = fmax(t->cost[frame], blended_error(t, f, left, right));
}

/* Whether a key remains and may move. */
static bool may_go(const tiering *t, uint32_t frame)
{
    return t->there[frame] && !enc_dense_is_end(t->any, frame);
}

/* Removes one key of a block after another, each time the one whose removal causes the smallest
 * error. */
static void order_block(tiering *t, uint32_t first, uint32_t end)
{
    double error = 0.0;
    for (uint32_t f = first; f < end; f++)
        if (may_go(t, f))
            set_cost(t, f);
    for (;;) {
        uint32_t least = end, left, right;
        for (uint32_t f = first; f < end; f++)
            if (may_go(t, f) && (least == end || t->cost[f] < t->cost[least]))
                least = f;
        if (least == end)
            return;
        error = fmax(error, t->cost[least]);
        t->candidates[t->candidate_count++] = (candidate){error, least};
        t->there[least] = false;
        neighbours(t, least, &left, &right);
        if (may_go(t, left))
            set_cost(t, left);
        if (may_go(t, right))
            set_cost(t, right);
    }
}

static void order_keys(tiering *t)
{
    uint32_t rows = t->source->row_count;
    uint32_t block = enc_dense_block_frames(rows, t->any->restart_log2);
    for (uint32_t f = 0; f < rows; f++)
        t->there[f] = enc_dense_has_key(t->any, f);
    for (uint32_t first = 0; first < rows; first += block)
        order_block(t, first, rows - first < block ? rows : first + block);
}

/* Writes the keys' tiers into every track. */
static bool set_tiers(const tiering *t, uint32_t tier_count)
{
    for (uint32_t track = 0; track < t->solution->track_count; track++) {
        if (t->solution->tracks[track].coded == NULL)
            continue;
        enc_dense_track *dense = t->solution->tracks[track].coded->data;
        dense->tier_count = tier_count;
        if (dense->tiers == NULL)
            dense->tiers = malloc(t->source->row_count);
        if (dense->tiers == NULL)
            return false;
        memset(dense->tiers, 0, t->source->row_count);
        for (uint32_t i = 0; i < t->candidate_count; i++)
            for (uint32_t tier = 1; tier <= tier_count; tier++)
                if (t->candidates[i].error <= t->permitted[tier - 1u])
                    dense->tiers[t->candidates[i].frame] = (uint8_t)tier;
    }
    return true;
}

/* ---- the clip without tiers ---- */

/* Computes the rows of frames whose keys lie in tiers above `most` from their neighbours. */
static void blend_rows(enc_dense_track *track, uint32_t most)
{
    uint32_t left = 0, components = enc_components(track->format.kind);
    for (uint32_t f = 0; f < track->frame_count; f++) {
        if (!enc_dense_has_key(track, f) || track->tiers[f] > most)
            continue;
        for (uint32_t between = left + 1u; between < f; between++)
            enc_dense_mix(track, between, left, f, track->rows + (size_t)between * components);
        left = f;
    }
}

/* Measures the clip with the first tiers only; the rows do not change. */
static int32_t measure_tiers(tiering *t, uint32_t most, double *error_m)
{
    enc_report report = {0};
    uint32_t tracks = t->solution->track_count;
    size_t words = (size_t)t->source->row_count * 4u;
    bool complete = true;
    int32_t *rows = enc_array(tracks * words, sizeof *rows, &complete);
    if (!complete)
        return ENC_ERROR_MEMORY;
    for (uint32_t i = 0; i < tracks; i++)
        if (t->solution->tracks[i].coded != NULL) {
            enc_dense_track *track = t->solution->tracks[i].coded->data;
            memcpy(rows + i * words, track->rows, words * sizeof *rows);
            blend_rows(track, most);
        }
    int32_t status = enc_measure_solution(t->source, t->solution, t->options, &report, NULL);
    for (uint32_t i = 0; i < tracks; i++)
        if (t->solution->tracks[i].coded != NULL) {
            enc_dense_track *track = t->solution->tracks[i].coded->data;
            memcpy(track->rows, rows + i * words, words * sizeof *rows);
        }
    free(rows);
    *error_m = report.error_m;
    return status;
}

/* ---- the choice ---- */

static void permit(tiering *t, uint32_t tiers)
{
    const double *stated_m = t->options->scheme->tier_m;
    for (uint32_t most = 0; most < tiers; most++)
        t->permitted[most] = stated_m[most] > 0.0 ? stated_m[most] / t->options->tolerance_m
                             : most + 1u == tiers ? WITHOUT_LAST
                                                  : WITHOUT_ANY;
}

/* Permits less where a stated error is not kept. Whether all are. */
static bool keeps_stated(tiering *t, uint32_t tiers, const enc_report *report)
{
    bool kept = true;
    for (uint32_t most = 0; most < tiers; most++) {
        double stated_m = t->options->scheme->tier_m[most], error_m = report->tier_error_m[most];
        if (stated_m > 0.0 && error_m > stated_m) {
            t->permitted[most] *= CLOSER * stated_m / error_m;
            kept = false;
        }
    }
    return kept;
}

static int32_t choose(tiering *t, enc_report *report)
{
    uint32_t tiers = t->options->scheme->tiers;
    for (uint32_t track = 0; track < t->solution->track_count; track++)
        if (t->solution->tracks[track].coded != NULL)
            t->any = t->solution->tracks[track].coded->data;
    report->tiers = t->any != NULL ? tiers : 0u;
    if (t->any == NULL)
        return ENC_OK;
    order_keys(t);
    permit(t, tiers);
    int32_t status = ENC_OK;
    for (uint32_t attempt = 0; attempt <= ATTEMPTS && status == ENC_OK; attempt++) {
        if (attempt == ATTEMPTS) /* no key moves: the clip itself keeps every stated error */
            t->candidate_count = 0;
        if (!set_tiers(t, tiers))
            return ENC_ERROR_MEMORY;
        for (uint32_t most = 0; most < tiers && status == ENC_OK; most++)
            status = measure_tiers(t, most, &report->tier_error_m[most]);
        if (status == ENC_OK && keeps_stated(t, tiers, report))
            break;
    }
    return status;
}

int32_t enc_dense_choose_tiers(const enc_source *source, const enc_options *options,
                               enc_solution *solution, enc_report *report)
{
    tiering t = {.source = source, .options = options, .solution = solution};
    bool complete = true;
    t.model = enc_array(source->skeleton->joint_count, sizeof *t.model, &complete);
    t.there = enc_array(source->row_count, sizeof *t.there, &complete);
    t.cost = enc_array(source->row_count, sizeof *t.cost, &complete);
    t.candidates = enc_array(source->row_count, sizeof *t.candidates, &complete);
    int32_t status = complete ? choose(&t, report) : ENC_ERROR_MEMORY;
    free(t.model);
    free(t.there);
    free(t.cost);
    free(t.candidates);
    return status;
}
