/* Additive layers. */
#include "mix/osc_mix_walk.h"
#include "osc_mix.h"

OSC_HOT static void add_translations(const osc_bank *bank, osc_vector *translations,
                                     const osc_vector *differences, uint32_t weight_q15,
                                     const uint16_t *mask_q15)
{
    for (uint32_t first = 0; first < bank->joint_count; first += 32u) {
        uint32_t here = osc_subtrack_bits(bank, 1u, first);
        for (uint32_t joint = first; here != 0u; joint++, here >>= 1)
            if ((here & 1u) != 0u)
                osc_add_vector(&translations[joint], &differences[joint],
                               osc_joint_weight(weight_q15, mask_q15, joint));
    }
}

OSC_HOT static void add_scales(const osc_bank *bank, osc_vector *scales,
                               const osc_vector *differences, uint32_t weight_q15,
                               const uint16_t *mask_q15)
{
    for (uint32_t first = 0; first < bank->joint_count; first += 32u) {
        uint32_t here = osc_subtrack_bits(bank, 2u, first);
        for (uint32_t joint = first; here != 0u; joint++, here >>= 1)
            if ((here & 1u) != 0u)
                osc_add_scale(&scales[joint], &differences[joint],
                              osc_joint_weight(weight_q15, mask_q15, joint));
    }
}

OSC_HOT OSC_NOINLINE void add_run(osc_quaternion *rotations, const osc_quaternion *deltas,
                                  uint32_t count, int32_t weight_q15)
{
    for (; OSC_MIXES_4 && count >= 4u; count -= 4u, rotations += 4, deltas += 4)
        osc_add_4_rotations(rotations, deltas, weight_q15);
    for (; count != 0u; count--)
        osc_add_rotation(rotations++, deltas++, weight_q15);
}

OSC_HOT void osc_mix_add(const osc_bank *bank, const osc_pose *pose, const osc_pose *difference,
                         uint32_t weight_q15, const uint16_t *mask_q15)
{
    OSC_ASSERT((pose->scales != 0 && difference->scales != 0) || !bank->has_scale);
    osc_mix_rotations(bank, pose->rotations, difference->rotations, weight_q15, mask_q15, add_run);
    if (bank->translation_subtracks != 0u)
        add_translations(bank, pose->translations, difference->translations, weight_q15, mask_q15);
    if (bank->scale_subtracks != 0u)
        add_scales(bank, pose->scales, difference->scales, weight_q15, mask_q15);
}
