/* Mixes pseudo-random rotations and vectors of several sizes on the target's backend; prints a hash
 * of every kind of result. */
#include "arithmetic/osc_mix_arithmetic.h"
#include "hal.h"
#include "print.h"
#include "random_words.h"

#define CASES 400u
#define KINDS 4u /* those of next_value, and rotations that are nearly unit */

static osc_quaternion from[4], with[4], q[4];

static void fill(osc_quaternion *rotations, uint32_t kind)
{
    for (uint32_t i = 0; i < 4u; i++) {
        int32_t *words = &rotations[i].x;
        for (uint32_t w = 0; w < 4u; w++) {
            words[w] = next_value(kind < 3u ? kind : 1u);
            if (kind == 3u)
                words[w] >>= 1u + (next_random() >> 31);
        }
        if (kind == 3u)
            osc_unit_rotation(&rotations[i]);
    }
}

static void begin(void)
{
    for (uint32_t i = 0; i < 4u; i++)
        q[i] = from[i];
}

int main(void)
{
    print_text(OSC_PORT_NAME "\n");
    for (uint32_t kind = 0; kind < KINDS; kind++) {
        uint32_t mixed = OSC_HASH_START, unit = OSC_HASH_START, both = OSC_HASH_START;
        uint32_t added = OSC_HASH_START, vectors = OSC_HASH_START;
        for (uint32_t i = 0; i < CASES; i++) {
            int32_t weight = i == 0u ? OSC_ONE_Q15 : (int32_t)(next_random() >> 17);
            fill(from, kind);
            fill(with, kind);
            begin();
            osc_mix_rotations(q, with, 4u, weight);
            mixed = hash_words(mixed, &q[0].x, 16u);
            begin();
            osc_mix_rotation(&q[1], &with[1], weight);
            mixed = hash_words(mixed, &q[1].x, 4u);
            begin();
            osc_unit_4_rotations(q);
            unit = hash_words(unit, &q[0].x, 16u);
            begin();
            osc_unit_rotation(&q[2]);
            unit = hash_words(unit, &q[2].x, 4u);
            begin();
            osc_mix_unit_4_rotations(q, with, weight);
            both = hash_words(both, &q[0].x, 16u);
            begin();
            osc_mix_unit_rotation(&q[3], &with[3], weight);
            both = hash_words(both, &q[3].x, 4u);
            begin();
            osc_add_4_rotations(q, with, weight);
            added = hash_words(added, &q[0].x, 16u);
            begin();
            osc_add_rotation(&q[1], &with[1], weight);
            added = hash_words(added, &q[1].x, 4u);
            osc_vector v = {from[0].x, from[0].y, from[0].z}, t = {with[0].x, with[0].y, with[0].z};
            osc_mix_vector(&v, &t, weight);
            osc_add_vector(&v, &t, weight);
            osc_add_scale(&v, &t, weight);
            vectors = hash_words(vectors, &v.x, 3u);
        }
        print_line("mixed ", mixed);
        print_line("unit ", unit);
        print_line("both ", both);
        print_line("added ", added);
        print_line("vectors ", vectors);
    }
    hal_exit(0);
}
