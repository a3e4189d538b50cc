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
    header *input_head = take(1, sizeof *input_head);
    size_t joints = input_head->joints, frames = input_head->frames;
    enc_scheme *scheme = input_head->has_scheme ? take(1, sizeof *scheme) : NULL;
    int32_t *parents = take(joints, sizeof *parents);
    double *bind = take(joints * TRANSFORM, sizeof *bind);
    double *transforms = take(frames * joints * TRANSFORM, sizeof *transforms);
    uint8_t *steps = take(frames * joints * ENC_KINDS, 1);
    enc_options options = {.tolerance_m = input_head->tolerance_m,
                           .shell = {input_head->shell_m, input_head->points},
                           .restart_log2 = input_head->restart_log2,
                           .effort = input_head->effort,
                           .codecs = input_head->codecs,
                           .layer = input_head->layer,
                           .keys = input_head->keys,
                           .scheme = scheme};
    enc_input input = {.frame_count = input_head->frames,
                       .loop = (int32_t)input_head->loop,
                       .frames = transforms,
                       .steps = steps};
    enc_clip *clip = NULL;
    enc_report report;
    enc_skeleton *skeleton = enc_skeleton_new(input_head->joints, parents, bind);
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
    free(input_head);
    return 0;
}
