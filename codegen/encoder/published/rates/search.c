#include "published/rates/search.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arrays.h"

#define RATES ENC_DENSE_RATES
#define FINEST (RATES - 1u)

#define MOST_RAISED 3u /* rates above the present one that are tried */
#define BROKEN 1e12    /* squared error of a row that is not a rotation */
#define EXCHANGE_PASSES 2u

/* The coding of a track at one rate. */
typedef struct {
    bool made, fine;
    uint32_t bits;
    enc_dense_block block;
    enc_dense_key *keys;
    int32_t *rows;
    enc_shift *shifts; /* [frame] */
} coding;

/* The best cheaper coding of a track. */
typedef struct {
    bool known;     /* still valid: nothing has changed on its chains since */
    uint32_t level; /* RATES: there is none */
    double price;
} cheaper;

struct enc_dense_search {
    enc_dense_task task;
    uint32_t frames;          /* capacity in frames */
    uint32_t first, count;    /* of the present block */
    coding *codings;          /* [track][rate] */
    uint8_t *level;           /* [track]: present rate */
    uint8_t *before;          /* [track]: before an exchange */
    cheaper *cheaper;         /* [track] */
    enc_shift *sum;           /* [index][frame]: present shift of a joint */
    double *points;           /* [index][frame][9] */
    double *inverse2;         /* [index][frame]: inverse squares of the limits */
    double *error;            /* [index][frame]: squared error in limits */
    uint32_t *first_track;    /* [joint + 1]: index of its first track */
    enc_shift *change;        /* [frame]: of the track being checked */
    enc_dense_key *keys_room; /* memory that the codings point to */
    int32_t *rows_room;
    enc_shift *shifts_room;
};

/* ---- memory ---- */

void enc_dense_search_free(enc_dense_search *s)
{
    if (s == NULL)
        return;
    free(s->codings);
    free(s->level);
    free(s->before);
    free(s->cheaper);
    free(s->sum);
    free(s->points);
    free(s->inverse2);
    free(s->error);
    free(s->first_track);
    free(s->change);
    free(s->keys_room);
    free(s->rows_room);
    free(s->shifts_room);
    free(s);
}

enc_dense_search *enc_dense_search_new(const enc_dense_task *task, uint32_t frames)
{
    enc_dense_search *s = calloc(1, sizeof *s);
    if (s == NULL)
        return NULL;
    uint32_t joints = task->model->source->skeleton->joint_count, next = 0;
    size_t codings = (size_t)task->track_count * RATES, entries = (size_t)joints * frames;
    bool complete = true;
    s->task = *task;
    s->frames = frames;
    s->codings = enc_array(codings + 1u, sizeof *s->codings, &complete);
    s->level = enc_array(task->track_count + 1u, 1u, &complete);
    s->before = enc_array(task->track_count + 1u, 1u, &complete);
    s->cheaper = enc_array(task->track_count + 1u, sizeof *s->cheaper, &complete);
    s->sum = enc_array(entries, sizeof *s->sum, &complete);
    s->points = enc_array(entries * 9u, sizeof *s->points, &complete);
    s->inverse2 = enc_array(entries, sizeof *s->inverse2, &complete);
    s->error = enc_array(entries, sizeof *s->error, &complete);
    s->first_track = enc_array(joints + 1u, sizeof *s->first_track, &complete);
    s->change = enc_array(frames, sizeof *s->change, &complete);
    s->keys_room = enc_array(codings * frames + 1u, sizeof *s->keys_room, &complete);
    s->rows_room = enc_array(codings * frames * 4u + 1u, sizeof *s->rows_room, &complete);
    s->shifts_room = enc_array(codings * frames + 1u, sizeof *s->shifts_room, &complete);
    if (!complete) {
        enc_dense_search_free(s);
        return NULL;
    }
    for (size_t i = 0; i < codings; i++) {
        s->codings[i].keys = s->keys_room + i * frames;
        s->codings[i].rows = s->rows_room + i * frames * 4u;
        s->codings[i].shifts = s->shifts_room + i * frames;
    }
    for (uint32_t joint = 0; joint <= joints; joint++) {
        while (next < task->track_count && task->tracks[next].joint < joint)
            next++;
        s->first_track[joint] = next;
    }
    return s;
}

/* ---- codings ---- */

static const coding *coding_at(enc_dense_search *s, uint32_t track, uint32_t level)
{
    coding *made = &s->codings[(size_t)track * RATES + level];
    if (made->made)
        return made;
    const enc_dense_variable *variable = &s->task.tracks[track];
    const enc_key_format *format = &variable->coded->format;
    uint32_t components = enc_components(format->kind);
    made->made = true;
    made->bits = enc_dense_block_bits(format, s->count, enc_dense_rates[level]);
    made->block = (enc_dense_block){.rate = enc_dense_rates[level]};
    made->fine = enc_dense_code_block(format, variable->samples + s->first, s->count, &made->block,
                                      made->keys, made->rows);
    for (uint32_t f = 0; f < s->count; f++)
        enc_dense_shift(s->task.model, variable->joint, format->kind, s->first + f,
                        made->rows + (size_t)f * components, &made->shifts[f]);
    return made;
}

static const coding *present(enc_dense_search *s, uint32_t track)
{
    return coding_at(s, track, s->level[track]);
}

static void add_shift(enc_shift *to, const enc_shift *by)
{
    for (int i = 0; i < 12; i++)
        to->m[i] += by->m[i];
}

/* Returns the first of the `*count` entries of the joints that a track moves. */
static uint32_t moved_joints(const enc_dense_search *s, uint32_t track, uint32_t *count)
{
    const enc_skeleton *skeleton = s->task.model->source->skeleton;
    uint32_t joint = s->task.tracks[track].joint;
    *count = skeleton->subtree_size[joint];
    return skeleton->preorder_index[joint];
}

/* Computes how another coding of a track changes the shifts of the joints that it moves. */
static void set_change(enc_dense_search *s, const coding *from, const coding *to)
{
    for (uint32_t f = 0; f < s->count; f++)
        for (int i = 0; i < 12; i++)
            s->change[f].m[i] = (to != NULL ? to->shifts[f].m[i] : 0.0) -
                                (from != NULL ? from->shifts[f].m[i] : 0.0);
}

/* The error of an entry after the change. */
static double changed_error(const enc_dense_search *s, size_t at, uint32_t frame)
{
    enc_shift shift = s->sum[at];
    add_shift(&shift, &s->change[frame]);
    return enc_shift_error2(&shift, s->points + at * 9u) * s->inverse2[at];
}

static bool on_one_chain(const enc_dense_search *s, uint32_t track, uint32_t other)
{
    const enc_skeleton *skeleton = s->task.model->source->skeleton;
    uint32_t a = skeleton->preorder_index[s->task.tracks[track].joint];
    uint32_t b = skeleton->preorder_index[s->task.tracks[other].joint];
    uint32_t upper = s->task.tracks[a < b ? track : other].joint;
    return (a < b ? b - a : a - b) < skeleton->subtree_size[upper];
}

static void take_level(enc_dense_search *s, uint32_t track, uint32_t level)
{
    for (uint32_t t = 0; t < s->task.track_count; t++)
        s->cheaper[t].known = s->cheaper[t].known && !on_one_chain(s, t, track);
    uint32_t count, index = moved_joints(s, track, &count);
    set_change(s, present(s, track), coding_at(s, track, level));
    s->level[track] = (uint8_t)level;
    for (uint32_t i = index; i < index + count; i++)
        for (uint32_t f = 0; f < s->count; f++) {
            size_t at = (size_t)i * s->frames + f;
            add_shift(&s->sum[at], &s->change[f]);
            s->error[at] = enc_shift_error2(&s->sum[at], s->points + at * 9u) * s->inverse2[at];
        }
}

/* ---- first phase: each track alone ---- */

/* Returns whether a coding alone moves no joint by more than sqrt(part2) of its limit. */
static bool alone_holds(enc_dense_search *s, uint32_t track, const coding *alone, double part2)
{
    uint32_t count, index = moved_joints(s, track, &count);
    if (!alone->fine)
        return false;
    for (uint32_t i = index; i < index + count; i++)
        for (uint32_t f = 0; f < s->count; f++) {
            size_t at = (size_t)i * s->frames + f;
            if (enc_shift_error2(&alone->shifts[f], s->points + at * 9u) * s->inverse2[at] > part2)
                return false;
        }
    return true;
}

static void begin_block(enc_dense_search *s, uint32_t first, uint32_t count)
{
    const enc_dense_model *model = s->task.model;
    const enc_source *source = model->source;
    s->first = first;
    s->count = count;
    for (size_t i = 0; i < (size_t)s->task.track_count * RATES; i++)
        s->codings[i].made = false;
    for (uint32_t track = 0; track < s->task.track_count; track++)
        s->cheaper[track].known = false;
    for (uint32_t index = 0; index < source->skeleton->joint_count; index++) {
        uint32_t joint = source->skeleton->preorder[index];
        for (uint32_t f = 0; f < count; f++) {
            size_t at = (size_t)index * s->frames + f;
            size_t row = (size_t)joint * source->row_count + first + f;
            double limit = s->task.limit[row];
            enc_dense_points(model, joint, first + f, s->task.options->shell.distance_m,
                             s->points + at * 9u);
            s->inverse2[at] = 1.0 / (limit * limit);
            s->sum[at] = s->task.base[row];
            s->error[at] = enc_shift_error2(&s->sum[at], s->points + at * 9u) * s->inverse2[at];
        }
    }
}

static void begin_levels(enc_dense_search *s)
{
    for (uint32_t track = 0; track < s->task.track_count; track++) {
        uint32_t level = 0, count, index = moved_joints(s, track, &count);
        while (level < FINEST && !alone_holds(s, track, coding_at(s, track, level), 1.0))
            level++;
        s->level[track] = (uint8_t)level;
        set_change(s, NULL, present(s, track));
        for (uint32_t i = index; i < index + count; i++)
            for (uint32_t f = 0; f < s->count; f++) {
                size_t at = (size_t)i * s->frames + f;
                add_shift(&s->sum[at], &s->change[f]);
                s->error[at] = enc_shift_error2(&s->sum[at], s->points + at * 9u) * s->inverse2[at];
            }
    }
}

/* ---- second phase: all tracks together ---- */

/* The approximate number of bits by which an error exceeds its limit. */
static double excess(double error)
{
    int exponent;
    if (error <= 1.0)
        return 0.0;
    double mantissa = frexp(error, &exponent);
    return exponent + 2.0 * mantissa - 2.0;
}

/* Returns how far a coding brings the errors of the joints that a track moves towards their limits.
 */
static double gain_of(enc_dense_search *s, uint32_t track, const coding *to)
{
    uint32_t count, index = moved_joints(s, track, &count);
    double gain = 0.0;
    if (!to->fine)
        return 0.0;
    set_change(s, present(s, track), to);
    for (uint32_t i = index; i < index + count; i++)
        for (uint32_t f = 0; f < s->count; f++) {
            size_t at = (size_t)i * s->frames + f;
            gain += excess(s->error[at]) - excess(changed_error(s, at, f));
        }
    return gain;
}

static bool joint_holds(const enc_dense_search *s, uint32_t joint)
{
    size_t at = (size_t)s->task.model->source->skeleton->preorder_index[joint] * s->frames;
    for (uint32_t f = 0; f < s->count; f++)
        if (s->error[at + f] > 1.0)
            return false;
    return true;
}

/* Raises the rate of the track, among a joint and its ancestors, that gains most for its bits.
 * Returns false if none can rise. */
static bool raise_one(enc_dense_search *s, uint32_t joint)
{
    const int32_t *parents = s->task.model->source->skeleton->parents;
    uint32_t best = UINT32_MAX, best_level = 0, any = UINT32_MAX;
    double most = 0.0;
    for (int32_t j = (int32_t)joint; j >= 0; j = parents[j])
        for (uint32_t t = s->first_track[j]; t < s->first_track[j + 1]; t++) {
            uint32_t now = s->level[t], bits = present(s, t)->bits;
            if (now < FINEST && (any == UINT32_MAX || now < s->level[any]))
                any = t;
            for (uint32_t l = now + 1u; l <= FINEST && l <= now + MOST_RAISED; l++) {
                const coding *to = coding_at(s, t, l);
                double each = gain_of(s, t, to) / ((double)to->bits - bits + 1.0);
                if (each > most) {
                    most = each;
                    best = t;
                    best_level = l;
                }
            }
        }
    if (best == UINT32_MAX && any == UINT32_MAX)
        return false;
    take_level(s, best != UINT32_MAX ? best : any,
               best != UINT32_MAX ? best_level : s->level[any] + 1u);
    return true;
}

/* Makes one pass over the joints. *raised: whether a rate has changed. */
static bool raise_joints(enc_dense_search *s, bool *raised)
{
    const enc_skeleton *skeleton = s->task.model->source->skeleton;
    bool holds = true;
    *raised = false;
    for (uint32_t i = 0; i < skeleton->joint_count; i++) {
        uint32_t index = s->task.root_first ? i : skeleton->joint_count - 1u - i;
        uint32_t joint = skeleton->preorder[index];
        while (!joint_holds(s, joint) && raise_one(s, joint))
            *raised = true;
        holds = holds && joint_holds(s, joint);
    }
    return holds;
}

/* Raises rates until all joints hold. Finer keys are not closer in every frame: what one joint
 * needs may put others over their limits, so that several passes may be necessary. Rates only
 * rise. */
static bool raise_all(enc_dense_search *s)
{
    bool raised, holds;
    do
        holds = raise_joints(s, &raised);
    while (raised);
    return holds;
}

/* ---- lowering rates that are higher than necessary ---- */

/* Returns whether all joints hold with another coding. *strain: the additional use of their limits.
 */
static bool change_holds(enc_dense_search *s, uint32_t track, const coding *to, double *strain)
{
    uint32_t count, index = moved_joints(s, track, &count);
    *strain = 0.0;
    if (!to->fine)
        return false;
    set_change(s, present(s, track), to);
    for (uint32_t i = index; i < index + count; i++)
        for (uint32_t f = 0; f < s->count; f++) {
            size_t at = (size_t)i * s->frames + f;
            double error = changed_error(s, at, f), now = s->error[at];
            if (error > 1.0)
                return false;
            *strain += error * error - now * now;
        }
    return true;
}

/* The cheaper coding that holds and costs the least strain per saved bit; RATES if there is
 * none. */
static uint32_t best_lower(enc_dense_search *s, uint32_t track, double *price)
{
    uint32_t bits = present(s, track)->bits, best = RATES;
    for (uint32_t level = s->level[track]; level-- > 0u;) {
        const coding *to = coding_at(s, track, level);
        double strain;
        if (to->bits >= bits)
            continue;
        if (!change_holds(s, track, to, &strain)) {
            if (level + 2u < s->level[track])
                break;
            continue;
        }
        double each = strain > 0.0 ? strain / (bits - to->bits) : strain;
        if (best == RATES || each < *price) {
            *price = each;
            best = level;
        }
    }
    return best;
}

/* Lowers rates while all joints hold. near: only tracks on a chain with that track, except itself.
 * Returns the saved bits. */
static uint32_t lower(enc_dense_search *s, uint32_t near)
{
    uint32_t saved = 0;
    for (;;) {
        uint32_t best = UINT32_MAX, best_level = 0;
        double least = HUGE_VAL;
        for (uint32_t t = 0; t < s->task.track_count; t++) {
            cheaper *to = &s->cheaper[t];
            if (s->level[t] == 0u || t == near || (near != UINT32_MAX && !on_one_chain(s, t, near)))
                continue;
            if (!to->known)
                to->level = best_lower(s, t, &to->price);
            to->known = true;
            if (to->level < RATES && to->price < least) {
                least = to->price;
                best = t;
                best_level = to->level;
            }
        }
        if (best == UINT32_MAX)
            return saved;
        uint32_t bits = present(s, best)->bits;
        take_level(s, best, best_level);
        saved += bits - present(s, best)->bits;
    }
}

/* Raises one track if others can then save more bits than it costs. */
static bool exchange(enc_dense_search *s, uint32_t track)
{
    uint32_t level = s->level[track], bits = present(s, track)->bits;
    double strain;
    memcpy(s->before, s->level, s->task.track_count);
    for (uint32_t l = level + 1u; l <= FINEST && l <= level + 1u; l++) {
        if (!change_holds(s, track, coding_at(s, track, l), &strain))
            continue;
        uint32_t cost = coding_at(s, track, l)->bits - bits;
        take_level(s, track, l);
        if (lower(s, track) > cost)
            return true;
        for (uint32_t t = 0; t < s->task.track_count; t++)
            if (s->level[t] != s->before[t])
                take_level(s, t, s->before[t]);
    }
    return false;
}

static void lower_all(enc_dense_search *s)
{
    bool better = true;
    (void)lower(s, UINT32_MAX);
    for (uint32_t pass = 0; pass < EXCHANGE_PASSES && better && s->task.thorough; pass++) {
        better = false;
        for (uint32_t t = 0; t < s->task.track_count; t++)
            better = exchange(s, t) || better;
        (void)lower(s, UINT32_MAX);
    }
}

/* ---- blocks ---- */

static void write_block(enc_dense_search *s)
{
    for (uint32_t t = 0; t < s->task.track_count; t++) {
        enc_dense_track *track = s->task.tracks[t].coded;
        const coding *chosen = present(s, t);
        uint32_t components = enc_components(track->format.kind);
        track->blocks[s->first >> track->restart_log2] = chosen->block;
        memcpy(track->codes + s->first, chosen->keys, s->count * sizeof *chosen->keys);
        memcpy(track->rows + (size_t)s->first * components, chosen->rows,
               (size_t)s->count * components * sizeof *chosen->rows);
    }
}

bool enc_dense_search_block(enc_dense_search *s, uint32_t first, uint32_t count)
{
    begin_block(s, first, count);
    begin_levels(s);
    bool holds = raise_all(s);
    if (holds)
        lower_all(s);
    write_block(s);
    return holds;
}

bool enc_dense_finest_holds(enc_dense_search *s, uint32_t track, uint32_t first, uint32_t count,
                            double part)
{
    if (s->first != first || s->count != count)
        begin_block(s, first, count);
    return alone_holds(s, track, coding_at(s, track, FINEST), part * part);
}
