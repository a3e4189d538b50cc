/* The square root with the scalar backend: no instruction for it. The contract of this file is in
 * platforms/README.md. */
#ifndef OSC_SQRT_H
#define OSC_SQRT_H

#define OSC_SQRT 0 /* osc_sqrt_q20 is not there, and not called */

#endif
