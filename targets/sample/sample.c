/* SPDX-License-Identifier: MIT */
#include "sample.h"

#include "osc_ik.h"
#include "osc_mix.h"

#define TRANSITION_US 250000u
#define WALK_STEP_Q10 614 /* 0.60 m */
#define RUN_STEP_Q10 1075 /* 1.05 m */
#define TURN_Q24 69905    /* 1.5 degrees a tick */
#define FASTER_Q15 1024u  /* a tick: half a second from a walk to a run */
#define GESTURE_FADE 2u   /* weight in Q15 from a position in Q11: in eight frames to one */
#define LOOK_BEYOND_Q20 OSC_ONE_Q20 /* what is less far ahead is not looked at */

static const uint32_t feet[2] = {HERO_EVENT_LEFT_FOOT, HERO_EVENT_RIGHT_FOOT};

/* The head makes 60 % of the turn and 60 degrees at most, the neck the rest, 30 at most. */
static const osc_ik_link look_links[2] = {{HERO_JOINT_HEAD, 19661, 28378},
                                          {HERO_JOINT_NECK, OSC_ONE_Q15, 31651}};
static const osc_ik_chain look_chain = {.links = look_links,
                                        .count = 2,
                                        .forward = {0, 0, OSC_ONE_Q20},
                                        .up = {0, OSC_ONE_Q20, 0},
                                        .offset = {0, 125829, 83886}}; /* 12 cm up, 8 cm ahead */

/* ---- clips ---- */

static void seek_gaits(sample *game)
{
    (void)osc_player_seek_q11(&game->player.player,
                              osc_sync_position_q11(&game->gaits[0], &game->phase));
    (void)osc_player_seek_q11(&game->run.player,
                              osc_sync_position_q11(&game->gaits[1], &game->phase));
}

/* The pose of the state's clips, without what lies over them. */
static void evaluate(sample *game)
{
    hero_evaluate(&game->player, &game->pose);
    if (game->state != SAMPLE_MOVE || game->run_q15 == 0u)
        return;
    hero_evaluate(&game->run, &game->other);
    hero_mix_blend(&game->pose, &game->other, game->run_q15, 0);
}

/* The clips of a header are in its bank: nothing that starts one can fail. */
static void enter(sample *game, sample_state state)
{
    game->state = state;
    switch (state) {
    case SAMPLE_IDLE:
        (void)osc_player_play(&game->player.player, &game->clock, HERO_CLIP_IDLE,
                              OSC_LOOPS_AS_MADE);
        break;
    case SAMPLE_MOVE: /* from the start of both clips: in their middle, the rows before it cost */
        game->phase = (osc_phase){.mark = 0, .fraction_q20 = 0};
        game->run_q15 = 0;
        (void)osc_player_start(&game->player.player, HERO_CLIP_WALK, OSC_PLAY_LOOP);
        (void)osc_player_start(&game->run.player, HERO_CLIP_RUN, OSC_PLAY_LOOP);
        seek_gaits(game);
        break;
    case SAMPLE_LEAP:
        (void)osc_player_play(&game->player.player, &game->clock, HERO_CLIP_JUMP,
                              OSC_LOOPS_AS_MADE);
        game->counts.jumps++;
        break;
    }
    evaluate(game);
    osc_pose view = hero_pose_view(&game->pose);
    osc_transition_begin(&game->transition, &view, TRANSITION_US);
}

/* ---- states ---- */

/* A leap ends on its own; everything else is as the buttons say. */
static void choose(sample *game, uint32_t buttons)
{
    sample_state wanted = (buttons & SAMPLE_FORWARD) != 0u ? SAMPLE_MOVE : SAMPLE_IDLE;
    if (game->state == SAMPLE_LEAP) {
        if (!osc_playback_finished(&game->clock))
            return;
    } else if ((buttons & SAMPLE_JUMP) != 0u) {
        wanted = SAMPLE_LEAP;
    }
    if (wanted != game->state)
        enter(game, wanted);
}

static void count_events(sample *game, uint32_t clip, const osc_step *step)
{
    osc_event_walk walk = osc_events_passed(&hero_events, clip, step);
    for (osc_event event; osc_event_next(&walk, &event);) {
        game->counts.events++;
        game->counts.left_steps += event.name == HERO_EVENT_LEFT_FOOT;
        game->counts.right_steps += event.name == HERO_EVENT_RIGHT_FOOT;
        game->counts.landings += event.name == HERO_EVENT_LAND;
    }
}

/* Each of these moves the clips of a state by one tick and returns the metres, Q20, that the
 * character comes ahead. Walk and run are at the same step: the events of the walk are those of
 * both. */
static int32_t move(sample *game, uint32_t buttons)
{
    const bool fast = (buttons & SAMPLE_FAST) != 0u;
    if (fast && game->run_q15 < OSC_ONE_Q15)
        game->run_q15 += FASTER_Q15;
    if (!fast && game->run_q15 > 0u)
        game->run_q15 -= FASTER_Q15;
    const osc_phase before = game->phase;
    const uint16_t weights_q15[2] = {(uint16_t)(OSC_ONE_Q15 - game->run_q15),
                                     (uint16_t)game->run_q15};
    osc_sync_advance(&game->phase, game->gaits, weights_q15, 2, SAMPLE_TICK_US);
    seek_gaits(game);

    int32_t from = osc_sync_position_q11(&game->gaits[0], &before);
    int32_t to = osc_sync_position_q11(&game->gaits[0], &game->phase);
    osc_step step;
    osc_step_between(&step, from, to < from ? to + (int32_t)game->walk_end_q11 : to,
                     game->walk_end_q11, true);
    count_events(game, HERO_CLIP_WALK, &step);

    uint32_t steps_q20 =
        ((game->phase.mark - before.mark) << 20) + game->phase.fraction_q20 - before.fraction_q20;
    uint32_t length_q10 = WALK_STEP_Q10 + ((RUN_STEP_Q10 - WALK_STEP_Q10) * game->run_q15 >> 15);
    return (int32_t)(steps_q20 * length_q10 >> 10);
}

static int32_t leap(sample *game)
{
    osc_step step;
    (void)osc_player_seek_q11(&game->player.player,
                              osc_playback_step(&game->clock, SAMPLE_TICK_US, &step));
    count_events(game, HERO_CLIP_JUMP, &step);
    bool flies =
        osc_event_is_inside(&hero_events, HERO_CLIP_JUMP, game->clock.position_q11, HERO_EVENT_AIR);
    return flies ? game->pace_q20 : 0;
}

static int32_t stand(sample *game)
{
    (void)osc_player_advance(&game->player.player, &game->clock, SAMPLE_TICK_US);
    return 0;
}

/* ---- layers ---- */

/* A wave of the upper body, whose weight rises where the clip begins and falls where it ends. */
static void gesture(sample *game, uint32_t buttons)
{
    osc_playback *clock = &game->gesture_clock;
    if (!osc_playback_finished(clock)) {
        (void)osc_player_advance(&game->gesture.player, clock, SAMPLE_TICK_US);
    } else if ((buttons & SAMPLE_WAVE) != 0u) {
        (void)osc_player_play(&game->gesture.player, clock, HERO_CLIP_WAVE, 1);
        game->counts.waves++;
    }
    if (osc_playback_finished(clock))
        return;
    uint32_t behind = clock->position_q11, ahead = clock->end_q11 - behind;
    uint32_t weight_q15 = (behind < ahead ? behind : ahead) * GESTURE_FADE;
    if (weight_q15 > OSC_ONE_Q15)
        weight_q15 = OSC_ONE_Q15;
    hero_evaluate(&game->gesture, &game->other);
    hero_mix_blend(&game->pose, &game->other, weight_q15, hero_mask_upper);
}

/* Turns head and neck to a point in the world: fully where it is ahead, less to the sides, and not
 * at all beside or behind the character. */
static void look_at(sample *game, const osc_vector *look)
{
    const osc_placement *place = &game->place, turn_back = {0, 0, 0, -place->yaw_q24};
    osc_placement to = {look->x - place->x, look->y - place->y, look->z - place->z, 0};
    osc_placement_join(&turn_back, &to, &to);
    if (to.z <= LOOK_BEYOND_Q20)
        return;
    uint32_t ahead = (uint32_t)(to.z - LOOK_BEYOND_Q20);
    uint32_t aside = to.x < 0 ? 0u - (uint32_t)to.x : (uint32_t)to.x;
    for (; (ahead | aside) > 0x7fffu; ahead >>= 1)
        aside >>= 1;
    const osc_ik_look goal = {.target = {to.x, to.y, to.z},
                              .weight_q15 = osc_mix_share(ahead, ahead + aside)};
    osc_pose view = hero_pose_view(&game->pose);
    (void)osc_ik_aim(&look_chain, &goal, game->model.joints, &view);
    osc_recompose(&hero_embedded, &view, HERO_JOINT_NECK, game->model.joints);
}

/* ---- ground ---- */

static void travel(sample *game, uint32_t buttons, int32_t ahead_q20)
{
    osc_placement step = {0, 0, ahead_q20, 0}, lifted = {0, 0, 0, 0};
    if (game->state != SAMPLE_LEAP) {
        game->pace_q20 = ahead_q20;
        if ((buttons & SAMPLE_LEFT) != 0u)
            step.yaw_q24 += TURN_Q24;
        if ((buttons & SAMPLE_RIGHT) != 0u)
            step.yaw_q24 -= TURN_Q24;
    } else {
        osc_trajectory_at(&hero_trajectories, HERO_CLIP_JUMP, game->clock.position_q11, &lifted);
    }
    osc_placement_join(&game->ground, &step, &game->ground);
    osc_placement_join(&game->ground, &lifted, &game->place);
    game->counts.travelled_q20 += (uint32_t)ahead_q20;
}

/* ---- the game ---- */

void sample_tick(sample *game, uint32_t buttons, const osc_vector *look)
{
    int32_t ahead_q20 = 0;
    choose(game, buttons);
    switch (game->state) {
    case SAMPLE_IDLE:
        ahead_q20 = stand(game);
        break;
    case SAMPLE_MOVE:
        ahead_q20 = move(game, buttons);
        break;
    case SAMPLE_LEAP:
        ahead_q20 = leap(game);
        break;
    }
    travel(game, buttons, ahead_q20);

    evaluate(game);
    osc_pose view = hero_pose_view(&game->pose);
    (void)osc_transition_apply(&game->transition, &view, SAMPLE_TICK_US);
    gesture(game, buttons);
    hero_compose(&game->pose, &game->model);
    look_at(game, look);
}

static int32_t open_all(sample *game)
{
    const osc_bank *bank = &hero_embedded;
    hero_player *const players[] = {&game->player, &game->run, &game->gesture};
    int32_t status = osc_sync_open(&game->gaits[0], &hero_events, HERO_CLIP_WALK, feet, 2);
    if (status == OSC_OK)
        status = osc_sync_open(&game->gaits[1], &hero_events, HERO_CLIP_RUN, feet, 2);
    for (uint32_t i = 0; i < 3u && status == OSC_OK; i++)
        status = hero_player_init(players[i], bank);
    if (status != OSC_OK)
        return status;
    return osc_transition_init(&game->transition, bank, game->transition_memory,
                               sizeof game->transition_memory / sizeof *game->transition_memory);
}

int32_t sample_start(sample *game)
{
    int32_t status = open_all(game);
    if (status != OSC_OK)
        return status;
    osc_clip_info walk;
    (void)osc_clip_describe(&hero_embedded, HERO_CLIP_WALK, &walk);
    game->walk_end_q11 = (walk.frame_count - 1u) << 11;
    game->gesture_clock.loops_left = 0;
    game->run_q15 = 0;
    game->pace_q20 = 0;
    game->ground = game->place = (osc_placement){0, 0, 0, 0};
    game->counts = (sample_counts){0, 0, 0, 0, 0, 0, 0};
    enter(game, SAMPLE_IDLE);
    return OSC_OK;
}
