/* The rows and keys of a velocity track. */
#ifndef ENCODER_CODECS_VELOCITY_PATH_H
#define ENCODER_CODECS_VELOCITY_PATH_H

#include "codecs/velocity/track.h"

/* Quantises a value as a seed; near: the row whose hemisphere it takes, or null. Returns which
 * component of a rotation is rebuilt. */
uint32_t enc_velocity_seed(const enc_velocity_track *track, const double *value,
                           const int32_t *near, int32_t *row);

/* Finds rows and keys with the fields that the track has, each row good enough. beam: states kept
 * a frame. False where there are none, or no memory. */
bool enc_velocity_search(enc_velocity_track *track, const enc_fit *fit, uint32_t beam,
                         bool *out_of_memory);

#endif
