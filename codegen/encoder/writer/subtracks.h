/* The sub-tracks of a bank: the tracks that leave the bind pose in at least one version of a clip,
 * and with mirror images those that leave it in one of these. */
#ifndef ENCODER_WRITER_SUBTRACKS_H
#define ENCODER_WRITER_SUBTRACKS_H

#include "writer/clip.h"

typedef struct {
    uint32_t joints;
    uint16_t *number; /* [joint * ENC_KINDS + kind]: number of the sub-track, or ENC_NO_SUBTRACK */
    uint32_t count;
    bool has_scale;
    uint32_t max_held; /* the most of them that break at one frame */
    enc_base_row base; /* of the bank; see base_row.h */
} enc_subtracks;

#define ENC_NO_SUBTRACK 0xffffu

/* Numbers the sub-tracks of all versions. Returns ENC_OK or ENC_ERROR_MEMORY; to be released in any
 * case. */
int32_t enc_subtracks_number(enc_subtracks *subtracks, const enc_skeleton *skeleton,
                             uint32_t clip_count, const enc_clip *const *clips);
void enc_subtracks_release(enc_subtracks *subtracks);

#endif
