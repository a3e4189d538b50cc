/* Animation graphs play with any values and times, whatever their sections contain. */
#include "graph_play.h"

static void any_values_and_times_are_played(void **state)
{
    (void)state;
    uint64_t seed = 1;
    fixture f;
    assert_int_equal(open_graph(&f, valid, SECTION_WORDS, true), OSC_OK);
    play(&f, 20000, &seed);
    bank_free(&f.words);
}

/* Graphs that do unusual things: without events, backward and forward in loops of microseconds,
 * with conditions on a span's ends. */
static void unusual_graphs_play(void **state)
{
    (void)state;
    uint64_t seed = 3;
    fixture f;
    uint32_t words[SECTION_WORDS];
    memcpy(words, valid, sizeof words);
    words[ATOM(4)] = OSC_GRAPH_ALWAYS;
    words[ATOM(10)] = OSC_GRAPH_ALWAYS | OSC_GRAPH_ATOM_OR;
    words[LIMB(1, KIND)] = words[LIMB(0, KIND)];
    assert_int_equal(open_graph(&f, words, SECTION_WORDS, false), OSC_OK);
    play(&f, 5000, &seed);
    bank_free(&f.words);

    static const uint32_t watches[] = {0, 1024, JUMP_END};
    for (uint32_t i = 0; i < 3u; i++) {
        memcpy(words, valid, sizeof words);
        words[STATE(BACKWARD, LOOPS)] = OSC_LOOPS_FOREVER;
        words[STATE(BACKWARD, SPEED)] = 0u - (1000u << 16);
        words[STATE(LOOPS, SPEED)] = 3u << 16;
        words[STATE(DRIVEN, LIST)] = 2u | 1u << 16;
        words[STATE(DRIVEN, WATCH)] = 0u | 2u << 16;
        words[WATCH(1)] = WALK_END;
        words[WATCH(3)] = watches[i];
        words[ATOM(4)] = OSC_GRAPH_AT | 1u << 16;
        assert_int_equal(open_graph(&f, words, SECTION_WORDS, true), OSC_OK);
        play(&f, 5000, &seed);
        bank_free(&f.words);
    }
}

static uint32_t random_word(uint32_t old, uint64_t *seed)
{
    static const uint32_t telling[] = {0,       1,          2,          0xff,      0xffff,
                                       0x10000, 0x7fffffff, 0x80000000, 0xffffffff};
    uint32_t choice = random_u32(seed), value = random_u32(seed);
    switch (choice & 3u) {
    case 0:
        return old ^ 1u << (value & 31u);
    case 1:
        return old + value % 9u - 4u;
    case 2:
        return valid[value % SECTION_WORDS];
    default:
        return telling[value % (sizeof telling / sizeof telling[0])];
    }
}

static void damaged_graphs_are_refused_or_play(void **state)
{
    (void)state;
    enum { TRIALS = 10000, LEAST_OPENED = 1000 };
    uint64_t seed = 2;
    uint32_t opened = 0, words[SECTION_WORDS];
    for (uint32_t trial = 0; trial < TRIALS; trial++) {
        memcpy(words, valid, sizeof words);
        for (uint32_t changes = random_u32(&seed) % 3u + 1u; changes != 0u; changes--) {
            uint32_t at = random_u32(&seed) % SECTION_WORDS;
            words[at] = random_word(words[at], &seed);
        }
        fixture f;
        if (open_graph(&f, words, SECTION_WORDS, true) == OSC_OK) {
            opened++;
            play(&f, 20, &seed);
        }
        bank_free(&f.words);
    }
    assert_true(opened >= LEAST_OPENED);
}

/* Only what belongs to a character is written when it starts and appears elsewhere. */
static void the_memory_of_others_is_untouched(void **state)
{
    (void)state;
    enum { MARK = 0x5a };
    static character c, before;
    const osc_placement place = {1, 2, 3, 4};
    fixture f;
    assert_int_equal(open_graph(&f, valid, SECTION_WORDS, true), OSC_OK);
    make_character(&c, &f);
    memset(c.machines, MARK, sizeof c.machines);
    memset(c.ages_us, MARK, sizeof c.ages_us);
    memset(c.slews, MARK, sizeof c.slews);
    memset(c.transitions, MARK, sizeof c.transitions);
    memset(c.looks, MARK, sizeof c.looks);
    memset(c.limbs, MARK, sizeof c.limbs);
    before = c;
    assert_int_equal(osc_graph_start(&c.graph), OSC_OK);
    osc_graph_appear(&c.graph, &place);
    assert_memory_equal(c.machines + MACHINES, before.machines + MACHINES, sizeof *c.machines);
    assert_memory_equal(c.ages_us + WAITS, before.ages_us + WAITS, sizeof *c.ages_us);
    assert_memory_equal(c.slews + 1, before.slews + 1, sizeof *c.slews);
    assert_memory_equal(c.transitions + 1, before.transitions + 1, sizeof *c.transitions);
    assert_memory_equal(c.looks + LOOKS, before.looks + LOOKS, sizeof *c.looks);
    assert_memory_equal(c.limbs + LIMBS, before.limbs + LIMBS, sizeof *c.limbs);
    assert_int_equal(c.ages_us[WAITS - 1], OSC_GRAPH_NOT_PENDING);
    const int32_t values[VALUES] = {[TRIGGER] = 1};
    osc_graph_advance(&c.graph, values, 1000);
    assert_memory_equal(c.ages_us + WAITS, before.ages_us + WAITS, sizeof *c.ages_us);
    bank_free(&f.words);
}

/* What a graph states about its memory: one joint that looks, and the weights of a mask. */
static void joints_and_masks_are_read(void **state)
{
    (void)state;
    static const uint32_t look[OSC_GRAPH_LOOK_WORDS] = {0}; /* of joint 0 */
    static const uint16_t expected_q15[] = {0, OSC_ONE_Q15, OSC_ONE_Q15 / 2u, 7};
    uint16_t mask_q15[] = {7, 7, 7, 7};
    fixture f;
    assert_int_equal(open_graph(&f, valid, SECTION_WORDS, true), OSC_OK);
    osc_graph_read_mask(&f.graph, 0, mask_q15);
    assert_memory_equal(mask_q15, expected_q15, sizeof mask_q15);
    f.graph.looks = look;
    f.graph.limb_count = 0;
    assert_int_equal(osc_graph_matrix_count(&f.graph), 1);
    bank_free(&f.words);
}

/* Four joints need as many words of a mask as three. */
static void masks_of_even_numbers_of_joints_are_read(void **state)
{
    (void)state;
    static const uint16_t expected_q15[] = {0, OSC_ONE_Q15, OSC_ONE_Q15 / 2u, 0};
    uint16_t mask_q15[] = {7, 7, 7, 7};
    fixture f;
    assert_int_equal(open_graph(&f, valid, SECTION_WORDS, true), OSC_OK);
    f.bank.joint_count = 4;
    assert_int_equal(osc_graph_open(&f.graph, &f.bank, &f.events, 0), OSC_OK);
    osc_graph_read_mask(&f.graph, 0, mask_q15);
    assert_memory_equal(mask_q15, expected_q15, sizeof mask_q15);
    bank_free(&f.words);
}

static void graphs_need_their_code(void **state)
{
    (void)state;
    static const int32_t no_values[2 * OSC_GRAPH_MOST_PARAMETERS] = {0};
    fixture f;
    static character c;
    assert_int_equal(open_graph(&f, valid, SECTION_WORDS, true), OSC_OK);
    make_character(&c, &f);
    assert_int_equal(osc_graph_fade_count(&f.graph), 0);
    assert_int_equal(osc_graph_matrix_count(&f.graph), 3); /* looks and limbs turn joints 0 to 2 */
    assert_int_equal(osc_graph_transition_count(&f.graph), 1);
    f.graph.limb_count = 0;
    assert_int_equal(osc_graph_matrix_count(&f.graph), 3);
    f.graph.look_count = 0;
    assert_int_equal(osc_graph_matrix_count(&f.graph), 0);
    osc_graph_code code = all_code;
    c.graph.code = &code;
    code.begin = 0;
    assert_int_equal(osc_graph_start(&c.graph), OSC_ERROR_LAYOUT);
    code = all_code;
    code.blends = 0;
    assert_int_equal(osc_graph_start(&c.graph), OSC_ERROR_LAYOUT);
    code = all_code;
    code.layers = 0;
    assert_int_equal(osc_graph_start(&c.graph), OSC_ERROR_LAYOUT);
    code = all_code;
    code.add = 0;
    assert_int_equal(osc_graph_start(&c.graph), OSC_OK);
    f.graph.needs |= OSC_GRAPH_NEEDS_ADDITIVE;
    assert_int_equal(osc_graph_start(&c.graph), OSC_ERROR_LAYOUT);
    f.graph.needs = OSC_GRAPH_NEEDS_FADES;
    code = all_code;
    code.blend = 0;
    assert_int_equal(osc_graph_start(&c.graph), OSC_ERROR_LAYOUT);
    code.fades = 0;
    assert_int_equal(osc_graph_start(&c.graph), OSC_ERROR_LAYOUT);
    code = all_code;
    code.pass_in_step = 0;
    assert_int_equal(osc_graph_start(&c.graph), OSC_OK);
    f.graph.more_needs = OSC_GRAPH_NEEDS_STEPS >> 8;
    assert_int_equal(osc_graph_start(&c.graph), OSC_ERROR_LAYOUT);
    code = all_code;
    code.positions = 0;
    assert_int_equal(osc_graph_start(&c.graph), OSC_OK);
    f.graph.more_needs = OSC_GRAPH_NEEDS_POSITIONS >> 8;
    assert_int_equal(osc_graph_start(&c.graph), OSC_ERROR_LAYOUT);
    code = all_code;
    c.graph.mirror = 0;
    assert_int_equal(osc_graph_start(&c.graph), OSC_OK);
    f.graph.needs |= OSC_GRAPH_NEEDS_MIRROR;
    assert_int_equal(osc_graph_start(&c.graph), OSC_ERROR_LAYOUT);
    c.graph.mirror = &no_mirror;
    code.mirror = 0;
    assert_int_equal(osc_graph_start(&c.graph), OSC_ERROR_LAYOUT);
    code = all_code;
    code.slew = 0;
    assert_int_equal(osc_graph_start(&c.graph), OSC_ERROR_LAYOUT);
    f.graph.slewed_count = 0;
    assert_int_equal(osc_graph_start(&c.graph), OSC_OK);
    osc_graph_advance(&c.graph, no_values, 1000);
    assert_int_equal(c.machines[0].state_us, 1000);
    code = all_code;
    code.events = 0;
    assert_int_equal(osc_graph_start(&c.graph), OSC_ERROR_LAYOUT);
    osc_trajectories trajectories;
    code = all_code;
    code.follow = 0;
    f.graph.trajectories = &trajectories;
    assert_int_equal(osc_graph_start(&c.graph), OSC_ERROR_LAYOUT);
    f.graph.trajectories = 0;
    code = all_code;
    assert_int_equal(osc_graph_start(&c.graph), OSC_OK);
    assert_int_equal(osc_graph_go(&c.graph, STATES, 0), OSC_ERROR_NOT_FOUND);
    assert_int_equal(osc_graph_go(&c.graph, STATES - 1u, 0), OSC_OK);
    bank_free(&f.words);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_values_and_times_are_played),
        cmocka_unit_test(unusual_graphs_play),
        cmocka_unit_test(damaged_graphs_are_refused_or_play),
        cmocka_unit_test(the_memory_of_others_is_untouched),
        cmocka_unit_test(joints_and_masks_are_read),
        cmocka_unit_test(masks_of_even_numbers_of_joints_are_read),
        cmocka_unit_test(graphs_need_their_code),
    };
    return cmocka_run_group_tests(tests, 0, 0);
}
