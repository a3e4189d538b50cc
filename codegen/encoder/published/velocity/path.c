/* The search for velocity keys. From each state in which a frame can be reached, it tries
 * velocities that suit a number of frames ahead, for as long as their rows hold. */
#include "published/velocity/path.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/quantise.h"

#define NO_NODE UINT32_MAX
#define MOST_AHEAD 64u
#define MOST_HALF_ANGLE 1.2 /* largest half angle of a turn from which a velocity is computed */
#define MOST_TURN 0.98      /* largest length of a velocity's x y z */
#define EARLIER 3u          /* ends to try per velocity: the last frame that holds, and before */
#define OFF_BITS 1.5        /* value of a state that is closer to the target by one slack */
#define NODES_PER_STATE 4u  /* capacity for states before they are ranked */

/* A state: the row at a frame, the velocity that led to it, and its key. */
typedef struct {
    int32_t row[4];
    osc_velocity velocity;
    uint32_t frame, parent, key_frame, kind;
    int32_t code[3], step[3];
    double bits, rank;
} node;

typedef struct {
    enc_velocity_track *track;
    const enc_fit *fit;
    uint32_t components, beam, capacity;
    uint32_t first, last; /* frames of the block */
    node *nodes;
    uint32_t node_count, node_capacity;
    uint32_t *buckets; /* [frame of the block][capacity]: nodes */
    uint32_t *counts;  /* [frame of the block]: number of nodes */
    double *cheapest;  /* [frame of the block]: least bits */
    int32_t *rows;     /* [frame of the block][4]: of the velocity being tried */
    uint32_t best;     /* node at the last frame */
    bool failed;
} search;

/* ---- rotations ---- */

/* Computes the turn from row to target as half its angle along its axis, in the row's axes. Returns
 * false if it is too large. */
static bool half_turn(const int32_t *row, const double *target, double out[3])
{
    double q[4], d[4], w = 0.0, length2 = 0.0;
    for (int i = 0; i < 4; i++) {
        q[i] = row[i] / (double)OSC_ONE_Q20;
        w += q[i] * target[i];
    }
    double sign = w < 0.0 ? -1.0 : 1.0;
    d[0] = q[3] * target[0] - q[0] * target[3] - q[1] * target[2] + q[2] * target[1];
    d[1] = q[3] * target[1] - q[1] * target[3] - q[2] * target[0] + q[0] * target[2];
    d[2] = q[3] * target[2] - q[2] * target[3] - q[0] * target[1] + q[1] * target[0];
    d[3] = fmin(fabs(w), 1.0);
    for (int halvings = 0; halvings < 3;
         halvings++) { /* until the series below converges quickly */
        d[3] = sqrt((1.0 + d[3]) / 2.0);
        for (int i = 0; i < 3; i++)
            d[i] /= 2.0 * d[3];
    }
    for (int i = 0; i < 3; i++)
        length2 += d[i] * d[i];
    double arc =
        8.0 * (1.0 + length2 * (1.0 / 6.0 + length2 * (3.0 / 40.0 + length2 * 15.0 / 336.0)));
    for (int i = 0; i < 3; i++)
        out[i] = sign * d[i] * arc;
    return length2 * arc * arc <= MOST_HALF_ANGLE * MOST_HALF_ANGLE;
}

/* The sine of a half angle, along its axis. */
static void half_sine(const double *half, double out[3])
{
    double a2 = half[0] * half[0] + half[1] * half[1] + half[2] * half[2];
    double factor = 1.0 - a2 / 6.0 * (1.0 - a2 / 20.0 * (1.0 - a2 / 42.0 * (1.0 - a2 / 72.0)));
    for (int i = 0; i < 3; i++)
        out[i] = half[i] * factor;
}

uint32_t enc_velocity_seed(const enc_velocity_track *track, const double *value,
                           const int32_t *near, int32_t *row)
{
    uint32_t components = enc_components(track->kind), largest = 4u;
    if (track->kind == ENC_ROTATION) {
        largest = 0;
        for (uint32_t i = 1; i < 4u; i++)
            if (fabs(value[i]) > fabs(value[largest]))
                largest = i;
    }
    for (uint32_t i = 0; i < components; i++)
        if (i != largest)
            row[i] = enc_quantise(value[i], track->seed_shift);
    if (largest == 4u)
        return largest;
    enc_rebuild(row, largest, value[largest] < 0.0);
    double same = 0.0;
    for (uint32_t i = 0; i < 4u && near != NULL; i++)
        same += (double)row[i] * near[i];
    for (uint32_t i = 0; i < 4u && same < 0.0; i++)
        row[i] = -row[i];
    return largest;
}

/* ---- states ---- */

static double off(const search *s, uint32_t frame, const int32_t *row)
{
    const double *target = s->fit->target + (size_t)frame * s->components;
    double plus = 0.0, minus = 0.0;
    if (!(s->fit->slack > 0.0))
        return 0.0;
    for (uint32_t i = 0; i < s->components; i++) {
        double value = row[i] / (double)OSC_ONE_Q20;
        plus += (value - target[i]) * (value - target[i]);
        minus += (value + target[i]) * (value + target[i]);
    }
    double off2 = s->components == 4u ? fmin(plus, minus) : plus;
    return fmin(sqrt(off2) / s->fit->slack, 4.0);
}

static uint32_t new_node(search *s, const node *made)
{
    if (s->node_count == s->node_capacity) {
        uint32_t capacity = s->node_capacity * 2u + 256u;
        node *nodes = realloc(s->nodes, capacity * sizeof *nodes);
        if (nodes == NULL) {
            s->failed = true;
            return NO_NODE;
        }
        s->nodes = nodes;
        s->node_capacity = capacity;
    }
    s->nodes[s->node_count] = *made;
    return s->node_count++;
}

/* Adds a state to its frame; without room it replaces the worst one there if it is better. */
static void offer(search *s, const node *made)
{
    uint32_t at = made->frame - s->first, *bucket = s->buckets + (size_t)at * s->capacity;
    if (made->frame == s->last) {
        if (s->best == NO_NODE || made->bits < s->nodes[s->best].bits)
            s->best = new_node(s, made);
        return;
    }
    uint32_t worst = 0;
    for (uint32_t i = 0; i < s->counts[at]; i++) {
        const node *other = &s->nodes[bucket[i]];
        if (memcmp(other->row, made->row, s->components * sizeof *made->row) == 0 &&
            memcmp(other->velocity.to, made->velocity.to, sizeof made->velocity.to) == 0 &&
            other->bits <= made->bits)
            return;
        if (other->rank > s->nodes[bucket[worst]].rank)
            worst = i;
    }
    if (s->counts[at] == s->capacity) {
        if (s->nodes[bucket[worst]].rank <= made->rank)
            return;
        s->nodes[bucket[worst]] = *made; /* no other state depends on it yet */
    } else {
        uint32_t index = new_node(s, made);
        if (index == NO_NODE)
            return;
        bucket[s->counts[at]++] = index;
    }
    s->cheapest[at] = fmin(s->cheapest[at], made->bits);
}

/* Plays a velocity from the state `made`, whose row is that of made->frame, for as long as the rows
 * hold, and adds the resulting states. base: the frame of its key, from which the gap counts.
 * Returns the number of frames. */
static uint32_t play(search *s, node made, uint32_t base)
{
    uint32_t frame = made.frame, count = 0;
    const int32_t *from = made.row;
    const enc_fit *fit = s->fit;
    while (frame + count < s->last) {
        int32_t *to = s->rows + (size_t)count * 4u;
        if (fit->kind == ENC_ROTATION)
            osc_velocity_turn(from, &made.velocity, to);
        else
            osc_velocity_move(from, &made.velocity, to);
        if (!fit->holds(fit->context, frame + count + 1u, to))
            break;
        from = to;
        count++;
    }
    uint32_t least = made.kind == ENC_VELOCITY_REST || made.kind == OSC_VELOCITY_SEED ? 0u : 1u;
    double bits = made.bits;
    for (uint32_t earlier = 0; earlier < EARLIER && count >= least + earlier; earlier++) {
        uint32_t ahead = count - earlier;
        if (ahead != 0u)
            memcpy(made.row, s->rows + (size_t)(ahead - 1u) * 4u, s->components * sizeof *made.row);
        else if (earlier != 0u && count != 0u)
            break; /* the state it started from was replaced */
        made.frame = frame + ahead;
        made.bits = bits + enc_rice_bits(made.frame - base, s->track->gap_rice);
        made.rank = made.bits + OFF_BITS * off(s, made.frame, made.row);
        offer(s, &made);
        if (made.frame == s->last)
            break;
    }
    return count;
}

/* ---- keys ---- */

/* Prepares `made` as the state whose velocity is tried next. */
static void set_key(const search *s, node *made, uint32_t parent, uint32_t kind)
{
    const node *from = &s->nodes[parent];
    *made = *from;
    made->parent = parent;
    made->kind = kind;
    made->key_frame = from->frame + 1u;
    memset(made->code, 0, sizeof made->code);
    memset(made->step, 0, sizeof made->step);
}

static bool turns_too_far(const search *s, const osc_velocity *velocity)
{
    double size2 = 0.0, most = MOST_TURN * OSC_ONE_Q20;
    for (int i = 0; i < 3; i++)
        size2 += (double)velocity->to[i] * velocity->to[i];
    return s->fit->kind == ENC_ROTATION && size2 > most * most;
}

/* Adds the price of a key whose velocity is set, and plays it. */
static uint32_t try_key(search *s, node *made)
{
    if (turns_too_far(s, &made->velocity))
        return 0;
    osc_velocity_settle(&made->velocity, s->fit->kind == ENC_ROTATION);
    made->bits += enc_velocity_key_bits(s->track, made->kind, made->code);
    return play(s, *made, made->key_frame);
}

static bool fits(int32_t value, uint32_t width)
{
    return enc_signed_width(value) <= width;
}

/* Tries a key with a difference, clamped to the range if there is one. */
static uint32_t try_difference(search *s, uint32_t parent, const double *wanted, bool *exact)
{
    const enc_velocity_track *track = s->track;
    node made;
    set_key(s, &made, parent, OSC_VELOCITY_DIFFERENCE);
    *exact = true;
    for (uint32_t i = 0; i < 3u; i++) {
        double steps =
            floor((wanted[i] - made.velocity.to[i]) / (double)(1u << track->shift) + 0.5);
        made.step[i] = (int32_t)fmax(fmin(steps, 1e9), -1e9);
        made.code[i] = made.step[i];
        if (track->ranged && !fits(made.code[i], track->range_width)) {
            int32_t most = (int32_t)((1u << (track->range_width - 1u)) - 1u);
            made.code[i] = made.code[i] < 0 ? -most - 1 : most;
            *exact = false;
        }
        made.velocity.to[i] = osc_add(made.velocity.to[i], osc_shl(made.code[i], track->shift));
    }
    return try_key(s, &made);
}

static uint32_t try_full(search *s, uint32_t parent, const double *wanted)
{
    const enc_velocity_track *track = s->track;
    node made;
    set_key(s, &made, parent, OSC_VELOCITY_FULL);
    for (uint32_t i = 0; i < 3u; i++) {
        made.code[i] = enc_quantise(wanted[i] / OSC_ONE_Q20, track->shift) >> track->shift;
        if (!fits(made.code[i], track->full_width))
            return 0;
        int32_t to = osc_shl(made.code[i], track->shift);
        made.step[i] = osc_sub(to, made.velocity.to[i]) >> track->shift;
        made.velocity.to[i] = to;
    }
    return try_key(s, &made);
}

/* Tries a key that keeps the axis. */
static uint32_t try_speed(search *s, uint32_t parent, const double *wanted)
{
    const enc_velocity_track *track = s->track;
    uint32_t speed_precision = OSC_VELOCITY_SPEED_PRECISION(track->speed_precision);
    double along = 0.0, size2 = 0.0;
    node made;
    set_key(s, &made, parent, OSC_VELOCITY_SPEED);
    for (uint32_t i = 0; i < 3u; i++) {
        along += wanted[i] * made.velocity.to[i];
        size2 += (double)made.velocity.to[i] * made.velocity.to[i];
    }
    double change = floor((along / size2 - 1.0) * (double)(1u << speed_precision) + 0.5);
    if (change == 0.0 || !(change >= -128.0 && change <= 127.0)) /* NaN without a velocity */
        return 0;
    made.code[0] = (int32_t)change;
    osc_velocity_speed(&made.velocity, made.code[0], speed_precision);
    return try_key(s, &made);
}

/* Tries a jump, which keeps the velocity. */
static void try_seed(search *s, uint32_t parent)
{
    const enc_fit *fit = s->fit;
    node made;
    set_key(s, &made, parent, OSC_VELOCITY_SEED);
    uint32_t frame = made.key_frame;
    (void)enc_velocity_seed(s->track, fit->target + (size_t)frame * s->components,
                            s->nodes[parent].row, made.row);
    if (!fit->holds(fit->context, frame, made.row))
        return;
    made.frame = frame;
    made.bits += enc_velocity_key_bits(s->track, OSC_VELOCITY_SEED, made.code);
    (void)play(s, made, frame);
}

/* Tries all keys that lead to a velocity. Returns the largest number of frames for which one
 * holds. */
static uint32_t try_velocity(search *s, uint32_t parent, const double *wanted, bool speed)
{
    bool exact;
    if (s->track->keys_as == ENC_KEYS_FULL)
        return try_full(s, parent, wanted);
    uint32_t most = try_difference(s, parent, wanted, &exact);
    uint32_t full =
        !exact || s->nodes[parent].kind == ENC_VELOCITY_REST ? try_full(s, parent, wanted) : 0u;
    uint32_t fast =
        speed && s->track->most_kind >= OSC_VELOCITY_SPEED ? try_speed(s, parent, wanted) : 0u;
    most = full > most ? full : most;
    return fast > most ? fast : most;
}

/* Computes the displacement of the track from a state to `ahead` frames later. */
static bool displacement(const search *s, const node *from, uint32_t ahead, double out[3])
{
    const double *target = s->fit->target + (size_t)(from->frame + ahead) * s->components;
    if (s->fit->kind == ENC_ROTATION)
        return half_turn(from->row, target, out);
    for (int i = 0; i < 3; i++)
        out[i] = target[i] - from->row[i] / (double)OSC_ONE_Q20;
    return true;
}

static void velocity_of(const search *s, const double *each, double wanted[3])
{
    if (s->fit->kind == ENC_ROTATION)
        half_sine(each, wanted);
    else
        memcpy(wanted, each, 3u * sizeof *each);
    for (int i = 0; i < 3; i++)
        wanted[i] = fmax(fmin(wanted[i] * OSC_ONE_Q20, 1e9), -1e9);
}

/* Tries the keys that can follow a state: velocities that fit a number of frames ahead best, and
 * velocities that reach the target of the last of these frames. */
static void expand(search *s, uint32_t parent)
{
    static const uint8_t lengths[] = {1, 2, 3, 4, 5, 6, 8, 10, 13, 16, 20, 25, 32, 40, 50, 64};
    uint32_t frame = s->nodes[parent].frame, next = 0, longest = 0;
    double sum[3] = {0.0, 0.0, 0.0}, weight = 0.0;
    for (uint32_t ahead = 1; ahead <= MOST_AHEAD && frame + ahead <= s->last; ahead++) {
        double moved[3], each[3], wanted[3];
        node from = s->nodes[parent];
        if ((s->fit->breaks != NULL && s->fit->breaks[frame + ahead] != 0 && ahead > 1u) ||
            !displacement(s, &from, ahead, moved))
            break;
        for (int i = 0; i < 3; i++)
            sum[i] += ahead * moved[i];
        weight += (double)ahead * ahead;
        if (lengths[next] != ahead)
            continue;
        next++;
        for (int i = 0; i < 3; i++)
            each[i] = sum[i] / weight;
        velocity_of(s, each, wanted);
        uint32_t most = try_velocity(s, parent, wanted, true);
        if (ahead > 1u) {
            for (int i = 0; i < 3; i++)
                each[i] = moved[i] / ahead;
            velocity_of(s, each, wanted);
            uint32_t other = try_velocity(s, parent, wanted, false);
            most = other > most ? other : most;
        }
        longest = most > longest ? most : longest;
        if (most + 1u < ahead / 2u)
            break;
    }
    if (longest == 0u || (s->fit->breaks != NULL && s->fit->breaks[frame + 1u] != 0))
        try_seed(s, parent);
}

/* Returns whether a state that is at least EARLIER frames further costs no more. */
static bool overtaken(const search *s, const node *state)
{
    if (s->best != NO_NODE && s->nodes[s->best].bits <= state->bits)
        return true;
    uint32_t end = state->frame + EARLIER + MOST_AHEAD;
    for (uint32_t f = state->frame + EARLIER; f < s->last && f < end; f++)
        if (s->cheapest[f - s->first] <= state->bits)
            return true;
    return false;
}

static int by_rank(const node *a, const node *b)
{
    return a->rank < b->rank ? -1 : a->rank > b->rank ? 1 : 0;
}

/* Sorts the states of a frame, best first. */
static void sort_states(search *s, uint32_t at)
{
    uint32_t *bucket = s->buckets + (size_t)at * s->capacity;
    for (uint32_t i = 1; i < s->counts[at]; i++)
        for (uint32_t k = i; k > 0u && by_rank(&s->nodes[bucket[k]], &s->nodes[bucket[k - 1u]]) < 0;
             k--) {
            uint32_t moved = bucket[k];
            bucket[k] = bucket[k - 1u];
            bucket[k - 1u] = moved;
        }
}

/* ---- blocks ---- */

/* Appends the keys that lead to a node, in order. */
static void take_keys(search *s, uint32_t last_node)
{
    enc_velocity_track *track = s->track;
    uint32_t count = 0, end = s->last;
    for (uint32_t n = last_node; n != NO_NODE; n = s->nodes[n].parent)
        count++;
    enc_velocity_key *key = track->keys + track->key_count + count;
    for (uint32_t n = last_node; n != NO_NODE; n = s->nodes[n].parent) {
        const node *from = &s->nodes[n];
        key--;
        key->frame = from->key_frame;
        key->kind = from->kind;
        key->lasts = end - from->key_frame;
        memcpy(key->code, from->code, sizeof key->code);
        memcpy(key->step, from->step, sizeof key->step);
        end = from->key_frame - 1u;
    }
    track->key_count += count;
}

/* Plays the block's keys into the rows that the device will have. Returns whether all of them
 * hold. */
static bool fill_rows(search *s, uint32_t first_key)
{
    enc_velocity_track *track = s->track;
    const enc_fit *fit = s->fit;
    bool rotation = fit->kind == ENC_ROTATION, fine = true;
    osc_velocity velocity = {{0, 0, 0}, OSC_ONE_Q20};
    for (uint32_t i = first_key; i < track->key_count; i++) {
        enc_velocity_key *key = &track->keys[i];
        for (uint32_t f = key->frame; f <= key->frame + key->lasts; f++) {
            int32_t *row = track->rows + (size_t)f * s->components;
            const int32_t *before = f > 0u ? row - s->components : NULL;
            bool seed = key->kind >= OSC_VELOCITY_SEED;
            for (uint32_t c = 0; c < 3u && f == key->frame && !seed; c++) {
                if (key->kind == OSC_VELOCITY_DIFFERENCE)
                    velocity.to[c] = osc_add(velocity.to[c], osc_shl(key->code[c], track->shift));
                if (key->kind == OSC_VELOCITY_FULL)
                    velocity.to[c] = osc_shl(key->code[c], track->shift);
            }
            if (f == key->frame && key->kind == OSC_VELOCITY_SPEED)
                osc_velocity_speed(&velocity, key->code[0],
                                   OSC_VELOCITY_SPEED_PRECISION(track->speed_precision));
            if (f == key->frame && !seed)
                osc_velocity_settle(&velocity, rotation);
            if (f == key->frame && seed)
                key->code[0] = (int32_t)enc_velocity_seed(
                    track, fit->target + (size_t)f * s->components, before, row);
            else if (rotation)
                osc_velocity_turn(before, &velocity, row);
            else
                osc_velocity_move(before, &velocity, row);
            fine = fine && fit->holds(fit->context, f, row);
        }
    }
    return fine;
}

/* Finds the keys of one block. */
static bool search_block(search *s)
{
    const enc_fit *fit = s->fit;
    uint32_t frames = s->last - s->first + 1u, first_key = s->track->key_count;
    s->node_count = 0;
    s->best = NO_NODE;
    memset(s->counts, 0, frames * sizeof *s->counts);
    for (uint32_t i = 0; i < frames; i++)
        s->cheapest[i] = HUGE_VAL;
    node start = {.frame = s->first, .parent = NO_NODE, .key_frame = s->first};
    start.kind = ENC_VELOCITY_REST;
    start.velocity.w = OSC_ONE_Q20;
    const int32_t *before =
        s->first > 0u ? s->track->rows + (size_t)(s->first - 1u) * s->components : NULL;
    (void)enc_velocity_seed(s->track, fit->target + (size_t)s->first * s->components, before,
                            start.row);
    if (!fit->holds(fit->context, s->first, start.row))
        return false;
    start.bits = enc_velocity_key_bits(s->track, ENC_VELOCITY_REST, start.code);
    (void)play(s, start, s->first);
    if (s->last > s->first) { /* also without a frame at rest */
        start.bits += enc_rice_bits(0, s->track->gap_rice);
        start.rank = start.bits;
        offer(s, &start);
    }
    for (uint32_t f = s->first; f < s->last && !s->failed; f++) {
        sort_states(s, f - s->first);
        for (uint32_t i = 0; i < s->counts[f - s->first] && i < s->beam && !s->failed; i++) {
            uint32_t state = s->buckets[(size_t)(f - s->first) * s->capacity + i];
            if (!overtaken(s, &s->nodes[state]))
                expand(s, state);
        }
    }
    if (s->best == NO_NODE || s->failed)
        return false;
    take_keys(s, s->best);
    return fill_rows(s, first_key);
}

bool enc_velocity_search(enc_velocity_track *track, const enc_fit *fit, uint32_t beam,
                         bool *out_of_memory)
{
    uint32_t frames = fit->frame_count, block = frames;
    if (track->restart_log2 < 31u && 1u << track->restart_log2 < frames)
        block = 1u << track->restart_log2;
    search s = {.track = track, .fit = fit, .components = enc_components(fit->kind), .beam = beam};
    s.capacity = NODES_PER_STATE * beam;
    s.buckets = malloc((size_t)block * s.capacity * sizeof *s.buckets);
    s.counts = malloc(block * sizeof *s.counts);
    s.cheapest = malloc(block * sizeof *s.cheapest);
    s.rows = malloc((size_t)block * 4u * sizeof *s.rows);
    s.failed = s.buckets == NULL || s.counts == NULL || s.cheapest == NULL || s.rows == NULL;
    bool found = !s.failed;
    track->key_count = 0;
    for (uint32_t first = 0; first < frames && found; first += block) {
        s.first = first;
        s.last = (frames - first > block ? first + block : frames) - 1u;
        found = search_block(&s);
    }
    *out_of_memory = *out_of_memory || s.failed;
    free(s.nodes);
    free(s.buckets);
    free(s.counts);
    free(s.cheapest);
    free(s.rows);
    return found;
}
