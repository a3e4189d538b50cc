#include "model/constant_track.h"

#include <math.h>
#include <string.h>

#include "base/quantise.h"
#include "osc_format.h"

static bool holds_throughout(const enc_fit *fit, const int32_t *row)
{
    for (uint32_t f = 0; f < fit->frame_count; f++)
        if (!fit->holds(fit->context, f, row))
            return false;
    return true;
}

bool enc_still_default(const enc_fit *fit, const int32_t *bind_q20, enc_still *still)
{
    memset(still, 0, sizeof *still);
    memcpy(still->row, bind_q20, enc_components(fit->kind) * sizeof *bind_q20);
    still->track_kind = ENC_TRACK_DEFAULT;
    return holds_throughout(fit, still->row);
}

static void set_value(enc_still *still, const double *value, uint32_t kind)
{
    bool rotation = kind == ENC_ROTATION;
    bool flipped = rotation && value[still->chart] < 0.0;
    still->width = rotation ? OSC_CONSTANT_ROTATION_WIDTH - still->shift : 1u;
    for (uint32_t i = 0; i < enc_components(kind); i++) {
        if (i == still->chart)
            continue;
        still->row[i] = enc_quantise(flipped ? -value[i] : value[i], still->shift);
        uint32_t width = enc_signed_width(still->row[i] >> still->shift);
        if (!rotation && width > still->width)
            still->width = width;
    }
    if (rotation)
        enc_rebuild(still->row, still->chart, false);
    still->bits = (rotation ? 7u : 10u) + 3u * still->width;
}

bool enc_still_constant(const enc_fit *fit, enc_still *still)
{
    double value[4];
    memset(still, 0, sizeof *still);
    still->track_kind = ENC_TRACK_CONSTANT;
    still->chart = fit->kind == ENC_ROTATION ? 0u : OSC_CHART_VECTOR;
    enc_centre(fit->target, fit->frame_count, enc_components(fit->kind), value);
    for (uint32_t i = 1; i < 4u && fit->kind == ENC_ROTATION; i++)
        if (fabs(value[i]) > fabs(value[still->chart]))
            still->chart = i;
    int shift = 19;
    while (shift > 0 && ldexp(1.0, shift - 20) > 4.0 * fit->slack)
        shift--;
    for (; shift >= 0; shift--) {
        still->shift = (uint32_t)shift;
        set_value(still, value, fit->kind);
        if (holds_throughout(fit, still->row))
            return true;
        if (ldexp(1.0, shift - 20) < fit->slack / 16.0)
            break; /* it is not the step that is too coarse */
    }
    return false;
}

void enc_still_write(const enc_still *still, enc_bit_writer *out)
{
    if (still->chart != OSC_CHART_VECTOR)
        enc_bits_put(out, still->chart, 2u);
    enc_bits_put(out, still->shift, 5u);
    if (still->chart == OSC_CHART_VECTOR)
        enc_bits_put(out, still->width - 1u, 5u);
    for (uint32_t i = 0; i < (still->chart == OSC_CHART_VECTOR ? 3u : 4u); i++)
        if (i != still->chart)
            enc_bits_put(out, (uint32_t)(still->row[i] >> still->shift), still->width);
}
