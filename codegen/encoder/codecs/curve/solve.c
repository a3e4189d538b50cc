#include "codecs/curve/solve.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "arithmetic/osc_fixed.h"
#include "bank/osc_format.h"
#include "base/arrays.h"
#include "ossicle.h"

#define HOPELESS 2.5      /* ratio that other weights will not reduce to one */
#define WEIGHT_FLOOR 0.02 /* of the largest ratio, so that every frame has some weight */
#define REGULARISER 1e-9  /* keeps unknowns determined that no frame depends on */

bool curve_solver_prepare(curve_solver *solver, const enc_fit *fit, uint32_t packing)
{
    uint32_t frames = fit->frame_count, components = enc_components(fit->kind);
    memset(solver, 0, sizeof *solver);
    solver->fit = fit;
    bool complete = curve_keys_prepare(&solver->keys, frames);
    solver->aim = enc_array(frames, sizeof *solver->aim, &complete);
    solver->coded = enc_array(frames, sizeof *solver->coded, &complete);
    solver->rows = enc_array((size_t)frames * components, sizeof *solver->rows, &complete);
    solver->ratio = enc_array(frames, sizeof *solver->ratio, &complete);
    complete = curve_keys_prepare(&solver->kept.keys, CURVE_MOST_KEPT) && complete;
    solver->kept.ratio = enc_array(frames, sizeof *solver->kept.ratio, &complete);
    solver->weight = enc_array(frames, sizeof *solver->weight, &complete);
    solver->share = enc_array(frames, sizeof *solver->share, &complete);
    solver->memory.changed = enc_array(frames, sizeof *solver->memory.changed, &complete);
    solver->memory.refused = enc_array(frames, sizeof *solver->memory.refused, &complete);
    solver->matrix = enc_array((size_t)frames * 2u, sizeof *solver->matrix, &complete);
    solver->right = enc_array((size_t)frames * 2u, sizeof *solver->right, &complete);
    if (!complete)
        return false;
    solver->keys.packing = packing;
    solver->keys.components = curve_components(packing);
    solver->keys.restart_log2 = fit->restart_log2;
    solver->keys.breaks = fit->breaks;
    for (uint32_t f = 0; f < frames; f++) {
        double sign = curve_coded(fit->target + (size_t)f * components, packing, solver->coded[f]);
        for (uint32_t i = 0; i < components; i++)
            solver->aim[f][i] = sign * fit->target[(size_t)f * components + i] * OSC_ONE_Q20;
    }
    return true;
}

void curve_solver_release(curve_solver *solver)
{
    curve_keys_release(&solver->keys);
    free(solver->aim);
    free(solver->coded);
    free(solver->rows);
    free(solver->ratio);
    curve_keys_release(&solver->kept.keys);
    free(solver->kept.ratio);
    free(solver->weight);
    free(solver->share);
    free(solver->memory.changed);
    free(solver->memory.refused);
    free(solver->matrix);
    free(solver->right);
    memset(solver, 0, sizeof *solver);
}

/* The number of sections on either side of a key that depend on it. */
static uint32_t reach_of(const curve_keys *keys)
{
    return keys->basis == OSC_CURVE_CUBIC ? 2u : 1u;
}

void curve_keep(curve_solver *solver, uint32_t first, uint32_t last)
{
    const curve_keys *keys = &solver->keys;
    curve_kept *kept = &solver->kept;
    kept->solved = *keys;
    kept->first = first;
    kept->last = last;
    kept->from = keys->frame[curve_key_before(first, reach_of(keys))];
    kept->to = keys->frame[curve_key_after(keys, last, reach_of(keys))];
    curve_keys_move(&kept->keys, 0, keys, first, last - first + 1u);
    memcpy(kept->ratio, solver->ratio + kept->from,
           (kept->to - kept->from + 1u) * sizeof *kept->ratio);
}

void curve_go_back(curve_solver *solver)
{
    const curve_kept *kept = &solver->kept;
    solver->keys = kept->solved;
    curve_keys_move(&solver->keys, kept->first, &kept->keys, 0, kept->last - kept->first + 1u);
    memcpy(solver->ratio + kept->from, kept->ratio,
           (kept->to - kept->from + 1u) * sizeof *kept->ratio);
}

/* The weights of the keys i - 1 .. i + 2 in the end tangents of a cubic section. */
static void cubic_tangents(const curve_keys *keys, uint32_t i, double *left, double *right)
{
    double gap = curve_gap(keys, i);
    const double slope[4] = {0.0, -1.0 / gap, 1.0 / gap, 0.0};
    bool fresh = curve_is_fresh(keys, i), smooth = curve_is_smooth(keys, i);
    memcpy(left, slope, sizeof slope);
    memcpy(right, slope, sizeof slope);
    if (!fresh) {
        double before = curve_gap(keys, i - 1u), share = before / (before + gap);
        const double outer[4] = {-1.0 / before, 1.0 / before, 0.0, 0.0};
        for (int k = 0; k < 4; k++)
            left[k] = outer[k] + (slope[k] - outer[k]) * share;
    }
    if (smooth) {
        double after = curve_gap(keys, i + 1u), share = gap / (gap + after);
        const double outer[4] = {0.0, 0.0, -1.0 / after, 1.0 / after};
        for (int k = 0; k < 4; k++)
            right[k] = slope[k] + (outer[k] - slope[k]) * share;
    }
    for (int k = 0; k < 4; k++) {
        if (fresh && smooth)
            left[k] = 2.0 * slope[k] - right[k];
        if (!fresh && !smooth)
            right[k] = 2.0 * slope[k] - left[k];
    }
}

/* Fills in the weights of the frames of section i. */
static void share_section(const curve_keys *keys, uint32_t i, curve_weights *out)
{
    double gap = curve_gap(keys, i), left[4] = {0}, right[4] = {0};
    if (keys->basis == OSC_CURVE_CUBIC)
        cubic_tangents(keys, i, left, right);
    for (uint32_t t = 0; t < curve_gap(keys, i); t++, out++) {
        double u = t / gap, h01 = u * u * (3.0 - 2.0 * u), h00 = 1.0 - h01;
        double h10 = u * (1.0 - u) * (1.0 - u) * gap, h11 = u * u * (u - 1.0) * gap;
        if (keys->basis == OSC_CURVE_LINEAR) {
            *out = (curve_weights){{1.0 - u, u, 0.0, 0.0}, (int32_t)i};
        } else if (keys->basis == OSC_CURVE_HERMITE) {
            *out = (curve_weights){{h00, h10, h01, h11}, (int32_t)(2u * i)};
        } else {
            out->first = (int32_t)i - 1;
            for (int k = 0; k < 4; k++)
                out->w[k] = h10 * left[k] + h11 * right[k];
            out->w[1] += h00;
            out->w[2] += h01;
        }
    }
}

static double unknown(const curve_keys *keys, uint32_t index, uint32_t c)
{
    if (keys->basis != OSC_CURVE_HERMITE)
        return keys->value[index][c];
    if ((index & 1u) == 0u)
        return keys->value[index >> 1][c];
    return keys->tangent[index >> 1][c] / (double)(1u << keys->unit);
}

/* Computes a frame's value without the unknowns that are solved for. */
static void take_known(const curve_solver *solver, const curve_weights *share, int32_t offset,
                       uint32_t count, double *rest)
{
    const curve_keys *keys = &solver->keys;
    for (int32_t k = 0; k < 4; k++)
        if (share->w[k] != 0.0 && (uint32_t)(offset + k) >= count)
            for (uint32_t c = 0; c < keys->components; c++)
                rest[c] -= share->w[k] * unknown(keys, (uint32_t)(share->first + k), c);
}

/* Adds the frames' equations for the unknowns from .. from + count - 1. The contribution of the
 * others moves to the right side; matrix entries beyond the last unknown are never read. */
static void add_frames(curve_solver *solver, uint32_t first_frame, uint32_t last_frame,
                       uint32_t from, uint32_t count)
{
    double steps = 1.0 / (double)(1u << solver->keys.shift);
    for (uint32_t f = first_frame; f <= last_frame; f++) {
        const curve_weights *share = &solver->share[f];
        int32_t offset = share->first - (int32_t)from;
        double rest[4], w[4u + CURVE_BAND] = {0.0};
        memcpy(w, share->w, sizeof share->w);
        for (int c = 0; c < 4; c++)
            rest[c] = solver->coded[f][c] * steps;
        if (offset < 0 || (uint32_t)offset + 4u > count)
            take_known(solver, share, offset, count, rest);
        for (int32_t k = 0; k < 4; k++) {
            uint32_t a = (uint32_t)(offset + k);
            double scaled = solver->weight[f] * w[k];
            if (a >= count || scaled == 0.0)
                continue;
            for (int c = 0; c < 4; c++)
                solver->right[a][c] += scaled * rest[c];
            for (uint32_t l = 0; l < CURVE_BAND; l++)
                solver->matrix[a][l] += scaled * w[(uint32_t)k + l];
        }
    }
}

/* The nearest integer in range. */
static double rounded(double value)
{
    const double most = 0x1p30;
    value += 0.5;
    value = value < most ? value : most;
    value = value > -most ? value : -most;
    double whole = (int32_t)value;
    return whole > value ? whole - 1.0 : whole;
}

/* Eliminates the band below the diagonal, from the top. */
static void eliminate(curve_solver *solver, uint32_t count)
{
    double(*matrix)[CURVE_BAND] = solver->matrix, (*right)[4] = solver->right;
    for (uint32_t a = 0; a < count; a++) {
        matrix[a][0] += REGULARISER;
        double inverse = 1.0 / matrix[a][0];
        for (uint32_t k = 1; k < CURVE_BAND && a + k < count; k++) {
            double factor = matrix[a][k] * inverse;
            if (factor == 0.0)
                continue;
            for (uint32_t l = k; l < CURVE_BAND; l++)
                matrix[a + k][l - k] -= factor * matrix[a][l];
            for (int c = 0; c < 4; c++)
                right[a + k][c] -= factor * right[a][c];
        }
    }
}

/* Solves the banded system. Each unknown is rounded before those above it are computed, so that
 * they compensate for its rounding. */
static void solve_band(curve_solver *solver, uint32_t from, uint32_t count)
{
    curve_keys *keys = &solver->keys;
    double(*matrix)[CURVE_BAND] = solver->matrix, (*right)[4] = solver->right;
    bool hermite = keys->basis == OSC_CURVE_HERMITE;
    eliminate(solver, count);
    for (uint32_t a = count; a-- > 0;) {
        uint32_t index = from + a;
        bool tangent = hermite && (index & 1u) != 0u;
        double unit = tangent ? (double)(1u << keys->unit) : 1.0, inverse = 1.0 / matrix[a][0];
        int32_t *number = tangent   ? keys->tangent[index >> 1]
                          : hermite ? keys->value[index >> 1]
                                    : keys->value[index];
        double value[4];
        memcpy(value, right[a], sizeof value);
        for (uint32_t k = 1; k < CURVE_BAND && a + k < count; k++)
            for (int c = 0; c < 4; c++)
                value[c] -= matrix[a][k] * right[a + k][c];
        for (uint32_t c = 0; c < keys->components; c++) {
            double finer = unit / (double)(1u << keys->coarsening[c]);
            double steps = rounded(value[c] * inverse * finer);
            right[a][c] = steps / finer;
            number[c] = osc_shl((int32_t)steps, keys->coarsening[c]);
        }
    }
}

/* The deviation of a frame's row. */
static double deviation(const curve_solver *solver, uint32_t f)
{
    uint32_t components = curve_row_words(solver->keys.packing);
    const int32_t *row = solver->rows + (size_t)f * components;
    double sum = 0.0;
    for (uint32_t i = 0; i < components; i++) {
        double d = row[i] - solver->aim[f][i];
        sum += d * d;
    }
    return sqrt(sum);
}

/* The end of the frames that belong to the sections up to a key. */
static uint32_t end_of(const curve_keys *keys, uint32_t last)
{
    return keys->frame[last] + (last + 1u == keys->count ? 1u : 0u);
}

/* Plays sections first .. last - 1 and sets the ratios of their deviations. Returns the largest. */
static double deviate(curve_solver *solver, uint32_t first, uint32_t last)
{
    const curve_keys *keys = &solver->keys;
    const enc_fit *fit = solver->fit;
    uint32_t from = keys->frame[first], to = end_of(keys, last);
    double worst = 0.0, angle = keys->packing == OSC_CURVE_VECTOR ? 1.0 : 2.0;
    curve_play(keys, first, last, solver->rows);
    double unit =
        angle / OSC_ONE_Q20 / fit->slack; /* without slack the ratio would not be a number */
    for (uint32_t f = from; f < to; f++) {
        double ratio = deviation(solver, f) * unit;
        solver->ratio[f] = ratio;
        worst = ratio > worst ? ratio : worst;
    }
    return worst;
}

static bool holds_at(const curve_solver *solver, uint32_t frame)
{
    const enc_fit *fit = solver->fit;
    size_t at = (size_t)frame * curve_row_words(solver->keys.packing);
    return fit->holds(fit->context, frame, solver->rows + at);
}

bool curve_measure(curve_solver *solver, uint32_t first, uint32_t last, double give_up)
{
    uint32_t to = end_of(&solver->keys, last);
    bool all = true;
    if (deviate(solver, first, last) > give_up)
        return false;
    for (uint32_t f = solver->keys.frame[first]; f < to; f++) {
        bool holds = holds_at(solver, f);
        double ratio = solver->ratio[f];
        solver->ratio[f] = holds ? (ratio < 1.0 ? ratio : 1.0) : (ratio > 1.01 ? ratio : 1.01);
        all = all && holds;
    }
    return all;
}

double curve_fourth_powers(const curve_solver *solver, uint32_t from, uint32_t to)
{
    double sum = 0.0;
    for (uint32_t f = from; f < to; f++) {
        double square = solver->ratio[f] * solver->ratio[f];
        sum += square * square;
    }
    return sum;
}

/* The same if nothing depends on the ratios unless all frames hold. Begins with the frame that is
 * farthest from the target, which is the likeliest to fail. */
static bool all_hold(curve_solver *solver, uint32_t first, uint32_t last, const curve_watch *watch)
{
    uint32_t from = solver->keys.frame[first], to = end_of(&solver->keys, last), worst = from;
    (void)deviate(solver, first, last);
    for (uint32_t f = from; f < to; f++)
        worst = solver->ratio[f] > solver->ratio[worst] ? f : worst;
    for (uint32_t f = from; f < to; f++)
        solver->ratio[f] = solver->ratio[f] < 1.0 ? solver->ratio[f] : 1.0;
    if (watch != NULL && !(curve_fourth_powers(solver, watch->from, watch->to) < watch->below))
        return false;
    bool all = from == to || holds_at(solver, worst);
    for (uint32_t f = from; f < to && all; f++)
        all = f == worst || holds_at(solver, f);
    return all;
}

static void reweight(curve_solver *solver, uint32_t from, uint32_t to)
{
    double worst = 0.0, sum = 0.0;
    for (uint32_t f = from; f <= to; f++)
        worst = fmax(worst, solver->ratio[f]);
    for (uint32_t f = from; f <= to; f++) {
        solver->weight[f] *= solver->ratio[f] + WEIGHT_FLOOR * worst;
        sum += solver->weight[f];
    }
    for (uint32_t f = from; f <= to; f++)
        solver->weight[f] *= (to - from + 1u) / sum;
}

/* measures: the ratios are needed even if a frame does not hold. */
static bool solve(curve_solver *solver, uint32_t first, uint32_t last, uint32_t rounds,
                  bool measures, const curve_watch *watch)
{
    const curve_keys *keys = &solver->keys;
    uint32_t per_key = keys->basis == OSC_CURVE_HERMITE ? 2u : 1u;
    uint32_t begin = curve_key_before(first, reach_of(keys));
    uint32_t end = curve_key_after(keys, last, reach_of(keys));
    uint32_t from = keys->frame[begin], to = keys->frame[end];
    for (uint32_t i = begin; i < end; i++)
        share_section(keys, i, &solver->share[keys->frame[i]]);
    /* no section begins at the last key */
    solver->share[to] = (curve_weights){{1.0, 0.0, 0.0, 0.0}, (int32_t)(end * per_key)};
    for (uint32_t f = from; f <= to; f++)
        solver->weight[f] = 1.0;

    uint32_t index = first * per_key, count = (last - first + 1u) * per_key;
    for (uint32_t round = 0;; round++) {
        memset(solver->matrix, 0, count * sizeof *solver->matrix);
        memset(solver->right, 0, count * sizeof *solver->right);
        add_frames(solver, from, to, index, count);
        solve_band(solver, index, count);
        if (round == rounds && !measures)
            return all_hold(solver, begin, end, watch);
        if (curve_measure(solver, begin, end, round < rounds ? HOPELESS : HUGE_VAL))
            return true;
        if (round == rounds)
            return false;
        double worst = 0.0;
        for (uint32_t f = from; f < to; f++)
            worst = fmax(worst, solver->ratio[f]);
        if (worst > HOPELESS)
            return false;
        if (end + 1u < keys->count)
            solver->ratio[to] = 0.0;
        reweight(solver, from, to);
    }
}

bool curve_solve(curve_solver *solver, uint32_t first, uint32_t last, uint32_t rounds)
{
    return solve(solver, first, last, rounds, false, NULL);
}

bool curve_solve_better(curve_solver *solver, uint32_t first, uint32_t last,
                        const curve_watch *watch)
{
    return solve(solver, first, last, 0, false, watch);
}

bool curve_solve_measured(curve_solver *solver, uint32_t rounds)
{
    return solve(solver, 0, solver->keys.count - 1u, rounds, true, NULL);
}
