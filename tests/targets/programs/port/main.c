/* Calls every operation of the port contract with words of several kinds on the target's platform.
 */
#include "hal.h"
#include "port.h"

int main(void)
{
    print_text(OSC_PORT_NAME "\n");
    check_roots();
    check_blend();
    check_compose();
    check_mix();
    check_mirror();
    check_offsets();
    check_rows();
    hal_exit(0);
}
