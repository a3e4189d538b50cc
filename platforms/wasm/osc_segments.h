/* Segments of the transform codec: as the scalar backend reads them. The contract of this file is
 * in platforms/README.md. */
#include "../scalar/osc_segments.h"
