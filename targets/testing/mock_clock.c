/* SPDX-License-Identifier: MIT */
#include "mock_clock.h"

#include <stddef.h>

#define FRAME_US 16667u
#define MOST_LATE 3u

void mock_clock_start(mock_clock *clock, const mock_clock_setup *setup)
{
    *clock =
        (mock_clock){.now_us = setup->start_us, .setup = *setup, .frame_began_us = setup->start_us};
    if (clock->setup.frame_us == 0u)
        clock->setup.frame_us = FRAME_US;
    if (clock->setup.most_late == 0u)
        clock->setup.most_late = MOST_LATE;
}

bool mock_clock_connect(mock_clock *clock, void *device,
                        void (*advance_us)(void *device, uint32_t us))
{
    if (clock == NULL)
        return true;
    for (uint32_t i = 0; i < clock->device_count; i++)
        if (clock->devices[i].device == device)
            return true;
    if (clock->device_count == MOCK_CLOCK_DEVICES)
        return false;
    clock->devices[clock->device_count].device = device;
    clock->devices[clock->device_count++].advance_us = advance_us;
    return true;
}

void mock_clock_wait(mock_clock *clock, const void *device, uint32_t us)
{
    if (clock == NULL)
        return;
    clock->now_us += us;
    for (uint32_t i = 0; i < clock->device_count; i++)
        if (clock->devices[i].device != device)
            clock->devices[i].advance_us(clock->devices[i].device, us);
}

void mock_clock_advance_us(mock_clock *clock, uint32_t us)
{
    mock_clock_wait(clock, NULL, us);
}

uint32_t mock_clock_frame(mock_clock *clock)
{
    uint64_t began = clock->frame_began_us, frame_us = clock->setup.frame_us;
    uint64_t frames = (clock->now_us - began) / frame_us + 1u;
    if (mock_chance(&clock->setup.seed, clock->setup.late_q8))
        frames += 1u + mock_below(&clock->setup.seed, clock->setup.most_late);
    clock->frame_began_us = began + frames * frame_us;
    mock_clock_advance_us(clock, (uint32_t)(clock->frame_began_us - clock->now_us));
    return (uint32_t)(clock->frame_began_us - began);
}

uint32_t mock_clock_us(const mock_clock *clock)
{
    return (uint32_t)clock->now_us;
}
