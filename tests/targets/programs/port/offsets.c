/* Fades the offsets of transitions: records as osc_transition_begin writes them after any poses. */
#include "bank/osc_internal.h"
#include "mix/osc_port_offsets.h"
#include "port.h"

#define CASES 40u
#define JOINTS 9u
#define ROTATIONS_SLOT (OSC_OFFSET_SLOT + 2u) /* the second one of a record */
#define VECTORS_SLOT (OSC_OFFSET_SLOT + 3u)
#define MEMORY_WORDS OSC_TRANSITION_WORDS(JOINTS, 2u * JOINTS)

/* Remaining shares of offsets and speeds, Q14: first, in the middle, and near the end. */
static const uint32_t bases[4] = {0x4000u, 0x0d000e00u, 0x04000700u, 0x00010002u};

static osc_quaternion rotations[JOINTS], turned[JOINTS];
static osc_vector translations[JOINTS], scales[JOINTS];
static const osc_pose pose = {rotations, translations, scales};
static uint32_t masks[3], memory[MEMORY_WORDS], records[MEMORY_WORDS];

static void fill_pose(uint32_t kind)
{
    for (uint32_t j = 0; j < JOINTS; j++) {
        fill_rotation(&rotations[j], kind);
        for (int32_t *word = &translations[j].x; word != &translations[j].x + 3; word++)
            *word = next_value(kind % 3u);
        for (int32_t *word = &scales[j].x; word != &scales[j].x + 3; word++)
            *word = next_value(kind % 3u);
    }
}

static uint32_t hash_pose(uint32_t hash)
{
    hash = hash_words(hash, &rotations[0].x, 4u * JOINTS);
    hash = hash_words(hash, &translations[0].x, 3u * JOINTS);
    hash = hash_words(hash, &scales[0].x, 3u * JOINTS);
    return hash_words(hash, (const int32_t *)memory, MEMORY_WORDS);
}

static osc_quaternion *copies(void)
{
    for (uint32_t i = 0; i < MEMORY_WORDS; i++)
        records[i] = memory[i];
    for (uint32_t j = 0; j < JOINTS; j++)
        turned[j] = rotations[j];
    return turned;
}

static uint32_t hash_turned(uint32_t hash, uint32_t words)
{
    hash = hash_words(hash, &turned[0].x, 4u * JOINTS);
    return hash_words(hash, (const int32_t *)records, words);
}

/* A bank in which these joints move, and a transition that has shown nothing. */
static void start(osc_transition *transition, osc_bank *bank, uint32_t joints)
{
    uint16_t count = 0;
    for (uint32_t j = 0; j < JOINTS; j++)
        count = (uint16_t)(count + (joints >> j & 1u));
    masks[0] = masks[1] = masks[2] = osc_word(joints);
    for (uint32_t i = 0; i < MEMORY_WORDS; i++)
        memory[i] = 0;
    bank->joint_count = JOINTS;
    bank->subtrack_masks = masks;
    bank->rotation_subtracks = bank->translation_subtracks = bank->scale_subtracks = count;
    bank->has_scale = true;
    (void)osc_transition_init(transition, bank, memory, MEMORY_WORDS);
}

static void check_kind(uint32_t kind)
{
    static osc_bank bank;
    uint32_t applied = OSC_HASH_START, one = OSC_HASH_START, four = OSC_HASH_START;
    uint32_t kept = OSC_HASH_START, vectors = OSC_HASH_START;
    for (uint32_t i = 0; i < CASES; i++) {
        osc_transition transition;
        uint32_t joints = i % 4u == 0u ? (1u << JOINTS) - 1u : next_random() >> (32u - JOINTS);
        start(&transition, &bank, joints);
        for (uint32_t tick = 0; tick < 2u; tick++) {
            fill_pose(kind);
            (void)osc_transition_apply(&transition, &pose, 20000u);
        }
        fill_pose(kind);
        osc_transition_begin(&transition, &pose, 100000u);
        for (uint32_t tick = 0; tick < 6u; tick++) {
            fill_pose(kind);
            (void)osc_transition_apply(&transition, &pose, next_random() >> 18);
            applied = hash_pose(applied);
        }
        if (joints + 1u != 1u << JOINTS)
            continue;
        uint32_t basis = bases[i / 4u % 4u], first = i / 4u % (JOINTS - 3u);
        copies();
        for (uint32_t j = 0; j < JOINTS; j++)
            osc_offset_rotation(records + j * OSC_TRANSITION_ROTATION_WORDS, ROTATIONS_SLOT, basis,
                                &turned[j]);
        one = hash_turned(one, JOINTS * OSC_TRANSITION_ROTATION_WORDS);
        uint32_t *record = records + first * OSC_TRANSITION_ROTATION_WORDS;
        osc_quaternion *rotation = copies() + first;
#ifdef OSC_PORT_OFFSETS
        osc_offset_4_rotations(record, ROTATIONS_SLOT, basis, rotation);
#else
        for (uint32_t j = 0; j < 4u; j++)
            osc_offset_rotation(record + j * OSC_TRANSITION_ROTATION_WORDS, ROTATIONS_SLOT, basis,
                                rotation + j);
#endif
        four = hash_turned(four, JOINTS * OSC_TRANSITION_ROTATION_WORDS);
        osc_keep_rotation(record, OSC_OFFSET_SLOT, rotation);
        kept = hash_turned(kept, JOINTS * OSC_TRANSITION_ROTATION_WORDS);
        for (uint32_t j = 0; j < JOINTS; j++) {
            record = records + JOINTS * OSC_TRANSITION_ROTATION_WORDS;
            osc_offset_vector(record + j * OSC_TRANSITION_VECTOR_WORDS, VECTORS_SLOT, basis,
                              &translations[j]);
        }
        vectors = hash_words(vectors, &translations[0].x, 3u * JOINTS);
        vectors = hash_words(vectors, (const int32_t *)records, MEMORY_WORDS);
    }
    print_hash("osc_transition_apply", kind, applied);
    print_hash("osc_offset_rotation", kind, one);
    print_hash("osc_offset_4_rotations", kind, four);
    print_hash("osc_keep_rotation", kind, kept);
    print_hash("osc_offset_vector", kind, vectors);
}

void check_offsets(void)
{
    for (uint32_t kind = 0; kind < ROTATION_KINDS; kind++)
        check_kind(kind);
}
