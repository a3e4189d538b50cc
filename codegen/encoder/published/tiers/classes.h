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

/* Merges classes until at most `most` are left, first those whose merger moves the fewest bits to
 * lower tiers. classes: [count], packed afterwards; member: [count], receives the class that
 * contains each; the first remains first. Returns the number left. */
uint32_t enc_tier_merge(enc_tier_class *classes, uint32_t count, uint32_t tiers, uint32_t most,
                        uint32_t *member);

#endif
