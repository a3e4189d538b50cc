/* Poses that are played ahead; see the header. */
#include "expected.h"

#include <stdlib.h>
#include <string.h>

/* The poses of a clip in both players, of which `all` has all tiers. */
static void play_clip(expected_bank *bank, uint32_t set, uint32_t clip, test_player *some,
                      test_player *all)
{
    expected_pose *poses = calloc(bank->quarters[clip], sizeof *poses);
    if (poses == 0)
        abort();
    (void)osc_player_start(&some->player, clip, OSC_PLAY_AS_MADE);
    (void)osc_player_start(&all->player, clip, OSC_PLAY_AS_MADE);
    for (uint32_t quarter = 0; quarter < bank->quarters[clip]; quarter++) {
        (void)osc_player_seek_q11(&some->player, (int32_t)(512u * quarter));
        (void)osc_player_seek_q11(&all->player, (int32_t)(512u * quarter));
        poses[quarter].hash = pose_hash(some);
        osc_player_evaluate(&all->player, &all->pose);
        poses[quarter].difference_q20 = pose_difference(&some->bank, &some->pose, &all->pose);
    }
    bank->poses[set][clip] = poses;
}

static void attach(const tier_bank *from, osc_bank *to, uint32_t set)
{
    for (uint32_t tier = 0; tier < from->tier_count; tier++)
        if ((set >> tier & 1u) != 0u &&
            osc_bank_attach_tier(to, tier + 1u, from->tiers[tier].words,
                                 from->tiers[tier].count * 4u) != OSC_OK)
            abort();
}

static void play_bank(expected_bank *bank)
{
    uint32_t all_tiers = (1u << bank->tiers.tier_count) - 1u;
    if (bank_open(&bank->tiers.bank, &bank->opened) != OSC_OK ||
        bank->opened.clip_count > EXPECTED_CLIPS)
        abort();
    for (uint32_t clip = 0; clip < bank->opened.clip_count; clip++) {
        osc_clip_info info;
        (void)osc_clip_describe(&bank->opened, clip, &info);
        bank->quarters[clip] = 4u * (info.frame_count - 1u) + 1u;
    }
    for (uint32_t set = 0; set <= all_tiers; set++) {
        test_player some, all;
        player_make(&some, bank->tiers.bank.words, bank->tiers.bank.count);
        player_make(&all, bank->tiers.bank.words, bank->tiers.bank.count);
        attach(&bank->tiers, &some.bank, set);
        attach(&bank->tiers, &all.bank, all_tiers);
        for (uint32_t clip = 0; clip < bank->opened.clip_count; clip++)
            play_clip(bank, set, clip, &some, &all);
        player_free(&some);
        player_free(&all);
    }
}

void expected_make(expected_bank banks[EXPECTED_BANKS])
{
    static const struct {
        const char *name;
        tier_bank (*make)(void);
    } makers[EXPECTED_BANKS] = {{"codecs", tier_bank_of_codecs},
                                {"sparse", tier_bank_of_sparse},
                                {"blocks", tier_bank_of_blocks},
                                {"keys", tier_bank_of_keys}};
    for (uint32_t i = 0; i < EXPECTED_BANKS; i++) {
        memset(&banks[i], 0, sizeof banks[i]);
        banks[i].name = makers[i].name;
        banks[i].tiers = makers[i].make();
        tier_bank_lay(&banks[i].tiers, 340u * i, 52u);
        play_bank(&banks[i]);
    }
}

void expected_free(expected_bank banks[EXPECTED_BANKS])
{
    for (uint32_t i = 0; i < EXPECTED_BANKS; i++) {
        tier_bank_free(&banks[i].tiers);
        for (uint32_t set = 0; set < EXPECTED_SETS; set++)
            for (uint32_t clip = 0; clip < EXPECTED_CLIPS; clip++)
                free(banks[i].poses[set][clip]);
    }
}
