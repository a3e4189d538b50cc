/* The distance of the integer composition from one in double precision, over all clips of the hero:
 * prints the largest distance of three shell points per joint, in micrometres. */
#include <math.h>
#include <stdio.h>

#include "hero.h"

#define SHELL_M 0.03

typedef struct {
    double m[12];
} matrix;

static double real(int32_t value_q20)
{
    return value_q20 / (double)OSC_ONE_Q20;
}

static matrix local_matrix(const osc_quaternion *q, const osc_vector *t)
{
    double x = q->x, y = q->y, z = q->z, w = q->w;
    double n = 2.0 / (x * x + y * y + z * z + w * w);
    matrix local = {{1.0 - n * (y * y + z * z), n * (x * y - w * z), n * (x * z + w * y),
                     real(t->x), n * (x * y + w * z), 1.0 - n * (x * x + z * z),
                     n * (y * z - w * x), real(t->y), n * (x * z - w * y), n * (y * z + w * x),
                     1.0 - n * (x * x + y * y), real(t->z)}};
    return local;
}

static matrix multiply(const matrix *a, const matrix *b)
{
    matrix out;
    for (int i = 0; i < 12; i += 4)
        for (int j = 0; j < 4; j++)
            out.m[i + j] = a->m[i] * b->m[j] + a->m[i + 1] * b->m[4 + j] +
                           a->m[i + 2] * b->m[8 + j] + (j == 3 ? a->m[i + 3] : 0.0);
    return out;
}

static double distance_m(const matrix *exact, const osc_matrix *rounded)
{
    double worst = 0.0;
    for (int axis = 0; axis < 3; axis++) {
        double sum = 0.0;
        for (int row = 0; row < 12; row += 4) {
            double d = exact->m[row + 3] - real(rounded->m[row + 3]) +
                       SHELL_M * (exact->m[row + axis] - real(rounded->m[row + axis]));
            sum += d * d;
        }
        worst = fmax(worst, sqrt(sum));
    }
    return worst;
}

static double pose_distance_m(const osc_bank *bank, const hero_pose *pose, const hero_model *model)
{
    static matrix exact[HERO_JOINT_COUNT];
    double worst = 0.0;
    for (uint32_t j = 0; j < HERO_JOINT_COUNT; j++) {
        uint32_t parent = bank->parents[j >> 1] >> (16u * (j & 1u)) & 0xffffu;
        exact[j] = local_matrix(&pose->rotations[j], &pose->translations[j]);
        if (parent != 0xffffu)
            exact[j] = multiply(&exact[parent], &exact[j]);
        worst = fmax(worst, distance_m(&exact[j], &model->joints[j]));
    }
    return worst;
}

int main(void)
{
    static hero_player player;
    static hero_pose pose;
    static hero_model model;
    osc_bank bank;
    double worst = 0.0;
    if (hero_open(&bank, hero_bank, HERO_BANK_BYTES) != OSC_OK ||
        hero_player_init(&player, &bank) != OSC_OK)
        return 1;
    for (uint32_t clip = 0; clip < HERO_CLIP_COUNT; clip++) {
        osc_clip_info info;
        (void)osc_clip_describe(&bank, clip, &info);
        (void)osc_player_start(&player.player, clip, OSC_PLAY_ONCE);
        for (uint32_t half = 0; half < 2u * info.frame_count - 1u; half++) {
            (void)osc_player_seek_q11(&player.player, (int32_t)(half << 10));
            hero_evaluate(&player, &pose);
            hero_compose(&pose, &model);
            worst = fmax(worst, pose_distance_m(&bank, &pose, &model));
        }
    }
    printf("%.1f\n", worst * 1e6);
    return 0;
}
