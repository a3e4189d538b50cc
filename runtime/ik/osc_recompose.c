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

/* Passes over parents that are not among the `span` joints after the first. at: the next parent;
 * returns a later one, or the end. */
static inline const uint8_t *pass_over(const uint8_t *at, const uint8_t *end, uint32_t count,
                                       uint32_t first, uint32_t span)
{
#if PARENTS_AT_ONCE
    if (count >= PARENTS_AT_ONCE) {
        const uint8_t *last = end - 2 * PARENTS_AT_ONCE;
        for (; at < last; at += 2 * PARENTS_AT_ONCE)
            if (least_distance(at, first) <= span)
                return at;
        if (least_distance(last, first) > span) /* some of them again */
            return end;
    }
#else
    (void)end;
    (void)count;
    (void)first;
    (void)span;
#endif
    return at;
}

static inline uint32_t parent_at(const uint8_t *at)
{
    return (uint32_t)at[0] | (uint32_t)at[1] << 8;
}

/* A walk over a joint and the joints below it. */
typedef struct branch {
    const uint8_t *parents, *end; /* two bytes each, the lower one first */
    uint32_t first, joint, parent, joint_count;
    uint32_t below[OSC_MAX_JOINTS / 32u]; /* a bit for each joint that was composed again */
} branch;

static inline bool is_below(const branch *b, uint32_t parent, uint32_t span)
{
    if (PARENTS_AT_ONCE && parent == b->joint) /* often; costs more if parents are read singly */
        return true;
    return parent - b->first <= span && (b->below[parent >> 5] >> (parent & 31u) & 1u) != 0u;
}

/* Goes to the next joint whose parent was composed again. Most joints that are passed over have a
 * parent before the first joint or after the last one that was composed. Returns false if there is
 * none. */
static inline bool go_below(branch *b)
{
    const uint32_t span = b->joint - b->first;
    const uint8_t *at = b->parents + 2u * b->joint + 2u;
    b->below[b->joint >> 5] |= 1u << (b->joint & 31u);
    for (;; at = pass_over(at + 2, b->end, b->joint_count, b->first, span)) {
        if (at == b->end)
            return false;
        b->parent = parent_at(at);
        if (is_below(b, b->parent, span))
            break;
    }
    b->joint = (uint32_t)(at - b->parents) >> 1;
    return true;
}

static inline void begin(branch *b, const osc_bank *bank, uint32_t joint)
{
    b->parents = (const uint8_t *)bank->parents;
    b->joint_count = bank->joint_count;
    b->end = b->parents + 2u * b->joint_count;
    b->first = b->joint = joint;
    b->parent = parent_at(b->parents + 2u * joint);
    uint32_t word = joint >> 5, last = (b->joint_count - 1u) >> 5;
    do
        b->below[word] = 0;
    while (word++ != last);
}

OSC_HOT void osc_recompose(const osc_bank *bank, const osc_pose *pose, uint32_t joint,
                           osc_matrix *model)
{
    OSC_ASSERT(joint < bank->joint_count && (pose->scales != 0 || !bank->has_scale));
    const osc_quaternion *rotations = pose->rotations;
    const osc_vector *translations = pose->translations;
    const osc_vector *scales = bank->has_scale ? pose->scales : 0;
    branch b;
    begin(&b, bank, joint);
    if (b.parent == OSC_NO_PARENT) {
        osc_local_matrix(&rotations[joint], &translations[joint], scales != 0 ? &scales[joint] : 0,
                         &model[joint]);
        if (!go_below(&b))
            return;
    }
    do {
        osc_child_matrix(&rotations[b.joint], &translations[b.joint],
                         scales != 0 ? &scales[b.joint] : 0, &model[b.parent], &model[b.joint]);
    } while (go_below(&b));
}
