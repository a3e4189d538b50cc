/* SPDX-License-Identifier: MIT */
/* Chains of joints that look at the points of a graph: SPEC.md 26. */
#include "arithmetic/osc_direction.h"
#include "arithmetic/osc_fixed.h"
#include "graph/osc_graph_step.h"

/* ---- the point ---- */

/* A share of a distance. */
static int32_t moved_towards(int32_t from, int32_t to, uint32_t share_q15)
{
    return osc_add(from, osc_mul_q20(osc_sub(to, from), (int32_t)(share_q15 << 5)));
}

/* Moves the point that is looked at towards the given one. */
static void follow_point(uint32_t lag_us, osc_graph_look_state *state, const osc_vector *given,
                         uint32_t elapsed_us)
{
    if (state->envelope_us == 0u || lag_us == 0u) { /* it begins where the point is */
        state->point = *given;
        return;
    }
    if (state->point.x == given->x && state->point.y == given->y && state->point.z == given->z)
        return;
    uint32_t share_q15 = osc_graph_share_q15(elapsed_us, elapsed_us + lag_us);
    state->point.x = moved_towards(state->point.x, given->x, share_q15);
    state->point.y = moved_towards(state->point.y, given->y, share_q15);
    state->point.z = moved_towards(state->point.z, given->z, share_q15);
}

/* ---- the weight ---- */

/* The direction of the eyes in model space. That of an axis, as of most heads, needs no products.
 */
static void look_ahead(const osc_graph_look_rule *rule, const int32_t *m, int32_t ahead[3])
{
    const osc_vector *forward = &rule->chain.forward;
    if (rule->axis < 3u) {
        m += rule->axis;
        ahead[0] = m[0];
        ahead[1] = m[4];
        ahead[2] = m[8];
        return;
    }
    for (uint32_t i = 0; i < 3u; i++, m += 4)
        ahead[i] = osc_dot3_q20(m[0], forward->x, m[1], forward->y, m[2], forward->z);
}

/* The cosine, Q20, of the angle between the direction of the eyes and the point. */
static int32_t cosine_q20(const osc_graph_look_rule *rule, const osc_matrix *head,
                          const osc_vector *point)
{
    const int32_t *m = head->m;
    int32_t to[3] = {osc_sub(point->x, m[3]), osc_sub(point->y, m[7]), osc_sub(point->z, m[11])};
    int32_t ahead[3];
    look_ahead(rule, m, ahead);
    (void)osc_make_direction(to); /* zeros: a point in the joint is beside the eyes */
    (void)osc_make_direction(ahead);
    return osc_q20_of_q30(osc_dot3_q30(to, 1, ahead));
}

/* Turns towards a point that the chain can reach, and away from one that is beyond its limits.
 * Between, nothing changes. */
static void turn_or_rest(const osc_graph_look_rule *rule, osc_graph_look_state *state,
                         int32_t cosine, uint32_t elapsed_us)
{
    if (cosine >= rule->within_q20)
        state->envelope_us += osc_graph_earlier(elapsed_us, rule->fade_us - state->envelope_us);
    else if (cosine < rule->beyond_q20)
        state->envelope_us -= osc_graph_earlier(elapsed_us, state->envelope_us);
}

/* ---- a step ---- */

void osc_graph_look_at(const osc_graph_looking *looking, const osc_graph_look_rule *rule,
                       osc_graph_look_state *state, const osc_vector *given, uint32_t weight_q15)
{
    const osc_ik_chain *chain = &rule->chain;
    const osc_matrix *head = &looking->model[chain->links[0].joint];
    follow_point(rule->lag_us, state, given, looking->elapsed_us);
    osc_vector to = state->point;
    if (rule->in_world)
        to = osc_graph_in_model(looking->character, &to);
    turn_or_rest(rule, state, cosine_q20(rule, head, &to), looking->elapsed_us);
    if (state->envelope_us == 0u)
        return;
    weight_q15 = (weight_q15 * osc_graph_share_q15(state->envelope_us, rule->fade_us)) >> 15;
    if (weight_q15 == 0u)
        return;
    const osc_ik_look goal = {to, {0, 0, 0}, weight_q15};
    (void)osc_ik_aim(chain, &goal, looking->model, looking->pose);
    osc_recompose(looking->character->graph->bank, looking->pose,
                  chain->links[chain->count - 1u].joint, looking->model);
}

/* ---- records ---- */

static osc_vector look_vector(const uint32_t *words)
{
    const osc_vector vector = {(int32_t)osc_word(words[0]), (int32_t)osc_word(words[1]),
                               (int32_t)osc_word(words[2])};
    return vector;
}

/* Returns the axis that a direction is along, 0 to 2, or 3. */
static uint32_t axis_along(const osc_vector *direction)
{
    const int32_t one = (int32_t)OSC_ONE_Q20;
    if ((direction->x | direction->y) == 0)
        return direction->z == one ? 2u : 3u;
    if (direction->z != 0)
        return 3;
    return direction->x == one && direction->y == 0   ? 0u
           : direction->y == one && direction->x == 0 ? 1u
                                                      : 3u;
}

/* Reads a look. links: OSC_GRAPH_MOST_LINKS. */
static void read_look(const osc_graph *graph, const uint32_t *words, osc_graph_look_rule *rule,
                      osc_ik_link *links)
{
    uint32_t kind = osc_word(words[OSC_GRAPH_LOOK_KIND]), count = kind >> 16;
    uint32_t fade_us = osc_word(words[OSC_GRAPH_LOOK_FADE_US]);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t word = osc_word(words[OSC_GRAPH_LOOK_LINKS + 2u * i]);
        links[i].joint = word & 0xffffu;
        links[i].weight_q15 = (uint16_t)(word >> 16);
        links[i].limit_q15 = (uint16_t)osc_word(words[OSC_GRAPH_LOOK_LINKS + 2u * i + 1u]);
    }
    rule->chain.links = links;
    rule->chain.count = count;
    rule->chain.forward = look_vector(words + OSC_GRAPH_LOOK_FORWARD);
    rule->chain.up = look_vector(words + OSC_GRAPH_LOOK_UP);
    rule->chain.offset = look_vector(words + OSC_GRAPH_LOOK_EYES);
    rule->fade_us = fade_us != 0u ? fade_us : 1u;
    rule->lag_us = osc_word(words[OSC_GRAPH_LOOK_LAG_US]);
    rule->within_q20 = (int32_t)osc_word(words[OSC_GRAPH_LOOK_WITHIN_Q20]);
    rule->beyond_q20 = (int32_t)osc_word(words[OSC_GRAPH_LOOK_BEYOND_Q20]);
    rule->axis = (uint8_t)axis_along(&rule->chain.forward);
    rule->in_world = osc_graph_parameter(graph, kind & 0xffu, OSC_GRAPH_PARAMETER_MOST) != 0u;
}

void osc_graph_look(osc_graph_character *character, const int32_t *values, const osc_pose *pose,
                    osc_matrix *model, uint32_t elapsed_us)
{
    OSC_ASSERT(character != 0 && values != 0 && pose != 0 && model != 0);
    const osc_graph *graph = character->graph;
    osc_graph_step step;
    osc_graph_begin_step(&step, character, values);
    const osc_graph_looking looking = {character, pose, model,
                                       osc_graph_earlier(elapsed_us, graph->longest_step_us)};
    for (uint32_t i = 0; i < graph->look_count; i++) {
        const uint32_t *words = graph->looks + i * OSC_GRAPH_LOOK_WORDS;
        uint32_t kind = osc_word(words[OSC_GRAPH_LOOK_KIND]);
        osc_graph_look_rule rule;
        osc_ik_link links[OSC_GRAPH_MOST_LINKS];
        read_look(graph, words, &rule, links);
        const osc_vector given = osc_graph_point(graph, kind & 0xffu, values);
        osc_graph_look_at(
            &looking, &rule, &character->looks[i], &given,
            osc_graph_weight_q15(&step, kind >> 8 & 0xffu, osc_word(words[OSC_GRAPH_LOOK_WEIGHT])));
    }
}
