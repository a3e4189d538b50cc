/* Mends a transform track of which a few frames do not hold. */
#ifndef ENCODER_CODECS_TRANSFORM_MEND_H
#define ENCODER_CODECS_TRANSFORM_MEND_H

#include "codecs/transform/fit.h"

/* Fits those parts of a complete track (integers and rows) that do not hold, with its present
 * steps. finely: these ends, and those of faulty segments, may leave their grid. Returns false if
 * that fails. The other parts do not change, so tracks that were fitted to them still hold. */
bool enc_transform_mend(enc_transform_fitter *fitter, bool finely);

#endif
