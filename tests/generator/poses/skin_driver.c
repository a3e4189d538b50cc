/* Plays pseudo-random positions of the embedded bank's first clip and compares the generated
 * skinning matrices with the generic ones, word for word, where no joints follow others. Prints the
 * words of the poses and of the matrices. */
#include "hero.h"

#include "osc_skin.h"

#include <stdio.h>
#include <string.h>

#define POSES 20

static hero_pose pose;
static hero_model model, expected_model;
static hero_skinning skinning, expected;

static void print_words(const char *what, const void *words, size_t size_bytes)
{
    int32_t word;
    printf("%s", what);
    for (size_t i = 0; i < size_bytes; i += sizeof word) {
        memcpy(&word, (const char *)words + i, sizeof word);
        printf(" %ld", (long)word);
    }
    printf("\n");
}

/* The generic result in `expected`. */
static int32_t skin_generically(const osc_bank *bank)
{
    osc_pose view = hero_pose_view(&pose);
#if defined(HERO_SKIN_FORMAT_Q14)
    return osc_skin_pose_q14(bank, &view, HERO_SKIN_BITS, expected_model.joints, expected.joints);
#elif defined(HERO_SKIN_FORMAT_20_12)
    osc_compose(bank, &view, expected_model.joints);
    int32_t status = osc_skin(bank, expected_model.joints, expected_model.joints);
    for (uint32_t joint = 0; joint < HERO_JOINT_COUNT; joint++)
        osc_matrix_to_4x3(&expected_model.joints[joint], &expected.joints[joint]);
    return status;
#else
    osc_compose(bank, &view, expected_model.joints);
    return osc_skin(bank, expected_model.joints, expected.joints);
#endif
}

int main(void)
{
    static hero_player player;
    osc_bank bank;
    uint32_t state = 1;
    if (hero_open(&bank, hero_bank, sizeof hero_bank) != OSC_OK ||
        hero_player_init(&player, &bank) != OSC_OK || bank.skin_crc != HERO_SKIN_CRC ||
        sizeof skinning != HERO_SKINNING_BYTES)
        return printf("hero_open fails, or a constant differs from the bank\n"), 1;
    osc_bank other = bank, none = bank;
    other.skin_crc ^= 1u;
    none.inverse_bind = 0;
    if (hero_skin_pose(&other, &pose, &model, &skinning) != OSC_ERROR_LAYOUT ||
        hero_skin_pose(&none, &pose, &model, &skinning) != OSC_ERROR_LAYOUT ||
        skin_generically(&none) != OSC_ERROR_SECTION)
        return printf("matrices of a bank that has other ones, or none\n"), 1;
    (void)osc_player_start(&player.player, 0, OSC_PLAY_ONCE);
    for (int i = 0; i < POSES; i++) {
        state = state * 1664525u + 1013904223u;
        (void)osc_player_seek_q11(&player.player, (int32_t)(state >> 8) % (40 * 2048));
        hero_evaluate(&player, &pose);
        memset(&skinning, 0xaa, sizeof skinning);
        if (hero_skin_pose(&bank, &pose, &model, &skinning) != OSC_OK ||
            skin_generically(&bank) != OSC_OK)
            return printf("no matrices\n"), 1;
#if !defined(HERO_SKIN_RIGID)
        if (memcmp(&skinning, &expected, sizeof skinning) != 0)
            return printf("the matrices of pose %d differ\n", i), 1;
#endif
        print_words("rotations", pose.rotations, sizeof pose.rotations);
        print_words("translations", pose.translations, sizeof pose.translations);
#if HERO_HAS_SCALE
        print_words("scales", pose.scales, sizeof pose.scales);
#endif
        print_words("skinning", &skinning, sizeof skinning);
#if defined(HERO_SKIN_FORMAT_Q20)
        if (hero_skin_pose(&bank, &pose, &model, &model) != OSC_OK ||
            memcmp(&model, &skinning, sizeof model) != 0)
            return printf("the matrices of pose %d differ over the model\n", i), 1;
#endif
    }
    return 0;
}
