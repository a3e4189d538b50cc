/* Mixes rotations and vectors; groups of one to seven. */
#include "arithmetic/osc_mix_arithmetic.h"
#include "port.h"

#define CASES 112u
#define ROTATIONS 7u /* a group of four and one that is not full */

static osc_quaternion from[ROTATIONS], with[ROTATIONS], q[ROTATIONS];

/* Shares of all sizes, both ends, and more than one. */
static int32_t next_weight(void)
{
    uint32_t random = next_random();
    switch (random >> 29) {
    case 0:
        return OSC_ONE_Q15;
    case 1:
        return 0;
    case 2:
        return 0x4000;
    case 3:
        return (random >> 13 & 1u) != 0u ? 0xffff : (int32_t)(random >> 9 & 0xffffu);
    default:
        return (int32_t)(random >> 9 & 0x7fffu);
    }
}

static osc_quaternion *begin(void)
{
    for (uint32_t i = 0; i < ROTATIONS; i++)
        q[i] = from[i];
    return q;
}

static uint32_t add_all(uint32_t hash)
{
    return hash_words(hash, &q[0].x, 4u * ROTATIONS);
}

static void check_kind(uint32_t kind)
{
    uint32_t mixed = OSC_HASH_START, sums = OSC_HASH_START, unit = OSC_HASH_START;
    uint32_t unit_4 = OSC_HASH_START, both = OSC_HASH_START, both_4 = OSC_HASH_START;
    uint32_t added = OSC_HASH_START, added_4 = OSC_HASH_START, vectors = OSC_HASH_START;
    for (uint32_t i = 0; i < CASES; i++) {
        uint32_t count = 1u + i % ROTATIONS, first = i % (ROTATIONS - 3u);
        int32_t weight = next_weight();
        for (uint32_t k = 0; k < ROTATIONS; k++)
            fill_rotations(&from[k], &with[k], kind);
        osc_mix_rotations(begin(), with, count, weight);
        mixed = add_all(mixed);
        for (uint32_t k = 0; k < ROTATIONS; k++)
            osc_unit_rotation(&q[k]); /* of sums, which may be short */
        sums = add_all(sums);
        begin();
        for (uint32_t k = 0; k < ROTATIONS; k++)
            osc_unit_rotation(&q[k]);
        unit = add_all(unit);
        osc_unit_4_rotations(begin() + first);
        unit_4 = add_all(unit_4);
        begin();
        for (uint32_t k = 0; k < ROTATIONS; k++)
            osc_mix_unit_rotation(&q[k], &with[k], weight);
        both = add_all(both);
        osc_mix_unit_4_rotations(begin() + first, with + first, weight);
        both_4 = add_all(both_4);
        begin();
        for (uint32_t k = 0; k < ROTATIONS; k++)
            osc_add_rotation(&q[k], &with[k], weight);
        added = add_all(added);
        osc_add_4_rotations(begin() + first, with + first, weight);
        added_4 = add_all(added_4);
        osc_vector v = {from[0].x, from[0].y, from[0].z}, t = {with[0].x, with[0].y, with[0].z};
        osc_mix_vector(&v, &t, weight);
        osc_add_vector(&v, &t, weight);
        osc_add_scale(&v, &t, weight);
        vectors = hash_words(vectors, &v.x, 3u);
    }
    print_hash("osc_mix_rotations", kind, mixed);
    print_hash("osc_unit_rotation of sums", kind, sums);
    print_hash("osc_unit_rotation", kind, unit);
    print_hash("osc_unit_4_rotations", kind, unit_4);
    print_hash("osc_mix_unit_rotation", kind, both);
    print_hash("osc_mix_unit_4_rotations", kind, both_4);
    print_hash("osc_add_rotation", kind, added);
    print_hash("osc_add_4_rotations", kind, added_4);
    print_hash("vectors of mixes", kind, vectors);
}

void check_mix(void)
{
    for (uint32_t kind = 0; kind < ROTATION_KINDS; kind++)
        check_kind(kind);
}
