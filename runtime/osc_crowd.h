/* Ossicle: many characters.
 *
 *   crowds        a limit for the rows that are unpacked in a frame of the game
 *   update rates  a new pose only every second, fourth or eighth tick, far from the camera
 *   shared rows   the rows of a clip, unpacked once for all that play it */
#ifndef OSC_CROWD_H
#define OSC_CROWD_H

#include "ossicle.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- crowds ----
 *
 * A limit for the rows that are unpacked in a frame of the game.
 *
 * Every character has a player and a clock. All clocks advance; of the players whose clock has left
 * the pair of rows that they have, only so many follow as the limit allows, the nearest first. One
 * that has to wait stands at the end of its pair, less than a frame behind its clock, and follows
 * before it would be more than a frame behind.
 *
 *     osc_crowd_member crowd[50];                  // player, playback, distance
 *     osc_crowd_advance(crowd, 50, elapsed_us, 12);
 *     for (each member) hero_evaluate(player, &pose);
 */

/* A character of a crowd. The game fills it, and changes what it likes between any two steps; a
 * player that was restarted is moved before all others. */
typedef struct osc_crowd_member {
    osc_player *player; /* plays as osc_player_play has started it */
    osc_playback *playback;
    uint32_t distance; /* from the camera, in any unit */
    uint32_t rows;     /* after a step: those that the player needs to be where its clock is */
    bool is_late;      /* after a step: it is more than a frame behind */
} osc_crowd_member;

/* Advances all clocks, and moves players until most_rows rows are unpacked. Players that need no
 * row always move. Those that would be more than a frame behind come first, then the nearest, then
 * the first of equals.
 *
 * When a tier arrives, a player plays on as before. It begins the finer version when rows are left
 * in a step, the nearest player first, or at a restart point of that version, which takes one row
 * more. When a tier goes, the player needs the rows of another version; until then it shows the
 * rows that it has.
 *
 * most_rows: at least 1, with tiers at least 2. A start, a jump or the loss of a tier may need more
 * rows than that: it happens in a step that has unpacked no row yet, and ends it. So a step unpacks
 * at most most_rows rows, or those of one such player, which are at most two more than the frames
 * between two restart points of its clip.
 * Returns how many players are more than a frame behind their clocks: 0, unless the crowd as a
 * whole needs more rows than most_rows a step. Cost: the rows; about 100 instructions for each
 * member, 300 for one that waits for a finer version, and 10 for each member and each player that
 * unpacks rows. */
uint32_t osc_crowd_advance(osc_crowd_member *members, uint32_t count, uint32_t elapsed_us,
                           uint32_t most_rows);

/* ---- update rates ----
 *
 * Characters far away have a new pose only every second, fourth or eighth tick. In between
 * they show the way to it: the next pose is evaluated ahead, for the time of the last tick before
 * the one after it, and each tick the shown pose goes the part of the way that this tick takes.
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
 * The shown pose never jumps, whatever the ticks and the rates do: it only moves towards the next
 * one. A game keeps two poses for each character and draws the first one; what it does to a pose
 * before it draws it, it does to a copy. The player's clock is ahead of the game. Events and the
 * place of the character follow a clock of their own, which moves every tick: osc_playback_step.
 *
 * Which ticks bring poses is a matter of the index: of characters that follow each other in the
 * array and have the same rate, equally many are due in each tick. osc_crowd_advance limits the
 * rows of the nearest ones. */

#define OSC_UPDATE_RATE_MOST_TICKS 64u
#define OSC_UPDATE_RATE_MOST_US 0x000fffffu /* of a tick, one second */

/* The rate of a character. weight_q15 and advance_us are for reading, everything else is private.
 */
typedef struct osc_update_rate {
    uint32_t count;      /* ticks, and the index */
    uint32_t tick_us;    /* the length of a usual tick */
    int32_t left_us;     /* from the shown pose to the next; below 0: the shown one is late */
    uint32_t ticks_left; /* before a pose is due */
    uint32_t advance_us; /* by which the clock moves for the next pose, if one is due */
    uint32_t weight_q15; /* how far the shown pose goes towards the next one in this tick */
    bool shown;          /* there is a pose to go on from */
} osc_update_rate;

/* Begins, where a character appears or may not move to where it is now: its first tick gives the
 * pose of that tick at once. The second one gives the first pose ahead.
 *
 * index: of the character among all, for the ticks in which poses are due. tick_us: the usual
 * length of a tick, at most OSC_UPDATE_RATE_MOST_US, which it is held at. */
void osc_update_rate_start(osc_update_rate *rate, uint32_t index, uint32_t tick_us);

/* A tick. Returns whether the next pose is due: then the clock moves by advance_us, which may be 0,
 * and the game evaluates the next pose. In every tick the shown pose then goes by weight_q15
 * towards the next one; with a weight of one it is the next one.
 *
 * elapsed_us: since the tick before, at most OSC_UPDATE_RATE_MOST_US, which it is held at: the
 * character then loses the rest. ticks: from one pose to the next, 1 to OSC_UPDATE_RATE_MOST_TICKS,
 * which it is held at. Another number than in the tick before holds from the next pose on, which
 * comes no later than by the old one. With 1 each tick has its own pose.
 *
 * Ticks need not have the usual length. Where those up to the next pose are shorter, the shown pose
 * stays on time. Where they are longer, it waits at the next one, and is late by no more than by
 * what they were longer; with the next pose it makes up for that.
 * Rounding: the weight to 2^-14. All advances add up to the time that has passed and that the clock
 * is ahead, exactly. Cost: a division of 32 bits, and another one where a pose is due. */
bool osc_update_rate_tick(osc_update_rate *rate, uint32_t elapsed_us, uint32_t ticks);

/* ---- shared rows ----
 *
 * All key rows of a clip in memory, for any number of characters.
 *
 * A player unpacks a row for every frame that it passes. Where many characters play the same clip,
 * each at a place of its own, its rows are unpacked once, and a pose costs what the evaluator does:
 * forward, backward and at random. A character then needs a clock, but no player.
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

/* All fields are private but for reading. A seam is a frame whose row is another one on the left of
 * a pair than on the right: where a track breaks, a joint has turned by 360 degrees at the end of a
 * loop, or another version of a streamed clip begins. */
typedef struct osc_shared_rows {
    const osc_bank *bank;
    const uint32_t *chords; /* rotation_subtracks for each pair of frames */
    const int32_t *rows;    /* of all frames, and a further one at each seam */
    const uint32_t *seams;  /* their frames, descending */
    uint32_t seam_count;
    uint32_t row_words;
    uint32_t end_q11;        /* the last frame */
    uint32_t rotation_count; /* sub-tracks */
    bool loop;               /* positions wrap */
} osc_shared_rows;

/* Words of memory that are enough for the rows of a clip, mostly one row more than it needs: a row
 * and the chords of its rotations for each frame, and a row and a word for each possible seam,
 * whichever of the versions that are there plays. Errors: OSC_ERROR_NOT_FOUND; OSC_ERROR_MEMORY for
 * more than 2 GiB. */
int32_t osc_shared_rows_most_words(const osc_bank *bank, uint32_t clip);

/* Unpacks all rows of a clip, as a player at the finest quality that is there now has them.
 *
 * player: any player of the bank; it then plays this clip and stands at its end. memory:
 * memory_words words; it must outlive the rows. Returns the words that are used, from the start of
 * the memory, or OSC_ERROR_NOT_FOUND, OSC_ERROR_COPY (osc_player_start), OSC_ERROR_MEMORY: the rows
 * are then not to be used. Cost: a seek for each frame, and a copy of its row. */
int32_t osc_shared_rows_fill(osc_shared_rows *rows, osc_player *player, uint32_t clip,
                             osc_play_mode mode, int32_t *memory, uint32_t memory_words);

/* Blends the two rows around a position into a local pose, with the bits of osc_player_evaluate
 * after osc_player_seek_q11 to that position. The function of a generated header
 * (hero_shared_evaluate) does the same, faster. Cost: that of the evaluator, and about 20
 * instructions; a division for positions outside a loop. */
void osc_shared_rows_evaluate(const osc_shared_rows *rows, int32_t position_q11,
                              const osc_pose *pose);

/* What a position means: two rows, the chords between them, and the place between them. */
typedef struct osc_row_pair {
    const int32_t *left, *right;
    const uint32_t *chords;
    uint32_t fraction_q11; /* 0..2047 */
} osc_row_pair;

/* The pair at a position, which wraps or is held as the clip was filled. For evaluators. */
osc_row_pair osc_shared_rows_at(const osc_shared_rows *rows, int32_t position_q11);

#ifdef __cplusplus
}
#endif

#endif
