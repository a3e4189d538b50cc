/* Streaming tiers: the keys of a dense clip that matter least move out of it, so that a device
 * without room for them, or that has not yet loaded them, plays it more coarsely. */
#ifndef ENCODER_PUBLISHED_TIERS_TIERS_H
#define ENCODER_PUBLISHED_TIERS_TIERS_H

#include "published/tiers/plan.h"

/* Chooses how many classes the clip's tracks get, by what they are worth with these limits; before
 * anything below. Returns ENC_ERROR_MEMORY or ENC_OK. */
int32_t enc_tiers_choose_classes(enc_tier_plan *plan, uint32_t tiers, const double *limits);

/* Moves keys of the planned solution into `tiers` tiers: of every block the steps whose error is at
 * most limits[block][t] tolerances leave the clip and the first t tiers. limits: falling with t;
 * count: of classes, at most. Returns ENC_ERROR_MEMORY or ENC_OK. */
int32_t enc_tiers_assign(enc_tier_plan *plan, uint32_t tiers, const double *limits);

/* Adds up the bits that keys would then take in the clip and in every tier, and those in the clip
 * that say where they are. bits: [tiers + 1] */
int32_t enc_tiers_count(const enc_tier_plan *plan, uint32_t tiers, const double *limits,
                        uint64_t *bits);

/* Measures the planned solution with the first `with` tiers alone. worst: [block], receives the
 * largest error of each block in tolerances. Blocks do not depend on each other: the keys at both
 * ends of each are there. */
int32_t enc_tiers_measure(const enc_tier_plan *plan, uint32_t with, enc_report *report,
                          double *worst);

#endif
