/* Plays the clip of naive_keys.c at 60 Hz, and prints what a frame costs on average and at most,
 * and then the matrices of the last frame, which must be right. */
#include "hal.h"
#include "naive_keys.h"
#include "port/osc_fast_memory.h"
#include "print.h"

OSC_HOT_DATA static naive_q12_matrix model[NAIVE_JOINT_COUNT];
OSC_HOT_DATA static naive_q12_matrix skin[NAIVE_JOINT_COUNT];

static void print_cost(const char *label, uint32_t cost)
{
    print_text(hal_unit);
    print_line(label, cost);
}

static void print_matrices(const naive_q12_matrix *matrices)
{
    for (uint32_t joint = 0; joint < NAIVE_JOINT_COUNT; joint++) {
        print_text("matrix");
        for (uint32_t i = 0; i < 12u; i++) {
            print_text(" ");
            print_hex((uint32_t)matrices[joint].row[i / 4u][i % 4u]);
        }
        print_text("\n");
    }
}

int main(void)
{
    uint32_t frames = 0, sum = 0, worst = 0;
    for (uint32_t at = 0; at <= (NAIVE_FRAME_COUNT - 1u) << 12; at += NAIVE_STEP_Q12) {
        hal_ticks_start();
        naive_q12_play(&naive_keys, at, model, skin);
        uint32_t cost = hal_instructions();
        sum += cost;
        worst = cost > worst ? cost : worst;
        frames++;
    }
    if (worst != HAL_UNKNOWN) {
        print_cost(" naive_average ", sum / frames);
        print_cost(" naive_worst ", worst);
    }
    print_line("frames ", frames);
    print_matrices(naive_keys.inverse_binds ? skin : model);
    hal_exit(0);
}
