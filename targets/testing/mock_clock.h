/* SPDX-License-Identifier: MIT */
/* The time of a test: it stands still until the test lets it pass. Mocks that are connected to the
 * same clock share its time: while a driver waits for one of them, the transfers of the others go
 * on, and the game's frame takes longer.
 *
 *     static mock_clock clock;
 *     mock_clock_start(&clock, &(mock_clock_setup){.late_q8 = 26, .seed = 7});
 *     mock_spi_nor_insert(&chip, &(mock_spi_nor_part){.clock = &clock, ..});
 *     game_step(mock_clock_frame(&clock));             // 16667 us; 50001 us after two late frames
 *
 * Errors: none. Uses no C library, allocates nothing. */
#ifndef MOCK_CLOCK_H
#define MOCK_CLOCK_H

#include "mock_random.h"

#ifdef __cplusplus
extern "C" {
#endif

#define MOCK_CLOCK_DEVICES 8u

/* Zero stands for the default in brackets. */
typedef struct mock_clock_setup {
    uint64_t start_us;  /* what the clock shows first: close to 2^32 for a counter that wraps */
    uint32_t frame_us;  /* from one frame of the display to the next [16667] */
    uint32_t late_q8;   /* the chance, of 256, that a frame is late */
    uint32_t most_late; /* by how many frames at most [3] */
    uint64_t seed;      /* of the frames that are late */
} mock_clock_setup;

typedef struct mock_clock {
    uint64_t now_us;        /* to be read */
    mock_clock_setup setup; /* to be changed by tests, at any time */

    /* private */
    uint64_t frame_began_us;
    uint32_t device_count;
    struct {
        void *device;
        void (*advance_us)(void *device, uint32_t us);
    } devices[MOCK_CLOCK_DEVICES];
} mock_clock;

/* Sets the clock to its first time, with no mocks connected: insert these afterwards. */
void mock_clock_start(mock_clock *clock, const mock_clock_setup *setup);

/* Lets time pass, for all mocks that are connected. */
void mock_clock_advance_us(mock_clock *clock, uint32_t us);

/* Lets the time pass to the next frame of the display, or to a later one by the chance of the
 * setup. Returns the microseconds since the last frame, as the game's own timer would measure them:
 * frame_us, or a multiple of it where the frame is late or a driver has waited for longer. */
uint32_t mock_clock_frame(mock_clock *clock);

/* The value of a 32-bit timer: now_us modulo 2^32. */
uint32_t mock_clock_us(const mock_clock *clock);

/* For mocks. mock_clock_connect calls advance_us whenever time passes; connecting a device again
 * changes nothing. Returns false, and connects nothing, for a ninth one. mock_clock_wait lets time
 * pass that `device` has counted already: its own advance_us is not called. Both do nothing if
 * clock is null. */
bool mock_clock_connect(mock_clock *clock, void *device,
                        void (*advance_us)(void *device, uint32_t us));
void mock_clock_wait(mock_clock *clock, const void *device, uint32_t us);

#ifdef __cplusplus
}
#endif

#endif
