/* SPDX-License-Identifier: MIT */
/* States that play one clip. As osc_graph_switching.h, with these functions:
 *
 *     osc_graph_clip_rule_of    the rule of the state; room: may be filled for it
 *     osc_graph_speed_of        its speed, now
 *     osc_graph_next_watch      the watch that a clock reaches next, or OSC_GRAPH_NOWHERE
 *     osc_graph_move_along      moves a placement along the trajectory of a clip */
#ifndef OSC_GRAPH_CLOCKING_H
#define OSC_GRAPH_CLOCKING_H

/* Enters a clip. One that plays once has ended if it begins at its last position. */
static void osc_graph_enter_clip(const osc_graph_step *step, uint32_t start_q11)
{
    osc_graph_clip_rule room;
    const osc_graph_clip_rule *rule = osc_graph_clip_rule_of(step, &room);
    osc_graph_machine *machine = step->machine;
    uint32_t last_q11 = rule->speed_q16 < 0 ? 0u : rule->end_q11;
    machine->position_q11 = start_q11;
    machine->loops_left = rule->loops;
    if (machine->loops_left == 1u && start_q11 == last_q11)
        machine->loops_left = 0;
}

static osc_graph_place osc_graph_place_in_clip(const osc_graph_step *step)
{
    osc_graph_clip_rule room;
    const osc_graph_clip_rule *rule = osc_graph_clip_rule_of(step, &room);
    const osc_graph_machine *machine = step->machine;
    const osc_graph_place place = {rule->clip, machine->position_q11, rule->speed_q16 < 0,
                                   machine->loops_left == 0u, false};
    return place;
}

static void osc_graph_read_clock(const osc_graph_step *step, const osc_graph_clip_rule *rule,
                                 osc_playback *clock)
{
    const osc_graph_machine *machine = step->machine;
    clock->speed_q16 = osc_graph_speed_of(step, rule);
    clock->paused = false;
    clock->end_q11 = rule->end_q11;
    clock->position_per_us_q32 = rule->position_per_us_q32;
    clock->loops_left = machine->loops_left;
    clock->position_q11 = machine->position_q11;
    clock->fraction_q32 = machine->fraction_q32;
    clock->time_fraction_q16 = machine->time_fraction_q16;
}

/* The time until the clip of the current state ends, at most UINT32_MAX. */
static uint32_t osc_graph_clip_time_left(const osc_graph_step *step)
{
    osc_graph_clip_rule room;
    osc_playback clock;
    uint32_t time_us;
    if (step->machine->loops_left == 0u)
        return 0;
    osc_graph_read_clock(step, osc_graph_clip_rule_of(step, &room), &clock);
    return osc_playback_time_to(&clock, clock.speed_q16 < 0 ? 0u : clock.end_q11, &time_us)
               ? time_us
               : 0xffffffffu;
}

/* Returns whether a step of a clock may have reached a position: never wrong if not. */
static bool osc_graph_may_have_reached(const osc_step *passed, bool backward, uint32_t position_q11)
{
    uint32_t from_q11 = passed->from_q11;
    uint32_t ahead_q11 = backward ? from_q11 - position_q11 : position_q11 - from_q11;
    uint32_t gone_q11 = backward ? from_q11 - passed->to_q11 : passed->to_q11 - from_q11;
    return passed->wraps != 0 || passed->ended || ahead_q11 - 1u < gone_q11;
}

/* Moves a clock, up to the next position that is watched. Returns the time that has passed. */
static uint32_t osc_graph_move_clock(osc_graph_step *step, osc_playback *clock, uint32_t left_us,
                                     osc_step *passed)
{
    const osc_playback before = *clock;
    uint32_t time_us;
    (void)osc_playback_step(clock, left_us, passed);
    if (!step->stops)
        return left_us;
    uint32_t position_q11 = osc_graph_next_watch(step, &before);
    if (position_q11 == OSC_GRAPH_NOWHERE ||
        !osc_graph_may_have_reached(passed, before.speed_q16 < 0, position_q11) ||
        !osc_playback_time_to(&before, position_q11, &time_us) || time_us > left_us)
        return left_us;
    step->reached_q11 = position_q11;
    time_us = time_us != 0u ? time_us : 1u;
    *clock = before;
    (void)osc_playback_step(clock, time_us, passed);
    return time_us;
}

static uint32_t osc_graph_pass_in_clip(osc_graph_step *step, uint32_t left_us)
{
    osc_graph_clip_rule room;
    const osc_graph_clip_rule *rule = osc_graph_clip_rule_of(step, &room);
    osc_graph_machine *machine = step->machine;
    osc_playback clock;
    osc_step passed;
    osc_graph_read_clock(step, rule, &clock);
    uint32_t elapsed_us = osc_graph_move_clock(step, &clock, left_us, &passed);
    machine->position_q11 = clock.position_q11;
    machine->fraction_q32 = clock.fraction_q32;
    machine->time_fraction_q16 = clock.time_fraction_q16;
    machine->loops_left = clock.loops_left;
    if (osc_graph_reporting(step) != 0)
        osc_graph_reporting(step)->passed(step, rule->clip, &passed);
    if (step->number == 0u && !osc_step_is_empty(&passed))
        osc_graph_move_along(step, rule->clip, &passed, &step->character->moved);
    return elapsed_us;
}

#endif
