#include "codecs/curve/search.h"

#include <math.h>
#include <string.h>

#include "arithmetic/osc_fixed.h"
#include "bank/osc_format.h"
#include "base/quantise.h"
#include "codecs/curve/code.h"
#include "codecs/curve/fit.h"
#include "ossicle.h"

#define STEP_PER_SLACK 0.8 /* largest step in deviations of a component */
#define BITS_PER_KEY 14u   /* lower estimate */
#define POLISH_ROUNDS 3u
#define HOPELESS 3 /* keys this many times larger than the best are not thinned out, */
#define NEARLY 1.5 /* and, once thinned out, get no other steps */

/* The work of an effort. */
typedef struct {
    uint32_t units;  /* Hermite: units of tangents to start with */
    uint32_t rounds; /* of removing keys, with moves between them */
    bool linear;     /* also thins out linear keys, which straight clips always get */
    bool warm;       /* also tries neighbouring steps and units, with the same key frames */
    bool cold;       /* also starts with finer steps */
    bool coarsen;    /* also makes single components coarser */
    uint32_t polish; /* most keys of a track whose numbers are changed one by one */
    uint32_t spread; /* least frames per key from which keys are thinned out */
} curve_work;

static const curve_work work_of_effort[] = {{1, 1, false, false, false, false, 0, 2},
                                            {1, 3, false, true, false, true, 0, 2},
                                            {3, 6, true, true, true, true, 200, 1}};

bool curve_search_prepare(curve_search *search, const enc_fit *fit, uint32_t packing, uint32_t bits)
{
    memset(search, 0, sizeof *search);
    search->best_bits = bits;
    search->least = UINT32_MAX;
    bool ready = curve_solver_prepare(&search->solver, fit, packing);
    ready = curve_keys_prepare(&search->best, fit->frame_count) && ready;
    for (uint32_t i = 0; i < CURVE_CANDIDATES; i++)
        ready = curve_keys_prepare(&search->candidates[i].keys, fit->frame_count) && ready;
    return ready;
}

void curve_search_release(curve_search *search)
{
    curve_solver_release(&search->solver);
    curve_keys_release(&search->best);
    for (uint32_t i = 0; i < CURVE_CANDIDATES; i++)
        curve_keys_release(&search->candidates[i].keys);
}

/* The bits of the solver's keys; UINT32_MAX if the stream cannot represent them. */
static uint32_t count_bits(curve_search *search)
{
    bool unfit;
    uint32_t bits = curve_code_bits(&search->solver.keys, &unfit);
    search->out_of_memory = search->out_of_memory || (bits == UINT32_MAX && !unfit);
    return bits;
}

/* Counts the bits of the solver's keys, and keeps them if they are the cheapest and can be
 * played. */
static uint32_t weigh(curve_search *search)
{
    const curve_keys *keys = &search->solver.keys;
    uint32_t bits = count_bits(search);
    if (bits == UINT32_MAX)
        return bits;
    search->least = bits < search->least ? bits : search->least;
    if (bits >= search->best_bits)
        return bits;
    curve_play(keys, 0, keys->count - 1u, search->solver.rows);
    if (!enc_steps_blend(search->solver.rows, curve_row_words(keys->packing), keys->frame_count,
                         keys->breaks))
        return bits;
    search->best_bits = bits;
    curve_keys_copy(&search->best, keys);
    return bits;
}

/* The coarsest step worth trying. */
static uint32_t first_shift(const enc_fit *fit)
{
    double step = fit->slack * OSC_ONE_Q20 * STEP_PER_SLACK;
    uint32_t shift = 0;
    if (fit->kind == ENC_ROTATION)
        step *= 0.5; /* a component changes by half the angle */
    while (shift < OSC_CURVE_SHIFT_MAX && (double)(2u << shift) <= step)
        shift++;
    return shift;
}

/* Finds keys that hold by insertion only. */
static void find_candidate(curve_search *search, curve_candidate *candidate, uint32_t basis,
                           uint32_t shift, uint32_t unit, uint32_t spread)
{
    curve_solver *solver = &search->solver;
    solver->keys.basis = basis;
    solver->keys.shift = shift;
    solver->keys.unit = unit;
    memset(solver->keys.coarsening, 0, sizeof solver->keys.coarsening);
    candidate->bits = UINT32_MAX;
    curve_start(solver);
    uint32_t fixed = solver->keys.count, most = search->best_bits / BITS_PER_KEY;
    if (most > solver->keys.frame_count / spread)
        most = solver->keys.frame_count / spread;
    if (curve_insert(solver, fixed + most)) {
        candidate->bits = weigh(search);
        curve_keys_copy(&candidate->keys, &solver->keys);
    }
}

static void thin_out(curve_search *search, const curve_work *work)
{
    curve_measure(&search->solver, 0, search->solver.keys.count - 1u, HUGE_VAL);
    curve_thin_out(&search->solver, work->rounds);
    weigh(search);
}

/* Tries the best keys with another step or unit, at the same frames, and removes some. */
static void try_beside(curve_search *search, uint32_t shift, uint32_t unit, const curve_work *work)
{
    curve_keys *keys = &search->solver.keys;
    curve_keys_copy(keys, &search->best);
    keys->shift = shift;
    keys->unit = unit;
    if (curve_solve(&search->solver, 0, keys->count - 1u, 3u))
        thin_out(search, work);
}

static void try_all_beside(curve_search *search, const curve_work *work)
{
    const curve_keys *best = &search->best;
    if (best->basis == OSC_CURVE_HERMITE && best->unit < 2u)
        try_beside(search, best->shift, best->unit + 1u, work);
    if (best->shift > 0u)
        try_beside(search, best->shift - 1u, best->unit, work);
    if (best->shift < OSC_CURVE_SHIFT_MAX)
        try_beside(search, best->shift + 1u, best->unit, work);
}

/* Doubles the steps of single components. */
static void try_coarser_components(curve_search *search)
{
    curve_keys *keys = &search->solver.keys;
    for (uint32_t c = 0; c < 3u; c++)
        for (uint32_t coarsening = 1; coarsening < OSC_CURVE_ABSENT; coarsening++) {
            uint32_t before = search->best_bits;
            curve_keys_copy(keys, &search->best);
            keys->coarsening[c] = coarsening;
            if (curve_solve(&search->solver, 0, keys->count - 1u, 3u))
                weigh(search);
            if (search->best_bits == before)
                break;
        }
}

static void search_shift(curve_search *search, uint32_t shift, const curve_work *work)
{
    curve_candidate *candidates = search->candidates;
    uint32_t count = 0;
    if (work->linear || search->solver.fit->straight)
        find_candidate(search, &candidates[count++], OSC_CURVE_LINEAR, shift, 0, work->spread);
    find_candidate(search, &candidates[count++], OSC_CURVE_CUBIC, shift, 0, work->spread);
    for (uint32_t unit = 0; unit < work->units; unit++)
        find_candidate(search, &candidates[count++], OSC_CURVE_HERMITE, shift, unit, work->spread);
    for (uint32_t i = 0; i < count; i++) {
        if (candidates[i].bits == UINT32_MAX ||
            (double)candidates[i].bits > HOPELESS * search->best_bits)
            continue;
        curve_keys_copy(&search->solver.keys, &candidates[i].keys);
        thin_out(search, work);
    }
}

/* Changes one number of a key if that holds and takes fewer bits. */
static bool try_number(curve_search *search, uint32_t key, int32_t *number, int32_t by)
{
    curve_solver *solver = &search->solver;
    uint32_t last = solver->keys.count - 1u, before = search->best_bits;
    int32_t kept = *number;
    *number = osc_add(kept, by);
    if (count_bits(search) < before && curve_measure(solver, key > 2u ? key - 2u : 0u,
                                                     key + 2u < last ? key + 2u : last, HUGE_VAL)) {
        weigh(search);
        if (search->best_bits < before)
            return true;
    }
    *number = kept;
    return false;
}

/* Changes the numbers of single keys by a step or two, because the fit minimises errors, not
 * bits. */
static void polish(curve_search *search)
{
    curve_keys *keys = &search->solver.keys;
    bool any = true;
    curve_keys_copy(keys, &search->best);
    curve_measure(&search->solver, 0, keys->count - 1u, HUGE_VAL);
    for (uint32_t round = 0; round < POLISH_ROUNDS && any; round++) {
        any = false;
        for (uint32_t i = 0; i < keys->count; i++)
            for (uint32_t c = 0; c < keys->components; c++) {
                int32_t step = c < 3u ? 1 << (keys->coarsening[c] & 3u) : 1;
                for (int32_t by = -2; by <= 2; by++) {
                    if (by == 0)
                        continue;
                    any = try_number(search, i, &keys->value[i][c], by * step) || any;
                    if (keys->basis == OSC_CURVE_HERMITE)
                        any = try_number(search, i, &keys->tangent[i][c], by * step) || any;
                }
            }
    }
}

void curve_search_keys(curve_search *search)
{
    const enc_fit *fit = search->solver.fit;
    const curve_work *work = &work_of_effort[fit->effort];
    uint32_t shift = first_shift(fit);
    search_shift(search, shift, work);
    /* finer steps, if there is no starting point yet */
    for (; shift > 0u && search->best_bits == UINT32_MAX; shift--)
        search_shift(search, shift - 1u, work);
    if (search->least > NEARLY * search->best_bits)
        return;
    if (work->cold && shift > 0u)
        search_shift(search, shift - 1u, work);
    if (search->best.count == 0)
        return;
    if (work->warm)
        try_all_beside(search, work);
    if (work->coarsen)
        try_coarser_components(search);
    if (search->best.count <= work->polish)
        polish(search);
}
