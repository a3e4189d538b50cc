/* SPDX-License-Identifier: MIT */
/* The events of a graph's clips, each reported once: SPEC.md 26. */
#include "graph/osc_graph_events.h"

#include "graph/osc_graph_records.h"
#include "motion/osc_section.h"

static void report(osc_graph_character *character, uint32_t name, uint32_t what)
{
    if (character->event_count == character->graph->event_count)
        return; /* osc_graph.h: a bank states how many a step can have */
    const osc_graph_event event = {(uint16_t)name, character->now->machine.state, (uint8_t)what};
    character->events[character->event_count++] = event;
}

/* The phase of an event in playing order: a span begins where it is entered. */
static uint32_t played_phase(const osc_event *event)
{
    if (event->phase == OSC_EVENT_ONCE)
        return OSC_EVENT_ONCE;
    return event->inside ? OSC_EVENT_BEGIN : OSC_EVENT_END;
}

void osc_graph_report_step(osc_graph_character *character, const osc_step *step)
{
    const osc_graph *graph = character->graph;
    if (graph->events == 0)
        return;
    osc_event_walk walk = osc_events_passed(
        graph->events, osc_graph_clip(graph, character->now->machine.state), step);
    for (osc_event event; osc_event_next(&walk, &event);)
        report(character, event.name, played_phase(&event));
}

/* The spans that are open when a clip has played to a position, including the marks there. */
static osc_event_spans open_spans(const osc_graph *graph, const osc_graph_machine *machine,
                                  bool backward)
{
    uint32_t clip = osc_graph_clip(graph, machine->state), at_q11 = machine->position_q11;
    if (backward) /* the last position that has been played */
        at_q11 = at_q11 != 0u ? at_q11 - 1u : osc_clip_end_q11(graph->bank, clip);
    return osc_events_around(graph->events, clip, at_q11);
}

void osc_graph_report_begin(osc_graph_character *character, bool backward)
{
    const osc_graph *graph = character->graph;
    const osc_graph_machine *machine = &character->now->machine;
    if (graph->events == 0)
        return;
    osc_event_spans spans = osc_events_around(graph->events, osc_graph_clip(graph, machine->state),
                                              machine->position_q11);
    for (osc_event event; osc_event_next_span(&spans, &event);)
        if (backward || event.position_q11 != machine->position_q11)
            report(character, event.name, OSC_EVENT_BEGIN | OSC_GRAPH_EVENT_LATE);
}

void osc_graph_report_end(osc_graph_character *character, bool backward)
{
    const osc_graph *graph = character->graph;
    const osc_graph_machine *machine = &character->now->machine;
    if (graph->events == 0)
        return;
    if (machine->loops_left != 0u) { /* the step that ended the clip has passed its marks */
        const osc_step here = {machine->position_q11, machine->position_q11, 0, true};
        osc_graph_report_step(character, &here);
    }
    osc_event_spans spans = open_spans(graph, machine, backward);
    for (osc_event event; osc_event_next_span(&spans, &event);)
        report(character, event.name, OSC_EVENT_END | OSC_GRAPH_EVENT_CUT);
}

bool osc_graph_is_at(const osc_graph *graph, const osc_graph_machine *machine, bool backward,
                     uint32_t name, uint32_t reached_q11)
{
    uint32_t at_q11 = machine->position_q11;
    if (reached_q11 == OSC_GRAPH_NOWHERE)
        return false;
    osc_step step = {reached_q11, at_q11, 0, true};
    if (backward ? at_q11 > reached_q11 : at_q11 < reached_q11)
        step.wraps = backward ? -1 : 1;
    osc_event_walk walk =
        osc_events_passed(graph->events, osc_graph_clip(graph, machine->state), &step);
    for (osc_event event; osc_event_next(&walk, &event);)
        if (event.name == name && played_phase(&event) != OSC_EVENT_END)
            return true;
    return false;
}

bool osc_graph_is_inside(const osc_graph *graph, const osc_graph_machine *machine, bool backward,
                         uint32_t name)
{
    osc_event_spans spans = open_spans(graph, machine, backward);
    for (osc_event event; osc_event_next_span(&spans, &event);)
        if (event.name == name)
            return true;
    return false;
}
