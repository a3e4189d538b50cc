#include "../scalar/osc_curve_rows.h"
