/* Prints the hash of all poses of banks: the base that is compiled in, with more and more tiers,
 * which are cut out of an image where its header says, in both orders; and bank files as they are.
 * Arguments: the image, and a file for each bank. */
#include <stdio.h>
#include <stdlib.h>

#include "card.h"
#include "dog.h"
#include "hero.h"

static uint8_t *image;
static size_t image_bytes;

static uint8_t *read_whole(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    if (file == 0 || fseek(file, 0, SEEK_END) != 0)
        exit(1);
    *size = (size_t)ftell(file);
    uint8_t *bytes = malloc(*size);
    rewind(file);
    if (bytes == 0 || fread(bytes, 1, *size, file) != *size)
        exit(1);
    fclose(file);
    return bytes;
}

#define CHECK(condition)                                                                           \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "line %d: %s\n", __LINE__, #condition);                                \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

#define CHARACTER(name, NAME)                                                                      \
    static uint32_t name##_hash(const osc_bank *bank)                                              \
    {                                                                                              \
        static name##_player player;                                                               \
        static name##_pose pose;                                                                   \
        uint32_t hash = OSC_HASH_START;                                                            \
        CHECK(name##_player_init(&player, bank) == OSC_OK);                                        \
        for (uint32_t clip = 0; clip < NAME##_CLIP_COUNT; clip++) {                                \
            CHECK(osc_player_start(&player.player, clip, OSC_PLAY_LOOP) == OSC_OK);                \
            for (int32_t position = 0; position < 300000; position += 1777) {                      \
                (void)osc_player_seek_q11(&player.player, position);                               \
                name##_evaluate(&player, &pose);                                                   \
                hash = osc_hash_words(hash, &pose, sizeof pose / 4u);                              \
            }                                                                                      \
        }                                                                                          \
        return hash;                                                                               \
    }                                                                                              \
    static void name##_attach(osc_bank *bank, uint32_t tier)                                       \
    {                                                                                              \
        static const size_t sizes[] = {NAME##_TIER_1_BYTES, NAME##_TIER_2_BYTES};                  \
        uint32_t place = name##_tier_places[tier - 1u] - CARD_IMAGE_PLACE;                         \
        CHECK(place + sizes[tier - 1u] <= image_bytes && place % CARD_IMAGE_UNIT_BYTES == 0u);     \
        CHECK(name##_attach_tier(bank, tier, (const uint32_t *)(const void *)(image + place),      \
                                 sizes[tier - 1u]) == OSC_OK);                                     \
    }                                                                                              \
    static void name##_play(const char *path)                                                      \
    {                                                                                              \
        osc_bank bank = name##_embedded;                                                           \
        CHECK(sizeof name##_tier_places / sizeof name##_tier_places[0] == NAME##_TIER_COUNT);      \
        printf("%08x ", (unsigned)name##_hash(&bank));                                             \
        for (uint32_t tier = 1; tier <= 2u; tier++) {                                              \
            name##_attach(&bank, tier);                                                            \
            printf("%08x ", (unsigned)name##_hash(&bank));                                         \
        }                                                                                          \
        CHECK(name##_attach_tier(&bank, 1, 0, 0) == OSC_OK);                                       \
        CHECK(name##_attach_tier(&bank, 2, 0, 0) == OSC_OK);                                       \
        name##_attach(&bank, 2);                                                                   \
        name##_attach(&bank, 1);                                                                   \
        printf("%08x ", (unsigned)name##_hash(&bank));                                             \
        size_t size_bytes;                                                                         \
        uint8_t *whole = read_whole(path, &size_bytes);                                            \
        CHECK(name##_open(&bank, (const uint32_t *)(const void *)whole, size_bytes) == OSC_OK);    \
        printf("%08x\n", (unsigned)name##_hash(&bank));                                            \
        free(whole);                                                                               \
    }

CHARACTER(hero, HERO)
CHARACTER(dog, DOG)

int main(int count, char **arguments)
{
    if (count != 4)
        return 2;
    image = read_whole(arguments[1], &image_bytes);
    CHECK(image_bytes == CARD_IMAGE_BYTES);
    hero_play(arguments[2]);
    dog_play(arguments[3]);
    free(image);
    return 0;
}
