/* The stages of the page, each with a player and a pose. Several may play one bank. */
#ifndef PLAYER_H
#define PLAYER_H

#include <stdint.h>

#include "module_memory.h"
#include "ossicle.h"

/* A bank that was opened, and the tiers that it contains. */
typedef struct {
    osc_bank bank;
    const uint32_t *tiers[OSC_MAX_TIERS];
} opened_bank;

typedef struct {
    opened_bank *opened;
    osc_player player;
    osc_pose pose;
    osc_pose over; /* what additive clips are added to */
    osc_pose sum;
    osc_matrix *model;
} stage;

#endif
