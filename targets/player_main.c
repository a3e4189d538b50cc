/* SPDX-License-Identifier: MIT */
/* Plays every clip of the embedded bank and prints what came of it: pose hashes, which must be the
 * same on every target, and what a pose costs here.
 *
 * Every pose is evaluated twice, by the generated code and by the runtime's generic functions; a
 * single different bit ends the program with exit code 1. The lines are read by
 * codegen/ossicle/machines/runner.py.
 */
#include <stdbool.h>
#include <stddef.h>

#include "character.h"
#include "hal.h"
#include "osc_skin.h"
#include "print.h"

/* Enough to see every frame of a large bank in seconds on an emulated Cortex-M0. Composition costs
 * ten times as much as evaluation there, so fewer poses are composed than evaluated. */
#define EVALUATIONS_AT_MOST 12000u
#define COMPOSITIONS_AT_MOST 4000u
#define BACKWARD_FRAMES 4u
#define SEGMENT_FRAMES 8u /* of the transform codec */
#define JUMPS 4u
#define PLAY_STEP_US 16667u
#define PLAY_FRAMES_AT_MOST 240u
#define MODEL_BYTES                                                                                \
    (CHARACTER_MATRIX_COUNT * sizeof(osc_matrix)) /* joints that hold curves have no matrices */
#define POSES_BESIDE_FORWARD 16u /* at least what the rest of a clip's plan makes */

OSC_HOT_DATA static character_player player;
OSC_HOT_DATA static character_pose pose;
OSC_HOT_DATA static character_model model;
OSC_HOT_DATA static osc_bank bank;
#if defined(CHARACTER_SKIN_CRC)
OSC_HOT_DATA static character_skinning skinning;
#endif

static character_pose expected_pose;
static character_model expected_model;

static struct {
    uint32_t clip;
    uint32_t hash, poses;                  /* of this clip */
    uint32_t frame_stride, compose_stride; /* equal on every target: they follow from the bank */
    uint32_t compose_countdown;
} run;

/* Instructions to move on by one frame; at those of the `entering` rows a clip with segments enters
 * its next one. */
typedef struct row_cost {
    uint32_t rows, sum, worst;
    uint32_t entering_rows, entering_sum;
} row_cost;

static struct {
    row_cost all, clip;
    bool known;
} cost = {{0, 0, 0, 0, 0}, {0, 0, 0, 0, 0}, true};

__attribute__((noreturn)) static void fail(const char *what, int32_t position_q11, uint32_t word)
{
    print_text("error: ");
    print_text(what);
    print_line(" differs from the runtime's, clip ", run.clip);
    print_line("  position in 1/2048 frames: ", (uint32_t)position_q11);
    print_line("  word: ", word);
    hal_exit(1);
}

static void compare(const char *what, int32_t position_q11, const void *got, const void *expected,
                    size_t size_bytes)
{
    const uint32_t *a = (const uint32_t *)got, *b = (const uint32_t *)expected;
    for (uint32_t i = 0; i < size_bytes / 4u; i++)
        if (a[i] != b[i])
            fail(what, position_q11, i);
}

static void start(osc_play_mode mode)
{
    if (osc_player_start(&player.player, run.clip, mode) != OSC_OK) {
        print_line("error: cannot start clip ", run.clip);
        hal_exit(1);
    }
}

#if defined(CHARACTER_SKIN_CRC)
/* Skinning matrices by the runtime's generic functions, over `skinning`. The generic model matrices
 * of the pose are in expected_model. */
static void skin_generically(const osc_pose *view)
{
#if defined(CHARACTER_SKIN_FORMAT_Q14)
    (void)osc_skin_pose_q14(&bank, view, CHARACTER_SKIN_BITS, expected_model.joints,
                            skinning.joints);
#else
    (void)view;
    (void)osc_skin(&bank, expected_model.joints, expected_model.joints);
    for (uint32_t joint = 0; joint < CHARACTER_MATRIX_COUNT; joint++) {
#if defined(CHARACTER_SKIN_FORMAT_20_12)
        osc_matrix_to_4x3(&expected_model.joints[joint], &skinning.joints[joint]);
#else
        skinning.joints[joint] = expected_model.joints[joint];
#endif
    }
#endif
}

/* Of the values, which are the same in either byte order. */
static uint32_t hash_of_skinning(void)
{
#if defined(CHARACTER_SKIN_FORMAT_Q14)
    uint32_t hash = OSC_HASH_START;
    for (uint32_t joint = 0; joint < CHARACTER_MATRIX_COUNT; joint++) {
        const osc_matrix_q14 *matrix = &skinning.joints[joint];
        int32_t turn[9];
        for (uint32_t i = 0; i < 9u; i++)
            turn[i] = matrix->turn[i];
        hash = osc_hash_words(hash, turn, 9u);
        hash = osc_hash_words(hash, matrix->translation, 3u);
    }
    return hash;
#else
    return osc_hash_words(OSC_HASH_START, &skinning, sizeof skinning / 4u);
#endif
}

/* Skinning matrices: hashed, and compared unless joints follow others. */
static void check_skinning(int32_t position_q11, const osc_pose *view)
{
    if (character_skin_pose(&bank, &pose, &model, &skinning) != OSC_OK)
        fail("the bank of the skinning matrices", position_q11, 0);
    uint32_t hash = hash_of_skinning();
    run.hash = osc_hash_words(run.hash, &hash, 1u);
    skin_generically(view);
    uint32_t expected = hash_of_skinning();
#if !defined(CHARACTER_SKIN_RIGID)
    if (hash != expected)
        fail("a hash of the generated skinning matrices", position_q11, 0);
#else
    (void)expected;
#endif
}
#endif

/* The pose at the player's position: evaluated, compared and hashed; composed every so often. */
static void check_pose(int32_t position_q11)
{
    osc_pose expected = character_pose_view(&expected_pose);
    character_evaluate(&player, &pose);
    osc_player_evaluate(&player.player, &expected);
    compare("the generated evaluator", position_q11, &pose, &expected_pose, sizeof pose);
    run.hash = osc_hash_words(run.hash, &pose, sizeof pose / 4u);
    run.poses++;
    if (run.compose_countdown-- != 0u)
        return;
    run.compose_countdown = run.compose_stride - 1u;
    character_compose(&pose, &model);
    osc_compose(&bank, &expected, expected_model.joints);
    compare("the generated composition", position_q11, &model, &expected_model, MODEL_BYTES);
    run.hash = osc_hash_words(run.hash, &model, MODEL_BYTES / 4u);
#if defined(CHARACTER_SKIN_CRC)
    check_skinning(position_q11, &expected);
#endif
}

static void check_at(int32_t position_q11)
{
    (void)osc_player_seek_q11(&player.player, position_q11);
    check_pose(position_q11);
}

static void note_cost(row_cost *sums, uint32_t instructions, bool entering)
{
    sums->rows++;
    sums->sum += instructions;
    if (instructions > sums->worst)
        sums->worst = instructions;
    if (entering) {
        sums->entering_rows++;
        sums->entering_sum += instructions;
    }
}

/* Moves to the frame after the present one and notes its cost. Not inlined: on the host, valgrind
 * tells these seeks from the others by their caller. */
__attribute__((noinline)) void player_next_frame(int32_t position_q11, bool entering);
void player_next_frame(int32_t position_q11, bool entering)
{
    hal_ticks_start();
    (void)osc_player_seek_q11(&player.player, position_q11);
    uint32_t instructions = hal_instructions();
    if (instructions == HAL_UNKNOWN) {
        cost.known = false;
        return;
    }
    note_cost(&cost.all, instructions, entering);
    note_cost(&cost.clip, instructions, entering);
}

/* Returns whether the row behind `frame` is the first one of another segment, in clips that have
 * them: in a loop also the first row, behind the last. */
static bool enters_segment(uint32_t frame, uint32_t frame_count)
{
    osc_clip_info info;
    (void)osc_clip_describe(&bank, run.clip, &info);
    if (frame + 1u >= frame_count)
        return false;
    return frame % SEGMENT_FRAMES == 0u || (info.loop && frame + 2u == frame_count);
}

static void play_forward(uint32_t frame_count)
{
    static const int32_t fractions_q11[] = {1024, 1, 2047, 683, 1365};
    uint32_t checked = 0;
    start(OSC_PLAY_ONCE);
    (void)osc_player_seek_q11(&player.player, 0); /* two rows: not the cost of one */
    for (uint32_t frame = 0; frame < frame_count; frame++) {
        int32_t position_q11 = (int32_t)(frame << 11);
        if (frame > 0)
            player_next_frame(position_q11, enters_segment(frame, frame_count));
        if (frame % run.frame_stride != 0u)
            continue;
        check_pose(position_q11);
        check_at(position_q11 + fractions_q11[checked++ % 5u]);
    }
}

static void play_backward(int32_t end_q11)
{
    int32_t position_q11 = end_q11 - 1365;
    for (uint32_t i = 0; i < BACKWARD_FRAMES; i++, position_q11 -= 2048)
        check_at(position_q11);
}

static void jump(int32_t end_q11)
{
    uint32_t random = 12345u + run.clip;
    for (uint32_t i = 0; i < JUMPS; i++) {
        random = random * 1664525u + 1013904223u;
        check_at((int32_t)((random >> 1) % ((uint32_t)end_q11 + 1u)));
    }
}

/* Across both ends, into the next turn and the one before. */
static void wrap(int32_t end_q11)
{
    start(OSC_PLAY_LOOP);
    check_at(end_q11 - 1);
    check_at(end_q11);
    check_at(end_q11 + 1025);
    check_at(-1);
}

static uint32_t frames_of(uint32_t clip)
{
    osc_clip_info info;
    return osc_clip_describe(&bank, clip, &info) == OSC_OK ? info.frame_count : 0u;
}

static void choose_strides(void)
{
    uint32_t forward = 0;
    for (uint32_t clip = 0; clip < bank.clip_count; clip++)
        forward += 2u * frames_of(clip);
    run.frame_stride = 1u + forward / EVALUATIONS_AT_MOST;
    uint32_t all = forward / run.frame_stride + POSES_BESIDE_FORWARD * bank.clip_count;
    run.compose_stride = 1u + all / COMPOSITIONS_AT_MOST;
}

static void print_clip_cost(void)
{
    if (!cost.known)
        return;
    print_text("cost ");
    print_number(run.clip);
    print_text(" rows ");
    print_number(cost.clip.rows);
    print_text(" sum ");
    print_number(cost.clip.sum);
    print_text(" worst ");
    print_number(cost.clip.worst);
    print_text(" entering ");
    print_number(cost.clip.entering_rows);
    print_line(" sum ", cost.clip.entering_sum);
}

static void play_clips(void)
{
    uint32_t total_hash = OSC_HASH_START, total_poses = 0;
    choose_strides();
    for (run.clip = 0; run.clip < bank.clip_count; run.clip++) {
        uint32_t frame_count = frames_of(run.clip);
        int32_t end_q11 = (int32_t)((frame_count - 1u) << 11);
        run.hash = OSC_HASH_START;
        run.poses = 0;
        cost.clip = (row_cost){0, 0, 0, 0, 0};
        run.compose_countdown = 0; /* the first pose of every clip is composed */
        play_forward(frame_count);
        play_backward(end_q11);
        jump(end_q11);
        wrap(end_q11);
        print_text("clip ");
        print_number(run.clip);
        print_text(" hash ");
        print_hex(run.hash);
        print_line(" poses ", run.poses);
        print_clip_cost();
        total_hash = osc_hash_words(total_hash, &run.hash, 1u);
        total_poses += run.poses;
    }
    print_text("total hash ");
    print_hex(total_hash);
    print_line(" poses ", total_poses);
}

static void print_cost(const char *label, uint32_t cost_of_call)
{
    if (cost_of_call == HAL_UNKNOWN)
        return;
    print_text(hal_unit);
    print_line(label, cost_of_call);
}

/* The cost of a pose does not depend on its data: once is enough. */
static void measure_pose(void)
{
    osc_pose view = character_pose_view(&expected_pose);
    run.clip = 0;
    start(OSC_PLAY_ONCE);
    hal_stack_fill();
    (void)osc_player_seek_q11(&player.player, 683);
    hal_ticks_start();
    character_evaluate(&player, &pose);
    print_cost(" evaluate ", hal_instructions());
    hal_ticks_start();
    character_compose(&pose, &model);
    print_cost(" compose ", hal_instructions());
#if defined(CHARACTER_SKIN_CRC)
    hal_ticks_start();
    (void)character_skin_pose(&bank, &pose, &model, &skinning);
    print_cost(" skin ", hal_instructions());
#endif
    uint32_t stack_bytes = hal_stack_used();
    if (stack_bytes != HAL_UNKNOWN)
        print_line("stack pose_path ", stack_bytes);
    hal_ticks_start();
    osc_player_evaluate(&player.player, &view);
    print_cost(" generic_evaluate ", hal_instructions());
    hal_ticks_start();
    osc_compose(&bank, &view, expected_model.joints);
    print_cost(" generic_compose ", hal_instructions());
}

/* Measures the cost of a frame at 60 frames a second, over the first clip: seek, evaluate, and make
 * skinning matrices, or model matrices where there are none. */
static void measure_play(void)
{
    osc_clip_info info;
    row_cost play = {0, 0, 0, 0, 0};
    run.clip = 0;
    (void)osc_clip_describe(&bank, 0, &info);
    start(OSC_PLAY_AS_MADE);
    (void)osc_player_seek_q11(&player.player, 0);
    uint32_t step_q11 = osc_mulhi_u32(PLAY_STEP_US, info.position_per_us_q32);
    for (uint32_t at = 0; at >> 11 < info.frame_count && play.rows < PLAY_FRAMES_AT_MOST;
         at += step_q11) {
        hal_ticks_start();
        (void)osc_player_seek_q11(&player.player, (int32_t)at);
        character_evaluate(&player, &pose);
#if defined(CHARACTER_SKIN_CRC)
        (void)character_skin_pose(&bank, &pose, &model, &skinning);
#else
        character_compose(&pose, &model);
#endif
        note_cost(&play, hal_instructions(), false);
    }
    if (play.worst == HAL_UNKNOWN)
        return;
    print_cost(" play_average ", play.sum / play.rows);
    print_cost(" play_worst ", play.worst);
}

static void print_row_cost(void)
{
    if (!cost.known || cost.all.rows == 0u)
        return;
    print_cost(" row_average ", cost.all.sum / cost.all.rows);
    print_cost(" row_worst ", cost.all.worst);
}

/* Reads the bank as a serial flash in pieces that do not fit its words. */
static void check_flash(void)
{
    uint8_t piece[61];
    const uint8_t *image = (const uint8_t *)character_bank;
    hal_flash_attach(character_bank, sizeof character_bank);
    size_t offset = 0, count;
    while ((count = hal_flash_read(offset, piece, sizeof piece)) != 0u) {
        for (size_t i = 0; i < count; i++) {
            if (piece[i] != image[offset + i]) {
                print_line("error: flash differs at byte ", (uint32_t)(offset + i));
                hal_exit(1);
            }
        }
        offset += count;
    }
    if (offset != sizeof character_bank) {
        print_line("error: flash ended at byte ", (uint32_t)offset);
        hal_exit(1);
    }
}

/* Opens the embedded bank as if it came from elsewhere. What comes of it must be what the generator
 * has written: bytes after the last field are no part of it. */
static int32_t open_checked(void)
{
    int32_t status = osc_bank_open_codecs(&bank, character_bank, sizeof character_bank,
                                          character_codecs, character_checks);
    const uint8_t *a = (const uint8_t *)&bank, *b = (const uint8_t *)&character_embedded;
    for (size_t i = 0; i <= offsetof(osc_bank, has_scale) && status == OSC_OK; i++)
        if (a[i] != b[i]) {
            print_line("error: the opened bank differs from the embedded one at byte ",
                       (uint32_t)i);
            hal_exit(1);
        }
    return status;
}

int main(void)
{
    int32_t status = open_checked();
    if (status == OSC_OK)
        status = character_player_init(&player, &bank);
    if (status != OSC_OK) {
        print_line("error: the embedded bank does not open: error ", (uint32_t)-status);
        hal_exit(1);
    }
    if (bank.clip_count == 0u) {
        print_text("error: the bank has no clips\n");
        hal_exit(1);
    }
    check_flash();
    play_clips();
    measure_pose();
    measure_play();
    print_row_cost();
    print_text("done\n");
    hal_exit(0);
}
