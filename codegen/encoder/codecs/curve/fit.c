#include "codecs/curve/fit.h"

#include <math.h>
#include <string.h>

#include "codecs/osc_curve_arithmetic.h"
#include "ossicle.h"

#define CORNER 0.15        /* distance from the mean of both neighbours, relative to the slack */
#define FIRST_GAP 40u      /* length of the longest initial section */
#define MOST_INSERTIONS 40 /* rounds */
#define REACH 3u           /* keys on either side that are fitted again after a removal */
#define WATCHED 4u         /* keys on either side whose frames show whether a move is better */
#define NEARBY 8u          /* keys on either side that determine the result, and more than REACH */
#define BETTER 0.95        /* factor of the sum of fourth powers from which a move is worthwhile */

static bool is_fixed(const curve_keys *keys, uint32_t frame)
{
    if (frame == 0u || frame + 1u == keys->frame_count || curve_is_restart(keys, frame))
        return true;
    return keys->breaks[frame] != 0 || keys->breaks[frame + 1u] != 0;
}

/* Returns whether the target changes direction at a frame: a straight clip has a linear key
 * there. */
static bool is_corner(const curve_solver *solver, uint32_t frame)
{
    const double *before = solver->coded[frame - 1u], *at = solver->coded[frame];
    const double *after = solver->coded[frame + 1u];
    double sum = 0.0, angle = solver->keys.packing == OSC_CURVE_VECTOR ? 1.0 : 2.0;
    for (uint32_t c = 0; c < solver->keys.components; c++) {
        double off = (before[c] + after[c]) / 2.0 - at[c];
        sum += off * off;
    }
    return angle * sqrt(sum) > CORNER * solver->fit->slack * OSC_ONE_Q20;
}

void curve_start(curve_solver *solver)
{
    curve_keys *keys = &solver->keys;
    bool corners = solver->fit->straight && keys->basis == OSC_CURVE_LINEAR;
    keys->count = 0;
    uint32_t last = 0;
    for (uint32_t f = 0; f < keys->frame_count; f++) {
        if (!is_fixed(keys, f) && !(corners && is_corner(solver, f)))
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

/* The worst frame of section i that does not hold, at a distance from the section's ends; 0 if all
 * hold or the section is too short. */
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

/* The middle of section i if it or a frame next to it misses the target, else 0. A section of one
 * frame cannot be split; with keys in their middles its neighbours no longer depend on its keys. */
static uint32_t middle_at(const curve_solver *solver, uint32_t i)
{
    uint32_t from = solver->keys.frame[i], to = solver->keys.frame[i + 1u];
    bool near = false;
    for (uint32_t f = from > 3u ? from - 3u : 0u; f <= to + 3u && f < solver->keys.frame_count; f++)
        near = near || solver->ratio[f] > 1.0;
    return near && to - from > 1u ? (from + to) / 2u : 0u;
}

/* Adds a key to each section for which `frame_in` returns a frame. Returns whether there was one.
 * Only frames move up: curve_insert then solves for the values and tangents of all keys. */
static bool add_keys(curve_solver *solver, uint32_t (*frame_in)(const curve_solver *, uint32_t))
{
    curve_keys *keys = &solver->keys;
    uint32_t added = 0, count = keys->count;
    for (uint32_t i = 0; i + 1u < count; i++)
        added += frame_in(solver, i) != 0u;
    keys->count += added;
    for (uint32_t i = count - 1u; added > 0u; i--) { /* the last first, as all of them move up */
        uint32_t frame = frame_in(solver, i - 1u);
        keys->frame[i + added] = keys->frame[i];
        if (frame != 0u)
            keys->frame[i + --added] = frame;
    }
    return keys->count > count;
}

bool curve_insert(curve_solver *solver, uint32_t limit)
{
    curve_keys *keys = &solver->keys;
    for (int round = 0; round < MOST_INSERTIONS; round++) {
        if (curve_solve_measured(solver, 2u))
            return true;
        if (!add_keys(solver, split_at) && !add_keys(solver, middle_at))
            return curve_solve(solver, 0, keys->count - 1u, 4u);
        if (keys->count > limit)
            return false;
    }
    return false;
}

/* Returns whether the stream can represent the section that remains without key i. */
static bool removable(const curve_keys *keys, uint32_t i)
{
    return !is_fixed(keys, keys->frame[i]) &&
           keys->frame[i + 1u] - keys->frame[i - 1u] <= OSC_CURVE_MAX_GAP;
}

/* Forgets refusals. Changes happened earlier than any refusal that follows. */
static void forget(curve_solver *solver)
{
    curve_memory *memory = &solver->memory;
    memset(memory->refused, 0, solver->keys.frame_count * sizeof *memory->refused);
}

/* Returns whether the same try at key i was refused before and nothing near it has changed. */
static bool known_to_fail(const curve_solver *solver, uint32_t i, uint32_t what)
{
    const curve_memory *memory = &solver->memory;
    const curve_keys *keys = &solver->keys;
    uint32_t refused = memory->refused[keys->frame[i]][what];
    uint32_t first = i > NEARBY ? i - NEARBY : 0u;
    bool same = refused != 0u;
    for (uint32_t k = first; k <= i + NEARBY && k < keys->count && same; k++)
        same = memory->changed[keys->frame[k]] < refused;
    return same;
}

static void note_refusal(curve_solver *solver, uint32_t i, uint32_t what)
{
    solver->memory.refused[solver->keys.frame[i]][what] = ++solver->memory.now;
}

static void note_change(curve_solver *solver, uint32_t first, uint32_t last)
{
    solver->memory.now++;
    for (uint32_t k = first; k <= last; k++)
        solver->memory.changed[solver->keys.frame[k]] = solver->memory.now;
}

/* Tries to remove key i, at most NEARBY, by moving the previous keys up. */
static bool try_removal(curve_solver *solver, uint32_t i)
{
    curve_keys *keys = &solver->keys;
    if (!removable(keys, i) || known_to_fail(solver, i, CURVE_REMOVAL))
        return false;
    curve_keep(solver, 0, curve_key_after(keys, i, REACH));
    curve_keys_move(keys, 1u, keys, 0, i);
    curve_keys_skip(keys, 1u);
    uint32_t first = curve_key_before(i, REACH), last = curve_key_after(keys, i, REACH - 1u);
    if (curve_solve(solver, first, last, 2u)) {
        note_change(solver, first, last);
        return true;
    }
    curve_go_back(solver);
    note_refusal(solver, i, CURVE_REMOVAL);
    return false;
}

/* Tries to remove every key, or every second one. Returns the number of keys removed.
 *
 * The arrays are a gap buffer: `behind` finished keys, a hole as long as the keys removed, and the
 * keys that the solver sees, at most NEARBY of them before key i. So a removal moves few keys,
 * however long the track is. `track` has the arrays from their beginning on. */
static uint32_t remove_keys(curve_solver *solver, bool every)
{
    curve_keys *keys = &solver->keys, track = *keys;
    uint32_t behind = 0, removed = 0;
    for (uint32_t i = 1; i + 1u < keys->count;) {
        bool gone = try_removal(solver, i);
        removed += gone;
        i += every ? !gone : 2u;
        uint32_t left = i > NEARBY ? i - NEARBY : 0u;
        curve_keys_move(&track, behind, keys, 0, left);
        curve_keys_skip(keys, left);
        behind += left;
        i -= left;
    }
    curve_keys_move(&track, behind, keys, 0, keys->count);
    track.count -= removed;
    *keys = track;
    return removed;
}

static bool may_be_at(const curve_keys *keys, uint32_t i, uint32_t frame)
{
    uint32_t before = keys->frame[i - 1u], after = keys->frame[i + 1u];
    return !is_fixed(keys, keys->frame[i]) && frame > before && frame < after &&
           frame - before <= OSC_CURVE_MAX_GAP && after - frame <= OSC_CURVE_MAX_GAP;
}

static bool try_move(curve_solver *solver, uint32_t i, uint32_t what)
{
    curve_keys *keys = &solver->keys;
    uint32_t frame = keys->frame[i] + (what == CURVE_MOVE_AHEAD ? 1u : UINT32_MAX);
    if (!may_be_at(keys, i, frame) || known_to_fail(solver, i, what))
        return false;
    uint32_t from = keys->frame[curve_key_before(i, WATCHED)];
    uint32_t to = keys->frame[curve_key_after(keys, i, WATCHED)];
    uint32_t first = curve_key_before(i, 2u), last = curve_key_after(keys, i, 2u);
    const curve_watch watch = {from, to, BETTER * curve_fourth_powers(solver, from, to)};
    curve_keep(solver, first, last);
    keys->frame[i] = frame;
    if (curve_solve_better(solver, first, last, &watch)) {
        note_change(solver, first, last);
        return true;
    }
    curve_go_back(solver);
    note_refusal(solver, i, what);
    return false;
}

/* Moves keys by a frame if that brings the track closer to its target. Returns the number of
 * moves. */
static uint32_t move_keys(curve_solver *solver)
{
    uint32_t moved = 0;
    for (uint32_t i = 1; i + 1u < solver->keys.count; i++)
        moved += try_move(solver, i, CURVE_MOVE_BACK) || try_move(solver, i, CURVE_MOVE_AHEAD);
    return moved;
}

void curve_thin_out(curve_solver *solver, uint32_t rounds)
{
    forget(solver);
    for (uint32_t round = 0; round < rounds; round++) {
        uint32_t changes = remove_keys(solver, false);
        changes += remove_keys(solver, true);
        if (round + 1u < rounds)
            changes += move_keys(solver);
        if (changes == 0)
            break;
    }
}
