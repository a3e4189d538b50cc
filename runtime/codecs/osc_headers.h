/* SPDX-License-Identifier: MIT */
/* The track headers at the beginning of curve, velocity, sparse and dense clips: their number and,
 * for each, the number of sub-tracks skipped since the previous header. */
#ifndef OSC_HEADERS_H
#define OSC_HEADERS_H

#include "bank/osc_internal.h"

typedef struct osc_headers {
    osc_bits bits;     /* where the codec's own fields follow */
    uint32_t left;     /* headers that follow */
    uint32_t next;     /* the first sub-track that the next header can be for */
    uint32_t subtrack; /* the sub-track of this header */
} osc_headers;

/* Reads the number of headers. */
static inline osc_headers osc_headers_open(const osc_clip_parts *parts)
{
    osc_headers headers = {osc_clip_stream(parts, 0), 0, 0, 0};
    headers.left = osc_bits_take(&headers.bits, OSC_TRACK_COUNT_BITS);
    return headers;
}

/* Advances to the next header. Returns false after the last header, and before a header for a
 * sub-track that does not exist: then headers->left is not 0. */
OSC_HOT OSC_NOINLINE bool osc_headers_next(osc_headers *headers, const osc_bank *bank)
{
    if (headers->left == 0u)
        return false;
    uint32_t gap = osc_bits_take_rice_unsigned(&headers->bits, OSC_TRACK_GAP_RICE);
    if (gap >= osc_subtrack_count(bank) - headers->next)
        return false;
    headers->subtrack = headers->next + gap;
    headers->next = headers->subtrack + 1u;
    headers->left--;
    return true;
}

#endif
