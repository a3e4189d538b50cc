/* SPDX-License-Identifier: MIT */
/* What is around the character: a camera that follows it, the ground and its shadow. */
#ifndef GAME_SCENE_H
#define GAME_SCENE_H

#include "osc_motion.h"
#include "stage/stage.h"

/* Aims the camera at a character. It looks along -z, downwards. */
void scene_follow(stage_camera *camera, const stage_picture *picture, const osc_placement *place);

/* Draws a grid of dots on the ground, a metre apart, and the shadow of the character. pixels: as
 * stage_put takes them. */
void scene_ground(const stage_camera *camera, const stage_picture *picture,
                  const osc_placement *place, uint32_t dot, uint32_t shadow);

/* Draws a lamp, a point in the world. */
void scene_lamp(const stage_camera *camera, const stage_picture *picture,
                const osc_placement *place, const osc_vector *lamp, uint32_t pixel);

#endif
