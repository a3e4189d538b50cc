#include "track.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "osc_fixed.h"
#include "osc_format.h"
#include "osc_kernels.h"
#include "ossicle.h"

#define CHORD_LIMIT_Q20                                                                            \
    (3u << 18)         /* squared chord from which the evaluator's series is too short */
#define ROWS_BEFORE 8u /* so that the rows before the first two frames have addresses */
#define IMPLIED_CHART 0xffu
#define MIN_FIXED_DROPPED 0.2   /* below this the rebuilt component amplifies the steps too much */
#define MAX_FIXED_DROPPED 0.55  /* above this no moving chart is finer */
#define MIN_MOVING_DROPPED 0.35 /* an implied chart is kept while its component is above this */

int32_t enc_coder_prepare(enc_coder *coder, uint32_t frame_count, uint32_t restart_log2)
{
    memset(coder, 0, sizeof *coder);
    coder->frame_count = frame_count;
    coder->restart_log2 = restart_log2;
    coder->memory = calloc((size_t)frame_count * 4u + ROWS_BEFORE, sizeof *coder->memory);
    coder->charts = malloc(frame_count);
    coder->zigzag = malloc((size_t)frame_count * 6u * sizeof *coder->zigzag);
    bool complete = coder->memory != NULL && coder->charts != NULL && coder->zigzag != NULL;
    coder->rows = complete ? coder->memory + ROWS_BEFORE : NULL;
    return complete ? ENC_OK : ENC_ERROR_MEMORY;
}

void enc_coder_release(enc_coder *coder)
{
    free(coder->memory);
    free(coder->charts);
    free(coder->zigzag);
    memset(coder, 0, sizeof *coder);
}

static uint32_t frame_in_block(const enc_coder *coder, uint32_t frame)
{
    return coder->restart_log2 >= 31u ? frame : frame & ((1u << coder->restart_log2) - 1u);
}

/* The nearest multiple of 2^shift to a value, as its integer. */
static int32_t quantise(double value, uint32_t shift)
{
    return (int32_t)floor(value * OSC_ONE_Q20 / (double)(1u << shift) + 0.5);
}

static void rebuild(int32_t q[4], uint32_t dropped, bool negative)
{
    int32_t kept =
        osc_rebuild_q20(q[(dropped + 1u) & 3u], q[(dropped + 2u) & 3u], q[(dropped + 3u) & 3u]);
    q[dropped] = negative ? -kept : kept;
}

static uint32_t largest(const int32_t q[4])
{
    uint32_t best = 0;
    for (uint32_t i = 1; i < 4u; i++)
        if (abs(q[i]) > abs(q[best]))
            best = i;
    return best;
}

/* Chooses the dropped component of one frame of a moving track: the largest of the previous row
 * while that stays safe, since it then needs no statement. */
static uint32_t moving_chart(const double *value, const int32_t *previous, bool restart,
                             uint8_t *stated)
{
    if (!restart) {
        uint32_t implied = largest(previous);
        double kept = previous[implied] < 0 ? -value[implied] : value[implied];
        if (kept >= MIN_MOVING_DROPPED) {
            *stated = IMPLIED_CHART;
            return implied;
        }
    }
    uint32_t best = 0;
    for (uint32_t i = 1; i < 4u; i++)
        if (fabs(value[i]) > fabs(value[best]))
            best = i;
    *stated = (uint8_t)(best | (value[best] < 0.0 ? 4u : 0u));
    return best;
}

static void code_rows(enc_coder *coder, const double *track, uint32_t kind,
                      const enc_option *option)
{
    uint32_t components = enc_components(kind);
    int32_t *row = coder->rows;
    for (uint32_t f = 0; f < coder->frame_count; f++, row += components, track += components) {
        uint32_t dropped = option->chart;
        bool negative = false, flipped = false;
        if (option->chart == OSC_CHART_MOVING) {
            dropped = moving_chart(track, row - components, frame_in_block(coder, f) == 0u,
                                   &coder->charts[f]);
            negative = track[dropped] < 0.0;
        } else if (kind == ENC_ROTATION) {
            flipped = track[dropped] < 0.0;
        }
        for (uint32_t i = 0; i < components; i++)
            if (i != dropped)
                row[i] =
                    osc_shl(quantise(flipped ? -track[i] : track[i], option->shift), option->shift);
        if (kind == ENC_ROTATION)
            rebuild(row, dropped, negative);
    }
}

/* The chart of frame f: which component is not coded. */
static uint32_t dropped_at(const enc_coder *coder, uint32_t chart, uint32_t frame,
                           const int32_t *previous)
{
    if (chart != OSC_CHART_MOVING)
        return chart;
    return coder->charts[frame] == IMPLIED_CHART ? largest(previous) : coder->charts[frame] & 3u;
}

/* Fills the residuals of both prediction orders, exactly as the decoder will predict. */
static void fill_residuals(enc_coder *coder, uint32_t components, uint32_t chart, uint32_t shift)
{
    uint32_t frames = coder->frame_count;
    int32_t half = (int32_t)((1u << shift) >> 1);
    for (uint32_t f = 0; f < frames; f++) {
        uint32_t place = frame_in_block(coder, f), coded = 0;
        const int32_t *row = coder->rows + (size_t)f * components;
        const int32_t *one = row - components, *two = one - components;
        uint32_t dropped = dropped_at(coder, chart, f, one);
        for (uint32_t i = 0; i < components; i++) {
            if (i == dropped)
                continue;
            for (uint32_t order = 0; order < 2u; order++) {
                int32_t residual = 0;
                if (place > 0u) {
                    int32_t guess = one[i];
                    if (order == 1u && place > 1u)
                        guess = osc_sub(osc_add(guess, guess), two[i]);
                    residual = osc_sub(row[i] >> shift, osc_add(guess, half) >> shift);
                }
                coder->zigzag[(order * 3u + coded) * frames + f] = enc_zigzag(residual);
            }
            coded++;
        }
    }
}

/* The best Rice parameter of a run of residuals, and its cost; restart frames are not Rice coded,
 * but are zero in the run and counted out. */
static uint32_t best_rice(const enc_coder *coder, const uint32_t *zigzag, uint64_t *cost)
{
    uint32_t frames = coder->frame_count, coded = 0;
    uint64_t sum = 0;
    for (uint32_t f = 0; f < frames; f++) {
        coded += frame_in_block(coder, f) != 0u;
        sum += zigzag[f];
    }
    *cost = 0;
    if (sum == 0)
        return OSC_RICE_ZERO;
    uint32_t guess = 0, best = 0;
    while (guess < 14u && ((uint64_t)coded << (guess + 1u)) <= sum)
        guess++;
    *cost = UINT64_MAX;
    for (uint32_t k = guess < 2u ? 0u : guess - 2u; k <= guess + 1u && k < OSC_RICE_ZERO; k++) {
        uint64_t total = 0;
        for (uint32_t f = 0; f < frames; f++)
            if (frame_in_block(coder, f) != 0u)
                total += enc_rice_bits(zigzag[f], k);
        if (total < *cost) {
            *cost = total;
            best = k;
        }
    }
    return best;
}

static uint32_t signed_width(int32_t value)
{
    uint32_t width = 1;
    while (width < 32u && (value >> (width - 1u)) != 0 && (value >> (width - 1u)) != -1)
        width++;
    return width;
}

/* Bits of a plain component: all that a rotation can take, or what this vector track takes. */
static uint32_t plain_width(const enc_coder *coder, uint32_t kind, uint32_t shift)
{
    if (kind == ENC_ROTATION)
        return 22u - shift;
    uint32_t width = 1;
    for (uint32_t f = 0; f < coder->frame_count; f++)
        for (uint32_t i = 0; i < 3u && frame_in_block(coder, f) == 0u; i++) {
            uint32_t w = signed_width(coder->rows[(size_t)f * 3u + i] >> shift);
            width = w > width ? w : width;
        }
    return width;
}

static void choose_codes(enc_coder *coder, uint32_t kind, const enc_option *option)
{
    uint32_t width = plain_width(coder, kind, option->shift), rice[2][3], linear;
    uint64_t total[2] = {0, 0};
    fill_residuals(coder, enc_components(kind), option->chart, option->shift);
    for (uint32_t order = 0; order < 2u; order++)
        for (uint32_t i = 0; i < 3u; i++) {
            uint64_t cost;
            const uint32_t *run = coder->zigzag + (size_t)(order * 3u + i) * coder->frame_count;
            rice[order][i] = best_rice(coder, run, &cost);
            total[order] += cost;
        }
    linear = total[1] < total[0] ? 1u : 0u;
    uint64_t bits = 32u + total[linear];
    for (uint32_t f = 0; f < coder->frame_count; f++) {
        bool restart = frame_in_block(coder, f) == 0u;
        if (restart)
            bits += 3u * width;
        if (option->chart == OSC_CHART_MOVING)
            bits += restart ? 3u : coder->charts[f] == IMPLIED_CHART ? 1u : 4u;
    }
    coder->bits = bits > UINT32_MAX ? UINT32_MAX : (uint32_t)bits;
    coder->record = option->shift | option->chart << 5 | linear << 8 | (width - 1u) << 21;
    for (uint32_t i = 0; i < 3u; i++)
        coder->record |= rice[linear][i] << (9u + 4u * i);
}

/* The middle of the box around a track: near the point whose largest distance is least. */
static void centre(const double *track, uint32_t frames, uint32_t components, double *out)
{
    double length2 = 0.0;
    for (uint32_t i = 0; i < components; i++) {
        double low = track[i], high = track[i];
        for (uint32_t f = 1; f < frames; f++) {
            low = fmin(low, track[f * components + i]);
            high = fmax(high, track[f * components + i]);
        }
        out[i] = (low + high) / 2.0;
        length2 += out[i] * out[i];
    }
    if (components != 4u)
        return;
    for (uint32_t i = 0; i < 4u; i++) /* a track around the whole sphere has no centre */
        out[i] = length2 > 1e-6 ? out[i] / sqrt(length2) : track[i];
}

static void code_constant(enc_coder *coder, const double *track, uint32_t kind,
                          const enc_option *option)
{
    double value[4];
    int32_t row[4];
    uint32_t components = enc_components(kind), width = 22u - option->shift;
    centre(track, coder->frame_count, components, value);
    bool flipped = kind == ENC_ROTATION && value[option->chart] < 0.0;
    for (uint32_t i = 0; i < components; i++)
        if (i != option->chart)
            row[i] =
                osc_shl(quantise(flipped ? -value[i] : value[i], option->shift), option->shift);
    if (kind == ENC_ROTATION) {
        rebuild(row, option->chart, false);
        coder->bits = 2u + 5u + 3u * width;
    } else {
        width = 1;
        for (uint32_t i = 0; i < 3u; i++) {
            uint32_t w = signed_width(row[i] >> option->shift);
            width = w > width ? w : width;
        }
        coder->bits = 5u + 5u + 3u * width;
    }
    for (uint32_t f = 0; f < coder->frame_count; f++)
        memcpy(coder->rows + (size_t)f * components, row, components * sizeof *row);
}

static void code_default(enc_coder *coder, const enc_source *source, uint32_t kind, uint32_t joint)
{
    static const uint32_t first_of_kind[ENC_KINDS] = {0, 4, 7};
    uint32_t components = enc_components(kind);
    const int32_t *bind = source->skeleton->bind_q20 + joint * 10u + first_of_kind[kind];
    for (uint32_t f = 0; f < coder->frame_count; f++)
        memcpy(coder->rows + (size_t)f * components, bind, components * sizeof *bind);
    coder->bits = 0;
}

/* Whether all pairs that blend stay within what SPEC.md allows. Coarse steps can stretch a motion
 * that is short enough in the source. */
static bool steps_fit(const enc_coder *coder, const uint8_t *breaks, uint32_t components)
{
    for (uint32_t f = 1; f < coder->frame_count; f++) {
        const int32_t *row = coder->rows + (size_t)f * components, *before = row - components;
        if (breaks[f] != 0)
            continue;
        for (uint32_t i = 0; i < components; i++) {
            int64_t step = (int64_t)row[i] - before[i];
            if (step >= OSC_ONE_Q20 || step <= -OSC_ONE_Q20)
                return false;
        }
        if (components == 4u && osc_chord_q20(before, row) >= CHORD_LIMIT_Q20)
            return false;
    }
    return true;
}

void enc_track_code(enc_coder *coder, const enc_source *source, uint32_t kind, uint32_t joint,
                    const enc_option *option)
{
    const double *track = enc_track(source, kind, joint);
    coder->valid = true;
    if (option->lane_kind == OSC_LANE_DEFAULT) {
        code_default(coder, source, kind, joint);
    } else if (option->lane_kind == OSC_LANE_CONSTANT) {
        code_constant(coder, track, kind, option);
    } else {
        code_rows(coder, track, kind, option);
        choose_codes(coder, kind, option);
        coder->valid = steps_fit(coder, enc_breaks(source, kind, joint), enc_components(kind));
    }
}

void enc_track_write_frame(const enc_coder *coder, uint32_t frame, enc_bit_writer *out)
{
    uint32_t chart = OSC_TRACK_CHART(coder->record), shift = OSC_TRACK_SHIFT(coder->record);
    uint32_t components = chart == OSC_CHART_VECTOR ? 3u : 4u, coded = 0;
    uint32_t order = OSC_TRACK_LINEAR(coder->record), frames = coder->frame_count;
    const int32_t *row = coder->rows + (size_t)frame * components;
    bool restart = frame_in_block(coder, frame) == 0u;
    if (chart == OSC_CHART_MOVING) {
        bool implied = coder->charts[frame] == IMPLIED_CHART;
        if (!restart)
            enc_bits_put(out, implied ? 0u : 1u, 1u);
        if (!implied)
            enc_bits_put(out, coder->charts[frame], 3u);
    }
    uint32_t dropped = dropped_at(coder, chart, frame, row - components);
    for (uint32_t i = 0; i < components; i++) {
        if (i == dropped)
            continue;
        uint32_t k = OSC_TRACK_RICE(coder->record, coded);
        if (restart)
            enc_bits_put(out, (uint32_t)(row[i] >> shift), OSC_TRACK_WIDTH(coder->record));
        else if (k != OSC_RICE_ZERO)
            enc_bits_put_rice(out, coder->zigzag[(order * 3u + coded) * frames + frame], k);
        coded++;
    }
}

void enc_track_write_constant(const enc_coder *coder, const enc_option *option, enc_bit_writer *out)
{
    uint32_t shift = option->shift;
    if (option->chart == OSC_CHART_VECTOR) {
        uint32_t width = (coder->bits - 10u) / 3u;
        enc_bits_put(out, shift, 5u);
        enc_bits_put(out, width - 1u, 5u);
        for (uint32_t i = 0; i < 3u; i++)
            enc_bits_put(out, (uint32_t)(coder->rows[i] >> shift), width);
        return;
    }
    enc_bits_put(out, option->chart, 2u);
    enc_bits_put(out, shift, 5u);
    for (uint32_t i = 0; i < 4u; i++)
        if (i != option->chart)
            enc_bits_put(out, (uint32_t)(coder->rows[i] >> shift), 22u - shift);
}

/* The largest deviation of the last coded rows from the source, at frames. */
static double deviation(const enc_coder *coder, const double *track, uint32_t components)
{
    double worst2 = 0.0;
    for (uint32_t f = 0; f < coder->frame_count; f++) {
        double plus = 0.0, minus = 0.0;
        for (uint32_t i = 0; i < components; i++) {
            size_t at = (size_t)f * components + i;
            double value = coder->rows[at] / (double)OSC_ONE_Q20;
            plus += (value - track[at]) * (value - track[at]);
            minus += (value + track[at]) * (value + track[at]);
        }
        worst2 = fmax(worst2, components == 4u ? fmin(plus, minus) : plus);
    }
    return components == 4u ? 2.0 * sqrt(worst2) : sqrt(worst2);
}

static int cheaper_first(const void *left, const void *right)
{
    const enc_option *a = left, *b = right;
    if (a->bits != b->bits)
        return a->bits < b->bits ? -1 : 1;
    if (a->error != b->error)
        return a->error < b->error ? -1 : 1;
    if (a->chart != b->chart) /* a full order, so that no machine's qsort decides */
        return a->chart < b->chart ? -1 : 1;
    return a->shift < b->shift ? -1 : a->shift > b->shift ? 1 : 0;
}

/* Sorts the options and drops each that another one beats in both cost and error. */
static void keep_useful(enc_options_list *list)
{
    uint32_t kept = 0;
    qsort(list->option, list->count, sizeof *list->option, cheaper_first);
    for (uint32_t i = 0; i < list->count; i++)
        if (kept == 0 || list->option[i].error < list->option[kept - 1u].error)
            list->option[kept++] = list->option[i];
    list->count = kept;
    for (uint32_t i = 0; i < kept / 2u; i++) {
        enc_option swap = list->option[i];
        list->option[i] = list->option[kept - 1u - i];
        list->option[kept - 1u - i] = swap;
    }
}

/* The component that can be dropped over the whole track: the one whose least size is largest. */
static uint32_t fixed_chart(const enc_coder *coder, const enc_source *source, uint32_t joint,
                            double *least)
{
    const double *track = enc_track(source, ENC_ROTATION, joint);
    const uint8_t *breaks = enc_breaks(source, ENC_ROTATION, joint);
    uint32_t best = 0;
    *least = -1.0;
    for (uint32_t i = 0; i < 4u; i++) {
        double smallest = 2.0;
        for (uint32_t f = 0; f < coder->frame_count; f++) {
            double size = fabs(track[f * 4u + i]);
            bool turns = f > 0 && breaks[f] == 0 && track[f * 4u + i] * track[f * 4u - 4u + i] < 0;
            smallest = fmin(smallest, turns ? 0.0 : size);
        }
        if (smallest > *least) {
            *least = smallest;
            best = i;
        }
    }
    return best;
}

static bool try_option(enc_coder *coder, const enc_source *source, uint32_t kind, uint32_t joint,
                       double limit, enc_option option, enc_options_list *list)
{
    enc_track_code(coder, source, kind, joint, &option);
    option.bits = coder->bits;
    option.error = deviation(coder, enc_track(source, kind, joint), enc_components(kind));
    if (coder->valid && option.error <= limit && list->count < ENC_MAX_OPTIONS)
        list->option[list->count++] = option;
    return coder->valid && option.error <= limit;
}

void enc_track_options(enc_coder *coder, const enc_source *source, uint32_t kind, uint32_t joint,
                       double tolerance_m, double shell_m, double finest_share,
                       enc_options_list *list)
{
    bool rotation = kind == ENC_ROTATION;
    double reach = source->reach[joint];
    double limit = kind == ENC_TRANSLATION ? 1.05 * tolerance_m : 1.8 * tolerance_m / shell_m;
    double finest = tolerance_m * finest_share / (kind == ENC_TRANSLATION ? 1.0 : reach);
    enc_option option = {OSC_LANE_DEFAULT, OSC_CHART_VECTOR, 0, 0.0, 0};
    list->count = 0;
    if (try_option(coder, source, kind, joint, limit, option, list) &&
        list->option[0].error <= finest)
        return;

    double least = 1.0;
    uint32_t fixed = rotation ? fixed_chart(coder, source, joint, &least) : OSC_CHART_VECTOR;
    double middle[4];
    centre(enc_track(source, kind, joint), coder->frame_count, enc_components(kind), middle);
    uint32_t widest = 0;
    for (uint32_t i = 1; i < 4u && rotation; i++)
        widest = fabs(middle[i]) > fabs(middle[widest]) ? i : widest;
    option.lane_kind = OSC_LANE_CONSTANT;
    option.chart = rotation ? widest : OSC_CHART_VECTOR;
    double best_constant = limit;
    for (int shift = 19; shift >= 0; shift--) {
        option.shift = (uint32_t)shift;
        if (try_option(coder, source, kind, joint, limit, option, list))
            best_constant = fmin(best_constant, list->option[list->count - 1u].error);
        if (best_constant <= finest)
            break;
        if (ldexp(1.0, shift - 20) < finest)
            break;
    }
    if (best_constant <= finest) {
        keep_useful(list);
        return;
    }

    uint32_t charts[2], chart_count = 0;
    if (!rotation || least >= MIN_FIXED_DROPPED)
        charts[chart_count++] = fixed;
    if (rotation && least < MAX_FIXED_DROPPED)
        charts[chart_count++] = OSC_CHART_MOVING;
    option.lane_kind = OSC_LANE_ANIMATED;
    for (uint32_t i = 0; i < chart_count; i++) {
        option.chart = charts[i];
        for (int shift = 19; shift >= 0; shift--) {
            option.shift = (uint32_t)shift;
            if (try_option(coder, source, kind, joint, shift == 0 ? 1e9 : limit, option, list) &&
                list->option[list->count - 1u].error <= finest)
                break;
        }
    }
    keep_useful(list);
}
