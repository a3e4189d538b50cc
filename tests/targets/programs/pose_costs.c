/* Prints what evaluation and composition cost at random positions of random clips, of all joints
 * and of the set `part`. Where the machine has no counter, valgrind tells the calls apart. */
#include "character.h"
#include "hal.h"
#include "print.h"

#define POSES 100u

static character_player player;
static character_pose pose;
static character_model model;
static osc_bank bank;

static uint32_t next_random(uint32_t limit)
{
    static uint32_t state = 2024u;
    state = state * 1664525u + 1013904223u;
    return (state >> 4) % limit;
}

static void go_to_random_position(void)
{
    osc_clip_info info;
    uint32_t clip = next_random(bank.clip_count);
    if (osc_player_start(&player.player, clip, OSC_PLAY_AS_MADE) != OSC_OK ||
        osc_clip_describe(&bank, clip, &info) != OSC_OK)
        hal_exit(2);
    (void)osc_player_seek_q11(&player.player,
                              (int32_t)next_random(info.frame_count * (uint32_t)OSC_ONE_Q11));
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
    if (character_open(&bank, character_bank, CHARACTER_BANK_BYTES) != OSC_OK ||
        character_player_init(&player, &bank) != OSC_OK)
        hal_exit(1);
    for (uint32_t i = 0; i < POSES; i++) {
        go_to_random_position();
        MEASURE("evaluate", character_evaluate(&player, &pose));
        MEASURE("compose", character_compose(&pose, &model));
        MEASURE("evaluate_part", character_evaluate_part(&player, &pose));
        MEASURE("compose_part", character_compose_part(&pose, &model));
    }
    print_line("hash ", osc_hash_words(OSC_HASH_START, &model, sizeof model / 4u));
    hal_exit(0);
}
