#include "writer/base_row.h"

#include <stdlib.h>
#include <string.h>

#include "bank/osc_format.h"

/* The first rows that are tried for a sub-track, evenly spaced among its clips. */
#define MOST_TRIED 32u

/* The tracks of a sub-track, by clip. */
typedef struct {
    const enc_coded **tracks;
    uint32_t count;
} track_list;

static void list_tracks(track_list *list, uint32_t version_count, const enc_clip *const *versions,
                        uint32_t joint, uint32_t kind)
{
    list->count = 0;
    for (uint32_t i = 0; i < version_count; i++) {
        bool mirrored = i != 0u && versions[i] == versions[i - 1u];
        const enc_coded *coded = enc_clip_track(versions[i], joint, kind)->coded;
        if (!mirrored && coded != NULL && enc_clip_may_have_base(versions[i]))
            list->tracks[list->count++] = coded;
    }
}

static void round_row(const enc_coded *coded, int16_t *values)
{
    const int32_t half = (1 << OSC_CURVE_BASE_SHIFT) / 2;
    for (uint32_t i = 0; i < enc_components(coded->kind); i++) {
        int32_t row = coded->rows[i] >> OSC_CURVE_BASE_SHIFT;
        row += (coded->rows[i] & (2 * half - 1)) >= half;
        values[i] = (int16_t)(row < INT16_MIN ? INT16_MIN : row > INT16_MAX ? INT16_MAX : row);
    }
}

/* Chooses the values of a sub-track among the first rows of its clips. Returns the bits saved. */
static int64_t choose_values(const track_list *list, int16_t *values)
{
    uint32_t stride = (list->count + MOST_TRIED - 1u) / MOST_TRIED;
    int64_t most = 0;
    for (uint32_t i = 0; i < list->count; i += stride) {
        int16_t tried[4] = {0};
        int64_t saved = 0;
        round_row(list->tracks[i], tried);
        for (uint32_t j = 0; j < list->count; j++)
            saved += enc_curve_saved_bits(list->tracks[j], tried);
        if (i == 0u || saved > most) {
            most = saved;
            memcpy(values, tried, enc_components(list->tracks[i]->kind) * sizeof *values);
        }
    }
    return most;
}

int32_t enc_base_row_choose(enc_subtracks *subtracks, uint32_t version_count,
                            const enc_clip *const *versions, uint64_t least_bits)
{
    enc_base_row *base = &subtracks->base;
    base->rotations = 0;
    for (uint32_t joint = 0; joint < subtracks->joints; joint++)
        base->rotations += subtracks->number[joint * ENC_KINDS + ENC_ROTATION] != ENC_NO_SUBTRACK;
    uint32_t words = enc_base_row_words(base, subtracks->count);
    track_list list = {malloc((version_count + 1u) * sizeof *list.tracks), 0};
    base->values = calloc(2u * words + 1u, sizeof *base->values);
    int64_t saved = -32 * (int64_t)(OSC_SECTION_ENTRY_WORDS + words);
    if (list.tracks == NULL || base->values == NULL) {
        free(list.tracks);
        return ENC_ERROR_MEMORY;
    }
    ENC_FOR_EACH_TRACK(subtracks->joints, joint, kind)
    {
        uint32_t subtrack = subtracks->number[joint * ENC_KINDS + kind];
        if (subtrack == ENC_NO_SUBTRACK)
            continue;
        list_tracks(&list, version_count, versions, joint, kind);
        saved += choose_values(&list, base->values + enc_base_offset(base, subtrack));
    }
    free(list.tracks);
    if (saved <= 0 || (uint64_t)saved <= least_bits) {
        free(base->values);
        base->values = NULL;
    }
    return ENC_OK;
}
