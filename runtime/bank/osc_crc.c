/* SPDX-License-Identifier: MIT */
/* The checksum of banks and of chunks. */
#include "bank/osc_internal.h"

/* CRC-32 (reflected 0xedb88320) of the values 0..15. */
static const uint32_t crc_of_nibble[16] = {0x00000000u, 0x1db71064u, 0x3b6e20c8u, 0x26d930acu,
                                           0x76dc4190u, 0x6b6b51f4u, 0x4db26158u, 0x5005713cu,
                                           0xedb88320u, 0xf00f9344u, 0xd6d6a3e8u, 0xcb61b38cu,
                                           0x9b64c2b0u, 0x86d3d2d4u, 0xa00ae278u, 0xbdbdf21cu};

/* Eight bits a step. The table (1 KB) is on the stack: a handheld reads it several times faster
 * than from ROM, which also saves the space. */
OSC_HOT uint32_t osc_crc_words(uint32_t crc, const uint32_t *words, size_t count)
{
    uint32_t of_byte[256];
    for (uint32_t i = 0; i < 256u; i++) {
        uint32_t low = (i >> 4) ^ crc_of_nibble[i & 15u];
        of_byte[i] = (low >> 4) ^ crc_of_nibble[low & 15u];
    }
    for (size_t i = 0; i < count; i++) {
        crc ^= osc_word(words[i]);
        crc = (crc >> 8) ^ of_byte[crc & 255u];
        crc = (crc >> 8) ^ of_byte[crc & 255u];
        crc = (crc >> 8) ^ of_byte[crc & 255u];
        crc = (crc >> 8) ^ of_byte[crc & 255u];
    }
    return crc;
}
