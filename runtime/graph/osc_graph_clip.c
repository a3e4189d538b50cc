/* SPDX-License-Identifier: MIT */
/* States that play one clip. */
#include "bank/osc_section.h"
#include "graph/osc_graph_events.h"

/* Returns whether a state plays towards the start of its clip. A parameter is never negative. */
static bool plays_backward(const uint32_t *state)
{
    return osc_graph_state_parameter(state) == OSC_GRAPH_NO_PARAMETER &&
           (int32_t)osc_word(state[OSC_GRAPH_STATE_SPEED]) < 0;
}

/* A clip that plays once has ended if it begins at its last position. */
static void enter_clip(const osc_graph_step *step, uint32_t start_q11)
{
    osc_graph_machine *machine = step->machine;
    uint32_t last_q11 = osc_clip_end_q11(step->graph->bank, osc_graph_clip(step->shown));
    if (plays_backward(step->shown))
        last_q11 = 0;
    machine->position_q11 = start_q11;
    machine->loops_left = osc_word(step->shown[OSC_GRAPH_STATE_LOOPS]);
    if (machine->loops_left == 1u && start_q11 == last_q11)
        machine->loops_left = 0;
}

static osc_graph_place place_in_clip(const osc_graph_step *step)
{
    const osc_graph_machine *machine = step->machine;
    const osc_graph_place place = {osc_graph_clip(step->shown), machine->position_q11,
                                   plays_backward(step->shown), machine->loops_left == 0u};
    return place;
}

/* ---- the clock ---- */

/* Fills the clock of the current state. */
static void read_clock(const osc_graph_step *step, osc_playback *clock)
{
    const osc_graph_machine *machine = step->machine;
    const osc_bank *bank = step->graph->bank;
    uint32_t clip = osc_graph_clip(step->shown);
    const uint32_t *entry = bank->clips + clip * OSC_CLIP_ENTRY_WORDS;
    uint32_t parameter = osc_graph_state_parameter(step->shown);
    clock->speed_q16 = parameter == OSC_GRAPH_NO_PARAMETER
                           ? (int32_t)osc_word(step->shown[OSC_GRAPH_STATE_SPEED])
                           : osc_graph_slewed(step, parameter);
    clock->paused = false;
    clock->end_q11 = osc_clip_end_q11(bank, clip);
    clock->position_per_us_q32 = osc_word(osc_clip_rate(bank, entry)[OSC_RATE_POSITION_PER_US_Q32]);
    clock->loops_left = machine->loops_left;
    clock->position_q11 = machine->position_q11;
    clock->fraction_q32 = machine->fraction_q32;
    clock->time_fraction_q16 = machine->time_fraction_q16;
}

static void keep_clock(osc_graph_machine *machine, const osc_playback *clock)
{
    machine->position_q11 = clock->position_q11;
    machine->fraction_q32 = clock->fraction_q32;
    machine->time_fraction_q16 = clock->time_fraction_q16;
    machine->loops_left = clock->loops_left;
}

/* The watch that a clock reaches next: the nearest in its direction, or in the next loop. */
static uint32_t next_position(const osc_graph_watches *watches, const osc_playback *clock)
{
    bool backward = clock->speed_q16 < 0;
    uint32_t count = watches->position_count, last = count - 1u;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t at_q11 = osc_word(watches->positions[backward ? last - i : i]);
        if (backward ? at_q11 < clock->position_q11 : at_q11 > clock->position_q11)
            return at_q11;
    }
    return osc_word(watches->positions[backward ? last : 0u]);
}

/* Returns whether a step of a clock may have reached a position: never wrong if not. */
static bool may_have_reached(const osc_step *passed, bool backward, uint32_t position_q11)
{
    uint32_t from_q11 = passed->from_q11;
    uint32_t ahead_q11 = backward ? from_q11 - position_q11 : position_q11 - from_q11;
    uint32_t gone_q11 = backward ? from_q11 - passed->to_q11 : passed->to_q11 - from_q11;
    return passed->wraps != 0 || passed->ended || ahead_q11 - 1u < gone_q11;
}

/* Moves a clock, up to the next position that is watched. Returns the time that has passed. */
static uint32_t move_clock(osc_graph_step *step, osc_playback *clock, uint32_t left_us,
                           osc_step *passed)
{
    const osc_playback before = *clock;
    osc_graph_watches watches = osc_graph_watches_of(step->graph, step->shown);
    uint32_t time_us;
    (void)osc_playback_step(clock, left_us, passed);
    if (!step->stops || watches.position_count == 0u)
        return left_us;
    uint32_t position_q11 = next_position(&watches, &before);
    if (!may_have_reached(passed, before.speed_q16 < 0, position_q11) ||
        !osc_playback_time_to(&before, position_q11, &time_us) || time_us > left_us)
        return left_us;
    step->reached_q11 = position_q11;
    time_us = time_us != 0u ? time_us : 1u;
    *clock = before;
    (void)osc_playback_step(clock, time_us, passed);
    return time_us;
}

uint32_t osc_graph_time_left(const osc_graph_step *step)
{
    osc_playback clock;
    uint32_t time_us;
    if (step->machine->loops_left == 0u)
        return 0;
    read_clock(step, &clock);
    return osc_playback_time_to(&clock, clock.speed_q16 < 0 ? 0u : clock.end_q11, &time_us)
               ? time_us
               : 0xffffffffu;
}

static uint32_t pass_in_clip(osc_graph_step *step, uint32_t left_us)
{
    uint32_t clip = osc_graph_clip(step->shown);
    osc_playback clock;
    osc_step passed;
    read_clock(step, &clock);
    uint32_t elapsed_us = move_clock(step, &clock, left_us, &passed);
    keep_clock(step->machine, &clock);
    if (step->reports != 0)
        step->reports->passed(step, clip, &passed);
    bool moves = step->number == 0u && step->graph->trajectories != 0;
    if (moves && !osc_step_is_empty(&passed))
        step->code->follow(step->graph, clip, &passed, &step->character->moved);
    return elapsed_us;
}

/* ---- the pose ---- */

static void evaluate_state(const osc_graph_view *view, const osc_pose *pose, bool begins)
{
    const osc_graph_machine *machine = view->machine;
    const uint32_t clip = osc_graph_clip(view->state);
    const osc_graph_chosen chosen = {&clip, 1, 0};
    osc_graph_evaluate_clip(view, &chosen,
                            begins ? machine->switch_from_q11 : machine->position_q11, pose);
}

const osc_graph_play osc_graph_clips = {enter_clip, place_in_clip, pass_in_clip, evaluate_state};
