/* The parts of the program that calls every operation of the port contract with pseudo-random
 * words, and how they print: a hash for each operation and kind of words. Every platform prints
 * what the definition does. */
#ifndef PORT_H
#define PORT_H

#include "../random_words.h"
#include "port/osc_port_mix.h"
#include "print.h"

void check_roots(void);
void check_blend(void);
void check_compose(void);
void check_mix(void);
void check_mirror(void);
void check_offsets(void);
void check_rows(void);

static inline void print_hash(const char *operation, uint32_t kind, uint32_t hash)
{
    print_text(operation);
    print_text(", words ");
    print_number(kind);
    print_line(": ", hash);
}

/* ---- rotations ---- */

enum {
    ROTATIONS_ANY,     /* words of any size, as next_value makes them */
    ROTATIONS_ONE,     /* components of at most about one */
    ROTATIONS_EXTREME, /* the least and the greatest number, and others at edges */
    ROTATIONS_UNIT,
    ROTATIONS_SHORT, /* unit ones and their opposites, shorter by up to 2^-20, or zero */
    ROTATIONS_APART, /* equal ones, opposite ones, half a turn apart, or zero */
    ROTATION_KINDS
};

/* Three numbers of at most a half and the one that makes them unit, by a function of the runtime
 * that no platform replaces. */
static inline void fill_unit(osc_quaternion *q)
{
    int32_t *words = &q->x;
    uint32_t random = next_random(), last = random >> 30;
    for (uint32_t i = 0; i < 4u; i++)
        words[i] = next_value(1u) >> 1;
    int32_t rebuilt =
        osc_rebuild_q20(words[(last + 1u) & 3u], words[(last + 2u) & 3u], words[(last + 3u) & 3u]);
    words[last] = (random >> 29 & 1u) != 0u ? -rebuilt : rebuilt;
}

static inline void fill_rotation(osc_quaternion *q, uint32_t kind)
{
    if (kind >= ROTATIONS_UNIT) {
        fill_unit(q);
    } else {
        for (int32_t *word = &q->x; word != &q->x + 4; word++)
            *word = next_value(kind);
    }
    if (kind == ROTATIONS_SHORT) {
        uint32_t shift = (next_random() >> 9) % 22u;
        for (int32_t *word = &q->x; word != &q->x + 4; word++)
            *word >>= shift;
    }
}

/* Two rotations that meet in an operation. */
static inline void fill_rotations(osc_quaternion *a, osc_quaternion *b, uint32_t kind)
{
    fill_rotation(a, kind);
    if (kind != ROTATIONS_APART) {
        fill_rotation(b, kind);
        return;
    }
    const osc_quaternion zero = {0, 0, 0, 0};
    switch (next_random() >> 29) {
    case 0:
        *b = zero;
        break;
    case 1:
        fill_unit(b);
        *a = zero;
        break;
    case 2:
        *b = *a;
        break;
    case 3: {
        const osc_quaternion opposite = {-a->x, -a->y, -a->z, -a->w};
        *b = opposite;
        break;
    }
    default: {
        const osc_quaternion half_a_turn = {-a->y, a->x, -a->w, a->z};
        *b = half_a_turn;
        break;
    }
    }
}

#endif
