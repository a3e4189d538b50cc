/* The square root of a single number: as with the scalar backend. The contract of this file is in
 * platforms/README.md. */
#include "../scalar/osc_sqrt.h"
