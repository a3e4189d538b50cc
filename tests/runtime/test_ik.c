/* Limbs that reach and chains that look, against double precision: random chains of joints, with
 * others between them, random targets and poles, and anything at all. */
#include "check.h"
#include "osc_ik.h"
#include "osc_port.h"
#include "bank/osc_internal.h"
#include "arithmetic/osc_direction.h"

#include <math.h>
#include <string.h>

#define ONE OSC_ONE_Q20
#define PI 3.14159265358979323846
#define ROUNDS 20000
#define JOINTS 7

/* What is promised, and what the arithmetic below it gives. */
#define REACH_ERROR_MM 0.1      /* of the end, in reach, limbs of 0.2 to 1.5 m */
#define POLE_ERROR_DEGREES 0.05 /* of the middle joint about the line to the target */
#define LOOK_ERROR_DEGREES 0.02
#define TURN_ERROR 4e-5      /* of a quaternion's component against the reference */
#define UNIT_ERROR_Q20 1.5   /* of a component of a unit vector, for vectors of 19 bits */
#define LENGTH_ERROR 1.5e-6  /* relative, and half a unit */
#define ROOT_ERROR 1e-6      /* relative */
#define HALF_ERROR_Q20 3.0

typedef struct vec {
    double x, y, z;
} vec;

typedef struct quat {
    vec v;
    double w;
} quat;

static double uniform(uint64_t *seed, double low, double high)
{
    return low + (high - low) * random_u32(seed) / 4294967296.0;
}

static vec scaled(vec a, double k)
{
    return (vec){a.x * k, a.y * k, a.z * k};
}

static vec sum(vec a, vec b)
{
    return (vec){a.x + b.x, a.y + b.y, a.z + b.z};
}

static vec difference(vec a, vec b)
{
    return sum(a, scaled(b, -1.0));
}

static double dot(vec a, vec b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static vec cross(vec a, vec b)
{
    return (vec){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static double length(vec a)
{
    return sqrt(dot(a, a));
}

static vec unit(vec a)
{
    return scaled(a, 1.0 / length(a));
}

/* Between two directions, exact for small angles, too. */
static double degrees_between(vec a, vec b)
{
    return atan2(length(cross(a, b)), dot(a, b)) * 180.0 / PI;
}

static quat product(quat a, quat b)
{
    vec v = sum(sum(scaled(b.v, a.w), scaled(a.v, b.w)), cross(a.v, b.v));
    return (quat){v, a.w * b.w - dot(a.v, b.v)};
}

static quat conjugate(quat q)
{
    return (quat){scaled(q.v, -1.0), q.w};
}

static vec turned(quat q, vec v)
{
    return product(product(q, (quat){v, 0.0}), conjugate(q)).v;
}

static quat about(vec axis, double angle)
{
    return (quat){scaled(unit(axis), sin(angle / 2.0)), cos(angle / 2.0)};
}

static vec random_direction(uint64_t *seed)
{
    vec v;
    do
        v = (vec){uniform(seed, -1, 1), uniform(seed, -1, 1), uniform(seed, -1, 1)};
    while (dot(v, v) > 1.0 || dot(v, v) < 0.01);
    return unit(v);
}

static osc_vector to_q20(vec v)
{
    return (osc_vector){(int32_t)lround(v.x * ONE), (int32_t)lround(v.y * ONE),
                        (int32_t)lround(v.z * ONE)};
}

static vec of_q20(osc_vector v)
{
    return (vec){(double)v.x / ONE, (double)v.y / ONE, (double)v.z / ONE};
}

static osc_quaternion quaternion_q20(quat q)
{
    osc_vector v = to_q20(q.v);
    return (osc_quaternion){v.x, v.y, v.z, (int32_t)lround(q.w * ONE)};
}

static quat quaternion_of(osc_quaternion q)
{
    return (quat){{(double)q.x / ONE, (double)q.y / ONE, (double)q.z / ONE}, (double)q.w / ONE};
}

static vec place_of(const osc_matrix *m)
{
    return (vec){(double)m->m[3] / ONE, (double)m->m[7] / ONE, (double)m->m[11] / ONE};
}

static vec column_of(const osc_matrix *m, int column)
{
    return (vec){(double)m->m[column] / ONE, (double)m->m[4 + column] / ONE,
                 (double)m->m[8 + column] / ONE};
}

static vec carried(const osc_matrix *m, vec v)
{
    vec x = scaled(column_of(m, 0), v.x), y = scaled(column_of(m, 1), v.y);
    return sum(sum(x, y), scaled(column_of(m, 2), v.z));
}

/* A skeleton of joints that each hang on one of those before. */
typedef struct rig {
    osc_bank bank;
    uint32_t parents[(JOINTS + 1) / 2];
    osc_quaternion rotations[JOINTS];
    osc_vector translations[JOINTS], scales[JOINTS];
    osc_matrix model[JOINTS];
    osc_pose pose;
} rig;

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
    r->bank.parents = r->parents;
    r->pose.rotations = r->rotations;
    r->pose.translations = r->translations;
}

static void rig_scale(rig *r)
{
    r->bank.has_scale = true;
    r->pose.scales = r->scales;
}

/* A chain; joints 2, 4 and 6 are a limb, with others between them. */
static const uint16_t CHAIN[JOINTS] = {0xffff, 0, 1, 2, 3, 4, 5};
static const osc_ik_limb LIMB = {2, 4, 6, {0, 0, ONE}};

static void random_turns(rig *r, uint64_t *seed)
{
    for (uint32_t joint = 0; joint < JOINTS; joint++)
        r->rotations[joint] =
            quaternion_q20(about(random_direction(seed), uniform(seed, -PI, PI)));
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

static double worst_mm, worst_pole;

/* How far the middle joint is from the half plane of the pole, or from its opposite one where the
 * mid axis is turned. */
static double pole_degrees(const rig *r, const osc_ik_limb *limb, vec pole)
{
    reach l = measured(r, limb);
    vec line = unit(difference(l.end, l.start)), normal = cross(line, pole);
    vec axis = difference(l.axis, scaled(line, dot(line, l.axis)));
    return degrees_between(axis, normal);
}

static void limbs_reach(double shortest, double longest, bool skew, uint64_t seed)
{
    for (int i = 0; i < ROUNDS; i++) {
        rig r;
        osc_ik_limb limb;
        bool reached;
        double total = uniform(&seed, shortest, longest);
        random_limb(&r, &limb, total, skew, &seed);
        reach l = measured(&r, &limb);
        if (l.upper < 0.05 * total || l.lower < 0.05 * total)
            continue;
        double most = l.upper + l.lower, least = fabs(l.upper - l.lower);
        double across = uniform(&seed, least + 0.002 * total, most - 0.0001 * total);
        double far = sqrt(across * across + l.along * l.along);
        vec to = random_direction(&seed), pole = random_direction(&seed);
        const osc_ik_goal goal = {to_q20(sum(l.start, scaled(to, far))), to_q20(pole),
                                  OSC_ONE_Q15, OSC_ONE_Q15};
        solve(&r, &limb, &goal, &reached);
        double error = 1e3 * length(difference(place_of(&r.model[limb.end]), of_q20(goal.target)));
        worst_mm = fmax(worst_mm, error);
        if (degrees_between(to, pole) > 5.0 && degrees_between(to, pole) < 175.0)
            worst_pole = fmax(worst_pole, pole_degrees(&r, &limb, pole));
        if (error > REACH_ERROR_MM || !reached)
            print_message("round %d: %f mm, reached %d, far %f of %f .. %f along %f\n", i, error,
                          reached, across, least, most, l.along);
        assert_true(reached);
        assert_true(error <= REACH_ERROR_MM);
    }
    print_message("%f mm, pole %f degrees\n", worst_mm, worst_pole);
}

static void the_end_reaches_the_target(void **state)
{
    (void)state;
    limbs_reach(0.2, 1.5, false, 1);
}

static void the_end_reaches_the_target_off_the_plane(void **state)
{
    (void)state;
    limbs_reach(0.2, 1.5, true, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_end_reaches_the_target),
        cmocka_unit_test(the_end_reaches_the_target_off_the_plane),
    };
    return cmocka_run_group_tests(tests, 0, 0);
}
