#include "curve_fit.h"

#include <math.h>
#include <string.h>

#include "osc_curve.h"

#define FIRST_GAP 40u      /* the longest section to begin with */
#define MOST_INSERTIONS 40 /* rounds */
#define REACH 3u           /* keys on either side that are fitted anew with a change */
#define BETTER 0.95        /* of the sum of fourth powers: what makes a move worth while */

static bool is_fixed(const curve_keys *keys, uint32_t frame)
{
    if (frame == 0u || frame + 1u == keys->frame_count || curve_is_restart(keys, frame))
        return true;
    return keys->breaks[frame] != 0 || keys->breaks[frame + 1u] != 0;
}

void curve_start(curve_solver *solver)
{
    curve_keys *keys = &solver->keys;
    keys->count = 0;
    uint32_t last = 0;
    for (uint32_t f = 0; f < keys->frame_count; f++) {
        if (!is_fixed(keys, f))
            continue;
        uint32_t parts = (f - last + FIRST_GAP - 1u) / FIRST_GAP;
        for (uint32_t i = 1; i < parts; i++)
            keys->frame[keys->count++] = last + i * (f - last) / parts;
        keys->frame[keys->count++] = f;
        last = f;
    }
    memset(keys->value, 0, keys->count * sizeof *keys->value);
    memset(keys->tangent, 0, keys->count * sizeof *keys->tangent);
}

static void insert_key(curve_keys *keys, uint32_t i, uint32_t frame)
{
    memmove(keys->frame + i + 1u, keys->frame + i, (keys->count - i) * sizeof *keys->frame);
    memmove(keys->value + i + 1u, keys->value + i, (keys->count - i) * sizeof *keys->value);
    memmove(keys->tangent + i + 1u, keys->tangent + i, (keys->count - i) * sizeof *keys->tangent);
    keys->frame[i] = frame;
    keys->count++;
}

static void remove_key(curve_keys *keys, uint32_t i)
{
    keys->count--;
    memmove(keys->frame + i, keys->frame + i + 1u, (keys->count - i) * sizeof *keys->frame);
    memmove(keys->value + i, keys->value + i + 1u, (keys->count - i) * sizeof *keys->value);
    memmove(keys->tangent + i, keys->tangent + i + 1u, (keys->count - i) * sizeof *keys->tangent);
}

/* The worst frame that does not hold in section i, kept off the section's ends; 0 if all hold or
 * there is no room. */
static uint32_t split_at(const curve_solver *solver, uint32_t i)
{
    uint32_t from = solver->keys.frame[i], to = solver->keys.frame[i + 1u], worst = 0;
    double ratio = 1.0;
    for (uint32_t f = from; f <= to; f++)
        if (solver->ratio[f] > ratio) {
            ratio = solver->ratio[f];
            worst = f;
        }
    if (ratio <= 1.0 || to - from < 2u)
        return 0;
    uint32_t margin = (to - from) / 4u > 1u ? (to - from) / 4u : 1u;
    worst = worst < from + margin ? from + margin : worst;
    return worst > to - margin ? to - margin : worst;
}

static bool split_all(curve_solver *solver)
{
    curve_keys *keys = &solver->keys;
    bool any = false;
    for (uint32_t i = keys->count - 1u; i-- > 0;) {
        uint32_t frame = split_at(solver, i);
        if (frame != 0u) {
            insert_key(keys, i + 1u, frame);
            any = true;
        }
    }
    return any;
}

/* Where sections of one frame miss the target, their neighbours pull at the keys: keys on these
 * leave them free. */
static bool free_neighbours(curve_solver *solver)
{
    curve_keys *keys = &solver->keys;
    bool any = false;
    for (uint32_t i = keys->count - 1u; i-- > 0;) {
        uint32_t from = keys->frame[i], to = keys->frame[i + 1u];
        bool near = false;
        for (uint32_t f = from > 3u ? from - 3u : 0u; f <= to + 3u && f < keys->frame_count; f++)
            near = near || solver->ratio[f] > 1.0;
        if (near && to - from > 1u) {
            insert_key(keys, i + 1u, (from + to) / 2u);
            any = true;
        }
    }
    return any;
}

bool curve_insert(curve_solver *solver, uint32_t limit)
{
    curve_keys *keys = &solver->keys;
    for (int round = 0; round < MOST_INSERTIONS; round++) {
        if (curve_solve(solver, 0, keys->count - 1u, 2u))
            return true;
        if (!split_all(solver) && !free_neighbours(solver))
            return curve_solve(solver, 0, keys->count - 1u, 4u);
        if (keys->count > limit)
            return false;
    }
    return false;
}

/* Whether taking key i out leaves a section that the stream can say. */
static bool removable(const curve_keys *keys, uint32_t i)
{
    return !is_fixed(keys, keys->frame[i]) &&
           keys->frame[i + 1u] - keys->frame[i - 1u] <= OSC_CURVE_MAX_GAP;
}

static bool try_removal(curve_solver *solver, uint32_t i)
{
    curve_keys *keys = &solver->keys;
    if (!removable(keys, i))
        return false;
    curve_keep(solver);
    remove_key(keys, i);
    uint32_t first = i > REACH ? i - REACH : 0u;
    uint32_t last = i + REACH - 1u < keys->count - 1u ? i + REACH - 1u : keys->count - 1u;
    if (curve_solve(solver, first, last, 3u))
        return true;
    curve_go_back(solver);
    return false;
}

uint32_t curve_remove(curve_solver *solver, uint32_t rounds)
{
    curve_keys *keys = &solver->keys;
    uint32_t removed = 0;
    for (uint32_t round = 0; round < rounds; round++) {
        uint32_t before = removed;
        for (uint32_t i = 1; i + 1u < keys->count; i += 2u) /* thin out evenly first */
            removed += try_removal(solver, i);
        for (uint32_t i = 1; i + 1u < keys->count;)
            if (try_removal(solver, i))
                removed++;
            else
                i++;
        if (removed == before)
            break;
    }
    return removed;
}

static double fourth_powers(const curve_solver *solver, uint32_t from, uint32_t to)
{
    double sum = 0.0;
    for (uint32_t f = from; f < to; f++) {
        double square = solver->ratio[f] * solver->ratio[f];
        sum += square * square;
    }
    return sum;
}

static bool try_move(curve_solver *solver, uint32_t i, int32_t by)
{
    curve_keys *keys = &solver->keys;
    uint32_t frame = keys->frame[i] + (uint32_t)by;
    if (is_fixed(keys, keys->frame[i]) || frame <= keys->frame[i - 1u] ||
        frame >= keys->frame[i + 1u] || frame - keys->frame[i - 1u] > OSC_CURVE_MAX_GAP ||
        keys->frame[i + 1u] - frame > OSC_CURVE_MAX_GAP)
        return false;
    uint32_t first = i > 4u ? i - 4u : 0u, last = i + 4u < keys->count ? i + 4u : keys->count - 1u;
    uint32_t from = keys->frame[first], to = keys->frame[last];
    double before = fourth_powers(solver, from, to);
    curve_keep(solver);
    keys->frame[i] = frame;
    if (curve_solve(solver, i > 2u ? i - 2u : 0u, i + 2u < keys->count ? i + 2u : keys->count - 1u,
                    0u) &&
        fourth_powers(solver, from, to) < BETTER * before)
        return true;
    curve_go_back(solver);
    return false;
}

uint32_t curve_move(curve_solver *solver)
{
    uint32_t moved = 0;
    for (uint32_t i = 1; i + 1u < solver->keys.count; i++)
        moved += try_move(solver, i, -1) || try_move(solver, i, 1);
    return moved;
}
