/* Ossicle: plays compressed skeletal animation with integers only.
 *
 * A bank (one skeleton, many clips) lies in flash. A player unpacks two neighbouring key rows of
 * a clip into memory that the caller owns; the evaluator blends them into a local pose; the
 * composition turns that into model-space matrices.
 *
 *     osc_bank bank;                                          // 100 bytes on 32-bit machines
 *     osc_bank_open(&bank, hero_bank, sizeof hero_bank);
 *     osc_player_init(&player, &bank, memory, words);
 *     osc_player_start(&player, HERO_CLIP_WALK, OSC_PLAY_LOOP);
 *     osc_player_seek_q11(&player, position_q11);             // as often as the game likes
 *     osc_player_evaluate(&player, &pose);                    // or the generated evaluator
 *     osc_compose(&bank, &pose, model);
 *
 * Number formats: Q20 is an int32_t that holds value * 2^20; Q11 counts 1/2048 frames. Lengths are
 * metres. Every result is defined by integers alone (SPEC.md): the same bits on every machine.
 * Nothing here allocates, recurses, uses floating point or keeps global state; functions may be
 * called from several threads as long as no two of them share a player.
 */
#ifndef OSSICLE_H
#define OSSICLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ossicle_version.h"
#include "port/osc_fast_memory.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Programmer errors (null pointers, a player that was never started) end here; data errors are
 * returned instead. Compile everything with -DOSC_DEBUG=1 to have them end in the C library's
 * assert, or define OSC_ASSERT to have them end elsewhere. Poses have the same bits. */
#ifndef OSC_ASSERT
#ifdef OSC_DEBUG
#include <assert.h>
#define OSC_ASSERT(condition) assert(condition)
#else
#define OSC_ASSERT(condition) ((void)0)
#endif
#endif

/* Every function that can fail returns one of these, or a payload of zero or more. */
enum {
    OSC_OK = 0,
    OSC_ERROR_ALIGNMENT = -1, /* the bank does not start at a multiple of four */
    OSC_ERROR_SIZE = -2,      /* shorter or longer than its header says */
    OSC_ERROR_MAGIC = -3,     /* not a bank */
    OSC_ERROR_FORMAT = -4,    /* written for another OSC_BANK_FORMAT */
    OSC_ERROR_CRC = -5,       /* damaged */
    OSC_ERROR_SECTION = -6,   /* a section is missing, misplaced, or required and unknown */
    OSC_ERROR_SKELETON = -7,  /* the skeleton section contradicts itself */
    OSC_ERROR_CLIP = -8,      /* a clip contradicts itself */
    OSC_ERROR_NOT_FOUND = -9, /* no such clip */
    OSC_ERROR_MEMORY = -10,   /* the caller's memory is too small */
    OSC_ERROR_READ = -11,     /* the source delivered fewer bytes than asked for */
    OSC_ERROR_LAYOUT = -12,   /* the bank does not fit the generated code */
    OSC_ERROR_CODEC = -13,    /* a clip has a codec that this program does not link */
    OSC_ERROR_COPY = -14      /* a player was copied without its memory */
};

/* The name of an error, such as "OSC_ERROR_CRC", for logs; "OSC_OK" for zero or more, and "unknown
 * error" for other numbers. Cost: flash for the names, if a program calls it. */
const char *osc_error_name(int32_t status);

#define OSC_ONE_Q20 (1 << 20)
#define OSC_ONE_Q16 (1 << 16)
#define OSC_ONE_Q15 (1 << 15) /* weights: a uint16_t up to this */
#define OSC_ONE_Q11 (1 << 11)

#define OSC_MAX_JOINTS 1024u      /* numbers of sub-tracks of all three kinds fit 12 bits */
#define OSC_MAX_FRAMES (1u << 20) /* positions in Q11 fit an int32_t */
#define OSC_MAX_TIERS 4u          /* beside the base, which plays without any */

/* A rotation, Q20. Key rows are unit length to within 2^-18; a blended rotation to within 2^-15,
 * and to within 2^-11 where the joint turns by more than 60 degrees in one frame. */
typedef struct osc_quaternion {
    int32_t x, y, z, w;
} osc_quaternion;

/* A translation in metres or a scale, Q20. */
typedef struct osc_vector {
    int32_t x, y, z;
} osc_vector;

/* A 3x4 matrix, row major, Q20: column 3 is the translation in metres. */
typedef struct osc_matrix {
    int32_t m[12];
} osc_matrix;

/* A 4x3 matrix as Nintendo DS hardware takes it (MTX_LOAD_4x3): the columns x, y, z, and then the
 * translation in metres, each three numbers with 12 bits of fraction. */
typedef struct osc_matrix_4x3 {
    int32_t m[12];
} osc_matrix_4x3;

/* A small 3x4 matrix, 32 bytes: turn and scale by rows in Q14; translation in metres, with as many
 * bits of fraction as the code that makes it says. */
typedef struct osc_matrix_q14 {
    int16_t turn[9];
    int16_t unused; /* 0 */
    int32_t translation[3];
} osc_matrix_q14;

/* Where a local pose is written: arrays of joint_count elements each, parents before children,
 * none overlapping another. `scales` may be null where the bank has no scale. */
typedef struct osc_pose {
    osc_quaternion *rotations;
    osc_vector *translations;
    osc_vector *scales;
} osc_pose;

/* What a program links of a codec: the functions that play its clips, and the check of its track
 * headers (bank/osc_codecs.h). Tables hold one for each codec by its number, or null for those that
 * are left out. */
typedef struct osc_codec osc_codec;
typedef struct osc_bank osc_bank;
struct osc_clip_parts;
typedef bool osc_codec_check(const osc_bank *bank, const struct osc_clip_parts *parts);

/* A chunk of a tier: what the tier has of one clip, or of one block of frames of a long clip. */
typedef struct osc_chunk {
    const uint32_t *words; /* null where the chunk is not there */
    uint32_t word_count;
    uint32_t codec; /* of a version of the clip; 0 for keys of a dense clip */
} osc_chunk;

/* What programs link for banks with tiers, and others do not (bank/osc_codecs.h).
 *
 * find: the chunk of a tier for a block of a clip; all of it 0 where the tier has none. choose: the
 * version that plays at a frame; whether it is another one than before. */
struct osc_player;
typedef struct osc_tier_code {
    osc_chunk (*find)(const osc_bank *bank, uint32_t tier, uint32_t clip, uint32_t block);
    bool (*choose)(struct osc_player *player, uint32_t frame);
} osc_tier_code;

/* Where chunks are that came singly: the words of a chunk by its number in the directory, or null.
 * A stream has one for each of its banks (osc_stream.h). */
typedef struct osc_chunk_source {
    const uint32_t *(*find)(const struct osc_chunk_source *source, uint32_t number);
} osc_chunk_source;

/* An open bank: pointers into the caller's words, which must outlive it and never change. The
 * counts are for reading; everything else is private. */
struct osc_bank {
    const uint32_t *words;
    const osc_codec *const *codecs; /* by number */
    const uint32_t *parents;        /* two 16-bit joint numbers a word, 0xffff: root */
    const uint32_t *bind;           /* joint_count records of 7 or (has_scale) 10 words, Q20 */
    const uint32_t
        *subtrack_masks;   /* three bit sets over the joints: rotation, translation, scale */
    const uint32_t *rates; /* records of two words */
    const uint32_t *clips; /* clip_count directory entries */
    const uint32_t *data;
    const uint32_t *inverse_bind;         /* joint_count matrices of 12 words, Q20, or null */
    const uint32_t *tier_table;           /* the directory of tiers, or null */
    const uint32_t *tiers[OSC_MAX_TIERS]; /* null for a tier that is not there as a whole */
    const osc_tier_code *tier_code;       /* null in a bank that has no tiers */
    const osc_chunk_source *chunks;       /* where single chunks arrive, or null */
    uint32_t tier_changes; /* counts what comes and goes: players compare it at every position */
    uint32_t data_words;
    uint32_t layout_crc; /* of skeleton, bind pose and sub-tracks: ties generated code to them */
    uint32_t skin_crc;   /* of the inverse bind matrices, 0 without them */
    uint16_t joint_count;
    uint16_t clip_count;
    uint16_t rotation_subtracks, translation_subtracks, scale_subtracks;
    uint16_t max_held;    /* most tracks that break at one frame */
    uint16_t state_words; /* most that a clip's codec keeps beside the rows */
    uint8_t tier_count;   /* tiers that belong to the bank, without the base */
    uint8_t tiers_there;  /* whole tiers, a bit each, the first one lowest */
    uint8_t block_log2;   /* clips of more than 2^n frames have a chunk for every 2^n of them */
    bool has_scale;
};

/* What the directory says about one clip. */
typedef struct osc_clip_info {
    uint32_t name_hash;
    uint32_t frame_count;
    uint32_t rate_q16;            /* frames per second, Q16 */
    uint32_t position_per_us_q32; /* Q11 positions per microsecond, Q32 */
    uint32_t size_bytes;          /* of the clip's own data */
    bool loop;                    /* made to loop: the last frame is the first */
    bool layer;                   /* made for masks and blends: each joint is exact on its own */
    bool additive;                /* its poses are differences, for osc_mix_add */
    bool mirrored; /* it plays the clip before it, and osc_mirror_pose turns its poses */
} osc_clip_info;

/* How positions outside a clip are handled. The values equal those of osc_player_play's loops with
 * the same meaning, so that a game may pass either. */
typedef enum osc_play_mode {
    OSC_PLAY_LOOP = -1,   /* positions wrap; the period is frame_count - 1 frames */
    OSC_PLAY_AS_MADE = 0, /* as the clip's loop flag says */
    OSC_PLAY_ONCE = 1     /* positions outside the clip are held at its ends */
} osc_play_mode;

/* A player. All fields are private; generated evaluators read rows, chords and fraction. A
 * generated player, which has its memory in it, may be copied and moved like any structure; a bare
 * osc_player may not, because a copy would share the memory of the original. */
typedef struct osc_player {
    const osc_bank *bank;
    const uint32_t *clip;  /* its directory entry */
    const uint32_t *data;  /* of the version that plays: the bank's own, or a tier's */
    uint32_t data_words;   /* from there to the end of what may be read */
    uint32_t shape;        /* of the version, as OSC_CLIP_SHAPE */
    uint32_t first_frame;  /* of the version in the clip; the frames below count from it */
    uint32_t tier_changes; /* the bank's, when the version was chosen */
    int32_t *rows[2];      /* frame f lies in rows[f & 1]; they are exchanged where a loop wraps */
    uint32_t *chords;      /* squared chord of each rotation, Q20 */
    int32_t *held;         /* max_held records of 5 words: sub-track, its own value */
    int32_t *state;        /* state_words of the codec */
    const struct osc_player *home; /* where the player was when these pointers were right */
    uint32_t transposed_words;     /* spare memory, behind the state */
    uint32_t row_count;            /* of the version: its frames, without the last one of a loop */
    uint32_t left_frame;           /* the pair is left_frame, left_frame + 1 */
    uint32_t newest_frame;         /* last one unpacked */
    uint32_t unpacked_from;        /* restart point that the unpacked rows follow */
    uint32_t bit_position;         /* of the next frame in the clip's stream */
    uint32_t first_position;       /* of the first frame */
    uint16_t held_count;
    uint16_t fraction_q11; /* 0..2047 */
    uint16_t clip_number;
    uint16_t block;     /* the block of frames for which the version was chosen */
    uint8_t tier;       /* of the version; 0: the bank's own */
    uint8_t key_tiers;  /* of a dense clip: so many of the first tiers have keys that are there */
    uint8_t left_slot;  /* the pair is rows[left_slot], rows[left_slot ^ 1] */
    bool loop : 1;      /* positions wrap */
    bool closed : 1;    /* the first row follows the last */
    bool exchanged : 1; /* rows[0] is the second one in the memory */
    bool whole : 1;     /* the memory moves with the player */
    bool primed : 1;    /* rows hold the pair of left_frame */
} osc_player;

/* A clock for a clip: where it is, and how time moves it. It belongs to no player: two players may
 * follow one clock, and a character that is not on the screen needs no player to keep its time.
 * Filled by osc_player_play or osc_playback_start. The game may change the first four fields
 * between any two steps. */
typedef struct osc_playback {
    int32_t speed_q16;     /* OSC_ONE_Q16: as recorded; below 0: backward */
    uint32_t position_q11; /* 0..end_q11 */
    uint32_t loops_left;   /* 0: finished; OSC_LOOPS_FOREVER: never finishes */
    bool paused;
    uint16_t time_fraction_q16;   /* of a microsecond of the clip */
    uint32_t fraction_q32;        /* of a position */
    uint32_t end_q11;             /* the last frame */
    uint32_t position_per_us_q32; /* osc_clip_info */
} osc_playback;

#define OSC_LOOPS_AS_MADE 0u /* forever if the clip was made to loop, otherwise once */
#define OSC_LOOPS_FOREVER 0xffffffffu
#define OSC_MAX_STEP_US 0x7fffffffu /* 35 minutes */

/* Where a bank comes from when it cannot be used in place. `read` copies `size_bytes` bytes that
 * start at `offset_bytes` to `destination` and returns the number copied. */
typedef struct osc_source {
    size_t (*read)(void *context, size_t offset_bytes, void *destination, size_t size_bytes);
    void *context;
} osc_source;

/* ---- bank ---- */

/* Checks a bank completely and fills `bank`; nothing is checked again when it plays.
 * words: size_bytes / 4 little-endian words, in place (flash or RAM), aligned to four bytes.
 * Errors: OSC_ERROR_ALIGNMENT .. OSC_ERROR_CLIP; `bank` is then unusable.
 * Cost: one pass over the bank for the CRC, one over the headers; about 200 B of stack; the flash
 * of all codecs. The function of a generated header (hero_open) links only those of its bank. */
int32_t osc_bank_open(osc_bank *bank, const uint32_t *words, size_t size_bytes);

/* osc_bank_open for a program that knows which codecs its banks have: generated code calls it.
 * codecs, checks: osc_codecs.h; both must outlive the bank, and have the same codecs.
 * Errors: those of osc_bank_open; OSC_ERROR_CODEC for a clip whose codec is left out. */
int32_t osc_bank_open_codecs(osc_bank *bank, const uint32_t *words, size_t size_bytes,
                             const osc_codec *const *codecs, osc_codec_check *const *checks);

/* Reads a bank from a source (serial flash, a card) into `words`, unchecked: one read for the
 * header, one for the rest. capacity_bytes: of `words`. Returns the size in bytes, with which the
 * bank can be opened, or OSC_ERROR_READ, OSC_ERROR_MEMORY, OSC_ERROR_ALIGNMENT, OSC_ERROR_MAGIC or
 * OSC_ERROR_SIZE. */
int32_t osc_bank_read(const osc_source *source, uint32_t *words, size_t capacity_bytes);

/* Reads a bank and opens it with osc_bank_open. Returns the size in bytes or an error of these. */
int32_t osc_bank_load(osc_bank *bank, const osc_source *source, uint32_t *words,
                      size_t capacity_bytes);

/* Attaches a whole tier, or detaches it: clips then play finer or coarser, as if the bank contained
 * it or did not. Players follow at their next position, where the pose moves by no more than the
 * sum of both errors. To have single chunks of tiers in memory instead, see osc_stream.h.
 *
 * tier: 1 .. tier_count, in any order. words: a tier as `ossicle strip` or `ossicle pack` writes
 * it, aligned to four bytes; they must outlive the bank or the next call for this tier, and never
 * change. Null detaches the tier, even one that the bank contains.
 *
 * Errors, after which the bank is as before: OSC_ERROR_NOT_FOUND when no such tier belongs to it;
 * OSC_ERROR_ALIGNMENT, OSC_ERROR_SIZE, OSC_ERROR_CRC when these are not its words; OSC_ERROR_CLIP
 * when a clip in it contradicts itself. Cost: one pass over the tier for the checksums; the flash
 * of all codecs. The function of a generated header (hero_attach_tier) links only those of its
 * bank. */
int32_t osc_bank_attach_tier(osc_bank *bank, uint32_t tier, const uint32_t *words,
                             size_t size_bytes);

/* osc_bank_attach_tier for a program that knows which codecs its banks have: generated code calls
 * it. checks: as for osc_bank_open_codecs. Errors: those of osc_bank_attach_tier;
 * OSC_ERROR_CODEC for a clip whose codec is left out. */
int32_t osc_bank_attach_tier_codecs(osc_bank *bank, uint32_t tier, const uint32_t *words,
                                    size_t size_bytes, osc_codec_check *const *checks);

/* What is there of a bank. */
typedef struct osc_quality {
    int32_t error_q20;        /* no clip is off by more, in metres */
    int32_t finest_error_q20; /* nor would be, if all tiers were there */
    uint32_t chunks;          /* chunks of tiers that belong to the bank .. */
    uint32_t chunks_there;    /* .. and those of them that are in memory */
} osc_quality;

/* Fills `quality`. Cost: linear in the chunks of the bank's tiers, and in the blocks of clips that
 * have keys in them. */
void osc_bank_quality(const osc_bank *bank, osc_quality *quality);

/* The error that a clip keeps around a frame with what is there now: no joint is off by more, in
 * metres as Q20. It is that of the base or of the tier up to which the clip is complete, and the
 * same for all clips of which as much is there. Errors: OSC_ERROR_NOT_FOUND for a clip that the
 * bank does not have. A bank without tiers does not know its error: 0. */
int32_t osc_clip_quality_q20(const osc_bank *bank, uint32_t clip, uint32_t frame);

/* The hash by which clips are found: FNV-1a over the UTF-8 bytes of the name, 32 bits. */
uint32_t osc_name_hash(const char *name);

/* The index of the clip with this name hash, or OSC_ERROR_NOT_FOUND. Cost: linear in clip_count. */
int32_t osc_clip_find(const osc_bank *bank, uint32_t name_hash);

/* Fills `info` for clip 0..clip_count-1; OSC_ERROR_NOT_FOUND beyond. */
int32_t osc_clip_describe(const osc_bank *bank, uint32_t clip, osc_clip_info *info);

/* The position after time_us microseconds: time_us * rate, rounded towards minus infinity to
 * 1/2048 frame. No division; range +-35 minutes. */
int32_t osc_clip_position_q11(const osc_clip_info *info, int32_t time_us);

/* ---- player ---- */

/* Words of memory that a player of this bank needs; equals the constant in the header that was
 * generated from it. */
uint32_t osc_player_memory_words(const osc_bank *bank);

/* Binds a player to a bank and to the caller's memory; both must outlive it.
 * Errors: OSC_ERROR_MEMORY when memory_words < osc_player_memory_words(bank). */
int32_t osc_player_init(osc_player *player, const osc_bank *bank, int32_t *memory,
                        size_t memory_words);

/* Chooses a clip and fills in its constant tracks. Errors: OSC_ERROR_NOT_FOUND; OSC_ERROR_COPY for
 * a copy of a player whose memory is apart. */
int32_t osc_player_start(osc_player *player, uint32_t clip, osc_play_mode mode);

/* Moves to a position in 1/2048 frames, in any direction: brings the two rows around it into
 * memory. Positions wrap or are held according to the mode. Returns the frame on the left, 0 or
 * more. After osc_player_start its only error is OSC_ERROR_COPY, for a copy of a player whose
 * memory is apart. Cost: none within the same frame, one row for the next frame, also where a loop
 * wraps; for jumps and for playing backward as many rows as lie between the restart point and the
 * frame. */
int32_t osc_player_seek_q11(osc_player *player, int32_t position_q11);

/* Returns how many rows osc_player_seek_q11 would unpack for a position, also if tiers have come or
 * gone and another version of the clip begins. Unpacks none. Cost: none within the same frame; if
 * another version may begin, the look-up of it. */
uint32_t osc_player_rows_to(const osc_player *player, int32_t position_q11);

/* Blends the two rows into a local pose: the generic evaluator, bit for bit what the generated one
 * gives. Rotations are in the hemisphere of the left row. The pose of an additive clip is one of
 * differences (osc_mix.h); joints without a sub-track have the bind pose in it as in any other, and
 * do not take part. Cost: linear in joint_count, independent of the data. */
void osc_player_evaluate(const osc_player *player, const osc_pose *pose);

/* ---- playback ---- */

/* Starts a clip in a player and its clock, at speed OSC_ONE_Q16 from position 0, which the player
 * can evaluate at once. loops: how often the clip plays, or OSC_LOOPS_AS_MADE, OSC_LOOPS_FOREVER.
 * To begin at the end, set `position_q11` to `end_q11`. Errors: OSC_ERROR_NOT_FOUND; `playback` is
 * then as before. */
int32_t osc_player_play(osc_player *player, osc_playback *playback, uint32_t clip, uint32_t loops);

/* Advances the clock and moves the player to its position. Returns what osc_player_seek_q11 does.
 */
int32_t osc_player_advance(osc_player *player, osc_playback *playback, uint32_t elapsed_us);

/* Starts a clock without a player. A player that follows it is started with OSC_PLAY_ONCE. */
void osc_playback_start(osc_playback *playback, const osc_clip_info *info, uint32_t loops);

/* Advances the clock by elapsed_us * speed and returns the position. Moving forward, the clip's end
 * is its start, unless the last loop ends there; moving backward, its start is its end.
 * Rounding: towards the clip's start, to microseconds of the clip and then to positions; what is
 * rounded off is kept, so that errors do not add up over any number of steps. Range: a step of more
 * than OSC_MAX_STEP_US of the clip counts as OSC_MAX_STEP_US.
 * Cost: two products of 32 bits with 64-bit results; a division of 32 bits where a loop ends. */
int32_t osc_playback_advance(osc_playback *playback, uint32_t elapsed_us);

/* Whether the last loop has ended: the position is the end that was reached. */
static inline bool osc_playback_finished(const osc_playback *playback)
{
    return playback->loops_left == 0u;
}

/* ---- pose ---- */

/* Writes the bind pose of a bank: each joint as the character stands in its source file, Q20. Cost:
 * linear in joint_count. */
void osc_bind_pose(const osc_bank *bank, const osc_pose *pose);

/* Local pose to model space, parents first: model[j] = model[parent] * T * R * S of joint j.
 * model: joint_count matrices. Each element is the exact product sum, rounded half up to Q20 and
 * taken modulo 2^32; |translation| beyond 2048 m wraps. */
void osc_compose(const osc_bank *bank, const osc_pose *pose, osc_matrix *model);

/* Model space to skinning matrices: skin[j] = model[j] * inverse bind matrix of joint j, which
 * takes a vertex of the mesh in its bind pose to where joint j holds it. model, skin: joint_count
 * matrices each; they may be the same memory. Rounding and range: as osc_compose. Errors:
 * OSC_ERROR_SECTION when the bank has no inverse bind matrices (encode it with --skin-matrices);
 * nothing is written then. */
int32_t osc_skin(const osc_bank *bank, const osc_matrix *model, osc_matrix *skin);

/* Local pose to skinning matrices in 16-bit numbers, for machines without 64-bit products.
 * bits: fraction bits of the translations, 8..18. work: joint_count matrices, afterwards the model
 * matrices, as Q14 and with `bits` bits. skin: joint_count matrices, apart from `work`.
 * Rounding: half up at every step; results modulo 2^16 and 2^32. Range: scales below 2; the
 * translations of joints other than roots, and of inverse bind matrices below 2^(17 - bits) metres.
 * Errors: as osc_skin. */
int32_t osc_skin_pose_q14(const osc_bank *bank, const osc_pose *pose, uint32_t bits,
                          osc_matrix *work, osc_matrix_q14 *skin);

/* out = a * b: what b does, and then a. With a joint's model matrix as `a` and the placement of a
 * prop in that joint as `b`, the prop in model space. `out` may be `a` or `b`.
 * Rounding: each element is the exact sum of three products, rounded half up to Q20, plus, in
 * column 3, the translation of `a`; modulo 2^32. Range: elements and translations below 2048. Cost:
 * 36 products of 32 bits, 36 loads, 60 bytes of stack. */
void osc_matrix_multiply(const osc_matrix *a, const osc_matrix *b, osc_matrix *out);

/* out = matrix * point: a point of a joint's space, in metres as Q20, in model space. `out` may be
 * `point`. Rounding and range: as osc_matrix_multiply. Cost: 9 products of 32 bits. */
void osc_matrix_point(const osc_matrix *matrix, const osc_vector *point, osc_vector *out);

/* Continues a hash over `count` words, aligned to four bytes (FNV-1a, a word at a time): the pose
 * hash that replays and lockstep compare. Begin with OSC_HASH_START. */
#define OSC_HASH_START 2166136261u
uint32_t osc_hash_words(uint32_t hash, const void *words, size_t count);

#ifdef __cplusplus
}
#endif

#endif
