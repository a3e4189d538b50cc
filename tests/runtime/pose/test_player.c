/* The player: positions, wrapping, holding, any order of seeks, breaks, memory, damaged streams. */
#include "bank_tools.h"
#include "check.h"
#include "sample_banks.h"

#include <stdlib.h>
#include <string.h>

#define WALK_WORDS (sizeof sample_walk / 4u)
#define SCALE_WORDS (sizeof sample_scale / 4u)
#define TURN_WORDS (sizeof sample_turn / 4u)
#define COUNT(array) (sizeof(array) / sizeof(array)[0])
enum { WALK, JUMP, POSE, STILL };
#define WALK_END (8 * 2048)

static int make_walk(void **state)
{
    static test_player made;
    player_make(&made, sample_walk, WALK_WORDS);
    *state = &made;
    return 0;
}

static int drop(void **state)
{
    player_free(*state);
    return 0;
}

static void check_query(test_player *made, const sample_query *query)
{
    assert_int_equal(osc_player_start(&made->player, query->clip, (osc_play_mode)query->mode),
                     OSC_OK);
    assert_true(osc_player_seek_q11(&made->player, query->position_q11) >= 0);
    assert_int_equal(pose_hash(made), query->pose_hash);
    assert_int_equal(model_hash(made), query->model_hash);
}

static void samples_give_the_reference_hashes(void **state)
{
    test_player scale, turn;
    for (size_t i = 0; i < COUNT(sample_walk_queries); i++)
        check_query(*state, &sample_walk_queries[i]);
    player_make(&scale, sample_scale, SCALE_WORDS);
    for (size_t i = 0; i < COUNT(sample_scale_queries); i++)
        check_query(&scale, &sample_scale_queries[i]);
    player_free(&scale);
    player_make(&turn, sample_turn, TURN_WORDS);
    for (size_t i = 0; i < COUNT(sample_turn_queries); i++)
        check_query(&turn, &sample_turn_queries[i]);
    player_free(&turn);
}

static uint32_t hash_at(test_player *made, int32_t position)
{
    assert_true(osc_player_seek_q11(&made->player, position) >= 0);
    return pose_hash(made);
}

static uint32_t fresh_hash(const uint32_t *words, size_t count, uint32_t clip, osc_play_mode mode,
                           int32_t position)
{
    test_player made;
    player_make(&made, words, count);
    assert_int_equal(osc_player_start(&made.player, clip, mode), OSC_OK);
    uint32_t hash = hash_at(&made, position);
    player_free(&made);
    return hash;
}

/* Walks through both clips forward, backward and in jumps; each pose as from a fresh player. */
static void every_path_gives_the_same_pose(void **state)
{
    enum { STEP = 512, MOST = 8 * 2048 / STEP + 1 };
    test_player *made = *state;
    uint32_t expected[MOST];
    uint64_t seed = 11;
    for (uint32_t clip = WALK; clip <= STILL; clip++) {
        osc_clip_info info;
        assert_int_equal(osc_clip_describe(&made->bank, clip, &info), OSC_OK);
        int32_t count = (int32_t)(info.frame_count - 1u) * 2048 / STEP + 1;
        for (int32_t i = 0; i < count; i++)
            expected[i] = fresh_hash(sample_walk, WALK_WORDS, clip, OSC_PLAY_ONCE, i * STEP);
        assert_int_equal(osc_player_start(&made->player, clip, OSC_PLAY_ONCE), OSC_OK);
        for (int32_t i = 0; i < count; i++)
            assert_int_equal(hash_at(made, i * STEP), expected[i]);
        for (int32_t i = count - 1; i >= 0; i--)
            assert_int_equal(hash_at(made, i * STEP), expected[i]);
        for (int jump = 0; jump < 2000; jump++) {
            int32_t i = (int32_t)(random_u32(&seed) % (uint32_t)count);
            assert_int_equal(hash_at(made, i * STEP), expected[i]);
        }
    }
}

/* Plays a bank's walk on every way from its begin over two positions. */
static void check_ways(const test_bank *bank, int32_t last_position)
{
    enum { STEP = 1024, MOST = 5 * 2048 / STEP + 1 };
    int32_t count = last_position / STEP + 1;
    uint32_t expected[MOST];
    test_player made;
    for (int32_t i = 0; i < count; i++)
        expected[i] = fresh_hash(bank->words, bank->count, WALK, OSC_PLAY_ONCE, i * STEP);
    player_make(&made, bank->words, bank->count);
    assert_int_equal(osc_player_start(&made.player, WALK, OSC_PLAY_ONCE), OSC_OK);
    for (int32_t from = 0; from < count; from++)
        for (int32_t to = 0; to < count; to++) {
            assert_int_equal(hash_at(&made, 0), expected[0]);
            assert_int_equal(hash_at(&made, from * STEP), expected[from]);
            assert_int_equal(hash_at(&made, to * STEP), expected[to]);
        }
    player_free(&made);
}

/* The walk without its last frames, as a loop and as none: the last row that is left, 4, is a
 * restart point, from which nothing leads back to the row before. */
static void a_clip_may_end_with_a_restart_point(void **state)
{
    test_bank bank = bank_copy(sample_walk, WALK_WORDS);
    uint32_t *shape = &bank.words[bank_section(&bank, 1) + 5u + 1u];
    (void)state;
    assert_int_equal(*shape & 0xfffffu, 8);
    assert_int_equal(*shape >> 24 & 31u, 2);
    assert_int_equal(*shape >> 31, 1);
    *shape -= 3u;
    bank_seal(&bank);
    check_ways(&bank, 5 * 2048);
    *shape = (*shape & 0x7fffffffu) - 1u;
    bank_seal(&bank);
    check_ways(&bank, 4 * 2048);
    bank_free(&bank);
}

static void positions_wrap_when_looping(void **state)
{
    test_player *made = *state;
    static const int32_t positions[] = {0, 1, 2047, 2048, 7000, WALK_END - 1};
    assert_int_equal(osc_player_start(&made->player, WALK, OSC_PLAY_LOOP), OSC_OK);
    for (size_t i = 0; i < COUNT(positions); i++) {
        uint32_t here = hash_at(made, positions[i]);
        for (int32_t turn = -3; turn <= 3; turn++) {
            int32_t left = osc_player_seek_q11(&made->player, positions[i] + turn * WALK_END);
            assert_int_equal(left, positions[i] / 2048);
            assert_int_equal(pose_hash(made), here);
        }
    }
    assert_int_equal(osc_player_seek_q11(&made->player, WALK_END), 0);
    assert_int_equal(osc_player_seek_q11(&made->player, -1), 7);
    int64_t far = ((int64_t)INT32_MIN % WALK_END + WALK_END) % WALK_END;
    assert_int_equal(osc_player_seek_q11(&made->player, INT32_MIN), far / 2048);
    assert_int_equal(osc_player_seek_q11(&made->player, INT32_MAX), INT32_MAX % WALK_END / 2048);
}

/* Loops of even and odd numbers of rows and of a single one, over their ends in every direction;
 * each pose as from a fresh player. */
static void loops_wrap_on_every_path(void **state)
{
    enum { STEP = 512, CLIPS = 3, MOST = 8 * 2048 / STEP };
    uint64_t seed = 13;
    test_player made;
    (void)state;
    player_make(&made, sample_turn, TURN_WORDS);
    for (uint32_t clip = 0; clip < CLIPS; clip++) {
        osc_clip_info info;
        uint32_t expected[MOST];
        assert_int_equal(osc_clip_describe(&made.bank, clip, &info), OSC_OK);
        int32_t count = (int32_t)(info.frame_count - 1u) * 2048 / STEP;
        assert_true(info.loop && count <= MOST);
        for (int32_t i = 0; i < count; i++)
            expected[i] = fresh_hash(sample_turn, TURN_WORDS, clip, OSC_PLAY_LOOP, i * STEP);
        assert_int_equal(osc_player_start(&made.player, clip, OSC_PLAY_AS_MADE), OSC_OK);
        for (int32_t i = 0; i < 3 * count; i++)
            assert_int_equal(hash_at(&made, i * STEP), expected[i % count]);
        for (int32_t i = 3 * count; i-- > 0;)
            assert_int_equal(hash_at(&made, (i - count) * STEP), expected[i % count]);
        for (int jump = 0; jump < 2000; jump++) {
            int32_t i = (int32_t)(random_u32(&seed) % (3u * (uint32_t)count));
            assert_int_equal(hash_at(&made, (i - count) * STEP), expected[i % count]);
        }
    }
    player_free(&made);
}

/* Starts a clip as a loop; returns the position at which it wraps. */
static int32_t start_loop(test_player *made, uint32_t clip)
{
    osc_clip_info info;
    assert_int_equal(osc_clip_describe(&made->bank, clip, &info), OSC_OK);
    assert_int_equal(osc_player_start(&made->player, clip, OSC_PLAY_LOOP), OSC_OK);
    return (int32_t)(info.frame_count - 1u) * 2048;
}

/* At the wrap of a loop the first row is unpacked once, and stays for the next pair. */
static void a_loop_wraps_at_one_row_a_frame(void **state)
{
    const int32_t mark = 0x1234567;
    test_player made;
    (void)state;
    player_make(&made, sample_turn, TURN_WORDS);
    for (uint32_t clip = 0; clip < 2u; clip++) {
        int32_t end = start_loop(&made, clip);
        osc_player_seek_q11(&made.player, end - 4096);
        made.player.rows[made.player.left_slot ^ 1u][0] = mark;
        osc_player_seek_q11(&made.player, end - 2048);
        assert_int_equal(abs(made.player.rows[made.player.left_slot][0]), mark);
        made.player.rows[made.player.left_slot ^ 1u][0] = mark;
        osc_player_seek_q11(&made.player, end);
        assert_int_equal(made.player.rows[made.player.left_slot][0], mark);
    }
    player_free(&made);
}

static void a_whole_turn_wraps_the_short_way(void **state)
{
    test_player made;
    osc_quaternion before, after;
    (void)state;
    player_make(&made, sample_turn, TURN_WORDS);
    for (uint32_t clip = 0; clip < 2u; clip++) {
        int32_t end = start_loop(&made, clip);
        osc_player_seek_q11(&made.player, end - 1);
        osc_player_evaluate(&made.player, &made.pose);
        before = made.pose.rotations[0];
        osc_player_seek_q11(&made.player, end);
        osc_player_evaluate(&made.player, &made.pose);
        after = made.pose.rotations[0];
        assert_true(abs(before.z - after.z) < 1024 && abs(before.w - after.w) < 1024);
    }
    player_free(&made);
}

static void positions_are_held_when_playing_once(void **state)
{
    test_player *made = *state;
    assert_int_equal(osc_player_start(&made->player, WALK, OSC_PLAY_ONCE), OSC_OK);
    uint32_t first = hash_at(made, 0), last = hash_at(made, WALK_END);
    assert_int_equal(first, last); /* of a loop */
    static const int32_t before[] = {-1, -2048, INT32_MIN}, after[] = {WALK_END + 1, INT32_MAX};
    for (size_t i = 0; i < COUNT(before); i++) {
        assert_int_equal(osc_player_seek_q11(&made->player, before[i]), 0);
        assert_int_equal(pose_hash(made), first);
    }
    for (size_t i = 0; i < COUNT(after); i++) {
        assert_int_equal(osc_player_seek_q11(&made->player, after[i]), 8);
        assert_int_equal(pose_hash(made), last);
    }
}

static void as_made_follows_the_clip(void **state)
{
    test_player *made = *state;
    assert_int_equal(osc_player_start(&made->player, WALK, OSC_PLAY_AS_MADE), OSC_OK);
    assert_int_equal(osc_player_seek_q11(&made->player, -1), 7);
    assert_int_equal(osc_player_start(&made->player, JUMP, OSC_PLAY_AS_MADE), OSC_OK);
    assert_int_equal(osc_player_seek_q11(&made->player, -1), 0);
}

static void clips_of_one_and_two_frames_play(void **state)
{
    test_player *made = *state;
    for (int mode = OSC_PLAY_AS_MADE; mode <= OSC_PLAY_LOOP; mode++) {
        assert_int_equal(osc_player_start(&made->player, POSE, (osc_play_mode)mode), OSC_OK);
        uint32_t pose = hash_at(made, 0);
        static const int32_t anywhere[] = {1, -1, 2048, INT32_MAX, INT32_MIN};
        for (size_t i = 0; i < COUNT(anywhere); i++) {
            assert_int_equal(osc_player_seek_q11(&made->player, anywhere[i]), 0);
            assert_int_equal(pose_hash(made), pose);
        }
    }
    assert_int_equal(osc_player_start(&made->player, STILL, OSC_PLAY_ONCE), OSC_OK);
    assert_int_equal(osc_player_seek_q11(&made->player, 2047), 0);
    assert_int_equal(osc_player_seek_q11(&made->player, 2048), 1);
    assert_int_equal(osc_player_start(&made->player, STILL, OSC_PLAY_LOOP), OSC_OK);
    assert_int_equal(osc_player_seek_q11(&made->player, 2048), 0);
}

/* The first rotation, which no track turns, does not move in a clip of two frames. */
static void a_constant_last_subtrack_changes_no_other(void **state)
{
    test_bank bank = bank_copy(sample_walk, WALK_WORDS);
    uint32_t place = bank_section(&bank, 1) + 5u + 3u * STILL + 2u;
    uint32_t data = bank_section(&bank, 2) + (bank.words[place] & 0x3ffffffu);
    test_player made;
    (void)state;
    bank.words[bank_section(&bank, 0) + 4u] = OSC_ONE_Q20 / 2;
    bank.words[data + 1u] = 0x62; /* one constant, three sub-tracks behind the first: zeros */
    bank_seal(&bank);
    player_make(&made, bank.words, bank.count);
    assert_int_equal(osc_player_start(&made.player, STILL, OSC_PLAY_ONCE), OSC_OK);
    (void)hash_at(&made, 1024);
    assert_int_equal(made.pose.rotations[0].x, OSC_ONE_Q20 / 2);
    assert_int_equal(made.pose.translations[0].y, 0);
    player_free(&made);
    bank_free(&bank);
}

/* JUMP breaks at frame 3 (rotation and translation of the hips) and at 5 (translation). */
static void tracks_hold_and_jump_at_breaks(void **state)
{
    test_player *made = *state;
    osc_quaternion rotation;
    osc_vector translation;
    assert_int_equal(osc_player_start(&made->player, JUMP, OSC_PLAY_ONCE), OSC_OK);
    assert_int_equal(osc_player_seek_q11(&made->player, 2 * 2048), 2);
    osc_player_evaluate(&made->player, &made->pose);
    rotation = made->pose.rotations[0];
    translation = made->pose.translations[0];
    for (int32_t a = 1; a < 2048; a++) {
        assert_int_equal(osc_player_seek_q11(&made->player, 2 * 2048 + a), 2);
        osc_player_evaluate(&made->player, &made->pose);
        assert_memory_equal(&made->pose.rotations[0], &rotation, sizeof rotation);
        assert_memory_equal(&made->pose.translations[0], &translation, sizeof translation);
    }
    assert_int_equal(osc_player_seek_q11(&made->player, 3 * 2048), 3);
    osc_player_evaluate(&made->player, &made->pose);
    assert_int_equal(made->pose.rotations[0].x, 3500 << 8);
    assert_int_equal(made->pose.translations[0].x, 9000 << 6);
    assert_int_equal(osc_player_seek_q11(&made->player, 4 * 2048 + 2047), 4);
    osc_player_evaluate(&made->player, &made->pose);
    assert_int_equal(made->pose.translations[0].x, 9000 << 6);
    assert_int_equal(made->pose.rotations[0].x > 3510 << 8, 1); /* the rotation goes on */
    assert_int_equal(osc_player_seek_q11(&made->player, 5 * 2048), 5);
    osc_player_evaluate(&made->player, &made->pose);
    assert_int_equal(made->pose.translations[0].x, 0);
    assert_int_equal(made->pose.translations[0].y, 9000 << 6);
}

/* The cost that ossicle.h promises, seen by marking rows in memory: a row that is unpacked again
 * loses its mark. Component 0 is the animated x of subtrack 0. */
static void seeks_unpack_no_more_than_promised(void **state)
{
    const int32_t mark = 0x7654321;
    test_player *made = *state;
    int32_t *const *rows = made->player.rows;
    for (int32_t left = 0; left < 7; left++) {
        assert_int_equal(osc_player_start(&made->player, WALK, OSC_PLAY_ONCE), OSC_OK);
        osc_player_seek_q11(&made->player, left * 2048);
        rows[(left + 1) & 1][0] = mark;
        osc_player_seek_q11(&made->player, (left + 1) * 2048); /* one row for the next frame */
        assert_int_equal(rows[(left + 1) & 1][0], mark);
        assert_int_not_equal(rows[left & 1][0], mark);
        rows[left & 1][0] = mark;
        osc_player_seek_q11(&made->player, (left + 1) * 2048 + 2047); /* none within the frame */
        assert_int_equal(rows[left & 1][0], mark);
        assert_int_equal(rows[(left + 1) & 1][0], mark);
    }
    assert_int_equal(osc_player_start(&made->player, WALK, OSC_PLAY_ONCE), OSC_OK);
    osc_player_seek_q11(&made->player, 0);
    osc_player_seek_q11(&made->player, 6 * 2048); /* a jump begins at the restart point, frame 4 */
    assert_int_equal(made->player.unpacked_from, 4);
}

static void too_little_memory_is_an_error(void **state)
{
    test_player *made = *state;
    osc_player player;
    uint32_t words = osc_player_memory_words(&made->bank);
    assert_int_equal(words, 2u * (3u * 4u + 3u) + 3u + 5u * 2u);
    int32_t *memory = malloc(words * 4u);
    assert_non_null(memory);
    for (uint32_t less = 0; less < words; less++)
        assert_int_equal(osc_player_init(&player, &made->bank, memory, less), OSC_ERROR_MEMORY);
    assert_int_equal(osc_player_init(&player, &made->bank, memory, words), OSC_OK);
    free(memory);
}

static void unknown_clips_leave_the_player_playing(void **state)
{
    test_player *made = *state;
    assert_int_equal(osc_player_start(&made->player, WALK, OSC_PLAY_ONCE), OSC_OK);
    uint32_t before = hash_at(made, 5000);
    assert_int_equal(osc_player_start(&made->player, 4, OSC_PLAY_ONCE), OSC_ERROR_NOT_FOUND);
    assert_int_equal(osc_player_start(&made->player, UINT32_MAX, OSC_PLAY_ONCE),
                     OSC_ERROR_NOT_FOUND);
    assert_int_equal(pose_hash(made), before);
}

/* Words of DATA replaced by noise: what opens plays without leaving bank or memory (under ASan),
 * and no path matters even then. */
static void noise_plays_within_bounds(void **state)
{
    uint64_t seed = 12;
    int opened = 0;
    (void)state;
    for (int round = 0; round < 1500; round++) {
        test_bank bank = bank_copy(sample_walk, WALK_WORDS);
        uint32_t data = bank_section(&bank, 2), size = bank.words[13];
        for (uint32_t i = 0; i < 1u + (uint32_t)round % 40u; i++)
            bank.words[data + random_u32(&seed) % size] = random_u32(&seed);
        bank_seal(&bank);
        osc_bank test;
        if (bank_open(&bank, &test) == OSC_OK) {
            test_player made;
            opened++;
            player_make(&made, bank.words, bank.count);
            for (uint32_t clip = WALK; clip <= STILL; clip++) {
                assert_int_equal(osc_player_start(&made.player, clip, OSC_PLAY_ONCE), OSC_OK);
                uint32_t hash = hash_at(&made, 3000);
                hash_at(&made, INT32_MAX);
                hash_at(&made, 0);
                assert_int_equal(hash_at(&made, 3000), hash);
                model_hash(&made);
            }
            player_free(&made);
        }
        bank_free(&bank);
    }
    assert_true(opened > 50);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(samples_give_the_reference_hashes),
        cmocka_unit_test(every_path_gives_the_same_pose),
        cmocka_unit_test(a_clip_may_end_with_a_restart_point),
        cmocka_unit_test(positions_wrap_when_looping),
        cmocka_unit_test(loops_wrap_on_every_path),
        cmocka_unit_test(a_loop_wraps_at_one_row_a_frame),
        cmocka_unit_test(a_whole_turn_wraps_the_short_way),
        cmocka_unit_test(positions_are_held_when_playing_once),
        cmocka_unit_test(as_made_follows_the_clip),
        cmocka_unit_test(clips_of_one_and_two_frames_play),
        cmocka_unit_test(a_constant_last_subtrack_changes_no_other),
        cmocka_unit_test(tracks_hold_and_jump_at_breaks),
        cmocka_unit_test(seeks_unpack_no_more_than_promised),
        cmocka_unit_test(too_little_memory_is_an_error),
        cmocka_unit_test(unknown_clips_leave_the_player_playing),
        cmocka_unit_test(noise_plays_within_bounds),
    };
    return cmocka_run_group_tests(tests, make_walk, drop);
}
