/* SPDX-License-Identifier: MIT */
/* The serial flash of every target: the attached image, read byte by byte. */
#include "hal.h"

static const uint8_t *flash_image;
static size_t flash_size_bytes;

void hal_flash_attach(const void *image, size_t size_bytes)
{
    flash_image = (const uint8_t *)image;
    flash_size_bytes = size_bytes;
}

size_t hal_flash_read(size_t offset_bytes, void *destination, size_t size_bytes)
{
    uint8_t *out = (uint8_t *)destination;
    size_t left = offset_bytes < flash_size_bytes ? flash_size_bytes - offset_bytes : 0u;
    size_t count = size_bytes < left ? size_bytes : left;
    for (size_t i = 0; i < count; i++)
        out[i] = flash_image[offset_bytes + i];
    return count;
}
