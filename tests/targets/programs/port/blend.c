/* Blends pseudo-random rows of several sizes, some at every fraction, and
 * rotations at the limit of what blends. */
#include "../../../support/chord_limit.h"
#include "port.h"

#define CASES 64u
#define EVERY 32u /* one case in so many is blended at all 2048 fractions */

#define LEFT_W 945225 /* w of a unit quaternion whose x y z are -2^18 */

/* SPEC.md, section 5 */
static uint32_t chord(const int32_t *left, const int32_t *right)
{
    uint32_t sum = 0;
    for (int i = 0; i < 4; i++) {
        int32_t part = (int32_t)((uint32_t)right[i] - (uint32_t)left[i]) >> 5;
        sum += (uint32_t)part * (uint32_t)part;
    }
    return sum >> 10;
}

static int32_t left[16], right[16];
static osc_quaternion q[4], alone;

/* Four rotations together, and the second one alone. */
static uint32_t blend_rotations(uint32_t hash, const uint32_t chords[4], osc_blend blend)
{
    osc_blend_4_rotations(left, right, chords, blend, &q[0], &q[1], &q[2], &q[3]);
    osc_blend_rotation(left + 4, right + 4, chords[1], blend, &alone);
    for (uint32_t lane = 0; lane < 4u; lane++)
        hash = hash_words(hash, &q[lane].x, 4u);
    return hash_words(hash, &alone.x, 4u);
}

/* Pairs of unit rotations whose chord is one below the limit, the limit, and one above, with their
 * components in every order. */
static void print_limits(void)
{
    for (uint32_t i = 0; i < 3u; i++) {
        uint32_t hash = OSC_HASH_START, chords[4];
        for (uint32_t lane = 0; lane < 4u; lane++) {
            for (uint32_t w = 0; w < 4u; w++) {
                int32_t step = chord_limit_steps[i][(lane + w) & 3u];
                int32_t begin = ((lane + w) & 3u) == 3u ? LEFT_W : -(1 << 18);
                left[4u * lane + w] = begin;
                right[4u * lane + w] = begin + step;
            }
            chords[lane] = chord(left + 4u * lane, right + 4u * lane);
        }
        for (uint32_t fraction = 0; fraction < 2048u; fraction++)
            hash = blend_rotations(hash, chords, osc_blend_at(fraction));
        print_line("chord ", chords[0]);
        print_hash("osc_blend_rotation at the limit", i, hash);
    }
}

void check_blend(void)
{
    static osc_vector v[4], single;
    for (uint32_t kind = 0; kind < 3u; kind++) {
        uint32_t rotations = OSC_HASH_START, vectors = OSC_HASH_START;
        for (uint32_t i = 0; i < CASES; i++) {
            uint32_t chords[4], fraction = next_random() >> 21, last = fraction;
            for (uint32_t w = 0; w < 16u; w++) {
                left[w] = next_value(kind);
                right[w] = next_value(kind);
            }
            for (uint32_t lane = 0; lane < 4u; lane++)
                chords[lane] = chord(left + 4u * lane, right + 4u * lane);
            if (i % EVERY == 0u) {
                fraction = 0u;
                last = 2047u;
            }
            for (; fraction <= last; fraction++) {
                const osc_blend blend = osc_blend_at(fraction);
                rotations = blend_rotations(rotations, chords, blend);
                osc_blend_4_vectors(left, right, blend, &v[0], &v[1], &v[2], &v[3]);
                osc_blend_vector(left + 13, right + 13, blend, &single);
                for (uint32_t lane = 0; lane < 4u; lane++)
                    vectors = hash_words(vectors, &v[lane].x, 3u);
                vectors = hash_words(vectors, &single.x, 3u);
            }
        }
        print_hash("osc_blend_rotation", kind, rotations);
        print_hash("osc_blend_vector", kind, vectors);
    }
    print_limits();
}
