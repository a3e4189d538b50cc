/* Plays the clip of naive_q14_keys.c at 60 Hz in every layout: prints what a frame costs on average
 * and at most, and the matrices of the last frame. */
#include "hal.h"
#include "naive_q14_keys.h"
#include "port/osc_fast_memory.h"
#include "print.h"

OSC_HOT_DATA static naive_q14_model model[NAIVE_JOINT_COUNT];
OSC_HOT_DATA static naive_q14_matrix skin[NAIVE_JOINT_COUNT];

enum { LOCAL, MODEL, ABSOLUTE, BAKED, LAYOUTS };

static void play(int layout, uint32_t at)
{
    if (layout == LOCAL)
        naive_q14_local(&naive_keys, at, model, skin);
    else if (layout == MODEL)
        naive_q14_model_of(&naive_keys, at, model);
    else if (layout == ABSOLUTE)
        naive_q14_absolute(&naive_keys, at, skin);
    else
        naive_q14_baked(&naive_keys, at, skin);
}

static void print_matrices(const char *name, int layout)
{
    for (uint32_t joint = 0; joint < NAIVE_JOINT_COUNT; joint++) {
        print_text(name);
        for (uint32_t i = 0; i < 12u; i++) {
            const naive_q14_matrix *s = &skin[joint];
            int32_t small = i % 4u == 3u ? s->translation[i / 4u] : s->turn[i / 4u * 3u + i % 4u];
            print_text(" ");
            print_hex((uint32_t)(layout == MODEL ? model[joint].row[i / 4u][i % 4u] : small));
        }
        print_text("\n");
    }
}

int main(void)
{
    static const char *const names[LAYOUTS] = {"local", "model", "absolute", "baked"};
    for (int layout = naive_keys.inverse_binds ? LOCAL : MODEL; layout < LAYOUTS; layout++) {
        uint32_t frames = 0, sum = 0, worst = 0;
        for (uint32_t at = 0; at <= (NAIVE_FRAME_COUNT - 1u) << 12; at += NAIVE_STEP_Q12) {
            hal_ticks_start();
            play(layout, at);
            uint32_t cost = hal_instructions();
            sum += cost;
            worst = cost > worst ? cost : worst;
            frames++;
        }
        if (worst != HAL_UNKNOWN) {
            print_text("cost ");
            print_text(names[layout]);
            print_text(" ");
            print_number(sum / frames);
            print_line(" ", worst);
        }
        print_matrices(names[layout], layout);
    }
    hal_exit(0);
}
