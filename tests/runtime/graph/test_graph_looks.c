/* Looks and limbs of a graph. */
#include "graph_play.h"
#include "osc_ik.h"

/* A slewed number at the end of its range is there until time passes. */
static void a_weight_at_the_end_of_its_range_stays_for_a_step_without_time(void **state)
{
    (void)state;
    static character c;
    fixture f;
    uint32_t words[SECTION_WORDS];
    int32_t values[VALUES] = {0};
    memcpy(words, valid, sizeof words);
    words[PARAMETER(SLEWED, LEAST)] = 0;
    words[LOOK(KIND)] = POINT | (uint32_t)SLEWED << 8 | (uint32_t)LINKS << 16;
    words[OSC_GRAPH_LONGEST_US] = OSC_GRAPH_LONGEST_MOST_US;
    assert_int_equal(open_graph(&f, words, SECTION_WORDS, true), OSC_OK);
    make_character(&c, &f);
    assert_int_equal(osc_graph_start(&c.graph), OSC_OK);
    values[SLEWED] = (int32_t)SPEED_ONE;
    for (uint32_t step = 0; step < 2u; step++) {
        osc_graph_advance(&c.graph, values, step == 0u ? OSC_GRAPH_LONGEST_MOST_US : 0u);
        osc_graph_evaluate(&c.graph, &c.pose, 0);
        osc_compose(&f.bank, &c.pose, c.model);
        osc_graph_look(&c.graph, values, &c.pose, c.model, 0);
        values[SLEWED] = 0;
    }
    assert_int_equal(c.slews[0].value, SPEED_ONE);
    bank_free(&f.words);
}

/* In the time of its lag, a look comes half as near to a point that has moved along an axis. */
static void looks_follow_points_along_each_axis(void **state)
{
    (void)state;
    static character c;
    fixture f;
    uint32_t words[SECTION_WORDS];
    const uint32_t lag_us = 100000;
    memcpy(words, valid, sizeof words);
    words[LOOK(LAG_US)] = lag_us;
    words[LOOK(WITHIN_Q20)] = words[LOOK(BEYOND_Q20)] = 0u - OSC_ONE_Q20; /* it looks anywhere */
    assert_int_equal(open_graph(&f, words, SECTION_WORDS, true), OSC_OK);
    make_character(&c, &f);
    for (uint32_t axis = 0; axis < 3u; axis++) {
        const int32_t *const seen[3] = {&c.looks[0].point.x, &c.looks[0].point.y,
                                        &c.looks[0].point.z};
        int32_t values[VALUES] = {0};
        assert_int_equal(osc_graph_start(&c.graph), OSC_OK);
        osc_graph_evaluate(&c.graph, &c.pose, 0);
        osc_compose(&f.bank, &c.pose, c.model);
        for (uint32_t look = 0; look < 2u; look++) { /* it begins there, and stays */
            osc_graph_look(&c.graph, values, &c.pose, c.model, lag_us);
            assert_int_equal(c.looks[0].point.x | c.looks[0].point.y | c.looks[0].point.z, 0);
        }
        values[POINT + axis] = (int32_t)OSC_ONE_Q20;
        osc_graph_look(&c.graph, values, &c.pose, c.model, lag_us);
        for (uint32_t i = 0; i < 3u; i++)
            assert_in_range(*seen[i] + 16, i == axis ? OSC_ONE_Q20 / 2u : 16u,
                            i == axis ? OSC_ONE_Q20 / 2u + 32u : 16u);
    }
    bank_free(&f.words);
}

static uint32_t aimed_chains;
static osc_vector aimed_at;

bool __wrap_osc_ik_aim(const osc_ik_chain *chain, const osc_ik_look *look, const osc_matrix *model,
                       const osc_pose *pose);
bool __real_osc_ik_aim(const osc_ik_chain *chain, const osc_ik_look *look, const osc_matrix *model,
                       const osc_pose *pose);

bool __wrap_osc_ik_aim(const osc_ik_chain *chain, const osc_ik_look *look, const osc_matrix *model,
                       const osc_pose *pose)
{
    aimed_chains++;
    aimed_at = look->target;
    return __real_osc_ik_aim(chain, look, model, pose);
}

/* Each of two chains looks in its own time, and begins where the point is. */
static void two_chains_look(void **state)
{
    (void)state;
    enum { FADE_US = 400000, LAG_US = 100000, LONG_US = 250000, AT_Q20 = 12345 };
    static character c;
    fixture f;
    uint32_t looks[3][OSC_GRAPH_LOOK_WORDS];
    int32_t values[VALUES] = {0};
    start_with(&c, &f, valid);
    for (uint32_t i = 0; i < 3u; i++) { /* the first is that of another bank */
        memcpy(looks[i], valid + LOOK(KIND), sizeof looks[i]);
        looks[i][OSC_GRAPH_LOOK_FADE_US] = i * FADE_US / 2u;
        looks[i][OSC_GRAPH_LOOK_WITHIN_Q20] = 0u - OSC_ONE_Q20;
    }
    looks[2][OSC_GRAPH_LOOK_LAG_US] = 0;
    looks[2][OSC_GRAPH_LOOK_KIND] += (OSC_GRAPH_MOST_LINKS - LINKS) << 16;
    f.graph.looks = looks[1];
    f.graph.look_count = 2;
    for (uint32_t step = 0; step < 2u; step++) {
        values[POINT + 1] = (int32_t)(step + 1u) * AT_Q20;
        osc_graph_evaluate(&c.graph, &c.pose, 0);
        osc_compose(&f.bank, &c.pose, c.model);
        osc_graph_look(&c.graph, values, &c.pose, c.model, step == 0u ? LONG_US : LAG_US);
        assert_int_equal(c.looks[0].envelope_us, FADE_US / 2);
        assert_int_equal(c.looks[1].envelope_us, LONG_US + step * LAG_US);
        assert_in_range(c.looks[0].point.y, AT_Q20 + (int32_t)step * AT_Q20 / 2 - 1,
                        AT_Q20 + (int32_t)step * AT_Q20 / 2 + 1);
        assert_int_equal(c.looks[1].point.y, values[POINT + 1]);
    }
    values[POINT + 1] = 0;
    osc_graph_look(&c.graph, values, &c.pose, c.model, 0);
    assert_int_equal(c.looks[1].point.y, 0); /* without a lag in no time */

    const int32_t *m = c.model[valid[LOOK(LINKS)] & 0xffffu].m;
    looks[2][OSC_GRAPH_LOOK_WITHIN_Q20] = OSC_ONE_Q20 / 2u;
    looks[2][OSC_GRAPH_LOOK_BEYOND_Q20] = 0;
    looks[1][OSC_GRAPH_LOOK_WEIGHT] = 0;
    aimed_chains = 0;
    for (uint32_t k = 0; k < 3u; k++) /* beside the eyes: at the limit */
        values[POINT + k] = m[4u * k + 3u];
    osc_graph_look(&c.graph, values, &c.pose, c.model, LAG_US);
    assert_int_equal(c.looks[1].envelope_us, LONG_US + LAG_US);
    assert_int_equal(aimed_chains, 1);
    bank_free(&f.words);
}

/* A point of the world is seen from where the character stands, one of model space is not. */
static void looks_see_points_of_both_spaces(void **state)
{
    (void)state;
    enum { AHEAD_Q20 = 4 * OSC_ONE_Q20, STAND_Q20 = OSC_ONE_Q20 / 4 };
    for (uint32_t in_world = 0; in_world < 2u; in_world++) {
        static character c;
        fixture f;
        uint32_t words[SECTION_WORDS];
        const int32_t values[VALUES] = {[POINT + 2] = AHEAD_Q20};
        const osc_placement place = {STAND_Q20, 0, STAND_Q20, 0};
        memcpy(words, valid, sizeof words);
        words[PARAMETER(POINT, MOST)] = in_world;
        words[LOOK(WITHIN_Q20)] = 0u - OSC_ONE_Q20;
        start_with(&c, &f, words);
        osc_graph_appear(&c.graph, &place);
        osc_graph_evaluate(&c.graph, &c.pose, 0);
        osc_compose(&f.bank, &c.pose, c.model);
        osc_graph_look(&c.graph, values, &c.pose, c.model, 16000);
        assert_int_equal(aimed_at.x, in_world != 0u ? -STAND_Q20 : 0);
        assert_int_equal(aimed_at.y, 0);
        assert_int_equal(aimed_at.z, in_world != 0u ? AHEAD_Q20 - STAND_Q20 : AHEAD_Q20);
        bank_free(&f.words);
    }
}

#define TURNED(n) ((n) * (int32_t)OSC_ONE_Q20 / 6) /* of (3, 5, 1, 1), of length 6 */
#define WITHIN (OSC_ONE_Q20 * 2u / 3u)

/* Eyes may be along any direction: a point is ahead of them if it is there. */
static void eyes_are_along_any_direction(void **state)
{
    (void)state;
    static const int8_t directions[][2][3] = {
        {{0, 0, -1}, {0, 0, -1}}, {{-1, 0, 0}, {-1, 0, 0}}, {{0, -1, 0}, {0, -1, 0}},
        {{1, 0, 1}, {0, 0, 1}},   {{1, 0, 1}, {1, 0, 0}},   {{0, 1, 1}, {0, 0, 1}},
        {{1, 1, 0}, {0, 1, 0}},   {{1, 1, 0}, {1, 0, 0}},   {{1, 0, 0}, {1, 0, 0}},
        {{0, 1, 0}, {0, 1, 0}},   {{0, 0, 1}, {0, 0, 1}},   {{0, 0, 1}, {0, 0, 0}}};
    static const osc_quaternion turned = {TURNED(3), TURNED(5), TURNED(1), TURNED(1)};
    for (uint32_t i = 0; i < sizeof directions / sizeof directions[0]; i++) {
        static character c;
        fixture f;
        uint32_t words[SECTION_WORDS];
        int32_t values[VALUES] = {0};
        memcpy(words, valid, sizeof words);
        for (uint32_t k = 0; k < 3u; k++)
            words[LOOK(FORWARD) + k] = (uint32_t)directions[i][0][k] * OSC_ONE_Q20;
        /* a point in the joint, the last one, is beside the eyes */
        words[LOOK(WITHIN_Q20)] = i + 1u < sizeof directions / sizeof directions[0] ? WITHIN : 0u;
        start_with(&c, &f, words);
        osc_graph_evaluate(&c.graph, &c.pose, 0);
        c.rotations[0][0] = turned;
        osc_compose(&f.bank, &c.pose, c.model);
        const int32_t *m = c.model[words[LOOK(LINKS)] & 0xffffu].m;
        for (uint32_t k = 0; k < 3u; k++, m += 4)
            values[POINT + k] =
                m[3] + 8 * (m[0] * directions[i][1][0] + m[1] * directions[i][1][1] +
                            m[2] * directions[i][1][2]);
        osc_graph_look(&c.graph, values, &c.pose, c.model, 16000);
        assert_int_equal(c.looks[0].envelope_us, 16000);
        bank_free(&f.words);
    }
}

/* A look that takes no time has its whole weight at once. */
static void a_look_may_take_no_time(void **state)
{
    (void)state;
    static character c[2];
    for (uint32_t fade_us = 0; fade_us < 2u; fade_us++) {
        fixture f;
        uint32_t words[SECTION_WORDS];
        int32_t values[VALUES] = {[POINT] = OSC_ONE_Q20};
        memcpy(words, valid, sizeof words);
        words[LOOK(FADE_US)] = fade_us;
        words[LOOK(WITHIN_Q20)] = 0u - OSC_ONE_Q20;
        start_with(&c[fade_us], &f, words);
        osc_graph_evaluate(&c[fade_us].graph, &c[fade_us].pose, 0);
        osc_compose(&f.bank, &c[fade_us].pose, c[fade_us].model);
        const osc_quaternion before = c[fade_us].rotations[0][0];
        osc_graph_look(&c[fade_us].graph, values, &c[fade_us].pose, c[fade_us].model, 1000);
        assert_memory_not_equal(&before, &c[fade_us].rotations[0][0], sizeof before);
        bank_free(&f.words);
    }
    assert_memory_equal(c[0].rotations[0], c[1].rotations[0], sizeof c[0].rotations[0]);
}

static osc_ik_goal reached;

bool __wrap_osc_ik_two_bone(const osc_ik_limb *limb, const osc_ik_goal *goal,
                            const osc_matrix *model, const osc_pose *pose);
bool __real_osc_ik_two_bone(const osc_ik_limb *limb, const osc_ik_goal *goal,
                            const osc_matrix *model, const osc_pose *pose);

bool __wrap_osc_ik_two_bone(const osc_ik_limb *limb, const osc_ik_goal *goal,
                            const osc_matrix *model, const osc_pose *pose)
{
    reached = *goal;
    return __real_osc_ik_two_bone(limb, goal, model, pose);
}

static void reach_again(character *c, const int32_t *values, uint32_t elapsed_us)
{
    osc_graph_evaluate(&c->graph, &c->pose, 0);
    osc_compose(c->graph.graph->bank, &c->pose, c->model);
    osc_graph_reach(&c->graph, values, &c->pose, c->model, elapsed_us);
}

/* A limb reaches for a point and bends towards it, in each direction. */
static void limbs_bend_towards_their_points(void **state)
{
    (void)state;
    enum { FAR_Q20 = 64 * OSC_ONE_Q20, LEAST_Q20 = OSC_ONE_Q20 * 9 / 10 };
    static character c;
    fixture f;
    start_with(&c, &f, valid);
    for (uint32_t axis = 0; axis < 3u; axis++) {
        int32_t values[VALUES] = {0};
        values[POINT + axis] = FAR_Q20;
        reach_again(&c, values, 16000);
        const int32_t target[3] = {reached.target.x, reached.target.y, reached.target.z};
        const int32_t pole[3] = {reached.pole.x, reached.pole.y, reached.pole.z};
        assert_int_equal(target[axis], FAR_Q20);
        assert_true(pole[axis] > LEAST_Q20);
    }
    bank_free(&f.words);
}

/* A limb holds its end up to its distance, and then lets it go from there. */
static void an_end_is_held_up_to_a_distance(void **state)
{
    (void)state;
    enum { MOST_Q20 = OSC_ONE_Q20 / 2 };
    static character c;
    fixture f;
    const int32_t values[VALUES] = {0};
    start_with(&c, &f, valid);
    osc_graph_advance(&c.graph, values, 100000); /* into the span */
    reach_again(&c, values, 0);
    assert_int_equal(c.limbs[1].hold, OSC_GRAPH_LOCKED);
    c.now.place.x += MOST_Q20;
    reach_again(&c, values, 0);
    assert_int_equal(c.limbs[1].hold, OSC_GRAPH_LOCKED);
    c.now.place.x++;
    reach_again(&c, values, 0);
    assert_int_equal(c.limbs[1].hold, OSC_GRAPH_LET_GO);
    assert_int_equal(c.limbs[1].point.x, -(MOST_Q20 + 1));
    assert_int_equal(c.limbs[1].point.y, 0);
    assert_int_equal(c.limbs[1].point.z, 0);
    bank_free(&f.words);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_weight_at_the_end_of_its_range_stays_for_a_step_without_time),
        cmocka_unit_test(looks_follow_points_along_each_axis),
        cmocka_unit_test(two_chains_look),
        cmocka_unit_test(looks_see_points_of_both_spaces),
        cmocka_unit_test(eyes_are_along_any_direction),
        cmocka_unit_test(a_look_may_take_no_time),
        cmocka_unit_test(limbs_bend_towards_their_points),
        cmocka_unit_test(an_end_is_held_up_to_a_distance),
    };
    return cmocka_run_group_tests(tests, 0, 0);
}
