/* Integers of a transform track for given steps: segment by segment, the fewest that hold. */
#include <math.h>
#include <string.h>

#include "ossicle.h"
#include "quantise.h"
#include "transform.h"

#define MAX_PROBES 8u /* frames at which the tolerance of each component is measured */
#define PROBE_RATIO 1.125
#define MAX_REPAIRS 12u /* moves by one step to make a segment hold */
#define PRUNE_REPAIRS 3u
#define UNIT_Q20 4.0 /* how far from 2^20 the length of a row with four components may be */

/* Which component of the row a coded one is. */
static uint32_t row_place(const enc_transform_track *track, uint32_t component)
{
    bool drops = track->chart < OSC_TRANSFORM_FOUR;
    return component + (drops && component >= (track->chart & 3u) ? 1u : 0u);
}

/* The coded components at frame `frame` of a segment, exactly as the device computes them. */
static void decode(const enc_transform_track *track, uint32_t segment, uint32_t frame,
                   int32_t *values)
{
    uint32_t length = osc_transform_length(track->frame_count, segment);
    const int16_t *weights =
        frame != 0u && frame != length ? osc_transform_row_weights(length, frame) : NULL;
    for (uint32_t c = 0; c < track->components; c++) {
        int32_t start = *enc_transform_end(track, segment, c), sum = 0;
        if (weights != NULL) {
            const int32_t *numbers = enc_transform_coefficients(track, segment, c);
            sum = osc_mul(osc_sub(*enc_transform_end(track, segment + 1u, c), start), weights[0]);
            for (uint32_t i = 0; i < *enc_transform_count(track, segment, c); i++)
                sum = osc_add(sum, osc_mul(numbers[i], weights[1u + i]));
        } else if (frame != 0u) {
            sum = osc_shl(osc_sub(*enc_transform_end(track, segment + 1u, c), start), 10u);
        }
        values[c] = osc_transform_value(start, sum, osc_transform_step(track->step[c]));
    }
}

static bool unit(const int32_t *row)
{
    double length2 = 0.0;
    for (int i = 0; i < 4; i++)
        length2 += (double)row[i] * row[i];
    return fabs(sqrt(length2) - OSC_ONE_Q20) <= UNIT_Q20;
}

bool enc_transform_row_holds(const enc_transform_fitter *fitter, uint32_t frame,
                             const int32_t *values)
{
    const enc_transform_track *track = fitter->track;
    int32_t row[4];
    for (uint32_t c = 0; c < track->components; c++)
        row[row_place(track, c)] = values[c];
    osc_transform_finish(row, track->chart);
    if (track->chart == OSC_TRANSFORM_FOUR && !unit(row))
        return false;
    int32_t *out = track->rows + (size_t)frame * enc_components(track->kind);
    for (uint32_t i = 0; i < enc_components(track->kind); i++)
        out[i] = row[i];
    return fitter->fit->holds(fitter->fit->context, frame, row);
}

bool enc_transform_blends(const enc_transform_fitter *fitter)
{
    const enc_transform_track *track = fitter->track;
    return enc_steps_blend(track->rows, enc_components(track->kind), track->frame_count,
                           fitter->fit->breaks);
}

/* Decodes one frame into the track's rows; whether it holds. */
static bool frame_holds(const enc_transform_fitter *fitter, uint32_t segment, uint32_t frame)
{
    int32_t values[ENC_TRANSFORM_COMPONENTS];
    decode(fitter->track, segment, frame, values);
    return enc_transform_row_holds(fitter, segment * OSC_TRANSFORM_FRAMES + frame, values);
}

/* Whether the inner frames of a segment hold; *failed is where to look first and where not. */
static bool segment_holds(const enc_transform_fitter *fitter, uint32_t segment, uint32_t *failed)
{
    uint32_t length = osc_transform_length(fitter->track->frame_count, segment);
    if (length < 2u)
        return true;
    if (*failed == 0u || *failed >= length)
        *failed = length / 2u;
    if (!frame_holds(fitter, segment, *failed))
        return false;
    for (uint32_t f = 1; f < length; f++)
        if (f != *failed && !frame_holds(fitter, segment, f)) {
            *failed = f;
            return false;
        }
    return true;
}

static const double *values_at(const enc_transform_fitter *fitter, uint32_t segment, uint32_t frame)
{
    return fitter->values +
           (size_t)(segment * OSC_TRANSFORM_FRAMES + frame) * ENC_TRANSFORM_COMPONENTS;
}

void enc_transform_recount(enc_transform_track *track, uint32_t segment, uint32_t component,
                           uint32_t most)
{
    const int32_t *values = enc_transform_coefficients(track, segment, component);
    while (most > 0u && values[most - 1u] == 0)
        most--;
    *enc_transform_count(track, segment, component) = (uint8_t)most;
}

/* Rounds the projection of what the chord leaves. The integer weights are orthogonal to within
 * their rounding only: a second round takes up what that leaves of large coefficients. */
static void project(const enc_transform_fitter *fitter, uint32_t segment)
{
    enc_transform_track *track = fitter->track;
    uint32_t length = osc_transform_length(track->frame_count, segment);
    for (uint32_t c = 0; c < track->components; c++) {
        int32_t *values = enc_transform_coefficients(track, segment, c);
        int32_t start = *enc_transform_end(track, segment, c);
        int32_t chord = osc_sub(*enc_transform_end(track, segment + 1u, c), start);
        double step = osc_transform_step(track->step[c]), rest[OSC_TRANSFORM_FRAMES];
        bool again = true;
        for (uint32_t i = 0; i < ENC_TRANSFORM_ORDERS; i++)
            values[i] = 0;
        for (int round = 0; round < 3 && again && length > 1u; round++) {
            again = false;
            for (uint32_t f = 1; f < length; f++) {
                const int16_t *weights = osc_transform_row_weights(length, f);
                double sum = (double)chord * weights[0];
                for (uint32_t i = 0; i + 1u < length; i++)
                    sum += (double)values[i] * weights[1u + i];
                rest[f] = values_at(fitter, segment, f)[c] / step - start - sum / 1024.0;
            }
            for (uint32_t i = 0; i + 1u < length; i++) {
                double sum = 0.0;
                for (uint32_t f = 1; f < length; f++)
                    sum += rest[f] * osc_transform_row_weights(length, f)[1u + i];
                double more = floor(sum / (1024.0 * length) + 0.5);
                if (!(fabs(more) < 1e9))
                    more = 0.0; /* far out of range: the frames will not hold */
                values[i] = osc_add(values[i], (int32_t)more);
                again = again || fabs(more) > 100.0;
            }
        }
        enc_transform_recount(track, segment, c, length > 0u ? length - 1u : 0u);
    }
}

/* ---- making a segment hold ---- */

/* What the coded components of a segment's inner frames are off by, in units of what holds. */
typedef struct {
    uint32_t length, components;
    uint32_t orders[ENC_TRANSFORM_COMPONENTS]; /* coefficients that may be moved */
    double off[ENC_TRANSFORM_COMPONENTS][OSC_TRANSFORM_FRAMES];
    /* what one more of a coefficient changes */
    double gain[ENC_TRANSFORM_COMPONENTS][ENC_TRANSFORM_ORDERS][OSC_TRANSFORM_FRAMES];
} deviation;

static void measure(const enc_transform_fitter *fitter, uint32_t segment, deviation *out)
{
    const enc_transform_track *track = fitter->track;
    out->length = osc_transform_length(track->frame_count, segment);
    out->components = track->components;
    for (uint32_t c = 0; c < track->components; c++) {
        const int32_t *values = enc_transform_coefficients(track, segment, c);
        double start = *enc_transform_end(track, segment, c);
        double chord = *enc_transform_end(track, segment + 1u, c) - start;
        double step = osc_transform_step(track->step[c]), scale = step / fitter->holding[c];
        for (uint32_t f = 1; f < out->length; f++) {
            const int16_t *weights = osc_transform_row_weights(out->length, f);
            double sum = chord * weights[0];
            for (uint32_t i = 0; i + 1u < out->length; i++) {
                sum += (double)values[i] * weights[1u + i];
                out->gain[c][i][f] = weights[1u + i] / 1024.0 * scale;
            }
            double wanted = values_at(fitter, segment, f)[c] / step;
            out->off[c][f] = (start + sum / 1024.0 - wanted) * scale;
        }
    }
}

/* Grows so fast with the worst frame that it is what matters. */
static double badness(const deviation *d)
{
    double sum = 0.0;
    for (uint32_t f = 1; f < d->length; f++) {
        double square = 0.0;
        for (uint32_t c = 0; c < d->components; c++)
            square += d->off[c][f] * d->off[c][f];
        sum += square * square * square * square;
    }
    return sum;
}

typedef struct {
    uint32_t component, order;
    int32_t by;
} move;

static void apply(deviation *d, move m)
{
    for (uint32_t f = 1; f < d->length; f++)
        d->off[m.component][f] += m.by * d->gain[m.component][m.order][f];
}

/* All moves of one coefficient by one. */
static uint32_t list_moves(const deviation *d, move *out)
{
    uint32_t count = 0;
    for (uint32_t c = 0; c < d->components; c++)
        for (uint32_t i = 0; i < d->orders[c]; i++)
            for (int32_t by = -1; by <= 1; by += 2)
                out[count++] = (move){c, i, by};
    return count;
}

/* The move, or pair of moves, that helps most; false when none does. */
static bool best_moves(deviation *d, bool pairs, move best[2], double *least)
{
    move moves[2u * ENC_TRANSFORM_COMPONENTS * ENC_TRANSFORM_ORDERS];
    uint32_t count = list_moves(d, moves);
    bool found = false;
    for (uint32_t i = 0; i < count; i++) {
        move back = moves[i];
        back.by = -back.by;
        apply(d, moves[i]);
        double trial = badness(d);
        if (trial < *least) {
            *least = trial;
            best[0] = moves[i];
            best[1] = (move){0, 0, 0};
            found = true;
        }
        for (uint32_t k = i + 1u; pairs && k < count; k++) {
            move second = moves[k];
            apply(d, second);
            trial = badness(d);
            if (trial < *least) {
                *least = trial;
                best[0] = moves[i];
                best[1] = moves[k];
                found = true;
            }
            second.by = -second.by;
            apply(d, second);
        }
        apply(d, back);
    }
    return found;
}

/* Moves coefficients by one while that makes the worst frames better, until all hold: with `all`
 * also those that are zero behind the last, and in pairs. */
static bool repair(const enc_transform_fitter *fitter, uint32_t segment, bool all, uint32_t rounds,
                   uint32_t *failed)
{
    enc_transform_track *track = fitter->track;
    deviation d;
    measure(fitter, segment, &d);
    for (uint32_t c = 0; c < track->components; c++)
        d.orders[c] = all ? d.length - 1u : *enc_transform_count(track, segment, c);
    double least = badness(&d) * 0.999; /* less is not worth a move */
    for (uint32_t round = 0; round < rounds; round++) {
        move best[2];
        if (!best_moves(&d, false, best, &least) && !(all && best_moves(&d, true, best, &least)))
            return false;
        least *= 0.999;
        for (uint32_t i = 0; i < 2u; i++) {
            enc_transform_coefficients(track, segment, best[i].component)[best[i].order] +=
                best[i].by;
            if (best[i].by != 0)
                apply(&d, best[i]);
        }
        for (uint32_t c = 0; c < track->components; c++)
            enc_transform_recount(track, segment, c, d.length - 1u);
        if (segment_holds(fitter, segment, failed))
            return true;
    }
    return false;
}

/* Drops last coefficients, those that matter least first, while all frames hold. */
static void prune(const enc_transform_fitter *fitter, uint32_t segment, uint32_t *failed)
{
    enc_transform_track *track = fitter->track;
    bool needed[ENC_TRANSFORM_COMPONENTS] = {false, false, false, false};
    for (;;) {
        uint32_t least = ENC_TRANSFORM_COMPONENTS;
        double least_size = 0.0;
        for (uint32_t c = 0; c < track->components; c++) {
            uint32_t count = *enc_transform_count(track, segment, c);
            if (count == 0u || needed[c])
                continue;
            double size = fabs((double)enc_transform_coefficients(track, segment, c)[count - 1u]) *
                          osc_transform_step(track->step[c]) / fitter->holding[c];
            if (least == ENC_TRANSFORM_COMPONENTS || size < least_size) {
                least = c;
                least_size = size;
            }
        }
        if (least == ENC_TRANSFORM_COMPONENTS)
            return;
        uint8_t before = *enc_transform_count(track, segment, least);
        int32_t *last = enc_transform_coefficients(track, segment, least) + before - 1u;
        int32_t kept[ENC_TRANSFORM_COMPONENTS * ENC_TRANSFORM_ORDERS];
        uint8_t counts[ENC_TRANSFORM_COMPONENTS];
        memcpy(kept, enc_transform_coefficients(track, segment, 0), sizeof kept);
        memcpy(counts, enc_transform_count(track, segment, 0), sizeof counts);
        *last = 0;
        enc_transform_recount(track, segment, least, before);
        if (!segment_holds(fitter, segment, failed) &&
            !repair(fitter, segment, false, PRUNE_REPAIRS, failed)) {
            memcpy(enc_transform_coefficients(track, segment, 0), kept, sizeof kept);
            memcpy(enc_transform_count(track, segment, 0), counts, sizeof counts);
            needed[least] = true;
        }
    }
}

static bool end_holds(const enc_transform_fitter *fitter, uint32_t index)
{
    const enc_transform_track *track = fitter->track;
    if (index < track->segments)
        return frame_holds(fitter, index, 0);
    return frame_holds(fitter, index - 1u, osc_transform_length(track->frame_count, index - 1u));
}

/* Quantises the end number `index`; its neighbours on the grid are tried where it does not hold. */
static bool fit_end(const enc_transform_fitter *fitter, uint32_t index)
{
    enc_transform_track *track = fitter->track;
    uint32_t frame = index * OSC_TRANSFORM_FRAMES, last = track->frame_count - 1u;
    const double *wanted = values_at(fitter, 0, frame < last ? frame : last);
    int32_t *end = enc_transform_end(track, index, 0), grid = 1 << track->end_shift;
    for (uint32_t c = 0; c < track->components; c++) {
        double size = (double)osc_transform_step(track->step[c]) * grid;
        double value = floor(wanted[c] / size + 0.5);
        if (!(fabs(value) < 1e8))
            return false;
        end[c] = (int32_t)value * grid;
    }
    if (end_holds(fitter, index))
        return true;
    for (uint32_t c = 0; c < track->components; c++) {
        int32_t nearest = end[c];
        bool above = (double)nearest * osc_transform_step(track->step[c]) < wanted[c];
        end[c] = osc_add(nearest, above ? grid : -grid);
        if (end_holds(fitter, index))
            return true;
        end[c] = nearest;
    }
    return false;
}

/* product^(1/count), for count up to 8: by bisection, since pow differs between machines. */
static double root(double product, uint32_t count)
{
    double low = 1.0 / 32.0, high = 32.0;
    for (int i = 0; i < 40; i++) {
        double middle = sqrt(low * high), power = 1.0;
        for (uint32_t k = 0; k < count; k++)
            power *= middle;
        if (power < product)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* Whether a frame holds with one component moved, Q20. */
static bool moved_holds(const enc_transform_fitter *fitter, uint32_t frame, uint32_t component,
                        double by)
{
    const enc_transform_track *track = fitter->track;
    const double *values = fitter->values + (size_t)frame * ENC_TRANSFORM_COMPONENTS;
    int32_t row[4];
    for (uint32_t c = 0; c < track->components; c++)
        row[row_place(track, c)] = (int32_t)floor(values[c] + (c == component ? by : 0.0) + 0.5);
    osc_transform_finish(row, track->chart);
    return fitter->fit->holds(fitter->fit->context, frame, row);
}

void enc_transform_probe(enc_transform_fitter *fitter)
{
    uint32_t frames = fitter->track->frame_count;
    double guess = fitter->fit->slack * OSC_ONE_Q20;
    uint32_t probes = frames < MAX_PROBES ? frames : MAX_PROBES;
    for (uint32_t c = 0; c < fitter->track->components; c++) {
        double product = 1.0;
        for (uint32_t i = 0; i < probes; i++) {
            uint32_t frame = probes > 1u ? i * (frames - 1u) / (probes - 1u) : 0u;
            double by = (i & 1u) != 0u ? guess : -guess;
            double size = 1.0; /* to a sixth of an octave, within 1/16 .. 16 */
            if (moved_holds(fitter, frame, c, by)) {
                while (size < 16.0 && moved_holds(fitter, frame, c, by * size * PROBE_RATIO))
                    size *= PROBE_RATIO;
            } else {
                while (size > 1.0 / 16.0 && !moved_holds(fitter, frame, c, by * size))
                    size /= PROBE_RATIO;
            }
            product *= size;
        }
        fitter->holding[c] = guess * root(product, probes);
    }
}

static bool fit_segment(enc_transform_fitter *fitter, uint32_t segment)
{
    uint32_t failed = 0;
    project(fitter, segment);
    if (!segment_holds(fitter, segment, &failed) &&
        !repair(fitter, segment, true, MAX_REPAIRS, &failed)) {
        fitter->hint = segment;
        return false;
    }
    return true;
}

bool enc_transform_fit_steps(enc_transform_fitter *fitter)
{
    enc_transform_track *track = fitter->track;
    uint32_t ends = track->frame_count > 1u ? track->segments + 1u : 1u;
    for (uint32_t i = 0; i < ends; i++)
        if (!fit_end(fitter, i))
            return false;
    if (track->frame_count == 1u) {
        for (uint32_t c = 0; c < track->components; c++)
            *enc_transform_end(track, 1, c) = *enc_transform_end(track, 0, c);
        return true;
    }
    uint32_t hint = fitter->hint < track->segments ? fitter->hint : 0u;
    if (!fit_segment(fitter, hint))
        return false;
    for (uint32_t s = 0; s < track->segments; s++)
        if (s != hint && !fit_segment(fitter, s))
            return false;
    for (uint32_t s = 0; s < track->segments; s++) {
        uint32_t failed = 0;
        prune(fitter, s, &failed);
        segment_holds(fitter, s, &failed); /* leaves the rows as they are now */
    }
    return enc_transform_blends(fitter);
}
