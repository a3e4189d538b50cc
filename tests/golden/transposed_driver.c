/* Plays clips of banks with some memory after a player's own. Arguments, for each clip: the bank,
 * the clip's number, the words of that memory. Prints the arguments of a clip with a track that
 * could be transposed there but is not. */
#include <stdio.h>
#include <stdlib.h>

#include "codecs/osc_transform_segments.h"
#include "ossicle.h"

static uint32_t words[1u << 16];
static int32_t memory[1u << 16];

static size_t load(const char *name)
{
    FILE *file = fopen(name, "rb");
    size_t size = file != NULL ? fread(words, 1, sizeof words, file) : 0;
    if (file != NULL)
        fclose(file);
    return size;
}

/* Returns whether all tracks that are sums of coefficients are transposed. */
static bool all_transposed(const osc_player *player)
{
    const int32_t *component = player->state + OSC_TRANSFORM_STATE_WORDS;
    for (uint32_t left = (uint32_t)player->state[1] & 0xfffu; left != 0u; left--) {
        uint32_t track = (uint32_t)component[-1], word = (uint32_t)component[OSC_COMPONENT_WORD];
        bool sums = OSC_TRANSFORM_TRACK_FOUR(track) + OSC_TRANSFORM_TRACK_DIRECT(track) == 0u;
        if (OSC_TRANSFORM_IS_TRANSPOSED(word) != sums)
            return false;
        for (uint32_t i = OSC_TRANSFORM_TRACK_FOUR(track) + 3u; i != 0u; i--)
            component += osc_transform_component_words(component);
    }
    return true;
}

/* Plays a clip, and returns whether it is transposed; exits if it cannot be played. */
static bool transposes(const osc_bank *bank, uint32_t clip, size_t more_words)
{
    osc_player player;
    osc_clip_info info;
    size_t own_words = osc_player_memory_words(bank);
    if (osc_clip_describe(bank, clip, &info) != OSC_OK ||
        osc_player_init(&player, bank, memory, own_words + more_words) != OSC_OK ||
        osc_player_start(&player, clip, OSC_PLAY_ONCE) != OSC_OK)
        exit(EXIT_FAILURE);
    for (uint32_t frame = 0; frame < info.frame_count; frame++)
        (void)osc_player_seek_q11(&player, (int32_t)(frame << 11));
    return all_transposed(&player);
}

int main(int count, char **arguments)
{
    for (int at = 1; at + 2 < count; at += 3) {
        osc_bank bank;
        uint32_t clip = (uint32_t)strtoul(arguments[at + 1], NULL, 10);
        if (osc_bank_open(&bank, words, load(arguments[at])) != OSC_OK)
            return EXIT_FAILURE;
        if (!transposes(&bank, clip, strtoul(arguments[at + 2], NULL, 10)))
            printf("%s %s %s\n", arguments[at], arguments[at + 1], arguments[at + 2]);
    }
    return EXIT_SUCCESS;
}
