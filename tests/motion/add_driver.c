/* Adds a clip of a bank to a pose, at every frame and midpoint, and prints the words of the
 * results: add_driver BANK CLIP POSE WEIGHT MASK. POSE and MASK are files, of the pose's words
 * (rotations, translations, scales) and of factors of 16 bits; - for no mask. */
#include "osc_mix.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_JOINTS 64

typedef struct {
    osc_quaternion rotations[MOST_JOINTS];
    osc_vector translations[MOST_JOINTS], scales[MOST_JOINTS];
} storage;

static osc_pose view(storage *pose)
{
    osc_pose made = {pose->rotations, pose->translations, pose->scales};
    return made;
}

static size_t read_file(const char *name, void *to, size_t bytes)
{
    FILE *file = fopen(name, "rb");
    size_t size = file != 0 ? fread(to, 1, bytes, file) : 0;
    if (file != 0)
        (void)fclose(file);
    return size;
}

static void print(const int32_t *words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        printf("%d ", (int)words[i]);
}

int main(int argc, char **argv)
{
    static uint32_t bank_words[1 << 18];
    static int32_t memory[1 << 14], pose_words[10 * MOST_JOINTS];
    static uint16_t mask[MOST_JOINTS];
    static storage reference, played, result;
    osc_bank bank;
    osc_player player;
    osc_clip_info info;
    if (argc != 6 ||
        osc_bank_open(&bank, bank_words, read_file(argv[1], bank_words, sizeof bank_words)) !=
            OSC_OK ||
        bank.joint_count > MOST_JOINTS)
        return 1;
    uint32_t clip = (uint32_t)strtoul(argv[2], 0, 10), joints = bank.joint_count;
    uint32_t weight = (uint32_t)strtoul(argv[4], 0, 10);
    if (osc_player_init(&player, &bank, memory, sizeof memory / sizeof *memory) != OSC_OK ||
        osc_player_start(&player, clip, OSC_PLAY_ONCE) != OSC_OK ||
        osc_clip_describe(&bank, clip, &info) != OSC_OK || !info.additive ||
        read_file(argv[3], pose_words, 40u * joints) != 40u * joints)
        return 2;
    const uint16_t *factors = strcmp(argv[5], "-") == 0 ? 0 : mask;
    if (factors != 0 && read_file(argv[5], mask, 2u * joints) != 2u * joints)
        return 3;
    memcpy(reference.rotations, pose_words, 16u * joints);
    memcpy(reference.translations, pose_words + 4u * joints, 12u * joints);
    memcpy(reference.scales, pose_words + 7u * joints, 12u * joints);
    for (uint32_t i = 0; i < 2u * info.frame_count - 1u; i++) {
        osc_pose to = view(&result), with = view(&played);
        (void)osc_player_seek_q11(&player, (int32_t)(i * (OSC_ONE_Q11 / 2)));
        osc_player_evaluate(&player, &with);
        result = reference;
        osc_mix_add(&bank, &to, &with, weight, factors);
        print(&result.rotations[0].x, 4u * joints);
        print(&result.translations[0].x, 3u * joints);
        print(&result.scales[0].x, 3u * joints);
        printf("\n");
    }
    return 0;
}
