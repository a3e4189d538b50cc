#include "Arduino.h"

Port Serial;

int main()
{
    setup();
    loop();
    return 0;
}
