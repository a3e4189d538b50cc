/* One track: the ways in which it can be coded, what each costs, and what the device makes of it.
 */
#ifndef ENCODER_TRACK_H
#define ENCODER_TRACK_H

#include "bit_writer.h"
#include "source.h"

/* One way to code a track. */
typedef struct {
    uint32_t lane_kind; /* OSC_LANE_* */
    uint32_t chart;     /* dropped component, OSC_CHART_MOVING or OSC_CHART_VECTOR */
    uint32_t shift;     /* the step is 2^shift in Q20 */
    double error;       /* largest deviation at a frame: radians, metres or scale */
    uint32_t bits;
} enc_option;

enum { ENC_MAX_OPTIONS = 96 };

/* From the most exact to the cheapest; each is both less exact and cheaper than the one before. */
typedef struct {
    enc_option option[ENC_MAX_OPTIONS];
    uint32_t count;
} enc_options_list;

/* Working memory for the tracks of one clip, and the last track that was coded. */
typedef struct {
    uint32_t frame_count, restart_log2;
    int32_t *memory;
    int32_t *rows;    /* in memory: [frame][4 or 3], Q20: what the device unpacks */
    uint8_t *charts;  /* [frame]: 0xff, or the chart that a moving track states explicitly */
    uint32_t *zigzag; /* [order][component][frame]: residuals that are Rice coded */
    uint32_t record;  /* the track record, without its gap */
    uint32_t bits;
    bool valid; /* false: some step is too long for the evaluator */
} enc_coder;

int32_t enc_coder_prepare(enc_coder *coder, uint32_t frame_count, uint32_t restart_log2);
void enc_coder_release(enc_coder *coder);

/* Codes a track with one option: fills rows, record and bits. */
void enc_track_code(enc_coder *coder, const enc_source *source, uint32_t kind, uint32_t joint,
                    const enc_option *option);

/* Writes what the last enc_track_code made of one frame of an animated track. */
void enc_track_write_frame(const enc_coder *coder, uint32_t frame, enc_bit_writer *out);

/* Writes the constant of the last enc_track_code. */
void enc_track_write_constant(const enc_coder *coder, const enc_option *option,
                              enc_bit_writer *out);

/* Lists the options that are of use at a tolerance: none whose own error alone breaks it, unless
 * nothing better exists, and none finer than the first whose error, at the end of the track's
 * reach, is within finest_share of the tolerance; 0 lists down to the finest steps there are. */
void enc_track_options(enc_coder *coder, const enc_source *source, uint32_t kind, uint32_t joint,
                       double tolerance_m, double shell_m, double finest_share,
                       enc_options_list *list);

#endif
