/* Shared rows: all key rows of a clip in memory, for any number of characters.
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
#ifndef OSC_SHARED_ROWS_H
#define OSC_SHARED_ROWS_H

#include "ossicle.h"

#ifdef __cplusplus
extern "C" {
#endif

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
