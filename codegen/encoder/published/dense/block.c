#include "published/dense/block.h"

#include <math.h>
#include <string.h>

#include "base/quantise.h"
#include "ossicle.h"

#define PARTS 256.0   /* parts of a track's range, in which a block states its own */
#define SMALL_W2 0.75 /* w squared, below which the components are chosen together */
#define FINE_RATE 12u /* rate from which the ends of the range hardly matter */

const uint8_t enc_dense_rates[] = {0,  3,  4,  5,  6,  7,  8,  9,  10, 11,
                                   12, 13, 14, 15, 16, 17, 18, 19, 24};

uint32_t enc_dense_block_bits(const enc_key_format *format, uint32_t count, uint32_t rate)
{
    uint32_t sign = format->has_sign ? 1u : 0u;
    if (rate == 0u)
        return OSC_KEY_RATE_BITS + sign + 3u * ENC_DENSE_CONSTANT_BITS;
    return OSC_KEY_RATE_BITS + 48u + count * (sign + 3u * osc_key_rate_bits(rate));
}

/* ---- ranges ---- */

/* The largest distance of the values from their nearest codes, in parts; may stop at `most`. */
static double farthest(const double *values, uint32_t count, uint32_t rate, double low, double size,
                       double most)
{
    double codes = (double)(1u << rate), step = (size + 1.0) / codes, worst = 0.0;
    for (uint32_t i = 0; i < count && worst < most; i++) {
        double code = floor((values[i] - low) / step + 0.5);
        code = fmax(fmin(code, codes - 1.0), 0.0);
        worst = fmax(worst, fabs(low + code * step - values[i]));
    }
    return worst;
}

/* Chooses the range, in whole parts, that suits the values (in parts) best. */
static void choose_range(const double *values, uint32_t count, uint32_t rate, uint8_t *low,
                         uint8_t *size)
{
    double least = values[0], most = values[0], best = HUGE_VAL;
    for (uint32_t i = 1; i < count; i++) {
        least = fmin(least, values[i]);
        most = fmax(most, values[i]);
    }
    /* ideally, codes lie in the middle of equal steps; the last one lies a step below the end */
    double codes = (double)(1u << rate), half = (most - least) / codes / 2.0;
    double middle = floor(least + half), reach = codes / (codes - 1.0);
    double spread = rate < FINE_RATE ? 1.0 : 0.0;
    for (double at = middle - spread; at <= middle + spread; at += 1.0) {
        double from = fmax(fmin(at, PARTS - 1.0), 0.0);
        double parts = floor((most - half - from) * reach);
        for (double more = -1.0; more <= 1.0; more += 1.0) {
            double span = fmax(fmin(parts + more, PARTS - 1.0 - from), 0.0);
            double off = farthest(values, count, rate, from, span, best);
            if (off < best) {
                best = off;
                *low = (uint8_t)from;
                *size = (uint8_t)span;
            }
        }
    }
}

/* ---- keys ---- */

static int32_t variable_value(const enc_key_format *format, const enc_dense_block *block,
                              uint32_t i, uint32_t code)
{
    uint32_t part = block->rate == 0u
                        ? code << (32u - ENC_DENSE_CONSTANT_BITS)
                        : osc_key_variable(code, block->rate, block->low[i], block->size[i]);
    return osc_add(format->minimum[i], (int32_t)osc_mulhi_u32(part, format->extent[i]));
}

/* The code with the nearest value. value: Q20; guess: the code before rounding. */
static uint32_t nearest_code(const enc_key_format *format, const enc_dense_block *block, uint32_t i,
                             double value, double guess)
{
    double most = block->rate == 0u ? 65535.0 : (double)((1u << block->rate) - 1u);
    uint32_t first = (uint32_t)fmax(fmin(floor(guess), most), 0.0), best = first;
    double least = HUGE_VAL;
    for (uint32_t code = first; code <= first + 1u && code <= (uint32_t)most; code++) {
        double off = fabs(variable_value(format, block, i, code) - value);
        if (off < least) {
            least = off;
            best = code;
        }
    }
    return best;
}

static void code_component(const enc_key_format *format, const enc_dense_block *block,
                           const enc_dense_sample *sample, uint32_t i, enc_dense_key *key,
                           int32_t *row)
{
    double part = sample->part[i], guess = block->rate == 0u ? part * 256.0
                                                             : (part - block->low[i]) *
                                                                   (double)(1u << block->rate) /
                                                                   (block->size[i] + 1.0);
    key->code[i] = nearest_code(format, block, i, sample->value[i], guess);
    row[i] = variable_value(format, block, i, key->code[i]);
}

static bool too_long(const int32_t *q)
{
    double length2 = 0.0;
    for (int i = 0; i < 3; i++)
        length2 += (double)q[i] * q[i];
    return length2 > (double)OSC_ONE_Q20 * OSC_ONE_Q20;
}

/* Shortens three components that are longer than those of a rotation can be: the code with the
 * largest value moves towards zero. */
static bool shorten(const enc_key_format *format, const enc_dense_block *block, enc_dense_key *key,
                    int32_t *row)
{
    for (uint32_t tries = 0; tries < 3u && too_long(row); tries++) {
        uint32_t largest = 0;
        for (uint32_t i = 1; i < 3u; i++)
            if (fabs((double)row[i]) > fabs((double)row[largest]))
                largest = i;
        uint32_t code = key->code[largest] + (row[largest] > 0 ? UINT32_MAX : 1u);
        uint32_t bits = block->rate == 0u ? ENC_DENSE_CONSTANT_BITS : block->rate;
        if (code >> bits != 0u)
            return false;
        key->code[largest] = code;
        row[largest] = variable_value(format, block, largest, code);
    }
    return !too_long(row);
}

/* The candidate codes of three components: the nearest, and the one on the other side of the
 * value. */
typedef struct {
    uint32_t code[2][3];
    int32_t value[2][3];
} neighbours;

static neighbours find_neighbours(const enc_key_format *format, const enc_dense_block *block,
                                  const enc_dense_sample *sample, const enc_dense_key *key,
                                  const int32_t *row)
{
    uint32_t bits = block->rate == 0u ? ENC_DENSE_CONSTANT_BITS : block->rate;
    neighbours out;
    for (uint32_t i = 0; i < 3u; i++) {
        uint32_t other = key->code[i] + (row[i] < sample->value[i] ? 1u : UINT32_MAX);
        if (other >> bits != 0u)
            other = key->code[i];
        out.code[0][i] = key->code[i];
        out.code[1][i] = other;
        out.value[0][i] = row[i];
        out.value[1][i] = variable_value(format, block, i, other);
    }
    return out;
}

/* Chooses three codes together so that the whole rotation is nearest: the smaller w is, the more it
 * depends on the errors of the others. */
static void choose_together(const enc_key_format *format, const enc_dense_block *block,
                            const enc_dense_sample *sample, enc_dense_key *key, int32_t *row)
{
    const double one2 = (double)OSC_ONE_Q20 * OSC_ONE_Q20;
    double left = one2, least = HUGE_VAL;
    for (int i = 0; i < 3; i++)
        left -= sample->value[i] * sample->value[i];
    if (left > SMALL_W2 * one2)
        return;
    double w = sqrt(fmax(left, 0.0));
    neighbours near = find_neighbours(format, block, sample, key, row);
    for (uint32_t sides = 0; sides < 8u; sides++) {
        double rest = one2, off2 = 0.0;
        for (uint32_t i = 0; i < 3u; i++) {
            double value = near.value[sides >> i & 1u][i], off = value - sample->value[i];
            rest -= value * value;
            off2 += off * off;
        }
        double off_w = rest < 0.0 ? HUGE_VAL : sqrt(rest) - w;
        if (off2 + off_w * off_w >= least)
            continue;
        least = off2 + off_w * off_w;
        for (uint32_t i = 0; i < 3u; i++) {
            key->code[i] = near.code[sides >> i & 1u][i];
            row[i] = near.value[sides >> i & 1u][i];
        }
    }
}

/* Computes the key of a value in a block whose range is chosen, and its row. Returns false if the
 * row is not a rotation. */
static bool code_value(const enc_key_format *format, const enc_dense_block *block,
                       const enc_dense_sample *sample, enc_dense_key *key, int32_t *row)
{
    key->flipped = sample->flipped;
    for (uint32_t i = 0; i < 3u; i++)
        code_component(format, block, sample, i, key, row);
    if (format->kind != ENC_ROTATION)
        return true;
    choose_together(format, block, sample, key, row);
    bool fine = !too_long(row) || shorten(format, block, key, row);
    osc_key_finish(row, OSC_KEY_VARIABLE, 3u, key->flipped != 0u);
    return fine;
}

/* Codes a block with one key, at the centre of its bounding box. */
static bool code_constant(const enc_key_format *format, const enc_dense_sample *samples,
                          uint32_t count, enc_dense_block *block, enc_dense_key *keys,
                          int32_t *rows)
{
    uint32_t components = enc_components(format->kind);
    enc_dense_sample centre = samples[0];
    for (uint32_t i = 0; i < 3u; i++) {
        double low[2] = {samples[0].value[i], samples[0].part[i]}, high[2] = {low[0], low[1]};
        for (uint32_t f = 1; f < count; f++) {
            low[0] = fmin(low[0], samples[f].value[i]);
            high[0] = fmax(high[0], samples[f].value[i]);
            low[1] = fmin(low[1], samples[f].part[i]);
            high[1] = fmax(high[1], samples[f].part[i]);
        }
        centre.value[i] = (low[0] + high[0]) / 2.0;
        centre.part[i] = (low[1] + high[1]) / 2.0;
    }
    bool fine = code_value(format, block, &centre, keys, rows);
    for (uint32_t f = 1; f < count; f++) {
        keys[f] = keys[0];
        memcpy(rows + (size_t)f * components, rows, components * sizeof *rows);
    }
    return fine;
}

void enc_dense_sample_values(const enc_key_format *format, const double *values, uint32_t count,
                             enc_dense_sample *samples)
{
    for (uint32_t f = 0; f < count; f++, values += enc_components(format->kind)) {
        bool below = format->has_sign && values[3] < 0.0;
        samples[f].flipped = below ? 1u : 0u;
        for (uint32_t i = 0; i < 3u; i++) {
            double extent = format->extent[i] == 0u ? 1.0 : format->extent[i];
            double value = (below || format->negated ? -values[i] : values[i]) * OSC_ONE_Q20;
            samples[f].value[i] = value;
            /* codes are rounded down: adding half a unit of Q20 selects the nearest */
            samples[f].part[i] = (value + 0.5 - format->minimum[i]) / extent * PARTS;
        }
    }
}

bool enc_dense_code_block(const enc_key_format *format, const enc_dense_sample *samples,
                          uint32_t count, enc_dense_block *block, enc_dense_key *keys,
                          int32_t *rows)
{
    if (block->rate == 0u)
        return code_constant(format, samples, count, block, keys, rows);
    for (uint32_t i = 0; i < 3u; i++) {
        double parts[ENC_DENSE_BLOCK_MAX] = {0};
        for (uint32_t f = 0; f < count; f++)
            parts[f] = samples[f].part[i];
        choose_range(parts, count, block->rate, &block->low[i], &block->size[i]);
    }
    bool fine = true;
    for (uint32_t f = 0; f < count; f++)
        fine = code_value(format, block, &samples[f], &keys[f],
                          rows + (size_t)f * enc_components(format->kind)) &&
               fine;
    return fine;
}
