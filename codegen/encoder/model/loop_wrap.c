#include "model/loop_wrap.h"

#include <string.h>

#include "arithmetic/osc_quaternion.h"
#include "base/quantise.h"

void enc_wrap_pair(const enc_source *source, const enc_track_choice *choice, uint32_t kind,
                   uint32_t frame, int32_t pair[8])
{
    uint32_t components = enc_components(kind);
    int32_t *right = pair + components;
    memcpy(pair, enc_frame_row(source, choice, kind, frame), components * sizeof *pair);
    memcpy(right, enc_frame_row(source, choice, kind, frame + 1u), components * sizeof *pair);
    if (frame + 1u == source->row_count && kind == ENC_ROTATION &&
        !osc_same_hemisphere(pair, right))
        for (int i = 0; i < 4; i++)
            pair[i] = -pair[i];
}

bool enc_wrap_blends(const enc_source *source, const enc_track_choice *choice, uint32_t kind,
                     uint32_t joint)
{
    static const uint8_t no_breaks[2];
    int32_t pair[8] = {0};
    if (!source->loop || choice->coded == NULL ||
        enc_breaks(source, kind, joint)[source->row_count] != 0)
        return true;
    enc_wrap_pair(source, choice, kind, source->row_count - 1u, pair);
    return enc_steps_blend(pair, enc_components(kind), 2u, no_breaks);
}

bool enc_track_blends(const enc_source *source, const enc_track_choice *choice, uint32_t kind,
                      uint32_t joint)
{
    return choice->coded == NULL ||
           (enc_steps_blend(choice->coded->rows, enc_components(kind), source->row_count,
                            enc_breaks(source, kind, joint)) &&
            enc_wrap_blends(source, choice, kind, joint));
}
