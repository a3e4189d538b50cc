/* The wrap of a loop, where its first row follows its last one. */
#ifndef ENCODER_MODEL_LOOP_WRAP_H
#define ENCODER_MODEL_LOOP_WRAP_H

#include "model/solution.h"

/* The row of a track at a frame, 0 .. frame_count - 1. */
static inline const int32_t *enc_frame_row(const enc_source *source, const enc_track_choice *choice,
                                           uint32_t kind, uint32_t frame)
{
    return enc_choice_row(choice, kind, frame < source->row_count ? frame : 0u);
}

/* Copies the rows of a frame and of the next one as the runtime blends them: after a turn by 360
 * degrees, the second quaternion is the negative of the one with which the loop began. */
void enc_wrap_pair(const enc_source *source, const enc_track_choice *choice, uint32_t kind,
                   uint32_t frame, int32_t pair[8]);

/* Returns whether the last row of a loop can blend into the first, or does not blend. Codecs take
 * care of all other pairs, but coarse steps can lengthen this one. */
bool enc_wrap_blends(const enc_source *source, const enc_track_choice *choice, uint32_t kind,
                     uint32_t joint);

/* Returns whether all neighbouring rows of a track can blend, including those at the wrap. */
bool enc_track_blends(const enc_source *source, const enc_track_choice *choice, uint32_t kind,
                      uint32_t joint);

#endif
