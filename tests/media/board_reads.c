/* Reads an image from a serial flash at 25 MHz, on boards that have none: the chip is the mock. */
#include "hal.h"
#include "mock_spi_nor.h"
#include "print.h"

#define IMAGE_WORDS 512u
#define STEP_US 50u

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
    print_line("violations ", mock.violations);
    hal_exit(0);
}
