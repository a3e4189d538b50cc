/* Prints what mixing costs on a skeleton of 41 joints that all turn and of which one moves. Where
 * the machine has no counter, valgrind tells the calls apart. */
#include "arithmetic/osc_mix_arithmetic.h"
#include "bank/osc_bits.h"
#include "hal.h"
#include "osc_mix.h"
#include "print.h"
#include "random_words.h"

#define JOINTS 41u
#define POSES 4u

typedef struct test_pose {
    osc_quaternion rotations[JOINTS];
    osc_vector translations[JOINTS];
} test_pose;

static test_pose memory[POSES];
static uint16_t mask[JOINTS];
static uint32_t subtracks[6];

static osc_pose random_pose(uint32_t number)
{
    test_pose *made = &memory[number];
    osc_pose pose = {made->rotations, made->translations, 0};
    for (uint32_t joint = 0; joint < JOINTS; joint++) {
        osc_quaternion *q = &made->rotations[joint];
        q->x = next_value(1u) >> 1, q->y = next_value(1u) >> 1;
        q->z = next_value(1u) >> 1, q->w = next_value(1u) >> 1;
        osc_unit_rotation(q);
        made->translations[joint].x = next_value(1u);
        made->translations[joint].y = next_value(1u);
        made->translations[joint].z = next_value(1u);
    }
    return pose;
}

#define MEASURE(name, call)                                                                        \
    do {                                                                                           \
        hal_ticks_start();                                                                         \
        call;                                                                                      \
        uint32_t instructions = hal_instructions();                                                \
        if (instructions != HAL_UNKNOWN)                                                           \
            print_line(name " ", instructions);                                                    \
    } while (0)

int main(void)
{
    osc_bank bank = {.joint_count = JOINTS,
                     .rotation_subtracks = JOINTS,
                     .translation_subtracks = 1,
                     .subtrack_masks = subtracks};
    const uint32_t masks[6] = {0xffffffffu, (1u << (JOINTS - 32u)) - 1u, 1u, 0, 0, 0};
    for (uint32_t i = 0; i < 6u; i++)
        subtracks[i] = osc_word(masks[i]);
    for (uint32_t joint = 0; joint < JOINTS; joint++)
        mask[joint] = (uint16_t)(joint < 12u ? 0u : joint < 16u ? (joint - 11u) << 13 : 1u << 15);
    osc_pose pose = random_pose(0), first = random_pose(1), second = random_pose(2);
    osc_pose difference = random_pose(3);
    uint32_t share = 0;
    MEASURE("share", share = osc_mix_share(10000u, 30000u));
    MEASURE("toward", osc_mix_toward(&bank, &pose, &first, share, 0));
    MEASURE("finish", osc_mix_finish(&bank, &pose));
    MEASURE("finish_finished", osc_mix_finish(&bank, &pose));
    MEASURE("blend", osc_mix_blend(&bank, &pose, &second, share, 0));
    MEASURE("toward_masked", osc_mix_toward(&bank, &pose, &first, share, mask));
    osc_mix_finish(&bank, &pose);
    MEASURE("blend_masked", osc_mix_blend(&bank, &pose, &second, share, mask));
    MEASURE("difference", osc_mix_difference(&bank, &difference, &first, &second));
    MEASURE("add", osc_mix_add(&bank, &pose, &difference, share, 0));
    MEASURE("add_masked", osc_mix_add(&bank, &pose, &difference, share, mask));
    for (uint32_t joint = 0; joint < JOINTS; joint++)
        mask[joint] = (uint16_t)(next_random() >> 17);
    MEASURE("toward_any_mask", osc_mix_toward(&bank, &pose, &first, share, mask));
    osc_mix_finish(&bank, &pose);
    MEASURE("blend_any_mask", osc_mix_blend(&bank, &pose, &second, share, mask));
    print_line("hash ", hash_words(OSC_HASH_START, &pose.rotations[0].x, 4u * JOINTS));
    hal_exit(0);
}
