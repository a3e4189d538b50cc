/* Plays finished banks through the runtime, for the final check and for `ossicle decode`. */
#include <stdlib.h>
#include <string.h>

#include "bank/clip.h"
#include "bank/pose_hash.h"
#include "model/measure.h"
#include "ossicle.h"

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

static void locals_at(const stage *stage, const enc_source *source, uint32_t sample,
                      enc_matrix *local)
{
    for (uint32_t joint = 0; joint < source->skeleton->joint_count; joint++) {
        double transform[10];
        joint_at(stage, joint, transform);
        enc_matrix_local(transform, transform + 4, transform + 7,
                         &local[(size_t)joint * source->sample_count + sample]);
    }
}

static bool same_errors(const enc_report *a, const enc_report *b)
{
    return a->error_m == b->error_m && a->joint == b->joint && a->frame == b->frame &&
           a->chain_error_m == b->chain_error_m && a->chain_start == b->chain_start &&
           a->chain_joint == b->chain_joint && a->chain_frame == b->chain_frame &&
           a->tight_error_m == b->tight_error_m && a->tight_start == b->tight_start &&
           a->tight_joint == b->tight_joint && a->tight_frame == b->tight_frame;
}

static int32_t verify_clip(stage *stage, uint32_t clip_index, const enc_clip *clip)
{
    const enc_source *source = &clip->source;
    enc_report report = {0};
    if (start_clip(stage, clip_index) != OSC_OK || stage->info.frame_count != source->frame_count)
        return ENC_ERROR_INTERNAL;
    enc_matrix *local =
        malloc((size_t)source->skeleton->joint_count * source->sample_count * sizeof *local);
    if (local == NULL)
        return ENC_ERROR_MEMORY;
    for (uint32_t sample = 0; sample < source->sample_count; sample++) {
        osc_player_seek_q11(&stage->player, (int32_t)enc_sample_q11(source, sample));
        osc_player_evaluate(&stage->player, &stage->pose);
        locals_at(stage, source, sample, local);
    }
    int32_t status = enc_measure_locals(source, local, &clip->options, &report, NULL);
    free(local);
    return status == ENC_OK && !same_errors(&report, &clip->report) ? ENC_ERROR_INTERNAL : status;
}

int32_t enc_bank_verify(const uint32_t *words, uint32_t word_count, uint32_t clip_count,
                        const enc_clip *const *clips, uint32_t *verified)
{
    stage stage;
    int32_t status = open_stage(&stage, words, word_count);
    *verified = 0;
    if (status != OSC_OK)
        status = status == OSC_ERROR_MEMORY ? ENC_ERROR_MEMORY : ENC_ERROR_INTERNAL;
    while (status == ENC_OK && *verified < clip_count) {
        status = verify_clip(&stage, *verified, clips[*verified]);
        *verified += status == ENC_OK;
    }
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
