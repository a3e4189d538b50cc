/* A source clip prepared for encoding: aligned rotations, breaks, reference matrices. */
#ifndef ENCODER_MODEL_SOURCE_H
#define ENCODER_MODEL_SOURCE_H

#include <stdbool.h>

#include "base/kinds.h"
#include "base/shell.h"
#include "ossicle.h"

struct enc_skeleton {
    uint32_t joint_count;
    int32_t *parents;
    int32_t *partners;       /* [joint]: which moves instead in mirror images; null without any */
    uint8_t *apart;          /* [joint][kind]: not 0 if the bind pose is elsewhere in these */
    double *bind;            /* [joint] transforms */
    int32_t *bind_q20;       /* [joint][10]: as the device holds them */
    bool bind_scale;         /* the bind scale of some joint is not one */
    enc_joint_space *spaces; /* [joint] */
    int32_t *first_child, *next_sibling; /* [joint]; -1: none */

    /* All joints, parents first and subtrees contiguous: the subtree of joint j begins at
     * preorder[preorder_index[j]], which is j itself, and has subtree_size[j] entries. */
    uint32_t *preorder, *preorder_index, *subtree_size;
};

#define ENC_ALL_CONSTANT ((1u << ENC_KINDS) - 1u)

typedef struct enc_composed enc_composed; /* model/composed.h */

/* A prepared source clip. Samples are the positions at which the error is measured: frame f is
 * sample 2f, the midpoint after it sample 2f + 1; the probes follow. */
typedef struct {
    const enc_skeleton *skeleton;
    uint32_t frame_count;
    uint32_t grid_count, sample_count; /* without and with probes */
    uint32_t row_count;                /* coded frames: a loop's last one is not coded */
    double *over; /* [joint] transforms to which the clip's are added; null: not an additive clip */
    int32_t *rest_q20; /* [joint][10]: rows of the tracks that the clip does not change */
    bool loop; /* the first row also represents the last frame, and is the midpoint between the two
                */
    const double **columns; /* [joint][10]: the input's numbers of the first frame */
    size_t *strides;        /* [joint][10]: from one frame to the next; 0: all are equal */
    double *factors;       /* [joint][frame]: of the input's rotations, which normalise them and put
                              neighbours in one hemisphere */
    uint8_t *breaks;       /* [kind][joint][frame]: the track jumps at this frame */
    const double *middles; /* the input's, at midpoints; null: their means */
    enc_probes probes;     /* the input's */
    enc_composed *models;  /* the reference */
    double *closed; /* [joint][2] transforms: of a loop's first and last frame, once it is closed;
                       null for other clips. The reference has the input's */
    uint8_t *constant; /* [joint]: bits 1 << kind of tracks that do not move */
    bool straight;  /* many frames lie on straight lines between others (rotations: great circles),
                       like those between linear keys */
    uint8_t *moves; /* [joint]: whether it or a descendant moves */
    double *reach;  /* [joint]: largest distance to the shell of a descendant */
    enc_matrix *wrap; /* [joint]: midpoint between first and last frame; loops only */
    double *wrap_m;   /* [joint]: distance of either frame from that, shell included, in metres */
} enc_source;

/* The value of a track at a frame: a unit rotation, neighbours of which are in one hemisphere, or a
 * vector. out: 4 or 3 numbers. */
void enc_source_value(const enc_source *source, uint32_t kind, uint32_t joint, uint32_t frame,
                      double *out);

/* The same in the reference: as it was before a loop was closed. */
void enc_source_open_value(const enc_source *source, uint32_t kind, uint32_t joint, uint32_t frame,
                           double *out);

/* All values of a track: out[frame][4 or 3]. */
void enc_source_values(const enc_source *source, uint32_t kind, uint32_t joint, double *out);

static inline const uint8_t *enc_breaks(const enc_source *source, uint32_t kind, uint32_t joint)
{
    uint32_t joints = source->skeleton->joint_count;
    return source->breaks + ((size_t)kind * joints + joint) * source->frame_count;
}

/* The position of a sample in frames, Q11. */
static inline uint32_t enc_sample_q11(const enc_source *source, uint32_t sample)
{
    return sample < source->grid_count ? sample * (OSC_ONE_Q11 / 2)
                                       : source->probes.positions_q11[sample - source->grid_count];
}

/* The source value of a track at the midpoint between `frame` and the next: the input's or, without
 * one, the shortest-path mean, or the left value if the track breaks at the next frame. */
void enc_source_midpoint(const enc_source *source, uint32_t kind, uint32_t joint, uint32_t frame,
                         double *out);

/* The translation of a joint's local transform in the reference at a sample of the grid. */
void enc_source_place(const enc_source *source, uint32_t joint, uint32_t sample, double *out);

/* The local transform of a joint in the reference at a sample. */
void enc_source_local_at(const enc_source *source, uint32_t joint, uint32_t sample,
                         enc_matrix *out);

/* The same at all samples, which takes less time. */
void enc_source_locals(const enc_source *source, uint32_t joint, enc_matrix *out);

/* The local transform of a joint at a position for which only the input has a value. transform: ten
 * numbers. */
void enc_source_local(const enc_source *source, uint32_t joint, const double *transform,
                      enc_matrix *out);

/* Returns whether a track moves too fast between two values to be blended, even if rows divide the
 * motion into this many equal parts. Rotations: unit, in one hemisphere; half of any rotation can
 * be blended. */
bool enc_moves_too_fast(uint32_t kind, const double *before, const double *here, uint32_t parts);

/* The local transform of a joint between frames, blended exactly. */
void enc_source_blend(const enc_source *source, uint32_t joint, uint32_t position_q11,
                      enc_matrix *out);

/* Prepares a source, for which the arrays of the input stay in use. A clip of one frame never
 * loops. Errors: ENC_ERROR_MEMORY, ENC_ERROR_TOO_LARGE, or ENC_ERROR_RANGE with the position in the
 * report. The source must be released in any case. */
int32_t enc_source_prepare(enc_source *source, const enc_skeleton *skeleton, const enc_input *input,
                           const enc_shell *shell, enc_report *report);
void enc_source_release(enc_source *source);

/* Finds what only solvers need: which tracks and joints move, whether in straight lines, and the
 * reach of joints. Errors: ENC_ERROR_MEMORY. */
int32_t enc_source_study(enc_source *source, const enc_shell *shell);

/* Releases the memory that only the search and its measurements need, which is most of it. */
void enc_source_settle(enc_source *source);

/* The default row of a track: that of the bind pose, or of no difference. */
static inline const int32_t *enc_rest_row(const enc_source *source, uint32_t kind, uint32_t joint)
{
    return source->rest_q20 + joint * 10u + enc_first(kind);
}

/* Adds an additive clip's values of a track to its reference pose; other clips do not change.
 * value: replaced; a rotation of any length. */
void enc_source_add(const enc_source *source, uint32_t kind, uint32_t joint, double *value);

/* The inverse of enc_source_add, for translations and rotations. */
void enc_source_subtract(const enc_source *source, uint32_t kind, uint32_t joint, double *value);

/* The local matrix of a joint: enc_matrix_local of its values, added to the reference pose in an
 * additive clip. */
void enc_source_matrix(const enc_source *source, uint32_t joint, const double *rotation,
                       const double *translation, const double *scale, enc_matrix *out);

/* out = a * b, components x y z w; out may be a or b. */
void enc_quaternion_multiply(const double *a, const double *b, double *out);

/* The largest permitted error of a joint: its tolerance, less what single-precision files may add
 * when another program measures the clip. */
double enc_limit_m(const enc_options *options, uint32_t joint);

#endif
