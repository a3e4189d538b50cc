/* The limit of the evaluator (SPEC.md section 5): squared chords of rows that blend are below it.
 * As in chord_limit.py. */
#ifndef CHORD_LIMIT_H
#define CHORD_LIMIT_H

#include <stdint.h>

#define CHORD_LIMIT_Q20 (3u << 18)

/* Steps of x y z w whose squared chord is one below the limit, the limit, and one above. */
static const int32_t chord_limit_steps[3][4] = {{(1 << 19) - 32, 1 << 19, 1 << 19, 180 << 5},
                                                {1 << 19, 1 << 19, 1 << 19, 0},
                                                {1 << 19, 1 << 19, 1 << 19, 32 << 5}};

#endif
