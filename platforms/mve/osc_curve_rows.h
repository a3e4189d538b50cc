/* Rows of curve clips: as the scalar backend makes them. The contract of this file is in
 * platforms/README.md. */
#include "../scalar/osc_curve_rows.h"
