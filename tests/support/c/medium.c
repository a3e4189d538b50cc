/* The medium of the tests; see the header. */
#include "medium.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void require(bool condition, const char *what)
{
    if (condition)
        return;
    fprintf(stderr, "medium: %s\n", what);
    abort();
}

static bool take(uint32_t *count)
{
    if (*count == 0u)
        return false;
    --*count;
    return true;
}

static int32_t start(void *context, uint32_t offset_bytes, void *destination, uint32_t size_bytes)
{
    test_medium *m = context;
    const uint8_t *begin = (const uint8_t *)m->memory, *to = destination;
    require(!m->reading, "a read while another one goes on");
    require(offset_bytes % m->medium.unit_bytes == 0u && size_bytes % m->medium.unit_bytes == 0u,
            "a read of parts of units");
    require(size_bytes != 0u && size_bytes <= m->medium.most_bytes, "a read of a wrong size");
    require((uintptr_t)destination % m->medium.align_bytes == 0u, "an unaligned destination");
    require(to >= begin && to + size_bytes <= begin + 4u * m->memory_words,
            "a destination outside the memory");
    require(offset_bytes + size_bytes <= m->image_bytes, "a read beyond the medium");
    if (take(&m->busy_starts))
        return OSC_MEDIUM_BUSY;
    if (take(&m->failing_starts))
        return OSC_ERROR_READ;
    if (m->starts < MEDIUM_MOST_LOG) {
        m->offsets[m->starts] = offset_bytes;
        m->sizes[m->starts] = size_bytes;
    }
    m->starts++;
    m->reading = true;
    m->offset_bytes = offset_bytes;
    m->size_bytes = size_bytes;
    m->destination = destination;
    m->polls_left = m->polls;
    m->hangs = take(&m->hanging);
    return OSC_OK;
}

static int32_t poll(void *context)
{
    test_medium *m = context;
    require(m->reading, "a poll of no read");
    if (m->hangs || take(&m->polls_left))
        return OSC_MEDIUM_BUSY;
    m->reading = false;
    if (take(&m->failing_polls))
        return OSC_ERROR_READ;
    memcpy(m->destination, m->image + m->offset_bytes, m->size_bytes);
    if (m->damage_bytes - m->offset_bytes < m->size_bytes && take(&m->damaged))
        m->destination[m->damage_bytes - m->offset_bytes] ^= 1u;
    return OSC_OK;
}

static void cancel(void *context)
{
    test_medium *m = context;
    require(m->reading, "a cancel of no read");
    m->reading = false;
    m->cancels++;
}

void medium_make(test_medium *made, const test_bank *image, uint32_t unit_bytes,
                 uint32_t align_bytes, uint32_t most_bytes)
{
    memset(made, 0, sizeof *made);
    made->image = (const uint8_t *)image->words;
    made->image_bytes = image->count * 4u;
    made->medium =
        (osc_medium){start, poll, cancel, made, unit_bytes, align_bytes, most_bytes, 100000u};
}
