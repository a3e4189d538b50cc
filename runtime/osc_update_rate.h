/* Rates: characters far away have a new pose only every second, fourth or eighth tick. In between
 * they show the way to it: the next pose is evaluated ahead, for the time of the last tick before
 * the one after it, and each tick the shown pose goes the part of the way that this tick takes.
 *
 *     osc_update_rate_start(&far->rate, index, 16667); // where the character appears, or stands
 * elsewhere
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
 * array and have the same rate, equally many are due in each tick. osc_crowd.h limits the rows of
 * the nearest ones. */
#ifndef OSC_UPDATE_RATE_H
#define OSC_UPDATE_RATE_H

#include "ossicle.h"

#ifdef __cplusplus
extern "C" {
#endif

#define OSC_UPDATE_RATE_MOST_TICKS 64u
#define OSC_UPDATE_RATE_MOST_US 0x000fffffu /* of a tick, one second */

/* The rate of a character. weight_q15 and advance_us are for reading, all else is private. */
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

#ifdef __cplusplus
}
#endif

#endif
