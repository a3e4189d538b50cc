#include "Arduino.h"

Port Serial;
static unsigned long now_us;

unsigned long micros()
{
    return now_us;
}

int main()
{
    const int loops = 3;
    setup();
    for (int i = 0; i < loops; i++, now_us += 250000)
        loop();
    return 0;
}
