/* Composes pseudo-random rotations and matrices of several sizes on the target's backend, and
 * prints a hash of the words of every kind of result. */
#include "hal.h"
#include "osc_backend.h"
#include "print.h"

#define CASES 64u

static uint32_t state = 1u;

static uint32_t next_random(void)
{
    state = state * 1664525u + 1013904223u;
    return state ^ state >> 15;
}

/* Numbers of all sizes (kind 0), of at most about 1 in Q20 (kind 1), and extremes (kind 2). */
static int32_t next_value(uint32_t kind)
{
    static const int32_t extremes[8] = {INT32_MIN, INT32_MAX, -1,         0,
                                        1,         1 << 19,   -(1 << 19), 1 << 20};
    uint32_t random = next_random();
    if (kind == 2u)
        return extremes[random >> 7 & 7u];
    return kind == 1u ? (int32_t)random >> 11 : (int32_t)random;
}

static uint32_t hash_words(uint32_t hash, const osc_matrix *matrix)
{
    for (int i = 0; i < 12; i++)
        hash = (hash ^ (uint32_t)matrix->m[i]) * 16777619u;
    return hash;
}

static void fill(int32_t *words, uint32_t count, uint32_t kind)
{
    for (uint32_t i = 0; i < count; i++)
        words[i] = next_value(kind);
}

int main(void)
{
    static osc_quaternion rotation;
    static osc_vector translation, scale;
    static osc_matrix parent, local, out;
    print_text(OSC_BACKEND_NAME "\n");
    for (uint32_t kind = 0; kind < 3u; kind++) {
        uint32_t turned = OSC_HASH_START, scaled = OSC_HASH_START, product = OSC_HASH_START;
        uint32_t in_place = OSC_HASH_START;
        for (uint32_t i = 0; i < CASES; i++) {
            fill(&rotation.x, 4u, kind);
            fill(&translation.x, 3u, kind);
            fill(&scale.x, 3u, kind);
            fill(parent.m, 12u, kind);
            osc_local_matrix(&rotation, &translation, 0, &local);
            turned = hash_words(turned, &local);
            osc_local_matrix(&rotation, &translation, &scale, &local);
            scaled = hash_words(scaled, &local);
            fill(local.m, 12u, kind);
            osc_matrix_multiply(&parent, &local, &out);
            product = hash_words(product, &out);
            osc_matrix_multiply(&parent, &local, &parent);
            in_place = hash_words(in_place, &parent);
        }
        print_line("turned ", turned);
        print_line("scaled ", scaled);
        print_line("product ", product);
        print_line("in place ", in_place);
    }
    hal_exit(0);
}
