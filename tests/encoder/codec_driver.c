/* Fits tracks with one codec, writes them as a bank, and plays it: in order, backwards and at
 * random. Every row must be what fit() returned and within the limits. Reads from standard input:
 * uint32 codec, tracks, frames, restart_log2, effort + 256 * keys; double slack; of the codecs of
 * published schemes the enc_scheme; then of every track, ascending by kind: uint32 kind, frames
 * bytes of breaks, and its target as doubles. Prints the bits. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bank/osc_format.h"
#include "bank_tools.h"
#include "base/codec.h"
#include "codecs/codecs.h"

#define MOST_TRACKS 64u
#define DAMAGES 24u

typedef struct {
    uint32_t kind, components;
    uint8_t *breaks;
    double *target;
    double slack;
    enc_coded *coded;
} driven_track;

static void need(bool fine, const char *what)
{
    if (!fine) {
        printf("%s\n", what);
        exit(1);
    }
}

static void take(void *out, size_t size)
{
    need(fread(out, 1, size, stdin) == size, "input ends early");
}

/* Deviation in radians or lengths; q and -q are the same rotation. */
static bool holds(const void *context, uint32_t frame, const int32_t *row)
{
    const driven_track *track = context;
    const double *target = track->target + (size_t)frame * track->components;
    double plus = 0.0, minus = 0.0;
    for (uint32_t i = 0; i < track->components; i++) {
        double value = row[i] / (double)OSC_ONE_Q20;
        plus += (value - target[i]) * (value - target[i]);
        minus += (value + target[i]) * (value + target[i]);
    }
    if (track->components == 3u)
        return sqrt(plus) <= track->slack;
    return 2.0 * sqrt(fmin(plus, minus)) <= track->slack;
}

static void fit(const enc_codec *codec, const enc_scheme *scheme, driven_track *track,
                uint32_t frames, uint32_t log2, uint32_t effort)
{
    enc_fit fit = {.kind = track->kind,
                   .frame_count = frames,
                   .restart_log2 = log2,
                   .target = track->target,
                   .breaks = track->breaks,
                   .slack = track->slack,
                   .effort = effort & 0xffu,
                   .keys = effort >> 8,
                   .scheme = scheme,
                   .holds = holds,
                   .context = track};
    bool out_of_memory = false;
    track->coded = codec->fit(&fit, &out_of_memory);
    need(track->coded != NULL, "fit() found nothing");
    for (uint32_t f = 0; f < frames; f++) {
        const int32_t *row = track->coded->rows + (size_t)f * track->components;
        double length2 = 0.0;
        need(holds(track, f, row), "a row does not hold");
        for (uint32_t i = 0; i < track->components; i++)
            length2 += row[i] / (double)OSC_ONE_Q20 * row[i] / (double)OSC_ONE_Q20;
        need(track->components == 3u || fabs(sqrt(length2) - 1.0) < 0x1p-18, "a row is not unit");
    }
}

static uint32_t *put(uint32_t *at, const uint32_t *words, size_t count)
{
    if (count != 0)
        memcpy(at, words, count * sizeof *at);
    return at + count;
}

/* A bank of one clip, in which joint i has track i alone. */
static test_bank make_bank(const enc_codec *codec, const driven_track *tracks, uint32_t count,
                           uint32_t frames, uint32_t log2)
{
    const enc_coded *coded[MOST_TRACKS];
    uint32_t subtracks[MOST_TRACKS];
    enc_bit_writer stream = {0}, restarts = {0}, blocks = {0};
    for (uint32_t i = 0; i < count; i++) {
        coded[i] = tracks[i].coded;
        subtracks[i] = i;
    }
    const enc_clip_tracks clip = {.tracks = coded,
                                  .subtracks = subtracks,
                                  .track_count = count,
                                  .frame_count = frames,
                                  .restart_log2 = log2};
    const enc_clip_streams streams = {.headers = &stream, .restarts = &restarts, .blocks = &blocks};
    need(codec->write(&clip, &streams) == ENC_OK, "write() failed");
    uint32_t header_bits = (uint32_t)stream.bits;
    enc_bits_put_rice(&stream, 0, OSC_CONSTANT_COUNT_RICE); /* no constants */
    for (size_t i = 0; i < restarts.bits / 32u; i++)
        restarts.words[i] += (uint32_t)stream.bits;
    enc_bits_append(&stream, &blocks);
    size_t stream_words = (stream.bits + 31u) / 32u + 1u;
    uint32_t mask_words = (count + 31u) / 32u, parent_words = (count + 1u) / 2u;
    size_t skeleton_words = 2u + parent_words + 10u * count + 3u * mask_words;
    size_t data_words = 1u + restarts.bits / 32u + stream_words;
    size_t clip_words = 1u + OSC_RATE_WORDS + OSC_CLIP_ENTRY_WORDS;
    size_t total = 14u + skeleton_words + clip_words + data_words;
    uint32_t *words = calloc(total, sizeof *words), *at = words;
    need(words != NULL, "no memory");
    const uint32_t header[14] = {OSC_BANK_MAGIC,
                                 OSC_BANK_FORMAT,
                                 0,
                                 0,
                                 3,
                                 OSC_TAG_SKELETON,
                                 14u,
                                 (uint32_t)skeleton_words,
                                 OSC_TAG_CLIPS,
                                 (uint32_t)(14u + skeleton_words),
                                 (uint32_t)clip_words,
                                 OSC_TAG_DATA,
                                 (uint32_t)(14u + skeleton_words + clip_words),
                                 (uint32_t)data_words};
    at = put(at, header, 14u);
    *at++ = count | count << 16;
    *at++ = OSC_SKELETON_HAS_SCALE | codec->state_words(coded, count, frames)
                                         << OSC_SKELETON_STATE_SHIFT;
    memset(at, 0xff, parent_words * sizeof *at);
    at += parent_words + 10u * count;
    for (uint32_t i = 0; i < count; i++)
        at[tracks[i].kind * mask_words + i / 32u] |= 1u << (i % 32u);
    at += 3u * mask_words;
    *at = 1; /* rate, which is zero */
    at += 1u + OSC_RATE_WORDS;
    at[OSC_CLIP_SHAPE] =
        (frames - 1u) | codec->codec << OSC_CLIP_CODEC_SHIFT | log2 << OSC_CLIP_RESTART_SHIFT;
    at += OSC_CLIP_ENTRY_WORDS;
    *at++ = header_bits;
    at = put(at, restarts.words, restarts.bits / 32u);
    put(at, stream.words, (stream.bits + 31u) / 32u);
    enc_bits_release(&stream);
    enc_bits_release(&restarts);
    enc_bits_release(&blocks);
    test_bank bank = {words, (uint32_t)total};
    bank_seal(&bank);
    return bank;
}

static void check_frame(test_player *made, const driven_track *tracks, uint32_t count, uint32_t f)
{
    need(osc_player_seek_q11(&made->player, (int32_t)(f << 11)) == (int32_t)f, "seek failed");
    const int32_t *row = made->player.rows[f & 1u];
    for (uint32_t i = 0; i < count; row += tracks[i].components, i++) {
        size_t size = tracks[i].components * sizeof *row;
        if (memcmp(row, tracks[i].coded->rows + (size_t)f * tracks[i].components, size) != 0) {
            printf("track %u plays differently at frame %u\n", i, f);
            exit(1);
        }
    }
}

static void play(const test_bank *bank, const driven_track *tracks, uint32_t count, uint32_t frames)
{
    test_player made;
    osc_bank opened;
    uint32_t random = 1;
    need(bank_open(bank, &opened) == OSC_OK, "the bank does not open");
    player_make(&made, bank->words, bank->count);
    need(osc_player_start(&made.player, 0, OSC_PLAY_ONCE) == OSC_OK, "the clip does not start");
    for (uint32_t f = 0; f < frames; f++)
        check_frame(&made, tracks, count, f);
    for (uint32_t f = frames; f-- > 0;)
        check_frame(&made, tracks, count, f);
    for (uint32_t i = 0; i < frames; i++) {
        random = random * 1664525u + 1013904223u;
        check_frame(&made, tracks, count, (random >> 8) % frames);
    }
    player_free(&made);
}

/* Damaged data must be refused or play to something, under the sanitizers. */
static void play_damaged(const test_bank *bank, uint32_t data_words, uint32_t frames)
{
    uint32_t random = 1;
    for (uint32_t round = 0; round < DAMAGES; round++) {
        test_bank damaged = bank_copy(bank->words, bank->count);
        test_player made;
        osc_bank opened;
        for (uint32_t i = 0; i <= round % 8u; i++) {
            random = random * 1664525u + 1013904223u;
            uint32_t word = bank->count - 1u - (random >> 8) % (data_words - 2u);
            random = random * 1664525u + 1013904223u;
            damaged.words[word] ^= (round & 1u) != 0u ? random : 1u << (random >> 27);
        }
        bank_seal(&damaged);
        if (bank_open(&damaged, &opened) == OSC_OK) {
            player_make(&made, damaged.words, damaged.count);
            need(osc_player_start(&made.player, 0, OSC_PLAY_ONCE) == OSC_OK, "it does not start");
            for (uint32_t f = 0; f < frames; f++)
                need(osc_player_seek_q11(&made.player, (int32_t)(f << 11)) >= 0, "seek failed");
            player_free(&made);
        }
        bank_free(&damaged);
    }
}

int main(void)
{
#define OSC_CODEC(NAME, name, direct) [OSC_CODEC_##NAME] = &enc_##name##_codec,
    static const enc_codec *const codecs[] = {
#include "bank/osc_codecs.def"
    };
#undef OSC_CODEC
    driven_track tracks[MOST_TRACKS];
    uint32_t head[5], bits = 0;
    double slack;
    enc_scheme scheme = {0};
    take(head, sizeof head);
    take(&slack, sizeof slack);
    if (head[0] >= OSC_CODEC_SPARSE)
        take(&scheme, sizeof scheme);
    const enc_codec *codec = codecs[head[0]];
    uint32_t count = head[1], frames = head[2];
    need(count <= MOST_TRACKS, "too many tracks");
    for (uint32_t i = 0; i < count; i++) {
        driven_track *track = &tracks[i];
        take(&track->kind, sizeof track->kind);
        track->components = enc_components(track->kind);
        track->slack = slack;
        track->breaks = malloc(frames);
        track->target = malloc((size_t)frames * track->components * sizeof *track->target);
        need(track->breaks != NULL && track->target != NULL, "no memory");
        take(track->breaks, frames);
        take(track->target, (size_t)frames * track->components * sizeof *track->target);
        fit(codec, &scheme, track, frames, head[3], head[4]);
        bits += track->coded->bits;
    }
    test_bank bank = make_bank(codec, tracks, count, frames, head[3]);
    play(&bank, tracks, count, frames);
    play_damaged(&bank, bank.words[13], frames);
    bank_free(&bank);
    for (uint32_t i = 0; i < count; i++) {
        enc_coded_free(tracks[i].coded);
        free(tracks[i].breaks);
        free(tracks[i].target);
    }
    printf("%u\n", bits);
    return 0;
}
