/* Least squares for the keys of a track: finds the values and tangents, at given key frames, that
 * come closest to the target, rounded to what the stream can represent. */
#ifndef ENCODER_CODECS_CURVE_SOLVE_H
#define ENCODER_CODECS_CURVE_SOLVE_H

#include "base/codec.h"
#include "codecs/curve/keys.h"

#define CURVE_BAND 4u       /* each unknown is coupled with at most the next three */
#define CURVE_MOST_KEPT 12u /* keys */

typedef struct {
    double w[4]; /* weights of the unknowns `first` .. `first` + 3 */
    int32_t first;
} curve_weights;

enum { CURVE_REMOVAL, CURVE_MOVE_BACK, CURVE_MOVE_AHEAD, CURVE_TRIES };

/* Times, counted in changes and refusals, at which the key at a frame last changed and at which a
 * change was refused. A refused change need not be tried again until a key nearby has changed. */
typedef struct {
    uint32_t now;
    uint32_t *changed;                /* [frame] */
    uint32_t (*refused)[CURVE_TRIES]; /* [frame]; 0: never */
} curve_memory;

/* The state to restore if a change of some keys is refused. */
typedef struct {
    curve_keys solved; /* the solver's keys, whose arrays change */
    curve_keys keys;   /* of these, first .. last */
    uint32_t first, last;
    uint32_t from, to; /* frames that they affect */
    double *ratio;     /* [frame - from] */
} curve_kept;

typedef struct {
    const enc_fit *fit;
    curve_keys keys;
    double (*aim)[4];   /* [frame]: the target as rows in Q20, with the packing's signs */
    double (*coded)[4]; /* [frame]: coded components in the packing's order, then zeros */
    int32_t *rows;      /* [frame][4 or 3]: as last played */
    double *ratio;      /* [frame]: deviation relative to the slack, corrected by holds() */
    double *weight;     /* [frame] */
    curve_weights *share;
    double (*matrix)[CURVE_BAND];
    double (*right)[4];
    curve_kept kept;
    curve_memory memory;
} curve_solver;

bool curve_solver_prepare(curve_solver *solver, const enc_fit *fit, uint32_t packing);
void curve_solver_release(curve_solver *solver);

/* Frames from .. to - 1, and a sum of the fourth powers of their ratios. */
typedef struct {
    uint32_t from, to;
    double below;
} curve_watch;

/* Fits keys first .. last, without changing the others. Solves again up to `rounds` times, with
 * weights where the target is missed. Returns whether every frame holds that these keys affect; if
 * not, their ratios are undefined. */
bool curve_solve(curve_solver *solver, uint32_t first, uint32_t last, uint32_t rounds);

/* The same without solving again. Also returns false if the sum is not below the one of `watch`. */
bool curve_solve_better(curve_solver *solver, uint32_t first, uint32_t last,
                        const curve_watch *watch);

/* The same for all keys, and their ratios are set in any case. */
bool curve_solve_measured(curve_solver *solver, uint32_t rounds);

/* The sum of the fourth powers of the ratios of frames from .. to - 1. */
double curve_fourth_powers(const curve_solver *solver, uint32_t from, uint32_t to);

/* Saves keys first .. last, at most CURVE_MOST_KEPT, and the ratios of the frames that they affect;
 * restores them, provided that only those keys have changed since. */
void curve_keep(curve_solver *solver, uint32_t first, uint32_t last);
void curve_go_back(curve_solver *solver);

/* Plays sections first .. last - 1 and measures them. Returns whether all frames hold. */
bool curve_measure(curve_solver *solver, uint32_t first, uint32_t last, double give_up);

#endif
