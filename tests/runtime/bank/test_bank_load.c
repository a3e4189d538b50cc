/* Loading a bank from serial flash, with the flash driver replaced at link time. */
#include "bank_tools.h"
#include "check.h"
#include "flash.h"
#include "sample_banks.h"

#include <string.h>

#define BANK_ADDRESS 64u
#define IMAGE_BYTES (BANK_ADDRESS + sizeof sample_walk)
#define CANARY 0x5a

size_t __real_hal_flash_read(uint32_t address, void *destination, size_t size_bytes);
size_t __wrap_hal_flash_read(uint32_t address, void *destination, size_t size_bytes);

/* The behaviour of the mock, and the calls it received. */
static struct {
    unsigned reads;
    size_t bytes;
    unsigned short_read; /* this read (1, 2, ..) delivers one byte less; 0: none */
    long flipped_bit;    /* of the whole bank; -1: none */
} mock;

size_t __wrap_hal_flash_read(uint32_t address, void *destination, size_t size_bytes)
{
    size_t count = __real_hal_flash_read(address, destination, size_bytes);
    mock.reads++;
    mock.bytes += size_bytes;
    long bit = mock.flipped_bit - 8 * (long)(address - BANK_ADDRESS);
    if (mock.flipped_bit >= 0 && bit >= 0 && bit < 8 * (long)count)
        ((unsigned char *)destination)[bit / 8] ^= (unsigned char)(1 << bit % 8);
    return mock.reads == mock.short_read && count != 0u ? count - 1u : count;
}

static size_t read_flash(void *context, size_t offset_bytes, void *destination, size_t size_bytes)
{
    uint32_t base = *(const uint32_t *)context;
    return hal_flash_read(base + (uint32_t)offset_bytes, destination, size_bytes);
}

static uint32_t base_address = BANK_ADDRESS;
static const osc_source source = {read_flash, &base_address};
static unsigned char image[IMAGE_BYTES];

/* The destination, with room behind it that must stay as it is. */
static struct {
    uint32_t words[sizeof sample_walk / 4u];
    unsigned char behind[64];
} memory;

static int prepare(void **state)
{
    (void)state;
    memset(&mock, 0, sizeof mock);
    mock.flipped_bit = -1;
    memset(&memory, CANARY, sizeof memory);
    memcpy(image + BANK_ADDRESS, sample_walk, sizeof sample_walk);
    flash_insert(image, sizeof image);
    return 0;
}

static void nothing_written_from(size_t offset_bytes)
{
    const unsigned char *bytes = (const unsigned char *)&memory;
    for (size_t i = offset_bytes; i < sizeof memory; i++)
        assert_int_equal(bytes[i], CANARY);
}

static void two_reads_bring_the_bank(void **state)
{
    osc_bank bank;
    (void)state;
    int32_t size = osc_bank_load(&bank, &source, memory.words, sizeof memory.words);
    assert_int_equal(size, sizeof sample_walk);
    assert_int_equal(mock.reads, 2);
    assert_int_equal(mock.bytes, sizeof sample_walk);
    assert_memory_equal(memory.words, sample_walk, sizeof sample_walk);
    nothing_written_from(sizeof memory.words);
    assert_int_equal(bank.clip_count, 4);
    assert_ptr_equal(bank.words, memory.words);
}

static void short_reads_are_errors(void **state)
{
    osc_bank bank;
    for (unsigned read = 1; read <= 2u; read++) {
        prepare(state);
        mock.short_read = read;
        assert_int_equal(osc_bank_load(&bank, &source, memory.words, sizeof memory.words),
                         OSC_ERROR_READ);
        assert_int_equal(mock.reads, read);
    }
}

static void a_flash_that_ends_early_is_an_error(void **state)
{
    osc_bank bank;
    (void)state;
    flash_insert(image, sizeof image - 1u);
    assert_int_equal(osc_bank_load(&bank, &source, memory.words, sizeof memory.words),
                     OSC_ERROR_READ);
    flash_insert(image, BANK_ADDRESS);
    assert_int_equal(osc_bank_load(&bank, &source, memory.words, sizeof memory.words),
                     OSC_ERROR_READ);
}

static void every_flipped_bit_is_an_error(void **state)
{
    osc_bank bank;
    for (long bit = 0; bit < 8 * (long)sizeof sample_walk; bit++) {
        prepare(state);
        mock.flipped_bit = bit;
        int32_t status = osc_bank_load(&bank, &source, memory.words, sizeof memory.words);
        if (bit < 32)
            assert_true(status == OSC_ERROR_MAGIC && mock.reads == 1);
        else if (bit < 64)
            assert_int_equal(status, OSC_ERROR_FORMAT);
        else if (bit < 96) /* the size: too large for the memory or the file, or too small */
            assert_true(status == OSC_ERROR_MEMORY || status == OSC_ERROR_SIZE ||
                        status == OSC_ERROR_CRC || status == OSC_ERROR_READ);
        else
            assert_int_equal(status, OSC_ERROR_CRC);
        nothing_written_from(sizeof memory.words);
    }
}

static void small_memory_is_an_error(void **state)
{
    osc_bank bank;
    static const size_t capacities[] = {
        0, 4, 19, 20, 64, sizeof sample_walk - 4u, sizeof sample_walk - 1u};
    for (size_t i = 0; i < sizeof capacities / sizeof capacities[0]; i++) {
        prepare(state);
        assert_int_equal(osc_bank_load(&bank, &source, memory.words, capacities[i]),
                         OSC_ERROR_MEMORY);
        nothing_written_from(capacities[i]);
        assert_in_range(mock.reads, 0, 1);
    }
}

static void hostile_sizes_are_errors(void **state)
{
    static const uint32_t sizes[] = {0, 4, 16, 19, 0x80000000u, 0xffffffffu}, most = 0x7fffffff;
    osc_bank bank;
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        prepare(state);
        memcpy(image + BANK_ADDRESS + 8u, &sizes[i], 4);
        assert_int_equal(osc_bank_read(&source, memory.words, sizeof memory.words), OSC_ERROR_SIZE);
        assert_int_equal(mock.reads, 1);
        nothing_written_from(20);
    }
    memcpy(image + BANK_ADDRESS + 8u, &most, 4);
    assert_int_equal(osc_bank_read(&source, memory.words, sizeof memory.words), OSC_ERROR_MEMORY);
    const uint32_t header_bytes = 20; /* the least, with the checksum of more */
    prepare(state);
    memcpy(image + BANK_ADDRESS + 8u, &header_bytes, 4);
    assert_int_equal(osc_bank_read(&source, memory.words, header_bytes), header_bytes);
    assert_int_equal(osc_bank_load(&bank, &source, memory.words, sizeof memory.words),
                     OSC_ERROR_CRC);
}

static void misaligned_memory_is_an_error(void **state)
{
    unsigned char *odd = (unsigned char *)memory.words + 2;
    uint32_t *words;
    (void)state;
    memcpy(&words, &(unsigned char *){odd}, sizeof words);
    assert_int_equal(osc_bank_read(&source, words, sizeof memory.words - 4u), OSC_ERROR_ALIGNMENT);
    assert_int_equal(mock.reads, 0);
    nothing_written_from(0);
}

static void errors_have_names(void **state)
{
    (void)state;
    assert_string_equal(osc_error_name(OSC_OK), "OSC_OK");
    assert_string_equal(osc_error_name(1), "OSC_OK");
    assert_string_equal(osc_error_name(INT32_MAX), "OSC_OK");
    assert_string_equal(osc_error_name(OSC_ERROR_ALIGNMENT), "OSC_ERROR_ALIGNMENT");
    assert_string_equal(osc_error_name(OSC_ERROR_COPY), "OSC_ERROR_COPY");
    for (int32_t error = OSC_ERROR_COPY; error < 0; error++)
        assert_memory_equal(osc_error_name(error), "OSC_ERROR_", 10);
    assert_string_equal(osc_error_name(OSC_ERROR_COPY - 1), "unknown error");
    assert_string_equal(osc_error_name(INT32_MIN), "unknown error");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(two_reads_bring_the_bank, prepare),
        cmocka_unit_test_setup(short_reads_are_errors, prepare),
        cmocka_unit_test_setup(a_flash_that_ends_early_is_an_error, prepare),
        cmocka_unit_test_setup(every_flipped_bit_is_an_error, prepare),
        cmocka_unit_test_setup(small_memory_is_an_error, prepare),
        cmocka_unit_test_setup(hostile_sizes_are_errors, prepare),
        cmocka_unit_test_setup(misaligned_memory_is_an_error, prepare),
        cmocka_unit_test(errors_have_names),
    };
    return cmocka_run_group_tests(tests, 0, 0);
}
