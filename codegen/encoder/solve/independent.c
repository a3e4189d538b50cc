#include "solve/independent.h"

#include <stdlib.h>
#include <string.h>

#include "model/incremental_check.h"
#include "model/isolated_error.h"
#include "model/loop_wrap.h"

#define LEVELS 64u /* of what a track may do by itself, from a whole tolerance downwards */
#define LEVEL_FACTOR 0.8408964152537145 /* the fourth root of a half, from one to the next */
#define FIRST_LEVEL 8u                  /* about where tracks end up when they all have one level */
#define FULL_HEIGHT 256
#define STRIDE 4u       /* of levels while the common one is bracketed */
#define NEXT_CHEAPER 4u /* levels that are looked at for one that costs less: an octave */

/* How many levels finer roots are than the deepest joints, for all have to bear what roots do. In
 * the order of how often they are best. */
static const int slopes[] = {3, 0, 6, -3};

/* What an effort buys: slopes, and passes over single tracks. */
static const struct {
    uint32_t slopes, exchanges;
} work_of_effort[] = {{1, 0}, {2, 1}, {4, 2}};

/* The codings of one track, made when they are asked for. */
typedef struct {
    enc_isolated_error error;
    enc_track_choice choice[LEVELS];
    uint64_t made;       /* bit n: choice[n] was tried */
    uint64_t impossible; /* bit n: and is none */
    uint32_t level;      /* the present choice */
    uint32_t height;     /* of the joint over the deepest, 0 .. 1 in 1 / FULL_HEIGHT */
} track_ladder;

/* A track that could take a cheaper level. */
typedef struct {
    uint32_t saving, track, level;
} step;

typedef struct {
    const enc_source *source;
    const enc_codec *codec;
    const enc_options *options;
    uint32_t effort;       /* of fits */
    track_ladder *ladders; /* [joint * ENC_KINDS + kind] */
    uint32_t track_count;
    int slope;
    step *steps;         /* room for one a track */
    uint32_t *levels[2]; /* room for a level a track: the best found, and before an exchange */
    enc_check check;
    bool out_of_memory;
} independent;

static void forget_choices(track_ladder *ladder)
{
    for (uint32_t level = 0; level < LEVELS; level++)
        enc_choice_release(&ladder->choice[level]);
    ladder->made = ladder->impossible = 0;
}

static uint32_t bits_of(const enc_track_choice *choice)
{
    return choice->coded != NULL ? choice->coded->bits : choice->constant.bits;
}

static bool fit_choice(independent *loop, uint32_t track, double limit, enc_track_choice *choice)
{
    const enc_source *source = loop->source;
    uint32_t joint = track / ENC_KINDS, kind = track % ENC_KINDS;
    const int32_t *bind = source->skeleton->bind_q20 + joint * 10u + enc_first(kind);
    enc_isolated_error *error = &loop->ladders[track].error;
    error->limit = limit;
    const enc_fit fit = {.kind = kind,
                         .frame_count = source->row_count,
                         .restart_log2 = enc_restart_log2(loop->codec, loop->options),
                         .target = error->raw,
                         .breaks = enc_breaks(source, kind, joint),
                         .slack = enc_isolated_error_slack(error),
                         .effort = loop->effort,
                         .keys = loop->options->keys,
                         .holds = enc_isolated_error_holds,
                         .context = error};
    if (enc_track_is_default(&fit, bind, &choice->constant) ||
        enc_track_is_constant(&fit, &choice->constant))
        return true;
    choice->constant.track_kind = ENC_TRACK_ANIMATED;
    choice->coded = loop->codec->fit(&fit, &loop->out_of_memory);
    return choice->coded != NULL && enc_wrap_blends(source, choice, kind, joint);
}

static double limit_of(uint32_t level)
{
    double limit = 1.0;
    while (level-- > 0u)
        limit *= LEVEL_FACTOR;
    return limit;
}

/* The coding of a track at a level; null where the codec finds none. */
static const enc_track_choice *choice_at(independent *loop, uint32_t track, uint32_t level)
{
    track_ladder *ladder = &loop->ladders[track];
    uint64_t bit = (uint64_t)1 << level;
    if ((ladder->made & bit) == 0u) {
        ladder->made |= bit;
        if (!fit_choice(loop, track, limit_of(level), &ladder->choice[level])) {
            enc_choice_release(&ladder->choice[level]);
            ladder->impossible |= bit;
        }
    }
    return (ladder->impossible & bit) != 0u ? NULL : &ladder->choice[level];
}

static const enc_track_choice *present(const independent *loop, uint32_t track)
{
    const track_ladder *ladder = &loop->ladders[track];
    return &ladder->choice[ladder->level];
}

static void joint_choices(const independent *loop, uint32_t joint, enc_track_choice out[ENC_KINDS])
{
    for (uint32_t kind = 0; kind < ENC_KINDS; kind++)
        out[kind] = *present(loop, joint * ENC_KINDS + kind);
}

/* Takes another level for a track if the tolerance then holds. */
static bool try_level(independent *loop, uint32_t track, uint32_t level)
{
    enc_track_choice choices[ENC_KINDS];
    const enc_track_choice *choice = choice_at(loop, track, level);
    if (choice == NULL)
        return false;
    joint_choices(loop, track / ENC_KINDS, choices);
    choices[track % ENC_KINDS] = *choice;
    if (!enc_check_change(&loop->check, track / ENC_KINDS, choices))
        return false;
    loop->ladders[track].level = level;
    return true;
}

/* Plays the present choices of a joint, whether the tolerance holds or not. */
static void play_joint(independent *loop, uint32_t joint)
{
    enc_track_choice choices[ENC_KINDS];
    joint_choices(loop, joint, choices);
    enc_check_set(&loop->check, joint, choices);
}

static void play_all(independent *loop)
{
    for (uint32_t joint = 0; joint < loop->source->skeleton->joint_count; joint++)
        play_joint(loop, joint);
}

static void keep_levels(const independent *loop, uint32_t *levels)
{
    for (uint32_t track = 0; track < loop->track_count; track++)
        levels[track] = loop->ladders[track].level;
}

static void restore_levels(independent *loop, const uint32_t *levels)
{
    for (uint32_t track = 0; track < loop->track_count; track++) {
        if (loop->ladders[track].level == levels[track])
            continue;
        loop->ladders[track].level = levels[track];
        play_joint(loop, track / ENC_KINDS);
    }
}

static uint64_t present_bits(const independent *loop)
{
    uint64_t bits = 0;
    for (uint32_t track = 0; track < loop->track_count; track++)
        bits += bits_of(present(loop, track));
    return bits;
}

/* The level of a track on the slope that has `level` at the deepest joints. */
static uint32_t level_on_slope(const independent *loop, uint32_t track, uint32_t level)
{
    int own = (int)level + loop->slope * (int)loop->ladders[track].height / FULL_HEIGHT;
    return own < 0 ? 0u : own < (int)LEVELS ? (uint32_t)own : LEVELS - 1u;
}

/* Gives every track its level on the slope, or the nearest coarser one that the codec can do. */
static int32_t set_common_level(independent *loop, uint32_t level, enc_report *report)
{
    for (uint32_t track = 0; track < loop->track_count; track++) {
        uint32_t own = level_on_slope(loop, track, level);
        while (choice_at(loop, track, own) == NULL && own > 0u)
            own--;
        if (loop->out_of_memory)
            return ENC_ERROR_MEMORY;
        if (choice_at(loop, track, own) == NULL)
            return enc_report_too_coarse(loop->options, track / ENC_KINDS, report);
        loop->ladders[track].level = own;
    }
    play_all(loop);
    return ENC_OK;
}

/* The coarsest level that all tracks can have together. */
static int32_t find_common_level(independent *loop, enc_report *report)
{
    uint32_t fails = 0, holds = FIRST_LEVEL; /* one level does not come for free */
    int32_t status;
    while ((status = set_common_level(loop, holds, report)) == ENC_OK &&
           !enc_check_holds(&loop->check)) {
        fails = holds + 1u;
        holds += STRIDE;
        if (holds >= LEVELS)
            return ENC_ERROR_TOLERANCE;
    }
    while (status == ENC_OK && fails < holds) {
        uint32_t middle = (fails + holds) / 2u;
        status = set_common_level(loop, middle, report);
        if (status == ENC_OK && enc_check_holds(&loop->check))
            holds = middle;
        else
            fails = middle + 1u;
    }
    return status == ENC_OK ? set_common_level(loop, holds, report) : status;
}

/* The next level that costs less, if there is one within an octave. */
static bool next_cheaper(independent *loop, uint32_t track, step *out)
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
    return skeleton->preorder_index[second] - skeleton->preorder_index[first] <
           skeleton->subtree_size[first];
}

/* Lists what tracks could save; with `near` only those on a chain with that track. */
static uint32_t list_steps(independent *loop, const uint32_t *near, step *out)
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
static uint64_t loosen(independent *loop, const uint32_t *near)
{
    step *steps = loop->steps;
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
static bool exchange(independent *loop, uint32_t track)
{
    uint32_t level = loop->ladders[track].level, bits = bits_of(present(loop, track)), finer = 0;
    if (bits == 0u)
        return false;
    for (uint32_t i = 1; i <= NEXT_CHEAPER && level + i < LEVELS && finer == 0u; i++) {
        const enc_track_choice *choice = choice_at(loop, track, level + i);
        if (choice != NULL && bits_of(choice) > bits)
            finer = level + i;
    }
    keep_levels(loop, loop->levels[1]);
    if (finer == 0u || !try_level(loop, track, finer))
        return false;
    uint32_t cost = bits_of(present(loop, track)) - bits;
    if (loosen(loop, &track) > cost)
        return true;
    restore_levels(loop, loop->levels[1]);
    return false;
}

/* Tries slopes and, from the best of them, exchanges. */
static int32_t search_levels(independent *loop, enc_report *report)
{
    uint32_t effort = loop->options->effort;
    uint64_t best = UINT64_MAX;
    int32_t failure = ENC_OK;
    for (uint32_t i = 0; i < work_of_effort[effort].slopes; i++) {
        loop->slope = slopes[i];
        int32_t status = find_common_level(loop, report);
        if (status == ENC_ERROR_MEMORY)
            return status;
        if (status != ENC_OK) {
            failure = status;
            continue;
        }
        loosen(loop, NULL);
        if (present_bits(loop) < best) {
            best = present_bits(loop);
            keep_levels(loop, loop->levels[0]);
        }
    }
    if (best == UINT64_MAX)
        return failure;
    for (uint32_t track = 0; track < loop->track_count; track++)
        loop->ladders[track].level = loop->levels[0][track];
    play_all(loop);
    bool changed = true;
    for (uint32_t pass = 0; pass < work_of_effort[effort].exchanges && changed; pass++) {
        changed = false;
        for (uint32_t track = 0; track < loop->track_count && !loop->out_of_memory; track++)
            changed |= exchange(loop, track);
        loosen(loop, NULL);
    }
    return loop->out_of_memory ? ENC_ERROR_MEMORY : ENC_OK;
}

/* Codes every track once more with the effort that was asked for, and keeps what is smaller and
 * still holds. */
static int32_t polish(independent *loop)
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
                enc_choice_release(&finer);
                break;
            }
            choices[track % ENC_KINDS] = finer;
            if (enc_check_change(&loop->check, joint, choices)) {
                enc_choice_release(kept);
                *kept = finer;
                break;
            }
            enc_choice_release(&finer);
        }
    }
    return loop->out_of_memory ? ENC_ERROR_MEMORY : ENC_OK;
}

/* Hands the present choices over. */
static void take_choices(independent *loop, enc_solution *out)
{
    for (uint32_t track = 0; track < loop->track_count; track++) {
        track_ladder *ladder = &loop->ladders[track];
        out->tracks[track] = ladder->choice[ladder->level];
        out->bits += bits_of(&out->tracks[track]);
        memset(&ladder->choice[ladder->level], 0, sizeof ladder->choice[0]);
    }
}

static void measure_heights(independent *loop)
{
    const enc_skeleton *skeleton = loop->source->skeleton;
    uint32_t deepest = 1;
    for (uint32_t joint = 0; joint < skeleton->joint_count; joint++) {
        int32_t parent = skeleton->parents[joint];
        uint32_t depth = parent < 0 ? 0u : loop->ladders[(uint32_t)parent * ENC_KINDS].height + 1u;
        for (uint32_t kind = 0; kind < ENC_KINDS; kind++)
            loop->ladders[joint * ENC_KINDS + kind].height = depth;
        deepest = depth > deepest ? depth : deepest;
    }
    for (uint32_t track = 0; track < loop->track_count; track++)
        loop->ladders[track].height =
            (deepest - loop->ladders[track].height) * FULL_HEIGHT / deepest;
}

static int32_t prepare(independent *loop)
{
    int32_t status = enc_check_prepare(&loop->check, loop->source, loop->options);
    loop->ladders = calloc(loop->track_count, sizeof *loop->ladders);
    loop->steps = malloc(loop->track_count * sizeof *loop->steps);
    for (int i = 0; i < 2; i++)
        loop->levels[i] = malloc(loop->track_count * sizeof *loop->levels[i]);
    if (loop->ladders == NULL || loop->steps == NULL || loop->levels[0] == NULL ||
        loop->levels[1] == NULL)
        return ENC_ERROR_MEMORY;
    measure_heights(loop);
    for (uint32_t track = 0; track < loop->track_count && status == ENC_OK; track++)
        status = enc_isolated_error_prepare(&loop->ladders[track].error, loop->source,
                                            loop->options, track / ENC_KINDS, track % ENC_KINDS);
    return status;
}

static void release(independent *loop)
{
    enc_check_release(&loop->check);
    for (uint32_t track = 0; track < loop->track_count && loop->ladders != NULL; track++) {
        forget_choices(&loop->ladders[track]);
        enc_isolated_error_release(&loop->ladders[track].error);
    }
    free(loop->ladders);
    free(loop->steps);
    free(loop->levels[0]);
    free(loop->levels[1]);
}

int32_t enc_independent_solve(const enc_source *source, const enc_codec *codec,
                              const enc_options *options, enc_solution *out, enc_report *report)
{
    independent loop = {.source = source,
                        .codec = codec,
                        .options = options,
                        .effort = ENC_EFFORT_FAST,
                        .track_count = source->skeleton->joint_count * ENC_KINDS};
    memset(out, 0, sizeof *out);
    out->tracks = calloc(loop.track_count, sizeof *out->tracks);
    out->track_count = loop.track_count;
    int32_t status = prepare(&loop);
    if (status == ENC_OK)
        status = search_levels(&loop, report);
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
