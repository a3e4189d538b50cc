#include "published/tiers/plan.h"

#include <stdlib.h>

#include "base/arrays.h"
#include "model/composed.h"

static bool collect_tracks(enc_tier_plan *plan)
{
    const enc_solution *solution = plan->solution;
    bool complete = true;
    plan->tracks = enc_array(solution->track_count, sizeof *plan->tracks, &complete);
    for (uint32_t i = 0; i < solution->track_count && complete; i++)
        if (solution->tracks[i].coded != NULL)
            plan->tracks[plan->track_count++] =
                (enc_tier_track){solution->tracks[i].coded->data, i / ENC_KINDS, i % ENC_KINDS};
    return complete;
}

int32_t enc_tier_plan_make(enc_tier_plan *plan, const enc_source *source,
                           const enc_options *options, const enc_solution *solution,
                           const uint8_t *kept)
{
    *plan = (enc_tier_plan){
        .source = source, .options = options, .solution = solution, .row_count = source->row_count};
    if (!collect_tracks(plan))
        return ENC_ERROR_MEMORY;
    if (plan->track_count == 0u)
        return ENC_OK;
    bool complete = true;
    plan->block_frames =
        enc_dense_block_frames(plan->row_count, plan->tracks[0].track->restart_log2);
    plan->block_count = (plan->row_count + plan->block_frames - 1u) / plan->block_frames;
    plan->index = enc_array(plan->row_count, 1, &complete);
    plan->steps = enc_array(plan->block_count, sizeof *plan->steps, &complete);
    plan->step_count = enc_array(plan->block_count, sizeof *plan->step_count, &complete);
    plan->classes = enc_array((size_t)plan->track_count * plan->block_count, 1, &complete);
    plan->in_tiers.counts =
        enc_array((size_t)plan->block_count * OSC_DENSE_CLASSES * ENC_TIERS, 1, &complete);
    plan->ratio = enc_array((size_t)plan->block_count * ENC_TIERS, sizeof *plan->ratio, &complete);
    for (uint32_t i = 0; i < plan->block_count * ENC_TIERS && complete; i++)
        plan->ratio[i] = 1.0;
    plan->in_tiers.index = plan->index;
    complete = complete && enc_source_hold(source);
    int32_t status = complete ? ENC_OK : ENC_ERROR_MEMORY;
    for (uint32_t block = 0; block < plan->block_count && status == ENC_OK; block++)
        status = enc_tier_order_block(plan, block, kept);
    if (status == ENC_OK)
        status = enc_tier_find_steps(plan, kept);
    return status;
}

void enc_tier_plan_release(enc_tier_plan *plan)
{
    for (uint32_t block = 0; block < plan->block_count && plan->steps != NULL; block++)
        free(plan->steps[block]);
    free(plan->tracks);
    free(plan->index);
    free(plan->steps);
    free(plan->step_count);
    free(plan->classes);
    free(plan->ratio);
    free(plan->in_tiers.counts);
    *plan = (enc_tier_plan){0};
}
