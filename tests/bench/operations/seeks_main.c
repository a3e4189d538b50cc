/* Plays each clip of the embedded bank forward at 60 Hz, and then an equal number of frames of it
 * at random. Prints the average cost of a local pose in both orders, where this machine counts, a
 * hash of the poses, and the bytes of the player. On the host, valgrind counts the calls. */
#include "character.h"

#include "hal.h"
#include "print.h"

#define SEEKS 16u /* in each clip */
#define TICKS_PER_SECOND 60u

static character_player player;
static character_pose pose;

__attribute__((noinline)) void forward(int32_t position_q11);
__attribute__((noinline)) void seek(int32_t position_q11);

/* The costs of calls, and the hash of their poses. */
typedef struct costs {
    uint32_t sum, calls;
} costs;

static uint32_t hash = OSC_HASH_START;

static void pose_at(int32_t position_q11)
{
    (void)osc_player_seek_q11(&player.player, position_q11);
    character_evaluate(&player, &pose);
}

void forward(int32_t position_q11)
{
    pose_at(position_q11);
}

void seek(int32_t position_q11)
{
    pose_at(position_q11);
}

static void count(costs *costs, void (*play)(int32_t), uint32_t position_q11)
{
    hal_ticks_start();
    play((int32_t)position_q11);
    uint32_t cost = hal_instructions();
    costs->sum = cost != HAL_UNKNOWN && costs->sum != HAL_UNKNOWN ? costs->sum + cost : HAL_UNKNOWN;
    costs->calls++;
    hash = osc_hash_words(hash, &pose, sizeof pose / 4u);
}

static uint32_t next_random(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 12; /* the lower bits repeat soon */
}

static osc_clip_info start_clip(const osc_bank *bank, uint32_t clip)
{
    osc_clip_info info;
    if (osc_clip_describe(bank, clip, &info) != OSC_OK ||
        osc_player_start(&player.player, clip, OSC_PLAY_AS_MADE) != OSC_OK) {
        print_line("error: clip does not start: ", clip);
        hal_exit(1);
    }
    (void)osc_player_seek_q11(&player.player, 0);
    return info;
}

static void print_costs(const char *name, const costs *costs)
{
    print_text(name);
    if (costs->sum != HAL_UNKNOWN) {
        print_text(" ");
        print_text(hal_unit);
        print_text(" ");
        print_number(costs->calls > 0 ? costs->sum / costs->calls : 0);
    }
    print_text("\n");
}

int main(void)
{
    osc_bank bank;
    uint32_t state = 1;
    costs ticks = {0, 0}, seeks = {0, 0};
    if (character_open(&bank, character_bank, CHARACTER_BANK_BYTES) != OSC_OK ||
        character_player_init(&player, &bank) != OSC_OK) {
        print_text("error: the bank does not open\n");
        hal_exit(1);
    }
    for (uint32_t clip = 0; clip < CHARACTER_CLIP_COUNT; clip++) {
        osc_clip_info info = start_clip(&bank, clip);
        uint32_t end_q11 = (info.frame_count - 1u) << 11;
        uint32_t step_q11 = info.rate_q16 / TICKS_PER_SECOND >> 5;
        for (uint32_t position_q11 = step_q11; position_q11 <= end_q11; position_q11 += step_q11)
            count(&ticks, forward, position_q11);
        for (uint32_t i = 0; i < SEEKS; i++)
            count(&seeks, seek, next_random(&state) % (end_q11 + 1u));
    }
    print_costs("forward", &ticks);
    print_costs("seek", &seeks);
    print_text("hash ");
    print_hex(hash);
    print_text("\n");
    print_line("player ", sizeof player);
    hal_exit(0);
}
