/* Evaluates the set `face`, which is of curves alone, and prints their values in Q20. The set has
 * the bits of the whole pose and leaves all else as it was. */
#include "hero.h"

#include <stdio.h>
#include <string.h>

#define AT_Q11 (5 * OSC_ONE_Q11 + 700)
#define UNTOUCHED 0x55

static hero_player player, unpacking;
static hero_pose whole, part, shared, expected;
static int32_t shared_memory[4096];

int main(void)
{
    osc_bank bank;
    osc_shared_rows rows;
    if (hero_open(&bank, hero_bank, HERO_BANK_BYTES) != OSC_OK ||
        hero_player_init(&player, &bank) != OSC_OK ||
        hero_player_init(&unpacking, &bank) != OSC_OK ||
        osc_player_start(&player.player, 0, OSC_PLAY_ONCE) != OSC_OK ||
        osc_player_seek_q11(&player.player, AT_Q11) < 0 ||
        osc_shared_rows_fill(&rows, &unpacking.player, 0, OSC_PLAY_ONCE, shared_memory,
                             sizeof shared_memory / sizeof *shared_memory) < 0)
        return 1;
    memset(&part, UNTOUCHED, sizeof part);
    expected = shared = part;
    hero_evaluate(&player, &whole);
    hero_evaluate_face(&player, &part);
    hero_shared_evaluate_face(&rows, AT_Q11, &shared);
    for (uint32_t joint = HERO_MATRIX_COUNT; joint < HERO_JOINT_COUNT; joint++) {
        expected.rotations[joint] = whole.rotations[joint];
        expected.translations[joint] = whole.translations[joint];
    }
    if (memcmp(&part, &expected, sizeof part) != 0 ||
        memcmp(&shared, &expected, sizeof shared) != 0)
        return 2;
    for (uint32_t curve = 0; curve < HERO_CURVE_COUNT; curve++)
        if (hero_curve_names[curve][0] != '\0')
            printf("%s %d\n", hero_curve_names[curve], (int)hero_curve_q20(&part, curve));
    return 0;
}
