/* The flash HAL that a device brings: the tests mock it at link time (--wrap=hal_flash_read). */
#ifndef FLASH_H
#define FLASH_H

#include <stddef.h>
#include <stdint.h>

/* Copies `size_bytes` bytes at `address` of the serial flash to `destination`; returns the number
 * copied, fewer at the end of the device. */
size_t hal_flash_read(uint32_t address, void *destination, size_t size_bytes);

/* Sets the content of the flash. The bytes must stay valid. */
void flash_insert(const void *bytes, size_t size_bytes);

#endif
