/* Streaming tiers: the least important keys of a dense clip move to tiers, so that a device without
 * room for them, or that has not loaded them yet, plays the clip more coarsely. */
#ifndef ENCODER_PUBLISHED_TIERS_TIERS_H
#define ENCODER_PUBLISHED_TIERS_TIERS_H

#include "published/tiers/plan.h"

/* Chooses the number of classes of the clip's tracks for these limits. To be called before the
 * functions below. Returns ENC_ERROR_MEMORY or ENC_OK. */
int32_t enc_tiers_choose_classes(enc_tier_plan *plan, uint32_t tiers, const double *limits);

/* Moves keys of the planned solution into `tiers` tiers: the steps of a block whose error is at
 * most limits[block][t] tolerances leave the clip and the first t tiers. limits: descending with t.
 * Returns ENC_ERROR_MEMORY or ENC_OK. */
int32_t enc_tiers_assign(enc_tier_plan *plan, uint32_t tiers, const double *limits);

/* Adds up the bits that keys would then take in the clip and in every tier, and those of their
 * positions in the clip. bits: [tiers + 1] */
int32_t enc_tiers_count(const enc_tier_plan *plan, uint32_t tiers, const double *limits,
                        uint64_t *bits);

/* Measures the planned solution with the first `with` tiers alone. worst: [block], receives the
 * largest error of each block in tolerances. Blocks are independent, because both ends of each
 * always have keys. */
int32_t enc_tiers_measure(const enc_tier_plan *plan, uint32_t with, enc_report *report,
                          double *worst);

#endif
