/* SPDX-License-Identifier: MIT */
#include "memory.h"

#include <stdint.h>

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("no-tree-loop-distribute-patterns") /* or they would call themselves */
#endif

typedef uint32_t __attribute__((may_alias)) word;

void *memcpy(void *restrict to, const void *restrict from, size_t count)
{
    unsigned char *out = to;
    const unsigned char *in = from;
    if ((((uintptr_t)out | (uintptr_t)in) & 3u) == 0u) /* most of what is copied is words */
        for (; count >= 4u; count -= 4u, out += 4, in += 4)
            *(word *)(void *)out = *(const word *)(const void *)in;
    for (; count != 0u; count--)
        *out++ = *in++;
    return to;
}

void *memmove(void *to, const void *from, size_t count)
{
    unsigned char *out = to;
    const unsigned char *in = from;
    if ((uintptr_t)out <= (uintptr_t)in)
        for (size_t i = 0; i < count; i++)
            out[i] = in[i];
    else
        for (size_t i = count; i-- != 0u;)
            out[i] = in[i];
    return to;
}

void *memset(void *to, int value, size_t count)
{
    unsigned char *out = to;
    for (size_t i = 0; i < count; i++)
        out[i] = (unsigned char)value;
    return to;
}

int memcmp(const void *left, const void *right, size_t count)
{
    const unsigned char *a = left, *b = right;
    for (size_t i = 0; i < count; i++)
        if (a[i] != b[i])
            return a[i] < b[i] ? -1 : 1;
    return 0;
}
