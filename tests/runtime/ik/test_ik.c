/* Limbs that reach and chains that look, against double precision: random chains of joints, with
 * others between them, random targets and poles, and arbitrary input. */
#include "arithmetic/osc_direction.h"
#include "bank/osc_internal.h"
#include "check.h"
#include "double_math.h"
#include "osc_ik.h"
#include "port/osc_port.h"

#include <string.h>

#define ROUNDS 20000
#define JOINTS 7

/* The documented bounds, and those of the arithmetic. */
#define REACH_ERROR_MM 0.1  /* of the end, in reach, limbs of 0.2 to 1.5 m */
#define BEYOND_ERROR_MM 0.1 /* the same, of straight and folded limbs */
#define POLE_ERROR_DEGREES                                                                         \
    0.05 /* of the limb's plane, for poles 20 degrees off the line and more */
#define LOOK_ERROR_DEGREES 0.005  /* with what composing rounds */
#define OZZ_ERROR 3e-4            /* of a quaternion's component against ozz-animation's formulas */
#define WEIGHT_ERROR 1e-5         /* of a component of a weighed turn */
#define UNIT_ERROR_Q20 6.0        /* of a component of a unit vector */
#define LENGTH_ERROR 8e-6         /* relative */
#define ROOT_ERROR 2e-6           /* relative, and one */
#define PRODUCT_ROOT_ERROR 1.5e-8 /* the same */
#define HALF_ERROR_Q20 6.0        /* of cosines and sines */
#define POLE_LEAST_DEGREES 20.0

/* A skeleton of joints that each hang on one of those before. */
typedef struct rig {
    osc_bank bank;
    uint32_t parents[(JOINTS + 1) / 2];
    osc_quaternion rotations[JOINTS];
    osc_vector translations[JOINTS], scales[JOINTS];
    osc_matrix model[JOINTS];
    osc_pose pose;
} rig;

/* Makes the pointers right in a copy. */
static void rig_point(rig *r)
{
    r->bank.parents = r->parents;
    r->pose.rotations = r->rotations;
    r->pose.translations = r->translations;
    r->pose.scales = r->bank.has_scale ? r->scales : 0;
}

static void rig_make(rig *r, const uint16_t *parents)
{
    memset(r, 0, sizeof *r);
    for (uint32_t joint = 0; joint < JOINTS; joint++) {
        r->parents[joint >> 1] |= (uint32_t)parents[joint] << (16u * (joint & 1u));
        r->scales[joint] = (osc_vector){ONE, ONE, ONE};
        r->rotations[joint].w = ONE;
    }
    for (uint32_t i = 0; i < sizeof r->parents / 4u; i++)
        r->parents[i] = osc_word(r->parents[i]);
    r->bank.joint_count = JOINTS;
    rig_point(r);
}

static void rig_scale(rig *r)
{
    r->bank.has_scale = true;
    rig_point(r);
}

/* A chain; joints 2, 4 and 6 are a limb, with others between them. */
static const uint16_t CHAIN[JOINTS] = {0xffff, 0, 1, 2, 3, 4, 5};
static const osc_ik_limb LIMB = {2, 4, 6, {0, 0, ONE}};

static void random_turns(rig *r, uint64_t *seed)
{
    for (uint32_t joint = 0; joint < JOINTS; joint++)
        r->rotations[joint] = quaternion_q20(about(random_direction(seed), uniform(seed, -PI, PI)));
}

/* A limb of a total length, with its middle axis across the bones or (`skew`) somewhat off. */
static void random_limb(rig *r, osc_ik_limb *limb, double total, bool skew, uint64_t *seed)
{
    double share = uniform(seed, 0.3, 0.7), first = uniform(seed, 0.2, 0.8);
    rig_make(r, CHAIN);
    random_turns(r, seed);
    for (uint32_t joint = 0; joint < 3u; joint++)
        r->translations[joint] = to_q20(scaled(random_direction(seed), uniform(seed, 0.0, 0.5)));
    vec upper = scaled(random_direction(seed), total * share);
    vec lower = scaled(random_direction(seed), total * (1.0 - share));
    /* Both bones have a joint on their way, which does not turn them. */
    r->rotations[3] = r->rotations[5] = (osc_quaternion){0, 0, 0, ONE};
    r->translations[3] = to_q20(scaled(upper, first));
    r->translations[4] = to_q20(scaled(upper, 1.0 - first));
    r->translations[5] = to_q20(scaled(lower, first));
    r->translations[6] = to_q20(scaled(lower, 1.0 - first));
    *limb = LIMB;
    osc_compose(&r->bank, &r->pose, r->model);
    if (!osc_ik_find_mid_axis(limb, r->model))
        limb->mid_axis = to_q20(random_direction(seed));
    if (skew) {
        vec off = sum(of_q20(limb->mid_axis), scaled(random_direction(seed), 0.3));
        limb->mid_axis = to_q20(unit(off));
    }
    if (random_u32(seed) & 1u) /* as if the limb were bent to the wrong side */
        limb->mid_axis = to_q20(scaled(of_q20(limb->mid_axis), -1.0));
}

typedef struct reach {
    vec start, mid, end, axis;
    double along, upper, lower; /* the last two across the axis */
} reach;

static reach measured(const rig *r, const osc_ik_limb *limb)
{
    reach l;
    l.start = place_of(&r->model[limb->start]);
    l.mid = place_of(&r->model[limb->mid]);
    l.end = place_of(&r->model[limb->end]);
    l.axis = unit(carried(&r->model[limb->mid], of_q20(limb->mid_axis)));
    vec u = difference(l.start, l.mid), v = difference(l.end, l.mid);
    l.along = dot(difference(l.end, l.start), l.axis);
    l.upper = length(difference(u, scaled(l.axis, dot(u, l.axis))));
    l.lower = length(difference(v, scaled(l.axis, dot(v, l.axis))));
    return l;
}

static void solve(rig *r, const osc_ik_limb *limb, const osc_ik_goal *goal, bool *reached)
{
    rig before = *r;
    *reached = osc_ik_two_bone(limb, goal, r->model, &r->pose);
    for (uint32_t joint = 0; joint < JOINTS; joint++)
        if (joint != limb->start && joint != limb->mid)
            assert_memory_equal(&r->rotations[joint], &before.rotations[joint],
                                sizeof r->rotations[joint]);
    osc_recompose(&r->bank, &r->pose, limb->start, r->model);
}

/* The distance of a limb's plane from that of the pole. */
static double pole_degrees(const rig *r, const osc_ik_limb *limb, vec pole)
{
    reach l = measured(r, limb);
    vec line = unit(difference(l.end, l.start));
    vec axis = difference(l.axis, scaled(line, dot(line, l.axis)));
    return degrees_between(axis, cross(line, pole));
}

static bool pole_counts(vec to, vec pole)
{
    double degrees = degrees_between(to, pole);
    return degrees > POLE_LEAST_DEGREES && degrees < 180.0 - POLE_LEAST_DEGREES;
}

/* Targets from nearly folded to nearly straight. */
static void limbs_reach(bool skew, bool with_scale, uint64_t seed)
{
    for (int i = 0; i < ROUNDS; i++) {
        rig r;
        osc_ik_limb limb;
        bool reached;
        double total = uniform(&seed, 0.2, 1.5), size = with_scale ? uniform(&seed, 0.5, 2.0) : 1.0;
        random_limb(&r, &limb, total / size, skew, &seed);
        if (with_scale) { /* all of it at the root, and the last joint before the end by its own */
            rig_scale(&r);
            r.scales[0] = to_q20((vec){size, size, size});
            r.scales[6] = to_q20((vec){0.5, 1.5, 2.0});
            osc_compose(&r.bank, &r.pose, r.model);
        }
        reach l = measured(&r, &limb);
        if (l.upper < 0.05 * total || l.lower < 0.05 * total)
            continue;
        double most = l.upper + l.lower, least = fabs(l.upper - l.lower);
        double across = uniform(&seed, least + 0.002 * total, most - 0.0001 * total);
        double far = sqrt(across * across + l.along * l.along);
        vec to = random_direction(&seed), pole = random_direction(&seed);
        const osc_ik_goal goal = {to_q20(sum(l.start, scaled(to, far))), to_q20(pole), OSC_ONE_Q15,
                                  OSC_ONE_Q15};
        solve(&r, &limb, &goal, &reached);
        double error = 1e3 * length(difference(place_of(&r.model[limb.end]), of_q20(goal.target)));
        assert_true(reached);
        assert_true(error <= REACH_ERROR_MM);
        if (pole_counts(to, pole) && fabs(l.along) < 0.1 * total && l.upper + l.lower > 0.9 * total)
            assert_true(pole_degrees(&r, &limb, pole) <= POLE_ERROR_DEGREES);
    }
}

static void the_end_reaches_the_target(void **state)
{
    (void)state;
    limbs_reach(false, false, 1);
}

static void the_end_reaches_the_target_off_the_plane(void **state)
{
    (void)state;
    limbs_reach(true, false, 2);
}

static void scaled_limbs_reach(void **state)
{
    (void)state;
    limbs_reach(false, true, 3);
}

/* Beyond, the limb is straight and points at the target; too near, it is folded. */
static void limbs_come_as_near_as_they_can(void **state)
{
    uint64_t seed = 4;
    (void)state;
    for (int i = 0; i < ROUNDS; i++) {
        rig r;
        osc_ik_limb limb;
        bool reached, beyond = i & 1;
        double total = uniform(&seed, 0.2, 1.5);
        random_limb(&r, &limb, total, false, &seed);
        reach l = measured(&r, &limb);
        double most = l.upper + l.lower, least = fabs(l.upper - l.lower);
        if (least < 0.05 * total)
            continue;
        double far =
            beyond ? most * uniform(&seed, 1.001, 40.0) : least * uniform(&seed, 0.1, 0.99);
        vec to = random_direction(&seed);
        const osc_ik_goal goal = {to_q20(sum(l.start, scaled(to, far))),
                                  to_q20(random_direction(&seed)), OSC_ONE_Q15, OSC_ONE_Q15};
        solve(&r, &limb, &goal, &reached);
        vec wanted =
            sum(l.start, scaled(to, sqrt(pow(beyond ? most : least, 2.0) + l.along * l.along)));
        assert_false(reached);
        assert_true(1e3 * length(difference(place_of(&r.model[limb.end]), wanted)) <=
                    BEYOND_ERROR_MM);
    }
}

/* The formula of ozz-animation: from a share of the length on, 1 - (3 / (3 + x))^4 of the rest. */
static void softened_limbs_fall_behind(void **state)
{
    uint64_t seed = 5;
    (void)state;
    for (int i = 0; i < ROUNDS; i++) {
        rig r;
        osc_ik_limb limb;
        bool reached;
        double total = uniform(&seed, 0.2, 1.5), soften = uniform(&seed, 0.5, 0.99);
        random_limb(&r, &limb, total, i & 1, &seed);
        reach l = measured(&r, &limb);
        double most = l.upper + l.lower, hard = most * soften, soft = most - hard;
        /* Farther targets count as they are, not as across the axis. */
        double far = most * uniform(&seed, fmax(soften, 0.6), i & 1 ? 1.05 : 2.0),
               off = 3.0 * soft / (far - hard + 3.0 * soft);
        double got = far > hard ? most - soft * pow(off, 4.0) : far;
        if (fabs(far - hard) < 1e-4)
            continue;
        vec to = scaled(random_direction(&seed), hypot(far, l.along));
        const osc_ik_goal goal = {to_q20(sum(l.start, to)),
                                  {0, 0, 0},
                                  (uint32_t)lround(soften * OSC_ONE_Q15),
                                  OSC_ONE_Q15};
        solve(&r, &limb, &goal, &reached);
        reach after = measured(&r, &limb);
        assert_int_equal(reached, far <= hard);
        assert_true(1e3 * fabs(length(difference(after.end, after.start)) - hypot(got, l.along)) <=
                    REACH_ERROR_MM);
    }
}

static quat shortest(vec a, vec b)
{
    return about(cross(a, b), atan2(length(cross(a, b)), dot(a, b)));
}

/* The steps of IKTwoBoneJob, in model space, with arc cosines: angles at the middle joint, the
 * shortest turn to the target, and a turn about the line to it. */
static void limbs_turn_as_in_ozz_animation(void **state)
{
    uint64_t seed = 6;
    (void)state;
    for (int i = 0; i < ROUNDS; i++) {
        rig r;
        osc_ik_limb limb;
        bool reached;
        double total = uniform(&seed, 0.5, 1.5);
        random_limb(&r, &limb, total, false, &seed);
        rig before = r;
        reach l = measured(&r, &limb);
        vec u = difference(l.start, l.mid), v = difference(l.end, l.mid);
        vec to = random_direction(&seed), pole = random_direction(&seed);
        double a = length(u), b = length(v),
               far = uniform(&seed, 1.1 * fabs(a - b) + 0.05, 0.98 * (a + b));
        if (far > 0.98 * (a + b) || length(cross(unit(u), unit(v))) < 0.1 || !pole_counts(to, pole))
            continue;
        const osc_ik_goal goal = {to_q20(sum(l.start, scaled(to, far))), to_q20(pole), OSC_ONE_Q15,
                                  OSC_ONE_Q15};
        solve(&r, &limb, &goal, &reached);
        double has = acos(dot(u, v) / (a * b)),
               needs = acos((a * a + b * b - far * far) / (2.0 * a * b));
        if (dot(cross(u, v), l.axis) < 0.0)
            has = -has;
        quat bent = about(of_q20(limb.mid_axis), needs - has);
        vec end = difference(turned(about(l.axis, needs - has), v), u);
        quat swing = shortest(end, to);
        vec wanted = unit(cross(to, pole)), plane = turned(swing, l.axis);
        double angle = acos(fmax(-1.0, fmin(1.0, dot(wanted, plane))));
        quat twist = about(scaled(to, dot(plane, pole) < 0.0 ? -1.0 : 1.0), angle);
        quat got =
            product(conjugate(quaternion_of(before.rotations[4])), quaternion_of(r.rotations[4]));
        assert_true(quaternion_error(got, bent) <= OZZ_ERROR);
        /* The turn of the start joint, seen on its axes. */
        for (int column = 0; column < 3; column++) {
            vec axis = turned(product(twist, swing), column_of(&before.model[2], column));
            assert_true(length(difference(axis, column_of(&r.model[2], column))) <= OZZ_ERROR);
        }
    }
}

/* With a weight of a half, the rotation is the normalised mean of the full one and identity. */
static void weights_mix_turns_with_none(void **state)
{
    uint64_t seed = 7;
    (void)state;
    for (int i = 0; i < ROUNDS; i++) {
        rig r, whole;
        osc_ik_limb limb;
        bool reached;
        random_limb(&r, &limb, 1.0, false, &seed);
        rig before = r;
        whole = r;
        rig_point(&whole);
        osc_ik_goal goal = {
            to_q20(sum(place_of(&r.model[2]), scaled(random_direction(&seed), 0.8))),
            to_q20(random_direction(&seed)), OSC_ONE_Q15, 70000u};
        solve(&whole, &limb, &goal, &reached);
        goal.weight_q15 = random_u32(&seed) % OSC_ONE_Q15;
        solve(&r, &limb, &goal, &reached);
        assert_false(reached);
        double weight = goal.weight_q15 / 32768.0;
        for (int joint = 2; joint <= 4; joint += 2) {
            quat from = quaternion_of(before.rotations[joint]);
            quat turn = product(conjugate(from), quaternion_of(whole.rotations[joint]));
            double sign = turn.w < 0.0 ? -1.0 : 1.0;
            if (fabs(turn.w) < 1e-3)
                continue; /* half turns may go either way */
            quat mixed = {scaled(turn.v, sign * weight), sign * turn.w * weight + 1.0 - weight};
            double n = sqrt(dot(mixed.v, mixed.v) + mixed.w * mixed.w);
            quat wanted = product(from, (quat){scaled(mixed.v, 1.0 / n), mixed.w / n});
            assert_true(quaternion_error(quaternion_of(r.rotations[joint]), wanted) <=
                        WEIGHT_ERROR);
        }
    }
}

static void what_has_no_direction_changes_nothing(void **state)
{
    uint64_t seed = 8;
    rig r, before;
    osc_ik_limb limb;
    bool reached;
    (void)state;
    random_limb(&r, &limb, 1.0, false, &seed);
    before = r;
    osc_ik_goal goal = {{ONE, 0, 0}, {0, 0, 0}, OSC_ONE_Q15, 0};
    solve(&r, &limb, &goal, &reached); /* no weight */
    assert_false(reached);
    assert_memory_equal(r.rotations, before.rotations, sizeof r.rotations);
    goal.weight_q15 = OSC_ONE_Q15;
    goal.target = (osc_vector){r.model[2].m[3], r.model[2].m[7], r.model[2].m[11]};
    solve(&r, &limb, &goal, &reached); /* at the start: the limb folds, and does not turn */
    assert_false(reached);
    assert_memory_equal(&r.rotations[2], &before.rotations[2], sizeof r.rotations[2]);
    for (int joint = 3; joint < JOINTS; joint++)
        r.translations[joint] = (osc_vector){0, 0, 0};
    osc_compose(&r.bank, &r.pose, r.model);
    r.rotations[4].x = INT32_MAX; /* of which a product with one keeps 22 bits */
    before = r;
    assert_false(osc_ik_find_mid_axis(&limb, r.model));
    solve(&r, &limb, &goal, &reached); /* no bones */
    assert_false(reached);
    assert_memory_equal(r.rotations, before.rotations, sizeof r.rotations);
}

/* Spine, chest, neck, head with others between; the eyes are before the head. */
static const osc_ik_link LOOKING[] = {{6, 16384, 0}, {5, 16384, 0}, {3, OSC_ONE_Q15, 0}};

static double look_degrees(const rig *r, const osc_ik_chain *chain, vec target)
{
    const osc_matrix *m = &r->model[chain->links[0].joint];
    vec eyes = sum(place_of(m), carried(m, of_q20(chain->offset)));
    return degrees_between(carried(m, of_q20(chain->forward)), difference(target, eyes));
}

static void random_chain(rig *r, osc_ik_chain *chain, uint32_t count, uint64_t *seed)
{
    rig_make(r, CHAIN);
    random_turns(r, seed);
    for (uint32_t joint = 0; joint < JOINTS; joint++)
        r->translations[joint] = to_q20(scaled(random_direction(seed), uniform(seed, 0.05, 0.3)));
    osc_compose(&r->bank, &r->pose, r->model);
    vec forward = random_direction(seed), up = unit(cross(forward, random_direction(seed)));
    vec offset = count == 1u ? (vec){0, 0, 0} : scaled(random_direction(seed), 0.1);
    *chain =
        (osc_ik_chain){LOOKING + (3u - count), count, to_q20(forward), to_q20(up), to_q20(offset)};
}

static void chains_look_at_the_target(void **state)
{
    uint64_t seed = 9;
    (void)state;
    for (int i = 0; i < ROUNDS; i++) {
        rig r;
        osc_ik_chain chain;
        random_chain(&r, &chain, i & 1 ? 3u : 1u, &seed);
        vec target = sum(place_of(&r.model[chain.links[0].joint]),
                         scaled(random_direction(&seed), uniform(&seed, i & 1 ? 2.0 : 0.1, 20.0)));
        vec pole = random_direction(&seed);
        osc_ik_look look = {to_q20(target), to_q20(pole), OSC_ONE_Q15};
        assert_true(osc_ik_aim(&chain, &look, r.model, &r.pose));
        osc_recompose(&r.bank, &r.pose, 3, r.model);
        assert_true(look_degrees(&r, &chain, of_q20(look.target)) <= LOOK_ERROR_DEGREES);
        const osc_matrix *m = &r.model[chain.links[0].joint];
        vec line = unit(carried(m, of_q20(chain.forward))), up = carried(m, of_q20(chain.up));
        if (chain.count == 1u && pole_counts(line, pole))
            assert_true(degrees_between(up, difference(pole, scaled(line, dot(line, pole)))) <=
                        POLE_ERROR_DEGREES);
    }
}

/* Rotations are clamped to a limit; a rotation within it is unchanged. */
static void limits_hold(void **state)
{
    uint64_t seed = 10;
    (void)state;
    for (int i = 0; i < ROUNDS; i++) {
        rig r, free_rig;
        osc_ik_chain chain;
        osc_ik_link link = {6, OSC_ONE_Q15, 28378}; /* 60 degrees */
        random_chain(&r, &chain, 1u, &seed);
        chain.links = &link;
        rig before = r;
        free_rig = r;
        rig_point(&free_rig);
        osc_ik_look look = {to_q20(scaled(random_direction(&seed), 5.0)), {0, 0, 0}, OSC_ONE_Q15};
        bool there = osc_ik_aim(&chain, &look, r.model, &r.pose);
        link.limit_q15 = 0;
        assert_true(osc_ik_aim(&chain, &look, free_rig.model, &free_rig.pose));
        quat from = conjugate(quaternion_of(before.rotations[6]));
        quat turn = product(from, quaternion_of(r.rotations[6]));
        quat free_turn = product(from, quaternion_of(free_rig.rotations[6]));
        double degrees = 2.0 * atan2(length(turn.v), fabs(turn.w)) * 180.0 / PI;
        double free_degrees = 2.0 * atan2(length(free_turn.v), fabs(free_turn.w)) * 180.0 / PI;
        assert_true(degrees <= 60.0 + LOOK_ERROR_DEGREES);
        if (there)
            assert_memory_equal(&r.rotations[6], &free_rig.rotations[6], sizeof r.rotations[6]);
        else
            assert_true(free_degrees >= 60.0 - LOOK_ERROR_DEGREES &&
                        degrees_between(turn.v, free_turn.v) <= LOOK_ERROR_DEGREES);
    }
}

static void joints_turn_in_both_spaces(void **state)
{
    uint64_t seed = 11;
    (void)state;
    for (int i = 0; i < ROUNDS; i++) {
        rig r;
        rig_make(&r, CHAIN);
        random_turns(&r, &seed);
        osc_compose(&r.bank, &r.pose, r.model);
        rig before = r;
        quat turn = about(random_direction(&seed), uniform(&seed, -PI, PI));
        osc_quaternion q = quaternion_q20(turn);
        osc_joint_rotate(&r.pose, 2, &q);
        quat wanted = product(quaternion_of(before.rotations[2]), turn);
        assert_true(quaternion_error(quaternion_of(r.rotations[2]), wanted) <= WEIGHT_ERROR);
        r = before;
        osc_joint_rotate_model(&r.pose, 4, &r.model[4], &q);
        osc_recompose(&r.bank, &r.pose, 4, r.model);
        for (int column = 0; column < 3; column++)
            assert_true(length(difference(turned(turn, column_of(&before.model[4], column)),
                                          column_of(&r.model[4], column))) <= 5.0 * WEIGHT_ERROR);
    }
}

/* Numbers of parents take two bytes. */
static void long_chains_are_recomposed(void **state)
{
    enum { MANY = OSC_MAX_JOINTS };
    static uint32_t parents[MANY / 2];
    static osc_quaternion rotations[MANY];
    static osc_vector translations[MANY];
    static osc_matrix model[MANY];
    const osc_pose pose = {.rotations = rotations, .translations = translations};
    osc_bank bank;
    (void)state;
    memset(&bank, 0, sizeof bank);
    for (uint32_t joint = 0; joint < MANY; joint++) {
        uint32_t parent = joint == 0u ? 0xffffu : joint - 1u;
        parents[joint >> 1] |= osc_word(parent << (16u * (joint & 1u)));
        rotations[joint].w = ONE;
        translations[joint].x = 1;
    }
    bank.parents = parents;
    bank.joint_count = MANY;
    osc_recompose(&bank, &pose, 0, model);
    for (int32_t joint = 0; joint < MANY; joint++)
        assert_int_equal(model[joint].m[3], joint + 1);
}

/* Every joint below one of a random forest, of a size that is not a multiple of eight, and no
 * other: the joints' translations give their depth below it. */
static void scattered_joints_are_recomposed(void **state)
{
    enum { MOST = 61 };
    uint64_t seed = 23;
    (void)state;
    for (int i = 0; i < 3000; i++) {
        uint32_t parents[(MOST + 1) / 2] = {0}, numbers[MOST],
                                      count = 1u + random_u32(&seed) % MOST;
        uint32_t near = 1u + random_u32(&seed) % 40u, first = random_u32(&seed) % count;
        osc_quaternion rotations[MOST] = {{0, 0, 0, 0}};
        osc_vector translations[MOST] = {{0, 0, 0}};
        osc_matrix model[MOST];
        bool below[MOST];
        const osc_pose pose = {.rotations = rotations, .translations = translations};
        osc_bank bank;
        memset(&bank, 0, sizeof bank);
        memset(model, 0x5a, sizeof model);
        for (uint32_t joint = 0; joint < count; joint++) {
            uint32_t back = 1u + random_u32(&seed) % near;
            numbers[joint] = back > joint ? 0xffffu : joint - back;
            parents[joint >> 1] |= osc_word(numbers[joint] << (16u * (joint & 1u)));
            below[joint] = joint == first || (numbers[joint] < joint && below[numbers[joint]]);
            rotations[joint].w = ONE;
            translations[joint].x = 1;
        }
        if (numbers[first] != 0xffffu)
            model[numbers[first]] = (osc_matrix){{ONE, 0, 0, 0, 0, ONE, 0, 0, 0, 0, ONE, 0}};
        bank.parents = parents;
        bank.joint_count = (uint16_t)count;
        osc_recompose(&bank, &pose, first, model);
        for (uint32_t joint = 0; joint < count; joint++) {
            int32_t above = joint == first ? 0 : model[numbers[joint] % count].m[3];
            if (below[joint])
                assert_int_equal(model[joint].m[3], above + 1);
            else if (joint != numbers[first])
                assert_int_equal(model[joint].m[3], 0x5a5a5a5a);
        }
    }
}

/* Bit for bit, in trees with branches far apart; other joints are unchanged. */
static void recomposing_is_composing(void **state)
{
    static const uint16_t tree[JOINTS] = {0xffff, 0, 0xffff, 1, 2, 3, 0};
    static const bool below_1[JOINTS] = {false, true, false, true, false, true, false};
    uint64_t seed = 12;
    (void)state;
    for (int i = 0; i < 2000; i++) {
        rig r;
        osc_matrix all[JOINTS], marked[JOINTS];
        rig_make(&r, tree);
        if (i & 1)
            rig_scale(&r);
        random_turns(&r, &seed);
        for (uint32_t joint = 0; joint < JOINTS; joint++)
            r.translations[joint] = r.scales[joint] = to_q20(random_direction(&seed));
        osc_compose(&r.bank, &r.pose, all);
        memset(marked, 0x5a, sizeof marked);
        r.model[0] = marked[0];
        memcpy(r.model, marked, sizeof marked);
        r.model[0] = all[0];
        osc_recompose(&r.bank, &r.pose, 1, r.model);
        for (uint32_t joint = 1; joint < JOINTS; joint++)
            assert_memory_equal(&r.model[joint], below_1[joint] ? &all[joint] : &marked[joint],
                                sizeof all[joint]);
    }
}

static void directions_are_unit(void **state)
{
    uint64_t seed = 13;
    (void)state;
    for (int i = 0; i < 200000; i++) {
        int32_t v[3] = {random_i32(&seed), random_i32(&seed), random_i32(&seed)};
        uint32_t down = random_u32(&seed) % 24u;
        for (int j = 0; j < 3; j++)
            v[j] >>= down;
        double x = v[0], y = v[1], z = v[2], exact = sqrt(x * x + y * y + z * z);
        uint32_t got = osc_make_unit(v);
        if (exact == 0.0) {
            assert_int_equal(got, 0);
            continue;
        }
        if (exact < 2147483000.0)
            assert_true(fabs(got - exact) <= LENGTH_ERROR * exact + 0.51);
        else
            assert_true(got == UINT32_MAX || fabs(got - exact) <= LENGTH_ERROR * exact);
        assert_true(fabs(v[0] - x / exact * ONE) <= UNIT_ERROR_Q20);
        assert_true(fabs(v[1] - y / exact * ONE) <= UNIT_ERROR_Q20);
        assert_true(fabs(v[2] - z / exact * ONE) <= UNIT_ERROR_Q20);
    }
    int32_t none[3] = {0, 0, 0}, least[3] = {INT32_MIN, INT32_MIN, INT32_MIN};
    assert_int_equal(osc_make_unit(none), 0);
    assert_true(osc_make_unit(least) == UINT32_MAX && least[0] < -605000 && least[0] > -605500);
}

static void half_angles(void **state)
{
    uint64_t seed = 14;
    (void)state;
    for (int i = 0; i < 200000; i++) {
        int32_t z[2] = {random_i32(&seed), random_i32(&seed)}, half[2];
        if (z[0] == 0 && z[1] == 0)
            continue;
        double angle = atan2(z[1], z[0]) / 2.0;
        assert_true(osc_half_turn(z, half));
        assert_true(half[0] >= 0);
        double sign = z[1] == 0 ? 0.0 : 1.0; /* half turns go either way */
        assert_true(fabs(half[0] - cos(angle) * ONE) <= HALF_ERROR_Q20);
        assert_true(fabs(half[1] - sin(angle) * ONE) * sign <= HALF_ERROR_Q20);
    }
    int32_t quarter[2] = {0, (1 << 17) + 1}, half[2]; /* whose sine is rounded down */
    assert_true(osc_half_turn(quarter, half));
    assert_int_equal(quarter[1], ONE - 1);
    assert_true(half[0] == 741455 && half[1] == 741454);
    int32_t back[2] = {-1, 0};
    assert_true(osc_half_turn(back, half) && half[0] == 0 && half[1] == ONE);
}

static void roots_are_right(void **state)
{
    uint64_t seed = 15;
    (void)state;
    assert_int_equal(osc_root_q15(0), 0);
    assert_int_equal(osc_root_q15(0x4800029a), 1138874112); /* the bits of the third reciprocal */
    for (int i = 0; i < 200000; i++) {
        uint32_t x = random_u32(&seed) >> random_u32(&seed) % 32u;
        double exact = sqrt(x) * 32768.0;
        assert_true(fabs(osc_root_q15(x) - exact) <= ROOT_ERROR * exact + 1.0);
    }
}

static void roots_of_products_are_right(void **state)
{
    uint64_t seed = 18;
    (void)state;
    assert_int_equal(osc_root_of_product(0, 1), 0);
    assert_int_equal(osc_root_of_product(1, 0), 0);
    for (int i = 0; i < 200000; i++) {
        uint32_t a = (uint32_t)random_i32(&seed), b = random_u32(&seed) >> random_u32(&seed) % 32u;
        double exact = sqrt((double)a * b);
        assert_true(fabs(osc_root_of_product(a, b) - exact) <= PRODUCT_ROOT_ERROR * exact + 1.0);
    }
}

/* The variant without long products, for all numbers in range, against exact sums. */
static void parts_say_what_sums_are(void **state)
{
    uint64_t seed = 16;
    (void)state;
    for (int i = 0; i < 200000; i++) {
        uint32_t near = 0, low = 0;
        int64_t exact = 0;
        int32_t a[3], b[3];
        for (int j = 0; j < 3; j++) {
            a[j] = osc_low22(random_i32(&seed)), b[j] = osc_low22(random_i32(&seed));
            exact += (int64_t)a[j] * b[j];
            near += (uint32_t)osc_mul(a[j] >> 5, b[j] >> 5);
            low += (uint32_t)osc_mul(a[j], b[j]);
        }
        assert_int_equal(osc_dot_of_parts(near, low), (int32_t)(uint32_t)(uint64_t)(exact >> 10));
        assert_int_equal(osc_dot3_q30(a, 1u, b), osc_dot_of_parts(near, low));
    }
}

/* Any matrices, poses and goals, under sanitizers. */
static void anything_gives_something(void **state)
{
    uint64_t seed = 17;
    (void)state;
    for (int i = 0; i < ROUNDS; i++) {
        rig r;
        int32_t numbers[40];
        rig_make(&r, CHAIN);
        if (i & 1)
            rig_scale(&r);
        int32_t *words[] = {r.model[0].m, &r.rotations[0].x, numbers};
        const size_t counts[] = {12u * JOINTS, 4u * JOINTS, 40u};
        for (int k = 0; k < 3; k++)
            for (size_t j = 0; j < counts[k]; j++)
                words[k][j] = random_u32(&seed) % 4u == 0u ? 0 : random_i32(&seed);
        osc_ik_limb limb = {2, 4, 6, {numbers[0], numbers[1], numbers[2]}};
        const osc_ik_goal goal = {{numbers[3], numbers[4], numbers[5]},
                                  {numbers[6], numbers[7], numbers[8]},
                                  (uint32_t)numbers[9],
                                  (uint32_t)numbers[10]};
        const osc_ik_link links[2] = {{6, (uint16_t)numbers[11], (uint16_t)numbers[12]},
                                      {4, (uint16_t)numbers[13], (uint16_t)numbers[14]}};
        const osc_ik_chain chain = {links,
                                    2,
                                    {numbers[15], numbers[16], numbers[17]},
                                    {numbers[18], numbers[19], numbers[20]},
                                    {numbers[21], numbers[22], numbers[23]}};
        const osc_ik_look look = {{numbers[24], numbers[25], numbers[26]},
                                  {numbers[27], numbers[28], numbers[29]},
                                  (uint32_t)numbers[30]};
        const osc_quaternion q = {numbers[31], numbers[32], numbers[33], numbers[34]};
        (void)osc_ik_two_bone(&limb, &goal, r.model, &r.pose);
        (void)osc_ik_aim(&chain, &look, r.model, &r.pose);
        (void)osc_ik_find_mid_axis(&limb, r.model);
        osc_joint_rotate(&r.pose, 1, &q);
        osc_joint_rotate_model(&r.pose, 2, &r.model[2], &q);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_end_reaches_the_target),
        cmocka_unit_test(the_end_reaches_the_target_off_the_plane),
        cmocka_unit_test(scaled_limbs_reach),
        cmocka_unit_test(limbs_come_as_near_as_they_can),
        cmocka_unit_test(softened_limbs_fall_behind),
        cmocka_unit_test(limbs_turn_as_in_ozz_animation),
        cmocka_unit_test(weights_mix_turns_with_none),
        cmocka_unit_test(what_has_no_direction_changes_nothing),
        cmocka_unit_test(chains_look_at_the_target),
        cmocka_unit_test(limits_hold),
        cmocka_unit_test(joints_turn_in_both_spaces),
        cmocka_unit_test(recomposing_is_composing),
        cmocka_unit_test(long_chains_are_recomposed),
        cmocka_unit_test(scattered_joints_are_recomposed),
        cmocka_unit_test(directions_are_unit),
        cmocka_unit_test(half_angles),
        cmocka_unit_test(roots_are_right),
        cmocka_unit_test(roots_of_products_are_right),
        cmocka_unit_test(parts_say_what_sums_are),
        cmocka_unit_test(anything_gives_something),
    };
    return cmocka_run_group_tests(tests, 0, 0);
}
