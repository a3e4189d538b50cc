/* libFuzzer target: any bytes as a bank, for what games do with its clips and poses: events, steps
 * that keep sync, trajectories, mixes, mirrors, transitions, limbs, shared rows and crowds. Nothing
 * reads outside the bank or writes outside of what it was given, and what the headers promise of
 * every input holds. */
#include "bank/osc_internal.h"
#include "bank_fuzzer.h"
#include "osc_crowd.h"
#include "osc_ik.h"
#include "osc_mix.h"
#include "osc_motion.h"

#include <stdlib.h>
#include <string.h>

enum {
    MAX_CLIPS = 3,
    MAX_FRAMES = 64, /* of a clip that is played: those behind may be dear to reach */
    MAX_LOOPS = 4,   /* that a step passes */
    STEPS = 6,
    TICKS = 4,
    MEMBERS = 3,
    TRANSFORM = 3 /* codec: damaged banks may show two poses between its segments */
};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* ---- events, trajectories, sync ---- */

/* A hash of all fields of the events of a step. */
static uint32_t passed(const osc_events *events, uint32_t clip, const osc_step *step, uint32_t hash)
{
    osc_event_walk walk = osc_events_passed(events, clip, step);
    for (osc_event event; osc_event_next(&walk, &event);) {
        const uint32_t words[] = {event.name, (uint32_t)event.value, event.position_q11,
                                  (uint32_t)event.phase};
        hash = osc_hash_words(hash, words, 4);
    }
    return hash;
}

/* A step, and the same in two parts: equal events, and equal root motion. */
static void cut_step(const osc_events *events, const osc_trajectories *trajectories, uint32_t clip,
                     uint32_t end_q11)
{
    uint32_t most = end_q11 < 1u << 26 ? MAX_LOOPS * (end_q11 + 1u) : 1u << 28;
    int32_t from = (int32_t)noise_below(most) - (int32_t)(most / 2u),
            to = (int32_t)noise_below(most);
    int32_t between = to > from ? from + (int32_t)noise_below((uint32_t)(to - from))
                                : from - (int32_t)noise_below((uint32_t)(from - to) + 1u);
    bool loop = (next_noise() & 3u) != 0u;
    osc_step whole, first, second;
    osc_step_between(&whole, from, to, end_q11, loop);
    osc_step_between(&first, from, between, end_q11, loop);
    osc_step_between(&second, between, to, end_q11, loop);
    uint32_t hash = passed(events, clip, &whole, OSC_HASH_START);
    uint32_t parts = passed(events, clip, &first, OSC_HASH_START);
    parts = passed(events, clip, &second, parts);
    if (loop && hash != parts)
        fail("events that depend on how a step is cut");

    const osc_placement start = {(int32_t)next_noise(), (int32_t)next_noise(),
                                 (int32_t)next_noise(), (int32_t)next_noise()};
    osc_motion one, other;
    osc_motion_start(&one, trajectories, clip, whole.from_q11, &start);
    other = one;
    osc_motion_follow(&one, &whole);
    osc_motion_follow(&other, &first);
    osc_motion_follow(&other, &second);
    if (memcmp(&one.now, &other.now, sizeof one.now) != 0)
        fail("a displacement that depends on how a step is cut");
    osc_matrix placed;
    osc_placement_matrix(&one.now, &placed);
}

static void ask_spans(const osc_events *events, uint32_t clip, uint32_t position_q11)
{
    osc_event_spans spans = osc_events_around(events, clip, position_q11);
    for (osc_event event; osc_event_next_span(&spans, &event);)
        if (!osc_event_is_inside(events, clip, position_q11, event.name))
            fail("a span around a position that is not in it");
}

static void keep_step(const osc_events *events, uint32_t clip, uint32_t end_q11)
{
    const uint32_t names[] = {noise_below(4), noise_below(4)};
    osc_sync_clip sync;
    if (osc_sync_open(&sync, events, clip, names, 1u + noise_below(2)) != OSC_OK)
        return;
    osc_phase phase = osc_sync_phase(&sync, end_q11 != 0u ? noise_below(end_q11) : 0u);
    const uint16_t weights[] = {OSC_ONE_Q15};
    for (uint32_t i = 0; i < TICKS; i++) {
        osc_sync_advance(&phase, &sync, weights, 1, next_noise() >> noise_below(32));
        int32_t position = osc_sync_position_q11(&sync, &phase);
        if (position < 0 || (uint32_t)position > end_q11)
            fail("a position outside of its clip");
    }
}

static void follow_clips(const osc_bank *bank)
{
    osc_events events;
    osc_trajectories trajectories;
    (void)osc_events_open(&events, bank);
    (void)osc_trajectories_open(&trajectories, bank);
    uint32_t clips = bank->clip_count < MAX_CLIPS ? bank->clip_count + 1u : MAX_CLIPS;
    for (uint32_t clip = 0; clip < clips; clip++) { /* one that is not there, too */
        osc_clip_info info = {.frame_count = 1u};
        (void)osc_clip_describe(bank, clip, &info);
        uint32_t end_q11 = (info.frame_count - 1u) << 11;
        for (uint32_t i = 0; i < STEPS; i++) {
            cut_step(&events, &trajectories, clip, end_q11);
            ask_spans(&events, clip, end_q11 != 0u ? noise_below(end_q11) : 0u);
        }
        osc_placement start;
        osc_trajectory_start(&trajectories, clip, &start);
        keep_step(&events, clip, end_q11);
    }
}

/* ---- poses ---- */

typedef struct stage {
    const osc_bank *bank;
    osc_player player;
    int32_t *memory;
    osc_pose pose, with, kept;
    uint16_t *mask;
    osc_matrix *model, *again;
    uint32_t clips[MAX_CLIPS], clip_count; /* short enough to play */
} stage;

static bool are_equal(const stage *s, const osc_pose *a, const osc_pose *b)
{
    size_t joints = s->bank->joint_count;
    return memcmp(a->rotations, b->rotations, joints * sizeof *a->rotations) == 0 &&
           memcmp(a->translations, b->translations, joints * sizeof *a->translations) == 0 &&
           (a->scales == 0 || memcmp(a->scales, b->scales, joints * sizeof *a->scales) == 0);
}

static void copy_pose(const stage *s, const osc_pose *from, const osc_pose *to)
{
    size_t joints = s->bank->joint_count;
    memcpy(to->rotations, from->rotations, joints * sizeof *to->rotations);
    memcpy(to->translations, from->translations, joints * sizeof *to->translations);
    if (to->scales != 0)
        memcpy(to->scales, from->scales, joints * sizeof *to->scales);
}

/* A pose of the joints that a clip moves. */
static void show(stage *s, const osc_pose *pose)
{
    if (osc_player_start(&s->player, s->clips[noise_below(s->clip_count)], OSC_PLAY_LOOP) != OSC_OK)
        fail("a clip that does not start");
    (void)osc_player_seek_q11(&s->player, (int32_t)next_noise());
    osc_player_evaluate(&s->player, pose);
}

/* Most weights are valid. */
static uint32_t some_weight(void)
{
    return (next_noise() & 15u) != 0u ? noise_below(OSC_ONE_Q15 + 1u) : next_noise();
}

static void mix(stage *s)
{
    const uint16_t *mask = (next_noise() & 1u) != 0u ? s->mask : 0;
    for (uint32_t joint = 0; joint < s->bank->joint_count; joint++)
        s->mask[joint] = (uint16_t)some_weight();
    show(s, &s->pose);
    show(s, &s->with);
    copy_pose(s, &s->pose, &s->kept);
    osc_mix_toward(s->bank, &s->pose, &s->with, 0, mask);
    if (!are_equal(s, &s->pose, &s->kept))
        fail("a mix without weight that changes a pose");
    osc_mix_toward(s->bank, &s->pose, &s->with, some_weight(), mask);
    osc_mix_finish(s->bank, &s->pose);
    osc_mix_blend(s->bank, &s->pose, &s->kept, some_weight(), mask);
    osc_mix_difference(s->bank, &s->kept, &s->pose, &s->with);
    osc_mix_add(s->bank, &s->pose, &s->kept, some_weight(), mask);
    osc_mix_add(s->bank, &s->pose, &s->with, some_weight(), 0);
}

/* Exchanges every joint with another one, as a mirror with one group does: twice is the pose. */
static void mirror(stage *s)
{
    uint32_t joints = s->bank->joint_count, half = joints / 2u;
    if (joints > UINT16_MAX / 4u)
        return;
    uint16_t *pairs = block_of((joints + 1u) * 2u * sizeof *pairs), *pair = pairs;
    for (uint32_t joint = 0; joint < half; joint++) {
        *pair++ = (uint16_t)(4u * joint);
        *pair++ = (uint16_t)(4u * (joints - 1u - joint));
    }
    *pair++ = (uint16_t)(4u * half);
    *pair++ = (uint16_t)(4u * half);
    const osc_mirror_group group = {(uint8_t)noise_below(4), (uint16_t)half,
                                    (uint16_t)(joints & 1u)};
    const osc_mirror table = {&group, pairs, 0, 0, 1, 0, (uint16_t)joints};
    copy_pose(s, &s->pose, &s->kept);
    osc_mirror_pose(&table, &s->pose, &s->with);
    osc_mirror_pose(&table, &s->with, &s->with);
    if (!are_equal(s, &s->with, &s->kept))
        fail("a mirror that is not its own inverse");
    free(pairs);
}

static void pass_over(stage *s)
{
    uint32_t words = osc_transition_memory_words(s->bank);
    uint32_t *memory = block_of(words * 4u);
    osc_transition transition;
    if (words != 0u &&
        osc_transition_init(&transition, s->bank, memory, words - 1u) != OSC_ERROR_MEMORY)
        fail("a transition in too little memory");
    if (osc_transition_init(&transition, s->bank, memory, words) != OSC_OK)
        fail("no transition in the memory asked for");
    for (uint32_t i = 0; i < TICKS; i++) {
        show(s, &s->pose);
        if ((next_noise() & 1u) != 0u)
            osc_transition_begin(&transition, &s->pose, next_noise() >> noise_below(32));
        (void)osc_transition_apply(&transition, &s->pose, next_noise() >> noise_below(32));
    }
    free(memory);
}

static osc_vector some_vector(void)
{
    uint32_t bits = noise_below(32);
    return (osc_vector){(int32_t)next_noise() >> bits, (int32_t)next_noise() >> bits,
                        (int32_t)next_noise() >> bits};
}

/* Rotates the two joints above a joint, and composes the joints below them again. */
static void solve(stage *s)
{
    uint32_t end = noise_below(s->bank->joint_count), mid = osc_parent(s->bank, end);
    uint32_t start = mid < s->bank->joint_count ? osc_parent(s->bank, mid) : mid;
    osc_compose(s->bank, &s->pose, s->model);
    if (start >= s->bank->joint_count)
        return;
    osc_ik_limb limb = {start, mid, end, some_vector()};
    (void)osc_ik_find_mid_axis(&limb, s->model);
    const osc_ik_goal goal = {some_vector(), some_vector(), some_weight(), some_weight()};
    (void)osc_ik_two_bone(&limb, &goal, s->model, &s->pose);
    osc_recompose(s->bank, &s->pose, start, s->model);

    const osc_ik_link links[] = {{end, (uint16_t)some_weight(), (uint16_t)next_noise()},
                                 {mid, (uint16_t)some_weight(), (uint16_t)next_noise()},
                                 {start, (uint16_t)some_weight(), (uint16_t)next_noise()}};
    const osc_ik_chain chain = {links, 1u + noise_below(3), some_vector(), some_vector(),
                                some_vector()};
    const osc_ik_look look = {some_vector(), some_vector(), some_weight()};
    (void)osc_ik_aim(&chain, &look, s->model, &s->pose);
    osc_recompose(s->bank, &s->pose, links[chain.count - 1u].joint, s->model);
    osc_compose(s->bank, &s->pose, s->again);
    if (memcmp(s->model, s->again, s->bank->joint_count * sizeof *s->model) != 0)
        fail("matrices that differ when they are composed again");
}

/* Rows in the least memory that is enough, and the player's own poses beside theirs. */
static void share_rows(stage *s)
{
    uint32_t clip = s->clips[noise_below(s->clip_count)];
    osc_play_mode mode = (osc_play_mode)noise_below(3);
    int32_t most = osc_shared_rows_most_words(s->bank, clip);
    if (most < 0)
        fail("rows that need no memory");
    int32_t *memory = block_of((size_t)most * 4u);
    osc_shared_rows rows;
    int32_t used = osc_shared_rows_fill(&rows, &s->player, clip, mode, memory, (uint32_t)most);
    if (used < 0 || used > most)
        fail("rows that the memory asked for does not hold");
    if (used > 0 && osc_shared_rows_fill(&rows, &s->player, clip, mode, memory,
                                         (uint32_t)used - 1u) != OSC_ERROR_MEMORY)
        fail("rows in too little memory");
    (void)osc_shared_rows_fill(&rows, &s->player, clip, mode, memory, (uint32_t)most);
    for (uint32_t i = 0; i < TICKS; i++) {
        int32_t position = (int32_t)next_noise() >> noise_below(32);
        osc_shared_rows_evaluate(&rows, position, &s->pose);
        copy_pose(s, &s->pose, &s->with);
        (void)osc_player_seek_q11(&s->player, position);
        osc_player_evaluate(&s->player, &s->with);
        if (!are_equal(s, &s->pose, &s->with) && (s->player.shape >> 20 & 15u) != TRANSFORM)
            fail("shared rows that give another pose than a player");
    }
    free(memory);
}

static void march(stage *s)
{
    osc_player players[MEMBERS];
    osc_playback clocks[MEMBERS];
    osc_crowd_member crowd[MEMBERS];
    int32_t *memory[MEMBERS];
    for (uint32_t i = 0; i < MEMBERS; i++) {
        memory[i] = player_memory(&players[i], s->bank);
        if (osc_player_play(&players[i], &clocks[i], s->clips[noise_below(s->clip_count)],
                            noise_below(3)) < 0)
            fail("a clip that does not play");
        clocks[i].speed_q16 = (int32_t)next_noise() >> noise_below(32);
        crowd[i] = (osc_crowd_member){&players[i], &clocks[i], noise_below(4), 0, false};
    }
    for (uint32_t i = 0; i < TICKS; i++)
        (void)osc_crowd_advance(crowd, MEMBERS, next_noise() >> noise_below(32),
                                1u + noise_below(4));
    for (uint32_t i = 0; i < MEMBERS; i++) {
        osc_player_evaluate(&players[i], &s->pose);
        free(memory[i]);
    }
}

static void play_with_poses(const osc_bank *bank)
{
    stage s = {.bank = bank};
    for (uint32_t clip = 0; clip < bank->clip_count && s.clip_count < MAX_CLIPS; clip++) {
        osc_clip_info info;
        if (osc_clip_describe(bank, clip, &info) == OSC_OK && info.frame_count <= MAX_FRAMES)
            s.clips[s.clip_count++] = clip;
    }
    if (s.clip_count == 0u || bank->joint_count == 0u)
        return;
    s.memory = player_memory(&s.player, bank);
    s.pose = pose_of(bank);
    s.with = pose_of(bank);
    s.kept = pose_of(bank);
    s.mask = block_of(bank->joint_count * sizeof *s.mask);
    s.model = block_of(bank->joint_count * sizeof *s.model);
    s.again = block_of(bank->joint_count * sizeof *s.again);
    mix(&s);
    mirror(&s);
    pass_over(&s);
    solve(&s);
    share_rows(&s);
    march(&s);
    free_pose(&s.pose);
    free_pose(&s.with);
    free_pose(&s.kept);
    free(s.memory);
    free(s.mask);
    free(s.model);
    free(s.again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint32_t *words = block_of(size);
    memcpy(words, data, size);
    osc_bank bank;
    if (osc_bank_open(&bank, words, size) == OSC_OK) {
        start_noise(words[3]);
        follow_clips(&bank);
        play_with_poses(&bank);
    }
    free(words);
    return 0;
}
