#include "model/constant_track.h"

#include <math.h>
#include <string.h>

#include "bank/osc_format.h"
#include "base/quantise.h"

static bool holds_throughout(const enc_fit *fit, const int32_t *row)
{
    for (uint32_t f = 0; f < fit->frame_count; f++)
        if (!fit->holds(fit->context, f, row))
            return false;
    return true;
}

bool enc_track_is_default(const enc_fit *fit, const int32_t *rest_q20, enc_constant *constant)
{
    memset(constant, 0, sizeof *constant);
    memcpy(constant->row, rest_q20, enc_components(fit->kind) * sizeof *rest_q20);
    constant->track_kind = ENC_TRACK_DEFAULT;
    return holds_throughout(fit, constant->row);
}

static void set_value(enc_constant *constant, const double *value, uint32_t kind)
{
    bool rotation = kind == ENC_ROTATION;
    bool flipped = rotation && value[constant->packing] < 0.0;
    constant->width = rotation ? OSC_CONSTANT_ROTATION_WIDTH - constant->shift : 1u;
    for (uint32_t i = 0; i < enc_components(kind); i++) {
        if (i == constant->packing)
            continue;
        constant->row[i] = enc_quantise(flipped ? -value[i] : value[i], constant->shift);
        uint32_t width = enc_signed_width(constant->row[i] >> constant->shift);
        if (!rotation && width > constant->width)
            constant->width = width;
    }
    if (rotation)
        enc_rebuild(constant->row, constant->packing, false);
    constant->bits = (rotation ? 7u : 10u) + 3u * constant->width;
}

bool enc_track_is_constant(const enc_fit *fit, enc_constant *constant)
{
    double value[4];
    memset(constant, 0, sizeof *constant);
    constant->track_kind = ENC_TRACK_CONSTANT;
    constant->packing = fit->kind == ENC_ROTATION ? 0u : OSC_PACKING_VECTOR;
    enc_centre(fit->target, fit->frame_count, enc_components(fit->kind), value);
    for (uint32_t i = 1; i < 4u && fit->kind == ENC_ROTATION; i++)
        if (fabs(value[i]) > fabs(value[constant->packing]))
            constant->packing = i;
    int shift = 19;
    while (shift > 0 && ldexp(1.0, shift - 20) > 4.0 * fit->slack)
        shift--;
    for (; shift >= 0; shift--) {
        constant->shift = (uint32_t)shift;
        set_value(constant, value, fit->kind);
        if (holds_throughout(fit, constant->row))
            return true;
        if (ldexp(1.0, shift - 20) < fit->slack / 16.0)
            break; /* a coarser or finer step would not help */
    }
    return false;
}

void enc_constant_write(const enc_constant *constant, enc_bit_writer *out)
{
    if (constant->packing != OSC_PACKING_VECTOR)
        enc_bits_put(out, constant->packing, 2u);
    enc_bits_put(out, constant->shift, 5u);
    if (constant->packing == OSC_PACKING_VECTOR)
        enc_bits_put(out, constant->width - 1u, 5u);
    for (uint32_t i = 0; i < (constant->packing == OSC_PACKING_VECTOR ? 3u : 4u); i++)
        if (i != constant->packing)
            enc_bits_put(out, (uint32_t)(constant->row[i] >> constant->shift), constant->width);
}
