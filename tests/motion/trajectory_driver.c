/* Prints the trajectory of clip 0 of a bank, at every position that is a multiple of a step:
 * trajectory_driver BANK STEP. */
#include "osc_motion.h"

#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    static uint32_t words[1 << 18];
    osc_bank bank;
    osc_trajectories trajectories;
    osc_clip_info info;
    FILE *file = argc == 3 ? fopen(argv[1], "rb") : 0;
    if (file == 0)
        return 1;
    size_t size = fread(words, 1, sizeof words, file);
    (void)fclose(file);
    if (osc_bank_open(&bank, words, size) != OSC_OK ||
        osc_trajectories_open(&trajectories, &bank) != OSC_OK ||
        osc_clip_describe(&bank, 0, &info) != OSC_OK)
        return 2;
    uint32_t step = (uint32_t)strtoul(argv[2], 0, 10);
    for (uint32_t at = 0; at <= (info.frame_count - 1u) << 11; at += step) {
        osc_placement moved;
        osc_trajectory_at(&trajectories, 0, at, &moved);
        printf("%d %d %d %d\n", (int)moved.x, (int)moved.y, (int)moved.z, (int)moved.yaw_q24);
    }
    osc_placement start;
    osc_trajectory_start(&trajectories, 0, &start);
    printf("%d %d %d %d\n", (int)start.x, (int)start.y, (int)start.z, (int)start.yaw_q24);
    return 0;
}
