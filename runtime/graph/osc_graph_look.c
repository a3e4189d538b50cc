/* SPDX-License-Identifier: MIT */
/* Chains of joints that look at the points of a graph: SPEC.md 26. */
#include "arithmetic/osc_direction.h"
#include "arithmetic/osc_fixed.h"
#include "graph/osc_graph_step.h"
#include "osc_ik.h"

/* The words of a look. */
static const uint32_t *look_words(const osc_graph *graph, uint32_t number)
{
    return graph->looks + number * OSC_GRAPH_LOOK_WORDS;
}

static osc_vector look_vector(const uint32_t *words)
{
    const osc_vector vector = {(int32_t)osc_word(words[0]), (int32_t)osc_word(words[1]),
                               (int32_t)osc_word(words[2])};
    return vector;
}

/* ---- the point ---- */

/* A share of a distance. */
static int32_t moved_towards(int32_t from, int32_t to, uint32_t share_q15)
{
    return osc_add(from, osc_mul_q20(osc_sub(to, from), (int32_t)(share_q15 << 5)));
}

/* Moves the point that is looked at towards the given one. */
static void follow_point(const uint32_t *words, osc_graph_look_state *state,
                         const osc_vector *given, uint32_t elapsed_us)
{
    uint32_t lag_us = osc_word(words[OSC_GRAPH_LOOK_LAG_US]);
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

/* The direction of the eyes in model space. That of an axis, as of most heads, needs no products.
 */
static void look_ahead(const osc_vector *forward, const int32_t *m, int32_t ahead[3])
{
    uint32_t axis = axis_along(forward);
    for (uint32_t i = 0; i < 3u; i++, m += 4)
        ahead[i] = axis < 3u ? m[axis]
                             : osc_dot3_q20(m[0], forward->x, m[1], forward->y, m[2], forward->z);
}

/* The cosine, Q20, of the angle between the direction of the eyes and the point. */
static int32_t cosine_q20(const uint32_t *words, const osc_matrix *head, const osc_vector *point)
{
    const osc_vector forward = look_vector(words + OSC_GRAPH_LOOK_FORWARD);
    const int32_t *m = head->m;
    int32_t to[3] = {osc_sub(point->x, m[3]), osc_sub(point->y, m[7]), osc_sub(point->z, m[11])};
    int32_t ahead[3];
    look_ahead(&forward, m, ahead);
    (void)osc_make_direction(to); /* zeros: a point in the joint is beside the eyes */
    (void)osc_make_direction(ahead);
    return osc_dot3_q20(to[0], ahead[0], to[1], ahead[1], to[2], ahead[2]);
}

/* Turns towards a point that the chain can reach, and away from one that is beyond its limits.
 * Between, nothing changes. */
static void turn_or_rest(const uint32_t *words, osc_graph_look_state *state, int32_t cosine,
                         uint32_t elapsed_us)
{
    uint32_t fade_us = osc_word(words[OSC_GRAPH_LOOK_FADE_US]);
    fade_us = fade_us != 0u ? fade_us : 1u;
    if (cosine >= (int32_t)osc_word(words[OSC_GRAPH_LOOK_WITHIN_Q20]))
        state->envelope_us += osc_graph_earlier(elapsed_us, fade_us - state->envelope_us);
    else if (cosine < (int32_t)osc_word(words[OSC_GRAPH_LOOK_BEYOND_Q20]))
        state->envelope_us -= osc_graph_earlier(elapsed_us, state->envelope_us);
}

static uint32_t look_weight_q15(const osc_graph_step *step, const uint32_t *words,
                                const osc_graph_look_state *state)
{
    uint32_t parameter = osc_word(words[OSC_GRAPH_LOOK_KIND]) >> 8 & 0xffu;
    uint32_t weight = osc_graph_weight_q15(step, parameter, osc_word(words[OSC_GRAPH_LOOK_WEIGHT]));
    uint32_t fade_us = osc_word(words[OSC_GRAPH_LOOK_FADE_US]);
    return (weight * osc_graph_share_q15(state->envelope_us, fade_us != 0u ? fade_us : 1u)) >> 15;
}

/* ---- the joints ---- */

static void turn_chain(const osc_graph_character *character, const uint32_t *words,
                       uint32_t weight_q15, const osc_vector *point, const osc_pose *pose,
                       osc_matrix *model)
{
    osc_ik_link links[OSC_GRAPH_MOST_LINKS];
    uint32_t count = osc_word(words[OSC_GRAPH_LOOK_KIND]) >> 16;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t word = osc_word(words[OSC_GRAPH_LOOK_LINKS + 2u * i]);
        links[i].joint = word & 0xffffu;
        links[i].weight_q15 = (uint16_t)(word >> 16);
        links[i].limit_q15 = (uint16_t)osc_word(words[OSC_GRAPH_LOOK_LINKS + 2u * i + 1u]);
    }
    const osc_ik_chain chain = {links, count, look_vector(words + OSC_GRAPH_LOOK_FORWARD),
                                look_vector(words + OSC_GRAPH_LOOK_UP),
                                look_vector(words + OSC_GRAPH_LOOK_EYES)};
    const osc_ik_look goal = {*point, {0, 0, 0}, weight_q15};
    (void)osc_ik_aim(&chain, &goal, model, pose);
    osc_recompose(character->graph->bank, pose, links[count - 1u].joint, model);
}

void osc_graph_look(osc_graph_character *character, const int32_t *values, const osc_pose *pose,
                    osc_matrix *model, uint32_t elapsed_us)
{
    OSC_ASSERT(character != 0 && values != 0 && pose != 0 && model != 0);
    const osc_graph *graph = character->graph;
    osc_graph_step step;
    osc_graph_begin_step(&step, character, values);
    elapsed_us = osc_graph_earlier(elapsed_us, graph->longest_step_us);
    for (uint32_t i = 0; i < graph->look_count; i++) {
        const uint32_t *words = look_words(graph, i);
        osc_graph_look_state *state = &character->looks[i];
        uint32_t point = osc_word(words[OSC_GRAPH_LOOK_KIND]) & 0xffu;
        const osc_vector given = osc_graph_point(graph, point, values);
        follow_point(words, state, &given, elapsed_us);
        const osc_vector to = osc_graph_point_in_model(character, point, &state->point);
        uint32_t head = osc_word(words[OSC_GRAPH_LOOK_LINKS]) & 0xffffu;
        turn_or_rest(words, state, cosine_q20(words, &model[head], &to), elapsed_us);
        uint32_t weight_q15 = look_weight_q15(&step, words, state);
        if (weight_q15 != 0u)
            turn_chain(character, words, weight_q15, &to, pose, model);
    }
}
