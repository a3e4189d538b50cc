/* SPDX-License-Identifier: MIT */
/* Text in letters of three by five pixels. */
#include "stage.h"

#define FIRST ' '
#define GLYPHS 64u
#define COLUMNS 3u
#define ROWS 5u

/* A bit a pixel, rows from the top, the left one lowest. Signs without a picture are question
 * marks. */
/* clang-format off */
static const uint16_t glyphs[GLYPHS] = {
    0x0000, 0x2092, 0x20a3, 0x20a3, 0x20a3, 0x52a5, 0x20a3, 0x0012, /*  !"#$%&' */
    0x224a, 0x2922, 0x0155, 0x05d0, 0x1400, 0x01c0, 0x2000, 0x12a4, /* ()*+,-./ */
    0x7b6f, 0x749a, 0x72a3, 0x38a3, 0x49ed, 0x38cf, 0x7bce, 0x24a7, /* 01234567 */
    0x7bef, 0x39ef, 0x0410, 0x20a3, 0x4454, 0x0e38, 0x1511, 0x20a3, /* 89:;<=>? */
    0x20a3, 0x5bea, 0x3aeb, 0x624e, 0x3b6b, 0x72cf, 0x12cf, 0x6b4e, /* @ABCDEFG */
    0x5bed, 0x7497, 0x2b24, 0x5aed, 0x7249, 0x5bfd, 0x5b6b, 0x2b6a, /* HIJKLMNO */
    0x12eb, 0x4d6a, 0x5aeb, 0x388e, 0x2497, 0x7b6d, 0x2b6d, 0x5fed, /* PQRSTUVW */
    0x5aad, 0x24ad, 0x72a7, 0x324b, 0x20a3, 0x6926, 0x20a3, 0x7000, /* XYZ[back]^_ */
};
/* clang-format on */

static uint32_t glyph_of(char letter)
{
    uint32_t code = (uint8_t)letter;
    if (code >= 'a' && code <= 'z')
        code -= 'a' - 'A';
    code -= FIRST;
    return glyphs[code < GLYPHS ? code : (uint32_t)'?' - FIRST];
}

uint32_t stage_write(const stage_picture *picture, uint32_t x, uint32_t y, const char *text,
                     uint32_t pixel)
{
    for (; *text != 0; text++, x += STAGE_LETTER_WIDTH) {
        uint32_t glyph = glyph_of(*text);
        for (uint32_t i = 0; i < COLUMNS * ROWS; i++, glyph >>= 1) {
            uint32_t column = x + i % COLUMNS, row = y + i / COLUMNS;
            if ((glyph & 1u) != 0u && column < picture->width && row < picture->height)
                stage_put(picture, row * picture->width + column, pixel);
        }
    }
    return x;
}
