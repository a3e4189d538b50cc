/* Copies of players: a copy that contains its memory plays on independently, another is refused. */
#include "bank_tools.h"
#include "check.h"
#include "sample_banks.h"

#include <stdlib.h>
#include <string.h>

#define MEMORY_WORDS 4096u
#define STEP_Q11 777

/* As generated code has it. */
typedef struct whole_player {
    osc_player player;
    int32_t memory[MEMORY_WORDS];
} whole_player;

typedef struct copied_sample {
    const uint32_t *words;
    size_t count;
} copied_sample;

static copied_sample samples[] = {{sample_walk, sizeof sample_walk / 4u},
                                  {sample_curve, sizeof sample_curve / 4u},
                                  {sample_transform, sizeof sample_transform / 4u},
                                  {sample_velocity, sizeof sample_velocity / 4u},
                                  {sample_sparse, sizeof sample_sparse / 4u},
                                  {sample_dense, sizeof sample_dense / 4u}};

static uint32_t pose_of(test_player *made, const osc_player *player)
{
    size_t joints = made->bank.joint_count;
    osc_player_evaluate(player, &made->pose);
    uint32_t hash = osc_hash_words(OSC_HASH_START, made->pose.rotations, joints * 4u);
    return osc_hash_words(hash, made->pose.translations, joints * 3u);
}

/* Returns a copy in a block of its own. The original is overwritten and freed, as where a
 * std::vector grows. */
static whole_player *moved(whole_player *original)
{
    whole_player *copy = malloc(sizeof *copy);
    assert_non_null(copy);
    *copy = *original;
    memset(original, 0xa5, sizeof *original);
    free(original);
    return copy;
}

static void a_copy_plays_on(void **state)
{
    const copied_sample *sample = *state;
    test_player made;
    player_make(&made, sample->words, sample->count);
    for (uint32_t clip = 0; clip < made.bank.clip_count; clip++) {
        whole_player *whole = malloc(sizeof *whole);
        assert_non_null(whole);
        assert_int_equal(osc_player_init(&whole->player, &made.bank, whole->memory, MEMORY_WORDS),
                         OSC_OK);
        whole->player.whole = true;
        assert_int_equal(osc_player_start(&whole->player, clip, OSC_PLAY_LOOP), OSC_OK);
        assert_int_equal(osc_player_start(&made.player, clip, OSC_PLAY_LOOP), OSC_OK);
        for (int32_t step = 0; step < 60; step++) {
            int32_t left = osc_player_seek_q11(&made.player, step * STEP_Q11);
            assert_int_equal(osc_player_seek_q11(&whole->player, step * STEP_Q11), left);
            uint32_t expected = pose_of(&made, &made.player);
            assert_int_equal(pose_of(&made, &whole->player), expected);
            whole = moved(whole); /* evaluated where it is now, before it is sought */
            assert_int_equal(pose_of(&made, &whole->player), expected);
        }
        whole = moved(whole); /* and twice */
        assert_int_equal(osc_player_start(&whole->player, clip, OSC_PLAY_ONCE), OSC_OK);
        assert_int_equal(osc_player_seek_q11(&whole->player, 0), 0);
        free(whole);
    }
    player_free(&made);
}

/* Both continue independently. */
static void a_copy_leaves_the_original_alone(void **state)
{
    static whole_player first, second;
    const copied_sample *sample = *state;
    test_player made;
    player_make(&made, sample->words, sample->count);
    assert_int_equal(osc_player_init(&first.player, &made.bank, first.memory, MEMORY_WORDS),
                     OSC_OK);
    first.player.whole = true;
    assert_int_equal(osc_player_start(&first.player, 0, OSC_PLAY_LOOP), OSC_OK);
    assert_int_equal(osc_player_start(&made.player, 0, OSC_PLAY_LOOP), OSC_OK);
    (void)osc_player_seek_q11(&first.player, STEP_Q11);
    second = first;
    uint32_t before = pose_of(&made, &first.player);
    for (int32_t step = 2; step < 20; step++) {
        (void)osc_player_seek_q11(&made.player, step * STEP_Q11);
        (void)osc_player_seek_q11(&second.player, step * STEP_Q11);
        assert_int_equal(pose_of(&made, &second.player), pose_of(&made, &made.player));
        assert_int_equal(pose_of(&made, &first.player), before);
    }
    player_free(&made);
}

static void a_copy_without_memory_is_refused(void **state)
{
    const copied_sample *sample = *state;
    test_player made;
    player_make(&made, sample->words, sample->count);
    assert_int_equal(osc_player_start(&made.player, 0, OSC_PLAY_LOOP), OSC_OK);
    osc_player copy = made.player;
    assert_int_equal(osc_player_seek_q11(&copy, 0), OSC_ERROR_COPY);
    assert_int_equal(osc_player_approach_q11(&copy, 0, 2), OSC_ERROR_COPY);
    assert_int_equal(osc_player_start(&copy, 0, OSC_PLAY_LOOP), OSC_ERROR_COPY);
    assert_int_equal(osc_player_seek_q11(&made.player, 0), 0);
    player_free(&made);
}

int main(void)
{
    int failed = 0;
    for (size_t i = 0; i < sizeof samples / sizeof samples[0]; i++) {
        const struct CMUnitTest tests[] = {
            cmocka_unit_test_prestate(a_copy_plays_on, &samples[i]),
            cmocka_unit_test_prestate(a_copy_leaves_the_original_alone, &samples[i]),
            cmocka_unit_test_prestate(a_copy_without_memory_is_refused, &samples[i]),
        };
        failed += cmocka_run_group_tests(tests, 0, 0);
    }
    return failed;
}
