/* libFuzzer target: any words as a saved clip. What enc_clip_load takes must be a clip that a bank
 * can have, that plays as it was measured, and that keeps its tolerance, which this file measures
 * with its own arithmetic.
 *
 * An input is the number of a case, then the words. Cases differ in codec and options; their clips
 * are encoded once, and mutations begin with what those were saved as. */
#include "../bank_mutator.h"
#include "bank/osc_format.h"
#include "encoder.h"
#include "ossicle.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    JOINTS = 4,
    MAX_FRAMES = 40,
    CASES = 16,
    MAX_DECODED = 2 * MAX_FRAMES * JOINTS * 10,
    BEGIN_AGAIN = 16, /* one mutation in so many begins with what was saved */
    MAX_MUTATIONS = 4 /* words changed at once */
};

static const double shell_m = 0.03, float_step = 1e-6; /* decoded poses are singles */

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerInitialize(int *argc, char ***argv);

typedef struct {
    uint32_t codec, frame_count, restart_log2;
    bool loop, layer, pinned, additive, breaks, turns;
    uint32_t points;
    double tolerance_m;
    enc_scheme scheme; /* a period of 0: none */
} plan;

#define PUBLISHED(form, vector_form, reduce, spacing)                                              \
    {                                                                                              \
        .rotations = form, .vectors = vector_form, .reduction = reduce,                            \
        .margin = ENC_MARGIN_DEPTH, .period = spacing                                              \
    }

static const plan plans[CASES] = {
    {OSC_CODEC_DELTA, 24, 31, .tolerance_m = 1e-3},
    {OSC_CODEC_DELTA, 33, 3, .tolerance_m = 5e-4, .loop = true, .breaks = true},
    {OSC_CODEC_DELTA, 1, 31, .tolerance_m = 1e-3},
    {OSC_CODEC_CURVE, 30, 31, .tolerance_m = 1e-3},
    {OSC_CODEC_CURVE, 40, 4, .tolerance_m = 2e-4, .loop = true, .turns = true},
    {OSC_CODEC_CURVE, 24, 3, .tolerance_m = 1e-3, .layer = true, .breaks = true},
    {OSC_CODEC_TRANSFORM, 30, 31, .tolerance_m = 1e-3, .pinned = true},
    {OSC_CODEC_TRANSFORM, 40, 4, .tolerance_m = 5e-4, .points = ENC_POINTS_SPHERE},
    {OSC_CODEC_VELOCITY, 30, 31, .tolerance_m = 1e-3},
    {OSC_CODEC_VELOCITY, 24, 3, .tolerance_m = 1e-3, .additive = true},
    {OSC_CODEC_SPARSE, 24, 31, .tolerance_m = 1e-3,
     .scheme = PUBLISHED(ENC_FORMAT_SMALLEST48, ENC_FORMAT_RANGED48, ENC_REDUCE_INSERT, 1)},
    {OSC_CODEC_SPARSE, 24, 3, .tolerance_m = 2e-3,
     .scheme = PUBLISHED(ENC_FORMAT_FLOAT128, ENC_FORMAT_FLOAT96, ENC_REDUCE_REMOVE, 1)},
    {OSC_CODEC_DENSE, 24, 4, .tolerance_m = 1e-3,
     .scheme = PUBLISHED(ENC_FORMAT_VARIABLE, ENC_FORMAT_VARIABLE, ENC_REDUCE_NONE, 1)},
    {OSC_CODEC_DENSE, 24, 3, .tolerance_m = 1e-3,
     .scheme = PUBLISHED(ENC_FORMAT_FLOAT96, ENC_FORMAT_RANGED48, ENC_REDUCE_NONE, 1)},
    {OSC_CODEC_DENSE, 40, 3, .tolerance_m = 1e-3,
     .scheme = {.rotations = ENC_FORMAT_VARIABLE,
                .vectors = ENC_FORMAT_VARIABLE,
                .margin = ENC_MARGIN_LEAF_FIRST,
                .period = 1,
                .tiers = 2}},
    {OSC_CODEC_DENSE, 24, 3, .tolerance_m = 5e-2,
     .scheme = {.rotations = ENC_FORMAT_HALF_ANGLE48,
                .vectors = ENC_FORMAT_FIXED20M,
                .period = 2,
                .fixed = 1}},
};

/* A case with all that its options point to. */
typedef struct {
    enc_skeleton *skeleton;
    enc_input input;
    enc_options options;
    double frames[MAX_FRAMES * JOINTS * 10];
    double joint_tolerance_m[JOINTS], over[JOINTS * 10];
    uint8_t steps[MAX_FRAMES * JOINTS * 3], pinned[JOINTS];
    uint32_t *saved, saved_words;
} test_case;

static test_case cases[CASES];
static const int32_t parents[JOINTS] = {-1, 0, 1, 1};

static void fail(const char *what, size_t number)
{
    fprintf(stderr, "fuzz_clip_load: case %zu: %s\n", number, what);
    abort();
}

/* ---- the source ---- */

static void transform_at(double frame, uint32_t joint, const plan *plan, double out[10])
{
    double period = plan->frame_count > 1u ? plan->frame_count - 1u : 1u;
    double at = 6.283185307179586 * frame / period, angle = 0.4 * sin(at + joint);
    if (plan->breaks && joint == 2u && frame >= 10.0 && frame < 15.0)
        angle += 1.5;
    if (plan->turns && joint == 0u) /* all around: the last row of the loop is negated */
        angle = at;
    memset(out, 0, 10u * sizeof *out);
    out[joint % 3u] = sin(angle / 2.0);
    out[3] = cos(angle / 2.0);
    out[4] = joint == 0u ? 0.2 * sin(at) : 0.3;
    out[5] = joint == 3u && plan->pinned ? 0.05 * cos(at) : 0.0;
    out[7] = out[8] = out[9] = joint == 3u && plan->layer ? 1.0 + 0.1 * sin(at) : 1.0;
}

static void make_frames(test_case *made, const plan *plan)
{
    for (uint32_t f = 0; f < plan->frame_count; f++)
        for (uint32_t joint = 0; joint < JOINTS; joint++) {
            size_t at = f * JOINTS + joint;
            transform_at(f, joint, plan, made->frames + at * 10u);
            made->steps[at * 3u] = plan->breaks && joint == 2u && (f == 10u || f == 15u);
        }
}

static void make_case(test_case *made, const plan *plan)
{
    double bind[JOINTS * 10];
    for (uint32_t joint = 0; joint < JOINTS; joint++) {
        transform_at(0.3, joint, plan, bind + joint * 10u);
        transform_at(0.7, joint, plan, made->over + joint * 10u);
        made->joint_tolerance_m[joint] = plan->tolerance_m * (joint == 3u ? 0.5 : 1.0);
    }
    make_frames(made, plan);
    made->pinned[3] = plan->pinned;
    made->skeleton = enc_skeleton_new(JOINTS, parents, bind);
    made->input = (enc_input){.frame_count = plan->frame_count,
                              .loop = plan->loop,
                              .frames = made->frames,
                              .steps = made->steps,
                              .over = plan->additive ? made->over : NULL};
    made->options = (enc_options){.tolerance_m = plan->tolerance_m,
                                  .shell = {shell_m, plan->points},
                                  .restart_log2 = plan->restart_log2,
                                  .effort = ENC_EFFORT_FAST,
                                  .codecs = 1u << plan->codec,
                                  .joint_tolerance_m = made->joint_tolerance_m,
                                  .pinned = plan->pinned ? made->pinned : NULL,
                                  .layer = plan->layer,
                                  .scheme = plan->scheme.period != 0u ? &plan->scheme : NULL};
}

/* ---- the judge ---- */

static void rotate(const double *q, const double *v, double *out)
{
    double length2 = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3], cross[3], twice[3];
    for (int i = 0; i < 3; i++)
        cross[i] = q[(i + 1) % 3] * v[(i + 2) % 3] - q[(i + 2) % 3] * v[(i + 1) % 3];
    for (int i = 0; i < 3; i++)
        twice[i] = q[(i + 1) % 3] * cross[(i + 2) % 3] - q[(i + 2) % 3] * cross[(i + 1) % 3];
    for (int i = 0; i < 3; i++)
        out[i] = v[i] + 2.0 * (q[3] * cross[i] + twice[i]) / length2;
}

/* Computes the place of a joint's point in model space. transforms: [joint][10] */
static void place(const double *transforms, int32_t joint, double *point)
{
    for (; joint >= 0; joint = parents[joint]) {
        const double *t = transforms + joint * 10;
        double scaled[3];
        for (int i = 0; i < 3; i++)
            scaled[i] = point[i] * t[7 + i];
        rotate(t, scaled, point);
        for (int i = 0; i < 3; i++)
            point[i] += t[4 + i];
    }
}

/* The largest distance between the three points of a joint in two poses. */
static double apart(const double *left, const double *right, int32_t joint)
{
    double most2 = 0.0;
    for (int axis = 0; axis < 3; axis++) {
        double a[3] = {0}, b[3] = {0}, sum2 = 0.0;
        a[axis] = b[axis] = shell_m;
        place(left, joint, a);
        place(right, joint, b);
        for (int i = 0; i < 3; i++)
            sum2 += (a[i] - b[i]) * (a[i] - b[i]);
        most2 = fmax(most2, sum2);
    }
    return sqrt(most2);
}

/* The last frame of a loop plays as its first, at the mean of the two in the source: the gap
 * between them is no error. */
static double allowed_m(const test_case *made, uint32_t frame, int32_t joint)
{
    uint32_t last = made->input.frame_count - 1u;
    double gap = made->input.loop && (frame == 0u || frame == last)
                     ? apart(made->frames, made->frames + (size_t)last * JOINTS * 10u, joint)
                     : 0.0;
    return made->joint_tolerance_m[joint] + gap + float_step;
}

static void judge(const test_case *made, const uint32_t *bank, uint32_t bank_words, size_t number)
{
    static float decoded[MAX_DECODED];
    double played[JOINTS * 10];
    int32_t frames = enc_bank_decode(bank, bank_words, 0, 0, decoded);
    if (frames != (int32_t)made->input.frame_count)
        fail("a bank of another length", number);
    for (uint32_t f = 0; f < made->input.frame_count; f++) {
        for (size_t i = 0; i < JOINTS * 10; i++)
            played[i] = decoded[f * JOINTS * 10u + i];
        for (int32_t joint = 0; joint < JOINTS; joint++)
            if (!(apart(played, made->frames + (size_t)f * JOINTS * 10u, joint) <=
                  allowed_m(made, f, joint)))
                fail("a frame that is over its tolerance", number);
    }
}

/* ---- the target ---- */

static void use(const test_case *made, const enc_clip *clip, const enc_report *report,
                size_t number)
{
    const enc_clip_entry entry = {1, 30u << 16, 1};
    const enc_bank_content content = {
        .skeleton = made->skeleton, .clip_count = 1, .clips = &clip, .entries = &entry};
    enc_bank_size size, alone;
    uint32_t *bank = NULL, differs, count;
    if (enc_bank_write(&content, &bank, &size) != ENC_OK)
        fail("a clip that no bank can have", number);
    if (enc_bank_write(&content, NULL, &alone) != ENC_OK || alone.data_words != size.data_words ||
        alone.player_words != size.player_words)
        fail("another size than that of the bank", number);
    if (enc_bank_verify(bank, size.words, 1, &clip, &content.tiers, &differs) != ENC_OK)
        fail("a clip that does not play as measured", number);
    if (!(report->axes_error_m <= report->sphere_error_m + float_step))
        fail("points beyond the shell", number);
    if (made->input.over == NULL && report->tiers == 0u)
        judge(made, bank, size.words, number);
    count = enc_clip_breaks(clip, NULL, 0);
    if (count != report->breaks)
        fail("breaks that were not counted", number);
    enc_words_free(bank);
}

static void save(const test_case *made, uint32_t **words, uint32_t *count, size_t number)
{
    enc_clip *clip;
    enc_report report;
    if (enc_clip_encode(made->skeleton, &made->input, &made->options, &clip, &report) != ENC_OK)
        fail("the clip is not encoded", number);
    if (enc_clip_save(clip, words, count) != ENC_OK)
        fail("the clip is not saved", number);
    enc_clip_free(clip);
}

/* Checks that the clip has the same words each time, and by MemorySanitizer that all were set. */
static void save_again(const test_case *made, size_t number)
{
    uint32_t *again, count;
    save(made, &again, &count, number);
    if (count != made->saved_words || memcmp(again, made->saved, 4u * (size_t)count) != 0)
        fail("the clip has other words each time", number);
    enc_words_free(again);
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    for (size_t i = 0; i < CASES; i++) {
        enc_clip *clip;
        enc_report report;
        make_case(&cases[i], &plans[i]);
        save(&cases[i], &cases[i].saved, &cases[i].saved_words, i);
        save_again(&cases[i], i);
        if (enc_clip_load(cases[i].skeleton, &cases[i].input, &cases[i].options,
                          &(enc_saved_clip){cases[i].saved, cases[i].saved_words}, &clip,
                          &report) != ENC_OK)
            fail("the clip as it was saved is refused", i);
        use(&cases[i], clip, &report, i);
        enc_clip_free(clip);
    }
    return 0;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
    unsigned mixed = seed * 2654435761u;
    size_t words = size / 4u;
    if (words < 2u || mixed / 256u % BEGIN_AGAIN == 0u) {
        uint32_t number = mixed % CASES;
        size_t saved = 4u * (size_t)cases[number].saved_words;
        if (saved + 4u <= max_size) {
            memcpy(data, &number, 4u);
            memcpy(data + 4, cases[number].saved, saved);
            size = saved + 4u;
        }
    }
    if (size < 8u)
        return size;
    for (uint32_t left = 1u + mixed / 7u % MAX_MUTATIONS; left > 0u; left--) {
        mixed = mixed * 1664525u + 1013904223u;
        mutate_word(data + 4, size - 4u, mixed >> 4);
    }
    return size & ~(size_t)3u;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint32_t number = 0, count = (uint32_t)(size / 4u);
    if (count < 2u)
        return 0;
    memcpy(&number, data, sizeof number);
    number %= CASES;
    uint32_t *words = malloc((count - 1u) * sizeof *words);
    if (words == NULL)
        fail("no memory", number);
    memcpy(words, data + 4, (count - 1u) * sizeof *words);
    enc_clip *clip;
    enc_report report;
    const test_case *made = &cases[number];
    int32_t status = enc_clip_load(made->skeleton, &made->input, &made->options,
                                   &(enc_saved_clip){words, count - 1u}, &clip, &report);
    if (status == ENC_OK)
        use(made, clip, &report, number);
    else if (status != ENC_ERROR_WORDS || clip != NULL)
        fail("another error than that of the words", number);
    enc_clip_free(clip);
    free(words);
    return 0;
}
