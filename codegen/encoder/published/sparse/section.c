/* The rows between two keys as the device computes them, and the free tangents of Hermite
 * sections. */
#include <math.h>
#include <string.h>

#include "base/linear.h"
#include "ossicle.h"
#include "published/sparse/codec.h"

#define RIDGE 1e-9 /* keeps sections determined that have fewer rows than unknowns */

static const int32_t *left_of(const enc_sparse_work *work, uint32_t frame)
{
    const enc_sparse_key *key = &work->made[frame];
    return work->track->basis == OSC_SPARSE_HERMITE ? key->value : key->row;
}

/* The length of the path between the keys of two frames, from the earlier one: its rounding depends
 * on the direction. */
static uint32_t path_length(const enc_sparse_work *work, uint32_t a, uint32_t b)
{
    uint32_t first = a < b ? a : b, last = a < b ? b : a;
    return osc_sparse_length(work->track->basis, work->made[first].row, work->made[last].row,
                             enc_components(work->track->kind), last - first);
}

/* The tangent at b, towards c, of the parabola through the keys at a, b and c; the straight line if
 * a or c does not exist. */
static void tangent_at(const enc_sparse_work *work, uint32_t a, uint32_t b, uint32_t c,
                       int32_t *tangent)
{
    uint32_t components = enc_components(work->track->kind);
    const int32_t *key_b = work->made[b].row, *key_c = work->made[c].row;
    for (uint32_t i = 0; i < components; i++)
        tangent[i] = osc_sub(key_c[i], key_b[i]);
    if (a != b)
        osc_sparse_tangent(work->made[a].row, key_b, key_c, components, path_length(work, a, b),
                           path_length(work, b, c), tangent);
}

static void key_tangents(const enc_sparse_work *work, uint32_t before, uint32_t from, uint32_t to,
                         uint32_t after, int32_t tangents[2][4])
{
    tangent_at(work, before, from, to, tangents[0]);
    tangent_at(work, after, to, from, tangents[1]);
    for (uint32_t i = 0; i < 4u; i++)
        tangents[1][i] = osc_sub(0, tangents[1][i]);
}

void enc_sparse_play(enc_sparse_work *work, uint32_t before, uint32_t from, uint32_t to,
                     uint32_t after)
{
    enc_sparse_track *track = work->track;
    uint32_t components = enc_components(track->kind);
    int32_t tangents[2][4] = {{0}}, end[4] = {0};
    osc_sparse_section section = {
        left_of(work, from), work->made[to].row, tangents[0], tangents[1], from, to};
    int32_t *row = track->rows + (size_t)from * components;
    memcpy(row, work->made[from].row, components * sizeof *row);
    if (track->basis == OSC_SPARSE_HERMITE) {
        const enc_sparse_key *key = &work->made[from];
        for (uint32_t i = 0; i < components; i++) {
            tangents[0][i] = osc_key_float(key->part[ENC_SPARSE_START][i]);
            tangents[1][i] = osc_key_float(key->part[ENC_SPARSE_STOP][i]);
            end[i] = osc_key_float(key->part[ENC_SPARSE_END][i]);
        }
        section.right = end;
    } else if (osc_sparse_looks_ahead(track->basis)) {
        key_tangents(work, before, from, to, after, tangents);
    }
    for (uint32_t f = from + 1u; f < to; f++) {
        row += components;
        if (track->basis <= OSC_SPARSE_STEP)
            memcpy(row, row - components, components * sizeof *row);
        else
            osc_sparse_row(track->basis, &section, components, f, row);
    }
    if (to > from)
        memcpy(row + components, work->made[to].row, components * sizeof *row);
}

/* Fits a cubic over 0 .. 1 that begins at 0 to one component of the rows between. x: receives its
 * coefficients of u, u^2, u^3. */
static void fit_free(const enc_sparse_work *work, uint32_t from, uint32_t to, uint32_t component,
                     double start, double *x)
{
    uint32_t stride = enc_components(work->track->kind);
    double m[3][3] = {{RIDGE, 0, 0}, {0, RIDGE, 0}, {0, 0, RIDGE}};
    x[0] = x[1] = x[2] = 0.0;
    for (uint32_t f = from + 1u; f < to; f++) {
        double u = (double)(f - from) / (double)(to - from);
        double y = work->fit->target[(size_t)f * stride + component] - start;
        const double base[3] = {u, u * u, u * u * u};
        for (uint32_t i = 0; i < 3u; i++) {
            for (uint32_t j = 0; j < 3u; j++)
                m[i][j] += base[i] * base[j];
            x[i] += base[i] * y;
        }
    }
    (void)enc_solve_definite(m[0], 3u, 3u, x); /* the ridge makes it definite */
}

/* Fits a cubic that ends at the next key. x: receives the tangents at the start and at the end. */
static void fit_ended(const enc_sparse_work *work, uint32_t from, uint32_t to, uint32_t component,
                      double start, double *x)
{
    double move = work->made[to].value[component] / (double)OSC_ONE_Q20 - start;
    uint32_t stride = enc_components(work->track->kind);
    double m[2][2] = {{RIDGE, 0}, {0, RIDGE}};
    x[0] = x[1] = RIDGE * move;
    for (uint32_t f = from + 1u; f < to; f++) {
        double u = (double)(f - from) / (double)(to - from), u2 = u * u, u3 = u2 * u;
        double y = work->fit->target[(size_t)f * stride + component] - start;
        const double base[2] = {u3 - 2.0 * u2 + u, u3 - u2};
        y -= move * (3.0 * u2 - 2.0 * u3);
        for (uint32_t i = 0; i < 2u; i++) {
            for (uint32_t j = 0; j < 2u; j++)
                m[i][j] += base[i] * base[j];
            x[i] += base[i] * y;
        }
    }
    (void)enc_solve_definite(m[0], 2u, 2u, x);
}

void enc_sparse_fit_tangents(enc_sparse_work *work, uint32_t from, uint32_t to)
{
    uint32_t components = enc_components(work->track->kind);
    enc_sparse_key *key = &work->made[from];
    const enc_sparse_key *next = &work->made[to];
    for (uint32_t i = 0; i < components; i++) {
        double start = key->value[i] / (double)OSC_ONE_Q20, x[3];
        if (work->fit->breaks[to] != 0) {
            fit_free(work, from, to, i, start, x);
            key->part[ENC_SPARSE_START][i] = enc_key_float_bits(x[0]);
            key->part[ENC_SPARSE_STOP][i] = enc_key_float_bits(x[0] + 2.0 * x[1] + 3.0 * x[2]);
            key->part[ENC_SPARSE_END][i] = enc_key_float_bits(start + x[0] + x[1] + x[2]);
        } else {
            fit_ended(work, from, to, i, start, x);
            key->part[ENC_SPARSE_START][i] = enc_key_float_bits(x[0]);
            key->part[ENC_SPARSE_STOP][i] = enc_key_float_bits(x[1]);
            key->part[ENC_SPARSE_END][i] = next->key.words[i];
        }
    }
}
