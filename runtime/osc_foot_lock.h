/* Planted feet: a character that is blended of two clips stands on the foot that is down.
 *
 * Clips that keep step (osc_sync.h) have the same foot down at the same time, but not at the same
 * place: a run has it further behind. While the weight of one of them rises, the foot moves over
 * the ground, which is seen as sliding. A character that is moved so that the foot stays where it
 * is has no such slide:
 *
 *     static const osc_foot_lock_point soles[4] = {{HERO_JOINT_LEFT_FOOT, {..}}, ..}; // heels and
 * toes osc_foot_lock_start(&lock, soles, 4, OSC_FOOT_LOCK_HEIGHT_Q20);    // where a cross-fade
 * begins
 *     ...
 *     // every tick of it: the blend, and `here` moved as both clips do, by their weights
 *     hero_compose(&pose, &model);
 *     osc_foot_lock_follow(&lock, model.joints, &here);
 *
 * Without a cross-fade a clip's own trajectory is right, and nothing drifts. */
#ifndef OSC_FOOT_LOCK_H
#define OSC_FOOT_LOCK_H

#include "osc_trajectory.h"

#ifdef __cplusplus
extern "C" {
#endif

#define OSC_FOOT_LOCK_POINTS 8u            /* the most */
#define OSC_FOOT_LOCK_HEIGHT_Q20 (3 << 15) /* 9 cm */

/* A point of a sole, in the space of its joint: on the ground where the foot is down. */
typedef struct osc_foot_lock_point {
    uint16_t joint;
    osc_vector at;
} osc_foot_lock_point;

/* A character that stands. All fields are private. */
typedef struct osc_foot_lock {
    const osc_foot_lock_point *points;
    uint32_t count;
    int32_t height_q20;
    bool followed;
    osc_vector last[OSC_FOOT_LOCK_POINTS]; /* in the world, but for their heights */
} osc_foot_lock;

/* Begins, in the tick before the pose changes. points: count of them, at most OSC_FOOT_LOCK_POINTS;
 * they must outlive `lock`. height_q20: how far above the ground, the height 0 of model space, a
 * foot carries no longer, above 0. */
void osc_foot_lock_start(osc_foot_lock *lock, const osc_foot_lock_point *points, uint32_t count,
                         int32_t height_q20);

/* Moves a character for the tick. model: its model pose. here: its place, moved as the clips do;
 * x and z change by what the lowest point has moved over the ground since the tick before: by all
 * of it up to half of height_q20, by less above, and by nothing from height_q20 on. The first tick
 * changes nothing.
 * Rounding: SPEC.md section 25. Cost: a matrix; for each point a point of it and one of the model;
 * a division of 32 bits. */
void osc_foot_lock_follow(osc_foot_lock *lock, const osc_matrix *model, osc_placement *here);

#ifdef __cplusplus
}
#endif

#endif
