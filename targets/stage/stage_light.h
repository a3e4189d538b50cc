/* SPDX-License-Identifier: MIT */
/* The brightness of a surface. */
#ifndef STAGE_LIGHT_H
#define STAGE_LIGHT_H

#include "stage.h"

#define STAGE_BRIGHTEST ((int32_t)(STAGE_SHADES - 1u) << 8)

/* The brightness of a normal: a shade with 8 bits of fraction. light: as the joint of the normal
 * sees it. */
static STAGE_INLINE int16_t stage_shade(const int8_t normal[3], const int16_t light[3])
{
    int32_t bright = normal[0] * light[0] + normal[1] * light[1] + normal[2] * light[2];
    bright = (bright * 15) >> 7;
    return (int16_t)(bright < 0 ? 0 : bright > STAGE_BRIGHTEST ? STAGE_BRIGHTEST : bright);
}

#endif
