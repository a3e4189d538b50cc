/* SPDX-License-Identifier: MIT */
/* The composition of a joint and the joints below it. */
#include "osc_ik.h"
#include "pose/osc_compose_joint.h"

/* Whether parents are read eight at a time, where compilers find the instruction for the least of
 * them. */
#if OSC_LONG_REGISTERS && defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define PARENTS_AT_ONCE 8
#else
#define PARENTS_AT_ONCE 0
#endif

#if PARENTS_AT_ONCE

/* Returns the least of parent - first, modulo 2^16. */
static inline uint32_t least_distance(const uint8_t *parents, uint32_t first)
{
    uint16_t several[PARENTS_AT_ONCE], least = 0xffffu;
    osc_copy(several, parents, sizeof several);
    for (uint32_t i = 0; i < PARENTS_AT_ONCE; i++) {
        uint16_t distance = (uint16_t)(several[i] - first);
        least = distance < least ? distance : least;
    }
    return least;
}

#endif

/* Passes over parents that are not among the `span` joints after the first. at: the last parent
 * that was read; returns the last that was passed over. */
static inline const uint8_t *pass_over(const uint8_t *at, const uint8_t *end, uint32_t count,
                                       uint32_t first, uint32_t span)
{
#if PARENTS_AT_ONCE
    while (at + 2 != end && count >= PARENTS_AT_ONCE) {
        const uint8_t *next = at + 2;
        if (end - next < 2 * PARENTS_AT_ONCE)
            next = end - 2 * PARENTS_AT_ONCE; /* some of them again */
        if (least_distance(next, first) <= span)
            break;
        at = next + 2 * (PARENTS_AT_ONCE - 1);
    }
#else
    (void)end;
    (void)count;
    (void)first;
    (void)span;
#endif
    return at;
}

OSC_HOT void osc_recompose(const osc_bank *bank, const osc_pose *pose, uint32_t joint,
                           osc_matrix *model)
{
    OSC_ASSERT(joint < bank->joint_count && (pose->scales != 0 || !bank->has_scale));
    uint32_t below[OSC_MAX_JOINTS / 32u]; /* a bit for each joint that is composed again */
    for (uint32_t i = joint >> 5; i < (bank->joint_count + 31u) >> 5; i++)
        below[i] = 0;
    /* A parent is two bytes, the lower one first. Most joints that are passed over have a parent
     * before the first joint or after the last one that was composed. */
    const uint8_t *parents = (const uint8_t *)bank->parents;
    const uint8_t *at = parents + 2u * joint, *end = parents + 2u * bank->joint_count;
    const uint32_t first = joint;
    uint32_t parent = osc_parent(bank, joint);
    do {
        below[joint >> 5] |= 1u << (joint & 31u);
        osc_compose_joint(bank, pose, joint, parent, model);
        const uint32_t span = joint - first;
        do {
            at += 2;
            if (at == end)
                return;
            parent = (uint32_t)at[0] | (uint32_t)at[1] << 8;
            if (parent - first <= span && (below[parent >> 5] >> (parent & 31u) & 1u) != 0u)
                break;
            at = pass_over(at, end, bank->joint_count, first, span);
        } while (true);
        joint = (uint32_t)(at - parents) >> 1;
    } while (true);
}
