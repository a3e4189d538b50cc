/* Encodes one clip and writes its bank to standard output, for processors without Python. Standard
 * input: the header below, its scheme if there is one, the parents, then doubles: bind pose and
 * frames; then the steps as bytes. */
#include <stdio.h>
#include <stdlib.h>
#ifdef _WIN32
#include <fcntl.h>
#include <io.h>
#endif

#include "encoder.h"

enum { TRANSFORM = 10 };

typedef struct {
    double tolerance_m, shell_m;
    uint32_t joints, frames, loop, layer, restart_log2, effort, codecs, keys, has_scheme, points;
} header;

static void need(int fine, const char *what)
{
    if (!fine) {
        fprintf(stderr, "%s\n", what);
        exit(1);
    }
}

static void *take(size_t count, size_t size)
{
    void *found = calloc(count, size);
    need(found != NULL && fread(found, size, count, stdin) == count, "the input ends early");
    return found;
}

int main(void)
{
#ifdef _WIN32
    _setmode(_fileno(stdin), _O_BINARY);
    _setmode(_fileno(stdout), _O_BINARY);
#endif
    header *said = take(1, sizeof *said);
    size_t joints = said->joints, frames = said->frames;
    enc_scheme *scheme = said->has_scheme ? take(1, sizeof *scheme) : NULL;
    int32_t *parents = take(joints, sizeof *parents);
    double *bind = take(joints * TRANSFORM, sizeof *bind);
    double *transforms = take(frames * joints * TRANSFORM, sizeof *transforms);
    uint8_t *steps = take(frames * joints * ENC_KINDS, 1);
    enc_options options = {.tolerance_m = said->tolerance_m,
                           .shell = {said->shell_m, said->points},
                           .restart_log2 = said->restart_log2,
                           .effort = said->effort,
                           .codecs = said->codecs,
                           .layer = said->layer,
                           .keys = said->keys,
                           .scheme = scheme};
    enc_input input = {.frame_count = said->frames,
                       .loop = (int32_t)said->loop,
                       .frames = transforms,
                       .steps = steps};
    enc_clip *clip = NULL;
    enc_report report;
    enc_skeleton *skeleton = enc_skeleton_new(said->joints, parents, bind);
    need(skeleton != NULL, "no memory");
    need(enc_clip_encode(skeleton, &input, &options, &clip, &report) == ENC_OK,
         "the clip is refused");
    const enc_clip *clips[] = {clip};
    const enc_clip_entry entry = {1, 30u << 16, 263882790};
    const uint32_t no_names[1] = {0};
    const enc_bank_content content = {.skeleton = skeleton,
                                      .clip_count = 1,
                                      .clips = clips,
                                      .entries = &entry,
                                      .tiers = {.block_log2 = 31u}, /* no clip is divided */
                                      .more = {.names = {no_names, 0}}};
    enc_bank_size size;
    uint32_t *words;
    need(enc_bank_write(&content, &words, &size) == ENC_OK, "the bank is refused");
    need(fwrite(words, sizeof *words, size.words, stdout) == size.words,
         "standard output is closed");
    fprintf(stderr, "%.17g %.17g\n", report.error_m, report.tight_error_m);
    enc_words_free(words);
    enc_clip_free(clip);
    enc_skeleton_free(skeleton);
    free(steps);
    free(transforms);
    free(bind);
    free(parents);
    free(scheme);
    free(said);
    return 0;
}
