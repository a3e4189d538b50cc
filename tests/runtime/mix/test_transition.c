/* Transitions: they begin at the shown pose, end exactly at the new clip, neither jump nor
 * overshoot on the way, and give the same bits everywhere. */
#include <math.h>
#include <string.h>

#include "check.h"
#include "osc_mix.h"

#define JOINTS 45u
#define GARBAGE_HASH 0xc83461deu
#define TICK_US 16667u
#define PI 3.14159265358979323846

/* The motion that a transition may add. */
#define BEGIN_LIMIT ((double)OSC_TRANSITION_JUMP_Q15 / 32768.0) /* a component of a rotation */
#define BEGIN_LIMIT_M (1.0 / 16384.0 + 1.0 / 1048576.0)
#define LENGTH_LIMIT (1.0 / 8192.0)
#define HALF_TURN_LENGTH_LIMIT (1.5 / 8192.0)
#define GROWTH_LIMIT 1.37
#define HALF_TURN_LIMIT (1.85 * PI / 180.0)
#define FADE_SLOPE 1.875 /* the steepest of (1 - s)^3 (1 + 3 s + 6 s^2) */
#define TURN_PER_SINE                                                                              \
    1.6               /* the change of an angle for that of twice its half's sine, to 100 degrees */
#define ROUNDING 4e-4 /* radians: of two poses in Q14 and offsets in Q15 */
#define ROUNDING_M 2e-4

typedef struct scene {
    osc_bank bank;
    uint32_t masks[6];
    osc_quaternion rotations[JOINTS];
    osc_vector translations[JOINTS], scales[JOINTS];
    osc_pose pose;
    osc_transition transition;
    uint32_t memory[JOINTS * 25u + 1u];
} scene;

static void make_masked(scene *made, const uint32_t masks[6])
{
    memset(made, 0, sizeof *made);
    uint16_t *counts[] = {&made->bank.rotation_subtracks, &made->bank.translation_subtracks,
                          &made->bank.scale_subtracks};
    for (uint32_t kind = 0; kind < 3u; kind++)
        for (uint32_t joint = 0; joint < JOINTS; joint++)
            if (masks[2u * kind + joint / 32u] >> (joint & 31u) & 1u) {
                ++*counts[kind];
                made->masks[2u * kind + joint / 32u] |= 1u << (joint & 31u);
            }
    made->bank.joint_count = JOINTS;
    made->bank.subtrack_masks = made->masks;
    made->bank.has_scale = made->bank.scale_subtracks != 0u;
    made->pose.rotations = made->rotations;
    made->pose.translations = made->translations;
    made->pose.scales = made->scales;
    uint32_t words = osc_transition_memory_words(&made->bank);
    made->memory[words] = 0x5a5a5a5au;
    made->transition.state.duration_us = 1000000; /* of an earlier transition */
    assert_int_equal(osc_transition_init(&made->transition, &made->bank, made->memory, words),
                     OSC_OK);
}

static void make(scene *made)
{
    static const uint32_t all[6] = {~0u, ~0u, ~0u, ~0u, ~0u, ~0u};
    make_masked(made, all);
}

static void check_memory(const scene *made)
{
    assert_int_equal(made->memory[osc_transition_memory_words(&made->bank)], 0x5a5a5a5au);
}

static int32_t q20(double x)
{
    return (int32_t)floor(x * OSC_ONE_Q20 + 0.5);
}

/* ---- smooth motions: every joint turns about an axis and moves ---- */

typedef struct motion {
    double axis[3], amplitude, phase, speed, reach;
} motion;

static double unit_random(uint64_t *seed)
{
    return (double)random_u32(seed) / 2147483648.0 - 1.0;
}

static void random_motion(motion *made, uint64_t *seed, double amplitude)
{
    double length = 0;
    for (int i = 0; i < 3; i++) {
        made->axis[i] = unit_random(seed);
        length += made->axis[i] * made->axis[i];
    }
    for (int i = 0; i < 3; i++)
        made->axis[i] /= sqrt(length);
    made->amplitude = amplitude * (0.5 + 0.5 * unit_random(seed));
    made->phase = PI * unit_random(seed);
    made->speed = 2.0 + 4.0 * fabs(unit_random(seed)); /* radians of the phase a second */
    made->reach = 0.5 * unit_random(seed);
}

static void pose_of(scene *made, const motion *motions, double seconds)
{
    for (uint32_t j = 0; j < JOINTS; j++) {
        const motion *m = &motions[j];
        double angle = m->amplitude * sin(m->phase + m->speed * seconds);
        made->rotations[j].x = q20(m->axis[0] * sin(angle / 2.0));
        made->rotations[j].y = q20(m->axis[1] * sin(angle / 2.0));
        made->rotations[j].z = q20(m->axis[2] * sin(angle / 2.0));
        made->rotations[j].w = q20(cos(angle / 2.0));
        double place = m->reach * cos(m->phase + m->speed * seconds);
        made->translations[j] = (osc_vector){q20(place), q20(0.3 - place), q20(m->reach)};
        made->scales[j] = (osc_vector){q20(1.0 + place), q20(1.0), q20(1.0 - place)};
    }
}

/* The turn between two rotations in radians. */
static double turn(const osc_quaternion *a, const osc_quaternion *b)
{
    double ax = a->x, ay = a->y, az = a->z, aw = a->w, bx = b->x, by = b->y, bz = b->z, bw = b->w;
    double x = ax * bw - aw * bx - ay * bz + az * by, y = ay * bw - aw * by - az * bx + ax * bz;
    double z = az * bw - aw * bz - ax * by + ay * bx, w = ax * bx + ay * by + az * bz + aw * bw;
    return 2.0 * atan2(sqrt(x * x + y * y + z * z), fabs(w));
}

static double distance(const osc_vector *a, const osc_vector *b)
{
    double x = a->x - b->x, y = a->y - b->y, z = a->z - b->z;
    return sqrt(x * x + y * y + z * z) / OSC_ONE_Q20;
}

static double length(const osc_quaternion *q)
{
    double x = q->x, y = q->y, z = q->z, w = q->w;
    return sqrt(x * x + y * y + z * z + w * w) / OSC_ONE_Q20;
}

/* ---- tests ---- */

static void memory_is_checked(void **state)
{
    static scene made;
    (void)state;
    make(&made);
    uint32_t words = OSC_TRANSITION_WORDS(JOINTS, 2u * JOINTS);
    assert_int_equal(osc_transition_memory_words(&made.bank), words);
    assert_int_equal(osc_transition_init(&made.transition, &made.bank, made.memory, words - 1u),
                     OSC_ERROR_MEMORY);

    made.bank.joint_count = 32; /* the masks of each kind are one word */
    made.bank.rotation_subtracks = made.bank.translation_subtracks = made.bank.scale_subtracks = 32;
    made.masks[1] = ~0u;
    words = osc_transition_memory_words(&made.bank);
    memset(made.memory, 0x5a, sizeof made.memory);
    assert_int_equal(osc_transition_init(&made.transition, &made.bank, made.memory, words), OSC_OK);
    assert_false(osc_transition_apply(&made.transition, &made.pose, TICK_US));
    osc_transition_begin(&made.transition, &made.pose, TICK_US);
    for (; words < sizeof made.memory / 4u; words++)
        assert_int_equal(made.memory[words], 0x5a5a5a5a);
}

/* No transition, a finished one, and one that never began because nothing was shown. */
static void nothing_moves_without_a_transition(void **state)
{
    static scene made, before;
    uint64_t seed = 11;
    (void)state;
    make(&made);
    for (int run = 0; run < 300; run++) {
        int32_t *words = &made.rotations[0].x;
        for (size_t i = 0; i < sizeof made.rotations / 4u; i++)
            words[i] = random_i32(&seed);
        for (uint32_t j = 0; j < JOINTS; j++)
            made.translations[j].x = made.scales[j].z = random_i32(&seed);
        before = made;
        if (run == 0) {
            osc_transition_begin(&made.transition, &made.pose, 500000);
            assert_false(osc_transition_active(&made.transition));
        }
        assert_false(osc_transition_apply(&made.transition, &made.pose, TICK_US));
        assert_memory_equal(made.rotations, before.rotations, sizeof made.rotations);
        assert_memory_equal(made.translations, before.translations, sizeof made.translations);
        assert_memory_equal(made.scales, before.scales, sizeof made.scales);
        if (run % 100 == 99) { /* a transition of no length is a cut */
            osc_transition_begin(&made.transition, &made.pose, 0);
            assert_false(osc_transition_active(&made.transition));
        }
    }
    check_memory(&made);
}

/* A cut in the middle of a transition ends it: the poses are those of the clip. */
static void a_cut_ends_a_transition(void **state)
{
    static scene made, alone;
    static motion one[JOINTS], other[JOINTS];
    uint64_t seed = 19;
    (void)state;
    make(&made);
    for (uint32_t j = 0; j < JOINTS; j++) {
        random_motion(&one[j], &seed, 1.0);
        random_motion(&other[j], &seed, 1.0);
    }
    for (int tick = 0; tick < 40; tick++) {
        bool is_cut = tick >= 20;
        pose_of(&made, is_cut ? one : other, tick / 60.0);
        if (tick == 10)
            osc_transition_begin(&made.transition, &made.pose, 300000);
        if (tick == 20)
            osc_transition_begin(&made.transition, &made.pose, 0);
        pose_of(&alone, is_cut ? one : other, tick / 60.0);
        bool continues = osc_transition_apply(&made.transition, &made.pose, TICK_US);
        assert_int_equal(continues, tick >= 10 && !is_cut);
        if (is_cut)
            assert_memory_equal(made.rotations, alone.rotations, sizeof made.rotations);
    }
    check_memory(&made);
}

/* With no time gone, the shown pose is the one before, to within the named limits. */
static void a_transition_begins_at_the_shown_pose(void **state)
{
    static scene made, shown;
    static motion one[JOINTS], other[JOINTS];
    uint64_t seed = 12;
    double worst = 0, worst_m = 0;
    (void)state;
    for (int run = 0; run < 400; run++) {
        make(&made);
        for (uint32_t j = 0; j < JOINTS; j++) {
            random_motion(&one[j], &seed, 1.7);
            random_motion(&other[j], &seed, 1.2); /* together less than 178 degrees */
        }
        for (int tick = 0; tick < 3; tick++) {
            pose_of(&made, one, tick / 60.0);
            (void)osc_transition_apply(&made.transition, &made.pose, TICK_US);
        }
        shown = made;
        pose_of(&made, other, 0.0);
        for (uint32_t j = 0; j < JOINTS; j += 3u) { /* the other quaternion of the same rotation */
            made.rotations[j].x = -made.rotations[j].x;
            made.rotations[j].y = -made.rotations[j].y;
            made.rotations[j].z = -made.rotations[j].z;
            made.rotations[j].w = -made.rotations[j].w;
        }
        osc_transition_begin(&made.transition, &made.pose, 300000);
        assert_true(osc_transition_apply(&made.transition, &made.pose, 0));
        for (uint32_t j = 0; j < JOINTS; j++) {
            double off = sin(turn(&made.rotations[j], &shown.rotations[j]) / 2.0);
            worst = off > worst ? off : worst;
            off = distance(&made.translations[j], &shown.translations[j]);
            worst_m = off > worst_m ? off : worst_m;
            assert_true(fabs(length(&made.rotations[j]) - 1.0) < LENGTH_LIMIT);
        }
        check_memory(&made);
    }
    assert_true(worst < BEGIN_LIMIT * sqrt(3.0));
    assert_true(worst_m < BEGIN_LIMIT_M * sqrt(3.0));
}

/* Joints whose shown pose is that of the new clip have no offset, with any rotation. */
static void equal_poses_have_no_offsets(void **state)
{
    static scene made, before;
    static motion one[JOINTS];
    uint64_t seed = 19;
    (void)state;
    for (int run = 0; run < 100; run++) {
        make(&made);
        for (uint32_t j = 0; j < JOINTS; j++)
            random_motion(&one[j], &seed, 3.0);
        pose_of(&made, one, 0.0);
        before = made;
        (void)osc_transition_apply(&made.transition, &made.pose, TICK_US);
        osc_transition_begin(&made.transition, &made.pose, 300000);
        assert_true(osc_transition_apply(&made.transition, &made.pose, TICK_US));
        assert_memory_equal(made.rotations, before.rotations, sizeof made.rotations);
        assert_memory_equal(made.translations, before.translations, sizeof made.translations);
    }
}

/* Turns of 176 to 184 degrees: about any axis, to either side. */
static void half_turns_begin_near_the_shown_pose(void **state)
{
    static scene made, shown;
    static motion axes[JOINTS];
    uint64_t seed = 20;
    double worst = 0;
    (void)state;
    for (int run = 0; run < 400; run++) {
        make(&made);
        for (uint32_t j = 0; j < JOINTS; j++) {
            random_motion(&axes[j], &seed, 0.0);
            if (j < 6u) /* components of one */
                for (uint32_t i = 0; i < 3u; i++)
                    axes[j].axis[i] = i != j % 3u ? 0.0 : j < 3u ? 1.0 : -1.0;
            made.rotations[j] = (osc_quaternion){0, 0, 0, OSC_ONE_Q20};
        }
        (void)osc_transition_apply(&made.transition, &made.pose, TICK_US);
        shown = made;
        for (uint32_t j = 0; j < JOINTS; j++) {
            double angle = PI + 4.0 * PI / 180.0 * unit_random(&seed);
            const double *axis = axes[j].axis;
            made.rotations[j] =
                (osc_quaternion){q20(axis[0] * sin(angle / 2.0)), q20(axis[1] * sin(angle / 2.0)),
                                 q20(axis[2] * sin(angle / 2.0)), q20(cos(angle / 2.0))};
        }
        osc_transition_begin(&made.transition, &made.pose, 300000);
        assert_true(osc_transition_apply(&made.transition, &made.pose, 0));
        for (uint32_t j = 0; j < JOINTS; j++) {
            double off = turn(&made.rotations[j], &shown.rotations[j]);
            worst = off > worst ? off : worst;
            assert_true(fabs(length(&made.rotations[j]) - 1.0) < HALF_TURN_LENGTH_LIMIT);
        }
    }
    assert_true(worst < HALF_TURN_LIMIT);
    make(&made);
    made.rotations[0] = (osc_quaternion){891609, 528510, 165027, 64}; /* the longest offset */
    (void)osc_transition_apply(&made.transition, &made.pose, TICK_US);
    made.rotations[0] = (osc_quaternion){64, -64, -128, OSC_ONE_Q20};
    osc_transition_begin(&made.transition, &made.pose, 300000);
    assert_int_equal(made.memory[0] & 0xffffu, 27648);
    made.rotations[0] =
        (osc_quaternion){-OSC_ONE_Q20, -64, -64, 0}; /* stored, exactly a half turn from none */
    (void)osc_transition_apply(&made.transition, &made.pose, 300000);
    made.rotations[0] = (osc_quaternion){0, 0, 0, OSC_ONE_Q20};
    osc_transition_begin(&made.transition, &made.pose, 300000);
    assert_true((int16_t)made.memory[0] < 0);
}

/* Offsets that move away from the clip go on for a while if they are of 90 degrees or less. */
static void only_great_offsets_turn_back_at_once(void **state)
{
    static const osc_quaternion none = {0, 0, 0, OSC_ONE_Q20};
    static const osc_quaternion shown[2] = {{69204, 709303, 204586, 741455},
                                            {0, 754278, 0, 728398}};
    static scene made;
    (void)state;
    for (uint32_t i = 0; i < 2u; i++) {
        make(&made);
        made.rotations[0] = none;
        (void)osc_transition_apply(&made.transition, &made.pose, TICK_US);
        made.rotations[0] = shown[i];
        (void)osc_transition_apply(&made.transition, &made.pose, TICK_US);
        made.rotations[0] = none;
        osc_transition_begin(&made.transition, &made.pose, 300000);
        assert_int_equal((int16_t)(made.memory[1] >> 16) > 0, i == 0u);
    }
}

/* From the first tick to the last, towards a motionless clip. */
static void offsets_fade_without_overshoot(void **state)
{
    static scene made, target;
    static motion one[JOINTS];
    static double first[JOINTS][6];
    uint64_t seed = 13;
    (void)state;
    for (int run = 0; run < 100; run++) {
        make(&made);
        for (uint32_t j = 0; j < JOINTS; j++)
            random_motion(&one[j], &seed, 2.8);
        for (int tick = 0; tick < 3; tick++) {
            pose_of(&made, one, tick / 60.0);
            (void)osc_transition_apply(&made.transition, &made.pose, TICK_US);
        }
        for (uint32_t j = 0; j < JOINTS; j++) {
            target.rotations[j] = (osc_quaternion){0, 0, 0, OSC_ONE_Q20};
            target.translations[j] = (osc_vector){0, 0, 0};
        }
        uint32_t duration_us = 100000u + random_u32(&seed) % 900000u;
        memcpy(made.rotations, target.rotations, sizeof made.rotations);
        memcpy(made.translations, target.translations, sizeof made.translations);
        osc_transition_begin(&made.transition, &made.pose, duration_us);
        uint32_t elapsed_us = 0;
        for (bool going = true; going; elapsed_us += TICK_US) {
            memcpy(made.rotations, target.rotations, sizeof made.rotations);
            memcpy(made.translations, target.translations, sizeof made.translations);
            going = osc_transition_apply(&made.transition, &made.pose, elapsed_us ? TICK_US : 0);
            assert_int_equal(going, elapsed_us < duration_us);
            for (uint32_t j = 0; j < JOINTS; j++) {
                const osc_quaternion *q = &made.rotations[j];
                const osc_vector *v = &made.translations[j];
                const double now[6] = {q->x, q->y, q->z, v->x, v->y, v->z};
                for (int i = 0; i < 6; i++) {
                    if (elapsed_us == 0u)
                        first[j][i] = now[i];
                    double sign = first[j][i] < 0 ? -1.0 : 1.0, size = fabs(first[j][i]);
                    assert_true(sign * now[i] >= -192.0); /* the last places of Q14 and Q13 */
                    assert_true(sign * now[i] <= GROWTH_LIMIT * size + 192.0);
                }
                assert_true(fabs(length(q) - 1.0) < LENGTH_LIMIT);
            }
        }
        assert_memory_equal(made.rotations, target.rotations, sizeof made.rotations);
        assert_memory_equal(made.translations, target.translations, sizeof made.translations);
    }
}

/* Switches at any time, most of them during another transition. A joint moves no more in a tick
 * than the new clip does, what it did before the switch, and the offset fades, together. */
static void no_switch_jumps(void **state)
{
    static scene made, before, from;
    static motion motions[2][JOINTS];
    uint64_t seed = 14;
    double worst = -1.0, worst_m = -1.0;
    (void)state;
    for (int run = 0; run < 20; run++) {
        uint32_t playing = 0;
        double seconds = 0, fade = 0, step[JOINTS] = {0}, step_m[JOINTS] = {0};
        double carried[JOINTS] = {0}, carried_m[JOINTS] = {0};
        double offset[JOINTS] = {0}, offset_m[JOINTS] = {0};
        make(&made);
        for (uint32_t k = 0; k < 2u; k++)
            for (uint32_t j = 0; j < JOINTS; j++)
                random_motion(&motions[k][j], &seed, 0.6);
        pose_of(&made, motions[0], 0);
        (void)osc_transition_apply(&made.transition, &made.pose, TICK_US);
        for (int tick = 0; tick < 600; tick++) {
            before = made;
            pose_of(&from, motions[playing], seconds);
            if (random_u32(&seed) % 8u == 0u) {
                uint32_t duration_us = 150000u + random_u32(&seed) % 300000u;
                playing ^= 1u;
                pose_of(&from, motions[playing], seconds);
                pose_of(&made, motions[playing], seconds);
                osc_transition_begin(&made.transition, &made.pose, duration_us);
                fade = FADE_SLOPE * TICK_US / duration_us;
                for (uint32_t j = 0; j < JOINTS; j++) {
                    offset[j] = turn(&before.rotations[j], &from.rotations[j]);
                    offset_m[j] = distance(&before.translations[j], &from.translations[j]);
                    carried[j] = step[j];
                    carried_m[j] = step_m[j];
                }
            }
            seconds += TICK_US / 1e6;
            pose_of(&made, motions[playing], seconds);
            double own[JOINTS], own_m[JOINTS];
            for (uint32_t j = 0; j < JOINTS; j++) {
                own[j] = turn(&made.rotations[j], &from.rotations[j]);
                own_m[j] = distance(&made.translations[j], &from.translations[j]);
            }
            (void)osc_transition_apply(&made.transition, &made.pose, TICK_US);
            for (uint32_t j = 0; j < JOINTS; j++) {
                step[j] = turn(&made.rotations[j], &before.rotations[j]);
                step_m[j] = distance(&made.translations[j], &before.translations[j]);
                double over = step[j] - own[j] - TURN_PER_SINE * (carried[j] + fade * offset[j]);
                double over_m = step_m[j] - own_m[j] - carried_m[j] - fade * offset_m[j];
                worst = over > worst ? over : worst;
                worst_m = over_m > worst_m ? over_m : worst_m;
            }
        }
        check_memory(&made);
    }
    assert_true(worst < ROUNDING);
    assert_true(worst_m < ROUNDING_M);
}

/* Joints that do not move keep their values, with any pose before. */
static void other_tracks_stay(void **state)
{
    static scene made, before;
    static motion one[JOINTS], other[JOINTS];
    static const uint32_t masks[6] = {0xa5a5a5a5u, 0x5u, 0x11u, 0x100u, 0x0u, 0x0u};
    uint64_t seed = 15;
    (void)state;
    make_masked(&made, masks);
    for (uint32_t j = 0; j < JOINTS; j++) {
        random_motion(&one[j], &seed, 1.0);
        random_motion(&other[j], &seed, 1.0);
    }
    made.pose.scales = 0; /* a bank without scale */
    pose_of(&made, one, 0);
    (void)osc_transition_apply(&made.transition, &made.pose, TICK_US);
    pose_of(&made, other, 0);
    osc_transition_begin(&made.transition, &made.pose, 200000);
    before = made;
    (void)osc_transition_apply(&made.transition, &made.pose, TICK_US);
    for (uint32_t j = 0; j < JOINTS; j++) {
        bool turns = masks[j / 32u] >> (j & 31u) & 1u,
             moves = masks[2u + j / 32u] >> (j & 31u) & 1u;
        assert_int_equal(turns, memcmp(&made.rotations[j], &before.rotations[j], 16) != 0);
        assert_int_equal(moves, memcmp(&made.translations[j], &before.translations[j], 12) != 0);
    }
    check_memory(&made);
}

/* A pause shows the same pose as often as it likes, and its two equal poses have no speed. */
static void a_pause_holds_the_pose(void **state)
{
    static scene made, before;
    static motion one[JOINTS], other[JOINTS];
    uint64_t seed = 16;
    (void)state;
    make(&made);
    for (uint32_t j = 0; j < JOINTS; j++) {
        random_motion(&one[j], &seed, 1.0);
        random_motion(&other[j], &seed, 1.0);
    }
    pose_of(&made, one, 0);
    (void)osc_transition_apply(&made.transition, &made.pose, TICK_US);
    pose_of(&made, other, 0);
    osc_transition_begin(&made.transition, &made.pose, 200000);
    for (int tick = 0; tick < 5; tick++) {
        pose_of(&made, other, 0);
        assert_true(osc_transition_apply(&made.transition, &made.pose, tick == 0 ? TICK_US : 0));
        if (tick > 0)
            assert_memory_equal(made.rotations, before.rotations, sizeof made.rotations);
        before = made;
    }
    osc_transition_begin(&made.transition, &made.pose, 200000);
    for (uint32_t i = 0; i < JOINTS; i++)
        assert_int_equal(made.memory[7u * i] >> 16, 0);
}

static void the_longest_transition_is_held(void **state)
{
    static scene made;
    static motion one[JOINTS];
    uint64_t seed = 17;
    (void)state;
    make(&made);
    for (uint32_t j = 0; j < JOINTS; j++)
        random_motion(&one[j], &seed, 1.0);
    pose_of(&made, one, 0);
    (void)osc_transition_apply(&made.transition, &made.pose, TICK_US);
    osc_transition_begin(&made.transition, &made.pose, 0xffffffffu);
    assert_true(osc_transition_apply(&made.transition, &made.pose, OSC_TRANSITION_MAX_US - 1u));
    assert_false(osc_transition_apply(&made.transition, &made.pose, 1));
}

static void garbage_has_one_hash(void **state)
{
    static scene made;
    uint64_t seed = 18;
    uint32_t hash = OSC_HASH_START;
    (void)state;
    make(&made);
    for (int tick = 0; tick < 4000; tick++) {
        int32_t *words = &made.rotations[0].x;
        for (size_t i = 0; i < sizeof made.rotations / 4u; i++)
            words[i] = random_i32(&seed);
        words = &made.translations[0].x;
        for (size_t i = 0; i < sizeof made.translations / 4u; i++)
            words[i] = random_i32(&seed);
        words = &made.scales[0].x;
        for (size_t i = 0; i < sizeof made.scales / 4u; i++)
            words[i] = random_i32(&seed);
        if (tick % 5 == 4)
            osc_transition_begin(&made.transition, &made.pose, random_u32(&seed) >> (tick & 15));
        (void)osc_transition_apply(&made.transition, &made.pose, random_u32(&seed) >> (tick % 31));
        hash = osc_hash_words(hash, made.rotations, sizeof made.rotations / 4u);
        hash = osc_hash_words(hash, made.translations, sizeof made.translations / 4u);
        hash = osc_hash_words(hash, made.scales, sizeof made.scales / 4u);
        hash = osc_hash_words(hash, made.memory, sizeof made.memory / 4u);
    }
    check_memory(&made);
    assert_int_equal(hash, GARBAGE_HASH);
}

static void fill_pose(scene *made, uint64_t *seed)
{
    for (uint32_t i = 0; i < JOINTS; i++) {
        int32_t *rotation = &made->rotations[i].x, *translation = &made->translations[i].x;
        for (uint32_t part = 0; part < 4u; part++)
            rotation[part] = random_i32(seed) >> 11;
        for (uint32_t part = 0; part < 3u; part++)
            translation[part] = random_i32(seed) >> 8;
        made->scales[i] = made->translations[i];
    }
}

static void play_tick(scene *made, uint64_t *seed)
{
    fill_pose(made, seed);
    if (random_u32(seed) % 7u == 0u)
        osc_transition_begin(&made->transition, &made->pose, random_u32(seed) & 0x7ffffu);
    (void)osc_transition_apply(&made->transition, &made->pose, random_u32(seed) & 0x7fffu);
}

/* The state and the words of the memory are all that a game has to save. */
static void a_saved_state_plays_on_with_the_same_bits(void **state)
{
    static scene made, restored;
    static uint32_t words[sizeof made.memory / 4u];
    uint64_t seed = 19;
    (void)state;
    make(&made);
    uint32_t count = osc_transition_memory_words(&made.bank);
    for (uint32_t run = 0; run < 60u; run++) {
        for (uint32_t ticks = random_u32(&seed) % 12u; ticks != 0u; ticks--)
            play_tick(&made, &seed);
        osc_transition_state saved = made.transition.state;
        memcpy(words, made.memory, count * 4u);
        uint64_t from = seed, again = seed;
        for (uint32_t tick = 0; tick < 30u; tick++)
            play_tick(&made, &from);

        make(&restored);
        memset(restored.memory, 0xa5, count * 4u);
        memcpy(restored.memory, words, count * 4u);
        restored.transition = (osc_transition){&restored.bank, restored.memory, saved};
        for (uint32_t tick = 0; tick < 30u; tick++)
            play_tick(&restored, &again);
        assert_memory_equal(restored.rotations, made.rotations, sizeof made.rotations);
        assert_memory_equal(restored.translations, made.translations, sizeof made.translations);
        assert_memory_equal(restored.scales, made.scales, sizeof made.scales);
        assert_memory_equal(restored.memory, made.memory, sizeof made.memory);
        assert_memory_equal(&restored.transition.state, &made.transition.state, sizeof saved);
        check_memory(&restored);
    }
}

static void states_have_no_padding(void **state)
{
    (void)state;
    assert_int_equal(sizeof(osc_transition_state), 20);
}

/* A state from outside: whatever else it contains, nothing beyond the memory is touched. */
static void any_state_stays_in_its_memory(void **state)
{
    static scene made;
    uint64_t seed = 20;
    (void)state;
    for (uint32_t run = 0; run < 300u; run++) {
        make(&made);
        uint32_t count = osc_transition_memory_words(&made.bank);
        osc_transition_state any = {(uint32_t)random_i32(&seed), (uint32_t)random_i32(&seed),
                                    (uint32_t)random_i32(&seed), (uint32_t)random_i32(&seed),
                                    (uint16_t)random_i32(&seed), (uint16_t)(run & 1u)};
        made.transition.state = any;
        for (uint32_t i = 0; i < count; i++)
            made.memory[i] = (uint32_t)random_i32(&seed);
        for (uint32_t tick = 0; tick < 5u; tick++)
            play_tick(&made, &seed);
        check_memory(&made);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory_is_checked),
        cmocka_unit_test(nothing_moves_without_a_transition),
        cmocka_unit_test(a_cut_ends_a_transition),
        cmocka_unit_test(a_transition_begins_at_the_shown_pose),
        cmocka_unit_test(equal_poses_have_no_offsets),
        cmocka_unit_test(half_turns_begin_near_the_shown_pose),
        cmocka_unit_test(only_great_offsets_turn_back_at_once),
        cmocka_unit_test(offsets_fade_without_overshoot),
        cmocka_unit_test(no_switch_jumps),
        cmocka_unit_test(other_tracks_stay),
        cmocka_unit_test(a_pause_holds_the_pose),
        cmocka_unit_test(the_longest_transition_is_held),
        cmocka_unit_test(garbage_has_one_hash),
        cmocka_unit_test(a_saved_state_plays_on_with_the_same_bits),
        cmocka_unit_test(states_have_no_padding),
        cmocka_unit_test(any_state_stays_in_its_memory),
    };
    return cmocka_run_group_tests(tests, 0, 0);
}
