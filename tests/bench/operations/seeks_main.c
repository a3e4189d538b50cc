/* Plays frames at random: an equal number of positions in each clip of the embedded bank, one clip
 * after the other. Prints the average cost of a seek and the pose there, where this machine counts,
 * and a hash of the poses. On the host, valgrind counts the calls of seek. */
#include "character.h"

#include "hal.h"
#include "print.h"

#define SEEKS 16u /* in each clip */

static character_player player;
static character_pose pose;

__attribute__((noinline)) void seek(int32_t position_q11);

void seek(int32_t position_q11)
{
    (void)osc_player_seek_q11(&player.player, position_q11);
    character_evaluate(&player, &pose);
}

static uint32_t next_random(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 12; /* the lower bits repeat soon */
}

static uint32_t start_clip(const osc_bank *bank, uint32_t clip)
{
    osc_clip_info info;
    if (osc_clip_describe(bank, clip, &info) != OSC_OK ||
        osc_player_start(&player.player, clip, OSC_PLAY_AS_MADE) != OSC_OK) {
        print_line("error: clip does not start: ", clip);
        hal_exit(1);
    }
    (void)osc_player_seek_q11(&player.player, 0);
    return (info.frame_count - 1u) << 11;
}

int main(void)
{
    osc_bank bank;
    uint32_t state = 1, cost = 0, hash = OSC_HASH_START;
    if (character_open(&bank, character_bank, CHARACTER_BANK_BYTES) != OSC_OK ||
        character_player_init(&player, &bank) != OSC_OK) {
        print_text("error: the bank does not open\n");
        hal_exit(1);
    }
    for (uint32_t clip = 0; clip < CHARACTER_CLIP_COUNT; clip++) {
        uint32_t end_q11 = start_clip(&bank, clip);
        for (uint32_t i = 0; i < SEEKS; i++) {
            int32_t position_q11 = (int32_t)(next_random(&state) % (end_q11 + 1u));
            hal_ticks_start();
            seek(position_q11);
            uint32_t instructions = hal_instructions();
            cost = instructions != HAL_UNKNOWN && cost != HAL_UNKNOWN ? cost + instructions
                                                                      : HAL_UNKNOWN;
            hash = osc_hash_words(hash, &pose, sizeof pose / 4u);
        }
    }
    print_text("seek");
    if (cost != HAL_UNKNOWN) {
        print_text(" ");
        print_text(hal_unit);
        print_text(" ");
        print_number(cost / (CHARACTER_CLIP_COUNT * SEEKS));
    }
    print_text(" hash ");
    print_hex(hash);
    print_text("\n");
    hal_exit(0);
}
