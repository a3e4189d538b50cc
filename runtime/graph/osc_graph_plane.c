/* SPDX-License-Identifier: MIT */
/* Blends by two numbers: the clips are corners of triangles. SPEC.md 26. */
#include "arithmetic/osc_fixed.h"
#include "graph/osc_graph_step.h"

/* A point, or the difference of two: at most OSC_GRAPH_PLANE_ONE, so that products fit. */
typedef struct plane_point {
    int32_t x, y;
} plane_point;

static plane_point plane_minus(plane_point point, plane_point other)
{
    const plane_point difference = {point.x - other.x, point.y - other.y};
    return difference;
}

static int32_t plane_dot(plane_point one, plane_point other)
{
    return one.x * other.x + one.y * other.y;
}

/* Twice the area between two sides of a triangle, above 0 if the second is to the left. */
static int32_t plane_cross(plane_point one, plane_point other)
{
    return one.x * other.y - one.y * other.x;
}

/* ---- records ---- */

static int32_t coordinate(const osc_graph_step *step, uint32_t parameter)
{
    uint32_t least = osc_graph_parameter(step->graph, parameter, OSC_GRAPH_PARAMETER_LEAST);
    uint32_t most = osc_graph_parameter(step->graph, parameter, OSC_GRAPH_PARAMETER_MOST);
    uint32_t value = (uint32_t)osc_graph_slewed(step, parameter);
    return (int32_t)(osc_graph_share_q15(value - least, most - least) >> 1);
}

static plane_point point_of_member(const osc_graph_step *step, uint32_t member)
{
    uint32_t at = osc_graph_member(step->graph, step->shown, member, OSC_GRAPH_MEMBER_AT);
    const plane_point point = {(int32_t)(at & 0xffffu), (int32_t)(at >> 16)};
    return point;
}

/* ---- weights ---- */

/* Lets some members of a blend play. shares_q15: count of them, one above the knee. */
static void weigh(osc_graph_machine *machine, const uint32_t *members, const uint32_t *shares_q15,
                  uint32_t count)
{
    uint32_t total = 0, playing = 0, rest_q15 = OSC_ONE_Q15;
    for (uint32_t i = 0; i < count; i++)
        total += osc_graph_above_knee(shares_q15[i]);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t weight = osc_graph_above_knee(shares_q15[i]);
        if (weight == 0u)
            continue;
        machine->members[playing] = (uint8_t)members[i];
        if (playing != 0u) {
            machine->weights_q15[playing] = (uint16_t)osc_mix_share(weight, total);
            rest_q15 -= machine->weights_q15[playing];
        }
        playing++;
    }
    machine->weights_q15[0] = (uint16_t)rest_q15; /* rounding included */
    for (; playing < OSC_GRAPH_MOST_MEMBERS; playing++) {
        machine->members[playing] = 0;
        machine->weights_q15[playing] = 0;
    }
}

/* Lets the member play whose point is nearest. */
static void weigh_nearest(const osc_graph_step *step, plane_point at)
{
    static const uint32_t whole_q15 = OSC_ONE_Q15;
    uint32_t count = osc_word(step->shown[OSC_GRAPH_STATE_BLEND]);
    uint32_t nearest = 0;
    int32_t least = INT32_MAX;
    for (uint32_t i = 0; i < (count & 0xffu); i++) {
        const plane_point to = plane_minus(at, point_of_member(step, i));
        int32_t distance = plane_dot(to, to);
        if (distance < least) {
            least = distance;
            nearest = i;
        }
    }
    weigh(step->machine, &nearest, &whole_q15, 1);
}

/* Weighs the members of a triangle if the point is in it, or those of an edge of the hull if the
 * point is beside that. A hull is convex, so that no other edge is nearer. */
static bool weigh_in_triangle(const osc_graph_step *step, uint32_t triangle, plane_point at)
{
    static const uint32_t after[3] = {1, 2, 0};
    const uint32_t corners[3] = {triangle & 0xffu, triangle >> 8 & 0xffu, triangle >> 16 & 0xffu};
    uint32_t areas[3], shares_q15[3];
    bool inside = true;
    for (uint32_t i = 0; i < 3u; i++) {
        const uint32_t ends[2] = {corners[after[i]], corners[after[after[i]]]};
        const plane_point from = point_of_member(step, ends[0]);
        const plane_point edge = plane_minus(point_of_member(step, ends[1]), from);
        const plane_point to = plane_minus(at, from);
        int32_t area = plane_cross(edge, to), along = plane_dot(edge, to);
        areas[i] = (uint32_t)area;
        if (area >= 0)
            continue;
        inside = false;
        if ((triangle & OSC_GRAPH_TRIANGLE_HULL << i) != 0u && along >= 0 &&
            along <= plane_dot(edge, edge)) {
            shares_q15[1] = osc_graph_share_q15((uint32_t)along, (uint32_t)plane_dot(edge, edge));
            shares_q15[0] = OSC_ONE_Q15 - shares_q15[1];
            weigh(step->machine, ends, shares_q15, 2);
            return true;
        }
    }
    if (!inside)
        return false;
    for (uint32_t i = 0; i < 3u; i++)
        shares_q15[i] = osc_graph_share_q15(areas[i], areas[0] + areas[1] + areas[2]);
    weigh(step->machine, corners, shares_q15, 3);
    return true;
}

void osc_graph_weigh_in_plane(const osc_graph_step *step)
{
    const plane_point at = {
        coordinate(step, osc_word(step->shown[OSC_GRAPH_STATE_BLEND]) >> 8 & 0xffu),
        coordinate(step, osc_graph_state_parameter(step->shown))};
    uint32_t next = osc_graph_clip(step->shown), word;
    do {
        word = osc_graph_triangle(step->graph, next++);
        if (weigh_in_triangle(step, word, at))
            return;
    } while ((word & OSC_GRAPH_TRIANGLE_LAST) == 0u);
    weigh_nearest(step, at);
}
