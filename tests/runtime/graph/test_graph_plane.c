/* Blends by two numbers: every rule of their triangles refuses, and what opens plays with any
 * values: two or three members, or one alone, with weights that add up. */
#include "bank/osc_format.h"
#include "graph_character.h"
#include "sample_banks.h"

#define ONE (1u << 16)
#define PLANE OSC_GRAPH_PLANE_ONE
#define FOREVER 0xffffffffu
#define HULL(corner) (OSC_GRAPH_TRIANGLE_HULL << (corner))
#define TRIANGLE_OF(a, b, c) ((uint32_t)(a) | (uint32_t)(b) << 8 | (uint32_t)(c) << 16)
#define POINT(x, y) ((uint32_t)(x) | (uint32_t)(y) << 16)

enum { WALK, JUMP }; /* clips of sample_walk, of 9 and 6 frames */
enum { X, Y, FLAG, PARAMETERS };
#define MACHINE_KINDS                                                                              \
    (OSC_GRAPH_MACHINE_BLENDS | OSC_GRAPH_MACHINE_PLANES | OSC_GRAPH_NO_MASK << 8 |                \
     OSC_GRAPH_NO_PARAMETER << 16)

enum { MEMBERS = 4, SYNCS = 2, TRIANGLES = 2, PLAYERS = 3 };

/* The number of a word in the section below. */
#define PARAMETER(number) (OSC_GRAPH_HEADER_WORDS + (number)*OSC_GRAPH_PARAMETER_WORDS)
#define MACHINE(word) (PARAMETER(PARAMETERS) + OSC_GRAPH_MACHINE_##word)
#define STATE(word) (MACHINE(WORDS) + OSC_GRAPH_STATE_##word)
#define MEMBER(number, word)                                                                       \
    (STATE(WORDS) + (number)*OSC_GRAPH_MEMBER_WORDS + OSC_GRAPH_MEMBER_##word)
#define TRIANGLE(number) (MEMBER(MEMBERS, CLIP) + SYNCS * OSC_GRAPH_SYNC_WORDS + (number))
#define SECTION_WORDS TRIANGLE(TRIANGLES)

/* A square of four clips. */
static const uint32_t valid[] = {
    PARAMETERS, 1, 1, MEMBERS | SYNCS << 16, 0, 0, OSC_GRAPH_NEEDS_BLENDS | OSC_GRAPH_NEEDS_PLANES,
    250000, TRIANGLES, 0, 0,
    /* parameters: kind, least, most, default */
    OSC_GRAPH_NUMBER, 0u - ONE, ONE, 0, OSC_GRAPH_NUMBER, 0, 3u * ONE, 0, OSC_GRAPH_FLAG, 0, 1, 0,
    /* the machine: states and players, kind, weight, fade, no condition */
    0u | 1u << 8 | 0u << 16 | PLAYERS << 24, MACHINE_KINDS, OSC_ONE_Q15, 0, OSC_GRAPH_ANYTIME,
    /* the state: triangles and number of y, loops, speed, list, watches, members and number of x */
    0u | (uint32_t)Y << 16, FOREVER, ONE, 0, 0, MEMBERS | (uint32_t)X << 8,
    /* members: clip and marks, place, stride */
    WALK | 0u << 16, POINT(0, 0), 0, JUMP | 1u << 16, POINT(PLANE, 0), 0, WALK | 0u << 16,
    POINT(PLANE, PLANE), 1u << 19, JUMP | 1u << 16, POINT(0, PLANE), 1u << 20,
    /* sync records: end, time of a frame, number of marks, marks */
    8u << 11, 33333, 2, 4096, 12288, 0, 0, 0, 0, 0, 0, 5u << 11, 41666, 2, 8192, 2048, 0, 0, 0, 0,
    0, 0,
    /* triangles */
    TRIANGLE_OF(0, 1, 2) | HULL(0) | HULL(2),
    TRIANGLE_OF(0, 2, 3) | HULL(0) | HULL(1) | OSC_GRAPH_TRIANGLE_LAST};

static int32_t open_graph(fixture *f, const uint32_t *words, uint32_t count)
{
    f->words = bank_with_section(sample_walk, OSC_TAG_GRAPH, words, count);
    assert_int_equal(bank_open(&f->words, &f->bank), OSC_OK);
    return osc_graph_open(&f->graph, &f->bank, 0, 0);
}

static int32_t status_of(const uint32_t *words, uint32_t count)
{
    fixture f;
    int32_t status = open_graph(&f, words, count);
    bank_free(&f.words);
    return status;
}

/* ---- rules ---- */

typedef struct change {
    uint32_t at, word;
} change;

static int32_t status_with(const change *changed)
{
    uint32_t words[SECTION_WORDS];
    memcpy(words, valid, sizeof words);
    words[changed->at] = changed->word;
    return status_of(words, SECTION_WORDS);
}

static const change refused[] = {
    {OSC_GRAPH_TRIANGLES, 0},
    {OSC_GRAPH_TRIANGLES, TRIANGLES - 1u},
    {OSC_GRAPH_TRIANGLES, TRIANGLES + 1u},
    {OSC_GRAPH_TRIANGLES, 0x10000u | TRIANGLES},
    {OSC_GRAPH_NEEDS, OSC_GRAPH_NEEDS_BLENDS},
    {OSC_GRAPH_NEEDS, OSC_GRAPH_NEEDS_PLANES},
    {MACHINE(STATES), 1u << 8 | 2u << 24},
    {MACHINE(KIND), MACHINE_KINDS & ~OSC_GRAPH_MACHINE_PLANES},
    {MACHINE(KIND), MACHINE_KINDS & ~OSC_GRAPH_MACHINE_BLENDS},
    {STATE(CLIP), 0u | (uint32_t)FLAG << 16},
    {STATE(CLIP), 0u | (uint32_t)PARAMETERS << 16},
    {STATE(CLIP), 0u | (uint32_t)OSC_GRAPH_NO_PARAMETER << 16}, /* not in the order of a number */
    {STATE(CLIP), 0u | (uint32_t)Y << 16 | 1u << 24},
    {STATE(CLIP), TRIANGLES | (uint32_t)Y << 16},
    {STATE(CLIP), 0xffffu | (uint32_t)Y << 16},
    {STATE(BLEND), MEMBERS | (uint32_t)FLAG << 8},
    {STATE(BLEND), (MEMBERS - 1u) | (uint32_t)X << 8},
    {MEMBER(2, AT), POINT(PLANE + 1u, PLANE)},
    {MEMBER(2, AT), POINT(PLANE, PLANE + 1u)},
    {MEMBER(2, AT), POINT(PLANE, 0xffffu)},
    {MEMBER(2, AT), POINT(0, 0)},
    {MEMBER(2, AT), POINT(PLANE / 2u, 0)},
    {TRIANGLE(0), TRIANGLE_OF(0, 2, 1)},
    {TRIANGLE(0), TRIANGLE_OF(0, 0, 1)},
    {TRIANGLE(0), TRIANGLE_OF(MEMBERS, 1, 2)},
    {TRIANGLE(0), TRIANGLE_OF(0, MEMBERS, 2)},
    {TRIANGLE(0), TRIANGLE_OF(0, 1, MEMBERS)},
    {TRIANGLE(0), TRIANGLE_OF(0, 1, 2) | 0x10000000u},
    {TRIANGLE(1), TRIANGLE_OF(0, 2, 3)},
};

static const change accepted[] = {
    {STATE(CLIP), 0u | (uint32_t)X << 16},
    {STATE(CLIP), 1u | (uint32_t)Y << 16},
    {MEMBER(2, AT), POINT(1, 1)},
    {TRIANGLE(0), TRIANGLE_OF(0, 1, 2) | OSC_GRAPH_TRIANGLE_LAST},
    {TRIANGLE(0), TRIANGLE_OF(1, 2, 0)},
    {TRIANGLE(0), TRIANGLE_OF(0, 1, 3) | HULL(1)},
};

static void each_rule_is_checked(void **state)
{
    (void)state;
    assert_int_equal(sizeof valid, 4u * SECTION_WORDS);
    assert_int_equal(status_of(valid, SECTION_WORDS), OSC_OK);
    for (uint32_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        assert_int_not_equal(valid[refused[i].at], refused[i].word);
        if (status_with(&refused[i]) != OSC_ERROR_SECTION)
            fail_msg("change %u: word %u to %#x", i, refused[i].at, refused[i].word);
    }
    for (uint32_t i = 0; i < sizeof accepted / sizeof accepted[0]; i++)
        if (status_with(&accepted[i]) != OSC_OK)
            fail_msg("limit %u: word %u to %#x", i, accepted[i].at, accepted[i].word);
}

static void members_are_limited(void **state)
{
    (void)state;
    uint32_t words[SECTION_WORDS + OSC_GRAPH_BLEND_MOST_MEMBERS * OSC_GRAPH_MEMBER_WORDS];
    const uint32_t *rest = valid + MEMBER(MEMBERS, CLIP);
    for (uint32_t count = OSC_GRAPH_BLEND_MOST_MEMBERS; count <= OSC_GRAPH_BLEND_MOST_MEMBERS + 1u;
         count++) {
        memcpy(words, valid, sizeof valid);
        for (uint32_t i = MEMBERS; i < count; i++)
            memcpy(words + MEMBER(i, CLIP), valid + MEMBER(0, CLIP),
                   OSC_GRAPH_MEMBER_WORDS * sizeof *words);
        memcpy(words + MEMBER(count, CLIP), rest,
               (size_t)(valid + SECTION_WORDS - rest) * sizeof *words);
        words[OSC_GRAPH_MEMBERS] = count | SYNCS << 16;
        words[STATE(BLEND)] = count | (uint32_t)X << 8;
        assert_int_equal(
            status_of(words, SECTION_WORDS + (count - MEMBERS) * OSC_GRAPH_MEMBER_WORDS),
            count == OSC_GRAPH_BLEND_MOST_MEMBERS ? OSC_OK : OSC_ERROR_SECTION);
    }
}

static void marks_are_limited(void **state)
{
    (void)state;
    for (uint32_t count = OSC_GRAPH_MOST_SYNC_MARKS; count <= OSC_GRAPH_MOST_SYNC_MARKS + 1u;
         count++) {
        uint32_t words[SECTION_WORDS], *sync = words + MEMBER(MEMBERS, CLIP);
        memcpy(words, valid, sizeof words);
        sync[OSC_GRAPH_SYNC_COUNT] = count;
        for (uint32_t i = 0; i < OSC_GRAPH_MOST_SYNC_MARKS; i++)
            sync[OSC_GRAPH_SYNC_MARKS_Q11 + i] = 1024u * i;
        fixture f;
        static character c;
        static const int32_t values[PARAMETERS] = {0};
        bool is_valid = count == OSC_GRAPH_MOST_SYNC_MARKS;
        assert_int_equal(open_graph(&f, words, SECTION_WORDS),
                         is_valid ? OSC_OK : OSC_ERROR_SECTION);
        if (is_valid) {
            make_character(&c, &f);
            assert_int_equal(osc_graph_start(&c.graph), OSC_OK);
            osc_graph_advance(&c.graph, values, 250000);
            assert_true(c.machines[0].phase.mark > 2u);
        }
        bank_free(&f.words);
    }
}

static void triangles_are_limited(void **state)
{
    (void)state;
    uint32_t words[SECTION_WORDS + OSC_GRAPH_BLEND_MOST_TRIANGLES];
    for (uint32_t count = OSC_GRAPH_BLEND_MOST_TRIANGLES;
         count <= OSC_GRAPH_BLEND_MOST_TRIANGLES + 1u; count++) {
        memcpy(words, valid, sizeof valid);
        for (uint32_t i = 0; i < count; i++)
            words[TRIANGLE(i)] = valid[TRIANGLE(0)];
        words[TRIANGLE(count - 1u)] |= OSC_GRAPH_TRIANGLE_LAST;
        words[OSC_GRAPH_TRIANGLES] = count;
        assert_int_equal(status_of(words, TRIANGLE(count)),
                         count == OSC_GRAPH_BLEND_MOST_TRIANGLES ? OSC_OK : OSC_ERROR_SECTION);
    }
}

/* ---- play ---- */

static void check_weights(const osc_graph_machine *machine)
{
    uint32_t total = 0;
    bool ended = false;
    for (uint32_t i = 0; i < OSC_GRAPH_MOST_MEMBERS; i++) {
        assert_true(machine->members[i] < MEMBERS);
        assert_true(!ended || machine->weights_q15[i] == 0u);
        ended = machine->weights_q15[i] == 0u;
        assert_true(!ended || machine->members[i] == 0u);
        total += machine->weights_q15[i];
    }
    assert_int_equal(total, OSC_ONE_Q15);
    assert_true(machine->leader < MEMBERS);
}

/* Plays with any values, most of them in the ranges. Returns how often so many members played. */
static void play(const fixture *f, uint32_t steps, uint64_t *seed,
                 uint32_t counts[OSC_GRAPH_MOST_MEMBERS])
{
    static character c;
    make_character(&c, f);
    assert_int_equal(osc_graph_start(&c.graph), OSC_OK);
    for (uint32_t step = 0; step < steps; step++) {
        int32_t values[OSC_GRAPH_MOST_PARAMETERS] = {random_i32(seed), random_i32(seed)};
        if ((random_u32(seed) & 7u) != 0u) {
            values[X] >>= 15;
            values[Y] >>= 14;
        }
        osc_graph_advance(&c.graph, values, random_u32(seed) % 40000u);
        if (f->graph.states[OSC_GRAPH_STATE_BLEND] != 0u)
            check_weights(&c.machines[0]);
        osc_graph_evaluate(&c.graph, &c.pose, 0);
        counts[c.machines[0].weights_q15[1] == 0u   ? 0
               : c.machines[0].weights_q15[2] == 0u ? 1
                                                    : 2]++;
    }
}

static void one_to_three_members_play(void **state)
{
    (void)state;
    uint64_t seed = 1;
    uint32_t counts[OSC_GRAPH_MOST_MEMBERS] = {0, 0, 0};
    fixture f;
    assert_int_equal(open_graph(&f, valid, SECTION_WORDS), OSC_OK);
    play(&f, 5000, &seed, counts);
    assert_true(counts[0] > 100u && counts[1] > 100u && counts[2] > 1000u);
    bank_free(&f.words);
}

/* Beside an edge of the hull both its ends play, beyond a corner that corner. */
static void points_between_belong_to_both_ends(void **state)
{
    (void)state;
    static character c;
    fixture f;
    uint32_t words[SECTION_WORDS];
    memcpy(words, valid, sizeof words);
    for (uint32_t i = 0; i < MEMBERS; i++) /* a smaller square, with room around it */
        words[MEMBER(i, AT)] = words[MEMBER(i, AT)] / 2u + POINT(PLANE / 4u, PLANE / 4u);
    words[MEMBER(MEMBERS, AT)] = POINT(PLANE, 0); /* of a sync record: no member is there */
    assert_int_equal(open_graph(&f, words, SECTION_WORDS), OSC_OK);
    make_character(&c, &f);
    assert_int_equal(osc_graph_start(&c.graph), OSC_OK);
    const int32_t beside[][PARAMETERS] = {
        {0, 0, 0}, {ONE, 3 * ONE / 2, 0}, {0, 3 * ONE, 0}, {0 - (int32_t)ONE, 3 * ONE / 2, 0}};
    static const uint8_t ends[][2] = {{0, 1}, {1, 2}, {2, 3}, {3, 0}};
    for (uint32_t i = 0; i < 4u; i++) {
        osc_graph_advance(&c.graph, beside[i], 16000);
        const osc_graph_machine *machine = &c.machines[0];
        assert_int_equal(machine->members[0], ends[i][0]);
        assert_int_equal(machine->members[1], ends[i][1]);
        assert_int_equal(machine->weights_q15[0], OSC_ONE_Q15 / 2u);
        assert_int_equal(machine->weights_q15[1], OSC_ONE_Q15 / 2u);
        assert_int_equal(machine->weights_q15[2], 0);
    }
    const int32_t corner[PARAMETERS] = {(int32_t)ONE, 3 * ONE, 0};
    osc_graph_advance(&c.graph, corner, 16000);
    assert_int_equal(c.machines[0].members[0], 2);
    assert_int_equal(c.machines[0].weights_q15[0], OSC_ONE_Q15);
    const int32_t other_corner[PARAMETERS] = {(int32_t)ONE, 0, 0};
    osc_graph_advance(&c.graph, other_corner, 16000);
    assert_int_equal(c.machines[0].members[0], 1);
    bank_free(&f.words);
}

/* Beside an edge that is not of the hull the nearest clip plays, of equally near ones the first. */
static void the_first_of_equally_near_clips_plays(void **state)
{
    (void)state;
    static character c;
    static const int32_t beside[PARAMETERS] = {0, 0, 0};
    fixture f;
    uint32_t words[SECTION_WORDS];
    memcpy(words, valid, sizeof words);
    for (uint32_t i = 0; i < MEMBERS; i++)
        words[MEMBER(i, AT)] = words[MEMBER(i, AT)] / 2u + POINT(PLANE / 4u, PLANE / 4u);
    words[TRIANGLE(0)] = TRIANGLE_OF(0, 1, 2);
    assert_int_equal(open_graph(&f, words, SECTION_WORDS), OSC_OK);
    make_character(&c, &f);
    assert_int_equal(osc_graph_start(&c.graph), OSC_OK);
    osc_graph_advance(&c.graph, beside, 16000);
    assert_int_equal(c.machines[0].members[0], 0);
    assert_int_equal(c.machines[0].weights_q15[0], OSC_ONE_Q15);
    bank_free(&f.words);
}

static void damaged_graphs_are_refused_or_play(void **state)
{
    (void)state;
    enum { TRIALS = 10000, LEAST_OPENED = 1000 };
    uint64_t seed = 2;
    uint32_t opened = 0, words[SECTION_WORDS], counts[OSC_GRAPH_MOST_MEMBERS];
    for (uint32_t trial = 0; trial < TRIALS; trial++) {
        memcpy(words, valid, sizeof words);
        for (uint32_t changes = random_u32(&seed) % 3u + 1u; changes != 0u; changes--) {
            uint32_t at = random_u32(&seed) % SECTION_WORDS, value = random_u32(&seed);
            words[at] = (value & 1u) != 0u ? words[at] ^ 1u << (value >> 1 & 31u)
                                           : valid[(value >> 1) % SECTION_WORDS];
        }
        fixture f;
        if (open_graph(&f, words, SECTION_WORDS) == OSC_OK) {
            opened++;
            play(&f, 20, &seed, counts);
        }
        bank_free(&f.words);
    }
    assert_true(opened >= LEAST_OPENED);
}

static void planes_need_their_code(void **state)
{
    (void)state;
    fixture f;
    static character c;
    assert_int_equal(open_graph(&f, valid, SECTION_WORDS), OSC_OK);
    make_character(&c, &f);
    osc_graph_code code = all_code;
    c.graph.code = &code;
    code.weigh = 0;
    assert_int_equal(osc_graph_start(&c.graph), OSC_ERROR_LAYOUT);
    bank_free(&f.words);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_rule_is_checked),
        cmocka_unit_test(members_are_limited),
        cmocka_unit_test(marks_are_limited),
        cmocka_unit_test(triangles_are_limited),
        cmocka_unit_test(one_to_three_members_play),
        cmocka_unit_test(points_between_belong_to_both_ends),
        cmocka_unit_test(the_first_of_equally_near_clips_plays),
        cmocka_unit_test(damaged_graphs_are_refused_or_play),
        cmocka_unit_test(planes_need_their_code),
    };
    return cmocka_run_group_tests(tests, 0, 0);
}
