/* Stands for the library of the display: prints where pixels are written, and writes them to files.
 */
#ifndef ADAFRUIT_ST7789_H
#define ADAFRUIT_ST7789_H
#include <stdint.h>
#include <stdio.h>

class Adafruit_ST7789
{
    int pictures = 0;
    bool writing = false;

  public:
    Adafruit_ST7789(int, int, int)
    {
    }
    void init(uint16_t width, uint16_t height)
    {
        printf("%u %u\n", width, height);
    }
    void fillScreen(uint16_t)
    {
    }
    void startWrite()
    {
        writing = true;
    }
    void endWrite()
    {
        writing = false;
    }
    void setAddrWindow(uint16_t x, uint16_t y, uint16_t width, uint16_t height)
    {
        printf("%u %u %u %u\n", x, y, width, height);
    }
    void writePixels(uint16_t *pixels, uint32_t count)
    {
        char name[16];
        snprintf(name, sizeof name, "%d.565", pictures++);
        FILE *file = fopen(name, "wb");
        if (file == nullptr || !writing)
            return;
        fwrite(pixels, sizeof *pixels, count, file);
        fclose(file);
    }
};
#endif
