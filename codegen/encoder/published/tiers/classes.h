/* The classes of the tracks of a block: tracks that keep similar numbers of keys. */
#ifndef ENCODER_PUBLISHED_TIERS_CLASSES_H
#define ENCODER_PUBLISHED_TIERS_CLASSES_H

#include <stdint.h>

#include "encoder.h"

/* The keys of a block that tracks keep: in the clip, and with 1, 2, .. tiers. */
typedef struct {
    uint8_t keys[ENC_TIERS];
    uint32_t key_bits; /* of one key of all these tracks */
} enc_tier_class;

/* Merges classes, those first whose merger moves the fewest bits back, until at most `most` are
 * left. classes: [count], packed afterwards; member: [count], receives the class that each became
 * part of; the first stays the first. Returns how many are left. */
uint32_t enc_tier_merge(enc_tier_class *classes, uint32_t count, uint32_t tiers, uint32_t most,
                        uint32_t *member);

#endif
