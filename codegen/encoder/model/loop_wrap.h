/* Where a loop wraps: behind its last row comes the first. */
#ifndef ENCODER_MODEL_LOOP_WRAP_H
#define ENCODER_MODEL_LOOP_WRAP_H

#include "model/solution.h"

/* The row of a frame of a track, 0 .. frame_count - 1. */
static inline const int32_t *enc_frame_row(const enc_source *source, const enc_track_choice *choice,
                                           uint32_t kind, uint32_t frame)
{
    return enc_choice_row(choice, kind, frame < source->row_count ? frame : 0u);
}

/* The rows of a frame and of the next, behind each other, as the runtime blends them: a turn by 360
 * degrees ends in the negative of the quaternion that it began with. */
void enc_wrap_pair(const enc_source *source, const enc_track_choice *choice, uint32_t kind,
                   uint32_t frame, int32_t pair[8]);

/* Whether the last row of a loop can blend into the first, or need not. Codecs see to all other
 * pairs; coarse steps can stretch this one. */
bool enc_wrap_blends(const enc_source *source, const enc_track_choice *choice, uint32_t kind,
                     uint32_t joint);

/* Whether all neighbours of a track blend, those at the wrap included. */
bool enc_track_blends(const enc_source *source, const enc_track_choice *choice, uint32_t kind,
                      uint32_t joint);

#endif
