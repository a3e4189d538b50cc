/* Composition: exact product sums, half turns and quarter turns that come out whole, hierarchies.
 */
#include "arithmetic/osc_unit.h"
#include "bank/osc_format.h"
#include "bank_tools.h"
#include "check.h"
#include "osc_ik.h"
#include "osc_skin.h"
#include "port/osc_port.h"
#include "sample_banks.h"

#include <stdlib.h>
#include <string.h>

__extension__ typedef __int128 wide;

#define ONE OSC_ONE_Q20
#define HALF (1 << 19)
#define WALK_WORDS (sizeof sample_walk / 4u)

static int32_t exact_product(wide a, wide b)
{
    return (int32_t)(uint32_t)((a * b + HALF) >> 20);
}

static void multiply_is_the_exact_sum_rounded_once(void **state)
{
    uint64_t seed = 13;
    (void)state;
    for (int i = 0; i < 20000; i++) {
        osc_matrix parent, local, got;
        for (int j = 0; j < 12; j++) {
            parent.m[j] = random_i32(&seed);
            local.m[j] = random_i32(&seed);
        }
        osc_matrix_product(&parent, &local, &got);
        for (int row = 0; row < 3; row++)
            for (int column = 0; column < 4; column++) {
                wide sum = HALF;
                for (int k = 0; k < 3; k++)
                    sum += (wide)parent.m[4 * row + k] * local.m[4 * k + column];
                wide element = (sum >> 20) + (column == 3 ? parent.m[4 * row + 3] : 0);
                assert_int_equal(got.m[4 * row + column], (int32_t)(uint32_t)element);
            }
    }
}

/* The public functions give the same result at any destination. */
static void products_may_replace_their_operands(void **state)
{
    uint64_t seed = 14;
    (void)state;
    for (int i = 0; i < 20000; i++) {
        osc_matrix a, b, expected, out;
        for (int j = 0; j < 12; j++) {
            a.m[j] = random_i32(&seed);
            b.m[j] = random_i32(&seed);
        }
        osc_matrix_product(&a, &b, &expected);
        osc_matrix_multiply(&a, &b, &out);
        assert_memory_equal(&out, &expected, sizeof out);
        out = b;
        osc_matrix_multiply(&a, &out, &out);
        assert_memory_equal(&out, &expected, sizeof out);
        out = a;
        osc_matrix_multiply(&out, &b, &out);
        assert_memory_equal(&out, &expected, sizeof out);
        osc_matrix_product(&a, &a, &expected);
        osc_matrix_multiply(&a, &a, &a);
        assert_memory_equal(&a, &expected, sizeof a);
    }
}

/* A point moves like the translation of a matrix. */
static void points_move_as_translations_do(void **state)
{
    uint64_t seed = 15;
    (void)state;
    for (int i = 0; i < 20000; i++) {
        osc_matrix matrix, place = {{0}}, moved;
        osc_vector point;
        for (int j = 0; j < 12; j++)
            matrix.m[j] = random_i32(&seed);
        place.m[3] = point.x = random_i32(&seed);
        place.m[7] = point.y = random_i32(&seed);
        place.m[11] = point.z = random_i32(&seed);
        osc_matrix_multiply(&matrix, &place, &moved);
        osc_matrix_point(&matrix, &point, &point);
        assert_int_equal(point.x, moved.m[3]);
        assert_int_equal(point.y, moved.m[7]);
        assert_int_equal(point.z, moved.m[11]);
    }
}

static void local_matrix_of(osc_quaternion q, osc_matrix *out)
{
    const osc_vector translation = {7, -8, 9};
    osc_local_matrix(&q, &translation, 0, out);
}

static void axis_turns_are_whole(void **state)
{
    static const struct {
        osc_quaternion q;
        int32_t diagonal[3];
    } turns[] = {
        {{0, 0, 0, ONE}, {ONE, ONE, ONE}},   {{0, 0, 0, -ONE}, {ONE, ONE, ONE}},
        {{ONE, 0, 0, 0}, {ONE, -ONE, -ONE}}, {{0, ONE, 0, 0}, {-ONE, ONE, -ONE}},
        {{0, 0, ONE, 0}, {-ONE, -ONE, ONE}},
    };
    (void)state;
    for (size_t i = 0; i < sizeof turns / sizeof turns[0]; i++) {
        osc_matrix m;
        const int32_t *d = turns[i].diagonal;
        const int32_t expected[12] = {d[0], 0, 0, 7, 0, d[1], 0, -8, 0, 0, d[2], 9};
        local_matrix_of(turns[i].q, &m);
        assert_memory_equal(m.m, expected, sizeof expected);
    }
}

/* 120 degrees about (1, 1, 1): x goes to y, y to z, z to x. */
static void a_third_turn_permutes_the_axes(void **state)
{
    const osc_quaternion q = {HALF, HALF, HALF, HALF};
    const int32_t expected[12] = {0, 0, ONE, 7, ONE, 0, 0, -8, 0, ONE, 0, 9};
    osc_matrix m;
    (void)state;
    local_matrix_of(q, &m);
    assert_memory_equal(m.m, expected, sizeof expected);
}

static void scale_goes_by_column(void **state)
{
    uint64_t seed = 14;
    (void)state;
    for (int i = 0; i < 5000; i++) {
        const osc_quaternion q = {random_i32(&seed), random_i32(&seed), random_i32(&seed),
                                  random_i32(&seed)};
        const osc_vector t = {1, 2, 3};
        const osc_vector k = {random_i32(&seed), random_i32(&seed), random_i32(&seed)};
        const int32_t factors[3] = {k.x, k.y, k.z};
        osc_matrix plain, scaled;
        osc_local_matrix(&q, &t, 0, &plain);
        osc_local_matrix(&q, &t, &k, &scaled);
        for (int j = 0; j < 12; j++)
            assert_int_equal(scaled.m[j],
                             j % 4 == 3 ? plain.m[j] : exact_product(plain.m[j], factors[j % 4]));
    }
}

/* Whatever the numbers; a port may compute it without the local matrix. */
static void a_child_is_its_parent_times_its_local_matrix(void **state)
{
    uint64_t seed = 17;
    (void)state;
    for (int i = 0; i < 20000; i++) {
        const osc_quaternion q = {random_i32(&seed), random_i32(&seed), random_i32(&seed),
                                  random_i32(&seed)};
        const osc_vector vectors[2] = {{random_i32(&seed), random_i32(&seed), random_i32(&seed)},
                                       {random_i32(&seed), random_i32(&seed), random_i32(&seed)}};
        const osc_vector *scale = i % 2 == 0 ? 0 : &vectors[1];
        osc_matrix parent, local, expected, got;
        for (int j = 0; j < 12; j++)
            parent.m[j] = random_i32(&seed);
        osc_local_matrix(&q, &vectors[0], scale, &local);
        osc_matrix_product(&parent, &local, &expected);
        osc_child_matrix(&q, &vectors[0], scale, &parent, &got);
        assert_memory_equal(&got, &expected, sizeof got);
    }
}

/* Both kinds of skinning, of scaled joints in a hierarchy. */
static void small_matrices_are_nearly_the_others(void **state)
{
    enum { BITS = 12, JOINTS = 40, LIMIT_Q20 = 1 << 10 };
    static const int32_t bind[12] = {0, 0, ONE, 7, ONE, 0, 0, HALF, 0, ONE, 0, -ONE};
    static uint32_t binds[12 * JOINTS];
    uint64_t seed = 16;
    test_player made;
    osc_matrix skin[JOINTS], work[JOINTS];
    osc_matrix_q14 small[JOINTS];
    (void)state;
    player_make(&made, sample_scale, sizeof sample_scale / 4u);
    assert_int_equal(made.bank.joint_count, JOINTS);
    for (uint32_t i = 0; i < 12u * JOINTS; i++)
        binds[i] = osc_word((uint32_t)bind[i % 12u]);
    made.bank.inverse_bind = binds;
    osc_bind_pose(&made.bank, &made.pose);
    for (uint32_t joint = 0; joint < JOINTS; joint++) {
        int32_t q[4] = {random_i32(&seed), random_i32(&seed), random_i32(&seed), random_i32(&seed)};
        osc_unit(q);
        made.pose.rotations[joint] = (osc_quaternion){q[0], q[1], q[2], q[3]};
        made.pose.scales[joint] =
            (osc_vector){ONE + (random_i32(&seed) >> 14), ONE, ONE + (random_i32(&seed) >> 14)};
    }
    osc_compose(&made.bank, &made.pose, made.model);
    assert_int_equal(osc_skin(&made.bank, made.model, skin), OSC_OK);
    assert_int_equal(osc_skin_pose_q14(&made.bank, &made.pose, BITS, work, small), OSC_OK);
    for (uint32_t joint = 0; joint < JOINTS; joint++)
        for (uint32_t row = 0; row < 3u; row++)
            for (uint32_t column = 0; column < 4u; column++) {
                int32_t got = column == 3u ? osc_shl(small[joint].translation[row], 20u - BITS)
                                           : osc_shl(small[joint].turn[3u * row + column], 6u);
                int32_t off = osc_sub(got, skin[joint].m[4u * row + column]);
                assert_in_range(off + LIMIT_Q20, 0, 2 * LIMIT_Q20);
            }
    player_free(&made);
}

/* Both kinds of skinning, in a bank that has no inverse bind matrices. */
static void skinning_needs_inverse_bind_matrices(void **state)
{
    test_player made;
    osc_matrix model[3] = {{{0}}}, skin[3] = {{{0}}}, untouched[3] = {{{0}}};
    osc_matrix_q14 small[3] = {{{0}, 0, {0}}}, same[3] = {{{0}, 0, {0}}};
    (void)state;
    player_make(&made, sample_walk, WALK_WORDS);
    assert_int_equal(osc_skin(&made.bank, model, skin), OSC_ERROR_SECTION);
    assert_memory_equal(skin, untouched, sizeof skin);
    assert_int_equal(osc_skin_pose_q14(&made.bank, &made.pose, 12, model, small),
                     OSC_ERROR_SECTION);
    assert_memory_equal(small, same, sizeof small);
    player_free(&made);
}

/* All arrays end with the last joint. */
static void every_joint_has_its_matrices(void **state)
{
    enum { JOINTS = 3, TAG = 0x4e494b53 };
    osc_matrix inverse[JOINTS], composed[JOINTS], *skin = malloc(sizeof inverse);
    osc_matrix_q14 *small = malloc(JOINTS * sizeof *small), expected_q14;
    uint32_t words[12 * JOINTS];
    test_player made;
    uint64_t seed = 15;
    (void)state;
    for (uint32_t i = 0; i < 12u * JOINTS; i++)
        words[i] = random_u32(&seed) & 0xfffffu;
    memcpy(inverse, words, sizeof inverse);
    test_bank bank = bank_with_section(sample_walk, TAG, words, 12u * JOINTS);
    player_make(&made, bank.words, bank.count);
    osc_bind_pose(&made.bank, &made.pose);
    osc_compose(&made.bank, &made.pose, made.model);
    memcpy(composed, made.model, sizeof composed);
    osc_recompose(&made.bank, &made.pose, 0, made.model);
    assert_memory_equal(made.model, composed, sizeof composed);
    assert_int_equal(osc_skin(&made.bank, made.model, skin), OSC_OK);
    assert_int_equal(osc_skin_pose_q14(&made.bank, &made.pose, 12, made.model, small), OSC_OK);
    for (uint32_t joint = 0; joint < JOINTS; joint++) {
        osc_matrix expected;
        osc_matrix_product(&composed[joint], &inverse[joint], &expected);
        assert_memory_equal(&skin[joint], &expected, sizeof expected);
        osc_skin_matrix_q14(&made.model[joint], &inverse[joint], 12, &expected_q14);
        assert_memory_equal(&small[joint], &expected_q14, sizeof expected_q14);
    }
    free(skin);
    free(small);
    player_free(&made);
    bank_free(&bank);
}

/* Matrices that do not turn, of any model matrix: the bits of the products. */
static void offsets_are_products(void **state)
{
    uint64_t seed = 16;
    (void)state;
    for (int i = 0; i < 20000; i++) {
        osc_matrix model, bind = {{ONE, 0, 0, 0, 0, ONE, 0, 0, 0, 0, ONE, 0}}, expected, out;
        osc_matrix_q14 expected_small, small;
        const uint32_t bits = 8u + (uint32_t)i % 11u;
        int32_t offset[3];
        for (int j = 0; j < 12; j++)
            model.m[j] = random_i32(&seed) >> (i % 3 * 8);
        for (int j = 0; j < 3; j++) {
            bind.m[4 * j + 3] = random_i32(&seed);
            offset[j] = osc_half_up(bind.m[4 * j + 3], 20u - bits);
        }
        osc_matrix_product(&model, &bind, &expected);
        osc_skin_offset(&model, &bind, &out);
        assert_memory_equal(&out, &expected, sizeof out);
        osc_skin_matrix_q14(&model, &bind, bits, &expected_small);
        memset(&small, 0xff, sizeof small);
        osc_skin_offset_q14(&model, offset, &small);
        assert_memory_equal(&small, &expected_small, sizeof small);
        osc_skin_offset(&model, &bind, &model);
        assert_memory_equal(&model, &expected, sizeof model);
    }
}

/* hips at one metre, spine half a metre above, hand a quarter beside; the spine turns by 180
 * degrees about z, so that the hand hangs on the other side. */
static void children_follow_their_parents(void **state)
{
    test_player made;
    (void)state;
    player_make(&made, sample_walk, WALK_WORDS);
    const osc_quaternion identity = {0, 0, 0, ONE}, turned = {0, 0, ONE, 0};
    const osc_vector places[3] = {{0, ONE, 0}, {0, ONE / 2, 0}, {ONE / 4, 0, 0}};
    for (int j = 0; j < 3; j++) {
        made.pose.rotations[j] = j == 1 ? turned : identity;
        made.pose.translations[j] = places[j];
    }
    osc_compose(&made.bank, &made.pose, made.model);
    const int32_t hand[12] = {-ONE, 0, 0, -ONE / 4, 0, -ONE, 0, ONE + ONE / 2, 0, 0, ONE, 0};
    assert_memory_equal(made.model[2].m, hand, sizeof hand);
    assert_int_equal(made.model[1].m[7], ONE + ONE / 2);
    assert_int_equal(made.model[0].m[7], ONE);
    player_free(&made);
}

static void check_bind_pose(const uint32_t *bank, uint32_t words, int scaled)
{
    test_player made;
    player_make(&made, bank, words);
    assert_int_equal(made.bank.has_scale, scaled);
    osc_bind_pose(&made.bank, &made.pose);
    const uint32_t *bind = made.bank.bind;
    for (uint32_t joint = 0; joint < made.bank.joint_count; joint++) {
        assert_memory_equal(&made.pose.rotations[joint], bind, sizeof(osc_quaternion));
        assert_memory_equal(&made.pose.translations[joint], bind + 4, sizeof(osc_vector));
        if (scaled)
            assert_memory_equal(&made.pose.scales[joint], bind + 7, sizeof(osc_vector));
        bind += scaled ? 10 : 7;
    }
    player_free(&made);
}

static void the_bind_pose_is_that_of_the_bank(void **state)
{
    (void)state;
    check_bind_pose(sample_walk, WALK_WORDS, 0);
    check_bind_pose(sample_scale, sizeof sample_scale / 4u, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(multiply_is_the_exact_sum_rounded_once),
        cmocka_unit_test(products_may_replace_their_operands),
        cmocka_unit_test(points_move_as_translations_do),
        cmocka_unit_test(axis_turns_are_whole),
        cmocka_unit_test(a_third_turn_permutes_the_axes),
        cmocka_unit_test(scale_goes_by_column),
        cmocka_unit_test(a_child_is_its_parent_times_its_local_matrix),
        cmocka_unit_test(small_matrices_are_nearly_the_others),
        cmocka_unit_test(skinning_needs_inverse_bind_matrices),
        cmocka_unit_test(every_joint_has_its_matrices),
        cmocka_unit_test(offsets_are_products),
        cmocka_unit_test(children_follow_their_parents),
        cmocka_unit_test(the_bind_pose_is_that_of_the_bank),
    };
    return cmocka_run_group_tests(tests, 0, 0);
}
