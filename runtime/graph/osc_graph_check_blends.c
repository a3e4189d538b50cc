/* SPDX-License-Identifier: MIT */
/* Checks the states of a graph that blend clips. */
#include "graph/osc_graph_check.h"

/* Checks the marks of a clip: in the order of positions, except where a loop ends. */
static bool sync_valid(const osc_graph *graph, uint32_t record, uint32_t end_q11)
{
    const uint32_t *words = graph->syncs + record * OSC_GRAPH_SYNC_WORDS;
    const uint32_t *marks = words + OSC_GRAPH_SYNC_MARKS_Q11;
    uint32_t count = osc_word(words[OSC_GRAPH_SYNC_COUNT]), descents = 0;
    if (end_q11 == 0u || osc_word(words[OSC_GRAPH_SYNC_END_Q11]) != end_q11 || count == 0u ||
        count > OSC_SYNC_MARKS || osc_word(words[OSC_GRAPH_SYNC_FRAME_US]) == 0u)
        return false;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t next = i + 1u < count ? i + 1u : 0u;
        descents += osc_word(marks[next]) <= osc_word(marks[i]) ? 1u : 0u;
        if (osc_word(marks[i]) >= end_q11)
            return false;
    }
    return descents == 1u;
}

static bool member_valid(const osc_graph *graph, const uint32_t *words)
{
    uint32_t word = osc_word(words[OSC_GRAPH_MEMBER_CLIP]), record = word >> 16, end_q11 = 0;
    return osc_graph_find_end(graph, word & 0xffffu, false, &end_q11) &&
           record < graph->sync_count && sync_valid(graph, record, end_q11);
}

static uint32_t place_of(const osc_graph *graph, uint32_t member)
{
    return osc_word(graph->members[member * OSC_GRAPH_MEMBER_WORDS + OSC_GRAPH_MEMBER_AT]);
}

/* Checks the members of a blend by one number: their order. */
static bool line_valid(const osc_graph *graph, uint32_t first, uint32_t end)
{
    for (uint32_t i = first + 1u; i < end; i++)
        if ((int32_t)place_of(graph, i) <= (int32_t)place_of(graph, i - 1u))
            return false;
    return true;
}

/* Checks that a triangle has an area above 0, and its corners among the members before `end`. */
static bool triangle_valid(const osc_graph *graph, uint32_t triangle, uint32_t first, uint32_t end)
{
    int32_t x[3], y[3];
    for (uint32_t i = 0; i < 3u; i++) {
        uint32_t corner = first + (triangle >> (8u * i) & 0xffu);
        if (corner >= end)
            return false;
        uint32_t at = place_of(graph, corner);
        x[i] = (int32_t)(at & 0xffffu);
        y[i] = (int32_t)(at >> 16);
        if (x[i] > (int32_t)OSC_GRAPH_PLANE_ONE || y[i] > (int32_t)OSC_GRAPH_PLANE_ONE)
            return false;
    }
    return (x[1] - x[0]) * (y[2] - y[0]) > (x[2] - x[0]) * (y[1] - y[0]) &&
           (triangle & OSC_GRAPH_TRIANGLE_UNKNOWN) == 0u;
}

/* Checks the members of a blend by two numbers: their triangles. */
static bool plane_valid(const osc_graph *graph, uint32_t state, uint32_t first, uint32_t end)
{
    uint32_t word = osc_graph_state(graph, state, OSC_GRAPH_STATE_CLIP), next = word & 0xffffu;
    if (!osc_graph_parameter_is(graph, word >> 16, OSC_GRAPH_NUMBER)) /* a blend has no flags */
        return false;
    for (uint32_t i = 0; i < OSC_GRAPH_BLEND_MOST_TRIANGLES; i++, next++) {
        if (next >= graph->triangle_count ||
            !triangle_valid(graph, osc_graph_triangle(graph, next), first, end))
            return false;
        if ((osc_graph_triangle(graph, next) & OSC_GRAPH_TRIANGLE_LAST) != 0u)
            return true;
    }
    return false;
}

bool osc_graph_blend_valid(const osc_graph *graph, uint32_t state, uint32_t machine)
{
    uint32_t word = osc_graph_state(graph, state, OSC_GRAPH_STATE_BLEND), count = word & 0xffu;
    uint32_t parameter = word >> 8 & 0xffu, first = word >> 16, end = first + count;
    const uint32_t wanted = OSC_GRAPH_MACHINE_BLENDS;
    if ((machine & (wanted | OSC_GRAPH_MACHINE_ADDITIVE)) != wanted || count == 0u ||
        count > OSC_GRAPH_BLEND_MOST_MEMBERS || end > graph->member_count ||
        !osc_graph_parameter_is(graph, parameter, OSC_GRAPH_NUMBER) ||
        osc_graph_state(graph, state, OSC_GRAPH_STATE_SPEED) != OSC_ONE_Q16 ||
        osc_graph_state(graph, state, OSC_GRAPH_STATE_LOOPS) != OSC_LOOPS_FOREVER)
        return false;
    for (uint32_t i = first; i < end; i++)
        if (!member_valid(graph, graph->members + i * OSC_GRAPH_MEMBER_WORDS))
            return false;
    bool on_line = osc_graph_state(graph, state, OSC_GRAPH_STATE_CLIP) == OSC_GRAPH_NO_PARAMETER
                                                                              << 16;
    return (on_line ? line_valid(graph, first, end)
                    : ((machine & OSC_GRAPH_MACHINE_PLANES) != 0u &&
                       plane_valid(graph, state, first, end))) &&
           osc_graph_watches_valid(graph, state, 0);
}
