/* Contracts of the functions inside osc_bank.c and osc_tiers.c, by which they are proved in parts.
 */
#ifndef BANK_H
#define BANK_H

#include "any.h"
#include "bank/osc_tiers.h"
#include "contracts.h"

/*@ requires READABLE(words, count);
  @ assigns \result \from indirect:crc, indirect:words[0 .. count - 1];
  @*/
uint32_t osc_crc_words(uint32_t crc, const uint32_t *words, size_t count);

/*@ requires \valid_read(bank) && COUNTED(bank) && READABLE(entry, 3);
  @ requires READABLE(bank->data, bank->data_words);
  @ requires rate_count <= OSC_MAX_RATES;
  @ assigns \result \from indirect:*bank, indirect:entry[0 .. 2], indirect:rate_count,
  @                       indirect:bank->data[0 .. bank->data_words - 1];
  @*/
static int32_t check_clip(const osc_bank *bank, const uint32_t *entry, uint32_t rate_count,
                          osc_codec_check *const *checks);

/*@ requires \valid_read(bank) && COUNTED(bank);
  @ requires data_words >= 1 && READABLE(data, data_words);
  @ assigns \result \from indirect:*bank, indirect:shape, indirect:data[0 .. data_words - 1];
  @ ensures \result <= OSC_OK;
  @*/
int32_t osc_clip_check(const osc_bank *bank, uint32_t shape, const uint32_t *data,
                       uint32_t data_words, osc_codec_check *const *checks);

#include "bank/osc_clip.c"
#include "bank/osc_crc.c"

#include "bank/osc_bank.c"

/*@ requires \valid(bank) && \valid_read(found) && \initialized(found);
  @ requires found->table.words == \null || READABLE(found->table.words, found->table.count);
  @ assigns bank->tier_table, bank->tiers[0 .. OSC_MAX_TIERS - 1] \from *found;
  @ assigns bank->tier_code \from &osc_tier_functions;
  @ assigns bank->chunks \from \nothing;
  @ assigns bank->tier_changes, bank->tier_count, bank->tiers_there, bank->block_log2,
  @         \result \from indirect:*found;
  @ ensures \result <= OSC_OK;
  @*/
int32_t osc_tiers_open(osc_bank *bank, const osc_tier_sections *found,
                       osc_codec_check *const *checks);

/*@ requires \valid(bank) && READABLE(skeleton.words, skeleton.count);
  @ assigns bank->parents, bank->bind, bank->subtrack_masks \from skeleton;
  @ assigns bank->joint_count, bank->rotation_subtracks, bank->translation_subtracks,
  bank->scale_subtracks,
  @         bank->max_held, bank->state_words, bank->has_scale, bank->layout_crc,
  @         \result \from indirect:skeleton, indirect:skeleton.words[0 .. skeleton.count - 1];
  @ ensures \result <= OSC_OK;
  @ ensures \result < OSC_OK ||
  @         (COUNTED(bank) && \initialized(&bank->joint_count) &&
  @          1 <= bank->joint_count <= OSC_MAX_JOINTS);
  @*/
static int32_t open_skeleton(osc_bank *bank, osc_section skeleton);

/*@ requires \valid(bank) && \initialized(&bank->joint_count);
  @ requires skin.words == \null || READABLE(skin.words, skin.count);
  @ assigns bank->inverse_bind \from skin;
  @ assigns bank->skin_crc, \result \from indirect:skin;
  @ ensures \result <= OSC_OK;
  @*/
static int32_t open_skin(osc_bank *bank, osc_section skin);

/*@ requires \valid(bank) && COUNTED(bank);
  @ requires READABLE(clips.words, clips.count) && READABLE(data.words, data.count);
  @ assigns bank->rates, bank->clips \from clips;
  @ assigns bank->data \from data;
  @ assigns bank->clip_count, bank->data_words, \result
  @   \from indirect:clips, indirect:data, indirect:clips.words[0 .. clips.count - 1],
  @         indirect:data.words[0 .. data.count - 1];
  @*/
static int32_t open_clips(osc_bank *bank, osc_section clips, osc_section data,
                          osc_codec_check *const *checks);

/*@ requires \valid(bank) && READABLE(words, size_bytes / 4);
  @ assigns *bank \from words, codecs, indirect:size_bytes, indirect:words[0 .. size_bytes / 4 - 1];
  @ assigns \result \from indirect:size_bytes, indirect:words[0 .. size_bytes / 4 - 1];
  @*/
int32_t osc_bank_open_codecs(osc_bank *bank, const uint32_t *words, size_t size_bytes,
                             const osc_codec *const *codecs, osc_codec_check *const *checks);

#include "bank/osc_tiers.c"
#include "codecs/osc_all_codecs.c"

#endif
