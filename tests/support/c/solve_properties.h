/* Limbs and looks against double precision: random cases, of which many are near the places where
 * solvers lose digits (half turns, full stretch, folded limbs, tiny and long bones, poles along the
 * line, scaled parents). Each property keeps its worst error beside the bound that osc_ik.h states.
 */
#ifndef SOLVE_PROPERTIES_H
#define SOLVE_PROPERTIES_H

#include "double_math.h"
#include "osc_ik.h"
#include "properties.h"

#define LIMB_SHARE 5e-5       /* of the limb's length: what the end may be off */
#define MID_SHARE 2e-4        /* and the middle joint */
#define EDGE_SHARE 5e-5       /* how far beyond its reach a limb may call a target reached */
#define QUANTUM_M (1.0 / ONE) /* of a position */
#define MID_LEAST_SHARE 0.02  /* targets so near to the folded limb say little about it */
#define MID_POLE_DEGREES 20.0 /* poles nearer to the line say little about the middle joint */
#define AIM_DEGREES 0.003

enum {
    END_REACHED,
    END_BEYOND,
    MID_PLACED,
    REACHED_FLAG,
    AIM_HEAD,
    AIM_OFFSET,
    AIM_CHAIN,
    SOLVE_COUNT
};

static const property SOLVE_PROPERTIES[SOLVE_COUNT] = {
    [END_REACHED] = {.name = "limb, end, in reach (share of its length)", .bound = LIMB_SHARE},
    [END_BEYOND] = {.name = "limb, end, out of reach (the same)", .bound = LIMB_SHARE},
    [MID_PLACED] = {.name = "limb, middle joint (the same)", .bound = MID_SHARE},
    [REACHED_FLAG] = {.name = "limb, wrong answers", .bound = 0.0},
    [AIM_HEAD] = {.name = "look of a head (degrees)", .bound = AIM_DEGREES},
    [AIM_OFFSET] = {.name = "look of a head, eyes before it (degrees)", .bound = AIM_DEGREES},
    [AIM_CHAIN] = {.name = "look of three joints (degrees)", .bound = AIM_DEGREES},
};

static inline osc_matrix matrix_of(quat q, double scale, vec at)
{
    vec x = to_double_axis(q, 0, scale), y = to_double_axis(q, 1, scale),
        z = to_double_axis(q, 2, scale);
    osc_vector a = to_q20(x), b = to_q20(y), c = to_q20(z), t = to_q20(at);
    return (osc_matrix){{a.x, b.x, c.x, t.x, a.y, b.y, c.y, t.y, a.z, b.z, c.z, t.z}};
}

/* A direction across another, or nearly along it. */
static inline vec near_direction(vec to, double off, uint64_t *seed)
{
    return unit(sum(to, scaled(random_direction(seed), off)));
}

static inline void limb_case(property *found, uint64_t *seed)
{
    uint64_t began = *seed;
    uint32_t kind = random_u32(seed) % 6u;
    bool grown = (random_u32(seed) & 3u) == 0u;
    double total = kind == 4u ? pow(10.0, uniform(seed, -1.3, 1.7)) : uniform(seed, 0.2, 1.5);
    double share = uniform(seed, 0.1, 0.9),
           size = grown ? pow(10.0, uniform(seed, -0.6, 1.0)) : 1.0;
    quat turn0 = random_rotation(seed), turn1 = random_rotation(seed);
    vec start = scaled(random_direction(seed), uniform(seed, 0.0, 2.0));
    vec mid = sum(start, scaled(random_direction(seed), total * share));
    vec end = sum(mid, scaled(random_direction(seed), total * (1.0 - share)));
    osc_matrix model[3] = {matrix_of(turn0, size, start), matrix_of(turn1, size, mid),
                           matrix_of(turn1, size, end)};
    osc_ik_limb limb = {0, 1, 2, {0, 0, 0}};
    start = place_of(&model[0]), mid = place_of(&model[1]), end = place_of(&model[2]);
    vec u = difference(start, mid), v = difference(end, mid);
    double a = length(u), b = length(v), most = a + b, least = fabs(a - b);
    if (length(cross(u, v)) < 0.05 * a * b || !osc_ik_find_mid_axis(&limb, model))
        return;
    vec line = unit(difference(end, start)), to = random_direction(seed);
    double far = uniform(seed, least + 0.002 * most, most);
    if (kind == 1u)
        to = near_direction(scaled(line, -1.0), small_number(seed, -7.0, -1.0), seed);
    if (kind == 2u)
        far = most * (1.0 + small_number(seed, -8.0, -1.5));
    if (kind == 3u)
        far = fmax(least * (1.0 + small_number(seed, -6.0, -1.0)), 0.02 * most);
    vec pole = kind == 5u ? near_direction(to, small_number(seed, -7.0, -1.0), seed)
                          : random_direction(seed);
    if (kind == 5u && (random_u32(seed) & 1u) != 0u)
        pole = scaled(pole, -1.0);
    const osc_ik_goal goal = {to_q20(sum(start, scaled(to, far))), to_q20(pole), OSC_ONE_Q15,
                              OSC_ONE_Q15};
    osc_quaternion rotations[3] = {{0, 0, 0, ONE}, {0, 0, 0, ONE}, {0, 0, 0, ONE}};
    osc_vector none[3] = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}},
               ones[3] = {{ONE, ONE, ONE}, {ONE, ONE, ONE}, {ONE, ONE, ONE}};
    const osc_pose pose = {rotations, none, grown ? ones : 0};
    bool reached = osc_ik_two_bone(&limb, &goal, model, &pose);

    /* The corrections in model space, and what they make of the joints. */
    quat at_start = product(product(turn0, unit_rotation(rotations[0])), conjugate(turn0));
    quat at_mid = product(product(turn1, unit_rotation(rotations[1])), conjugate(turn1));
    vec new_mid = sum(start, turned(at_start, scaled(u, -1.0)));
    vec new_end = sum(new_mid, turned(at_start, turned(at_mid, v)));
    vec target = difference(of_q20(goal.target), start);
    far = length(target), to = unit(target), pole = of_q20(goal.pole);
    double got = fmin(fmax(far, least), most);
    double off = length(difference(new_end, sum(start, scaled(to, got))));
    bool within = far > least && far < most;
    judge(&found[within ? END_REACHED : END_BEYOND], (off - 2.0 * QUANTUM_M) / most, began);
    double edge = fmin(most - far, far - least), beyond = -edge;
    bool right = reached ? beyond <= EDGE_SHARE * most : edge <= EDGE_SHARE * most;
    judge(&found[REACHED_FLAG], right ? 0.0 : 1.0, began);
    double degrees = degrees_between(to, pole);
    if (degrees < MID_POLE_DEGREES || degrees > 180.0 - MID_POLE_DEGREES ||
        far < least + MID_LEAST_SHARE * most)
        return;
    double along = (a * a - b * b + got * got) / (2.0 * got);
    vec side = unit(difference(pole, scaled(to, dot(pole, to))));
    vec wanted = sum(scaled(to, along), scaled(side, sqrt(fmax(a * a - along * along, 0.0))));
    judge(&found[MID_PLACED],
          (length(difference(new_mid, sum(start, wanted))) - 2.0 * QUANTUM_M) / most, began);
}

/* A head, its neck and a spine, 0.1 to 0.5 m from each other; the target a metre away from all of
 * them and more, or for a head alone a tenth of that. */
static inline void look_case(property *found, uint64_t *seed)
{
    uint64_t began = *seed;
    static const osc_ik_link links[3] = {
        {2, OSC_ONE_Q15 / 2, 0}, {1, OSC_ONE_Q15 / 2, 0}, {0, OSC_ONE_Q15, 0}};
    static const osc_ik_link head[1] = {{2, OSC_ONE_Q15, 0}};
    uint32_t kind = random_u32(seed) % 3u, sort = random_u32(seed) % 3u;
    bool grown = (random_u32(seed) & 3u) == 0u;
    double size = grown ? pow(10.0, uniform(seed, -0.6, 1.0)) : 1.0;
    quat turns[3];
    osc_matrix model[3];
    vec at = scaled(random_direction(seed), uniform(seed, 0.0, 2.0));
    for (int i = 0; i < 3; i++) {
        turns[i] = random_rotation(seed);
        model[i] = matrix_of(turns[i], size, at);
        at = sum(at, scaled(random_direction(seed), uniform(seed, 0.1, 0.5)));
    }
    vec forward = random_direction(seed), up = unit(cross(forward, random_direction(seed)));
    vec offset = kind == 0u ? (vec){0, 0, 0} : scaled(random_direction(seed), 0.1 / size);
    vec line = turned(turns[2], forward), to = random_direction(seed);
    if (sort == 1u)
        to = near_direction(line, small_number(seed, -7.0, -1.0), seed);
    if (sort == 2u)
        to = near_direction(scaled(line, -1.0), small_number(seed, -7.0, -1.0), seed);
    osc_ik_chain chain = {kind == 2u ? links : head, kind == 2u ? 3u : 1u, to_q20(forward),
                          to_q20(up), to_q20(offset)};
    double far = uniform(seed, kind == 0u ? 0.1 : kind == 1u ? 0.5 : 2.0, 20.0);
    osc_ik_look look = {to_q20(sum(place_of(&model[2]), scaled(to, far))),
                        to_q20(random_direction(seed)), OSC_ONE_Q15};
    osc_quaternion rotations[3] = {{0, 0, 0, ONE}, {0, 0, 0, ONE}, {0, 0, 0, ONE}};
    osc_vector none[3] = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}},
               ones[3] = {{ONE, ONE, ONE}, {ONE, ONE, ONE}, {ONE, ONE, ONE}};
    const osc_pose pose = {rotations, none, grown ? ones : 0};
    if (!osc_ik_aim(&chain, &look, model, &pose)) {
        judge(&found[AIM_HEAD + kind], 180.0, began);
        return;
    }
    vec places[3],
        eyes = sum(place_of(&model[2]), scaled(turned(turns[2], of_q20(chain.offset)), size));
    line = turned(turns[2], of_q20(chain.forward));
    for (int i = 0; i < 3; i++)
        places[i] = place_of(&model[i]);
    for (int i = 2; i >= 0; i--) { /* about joints that do not move until those above them do */
        quat turn = product(product(turns[i], unit_rotation(rotations[i])), conjugate(turns[i]));
        eyes = sum(places[i], turned(turn, difference(eyes, places[i])));
        line = turned(turn, line);
    }
    judge(&found[AIM_HEAD + kind], degrees_between(line, difference(of_q20(look.target), eyes)),
          began);
}

#endif
