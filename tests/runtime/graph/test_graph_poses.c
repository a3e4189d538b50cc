/* Poses of a graph: which players it uses, what it mixes, and where clips move a character. */
#include "graph_play.h"

#include "graph/osc_graph_code.h"

static uint32_t started_clips;

int32_t __wrap_osc_player_start(osc_player *player, uint32_t clip, osc_play_mode mode);
int32_t __real_osc_player_start(osc_player *player, uint32_t clip, osc_play_mode mode);

int32_t __wrap_osc_player_start(osc_player *player, uint32_t clip, osc_play_mode mode)
{
    started_clips++;
    return __real_osc_player_start(player, clip, mode);
}

/* Both states of a fade keep their clips, if they play as many as they may. */
static void states_that_fade_have_players_of_their_own(void **state)
{
    (void)state;
    static character c;
    fixture f;
    uint32_t words[SECTION_WORDS];
    int32_t values[VALUES] = {0};
    let_fade(words);
    words[STATE(BACKWARD, CLIP)] = CLIP_OF(STILL, OSC_GRAPH_NO_PARAMETER);
    words[STATE(BACKWARD, LIST)] = words[STATE(BACKWARD, WATCH)] = 0;
    words[TRANSITION(TO_LOOPS, TARGET)] = TARGET_OF(BACKWARD, OSC_GRAPH_FADE, 5); /* flag */
    words[TRANSITION(TO_JUMP, START_Q11)] = 0;
    start_with(&c, &f, words);
    assert_int_equal(osc_graph_go(&c.graph, BLEND, 0), OSC_OK);
    started_clips = 0;
    for (uint32_t step = 0; step < 10u; step++) {
        values[FLAG] = step >= 5u;
        osc_graph_advance(&c.graph, values, 16000);
        osc_graph_evaluate(&c.graph, &c.pose, 16000);
        assert_int_equal(started_clips, step < 5u ? 2u : 3u);
    }
    assert_int_equal(c.machines[BASE].state, BACKWARD);
    bank_free(&f.words);
}

static uint32_t mirrored_poses;

static void count_mirrored(const osc_mirror *mirror, const osc_pose *pose, const osc_pose *out)
{
    assert_ptr_equal(mirror, &no_mirror);
    assert_ptr_equal(pose, out);
    mirrored_poses++;
}

/* The poses of a clip that is a mirror image are mirrored, and no others. */
static void mirror_images_are_mirrored(void **state)
{
    (void)state;
    static character c;
    osc_graph_code code = all_code;
    fixture f;
    int32_t values[VALUES] = {0};
    assert_int_equal(open_graph(&f, valid, SECTION_WORDS, true), OSC_OK);
    uint32_t *clips = f.words.words + (f.bank.clips - f.bank.words);
    memcpy(clips + OSC_CLIP_ENTRY_WORDS, clips, OSC_CLIP_ENTRY_WORDS * sizeof *clips);
    make_character(&c, &f);
    code.mirror = count_mirrored;
    c.graph.code = &code;
    assert_int_equal(osc_graph_start(&c.graph), OSC_OK);
    osc_graph_advance(&c.graph, values, 1000);
    osc_graph_evaluate(&c.graph, &c.pose, 1000);
    assert_int_equal(mirrored_poses, 0);
    assert_int_equal(osc_graph_go(&c.graph, BACKWARD, 0), OSC_OK);
    osc_graph_advance(&c.graph, values, 1000);
    osc_graph_evaluate(&c.graph, &c.pose, 1000);
    assert_true(mirrored_poses != 0u);
    bank_free(&f.words);
}

/* The players of a machine go on with the clips that they have: of a blend, of a state, of a layer.
 */
static void players_keep_their_clips(void **state)
{
    (void)state;
    static const uint8_t played[] = {BLEND, LOOPS, BACKWARD, BLEND};
    static character c;
    fixture f;
    uint32_t words[SECTION_WORDS];
    int32_t values[VALUES] = {0};
    memcpy(words, valid, sizeof words);
    words[MACHINE(LAYER, WHILE)] = OSC_GRAPH_ANYTIME;
    words[STATE(SHOT, LOOPS)] = OSC_LOOPS_FOREVER;
    words[STATE(SHOT, LIST)] = 0;
    start_with(&c, &f, words);
    assert_int_equal(osc_graph_go(&c.graph, SHOT, 0), OSC_OK);
    osc_graph_advance(&c.graph, values, 1);
    started_clips = 0;
    for (uint32_t step = 0; step < 40u; step++) {
        if (step % 10u == 0u)
            assert_int_equal(osc_graph_go(&c.graph, played[step / 10u], 0), OSC_OK);
        osc_graph_advance(&c.graph, values, 4000);
        osc_graph_evaluate(&c.graph, &c.pose, 4000);
        assert_int_equal(c.machines[BASE].state, played[step / 10u]);
        assert_int_equal(started_clips, 3);
    }
    bank_free(&f.words);
}

static osc_player shared_player;
static int32_t shared_memory[PLAYER_WORDS];

/* As a pool without room for any clip. */
static void evaluate_shared(struct osc_row_pool *pool, uint32_t clip, uint32_t position_q11,
                            const osc_pose *pose)
{
    assert_null(pool);
    assert_int_equal(osc_player_start(&shared_player, clip, OSC_PLAY_ONCE), OSC_OK);
    (void)osc_player_seek_q11(&shared_player, (int32_t)position_q11);
    osc_player_evaluate(&shared_player, pose);
}

/* Blends, layers and fades have the same poses without players of their own. */
static void a_pool_replaces_players(void **state)
{
    (void)state;
    static character own, shared;
    uint64_t seed = 21;
    fixture f;
    uint32_t words[SECTION_WORDS];
    int32_t values[VALUES] = {0};
    let_fade(words);
    assert_int_equal(open_graph(&f, words, SECTION_WORDS, true), OSC_OK);
    assert_int_equal(osc_player_init(&shared_player, &f.bank, shared_memory, PLAYER_WORDS), OSC_OK);
    make_character(&own, &f);
    make_character(&shared, &f);
    osc_graph_code code = all_code;
    code.evaluate_shared = evaluate_shared;
    shared.graph.code = &code;
    shared.graph.players = 0;
    assert_int_equal(osc_graph_start(&own.graph), OSC_OK);
    assert_int_equal(osc_graph_start(&shared.graph), OSC_OK);
    for (uint32_t step = 0; step < 3000u; step++) {
        bool is_shown = step % 50u > 2u; /* otherwise a fade follows a cut that no pose has shown */
        values[TRIGGER] = step % 50u == 2u || (random_u32(&seed) & 15u) == 0u;
        values[SLEWED] = (int32_t)(step % 400u > 200u ? SPEED_ONE : 0u);
        values[CHOICE] = (int32_t)(step / 60u % 3u);
        if (step % 50u == 0u)
            assert_int_equal(
                osc_graph_go(&own.graph, LOOPS, 0) | osc_graph_go(&shared.graph, LOOPS, 0), OSC_OK);
        osc_graph_advance(&own.graph, values, 16000);
        osc_graph_advance(&shared.graph, values, 16000);
        if (!is_shown)
            continue;
        osc_graph_evaluate(&own.graph, &own.pose, 16000);
        osc_graph_evaluate(&shared.graph, &shared.pose, 16000);
        assert_memory_equal(own.rotations[0], shared.rotations[0], sizeof own.rotations[0]);
        assert_memory_equal(own.translations[0], shared.translations[0],
                            sizeof own.translations[0]);
    }
    bank_free(&f.words);
}

static uint32_t blended_q15, blended_poses;

static void note_blend(const osc_bank *bank, const osc_pose *pose, const osc_pose *other,
                       uint32_t weight_q15, const uint16_t *mask_q15)
{
    assert_non_null(bank);
    assert_null(mask_q15);
    assert_ptr_not_equal(pose, other);
    blended_q15 = weight_q15;
    blended_poses++;
}

/* A layer that adds differences has no other mix. */
static void check_added(const fixture *f)
{
    static character c;
    const int32_t values[VALUES] = {0};
    osc_graph_code code = all_code;
    make_character(&c, f);
    code.add = note_blend;
    code.blend = 0;
    c.graph.code = &code;
    assert_int_equal(osc_graph_start(&c.graph), OSC_OK);
    assert_int_equal(osc_graph_go(&c.graph, SHOT, 0), OSC_OK);
    osc_graph_advance(&c.graph, values, 1000);
    blended_poses = 0;
    osc_graph_evaluate(&c.graph, &c.pose, 1000);
    assert_int_equal(blended_poses, c.machines[LAYER].weight_q15 != 0u);
    assert_int_equal(blended_q15, c.machines[LAYER].weight_q15);
    assert_int_equal(blended_poses, 1);
}

static void layers_add_differences(void **state)
{
    (void)state;
    uint64_t seed = 8;
    fixture f;
    uint32_t words[SECTION_WORDS];
    memcpy(words, valid, sizeof words);
    words[OSC_GRAPH_NEEDS] = EVERY_NEED | 20u << 16;
    words[MACHINE(LAYER, KIND)] =
        KIND_OF(OSC_GRAPH_MACHINE_ADDITIVE, OSC_GRAPH_NO_MASK, OSC_GRAPH_NO_PARAMETER);
    words[STATE(SHOT, CLIP)] = CLIP_OF(POSE, OSC_GRAPH_NO_PARAMETER) | OSC_GRAPH_STATE_ONE_SHOT
                                                                           << 24;
    words[MACHINE(LAYER, WHILE)] = OSC_GRAPH_ANYTIME;
    words[STATE(SHOT, WATCH)] = 0;
    assert_int_equal(open_graph(&f, words, SECTION_WORDS, true), OSC_ERROR_SECTION);
    f.words.words[bank_section(&f.words, 1) + 1u + RATES * OSC_RATE_WORDS +
                  POSE * OSC_CLIP_ENTRY_WORDS + OSC_CLIP_SHAPE] |= OSC_CLIP_ADDITIVE;
    bank_seal(&f.words);
    assert_int_equal(bank_open(&f.words, &f.bank), OSC_OK);
    assert_int_equal(osc_graph_open(&f.graph, &f.bank, &f.events, 0), OSC_OK);
    check_added(&f);
    play(&f, 4000, &seed);
    bank_free(&f.words);
}

/* The second of two clips is added with its weight. */
static void clips_are_blended_by_their_weights(void **state)
{
    (void)state;
    enum { DISTANCE = 0xffff };
    static const int32_t at[] = {1026, 20000, DISTANCE / 2, 45535, DISTANCE};
    static const uint16_t weights_q15[] = {1, 9794, 16384, 22974, 0}; /* less 1/64 of each */
    static character c;
    osc_graph_code code = all_code;
    fixture f;
    uint32_t words[SECTION_WORDS];
    int32_t values[VALUES] = {0};
    memcpy(words, valid, sizeof words);
    words[STATE(BLEND, BLEND)] = MEMBERS | (uint32_t)NUMBER << 8;
    words[MEMBER(0, AT)] = 0;
    words[MEMBER(1, AT)] = DISTANCE;
    start_with(&c, &f, words);
    code.blend = note_blend;
    c.graph.code = &code;
    assert_int_equal(osc_graph_go(&c.graph, BLEND, 0), OSC_OK);
    for (uint32_t i = 0; i < sizeof at / sizeof at[0]; i++) {
        osc_graph_machine *machine = &c.machines[BASE];
        values[NUMBER] = at[i];
        machine->members[2] = 1; /* as after a blend of three */
        machine->weights_q15[2] = 1000;
        osc_graph_advance(&c.graph, values, 1000);
        assert_int_equal(machine->members[1], weights_q15[i] != 0u ? 1 : 0);
        assert_int_equal(machine->members[2], 0);
        assert_int_equal(machine->weights_q15[2], 0);
        blended_poses = 0;
        osc_graph_evaluate(&c.graph, &c.pose, 1000);
        assert_int_equal(blended_poses, weights_q15[i] != 0u);
        if (blended_poses != 0u)
            assert_int_equal(blended_q15, weights_q15[i]);
    }
    assert_int_equal(c.machines[BASE].members[0], 1);
    bank_free(&f.words);
}

/* Times of more than 16 bits are halved before they are divided. */
static void shares_of_times_are_rounded(void **state)
{
    (void)state;
    static const uint32_t cases[][3] = {{0, 0xffff, 0},
                                        {1, 0xffff, 1},
                                        {1, 0x10000, 0},
                                        {2, 0x10000, 1},
                                        {3, 0x20000, 0},
                                        {4, 0x20000, 1},
                                        {0xffff, 0xffff, OSC_ONE_Q15},
                                        {5, 5, OSC_ONE_Q15}};
    for (uint32_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_int_equal(osc_graph_share_q15(cases[i][0], cases[i][1]), cases[i][2]);
}

static osc_placement step_moves;
static uint32_t followed_clip;

static void follow_so_far(const osc_graph *graph, uint32_t clip, const osc_step *passed,
                          osc_placement *place)
{
    (void)graph;
    assert_true(passed->from_q11 != passed->to_q11);
    followed_clip = clip;
    *place = step_moves;
}

/* A character comes to where a clip moves it, in each direction, also in a blend. */
static void clips_move_the_character(void **state)
{
    (void)state;
    static const osc_placement moves[] = {{9, 0, 0, 0}, {0, 9, 0, 0}, {0, 0, 9, 0}, {0, 0, 0, 9}};
    static const osc_trajectories trajectories;
    osc_graph_code code = all_code;
    code.follow = follow_so_far;
    for (uint32_t i = 0; i < 8u; i++) {
        static character c;
        fixture f;
        int32_t values[VALUES] = {[SLEWED] = 0 - (int32_t)SPEED_ONE};
        start_with(&c, &f, valid);
        f.graph.trajectories = &trajectories;
        c.graph.code = &code;
        osc_graph_advance(&c.graph, values, 0);
        if (i >= 4u)
            assert_int_equal(osc_graph_go(&c.graph, BLEND, 0), OSC_OK);
        step_moves = moves[0];
        for (uint32_t step = 0; step < 3u; step++) /* only the first clip remains in the blend */
            osc_graph_advance(&c.graph, values, 250000);
        const osc_placement before = c.now.place;
        step_moves = moves[i % 4u];
        followed_clip = NO_CLIP;
        osc_graph_advance(&c.graph, values, 1000);
        assert_int_equal(followed_clip, WALK);
        assert_int_equal(c.now.place.x - before.x, step_moves.x);
        assert_int_equal(c.now.place.y - before.y, step_moves.y);
        assert_int_equal(c.now.place.z - before.z, step_moves.z);
        assert_int_equal(c.now.place.yaw_q24 - before.yaw_q24, step_moves.yaw_q24);
        bank_free(&f.words);
    }
}

/* A graph of clips and cuts needs one function. */
static void clips_need_only_evaluation(void **state)
{
    (void)state;
    static character c;
    static const osc_graph_code clips_code = {.evaluate = osc_player_evaluate};
    static const uint32_t words[] = {0,
                                     1,
                                     2u | 1u << 16,
                                     0,
                                     1,
                                     1,
                                     0,
                                     250000,
                                     0,
                                     0,
                                     0,
                                     2u << 8 | 1u << 24,
                                     KIND_OF(0, OSC_GRAPH_NO_MASK, OSC_GRAPH_NO_PARAMETER),
                                     OSC_ONE_Q15,
                                     0,
                                     OSC_GRAPH_ANYTIME,
                                     WALK | OSC_GRAPH_NO_PARAMETER << 16,
                                     1,
                                     SPEED_ONE,
                                     1u << 16,
                                     0,
                                     0,
                                     JUMP | OSC_GRAPH_NO_PARAMETER << 16,
                                     1,
                                     SPEED_ONE,
                                     0,
                                     0,
                                     0,
                                     1u | OSC_GRAPH_CUT << 8,
                                     0,
                                     0,
                                     0,
                                     0,
                                     ATOM_OF(FINISHED, 0)};
    fixture f;
    assert_int_equal(open_graph(&f, words, sizeof words / sizeof words[0], false), OSC_OK);
    assert_int_equal(osc_graph_pose_count(&f.graph), 0);
    assert_int_equal(osc_graph_player_count(&f.graph), 1);
    make_character(&c, &f);
    c.graph.code = &clips_code;
    assert_int_equal(osc_graph_start(&c.graph), OSC_OK);
    for (uint32_t step = 0; step < 40u; step++) {
        const int32_t nothing[1] = {0};
        osc_graph_advance(&c.graph, nothing, 16000);
        osc_graph_evaluate(&c.graph, &c.pose, 16000);
    }
    assert_int_equal(c.machines[0].state, 1);
    assert_int_not_equal(c.rotations[0][0].w, 0);
    bank_free(&f.words);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(states_that_fade_have_players_of_their_own),
        cmocka_unit_test(mirror_images_are_mirrored),
        cmocka_unit_test(players_keep_their_clips),
        cmocka_unit_test(a_pool_replaces_players),
        cmocka_unit_test(layers_add_differences),
        cmocka_unit_test(clips_are_blended_by_their_weights),
        cmocka_unit_test(shares_of_times_are_rounded),
        cmocka_unit_test(clips_move_the_character),
        cmocka_unit_test(clips_need_only_evaluation),
    };
    return cmocka_run_group_tests(tests, 0, 0);
}
