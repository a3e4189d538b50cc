/* Solves pseudo-random limbs and looks, and then arbitrary input. Prints the most instructions that
 * each took, the most stack, and a hash of all rotations. */
#include "arithmetic/osc_unit.h"
#include "bank/osc_internal.h"
#include "hal.h"
#include "osc_ik.h"
#include "print.h"
#include "random_words.h"

#define JOINTS 7u /* a chain; joints 2, 4 and 6 are a limb */
#define POSES 60u
#define WILD 20u

static osc_bank bank;
static uint32_t parents[(JOINTS + 1u) / 2u];
static osc_quaternion rotations[JOINTS];
static osc_vector translations[JOINTS], scales[JOINTS];
static osc_matrix model[JOINTS];
static const osc_pose pose = {rotations, translations, 0},
                      scaled = {rotations, translations, scales};
static osc_ik_limb limb = {2, 4, 6, {0, 0, OSC_ONE_Q20}};
static osc_ik_goal goal;
static osc_ik_link links[3] = {{6, 16384, 30000}, {5, 16384, 0}, {4, 32768, 0}};
static osc_ik_chain chain = {links, 3, {0, 0, OSC_ONE_Q20}, {0, OSC_ONE_Q20, 0}, {0, 0, 0}};
static osc_ik_look look;
static uint32_t hash = OSC_HASH_START, stack_bytes;

/* Of a size up to one. */
static int32_t small(void)
{
    return (int32_t)next_value(0) >> 11;
}

static osc_vector small_vector(void)
{
    osc_vector v;
    v.x = small();
    v.y = small();
    v.z = small();
    return v;
}

static void make_pose(void)
{
    for (uint32_t joint = 0; joint < JOINTS; joint++) {
        int32_t q[4];
        for (uint32_t i = 0; i < 4u; i++)
            q[i] = small();
        osc_unit(q);
        rotations[joint].x = q[0], rotations[joint].y = q[1];
        rotations[joint].z = q[2], rotations[joint].w = q[3];
        translations[joint] = small_vector();
    }
    osc_compose(&bank, &pose, model);
    (void)osc_ik_find_mid_axis(&limb, model);
    osc_vector near = small_vector();
    goal.target.x = osc_add(model[2].m[3], near.x >> 1);
    goal.target.y = osc_add(model[2].m[7], near.y >> 1);
    goal.target.z = osc_add(model[2].m[11], near.z >> 1);
    goal.pole = small_vector();
    goal.weight_q15 = goal.soften_q15 = look.weight_q15 = OSC_ONE_Q15;
    look.target = small_vector();
    look.pole = small_vector();
}

static void hash_pose(void)
{
    hash = osc_hash_words(hash, rotations, sizeof rotations / 4u);
}

static uint32_t larger(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

static uint32_t reach(void)
{
    hal_ticks_start();
    (void)osc_ik_two_bone(&limb, &goal, model, &pose);
    uint32_t instructions = hal_instructions();
    hash_pose();
    hal_stack_fill();
    (void)osc_ik_two_bone(&limb, &goal, model, &pose);
    stack_bytes = larger(stack_bytes, hal_stack_used());
    return instructions;
}

static uint32_t aim(uint32_t first, uint32_t count)
{
    osc_ik_chain part = chain;
    part.links = links + first;
    part.count = count;
    if (count > 1u)
        part.offset.y = OSC_ONE_Q20 / 8;
    hal_ticks_start();
    (void)osc_ik_aim(&part, &look, model, &pose);
    uint32_t instructions = hal_instructions();
    hash_pose();
    hal_stack_fill();
    (void)osc_ik_aim(&part, &look, model, &pose);
    stack_bytes = larger(stack_bytes, hal_stack_used());
    return instructions;
}

static void fill(void *words, uint32_t count, uint32_t kind)
{
    for (uint32_t i = 0; i < count; i++)
        ((int32_t *)words)[i] = (int32_t)next_value(kind);
}

static void solve_anything(void)
{
    for (uint32_t kind = 0; kind < 3u; kind++)
        for (uint32_t i = 0; i < WILD; i++) {
            fill(model, 12u * JOINTS, kind);
            fill(rotations, 4u * JOINTS, kind);
            fill(&limb.mid_axis, 3, kind);
            fill(&goal, 8, kind);
            fill(&look, 7, kind);
            fill(&chain.forward, 9, kind);
            links[0].limit_q15 = (uint16_t)next_value(kind);
            look.weight_q15 |= OSC_ONE_Q15;
            goal.weight_q15 |= OSC_ONE_Q15 * (i & 1u);
            const osc_pose *any = (i & 2u) != 0u ? &scaled : &pose;
            hash += osc_ik_two_bone(&limb, &goal, model, any) ? 1u : 0u;
            hash_pose();
            hash += osc_ik_aim(&chain, &look, model, any) ? 1u : 0u;
            osc_joint_rotate(any, 3, &rotations[0]);
            osc_joint_rotate_model(any, 4, &model[4], &rotations[1]);
            hash_pose();
        }
}

int main(void)
{
    uint32_t limbs = 0, heads = 0, chains = 0, flat = 0;
    for (uint32_t joint = 0; joint < JOINTS; joint++)
        parents[joint >> 1] |= ((joint - 1u) & 0xffffu) << (16u * (joint & 1u));
    for (uint32_t i = 0; i < sizeof parents / 4u; i++)
        parents[i] = osc_word(parents[i]);
    bank.joint_count = JOINTS;
    bank.parents = parents;
    for (uint32_t i = 0; i < POSES; i++) {
        make_pose();
        limbs = larger(limbs, reach());
        osc_recompose(&bank, &pose, limb.start, model);
        hash = osc_hash_words(hash, model, sizeof model / 4u);
        heads = larger(heads, aim(2, 1));
        chains = larger(chains, aim(0, 3));
        look.pole.x = look.pole.y = look.pole.z = 0;
        flat = larger(flat, aim(2, 1));
    }
    solve_anything();
    print_line("limb ", limbs);
    print_line("head ", heads);
    print_line("flat ", flat);
    print_line("chain ", chains);
    print_line("stack ", stack_bytes);
    print_text("hash ");
    print_hex(hash);
    print_text("\n");
    hal_exit(0);
}
