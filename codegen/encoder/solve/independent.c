#include "solve/independent.h"

#include <stdlib.h>
#include <string.h>

#include "model/incremental_check.h"
#include "model/isolated_error.h"
#include "model/loop_wrap.h"

#define LEVELS 64u /* permitted errors of a track, from a whole tolerance downwards */
#define LEVEL_FACTOR 0.8408964152537145 /* to the next level: the fourth root of a half */
#define FIRST_LEVEL 8u /* where tracks usually end up if they all have the same level */
#define FULL_HEIGHT 256
#define STRIDE 4u       /* step in levels while the common one is bracketed */
#define NEXT_CHEAPER 4u /* levels to search for one that costs less: an octave */

/* The number of levels by which roots are finer than the deepest joints, because all descendants
 * bear the errors of roots. Ordered by how often they are best. */
static const int slopes[] = {3, 0, 6, -3};

/* The work of each effort: number of slopes, and passes over single tracks. */
static const struct {
    uint32_t slopes, exchanges;
} work_of_effort[] = {{1, 0}, {2, 1}, {4, 2}};

/* The codings of one track, computed on demand. */
typedef struct {
    enc_isolated_error error;
    enc_track_choice choice[LEVELS];
    uint64_t made;       /* bit n: choice[n] was computed */
    uint64_t impossible; /* bit n: the codec found no coding */
    uint32_t level;      /* of the present choice */
    uint32_t height; /* of the joint above the deepest one, 0 .. 1 in units of 1 / FULL_HEIGHT */
} track_ladder;

/* A track that could take a cheaper level, and what that saves. */
typedef struct {
    uint32_t saving, track, level;
} step;

typedef struct {
    const enc_source *source;
    const enc_codec *codec;
    const enc_options *options;
    uint32_t effort;       /* effort of the fits */
    track_ladder *ladders; /* [joint * ENC_KINDS + kind] */
    uint32_t track_count;
    int slope;
    step *steps;         /* room for one per track */
    uint32_t *levels[2]; /* [track]: the best levels found, and those before an exchange */
    enc_check check;
    bool played; /* the check has all joints as present */
    bool out_of_memory;
} independent;

static void forget_choices(track_ladder *ladder)
{
    for (uint32_t level = 0; level < LEVELS; level++)
        enc_choice_release(&ladder->choice[level]);
    ladder->made = ladder->impossible = 0;
}

static bool fit_choice(independent *s, uint32_t track, double limit, enc_track_choice *choice)
{
    const enc_source *source = s->source;
    uint32_t joint = track / ENC_KINDS, kind = track % ENC_KINDS;
    const int32_t *rest = enc_rest_row(source, kind, joint);
    enc_isolated_error *error = &s->ladders[track].error;
    error->limit = limit;
    const enc_fit fit = {.kind = kind,
                         .frame_count = source->row_count,
                         .restart_log2 = enc_restart_log2(s->codec, s->options),
                         .target = error->raw,
                         .breaks = enc_breaks(source, kind, joint),
                         .slack = enc_isolated_error_slack(error),
                         .effort = s->effort,
                         .keys = s->options->keys,
                         .state_bits = s->options->state_bits,
                         .straight = source->straight,
                         .holds = enc_isolated_error_holds,
                         .context = error};
    if (enc_track_is_default(&fit, rest, &choice->constant) ||
        enc_track_is_constant(&fit, &choice->constant))
        return true;
    choice->constant.track_kind = ENC_TRACK_ANIMATED;
    choice->coded = s->codec->fit(&fit, &s->out_of_memory);
    return choice->coded != NULL && enc_wrap_blends(source, choice, kind, joint);
}

static double limit_of(uint32_t level)
{
    double limit = 1.0;
    while (level-- > 0u)
        limit *= LEVEL_FACTOR;
    return limit;
}

/* The coding of a track at a level; null if the codec finds none. */
static const enc_track_choice *choice_at(independent *s, uint32_t track, uint32_t level)
{
    track_ladder *ladder = &s->ladders[track];
    uint64_t bit = (uint64_t)1 << level;
    if ((ladder->made & bit) == 0u) {
        ladder->made |= bit;
        if (!fit_choice(s, track, limit_of(level), &ladder->choice[level])) {
            enc_choice_release(&ladder->choice[level]);
            ladder->impossible |= bit;
        }
    }
    return (ladder->impossible & bit) != 0u ? NULL : &ladder->choice[level];
}

static const enc_track_choice *present(const independent *s, uint32_t track)
{
    const track_ladder *ladder = &s->ladders[track];
    return &ladder->choice[ladder->level];
}

static void joint_choices(const independent *s, uint32_t joint, enc_track_choice out[ENC_KINDS])
{
    for (uint32_t kind = 0; kind < ENC_KINDS; kind++)
        out[kind] = *present(s, joint * ENC_KINDS + kind);
}

/* Changes the level of a track if the tolerance still holds. Returns whether it did. */
static bool try_level(independent *s, uint32_t track, uint32_t level)
{
    enc_track_choice choices[ENC_KINDS];
    const enc_track_choice *choice = choice_at(s, track, level);
    if (choice == NULL)
        return false;
    joint_choices(s, track / ENC_KINDS, choices);
    choices[track % ENC_KINDS] = *choice;
    if (!enc_check_change(&s->check, track / ENC_KINDS, choices))
        return false;
    s->ladders[track].level = level;
    return true;
}

/* Plays the present choices of a joint, without a check. */
static void play_joint(independent *s, uint32_t joint)
{
    enc_track_choice choices[ENC_KINDS];
    joint_choices(s, joint, choices);
    enc_check_set(&s->check, joint, choices);
}

static void play_all(independent *s)
{
    for (uint32_t joint = 0; joint < s->source->skeleton->joint_count; joint++)
        play_joint(s, joint);
}

static void keep_levels(const independent *s, uint32_t *levels)
{
    for (uint32_t track = 0; track < s->track_count; track++)
        levels[track] = s->ladders[track].level;
}

static void restore_levels(independent *s, const uint32_t *levels)
{
    for (uint32_t track = 0; track < s->track_count; track++) {
        if (s->ladders[track].level == levels[track])
            continue;
        s->ladders[track].level = levels[track];
        play_joint(s, track / ENC_KINDS);
    }
}

static uint64_t present_bits(const independent *s)
{
    uint64_t bits = 0;
    for (uint32_t track = 0; track < s->track_count; track++)
        bits += enc_choice_bits(present(s, track));
    return bits;
}

/* The level of a track on the slope that begins with `level` at the deepest joints. */
static uint32_t level_on_slope(const independent *s, uint32_t track, uint32_t level)
{
    int own = (int)level + s->slope * (int)s->ladders[track].height / FULL_HEIGHT;
    return own < 0 ? 0u : own < (int)LEVELS ? (uint32_t)own : LEVELS - 1u;
}

/* Returns whether two codings of a track play alike. */
static bool plays_alike(const enc_track_choice *a, const enc_track_choice *b)
{
    return a->coded == b->coded && (a->coded != NULL || memcmp(a->constant.row, b->constant.row,
                                                               sizeof a->constant.row) == 0);
}

/* Plays the joints that play otherwise than with the levels in levels[1]. */
static void play_changed(independent *s)
{
    for (uint32_t joint = 0; joint < s->source->skeleton->joint_count; joint++) {
        bool same = true;
        for (uint32_t track = joint * ENC_KINDS; track < (joint + 1u) * ENC_KINDS; track++)
            same = same &&
                   plays_alike(present(s, track), &s->ladders[track].choice[s->levels[1][track]]);
        if (!same)
            play_joint(s, joint);
    }
}

/* Gives every track its level on the slope, or the nearest coarser level that the codec can
 * code. */
static int32_t set_common_level(independent *s, uint32_t level, enc_report *report)
{
    bool played = s->played;
    s->played = false; /* until all tracks have their levels */
    keep_levels(s, s->levels[1]);
    for (uint32_t track = 0; track < s->track_count; track++) {
        uint32_t own = level_on_slope(s, track, level);
        while (choice_at(s, track, own) == NULL && own > 0u)
            own--;
        if (s->out_of_memory)
            return ENC_ERROR_MEMORY;
        if (choice_at(s, track, own) == NULL)
            return enc_report_too_coarse(s->options, track / ENC_KINDS, report);
        s->ladders[track].level = own;
    }
    if (played)
        play_changed(s);
    else
        play_all(s);
    s->played = true;
    return ENC_OK;
}

/* Finds the coarsest level that all tracks can share. */
static int32_t find_common_level(independent *s, enc_report *report)
{
    uint32_t fails = 0, holds = FIRST_LEVEL; /* no coding is exact, so the search starts coarser */
    int32_t status;
    while ((status = set_common_level(s, holds, report)) == ENC_OK && !enc_check_holds(&s->check)) {
        fails = holds + 1u;
        holds += STRIDE;
        if (holds >= LEVELS)
            return ENC_ERROR_TOLERANCE;
    }
    while (status == ENC_OK && fails < holds) {
        uint32_t middle = (fails + holds) / 2u;
        status = set_common_level(s, middle, report);
        if (status == ENC_OK && enc_check_holds(&s->check))
            holds = middle;
        else
            fails = middle + 1u;
    }
    return status == ENC_OK ? set_common_level(s, holds, report) : status;
}

/* The next level that costs less, if there is one within an octave. */
static bool next_cheaper(independent *s, uint32_t track, step *out)
{
    uint32_t level = s->ladders[track].level, bits = enc_choice_bits(present(s, track));
    if (bits == 0u)
        return false;
    for (uint32_t i = 1; i <= NEXT_CHEAPER && i <= level; i++) {
        const enc_track_choice *choice = choice_at(s, track, level - i);
        if (choice == NULL || enc_choice_bits(choice) >= bits)
            continue;
        *out = (step){bits - enc_choice_bits(choice), track, level - i};
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

/* Lists the tracks that could become cheaper; with `near`, only those on a chain with that
 * track. */
static uint32_t list_steps(independent *s, const uint32_t *near, step *out)
{
    uint32_t count = 0;
    for (uint32_t track = 0; track < s->track_count; track++)
        if (near == NULL || (track != *near && on_one_chain(s->source->skeleton, track / ENC_KINDS,
                                                            *near / ENC_KINDS)))
            count += next_cheaper(s, track, &out[count]);
    qsort(out, count, sizeof *out, most_saving_first);
    return count;
}

/* Makes tracks cheaper one by one while the tolerance holds; returns the saved bits. */
static uint64_t loosen(independent *s, const uint32_t *near)
{
    step *steps = s->steps;
    uint64_t saved = 0, before;
    do {
        uint32_t count = list_steps(s, near, steps);
        before = saved;
        for (uint32_t i = 0; i < count; i++)
            if (try_level(s, steps[i].track, steps[i].level))
                saved += steps[i].saving;
    } while (saved != before && !s->out_of_memory);
    return saved;
}

/* Makes one track finer if others can then save more bits than it costs. */
static bool exchange(independent *s, uint32_t track)
{
    uint32_t level = s->ladders[track].level, bits = enc_choice_bits(present(s, track)), finer = 0;
    if (bits == 0u)
        return false;
    for (uint32_t i = 1; i <= NEXT_CHEAPER && level + i < LEVELS && finer == 0u; i++) {
        const enc_track_choice *choice = choice_at(s, track, level + i);
        if (choice != NULL && enc_choice_bits(choice) > bits)
            finer = level + i;
    }
    keep_levels(s, s->levels[1]);
    if (finer == 0u || !try_level(s, track, finer))
        return false;
    uint32_t cost = enc_choice_bits(present(s, track)) - bits;
    if (loosen(s, &track) > cost)
        return true;
    restore_levels(s, s->levels[1]);
    return false;
}

/* Tries slopes, then exchanges from the best of them. */
static int32_t search_levels(independent *s, enc_report *report)
{
    uint32_t effort = s->options->effort;
    uint64_t best = UINT64_MAX;
    int32_t failure = ENC_OK;
    for (uint32_t i = 0; i < work_of_effort[effort].slopes; i++) {
        s->slope = slopes[i];
        int32_t status = find_common_level(s, report);
        if (status == ENC_ERROR_MEMORY)
            return status;
        if (status != ENC_OK) {
            failure = status;
            continue;
        }
        loosen(s, NULL);
        if (present_bits(s) < best) {
            best = present_bits(s);
            keep_levels(s, s->levels[0]);
        }
    }
    if (best == UINT64_MAX)
        return failure;
    for (uint32_t track = 0; track < s->track_count; track++)
        s->ladders[track].level = s->levels[0][track];
    play_all(s);
    bool changed = true;
    for (uint32_t pass = 0; pass < work_of_effort[effort].exchanges && changed; pass++) {
        changed = false;
        for (uint32_t track = 0; track < s->track_count && !s->out_of_memory; track++)
            changed |= exchange(s, track);
        loosen(s, NULL);
    }
    return s->out_of_memory ? ENC_ERROR_MEMORY : ENC_OK;
}

/* Codes every track once more with the requested effort, and keeps codings that are smaller and
 * hold. */
static int32_t polish(independent *s)
{
    if (s->options->effort == ENC_EFFORT_FAST)
        return ENC_OK;
    s->effort = s->options->effort;
    for (uint32_t track = 0; track < s->track_count && !s->out_of_memory; track++) {
        track_ladder *ladder = &s->ladders[track];
        uint32_t joint = track / ENC_KINDS;
        enc_track_choice choices[ENC_KINDS], finer = {0}, *kept = &ladder->choice[ladder->level];
        if (kept->coded == NULL)
            continue;
        joint_choices(s, joint, choices);
        for (uint32_t tighter = 0; tighter < NEXT_CHEAPER; tighter += 2) {
            if (!fit_choice(s, track, limit_of(ladder->level + tighter), &finer) ||
                enc_choice_bits(&finer) >= enc_choice_bits(kept)) {
                enc_choice_release(&finer);
                break;
            }
            choices[track % ENC_KINDS] = finer;
            if (enc_check_change(&s->check, joint, choices)) {
                enc_choice_release(kept);
                *kept = finer;
                break;
            }
            enc_choice_release(&finer);
        }
    }
    return s->out_of_memory ? ENC_ERROR_MEMORY : ENC_OK;
}

/* Moves the present choices into the solution. */
static void take_choices(independent *s, enc_solution *out)
{
    for (uint32_t track = 0; track < s->track_count; track++) {
        track_ladder *ladder = &s->ladders[track];
        out->tracks[track] = ladder->choice[ladder->level];
        out->bits += enc_choice_bits(&out->tracks[track]);
        memset(&ladder->choice[ladder->level], 0, sizeof ladder->choice[0]);
    }
}

static void measure_heights(independent *s)
{
    const enc_skeleton *skeleton = s->source->skeleton;
    uint32_t deepest = 1;
    for (uint32_t joint = 0; joint < skeleton->joint_count; joint++) {
        int32_t parent = skeleton->parents[joint];
        uint32_t depth = parent < 0 ? 0u : s->ladders[(uint32_t)parent * ENC_KINDS].height + 1u;
        for (uint32_t kind = 0; kind < ENC_KINDS; kind++)
            s->ladders[joint * ENC_KINDS + kind].height = depth;
        deepest = depth > deepest ? depth : deepest;
    }
    for (uint32_t track = 0; track < s->track_count; track++)
        s->ladders[track].height = (deepest - s->ladders[track].height) * FULL_HEIGHT / deepest;
}

static int32_t prepare(independent *s)
{
    int32_t status = enc_check_prepare(&s->check, s->source, s->options);
    s->ladders = calloc(s->track_count, sizeof *s->ladders);
    s->steps = malloc(s->track_count * sizeof *s->steps);
    for (int i = 0; i < 2; i++)
        s->levels[i] = malloc(s->track_count * sizeof *s->levels[i]);
    if (s->ladders == NULL || s->steps == NULL || s->levels[0] == NULL || s->levels[1] == NULL)
        return ENC_ERROR_MEMORY;
    measure_heights(s);
    for (uint32_t track = 0; track < s->track_count && status == ENC_OK; track++)
        status = enc_isolated_error_prepare(&s->ladders[track].error, s->source, s->options,
                                            track / ENC_KINDS, track % ENC_KINDS);
    return status;
}

static void release(independent *s)
{
    enc_check_release(&s->check);
    for (uint32_t track = 0; track < s->track_count && s->ladders != NULL; track++) {
        forget_choices(&s->ladders[track]);
        enc_isolated_error_release(&s->ladders[track].error);
    }
    free(s->ladders);
    free(s->steps);
    free(s->levels[0]);
    free(s->levels[1]);
}

int32_t enc_independent_solve(const enc_source *source, const enc_codec *codec,
                              const enc_options *options, enc_solution *out, enc_report *report)
{
    independent s = {.source = source,
                     .codec = codec,
                     .options = options,
                     .effort = ENC_EFFORT_FAST,
                     .track_count = source->skeleton->joint_count * ENC_KINDS};
    memset(out, 0, sizeof *out);
    out->tracks = calloc(s.track_count, sizeof *out->tracks);
    out->track_count = s.track_count;
    int32_t status = prepare(&s);
    if (status == ENC_OK)
        status = search_levels(&s, report);
    if (status == ENC_OK)
        status = polish(&s);
    if (out->tracks == NULL || s.out_of_memory)
        status = ENC_ERROR_MEMORY;
    if (status == ENC_OK)
        take_choices(&s, out);
    release(&s);
    if (status == ENC_OK)
        status = enc_measure_solution(source, out, options, report, NULL);
    if (status == ENC_OK && enc_relative_error(options, report) > 1.0)
        status = ENC_ERROR_TOLERANCE;
    if (status != ENC_OK)
        enc_solution_release(out);
    return status;
}
