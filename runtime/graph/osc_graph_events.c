/* SPDX-License-Identifier: MIT */
/* The events of a graph's clips, each reported once: SPEC.md 26. */
#include "graph/osc_graph_step.h"

#include "bank/osc_section.h"

static void report(const osc_graph_step *step, uint32_t name, uint32_t what)
{
    osc_graph_character *character = step->character;
    if (!step->machine->begun) /* a layer fades out */
        return;
    if (character->event_count == step->graph->event_count)
        return; /* osc_graph.h: a bank states how many a step can have */
    const osc_graph_event event = {(uint16_t)name, step->machine->state, (uint8_t)what};
    character->events[character->event_count++] = event;
}

/* The phase of an event in playing order: a span begins where it is entered. */
static uint32_t played_phase(const osc_event *event)
{
    if (event->phase == OSC_EVENT_ONCE)
        return OSC_EVENT_ONCE;
    return event->inside ? OSC_EVENT_BEGIN : OSC_EVENT_END;
}

static void report_walk(const osc_graph_step *step, osc_event_walk *walk)
{
    for (osc_event event; osc_event_next(walk, &event);)
        report(step, event.name, played_phase(&event));
}

static void report_passed(const osc_graph_step *step, uint32_t clip, const osc_step *passed)
{
    osc_event_walk walk = osc_events_passed(step->graph->events, clip, passed);
    report_walk(step, &walk);
}

/* The spans that contain the position before a place, in the order of positions. */
static osc_event_spans spans_before(const osc_graph *graph, const osc_graph_place *place)
{
    uint32_t at_q11 = place->position_q11;
    at_q11 = at_q11 != 0u ? at_q11 - 1u : osc_clip_end_q11(graph->bank, place->clip);
    return osc_events_around(graph->events, place->clip, at_q11);
}

/* The spans that are open when a clip has played to a place, including the marks there. */
static osc_event_spans open_spans(const osc_graph *graph, const osc_graph_place *place)
{
    if (place->backward)
        return spans_before(graph, place);
    return osc_events_around(graph->events, place->clip, place->position_q11);
}

/* The marks from a position to a place that is there or behind it in playing order. */
static osc_event_walk marks_until(const osc_graph *graph, const osc_graph_place *place,
                                  uint32_t from_q11)
{
    osc_step passed = {from_q11, place->position_q11, 0, true};
    if (place->backward ? passed.to_q11 > from_q11 : passed.to_q11 < from_q11)
        passed.wraps = place->backward ? -1 : 1;
    osc_event_walk walk = osc_events_passed(graph->events, place->clip, &passed);
    if (place->backward && !walk.backward) { /* at one position */
        walk.last_stop = walk.next;
        walk.next = walk.stop;
        walk.stop = walk.last_stop;
        walk.backward = true;
    }
    return walk;
}

/* Reports the marks at a place. */
static void report_here(const osc_graph_step *step, const osc_graph_place *place)
{
    osc_event_walk walk = marks_until(step->graph, place, place->position_q11);
    report_walk(step, &walk);
}

static void report_begin(const osc_graph_step *step)
{
    const osc_graph_place place = step->play->place(step);
    if (place.silent)
        return;
    if (place.ended && step->machine->state_us == 0u) /* no step will pass this position */
        report_here(step, &place);
    osc_event_spans spans = osc_events_around(step->graph->events, place.clip, place.position_q11);
    for (osc_event event; osc_event_next_span(&spans, &event);)
        if (place.backward || event.position_q11 != place.position_q11)
            report(step, event.name, OSC_EVENT_BEGIN | OSC_GRAPH_EVENT_LATE);
}

static void report_end(const osc_graph_step *step, bool with_marks)
{
    const osc_graph_place place = step->play->place(step);
    if (place.silent)
        return;
    if (with_marks && !place.ended)
        report_here(step, &place);
    osc_event_spans spans = open_spans(step->graph, &place);
    for (osc_event event; osc_event_next_span(&spans, &event);)
        report(step, event.name, OSC_EVENT_END | OSC_GRAPH_EVENT_CUT);
}

static bool has_span(osc_event_spans spans, uint32_t name)
{
    for (osc_event event; osc_event_next_span(&spans, &event);)
        if (event.name == name)
            return true;
    return false;
}

static void report_leader(const osc_graph_step *step, const osc_graph_place *from,
                          const osc_graph_place *to)
{
    const osc_event_spans old = spans_before(step->graph, from);
    const osc_event_spans later = spans_before(step->graph, to);
    osc_event_spans spans = old;
    for (osc_event event; osc_event_next_span(&spans, &event);)
        if (!has_span(later, event.name))
            report(step, event.name, OSC_EVENT_END | OSC_GRAPH_EVENT_CUT);
    spans = later;
    for (osc_event event; osc_event_next_span(&spans, &event);)
        if (!has_span(old, event.name))
            report(step, event.name, OSC_EVENT_BEGIN | OSC_GRAPH_EVENT_LATE);
}

static bool is_at_mark(const osc_graph_step *step, uint32_t name)
{
    if (step->reached_q11 == OSC_GRAPH_NOWHERE)
        return false;
    const osc_graph_place place = step->play->place(step);
    osc_event_walk walk = marks_until(step->graph, &place, step->reached_q11);
    for (osc_event event; osc_event_next(&walk, &event);)
        if (event.name == name && played_phase(&event) != OSC_EVENT_END)
            return true;
    return false;
}

static bool is_inside_span(const osc_graph_step *step, uint32_t name)
{
    const osc_graph_place place = step->play->place(step);
    return has_span(open_spans(step->graph, &place), name);
}

const osc_graph_event_play osc_graph_events = {report_passed, report_begin, report_end,
                                               report_leader, is_at_mark,   is_inside_span};
