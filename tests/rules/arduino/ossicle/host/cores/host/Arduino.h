/* The part of a core that a sketch uses: the serial port is the standard output. */
#ifndef ARDUINO_H
#define ARDUINO_H
#include <stdio.h>

void setup();
void loop();
unsigned long micros();

struct Port {
    void begin(long)
    {
    }
    void print(int number)
    {
        printf("%d", number);
    }
    void println(const char *text)
    {
        puts(text);
    }
};
extern Port Serial;
#endif
