/* Choices of animation graphs: what osc_graph_open accepts, and which states are entered. */
#include "graph_section.h"

enum { CHOICES = 2, CHOICE_WORDS = CHOICES * OSC_GRAPH_CHOICE_WORDS, TICKS = 400, TICK_US = 50000 };

/* The states of a choice. */
#define STATES_OF(first, count) ((uint32_t)(first) | (uint32_t)(count) << 8)

#define BY_FLAG(parameter) (((uint32_t)(parameter) + 1u) << 16)

/* Writes the section with two choices before its look: the first two states by the weights 1 and 2,
 * and the states of the layer in turn. A third weight has no state. */
static void write_choices(uint32_t words[SECTION_WORDS + CHOICE_WORDS])
{
    const uint32_t choices[CHOICE_WORDS] = {STATES_OF(LOOPS, 2),
                                            1u | 2u << 8 | 7u << 16,
                                            0,
                                            0,
                                            0,
                                            STATES_OF(NOTHING, LAYER_STATES),
                                            0,
                                            0,
                                            0,
                                            0};
    memcpy(words, valid, LOOK(KIND) * sizeof *words);
    memcpy(words + LOOK(KIND), choices, sizeof choices);
    memcpy(words + LOOK(KIND) + CHOICE_WORDS, valid + LOOK(KIND),
           (SECTION_WORDS - LOOK(KIND)) * sizeof *words);
    words[MACHINE(LAYER, WHILE)] = OSC_GRAPH_ANYTIME;
    words[OSC_GRAPH_EXTRAS] = LIMBS | CHOICES << 8;
}

static int32_t status_with(uint32_t choice, uint32_t states)
{
    uint32_t words[SECTION_WORDS + CHOICE_WORDS];
    write_choices(words);
    words[LOOK(KIND) + choice * OSC_GRAPH_CHOICE_WORDS] = states;
    return status_of(words, SECTION_WORDS + CHOICE_WORDS, true);
}

/* Lets a flag choose between the states of the first choice, which then has no weights. */
static void write_flag_choice(uint32_t words[SECTION_WORDS + CHOICE_WORDS], uint32_t states,
                              uint32_t parameter)
{
    write_choices(words);
    memset(words + LOOK(KIND), 0, OSC_GRAPH_CHOICE_WORDS * sizeof *words);
    words[LOOK(KIND)] = states | BY_FLAG(parameter);
}

static int32_t status_by(uint32_t parameter, uint32_t states)
{
    uint32_t words[SECTION_WORDS + CHOICE_WORDS];
    write_flag_choice(words, states, parameter);
    return status_of(words, SECTION_WORDS + CHOICE_WORDS, true);
}

static void choices_have_states_of_one_machine(void **state)
{
    (void)state;
    assert_int_equal(status_with(0, STATES_OF(LOOPS, 2)), OSC_OK);
    assert_int_equal(status_with(0, STATES_OF(LOOPS, BASE_STATES)), OSC_OK);
    assert_int_equal(status_with(0, STATES_OF(LOOPS, 1)), OSC_ERROR_SECTION);
    assert_int_equal(status_with(0, STATES_OF(LOOPS, BASE_STATES + 1)), OSC_ERROR_SECTION);
    assert_int_equal(status_with(0, STATES_OF(BLEND, 2)), OSC_ERROR_SECTION);
    assert_int_equal(status_with(0, STATES_OF(LOOPS, OSC_GRAPH_CHOICE_MOST_STATES + 1)),
                     OSC_ERROR_SECTION);
    assert_int_equal(status_with(1, STATES_OF(BACKWARD, 2)), OSC_ERROR_SECTION);
    assert_int_equal(status_with(1, STATES_OF(DRIVEN, 2)), OSC_OK);
    assert_int_equal(status_with(1, STATES_OF(SHOT, 2)), OSC_ERROR_SECTION);
    assert_int_equal(status_with(1, STATES_OF(STATES, 2)), OSC_ERROR_SECTION);
    assert_int_equal(status_with(1, STATES_OF(255, 16)), OSC_ERROR_SECTION);
}

static void flags_choose_between_two_states_without_weights(void **state)
{
    (void)state;
    for (uint32_t i = 0; i <= PARAMETERS; i++)
        assert_int_equal(status_by(i, STATES_OF(LOOPS, 2)), i == FLAG ? OSC_OK : OSC_ERROR_SECTION);
    assert_int_equal(status_by(FLAG, STATES_OF(LOOPS, 3)), OSC_ERROR_SECTION);
    for (uint32_t i = OSC_GRAPH_CHOICE_WEIGHTS; i < OSC_GRAPH_CHOICE_WORDS; i++)
        for (uint32_t bit = 0; bit < 32u; bit++) {
            uint32_t words[SECTION_WORDS + CHOICE_WORDS];
            write_flag_choice(words, STATES_OF(LOOPS, 2), FLAG);
            words[LOOK(KIND) + i] = 1u << bit;
            assert_int_equal(status_of(words, SECTION_WORDS + CHOICE_WORDS, true),
                             OSC_ERROR_SECTION);
        }
}

/* The generator, as SPEC.md defines it. */
static uint32_t expected_of(uint32_t *x)
{
    *x = 747796405u * *x + 2891336453u;
    uint32_t y = (*x ^ *x >> (4u + (*x >> 28))) * 277803737u, z = y ^ y >> 22;
    return (z >> 12) * 3u >> 20 < 1u ? LOOPS : BACKWARD;
}

/* Requests of the first state choose; a request of another state does not. */
static void requests_choose(void **state)
{
    (void)state;
    fixture f;
    static character c;
    uint32_t words[SECTION_WORDS + CHOICE_WORDS], x = 5, counts[2] = {0, 0};
    write_choices(words);
    assert_int_equal(open_graph(&f, words, SECTION_WORDS + CHOICE_WORDS, true), OSC_OK);
    assert_int_equal(f.graph.choice_count, CHOICES);
    make_character(&c, &f);
    c.graph.seed = x;
    assert_int_equal(osc_graph_start(&c.graph), OSC_OK);
    assert_int_equal(c.machines[BASE].state, expected_of(&x));
    assert_int_equal(c.machines[LAYER].state, NOTHING);
    const int32_t values[VALUES] = {0};
    for (uint32_t i = 0; i < TICKS; i++) {
        assert_int_equal(osc_graph_go(&c.graph, LOOPS, 0), OSC_OK);
        osc_graph_advance(&c.graph, values, 1);
        assert_int_equal(c.machines[BASE].state, expected_of(&x));
        counts[c.machines[BASE].state]++;
        assert_int_equal(osc_graph_go(&c.graph, BACKWARD, 0), OSC_OK);
        osc_graph_advance(&c.graph, values, 1);
        assert_int_equal(c.machines[BASE].state, BACKWARD);
        assert_int_equal(osc_graph_go(&c.graph, NOTHING, 0), OSC_OK);
        osc_graph_advance(&c.graph, values, 1);
        assert_int_equal(c.machines[LAYER].state, i % 2u == 0u ? SHOT : NOTHING);
    }
    assert_true(counts[LOOPS] > TICKS / 4 && counts[BACKWARD] > TICKS / 2);
    bank_free(&f.words);
}

/* The numbers of one choice do not depend on those of another. */
static void each_choice_has_a_seed(void **state)
{
    (void)state;
    fixture f;
    static character c;
    uint32_t words[SECTION_WORDS + CHOICE_WORDS], x = 5u + 0x9e3779b9u;
    write_choices(words);
    words[LOOK(KIND) + OSC_GRAPH_CHOICE_WORDS + OSC_GRAPH_CHOICE_WEIGHTS] = 1u | 2u << 8;
    assert_int_equal(open_graph(&f, words, SECTION_WORDS + CHOICE_WORDS, true), OSC_OK);
    make_character(&c, &f);
    c.graph.seed = 5;
    assert_int_equal(osc_graph_start(&c.graph), OSC_OK);
    const int32_t values[VALUES] = {0};
    for (uint32_t i = 0; i < TICKS; i++) {
        assert_int_equal(c.machines[LAYER].state, NOTHING + expected_of(&x));
        assert_int_equal(osc_graph_go(&c.graph, NOTHING, 0), OSC_OK);
        osc_graph_advance(&c.graph, values, 1);
    }
    bank_free(&f.words);
}

/* A flag chooses when its states are entered, and not between. */
static void a_flag_chooses(void **state)
{
    (void)state;
    static const uint8_t firsts[] = {LOOPS, DRIVEN}; /* the second are a clip and a blend */
    for (uint32_t i = 0; i < 4u; i++) {
        fixture f;
        static character c;
        uint32_t words[SECTION_WORDS + CHOICE_WORDS], first = firsts[i & 1u], on = i >> 1 & 1u;
        int32_t values[VALUES] = {0};
        write_flag_choice(words, STATES_OF(first, 2), FLAG);
        words[STATE(DRIVEN, LIST)] = 0;
        assert_int_equal(open_graph(&f, words, SECTION_WORDS + CHOICE_WORDS, true), OSC_OK);
        make_character(&c, &f);
        assert_int_equal(osc_graph_start(&c.graph), OSC_OK); /* the flag is set at the start */
        assert_int_equal(c.machines[BASE].state, first == LOOPS ? BACKWARD : LOOPS);
        values[FLAG] = (int32_t)on;
        assert_int_equal(osc_graph_go(&c.graph, first, 0), OSC_OK);
        osc_graph_advance(&c.graph, values, 1);
        assert_int_equal(c.machines[BASE].state, first + on);
        if (first + on == BACKWARD)
            assert_in_range(c.machines[BASE].position_q11, JUMP_END - 1u, JUMP_END);
        values[FLAG] ^= 1;
        osc_graph_advance(&c.graph, values, 1);
        assert_int_equal(c.machines[BASE].state, first + on);
        bank_free(&f.words);
    }
}

/* A saved state may have any words. */
static void any_saved_state_stays_in_the_choice(void **state)
{
    (void)state;
    fixture f;
    static character c;
    uint32_t words[SECTION_WORDS + CHOICE_WORDS];
    const uint32_t saved[] = {0, 1, 2, 0x7fffffffu, 0x80000000u, 0xfffffffeu, 0xffffffffu};
    write_choices(words);
    assert_int_equal(open_graph(&f, words, SECTION_WORDS + CHOICE_WORDS, true), OSC_OK);
    make_character(&c, &f);
    assert_int_equal(osc_graph_start(&c.graph), OSC_OK);
    const int32_t values[VALUES] = {0};
    for (uint32_t i = 0; i < sizeof saved / sizeof saved[0]; i++) {
        c.choices[0] = c.choices[1] = saved[i];
        for (uint32_t k = 0; k < 2u; k++) {
            assert_int_equal(osc_graph_go(&c.graph, k == 0u ? LOOPS : NOTHING, 0), OSC_OK);
            osc_graph_advance(&c.graph, values, TICK_US);
        }
        assert_in_range(c.machines[LAYER].state, NOTHING, STATES - 1);
    }
    osc_graph_code code = all_code;
    code.choices = 0;
    c.graph.code = &code;
    assert_int_equal(osc_graph_start(&c.graph), OSC_ERROR_LAYOUT);
    bank_free(&f.words);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(choices_have_states_of_one_machine),
        cmocka_unit_test(flags_choose_between_two_states_without_weights),
        cmocka_unit_test(requests_choose),
        cmocka_unit_test(each_choice_has_a_seed),
        cmocka_unit_test(a_flag_chooses),
        cmocka_unit_test(any_saved_state_stays_in_the_choice),
    };
    return cmocka_run_group_tests(tests, 0, 0);
}
