/* A serial flash in memory. It is a translation unit of its own, so that --wrap can take its place.
 */
#include "flash.h"

#include <string.h>

static const unsigned char *content;
static size_t content_bytes;

void flash_insert(const void *bytes, size_t size_bytes)
{
    content = bytes;
    content_bytes = size_bytes;
}

size_t hal_flash_read(uint32_t address, void *destination, size_t size_bytes)
{
    if (address >= content_bytes)
        return 0;
    size_t rest = content_bytes - address;
    size_t count = size_bytes < rest ? size_bytes : rest;
    memcpy(destination, content + address, count);
    return count;
}
