/* SPDX-License-Identifier: MIT */
/* A player's hands, made up: the same ones in every run and on every machine. */
#ifndef SAMPLE_SCRIPT_H
#define SAMPLE_SCRIPT_H

#include <stdint.h>

/* Begin with a seed and zeros. All fields are private. */
typedef struct sample_script {
    uint32_t random;
    uint32_t held;       /* buttons */
    uint32_t ticks_left; /* until other buttons are held */
} sample_script;

/* The buttons of the next tick. Buttons are held for a quarter of a second to two seconds. */
uint32_t sample_script_next(sample_script *script);

#endif
