/* Limbs and looks whose answers are plain, among them what ozz-animation's tests expect. */
#include "double_math.h"
#include "ik/osc_ik_turn.h"
#include "osc_ik.h"

#include <stdlib.h>

#define ROUNDS 20000
#define EXACT_ERROR 3e-5     /* of a component, where the answer is plain */
#define STRETCHED_ERROR 5e-4 /* the same of straight limbs, whose middle joint is soft */

/* Places of the joints of a limb or chain without anything above it. */
static void put(osc_matrix *model, double x, double y, double z)
{
    osc_vector at = to_q20((vec){x, y, z});
    *model = (osc_matrix){{ONE, 0, 0, at.x, 0, ONE, 0, at.y, 0, 0, ONE, at.z}};
}

/* A pose of three joints that are not turned. */
typedef struct bare {
    osc_matrix model[3];
    osc_quaternion rotations[3];
    osc_pose pose;
} bare;

static void bare_make(bare *b)
{
    *b = (bare){.rotations = {{0, 0, 0, ONE}, {0, 0, 0, ONE}, {0, 0, 0, ONE}}};
    b->pose.rotations = b->rotations;
}

/* Bones that are 0.4 degrees off a line have no axis, and those 0.6 degrees off have one. */
static void straight_limbs_have_no_axis(void **state)
{
    static const double degrees[2] = {0.4, 0.6};
    bare b;
    (void)state;
    bare_make(&b);
    for (int i = 0; i < 4; i++) {
        double angle = degrees[i & 1] * PI / 180.0 + (i & 2 ? PI : 0.0);
        osc_ik_limb limb = {0, 1, 2, {7, 8, 9}};
        put(&b.model[0], 0, 0, 0);
        put(&b.model[1], 1, 0, 0);
        put(&b.model[2], 1 + cos(angle) / 2, sin(angle) / 2, 0);
        assert_int_equal(osc_ik_find_mid_axis(&limb, b.model), (i & 1) != 0);
        if ((i & 1) == 0)
            assert_true(limb.mid_axis.x == 7 && limb.mid_axis.y == 8 && limb.mid_axis.z == 9);
        else
            assert_true(labs(limb.mid_axis.z - (i & 2 ? ONE : -ONE)) <= 1);
    }
    osc_ik_limb limb = {0, 1, 2, {7, 8, 9}};
    put(&b.model[2], 1 + 57 / 64.0, 8150.0 / ONE, 0); /* the least sine, 9151 in Q20 */
    assert_true(osc_ik_find_mid_axis(&limb, b.model));
}

/* A bone along the axis has nothing across it, whatever squares round to: turns about it move the
 * end no nearer, and no further away. */
static void bones_along_the_axis_reach_nothing_else(void **state)
{
    uint64_t seed = 19;
    (void)state;
    for (int i = 0; i < ROUNDS; i++) {
        bare b;
        bare_make(&b);
        vec axis = random_direction(&seed);
        vec end = sum(axis, random_direction(&seed));
        put(&b.model[0], 0, 0, 0);
        put(&b.model[1], axis.x, axis.y, axis.z);
        put(&b.model[2], end.x, end.y, end.z);
        const osc_ik_limb limb = {0, 1, 2, to_q20(scaled(axis, 1.0 + 2e-6))};
        double far = uniform(&seed, 0.1, 2.0);
        const osc_ik_goal goal = {
            to_q20(scaled(random_direction(&seed), far)), {0, 0, 0}, OSC_ONE_Q15, OSC_ONE_Q15};
        bool reached = osc_ik_two_bone(&limb, &goal, b.model, &b.pose);
        assert_true(!reached || fabs(far - length(end)) < 0.05);
    }
}

/* Only a joint that makes its whole rotation looks at the target. */
static void shares_of_a_turn_do_not_arrive(void **state)
{
    bare b;
    (void)state;
    bare_make(&b);
    put(&b.model[0], 0, 0, 0);
    osc_ik_link link = {0, OSC_ONE_Q15, 0};
    const osc_ik_chain chain = {&link, 1, {ONE, 0, 0}, {0, ONE, 0}, {0, 0, 0}};
    osc_ik_look look = {{ONE, 0, ONE}, {0, 0, 0}, OSC_ONE_Q15};
    assert_true(osc_ik_aim(&chain, &look, b.model, &b.pose));
    link.weight_q15 = OSC_ONE_Q15 - 1;
    assert_false(osc_ik_aim(&chain, &look, b.model, &b.pose));
    link.weight_q15 = OSC_ONE_Q15;
    look.weight_q15 = OSC_ONE_Q15 - 1;
    assert_false(osc_ik_aim(&chain, &look, b.model, &b.pose));
    look.weight_q15 = UINT32_MAX; /* counts as one */
    assert_true(osc_ik_aim(&chain, &look, b.model, &b.pose));
}

static void assert_rotation(osc_quaternion q, vec axis, double degrees, double limit)
{
    quat wanted = degrees == 0.0 ? (quat){{0, 0, 0}, 1} : about(axis, degrees * PI / 180.0);
    assert_true(quaternion_error(quaternion_of(q), wanted) <= limit);
}

/* A limb of two bones of a metre, bent by 90 degrees in the plane of x and y: what ozz-animation's
 * tests of IKTwoBoneJob expect of it. */
static void limbs_answer_as_peers_do(void **state)
{
    static const struct {
        vec target, pole, start_axis;
        double start, mid, soften;
        bool reached;
    } cases[] = {
        {{1, 1, 0}, {0, 1, 0}, {0, 1, 0}, 0, 0, 1, true},
        {{0, 1, 1}, {0, 1, 0}, {0, 1, 0}, -90, 0, 1, true},
        {{0, 1, -1}, {0, 1, 0}, {0, 1, 0}, 90, 0, 1, true},
        {{1, 0, 1}, {0, 0, 1}, {1, 0, 0}, 90, 0, 1, true},
        {{1, 0, -1}, {0, 0, -1}, {1, 0, 0}, -90, 0, 1, true},
        {{1, -1, 0}, {1, 0, 0}, {0, 0, 1}, -90, 0, 1, true},
        {{-1, 1, 0}, {-1, 0, 0}, {0, 0, 1}, 90, 0, 1, true},
        {{2, 0, 0}, {0, 1, 0}, {0, 0, 1}, -90, 90, 1, true}, /* as long as it is */
        {{3, 0, 0}, {0, 1, 0}, {0, 0, 1}, -90, 90, 1, false},
        {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, -30, -30, 0.5, true}, /* where softening begins */
        {{0, 0, 0}, {0, 1, 0}, {0, 0, 1}, 0, -90, 0.5, false},  /* folded */
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        bare b;
        bare_make(&b);
        put(&b.model[0], 0, 0, 0);
        put(&b.model[1], 0, 1, 0);
        put(&b.model[2], 1, 1, 0);
        osc_ik_limb limb = {0, 1, 2, {0, 0, ONE}};
        const osc_ik_goal goal = {to_q20(cases[i].target), to_q20(cases[i].pole),
                                  (uint32_t)(cases[i].soften * OSC_ONE_Q15), OSC_ONE_Q15};
        assert_int_equal(osc_ik_two_bone(&limb, &goal, b.model, &b.pose), cases[i].reached);
        double limit = length(cases[i].target) < 2.0 ? EXACT_ERROR : STRETCHED_ERROR;
        assert_rotation(b.rotations[0], cases[i].start_axis, cases[i].start, limit);
        assert_rotation(b.rotations[1], (vec){0, 0, 1}, cases[i].mid, limit);
    }
}

/* Whether a limb with its middle axis along z, its first bone along y and no softening reaches a
 * target along x. Lengths are in Q20. */
static bool reaches(bare *b, int32_t first, osc_vector end, int32_t far)
{
    const osc_ik_limb limb = {0, 1, 2, {0, 0, ONE}};
    const osc_ik_goal goal = {{far, 0, 0}, {0, 0, 0}, OSC_ONE_Q15, OSC_ONE_Q15};
    bare_make(b);
    put(&b->model[0], 0, 0, 0);
    put(&b->model[1], 0, (double)first / ONE, 0);
    put(&b->model[2], (double)end.x / ONE, (double)end.y / ONE, (double)end.z / ONE);
    return osc_ik_two_bone(&limb, &goal, b->model, &b->pose);
}

/* A target is reached if the squares of the distances agree to 2^-18, here exactly. */
static void targets_are_reached_to_the_last_bit(void **state)
{
    bare b;
    (void)state;
    assert_true(reaches(&b, ONE + 3, (osc_vector){ONE + 3, ONE + 3, 0}, 2 * ONE + 6));
    assert_true(reaches(&b, ONE + 16, (osc_vector){ONE + 16, ONE + 16, 0}, 2 * ONE + 34));
    assert_false(reaches(&b, ONE + 16, (osc_vector){ONE + 16, ONE + 16, 0}, 2 * ONE + 35));
    assert_true(reaches(&b, ONE + 128, (osc_vector){ONE / 2, ONE + 128, 0}, ONE / 2 + 124));
    assert_false(reaches(&b, ONE + 128, (osc_vector){ONE / 2, ONE + 128, 0}, ONE / 2 + 123));
}

/* From a right angle to a straight limb, the quotient of the two angles has no real part. */
static void right_angles_straighten(void **state)
{
    bare b;
    (void)state;
    assert_false(reaches(&b, ONE + 1, (osc_vector){ONE + 7, ONE + 1, 0}, 3 * ONE));
    assert_true(b.rotations[1].z == 741458 && b.rotations[1].w == 741452);
}

/* Softening takes the distance to a target across the axis. From 7.5 m on, here, it takes the whole
 * distance. */
static void far_targets_soften_alike(void **state)
{
    int32_t turns[3];
    (void)state;
    for (int32_t i = 0; i < 3; i++) {
        bare b;
        bare_make(&b);
        put(&b.model[0], 0, 0, 0);
        put(&b.model[1], 0, 1, 0);
        put(&b.model[2], 1, 1, 1);
        const osc_ik_limb limb = {0, 1, 2, {0, 0, ONE}};
        const osc_ik_goal goal = {
            {15 * ONE / 2 + 8 * (i - 1), 0, 0}, {0, 0, 0}, OSC_ONE_Q15 / 2u, OSC_ONE_Q15};
        assert_false(osc_ik_two_bone(&limb, &goal, b.model, &b.pose));
        turns[i] = b.rotations[1].z;
    }
    assert_true(turns[0] < turns[1] && turns[1] == turns[2]);
}

/* The same for IKAimJob: a joint at the origin that looks along x, with y up. */
static void looks_answer_as_peers_do(void **state)
{
    static const struct {
        vec target, pole, axis;
        double degrees;
    } cases[] = {
        {{1, 0, 0}, {0, 1, 0}, {0, 1, 0}, 0},    {{0, 1, 0}, {-1, 0, 0}, {0, 0, 1}, 90},
        {{-1, 0, 0}, {0, 1, 0}, {0, 1, 0}, 180}, {{0, 0, 1}, {0, 1, 0}, {0, 1, 0}, -90},
        {{1, 0, 0}, {0, 0, 1}, {1, 0, 0}, 90},   {{1, 0, 0}, {0, -1, 0}, {1, 0, 0}, 180},
        {{0, 0, -1}, {0, 0, 0}, {0, 1, 0}, 90},  {{5, 0, 0}, {0, 0, -1}, {1, 0, 0}, -90},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        bare b;
        bare_make(&b);
        put(&b.model[0], 0, 0, 0);
        const osc_ik_link link = {0, OSC_ONE_Q15, 0};
        const osc_ik_chain chain = {&link, 1, {ONE, 0, 0}, {0, ONE, 0}, {0, 0, 0}};
        const osc_ik_look look = {to_q20(cases[i].target), to_q20(cases[i].pole), OSC_ONE_Q15};
        assert_true(osc_ik_aim(&chain, &look, b.model, &b.pose));
        assert_rotation(b.rotations[0], cases[i].axis, cases[i].degrees, EXACT_ERROR);
    }
}

/* A target as far from the joint as the eyes are, which look past it at a right angle, is seen when
 * the eyes are there. */
static void eyes_may_arrive_at_the_target(void **state)
{
    bare b;
    (void)state;
    bare_make(&b);
    put(&b.model[0], 0, 0, 0);
    const osc_ik_link link = {0, OSC_ONE_Q15, 0};
    const osc_ik_chain chain = {&link, 1, {ONE, 0, 0}, {0, 0, ONE}, {0, ONE, 0}};
    osc_ik_look look = {{0, 0, ONE}, {0, 0, 0}, OSC_ONE_Q15};
    assert_true(osc_ik_aim(&chain, &look, b.model, &b.pose));
    assert_rotation(b.rotations[0], (vec){1, 0, 0}, 90, EXACT_ERROR);
    look.target.z -= ONE / 64;
    assert_false(osc_ik_aim(&chain, &look, b.model, &b.pose));
}

/* A turn with any length from 1/32 on is brought to one; what is smaller stays. The real part is
 * never negative. */
static void shares_are_of_length_one(void **state)
{
    (void)state;
    for (int32_t less = 0; less < 2; less++) {
        int32_t q[4] = {0, 0, 0, 0};
        osc_ik_weigh(q, OSC_ONE_Q15 - OSC_ONE_Q15 / 32u + (uint32_t)less);
        assert_in_range(q[3], less ? ONE / 32 - 32 : ONE - 1, less ? ONE / 32 - 32 : ONE);
    }
    int32_t q[4] = {0, 0, ONE, -1};
    osc_ik_weigh(q, OSC_ONE_Q15);
    assert_true(q[2] == -ONE && q[3] == 1);
}

/* A sum of two directions of exactly half their length is not corrected. */
static void halves_need_no_correction(void **state)
{
    const int32_t from[3] = {ONE / 4 + 1, 1015279, 0}, to[3] = {ONE / 4 - 1, -1015279, 0};
    const int32_t side[3] = {0, 0, ONE}, turn[4] = {0, 0, -from[1], from[0]};
    const osc_vector none = {0, 0, 0};
    int32_t q[4];
    (void)state;
    assert_true(osc_ik_swing(from, to, side, &none, false, q));
    assert_memory_equal(q, turn, sizeof q);
}

/* Directions are opposite, and the turn is about `side`, if no component of their sum is 8 or more.
 */
static void opposite_directions_turn_about_the_side(void **state)
{
    const int32_t from[3] = {ONE, 0, 0}, side[3] = {0, ONE, 0};
    const osc_vector none = {0, 0, 0};
    (void)state;
    for (int32_t sum = 7; sum <= 8; sum++) {
        const int32_t to[3] = {-ONE, sum, 0};
        int32_t q[4];
        assert_true(osc_ik_swing(from, to, side, &none, false, q));
        assert_true(labs(q[sum - 6]) >= ONE - 1);
    }
}

/* A turn of 180 degrees goes about what is up, or about the axis of the middle joint. Where that
 * lies along what has to turn, there is no such turn. */
static void half_turns_need_something_across(void **state)
{
    bare b;
    (void)state;
    bare_make(&b);
    for (uint32_t i = 0; i < 3u; i++)
        put(&b.model[i], i, 0, 0);
    const bare before = b;
    const osc_ik_link link = {0, OSC_ONE_Q15, 0};
    const osc_ik_chain chain = {&link, 1, {ONE, 0, 0}, {ONE, 0, 0}, {0, 0, 0}};
    const osc_ik_look look = {{-ONE, 0, 0}, {0, 0, 0}, OSC_ONE_Q15};
    assert_false(osc_ik_aim(&chain, &look, b.model, &b.pose));
    const osc_ik_limb limb = {0, 1, 2, {ONE, 0, 0}};
    const osc_ik_goal goal = {{-2 * ONE, 0, 0}, {0, 0, 0}, OSC_ONE_Q15, OSC_ONE_Q15};
    assert_false(osc_ik_two_bone(&limb, &goal, b.model, &b.pose));
    assert_memory_equal(b.rotations, before.rotations, sizeof b.rotations);

    b.model[2] = b.model[0]; /* folded: it opens by the positive half turn */
    const osc_ik_limb folded = {0, 1, 2, {0, 0, ONE}};
    const osc_ik_goal along = {{2 * ONE, 0, 0}, {0, 0, 0}, OSC_ONE_Q15, OSC_ONE_Q15};
    assert_true(osc_ik_two_bone(&folded, &along, b.model, &b.pose));
    assert_in_range(b.rotations[1].z, ONE - 1, ONE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(straight_limbs_have_no_axis),
        cmocka_unit_test(bones_along_the_axis_reach_nothing_else),
        cmocka_unit_test(shares_of_a_turn_do_not_arrive),
        cmocka_unit_test(limbs_answer_as_peers_do),
        cmocka_unit_test(targets_are_reached_to_the_last_bit),
        cmocka_unit_test(right_angles_straighten),
        cmocka_unit_test(far_targets_soften_alike),
        cmocka_unit_test(looks_answer_as_peers_do),
        cmocka_unit_test(eyes_may_arrive_at_the_target),
        cmocka_unit_test(shares_are_of_length_one),
        cmocka_unit_test(halves_need_no_correction),
        cmocka_unit_test(opposite_directions_turn_about_the_side),
        cmocka_unit_test(half_turns_need_something_across),
    };
    return cmocka_run_group_tests(tests, 0, 0);
}
