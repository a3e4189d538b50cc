/* Mirrored poses: signs, twice is once, constants of turned joints, and the same bits everywhere.
 */
#include <math.h>
#include <string.h>

#include "check.h"
#include "osc_mix.h"

#define JOINTS 37u
#define GARBAGE_HASH 0x0312e174u
#define TURNED_LIMIT 2.0 /* in the last place of Q20, with numbers below 1 */

typedef struct arrays {
    osc_quaternion rotations[JOINTS];
    osc_vector translations[JOINTS], scales[JOINTS];
} arrays;

static osc_pose view_of(arrays *pose)
{
    osc_pose view = {pose->rotations, pose->translations, pose->scales};
    return view;
}

static void fill(arrays *pose, uint64_t *seed)
{
    int32_t *words = (int32_t *)(void *)pose;
    for (size_t i = 0; i < sizeof *pose / 4u; i++)
        words[i] = random_i32(seed);
}

/* A table of all four axes: joint 0 and every fifth one behind it in the middle, the others in
 * pairs. */
typedef struct table {
    osc_mirror_group groups[4];
    uint16_t pairs[2u * JOINTS], partners[JOINTS];
    uint8_t axes[JOINTS];
    osc_mirror mirror;
} table;

static void make_table(table *made)
{
    uint16_t *pair = made->pairs;
    memset(made, 0, sizeof *made);
    for (uint16_t axis = 0; axis < 4u; axis++) {
        osc_mirror_group *group = &made->groups[axis];
        group->axis = (uint8_t)axis;
        for (uint16_t first = axis, pass = 0; pass < 2u; pass++)
            for (uint16_t joint = first; joint < JOINTS; joint = (uint16_t)(joint + 8u)) {
                uint16_t other = (uint16_t)(joint + 4u);
                if ((other < JOINTS) != (pass == 0u))
                    continue;
                other = pass == 0u ? other : joint;
                *pair++ = (uint16_t)(4u * joint);
                *pair++ = (uint16_t)(4u * other);
                made->partners[joint] = other;
                made->partners[other] = joint;
                made->axes[joint] = made->axes[other] = (uint8_t)axis;
                if (pass == 0u)
                    group->pair_count++;
                else
                    group->middle_count++;
            }
    }
    made->mirror.groups = made->groups;
    made->mirror.pairs = made->pairs;
    made->mirror.group_count = 4;
    made->mirror.joint_count = JOINTS;
}

static int32_t signed_if(int negate, int32_t x)
{
    return negate ? (int32_t)(0u - (uint32_t)x) : x;
}

static void every_component_has_its_sign(void **state)
{
    static arrays pose, out;
    static table made;
    uint64_t seed = 1;
    (void)state;
    make_table(&made);
    osc_pose view = view_of(&pose), to = view_of(&out);
    for (int run = 0; run < 1000; run++) {
        fill(&pose, &seed);
        osc_mirror_pose(&made.mirror, &view, &to);
        for (uint32_t j = 0; j < JOINTS; j++) {
            uint32_t axis = made.axes[j];
            const osc_quaternion *q = &pose.rotations[made.partners[j]];
            const osc_vector *v = &pose.translations[made.partners[j]];
            assert_int_equal(out.rotations[j].x, signed_if(axis != 0 && axis != 1, q->x));
            assert_int_equal(out.rotations[j].y, signed_if(axis != 0 && axis != 2, q->y));
            assert_int_equal(out.rotations[j].z, signed_if(axis != 0 && axis != 3, q->z));
            assert_int_equal(out.rotations[j].w, q->w);
            assert_int_equal(out.translations[j].x, signed_if(axis == 0 || axis == 1, v->x));
            assert_int_equal(out.translations[j].y, signed_if(axis == 0 || axis == 2, v->y));
            assert_int_equal(out.translations[j].z, signed_if(axis == 0 || axis == 3, v->z));
            assert_memory_equal(&out.scales[j], &pose.scales[made.partners[j]], sizeof(osc_vector));
        }
    }
}

static void twice_is_the_pose(void **state)
{
    static arrays pose, before, out;
    static table made;
    uint64_t seed = 2;
    (void)state;
    make_table(&made);
    osc_pose view = view_of(&pose), to = view_of(&out);
    for (int run = 0; run < 1000; run++) {
        fill(&pose, &seed);
        before = pose;
        osc_mirror_pose(&made.mirror, &view, &to);
        assert_memory_equal(&pose, &before, sizeof pose); /* it is only read */
        osc_mirror_pose(&made.mirror, &view, &view);
        assert_memory_equal(&pose, &out, sizeof pose); /* in place or not */
        osc_mirror_pose(&made.mirror, &view, &view);
        assert_memory_equal(&pose, &before, sizeof pose);
    }
}

static void scales_may_be_left_out(void **state)
{
    static arrays pose, before;
    static table made;
    uint64_t seed = 3;
    (void)state;
    make_table(&made);
    fill(&pose, &seed);
    before = pose;
    osc_pose view = view_of(&pose);
    view.scales = 0;
    osc_mirror_pose(&made.mirror, &view, &view);
    assert_memory_equal(pose.scales, before.scales, sizeof pose.scales);

    static arrays out;
    osc_pose with = view_of(&pose), to = view_of(&out);
    pose = before;
    fill(&out, &seed);
    const arrays kept = out;
    osc_mirror_pose(&made.mirror, &view, &to); /* from a pose without scales into one with them */
    assert_memory_equal(out.scales, kept.scales, sizeof out.scales);
    to.scales = 0;
    osc_mirror_pose(&made.mirror, &with, &to);
    assert_memory_equal(out.scales, kept.scales, sizeof out.scales);
    assert_memory_equal(pose.scales, before.scales, sizeof pose.scales);
}

/* A quarter turn of the axes beside a half turn: components change their places, without rounding.
 */
static void exchanged_axes_are_exact(void **state)
{
    static arrays pose, before;
    osc_mirror_turn turns[2] = {{{0}, {0}}, {{0}, {0}}};
    static const uint8_t place[4] = {3, 2, 1, 0}, moved[3] = {1, 2, 0};
    const osc_mirror_turned turned[2] = {{0, 2, 0, 1}, {1, 1, 0, 0}};
    osc_mirror mirror = {.turned = turned, .turns = turns, .turned_count = 1, .joint_count = 3};
    uint64_t seed = 4;
    (void)state;
    for (uint32_t i = 0; i < 4u; i++) {
        int32_t one = i == 1u ? -OSC_ONE_Q20 : OSC_ONE_Q20;
        turns[0].rotation[4u * i + place[i]] = one;
        turns[1].rotation[4u * place[i] + i] = one;
    }
    for (uint32_t i = 0; i < 3u; i++) {
        turns[0].translation[3u * i + moved[i]] = -OSC_ONE_Q20;
        turns[1].translation[3u * moved[i] + i] = -OSC_ONE_Q20;
    }
    osc_pose view = view_of(&pose);
    for (int run = 0; run < 1000; run++) {
        fill(&pose, &seed);
        before = pose;
        osc_mirror_pose(&mirror, &view, &view);
        assert_int_equal(pose.rotations[0].x, before.rotations[2].w);
        assert_int_equal(pose.rotations[0].y, signed_if(1, before.rotations[2].z));
        assert_int_equal(pose.translations[0].x, signed_if(1, before.translations[2].y));
        assert_memory_equal(&pose.scales[0], &before.scales[2], sizeof(osc_vector));
        assert_memory_equal(&pose.rotations[1], &before.rotations[1], sizeof(osc_quaternion));
        osc_mirror_pose(&mirror, &view, &view);
        assert_memory_equal(&pose, &before, sizeof pose);
    }
}

static void constants_are_rows(void **state)
{
    static arrays pose, out;
    osc_mirror_turn turn;
    const osc_mirror_turned turned = {5, 5, 0, 0};
    osc_mirror mirror = {
        .turned = &turned, .turns = &turn, .turned_count = 1, .joint_count = JOINTS};
    uint64_t seed = 5;
    (void)state;
    osc_pose view = view_of(&pose), to = view_of(&out);
    for (int run = 0; run < 20000; run++) {
        int32_t *words = (int32_t *)(void *)&pose, *rows = (int32_t *)(void *)&turn;
        for (size_t i = 0; i < sizeof pose / 4u; i++)
            words[i] = random_i32(&seed) >> 11;
        for (size_t i = 0; i < sizeof turn / 4u; i++)
            rows[i] = random_i32(&seed) >> 11;
        osc_mirror_pose(&mirror, &view, &to);
        const int32_t *q = &pose.rotations[5].x, *got = &out.rotations[5].x;
        for (int i = 0; i < 4; i++) {
            double sum = 0;
            for (int k = 0; k < 4; k++)
                sum += (double)turn.rotation[4 * i + k] * q[k] / OSC_ONE_Q20;
            assert_true(fabs(sum - got[i]) < TURNED_LIMIT);
        }
        q = &pose.translations[5].x;
        got = &out.translations[5].x;
        for (int i = 0; i < 3; i++) {
            double sum = 0;
            for (int k = 0; k < 3; k++)
                sum += (double)turn.translation[3 * i + k] * q[k] / OSC_ONE_Q20;
            assert_true(fabs(sum - got[i]) < TURNED_LIMIT);
        }
    }
}

static void garbage_has_one_hash(void **state)
{
    static arrays pose;
    static table made;
    osc_mirror_turn turn;
    const osc_mirror_turned turned = {3, 4, 0, 0};
    uint64_t seed = 6;
    uint32_t hash = OSC_HASH_START;
    (void)state;
    make_table(&made);
    made.mirror.turned = &turned;
    made.mirror.turns = &turn;
    made.mirror.turned_count = 1;
    osc_pose view = view_of(&pose);
    for (int run = 0; run < 1000; run++) {
        int32_t *rows = (int32_t *)(void *)&turn;
        for (size_t i = 0; i < sizeof turn / 4u; i++)
            rows[i] = random_i32(&seed);
        fill(&pose, &seed);
        osc_mirror_pose(&made.mirror, &view, &view);
        hash = osc_hash_words(hash, &pose, sizeof pose / 4u);
    }
    assert_int_equal(hash, GARBAGE_HASH);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_component_has_its_sign), cmocka_unit_test(twice_is_the_pose),
        cmocka_unit_test(scales_may_be_left_out),       cmocka_unit_test(exchanged_axes_are_exact),
        cmocka_unit_test(constants_are_rows),           cmocka_unit_test(garbage_has_one_hash),
    };
    return cmocka_run_group_tests(tests, 0, 0);
}
