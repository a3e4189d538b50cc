/* Decides whether a clip that was read from untrusted words may become part of a bank. */
#ifndef ENCODER_WRITER_CLIP_CHECK_H
#define ENCODER_WRITER_CLIP_CHECK_H

#include "writer/clip.h"

/* Writes a bank of this clip alone, plays it with the runtime, and measures it. Fills in the errors
 * of the clip's report. Errors: ENC_ERROR_WORDS if the bank does not open, if the runtime unpacks
 * rows that differ from those of the clip, or if the clip exceeds the limits that enc_clip_encode
 * keeps; ENC_ERROR_MEMORY. */
int32_t enc_clip_check(enc_clip *clip);

#endif
