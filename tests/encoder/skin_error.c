/* The distance of the small and the 20.12 skinning matrices from those in Q20, over all frames of
 * the hero: prints the largest distance of three points 3 cm from each joint, in micrometres. */
#include <math.h>
#include <stdio.h>

#include "hero.h"
#include "osc_skin.h"

#define SHELL_M 0.03

typedef struct {
    double m[12];
} matrix;

static matrix real(const int32_t words[12], double turn, double move)
{
    matrix out;
    for (int i = 0; i < 12; i++)
        out.m[i] = words[i] / (i % 4 == 3 ? move : turn);
    return out;
}

static matrix real_4x3(const osc_matrix_4x3 *matrix_4x3)
{
    int32_t words[12];
    for (int i = 0; i < 12; i++)
        words[4 * (i % 3) + i / 3] = matrix_4x3->m[i];
    return real(words, 4096.0, 4096.0);
}

static matrix real_q14(const osc_matrix_q14 *small)
{
    int32_t words[12];
    for (int i = 0; i < 12; i++)
        words[i] = i % 4 == 3 ? small->translation[i / 4] : small->turn[3 * (i / 4) + i % 4];
    return real(words, 16384.0, (double)(1u << HERO_SKIN_BITS));
}

/* A point of the mesh: the place of a joint in the bind pose, and 3 cm along one of its axes. */
static void bind_point(const matrix *inverse_bind, int axis, double point[3])
{
    const double *b = inverse_bind->m;
    for (int k = 0; k < 3; k++) {
        point[k] = 0.0;
        for (int row = 0; row < 3; row++)
            point[k] += b[4 * row + k] * ((row == axis ? SHELL_M : 0.0) - b[4 * row + 3]);
    }
}

static double distance_um(const matrix *a, const matrix *b, const double point[3])
{
    double sum = 0.0;
    for (int row = 0; row < 12; row += 4) {
        double d = a->m[row + 3] - b->m[row + 3];
        for (int k = 0; k < 3; k++)
            d += point[k] * (a->m[row + k] - b->m[row + k]);
        sum += d * d;
    }
    return sqrt(sum) * 1e6;
}

int main(void)
{
    static hero_player player;
    static hero_pose pose;
    static hero_model work, model;
    static hero_skinning small;
    osc_bank bank;
    double worst_q14 = 0.0, worst_4x3 = 0.0;
    if (hero_open(&bank, hero_bank, HERO_BANK_BYTES) != OSC_OK ||
        hero_player_init(&player, &bank) != OSC_OK)
        return 1;
    for (uint32_t clip = 0; clip < HERO_CLIP_COUNT; clip++) {
        osc_clip_info info;
        (void)osc_clip_describe(&bank, clip, &info);
        (void)osc_player_start(&player.player, clip, OSC_PLAY_ONCE);
        for (uint32_t frame = 0; frame < info.frame_count; frame++) {
            (void)osc_player_seek_q11(&player.player, (int32_t)(frame << 11));
            hero_evaluate(&player, &pose);
            hero_compose(&pose, &model);
            if (hero_skin_pose(&bank, &pose, &work, &small) != OSC_OK ||
                osc_skin(&bank, model.joints, model.joints) != OSC_OK)
                return 1;
            for (uint32_t joint = 0; joint < HERO_JOINT_COUNT; joint++) {
                osc_matrix swapped;
                osc_matrix_4x3 matrix_4x3;
                osc_matrix_to_4x3(&model.joints[joint], &matrix_4x3);
                matrix inverse = real(osc_inverse_bind(bank.inverse_bind, joint, &swapped)->m,
                                      1048576.0, 1048576.0);
                matrix exact = real(model.joints[joint].m, 1048576.0, 1048576.0);
                matrix q14 = real_q14(&small.joints[joint]), q12 = real_4x3(&matrix_4x3);
                for (int axis = 0; axis < 3; axis++) {
                    double point[3];
                    bind_point(&inverse, axis, point);
                    worst_q14 = fmax(worst_q14, distance_um(&exact, &q14, point));
                    worst_4x3 = fmax(worst_4x3, distance_um(&exact, &q12, point));
                }
            }
        }
    }
    printf("%.1f %.1f\n", worst_q14, worst_4x3);
    return 0;
}
