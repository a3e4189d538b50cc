/* Straight code for the sample's graph: what a generator would emit. */
#include "hero_graph.h"
#include "osc_ik.h"
#include "osc_mix.h"
#include "osc_motion.h"
#include "arithmetic/osc_direction.h"
#include "arithmetic/osc_fixed.h"
#include "arithmetic/osc_unit.h"
#include "motion/osc_section.h"
#include "graph/osc_graph_step.h"

#define NO_SWITCH OSC_GRAPH_NO_SWITCH
#define WAIT_US 150000u
#define OVER_US 250000u
#define WALK_Q16 13107
#define RATE 0 
#define LEAP_END 110592u
#define WAVE_END 147456u
#define FADE_US 267000u

static const osc_sync_clip syncs[2] = {{{0, 30720, 0, 0, 0, 0, 0, 0}, 61440, 33333, 2},
                                       {{0, 21504, 0, 0, 0, 0, 0, 0}, 43008, 33333, 2}};
static const uint16_t hero_graph_mask_0[HERO_JOINT_COUNT] = {
    0, 0, 10923, 21845, 32768, 32768, 32768, 32768, 32768, 32768, 32768, 32768, 0, 0, 0, 0, 0, 0,
};
static const osc_ik_link look_links[2] = {{5, 19661, 28378}, {4, 32768, 31651}};
static const osc_ik_chain look_chain = {look_links, 2, {0, 0, 1048576}, {0, 1048576, 0}, {0, 125829, 83886}};

static uint32_t share_q15(uint32_t part_us, uint32_t whole_us)
{
    for (; whole_us > 0xffffu; whole_us >>= 1)
        part_us >>= 1;
    return osc_mix_share(part_us, whole_us);
}

/* ---- events ---- */
static void report(hero_graph *hero, uint32_t name, uint32_t state, uint32_t what)
{
    if (hero->event_count == HERO_GRAPH_EVENTS)
        return;
    const osc_graph_event event = {(uint16_t)name, (uint8_t)state, (uint8_t)what};
    hero->events[hero->event_count++] = event;
}

static void report_passed(hero_graph *hero, uint32_t clip, const osc_step *passed, uint32_t state)
{
    osc_event_walk walk = osc_events_passed(&hero_events, clip, passed);
    for (osc_event event; osc_event_next(&walk, &event);)
        report(hero, event.name, state,
               event.phase == OSC_EVENT_ONCE ? OSC_EVENT_ONCE : event.inside ? OSC_EVENT_BEGIN : OSC_EVENT_END);
}

static void report_here(hero_graph *hero, uint32_t clip, uint32_t position_q11, uint32_t state)
{
    const osc_step here = {position_q11, position_q11, 0, true};
    report_passed(hero, clip, &here, state);
}

/* ---- clocks ---- */
/* position_per_us of 30 Hz clips: one rate in the bank */
static uint32_t per_us_q32(void) { return 263882791u; }

static uint32_t pass_clip(osc_graph_machine *m, uint32_t end_q11, uint32_t left_us, bool stops, osc_step *passed)
{
    osc_playback clock, before;
    uint32_t time_us;
    clock.speed_q16 = OSC_ONE_Q16;
    clock.position_q11 = m->position_q11;
    clock.loops_left = m->loops_left;
    clock.paused = false;
    clock.time_fraction_q16 = m->time_fraction_q16;
    clock.fraction_q32 = m->fraction_q32;
    clock.end_q11 = end_q11;
    clock.position_per_us_q32 = per_us_q32();
    before = clock;
    (void)osc_playback_step(&clock, left_us, passed);
    if (stops && (passed->ended || passed->wraps != 0) && osc_playback_time_to(&before, end_q11, &time_us) &&
        time_us <= left_us) {
        left_us = time_us != 0u ? time_us : 1u;
        clock = before;
        (void)osc_playback_step(&clock, left_us, passed);
    }
    m->position_q11 = clock.position_q11;
    m->loops_left = clock.loops_left;
    m->time_fraction_q16 = clock.time_fraction_q16;
    m->fraction_q32 = clock.fraction_q32;
    return left_us;
}

static uint32_t time_left_of_wave(const osc_graph_machine *m)
{
    osc_playback clock;
    uint32_t time_us;
    if (m->loops_left == 0u)
        return 0;
    clock.speed_q16 = OSC_ONE_Q16;
    clock.position_q11 = m->position_q11;
    clock.loops_left = m->loops_left;
    clock.paused = false;
    clock.time_fraction_q16 = m->time_fraction_q16;
    clock.fraction_q32 = m->fraction_q32;
    clock.end_q11 = WAVE_END;
    clock.position_per_us_q32 = per_us_q32();
    return osc_playback_time_to(&clock, WAVE_END, &time_us) ? time_us : 0xffffffffu;
}

/* ---- the blend move ---- */
static void weigh_move(osc_graph_machine *m, int32_t speed)
{
    uint32_t right_q15 = 0, share;
    if (speed >= 196608)
        right_q15 = OSC_ONE_Q15;
    else if (speed >= 78643) {
        uint32_t part = (uint32_t)speed - 78643u;
        right_q15 = osc_mix_share(part >> 1, (196608u - 78643u) >> 1);
    }
    uint32_t left_q15 = OSC_ONE_Q15 - right_q15;
    m->members[2] = 0;
    m->weights_q15[2] = 0;
    m->members[1] = 0;
    m->weights_q15[1] = 0;
    if (left_q15 <= OSC_GRAPH_KNEE_Q15 || right_q15 <= OSC_GRAPH_KNEE_Q15) {
        m->members[0] = right_q15 > left_q15;
        m->weights_q15[0] = OSC_ONE_Q15;
        return;
    }
    share = osc_mix_share(right_q15 - OSC_GRAPH_KNEE_Q15, OSC_ONE_Q15 - 2u * OSC_GRAPH_KNEE_Q15);
    m->members[0] = 0;
    m->members[1] = 1;
    m->weights_q15[1] = (uint16_t)share;
    m->weights_q15[0] = (uint16_t)(OSC_ONE_Q15 - share);
}

static uint32_t heaviest(const osc_graph_machine *m)
{
    return m->weights_q15[1] > m->weights_q15[0] ? m->members[1] : m->members[0];
}

static int32_t stride_q20(uint32_t member, const osc_phase *from, const osc_phase *to)
{
    uint32_t strides_q20 = ((to->mark - from->mark) << 20) + to->fraction_q20 - from->fraction_q20;
    return osc_mul_q20(member != 0u ? 1101005 : 629146, (int32_t)strides_q20);
}

static void pass_move(hero_graph *hero, osc_graph_machine *m, uint32_t left_us)
{
    weigh_move(m, hero->now.slews[0].value);
    uint32_t count = m->weights_q15[1] != 0u ? 2u : 1u;
    const osc_sync_clip *clips = count == 2u ? syncs : &syncs[m->members[0]];
    do {
        uint32_t us = osc_graph_earlier(left_us, osc_sync_time_to_mark(&m->phase, clips, m->weights_q15, count));
        const osc_phase from = m->phase;
        osc_sync_advance(&m->phase, clips, m->weights_q15, count, us);
        const osc_sync_clip *leading = &syncs[m->leader];
        osc_step passed = {(uint32_t)osc_sync_position_q11(leading, &from),
                           (uint32_t)osc_sync_position_q11(leading, &m->phase), 0, false};
        if (passed.to_q11 < passed.from_q11 || (passed.to_q11 == passed.from_q11 && m->phase.mark != from.mark))
            passed.wraps = 1;
        report_passed(hero, HERO_CLIP_WALK + m->leader, &passed, HERO_STATE_MOVE);
        if (m->phase.mark != from.mark)
            m->leader = (uint8_t)heaviest(m);
        osc_placement own = {0, 0, stride_q20(m->members[0], &from, &m->phase), 0};
        if (count == 2u) {
            const osc_placement other = {0, 0, stride_q20(1, &from, &m->phase), 0};
            osc_placement_blend(&own, &other, m->weights_q15[1], &own);
        }
        hero->moved.z += own.z;
        left_us -= us;
    } while (left_us != 0u);
}

/* ---- the base ---- */
static void enter(hero_graph *hero, osc_graph_machine *m, uint32_t state)
{
    m->state = m->shown = (uint8_t)state;
    m->begun = false;
    m->state_us = 0;
    m->position_q11 = m->fraction_q32 = 0;
    m->time_fraction_q16 = 0;
    m->phase.mark = m->phase.fraction_q20 = 0;
    m->loops_left = state == HERO_STATE_LEAP || state == HERO_STATE_GESTURE_WAVE ? 1u : OSC_LOOPS_FOREVER;
    if (state == HERO_STATE_MOVE) {
        weigh_move(m, hero->now.slews[0].value);
        m->leader = (uint8_t)heaviest(m);
    }
    m->switch_from_q11 = 0;
}

static void leave_base(hero_graph *hero, osc_graph_machine *m)
{
    if (!m->begun)
        return;
    if (m->state == HERO_STATE_MOVE) {
        report_here(hero, HERO_CLIP_WALK + m->leader, (uint32_t)osc_sync_position_q11(&syncs[m->leader], &m->phase),
                    HERO_STATE_MOVE);
    } else if (m->state == HERO_STATE_LEAP) {
        if (m->loops_left != 0u)
            report_here(hero, HERO_CLIP_JUMP, m->position_q11, HERO_STATE_LEAP);
        osc_event_spans spans = osc_events_around(&hero_events, HERO_CLIP_JUMP, m->position_q11);
        for (osc_event event; osc_event_next_span(&spans, &event);)
            report(hero, event.name, HERO_STATE_LEAP, OSC_EVENT_END | OSC_GRAPH_EVENT_CUT);
    }
}

static bool is_pending(const hero_graph *hero, uint32_t wait, uint32_t time_us)
{
    uint32_t age_us = hero->now.ages_us[wait];
    return age_us != OSC_GRAPH_NOT_PENDING && age_us + time_us <= WAIT_US;
}

/* The next state of the base, or HERO_STATE_COUNT. */
static uint32_t next_base(hero_graph *hero, const osc_graph_machine *m, uint32_t entered, uint32_t time_us)
{
    bool walks = hero->set.speed_q16 >= WALK_Q16;
    if (m->state == HERO_STATE_LEAP) {
        if (m->loops_left != 0u)
            return HERO_STATE_COUNT;
        if (walks && (entered & 1u << HERO_STATE_MOVE) == 0u)
            return HERO_STATE_MOVE;
        return (entered & 1u << HERO_STATE_IDLE) == 0u ? HERO_STATE_IDLE : HERO_STATE_COUNT;
    }
    if (is_pending(hero, 0, time_us) && (entered & 1u << HERO_STATE_LEAP) == 0u) {
        hero->now.ages_us[0] = OSC_GRAPH_NOT_PENDING;
        return HERO_STATE_LEAP;
    }
    uint32_t to = walks ? HERO_STATE_MOVE : HERO_STATE_IDLE;
    return to != m->state && (entered & 1u << to) == 0u ? to : HERO_STATE_COUNT;
}

static void switch_base(hero_graph *hero, osc_graph_machine *m, uint32_t state, uint32_t over_us)
{
    leave_base(hero, m);
    enter(hero, m, state);
    m->switch_us = over_us;
    hero->now.graph.switches++;
}

static void advance_base(hero_graph *hero, uint32_t elapsed_us)
{
    osc_graph_machine *m = &hero->now.machines[0];
    uint32_t left_us = elapsed_us, state;
    if (hero->now.graph.go_state < HERO_STATE_GESTURE_NONE) {
        state = hero->now.graph.go_state;
        hero->now.graph.go_state = OSC_GRAPH_NONE;
        switch_base(hero, m, state, hero->now.graph.go_us);
    }
    do {
        uint32_t entered = 0, us = left_us;
        while (hero->now.graph.switches < 4u &&
               (state = next_base(hero, m, entered, elapsed_us - left_us)) != HERO_STATE_COUNT) {
            switch_base(hero, m, state, OVER_US);
            entered |= 1u << state;
        }
        if (left_us == 0u)
            break;
        m->begun = true;
        if (m->state == HERO_STATE_MOVE) {
            pass_move(hero, m, us);
        } else if (m->state == HERO_STATE_IDLE) {
            osc_step passed;
            (void)pass_clip(m, 147456u, us, false, &passed);
        } else {
            osc_step passed;
            us = pass_clip(m, LEAP_END, us, hero->now.graph.switches < 4u, &passed);
            report_passed(hero, HERO_CLIP_JUMP, &passed, HERO_STATE_LEAP);
            if (!osc_step_is_empty(&passed)) {
                osc_motion motion;
                osc_motion_start(&motion, &hero_trajectories, HERO_CLIP_JUMP, passed.from_q11, &hero->moved);
                osc_motion_follow(&motion, &passed);
                hero->moved = motion.now;
            }
        }
        m->state_us = osc_graph_earlier(m->state_us + us, OSC_GRAPH_TIME_MOST_US);
        left_us -= us;
    } while (left_us != 0u);
}

/* ---- the layer gesture ---- */
static void switch_gesture(hero_graph *hero, osc_graph_machine *m, uint32_t state)
{
    if (m->begun) {
        if (m->loops_left != 0u)
            report_here(hero, HERO_CLIP_WAVE, m->position_q11, HERO_STATE_GESTURE_WAVE);
    }
    if (state == HERO_STATE_GESTURE_WAVE) {
        enter(hero, m, state);
        m->switch_us = 0;
    } else {
        m->state = HERO_STATE_GESTURE_NONE;
        m->begun = false;
        m->state_us = 0;
    }
}

static void advance_gesture(hero_graph *hero, uint32_t elapsed_us)
{
    osc_graph_machine *m = &hero->now.machines[1];
    uint32_t left_us = elapsed_us, switches = 0;
    if (hero->now.graph.go_state < HERO_STATE_COUNT) {
        uint32_t state = hero->now.graph.go_state;
        hero->now.graph.go_state = OSC_GRAPH_NONE;
        switch_gesture(hero, m, state);
        switches++;
    }
    do {
        uint32_t entered = 0, us = left_us;
        while (switches < 4u) {
            uint32_t to = m->state;
            if (to == HERO_STATE_GESTURE_WAVE) {
                if (m->loops_left == 0u && (entered & 1u) == 0u)
                    to = HERO_STATE_GESTURE_NONE;
            } else if (is_pending(hero, 1, elapsed_us - left_us) && (entered & 2u) == 0u) {
                hero->now.ages_us[1] = OSC_GRAPH_NOT_PENDING;
                to = HERO_STATE_GESTURE_WAVE;
            }
            if (to == m->state)
                break;
            switch_gesture(hero, m, to);
            entered |= to == HERO_STATE_GESTURE_NONE ? 1u : 2u;
            switches++;
        }
        if (left_us == 0u)
            break;
        bool plays = m->state == HERO_STATE_GESTURE_WAVE;
        if (plays)
            m->begun = true;
        else if (m->envelope_us != 0u)
            us = osc_graph_earlier(us, m->envelope_us);
        if (plays || m->envelope_us != 0u) {
            osc_step passed;
            us = pass_clip(m, WAVE_END, us, plays && switches < 4u, &passed);
            if (plays)
                report_passed(hero, HERO_CLIP_WAVE, &passed, HERO_STATE_GESTURE_WAVE);
            uint32_t envelope_us = m->envelope_us;
            if (plays)
                envelope_us = osc_graph_earlier(envelope_us + us, FADE_US);
            else
                envelope_us -= osc_graph_earlier(envelope_us, us);
            if (envelope_us != 0u)
                envelope_us = osc_graph_earlier(envelope_us, time_left_of_wave(m));
            m->envelope_us = envelope_us;
        }
        m->state_us = osc_graph_earlier(m->state_us + us, OSC_GRAPH_TIME_MOST_US);
        left_us -= us;
    } while (left_us != 0u);
    hero->now.graph.switches = (uint8_t)(hero->now.graph.switches + switches);
    m->weight_q15 = m->envelope_us != 0u ? (uint16_t)share_q15(m->envelope_us, FADE_US) : 0u;
}

/* ---- parameters ---- */
static uint32_t time_of_speed(int32_t value)
{
    uint32_t share_q20 = (uint32_t)osc_ratio((uint32_t)value, 196608u);
    return osc_mulhi_u32(900000u << 6, share_q20 << 6);
}

static void move_speed(hero_graph *hero, uint32_t elapsed_us)
{
    osc_graph_slew *slew = &hero->now.slews[0];
    int32_t to = hero->set.speed_q16;
    if (slew->at_us == OSC_GRAPH_ARRIVED) {
        if (slew->value == to)
            return;
        slew->at_us = time_of_speed(slew->value);
    }
    uint32_t at_us = slew->at_us, to_us = time_of_speed(to);
    if (to_us > at_us)
        at_us += osc_graph_earlier(elapsed_us, to_us - at_us);
    else
        at_us -= osc_graph_earlier(elapsed_us, at_us - to_us);
    if (at_us == to_us) {
        slew->at_us = OSC_GRAPH_ARRIVED;
        slew->value = to;
        return;
    }
    slew->at_us = at_us;
    uint32_t share_q20 = (uint32_t)osc_ratio(at_us, 900000u);
    slew->value = (int32_t)(share_q20 >= 1u << 20 ? 196608u : osc_mulhi_u32(196608u, share_q20 << 12));
}

static void age(uint32_t *age_us, uint32_t elapsed_us)
{
    if (*age_us != OSC_GRAPH_NOT_PENDING)
        *age_us = *age_us + elapsed_us <= WAIT_US ? *age_us + elapsed_us : OSC_GRAPH_NOT_PENDING;
}

/* ---- the pose ---- */
static void evaluate_clip(hero_player *player, uint32_t clip, uint32_t position_q11, hero_pose *pose)
{
    if (player->player.clip == 0 || player->player.clip_number != clip)
        (void)osc_player_start(&player->player, clip, OSC_PLAY_ONCE);
    (void)osc_player_seek_q11(&player->player, (int32_t)position_q11);
    hero_evaluate(player, pose);
}

static void evaluate_base(hero_graph *hero, const osc_pose *view, const osc_phase *phase, uint32_t position_q11)
{
    const osc_graph_machine *m = &hero->now.machines[0];
    if (m->state != HERO_STATE_MOVE) {
        evaluate_clip(&hero->players[0], m->state == HERO_STATE_IDLE ? HERO_CLIP_IDLE : HERO_CLIP_JUMP, position_q11,
                      &hero->pose);
        return;
    }
    uint32_t first = m->members[0];
    evaluate_clip(&hero->players[first], HERO_CLIP_WALK + first,
                  (uint32_t)osc_sync_position_q11(&syncs[first], phase), &hero->pose);
    if (m->weights_q15[1] != 0u) {
        const osc_pose other = hero_pose_view(&hero->others[0]);
        evaluate_clip(&hero->players[1], HERO_CLIP_RUN, (uint32_t)osc_sync_position_q11(&syncs[1], phase),
                      &hero->others[0]);
        osc_mix_blend(&hero_embedded, view, &other, m->weights_q15[1], 0);
    }
}

static void evaluate(hero_graph *hero, const osc_pose *view, uint32_t elapsed_us)
{
    static const osc_phase start = {0, 0};
    osc_graph_machine *m = &hero->now.machines[0];
    osc_transition transition = {&hero_embedded, hero->now.transition_memory, hero->now.transitions[0]};
    if (m->switch_us != NO_SWITCH) {
        if (m->switch_us != 0u)
            evaluate_base(hero, view, &start, 0);
        osc_transition_begin(&transition, view, m->switch_us);
        m->switch_us = NO_SWITCH;
    }
    evaluate_base(hero, view, &m->phase, m->position_q11);
    (void)osc_transition_apply(&transition, view, elapsed_us);
    hero->now.transitions[0] = transition.state;
    m = &hero->now.machines[1];
    m->switch_us = NO_SWITCH;
    if (m->weight_q15 != 0u) {
        const osc_pose layer = hero_pose_view(&hero->others[0]);
        evaluate_clip(&hero->players[2], HERO_CLIP_WAVE, m->position_q11, &hero->others[0]);
        osc_mix_blend(&hero_embedded, view, &layer, m->weight_q15, hero_graph_mask_0);
    }
}

/* ---- the look ---- */
static int32_t moved_towards(int32_t from, int32_t to, uint32_t share)
{
    return osc_add(from, osc_mul_q20(osc_sub(to, from), (int32_t)(share << 5)));
}

static void look(hero_graph *hero, const osc_pose *view, osc_matrix *model, uint32_t elapsed_us)
{
    osc_graph_look_state *state = &hero->now.looks[0];
    const osc_vector *given = &hero->set.look;
    const osc_placement *place = &hero->now.graph.place;
    if (state->envelope_us == 0u) {
        state->point = *given;
    } else if (state->point.x != given->x || state->point.y != given->y || state->point.z != given->z) {
        uint32_t share = share_q15(elapsed_us, elapsed_us + 100000u);
        state->point.x = moved_towards(state->point.x, given->x, share);
        state->point.y = moved_towards(state->point.y, given->y, share);
        state->point.z = moved_towards(state->point.z, given->z, share);
    }
    const osc_placement turn_back = {0, 0, 0, osc_sub(0, place->yaw_q24)};
    osc_placement to = {osc_sub(state->point.x, place->x), osc_sub(state->point.y, place->y),
                        osc_sub(state->point.z, place->z), 0};
    osc_placement_join(&turn_back, &to, &to);
    const int32_t *m = model[5].m;
    int32_t there[3] = {osc_sub(to.x, m[3]), osc_sub(to.y, m[7]), osc_sub(to.z, m[11])};
    int32_t ahead[3] = {m[2], m[6], m[10]};
    (void)osc_make_direction(there);
    (void)osc_make_direction(ahead);
    int32_t cosine = osc_dot3_q20(there[0], ahead[0], there[1], ahead[1], there[2], ahead[2]);
    if (cosine >= 0)
        state->envelope_us += osc_graph_earlier(elapsed_us, 200000u - state->envelope_us);
    else if (cosine < -182083)
        state->envelope_us -= osc_graph_earlier(elapsed_us, state->envelope_us);
    uint32_t weight = share_q15(state->envelope_us, 200000u);
    if (weight == 0u)
        return;
    const osc_ik_look goal = {{to.x, to.y, to.z}, {0, 0, 0}, weight};
    (void)osc_ik_aim(&look_chain, &goal, model, view);
    osc_recompose(&hero_embedded, view, 4, model);
}

/* ---- the step ---- */
int32_t hero_graph_start(hero_graph *hero, const osc_bank *bank)
{
    static const hero_graph_now none;
    static const hero_graph_set first_values;
    static const osc_placement origin;
    int32_t status = OSC_OK;
    for (uint32_t i = 0; i < 3u && status == OSC_OK; i++)
        status = hero_player_init(&hero->players[i], bank);
    if (status != OSC_OK)
        return status;
    if (bank->words != hero_bank)
        return OSC_ERROR_LAYOUT;
    hero->set = first_values;
    hero->moved = origin;
    hero->event_count = hero->next_event = 0;
    hero->now = none;
    hero->now.graph.go_state = OSC_GRAPH_NONE;
    hero->now.ages_us[0] = hero->now.ages_us[1] = OSC_GRAPH_NOT_PENDING;
    hero->now.slews[0].at_us = OSC_GRAPH_ARRIVED;
    hero->now.machines[0].loops_left = OSC_LOOPS_FOREVER;
    hero->now.machines[0].switch_us = hero->now.machines[1].switch_us = NO_SWITCH;
    hero->now.machines[1].state = hero->now.machines[1].shown = HERO_STATE_GESTURE_NONE;
    return OSC_OK;
}

void hero_graph_step(hero_graph *hero, uint32_t elapsed_us, hero_model *model)
{
    osc_pose view = hero_pose_view(&hero->pose);
    const osc_placement nowhere = {0, 0, 0, 0};
    uint32_t us = osc_graph_earlier(elapsed_us, 250000u);
    hero->moved = nowhere;
    hero->event_count = hero->next_event = 0;
    hero->now.graph.switches = 0;
    hero->set.speed_q16 = hero->set.speed_q16 < 0 ? 0 : hero->set.speed_q16 > 196608 ? 196608 : hero->set.speed_q16;
    move_speed(hero, us);
    if (hero->set.jump)
        hero->now.ages_us[0] = 0;
    if (hero->set.wave)
        hero->now.ages_us[1] = 0;
    hero->set.jump = hero->set.wave = false;
    advance_base(hero, us);
    advance_gesture(hero, us);
    age(&hero->now.ages_us[0], us);
    age(&hero->now.ages_us[1], us);
    osc_placement *place = &hero->now.graph.place;
    if ((hero->moved.x | hero->moved.y | hero->moved.z | hero->moved.yaw_q24) != 0)
        osc_placement_join(place, &hero->moved, place);
    evaluate(hero, &view, elapsed_us);
    hero_compose(&hero->pose, model);
    look(hero, &view, model->joints, us);
}

bool hero_graph_next_event(hero_graph *character, osc_graph_event *event)
{
    if (character->next_event == character->event_count)
        return false;
    *event = character->events[character->next_event++];
    return true;
}

bool hero_graph_in(const hero_graph *character, uint32_t state)
{
    return character->now.machines[state >= 3u].state == state;
}

int32_t hero_graph_go(hero_graph *character, uint32_t state, uint32_t over_us)
{
    if (state >= HERO_STATE_COUNT)
        return OSC_ERROR_NOT_FOUND;
    character->now.graph.go_state = (uint16_t)state;
    character->now.graph.go_us = osc_graph_earlier(over_us, OSC_TRANSITION_MAX_US);
    return OSC_OK;
}

void hero_graph_appear(hero_graph *character, const osc_placement *place)
{
    static const osc_transition_state none;
    character->now.machines[0].switch_us = character->now.machines[1].switch_us = NO_SWITCH;
    character->now.transitions[0] = none;
    character->now.looks[0].envelope_us = 0;
    character->now.graph.place = *place;
}

const char *const hero_state_names[HERO_STATE_COUNT] = {
    "idle", "leap", "move", "gesture.none", "gesture.wave",
};
