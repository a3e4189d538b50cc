/* Stands for the Pico SDK's header in the tests. */
#ifndef PICO_STDLIB_H
#define PICO_STDLIB_H

#include <stdbool.h>
#include <stdint.h>

#endif
