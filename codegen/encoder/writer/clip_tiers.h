/* The keys of one clip in tiers. */
#ifndef ENCODER_WRITER_CLIP_TIERS_H
#define ENCODER_WRITER_CLIP_TIERS_H

#include "writer/clip.h"

/* Plans the keys that leave a dense clip, and moves them according to its scheme; does nothing to
 * clips whose scheme has no tiers. kept: [frame], non-zero
 * where keys stay in the clip; may be null. Returns ENC_ERROR_MEMORY or ENC_OK. */
int32_t enc_clip_plan_tiers(enc_clip *clip, const uint8_t *kept);

#endif
