/* SPDX-License-Identifier: MIT */
/* States that blend clips, which keep step: they have one phase. As osc_graph_switching.h, with
 * these functions:
 *
 *     osc_graph_sync_of         the marks of a member; room: may be filled for it
 *     osc_graph_syncs_of        those of the members that play; room: of OSC_GRAPH_MOST_MEMBERS
 *     osc_graph_member_clip     the clip of a member
 *     osc_graph_stride_of       its stride from mark to mark, or 0 for the clip's trajectory
 *     osc_graph_member_at       the value at which only a member shows, in a blend by one number
 *     osc_graph_choose_members  weighs the members, by osc_graph_weigh_on_line if it can
 *     osc_graph_stops_at_marks  whether time stops at the marks
 *     osc_graph_move_along      moves a placement along the trajectory of a clip
 */
#ifndef OSC_GRAPH_BLENDING_H
#define OSC_GRAPH_BLENDING_H

/* ---- weights ---- */

/* Lets a member and the next one play, or only one of them. share_q15: of the next one. */
static void osc_graph_weigh_two(osc_graph_machine *machine, uint32_t member, uint32_t share_q15)
{
    uint32_t right = osc_graph_above_knee(share_q15);
    uint32_t total = osc_graph_above_knee(OSC_ONE_Q15 - share_q15) + right;
    if (right == total) { /* only the next one */
        member++;
        right = 0;
    }
    uint32_t right_q15 = right != 0u ? osc_mix_share(right, total) : 0u;
    machine->members[0] = (uint8_t)member;
    machine->members[1] = (uint8_t)(right != 0u ? member + 1u : 0u);
    machine->members[2] = 0;
    machine->weights_q15[0] = (uint16_t)(OSC_ONE_Q15 - right_q15); /* rounding included */
    machine->weights_q15[1] = (uint16_t)right_q15;
    machine->weights_q15[2] = 0;
}

/* Weighs the members on both sides of a value. */
static void osc_graph_weigh_on_line(const osc_graph_step *step, uint32_t count, int32_t value)
{
    uint32_t right = 0, share_q15 = 0;
    while (right < count && osc_graph_member_at(step, right) <= value)
        right++;
    uint32_t left = right != 0u ? right - 1u : 0u;
    if (right != 0u && right < count) {
        uint32_t from = (uint32_t)osc_graph_member_at(step, left);
        share_q15 = osc_graph_share_q15((uint32_t)value - from,
                                        (uint32_t)osc_graph_member_at(step, right) - from);
    }
    osc_graph_weigh_two(step->machine, left, share_q15);
}

/* The member with the largest weight, of equal ones the first. */
static uint32_t osc_graph_heaviest(const osc_graph_machine *machine)
{
    uint32_t found = 0;
    for (uint32_t i = 1; i < OSC_GRAPH_MOST_MEMBERS; i++)
        if (machine->weights_q15[i] > machine->weights_q15[found])
            found = i;
    return machine->members[found];
}

/* How many members play. */
static uint32_t osc_graph_playing(const osc_graph_machine *machine)
{
    uint32_t count = 0;
    while (count < OSC_GRAPH_MOST_MEMBERS && machine->weights_q15[count] != 0u)
        count++;
    return count;
}

/* ---- places ---- */

/* The phase at which a blend begins. */
static osc_phase osc_graph_unpacked(uint32_t start_q11)
{
    const osc_phase phase = {start_q11 >> OSC_GRAPH_PHASE_SHIFT,
                             start_q11 & ((1u << OSC_GRAPH_PHASE_SHIFT) - 1u)};
    return phase;
}

static void osc_graph_enter_blend(const osc_graph_step *step, uint32_t start_q11)
{
    osc_graph_machine *machine = step->machine;
    machine->position_q11 = start_q11;
    machine->phase = osc_graph_unpacked(start_q11);
    machine->loops_left = OSC_LOOPS_FOREVER;
    osc_graph_choose_members(step);
    machine->leader = (uint8_t)osc_graph_heaviest(machine);
}

static osc_graph_place osc_graph_place_of_member(const osc_graph_step *step, uint32_t member)
{
    osc_sync_clip room;
    const osc_sync_clip *sync = osc_graph_sync_of(step, member, &room);
    const osc_graph_place place = {osc_graph_member_clip(step, member),
                                   (uint32_t)osc_sync_position_q11(sync, &step->machine->phase),
                                   false, false, false};
    return place;
}

static osc_graph_place osc_graph_place_of_leader(const osc_graph_step *step)
{
    return osc_graph_place_of_member(step, step->machine->leader);
}

/* ---- time ---- */

/* Returns where the clip that will lead is at the next mark. */
static uint32_t osc_graph_mark_ahead_q11(const osc_graph_step *step)
{
    const osc_phase next = {step->machine->phase.mark + 1u, 0};
    osc_sync_clip room;
    return (uint32_t)osc_sync_position_q11(
        osc_graph_sync_of(step, osc_graph_heaviest(step->machine), &room), &next);
}

/* The step of a clip while the phase moves on, by at most one mark. */
static osc_step osc_graph_step_of_clip(const osc_sync_clip *sync, const osc_phase *from,
                                       const osc_phase *to)
{
    osc_step step = {(uint32_t)osc_sync_position_q11(sync, from),
                     (uint32_t)osc_sync_position_q11(sync, to), 0, false};
    if (step.to_q11 < step.from_q11 || (step.to_q11 == step.from_q11 && to->mark != from->mark))
        step.wraps = 1;
    return step;
}

/* The displacement of a character by a stride from mark to mark. */
static int32_t osc_graph_stride_between(uint32_t length_q20, const osc_phase *from,
                                        const osc_phase *to)
{
    uint32_t strides_q20 = ((to->mark - from->mark) << 20) + to->fraction_q20;
    return osc_mul_q20((int32_t)length_q20, (int32_t)(strides_q20 - from->fraction_q20));
}

/* Finds the displacement of the character by one member. */
static void osc_graph_moved_by(const osc_graph_step *step, uint32_t member,
                               const osc_sync_clip *sync, const osc_phase *from,
                               osc_placement *moved)
{
    const osc_phase *to = &step->machine->phase;
    uint32_t length_q20 = osc_graph_stride_of(step, member);
    moved->x = moved->y = moved->z = moved->yaw_q24 = 0;
    if (length_q20 != 0u) {
        moved->z = osc_graph_stride_between(length_q20, from, to);
    } else {
        const osc_step passed = osc_graph_step_of_clip(sync, from, to);
        osc_graph_move_along(step, osc_graph_member_clip(step, member), &passed, moved);
    }
}

/* The weight with which a member is added to those before it. */
static uint32_t osc_graph_added_q15(const osc_graph_machine *machine, uint32_t member)
{
    uint32_t total = 0;
    for (uint32_t i = 0; i <= member; i++)
        total += machine->weights_q15[i];
    if (total == OSC_ONE_Q15) /* the last, which needs no division */
        return machine->weights_q15[member];
    return osc_mix_share(machine->weights_q15[member], total);
}

/* Finds the displacement of the character by the members since the phase `from`.
 * syncs, count: of those that play. */
static void osc_graph_moved_by_members(const osc_graph_step *step, const osc_sync_clip *syncs,
                                       uint32_t count, const osc_phase *from, osc_placement *moved)
{
    const osc_graph_machine *machine = step->machine;
    osc_graph_moved_by(step, machine->members[0], &syncs[0], from, moved);
    for (uint32_t i = 1; i < count; i++) {
        osc_placement other;
        osc_graph_moved_by(step, machine->members[i], &syncs[i], from, &other);
        osc_placement_blend(moved, &other, osc_graph_added_q15(machine, i), moved);
    }
}

/* Lets the heaviest member lead, where the phase has reached a mark. */
static void osc_graph_change_leader(const osc_graph_step *step)
{
    osc_graph_machine *machine = step->machine;
    uint32_t leader = osc_graph_heaviest(machine);
    if (leader == machine->leader)
        return;
    if (osc_graph_reporting(step) != 0) {
        const osc_graph_place from = osc_graph_place_of_leader(step);
        const osc_graph_place to = osc_graph_place_of_member(step, leader);
        osc_graph_reporting(step)->leader(step, &from, &to);
    }
    machine->leader = (uint8_t)leader;
}

/* Reports the events of the leader after the phase has moved, by at most one mark, and lets the
 * heaviest member lead if it has reached that. from: the phase before. */
static void osc_graph_follow_marks(const osc_graph_step *step, const osc_phase *from)
{
    const osc_graph_machine *machine = step->machine;
    if (osc_graph_reporting(step) != 0) {
        osc_sync_clip room;
        const osc_sync_clip *leading = osc_graph_sync_of(step, machine->leader, &room);
        const osc_step passed = osc_graph_step_of_clip(leading, from, &machine->phase);
        osc_graph_reporting(step)->passed(step, osc_graph_member_clip(step, machine->leader),
                                          &passed);
    }
    if (machine->phase.mark != from->mark)
        osc_graph_change_leader(step);
}

/* Lets time pass that ends before the next mark, or at it. */
static void osc_graph_pass_to_mark(const osc_graph_step *step, const osc_sync_clip *syncs,
                                   uint32_t count, uint32_t elapsed_us)
{
    osc_graph_machine *machine = step->machine;
    osc_placement *moved = &step->character->moved;
    const osc_phase from = machine->phase;
    osc_sync_advance(&machine->phase, syncs, machine->weights_q15, count, elapsed_us);
    osc_graph_follow_marks(step, &from);
    if (step->number == 0u) {
        osc_placement own;
        osc_graph_moved_by_members(step, syncs, count, &from, &own);
        osc_placement_join(moved, &own, moved);
    }
}

static uint32_t osc_graph_pass_in_blend(osc_graph_step *step, uint32_t left_us)
{
    bool stops = osc_graph_stops_at_marks(step);
    osc_graph_machine *machine = step->machine;
    osc_sync_clip room[OSC_GRAPH_MOST_MEMBERS];
    osc_graph_choose_members(step);
    uint32_t elapsed_us = 0, count = osc_graph_playing(machine);
    const osc_sync_clip *syncs = osc_graph_syncs_of(step, count, room);
    do {
        uint32_t mark_us =
            osc_sync_time_to_mark(&machine->phase, syncs, machine->weights_q15, count);
        uint32_t us = osc_graph_earlier(left_us - elapsed_us, mark_us);
        if (stops && us == mark_us)
            step->reached_q11 = osc_graph_mark_ahead_q11(step);
        osc_graph_pass_to_mark(step, syncs, count, us);
        elapsed_us += us;
    } while (elapsed_us != left_us && step->reached_q11 == OSC_GRAPH_NOWHERE);
    return elapsed_us;
}

#endif
