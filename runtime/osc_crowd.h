/* Crowds: many characters, and a limit for the rows that are unpacked in a frame of the game.
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
#ifndef OSC_CROWD_H
#define OSC_CROWD_H

#include "ossicle.h"

#ifdef __cplusplus
extern "C" {
#endif

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

#ifdef __cplusplus
}
#endif

#endif
