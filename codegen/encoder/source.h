/* A source clip, prepared: aligned rotations, breaks, reference matrices. */
#ifndef ENCODER_SOURCE_H
#define ENCODER_SOURCE_H

#include <stdbool.h>

#include "encoder.h"

typedef struct {
    double m[12]; /* 3x4, row major */
} enc_matrix;

struct enc_skeleton {
    uint32_t joint_count;
    int32_t *parents;
    double *bind;                        /* joint_count * 10 */
    int32_t *bind_q20;                   /* joint_count * 10: what the device holds */
    bool bind_scale;                     /* some joint's bind scale is not one */
    int32_t *first_child, *next_sibling; /* per joint; -1: none */

    /* Every joint with all that hang below it, in one piece and parents first: the subtree of
     * joint j is preorder[place[j]] (j itself) and the subtree_size[j] - 1 joints behind it. */
    uint32_t *preorder, *place, *subtree_size;
};

#define ENC_ALL_STILL ((1u << ENC_KINDS) - 1u)

/* Samples are the positions at which the error is judged: frame f is sample 2f, the midpoint
 * behind it sample 2f + 1. */
typedef struct {
    const enc_skeleton *skeleton;
    uint32_t frame_count, sample_count;
    uint32_t row_count; /* frames that are coded: without the last one of a loop */
    bool loop;          /* the first row is the last frame, too, and stands half way between */
    double *tracks[ENC_KINDS]; /* [joint][frame][4 or 3]; rotations unit, neighbours aligned */
    uint8_t *breaks;           /* [kind][joint][frame]: the track jumps at this frame */
    enc_matrix *model;         /* [joint][sample]: the reference */
    double *turn;              /* [joint][frame][4]: model rotations where no scale is above */
    uint8_t *still;            /* [joint]: bits 1 << kind of the tracks that do not move */
    uint8_t *moves;            /* [joint]: it moves, or something below it does */
    double *reach;             /* per joint: farthest that a descendant's shell gets from it */
    enc_matrix *seam;          /* per joint: half way between first and last frame; loops only */
    double *seam_m;            /* per joint: how far either of them is from it, shell included */
} enc_source;

static inline uint32_t enc_components(uint32_t kind)
{
    return kind == ENC_ROTATION ? 4u : 3u;
}

/* Where a kind begins in a transform of ten numbers. */
static inline uint32_t enc_first(uint32_t kind)
{
    return kind == ENC_ROTATION ? 0u : kind == ENC_TRANSLATION ? 4u : 7u;
}

static inline const double *enc_track(const enc_source *source, uint32_t kind, uint32_t joint)
{
    return source->tracks[kind] + (size_t)joint * source->frame_count * enc_components(kind);
}

static inline const uint8_t *enc_breaks(const enc_source *source, uint32_t kind, uint32_t joint)
{
    uint32_t joints = source->skeleton->joint_count;
    return source->breaks + ((size_t)kind * joints + joint) * source->frame_count;
}

/* The source value of a track half way between `frame` and the next: the shortest-path normalised
 * mean, or the left value where the track breaks at the next frame. */
void enc_source_midpoint(const enc_source *source, uint32_t kind, uint32_t joint, uint32_t frame,
                         double *out);

/* loop: of a single frame none is made. */
int32_t enc_source_prepare(enc_source *source, const enc_skeleton *skeleton, uint32_t frame_count,
                           const double *frames, const uint8_t *steps, bool loop, double shell_m,
                           enc_report *report);
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

/* The largest squared distance between the shell points of two joints. */
double enc_shell_error2(const enc_matrix *a, const enc_matrix *b, double shell_m);

#endif
