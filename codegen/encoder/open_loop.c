#include "open_loop.h"

#include <stdlib.h>
#include <string.h>

#include "own_error.h"
#include "seam.h"
#include "trial.h"

#define LEVELS 64u /* of what a track may do by itself, from a whole tolerance downwards */
#define LEVEL_FACTOR 0.8408964152537145 /* the fourth root of a half, from one to the next */
#define FIRST_LEVEL 8u                  /* about where tracks end up when they all have one level */
#define STRIDE 4u                       /* of levels while the common one is bracketed */
#define NEXT_CHEAPER 4u /* levels that are looked at for one that costs less: an octave */

/* The codings of one track, made when they are asked for. */
typedef struct {
    enc_own_error error;
    enc_track_choice choice[LEVELS];
    uint64_t made;       /* bit n: choice[n] was tried */
    uint64_t impossible; /* bit n: and is none */
    uint32_t level;      /* the present choice */
} track_ladder;

typedef struct {
    const enc_source *source;
    const enc_codec *codec;
    const enc_options *options;
    uint32_t effort;       /* of fits */
    track_ladder *ladders; /* [joint * ENC_KINDS + kind] */
    uint32_t track_count;
    enc_trial trial;
    bool out_of_memory;
} open_loop;

/* A track that could take a cheaper level. */
typedef struct {
    uint32_t saving, track, level;
} step;

static void release_choice(enc_track_choice *choice)
{
    enc_coded_free(choice->coded);
    memset(choice, 0, sizeof *choice);
}

static void forget_choices(track_ladder *ladder)
{
    for (uint32_t level = 0; level < LEVELS; level++)
        release_choice(&ladder->choice[level]);
    ladder->made = ladder->impossible = 0;
}

static uint32_t bits_of(const enc_track_choice *choice)
{
    return choice->coded != NULL ? choice->coded->bits : choice->still.bits;
}

static bool fit_choice(open_loop *loop, uint32_t track, double limit, enc_track_choice *choice)
{
    const enc_source *source = loop->source;
    uint32_t joint = track / ENC_KINDS, kind = track % ENC_KINDS;
    const int32_t *bind = source->skeleton->bind_q20 + joint * 10u + enc_first(kind);
    enc_own_error *error = &loop->ladders[track].error;
    error->limit = limit;
    const enc_fit fit = {kind,
                         source->row_count,
                         enc_restart_log2(loop->codec, loop->options),
                         error->raw,
                         enc_breaks(source, kind, joint),
                         enc_own_error_slack(error),
                         loop->effort,
                         enc_own_error_holds,
                         error};
    if (enc_still_default(&fit, bind, &choice->still) || enc_still_constant(&fit, &choice->still))
        return true;
    choice->still.track_kind = ENC_TRACK_ANIMATED;
    choice->coded = loop->codec->fit(&fit, &loop->out_of_memory);
    return choice->coded != NULL && enc_seam_blends(source, choice, kind, joint);
}

static double limit_of(uint32_t level)
{
    double limit = 1.0;
    while (level-- > 0u)
        limit *= LEVEL_FACTOR;
    return limit;
}

/* The coding of a track at a level; null where the codec finds none. */
static const enc_track_choice *choice_at(open_loop *loop, uint32_t track, uint32_t level)
{
    track_ladder *ladder = &loop->ladders[track];
    uint64_t bit = (uint64_t)1 << level;
    if ((ladder->made & bit) == 0u) {
        ladder->made |= bit;
        if (!fit_choice(loop, track, limit_of(level), &ladder->choice[level])) {
            release_choice(&ladder->choice[level]);
            ladder->impossible |= bit;
        }
    }
    return (ladder->impossible & bit) != 0u ? NULL : &ladder->choice[level];
}

static const enc_track_choice *present(const open_loop *loop, uint32_t track)
{
    const track_ladder *ladder = &loop->ladders[track];
    return &ladder->choice[ladder->level];
}

static void joint_choices(const open_loop *loop, uint32_t joint, enc_track_choice out[ENC_KINDS])
{
    for (uint32_t kind = 0; kind < ENC_KINDS; kind++)
        out[kind] = *present(loop, joint * ENC_KINDS + kind);
}

/* Takes another level for a track if the tolerance then holds. */
static bool try_level(open_loop *loop, uint32_t track, uint32_t level)
{
    enc_track_choice choices[ENC_KINDS];
    const enc_track_choice *choice = choice_at(loop, track, level);
    if (choice == NULL)
        return false;
    joint_choices(loop, track / ENC_KINDS, choices);
    choices[track % ENC_KINDS] = *choice;
    if (!enc_trial_change(&loop->trial, track / ENC_KINDS, choices))
        return false;
    loop->ladders[track].level = level;
    return true;
}

/* Gives every track one level, or the nearest coarser one that the codec can do. */
static int32_t set_common_level(open_loop *loop, uint32_t level, enc_report *report)
{
    for (uint32_t track = 0; track < loop->track_count; track++) {
        uint32_t own = level;
        while (choice_at(loop, track, own) == NULL && own > 0u)
            own--;
        if (loop->out_of_memory)
            return ENC_ERROR_MEMORY;
        if (choice_at(loop, track, own) == NULL) {
            report->joint = (int32_t)(track / ENC_KINDS);
            report->frame = 0.0;
            report->error_m = enc_limit_m(loop->options, (uint32_t)report->joint);
            return ENC_ERROR_TOLERANCE;
        }
        loop->ladders[track].level = own;
    }
    for (uint32_t joint = 0; joint < loop->source->skeleton->joint_count; joint++) {
        enc_track_choice choices[ENC_KINDS];
        joint_choices(loop, joint, choices);
        enc_trial_set(&loop->trial, joint, choices);
    }
    return ENC_OK;
}

/* The coarsest level that all tracks can have together. */
static int32_t find_common_level(open_loop *loop, enc_report *report)
{
    uint32_t fails = 0, holds = FIRST_LEVEL; /* one level does not come for free */
    int32_t status;
    while ((status = set_common_level(loop, holds, report)) == ENC_OK &&
           !enc_trial_holds(&loop->trial)) {
        fails = holds + 1u;
        holds += STRIDE;
        if (holds >= LEVELS)
            return ENC_ERROR_TOLERANCE;
    }
    while (status == ENC_OK && fails < holds) {
        uint32_t middle = (fails + holds) / 2u;
        status = set_common_level(loop, middle, report);
        if (status == ENC_OK && enc_trial_holds(&loop->trial))
            holds = middle;
        else
            fails = middle + 1u;
    }
    return status == ENC_OK ? set_common_level(loop, holds, report) : status;
}

/* The next level that costs less, if there is one within an octave. */
static bool next_cheaper(open_loop *loop, uint32_t track, step *out)
{
    uint32_t level = loop->ladders[track].level, bits = bits_of(present(loop, track));
    if (bits == 0u)
        return false;
    for (uint32_t i = 1; i <= NEXT_CHEAPER && i <= level; i++) {
        const enc_track_choice *choice = choice_at(loop, track, level - i);
        if (choice == NULL || bits_of(choice) >= bits)
            continue;
        *out = (step){bits - bits_of(choice), track, level - i};
        return true;
    }
    return false;
}

static int most_saving_first(const void *left, const void *right)
{
    const step *a = left, *b = right;
    if (a->saving != b->saving)
        return a->saving > b->saving ? -1 : 1;
    return a->track < b->track ? -1 : 1;
}

static bool on_one_chain(const enc_skeleton *skeleton, uint32_t a, uint32_t b)
{
    uint32_t first = a < b ? a : b, second = a < b ? b : a;
    return skeleton->place[second] - skeleton->place[first] < skeleton->subtree_size[first];
}

/* Lists what tracks could save; with `near` only those on a chain with that track. */
static uint32_t list_steps(open_loop *loop, const uint32_t *near, step *out)
{
    uint32_t count = 0;
    for (uint32_t track = 0; track < loop->track_count; track++)
        if (near == NULL || (track != *near && on_one_chain(loop->source->skeleton,
                                                            track / ENC_KINDS, *near / ENC_KINDS)))
            count += next_cheaper(loop, track, &out[count]);
    qsort(out, count, sizeof *out, most_saving_first);
    return count;
}

/* Makes tracks cheaper one by one while the tolerance holds; returns the bits saved. */
static uint64_t loosen(open_loop *loop, const uint32_t *near, step *steps)
{
    uint64_t saved = 0, before;
    do {
        uint32_t count = list_steps(loop, near, steps);
        before = saved;
        for (uint32_t i = 0; i < count; i++)
            if (try_level(loop, steps[i].track, steps[i].level))
                saved += steps[i].saving;
    } while (saved != before && !loop->out_of_memory);
    return saved;
}

/* Makes one track finer where that lets others become cheaper by more. */
static bool exchange(open_loop *loop, uint32_t track, step *steps, uint32_t *levels)
{
    uint32_t level = loop->ladders[track].level, bits = bits_of(present(loop, track)), finer = 0;
    if (bits == 0u)
        return false;
    for (uint32_t i = 1; i <= NEXT_CHEAPER && level + i < LEVELS && finer == 0u; i++) {
        const enc_track_choice *choice = choice_at(loop, track, level + i);
        if (choice != NULL && bits_of(choice) > bits)
            finer = level + i;
    }
    for (uint32_t i = 0; i < loop->track_count; i++)
        levels[i] = loop->ladders[i].level;
    if (finer == 0u || !try_level(loop, track, finer))
        return false;
    uint32_t cost = bits_of(present(loop, track)) - bits;
    if (loosen(loop, &track, steps) > cost)
        return true;
    for (uint32_t i = 0; i < loop->track_count; i++) {
        enc_track_choice choices[ENC_KINDS];
        if (loop->ladders[i].level == levels[i])
            continue;
        loop->ladders[i].level = levels[i];
        joint_choices(loop, i / ENC_KINDS, choices);
        enc_trial_set(&loop->trial, i / ENC_KINDS, choices);
    }
    return false;
}

static int32_t spread(open_loop *loop, uint32_t exchanges)
{
    step *steps = malloc(loop->track_count * sizeof *steps);
    uint32_t *levels = malloc(loop->track_count * sizeof *levels);
    bool changed = steps != NULL && levels != NULL;
    loop->out_of_memory = loop->out_of_memory || !changed;
    if (changed)
        loosen(loop, NULL, steps);
    for (uint32_t pass = 0; pass < exchanges && changed && !loop->out_of_memory; pass++) {
        changed = false;
        for (uint32_t track = 0; track < loop->track_count; track++)
            changed |= exchange(loop, track, steps, levels);
        loosen(loop, NULL, steps);
    }
    free(steps);
    free(levels);
    return loop->out_of_memory ? ENC_ERROR_MEMORY : ENC_OK;
}

/* Codes every track once more with the effort that was asked for, and keeps what is smaller and
 * still holds. */
static int32_t polish(open_loop *loop)
{
    if (loop->options->effort == ENC_EFFORT_FAST)
        return ENC_OK;
    loop->effort = loop->options->effort;
    for (uint32_t track = 0; track < loop->track_count && !loop->out_of_memory; track++) {
        track_ladder *ladder = &loop->ladders[track];
        uint32_t joint = track / ENC_KINDS;
        enc_track_choice choices[ENC_KINDS], finer = {0}, *kept = &ladder->choice[ladder->level];
        if (kept->coded == NULL)
            continue;
        joint_choices(loop, joint, choices);
        for (uint32_t tighter = 0; tighter < NEXT_CHEAPER; tighter += 2) {
            if (!fit_choice(loop, track, limit_of(ladder->level + tighter), &finer) ||
                bits_of(&finer) >= bits_of(kept)) {
                release_choice(&finer);
                break;
            }
            choices[track % ENC_KINDS] = finer;
            if (enc_trial_change(&loop->trial, joint, choices)) {
                release_choice(kept);
                *kept = finer;
                break;
            }
            release_choice(&finer);
        }
    }
    return loop->out_of_memory ? ENC_ERROR_MEMORY : ENC_OK;
}

/* Hands the present choices over. */
static void take_choices(open_loop *loop, enc_solution *out)
{
    for (uint32_t track = 0; track < loop->track_count; track++) {
        track_ladder *ladder = &loop->ladders[track];
        out->tracks[track] = ladder->choice[ladder->level];
        out->bits += bits_of(&out->tracks[track]);
        memset(&ladder->choice[ladder->level], 0, sizeof ladder->choice[0]);
    }
}

static int32_t prepare(open_loop *loop)
{
    int32_t status = enc_trial_prepare(&loop->trial, loop->source, loop->options);
    loop->ladders = calloc(loop->track_count, sizeof *loop->ladders);
    if (loop->ladders == NULL)
        return ENC_ERROR_MEMORY;
    for (uint32_t track = 0; track < loop->track_count && status == ENC_OK; track++)
        status = enc_own_error_prepare(&loop->ladders[track].error, loop->source, loop->options,
                                       track / ENC_KINDS, track % ENC_KINDS);
    return status;
}

static void release(open_loop *loop)
{
    enc_trial_release(&loop->trial);
    for (uint32_t track = 0; track < loop->track_count && loop->ladders != NULL; track++) {
        forget_choices(&loop->ladders[track]);
        enc_own_error_release(&loop->ladders[track].error);
    }
    free(loop->ladders);
}

int32_t enc_open_loop_solve(const enc_source *source, const enc_codec *codec,
                            const enc_options *options, enc_solution *out, enc_report *report)
{
    static const uint32_t exchanges[] = {0, 1, 4};
    open_loop loop = {.source = source,
                      .codec = codec,
                      .options = options,
                      .effort = ENC_EFFORT_FAST,
                      .track_count = source->skeleton->joint_count * ENC_KINDS};
    memset(out, 0, sizeof *out);
    out->tracks = calloc(loop.track_count, sizeof *out->tracks);
    out->track_count = loop.track_count;
    int32_t status = prepare(&loop);
    if (status == ENC_OK)
        status = find_common_level(&loop, report);
    if (status == ENC_OK)
        status = spread(&loop, exchanges[options->effort]);
    if (status == ENC_OK)
        status = polish(&loop);
    if (out->tracks == NULL || loop.out_of_memory)
        status = ENC_ERROR_MEMORY;
    if (status == ENC_OK)
        take_choices(&loop, out);
    release(&loop);
    if (status == ENC_OK)
        status = enc_measure_solution(source, out, options, report, NULL);
    if (status == ENC_OK && enc_relative_error(options, report) > 1.0)
        status = ENC_ERROR_TOLERANCE;
    if (status != ENC_OK)
        enc_solution_release(out);
    return status;
}
