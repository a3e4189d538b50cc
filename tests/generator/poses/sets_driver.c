/* Plays pseudo-random positions of every clip of the embedded bank and compares the functions of
 * every set in sets.h with those of all joints, for players and for shared rows: what a set has is
 * equal word for word, other words stay, and nothing else is read. Prints the number of poses.
 */
#include "hero.h"
#include "sets.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define POSES_PER_CLIP 60
#define UNTOUCHED 0x5a

static hero_pose whole, part, needed;
static hero_model whole_model, part_model;

static uint32_t next_random(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

static int is_untouched(const void *bytes, size_t count)
{
    const unsigned char *byte = bytes;
    while (count > 0u && *byte == UNTOUCHED)
        byte++, count--;
    return count == 0u;
}

/* Returns whether all values of a joint are those of the whole pose, or none of them was written.
 */
static int is_right(const void *got, const void *whole_values, size_t count, int chosen)
{
    return chosen ? memcmp(got, whole_values, count) == 0 : is_untouched(got, count);
}

static int pose_is_right(const unsigned char *chosen, int joint)
{
    int right = is_right(&part.rotations[joint], &whole.rotations[joint], sizeof(osc_quaternion),
                         chosen[joint]) &&
                is_right(&part.translations[joint], &whole.translations[joint], sizeof(osc_vector),
                         chosen[joint]);
#if HERO_HAS_SCALE
    right = right &&
            is_right(&part.scales[joint], &whole.scales[joint], sizeof(osc_vector), chosen[joint]);
#endif
    return right;
}

/* The local pose of joints that a composition needs; noise in the others. */
static void fill_needed(const unsigned char *composed)
{
    memset(&needed, 0x33, sizeof needed);
    for (int joint = 0; joint < HERO_JOINT_COUNT; joint++) {
        if (!composed[joint])
            continue;
        needed.rotations[joint] = whole.rotations[joint];
        needed.translations[joint] = whole.translations[joint];
#if HERO_HAS_SCALE
        needed.scales[joint] = whole.scales[joint];
#endif
    }
}

/* The first joint at which a set's pose is wrong, or -1. */
static int wrong_joint(const unsigned char *chosen)
{
    for (int joint = 0; joint < HERO_JOINT_COUNT; joint++)
        if (!pose_is_right(chosen, joint))
            return joint;
    return -1;
}

int main(void)
{
    static hero_player player, filler;
    osc_bank bank;
    uint32_t state = 1;
    long poses = 0;

    if (hero_open(&bank, hero_bank, sizeof hero_bank) != OSC_OK ||
        hero_player_init(&player, &bank) != OSC_OK)
        return printf("the bank does not open\n"), 1;
    for (uint32_t clip = 0; clip < bank.clip_count; clip++) {
        if (osc_player_start(&player.player, clip, OSC_PLAY_LOOP) != OSC_OK)
            return printf("osc_player_start fails\n"), 1;
        osc_shared_rows rows;
        int32_t words = osc_shared_rows_most_words(&bank, clip),
                *memory = malloc(4u * (size_t)words + 1u);
        if (memory == 0 || hero_player_init(&filler, &bank) != OSC_OK ||
            osc_shared_rows_fill(&rows, &filler.player, clip, OSC_PLAY_LOOP, memory,
                                 (uint32_t)words) < 0)
            return printf("osc_shared_rows_fill fails\n"), 1;
        for (int i = 0; i < POSES_PER_CLIP; i++, poses++) {
            int32_t position = (int32_t)(next_random(&state) % (50u * 2048u)) - 2048;
            (void)osc_player_seek_q11(&player.player, position);
            hero_evaluate(&player, &whole);
            hero_compose(&whole, &whole_model);
            for (size_t s = 0; s < sizeof sets / sizeof sets[0]; s++) {
                memset(&part, UNTOUCHED, sizeof part);
                memset(&part_model, UNTOUCHED, sizeof part_model);
                sets[s].evaluate(&player, &part);
                int wrong = wrong_joint(sets[s].chosen);
                if (wrong >= 0)
                    return printf("set %d: pose differs: joint %d\n", (int)s, wrong), 1;
                memset(&part, UNTOUCHED, sizeof part);
                sets[s].rows_evaluate(&rows, position, &part);
                wrong = wrong_joint(sets[s].chosen);
                if (wrong >= 0)
                    return printf("set %d: pose of rows differs: joint %d\n", (int)s, wrong), 1;
                fill_needed(sets[s].composed);
                sets[s].compose(&needed, &part_model);
                for (int joint = 0; joint < HERO_JOINT_COUNT; joint++) {
                    if (!is_right(&part_model.joints[joint], &whole_model.joints[joint],
                                  sizeof(osc_matrix), sets[s].composed[joint]))
                        return printf("set %d: model differs: joint %d\n", (int)s, joint), 1;
                }
            }
        }
        free(memory);
    }
    printf("%ld poses\n", poses);
    return 0;
}
