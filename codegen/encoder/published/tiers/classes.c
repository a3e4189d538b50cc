#include "published/tiers/classes.h"

/* The keys that both keep together. */
static enc_tier_class merged(const enc_tier_class *a, const enc_tier_class *b, uint32_t tiers)
{
    enc_tier_class out = *a;
    out.key_bits = a->key_bits + b->key_bits;
    for (uint32_t t = 0; t < tiers; t++)
        out.keys[t] = a->keys[t] > b->keys[t] ? a->keys[t] : b->keys[t];
    return out;
}

/* The bits that move to a lower tier if two classes are merged. */
static uint64_t loss(const enc_tier_class *a, const enc_tier_class *b, uint32_t tiers)
{
    enc_tier_class both = merged(a, b, tiers);
    uint64_t bits = 0;
    for (uint32_t t = 0; t < tiers; t++)
        bits += (uint64_t)(both.keys[t] - a->keys[t]) * a->key_bits +
                (uint64_t)(both.keys[t] - b->keys[t]) * b->key_bits;
    return bits;
}

/* Moves the members of one class to another. */
static void move_members(uint32_t *member, uint32_t count, uint32_t from, uint32_t to)
{
    for (uint32_t i = 0; i < count; i++)
        if (member[i] == from)
            member[i] = to;
}

uint32_t enc_tier_merge(enc_tier_class *classes, uint32_t count, uint32_t tiers, uint32_t most,
                        uint32_t *member)
{
    uint32_t left = count;
    for (uint32_t i = 0; i < count; i++)
        member[i] = i;
    for (;;) {
        uint64_t least = UINT64_MAX;
        uint32_t best_a = 0, best_b = 1;
        for (uint32_t a = 0; a < left && least != 0u; a++)
            for (uint32_t b = a + 1u; b < left && least != 0u; b++) {
                uint64_t lost = loss(&classes[a], &classes[b], tiers);
                if (lost < least) {
                    least = lost;
                    best_a = a;
                    best_b = b;
                }
            }
        if (left < 2u || (left <= most && least != 0u))
            return left;
        /* b becomes part of a, and the last class takes its place */
        classes[best_a] = merged(&classes[best_a], &classes[best_b], tiers);
        classes[best_b] = classes[--left];
        move_members(member, count, best_b, best_a);
        move_members(member, count, left, best_b);
    }
}
