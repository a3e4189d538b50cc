/* Mixes pseudo-random poses of the embedded bank, and garbage, with the generated functions and
 * with the generic ones, and compares them word for word. Tracks that no clip moves hold noise,
 * which has to stay. Prints the number of poses and a hash of the results. */
#include "hero.h"
#include "osc_mix.h"

#include <stdio.h>
#include <string.h>

#define ROUNDS 400

static hero_pose generated, generic, with;
static uint16_t mask[HERO_JOINT_COUNT];

static uint32_t next_random(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

/* Numbers of any size, more of them near a unit rotation's. */
static void fill_with_noise(uint32_t *state, hero_pose *pose)
{
    int32_t words[sizeof *pose / 4u];
    uint32_t shift = next_random(state) % 28u;
    for (size_t i = 0; i < sizeof words / 4u; i++)
        words[i] = (int32_t)(next_random(state) << 8 ^ next_random(state)) >> shift;
    memcpy(pose, words, sizeof words);
}

static void evaluate(uint32_t *state, hero_player *player, hero_pose *pose)
{
    (void)osc_player_seek_q11(&player->player, (int32_t)(next_random(state) % (50u * 2048u)));
    hero_evaluate(player, pose);
}

static uint32_t random_weight(uint32_t *state)
{
    uint32_t kind = next_random(state) % 8u;
    return kind == 0u   ? 0u
           : kind == 1u ? (uint32_t)OSC_ONE_Q15
           : kind == 2u ? next_random(state) << 8 /* out of range */
                        : next_random(state) % (OSC_ONE_Q15 + 1u);
}

static int mix(int operation, uint32_t weight, const uint16_t *weights, const osc_bank *bank)
{
    osc_pose view = hero_pose_view(&generic), other = hero_pose_view(&with);
    generic = generated;
    switch (operation) {
    case 0:
        hero_mix_toward(&generated, &with, weight, weights);
        osc_mix_toward(bank, &view, &other, weight, weights);
        break;
    case 1:
        hero_mix_blend(&generated, &with, weight, weights);
        osc_mix_blend(bank, &view, &other, weight, weights);
        break;
    case 2:
        hero_mix_add(&generated, &with, weight, weights);
        osc_mix_add(bank, &view, &other, weight, weights);
        break;
    default:
        hero_mix_finish(&generated);
        osc_mix_finish(bank, &view);
    }
    return memcmp(&generated, &generic, sizeof generic) == 0;
}

int main(void)
{
    static const char *const names[] = {"hero_mix_toward", "hero_mix_blend", "hero_mix_add",
                                        "hero_mix_finish"};
    static hero_player player;
    osc_bank bank;
    uint32_t state = 1, hash = OSC_HASH_START;

    if (hero_open(&bank, hero_bank, sizeof hero_bank) != OSC_OK ||
        hero_player_init(&player, &bank) != OSC_OK ||
        osc_player_start(&player.player, 0, OSC_PLAY_LOOP) != OSC_OK)
        return printf("the bank does not play\n"), 1;
    for (int round = 0; round < ROUNDS; round++) {
        fill_with_noise(&state, &generated);
        fill_with_noise(&state, &with);
        if (round % 4 != 0) {
            evaluate(&state, &player, &generated);
            evaluate(&state, &player, &with);
        }
        for (int joint = 0; joint < HERO_JOINT_COUNT; joint++)
            mask[joint] = (uint16_t)(next_random(&state) % (round % 3 ? OSC_ONE_Q15 + 1u : 65536u));
        for (int step = 0; step < 6; step++) {
            int operation = (int)(next_random(&state) % 4u);
            uint32_t weight = random_weight(&state);
            if (!mix(operation, weight, next_random(&state) % 2u ? mask : 0, &bank))
                return printf("%s differs in round %d\n", names[operation], round), 1;
            hash = osc_hash_words(hash, &generated, sizeof generated / 4u);
        }
    }
    printf("%d poses, hash %08lx\n", ROUNDS, (unsigned long)hash);
    return 0;
}
