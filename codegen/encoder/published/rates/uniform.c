#include "published/rates/uniform.h"

#include <string.h>

#include "model/loop_wrap.h"
#include "model/measure.h"

#define FINEST (ENC_DENSE_RATES - 1u)
#define NOT_CODED ENC_DENSE_RATES
#define COMBINATIONS (ENC_DENSE_RATES * ENC_DENSE_RATES * ENC_DENSE_RATES)

typedef struct {
    const enc_dense_uniform *task;
    uint32_t level[ENC_KINDS]; /* [kind]: of the present coding */
    bool fine[ENC_KINDS];      /* [kind]: all rows are rotations or vectors */
    uint64_t bits[ENC_KINDS][ENC_DENSE_RATES];
} uniform;

/* A combination of levels, one per kind, and the bits of all tracks at them. */
typedef struct {
    uint64_t bits;
    uint32_t number;
} combination;

static uint32_t level_of(uint32_t number, uint32_t kind)
{
    for (; kind > 0u; kind--)
        number /= ENC_DENSE_RATES;
    return number % ENC_DENSE_RATES;
}

/* ---- coding ---- */

static void count_bits(uniform *u)
{
    for (uint32_t i = 0; i < u->task->track_count; i++) {
        const enc_dense_track *track = u->task->tracks[i].coded;
        uint32_t block = enc_dense_block_frames(track->frame_count, track->restart_log2);
        for (uint32_t first = 0; first < track->frame_count; first += block) {
            uint32_t left = track->frame_count - first;
            for (uint32_t level = 0; level < ENC_DENSE_RATES; level++)
                u->bits[track->format.kind][level] += enc_dense_block_bits(
                    &track->format, left < block ? left : block, enc_dense_rates[level]);
        }
    }
}

/* Codes a whole track at one rate. Returns whether its rows can be played. */
static bool code_track(const enc_dense_variable *variable, uint32_t rate)
{
    enc_dense_track *track = variable->coded;
    uint32_t components = enc_components(track->format.kind);
    uint32_t block = enc_dense_block_frames(track->frame_count, track->restart_log2);
    bool fine = true;
    for (uint32_t first = 0; first < track->frame_count; first += block) {
        uint32_t left = track->frame_count - first;
        enc_dense_block *coded = &track->blocks[first >> track->restart_log2];
        *coded = (enc_dense_block){.rate = (uint8_t)rate};
        fine = enc_dense_code_block(&track->format, variable->samples + first,
                                    left < block ? left : block, coded, track->codes + first,
                                    track->rows + (size_t)first * components) &&
               fine;
    }
    return fine;
}

static void code_kind(uniform *u, uint32_t kind, uint32_t level)
{
    if (u->level[kind] == level)
        return;
    u->level[kind] = level;
    u->fine[kind] = true;
    for (uint32_t i = 0; i < u->task->track_count; i++)
        if (u->task->tracks[i].coded->format.kind == kind)
            u->fine[kind] =
                code_track(&u->task->tracks[i], enc_dense_rates[level]) && u->fine[kind];
}

/* ---- trying ---- */

static bool all_blend(const uniform *u)
{
    const enc_solution *solution = u->task->solution;
    for (uint32_t track = 0; track < solution->track_count; track++)
        if (!enc_track_blends(u->task->source, &solution->tracks[track], track % ENC_KINDS,
                              track / ENC_KINDS))
            return false;
    return true;
}

/* Codes the clip at these levels and measures it. Returns ENC_OK, ENC_ERROR_TOLERANCE or
 * ENC_ERROR_MEMORY. */
static int32_t try_levels(uniform *u, const uint32_t level[ENC_KINDS], enc_report *report)
{
    const enc_dense_uniform *task = u->task;
    bool fine = true;
    for (uint32_t kind = 0; kind < ENC_KINDS; kind++) {
        code_kind(u, kind, level[kind]);
        fine = fine && u->fine[kind];
    }
    int32_t status =
        enc_measure_solution(task->source, task->solution, task->options, report, NULL);
    if (status != ENC_OK)
        return status;
    bool holds = fine && all_blend(u) && enc_relative_error(task->options, report) <= 1.0;
    return holds ? ENC_OK : ENC_ERROR_TOLERANCE;
}

/* Finds the lowest level with which the clip holds, for the kinds in take[]; the others have the
 * finest. *level: the finest if none holds. */
static int32_t lowest(uniform *u, const bool take[ENC_KINDS], uint32_t *level, enc_report *report)
{
    *level = u->task->track_count != 0u ? 0u : FINEST;
    for (;; ++*level) {
        uint32_t levels[ENC_KINDS];
        for (uint32_t kind = 0; kind < ENC_KINDS; kind++)
            levels[kind] = take[kind] ? *level : FINEST;
        int32_t status = try_levels(u, levels, report);
        if (status != ENC_ERROR_TOLERANCE || *level == FINEST)
            return status;
    }
}

/* ---- one rate for every kind ---- */

/* Replaces *at by the combination that follows it in bits and has at least the levels least[], or
 * exactly these for kinds that no track has. Returns false if none below `end` bits is left. */
static bool next_combination(const uniform *u, const uint32_t least[ENC_KINDS], uint64_t end,
                             combination *at)
{
    combination best = {.bits = end};
    for (uint32_t number = 0; number < COMBINATIONS; number++) {
        uint64_t bits = 0;
        bool allowed = true;
        for (uint32_t kind = 0; kind < ENC_KINDS; kind++) {
            uint32_t level = level_of(number, kind);
            bits += u->bits[kind][level];
            allowed = allowed && level >= least[kind] &&
                      (level == least[kind] || u->bits[kind][level] != 0u);
        }
        bool follows = bits > at->bits || (bits == at->bits && number > at->number);
        if (allowed && follows && bits < best.bits)
            best = (combination){bits, number};
    }
    *at = best;
    return best.bits < end;
}

/* Searches for something smaller than one level for all kinds. The level that a kind needs when the
 * others are as fine as possible is taken as the least it ever needs. */
static int32_t choose_kinds(uniform *u, uint32_t clip_level, enc_report *report)
{
    uint32_t levels[ENC_KINDS], least[ENC_KINDS] = {clip_level, clip_level, clip_level};
    uint64_t clip_bits = 0;
    enc_report found;
    int32_t status = ENC_OK;
    for (uint32_t kind = 0; kind < ENC_KINDS; kind++) {
        const bool take[ENC_KINDS] = {kind == 0u, kind == 1u, kind == 2u};
        clip_bits += u->bits[kind][clip_level];
        found = *report;
        if (u->bits[kind][FINEST] != 0u)
            status = lowest(u, take, &least[kind], &found);
        if (status != ENC_OK && status != ENC_ERROR_TOLERANCE)
            return status;
    }
    combination at = {0};
    while (next_combination(u, least, clip_bits, &at)) {
        for (uint32_t kind = 0; kind < ENC_KINDS; kind++)
            levels[kind] = level_of(at.number, kind);
        status = try_levels(u, levels, &found);
        if (status == ENC_OK)
            *report = found;
        if (status != ENC_ERROR_TOLERANCE)
            return status;
    }
    return try_levels(u, (const uint32_t[]){clip_level, clip_level, clip_level}, report);
}

int32_t enc_dense_uniform_choose(const enc_dense_uniform *task, enc_report *report)
{
    static const bool all[ENC_KINDS] = {true, true, true};
    uniform u = {.task = task, .level = {NOT_CODED, NOT_CODED, NOT_CODED}};
    uint32_t clip_level;
    count_bits(&u);
    int32_t status = lowest(&u, all, &clip_level, report);
    return status == ENC_OK && task->each_kind && task->track_count != 0u
               ? choose_kinds(&u, clip_level, report)
               : status;
}
