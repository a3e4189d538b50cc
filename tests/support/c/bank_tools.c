/* Helpers of the tests; see the header. */
#include "bank_tools.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *need(size_t size)
{
    void *block = malloc(size != 0 ? size : 1);
    if (block == 0) {
        fprintf(stderr, "no memory for the test\n");
        abort();
    }
    return block;
}

test_bank bank_copy(const uint32_t *words, size_t count)
{
    test_bank bank = {need(count * 4u), (uint32_t)count};
    memcpy(bank.words, words, count * 4u);
    return bank;
}

void bank_free(test_bank *bank)
{
    free(bank->words);
    bank->words = 0;
}

static uint32_t crc_over(uint32_t crc, const uint32_t *words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        for (uint32_t bit = 0; bit < 32u; bit++) {
            uint32_t odd = (crc ^ (words[i] >> bit)) & 1u;
            crc = (crc >> 1) ^ (odd * 0xedb88320u);
        }
    return crc;
}

uint32_t words_crc(const uint32_t *words, size_t count)
{
    return ~crc_over(0xffffffffu, words, count);
}

void bank_seal(test_bank *bank)
{
    bank->words[2] = bank->count * 4u;
    uint32_t crc = crc_over(0xffffffffu, bank->words, 3);
    bank->words[3] = ~crc_over(crc, bank->words + 4, bank->count - 4u);
}

void bank_resize_at(test_bank *bank, uint32_t at, int32_t count, uint32_t value)
{
    uint32_t removed = count < 0 ? (uint32_t)-count : 0u, added = count > 0 ? (uint32_t)count : 0u;
    test_bank changed = {need((bank->count + added - removed) * 4u), bank->count + added - removed};
    memcpy(changed.words, bank->words, at * 4u);
    for (uint32_t i = 0; i < added; i++)
        changed.words[at + i] = value;
    memcpy(changed.words + at + added, bank->words + at + removed,
           (bank->count - at - removed) * 4u);
    bank_free(bank);
    *bank = changed;
}

test_bank bank_with_last(const uint32_t *words, uint32_t index)
{
    uint32_t count = words[4], end = 5u + 3u * count;
    test_bank bank = {need(words[2]), words[2] / 4u};
    memcpy(bank.words, words, 4u * end);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t from = i + 1u == count ? index : i < index ? i : i + 1u;
        const uint32_t *entry = words + 5u + 3u * from;
        uint32_t *moved = bank.words + 5u + 3u * i;
        moved[0] = entry[0];
        moved[1] = (entry[1] & 0x80000000u) | end;
        moved[2] = entry[2];
        memcpy(bank.words + end, words + (entry[1] & 0x7fffffffu), 4u * entry[2]);
        end += entry[2];
    }
    bank.count = end;
    bank_seal(&bank);
    return bank;
}

test_bank bank_with_section(const uint32_t *words, uint32_t tag, const uint32_t *body,
                            uint32_t body_words)
{
    uint32_t count = words[4], table_end = 5u + 3u * count, total = words[2] / 4u;
    test_bank bank = {need((total + 3u + body_words) * 4u), total + 3u + body_words};
    memcpy(bank.words, words, 4u * table_end);
    bank.words[4] = count + 1u;
    for (uint32_t i = 0; i < count; i++)
        bank.words[5u + 3u * i + 1u] += 3u;
    bank.words[table_end] = tag;
    bank.words[table_end + 1u] = total + 3u;
    bank.words[table_end + 2u] = body_words;
    memcpy(bank.words + table_end + 3u, words + table_end, 4u * (total - table_end));
    memcpy(bank.words + total + 3u, body, 4u * body_words);
    bank_seal(&bank);
    return bank;
}

uint32_t bank_section(const test_bank *bank, uint32_t index)
{
    return bank->words[5u + 3u * index + 1u] & 0x7fffffffu;
}

int32_t bank_open(const test_bank *bank, osc_bank *opened)
{
    return osc_bank_open(opened, bank->words, bank->count * 4u);
}

void player_make(test_player *made, const uint32_t *words, size_t count)
{
    if (osc_bank_open(&made->bank, words, count * 4u) != OSC_OK) {
        fprintf(stderr, "the test's bank does not open\n");
        abort();
    }
    size_t joints = made->bank.joint_count, memory = osc_player_memory_words(&made->bank);
    made->memory = need(memory * 4u);
    memset(made->memory, 0xa5, memory * 4u);
    made->pose.rotations = need(joints * sizeof(osc_quaternion));
    made->pose.translations = need(joints * sizeof(osc_vector));
    made->pose.scales = made->bank.has_scale ? need(joints * sizeof(osc_vector)) : 0;
    made->model = need(joints * sizeof(osc_matrix));
    if (osc_player_init(&made->player, &made->bank, made->memory, memory) != OSC_OK)
        abort();
}

void player_free(test_player *made)
{
    free(made->memory);
    free(made->pose.rotations);
    free(made->pose.translations);
    free(made->pose.scales);
    free(made->model);
}

void pose_wipe(test_player *made)
{
    size_t joints = made->bank.joint_count;
    memset(made->pose.rotations, 0x5a, joints * sizeof *made->pose.rotations);
    memset(made->pose.translations, 0x5a, joints * sizeof *made->pose.translations);
    if (made->bank.has_scale)
        memset(made->pose.scales, 0x5a, joints * sizeof *made->pose.scales);
}

uint32_t written_pose_hash(const test_player *made)
{
    size_t joints = made->bank.joint_count;
    uint32_t hash = osc_hash_words(OSC_HASH_START, made->pose.rotations, joints * 4u);
    hash = osc_hash_words(hash, made->pose.translations, joints * 3u);
    return made->bank.has_scale ? osc_hash_words(hash, made->pose.scales, joints * 3u) : hash;
}

uint32_t pose_hash(test_player *made)
{
    osc_player_evaluate(&made->player, &made->pose);
    return written_pose_hash(made);
}

uint32_t model_hash(test_player *made)
{
    osc_player_evaluate(&made->player, &made->pose);
    osc_compose(&made->bank, &made->pose, made->model);
    return osc_hash_words(OSC_HASH_START, made->model, made->bank.joint_count * 12u);
}
