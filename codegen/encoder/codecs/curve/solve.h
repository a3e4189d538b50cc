/* Least squares for the keys of a track: given where the keys are, which values and tangents come
 * closest to the target, rounded to what the stream can say. */
#ifndef ENCODER_CODECS_CURVE_SOLVE_H
#define ENCODER_CODECS_CURVE_SOLVE_H

#include "base/codec.h"
#include "codecs/curve/keys.h"

#define CURVE_BAND 4u /* an unknown meets at most the three after it */

typedef struct {
    double w[4]; /* of the unknowns `first` .. `first` + 3 */
    int32_t first;
} curve_weights;

enum { CURVE_REMOVAL, CURVE_MOVE_BACK, CURVE_MOVE_AHEAD, CURVE_TRIES };

/* When, counted in changes and refusals, the key at a frame changed last, and when changing it was
 * refused: the same again until a key nearby has changed. */
typedef struct {
    uint32_t now;
    uint32_t *changed;                /* [frame] */
    uint32_t (*refused)[CURVE_TRIES]; /* [frame]; 0: not yet */
} curve_memory;

typedef struct {
    const enc_fit *fit;
    curve_keys keys;
    double (*aim)[4]; /* [frame]: the target as rows in Q20, signs as the packing has them */
    double (
        *coded)[4]; /* [frame]: its coded components in the packing's order, zeros behind them */
    int32_t *rows;  /* [frame][4 or 3]: what the keys were last played to */
    double *ratio;  /* [frame]: its deviation in units of the slack, corrected by holds() */
    double *weight; /* [frame] */
    curve_weights *share;
    double (*matrix)[CURVE_BAND];
    double (*right)[4];
    curve_keys kept; /* room to go back */
    double *kept_ratio;
    curve_memory memory;
} curve_solver;

bool curve_solver_prepare(curve_solver *solver, const enc_fit *fit, uint32_t packing);
void curve_solver_release(curve_solver *solver);

/* Fits keys first .. last, the others as they are. Up to `rounds` times more with weights where the
 * target is missed. True when every frame that these keys move holds. */
bool curve_solve(curve_solver *solver, uint32_t first, uint32_t last, uint32_t rounds);

/* Remembers keys and ratios, and goes back to them. */
void curve_keep(curve_solver *solver);
void curve_go_back(curve_solver *solver);

/* Plays sections first .. last - 1 and measures them; whether all of them hold. */
bool curve_measure(curve_solver *solver, uint32_t first, uint32_t last, double give_up);

#endif
