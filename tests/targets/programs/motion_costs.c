/* Follows a character over the ground with a made bank; prints the instructions of one step. */
#include "character.h"
#include "hal.h"
#include "osc_trajectory.h"
#include "print.h"

static void say(const char *name, uint32_t number)
{
    hal_write(name);
    hal_write(" ");
    print_number(number);
    hal_write("\n");
}

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
    say("frame", hal_instructions());
    hal_ticks_start();
    osc_trajectory_at(&trajectories, 0, 5000, &moved);
    say("between", hal_instructions());
    hal_ticks_start();
    (void)osc_direction_of(1234567);
    say("direction", hal_instructions());
    osc_motion_start(&motion, &trajectories, 0, 0, &at);
    hal_ticks_start();
    osc_motion_follow(&motion, &step);
    say("follow", hal_instructions());
    step.wraps = 1;
    hal_ticks_start();
    osc_motion_follow(&motion, &step);
    say("wrap", hal_instructions());
    hal_exit(status);
}
