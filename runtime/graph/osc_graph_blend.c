/* SPDX-License-Identifier: MIT */
/* States that blend clips by one parameter or two. The clips keep step: they have one phase. */
#include "arithmetic/osc_fixed.h"
#include "graph/osc_graph_events.h"

/* ---- records ---- */

static void read_sync(const osc_graph *graph, const uint32_t *state, uint32_t member,
                      osc_sync_clip *sync)
{
    uint32_t record = osc_graph_member(graph, state, member, OSC_GRAPH_MEMBER_CLIP) >> 16;
    const uint32_t *words = graph->syncs + record * OSC_GRAPH_SYNC_WORDS;
    sync->end_q11 = osc_word(words[OSC_GRAPH_SYNC_END_Q11]);
    sync->us_per_frame = osc_word(words[OSC_GRAPH_SYNC_FRAME_US]);
    sync->count = osc_word(words[OSC_GRAPH_SYNC_COUNT]);
    for (uint32_t i = 0; i < sync->count; i++)
        sync->marks_q11[i] = osc_word(words[OSC_GRAPH_SYNC_MARKS_Q11 + i]);
}

static uint32_t clip_of_member(const osc_graph *graph, const uint32_t *state, uint32_t member)
{
    return osc_graph_member(graph, state, member, OSC_GRAPH_MEMBER_CLIP) & 0xffffu;
}

/* ---- weights ---- */

static uint32_t above_knee(uint32_t weight_q15)
{
    return weight_q15 > OSC_GRAPH_KNEE_Q15 ? weight_q15 - OSC_GRAPH_KNEE_Q15 : 0u;
}

void osc_graph_weigh(osc_graph_machine *machine, const uint32_t *members,
                     const uint32_t *shares_q15, uint32_t count)
{
    uint32_t total = 0, playing = 0, rest_q15 = OSC_ONE_Q15;
    for (uint32_t i = 0; i < count; i++)
        total += above_knee(shares_q15[i]);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t weight = above_knee(shares_q15[i]);
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

uint32_t osc_graph_share(uint32_t part, uint32_t whole)
{
    for (; whole > 0xffffu; whole >>= 1)
        part >>= 1;
    return osc_mix_share(part, whole);
}

/* Weighs the members on both sides of the parameter. */
static void weigh_on_line(const osc_graph_step *step)
{
    const osc_graph *graph = step->graph;
    const uint32_t *state = step->shown;
    uint32_t word = osc_word(state[OSC_GRAPH_STATE_BLEND]), count = word & 0xffu;
    int32_t value = osc_graph_slewed(step, word >> 8 & 0xffu);
    uint32_t right = 0;
    while (right < count &&
           (int32_t)osc_graph_member(graph, state, right, OSC_GRAPH_MEMBER_AT) <= value)
        right++;
    uint32_t left = right != 0u ? right - 1u : 0u, share_q15 = 0;
    right = right < count ? right : left;
    if (right != left) {
        uint32_t from = osc_graph_member(graph, state, left, OSC_GRAPH_MEMBER_AT);
        uint32_t to = osc_graph_member(graph, state, right, OSC_GRAPH_MEMBER_AT);
        share_q15 = osc_graph_share((uint32_t)value - from, to - from);
    }
    const uint32_t members[2] = {left, right};
    const uint32_t shares_q15[2] = {OSC_ONE_Q15 - share_q15, share_q15};
    osc_graph_weigh(step->machine, members, shares_q15, right != left ? 2u : 1u);
}

/* Chooses the members that play, and their weights. */
static void choose_members(const osc_graph_step *step)
{
    if (osc_graph_state_parameter(step->shown) == OSC_GRAPH_NO_PARAMETER)
        weigh_on_line(step);
    else
        step->code->weigh(step);
}

uint32_t osc_graph_read_members(const osc_graph_step *step, osc_sync_clip *syncs)
{
    const osc_graph_machine *machine = step->machine;
    uint32_t count = 0;
    choose_members(step);
    for (; count < OSC_GRAPH_MOST_MEMBERS && machine->weights_q15[count] != 0u; count++)
        read_sync(step->graph, step->shown, machine->members[count], &syncs[count]);
    return count;
}

/* The member with the largest weight, of equal ones the first. */
static uint32_t heaviest(const osc_graph_machine *machine)
{
    uint32_t found = 0;
    for (uint32_t i = 1; i < OSC_GRAPH_MOST_MEMBERS; i++)
        if (machine->weights_q15[i] > machine->weights_q15[found])
            found = i;
    return machine->members[found];
}

/* The weight with which a member is added to those before it. */
static uint32_t added_q15(const osc_graph_machine *machine, uint32_t member)
{
    uint32_t total = 0;
    for (uint32_t i = 0; i <= member; i++)
        total += machine->weights_q15[i];
    if (total == OSC_ONE_Q15) /* the last, which needs no division */
        return machine->weights_q15[member];
    return osc_mix_share(machine->weights_q15[member], total);
}

/* ---- places ---- */

/* The phase at which a blend begins. */
static osc_phase unpacked(uint32_t start_q11)
{
    const osc_phase phase = {start_q11 >> OSC_GRAPH_PHASE_SHIFT,
                             start_q11 & ((1u << OSC_GRAPH_PHASE_SHIFT) - 1u)};
    return phase;
}

static void enter_blend(const osc_graph_step *step, uint32_t start_q11)
{
    osc_graph_machine *machine = step->machine;
    machine->position_q11 = start_q11;
    machine->phase = unpacked(start_q11);
    machine->loops_left = OSC_LOOPS_FOREVER;
    choose_members(step);
    machine->leader = (uint8_t)heaviest(machine);
}

static osc_graph_place place_of_member(const osc_graph_step *step, uint32_t member)
{
    const osc_graph_machine *machine = step->machine;
    osc_sync_clip sync;
    read_sync(step->graph, step->shown, member, &sync);
    const osc_graph_place place = {clip_of_member(step->graph, step->shown, member),
                                   (uint32_t)osc_sync_position_q11(&sync, &machine->phase), false,
                                   false};
    return place;
}

static osc_graph_place place_of_leader(const osc_graph_step *step)
{
    return place_of_member(step, step->machine->leader);
}

/* ---- time ---- */

uint32_t osc_graph_next_mark_q11(const osc_graph_step *step)
{
    const osc_phase next = {step->machine->phase.mark + 1u, 0};
    osc_sync_clip leading;
    read_sync(step->graph, step->shown, heaviest(step->machine), &leading);
    return (uint32_t)osc_sync_position_q11(&leading, &next);
}

/* The step of a clip while the phase moves on, by at most one mark. */
static osc_step step_of_clip(const osc_sync_clip *sync, const osc_phase *from, const osc_phase *to)
{
    osc_step step = {(uint32_t)osc_sync_position_q11(sync, from),
                     (uint32_t)osc_sync_position_q11(sync, to), 0, false};
    if (step.to_q11 < step.from_q11 || (step.to_q11 == step.from_q11 && to->mark != from->mark))
        step.wraps = 1;
    return step;
}

/* The displacement of a character by a stride from mark to mark. */
static int32_t stride_q20(uint32_t length_q20, const osc_phase *from, const osc_phase *to)
{
    uint32_t strides_q20 = ((to->mark - from->mark) << 20) + to->fraction_q20;
    return osc_mul_q20((int32_t)length_q20, (int32_t)(strides_q20 - from->fraction_q20));
}

/* The displacement of the character by one member. */
static osc_placement moved_by(const osc_graph_step *step, uint32_t member,
                              const osc_sync_clip *sync, const osc_phase *from)
{
    const osc_graph_machine *machine = step->machine;
    const osc_phase *to = &machine->phase;
    osc_placement moved = {0, 0, 0, 0};
    uint32_t length_q20 =
        osc_graph_member(step->graph, step->shown, member, OSC_GRAPH_MEMBER_STRIDE);
    if (length_q20 != 0u) {
        moved.z = stride_q20(length_q20, from, to);
    } else if (step->graph->trajectories != 0) {
        const osc_step passed = step_of_clip(sync, from, to);
        step->code->follow(step->graph, clip_of_member(step->graph, step->shown, member), &passed,
                           &moved);
    }
    return moved;
}

osc_placement osc_graph_moved_by_blend(const osc_graph_step *step, const osc_sync_clip *syncs,
                                       uint32_t count, const osc_phase *from)
{
    const osc_graph_machine *machine = step->machine;
    osc_placement moved = moved_by(step, machine->members[0], &syncs[0], from);
    for (uint32_t i = 1; i < count; i++) {
        const osc_placement other = moved_by(step, machine->members[i], &syncs[i], from);
        osc_placement_blend(&moved, &other, added_q15(machine, i), &moved);
    }
    return moved;
}

/* Lets the heaviest member lead, where the phase has reached a mark. */
static void change_leader(const osc_graph_step *step)
{
    osc_graph_machine *machine = step->machine;
    uint32_t leader = heaviest(machine);
    if (leader == machine->leader)
        return;
    if (step->reports != 0) {
        const osc_graph_place from = place_of_leader(step), to = place_of_member(step, leader);
        step->reports->leader(step, &from, &to);
    }
    machine->leader = (uint8_t)leader;
}

void osc_graph_follow_phase(const osc_graph_step *step, const osc_phase *from)
{
    const osc_graph_machine *machine = step->machine;
    if (step->reports != 0) {
        osc_sync_clip leading;
        read_sync(step->graph, step->shown, machine->leader, &leading);
        const osc_step passed = step_of_clip(&leading, from, &machine->phase);
        step->reports->passed(step, clip_of_member(step->graph, step->shown, machine->leader),
                              &passed);
    }
    if (machine->phase.mark != from->mark)
        change_leader(step);
}

/* Lets time pass that ends before the next mark, or at it. */
static void pass_to_mark(const osc_graph_step *step, const osc_sync_clip *syncs, uint32_t count,
                         uint32_t elapsed_us)
{
    osc_graph_machine *machine = step->machine;
    osc_placement *moved = &step->character->moved;
    const osc_phase from = machine->phase;
    osc_sync_advance(&machine->phase, syncs, machine->weights_q15, count, elapsed_us);
    osc_graph_follow_phase(step, &from);
    if (step->number == 0u) {
        const osc_placement own = osc_graph_moved_by_blend(step, syncs, count, &from);
        osc_placement_join(moved, &own, moved);
    }
}

static uint32_t pass_in_blend(osc_graph_step *step, uint32_t left_us)
{
    bool stops = osc_graph_stops_at_marks(step);
    osc_graph_machine *machine = step->machine;
    osc_sync_clip syncs[OSC_GRAPH_MOST_MEMBERS];
    uint32_t elapsed_us = 0, count = osc_graph_read_members(step, syncs);
    do {
        uint32_t mark_us =
            osc_sync_time_to_mark(&machine->phase, syncs, machine->weights_q15, count);
        uint32_t us = osc_graph_earlier(left_us - elapsed_us, mark_us);
        if (stops && us == mark_us)
            step->reached_q11 = osc_graph_next_mark_q11(step);
        pass_to_mark(step, syncs, count, us);
        elapsed_us += us;
    } while (elapsed_us != left_us && step->reached_q11 == OSC_GRAPH_NOWHERE);
    return elapsed_us;
}

/* ---- the pose ---- */

static void evaluate_blend(const osc_graph_view *view, const osc_pose *pose, bool begins)
{
    const osc_graph *graph = view->character->graph;
    const osc_graph_machine *machine = view->machine;
    const osc_phase first = unpacked(machine->switch_from_q11);
    const osc_phase *phase = begins ? &first : &machine->phase;
    uint32_t clips[OSC_GRAPH_MOST_MEMBERS], count = 0;
    for (; count < OSC_GRAPH_MOST_MEMBERS && machine->weights_q15[count] != 0u; count++)
        clips[count] = clip_of_member(graph, view->state, machine->members[count]);
    for (uint32_t i = 0; i < count; i++) {
        osc_sync_clip sync;
        read_sync(graph, view->state, machine->members[i], &sync);
        const osc_graph_chosen chosen = {clips, count, i};
        osc_graph_evaluate_clip(view, &chosen, (uint32_t)osc_sync_position_q11(&sync, phase),
                                i == 0u ? pose : view->other);
        if (i != 0u)
            view->character->code->blend(graph->bank, pose, view->other, added_q15(machine, i), 0);
    }
}

const osc_graph_play osc_graph_blends = {enter_blend, place_of_leader, pass_in_blend,
                                         evaluate_blend};
