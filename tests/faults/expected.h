/* The expected poses of a bank with tiers: the bits of every pose for every set of tiers, played
 * ahead.
 */
#ifndef EXPECTED_H
#define EXPECTED_H

#include "tier_bank.h"

enum { EXPECTED_BANKS = 4, EXPECTED_SETS = 1 << OSC_MAX_TIERS, EXPECTED_CLIPS = 8 };

/* Positions are counted in quarters of frames. */
typedef struct expected_pose {
    uint32_t hash;
    int32_t difference_q20; /* from the pose with all tiers */
} expected_pose;

typedef struct expected_bank {
    const char *name;
    tier_bank tiers;
    osc_bank opened; /* as osc_bank_open leaves it */
    uint32_t quarters[EXPECTED_CLIPS];
    expected_pose *poses[EXPECTED_SETS][EXPECTED_CLIPS];
} expected_bank;

void expected_make(expected_bank banks[EXPECTED_BANKS]);
void expected_free(expected_bank banks[EXPECTED_BANKS]);

#endif
