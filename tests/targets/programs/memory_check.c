/* Copies, moves, fills and compares pieces of all alignments, and looks at what the start-up code
 * has loaded; every byte is compared with what a loop over bytes makes of it. */
#include <stdbool.h>

#include "bare_metal/memory.h"
#include "hal.h"
#include "print.h"

#define ROOM 48u
#define MOST 19u /* bytes of a piece: four words and some */
#define PLACES 8u

static uint32_t loaded[4] = {1u, 22u, 333u, 4444u};

/* Volatile, so that compilers put nothing of their own in place of the functions. */
static void *(*volatile copy)(void *restrict, const void *restrict, size_t) = memcpy;
static void *(*volatile move)(void *, const void *, size_t) = memmove;
static void *(*volatile fill)(void *, int, size_t) = memset;
static int (*volatile order)(const void *, const void *, size_t) = memcmp;

static uint8_t got[ROOM] __attribute__((aligned(8))), wanted[ROOM],
    source[ROOM] __attribute__((aligned(8)));

static void begin(void)
{
    for (uint32_t i = 0; i < ROOM; i++) {
        got[i] = wanted[i] = (uint8_t)(i * 37u + 5u);
        source[i] = (uint8_t)(i * 91u + 130u);
    }
}

static void check(const char *what, uint32_t to, uint32_t from, uint32_t count, const void *result)
{
    bool holds = result == got + to;
    for (uint32_t i = 0; i < ROOM; i++)
        holds = holds && got[i] == wanted[i];
    if (!holds) {
        print_text(what);
        print_line(" to ", to);
        print_line("  from ", from);
        print_line("  bytes ", count);
        hal_exit(1);
    }
}

static void check_piece(uint32_t to, uint32_t from, uint32_t count)
{
    begin();
    for (uint32_t i = 0; i < count; i++)
        wanted[to + i] = source[from + i];
    check("copied", to, from, count, copy(got + to, source + from, count));
    begin();
    for (uint32_t i = 0; i < count; i++)
        wanted[to + i] = (uint8_t)((from + i) * 37u + 5u);
    check("moved", to, from, count, move(got + to, got + from, count));
    begin();
    for (uint32_t i = 0; i < count; i++)
        wanted[to + i] = (uint8_t)from;
    check("filled", to, from, count, fill(got + to, (int)(from + 256u), count));
}

static void check_order(uint32_t count, uint32_t at, uint8_t left, uint8_t right)
{
    begin();
    for (uint32_t i = 0; i < ROOM; i++)
        source[i] = got[i];
    got[at] = left;
    source[at] = right;
    int result = order(got, source, count);
    if (at >= count ? result != 0 : (result < 0) != (left < right)) {
        print_line("wrong order of bytes: ", count);
        hal_exit(1);
    }
}

int main(void)
{
    for (uint32_t i = 0; i < 4u; i++)
        print_line("loaded ", loaded[i]++);
    for (uint32_t to = 0; to < PLACES; to++)
        for (uint32_t from = 0; from < PLACES; from++)
            for (uint32_t count = 0; count <= MOST; count++)
                check_piece(to, from, count);
    for (uint32_t count = 0; count <= MOST; count++)
        for (uint32_t at = 0; at <= MOST; at++) {
            check_order(count, at, 1, 200);
            check_order(count, at, 200, 1);
        }
    print_line("bytes ", ROOM);
    hal_exit(0);
}
