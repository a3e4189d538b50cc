/* SPDX-License-Identifier: MIT */
/* Transitions by fading offsets: runtime/SPEC.md 18. */
#include "osc_mix.h"

#include "bank/osc_internal.h"
#include "mix/osc_port_offsets.h"

#define MAX_RATIO 32767u

uint32_t osc_transition_memory_words(const osc_bank *bank)
{
    return OSC_TRANSITION_WORDS(bank->rotation_subtracks,
                                (uint32_t)bank->translation_subtracks + bank->scale_subtracks);
}

int32_t osc_transition_init(osc_transition *transition, const osc_bank *bank, uint32_t *memory,
                            size_t memory_words)
{
    if (memory_words < osc_transition_memory_words(bank))
        return OSC_ERROR_MEMORY;
    transition->bank = bank;
    transition->memory = memory;
    osc_transition_state *state = &transition->state;
    state->duration_us = state->elapsed_us = state->per_us_q32 = state->step_us = 0;
    state->kept = state->newest = 0;
    return OSC_OK;
}

/* ---- the switch ---- */

static int32_t held_16(int32_t x)
{
    x = x < -32767 ? -32767 : x;
    return x > 32767 ? 32767 : x;
}

/* Packs an offset and its speed in a word. before: the offset a step ago. The offset never changes
 * its sign if, in the duration, the speed covers less than 5/2 of the offset towards the target. */
OSC_NOINLINE uint32_t offset_word(int32_t now, int32_t before, uint32_t ratio, bool roomy)
{
    int32_t size = now < 0 ? -now : now, most = (5 * size) >> 3;
    int32_t speed = ((now - before) * (int32_t)ratio) >> (OSC_BEGIN_RATIO_BITS + 2u);
    int32_t least = now > 0 || roomy ? -most : 0;
    most = now < 0 || roomy ? most : 0;
    speed = speed < least ? least : speed;
    return osc_halves(now, speed > most ? most : speed);
}

/* Reads a stored rotation, in Q15: the middle of the range that is rounded down to it. */
static void read_kept(const uint32_t kept[2], int32_t q[4])
{
    for (uint32_t i = 0; i < 4u; i += 2u, kept++) {
        q[i] = 2 * osc_low_half(*kept) + 1;
        q[i + 1u] = 2 * osc_high_half(*kept) + 1;
    }
}

/* Computes the offset r, Q15, to a rotation from the rotation whose conjugate is `back`, and
 * returns |r|^2. The offset is the rotation d = (g r, 1 - |r|^2), as in osc_offset_rotation. sign:
 * of d, which selects the arc; 0 selects the shorter arc and becomes its sign. */
OSC_NOINLINE uint32_t offset_between(const int32_t to[4], const int32_t back[4], int32_t *sign,
                                     int32_t offset[3])
{
    int32_t turn[4];
    osc_turn_product(to, back, turn);
    if (*sign == 0)
        *sign = turn[3] < 0 ? -1 : 1;
    for (uint32_t i = 0; i < 4u; i++)
        turn[i] = held_16(*sign * osc_half_up(turn[i], 15));
    uint32_t s_q15 = 32768u, s_q30 = 0;
    s_q15 -= (uint32_t)(turn[3] < OSC_BEGIN_LEAST_REAL_Q15 ? OSC_BEGIN_LEAST_REAL_Q15 : turn[3]);
    uint32_t g_q16 = 65536u + (uint32_t)osc_offset_stretch_q16(s_q15);
    int32_t inverse_q15 = (int32_t)((1u << 31) / g_q16);
    for (uint32_t i = 0; i < 3u; i++) {
        offset[i] = osc_half_up(turn[i] * inverse_q15, 15);
        s_q30 += (uint32_t)(offset[i] * offset[i]);
    }
    return s_q30;
}

static void begin_rotation(uint32_t *record, const uint32_t *newest, const uint32_t *older,
                           uint32_t ratio, const osc_quaternion *rotation)
{
    const uint32_t clip[2] = {osc_kept_word(rotation->x, rotation->y),
                              osc_kept_word(rotation->z, rotation->w)};
    int32_t back[4], shown[4], earlier[4], now[3], before[3], sign = 0, dot = 0;
    read_kept(clip, back);
    read_kept(newest, shown);
    read_kept(older, earlier);
    for (uint32_t i = 0; i < 4u; i++)
        dot = osc_add(dot, (shown[i] >> 1) * (earlier[i] >> 1));
    for (uint32_t i = 0; i < 3u; i++)
        back[i] = -back[i];
    /* The shorter arc from the clip, and from there to the rotation a step before. */
    uint32_t s_q30 = offset_between(shown, back, &sign, now);
    sign = dot < 0 ? -sign : sign;
    (void)offset_between(earlier, back, &sign, before);
    for (uint32_t i = 0; i < 3u; i++)
        record[i] = offset_word(s_q30 > OSC_BEGIN_HUGE_Q30 ? 0 : now[i], before[i], ratio,
                                s_q30 <= OSC_BEGIN_ROOMY_Q30);
}

#ifdef OSC_PORT_BEGIN
#define begin_vector osc_begin_vector
#else

static void begin_vector(uint32_t *record, const uint32_t *newest, const uint32_t *older,
                         uint32_t ratio, const osc_vector *vector)
{
    const int32_t to[3] = {vector->x, vector->y, vector->z};
    for (uint32_t i = 0; i < 3u; i++) {
        int32_t now = held_16(osc_half_up(osc_sub((int32_t)newest[i], to[i]), 7));
        int32_t before = held_16(osc_half_up(osc_sub((int32_t)older[i], to[i]), 7));
        record[i] = offset_word(now, before, ratio, true);
    }
}

#endif

void osc_transition_begin(osc_transition *transition, const osc_pose *pose, uint32_t duration_us)
{
    const osc_bank *bank = transition->bank;
    osc_transition_state *state = &transition->state;
    OSC_ASSERT(pose->scales != 0 || !bank->has_scale);
    state->duration_us = state->elapsed_us = 0;
    if (duration_us == 0u || state->kept == 0u)
        return;
    if (duration_us > OSC_TRANSITION_MAX_US)
        duration_us = OSC_TRANSITION_MAX_US;
    uint32_t ratio = 0, *record = transition->memory;
    uint32_t newest = state->newest, older = newest;
    if (state->kept == 2u && state->step_us != 0u) {
        older ^= 1u;
        ratio = (duration_us << OSC_BEGIN_RATIO_BITS) / state->step_us;
        ratio = ratio > MAX_RATIO ? MAX_RATIO : ratio;
    }
    for (uint32_t kind = 0; kind < 3u; kind++) {
        const osc_vector *vectors = kind == 1u ? pose->translations : pose->scales;
        uint32_t slot_words = kind == 0u ? 2u : 3u;
        for (uint32_t first = 0; first < bank->joint_count; first += 32u) {
            uint32_t joint = first;
            for (uint32_t bits = osc_subtrack_bits(bank, kind, first); bits != 0u;
                 bits >>= 1, joint++) {
#ifdef OSC_PORT_BEGIN
                for (; kind == 0u && (bits & 15u) == 15u; bits >>= 4, joint += 4u) {
                    osc_begin_4_rotations(record, newest, older, ratio, &pose->rotations[joint]);
                    record += 4u * OSC_TRANSITION_ROTATION_WORDS;
                }
#endif
                if ((bits & 1u) == 0u)
                    continue;
                uint32_t *now = record + OSC_OFFSET_SLOT + slot_words * newest;
                uint32_t *before = record + OSC_OFFSET_SLOT + slot_words * older;
                if (kind == 0u)
                    begin_rotation(record, now, before, ratio, &pose->rotations[joint]);
                else
                    begin_vector(record, now, before, ratio, &vectors[joint]);
                record += OSC_OFFSET_SLOT + 2u * slot_words;
            }
        }
    }
    state->duration_us = duration_us;
    state->elapsed_us = 0;
    state->per_us_q32 = 0xffffffffu / duration_us;
}

/* ---- ticks ---- */

/* The weights of offsets (in the low half) and of their stored speeds at a time s of 0..1, in Q14:
 * (1 - s)^3 (1 + 3 s + 6 s^2) and 4 s (1 - s)^3 (1 + 3 s), which begin with values 1 and 0 and
 * slopes 0 and 4, and end with values, slopes and accelerations of 0. */
static uint32_t basis_at(uint32_t s_q15)
{
    uint32_t left = (1u << 15) - s_q15, square_q30 = s_q15 * s_q15;
    uint32_t cube_q31 = ((left * left) >> 14) * left;
    uint32_t factor_q11 = 2048u + ((3u * s_q15) >> 4) + ((6u * (square_q30 >> 4)) >> 15);
    uint32_t slope_q13 = (s_q15 >> 2) + ((3u * (square_q30 >> 2)) >> 15);
    uint32_t offset = ((cube_q31 >> 11) * factor_q11 + (1u << 16)) >> 17;
    uint32_t speed = ((cube_q31 >> 15) * slope_q13 + (1u << 12)) >> 13;
    return offset | speed << 16;
}

/* Applies a transition to one rotation. basis: 0 without a transition, which does not change the
 * pose. */
static void apply_to_rotation(uint32_t *record, uint32_t slot, uint32_t basis,
                              osc_quaternion *rotation)
{
    if (basis != 0u)
        osc_offset_rotation(record, slot, basis, rotation);
    else
        osc_keep_rotation(record, slot, rotation);
}

static uint32_t *apply_to_rotations(const osc_bank *bank, uint32_t *record, uint32_t slot,
                                    uint32_t basis, osc_quaternion *rotations)
{
#ifdef OSC_PORT_OFFSETS
    const uint32_t four = basis != 0u ? 15u : 16u; /* the bits of four that turn; of none */
#endif
    for (uint32_t first = 0; first < bank->joint_count; first += 32u) {
        osc_quaternion *rotation = rotations + first;
        for (uint32_t bits = osc_subtrack_bits(bank, 0, first); bits != 0u;
             bits >>= 1, rotation++) {
#ifdef OSC_PORT_OFFSETS
            for (; (bits & 15u) == four; bits >>= 4, rotation += 4) {
                osc_offset_4_rotations(record, slot, basis, rotation);
                record += 4u * OSC_TRANSITION_ROTATION_WORDS;
            }
#endif
            if ((bits & 1u) == 0u)
                continue;
            apply_to_rotation(record, slot, basis, rotation);
            record += OSC_TRANSITION_ROTATION_WORDS;
        }
    }
    return record;
}

static uint32_t *apply_to_vectors(const osc_bank *bank, uint32_t kind, uint32_t *record,
                                  uint32_t slot, uint32_t basis, osc_vector *vectors)
{
    for (uint32_t first = 0; first < bank->joint_count; first += 32u) {
        osc_vector *vector = vectors + first;
        for (uint32_t bits = osc_subtrack_bits(bank, kind, first); bits != 0u;
             bits >>= 1, vector++) {
            if ((bits & 1u) == 0u)
                continue;
            osc_offset_vector(record, slot, basis, vector);
            record += OSC_TRANSITION_VECTOR_WORDS;
        }
    }
    return record;
}

OSC_HOT bool osc_transition_apply(osc_transition *transition, const osc_pose *pose,
                                  uint32_t elapsed_us)
{
    const osc_bank *bank = transition->bank;
    osc_transition_state *state = &transition->state;
    OSC_ASSERT(pose->scales != 0 || !bank->has_scale);
    uint32_t basis = 0, slot = state->newest ^ 1u;
    if (elapsed_us < state->duration_us - state->elapsed_us) {
        state->elapsed_us += elapsed_us;
        basis = basis_at((state->elapsed_us * state->per_us_q32) >> 17);
    } else {
        state->duration_us = state->elapsed_us = 0;
    }
    uint32_t *record = apply_to_rotations(bank, transition->memory, OSC_OFFSET_SLOT + 2u * slot,
                                          basis, pose->rotations);
    for (uint32_t kind = 1; kind < (bank->has_scale ? 3u : 2u); kind++)
        record = apply_to_vectors(bank, kind, record, OSC_OFFSET_SLOT + 3u * slot, basis,
                                  kind == 1u ? pose->translations : pose->scales);
    state->newest = (uint16_t)slot;
    state->step_us = elapsed_us;
    if (state->kept < 2u)
        state->kept++;
    return state->duration_us != 0u;
}
