#include "writer/clip_check.h"

#include <stdlib.h>
#include <string.h>

#include "bank/osc_internal.h"
#include "model/loop_wrap.h"
#include "model/measure.h"
#include "ossicle.h"
#include "writer/subtracks.h"

/* The largest difference from one of the length of a rotation that the runtime unpacks. Errors are
 * those of its direction, so a row of length zero would have none. */
#define LENGTH_OFF 0x1p-10

static bool is_near_unit(const int32_t *q)
{
    double length2 = 0.0, least = 1.0 - LENGTH_OFF, most = 1.0 + LENGTH_OFF;
    for (int i = 0; i < 4; i++)
        length2 += (double)q[i] / OSC_ONE_Q20 * q[i] / OSC_ONE_Q20;
    return length2 >= least * least && length2 <= most * most;
}

/* Compares a row of a track with the row that the runtime has unpacked. The last row of a loop is
 * in the hemisphere of the first one. */
static bool is_unpacked(const enc_clip *clip, uint32_t joint, uint32_t kind, uint32_t frame,
                        const int32_t *unpacked)
{
    const enc_track_choice *choice = enc_clip_track(clip, joint, kind);
    const int32_t *row = enc_choice_row(choice, kind, frame);
    int32_t pair[8];
    if (kind == ENC_ROTATION && !is_near_unit(row))
        return false;
    if (clip->source.loop && frame + 1u == clip->source.row_count) {
        enc_wrap_pair(&clip->source, choice, kind, frame, pair);
        row = pair;
    }
    return memcmp(unpacked, row, enc_components(kind) * sizeof *row) == 0;
}

/* Compares a frame of all tracks with the left row of the player. */
static bool frame_is_unpacked(const osc_player *player, const enc_clip *clip,
                              const enc_subtracks *subtracks, uint32_t frame)
{
    const int32_t *left = player->rows[player->left_slot];
    ENC_FOR_EACH_TRACK(subtracks->joints, joint, kind)
    {
        uint32_t subtrack = subtracks->number[joint * ENC_KINDS + kind];
        if (subtrack != ENC_NO_SUBTRACK &&
            !is_unpacked(clip, joint, kind, frame,
                         left + osc_subtrack_offset(player->bank, subtrack)))
            return false;
    }
    return true;
}

static bool plays_rows(osc_player *player, const enc_clip *clip, const enc_subtracks *subtracks)
{
    if (osc_player_start(player, 0, OSC_PLAY_ONCE) != OSC_OK)
        return false;
    for (uint32_t frame = 0; frame < clip->source.row_count; frame++) {
        osc_player_seek_q11(player, (int32_t)(frame * OSC_ONE_Q11));
        if (!frame_is_unpacked(player, clip, subtracks, frame))
            return false;
    }
    return true;
}

/* Plays a bank of only this clip. */
static int32_t play_bank(const enc_clip *clip, const uint32_t *words, uint32_t word_count)
{
    osc_bank bank;
    osc_player player;
    enc_subtracks subtracks;
    if (osc_bank_open(&bank, words, (size_t)word_count * 4u) != OSC_OK)
        return ENC_ERROR_WORDS;
    uint32_t memory_words = osc_player_memory_words(&bank);
    int32_t *memory = calloc(memory_words + 1u, sizeof *memory);
    int32_t status = enc_subtracks_number(&subtracks, clip->source.skeleton, 1, &clip);
    if (memory == NULL || osc_player_init(&player, &bank, memory, memory_words) != OSC_OK)
        status = ENC_ERROR_MEMORY;
    if (status == ENC_OK && !plays_rows(&player, clip, &subtracks))
        status = ENC_ERROR_WORDS;
    enc_subtracks_release(&subtracks);
    free(memory);
    return status;
}

static int32_t play_alone(const enc_clip *clip)
{
    const enc_clip_entry entry = {0};
    const enc_bank_content content = {
        .skeleton = clip->source.skeleton, .clip_count = 1, .clips = &clip, .entries = &entry};
    enc_bank_size size;
    uint32_t *words;
    int32_t status = enc_bank_write(&content, &words, &size);
    if (status == ENC_OK)
        status = play_bank(clip, words, size.words);
    enc_words_free(words);
    return status == ENC_OK || status == ENC_ERROR_MEMORY ? status : ENC_ERROR_WORDS;
}

/* Returns whether all rows that the runtime blends are within its limits. */
static bool blends(const enc_clip *clip)
{
    ENC_FOR_EACH_TRACK(clip->source.skeleton->joint_count, joint, kind)
    if (!enc_track_blends(&clip->source, enc_clip_track(clip, joint, kind), kind, joint))
        return false;
    return true;
}

int32_t enc_clip_check(enc_clip *clip)
{
    const enc_options *options = &clip->options;
    bool fitted = options->scheme == NULL || options->scheme->fixed == 0u;
    int32_t status = play_alone(clip);
    if (status == ENC_OK)
        status = enc_measure_clip(&clip->source, &clip->solution, options, &clip->report);
    if (status == ENC_OK &&
        !((blends(clip) || !fitted) && enc_relative_error(options, &clip->report) <= 1.0))
        status = ENC_ERROR_WORDS;
    return status;
}
