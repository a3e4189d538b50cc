/* SPDX-License-Identifier: MIT */
/* Ossicle: many characters.
 *
 *   crowds        limits the rows that are unpacked in a frame of the game
 *   update rates  a new pose only every second, fourth or eighth tick, far from the camera
 *   shared rows   the rows of a clip, unpacked once for all characters that play it
 *   row pools     shared rows of the clips that are playing, within a budget of memory */
#ifndef OSC_CROWD_H
#define OSC_CROWD_H

#include "ossicle.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- crowds ----
 *
 * Limits the rows that are unpacked in a frame of the game.
 *
 * Every character has a player and a clock. All clocks advance. Of the players whose clock has left
 * their pair of rows, as many follow as the limit allows, the nearest first. A player that has to
 * wait stops at the end of its pair, less than a frame behind its clock, and follows before it
 * would be more than a frame behind.
 *
 *     osc_crowd_member crowd[50];                  // player, playback, distance
 *     osc_crowd_advance(crowd, 50, elapsed_us, 12);
 *     for (each member) hero_evaluate(player, &pose);
 */

/* A character of a crowd. The game fills it, and may change any field between steps; a restarted
 * player is moved before all others. */
typedef struct osc_crowd_member {
    osc_player *player; /* started by osc_player_play */
    osc_playback *playback;
    uint32_t distance; /* from the camera, in any unit */
    uint32_t rows;     /* after a step: the rows that the player needs to reach its clock */
    bool is_late;      /* after a step: more than a frame behind */
} osc_crowd_member;

/* Advances all clocks, and moves players until most_rows rows are unpacked. Players that need no
 * row always move. Those that would be more than a frame behind come first, then the nearest, then
 * the first of equals.
 *
 * When a tier arrives, players continue with their version. They change to the finer one when a
 * step has rows left, the nearest player first, or at a restart point of that version, which takes
 * one row more. When a tier goes, a player needs the rows of another version; until it has them, it
 * shows its old rows.
 *
 * most_rows: at least 1, with tiers at least 2. A start, a jump or the loss of a tier may need more
 * rows than that: it happens in a step that has not unpacked any row yet, and ends that step. So a
 * step unpacks at most most_rows rows, or those of one such player: at most two more than the
 * frames between two restart points of its clip. Returns the number of players that are more than a
 * frame behind their clocks: 0 unless the whole crowd needs more than most_rows rows a step. Cost:
 * the rows; about 100 instructions for each member, 300 for one that waits for a finer version, and
 * 10 for each member and each player that unpacks rows. */
uint32_t osc_crowd_advance(osc_crowd_member *members, uint32_t count, uint32_t elapsed_us,
                           uint32_t most_rows);

/* ---- update rates ----
 *
 * Gives distant characters a new pose only every second, fourth or eighth tick, and interpolates in
 * between: the next pose is evaluated ahead of time, for the last tick before the pose after it is
 * due, and each tick moves the shown pose towards it by that tick's share of the time.
 *
 *     osc_update_rate_start(&far->rate, index, 16667); // where the character appears
 *     ...
 *     if (osc_update_rate_tick(&far->rate, elapsed_us, 4)) {
 *         osc_player_advance(&far->player.player, &far->playback, far->rate.advance_us);
 *         hero_evaluate(&far->player, &far->next);
 *     }
 *     if (far->rate.weight_q15 == OSC_ONE_Q15)
 *         far->pose = far->next;
 *     else
 *         hero_mix_blend(&far->pose, &far->next, far->rate.weight_q15, 0);
 *
 * The shown pose never jumps, whatever the ticks and rates: it only moves towards the next pose. A
 * game keeps two poses for each character and draws the first; to correct a pose before drawing,
 * correct a copy. The player's clock is ahead of the game, so events and the character's placement
 * need a clock of their own that moves every tick (osc_playback_step).
 *
 * The index of a character determines the ticks in which its poses are due, so that of neighbours
 * in the array with the same rate equally many are due in each tick. osc_crowd_advance limits the
 * rows of the nearest characters. */

#define OSC_UPDATE_RATE_MOST_TICKS 64u
#define OSC_UPDATE_RATE_MOST_US 0x000fffffu /* of a tick, one second */

/* The rate of a character. weight_q15 and advance_us are for reading, everything else is private.
 */
typedef struct osc_update_rate {
    uint32_t count;      /* ticks, and the index */
    uint32_t tick_us;    /* the length of a usual tick */
    int32_t left_us;     /* from the shown pose to the next; below 0: the shown pose is late */
    uint32_t ticks_left; /* before a pose is due */
    uint32_t advance_us; /* advance of the clock for the next pose, if it is due */
    uint32_t weight_q15; /* weight of the next pose in this tick */
    bool shown;          /* a pose has been shown */
} osc_update_rate;

/* Begins, when a character appears or must not be interpolated from its last pose: the first tick
 * evaluates the pose of that tick, and the second the first pose ahead of time.
 *
 * index: of the character among all, for the ticks in which poses are due. tick_us: the usual
 * length of a tick, clamped to OSC_UPDATE_RATE_MOST_US. */
void osc_update_rate_start(osc_update_rate *rate, uint32_t index, uint32_t tick_us);

/* Advances by a tick. Returns whether the next pose is due: the game then advances the clock by
 * advance_us, which may be 0, and evaluates the next pose. In every tick, the game then blends the
 * shown pose towards the next one by weight_q15; with a weight of one, it shows the next pose.
 *
 * elapsed_us: since the last tick, clamped to OSC_UPDATE_RATE_MOST_US; the character loses the
 * rest. ticks: from one pose to the next, clamped to 1 .. OSC_UPDATE_RATE_MOST_TICKS. A changed
 * number applies from the next pose on, which is due no later than with the old number. With 1,
 * each tick has its own pose.
 *
 * Ticks need not have the usual length. If those up to the next pose are shorter, the shown pose
 * stays on time. If they are longer, it stops at the next pose, late by at most the excess, and
 * catches up with the pose after it. Rounding: the weight to 2^-14. The advances add up exactly to
 * the time that has passed plus the time by which the clock is ahead. Cost: a division of 32 bits,
 * and another one where a pose is due. */
bool osc_update_rate_tick(osc_update_rate *rate, uint32_t elapsed_us, uint32_t ticks);

/* ---- shared rows ----
 *
 * Keeps all key rows of a clip in memory, for any number of characters.
 *
 * A player unpacks a row for every frame that it passes. If many characters play the same clip,
 * each at its own position, its rows are unpacked once, and a pose costs only the evaluator, at any
 * position in any order. A character then needs a clock, but no player.
 *
 *     osc_shared_rows rows;                                        // of a walk
 *     static int32_t memory[HERO_SHARED_WORDS_WALK];
 *     osc_shared_rows_fill(&rows, &player.player, HERO_CLIP_WALK, OSC_PLAY_LOOP, memory,
 *                          HERO_SHARED_WORDS_WALK);
 *     for (each character) {
 *         osc_playback_advance(&character->playback, elapsed_us);
 *         hero_shared_evaluate(&rows, (int32_t)character->playback.position_q11, &pose);
 *     }
 */

/* All fields are read-only. A seam is a frame whose row differs between the left and the right of a
 * pair: where a track breaks, where a joint has turned by 360 degrees at the end of a loop, or
 * where another version of a streamed clip begins. */
typedef struct osc_shared_rows {
    const osc_bank *bank;
    const uint32_t *chords; /* rotation_subtracks for each pair of frames */
    const int32_t *rows;    /* the rows of all frames, and another at each seam */
    const uint32_t *seams;  /* their frames, descending */
    uint32_t seam_count;
    uint32_t row_words;
    uint32_t end_q11;        /* the last frame */
    uint32_t rotation_count; /* sub-tracks */
    bool loop;               /* positions wrap */
} osc_shared_rows;

/* Returns the words of memory that suffice for the rows of a clip, usually one row more than it
 * needs: a row and the chords of its rotations for each frame, and a row and a word for each
 * possible seam, whichever version in memory plays. Errors: OSC_ERROR_NOT_FOUND; OSC_ERROR_MEMORY
 * for more than 2 GiB. */
int32_t osc_shared_rows_most_words(const osc_bank *bank, uint32_t clip);

/* Unpacks all rows of a clip at the finest quality in memory.
 *
 * player: any player of the bank; afterwards it plays this clip and is at its end. memory:
 * memory_words words, which must outlive the rows. Returns the number of words used, from the start
 * of the memory, or OSC_ERROR_NOT_FOUND, OSC_ERROR_COPY (osc_player_start) or OSC_ERROR_MEMORY,
 * after which the rows must not be used. Cost: a seek for each frame, and a copy of its row. */
int32_t osc_shared_rows_fill(osc_shared_rows *rows, osc_player *player, uint32_t clip,
                             osc_play_mode mode, int32_t *memory, uint32_t memory_words);

/* Blends the two rows around a position into a local pose, with the same bits as
 * osc_player_evaluate after osc_player_seek_q11. The function of a generated header
 * (hero_shared_evaluate) does the same, faster. Cost: that of the evaluator, and about 20
 * instructions; a division for positions outside a loop. */
void osc_shared_rows_evaluate(const osc_shared_rows *rows, int32_t position_q11,
                              const osc_pose *pose);

/* Two rows, the chords between them, and a position between them. */
typedef struct osc_row_pair {
    const int32_t *left, *right;
    const uint32_t *chords;
    uint32_t fraction_q11; /* 0..2047 */
} osc_row_pair;

/* Returns the pair at a position, which wraps or is clamped, depending on the mode of
 * osc_shared_rows_fill. For evaluators. */
osc_row_pair osc_shared_rows_at(const osc_shared_rows *rows, int32_t position_q11);

/* ---- row pools ----
 *
 * Keeps the shared rows of the clips that are playing, in a fixed amount of memory.
 *
 * The first pose of a clip unpacks all of its rows, and every other pose of it costs only the
 * evaluator, for all characters. If the memory is full, the clip that has been idle for the longest
 * time is removed, but none that was requested in this tick or the previous one. The pool's player
 * unpacks a pose of a clip for which there is no room: it has the same bits, and costs a seek.
 *
 *     static hero_row_pool pool;                      // its player, and a record for each clip
 *     static int32_t memory[60000];                   // the budget
 *     hero_row_pool_init(&pool, &bank, memory, 60000);
 *     ...
 *     osc_row_pool_tick(&pool.pool);                  // once in each frame of the game
 *     for (each character) {
 *         osc_playback_advance(&character->playback, elapsed_us);
 *         hero_pool_evaluate(&pool, character->clip, OSC_PLAY_AS_MADE,
 *                            (int32_t)character->playback.position_q11, &pose);
 *     }
 */

/* A clip of a pool. All fields are private. */
typedef struct osc_row_pool_clip {
    osc_shared_rows rows;
    int32_t *memory;
    uint32_t words;
    uint32_t clip;
    uint32_t tick; /* of the last request */
} osc_row_pool_clip;

/* All fields are read-only. */
typedef struct osc_row_pool {
    osc_player *player;       /* unpacks rows */
    osc_row_pool_clip *clips; /* clip_count, in the order of their memory */
    int32_t *memory;
    uint32_t most_clips, clip_count;
    uint32_t memory_words, used_words;
    uint32_t tick;
} osc_row_pool;

/* Begins an empty pool.
 *
 * player: any player of the bank, which only the pool may use from now on. clips: most_clips
 * records; a clip that plays both in a loop and once takes two. memory: memory_words words for the
 * rows; HERO_SHARED_WORDS_WALK words suffice for one clip. All three must outlive the pool. */
void osc_row_pool_init(osc_row_pool *pool, osc_player *player, osc_row_pool_clip *clips,
                       uint32_t most_clips, int32_t *memory, uint32_t memory_words);

/* Begins a frame of the game. Clips that have not been requested since the last call but one may be
 * removed, to make room for others. */
void osc_row_pool_tick(osc_row_pool *pool);

/* Returns the pair at a position of a clip, which wraps or is clamped, depending on the mode; valid
 * until the next call. For evaluators.
 *
 * clip: below the bank's clip_count; OSC_ASSERT otherwise. Rows keep the quality that was in memory
 * when they were unpacked: begin the pool again to show tiers that have arrived since. Cost: a
 * search among the clips of the pool; the first time, that of osc_shared_rows_fill, and moving the
 * rows behind each clip that is removed; without room, a seek. */
osc_row_pair osc_row_pool_at(osc_row_pool *pool, uint32_t clip, osc_play_mode mode,
                             int32_t position_q11);

/* Blends the two rows around a position into a local pose, with the same bits as
 * osc_player_evaluate after osc_player_start and osc_player_seek_q11. The function of a generated
 * header (hero_pool_evaluate) does the same, faster. */
void osc_row_pool_evaluate(osc_row_pool *pool, uint32_t clip, osc_play_mode mode,
                           int32_t position_q11, const osc_pose *pose);

#ifdef __cplusplus
}
#endif

#endif
