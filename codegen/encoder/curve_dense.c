#include "curve_dense.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "osc_fixed.h"
#include "osc_format.h"
#include "ossicle.h"
#include "quantise.h"

#define CODED 3u       /* components of a frame that are coded */
#define NEIGHBOURS 27u /* points of the grid around a frame's nearest one, with itself */
#define MOST_TRIES 10u /* of them */
#define SMOOTHING_PASSES 2
#define ORDERS 2u

typedef struct {
    const enc_fit *fit;
    uint32_t chart, shift;
    uint32_t grain[CODED];
    double (*aim)[CODED];    /* [frame]: coded components in Q20 */
    int32_t (*value)[CODED]; /* [frame]: in steps of 2^(shift + grain) */
    int32_t (*trial)[CODED];
} dense_track;

/* Which component of a row the coded component c is: in the order of the row. */
static uint32_t row_component(const dense_track *track, uint32_t c)
{
    return c < track->chart ? c : c + 1u;
}

static void make_row(const dense_track *track, const int32_t *value, int32_t *row)
{
    for (uint32_t c = 0; c < CODED; c++) {
        uint32_t i = track->chart <= 3u ? row_component(track, c) : c;
        row[i] = osc_shl(value[c], track->shift + track->grain[c]);
    }
    if (track->chart <= 3u)
        enc_rebuild(row, track->chart, false);
}

static bool holds(const dense_track *track, uint32_t frame, const int32_t *value)
{
    int32_t row[4];
    make_row(track, value, row);
    return track->fit->holds(track->fit->context, frame, row);
}

typedef struct {
    double distance;
    int32_t value[CODED];
    uint32_t number;
} grid_point;

static int nearer_first(const void *left, const void *right)
{
    const grid_point *a = left, *b = right;
    if (a->distance != b->distance)
        return a->distance < b->distance ? -1 : 1;
    return a->number < b->number ? -1 : a->number > b->number ? 1 : 0;
}

/* The nearest point of the grid that holds; close ones are tried, since the test is not a ball. */
static bool quantise_frame(const dense_track *track, uint32_t frame, int32_t *value)
{
    double scaled[CODED], step[CODED];
    for (uint32_t c = 0; c < CODED; c++) {
        step[c] = (double)(1u << (track->shift + track->grain[c]));
        scaled[c] = track->aim[frame][c] / step[c];
        value[c] = (int32_t)floor(scaled[c] + 0.5);
    }
    if (holds(track, frame, value))
        return true;
    grid_point points[NEIGHBOURS];
    for (uint32_t n = 0; n < NEIGHBOURS; n++) {
        const int32_t offset[CODED] = {(int32_t)(n % 3u) - 1, (int32_t)(n / 3u % 3u) - 1,
                                       (int32_t)(n / 9u) - 1};
        points[n].number = n;
        points[n].distance = 0.0;
        for (uint32_t c = 0; c < CODED; c++) {
            points[n].value[c] = value[c] + offset[c];
            double d = (scaled[c] - points[n].value[c]) * step[c];
            points[n].distance += d * d;
        }
    }
    qsort(points, NEIGHBOURS, sizeof *points, nearer_first);
    for (uint32_t n = 1; n < MOST_TRIES; n++)
        if (holds(track, frame, points[n].value)) {
            memcpy(value, points[n].value, sizeof points[n].value);
            return true;
        }
    return false;
}

static bool try_grid(dense_track *track)
{
    uint32_t frames = track->fit->frame_count;
    for (uint32_t f = 0; f < frames; f++)
        if (!quantise_frame(track, f, track->trial[f]))
            return false;
    memcpy(track->value, track->trial, frames * sizeof *track->value);
    return true;
}

/* Coarser steps for all components, then for single ones. */
static bool choose_grid(dense_track *track)
{
    if (!try_grid(track))
        return false;
    while (track->shift < OSC_CURVE_SHIFT_MAX) {
        track->shift++;
        if (!try_grid(track)) {
            track->shift--;
            break;
        }
    }
    for (uint32_t grain = 1; grain < OSC_CURVE_ABSENT; grain++)
        for (uint32_t c = 0; c < CODED; c++) {
            if (track->grain[c] + 1u != grain)
                continue;
            track->grain[c] = grain;
            if (!try_grid(track))
                track->grain[c] = grain - 1u;
        }
    return true;
}

static bool is_restart(const dense_track *track, uint32_t frame)
{
    uint32_t log2 = track->fit->restart_log2;
    return (frame >> log2) << log2 == frame;
}

/* Zigzag residual of a component, as the decoder predicts it; 0 where it is plain. */
static uint32_t residual(const dense_track *track, uint32_t frame, uint32_t c, uint32_t order)
{
    if (frame >= track->fit->frame_count || is_restart(track, frame))
        return 0;
    int32_t guess = track->value[frame - 1u][c];
    if (order == 1u && !is_restart(track, frame - 1u))
        guess = osc_sub(osc_add(guess, guess), track->value[frame - 2u][c]);
    return enc_zigzag(osc_sub(track->value[frame][c], guess));
}

static uint32_t best_rice(const dense_track *track, uint32_t c, uint32_t order, uint64_t *cost)
{
    uint64_t totals[OSC_RICE_ZERO] = {0}, any = 0;
    uint32_t best = 0;
    for (uint32_t f = 0; f < track->fit->frame_count; f++) {
        if (is_restart(track, f))
            continue;
        uint32_t zigzag = residual(track, f, c, order);
        any |= zigzag;
        for (uint32_t k = 0; k < OSC_RICE_ZERO; k++)
            totals[k] += enc_rice_bits(zigzag, k);
    }
    for (uint32_t k = 1; k < OSC_RICE_ZERO; k++)
        best = totals[k] < totals[best] ? k : best;
    *cost = any == 0 ? 0 : totals[best];
    return any == 0 ? OSC_RICE_ZERO : best;
}

static void choose_rices(const dense_track *track, curve_header *header)
{
    uint32_t rice[ORDERS][CODED];
    uint64_t total[ORDERS] = {0, 0};
    for (uint32_t order = 0; order < ORDERS; order++)
        for (uint32_t c = 0; c < CODED; c++) {
            uint64_t cost;
            rice[order][c] = best_rice(track, c, order, &cost);
            total[order] += cost;
        }
    header->mode = total[1] < total[0] ? 1u : 0u;
    memcpy(header->rice, rice[header->mode], sizeof rice[0]);
}

/* Bits of the residuals that a value takes part in. */
static uint32_t bits_around(const dense_track *track, const curve_header *header, uint32_t frame,
                            uint32_t c)
{
    uint32_t bits = 0;
    for (uint32_t f = frame; f <= frame + 1u + header->mode; f++)
        bits += enc_rice_bits(residual(track, f, c, header->mode), header->rice[c]);
    return bits;
}

/* Moves values by a step where that takes fewer bits and still holds. */
static void smooth(dense_track *track, const curve_header *header)
{
    for (uint32_t f = 0; f < track->fit->frame_count; f++)
        for (uint32_t c = 0; c < CODED; c++) {
            if (header->rice[c] == OSC_RICE_ZERO)
                continue;
            uint32_t before = bits_around(track, header, f, c);
            for (int32_t by = -1; by <= 1; by += 2) {
                track->value[f][c] += by;
                uint32_t after = bits_around(track, header, f, c);
                if (after < before && holds(track, f, track->value[f]))
                    before = after;
                else
                    track->value[f][c] -= by;
            }
        }
}

/* The width of plain keys; 0 if the header cannot say it. */
static uint32_t plain_width(const dense_track *track)
{
    uint32_t width = 1, most = OSC_CURVE_ROTATION_WIDTH - track->shift;
    for (uint32_t f = 0; f < track->fit->frame_count; f++)
        for (uint32_t c = 0; c < CODED && is_restart(track, f); c++) {
            uint32_t w = enc_signed_width(track->value[f][c]) + track->grain[c];
            width = w > width ? w : width;
        }
    if (track->chart == OSC_CHART_VECTOR)
        return width <= 32u ? width : 0u;
    if (width > most)
        return 0;
    return width + 3u < most ? most - 3u : width;
}

static void write_values(const dense_track *track, curve_code *code)
{
    const curve_header *header = &code->header;
    for (uint32_t f = 0; f < track->fit->frame_count; f++) {
        code->pulled_at[f] = (uint32_t)code->pulled.bits;
        for (uint32_t c = 0; c < CODED; c++)
            if (is_restart(track, f))
                enc_bits_put(&code->plain, (uint32_t)track->value[f][c],
                             curve_plain_width(header, c));
            else if (header->rice[c] != OSC_RICE_ZERO)
                enc_bits_put_rice(&code->pulled, residual(track, f, c, header->mode),
                                  header->rice[c]);
    }
    code->pulled_at[track->fit->frame_count] = (uint32_t)code->pulled.bits;
}

static bool make_code(dense_track *track, curve_code *code, bool *out_of_memory)
{
    curve_header *header = &code->header;
    enc_bit_writer bits = {0};
    memset(code, 0, sizeof *code);
    for (int pass = 0; pass <= SMOOTHING_PASSES; pass++) {
        choose_rices(track, header);
        if (pass < SMOOTHING_PASSES)
            smooth(track, header);
    }
    header->basis = OSC_CURVE_DENSE;
    header->chart = track->chart;
    header->shift = track->shift;
    header->components = CODED;
    header->width = plain_width(track);
    memcpy(header->grain, track->grain, sizeof track->grain);
    if (header->width == 0u)
        return false;
    code->frame_count = track->fit->frame_count;
    code->restart_log2 = track->fit->restart_log2;
    for (uint32_t c = 0; c < CODED; c++)
        code->plain_bits += curve_plain_width(header, c);
    code->pulled_at = malloc((code->frame_count + 1u) * sizeof *code->pulled_at);
    if (code->pulled_at != NULL) {
        write_values(track, code);
        curve_put_header(header, header->shift, &bits);
        code->bits = (uint32_t)(bits.bits + code->plain.bits + code->pulled.bits) + 1u;
    }
    *out_of_memory =
        code->pulled_at == NULL || code->plain.failed || code->pulled.failed || bits.failed;
    enc_bits_release(&bits);
    return !*out_of_memory;
}

bool curve_dense_fit(const enc_fit *fit, uint32_t chart, uint32_t shift, int32_t *rows,
                     curve_code *code, bool *out_of_memory)
{
    uint32_t frames = fit->frame_count, components = enc_components(fit->kind);
    dense_track track = {.fit = fit, .chart = chart, .shift = shift};
    memset(code, 0, sizeof *code);
    track.aim = malloc(frames * sizeof *track.aim);
    track.value = malloc(frames * sizeof *track.value);
    track.trial = malloc(frames * sizeof *track.trial);
    bool done = track.aim != NULL && track.value != NULL && track.trial != NULL;
    *out_of_memory = !done;
    for (uint32_t f = 0; done && f < frames; f++) {
        const double *target = fit->target + (size_t)f * components;
        double sign = chart <= 3u && target[chart] < 0.0 ? -1.0 : 1.0;
        for (uint32_t c = 0; c < CODED; c++)
            track.aim[f][c] =
                sign * target[chart <= 3u ? row_component(&track, c) : c] * OSC_ONE_Q20;
    }
    done = done && choose_grid(&track) && make_code(&track, code, out_of_memory);
    for (uint32_t f = 0; done && f < frames; f++)
        make_row(&track, track.value[f], rows + (size_t)f * components);
    done = done && enc_steps_blend(rows, components, frames, fit->breaks);
    if (!done)
        curve_code_release(code);
    free(track.aim);
    free(track.value);
    free(track.trial);
    return done;
}
