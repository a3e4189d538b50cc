/* The contracts between functions. Frama-C checks `requires` at every call, and `ensures` where
 * it analyses the body. The kernels that name a function in `specs` take its word for what it
 * returns: another kernel has proved its body for all that `requires` allows. */
#ifndef CONTRACTS_H
#define CONTRACTS_H

#include "any.h"
#include "bank/osc_bits.h"
#include "bank/osc_codecs.h"
#include "bank/osc_internal.h"
#include "published/osc_keys.h"

#define READABLE(words, count)                                                                     \
    (\valid_read((words) + (0..(count)-1)) && \initialized((words) + (0..(count)-1)))

/*@ requires value != 0;
  @ assigns \result \from value;
  @ ensures 0 <= \result <= 31;
  @*/
static inline uint32_t osc_leading_zeros(uint32_t value);

/*@ requires value != 0;
  @ assigns \result \from value;
  @ ensures 0 <= \result <= 31;
  @*/
static inline uint32_t osc_trailing_zeros(uint32_t value);

/*@ assigns \result \from value;
  @ ensures 0 <= \result <= 15;
  @*/
static inline uint32_t osc_trailing_ones_15(uint32_t value);

/*@ assigns \result \from n_q28;
  @ ensures \result <= 1 << 21;
  @ ensures n_q28 >= 1 ==> \result >= 1;
  @*/
uint32_t osc_root_q20(uint32_t n_q28);

/*@ requires m_q28 < 3 << 26;
  @ assigns \result \from m_q28;
  @ ensures 0 <= \result <= 1 << 21;
  @*/
static inline int32_t osc_root_near_q20(uint32_t m_q28);

/*@ assigns \result \from a, b, c;
  @ ensures 0 <= \result <= 1 << 21;
  @*/
int32_t osc_rebuild_q20(int32_t a, int32_t b, int32_t c);

/*@ requires \valid(q + (0 .. 3)) && \initialized(q + (0 .. 3));
  @ assigns q[0 .. 3] \from q[0 .. 3];
  @ ensures \initialized(q + (0 .. 3));
  @*/
void osc_unit(int32_t q[4]);

/*@ requires \valid(q + (0 .. 3)) && \initialized(q + (0 .. 3));
  @ assigns q[0 .. 3] \from q[0 .. 3];
  @ ensures \initialized(q + (0 .. 3));
  @*/
void osc_near_unit(int32_t q[4]);

/*@ requires \valid(bits) && \valid(format) && \initialized(&bits->position);
  @ requires READABLE(bits->words, bits->last_pair + 2);
  @ requires kind <= 2;
  @ assigns bits->position, *format, \result
  @   \from indirect:bits->position, indirect:kind,
  @         indirect:bits->words[0 .. bits->last_pair + 1];
  @ ensures \initialized(&bits->position);
  @ ensures \result == 0 || (\result == 1 && \initialized(format));
  @*/
bool osc_key_format_take(osc_bits *bits, uint32_t kind, osc_key_format *format);

/* The fields of a bank that checks of clips look at, which open_skeleton fills. */
#define COUNTED(bank)                                                                              \
    (\initialized(&(bank)->rotation_subtracks) && \initialized(&(bank)->translation_subtracks) &&          \
     \initialized(&(bank)->scale_subtracks) && \initialized(&(bank)->max_held) &&                      \
     \initialized(&(bank)->state_words))

/* A bank with these fields alone, of any values. */
static inline osc_bank any_bank(void)
{
    osc_bank bank;
    bank.rotation_subtracks = (uint16_t)any_up_to(UINT16_MAX);
    bank.translation_subtracks = (uint16_t)any_up_to(UINT16_MAX);
    bank.scale_subtracks = (uint16_t)any_up_to(UINT16_MAX);
    bank.max_held = (uint16_t)any_up_to(UINT16_MAX);
    bank.state_words = (uint16_t)any_up_to(UINT16_MAX);
    return bank;
}

/* True if a decoder can follow a clip's headers: one contract for all codecs. */
// clang-format off
#define VALID_CONTRACT                                                                             \
    requires \valid_read(bank) && COUNTED(bank);                                                   \
    requires \valid_read(parts) && \initialized(parts);                                            \
    requires 2 <= parts->stream_words && parts->header_bits < 32 * parts->stream_words;            \
    requires READABLE(parts->stream, parts->stream_words);                                         \
    assigns \result \from indirect:*bank, indirect:*parts,                                         \
                          indirect:parts->stream[0 .. parts->stream_words - 1];                    \
    ensures \result == 0 || \result == 1;
// clang-format on

/*@ VALID_CONTRACT */
bool osc_delta_valid(const osc_bank *bank, const osc_clip_parts *parts);
/*@ VALID_CONTRACT */
bool osc_curve_valid(const osc_bank *bank, const osc_clip_parts *parts);
/*@ VALID_CONTRACT */
bool osc_transform_valid(const osc_bank *bank, const osc_clip_parts *parts);
/*@ VALID_CONTRACT */
bool osc_velocity_valid(const osc_bank *bank, const osc_clip_parts *parts);
/*@ VALID_CONTRACT */
bool osc_sparse_valid(const osc_bank *bank, const osc_clip_parts *parts);
/*@ VALID_CONTRACT */
bool osc_dense_valid(const osc_bank *bank, const osc_clip_parts *parts);

#endif
