/* Converts encoded clips to words and back. */
#include <stdlib.h>
#include <string.h>

#include "bank/osc_format.h"
#include "base/archive.h"
#include "solve/codec_table.h"
#include "writer/clip.h"
#include "writer/clip_check.h"
#include "writer/clip_tiers.h"

/* Returns whether the value of a track that does not move can be written. A default track has the
 * value of the source, whatever its other fields. */
static bool constant_is_sound(const enc_constant *constant, const int32_t *rest_q20, uint32_t kind)
{
    bool rotation = kind == ENC_ROTATION;
    if (constant->track_kind == ENC_TRACK_DEFAULT)
        return memcmp(constant->row, rest_q20, enc_components(kind) * sizeof *rest_q20) == 0;
    return constant->track_kind == ENC_TRACK_CONSTANT &&
           (rotation ? constant->packing < 4u : constant->packing == OSC_PACKING_VECTOR) &&
           (rotation ? constant->shift < OSC_CONSTANT_ROTATION_WIDTH &&
                           constant->width == OSC_CONSTANT_ROTATION_WIDTH - constant->shift
                     : constant->shift < 32u && constant->width >= 1u && constant->width <= 32u);
}

static void archive_constant(enc_archive *archive, enc_constant *constant)
{
    enc_archive_words(archive, constant->row, sizeof constant->row / sizeof *constant->row);
    enc_archive_word(archive, &constant->track_kind);
    enc_archive_word(archive, &constant->packing);
    enc_archive_word(archive, &constant->shift);
    enc_archive_word(archive, &constant->width);
}

static void archive_track(enc_archive *archive, const enc_clip *clip, enc_track_choice *choice,
                          uint32_t track)
{
    uint32_t joint = track / ENC_KINDS, kind = track % ENC_KINDS;
    archive_constant(archive, &choice->constant);
    if (choice->constant.track_kind != ENC_TRACK_ANIMATED) {
        const int32_t *rest = enc_rest_row(&clip->source, kind, joint);
        enc_archive_require(archive, constant_is_sound(&choice->constant, rest, kind));
        return;
    }
    if (archive->words != NULL) {
        choice->coded = enc_coded_new((enc_coded){.codec = clip->codec->codec,
                                                  .kind = kind,
                                                  .frame_count = clip->source.row_count,
                                                  .release = free});
        enc_archive_require(archive, choice->coded != NULL);
    }
    if (choice->coded != NULL)
        clip->codec->archive(archive, choice->coded, &clip->options);
}

/* Archives the tracks: the reader has the source and the options, and measures the rest. */
static void archive_clip(enc_archive *archive, enc_clip *clip)
{
    enc_solution *solution = &clip->solution;
    uint32_t codec = clip->codec != NULL ? clip->codec->codec : 0u;
    enc_archive_word(archive, &codec);
    clip->codec = enc_codec_of(codec);
    enc_archive_require(archive, clip->codec != NULL && (clip->options.codecs >> codec & 1u) != 0u);
    for (uint32_t track = 0; track < solution->track_count && !archive->failed; track++)
        archive_track(archive, clip, &solution->tracks[track], track);
}

int32_t enc_clip_save(const enc_clip *clip, uint32_t **out, uint32_t *out_words)
{
    enc_archive archive = {0};
    enc_clip written = *clip; /* the same tracks, which do not change */
    archive_clip(&archive, &written);
    *out = archive.out.words;
    *out_words = (uint32_t)archive.out.count;
    if (!archive.failed && !archive.out.failed)
        return ENC_OK;
    enc_words_release(&archive.out);
    *out = NULL;
    return ENC_ERROR_MEMORY;
}

/* Reads the tracks. Errors: ENC_ERROR_MEMORY; ENC_ERROR_WORDS if these are not exactly the words of
 * a clip of this source and these options. */
static int32_t read_clip(enc_clip *clip, const enc_saved_clip *saved)
{
    enc_archive archive = {.words = saved->words, .left = saved->word_count};
    enc_solution *solution = &clip->solution;
    solution->track_count = clip->source.skeleton->joint_count * ENC_KINDS;
    solution->tracks = calloc(solution->track_count, sizeof *solution->tracks);
    if (solution->tracks == NULL) {
        solution->track_count = 0;
        return ENC_ERROR_MEMORY;
    }
    archive_clip(&archive, clip);
    return !archive.failed && archive.left == 0u ? ENC_OK : ENC_ERROR_WORDS;
}

int32_t enc_clip_load(const enc_skeleton *skeleton, const enc_input *input,
                      const enc_options *options, const enc_saved_clip *saved, enc_clip **out,
                      enc_report *report)
{
    enc_clip *clip;
    int32_t status = enc_clip_begin(&clip, skeleton, input, options, report);
    if (status == ENC_OK)
        status = read_clip(clip, saved);
    if (status == ENC_OK)
        status = enc_clip_check(clip);
    if (status == ENC_OK)
        status = enc_clip_conclude(clip);
    if (status == ENC_OK)
        *report = clip->report;
    return enc_clip_end(clip, status, out);
}
