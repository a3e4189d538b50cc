/* Banks with tiers, made of what the sample banks have and of clips that are written here, and the
 * medium on which their tiers lie. Errors in their directories are measured from poses. */
#ifndef TIER_BANK_H
#define TIER_BANK_H

#include "bank_tools.h"

typedef struct tier_bank {
    test_bank bank;                 /* the base, with the directory */
    test_bank tiers[OSC_MAX_TIERS]; /* each as a whole */
    uint32_t tier_count, chunk_count;
    uint32_t places[OSC_MAX_TIERS]; /* on the medium, in bytes */
    test_bank medium;
    uint32_t most_words; /* of the largest chunk */
} tier_bank;

/* Real clips: the base in the velocity codec; all of them in the transform codec in tier 1, and in
 * the curve codec in tier 2. Clip 1 loops. */
tier_bank tier_bank_of_codecs(void);

/* The base and the only tier are sparse. */
tier_bank tier_bank_of_sparse(void);

/* Clips with a key on every frame, which is coarser in the base than in tier 1, 2 and 3, in blocks
 * of 32 frames. Tiers leave out some clips and blocks. */
enum { PLAIN_LONG, PLAIN_CYCLE, PLAIN_SHORT, PLAIN_STILL, PLAIN_CLIPS };
#define PLAIN_LONG_FRAMES 300u
#define PLAIN_BLOCK 32u
tier_bank tier_bank_of_blocks(void);

/* The sample of versions: tier 1 has keys for the base of clip VERSIONS_KEYED, and tier 2 a version
 * of its first block. turned: with the tiers exchanged. */
enum { VERSIONS_KEYED = 3 };
tier_bank tier_bank_of_versions(bool turned);

/* One dense clip, whose keys lie in the base and in tiers 1 to 4. */
tier_bank tier_bank_of_keys(void);

/* Lays the tiers on the medium, the first at `place`, with `gap` bytes between them. Both are
 * multiples of 4. */
void tier_bank_lay(tier_bank *bank, uint32_t place, uint32_t gap);

/* The bank with all of its tiers in it. */
test_bank tier_bank_whole(const tier_bank *bank);

void tier_bank_free(tier_bank *bank);

/* The greatest difference of any number of two poses, in which a rotation and its negative are the
 * same. */
int32_t pose_difference(const osc_bank *bank, const osc_pose *a, const osc_pose *b);

#endif
