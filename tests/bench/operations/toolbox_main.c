/* Does every operation of toolbox_operations.c once and prints what it cost, where this machine
 * counts, and a hash of what it wrote. On the host, valgrind counts. */
#include "toolbox.h"

#include "hal.h"
#include "print.h"

osc_bank bank;
character_pose pose_a, pose_b, pose_out;
osc_pose view_a, view_b, view_out;
character_model model;
character_player player;
uint32_t scratch[SCRATCH_WORDS];

/* The pose in the middle of the first frame after `frame` of a clip. */
static void evaluate(uint32_t clip, uint32_t frame, character_pose *pose)
{
    if (osc_player_start(&player.player, clip, OSC_PLAY_LOOP) != OSC_OK) {
        print_line("error: clip does not start: ", clip);
        hal_exit(1);
    }
    (void)osc_player_seek_q11(&player.player, (int32_t)(frame * 2048u + 1024u));
    character_evaluate(&player, pose);
}

static uint32_t hash_of_results(void)
{
    uint32_t hash = osc_hash_words(OSC_HASH_START, &pose_out, sizeof pose_out / 4u);
    hash = osc_hash_words(hash, &model, sizeof model / 4u);
    return osc_hash_words(hash, &skinning, sizeof skinning / 4u);
}

static void clear_matrices(void)
{
    /* clang's -O0 would have a copy of `{0}` in RAM */
    for (uint32_t i = 0; i < CHARACTER_JOINT_COUNT; i++)
        for (uint32_t j = 0; j < 12u; j++)
            model.joints[i].m[j] = skinning.joints[i].m[j] = 0;
}

int main(void)
{
    if (character_open(&bank, character_bank, sizeof character_bank) != OSC_OK ||
        character_player_init(&player, &bank) != OSC_OK) {
        print_text("error: the bank does not open\n");
        hal_exit(1);
    }
    view_a = character_pose_view(&pose_a);
    view_b = character_pose_view(&pose_b);
    view_out = character_pose_view(&pose_out);
    for (uint32_t i = 0; i < toolbox_operation_count; i++) {
        evaluate(0, 3, &pose_a);
        evaluate(1, 7, &pose_b);
        pose_out = pose_a;
        clear_matrices();
        toolbox_operations[i].prepare();
        hal_ticks_start();
        toolbox_operations[i].measure();
        uint32_t cost = hal_instructions();
        print_text("operation ");
        print_number(i);
        if (cost != HAL_UNKNOWN) {
            print_text(" ");
            print_text(hal_unit);
            print_text(" ");
            print_number(cost);
        }
        print_text(" hash ");
        print_hex(hash_of_results());
        print_text("\n");
    }
    print_text("done\n");
    hal_exit(0);
}
