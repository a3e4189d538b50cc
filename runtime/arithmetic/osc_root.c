/* SPDX-License-Identifier: MIT */
/* The exactly rounded integer square root that rebuilds a quaternion's dropped component. */
#include "port/osc_port.h"

#if !OSC_SQRT
OSC_HOT_DATA const uint32_t osc_root_chords[48] = {
    0x7fffefc2u, 0x83f06f4du, 0x87c39ee2u, 0x8b7c0e7fu, 0x8f1bae23u, 0x92a45dceu, 0x9617cd7eu,
    0x99775d34u, 0x9cc45ceeu, 0x9fffecadu, 0xa32b1c6fu, 0xa646cc34u, 0xa953ebfdu, 0xac533bc9u,
    0xaf455b97u, 0xb22b0b67u, 0xb504db3au, 0xb7d36b0fu, 0xba971ae5u, 0xbd507abeu, 0xbfffea98u,
    0xc2a5ea74u, 0xc542ca51u, 0xc7d6fa2fu, 0xca62aa0fu, 0xcce659efu, 0xcf6229d1u, 0xd1d679b4u,
    0xd4438998u, 0xd6a9897du, 0xd908c963u, 0xdb617949u, 0xddb3c931u, 0xdfffe919u, 0xe2461902u,
    0xe48688ebu, 0xe6c148d5u, 0xe8f698c0u, 0xeb2698abu, 0xed516897u, 0xef774884u, 0xf1982871u,
    0xf3b4585eu, 0xf5cbe84cu, 0xf7dee83au, 0xf9ed8829u, 0xfbf7c818u, 0xfdfde808u,
};
#endif

OSC_HOT uint32_t osc_root_q20(uint32_t n_q28)
{
    if (n_q28 == 0u)
        return 0u;
    if (n_q28 >= (1u << 28))
        return 1u << 20;
#if OSC_SQRT
    return osc_root_round(osc_sqrt_q20(n_q28), n_q28);
#else
    uint32_t halvings = (osc_leading_zeros(n_q28) - 4u) >> 1;
    uint32_t root = osc_root_low((n_q28 << (2u * halvings)) - OSC_ROOT_NEAR_Q28);
    return osc_root_round(root >> halvings, n_q28);
#endif
}

OSC_HOT int32_t osc_rebuild_q20(int32_t a, int32_t b, int32_t c)
{
    /* x = h * 2^10 + l: x^2 = h^2 * 2^20 + h*l * 2^11 + l^2, summed and divided by 2^12. */
    uint32_t ah = (uint32_t)(a >> 10), al = (uint32_t)a & 1023u;
    uint32_t bh = (uint32_t)(b >> 10), bl = (uint32_t)b & 1023u;
    uint32_t ch = (uint32_t)(c >> 10), cl = (uint32_t)c & 1023u;
    uint32_t high = ah * ah + bh * bh + ch * ch;
    uint32_t mixed = ah * al + bh * bl + ch * cl;
    uint32_t low = al * al + bl * bl + cl * cl;
    uint32_t squares = (high << 8) + (uint32_t)((int32_t)(mixed + ((low + 2048u) >> 11)) >> 1);
    uint32_t n_q28 = (1u << 28) - squares;
    return (int32_t)osc_root_q20(n_q28 > (1u << 28) ? 0u : n_q28);
}
