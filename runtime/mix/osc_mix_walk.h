/* SPDX-License-Identifier: MIT */
/* The iteration of mixing over the joints of a bank that have a sub-track of a kind. */
#ifndef OSC_MIX_WALK_H
#define OSC_MIX_WALK_H

#include "arithmetic/osc_mix_arithmetic.h"
#include "bank/osc_internal.h"

/* The weight of a joint. mask: of all joints, or null */
static inline int32_t osc_joint_weight(uint32_t weight_q15, const uint16_t *mask_q15,
                                       uint32_t joint)
{
    return mask_q15 != 0 ? osc_masked_weight(weight_q15, mask_q15[joint]) : (int32_t)weight_q15;
}

/* The number of 1 bits below the lowest zero. */
static inline uint32_t osc_ones_below(uint32_t word)
{
    uint32_t zero = ~word & (word + 1u);
    return zero != 0u ? 31u - osc_leading_zeros(zero) : 32u;
}

/* Processes the rotations, translations or scales of `count` consecutive joints, at least one. */
typedef void osc_mix_run(void *to, const void *with, uint32_t count, int32_t weight_q15);

/* Calls `run` for all joints that have a sub-track of a kind, once for each run of consecutive
 * joints with the same factor in the mask, unless the weight is 0. to, with: of all joints. The
 * loop over them needs all registers of a small processor. */
OSC_INLINE void osc_mix_walk(const osc_bank *bank, uint32_t kind, void *to, const void *with,
                             uint32_t weight_q15, const uint16_t *mask_q15, osc_mix_run *run)
{
    const size_t size = kind == 0u ? sizeof(osc_quaternion) : sizeof(osc_vector);
    for (uint32_t first = 0; first < bank->joint_count; first += 32u) {
        uint32_t bits = osc_subtrack_bits(bank, kind, first), joint = first;
        while (bits != 0u) {
            for (; (bits & 1u) == 0u; bits >>= 1)
                joint++;
            uint32_t end = joint + osc_ones_below(bits);
            bits = end < first + 32u ? bits >> (end - joint) : 0u;
            for (uint32_t next; joint < end; joint = next) {
                next = end;
                if (mask_q15 != 0)
                    for (next = joint + 1u; next < end && mask_q15[next] == mask_q15[joint];)
                        next++;
                int32_t weight = osc_joint_weight(weight_q15, mask_q15, joint);
                if (weight != 0)
                    run((char *)to + joint * size, (const char *)with + joint * size, next - joint,
                        weight);
            }
        }
    }
}

/* The same for translations (kind 1) or scales (2), out of line. Without vectors, all runs are of
 * one joint: that takes less code, and most skeletons move few joints. */
#define OSC_VECTOR_RUN(count) (OSC_MIXES_RUNS ? (count) : 1u)
void osc_mix_kind(const osc_bank *bank, uint32_t kind, osc_vector *vectors, const osc_vector *with,
                  uint32_t weight_q15, const uint16_t *mask_q15, osc_mix_run *run);

/* Moves the translations and scales of a pose towards another pose. */
void osc_mix_moved(const osc_bank *bank, const osc_pose *pose, const osc_pose *with,
                   uint32_t weight_q15, const uint16_t *mask_q15);

#endif
