/* The square root, for every number. */
#include "any.h"
#include "contracts.h"

#include "arithmetic/osc_root.c"

enum { CHORDS = 48, CHORD_LENGTH = 1 << 22, PARTS = 32 /* chords in half of the octaves */ };

/* Each octave by the chords of the table that it meets. */
void prove_root(void)
{
    (void)osc_root_q20(0);
    for (uint32_t bit = 0; bit < 32u; bit++) {
        uint32_t low = 1u << bit, parts = low < PARTS ? low : PARTS, step = low / parts;
        for (uint32_t part = 0; part < parts; part++, low += step)
            (void)osc_root_q20(any_from(low, low + (step - 1u)));
    }
}

void prove_root_near(void)
{
    for (uint32_t chord = 0; chord < CHORDS; chord++)
        (void)osc_root_near_q20(
            any_from(chord * CHORD_LENGTH, chord * CHORD_LENGTH + (CHORD_LENGTH - 1u)));
}

/* The number of three components, and the choice of its root. */
void prove_rebuild(void)
{
    int32_t a = any_number(), b = any_number(), c = any_number();
    (void)osc_root_coarse_q28(a, b, c);
    (void)osc_root_short_q28(a, b, c);
    (void)osc_root_long_q28(a, b, c);
    (void)osc_rebuild_here_q20(a, b, c);
    (void)osc_rebuild_q20(a, b, c);
}
