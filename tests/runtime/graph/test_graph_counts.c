/* The section of animation graphs: how many of each record it may have. */
#include "graph_section.h"

enum { MOST_WORDS = 1 << 13 };

typedef struct counts {
    uint32_t triggers, flags, states, transitions;
} counts;

/* A graph with these counts. Its transitions are unconditional, and no state has any. */
static int32_t status_of_counts(counts n)
{
    static uint32_t words[MOST_WORDS];
    uint32_t *at = words + OSC_GRAPH_HEADER_WORDS;
    memset(words, 0, sizeof words);
    words[OSC_GRAPH_PARAMETERS] = (n.triggers + n.flags) | n.triggers << 8;
    words[OSC_GRAPH_MACHINES] = 1;
    words[OSC_GRAPH_STATES] = n.states | n.transitions << 16;
    words[OSC_GRAPH_ATOMS] = 1;
    words[OSC_GRAPH_LONGEST_US] = 1;
    at += n.triggers * OSC_GRAPH_PARAMETER_WORDS;
    for (uint32_t i = 0; i < n.flags; i++, at += OSC_GRAPH_PARAMETER_WORDS) {
        at[OSC_GRAPH_PARAMETER_KIND] = OSC_GRAPH_FLAG;
        at[OSC_GRAPH_PARAMETER_MOST] = 1;
    }
    at[OSC_GRAPH_MACHINE_STATES] = n.states << 8 | 1u << 24;
    at[OSC_GRAPH_MACHINE_KIND] = KIND_OF(0, OSC_GRAPH_NO_MASK, OSC_GRAPH_NO_PARAMETER);
    at[OSC_GRAPH_MACHINE_WHILE] = OSC_GRAPH_ANYTIME;
    at += OSC_GRAPH_MACHINE_WORDS;
    for (uint32_t i = 0; i < n.states; i++, at += OSC_GRAPH_STATE_WORDS) {
        at[OSC_GRAPH_STATE_CLIP] = CLIP_OF(WALK, OSC_GRAPH_NO_PARAMETER);
        at[OSC_GRAPH_STATE_LOOPS] = 1;
    }
    at += n.transitions * OSC_GRAPH_TRANSITION_WORDS;
    *at++ = ATOM_OF(ALWAYS, 0);
    return status_of(words, (uint32_t)(at - words), false);
}

static void counts_are_limited(void **state)
{
    (void)state;
    const counts largest = {OSC_GRAPH_MOST_TRIGGERS,
                            OSC_GRAPH_MOST_PARAMETERS - OSC_GRAPH_MOST_TRIGGERS,
                            OSC_GRAPH_MOST_STATES, OSC_GRAPH_MOST_TRANSITIONS};
    assert_int_equal(status_of_counts(largest), OSC_OK);
    assert_int_equal(status_of_counts((counts){0, 0, 1, 0}), OSC_OK);
    assert_int_equal(status_of_counts((counts){0, 0, 0, 0}), OSC_ERROR_SECTION);
    counts more = largest;
    more.flags++;
    assert_int_equal(status_of_counts(more), OSC_ERROR_SECTION);
    more = (counts){OSC_GRAPH_MOST_TRIGGERS + 1u, 0, 1, 0};
    assert_int_equal(status_of_counts(more), OSC_ERROR_SECTION);
    more = (counts){0, 0, OSC_GRAPH_MOST_STATES + 1u, 0};
    assert_int_equal(status_of_counts(more), OSC_ERROR_SECTION);
    more = (counts){0, 0, 1, OSC_GRAPH_MOST_TRANSITIONS + 1u};
    assert_int_equal(status_of_counts(more), OSC_ERROR_SECTION);
}

/* The limits of what few graphs have, in a section that has room for more. */
static void counts_of_machines_are_limited(void **state)
{
    (void)state;
    static uint32_t words[MOST_WORDS];
    const uint32_t refused_counts[][2] = {
        {0, 0},
        {0, OSC_GRAPH_MOST_MACHINES + 1u},
        {0, 1u | (OSC_GRAPH_MOST_WAITS + 1u) << 8},
        {0, 1u | (OSC_GRAPH_MOST_MASKS + 1u) << 16},
        {0, 1u | (OSC_GRAPH_MOST_LOOKS + 1u) << 24},
        {(OSC_GRAPH_MOST_POINTS + 1u) | (OSC_GRAPH_MOST_POINTS + 1u) << 24, 1},
    };
    for (uint32_t i = 0; i < sizeof refused_counts / sizeof refused_counts[0]; i++) {
        memset(words, 0, sizeof words);
        words[OSC_GRAPH_PARAMETERS] = refused_counts[i][0];
        words[OSC_GRAPH_MACHINES] = refused_counts[i][1];
        words[OSC_GRAPH_STATES] = 1;
        words[OSC_GRAPH_LONGEST_US] = 1;
        assert_int_equal(status_of(words, 1000, false), OSC_ERROR_SECTION);
    }
    words[OSC_GRAPH_PARAMETERS] = 0;
    words[OSC_GRAPH_MACHINES] = 1;
    words[OSC_GRAPH_EXTRAS] = OSC_GRAPH_MOST_LIMBS + 1u;
    assert_int_equal(status_of(words, 1000, false), OSC_ERROR_SECTION);
}

/* Opens the section with its only condition replaced by `clauses` clauses of `atoms` atoms. */
static int32_t status_of_condition(uint32_t clauses, uint32_t atoms)
{
    uint32_t words[SECTION_WORDS + 128], *at = words + ATOM(0);
    memcpy(words, valid, sizeof valid);
    words[MACHINE(LAYER, WHILE)] = OSC_GRAPH_ANYTIME;
    words[MACHINE(LAYER, KIND)] = KIND_OF(0, OSC_GRAPH_NO_MASK, OSC_GRAPH_NO_PARAMETER);
    words[OSC_GRAPH_MACHINES] = MACHINES;
    words[OSC_GRAPH_EXTRAS] = 0;
    for (uint32_t i = 0; i < TRANSITIONS; i++)
        words[TRANSITION(i, TARGET)] &= 0xffffu;
    for (uint32_t i = 1; i <= clauses * atoms; i++)
        *at++ = OSC_GRAPH_FINISHED | (i == clauses * atoms ? OSC_GRAPH_ATOM_LAST
                                      : i % atoms == 0u    ? OSC_GRAPH_ATOM_OR
                                                           : 0u);
    words[OSC_GRAPH_ATOMS] = clauses * atoms;
    return status_of(words, (uint32_t)(at - words), false);
}

static void conditions_are_limited(void **state)
{
    (void)state;
    assert_int_equal(status_of_condition(OSC_GRAPH_MOST_CLAUSES, OSC_GRAPH_CLAUSE_MOST_ATOMS),
                     OSC_OK);
    assert_int_equal(status_of_condition(OSC_GRAPH_MOST_CLAUSES + 1u, 1), OSC_ERROR_SECTION);
    assert_int_equal(status_of_condition(1, OSC_GRAPH_CLAUSE_MOST_ATOMS + 1u), OSC_ERROR_SECTION);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_are_limited),
        cmocka_unit_test(counts_of_machines_are_limited),
        cmocka_unit_test(conditions_are_limited),
    };
    return cmocka_run_group_tests(tests, 0, 0);
}
