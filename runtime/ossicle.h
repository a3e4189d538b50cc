/* SPDX-License-Identifier: MIT */
/* Ossicle: plays compressed skeletal animation with integers only.
 *
 * A bank (one skeleton, many clips) stays in flash. A player unpacks two neighbouring key rows of a
 * clip into memory that the caller owns, the evaluator blends them into a local pose, and
 * osc_compose turns the pose into model-space matrices.
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
 * metres. Every result is defined in integers (SPEC.md), so all machines give the same bits. No
 * function allocates, recurses, uses floating point or keeps global state; functions may be called
 * from several threads as long as no two of them share a player.
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

/* Checks for programmer errors (null pointers, a player that was never started); data errors are
 * returned instead. Compile everything with -DOSC_DEBUG=1 to use the C library's assert, or define
 * OSC_ASSERT to handle them in another way. Neither changes the bits of a pose. */
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
    OSC_ERROR_READ = -11,     /* the source delivered fewer bytes than requested */
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
#define OSC_MAX_TIERS 4u          /* in addition to the base, which plays without them */

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

/* A 4x3 matrix in the format of Nintendo DS hardware (MTX_LOAD_4x3): the columns x, y, z, then the
 * translation in metres, each three numbers with 12 fraction bits. */
typedef struct osc_matrix_4x3 {
    int32_t m[12];
} osc_matrix_4x3;

/* A small 3x4 matrix, 32 bytes: rotation and scale, row major, in Q14; translation in metres, with
 * the number of fraction bits that the function that writes it takes. */
typedef struct osc_matrix_q14 {
    int16_t turn[9];
    int16_t unused; /* 0 */
    int32_t translation[3];
} osc_matrix_q14;

/* The arrays of a local pose: joint_count elements each, parents before children, not overlapping.
 * `scales` may be null where the bank has no scale. */
typedef struct osc_pose {
    osc_quaternion *rotations;
    osc_vector *translations;
    osc_vector *scales;
} osc_pose;

/* The parts of a codec that a program links: the functions that play its clips and the check of its
 * track headers (bank/osc_codecs.h). Tables are indexed by codec number; codecs that are not linked
 * are null. */
typedef struct osc_codec osc_codec;
typedef struct osc_bank osc_bank;
struct osc_clip_parts;
typedef bool osc_codec_check(const osc_bank *bank, const struct osc_clip_parts *parts);

/* A chunk of a tier: its data for one clip, or for one block of frames of a long clip. */
typedef struct osc_chunk {
    const uint32_t *words; /* null if the chunk is not in memory */
    uint32_t word_count;
    uint32_t codec; /* of a version of the clip; 0 for keys of a dense clip */
} osc_chunk;

/* The functions for banks with tiers, which other programs do not link (bank/osc_codecs.h).
 *
 * find: returns the chunk of a tier for a block of a clip, all zeros if the tier has none. choose:
 * selects the version that plays at a frame, and returns whether it has changed. */
struct osc_player;
typedef struct osc_tier_code {
    osc_chunk (*find)(const osc_bank *bank, uint32_t tier, uint32_t clip, uint32_t block);
    bool (*choose)(struct osc_player *player, uint32_t frame);
} osc_tier_code;

/* Finds chunks that were loaded separately: returns the words of a chunk, by its number in the
 * directory, or null. A stream has a source for each of its banks (osc_stream.h). */
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
    const uint32_t *subtrack_masks; /* bit sets of joints: rotation, translation, scale */
    const uint32_t *rates;          /* records of two words */
    const uint32_t *clips;          /* clip_count directory entries */
    const uint32_t *data;
    const uint32_t *inverse_bind;         /* joint_count matrices of 12 words, Q20, or null */
    const uint32_t *tier_table;           /* the directory of tiers, or null */
    const uint32_t *tiers[OSC_MAX_TIERS]; /* null for a tier that is not in memory as a whole */
    const osc_tier_code *tier_code;       /* null in a bank that has no tiers */
    const osc_chunk_source *chunks;       /* of chunks that are loaded separately, or null */
    uint32_t tier_changes;                /* counts changes of tiers; players compare it */
    uint32_t data_words;
    uint32_t layout_crc; /* of skeleton, bind pose and sub-tracks: generated code compares it */
    uint32_t skin_crc;   /* of the inverse bind matrices, 0 without them */
    uint16_t joint_count;
    uint16_t clip_count;
    uint16_t rotation_subtracks, translation_subtracks, scale_subtracks;
    uint16_t max_held;    /* most tracks that break at one frame */
    uint16_t state_words; /* the most that a clip's codec keeps in addition to the rows */
    uint8_t tier_count;   /* of the bank, without the base */
    uint8_t tiers_there;  /* whole tiers in memory, a bit each, the first tier lowest */
    uint8_t block_log2;   /* clips of more than 2^n frames have a chunk for every 2^n of them */
    bool has_scale;
};

/* The directory entry of a clip. */
typedef struct osc_clip_info {
    uint32_t name_hash;
    uint32_t frame_count;
    uint32_t rate_q16;            /* frames per second, Q16 */
    uint32_t position_per_us_q32; /* Q11 positions per microsecond, Q32 */
    uint32_t size_bytes;          /* of the clip's own data */
    bool loop;                    /* authored to loop: the last frame equals the first */
    bool layer;                   /* encoded for masks and blends: each joint is exact on its own */
    bool additive;                /* its poses are differences, for osc_mix_add */
    bool mirrored;                /* plays the previous clip; osc_mirror_pose mirrors its poses */
} osc_clip_info;

/* The treatment of positions outside a clip. The values equal the `loops` of osc_player_play with
 * the same meaning, so a game may pass either. */
typedef enum osc_play_mode {
    OSC_PLAY_LOOP = -1,   /* positions wrap; the period is frame_count - 1 frames */
    OSC_PLAY_AS_MADE = 0, /* as the clip's loop flag says */
    OSC_PLAY_ONCE = 1     /* positions outside the clip are clamped to its ends */
} osc_play_mode;

/* A player. All fields are private; generated evaluators read rows, chords and fraction. A
 * generated player contains its memory and may be copied and moved like any structure. A bare
 * osc_player may not, because the copy would share the memory of the original. */
typedef struct osc_player {
    const osc_bank *bank;
    const uint32_t *clip;  /* its directory entry */
    const uint32_t *data;  /* of the version that plays: the bank's own, or a tier's */
    uint32_t data_words;   /* from there to the end of the readable words */
    uint32_t shape;        /* of the version, as OSC_CLIP_SHAPE */
    uint32_t first_frame;  /* of the version in the clip; the frames below count from it */
    uint32_t tier_changes; /* the bank's, when the version was chosen */
    int32_t *rows[2];      /* frame f is in rows[f & 1]; the two are exchanged where a loop wraps */
    uint32_t *chords;      /* squared chord of each rotation, Q20 */
    int32_t *held;         /* max_held records of 5 words: sub-track, its own value */
    int32_t *state;        /* state_words of the codec */
    const struct osc_player *home; /* the player's address when these pointers were set */
    uint16_t spare_words;          /* after the state */
    uint16_t transposed_at;        /* from the first track to numbers that a platform has moved */
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
    uint8_t key_tiers;  /* of a dense clip: the number of leading tiers whose keys are in memory */
    uint8_t left_slot;  /* the pair is rows[left_slot], rows[left_slot ^ 1] */
    bool loop : 1;      /* positions wrap */
    bool closed : 1;    /* the first row follows the last */
    bool exchanged : 1; /* rows[0] is the second row in memory */
    bool whole : 1;     /* the memory moves with the player */
    bool primed : 1;    /* rows hold the pair of left_frame */
    bool passes : 1;    /* two rows or more follow the one that is unpacked, and replace it */
} osc_player;

/* A clock for a clip: its position, and how time advances it. It does not belong to a player: two
 * players may follow one clock, and a character that is off the screen needs no player to keep
 * time. Filled by osc_player_play or osc_playback_start. The game may change the first four fields
 * between steps. */
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

#define OSC_LOOPS_AS_MADE 0u /* forever if the clip was authored to loop, otherwise once */
#define OSC_LOOPS_FOREVER 0xffffffffu
#define OSC_MAX_STEP_US 0x7fffffffu /* 35 minutes */

/* The source of a bank that cannot be used in place. `read` copies `size_bytes` bytes from
 * `offset_bytes` to `destination` and returns the number of bytes copied. */
typedef struct osc_source {
    size_t (*read)(void *context, size_t offset_bytes, void *destination, size_t size_bytes);
    void *context;
} osc_source;

/* ---- bank ---- */

/* Checks a bank completely and fills `bank`. Playback repeats none of the checks.
 * words: size_bytes / 4 little-endian words, in place (flash or RAM), aligned to four bytes.
 * Errors: OSC_ERROR_ALIGNMENT .. OSC_ERROR_CLIP; `bank` is then unusable.
 * Cost: one pass over the bank for the CRC, one over the headers; about 200 B of stack; the flash
 * of all codecs. The function of a generated header (hero_open) links only those of its bank. */
int32_t osc_bank_open(osc_bank *bank, const uint32_t *words, size_t size_bytes);

/* osc_bank_open for a program that knows the codecs of its banks; generated code calls it. codecs,
 * checks: see osc_codecs.h; both must outlive the bank and list the same codecs. Errors: those of
 * osc_bank_open; OSC_ERROR_CODEC for a clip whose codec is not linked. */
int32_t osc_bank_open_codecs(osc_bank *bank, const uint32_t *words, size_t size_bytes,
                             const osc_codec *const *codecs, osc_codec_check *const *checks);

/* Reads a bank from a source (serial flash, a card) into `words`, unchecked: one read for the
 * header, one for the rest. capacity_bytes: of `words`. Returns the size in bytes, to be passed to
 * osc_bank_open, or OSC_ERROR_READ, OSC_ERROR_MEMORY, OSC_ERROR_ALIGNMENT, OSC_ERROR_MAGIC or
 * OSC_ERROR_SIZE. */
int32_t osc_bank_read(const osc_source *source, uint32_t *words, size_t capacity_bytes);

/* Reads a bank (osc_bank_read) and opens it (osc_bank_open). Returns the size in bytes or an error
 * of either. */
int32_t osc_bank_load(osc_bank *bank, const osc_source *source, uint32_t *words,
                      size_t capacity_bytes);

/* Attaches or detaches a whole tier: clips then play as if the bank did or did not contain it.
 * Players follow at their next position; the pose moves by at most the sum of both errors. To load
 * chunks of tiers separately, see osc_stream.h.
 *
 * tier: 1 .. tier_count, in any order. words: a tier as `ossicle strip` or `ossicle pack` writes
 * it, aligned to four bytes; they must outlive the bank or the next call for this tier, and never
 * change. Null detaches the tier, even one that the bank contains.
 *
 * Errors leave the bank unchanged: OSC_ERROR_NOT_FOUND if the bank has no such tier;
 * OSC_ERROR_ALIGNMENT, OSC_ERROR_SIZE or OSC_ERROR_CRC if `words` is not that tier; OSC_ERROR_CLIP
 * if a clip in it contradicts itself. Cost: one pass over the tier for the checksums; the flash of
 * all codecs. The function of a generated header (hero_attach_tier) links only those of its
 * bank. */
int32_t osc_bank_attach_tier(osc_bank *bank, uint32_t tier, const uint32_t *words,
                             size_t size_bytes);

/* osc_bank_attach_tier for a program that knows the codecs of its banks; generated code calls it.
 * checks: as for osc_bank_open_codecs. Errors: those of osc_bank_attach_tier; OSC_ERROR_CODEC for a
 * clip whose codec is not linked. */
int32_t osc_bank_attach_tier_codecs(osc_bank *bank, uint32_t tier, const uint32_t *words,
                                    size_t size_bytes, osc_codec_check *const *checks);

/* The quality at which a bank plays now. */
typedef struct osc_quality {
    int32_t error_q20;        /* the largest error of any clip, in metres */
    int32_t finest_error_q20; /* the largest error with all tiers */
    uint32_t chunks;          /* in the bank's tiers */
    uint32_t chunks_there;    /* of these, in memory */
} osc_quality;

/* Fills `quality`. Cost: linear in the chunks of the bank's tiers, and in the blocks of clips with
 * keys in tiers. */
void osc_bank_quality(const osc_bank *bank, osc_quality *quality);

/* Returns the largest error of any joint of a clip around a frame, with the tiers in memory now, in
 * metres, Q20: the error stated for the base, or for the last tier up to which the clip is
 * complete. 0 for a bank without tiers, which does not store its error. Errors: OSC_ERROR_NOT_FOUND
 * for a clip that the bank does not have. */
int32_t osc_clip_quality_q20(const osc_bank *bank, uint32_t clip, uint32_t frame);

/* Returns the hash that identifies a clip: 32-bit FNV-1a over the UTF-8 bytes of the name. */
uint32_t osc_name_hash(const char *name);

/* Returns the index of the clip with this name hash, or OSC_ERROR_NOT_FOUND. Cost: linear in
 * clip_count. */
int32_t osc_clip_find(const osc_bank *bank, uint32_t name_hash);

/* Fills `info` for a clip. Errors: OSC_ERROR_NOT_FOUND for a clip that the bank does not have. */
int32_t osc_clip_describe(const osc_bank *bank, uint32_t clip, osc_clip_info *info);

/* Returns the position after time_us microseconds: time_us * rate, rounded down to 1/2048 frame.
 * Range: +-35 minutes. Cost: no division. */
int32_t osc_clip_position_q11(const osc_clip_info *info, int32_t time_us);

/* ---- player ---- */

/* Returns the words of memory that a player of this bank needs; equals the constant in the
 * generated header. */
uint32_t osc_player_memory_words(const osc_bank *bank);

/* Binds a player to a bank and to the caller's memory; both must outlive it.
 * Errors: OSC_ERROR_MEMORY when memory_words < osc_player_memory_words(bank). */
int32_t osc_player_init(osc_player *player, const osc_bank *bank, int32_t *memory,
                        size_t memory_words);

/* Chooses a clip and fills in its constant tracks. Errors: OSC_ERROR_NOT_FOUND; OSC_ERROR_COPY for
 * a copied player that does not contain its memory. */
int32_t osc_player_start(osc_player *player, uint32_t clip, osc_play_mode mode);

/* Moves to a position in 1/2048 frames, forward or backward, and unpacks the two rows around it.
 * Positions wrap or are clamped, depending on the mode. Returns the left frame. After
 * osc_player_start the only error is OSC_ERROR_COPY, for a copied player that does not contain its
 * memory. Cost: none within the same frame; one row for the next frame, also where a loop wraps;
 * for jumps and backward play, the rows from the restart point to the frame. */
int32_t osc_player_seek_q11(osc_player *player, int32_t position_q11);

/* Returns the number of rows that osc_player_seek_q11 would unpack for a position, including those
 * for another version of the clip after tiers have come or gone. Unpacks none. Cost: none within
 * the same frame; the look-up of the version if it may change. */
uint32_t osc_player_rows_to(const osc_player *player, int32_t position_q11);

/* Moves towards a position as osc_player_seek_q11 does, but unpacks at most most_rows rows, so that
 * a distant seek can be spread over several ticks. Returns the number of rows that remain, as
 * osc_player_rows_to: 0 once the player has arrived. Until then, the player is at an earlier frame,
 * and the game continues to show its last pose:
 *
 *     if (osc_player_approach_q11(&player, position_q11, 4) == 0)
 *         osc_player_evaluate(&player, &pose);
 *
 * The position may change between calls: the player catches up with one that moves forward by less
 * than most_rows frames per call. most_rows: at least OSC_APPROACH_LEAST_ROWS; smaller numbers have
 * the same effect. That many rows reach any frame of `transform` and dense clips in one call.
 * Errors: OSC_ERROR_COPY as above. Cost: that of the rows; for other codecs, a restart point also
 * costs the parts of its block. */
int32_t osc_player_approach_q11(osc_player *player, int32_t position_q11, uint32_t most_rows);
#define OSC_APPROACH_LEAST_ROWS 2u

/* Blends the two rows into a local pose: the generic evaluator, with the same bits as the generated
 * one. Rotations are in the hemisphere of the left row. The pose of an additive clip contains
 * differences (osc_mix.h); its joints without a sub-track have the bind pose, as in other clips,
 * and are not added. Cost: linear in joint_count, independent of the data. */
void osc_player_evaluate(const osc_player *player, const osc_pose *pose);

/* ---- playback ---- */

/* Starts a clip in a player and its clock, at speed OSC_ONE_Q16 and position 0; the player can then
 * evaluate. loops: how often the clip plays, or OSC_LOOPS_AS_MADE, OSC_LOOPS_FOREVER. To begin at
 * the end, set `position_q11` to `end_q11`. Errors: OSC_ERROR_NOT_FOUND, which leaves `playback`
 * unchanged. */
int32_t osc_player_play(osc_player *player, osc_playback *playback, uint32_t clip, uint32_t loops);

/* Advances the clock and moves the player to its position. Returns as osc_player_seek_q11.
 */
int32_t osc_player_advance(osc_player *player, osc_playback *playback, uint32_t elapsed_us);

/* Starts a clock without a player. Start a player that follows it with OSC_PLAY_ONCE. */
void osc_playback_start(osc_playback *playback, const osc_clip_info *info, uint32_t loops);

/* Advances the clock by elapsed_us * speed and returns the position. Moving forward, the clip's end
 * is its start, unless the last loop ends there; moving backward, its start is its end.
 * Rounding: towards the clip's start, to microseconds of the clip and then to positions; remainders
 * are kept, so errors do not add up over steps. Range: a step of more than OSC_MAX_STEP_US of the
 * clip counts as OSC_MAX_STEP_US.
 * Cost: two products of 32 bits with 64-bit results; a division of 32 bits where a loop ends. */
int32_t osc_playback_advance(osc_playback *playback, uint32_t elapsed_us);

/* Computes how long the clock takes to reach a position for the first time after now: the least
 * elapsed_us with which osc_playback_advance returns the position or passes it, in playing
 * direction. Exact for every clock: with a microsecond less, the position is not reached yet.
 *
 * position_q11: 0..end_q11. The current position is reached again after a whole loop. Where a loop
 * ends and the next one begins, 0 and end_q11 are reached together. The last loop ends when the
 * clock finishes, which may be some microseconds after backward play has come to position 0;
 * time_us is 0 if any step, however short, finishes the clock.
 * Returns false, without a change of `time_us`, if the clock does not reach the position: it is
 * paused, finished or stands still at speed 0; the position is behind it in the last loop, or
 * beyond end_q11; the time exceeds OSC_MAX_STEP_US of the clip or 2^32 microseconds.
 * Cost: two divisions of 64 by 32 bits, in 32 steps each; about 900 instructions on a Cortex-M0. */
bool osc_playback_time_to(const osc_playback *playback, uint32_t position_q11, uint32_t *time_us);

/* Returns whether the last loop has ended. The position is then the end that was reached. */
static inline bool osc_playback_finished(const osc_playback *playback)
{
    return playback->loops_left == 0u;
}

/* ---- pose ---- */

/* Writes the bind pose of a bank: the pose of the character in its source file, Q20. Cost: linear
 * in joint_count. */
void osc_bind_pose(const osc_bank *bank, const osc_pose *pose);

/* Converts a local pose to model space, parents first: model[j] = model[parent] * T * R * S of
 * joint j. model: joint_count matrices. Rounding: each element is the exact sum of products,
 * rounded half up to Q20. Range: modulo 2^32; translations beyond 2048 m wrap. */
void osc_compose(const osc_bank *bank, const osc_pose *pose, osc_matrix *model);

/* Computes skinning matrices: skin[j] = model[j] * inverse bind matrix of joint j, which moves a
 * vertex from its position in the bind pose to its position in this pose. model, skin: joint_count
 * matrices each; they may be the same memory. Rounding and range: as osc_compose. Errors:
 * OSC_ERROR_SECTION if the bank has no inverse bind matrices (encode it with --skin-matrices);
 * nothing is written then. */
int32_t osc_skin(const osc_bank *bank, const osc_matrix *model, osc_matrix *skin);

/* Converts a local pose to skinning matrices of 16-bit numbers, for machines without 64-bit
 * products. bits: fraction bits of the translations, 8..18. work: joint_count matrices, which
 * receive the model matrices: Q14, translations with `bits` fraction bits. skin: joint_count
 * matrices, not overlapping `work`.
 * Rounding: half up at every step; results modulo 2^16 and 2^32. Range: scales below 2; the
 * translations of joints other than roots, and of inverse bind matrices below 2^(17 - bits) metres.
 * Errors: as osc_skin. */
int32_t osc_skin_pose_q14(const osc_bank *bank, const osc_pose *pose, uint32_t bits,
                          osc_matrix *work, osc_matrix_q14 *skin);

/* Computes out = a * b, which applies b and then a. With a joint's model matrix as `a` and the
 * matrix of a prop in that joint's space as `b`, `out` places the prop in model space. `out` may be
 * `a` or `b`.
 * Rounding: each element is the exact sum of three products, rounded half up to Q20, plus, in
 * column 3, the translation of `a`; modulo 2^32. Range: elements and translations below 2048. Cost:
 * 36 products of 32 bits, 36 loads, 60 bytes of stack. */
void osc_matrix_multiply(const osc_matrix *a, const osc_matrix *b, osc_matrix *out);

/* Computes out = matrix * point, which takes a point from a joint's space to model space; metres,
 * Q20. `out` may be `point`. Rounding and range: as osc_matrix_multiply. Cost: 9 products of 32
 * bits. */
void osc_matrix_point(const osc_matrix *matrix, const osc_vector *point, osc_vector *out);

/* Continues a hash over `count` words, aligned to four bytes (FNV-1a, a word at a time), and
 * returns it: the pose hash that replays and lockstep games compare. Begin with OSC_HASH_START. */
#define OSC_HASH_START 2166136261u
uint32_t osc_hash_words(uint32_t hash, const void *words, size_t count);

#ifdef __cplusplus
}
#endif

#endif
