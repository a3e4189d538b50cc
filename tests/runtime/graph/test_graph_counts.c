/* The section of animation graphs: how many of each record it may have. */
#include "graph_section.h"

/* What a graph counts. The parameters are triggers, then flags, then points. */
enum {
    COUNT_PARAMETERS,
    COUNT_TRIGGERS,
    COUNT_POINTS,
    COUNT_MACHINES,
    COUNT_WAITS,
    COUNT_MASKS,
    COUNT_LOOKS,
    COUNT_LIMBS,
    COUNT_CHOICES,
    COUNT_STATES,
    COUNT_TRANSITIONS,
    COUNT_TRIANGLES,
    COUNT_WATCHES, /* of the first state */
    COUNTS
};
enum { MOST_TRIANGLES = 0xffff, MOST_WORDS = MOST_TRIANGLES + (1 << 13) };

static uint32_t *write_parameters(uint32_t *at, const uint32_t counts[COUNTS])
{
    uint32_t points = counts[COUNT_PARAMETERS] - counts[COUNT_POINTS];
    for (uint32_t i = 0; i < counts[COUNT_PARAMETERS]; i++, at += OSC_GRAPH_PARAMETER_WORDS) {
        bool is_flag = i >= counts[COUNT_TRIGGERS] && i < points;
        at[OSC_GRAPH_PARAMETER_KIND] = is_flag       ? OSC_GRAPH_FLAG
                                       : i >= points ? OSC_GRAPH_POINT
                                                     : OSC_GRAPH_TRIGGER;
        at[OSC_GRAPH_PARAMETER_MOST] = is_flag;
    }
    return at;
}

/* Layers of one state each follow the base. No state has transitions. */
static uint32_t *write_machines(uint32_t *at, const uint32_t counts[COUNTS])
{
    uint32_t first = 0;
    for (uint32_t i = 0; i < counts[COUNT_MACHINES]; i++, at += OSC_GRAPH_MACHINE_WORDS) {
        uint32_t states = i == 0u ? counts[COUNT_STATES] + 1u - counts[COUNT_MACHINES] : 1u;
        at[OSC_GRAPH_MACHINE_STATES] = first | states << 8 | first << 16 | 1u << 24;
        at[OSC_GRAPH_MACHINE_KIND] = KIND_OF(0, OSC_GRAPH_NO_MASK, OSC_GRAPH_NO_PARAMETER);
        at[OSC_GRAPH_MACHINE_WHILE] = OSC_GRAPH_ANYTIME;
        first += states;
    }
    for (uint32_t i = 0; i < counts[COUNT_STATES]; i++, at += OSC_GRAPH_STATE_WORDS) {
        at[OSC_GRAPH_STATE_CLIP] = CLIP_OF(WALK, OSC_GRAPH_NO_PARAMETER);
        at[OSC_GRAPH_STATE_LOOPS] = 1;
        at[OSC_GRAPH_STATE_WATCH] = i == 0u ? counts[COUNT_WATCHES] << 24 : 0u;
    }
    return at;
}

/* Each machine waits for some triggers. */
static uint32_t *write_waits(uint32_t *at, const uint32_t counts[COUNTS])
{
    uint32_t machines = counts[COUNT_MACHINES], waits = counts[COUNT_WAITS];
    for (uint32_t i = 0; i < machines; i++)
        for (uint32_t k = i; k < waits; k += machines)
            *at++ = k / machines | i << 8;
    return at;
}

/* Choices, the last of which has the most states; looks and limbs, which have the first point. */
static uint32_t *write_rest(uint32_t *at, const uint32_t counts[COUNTS])
{
    uint32_t point = counts[COUNT_PARAMETERS] - counts[COUNT_POINTS];
    for (uint32_t i = 0; i < counts[COUNT_CHOICES]; i++, at += OSC_GRAPH_CHOICE_WORDS)
        *at = 2u * i | (i + 1u < counts[COUNT_CHOICES] ? 2u : OSC_GRAPH_CHOICE_MOST_STATES) << 8;
    for (uint32_t i = 0; i < counts[COUNT_LOOKS]; i++, at += OSC_GRAPH_LOOK_WORDS)
        *at = point | OSC_GRAPH_NO_PARAMETER << 8 | 1u << 16;
    for (uint32_t i = 0; i < counts[COUNT_LIMBS]; i++, at += OSC_GRAPH_LIMB_WORDS) {
        *at = LIMB_KIND_OF(point, OSC_GRAPH_NO_PARAMETER, OSC_GRAPH_NO_PARAMETER);
        at[OSC_GRAPH_LIMB_JOINTS] = 0u | 1u << 16;
        at[OSC_GRAPH_LIMB_END] = 2;
    }
    return at;
}

/* Opens a graph with these counts. Its transitions are unconditional, and no state has any. */
static int32_t status_of_counts(const uint32_t counts[COUNTS])
{
    static uint32_t words[MOST_WORDS];
    memset(words, 0, sizeof words);
    words[OSC_GRAPH_PARAMETERS] =
        counts[COUNT_PARAMETERS] | counts[COUNT_TRIGGERS] << 8 | counts[COUNT_POINTS] << 24;
    words[OSC_GRAPH_MACHINES] = counts[COUNT_MACHINES] | counts[COUNT_WAITS] << 8 |
                                counts[COUNT_MASKS] << 16 | counts[COUNT_LOOKS] << 24;
    words[OSC_GRAPH_STATES] = counts[COUNT_STATES] | counts[COUNT_TRANSITIONS] << 16;
    words[OSC_GRAPH_LISTS] = counts[COUNT_WATCHES] << 16;
    words[OSC_GRAPH_ATOMS] = 1;
    words[OSC_GRAPH_NEEDS] = OSC_GRAPH_NEEDS_LAYERS;
    words[OSC_GRAPH_LONGEST_US] = 1;
    words[OSC_GRAPH_TRIANGLES] = counts[COUNT_TRIANGLES];
    words[OSC_GRAPH_EXTRAS] = counts[COUNT_LIMBS] | counts[COUNT_CHOICES] << 8;
    uint32_t *at = write_parameters(words + OSC_GRAPH_HEADER_WORDS, counts);
    at = write_machines(at, counts) + counts[COUNT_TRIANGLES] +
         counts[COUNT_TRANSITIONS] * OSC_GRAPH_TRANSITION_WORDS;
    for (uint32_t i = 0; i < counts[COUNT_WATCHES]; i++)
        *at++ = i + 1u; /* microseconds */
    *at++ = ATOM_OF(ALWAYS, 0);
    at = write_waits(at, counts) + counts[COUNT_MASKS] * MASK_WORDS;
    return status_of(words, (uint32_t)(write_rest(at, counts) - words), false);
}

static void counts_are_limited(void **state)
{
    (void)state;
    static const uint32_t most[COUNTS] = {
        OSC_GRAPH_MOST_PARAMETERS, OSC_GRAPH_MOST_TRIGGERS,    OSC_GRAPH_MOST_POINTS,
        OSC_GRAPH_MOST_MACHINES,   OSC_GRAPH_MOST_WAITS,       OSC_GRAPH_MOST_MASKS,
        OSC_GRAPH_MOST_LOOKS,      OSC_GRAPH_MOST_LIMBS,       OSC_GRAPH_MOST_CHOICES,
        OSC_GRAPH_MOST_STATES,     OSC_GRAPH_MOST_TRANSITIONS, MOST_TRIANGLES,
        OSC_GRAPH_MOST_WATCHES};
    uint32_t counts[COUNTS] = {0};
    counts[COUNT_MACHINES] = counts[COUNT_STATES] = 1;
    assert_int_equal(status_of_counts(counts), OSC_OK);
    counts[COUNT_STATES] = 0;
    assert_int_equal(status_of_counts(counts), OSC_ERROR_SECTION);
    counts[COUNT_MACHINES] = 0;
    assert_int_equal(status_of_counts(counts), OSC_ERROR_SECTION);
    assert_int_equal(status_of_counts(most), OSC_OK);
    for (uint32_t i = 0; i < COUNTS; i++) {
        memcpy(counts, most, sizeof counts);
        counts[i]++;
        if (status_of_counts(counts) != OSC_ERROR_SECTION)
            fail_msg("count %u may be %u", i, counts[i]);
    }
}

/* The word for limbs and choices has no other bits. */
static void counts_have_their_bits(void **state)
{
    (void)state;
    uint32_t words[SECTION_WORDS];
    memcpy(words, valid, sizeof words);
    words[OSC_GRAPH_EXTRAS] |= 1u << 16;
    assert_int_equal(status_of(words, SECTION_WORDS, true), OSC_ERROR_SECTION);
}

enum { MOST_ATOMS = 128 };

/* Opens the section with one condition for all transitions. Behind it is a group, which would be
 * the end of a condition. */
static int32_t status_of_atoms(const uint32_t *atoms, uint32_t count)
{
    uint32_t words[SECTION_WORDS + MOST_ATOMS];
    memcpy(words, valid, sizeof valid);
    words[MACHINE(LAYER, WHILE)] = OSC_GRAPH_ANYTIME;
    words[MACHINE(LAYER, KIND)] = KIND_OF(0, OSC_GRAPH_NO_MASK, OSC_GRAPH_NO_PARAMETER);
    words[OSC_GRAPH_MACHINES] = MACHINES;
    words[OSC_GRAPH_EXTRAS] = 0;
    for (uint32_t i = 0; i < TRANSITIONS; i++)
        words[TRANSITION(i, TARGET)] &= 0xffffu;
    words[OSC_GRAPH_ATOMS] = count | 1u << 16;
    memcpy(words + ATOM(0), atoms, count * sizeof *atoms);
    words[ATOM(count)] = ATOM_OF(ALWAYS, 0);
    return status_of(words, ATOM(count) + 1u, false);
}

static int32_t status_of_condition(uint32_t clauses, uint32_t atoms)
{
    uint32_t words[MOST_ATOMS];
    for (uint32_t i = 0; i < clauses * atoms; i++)
        words[i] = OSC_GRAPH_FINISHED | (i + 1u == clauses * atoms ? OSC_GRAPH_ATOM_LAST
                                         : (i + 1u) % atoms == 0u  ? OSC_GRAPH_ATOM_OR
                                                                   : 0u);
    return status_of_atoms(words, clauses * atoms);
}

static void conditions_are_limited(void **state)
{
    (void)state;
    assert_int_equal(status_of_condition(OSC_GRAPH_MOST_CLAUSES, OSC_GRAPH_CLAUSE_MOST_ATOMS),
                     OSC_OK);
    assert_int_equal(status_of_condition(OSC_GRAPH_MOST_CLAUSES + 1u, 1), OSC_ERROR_SECTION);
    assert_int_equal(status_of_condition(1, OSC_GRAPH_CLAUSE_MOST_ATOMS + 1u), OSC_ERROR_SECTION);
}

static void conditions_end_before_other_words(void **state)
{
    (void)state;
    const uint32_t endless = OSC_GRAPH_FINISHED;
    const uint32_t after[] = {OSC_GRAPH_AFTER | OSC_GRAPH_ATOM_LAST, ATOM_OF(ALWAYS, 0)};
    assert_int_equal(status_of_atoms(&endless, 1), OSC_ERROR_SECTION);
    assert_int_equal(status_of_atoms(after, 1), OSC_ERROR_SECTION); /* without its number */
    assert_int_equal(status_of_atoms(after, 2), OSC_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_are_limited),
        cmocka_unit_test(counts_have_their_bits),
        cmocka_unit_test(conditions_are_limited),
        cmocka_unit_test(conditions_end_before_other_words),
    };
    return cmocka_run_group_tests(tests, 0, 0);
}
