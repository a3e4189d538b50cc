/* Mixes rotations and vectors; runs of one to thirteen. */
#include "arithmetic/osc_mix_arithmetic.h"
#include "port.h"

#define CASES 65u
#define ROTATIONS 13u /* of a run: groups of eight and four, and one that is not full */

static osc_quaternion from[ROTATIONS], with[ROTATIONS], q[ROTATIONS];
static osc_vector vectors[ROTATIONS], others[ROTATIONS];

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

/* As vectors: the first three words of each rotation. */
static void take_vectors(osc_vector *to, const osc_quaternion *rotations)
{
    for (uint32_t i = 0; i < ROTATIONS; i++, to++, rotations++) {
        to->x = rotations->x;
        to->y = rotations->y;
        to->z = rotations->z;
    }
}

static uint32_t add_vectors(uint32_t hash)
{
    return hash_words(hash, &vectors[0].x, 3u * ROTATIONS);
}

static void check_kind(uint32_t kind)
{
    uint32_t mixed = OSC_HASH_START, sums = OSC_HASH_START, unit = OSC_HASH_START;
    uint32_t units = OSC_HASH_START, both = OSC_HASH_START, boths = OSC_HASH_START;
    uint32_t added = OSC_HASH_START, addeds = OSC_HASH_START, one_vector = OSC_HASH_START;
    uint32_t mixed_vectors = OSC_HASH_START, added_vectors = OSC_HASH_START;
    uint32_t scales = OSC_HASH_START;
    for (uint32_t i = 0; i < CASES; i++) {
        uint32_t count = 1u + i % ROTATIONS;
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
        osc_unit_rotations(begin(), count);
        units = add_all(units);
        begin();
        for (uint32_t k = 0; k < ROTATIONS; k++)
            osc_mix_unit_rotation(&q[k], &with[k], weight);
        both = add_all(both);
        osc_mix_unit_rotations(begin(), with, count, weight);
        boths = add_all(boths);
        begin();
        for (uint32_t k = 0; k < ROTATIONS; k++)
            osc_add_rotation(&q[k], &with[k], weight);
        added = add_all(added);
        osc_add_rotations(begin(), with, count, weight);
        addeds = add_all(addeds);
        take_vectors(vectors, from);
        take_vectors(others, with);
        osc_mix_vectors(vectors, others, count, weight);
        mixed_vectors = add_vectors(mixed_vectors);
        osc_add_vectors(vectors, others, count, weight);
        added_vectors = add_vectors(added_vectors);
        osc_add_scales(vectors, others, count, weight);
        scales = add_vectors(scales);
        osc_vector v = {from[0].x, from[0].y, from[0].z}, t = others[0];
        osc_mix_vector(&v, &t, weight);
        osc_add_vector(&v, &t, weight);
        osc_add_scales(&v, &t, 1u, weight);
        one_vector = hash_words(one_vector, &v.x, 3u);
    }
    print_hash("osc_mix_rotations", kind, mixed);
    print_hash("osc_unit_rotation of sums", kind, sums);
    print_hash("osc_unit_rotation", kind, unit);
    print_hash("osc_unit_rotations", kind, units);
    print_hash("osc_mix_unit_rotation", kind, both);
    print_hash("osc_mix_unit_rotations", kind, boths);
    print_hash("osc_add_rotation", kind, added);
    print_hash("osc_add_rotations", kind, addeds);
    print_hash("osc_mix_vectors", kind, mixed_vectors);
    print_hash("osc_add_vectors", kind, added_vectors);
    print_hash("osc_add_scales", kind, scales);
    print_hash("one vector of mixes", kind, one_vector);
}

void check_mix(void)
{
    for (uint32_t kind = 0; kind < ROTATION_KINDS; kind++)
        check_kind(kind);
}
