/* Plays clips of banks with some memory after a player's own, and with much of it. Arguments, for
 * each clip: the bank, the clip's number, the words of that memory. Prints the arguments of a clip
 * whose transposed segments differ, because not all of its tracks had room. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ossicle.h"

#define MEMORY_WORDS (1u << 14)

static uint32_t words[1u << 16];
static int32_t memory[MEMORY_WORDS], ample[MEMORY_WORDS];

static size_t load(const char *name)
{
    FILE *file = fopen(name, "rb");
    size_t size = file != NULL ? fread(words, 1, sizeof words, file) : 0;
    if (file != NULL)
        fclose(file);
    return size;
}

static void start(osc_player *player, const osc_bank *bank, uint32_t clip, int32_t *own,
                  size_t own_words)
{
    memset(own, 0, sizeof memory);
    if (osc_player_init(player, bank, own, own_words) != OSC_OK ||
        osc_player_start(player, clip, OSC_PLAY_ONCE) != OSC_OK)
        exit(EXIT_FAILURE);
}

/* Returns whether all segments of a clip are transposed as with ample memory. */
static bool transposes(const osc_bank *bank, uint32_t clip, size_t more_words)
{
    osc_player player, other;
    osc_clip_info info;
    size_t own_words = osc_player_memory_words(bank);
    bool all = true;
    if (osc_clip_describe(bank, clip, &info) != OSC_OK)
        exit(EXIT_FAILURE);
    start(&player, bank, clip, memory, own_words + more_words);
    start(&other, bank, clip, ample, MEMORY_WORDS);
    for (uint32_t frame = 0; frame < info.frame_count; frame++) {
        (void)osc_player_seek_q11(&player, (int32_t)(frame << 11));
        (void)osc_player_seek_q11(&other, (int32_t)(frame << 11));
        all = all && memcmp(memory, ample, sizeof memory) == 0;
    }
    return all;
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
