/* Follows a character over the ground with a made bank; prints the instructions of one step. */
#include "character.h"
#include "hal.h"
#include "osc_motion.h"
#include "print.h"

int main(void)
{
    static osc_trajectories trajectories;
    static osc_motion motion;
    const osc_placement at = {1 << 20, 0, 2 << 20, 12345};
    osc_placement moved;
    osc_step step = {0, 5000, 0, false};
    int32_t status = osc_trajectories_open(&trajectories, &character_embedded);
    hal_ticks_start();
    osc_trajectory_at(&trajectories, 0, 4096, &moved);
    print_line("frame ", hal_instructions());
    hal_ticks_start();
    osc_trajectory_at(&trajectories, 0, 5000, &moved);
    print_line("between ", hal_instructions());
    hal_ticks_start();
    (void)osc_direction_of(1234567);
    print_line("direction ", hal_instructions());
    osc_motion_start(&motion, &trajectories, 0, 0, &at);
    hal_ticks_start();
    osc_motion_follow(&motion, &step);
    print_line("follow ", hal_instructions());
    step.wraps = 1;
    hal_ticks_start();
    osc_motion_follow(&motion, &step);
    print_line("wrap ", hal_instructions());
    hal_exit(status);
}
