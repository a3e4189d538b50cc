/* Blends, layers and compositions whose answers are plain: what ozz-animation's tests of
 * BlendingJob, MotionBlendingJob and LocalToModelJob expect where its definitions are ours, on own
 * inputs. */
#include "bank/osc_bits.h"
#include "double_math.h"
#include "osc_mix.h"

#include <string.h>

#define JOINTS 4u
#define BLEND_LIMIT 9e-5   /* 2^-13.5, of a component of a rotation */
#define LAYER_LIMIT 1.3e-4 /* 2^-13 */
#define VECTOR_LIMIT 4e-6  /* of translations and scales below 32 */
#define MATRIX_LIMIT 1e-4  /* 2^-20 of a quaternion, times ten and four metres */

typedef struct stage {
    osc_bank bank;
    uint32_t masks[3], parents[2];
} stage;

typedef struct local {
    osc_quaternion rotations[JOINTS];
    osc_vector translations[JOINTS], scales[JOINTS];
} local;

static osc_pose view(local *pose)
{
    return (osc_pose){pose->rotations, pose->translations, pose->scales};
}

/* Four joints in a chain, all of whose sub-tracks clips animate. */
static void stage_make(stage *s)
{
    memset(s, 0, sizeof *s);
    s->bank.joint_count = JOINTS;
    s->bank.has_scale = true;
    for (uint32_t kind = 0; kind < 3u; kind++)
        s->masks[kind] = osc_word((1u << JOINTS) - 1u);
    s->parents[0] = osc_word(0x0000ffffu);
    s->parents[1] = osc_word(0x00020001u);
    s->bank.subtrack_masks = s->masks;
    s->bank.parents = s->parents;
}

/* The same in all joints. */
static void fill(local *pose, quat rotation, vec translation, vec scale)
{
    for (uint32_t i = 0; i < JOINTS; i++) {
        pose->rotations[i] = quaternion_q20(rotation);
        pose->translations[i] = to_q20(translation);
        pose->scales[i] = to_q20(scale);
    }
}

static void assert_vector(osc_vector got, vec wanted)
{
    assert_true(length(difference(of_q20(got), wanted)) <= VECTOR_LIMIT);
}

static void assert_rotation(osc_quaternion got, quat wanted, double limit)
{
    assert_true(quaternion_error(quaternion_of(got), wanted) <= limit);
}

static const quat NO_TURN = {{0, 0, 0}, 1};
static const quat QUARTER_X = {{0.70710678, 0, 0}, 0.70710678};
static const vec ZERO = {0, 0, 0}, ONES = {1, 1, 1};

/* Two poses by weights of any sum, the second rotation in the other hemisphere. */
static void poses_blend_by_weights(void **state)
{
    static const uint32_t weights[3][2] = {{4, 1}, {52428, 13107}, {800, 200}};
    stage s;
    (void)state;
    stage_make(&s);
    for (int i = 0; i < 3; i++) {
        local one, other;
        fill(&one, QUARTER_X, (vec){5, 0, -10}, ONES);
        fill(&other, (quat){{0, -0.70710678, 0}, -0.70710678}, (vec){0, 10, 10}, (vec){6, 11, 1});
        osc_pose a = view(&one), b = view(&other);
        osc_mix_blend(&s.bank, &a, &b, osc_mix_share(weights[i][1], weights[i][0] + weights[i][1]),
                      0);
        for (uint32_t joint = 0; joint < JOINTS; joint++) {
            assert_rotation(one.rotations[joint], (quat){{0.6172133, 0.1543033, 0}, 0.7715167},
                            BLEND_LIMIT);
            osc_vector t = one.translations[joint], k = one.scales[joint];
            assert_true(length(difference(of_q20(t), (vec){4, 2, -6})) <= 20.0 / OSC_ONE_Q15);
            assert_true(length(difference(of_q20(k), (vec){2, 3, 1})) <= 20.0 / OSC_ONE_Q15);
        }
    }
}

/* A layer over nothing at all: by half, by a mask, whole, and taken away. */
static void layers_add_by_weight_and_mask(void **state)
{
    static const uint16_t mask[JOINTS] = {32768, 16384, 0, 32768};
    const quat eighth = {{0.38268343, 0, 0}, 0.92387953};
    local pose, layer, nothing, inverse;
    osc_pose into = view(&pose), with = view(&layer), none = view(&nothing), back = view(&inverse);
    stage s;
    (void)state;
    stage_make(&s);
    fill(&nothing, NO_TURN, ZERO, ONES);
    fill(&layer, QUARTER_X, (vec){0, 4, 8}, (vec){12, 16, 20});
    pose = nothing;
    osc_mix_add(&s.bank, &into, &with, OSC_ONE_Q15 / 2u, mask);
    assert_rotation(pose.rotations[0], eighth, LAYER_LIMIT);
    assert_vector(pose.translations[0], (vec){0, 2, 4});
    assert_vector(pose.scales[0], (vec){6.5, 8.5, 10.5});
    assert_vector(pose.translations[1], (vec){0, 1, 2});
    assert_vector(pose.scales[1], (vec){3.75, 4.75, 5.75});
    assert_memory_equal(&pose.rotations[2], &nothing.rotations[2], sizeof(osc_quaternion));
    assert_vector(pose.scales[2], ONES);
    pose = nothing;
    osc_mix_add(&s.bank, &into, &with, OSC_ONE_Q15, 0);
    assert_rotation(pose.rotations[3], QUARTER_X, LAYER_LIMIT);
    assert_vector(pose.scales[3], (vec){12, 16, 20});

    pose = nothing;
    osc_mix_difference(&s.bank, &back, &none, &with);
    osc_mix_add(&s.bank, &into, &back, OSC_ONE_Q15, 0);
    assert_rotation(pose.rotations[0], conjugate(QUARTER_X), LAYER_LIMIT);
    assert_vector(pose.translations[0], (vec){0, -4, -8});
    assert_true(length(difference(of_q20(pose.scales[0]), (vec){1 / 12.0, 1 / 16.0, 1 / 20.0})) <=
                1e-4);
    osc_mix_add(&s.bank, &into, &with, OSC_ONE_Q15, 0);
    assert_rotation(pose.rotations[0], NO_TURN, 2.0 * LAYER_LIMIT);
    assert_vector(pose.translations[0], ZERO);

    pose = nothing; /* half of a half turn, in its own direction */
    fill(&layer, (quat){{1, 0, 0}, 0}, ZERO, ONES);
    osc_mix_add(&s.bank, &into, &with, OSC_ONE_Q15 / 2u, 0);
    assert_rotation(pose.rotations[0], QUARTER_X, LAYER_LIMIT);
}

static void assert_matrix(const osc_matrix *m, const double wanted[12])
{
    for (int i = 0; i < 12; i++)
        assert_true(fabs(m->m[i] - wanted[i] * ONE) <= MATRIX_LIMIT * ONE);
}

/* Down a chain: moved, turned by 90 degrees about y, ten times as large, and mirrored. */
static void chains_compose(void **state)
{
    static const double wanted[JOINTS][12] = {
        {1, 0, 0, 2, 0, 1, 0, 2, 0, 0, 1, 2},
        {0, 0, 1, 2, 0, 1, 0, 2, -1, 0, 0, 2},
        {0, 0, 10, 6, 0, 10, 0, 4, -10, 0, 0, 1},
        {0, 0, -10, 46, 0, -10, 0, 24, 10, 0, 0, -9},
    };
    local pose;
    osc_matrix model[JOINTS];
    stage s;
    (void)state;
    stage_make(&s);
    fill(&pose, NO_TURN, ZERO, ONES);
    pose.translations[0] = to_q20((vec){2, 2, 2});
    pose.rotations[1] = quaternion_q20(about((vec){0, 1, 0}, PI / 2.0));
    pose.translations[2] = pose.translations[3] = to_q20((vec){1, 2, 4});
    pose.scales[2] = to_q20((vec){10, 10, 10});
    pose.scales[3] = to_q20((vec){-1, -1, -1});
    const osc_pose all = view(&pose);
    osc_compose(&s.bank, &all, model);
    for (uint32_t joint = 0; joint < JOINTS; joint++)
        assert_matrix(&model[joint], wanted[joint]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(poses_blend_by_weights),
        cmocka_unit_test(layers_add_by_weight_and_mask),
        cmocka_unit_test(chains_compose),
    };
    return cmocka_run_group_tests(tests, 0, 0);
}
