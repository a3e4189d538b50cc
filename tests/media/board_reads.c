/* Reads an image from a serial flash at 25 MHz, on machines that have none: the chip is the mock.
 * Then reads it again and again with faults by chance, and prints what was wrong. */
#include "hal.h"
#include "mock_spi_nor.h"
#include "print.h"

#define IMAGE_WORDS 512u
#define STEP_US 50u
#define FAULTY_READS 200u
#define FAULTY_BYTES 64u
#define CHANCE_Q8 64u

static const uint32_t seeds[] = {0x243f6a88u, 0x85a308d3u, 0x13198a2eu, 0x03707344u};
static uint32_t image[IMAGE_WORDS], out[IMAGE_WORDS];
static mock_spi_nor mock;
static osc_spi_nor flash;

static uint32_t sum_of(const uint32_t *words)
{
    uint32_t sum = 0;
    for (uint32_t i = 0; i < IMAGE_WORDS; i++)
        sum = (sum << 5 | sum >> 27) ^ words[i];
    return sum;
}

static int32_t read(uint32_t offset, uint32_t size_bytes)
{
    int32_t status = flash.medium.start(&flash, offset, (uint8_t *)out + offset, size_bytes);
    while (status == OSC_OK && (status = flash.medium.poll(&flash)) == OSC_MEDIUM_BUSY) {
        mock_spi_nor_advance_us(&mock, STEP_US);
        status = OSC_OK;
    }
    return status;
}

/* The outcome of each read, and its wrong bits. */
static uint32_t faults_of(uint64_t seed)
{
    uint32_t digest = 2166136261u;
    mock.seed = seed;
    mock.taken_q8 = mock.refused_q8 = mock.failing_q8 = mock.flipped_q8 = CHANCE_Q8;
    for (uint32_t i = 0; i < FAULTY_READS; i++) {
        int32_t status = read(0, FAULTY_BYTES);
        digest = (digest ^ (uint32_t)status) * 16777619u;
        for (uint32_t j = 0; j < FAULTY_BYTES && status == OSC_OK; j++)
            digest = (digest ^ ((const uint8_t *)out)[j] ^ ((const uint8_t *)image)[j]) * 16777619u;
    }
    return digest;
}

int main(void)
{
    for (uint32_t i = 0; i < IMAGE_WORDS; i++)
        image[i] = seeds[i & 3u] * (2u * i + 1u);
    mock_spi_nor_insert(
        &mock,
        &(mock_spi_nor_part){.words = image, .size_bytes = sizeof image, .clock_hz = 25000000u});
    osc_spi_nor_init(&flash, &(osc_spi_nor_setup){.bus = &mock.bus, .size_bytes = sizeof image});
    int32_t status = read(0, 1000);
    if (status == OSC_OK)
        status = read(1000, sizeof image - 1000u);
    print_line("failed ", status != OSC_OK);
    print_line("differ ", sum_of(out) != sum_of(image));
    print_line("bytes ", (uint32_t)mock.bytes);
    print_line("microseconds ", (uint32_t)mock_spi_nor_now_us(&mock));
    print_line("faults ", faults_of(1));
    print_line("violations ", mock.violations);
    hal_exit(0);
}
