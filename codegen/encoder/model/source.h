/* A source clip, prepared: aligned rotations, breaks, reference matrices. */
#ifndef ENCODER_MODEL_SOURCE_H
#define ENCODER_MODEL_SOURCE_H

#include <stdbool.h>

#include "base/kinds.h"
#include "base/shell.h"
#include "ossicle.h"

struct enc_skeleton {
    uint32_t joint_count;
    int32_t *parents;
    double *bind;                        /* joint_count * 10 */
    int32_t *bind_q20;                   /* joint_count * 10: what the device holds */
    bool bind_scale;                     /* some joint's bind scale is not one */
    int32_t *first_child, *next_sibling; /* per joint; -1: none */

    /* Every joint with all that hang below it, in one piece and parents first: the subtree of
     * joint j is preorder[preorder_index[j]] (j itself) and the subtree_size[j] - 1 joints behind
     * it. */
    uint32_t *preorder, *preorder_index, *subtree_size;
};

#define ENC_ALL_CONSTANT ((1u << ENC_KINDS) - 1u)

/* Samples are the positions at which the error is judged: frame f is sample 2f, the midpoint after
 * it sample 2f + 1; the source's own positions, the probes, follow. */
typedef struct {
    const enc_skeleton *skeleton;
    uint32_t frame_count;
    uint32_t grid_count, sample_count; /* without and with the probes */
    uint32_t row_count;                /* frames that are coded: without the last one of a loop */
    bool loop; /* the first row is the last frame, too, and stands half way between */
    double *tracks[ENC_KINDS];  /* [joint][frame][4 or 3]; rotations unit, neighbours aligned */
    uint8_t *breaks;            /* [kind][joint][frame]: the track jumps at this frame */
    double *middles[ENC_KINDS]; /* as tracks: half way to the next frame; null: the means */
    uint32_t *probes_q11;       /* [sample - grid_count]: where they are */
    enc_matrix *model;          /* [joint][sample]: the reference */
    double *turn;               /* [joint][frame][4]: model rotations where no scale is above */
    uint8_t *constant;          /* [joint]: bits 1 << kind of the tracks that do not move */
    uint8_t *moves;             /* [joint]: it moves, or something below it does */
    double *reach;              /* per joint: farthest that a descendant's shell gets from it */
    enc_matrix *wrap;           /* per joint: half way between first and last frame; loops only */
    double *wrap_m;             /* per joint: how far either of them is from it, shell included */
} enc_source;

static inline const double *enc_track(const enc_source *source, uint32_t kind, uint32_t joint)
{
    return source->tracks[kind] + (size_t)joint * source->frame_count * enc_components(kind);
}

static inline const uint8_t *enc_breaks(const enc_source *source, uint32_t kind, uint32_t joint)
{
    uint32_t joints = source->skeleton->joint_count;
    return source->breaks + ((size_t)kind * joints + joint) * source->frame_count;
}

/* Where a sample is, in frames. */
static inline uint32_t enc_sample_q11(const enc_source *source, uint32_t sample)
{
    return sample < source->grid_count ? sample * (OSC_ONE_Q11 / 2)
                                       : source->probes_q11[sample - source->grid_count];
}

/* The source value of a track half way between `frame` and the next: what the source says, else the
 * shortest-path mean; the left value where the track breaks at the next frame. */
void enc_source_midpoint(const enc_source *source, uint32_t kind, uint32_t joint, uint32_t frame,
                         double *out);

/* The local transform of a joint at a position that only the input has: `transform`, ten numbers;
 * tracks that break at the next frame hold their left value instead. */
void enc_source_local(const enc_source *source, uint32_t joint, uint32_t position_q11,
                      const double *transform, enc_matrix *out);

/* The local transform of a joint between frames, which are blended exactly. */
void enc_source_blend(const enc_source *source, uint32_t joint, uint32_t position_q11,
                      enc_matrix *out);

/* A clip of a single frame is no loop, whatever the input says. */
int32_t enc_source_prepare(enc_source *source, const enc_skeleton *skeleton, const enc_input *input,
                           const enc_shell *shell, enc_report *report);
void enc_source_release(enc_source *source);

/* local: T * R * S from a rotation of any length, a translation and a scale. */
void enc_matrix_local(const double *rotation, const double *translation, const double *scale,
                      enc_matrix *out);

/* out = parent * local, which is neither of them. */
void enc_matrix_multiply(const enc_matrix *restrict parent, const enc_matrix *restrict local,
                         enc_matrix *restrict out);

/* out = a * b, x y z w; it may be one of them. */
void enc_quaternion_multiply(const double *a, const double *b, double *out);

/* What the error of a joint may be: its tolerance, less what a judge loses who reads the clip from
 * single precision files. */
double enc_limit_m(const enc_options *options, uint32_t joint);

#endif
