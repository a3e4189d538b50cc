/* Blends pseudo-random rows of several sizes on the target's backend, some at every fraction, and
 * prints a hash of the words of every kind of result. */
#include "hal.h"
#include "osc_backend.h"
#include "print.h"
#include "random_words.h"

#define CASES 64u
#define EVERY 8u /* one case in so many is blended at all 2048 fractions */

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

int main(void)
{
    static int32_t left[16], right[16];
    static osc_quaternion q[4], alone;
    static osc_vector v[4], single;
    print_text(OSC_BACKEND_NAME "\n");
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
                osc_blend_4_rotations(left, right, chords, blend, &q[0], &q[1], &q[2], &q[3]);
                osc_blend_rotation(left + 4, right + 4, chords[1], blend, &alone);
                osc_blend_4_vectors(left, right, blend, &v[0], &v[1], &v[2], &v[3]);
                osc_blend_vector(left + 13, right + 13, blend, &single);
                for (uint32_t lane = 0; lane < 4u; lane++) {
                    rotations = hash_words(rotations, &q[lane].x, 4u);
                    vectors = hash_words(vectors, &v[lane].x, 3u);
                }
                rotations = hash_words(rotations, &alone.x, 4u);
                vectors = hash_words(vectors, &single.x, 3u);
            }
        }
        print_line("rotations ", rotations);
        print_line("vectors ", vectors);
    }
    hal_exit(0);
}
