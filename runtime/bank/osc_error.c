/* SPDX-License-Identifier: MIT */
/* Names of errors, in a separate file so that programs that do not use them do not link them. */
#include "ossicle.h"

#define NAME(error)                                                                                \
    case error:                                                                                    \
        return #error

const char *osc_error_name(int32_t status)
{
    if (status > 0)
        status = OSC_OK;
    switch (status) {
        NAME(OSC_OK);
        NAME(OSC_ERROR_ALIGNMENT);
        NAME(OSC_ERROR_SIZE);
        NAME(OSC_ERROR_MAGIC);
        NAME(OSC_ERROR_FORMAT);
        NAME(OSC_ERROR_CRC);
        NAME(OSC_ERROR_SECTION);
        NAME(OSC_ERROR_SKELETON);
        NAME(OSC_ERROR_CLIP);
        NAME(OSC_ERROR_NOT_FOUND);
        NAME(OSC_ERROR_MEMORY);
        NAME(OSC_ERROR_READ);
        NAME(OSC_ERROR_LAYOUT);
        NAME(OSC_ERROR_CODEC);
        NAME(OSC_ERROR_COPY);
    default:
        return "unknown error";
    }
}
