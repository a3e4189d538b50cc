/* Times poses of the embedded bank on this computer, beside those of naive_float.c, in turns, so
 * that both see the same clock and the same neighbours. Prints nanoseconds a pose, the median of
 * many rounds:
 *
 *     evaluate  the generated evaluator alone
 *     compose   the generated composition alone
 *     play      seeking and evaluating every half frame of every clip: 60 Hz of a clip of 30 Hz
 *     naive     the same half frames from keys in floats
 */
#define _POSIX_C_SOURCE 199309L

#include "character.h"
#include "naive_float.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define ROUNDS 301
#define REPEATS 200 /* of what is timed without its surroundings */
#define ALLOWED_DIFFERENCE 1e-4
#define FRAMES_PER_SECOND 30.0f /* of the floats: times are made from it */

enum { EVALUATE, COMPOSE, PLAY, NAIVE, KINDS };

static character_player player;
static character_pose pose;
static character_model model;
static naive_key naive_pose[CHARACTER_JOINT_COUNT];
static naive_clip clips[CHARACTER_CLIP_COUNT];
static uint32_t half_frames; /* of all clips */

static double now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return 1e9 * (double)now.tv_sec + (double)now.tv_nsec;
}

static void start(uint32_t clip)
{
    if (osc_player_start(&player.player, clip, OSC_PLAY_ONCE) != OSC_OK)
        exit(2);
}

static double float_of(int32_t q20)
{
    return (double)q20 / OSC_ONE_Q20;
}

static void read_key(uint32_t joint, naive_key *key)
{
    const osc_quaternion *q = &pose.rotations[joint];
    const osc_vector *t = &pose.translations[joint];
    const int32_t rotation[] = {q->x, q->y, q->z, q->w}, translation[] = {t->x, t->y, t->z};
    for (int i = 0; i < 4; i++)
        key->rotation[i] = (float)float_of(rotation[i]);
    for (int i = 0; i < 3; i++)
        key->translation[i] = (float)float_of(translation[i]);
}

/* Every frame of a clip, as the evaluator gives it. */
static naive_clip unpack(const osc_bank *bank, uint32_t clip)
{
    osc_clip_info info;
    if (osc_clip_describe(bank, clip, &info) != OSC_OK)
        exit(2);
    naive_key *keys = calloc((size_t)info.frame_count * CHARACTER_JOINT_COUNT, sizeof *keys);
    if (keys == NULL)
        exit(2);
    start(clip);
    for (uint32_t frame = 0; frame < info.frame_count; frame++) {
        (void)osc_player_seek_q11(&player.player, (int32_t)frame * OSC_ONE_Q11);
        character_evaluate(&player, &pose);
        for (uint32_t joint = 0; joint < CHARACTER_JOINT_COUNT; joint++)
            read_key(joint, &keys[frame * CHARACTER_JOINT_COUNT + joint]);
    }
    half_frames += 2u * info.frame_count - 1u;
    return (naive_clip){keys, info.frame_count, CHARACTER_JOINT_COUNT, FRAMES_PER_SECOND};
}

static float half_frame_seconds(const naive_clip *clip, uint32_t half)
{
    return (float)half / (2.0f * clip->frames_per_second);
}

/* The yardstick has to be one: at the frames themselves both give the same pose. */
static int naive_differs(const naive_clip *clip)
{
    for (uint32_t frame = 0; frame < clip->frame_count; frame++) {
        naive_sample(clip, half_frame_seconds(clip, 2u * frame), naive_pose);
        const naive_key *expected = clip->keys + (size_t)frame * clip->joint_count;
        for (uint32_t joint = 0; joint < clip->joint_count; joint++) {
            double dot = 0.0;
            for (int i = 0; i < 4; i++)
                dot += (double)naive_pose[joint].rotation[i] * (double)expected[joint].rotation[i];
            double apart = fabs(1.0 - fabs(dot));
            for (int i = 0; i < 3; i++)
                apart += fabs((double)naive_pose[joint].translation[i] -
                              (double)expected[joint].translation[i]);
            if (!(apart < ALLOWED_DIFFERENCE))
                return 1;
        }
    }
    return 0;
}

static void play_all(void)
{
    for (uint32_t clip = 0; clip < CHARACTER_CLIP_COUNT; clip++) {
        start(clip);
        for (uint32_t half = 0; half + 1u < 2u * clips[clip].frame_count; half++) {
            (void)osc_player_seek_q11(&player.player, (int32_t)half * (OSC_ONE_Q11 / 2));
            character_evaluate(&player, &pose);
        }
    }
}

static void sample_all(void)
{
    for (uint32_t clip = 0; clip < CHARACTER_CLIP_COUNT; clip++)
        for (uint32_t half = 0; half + 1u < 2u * clips[clip].frame_count; half++)
            naive_sample(&clips[clip], half_frame_seconds(&clips[clip], half), naive_pose);
}

/* One round: nanoseconds a pose. */
static void time_round(double ns[KINDS])
{
    double began = now_ns();
    for (int i = 0; i < REPEATS; i++)
        character_evaluate(&player, &pose);
    double evaluated = now_ns();
    for (int i = 0; i < REPEATS; i++)
        character_compose(&pose, &model);
    double composed = now_ns();
    play_all();
    double played = now_ns();
    sample_all();
    double sampled = now_ns();
    ns[EVALUATE] = (evaluated - began) / REPEATS;
    ns[COMPOSE] = (composed - evaluated) / REPEATS;
    ns[PLAY] = (played - composed) / half_frames;
    ns[NAIVE] = (sampled - played) / half_frames;
}

static int compare_doubles(const void *a, const void *b)
{
    double left = *(const double *)a, right = *(const double *)b;
    return (left > right) - (left < right);
}

int main(void)
{
    static const char *const names[KINDS] = {"evaluate", "compose", "play", "naive"};
    static double times[KINDS][ROUNDS];
    osc_bank bank;
    if (character_open(&bank, character_bank, CHARACTER_BANK_BYTES) != OSC_OK ||
        character_player_init(&player, &bank) != OSC_OK)
        return 2;
    for (uint32_t clip = 0; clip < CHARACTER_CLIP_COUNT; clip++)
        clips[clip] = unpack(&bank, clip);
    for (uint32_t clip = 0; clip < CHARACTER_CLIP_COUNT; clip++)
        if (naive_differs(&clips[clip]))
            return printf("error: clip %u: the floats give another pose\n", (unsigned)clip), 1;
    for (int round = 0; round < ROUNDS; round++) {
        double ns[KINDS];
        time_round(ns);
        for (int kind = 0; kind < KINDS; kind++)
            times[kind][round] = ns[kind];
    }
    for (int kind = 0; kind < KINDS; kind++) {
        qsort(times[kind], ROUNDS, sizeof(double), compare_doubles);
        printf("%s %.1f\n", names[kind], times[kind][ROUNDS / 2]);
    }
    return 0;
}
