/* An encoded clip: its part of a bank, independent of the bank's other clips. */
#ifndef ENCODER_WRITER_CLIP_H
#define ENCODER_WRITER_CLIP_H

#include "model/solution.h"
#include "published/tiers/plan.h"
#include "solve/search.h"

struct enc_clip {
    enc_input input;   /* the caller's; the finished bank is verified against it */
    enc_source source; /* settled, unless keys can be moved */
    enc_options options;
    double *joint_tolerance_m; /* arrays of the options */
    uint8_t *pinned, *values;
    enc_scheme scheme;
    enc_report report;
    const enc_codec *codec;
    enc_solution solution;
    enc_tried tried;    /* for other codecs */
    enc_tier_plan plan; /* empty for clips that cannot have keys in tiers */
};

/* Creates a clip with its source and options and without a solution, and checks its loop. Returns
 * ENC_OK or an error, with the position in the report. *out goes to enc_clip_end in any case.
 */
int32_t enc_clip_begin(enc_clip **out, const enc_skeleton *skeleton, const enc_input *input,
                       const enc_options *options, enc_report *report);

/* Completes a clip with a measured solution: plans its tiers, and fills in the rest of its report.
 * Returns ENC_ERROR_MEMORY or ENC_OK. */
int32_t enc_clip_conclude(enc_clip *clip);

/* Gives a clip to the caller, or releases it if it failed. Returns the status. */
int32_t enc_clip_end(enc_clip *clip, int32_t status, enc_clip **out);

static inline void enc_report_clear(enc_report *report)
{
    *report = (enc_report){.joint = -1, .chain_joint = -1, .tight_joint = -1};
}

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

/* Visits every track in the order of sub-tracks: rotations, translations, scales. */
#define ENC_FOR_EACH_TRACK(joint_count, joint, kind)                                               \
    for (uint32_t kind = 0; kind < ENC_KINDS; kind++)                                              \
        for (uint32_t joint = 0; joint < (joint_count); joint++)

#endif
