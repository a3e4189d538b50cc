/* The stages of the page, each with a player and a pose. Several may play one bank. */
#ifndef PLAYER_H
#define PLAYER_H

#include <stdint.h>

#include "ossicle.h"

#define EXPORT(name) __attribute__((export_name(name), used))

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

/* Returns memory of so many bytes, aligned to 16, or null. */
EXPORT("reserve") void *reserve(uint32_t bytes);

#endif
