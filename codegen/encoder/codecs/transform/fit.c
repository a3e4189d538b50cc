/* The integers of a transform track for given steps: segment by segment, the fewest that hold. */
#include "codecs/transform/fit.h"

#include <math.h>
#include <string.h>

#include "base/quantise.h"
#include "codecs/transform/segment.h"
#include "ossicle.h"

#define MAX_PROBES 8u /* frames at which the permitted error of each component is measured */
#define PROBE_RATIO 1.125
#define MAX_REPAIRS 12u   /* most changes by one step that make a segment hold */
#define FIRST_TIGHT 1.002 /* reserve for rounding that the search does not model */
#define TIGHTER 1.3
#define MAX_CHECKS 6u
#define WELL_ENOUGH 0.6 /* of the limit: ends with larger errors move to their best position */
#define MOST_ROUNDS 3   /* most repetitions of a projection, */
#define MUCH 100        /* each after a change of a coefficient by more than this */
#define FAR_OUT 1e9     /* size of a coefficient with which frames cannot hold */
#define UNIT_Q20 4.0    /* permitted deviation of a row's length from 2^20 with four components */

static void set_basis(enc_transform_basis *basis, uint32_t length)
{
    memset(basis, 0, sizeof *basis);
    for (uint32_t f = 1; f < length; f++) {
        const int16_t *weights = osc_transform_row_weights(length, f);
        basis->chord[f] = weights[0];
        for (uint32_t i = 0; i + 1u < length; i++)
            basis->at[i][f] = basis->of[f][i] = weights[1u + i];
    }
}

void enc_transform_set_basis(enc_transform_fitter *fitter)
{
    const enc_transform_track *track = fitter->track;
    set_basis(&fitter->basis[0], OSC_TRANSFORM_FRAMES);
    set_basis(&fitter->basis[1], osc_transform_length(track->frame_count, track->segments - 1u));
}

/* The component of the row that a coded component is. */
static uint32_t row_component(const enc_transform_track *track, uint32_t component)
{
    bool drops = track->packing < OSC_TRANSFORM_FOUR;
    return component + (drops && component >= (track->packing & 3u) ? 1u : 0u);
}

/* Computes the coded components at a frame of a segment exactly as the device does. */
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
        row[row_component(track, c)] = values[c];
    osc_transform_finish(row, track->packing);
    if (track->packing == OSC_TRANSFORM_FOUR && !unit(row))
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

/* Decodes one frame into the track's rows. Returns whether it holds. */
static bool frame_holds(const enc_transform_fitter *fitter, uint32_t segment, uint32_t frame)
{
    int32_t values[ENC_TRANSFORM_COMPONENTS];
    decode(fitter->track, segment, frame, values);
    return enc_transform_row_holds(fitter, segment * OSC_TRANSFORM_FRAMES + frame, values);
}

/* Returns whether a segment's right end equals the next one's left end: chords are shifted by ten
 * bits on the way. An end alone cannot tell, because the other one may still move. */
static bool chords_fit(const enc_transform_track *track, uint32_t segment)
{
    for (uint32_t c = 0; c < track->components; c++) {
        int32_t chord = osc_sub(*enc_transform_end(track, segment + 1u, c),
                                *enc_transform_end(track, segment, c));
        if (osc_shl(chord, 10u) >> 10 != chord)
            return false;
    }
    return true;
}

/* Returns whether a segment's chords and inner frames hold. *failed: the frame to check first;
 * receives the one that does not hold. */
static bool segment_holds(const enc_transform_fitter *fitter, uint32_t segment, uint32_t *failed)
{
    uint32_t length = osc_transform_length(fitter->track->frame_count, segment);
    if (length > 0u && !chords_fit(fitter->track, segment))
        return false;
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

/* Adds the nearest integer multiple of the rest to each coefficient. Returns whether the change is
 * large. */
static bool add_projection(const enc_transform_basis *basis, uint32_t length, const double *rest,
                           int32_t *values)
{
    double sum[OSC_TRANSFORM_FRAMES] = {0.0};
    bool much = false;
    for (uint32_t f = 1; f < length; f++)
        for (uint32_t i = 0; i < OSC_TRANSFORM_FRAMES; i++)
            sum[i] += rest[f] * basis->of[f][i];
    for (uint32_t i = 0; i + 1u < length; i++) {
        double exact = sum[i] / (1024.0 * length);
        int32_t more = fabs(exact) < FAR_OUT ? enc_nearest(exact) : 0;
        values[i] = osc_add(values[i], more);
        much = much || more > MUCH || more < -MUCH;
    }
    return much;
}

/* Rounds the projection of the difference from the chord. The integer weights are orthogonal only
 * up to their rounding, so that large coefficients take a second pass. */
static void project(const enc_transform_fitter *fitter, uint32_t segment)
{
    enc_transform_track *track = fitter->track;
    const enc_transform_basis *basis = enc_transform_basis_of(fitter, segment);
    const double *wanted = values_at(fitter, segment, 0);
    uint32_t length = osc_transform_length(track->frame_count, segment);
    for (uint32_t c = 0; c < track->components; c++) {
        int32_t *values = enc_transform_coefficients(track, segment, c);
        int32_t start = *enc_transform_end(track, segment, c);
        double chord = osc_sub(*enc_transform_end(track, segment + 1u, c), start);
        double per_step = 1.0 / osc_transform_step(track->step[c]);
        bool again = length > 1u;
        memset(values, 0, ENC_TRANSFORM_ORDERS * sizeof *values);
        for (int round = 0; round < MOST_ROUNDS && again; round++) {
            double rest[OSC_TRANSFORM_FRAMES];
            for (uint32_t f = 0; f < OSC_TRANSFORM_FRAMES; f++)
                rest[f] = chord * basis->chord[f];
            for (uint32_t i = 0; i + 1u < length && round > 0; i++)
                for (uint32_t f = 0; f < OSC_TRANSFORM_FRAMES; f++)
                    rest[f] += values[i] * basis->at[i][f];
            for (uint32_t f = 1; f < length; f++)
                rest[f] =
                    wanted[f * ENC_TRANSFORM_COMPONENTS + c] * per_step - start - rest[f] / 1024.0;
            again = add_projection(basis, length, rest, values);
        }
        enc_transform_recount(track, segment, c, length > 0u ? length - 1u : 0u);
    }
}

static bool end_holds(const enc_transform_fitter *fitter, uint32_t index)
{
    const enc_transform_track *track = fitter->track;
    if (index < track->segments)
        return frame_holds(fitter, index, 0);
    return frame_holds(fitter, index - 1u, osc_transform_length(track->frame_count, index - 1u));
}

/* The value of a quadratic for deviations of the coded components. */
static double level_at(const enc_transform_quadratic *quadratic, const double *off)
{
    double level = quadratic->at, slope[ENC_TRANSFORM_COMPONENTS];
    for (uint32_t c = 0; c < ENC_TRANSFORM_COMPONENTS; c++)
        slope[c] = 2.0 * quadratic->slope[c];
    for (uint32_t d = 0; d < ENC_TRANSFORM_COMPONENTS; d++)
        for (uint32_t c = 0; c < ENC_TRANSFORM_COMPONENTS; c++)
            slope[c] += quadratic->bend[d][c] * off[d];
    for (uint32_t c = 0; c < ENC_TRANSFORM_COMPONENTS; c++)
        level += slope[c] * off[c];
    return level;
}

static const enc_transform_quadratic *quadratics_at(const enc_transform_fitter *fitter,
                                                    uint32_t frame)
{
    return fitter->quadratics + (size_t)frame * fitter->points;
}

/* The largest value of a frame's quadratics, or any value of at least `enough` if it is larger.
 * *first: the quadratic to evaluate first; receives the largest one. */
static double worst_at(const enc_transform_fitter *fitter, uint32_t frame, const double *off,
                       double enough, uint32_t *first)
{
    const enc_transform_quadratic *quadratics = quadratics_at(fitter, frame);
    uint32_t begin = *first;
    double worst = 0.0;
    for (uint32_t i = 0; i < fitter->points && worst < enough; i++) {
        uint32_t p = i == 0u ? begin : i <= begin ? i - 1u : i;
        double level = level_at(&quadratics[p], off);
        if (level > worst) {
            worst = level;
            *first = p;
        }
    }
    return worst;
}

double enc_transform_price(const enc_transform_fitter *fitter)
{
    const enc_transform_track *track = fitter->track;
    double sum = 0.0;
    for (uint32_t f = 0; f < track->frame_count; f++) {
        const enc_transform_quadratic *quadratics = quadratics_at(fitter, f);
        const double *wanted = values_at(fitter, 0, f);
        int32_t numbers[ENC_TRANSFORM_COMPONENTS];
        double off[ENC_TRANSFORM_COMPONENTS] = {0.0}, price = 0.0;
        uint32_t segment = f / OSC_TRANSFORM_FRAMES;
        segment -= segment == track->segments ? 1u : 0u;
        decode(track, segment, f - segment * OSC_TRANSFORM_FRAMES, numbers);
        for (uint32_t c = 0; c < track->components; c++)
            off[c] = numbers[c] - wanted[c];
        for (uint32_t p = 0; p < fitter->points; p++)
            price += level_at(&quadratics[p], off) * quadratics[p].price;
        sum += price;
    }
    return sum;
}

/* Finds the multiple of a component's grid nearest to a frame. Returns false far out of range. */
static bool nearest_end(const enc_transform_fitter *fitter, uint32_t index, int32_t *end)
{
    const enc_transform_track *track = fitter->track;
    uint32_t frame = index * OSC_TRANSFORM_FRAMES, last = track->frame_count - 1u;
    const double *wanted = values_at(fitter, 0, frame < last ? frame : last);
    for (uint32_t c = 0; c < track->components; c++) {
        double size = (double)osc_transform_step(track->step[c]) * track->end_grid;
        double value = floor(wanted[c] / size + 0.5);
        if (!(fabs(value) < 1e8))
            return false;
        end[c] = (int32_t)value * (int32_t)track->end_grid;
    }
    return true;
}

/* The neighbours of a grid point of an end: in each component the point itself and the ones beside
 * it, as integers and as deviations. */
typedef struct {
    const enc_transform_fitter *fitter;
    uint32_t frame, components;
    int32_t number[ENC_TRANSFORM_COMPONENTS][3];
    double off[ENC_TRANSFORM_COMPONENTS][3];
    double least; /* smallest value so far */
    uint8_t best[ENC_TRANSFORM_COMPONENTS];
    uint32_t point; /* the quadratic that was largest last time */
} neighbourhood;

static void list_neighbours(neighbourhood *near, const int32_t *end)
{
    const enc_transform_track *track = near->fitter->track;
    const double *wanted = values_at(near->fitter, 0, near->frame);
    for (uint32_t c = 0; c < near->components; c++) {
        int32_t grid = (int32_t)track->end_grid, step = osc_transform_step(track->step[c]);
        const int32_t steps[3] = {0, grid, -grid};
        for (int i = 0; i < 3; i++) {
            near->number[c][i] = osc_add(end[c], steps[i]);
            near->off[c][i] = (double)near->number[c][i] * step - wanted[c];
        }
    }
}

/* Tries a neighbour. which: [component], one of the three. */
static void try_neighbour(neighbourhood *near, const uint8_t *which)
{
    double off[ENC_TRANSFORM_COMPONENTS] = {0.0};
    for (uint32_t c = 0; c < near->components; c++)
        off[c] = near->off[c][which[c]];
    double level = worst_at(near->fitter, near->frame, off, near->least, &near->point);
    if (level < near->least) {
        near->least = level;
        memcpy(near->best, which, sizeof near->best);
    }
}

/* Moves an end on its grid to its best neighbour, in one component, or in several if none of those
 * holds. An end with a small error stays, because its nearest number is most often the previous
 * one. */
static void best_neighbour(const enc_transform_fitter *fitter, uint32_t frame, int32_t *end)
{
    neighbourhood near = {.fitter = fitter,
                          .frame = frame,
                          .components = fitter->track->components,
                          .least = HUGE_VAL};
    uint8_t which[ENC_TRANSFORM_COMPONENTS] = {0};
    list_neighbours(&near, end);
    try_neighbour(&near, which);
    if (near.least <= WELL_ENOUGH)
        return;
    for (uint32_t c = 0; c < near.components; which[c++] = 0)
        for (which[c] = 1; which[c] < 3u; which[c]++)
            try_neighbour(&near, which);
    for (uint32_t c = near.least > 1.0 ? 0u : near.components; c < near.components;) {
        try_neighbour(&near, which);
        for (c = 0; c < near.components && ++which[c] == 3u; c++) /* counts in base three */
            which[c] = 0;
    }
    for (uint32_t c = 0; c < near.components; c++)
        end[c] = near.number[c][near.best[c]];
}

bool enc_transform_fit_end(const enc_transform_fitter *fitter, uint32_t index)
{
    enc_transform_track *track = fitter->track;
    uint32_t frame = index * OSC_TRANSFORM_FRAMES, last = track->frame_count - 1u;
    int32_t *end = enc_transform_end(track, index, 0);
    if (!nearest_end(fitter, index, end))
        return false;
    best_neighbour(fitter, frame < last ? frame : last, end);
    return end_holds(fitter, index);
}

/* product^(1/count) for count up to 8, by bisection, because pow() differs between machines. */
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

/* Returns whether a frame holds with one component moved, Q20; false if a row cannot represent it.
 */
static bool moved_holds(const enc_transform_fitter *fitter, uint32_t frame, uint32_t component,
                        double by)
{
    const enc_transform_track *track = fitter->track;
    const double *values = fitter->values + (size_t)frame * ENC_TRANSFORM_COMPONENTS;
    int32_t row[4];
    for (uint32_t c = 0; c < track->components; c++) {
        double value = floor(values[c] + (c == component ? by : 0.0) + 0.5);
        if (!(fabs(value) < 0x1p31))
            return false;
        row[row_component(track, c)] = (int32_t)value;
    }
    osc_transform_finish(row, track->packing);
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
            double size = 1.0; /* to a sixth of an octave, in 1/16 .. 16 */
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

static void open_segment(const enc_transform_fitter *fitter, uint32_t index,
                         enc_transform_segment *segment)
{
    segment->fitter = fitter;
    segment->index = index;
    for (uint32_t f = 0; f < OSC_TRANSFORM_FRAMES; f++)
        segment->tight[f] = FIRST_TIGHT;
}

/* Finds coefficients near the target with which all frames hold. */
static bool solve_segment(enc_transform_segment *segment)
{
    project(segment->fitter, segment->index);
    enc_transform_segment_measure(segment);
    return enc_transform_segment_repair(segment, MAX_REPAIRS);
}

/* The first frame of a segment, whose rows are complete, after which the midpoint does not hold;
 * the segment's length if there is none. */
static uint32_t failing_half(const enc_transform_fitter *fitter, uint32_t segment)
{
    const enc_fit *fit = fitter->fit;
    uint32_t length = osc_transform_length(fit->frame_count, segment);
    for (uint32_t f = 0; f < length && fit->between != NULL; f++)
        if (!fit->between(fit->context, segment * OSC_TRANSFORM_FRAMES + f, fitter->track->rows))
            return f;
    return length;
}

static void make_cheaper(enc_transform_segment *segment)
{
    if (segment->fitter->fit->effort > ENC_EFFORT_FAST)
        enc_transform_segment_save(segment);
    else
        enc_transform_segment_trim(segment);
}

/* Makes a solved segment cheaper and checks it. Where holds() fails although the quadratics hold,
 * the limits are tightened. A few midpoints may remain that only other ends or other tracks could
 * correct. */
static bool finish_segment(enc_transform_segment *segment)
{
    const enc_transform_fitter *fitter = segment->fitter;
    uint32_t index = segment->index, failed = 0;
    uint32_t length = osc_transform_length(fitter->track->frame_count, index);
    bool solved = true;
    for (uint32_t i = 0; i < MAX_CHECKS && solved; i++) {
        make_cheaper(segment);
        if (!segment_holds(fitter, index, &failed)) {
            segment->tight[failed] *= TIGHTER;
        } else {
            uint32_t half = failing_half(fitter, index);
            if (half == length)
                return true;
            if (half != 0u)
                segment->tight[half] *= TIGHTER;
            if (half + 1u < length)
                segment->tight[half + 1u] *= TIGHTER;
        }
        solved = solve_segment(segment);
    }
    open_segment(fitter, index, segment);
    for (uint32_t i = 0; i < MAX_CHECKS; i++) {
        if (!solve_segment(segment))
            return false;
        make_cheaper(segment);
        if (segment_holds(fitter, index, &failed))
            return true;
        segment->tight[failed] *= TIGHTER;
    }
    return false;
}

static bool solve_one(const enc_transform_fitter *fitter, uint32_t index)
{
    enc_transform_segment segment;
    open_segment(fitter, index, &segment);
    return solve_segment(&segment);
}

static bool finish_one(const enc_transform_fitter *fitter, uint32_t index)
{
    enc_transform_segment segment;
    open_segment(fitter, index, &segment);
    enc_transform_segment_measure(&segment);
    return finish_segment(&segment);
}

bool enc_transform_fit_segment(const enc_transform_fitter *fitter, uint32_t index)
{
    enc_transform_segment segment;
    open_segment(fitter, index, &segment);
    return solve_segment(&segment) && finish_segment(&segment);
}

/* Applies a function to every segment until one fails, beginning with the one that failed last. */
static bool with_segments(enc_transform_fitter *fitter,
                          bool (*one)(const enc_transform_fitter *, uint32_t))
{
    uint32_t segments = fitter->track->segments;
    uint32_t hint = fitter->hint < segments ? fitter->hint : 0u;
    for (uint32_t i = 0; i <= segments; i++) {
        uint32_t s = i == 0u ? hint : i - 1u;
        if ((i == 0u || s != hint) && !one(fitter, s)) {
            fitter->hint = s;
            return false;
        }
    }
    return true;
}

bool enc_transform_fit_ends(enc_transform_fitter *fitter)
{
    const enc_transform_track *track = fitter->track;
    uint32_t ends = track->frame_count > 1u ? track->segments + 1u : 1u;
    uint32_t hint = fitter->end_hint < ends ? fitter->end_hint : 0u;
    for (uint32_t i = 0; i <= ends; i++) { /* first the hint, which may fail again */
        uint32_t end = i == 0u ? hint : i - 1u;
        if ((i == 0u || end != hint) && !enc_transform_fit_end(fitter, end)) {
            fitter->end_hint = end;
            return false;
        }
    }
    return true;
}

/* Fits the ends, and then every segment between them with one of the functions above. */
static bool fit_all(enc_transform_fitter *fitter,
                    bool (*one)(const enc_transform_fitter *, uint32_t))
{
    return enc_transform_fit_ends(fitter) &&
           (fitter->track->frame_count < 2u || with_segments(fitter, one));
}

bool enc_transform_solve(enc_transform_fitter *fitter)
{
    return fit_all(fitter, solve_one);
}

bool enc_transform_save(enc_transform_fitter *fitter)
{
    return fitter->track->frame_count < 2u ||
           (with_segments(fitter, finish_one) && enc_transform_blends(fitter));
}

bool enc_transform_fit(enc_transform_fitter *fitter)
{
    return fit_all(fitter, enc_transform_fit_segment) && enc_transform_blends(fitter);
}
