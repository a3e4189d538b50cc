#include "writer/subtracks.h"

#include <stdlib.h>

static uint32_t most_held(uint32_t clip_count, const enc_clip *const *clips)
{
    uint32_t most = 0;
    for (uint32_t i = 0; i < clip_count; i++) {
        const enc_source *source = &clips[i]->source;
        for (uint32_t f = 1; f < source->frame_count; f++) {
            uint32_t here = 0;
            ENC_FOR_EACH_TRACK(source->skeleton->joint_count, joint, kind)
            here += enc_clip_track_breaks(clips[i], joint, kind, f);
            most = here > most ? here : most;
        }
    }
    return most;
}

/* Returns whether a track leaves the bind pose in one of the clips. */
static bool moves(uint32_t clip_count, const enc_clip *const *clips, uint32_t joint, uint32_t kind)
{
    for (uint32_t i = 0; i < clip_count; i++)
        if (enc_clip_track(clips[i], joint, kind)->constant.track_kind != ENC_TRACK_DEFAULT)
            return true;
    return false;
}

/* Returns whether a track leaves the bind pose in a mirror image of one of the clips. */
static bool image_moves(const enc_skeleton *skeleton, uint32_t clip_count,
                        const enc_clip *const *clips, uint32_t joint, uint32_t kind)
{
    if (skeleton->partners == NULL)
        return false;
    return skeleton->apart[joint * ENC_KINDS + kind] != 0u ||
           moves(clip_count, clips, (uint32_t)skeleton->partners[joint], kind);
}

int32_t enc_subtracks_number(enc_subtracks *subtracks, const enc_skeleton *skeleton,
                             uint32_t clip_count, const enc_clip *const *clips)
{
    subtracks->joints = skeleton->joint_count;
    subtracks->count = 0;
    subtracks->has_scale = skeleton->bind_scale;
    subtracks->base = (enc_base_row){.values = NULL};
    subtracks->number = malloc((size_t)subtracks->joints * ENC_KINDS * sizeof *subtracks->number);
    if (subtracks->number == NULL)
        return ENC_ERROR_MEMORY;
    ENC_FOR_EACH_TRACK(subtracks->joints, joint, kind)
    {
        uint32_t track = joint * ENC_KINDS + kind;
        subtracks->number[track] = ENC_NO_SUBTRACK;
        if (moves(clip_count, clips, joint, kind) ||
            image_moves(skeleton, clip_count, clips, joint, kind)) {
            subtracks->number[track] = (uint16_t)subtracks->count++;
            subtracks->has_scale = subtracks->has_scale || kind == ENC_SCALE;
        }
    }
    subtracks->max_held = most_held(clip_count, clips);
    return ENC_OK;
}

void enc_subtracks_release(enc_subtracks *subtracks)
{
    free(subtracks->number);
    free(subtracks->base.values);
    subtracks->number = NULL;
    subtracks->base.values = NULL;
}
