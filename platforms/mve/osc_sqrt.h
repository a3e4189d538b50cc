/* The square root of a single number: as on other Cortex-M with an FPU. The contract of this file
 * is in platforms/README.md. */
#include "../dsp/osc_sqrt.h"
