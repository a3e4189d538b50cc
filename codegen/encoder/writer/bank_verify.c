/* Plays finished banks through the runtime, for the final check and for `ossicle decode`. */
#include <stdlib.h>
#include <string.h>

#include "bank/osc_format.h"
#include "bank/osc_internal.h"
#include "model/measure.h"
#include "ossicle.h"
#include "writer/clip.h"
#include "writer/pose_hash.h"

/* A bank, a player and a pose, all in host memory. */
typedef struct {
    osc_bank bank;
    osc_player player;
    osc_clip_info info;
    int32_t *memory;
    osc_pose pose;
} stage;

static void close_stage(stage *stage)
{
    free(stage->memory);
    free(stage->pose.rotations);
    free(stage->pose.translations);
    free(stage->pose.scales);
}

static int32_t open_stage(stage *stage, const uint32_t *words, uint32_t word_count)
{
    memset(stage, 0, sizeof *stage);
    int32_t status = osc_bank_open(&stage->bank, words, (size_t)word_count * 4u);
    if (status != OSC_OK)
        return status;
    uint32_t memory_words = osc_player_memory_words(&stage->bank);
    size_t joints = stage->bank.joint_count;
    stage->memory = malloc((memory_words + 1u) * sizeof *stage->memory);
    stage->pose.rotations = malloc(joints * sizeof *stage->pose.rotations);
    stage->pose.translations = malloc(joints * sizeof *stage->pose.translations);
    stage->pose.scales = malloc(joints * sizeof *stage->pose.scales);
    if (stage->memory == NULL || stage->pose.rotations == NULL ||
        stage->pose.translations == NULL || stage->pose.scales == NULL)
        return OSC_ERROR_MEMORY;
    for (size_t j = 0; j < joints; j++)
        stage->pose.scales[j].x = stage->pose.scales[j].y = stage->pose.scales[j].z = OSC_ONE_Q20;
    return osc_player_init(&stage->player, &stage->bank, stage->memory, memory_words);
}

static int32_t start_clip(stage *stage, uint32_t clip_index)
{
    int32_t status = osc_clip_describe(&stage->bank, clip_index, &stage->info);
    return status != OSC_OK ? status : osc_player_start(&stage->player, clip_index, OSC_PLAY_ONCE);
}

static void joint_at(const stage *stage, size_t joint, double out[10])
{
    const osc_quaternion *q = &stage->pose.rotations[joint];
    const osc_vector *t = &stage->pose.translations[joint], *s = &stage->pose.scales[joint];
    const int32_t q20[10] = {q->x, q->y, q->z, q->w, t->x, t->y, t->z, s->x, s->y, s->z};
    for (int i = 0; i < 10; i++)
        out[i] = q20[i] / (double)OSC_ONE_Q20;
}

int32_t enc_bank_decode(const uint32_t *words, uint32_t word_count, uint32_t clip_index,
                        int32_t midpoints, float *out)
{
    stage stage;
    int32_t status = open_stage(&stage, words, word_count);
    if (status == OSC_OK)
        status = start_clip(&stage, clip_index);
    if (status == OSC_OK) {
        uint32_t frames = stage.info.frame_count;
        status = (int32_t)(midpoints != 0 ? 2u * frames - 1u : frames);
        int32_t step_q11 = midpoints != 0 ? OSC_ONE_Q11 / 2 : OSC_ONE_Q11;
        for (int32_t i = 0; i < status && out != NULL; i++) {
            osc_player_seek_q11(&stage.player, i * step_q11);
            osc_player_evaluate(&stage.player, &stage.pose);
            for (size_t joint = 0; joint < stage.bank.joint_count; joint++) {
                double transform[10];
                joint_at(&stage, joint, transform);
                for (int k = 0; k < 10; k++)
                    *out++ = (float)transform[k];
            }
        }
    }
    close_stage(&stage);
    return status;
}

int32_t enc_bank_hash(const uint32_t *words, uint32_t word_count, uint32_t *hash)
{
    stage stage;
    int32_t status = open_stage(&stage, words, word_count);
    osc_matrix *model = status == OSC_OK ? malloc(stage.bank.joint_count * sizeof *model) : NULL;
    if (status == OSC_OK && model == NULL)
        status = OSC_ERROR_MEMORY;
    *hash = OSC_HASH_START;
    for (uint32_t clip = 0; status == OSC_OK && clip < stage.bank.clip_count; clip++)
        *hash = enc_pose_hash(*hash, &stage.player, clip, &stage.pose, model);
    free(model);
    close_stage(&stage);
    return status;
}

/* Resets joints of an additive clip without a sub-track, which are not added, whatever the pose
 * has. */
static void leave_out(const stage *stage, const enc_source *source, uint32_t joint,
                      double transform[10])
{
    for (uint32_t kind = 0; kind < ENC_KINDS; kind++)
        for (uint32_t i = 0; i < enc_components(kind); i++)
            if (!osc_has_subtrack(&stage->bank, kind, joint))
                transform[enc_first(kind) + i] =
                    enc_rest_row(source, kind, joint)[i] / (double)OSC_ONE_Q20;
}

static bool same_errors(const enc_report *a, const enc_report *b)
{
    return a->error_m == b->error_m && a->joint == b->joint && a->frame == b->frame &&
           a->chain_error_m == b->chain_error_m && a->chain_start == b->chain_start &&
           a->chain_joint == b->chain_joint && a->chain_frame == b->chain_frame &&
           a->tight_error_m == b->tight_error_m && a->tight_start == b->tight_start &&
           a->tight_joint == b->tight_joint && a->tight_frame == b->tight_frame;
}

/* A version of a clip, which begins at `first_frame`, as it plays. */
typedef struct {
    const enc_source *source;
    stage *stage;
    uint32_t first_frame;
    bool goes_on; /* it shares its last frame with the next block; that frame is taken from the
                   * source
                   */
} version_player;

/* The source itself at its last frame. local: of a joint */
static void last_frame(const enc_source *source, uint32_t joint, enc_matrix *local)
{
    double value[ENC_KINDS][4];
    for (uint32_t kind = 0; kind < ENC_KINDS; kind++)
        enc_source_value(source, kind, joint, source->frame_count - 1u, value[kind]);
    enc_source_matrix(source, joint, value[ENC_ROTATION], value[ENC_TRANSLATION], value[ENC_SCALE],
                      local);
}

static void joint_played(const stage *stage, const enc_source *source, uint32_t joint,
                         enc_matrix *local)
{
    double transform[10];
    joint_at(stage, joint, transform);
    if (source->over != NULL)
        leave_out(stage, source, joint, transform);
    enc_source_matrix(source, joint, transform, transform + 4, transform + 7, local);
}

static void play_version(const void *context, uint32_t first, uint32_t count, uint32_t stride,
                         enc_matrix *local)
{
    const version_player *p = context;
    const enc_source *source = p->source;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t position_q11 = enc_sample_q11(source, first + i);
        bool is_shared = p->goes_on && position_q11 == (source->frame_count - 1u) * OSC_ONE_Q11;
        if (!is_shared) {
            osc_player_seek_q11(&p->stage->player,
                                (int32_t)(p->first_frame * OSC_ONE_Q11 + position_q11));
            osc_player_evaluate(&p->stage->player, &p->stage->pose);
        }
        for (uint32_t joint = 0; joint < source->skeleton->joint_count; joint++) {
            enc_matrix *out = &local[(size_t)joint * stride + i];
            if (is_shared)
                last_frame(source, joint, out);
            else
                joint_played(p->stage, source, joint, out);
        }
    }
}

static int32_t measure_played(stage *stage, uint32_t first_frame, bool goes_on,
                              const enc_clip *version, enc_report *report)
{
    enc_source source;
    int32_t status = enc_source_prepare(&source, version->source.skeleton, &version->input,
                                        &version->options.shell, report);
    const version_player player = {&source, stage, first_frame, goes_on};
    if (status == ENC_OK)
        status =
            enc_measure_played(&source, play_version, &player, &version->options, report, NULL);
    enc_source_release(&source);
    return status;
}

/* Plays a version of a clip, or of a block of 2^block_log2 of its frames, and compares it with the
 * reported error. */
static int32_t verify_version(stage *stage, uint32_t clip_index, uint32_t block,
                              uint32_t block_log2, const enc_clip *version)
{
    enc_report report = {0};
    if (start_clip(stage, clip_index) != OSC_OK)
        return ENC_ERROR_INTERNAL;
    uint32_t first_frame = block << block_log2, last = version->source.frame_count - 1u;
    uint32_t left = stage->info.frame_count - 1u - first_frame;
    bool goes_on = left > 1u << block_log2; /* in the next block */
    if (last != (goes_on ? 1u << block_log2 : left))
        return ENC_ERROR_INTERNAL;
    int32_t status = measure_played(stage, first_frame, goes_on, version, &report);
    bool as_reported = goes_on ? report.error_m <= version->report.error_m
                               : same_errors(&report, &version->report);
    return status == ENC_OK && !as_reported ? ENC_ERROR_INTERNAL : status;
}

/* Verifies the clips that have keys in tiers with the first `with` tiers alone. */
static int32_t verify_keys(stage *stage, uint32_t clip_count, const enc_clip *const *clips,
                           uint32_t with, uint32_t *differs)
{
    int32_t status = ENC_OK;
    for (uint32_t clip = 0; clip < clip_count && status == ENC_OK; clip++) {
        enc_report report = {0};
        if (clips[clip]->report.tiers <= with)
            continue;
        *differs = clip;
        if (start_clip(stage, clip) != OSC_OK)
            return ENC_ERROR_INTERNAL;
        status = measure_played(stage, 0, false, clips[clip], &report);
        if (status == ENC_OK && report.error_m != clips[clip]->report.tier_error_m[with])
            status = ENC_ERROR_INTERNAL;
    }
    return status;
}

/* Verifies the clips of the base that have versions, or those that have none. */
static int32_t verify_base(stage *stage, uint32_t clip_count, const enc_clip *const *clips,
                           const uint8_t *has_versions, bool with_versions, uint32_t *differs)
{
    int32_t status = ENC_OK;
    for (uint32_t clip = 0; clip < clip_count && status == ENC_OK; clip++)
        if ((has_versions[clip] != 0) == with_versions) {
            *differs = clip;
            status = verify_version(stage, clip, 0, OSC_BLOCK_LOG2_MAX, clips[clip]);
        }
    return status;
}

/* Verifies the versions, the finest first, and removes one tier after another, so that the versions
 * of the highest remaining tier play, and clips with keys in tiers become coarser. */
static int32_t verify_tiers(stage *stage, uint32_t clip_count, const enc_clip *const *clips,
                            const enc_tiers *tiers, uint32_t *differs)
{
    int32_t status = ENC_OK;
    uint32_t left = tiers->version_count;
    for (uint32_t tier = stage->bank.tier_count; tier > 0u && status == ENC_OK; tier--) {
        for (; left > 0u && tiers->versions[left - 1u].tier == tier && status == ENC_OK; left--) {
            const enc_version *version = &tiers->versions[left - 1u];
            *differs = version->clip;
            status = verify_version(stage, version->clip, version->block, tiers->block_log2,
                                    version->version);
        }
        if (status == ENC_OK && osc_bank_attach_tier(&stage->bank, tier, NULL, 0) != OSC_OK)
            status = ENC_ERROR_INTERNAL;
        if (status == ENC_OK)
            status = verify_keys(stage, clip_count, clips, tier - 1u, differs);
    }
    return status;
}

int32_t enc_bank_verify(const uint32_t *words, uint32_t word_count, uint32_t clip_count,
                        const enc_clip *const *clips, const enc_tiers *tiers, uint32_t *differs)
{
    stage stage;
    int32_t status = open_stage(&stage, words, word_count);
    uint8_t *has_versions = calloc((size_t)clip_count + 1u, 1);
    *differs = 0;
    if (status != OSC_OK)
        status = status == OSC_ERROR_MEMORY ? ENC_ERROR_MEMORY : ENC_ERROR_INTERNAL;
    else if (has_versions == NULL)
        status = ENC_ERROR_MEMORY;
    for (uint32_t i = 0; i < tiers->version_count && status == ENC_OK; i++)
        has_versions[tiers->versions[i].clip] = 1;
    if (status == ENC_OK) /* with the keys that they have in tiers */
        status = verify_base(&stage, clip_count, clips, has_versions, false, differs);
    if (status == ENC_OK)
        status = verify_tiers(&stage, clip_count, clips, tiers, differs);
    if (status == ENC_OK)
        status = verify_base(&stage, clip_count, clips, has_versions, true, differs);
    free(has_versions);
    close_stage(&stage);
    return status;
}

int32_t enc_bank_check(const uint32_t *words, uint32_t word_count, uint32_t *player_words)
{
    osc_bank bank;
    int32_t status = osc_bank_open(&bank, words, (size_t)word_count * 4u);
    if (status == OSC_OK)
        *player_words = osc_player_memory_words(&bank);
    return status;
}
