/* Searches for the rows and keys of a velocity track. */
#ifndef ENCODER_PUBLISHED_VELOCITY_PATH_H
#define ENCODER_PUBLISHED_VELOCITY_PATH_H

#include "published/velocity/track.h"

/* Quantises a value as a seed. near: the row that determines its hemisphere; may be null. Returns
 * the component of a rotation that is rebuilt. */
uint32_t enc_velocity_seed(const enc_velocity_track *track, const double *value,
                           const int32_t *near, int32_t *row);

/* Finds rows that all hold, and their keys, with the track's present parameters. beam: states kept
 * per frame. Returns false if there are none, or without memory. */
bool enc_velocity_search(enc_velocity_track *track, const enc_fit *fit, uint32_t beam,
                         bool *out_of_memory);

#endif
