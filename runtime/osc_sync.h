/* Sync: clips that keep step. A walk and a run have the same marks in the same order, such as the
 * left foot that touches the ground and then the right one, but at other places and in another
 * time. `contacts = true` in the configuration file makes events of these. Their phase says where
 * both clips are: so many marks passed, and a part of the way to the next.
 *
 *     static const uint32_t feet[2] = {HERO_EVENT_LEFT_FOOT_DOWN, HERO_EVENT_RIGHT_FOOT_DOWN};
 *     osc_sync_open(&clips[0], &events, HERO_CLIP_WALK, feet, 2);
 *     osc_sync_open(&clips[1], &events, HERO_CLIP_RUN, feet, 2);
 *     ...
 *     osc_sync_advance(&phase, clips, weights_q15, 2, elapsed_us);
 *     osc_player_seek_q11(&walk.player, osc_sync_position_q11(&clips[0], &phase));
 *     osc_player_seek_q11(&run.player, osc_sync_position_q11(&clips[1], &phase));
 *     hero_evaluate(&walk, &pose), hero_evaluate(&run, &other);
 *     hero_mix_blend(&pose, &other, weights_q15[1], 0);
 *
 * osc_foot_lock.h keeps the feet of such a blend where they stand while its weights change.
 *
 * A clip that follows another one takes its phase from it (osc_sync_phase); one that begins in the
 * middle of a step does, too. */
#ifndef OSC_SYNC_H
#define OSC_SYNC_H

#include "osc_events.h"

#ifdef __cplusplus
extern "C" {
#endif

#define OSC_SYNC_MARKS 8u            /* most marks of a clip */
#define OSC_SYNC_LEAST_US 10000u     /* between two marks */
#define OSC_SYNC_MOST_US 0x00ffffffu /* between two marks, 16 seconds */

/* A clip's marks. All fields are private. */
typedef struct osc_sync_clip {
    uint32_t marks_q11[OSC_SYNC_MARKS]; /* their positions, in the order of names */
    uint32_t end_q11;                   /* the last frame */
    uint32_t us_per_frame;
    uint32_t count;
} osc_sync_clip;

/* Where clips are that keep step. Begin with zeros, or with osc_sync_phase. */
typedef struct osc_phase {
    uint32_t mark;         /* marks passed since the first name */
    uint32_t fraction_q20; /* of the way to the next one */
} osc_phase;

/* Finds the marks of a clip: its events with these names, and of spans their beginnings. The clip
 * is taken as a loop.
 * names: name_count numbers of events, in the order in which they follow each other. A clip may
 * pass through them several times.
 * Errors, after which `sync` is not to be used: OSC_ERROR_NOT_FOUND for a clip that the bank does
 * not have or without these events; OSC_ERROR_CLIP when they do not follow each other in this
 * order, or are less than OSC_SYNC_LEAST_US apart; OSC_ERROR_MEMORY for more than OSC_SYNC_MARKS.
 * Cost: linear in the clip's events. */
int32_t osc_sync_open(osc_sync_clip *sync, const osc_events *events, uint32_t clip,
                      const uint32_t *names, uint32_t name_count);

/* The phase of a clip at a position, 0 to its last frame. Rounding: down, by at most 2^-15 of the
 * way between two marks. Cost: linear in the marks; a division of 32 bits. */
osc_phase osc_sync_phase(const osc_sync_clip *sync, uint32_t position_q11);

/* Where a clip is at a phase: 0 to its last frame. Rounding: down. Cost: that of two products, and
 * a division of 32 bits for the mark. */
int32_t osc_sync_position_q11(const osc_sync_clip *sync, const osc_phase *phase);

/* Advances a phase by time. The time between two marks is that of the clips by their weights, so
 * that a blend of a walk and a run takes steps of a length between theirs.
 *
 * clips, weights_q15: count of them; weights count relative to each other, and with a sum of 0 the
 * first clip alone does. elapsed_us: more than OSC_SYNC_MOST_US counts as that. Backward: not.
 * Rounding: down to 2^-20 of a step. A time between marks is clamped to OSC_SYNC_LEAST_US ..
 * OSC_SYNC_MOST_US. Cost: for each mark that is passed, and once more, a division of 32 bits and
 * one for each clip; for any bank at most elapsed_us / OSC_SYNC_LEAST_US + 1 marks, 2 in a tick of
 * 16.7 ms. */
void osc_sync_advance(osc_phase *phase, const osc_sync_clip *clips, const uint16_t *weights_q15,
                      uint32_t count, uint32_t elapsed_us);

#ifdef __cplusplus
}
#endif

#endif
