/* Encoded clips as words, and back. */
#include <stdlib.h>

#include "bank/clip.h"
#include "bank/clip_tiers.h"
#include "base/archive.h"
#include "codecs/codecs.h"

static void archive_report(enc_archive *archive, enc_report *report)
{
    double *numbers[] = {&report->error_m,        &report->frame,         &report->value,
                         &report->pinned_error_m, &report->chain_error_m, &report->chain_frame,
                         &report->tight_error_m,  &report->tight_frame,   &report->axes_error_m,
                         &report->sphere_error_m};
    void *words[] = {&report->joint,
                     &report->kind,
                     &report->default_tracks,
                     &report->constant_tracks,
                     &report->animated_tracks,
                     &report->breaks,
                     &report->codec,
                     &report->pinned_joint,
                     &report->chain_start,
                     &report->chain_joint,
                     &report->tight_start,
                     &report->tight_joint,
                     &report->tiers};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        enc_archive_doubles(archive, numbers[i], 1);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        enc_archive_word(archive, words[i]);
    enc_archive_doubles(archive, report->tier_error_m, ENC_TIERS);
}

/* A track that moves. coded: that of the clip, or when reading an empty one. */
static void archive_coded(enc_archive *archive, enc_coded *coded)
{
    enc_archive_word(archive, &coded->codec);
    enc_archive_word(archive, &coded->bits);
    const enc_codec *codec = enc_codec_of(coded->codec);
    if (codec != NULL)
        codec->archive(archive, coded);
    else
        archive->failed = true;
}

static void archive_track(enc_archive *archive, const enc_clip *clip, enc_track_choice *choice,
                          uint32_t kind)
{
    bool moves = choice->coded != NULL;
    enc_archive_words(archive, &choice->constant, sizeof choice->constant / sizeof(uint32_t));
    enc_archive_flag(archive, &moves);
    if (archive->words != NULL && moves) {
        choice->coded = enc_coded_new(
            (enc_coded){.kind = kind, .frame_count = clip->source.row_count, .release = free});
        archive->failed = archive->failed || choice->coded == NULL;
    }
    if (choice->coded != NULL)
        archive_coded(archive, choice->coded);
}

/* Everything but the source and the options. */
static void archive_clip(enc_archive *archive, enc_clip *clip)
{
    enc_solution *solution = &clip->solution;
    uint32_t codec = clip->codec != NULL ? clip->codec->codec : 0u;
    uint32_t bits[2] = {(uint32_t)solution->bits, (uint32_t)(solution->bits >> 32)};
    archive_report(archive, &clip->report);
    enc_archive_word(archive, &codec);
    enc_archive_words(archive, bits, 2);
    clip->codec = enc_codec_of(codec);
    solution->bits = bits[0] | (uint64_t)bits[1] << 32;
    archive->failed = archive->failed || clip->codec == NULL;
    for (uint32_t track = 0; track < solution->track_count && !archive->failed; track++)
        archive_track(archive, clip, &solution->tracks[track], track % ENC_KINDS);
}

int32_t enc_clip_save(const enc_clip *clip, uint32_t **out, uint32_t *out_words)
{
    enc_archive archive = {0};
    enc_clip written = *clip; /* the same tracks; nothing of them changes */
    archive_clip(&archive, &written);
    *out = archive.out.words;
    *out_words = (uint32_t)archive.out.count;
    if (!archive.failed && !archive.out.failed)
        return ENC_OK;
    enc_words_release(&archive.out);
    *out = NULL;
    return ENC_ERROR_MEMORY;
}

/* Whether the words were those of this clip, and no more. */
static bool read_clip(enc_clip *clip, const uint32_t *words, uint32_t word_count)
{
    enc_archive archive = {.words = words, .left = word_count};
    enc_solution *solution = &clip->solution;
    solution->track_count = clip->source.skeleton->joint_count * ENC_KINDS;
    solution->tracks = calloc(solution->track_count, sizeof *solution->tracks);
    if (solution->tracks == NULL) {
        solution->track_count = 0;
        return false;
    }
    archive_clip(&archive, clip);
    return !archive.failed && archive.left == 0u;
}

int32_t enc_clip_load(const enc_skeleton *skeleton, const enc_input *input,
                      const enc_options *options, const uint32_t *words, uint32_t word_count,
                      enc_clip **out, enc_report *report)
{
    enc_clip *clip;
    int32_t status = enc_clip_begin(&clip, skeleton, input, options, report);
    if (status == ENC_OK) {
        status = read_clip(clip, words, word_count) ? enc_clip_plan_tiers(clip, input->kept)
                                                    : ENC_ERROR_WORDS;
        *report = clip->report;
    }
    return enc_clip_end(clip, status, out);
}
