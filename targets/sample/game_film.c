/* SPDX-License-Identifier: MIT */
/* The input of a film: buttons over time. Keeps all pictures, prints the states, the cost
 * of pictures and a hash, and ends. */
#include "game_input.h"
#include "hal.h"
#include "print.h"
#include "screen.h"

#define TICKS 2u /* of a picture: 30 pictures a second */

static const struct {
    uint16_t pictures;
    uint16_t buttons;
} script[] = {
    {1, SAMPLE_WAVE},
    {50, 0},
    {10, SAMPLE_DOWN | SAMPLE_RIGHT},
    {30, SAMPLE_RIGHT},
    {30, SAMPLE_RIGHT | SAMPLE_RUN},
    {1, SAMPLE_RIGHT | SAMPLE_RUN | SAMPLE_JUMP},
    {54, SAMPLE_LEFT | SAMPLE_RUN},
    {40, SAMPLE_LEFT | SAMPLE_RUN},
    {1, SAMPLE_LEFT | SAMPLE_DOWN | SAMPLE_WAVE},
    {40, SAMPLE_LEFT | SAMPLE_DOWN},
    {15, 0},
};

/* "00-000", as tools/film.py reads them */
static void keep(uint32_t picture)
{
    char name[] = "00-000";
    name[3] = (char)('0' + picture / 100u % 10u);
    name[4] = (char)('0' + picture / 10u % 10u);
    name[5] = (char)('0' + picture % 10u);
    screen_keep(name);
}

/* Prints the states that were entered since the last picture. */
static void print_states(const sample *game)
{
    static uint32_t before;
    uint32_t now = 0;
    for (uint32_t state = 0; state < HERO_STATE_COUNT; state++)
        now |= hero_graph_in(&game->hero, state) ? 1u << state : 0u;
    for (uint32_t state = 0; state < HERO_STATE_COUNT; state++)
        if ((now & ~before & 1u << state) != 0u) {
            print_text("state ");
            print_text(hero_state_names[state]);
            print_text("\n");
        }
    before = now;
}

uint32_t game_show(const sample *game, uint32_t *ticks)
{
    static uint32_t entry, left, picture, cost, most, us, hash = OSC_HASH_START;
    const uint32_t cycles = hal_instructions();
    cost += cycles / 16u;
    most = cycles > most && picture != 0u ? cycles : most;
    screen_show();
    us += screen_elapsed_us();
    hash = osc_hash_words(hash, &game->model, sizeof game->model / 4u);
    print_states(game);
    keep(picture);
    if (picture++ == 0u)
        cost = us = 0;
    if (left == 0u && entry < sizeof script / sizeof *script)
        left = script[entry++].pictures;
    if (left-- == 0u) {
        picture--;
        print_line("pictures ", picture);
        print_text(hal_unit);
        print_line(" average ", cost / picture * 16u);
        print_text(hal_unit);
        print_line(" worst ", most);
        print_line("ms ", us / 1000u);
        print_text("hash ");
        print_hex(hash);
        print_text("\n");
        hal_exit(0);
    }
    *ticks = TICKS;
    (void)screen_elapsed_us();
    hal_ticks_start();
    return script[entry - 1u].buttons;
}
