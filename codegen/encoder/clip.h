/* An encoded clip: all that a bank takes over, whatever the other clips of the bank are. */
#ifndef ENCODER_CLIP_H
#define ENCODER_CLIP_H

#include "bit_writer.h"
#include "source.h"

/* What a clip keeps of one track. */
typedef struct {
    uint32_t lane_kind;   /* OSC_LANE_* */
    uint32_t record;      /* animated: the track record without its gap */
    uint32_t constant_at; /* constant: first bit in `constants` */
    uint32_t constant_bits;
} enc_clip_track;

struct enc_clip {
    enc_source source; /* to verify the finished bank against */
    enc_options options;
    enc_report report;
    bool loop;
    enc_clip_track *tracks; /* [joint * ENC_KINDS + kind] */
    enc_bit_writer constants;
    enc_bit_writer frames; /* all frames, tracks in lane order */
    uint32_t restart_count;
    uint32_t *restarts; /* first bit of each restart point in `frames` */
};

/* Every track in lane order: all rotations, all translations, all scales. */
#define ENC_FOR_EACH_LANE(joint_count, joint, kind)                                                \
    for (uint32_t kind = 0; kind < ENC_KINDS; kind++)                                              \
        for (uint32_t joint = 0; joint < (joint_count); joint++)

#endif
