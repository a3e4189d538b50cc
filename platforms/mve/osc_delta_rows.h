/* Rows of the delta codec: as the scalar backend fills them. The contract of this file is in
 * platforms/README.md. */
#include "../scalar/osc_delta_rows.h"
