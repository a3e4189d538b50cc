/* The encoder's public interface: encodes source clips into a bank that keeps a tolerance, which is
 * measured by playing the bank through the runtime.
 *
 * Host only. Python reads this header (codegen/ossicle/base/encoder_library.py) without a
 * preprocessor: types and sizes do not depend on macros, and a directive is one line.
 *
 * Parents precede their children in the order of joints. A transform is ten doubles: rotation x y z
 * w, translation x y z in metres, scale x y z. Arrays of transforms are [frame][joint] unless
 * stated otherwise.
 *
 * Functions that return int32_t return ENC_OK or an ENC_ERROR_* unless stated otherwise.
 *
 * Results depend on the input alone: the encoder uses no random source and no clock, and of
 * floating-point operations only those that IEEE 754 rounds exactly (+ - * / sqrt). */
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
    ENC_ERROR_RANGE = -2,     /* a value does not fit Q20; see the report */
    ENC_ERROR_TOLERANCE = -3, /* the finest steps are too coarse; see the report */
    ENC_ERROR_LOOP = -4,      /* the ends of a loop differ; see the report */
    ENC_ERROR_TOO_LARGE = -5, /* a count exceeds the bank format */
    ENC_ERROR_INTERNAL = -6,  /* the bank does not play as measured: a bug */
    ENC_ERROR_WORDS = -7      /* the words do not belong to such a clip */
};

enum { ENC_ROTATION, ENC_TRANSLATION, ENC_SCALE, ENC_KINDS };

/* The form in which the velocity codec writes its keys: in the smallest form; as published, with
 * one range for all differences of a track and velocities of 32 bits; or, for comparison, with such
 * velocities only. */
typedef enum { ENC_KEYS_SMALLEST, ENC_KEYS_PUBLISHED, ENC_KEYS_FULL } enc_keys;

/* The published key formats, which the sparse and the dense codec write. BEST chooses, for each
 * track, the smallest of Unreal's formats that is good enough. */
typedef enum {
    ENC_FORMAT_FLOAT128,     /* four singles; vectors as FLOAT96 */
    ENC_FORMAT_FLOAT96,      /* three singles */
    ENC_FORMAT_FIXED48,      /* 16-16-16; vectors in +-128 m */
    ENC_FORMAT_RANGED48,     /* 16-16-16 in the track's range */
    ENC_FORMAT_RANGED32,     /* 11-11-10 in the track's range */
    ENC_FORMAT_FIXED32,      /* 11-11-10 */
    ENC_FORMAT_SMALL_FLOAT,  /* 11-11-10 floats with exponents of three bits */
    ENC_FORMAT_SMALLEST48,   /* 15-15-15, the largest component dropped */
    ENC_FORMAT_HALF_ANGLE48, /* 16-16-16, v / (1 + w) */
    ENC_FORMAT_FIXED20M,     /* vectors: 16-16-16 in +-10 m */
    ENC_FORMAT_NONE,         /* no bits: identity rotation, no translation, scale one */
    ENC_FORMAT_VARIABLE,     /* dense: every segment has its own rate and range */
    ENC_FORMAT_BEST
} enc_format;

/* The choice of the keys of a sparse or dense clip. */
typedef enum {
    ENC_REDUCE_NONE,   /* all frames of the source, or every period-th */
    ENC_REDUCE_INSERT, /* start with both ends, then insert a key in the middle of the worst section
                        */
    ENC_REDUCE_REMOVE  /* start with all keys, then remove those that their neighbours reproduce */
} enc_reduction;

/* The division of a clip's tolerance among its tracks. */
typedef enum {
    ENC_MARGIN_EVEN,  /* the same threshold for all tracks */
    ENC_MARGIN_DEPTH, /* smaller for joints that carry others, by the longest chain below them */
    ENC_MARGIN_LEAF_FIRST, /* variable rates: two phases, the root as it was in the first, then */
    ENC_MARGIN_ROOT_FIRST, /* from the leaves up, or from the root down */
    ENC_MARGIN_CLIP,       /* variable rates: one rate for all moving tracks in all segments */
    ENC_MARGIN_KIND        /* variable rates: one rate each for rotations, translations, scales */
} enc_margin;

enum { ENC_TIERS = 4 }; /* in addition to the base */

/* A published scheme: the settings of the codecs sparse and dense.
 * codegen/ossicle/encoding/presets.py lists all schemes. */
typedef struct {
    uint32_t rotations, vectors; /* enc_format */
    uint32_t basis;              /* OSC_SPARSE_*, for tracks with keys of their own */
    uint32_t reduction;          /* enc_reduction */
    uint32_t margin;             /* enc_margin */
    uint32_t period;             /* dense: frames from one key to the next */
    uint32_t time_bits;          /* bits of a key's time; 0: 8 up to 256 frames, else 16 */
    uint32_t tag_bits;           /* bits of the tag of a key */
    uint32_t component_tag_bits; /* and of the tag of each of its components */
    uint32_t mix;                /* non-zero: a track has a key on every frame if that is smaller */
    uint32_t fixed; /* non-zero: nothing is fitted to the tolerance; the error is measured and
                       reported */
    uint32_t tiers; /* dense: number of tiers for the least important keys, 0..ENC_TIERS */
    double tier_m[ENC_TIERS]; /* metres: the errors permitted with the first 0, 1, .. tiers alone;
                                 0: 32 tolerances, and 8 without the last tier */
} enc_scheme;

typedef enum { ENC_EFFORT_FAST, ENC_EFFORT_DEFAULT, ENC_EFFORT_MAX } enc_effort;

/* The points of a joint's shell at which its error is measured. */
typedef enum {
    ENC_POINTS_AXES,  /* the three points where the joint's axes meet the shell */
    ENC_POINTS_SPHERE /* all points of the shell */
} enc_points;

typedef struct {
    double distance_m; /* distance of the points from the joint */
    uint32_t points;   /* enc_points */
} enc_shell;

typedef struct enc_clip enc_clip;

typedef struct {
    double tolerance_m;    /* largest permitted shell error */
    enc_shell shell;       /* where the error is measured */
    uint32_t restart_log2; /* 2^n frames between restart points; 31: the first frame only */
    uint32_t effort;       /* enc_effort */
    uint32_t codecs;       /* bits 1 << OSC_CODEC_* of the codecs to choose from */

    /* [joint], each may be null: tolerances in metres that replace tolerance_m; non-zero for pinned
     * joints. A pinned joint's own translation places it within its tolerance, so that the joints
     * above need not be more accurate for it. */
    const double *joint_tolerance_m;
    const uint8_t *pinned;

    /* [joint], may be null: non-zero for roots whose translations are values (curves), not
     * positions. They keep their tolerances, but the largest errors of reports exclude them:
     * error_m, axes_error_m, sphere_error_m and tier_error_m. */
    const uint8_t *values;

    /* Non-zero: no joint compensates for the errors of others, and every chain of joints keeps the
     * tolerance alone, under an exact pose of the joints above it. For clips that are masked or
     * blended. */
    uint32_t layer;

    uint32_t keys; /* enc_keys */

    /* The bits that a word of a player's state counts as where the curve codec codes a track with
     * sparse keys or with one on every frame; at most 2^16. */
    uint32_t state_bits;

    /* For the codecs sparse and dense, which only a scheme selects; may be null. */
    const enc_scheme *scheme;

    /* A clip that was encoded of the same input with the same options, but other `codecs` and
     * `state_bits`, which saves time and changes nothing else; may be null. */
    const enc_clip *like;
} enc_options;

/* The result of encoding a clip, or where it failed. Joint numbers are -1 if there is none. */
typedef struct {
    double error_m; /* largest shell error at frames, midpoints and probes */
    double frame;   /* its position; between frames with a fraction, at midpoints n + 0.5 */
    double value;   /* on ENC_ERROR_RANGE: the value that does not fit */
    int32_t joint;  /* its joint */
    uint32_t kind;  /* on ENC_ERROR_RANGE: ENC_ROTATION .. ENC_SCALE */
    uint32_t default_tracks, constant_tracks, animated_tracks;
    uint32_t breaks;
    uint32_t codec;        /* OSC_CODEC_* of the chosen codec */
    double pinned_error_m; /* largest error of the pinned joints */
    int32_t pinned_joint;  /* its joint, or -1 */

    /* Layers: the largest error of a chain that begins below the roots. On ENC_ERROR_LOOP with a
     * chain_joint: the gap between the chain's ends. */
    double chain_error_m, chain_frame;
    int32_t chain_start, chain_joint; /* first joint of that chain; joint of the error; or -1 */

    /* The error that is largest relative to its joint's tolerance. tight_start: for layers the
     * first joint of the chain, or -1 if that is a root. On ENC_ERROR_TOLERANCE, tight_error_m is
     * the tolerance if a codec cannot follow tight_joint. */
    double tight_error_m, tight_frame;
    int32_t tight_start, tight_joint;

    /* Largest error of the full body, measured on either choice of points. */
    double axes_error_m, sphere_error_m;

    uint32_t tiers;                 /* number of tiers that hold keys */
    double tier_error_m[ENC_TIERS]; /* largest error with the first 0, 1, .. tiers alone */
} enc_report;

typedef struct enc_skeleton enc_skeleton;

/* Creates a skeleton; null without memory. joint_count: 1..1024; parents[j]: below j, or -1 for a
 * root; bind: [joint_count] transforms. */
enc_skeleton *enc_skeleton_new(uint32_t joint_count, const int32_t *parents, const double *bind);
void enc_skeleton_free(enc_skeleton *skeleton);

/* States which joint moves instead of each in mirror images, for banks with some, and which tracks
 * of the bind pose are elsewhere in its mirror image: they get sub-tracks, too, so that transitions
 * and blends move them. Called at most once for a skeleton.
 * partners: [joint_count]; apart: [joint_count][3], not 0 for such a rotation, translation or
 * scale. Returns ENC_OK or ENC_ERROR_MEMORY. */
int32_t enc_skeleton_mirror(enc_skeleton *skeleton, const int32_t *partners, const uint8_t *apart);

/* Copies the bind pose as a bank holds it. bind_q20: [joint_count][10]. Returns whether the scale
 * of any joint differs from one. */
int32_t enc_skeleton_bind(const enc_skeleton *skeleton, int32_t *bind_q20);

/* Further positions of the source, such as keys between frames. */
typedef struct {
    uint32_t count;
    const uint32_t *positions_q11; /* [count], in frames, Q11: at most (frame_count - 1) * 2048 */
    const double *transforms;      /* [count][joint] */
} enc_probes;

/* A clip to encode. */
typedef struct {
    uint32_t frame_count;
    int32_t loop; /* non-zero: the last frame becomes the first, which it must equal within the
                     tolerance */
    const double *frames; /* [frame_count][joint], unit rotations; null if there are columns */

    /* The same by number, [joint][10]: a column of all frames, or a single number if all are equal,
     * which takes less than half of the memory for a long clip. varies: non-zero for columns. */
    const double *const *columns;
    const uint8_t *varies;

    const uint8_t *steps;  /* [frame_count][joint][3]: non-zero if that track jumps there */
    const double *middles; /* [frame_count - 1][joint]: the source at midpoints. Null: the mean by
                              the shortest path, or the previous frame if the track jumps or moves
                              too fast to be blended */
    enc_probes probes;     /* further positions at which the tolerance must hold */
    const double *over;    /* [joint]: the pose to which the clip is added. Its transforms are then
                              differences: a pose has the rotation over * difference, the
                              translation over + difference, the scale over * difference, and the
                              error is that of the pose. Null: they are poses */
    const uint8_t *kept;   /* [frame_count]: non-zero where keys of the codec dense never move to a
                              tier; null: only at the ends of blocks */
} enc_input;

/* Encodes one clip and measures it.
 *
 * *out: the encoded clip, or null on errors; to be released with enc_clip_free. *report: filled in
 * any case. Several threads may encode with the same skeleton. It must outlive the clips, and so
 * must the arrays of the input, against which finished banks are verified. */
int32_t enc_clip_encode(const enc_skeleton *skeleton, const enc_input *input,
                        const enc_options *options, enc_clip **out, enc_report *report);
void enc_clip_free(enc_clip *clip);

/* Lets the threads of this process share freed memory, of which glibc keeps some for each thread.
 * threads: how many encode at once; a call before they begin suffices. */
void enc_share_memory(uint32_t threads);

/* Saves an encoded clip as words, from which enc_clip_load restores it without encoding: for
 * caches, and for machines that share the work. Save a clip before its keys are moved. *out:
 * *out_words words, to be released with enc_words_free. Their meaning is private and changes with
 * every version of the encoder. Errors: ENC_ERROR_MEMORY. */
int32_t enc_clip_save(const enc_clip *clip, uint32_t **out, uint32_t *out_words);

typedef struct {
    const uint32_t *words;
    uint32_t word_count;
} enc_saved_clip;

/* Restores a clip from the words that enc_clip_save wrote for the same skeleton, input and options.
 * The words are untrusted: any words either give a clip that the runtime plays within the limits
 * that enc_clip_encode keeps, measured here, or ENC_ERROR_WORDS. Takes as long as enc_clip_encode
 * without its search. Other errors: those of enc_clip_encode. */
int32_t enc_clip_load(const enc_skeleton *skeleton, const enc_input *input,
                      const enc_options *options, const enc_saved_clip *saved, enc_clip **out,
                      enc_report *report);

/* Moves the keys of a clip whose scheme has tiers into `tiers` tiers, 1 .. ENC_TIERS, so that with
 * only the first t of them no joint is off by more than error_m[t] metres, in proportion more or
 * less for joints with tolerances of their own. error_m: [tiers], descending. Fewer keys move if
 * the measured error requires it. *report: the clip's, with the errors without later tiers. Clips
 * without movable keys do not change. */
int32_t enc_clip_move_keys(enc_clip *clip, uint32_t tiers, const double *error_m,
                           enc_report *report);

/* Estimates the bits of keys and their positions in the clip and in every tier after
 * enc_clip_move_keys with these errors. Fast; changes nothing. bits: [tiers + 1]. */
int32_t enc_clip_key_bits(const enc_clip *clip, uint32_t tiers, const double *error_m,
                          uint64_t *bits);

/* Measures how far the shell of any joint moves from each frame to the next. frames:
 * [frame_count][joint]; travel_m: receives frame_count - 1 distances in metres. */
int32_t enc_travel(const enc_skeleton *skeleton, uint32_t frame_count, const double *frames,
                   const enc_shell *shell, double *travel_m);

/* Marks the tracks that move too fast from one frame to the next to be blended. Playback holds them
 * for a frame, and then they jump. frames: [frame_count][joint]; parts: 1, or the number of equal
 * parts into which further frames divide the motion; fast: [frame_count][joint][3], receives 1 if a
 * track moves too fast from the previous frame. */
void enc_fast_moves(uint32_t joint_count, uint32_t frame_count, const double *frames,
                    uint32_t parts, uint8_t *fast);

/* Reads lines of `width` decimal numbers of up to 1e12, separated by spaces or tabs. Stops at the
 * first line that has anything else, does not end with a line feed, or has a number with too many
 * digits to be rounded correctly by one operation. width: at least 1; rows: [capacity][width];
 * *row_count: receives the number of lines. Returns the number of bytes read. */
size_t enc_read_rows(const char *text, size_t size, uint32_t width, uint32_t capacity, double *rows,
                     uint32_t *row_count);

/* Measures how far the exactly blended frames are from the source at midpoints and probes: the
 * error that encoding cannot reduce. *report: receives the errors. No tolerance is applied. */
int32_t enc_resampling_error(const enc_skeleton *skeleton, const enc_input *input,
                             const enc_options *options, enc_report *report);

/* Measures an encoded clip at further positions of its source. *error_m: the shell error in metres
 * that is largest relative to its joint's tolerance, or with an infinite tolerance the largest;
 * *joint and *probe: its joint and its index in `probes`. */
int32_t enc_clip_probe(const enc_clip *clip, const enc_probes *probes, double *error_m,
                       uint32_t *joint, uint32_t *probe);

/* Lists the breaks of an encoded clip as (frame, joint, kind) triples, ascending. Returns their
 * number, of which at most `capacity` are written. */
uint32_t enc_clip_breaks(const enc_clip *clip, uint32_t *triples, uint32_t capacity);

typedef struct {
    uint32_t name_hash;
    uint32_t rate_q16;
    uint32_t position_per_us_q32;
} enc_clip_entry;

/* A finer version of a clip, or of a block of its frames, in a tier. It is a clip that was encoded
 * from those frames only; it loops if the clip does and has one block. */
typedef struct {
    uint32_t tier;        /* 1 .. tier_count */
    uint32_t clip, block; /* from frame block << block_log2 to the next block's first frame */
    const enc_clip *version;
} enc_version;

/* The tiers of a bank. Clips of the codec dense may have keys in them instead of versions.
 */
typedef struct {
    uint32_t tier_count, block_log2; /* SPEC.md, 15; block_log2 31: no clip is divided */
    const enc_version *versions;     /* in the order of tiers, clips and blocks; none twice */
    uint32_t version_count;
} enc_tiers;

/* The body of a section, word_count words long. */
typedef struct {
    const uint32_t *words; /* null for a bank without the section */
    uint32_t word_count;
} enc_section_body;

/* The sections of a bank that the encoder does not write itself. */
typedef struct {
    enc_section_body skin, skin_joints, names;
} enc_more_sections;

/* The content of a bank. */
typedef struct {
    const enc_skeleton *skeleton;
    uint32_t clip_count;
    const enc_clip *const *clips;  /* [clip_count]; a clip that equals the previous clip is its
                                      mirror image, and shares its data */
    const enc_clip_entry *entries; /* [clip_count], with up to 64 different rates */
    enc_tiers tiers;
    enc_more_sections more;
    uint32_t base_row_bytes; /* the bank has a base row if that saves more than these bytes, which
                                its code takes, without them; 0: it has none */
} enc_bank_content;

/* The size of a bank, in words. */
typedef struct {
    uint32_t words;      /* the bank with everything in it */
    uint32_t data_words; /* the data of all clips, without their keys and versions in tiers */
    uint32_t tier_words[ENC_TIERS];
    uint32_t player_words; /* memory of a player: osc_player_memory_words */
    uint32_t subtracks;    /* number of tracks that a player blends */
} enc_bank_size;

/* Writes a bank. *out: size->words words in the host's byte order, to be released with
 * enc_words_free; null on errors. out may be null, to compute only the size: size->words is then 0.
 * Errors: ENC_ERROR_MEMORY, ENC_ERROR_TOO_LARGE. */
int32_t enc_bank_write(const enc_bank_content *content, uint32_t **out, enc_bank_size *size);
void enc_words_free(uint32_t *words);

/* Plays the clips of a finished bank and all their versions through the runtime and measures them
 * again, clips with keys in tiers also with fewer tiers. Returns ENC_OK if every error equals the
 * reported error; otherwise ENC_ERROR_INTERNAL, and *differs is the first clip whose error differs.
 * The frame that a block shares with the next block plays only in the latter, so its error counts
 * only there. */
int32_t enc_bank_verify(const uint32_t *words, uint32_t word_count, uint32_t clip_count,
                        const enc_clip *const *clips, const enc_tiers *tiers, uint32_t *differs);

/* Plays a clip of any bank through the runtime. out: [position][joint][10] floats, local transforms
 * at all F frames, or at 2F - 1 positions if midpoints is non-zero; may be null. Returns the number
 * of positions or a negative OSC_ERROR_*. */
int32_t enc_bank_decode(const uint32_t *words, uint32_t word_count, uint32_t clip_index,
                        int32_t midpoints, float *out);

/* Hashes all poses of any bank as the runtime plays it: all clips, at every frame and midpoint.
 * Returns OSC_OK or a negative OSC_ERROR_*. */
int32_t enc_bank_hash(const uint32_t *words, uint32_t word_count, uint32_t *hash);

/* Checks a bank with the runtime: OSC_OK or OSC_ERROR_*. *player_words: the words of memory that a
 * player needs. */
int32_t enc_bank_check(const uint32_t *words, uint32_t word_count, uint32_t *player_words);

/* A character that the graph of a bank animates. */
typedef struct enc_character enc_character;

/* An event, as osc_graph_event. */
typedef struct {
    uint16_t name;
    uint8_t state, what;
} enc_character_event;

/* A character after a step. Placements: x y z in metres, Q20, and the yaw, Q24. */
typedef struct {
    uint32_t machine_count;
    uint8_t states[8];  /* of each machine, the base first: its number */
    uint32_t switches;  /* in the step */
    uint32_t pose_hash; /* osc_hash_words of the local pose, as of the generated structure */
    int32_t place[4], moved[4];
    uint32_t event_count;
    enc_character_event events[255];
} enc_character_state;

/* Begins a character. The words must outlive it. mirror: null for a graph that plays no mirror
 * images; otherwise the table of its skeleton: the numbers of groups, pairs, turned joints and
 * turns, then their members in the order of osc_mirror_group, the two joints of each pair, and the
 * members of osc_mirror_turned and osc_mirror_turn. Release the character with enc_character_free.
 * Returns OSC_OK or an OSC_ERROR_*, with which *character is null: OSC_ERROR_NOT_FOUND for a bank
 * without a graph. */
int32_t enc_character_open(const uint32_t *words, uint32_t word_count, const int32_t *mirror,
                           enc_character **character);
void enc_character_free(enc_character *character);

/* Begins the character again, with a seed for its random choices: that of enc_character_open is 0.
 */
void enc_character_restart(enc_character *character, uint32_t seed);

/* Advances a character by a step and evaluates its pose. values: all parameters, in the order of
 * the section. */
void enc_character_step(enc_character *character, const int32_t *values, uint32_t elapsed_us,
                        enc_character_state *state);

/* As osc_graph_go and osc_graph_appear. */
int32_t enc_character_go(enc_character *character, uint32_t state, uint32_t over_us);
void enc_character_appear(enc_character *character, const int32_t place[4]);

/* The purposes of a track's bits. */
enum {
    ENC_BITS_HEADER, /* its description */
    ENC_BITS_KEYS,   /* times, gaps, kinds and numbers of codes, breaks */
    ENC_BITS_VALUES, /* the numbers that determine its values */
    ENC_BITS_PARTS
};

/* Counts the bits of each sub-track in `clip_count` clips of any bank from `first_clip` on, and in
 * its tiers. Returns OSC_OK or OSC_ERROR_*.
 *
 * claimed: a bit for each bit of the bank, [word_count], which is set when a track counts that bit;
 * bits that are already set are not counted. So no bit is counted twice, even in a damaged stream,
 * if all calls for a bank share an array of initially zeros. bits:
 * [clip][sub-track][ENC_BITS_PARTS], to which the bits are added. */
int32_t enc_bank_bits(const uint32_t *words, uint32_t word_count, uint32_t first_clip,
                      uint32_t clip_count, uint32_t *claimed, uint32_t *bits);

#endif
