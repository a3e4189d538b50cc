/* Changed banks that still open. */
#include "bank_mutator.h"

#include "ossicle.h"

enum { HEADER_WORDS = 5 };

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);

static uint32_t crc_table[256];

static void fill_crc_table(void)
{
    for (uint32_t i = 0; i < 256u; i++) {
        uint32_t crc = i;
        for (int bit = 0; bit < 8; bit++)
            crc = (crc >> 1) ^ ((crc & 1u) * 0xedb88320u);
        crc_table[i] = crc;
    }
}

static uint32_t crc_bytes(uint32_t crc, const uint8_t *bytes, size_t count)
{
    for (size_t i = 0; i < count; i++)
        crc = (crc >> 8) ^ crc_table[(crc ^ bytes[i]) & 255u];
    return crc;
}

static void put_word(uint8_t *bytes, uint32_t value)
{
    for (int i = 0; i < 4; i++)
        bytes[i] = (uint8_t)(value >> 8 * i);
}

static uint32_t get_word(const uint8_t *bytes)
{
    return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

static void seal(uint8_t *data, size_t size)
{
    if (crc_table[1] == 0u)
        fill_crc_table();
    put_word(data, 0x4253534fu);
    put_word(data + 4, OSC_BANK_FORMAT);
    put_word(data + 8, (uint32_t)size);
    uint32_t crc = crc_bytes(0xffffffffu, data, 12);
    crc = crc_bytes(crc, data + 16, size - 16);
    put_word(data + 12, ~crc);
}

void mutate_word(uint8_t *data, size_t size, unsigned seed)
{
    static const uint32_t telling[] = {
        0, 1, 2, 31, 32, 0xffff, 0x10000, 0x100000, 0x7fffffff, 0x80000000, 0xfffffffe, 0xffffffff};
    size_t words = size / 4u;
    uint8_t *at = data + 4u * (seed / 64u % words);
    uint32_t value = get_word(at);
    switch (seed & 3u) {
    case 0:
        value ^= 1u << (seed >> 2 & 15u) << (seed >> 20 & 16u);
        break;
    case 1:
        value += (seed >> 2 & 15u) - 8u;
        break;
    case 2:
        value = telling[(seed >> 2 & 15u) % (sizeof telling / sizeof telling[0])];
        break;
    default:
        value = value << 16 | value >> 16;
        break;
    }
    put_word(at, value);
}

size_t mutate_bank(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
    unsigned mixed = seed * 2654435761u;
    if (size >= HEADER_WORDS * 4u && (seed & 1u) != 0u)
        mutate_word(data, size, mixed);
    else
        size = LLVMFuzzerMutate(data, size, max_size);
    if (seed >> 1 & 15u) {
        size &= ~(size_t)3u;
        if (size >= HEADER_WORDS * 4u)
            seal(data, size);
    }
    return size;
}
