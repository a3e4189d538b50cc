/* An encoded clip: all that a bank takes over, whatever the other clips of the bank are. */
#ifndef ENCODER_BANK_CLIP_H
#define ENCODER_BANK_CLIP_H

#include "model/solution.h"

struct enc_clip {
    enc_source source; /* to verify the finished bank against */
    enc_options options;
    double *joint_tolerance_m; /* the options' arrays */
    uint8_t *pinned;
    enc_scheme scheme;
    enc_report report;
    const enc_codec *codec;
    enc_solution solution;
};

static inline const enc_track_choice *enc_clip_track(const enc_clip *clip, uint32_t joint,
                                                     uint32_t kind)
{
    return &clip->solution.tracks[joint * ENC_KINDS + kind];
}

static inline bool enc_clip_track_breaks(const enc_clip *clip, uint32_t joint, uint32_t kind,
                                         uint32_t frame)
{
    return enc_clip_track(clip, joint, kind)->coded != NULL &&
           enc_breaks(&clip->source, kind, joint)[frame] != 0;
}

/* Every track in subtrack order: all rotations, all translations, all scales. */
#define ENC_FOR_EACH_TRACK(joint_count, joint, kind)                                               \
    for (uint32_t kind = 0; kind < ENC_KINDS; kind++)                                              \
        for (uint32_t joint = 0; joint < (joint_count); joint++)

#endif
