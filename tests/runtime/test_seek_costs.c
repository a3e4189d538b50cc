/* How many rows a seek unpacks (runtime/README.md): one for the next frame; for a frame behind or far
 * ahead those from the restart point on, and two where every frame is reached directly. */
#include "bank_tools.h"
#include "check.h"
#include "bank/osc_internal.h"
#include "sample_banks.h"

static uint32_t unpacked;

#define COUNTED(codec)                                                                             \
    {                                                                                              \
        void __real_osc_##codec##_unpack(osc_player *, uint32_t);                                  \
        unpacked++;                                                                                \
        __real_osc_##codec##_unpack(player, frame);                                                \
    }

void __wrap_osc_delta_unpack(osc_player *player, uint32_t frame) COUNTED(delta)
void __wrap_osc_curve_unpack(osc_player *player, uint32_t frame) COUNTED(curve)
void __wrap_osc_transform_unpack(osc_player *player, uint32_t frame) COUNTED(transform)
void __wrap_osc_velocity_unpack(osc_player *player, uint32_t frame) COUNTED(velocity)
void __wrap_osc_sparse_unpack(osc_player *player, uint32_t frame) COUNTED(sparse)
void __wrap_osc_dense_unpack(osc_player *player, uint32_t frame) COUNTED(dense)

typedef struct counted_sample {
    const uint32_t *words;
    size_t count;
    bool direct; /* every frame is reached directly */
} counted_sample;

static counted_sample samples[] = {{sample_walk, sizeof sample_walk / 4u, false},
                                   {sample_curve, sizeof sample_curve / 4u, false},
                                   {sample_transform, sizeof sample_transform / 4u, true},
                                   {sample_velocity, sizeof sample_velocity / 4u, false},
                                   {sample_sparse, sizeof sample_sparse / 4u, false},
                                   {sample_dense, sizeof sample_dense / 4u, true}};

static uint32_t rows_of_seek(osc_player *player, uint32_t frame)
{
    unpacked = 0;
    assert_int_equal(osc_player_seek_q11(player, (int32_t)(frame * 2048u)), (int32_t)frame);
    return unpacked;
}

static uint32_t restart_of(const osc_player *player, uint32_t frame)
{
    uint32_t log2 = osc_clip_restart_log2(player->clip);
    return frame >> log2 << log2;
}

static void seeks_unpack_what_is_stated(void **state)
{
    const counted_sample *sample = *state;
    test_player made;
    player_make(&made, sample->words, sample->count);
    osc_player *player = &made.player;
    assert_int_equal(osc_player_start(player, 0, OSC_PLAY_ONCE), OSC_OK);
    uint32_t most = player->row_count - 2u;
    assert_true(most >= 6u);
    (void)rows_of_seek(player, 0);
    for (uint32_t frame = 1; frame <= most; frame++)
        assert_int_equal(rows_of_seek(player, frame), 1);
    for (uint32_t frame = most; frame-- > 0u;) {
        uint32_t rows = rows_of_seek(player, frame);
        assert_int_equal(rows, sample->direct ? 2u : frame + 2u - restart_of(player, frame));
    }
    for (uint32_t frame = 3; frame <= most; frame++) {
        assert_int_equal(osc_player_start(player, 0, OSC_PLAY_ONCE), OSC_OK);
        (void)rows_of_seek(player, 0);
        uint32_t restart = restart_of(player, frame);
        uint32_t first = restart > 2u ? restart : 2u; /* frames 0 and 1 are at hand */
        assert_int_equal(rows_of_seek(player, frame), sample->direct ? 2u : frame + 2u - first);
    }
    player_free(&made);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_prestate(seeks_unpack_what_is_stated, &samples[0]),
        cmocka_unit_test_prestate(seeks_unpack_what_is_stated, &samples[1]),
        cmocka_unit_test_prestate(seeks_unpack_what_is_stated, &samples[2]),
        cmocka_unit_test_prestate(seeks_unpack_what_is_stated, &samples[3]),
        cmocka_unit_test_prestate(seeks_unpack_what_is_stated, &samples[4]),
        cmocka_unit_test_prestate(seeks_unpack_what_is_stated, &samples[5]),
    };
    return cmocka_run_group_tests(tests, 0, 0);
}
