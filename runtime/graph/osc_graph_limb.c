/* SPDX-License-Identifier: MIT */
/* Limbs that reach for the points of a graph, or whose ends stay in place: SPEC.md 26. */
#include "arithmetic/osc_direction.h"
#include "arithmetic/osc_fixed.h"
#include "graph/osc_graph_step.h"
#include "osc_ik.h"

/* A limb in a step. own: where the pose has its end, in model space. */
typedef struct limb_step {
    const osc_graph_step *step;
    const uint32_t *words;
    osc_graph_limb_state *state;
    osc_vector own;
    uint32_t elapsed_us, fade_us;
} limb_step;

static uint32_t limb_word(const limb_step *limb, uint32_t word)
{
    return osc_word(limb->words[word]);
}

static osc_vector limb_joint_position(const osc_matrix *model, uint32_t joint)
{
    const int32_t *m = model[joint].m;
    const osc_vector position = {m[3], m[7], m[11]};
    return position;
}

static osc_vector sum_of(const osc_vector *a, const osc_vector *b)
{
    const osc_vector sum = {osc_add(a->x, b->x), osc_add(a->y, b->y), osc_add(a->z, b->z)};
    return sum;
}

static osc_vector difference_of(const osc_vector *a, const osc_vector *b)
{
    const osc_vector difference = {osc_sub(a->x, b->x), osc_sub(a->y, b->y), osc_sub(a->z, b->z)};
    return difference;
}

static uint32_t share_of_fade(const limb_step *limb)
{
    return osc_graph_share_q15(limb->state->envelope_us, limb->fade_us);
}

static void fade_limb_out(const limb_step *limb)
{
    osc_graph_limb_state *state = limb->state;
    state->envelope_us -= osc_graph_earlier(limb->elapsed_us, state->envelope_us);
}

/* ---- points ---- */

/* Fades in while the weight is not 0. Returns the weight of the limb. */
static uint32_t fade_towards(const limb_step *limb, uint32_t weight_q15)
{
    osc_graph_limb_state *state = limb->state;
    if (weight_q15 == 0u) {
        fade_limb_out(limb);
    } else {
        state->weight_q15 = (uint16_t)weight_q15;
        state->envelope_us +=
            osc_graph_earlier(limb->elapsed_us, limb->fade_us - state->envelope_us);
    }
    return (state->weight_q15 * share_of_fade(limb)) >> 15;
}

static osc_vector wanted_point(const limb_step *limb)
{
    const osc_graph_step *step = limb->step;
    uint32_t parameter = limb_word(limb, OSC_GRAPH_LIMB_KIND) & 0xffu;
    const osc_vector point = osc_graph_point(step->graph, parameter, step->values);
    return osc_graph_point_in_model(step->character, parameter, &point);
}

/* ---- ends that stay in place ---- */

static osc_vector in_world(const limb_step *limb, const osc_vector *point)
{
    osc_placement at = {point->x, point->y, point->z, 0};
    osc_placement_join(&limb->step->character->now->place, &at, &at);
    const osc_vector seen = {at.x, at.y, at.z};
    return seen;
}

/* Returns whether the end is within reach of where it is held. */
static bool is_near(const limb_step *limb, const osc_vector *offset)
{
    uint32_t most = limb_word(limb, OSC_GRAPH_LIMB_MOST_Q20);
    const int32_t parts[3] = {offset->x, offset->y, offset->z};
    for (uint32_t i = 0; i < 3u; i++)
        if ((parts[i] < 0 ? 0u - (uint32_t)parts[i] : (uint32_t)parts[i]) > most)
            return false;
    return true;
}

/* The rest of the offset with which the end was let go. */
static osc_vector fading_offset(const limb_step *limb)
{
    const osc_vector *from = &limb->state->point;
    int32_t share_q20 = (int32_t)(share_of_fade(limb) << 5);
    const osc_vector offset = {osc_mul_q20(from->x, share_q20), osc_mul_q20(from->y, share_q20),
                               osc_mul_q20(from->z, share_q20)};
    return offset;
}

/* Holds the end where it is shown when the span begins, and lets it go afterwards. Returns where
 * the end is to be, in model space. */
static osc_vector held_point(const limb_step *limb)
{
    osc_graph_limb_state *state = limb->state;
    bool is_open = limb->step->reports->is_inside(limb->step, limb_word(limb, OSC_GRAPH_LIMB_SPAN));
    if (state->hold == (uint16_t)OSC_GRAPH_LOCKED) {
        const osc_vector there = osc_graph_in_model(limb->step->character, &state->point);
        const osc_vector offset = difference_of(&there, &limb->own);
        if (is_open && is_near(limb, &offset))
            return there;
        state->point = offset;
        state->hold = (uint16_t)OSC_GRAPH_LET_GO;
    }
    if (!is_open)
        state->hold = (uint16_t)OSC_GRAPH_FREE;
    fade_limb_out(limb);
    const osc_vector offset = fading_offset(limb), shown = sum_of(&limb->own, &offset);
    if (is_open && state->hold == (uint16_t)OSC_GRAPH_FREE) {
        state->hold = (uint16_t)OSC_GRAPH_LOCKED;
        state->point = in_world(limb, &shown);
        state->envelope_us = limb->fade_us;
    }
    return shown;
}

/* ---- the joints ---- */

/* The direction from the start of a limb to the point to which it bends; zeros without one. */
static osc_vector direction_of_pole(const limb_step *limb, const osc_vector *start)
{
    const osc_graph_step *step = limb->step;
    uint32_t parameter = limb_word(limb, OSC_GRAPH_LIMB_KIND) >> 16;
    osc_vector direction = {0, 0, 0};
    if (parameter == OSC_GRAPH_NO_PARAMETER)
        return direction;
    const osc_vector given = osc_graph_point(step->graph, parameter, step->values);
    const osc_vector point = osc_graph_point_in_model(step->character, parameter, &given);
    int32_t to[3] = {osc_sub(point.x, start->x), osc_sub(point.y, start->y),
                     osc_sub(point.z, start->z)};
    (void)osc_make_direction(to); /* a point in the start determines no direction */
    direction.x = to[0];
    direction.y = to[1];
    direction.z = to[2];
    return direction;
}

/* Turns the joints so that the end comes to the point. */
static void bend_limb(const limb_step *limb, const osc_vector *point, uint32_t weight_q15,
                      const osc_pose *pose, osc_matrix *model)
{
    const uint32_t *axis = limb->words + OSC_GRAPH_LIMB_AXIS;
    uint32_t joints = limb_word(limb, OSC_GRAPH_LIMB_JOINTS);
    uint32_t end = limb_word(limb, OSC_GRAPH_LIMB_END);
    const osc_ik_limb bones = {
        joints & 0xffffu,
        joints >> 16,
        end & 0xffffu,
        {(int32_t)osc_word(axis[0]), (int32_t)osc_word(axis[1]), (int32_t)osc_word(axis[2])}};
    const osc_vector start = limb_joint_position(model, bones.start);
    const osc_ik_goal goal = {*point, direction_of_pole(limb, &start), end >> 16, weight_q15};
    (void)osc_ik_two_bone(&bones, &goal, model, pose);
    osc_recompose(limb->step->graph->bank, pose, bones.start, model);
}

static void move_limb(const limb_step *limb, const osc_pose *pose, osc_matrix *model)
{
    uint32_t kind = limb_word(limb, OSC_GRAPH_LIMB_KIND);
    uint32_t weight_q15 =
        osc_graph_weight_q15(limb->step, kind >> 8 & 0xffu, limb_word(limb, OSC_GRAPH_LIMB_WEIGHT));
    osc_vector point;
    if ((kind & 0xffu) == OSC_GRAPH_NO_PARAMETER) {
        point = held_point(limb);
        weight_q15 = limb->state->envelope_us != 0u ? weight_q15 : 0u;
    } else {
        point = wanted_point(limb);
        weight_q15 = fade_towards(limb, weight_q15);
    }
    if (weight_q15 != 0u)
        bend_limb(limb, &point, weight_q15, pose, model);
}

void osc_graph_move_limbs(const osc_graph_step *step, const osc_pose *pose, osc_matrix *model,
                          uint32_t elapsed_us)
{
    const osc_graph *graph = step->graph;
    for (uint32_t i = 0; i < graph->limb_count; i++) {
        const uint32_t *words = graph->limbs + i * OSC_GRAPH_LIMB_WORDS;
        uint32_t fade_us = osc_word(words[OSC_GRAPH_LIMB_FADE_US]);
        uint32_t end = osc_word(words[OSC_GRAPH_LIMB_END]) & 0xffffu;
        const limb_step limb = {step,
                                words,
                                &step->character->limbs[i],
                                limb_joint_position(model, end),
                                elapsed_us,
                                fade_us != 0u ? fade_us : 1u};
        move_limb(&limb, pose, model);
    }
}

void osc_graph_reach(osc_graph_character *character, const int32_t *values, const osc_pose *pose,
                     osc_matrix *model, uint32_t elapsed_us)
{
    OSC_ASSERT(character != 0 && values != 0 && pose != 0 && model != 0);
    osc_graph_step step;
    osc_graph_begin_step(&step, character, values);
    osc_graph_show(&step, character->machines);
    osc_graph_move_limbs(&step, pose, model,
                         osc_graph_earlier(elapsed_us, character->graph->longest_step_us));
}
