/* A segment of the transform codec was passed over by its size on the way to a later one, but left
 * where its coefficients ended when it had been played: with a damaged size, or damaged
 * coefficients, the pose depended on what was played before. */
#include "../support/c/sample_banks.h"
#include "ossicle.h"

#include <string.h>

enum { WORDS = sizeof sample_transform / 4, ROOM = 4096, BEFORE = 2 * 2048, BEHIND = 10 * 2048 };

static uint32_t words[WORDS];
static int32_t memory[ROOM];

static void seal(void)
{
    uint32_t crc = 0xffffffffu;
    for (uint32_t i = 0; i < WORDS; i++) {
        for (uint32_t bit = 0; i != 3u && bit < 32u; bit++)
            crc = (crc >> 1) ^ (((crc ^ (words[i] >> bit)) & 1u) * 0xedb88320u);
    }
    words[3] = ~crc;
}

static uint32_t hash_at(osc_player *player, int32_t position)
{
    static osc_quaternion rotations[8];
    static osc_vector translations[8], scales[8];
    static osc_pose pose = {rotations, translations, scales};
    osc_player_seek_q11(player, position);
    osc_player_evaluate(player, &pose);
    uint32_t hash = osc_hash_words(OSC_HASH_START, rotations, sizeof rotations / 4u);
    hash = osc_hash_words(hash, translations, sizeof translations / 4u);
    return osc_hash_words(hash, scales, sizeof scales / 4u);
}

static int same_on_both_ways(void)
{
    osc_bank bank;
    osc_player player;
    if (osc_bank_open(&bank, words, sizeof words) != OSC_OK)
        return 1;
    if (bank.joint_count > 8 || osc_player_init(&player, &bank, memory, ROOM) != OSC_OK)
        return 0;
    osc_player_start(&player, 0, OSC_PLAY_ONCE);
    uint32_t jumped = hash_at(&player, BEHIND);
    osc_player_start(&player, 0, OSC_PLAY_ONCE);
    hash_at(&player, BEFORE);
    return hash_at(&player, BEHIND) == jumped;
}

int main(void)
{
    uint32_t data = sample_transform[5 + 3 * 2 + 1] & 0x7fffffffu;
    uint32_t size = sample_transform[(sample_transform[5 + 3 * 1 + 1] & 0x7fffffffu) + 5u];
    for (uint32_t bit = 0; bit < 32u * size; bit++) {
        memcpy(words, sample_transform, sizeof words);
        words[data + bit / 32u] ^= 1u << bit % 32u;
        seal();
        if (!same_on_both_ways())
            return 1;
    }
    return 0;
}
