/* Plays pseudo-random positions of every clip of the embedded bank and compares the generated
 * evaluator with the generic one, word for word; the same for shared rows. Prints the number of
 * poses and their hash. */
#include "hero.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define POSES_PER_CLIP 200

static hero_pose generic_pose, generated_pose;
static hero_model generic_model, generated_model;

static uint32_t next_random(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

static int fail(const char *what, long clip, long position)
{
    printf("%s differs: clip %ld, position %ld\n", what, clip, position);
    return 1;
}

/* Compares a pose of shared rows with that of the player, which is there, too. */
static int rows_differ(const osc_shared_rows *rows, int32_t position)
{
    memset(&generated_pose, 0x77, sizeof generated_pose);
    hero_shared_evaluate(rows, position, &generated_pose);
    return memcmp(&generic_pose, &generated_pose, sizeof generic_pose) != 0;
}

/* The same for a pool, which has room for some clips. */
static int pool_differs(hero_row_pool *pool, uint32_t clip, int32_t position)
{
    osc_row_pool_tick(&pool->pool);
    memset(&generated_pose, 0x77, sizeof generated_pose);
    hero_pool_evaluate(pool, clip, OSC_PLAY_LOOP, position, &generated_pose);
    return memcmp(&generic_pose, &generated_pose, sizeof generic_pose) != 0;
}

static int32_t *fill_rows(osc_shared_rows *rows, const osc_bank *bank, uint32_t clip)
{
    static hero_player filler;
    int32_t words = osc_shared_rows_most_words(bank, clip);
    int32_t *memory = malloc(4u * (size_t)words + 1u);
    if (memory == 0 || hero_player_init(&filler, bank) != OSC_OK ||
        osc_shared_rows_fill(rows, &filler.player, clip, OSC_PLAY_LOOP, memory, (uint32_t)words) <
            0)
        exit(fail("osc_shared_rows_fill", (long)clip, 0));
    return memory;
}

int main(void)
{
    static hero_player players[2]; /* the player is copied from one to the other */
    hero_player *player = players;
    static hero_row_pool pool;
    static int32_t pool_memory[8000];
    osc_bank bank;
    uint32_t state = 1, hash = OSC_HASH_START;
    long poses = 0;

    if (hero_open(&bank, hero_bank, sizeof hero_bank) != OSC_OK)
        return printf("hero_open fails\n"), 1;
    if (osc_player_memory_words(&bank) != HERO_PLAYER_WORDS || bank.layout_crc != HERO_LAYOUT_CRC ||
        bank.joint_count != HERO_JOINT_COUNT || bank.clip_count != HERO_CLIP_COUNT ||
        bank.has_scale != HERO_HAS_SCALE || sizeof hero_bank != HERO_BANK_BYTES ||
        sizeof player->memory != HERO_MEMORY_BYTES)
        return printf("a constant differs from the bank\n"), 1;
    if (hero_player_init(player, &bank) != OSC_OK)
        return printf("hero_player_init fails\n"), 1;
    if (HERO_PLAYER_WORDS != 0 && player->player.rows[1] - player->player.rows[0] != HERO_ROW_WORDS)
        return printf("HERO_ROW_WORDS differs\n"), 1;
    osc_bank foreign = bank;
    foreign.layout_crc ^= 1u;
    if (hero_player_init(player, &foreign) != OSC_ERROR_LAYOUT)
        return printf("hero_player_init takes a foreign bank\n"), 1;
    (void)hero_player_init(player, &bank);
    if (hero_row_pool_init(&pool, &foreign, pool_memory, 8000) != OSC_ERROR_LAYOUT ||
        hero_row_pool_init(&pool, &bank, pool_memory, 8000) != OSC_OK)
        return printf("hero_row_pool_init fails\n"), 1;

    for (uint32_t clip = 0; clip < bank.clip_count; clip++) {
        if (osc_player_start(&player->player, clip, OSC_PLAY_LOOP) != OSC_OK)
            return printf("osc_player_start fails\n"), 1;
        osc_shared_rows rows;
        int32_t *memory = fill_rows(&rows, &bank, clip);
        for (int i = 0; i < POSES_PER_CLIP; i++, poses++) {
            int32_t position = (int32_t)(next_random(&state) % (50u * 2048u)) - 2048;
            (void)osc_player_seek_q11(&player->player, position);
            memset(&generic_pose, 0x55, sizeof generic_pose);
            memset(&generated_pose, 0xaa, sizeof generated_pose);
            memset(&generic_model, 0x55, sizeof generic_model);
            memset(&generated_model, 0xaa, sizeof generated_model);

            osc_pose view = hero_pose_view(&generic_pose);
            osc_player_evaluate(&player->player, &view);
            if (i % 8 == 3) {
                hero_player *copy = &players[player == players];
                *copy = *player;
                memset(player, 0xa5, sizeof *player);
                player = copy;
            }
            hero_evaluate(player, &generated_pose);
            if (memcmp(&generic_pose, &generated_pose, sizeof generic_pose) != 0)
                return fail("pose", (long)clip, position);

            osc_compose(&bank, &view, generic_model.joints);
            hero_compose(&generated_pose, &generated_model);
            if (memcmp(&generic_model, &generated_model, sizeof generic_model) != 0)
                return fail("model", (long)clip, position);
            if (rows_differ(&rows, position))
                return fail("pose of shared rows", (long)clip, position);
            if (pool_differs(&pool, clip, position))
                return fail("pose of a pool", (long)clip, position);
            hash = osc_hash_words(hash, &generated_model, sizeof generated_model / 4u);
        }
        free(memory);
    }
    printf("%ld poses, hash %08lx\n", poses, (unsigned long)hash);
    return 0;
}
