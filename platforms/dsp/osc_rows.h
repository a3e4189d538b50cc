/* Key rows with the backend for Cortex-M3 and up: the definition. The contract of this file is in
 * platforms/README.md. */
#include "../scalar/osc_rows.h"
