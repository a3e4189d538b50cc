/* Candidates of the encoder for a row can exceed 32 bits: in the probes of a coarse tolerance, and
 * where a pinned joint has to make up for one above whose tolerance is far larger. */
#include <stdio.h>
#include <string.h>

#include "bank/osc_format.h"
#include "encoder.h"

enum { JOINTS = 2, FRAMES = 33 };

static double frames[FRAMES][JOINTS][10];
static uint8_t steps[FRAMES * JOINTS * 3];

/* Two joints that are thrown `far` metres back and forth, or that go on slowly from there. */
static void move_joints(double far, int thrown)
{
    memset(frames, 0, sizeof frames);
    for (int f = 0; f < FRAMES; f++)
        for (int j = 0; j < JOINTS; j++) {
            frames[f][j][3] = frames[f][j][7] = frames[f][j][8] = frames[f][j][9] = 1.0;
            frames[f][j][4] = (thrown && f % 5 >= 2 ? -far : far) + f * (0.5 - 0.2 * j);
        }
}

static int holds(const double tolerances_m[JOINTS], uint32_t layer, uint32_t codec)
{
    static const int32_t parents[JOINTS] = {-1, 0};
    static const uint8_t pinned[JOINTS] = {0, 1};
    static const double bind[JOINTS][10] = {{0, 0, 0, 1, 0, 0, 0, 1, 1, 1},
                                            {0, 0, 0, 1, 0, 0, 0, 1, 1, 1}};
    enc_skeleton *skeleton = enc_skeleton_new(JOINTS, parents, &bind[0][0]);
    const enc_options options = {.tolerance_m = tolerances_m[0],
                                 .shell = {0.03, ENC_POINTS_AXES},
                                 .restart_log2 = 6,
                                 .effort = ENC_EFFORT_DEFAULT,
                                 .codecs = 1u << codec,
                                 .joint_tolerance_m = tolerances_m,
                                 .pinned = layer ? NULL : pinned,
                                 .layer = layer};
    enc_clip *clip = NULL;
    enc_report report;
    const enc_input input = {.frame_count = FRAMES, .frames = &frames[0][0][0], .steps = steps};
    int32_t status = enc_clip_encode(skeleton, &input, &options, &clip, &report);
    int good = status == ENC_OK && report.error_m <= tolerances_m[report.joint];
    if (!good)
        fprintf(stderr, "codec %u, layer %u: status %d, error %g m\n", codec, layer, (int)status,
                report.error_m);
    enc_clip_free(clip);
    enc_skeleton_free(skeleton);
    return good;
}

int main(void)
{
    static const double coarse[JOINTS] = {100.0, 100.0}, uneven[JOINTS] = {1e4, 1.0};
    int good = 1;
    for (uint32_t codec = OSC_CODEC_DELTA; codec <= OSC_CODEC_TRANSFORM; codec++) {
        move_joints(2000.0, 1);
        good &= holds(coarse, 1, codec);
        move_joints(1500.0, 0);
        good &= holds(uneven, 0, codec);
    }
    return good ? 0 : 1;
}
