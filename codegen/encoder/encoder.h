/* The encoder: source clips to a bank that holds the tolerance, measured through the runtime.
 *
 * Host only. Python reads this header (codegen/ossicle/encode/library.py) without a preprocessor: types
 * and sizes do not depend on macros, and a directive is one line.
 * Joints are parents first. A transform is ten doubles: rotation x y z w, translation in metres,
 * scale. Results depend on the input alone: no random source, no clock, and of floating point only
 * the operations that IEEE 754 rounds exactly (+ - * / sqrt).
 */
#ifndef OSSICLE_ENCODER_H
#define OSSICLE_ENCODER_H

#include <float.h>
#include <stddef.h>
#include <stdint.h>

#if FLT_EVAL_METHOD != 0 || defined(__FAST_MATH__)
#error "the encoder needs doubles that are rounded after every operation: -msse2, no -ffast-math"
#endif

enum {
    ENC_OK = 0,
    ENC_ERROR_MEMORY = -1,    /* the host ran out of memory */
    ENC_ERROR_RANGE = -2,     /* a value does not fit Q20; see enc_report */
    ENC_ERROR_TOLERANCE = -3, /* the finest steps are not fine enough; see enc_report */
    ENC_ERROR_LOOP = -4,      /* the clip was to loop, but its ends differ; see enc_report */
    ENC_ERROR_TOO_LARGE = -5, /* a count is beyond what the bank format can hold */
    ENC_ERROR_INTERNAL = -6   /* the bank does not play as it was measured: a bug */
};

enum { ENC_ROTATION, ENC_TRANSLATION, ENC_SCALE, ENC_KINDS };

/* How the velocity codec writes its keys: as is smallest; or as published, with one range for all
 * differences of a track, and velocities of 32 bits; or such velocities alone, to compare with. */
typedef enum { ENC_KEYS_SMALLEST, ENC_KEYS_PUBLISHED, ENC_KEYS_FULL } enc_keys;

/* The published formats of a key, as the sparse and the dense codec write them. BEST: for each
 * track the smallest that is good enough of the formats of Unreal. */
typedef enum {
    ENC_FORMAT_FLOAT128,     /* four singles; vectors as FLOAT96 */
    ENC_FORMAT_FLOAT96,      /* three singles */
    ENC_FORMAT_FIXED48,      /* 16-16-16; vectors in +-128 m */
    ENC_FORMAT_RANGED48,     /* 16-16-16 in the track's range */
    ENC_FORMAT_RANGED32,     /* 11-11-10 in the track's range */
    ENC_FORMAT_FIXED32,      /* 11-11-10 */
    ENC_FORMAT_SMALL_FLOAT,  /* 11-11-10 singles of three bits of exponent */
    ENC_FORMAT_SMALLEST48,   /* 15-15-15 without the largest component */
    ENC_FORMAT_HALF_ANGLE48, /* 16-16-16, v / (1 + w) */
    ENC_FORMAT_FIXED20M,     /* vectors: 16-16-16 in a range of 20 m around zero */
    ENC_FORMAT_NONE,         /* no bits: rotation and translation none, scale one */
    ENC_FORMAT_VARIABLE,     /* dense: a rate and a range in every segment */
    ENC_FORMAT_BEST
} enc_format;

/* How keys of a sparse or dense clip are chosen. */
typedef enum {
    ENC_REDUCE_NONE,   /* every frame of the source, or every period-th */
    ENC_REDUCE_INSERT, /* begin with the ends, put a key into the middle of the worst section */
    ENC_REDUCE_REMOVE  /* go through all keys, leave out those that their neighbours give */
} enc_reduction;

/* How the tracks of a clip share its tolerance. */
typedef enum {
    ENC_MARGIN_EVEN,  /* the same threshold for all */
    ENC_MARGIN_DEPTH, /* less for joints that others hang on: by the longest chain below them */
    ENC_MARGIN_LEAF_FIRST, /* of variable rates: two phases, the root as it is in the first, */
    ENC_MARGIN_ROOT_FIRST, /* then from the leaves up or from the root down; */
    ENC_MARGIN_CLIP,       /* or the same rate for all tracks that move, in all segments, */
    ENC_MARGIN_KIND        /* or one for rotations, one for translations, one for scales */
} enc_margin;

/* A published scheme: what codecs sparse and dense write (codegen/ossicle/encode/presets.py has them all).
 */
typedef struct {
    uint32_t rotations, vectors; /* enc_format */
    uint32_t basis;              /* OSC_SPARSE_*, of tracks that have keys of their own */
    uint32_t reduction;          /* enc_reduction */
    uint32_t margin;             /* enc_margin */
    uint32_t period;             /* dense: frames from key to key */
    uint32_t time_bits;          /* of a key's time; 0: 8 up to 256 frames, else 16 */
    uint32_t tag_bits;           /* that go with a key, */
    uint32_t component_tag_bits; /* and with each component of it */
    uint32_t mix;                /* non-zero: a track that is smaller so has a key on every frame */
    uint32_t fixed; /* non-zero: nothing is fitted to the tolerance, what comes of it is measured */
    uint32_t tiers; /* dense: into so many the keys that matter least move, 0..ENC_TIERS */
} enc_scheme;

enum { ENC_TIERS = 2 };

typedef enum { ENC_EFFORT_FAST, ENC_EFFORT_DEFAULT, ENC_EFFORT_MAX } enc_effort;

/* Which points of a joint's shell are measured. */
typedef enum {
    ENC_POINTS_AXES,  /* three: where the joint's axes meet the shell */
    ENC_POINTS_SPHERE /* all of them */
} enc_points;

typedef struct {
    double distance_m; /* of the points from the joint */
    uint32_t points;   /* enc_points */
} enc_shell;

typedef struct {
    double tolerance_m;    /* largest shell error allowed, in metres */
    enc_shell shell;       /* where it is measured */
    uint32_t restart_log2; /* 2^n frames between restart points; 31: only the first */
    uint32_t effort;       /* enc_effort */
    uint32_t codecs;       /* the bits 1 << OSC_CODEC_* of those to choose from */

    /* Per joint, or null: tolerances instead of tolerance_m, in metres; and non-zero for joints
     * that are pinned: placed by their own translation as exactly as their tolerance asks, while
     * the joints above need not be any better for it. */
    const double *joint_tolerance_m;
    const uint8_t *pinned;

    /* Non-zero: no joint makes up for the errors of others, and every chain of joints keeps the
     * tolerances by itself, under an exact pose of what is above it. For clips that are masked or
     * blended. */
    uint32_t layer;

    uint32_t keys; /* enc_keys */

    const enc_scheme
        *scheme; /* of the codecs sparse and dense, which no other search uses; or null */
} enc_options;

/* The outcome of a clip, or where it failed. */
typedef struct {
    double error_m; /* largest shell error: frames, midpoints and probes */
    double frame;   /* where: a frame, or a position between two, such as a midpoint, n + 0.5 */
    double value;   /* on ENC_ERROR_RANGE: the value that does not fit */
    int32_t joint;  /* where */
    uint32_t kind;  /* on ENC_ERROR_RANGE: ENC_ROTATION .. ENC_SCALE */
    uint32_t default_tracks, constant_tracks, animated_tracks;
    uint32_t breaks;
    uint32_t codec;        /* OSC_CODEC_*, the one chosen */
    double pinned_error_m; /* largest error of the pinned joints */
    int32_t pinned_joint;  /* where, or -1 */

    /* Of layers: the largest error of a chain that begins below the roots; on ENC_ERROR_LOOP the
     * gap between its ends, where there is a chain_joint. */
    double chain_error_m, chain_frame;
    int32_t chain_start, chain_joint; /* its first joint, and where; or -1 */

    /* The error that comes nearest to its own joint's tolerance, or exceeds it most, and where;
     * tight_start: of layers the first joint of the chain, -1 where that begins at a root. On
     * ENC_ERROR_TOLERANCE the tolerance itself for a joint that a codec cannot follow. */
    double tight_error_m, tight_frame;
    int32_t tight_start, tight_joint;

    /* Largest error of the whole for either choice of points. */
    double axes_error_m, sphere_error_m;

    uint32_t tiers;                 /* into which keys moved, */
    double tier_error_m[ENC_TIERS]; /* and the largest error with the first 0, 1 of them alone */
} enc_report;

typedef struct enc_skeleton enc_skeleton;
typedef struct enc_clip enc_clip;

/* joint_count: 1..1024; parents[j] < j or -1; bind: joint_count transforms. Null: no memory. */
enc_skeleton *enc_skeleton_new(uint32_t joint_count, const int32_t *parents, const double *bind);
void enc_skeleton_free(enc_skeleton *skeleton);

/* A source at positions of its own, such as keys between frames. A track that jumps at the frame
 * after a position holds its value until then, as in playback. */
typedef struct {
    uint32_t count;
    const uint32_t *positions_q11; /* in frames, Q11: at most (frame_count - 1) * 2048 */
    const double *transforms;      /* count * joint_count */
} enc_probes;

/* A clip to encode. */
typedef struct {
    uint32_t frame_count;
    int32_t loop;          /* non-zero: the last frame is to be the first, which it has to equal
                            * within the tolerance */
    const double *frames;  /* frame_count * joint_count transforms, rotations of unit length */
    const uint8_t *steps;  /* frame_count * joint_count * 3 bytes, non-zero where that track jumps
                            * at that frame */
    const double *middles; /* (frame_count - 1) * joint_count transforms: the source half way
                            * between frames. May be null: then it is the shortest-path mean. */
    enc_probes probes;     /* the tolerance has to hold there, too */
} enc_input;

/* Encodes one clip; may run in several threads at once on one skeleton, which must outlive it. On
 * ENC_OK *out is the encoded clip; `report` is filled in any case. */
int32_t enc_clip_encode(const enc_skeleton *skeleton, const enc_input *input,
                        const enc_options *options, enc_clip **out, enc_report *report);
void enc_clip_free(enc_clip *clip);

/* How far the shell of any joint moves from each frame to the next, in metres: frame_count - 1
 * numbers. frames: frame_count * joint_count transforms. */
int32_t enc_travel(const enc_skeleton *skeleton, uint32_t frame_count, const double *frames,
                   const enc_shell *shell, double *travel_m);

/* Measures how far the frames, blended exactly, are from the source half way between them and at
 * the probes, which encoding cannot change. The report has the errors. */
int32_t enc_resampling_error(const enc_skeleton *skeleton, const enc_input *input,
                             const enc_options *options, enc_report *report);

/* Measures an encoded clip at more positions of its source: the shell error, in metres, that is
 * largest relative to its joint's tolerance, with its joint and probe. Without a tolerance, the
 * largest error. */
int32_t enc_clip_probe(const enc_clip *clip, const enc_probes *probes, double *error_m,
                       uint32_t *joint, uint32_t *probe);

/* The breaks of an encoded clip as (frame, joint, kind) triples, ascending. Returns their number;
 * writes at most `capacity` triples. */
uint32_t enc_clip_breaks(const enc_clip *clip, uint32_t *triples, uint32_t capacity);

typedef struct {
    uint32_t name_hash;
    uint32_t rate_q16;
    uint32_t position_per_us_q32;
} enc_clip_entry;

/* Writes the bank of these clips: *out holds *out_words words to be freed with enc_words_free, in
 * the host's byte order. The clips may have 64 different rates. names and skin: the bodies of the
 * NAME and SKIN sections, names_words and skin_words words, or null. */
int32_t enc_bank_write(const enc_skeleton *skeleton, uint32_t clip_count,
                       const enc_clip *const *clips, const enc_clip_entry *entries,
                       const uint32_t *names, uint32_t names_words, const uint32_t *skin,
                       uint32_t skin_words, uint32_t **out, uint32_t *out_words);
void enc_words_free(uint32_t *words);

/* Plays the clips of a finished bank through the runtime and measures them against their sources
 * once more: ENC_OK when every error is exactly what enc_clip_encode reported, ENC_ERROR_INTERNAL
 * when clip *verified is the first that differs. */
int32_t enc_bank_verify(const uint32_t *words, uint32_t word_count, uint32_t clip_count,
                        const enc_clip *const *clips, uint32_t *verified);

/* Plays a clip of any bank through the runtime: local transforms at every frame, or with midpoints
 * non-zero at 2F - 1 positions. out: joint_count * 10 floats a position; null asks for the number
 * of positions only. Returns it, or a negative OSC_ERROR_*. */
int32_t enc_bank_decode(const uint32_t *words, uint32_t word_count, uint32_t clip_index,
                        int32_t midpoints, float *out);

/* The runtime's verdict on a bank: OSC_OK or OSC_ERROR_*; counts as in osc_bank. */
int32_t enc_bank_check(const uint32_t *words, uint32_t word_count, uint32_t *player_words);

#endif
