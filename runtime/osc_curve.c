/* The curve codec: each track a chain of sections between sparse keys, or a key on every frame.
 *
 * A block, from one restart point to the next, stands alone: at its first frame every track has a
 * plain key, at fixed places, so that the sections that end at the next restart point can fetch
 * their last key from there. All other keys come when they are needed, tracks in order: the
 * stream needs neither track numbers nor frame numbers beyond the gap from key to key.
 */
#include "osc_curve.h"
#include "osc_blend.h"
#include "osc_codes.h"
#include "osc_internal.h"
#include "osc_root.h"

const uint16_t osc_curve_reciprocal[2u * OSC_CURVE_MAX_GAP] = {
    32768, 32768, 21845, 32768, 26214, 21845, 18725, 32768, 29127, 26214, 23831, 21845, 20165,
    18725, 17476, 32768, 30840, 29127, 27594, 26214, 24966, 23831, 22795, 21845, 20972, 20165,
    19418, 18725, 18079, 17476, 16913, 32768, 31775, 30840, 29959, 29127, 28340, 27594, 26887,
    26214, 25575, 24966, 24385, 23831, 23302, 22795, 22310, 21845, 21400, 20972, 20560, 20165,
    19784, 19418, 19065, 18725, 18396, 18079, 17772, 17476, 17190, 16913, 16644, 32768, 32264,
    31775, 31301, 30840, 30394, 29959, 29537, 29127, 28728, 28340, 27962, 27594, 27236, 26887,
    26546, 26214, 25891, 25575, 25267, 24966, 24672, 24385, 24105, 23831, 23564, 23302, 23046,
    22795, 22550, 22310, 22075, 21845, 21620, 21400, 21183, 20972, 20764, 20560, 20361, 20165,
    19973, 19784, 19600, 19418, 19240, 19065, 18893, 18725, 18559, 18396, 18236, 18079, 17924,
    17772, 17623, 17476, 17332, 17190, 17050, 16913, 16777, 16644, 16513, 32768};

/* A track while its clip plays: lies in the player's state, one behind the other. */
typedef struct curve_track {
    uint32_t form;     /* what the header says, see below */
    uint32_t rice;     /* parameters, 4 bits a component; of tangents from bit 16 on */
    uint32_t place;    /* words of a row before the track, low half; state words, high half */
    uint32_t plain_at; /* bits from a restart point to the track's plain key */
    /* from here on not in dense tracks */
    uint32_t bias, end; /* u is (frame * reciprocal + bias) >> halvings; the section ends before the
                           frame `end`, NEVER after the last key */
    uint32_t ramp;
    uint32_t next;          /* cubic: frames from `end` to the key after it, and flags */
    osc_curve_lane lanes[]; /* three, or four in chart four */
} curve_track;

/* A dense track: begins like any other. */
typedef struct curve_dense {
    uint32_t form;
    uint32_t rice; /* parameters to begin with; from bit 16 on predictors and quarters of steps */
    uint32_t place, plain_at;
    uint32_t k_q2; /* parameters as they are now, 8 bits a component; K_ZERO: no residuals */
    osc_curve_point points[];
} curve_dense;

#define K_ZERO 0xffu
#define PREDICTOR(rice, i) (((rice) >> (16u + 4u * (i))) & 3u)
#define QUARTERS(rice, i) (((rice) >> (18u + 4u * (i))) & 3u)

#define NEVER 0xffffffffu

/* form */
#define SHIFT(form) ((form)&15u)
#define BASIS(form) (((form) >> 4) & 3u)
#define CHART(form) (((form) >> 6) & 15u)
#define MODE(form) (((form) >> 10) & 3u)
#define WIDTH(form) ((((form) >> 12) & 31u) + 1u)
#define GAP_RICE(form) (((form) >> 17) & 3u)
#define HAS_JUMPS(form) (((form) >> 19) & 1u)
#define UNIT(form) (((form) >> 20) & 3u)
#define GRAIN_SHIFT 22u
#define GRAIN(form, i) (((form) >> (GRAIN_SHIFT + 2u * (i))) & 3u)

/* next */
#define NEXT_GAP(next) ((next)&0xffu)
#define NEXT_JUMP 0x100u /* the section after this one is a jump */
#define THIS_JUMP 0x200u /* this one is */

static uint32_t component_count(uint32_t form)
{
    return CHART(form) == OSC_CURVE_FOUR ? 4u : 3u;
}

static uint32_t track_words(uint32_t form)
{
    return osc_curve_state_words(BASIS(form), component_count(form));
}

/* The number of ones before a zero; none follows `most` of them. */
static uint32_t take_unary(osc_bits *bits, uint32_t most)
{
    uint32_t ones = 0;
    while (ones < most && osc_bits_take(bits, 1u) != 0u)
        ones++;
    return ones;
}

static uint32_t take_chart(osc_bits *bits)
{
    if (osc_bits_take(bits, 1u) != 0u)
        return 3u;
    return osc_bits_take(bits, 4u);
}

/* Reads a header behind its gap. *shift: the one of the track before, and then of this one. */
static void take_header(osc_bits *bits, bool rotation, uint32_t *shift, uint32_t *form_out,
                        uint32_t *rice_out)
{
    uint32_t basis = (0u - take_unary(bits, 3u)) & 3u; /* dense, Hermite, cubic, linear */
    bool sparse = basis != OSC_CURVE_DENSE, hermite = basis == OSC_CURVE_HERMITE;
    *shift = (*shift + (uint32_t)osc_bits_take_rice(bits, 0)) & OSC_CURVE_SHIFT_MAX;
    uint32_t chart = rotation ? take_chart(bits) : OSC_CURVE_VECTOR;
    uint32_t form = *shift | basis << 4 | chart << 6, rice = 0;
    form |= osc_bits_take(bits, hermite ? 2u : 1u) << 10;
    /* the width of a plain rotation key follows from its step, less what the track spares */
    if (rotation)
        form |= (OSC_CURVE_ROTATION_WIDTH - 1u - *shift - osc_bits_take(bits, 2u)) << 12;
    else
        form |= osc_bits_take(bits, 5u) << 12;
    if (sparse)
        form |= osc_bits_take(bits, 2u) << 17;
    if (basis == OSC_CURVE_CUBIC)
        form |= osc_bits_take(bits, 1u) << 19;
    if (hermite)
        form |= take_unary(bits, 2u) << 20;
    uint32_t count = component_count(form);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t grain = i < 3u ? take_unary(bits, 3u) : 0u, value = OSC_RICE_ZERO;
        uint32_t tangent = sparse ? OSC_RICE_ZERO : 0u;
        form |= grain << (GRAIN_SHIFT + 2u * i);
        if (grain != OSC_CURVE_ABSENT) {
            value = sparse ? osc_bits_take(bits, 4u) : osc_bits_take_rice_unsigned(bits, 1u) & 15u;
            if (hermite && osc_bits_take(bits, 1u) != 0u)
                tangent = osc_bits_take(bits, 4u);
            if (!sparse)
                tangent = osc_bits_take(bits, chart == OSC_CURVE_FOUR ? 2u : 4u);
        }
        rice |= value << (4u * i) | tangent << (16u + 4u * i);
    }
    *form_out = form;
    *rice_out = rice;
}

bool osc_curve_valid(const osc_bank *bank, const osc_clip_parts *parts)
{
    uint32_t lane = 0, lanes = osc_lane_count(bank), state_words = 1;
    uint32_t shift = OSC_CURVE_SHIFT_FIRST;
    if (parts->header_bits == 0u)
        return true;
    osc_bits bits = osc_clip_stream(parts, 0);
    uint32_t count = osc_bits_take(&bits, OSC_CURVE_COUNT_BITS);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t form, rice, gap = osc_bits_take_rice_unsigned(&bits, OSC_CURVE_LANE_RICE);
        if (gap >= lanes - lane)
            return false;
        lane += gap;
        bool rotation = lane < bank->rotation_lanes;
        take_header(&bits, rotation, &shift, &form, &rice);
        if (rotation && CHART(form) > OSC_CURVE_FOUR)
            return false;
        state_words += track_words(form);
        lane++;
    }
    return state_words <= bank->state_words && bits.position <= parts->header_bits;
}

/* Where a block's keys come from. */
typedef struct curve_reader {
    osc_window_store store;
    uint32_t ahead;     /* bit position of the restart point that ends the block */
    uint32_t block_end; /* frame of the block's last key */
    bool joined;        /* that key is the next restart point's */
} curve_reader;

static void find_block(curve_reader *reader, const osc_player *player, const osc_clip_parts *parts,
                       uint32_t frame)
{
    uint32_t block = frame >> parts->restart_log2, last = player->row_count - 1u;
    reader->ahead = 0;
    reader->block_end = last;
    reader->joined = block < last >> parts->restart_log2;
    if (reader->joined) {
        reader->block_end = (block + 1u) << parts->restart_log2;
        reader->ahead = osc_clip_block_position(player, parts, block + 1u);
    }
}

/* Frames from the key at `frame` to the next; *jump: nothing lies between them and they share no
 * tangent. */
static uint32_t take_gap(curve_reader *reader, uint32_t form, uint32_t frame, uint32_t *jump)
{
    osc_window window = osc_window_resume(&reader->store);
    uint32_t symbol = osc_window_take_rice_unsigned(&window, GAP_RICE(form));
    osc_window_suspend(&window);
    uint32_t room = reader->block_end - frame;
    *jump = 0;
    if (HAS_JUMPS(form) != 0u) {
        if (symbol == 0u) {
            *jump = 1u;
            return 1u;
        }
        symbol--;
    }
    if (room > OSC_CURVE_MAX_GAP)
        room = OSC_CURVE_MAX_GAP;
    return symbol < room ? symbol + 1u : room;
}

/* A key that nothing predicts. */
static uint32_t plain_width(uint32_t form, uint32_t i)
{
    uint32_t grain = GRAIN(form, i), width = WIDTH(form);
    if (grain == OSC_CURVE_ABSENT)
        return 0;
    return width > grain ? width - grain : 1u;
}

static int32_t take_plain(osc_bits *bits, uint32_t form, uint32_t i)
{
    uint32_t width = plain_width(form, i);
    return width == 0u ? 0 : osc_shl(osc_bits_take_signed(bits, width), GRAIN(form, i));
}

/* Whether the key at `frame` is the next restart point's. */
static bool is_ahead(const curve_reader *reader, uint32_t frame)
{
    return frame == reader->block_end && reader->joined;
}

static osc_bits bits_ahead(const curve_reader *reader, const curve_track *track)
{
    osc_bits plain = reader->store.bits;
    plain.position = reader->ahead + track->plain_at;
    return plain;
}

static void take_keys_ahead(const curve_reader *reader, curve_track *track)
{
    osc_bits plain = bits_ahead(reader, track);
    for (uint32_t i = 0; i < component_count(track->form); i++)
        track->lanes[i].after = take_plain(&plain, track->form, i);
}

/* A coded component of a key. */
static inline int32_t take_key(osc_window *window, uint32_t grain, uint32_t k, int32_t guess)
{
    guess = osc_add(guess, (int32_t)((1u << grain) >> 1)) >> grain;
    if (!OSC_UNLIKELY(k == OSC_RICE_ZERO))
        guess = osc_add(guess, osc_window_take_rice(window, k));
    return osc_shl(guess, grain);
}

/* The key at `frame` to `after`, which holds what it is predicted to be. */
static void take_keys(curve_reader *reader, curve_track *track, uint32_t frame)
{
    if (is_ahead(reader, frame)) {
        take_keys_ahead(reader, track);
        return;
    }
    uint32_t rice = track->rice, grains = track->form >> GRAIN_SHIFT;
    osc_window window = osc_window_resume(&reader->store);
    const osc_curve_lane *end = track->lanes + component_count(track->form);
    for (osc_curve_lane *lane = track->lanes; lane != end; lane++, rice >>= 4, grains >>= 2)
        lane->after = take_key(&window, grains & 3u, rice & 15u, lane->after);
    osc_window_suspend(&window);
}

static void take_tangents(curve_reader *reader, curve_track *track, bool predict)
{
    uint32_t up = OSC_CURVE_FRACTION - UNIT(track->form);
    uint32_t rice = track->rice >> 16, grains = track->form >> GRAIN_SHIFT;
    osc_window window = osc_window_resume(&reader->store);
    const osc_curve_lane *end = track->lanes + component_count(track->form);
    for (osc_curve_lane *lane = track->lanes; lane != end; lane++, rice >>= 4, grains >>= 2) {
        uint32_t k = rice & 15u;
        int32_t tangent = predict ? lane->tangent : 0;
        if (k != OSC_RICE_ZERO)
            tangent =
                osc_add(tangent, osc_shl(osc_window_take_rice(&window, k), up + (grains & 3u)));
        lane->tangent = tangent;
    }
    osc_window_suspend(&window);
}

static void take_linear(curve_reader *reader, curve_track *track, uint32_t gap, bool extrapolate)
{
    uint32_t count = component_count(track->form);
    for (uint32_t i = 0; i < count; i++) {
        osc_curve_lane *lane = &track->lanes[i];
        lane->after = extrapolate ? osc_curve_ahead(lane->end, lane->tangent, gap) : lane->end;
    }
    take_keys(reader, track, track->end);
    for (uint32_t i = 0; i < count; i++) {
        osc_curve_lane *lane = &track->lanes[i];
        int32_t step = osc_sub(lane->after, lane->end);
        lane->end = lane->after;
        lane->b = lane->c = 0;
        lane->a = osc_shl(step, OSC_CURVE_FRACTION);
        if ((MODE(track->form) & 1u) != 0u)
            lane->tangent = osc_curve_slope(step, gap);
    }
}

static void take_hermite(curve_reader *reader, curve_track *track, uint32_t gap)
{
    uint32_t mode = MODE(track->form), count = component_count(track->form);
    for (uint32_t i = 0; i < count; i++)
        track->lanes[i].a = track->lanes[i].tangent;
    take_tangents(reader, track, (mode & 2u) != 0u);
    for (uint32_t i = 0; i < count; i++) {
        osc_curve_lane *lane = &track->lanes[i];
        lane->c = lane->tangent;
        lane->after = lane->end;
        if ((mode & 1u) != 0u)
            lane->after = osc_curve_ahead(lane->end, osc_add(lane->a, lane->c) >> 1, gap);
    }
    take_keys(reader, track, track->end);
    for (uint32_t i = 0; i < count; i++) {
        osc_curve_lane *lane = &track->lanes[i];
        lane->b = osc_sub(lane->after, lane->end);
        lane->end = lane->after;
        osc_curve_bend(lane, gap);
    }
}

/* A cubic block's first section: its end, as what comes after nothing. */
static void take_first_end(curve_reader *reader, curve_track *track, uint32_t frame)
{
    uint32_t jump, gap = take_gap(reader, track->form, frame, &jump);
    for (uint32_t i = 0; i < component_count(track->form); i++)
        track->lanes[i].after = track->lanes[i].end;
    take_keys(reader, track, frame + gap);
    track->next = gap | (jump != 0u ? NEXT_JUMP : 0u);
}

/* A cubic section's tangents are those of the parabola through three keys, of which the last is
 * pulled unless the block ends before it. Where there is no key beyond the section's end, or
 * nothing in common with it, the section itself is a parabola. Returns the size of its
 * coefficients. */
static uint32_t take_cubic(curve_reader *reader, curve_track *track, uint32_t gap, bool fresh)
{
    uint32_t form = track->form, next = track->next, after = 0, after_jump = 0, size = 0;
    bool ahead = false;
    if (track->end != reader->block_end) {
        after = take_gap(reader, form, track->end, &after_jump);
        ahead = is_ahead(reader, track->end + after);
    }
    bool extrapolate = ((next & NEXT_JUMP) | after_jump) == 0u && (MODE(form) & 1u) != 0u;
    bool smooth = after != 0u && after_jump == 0u;
    osc_curve_lane *lane = track->lanes, *const end = lane + component_count(form);
    osc_bits plain = {0, 0, 0};
    if (ahead)
        plain = bits_ahead(reader, track);
    osc_window window = osc_window_resume(&reader->store);
    uint32_t rice = track->rice, grains = form >> GRAIN_SHIFT;
    for (; lane != end; lane++, rice >>= 4, grains >>= 2) {
        int32_t key = lane->after, right = 0;
        lane->b = osc_sub(key, lane->end);
        lane->start = osc_shl(lane->end, SHIFT(form));
        lane->end = key;
        int32_t slope = osc_curve_slope(lane->b, gap);
        if (OSC_UNLIKELY(ahead))
            lane->after = take_plain(&plain, form, (uint32_t)(lane - track->lanes));
        else if (after != 0u)
            lane->after = take_key(&window, grains & 3u, rice & 15u,
                                   extrapolate ? osc_curve_ahead(key, slope, after) : key);
        if (smooth) {
            int32_t beyond = osc_curve_slope(osc_sub(lane->after, key), after);
            right = osc_curve_parabola(slope, gap, beyond, after);
        }
        lane->tangent = osc_curve_join(lane, gap, slope, fresh, lane->tangent, smooth, right);
        size |= osc_curve_size(lane);
    }
    osc_window_suspend(&window);
    track->next =
        after | ((next & NEXT_JUMP) != 0u ? THIS_JUMP : 0u) | (after_jump != 0u ? NEXT_JUMP : 0u);
    return size;
}

uint32_t osc_curve_settle(osc_curve_lane *lanes, uint32_t count, uint32_t size, uint32_t gap,
                          uint32_t shift)
{
    uint32_t down = 0;
    if (size >> 16 != 0u) {
        down = osc_floor_log2(size) - 15u;
        for (uint32_t i = 0; i < count; i++) {
            lanes[i].a >>= down;
            lanes[i].b >>= down;
            lanes[i].c >>= down;
        }
    }
    uint32_t scale = 15u + OSC_CURVE_FRACTION - shift;
    scale = scale > down ? scale - down : 0u;
    return OSC_RAMP((uint32_t)osc_curve_reciprocal[gap - 1u], osc_floor_log2(gap), scale);
}

/* The last key of a block holds. */
static void rest(curve_track *track)
{
    for (uint32_t i = 0; i < component_count(track->form); i++) {
        osc_curve_lane *lane = &track->lanes[i];
        lane->start = osc_shl(lane->end, SHIFT(track->form));
        lane->a = lane->b = lane->c = 0;
    }
    track->end = NEVER;
    track->bias = track->ramp = 0;
}

/* Moves on to the section that begins at `frame`, where the one before ends. first: a block does.
 */
OSC_APART void advance(curve_reader *reader, curve_track *track, uint32_t frame, bool first)
{
    uint32_t form = track->form, basis = BASIS(form), count = component_count(form);
    uint32_t gap, jump, size = 0;
    if (first && basis == OSC_CURVE_HERMITE)
        take_tangents(reader, track, false);
    if (frame == reader->block_end) {
        rest(track);
        return;
    }
    if (basis == OSC_CURVE_CUBIC) {
        bool fresh = first || (track->next & THIS_JUMP) != 0u;
        if (first)
            take_first_end(reader, track, frame);
        gap = NEXT_GAP(track->next);
        track->end = frame + gap;
        size = take_cubic(reader, track, gap, fresh);
    } else {
        gap = take_gap(reader, form, frame, &jump);
        track->end = frame + gap;
        for (uint32_t i = 0; i < count; i++)
            track->lanes[i].start = osc_shl(track->lanes[i].end, SHIFT(form));
        if (basis == OSC_CURVE_HERMITE)
            take_hermite(reader, track, gap);
        else
            take_linear(reader, track, gap, !first && (MODE(form) & 1u) != 0u);
        for (uint32_t i = 0; i < count; i++)
            size |= osc_curve_size(&track->lanes[i]);
    }
    track->ramp = osc_curve_settle(track->lanes, count, size, gap, SHIFT(form));
    track->bias = osc_curve_bias(track->ramp) - frame * OSC_RAMP_RECIPROCAL(track->ramp);
}

OSC_INLINE void finish(int32_t *row, const int32_t *values, uint32_t chart)
{
    if (chart < OSC_CURVE_FOUR) {
        uint32_t dropped = chart & 3u;
        int32_t x = values[0], y = values[1], z = values[2];
        row[dropped] = osc_rebuild_here_q20(x, y, z);
        row[(dropped + 1u) & 3u] = x;
        row[(dropped + 2u) & 3u] = y;
        row[(dropped + 3u) & 3u] = z;
        if (chart >= 4u)
            osc_turn(row, chart >= 8u);
        return;
    }
    row[0] = values[0];
    row[1] = values[1];
    row[2] = values[2];
    if (chart == OSC_CURVE_FOUR) {
        row[3] = values[3];
        uint32_t dropped = osc_largest_component(row);
        osc_rebuild(row, dropped, row[dropped] < 0);
    }
}

void osc_curve_finish(int32_t *row, const int32_t *values, uint32_t chart)
{
    finish(row, values, chart);
}

static inline void evaluate(const curve_track *track, uint32_t frame, int32_t values[4])
{
    uint32_t ramp = track->ramp, scale = OSC_RAMP_SCALE(ramp);
    uint32_t scaled = frame * OSC_RAMP_RECIPROCAL(ramp) + track->bias;
    int32_t u = (int32_t)(scaled >> OSC_RAMP_HALVINGS(ramp));
    int32_t half = (int32_t)((1u << scale) >> 1);
    const osc_curve_lane *lanes = track->lanes;
    values[0] = osc_curve_value(&lanes[0], u, scale, half);
    values[1] = osc_curve_value(&lanes[1], u, scale, half);
    values[2] = osc_curve_value(&lanes[2], u, scale, half);
    values[3] = 0;
    if (CHART(track->form) == OSC_CURVE_FOUR)
        values[3] = osc_curve_value(&lanes[3], u, scale, half);
}

static inline int32_t scaled_point(const curve_dense *track, uint32_t i)
{
    uint32_t shift = SHIFT(track->form) + GRAIN(track->form, i);
    return osc_mul(track->points[i].value, osc_curve_step(shift, QUARTERS(track->rice, i)));
}

/* The values of a dense track in Q20. */
static inline void scale_dense(const curve_dense *track, int32_t values[4])
{
    values[0] = scaled_point(track, 0);
    values[1] = scaled_point(track, 1u);
    values[2] = scaled_point(track, 2u);
    values[3] = CHART(track->form) == OSC_CURVE_FOUR ? scaled_point(track, 3u) : 0;
}

/* The plain values that a dense track begins a block with. */
static void start_dense(osc_bits *bits, curve_dense *track)
{
    track->k_q2 = 0;
    for (uint32_t i = 0; i < component_count(track->form); i++) {
        uint32_t k = (track->rice >> (4u * i)) & 15u;
        int32_t value = take_plain(bits, track->form, i) >> GRAIN(track->form, i);
        track->points[i] = (osc_curve_point){value, 0, 0};
        track->k_q2 |= (k == OSC_RICE_ZERO ? K_ZERO : k << 2) << (8u * i);
    }
}

/* The next value of component i of a dense track. *k_q2: the parameters of all of them. */
OSC_INLINE void take_point(osc_window *window, curve_dense *track, uint32_t i, uint32_t *k_q2)
{
    osc_curve_point *point = &track->points[i];
    uint32_t own_q2 = (*k_q2 >> (8u * i)) & 0xffu, quotient;
    int32_t value = osc_curve_guess(point, PREDICTOR(track->rice, i));
    if (!OSC_UNLIKELY(own_q2 == K_ZERO)) {
        value = osc_add(value, osc_window_take_rice_quotient(window, own_q2 >> 2, &quotient));
        if ((MODE(track->form) & 1u) != 0u)
            *k_q2 = (*k_q2 & ~(0xffu << (8u * i))) | osc_curve_next_k(own_q2, quotient) << (8u * i);
    }
    osc_curve_follow(point, value, false);
}

/* The next value of component i, from its residual. */
OSC_INLINE void move_point(curve_dense *track, uint32_t i, int32_t number)
{
    osc_curve_point *point = &track->points[i];
    osc_curve_follow(point, osc_add(osc_curve_guess(point, PREDICTOR(track->rice, i)), number),
                     false);
}

/* The parameter of component i that adapts, in its place of the word. */
OSC_INLINE uint32_t follow_k(uint32_t k_q2, uint32_t i, int32_t number)
{
    uint32_t own_q2 = (k_q2 >> (8u * i)) & 0xffu;
    uint32_t zigzag = ((uint32_t)number << 1) ^ (uint32_t)(number >> 31);
    if (OSC_UNLIKELY(own_q2 == K_ZERO))
        return own_q2 << (8u * i);
    return osc_curve_next_k(own_q2, zigzag >> (own_q2 >> 2)) << (8u * i);
}

/* The next values of a dense track with three components whose codes are short. Returns false with
 * nothing done where they are not. */
OSC_INLINE bool take_short_points(osc_window_store *store, curve_dense *track)
{
    int32_t numbers[3];
    uint32_t k_q2 = track->k_q2;
    const uint32_t k[3] = {(k_q2 >> 2) & 15u, (k_q2 >> 10) & 15u, (k_q2 >> 18) & 15u};
    if (!osc_codes_take_short(store, k, numbers))
        return false;
    if ((MODE(track->form) & 1u) != 0u)
        track->k_q2 = follow_k(k_q2, 0, numbers[0]) | follow_k(k_q2, 1u, numbers[1]) |
                      follow_k(k_q2, 2u, numbers[2]);
    move_point(track, 0, numbers[0]);
    move_point(track, 1u, numbers[1]);
    move_point(track, 2u, numbers[2]);
    return true;
}

OSC_STATIC_ASSERT(((K_ZERO >> 2) & 15u) == OSC_RICE_ZERO, no_residuals_have_the_parameter_zero);

/* The next values of a dense track. */
OSC_APART void take_points(osc_window_store *store, curve_dense *track)
{
    if (take_short_points(store, track))
        return;
    osc_window window = osc_window_resume(store);
    uint32_t k_q2 = track->k_q2;
    take_point(&window, track, 0, &k_q2);
    take_point(&window, track, 1u, &k_q2);
    take_point(&window, track, 2u, &k_q2);
    track->k_q2 = k_q2;
    osc_window_suspend(&window);
}

/* The same in chart four, whose component `dropped` is rebuilt. */
OSC_APART void take_four(osc_window_store *store, curve_dense *track, uint32_t dropped)
{
    osc_window window = osc_window_resume(store);
    for (uint32_t i = 0; i < 4u; i++)
        if (i != dropped)
            take_point(&window, track, i, &track->k_q2);
    osc_window_suspend(&window);
}

static void fill_four(osc_window_store *store, curve_dense *track, int32_t *row)
{
    uint32_t form = track->form;
    scale_dense(track, row);
    uint32_t dropped = osc_largest_component(row);
    int32_t kept = row[dropped];
    take_four(store, track, dropped);
    scale_dense(track, row);
    osc_rebuild(row, dropped, kept < 0);
    osc_curve_follow(&track->points[dropped],
                     osc_curve_grid(row[dropped], SHIFT(form) + GRAIN(form, dropped)), false);
}

/* There was no step before a block's second frame. */
static void begin_steps(curve_dense *track)
{
    for (uint32_t i = 0; i < component_count(track->form); i++)
        track->points[i].before = track->points[i].step;
}

/* finish, and the chord of a rotation; in charts 0..3 with all components in registers. */
OSC_INLINE uint32_t finish_track(int32_t *row, const int32_t *previous, const int32_t *values,
                                 uint32_t chart)
{
    if (OSC_CODES_SHORT && chart < 4u) {
        int32_t x = values[0], y = values[1], z = values[2], d = osc_rebuild_here_q20(x, y, z);
        switch (chart & 3u) {
        case 0:
            return osc_store_rotation(row, previous, d, x, y, z);
        case 1:
            return osc_store_rotation(row, previous, z, d, x, y);
        case 2:
            return osc_store_rotation(row, previous, y, z, d, x);
        default:
            return osc_store_rotation(row, previous, x, y, z, d);
        }
    }
    finish(row, values, chart);
    return chart <= OSC_CURVE_FOUR ? osc_chord_q20(previous, row) : 0u;
}

/* Rows of what a track holds now. Return the chord of a rotation. */
OSC_CODES_APART uint32_t fill_points(const curve_dense *track, int32_t *row,
                                     const int32_t *previous)
{
    int32_t values[4];
    scale_dense(track, values);
    return finish_track(row, previous, values, CHART(track->form));
}

OSC_CODES_APART uint32_t fill_section(const curve_track *track, uint32_t frame, int32_t *row,
                                      const int32_t *previous)
{
    int32_t values[4];
    evaluate(track, frame, values);
    return finish_track(row, previous, values, CHART(track->form));
}

/* The row of a dense track. place: frame in its block. In chart four the component that was largest
 * in the frame before is rebuilt. */
OSC_INLINE uint32_t fill_dense(osc_window_store *store, curve_dense *track, uint32_t place,
                               int32_t *row, const int32_t *previous)
{
    bool four = CHART(track->form) == OSC_CURVE_FOUR;
    if (place != 0u && four)
        fill_four(store, track, row);
    else if (place != 0u)
        take_points(store, track);
    if (OSC_UNLIKELY(place == 1u))
        begin_steps(track);
    if (place != 0u && four)
        return osc_chord_q20(previous, row);
    return fill_points(track, row, previous);
}

void osc_curve_start(osc_player *player)
{
    const osc_bank *bank = player->bank;
    osc_clip_parts parts = osc_clip_locate(bank, player->clip);
    int32_t *state = player->state;
    if (parts.header_bits == 0u)
        return;
    osc_bits headers = osc_clip_stream(&parts, 0);
    uint32_t count = osc_bits_take(&headers, OSC_CURVE_COUNT_BITS), lane = 0, plain_at = 0;
    uint32_t shift = OSC_CURVE_SHIFT_FIRST;
    *state++ = (int32_t)count;
    for (uint32_t i = 0; i < count; i++) {
        curve_track *track = (curve_track *)state;
        lane += osc_bits_take_rice_unsigned(&headers, OSC_CURVE_LANE_RICE);
        take_header(&headers, lane < bank->rotation_lanes, &shift, &track->form, &track->rice);
        uint32_t words = track_words(track->form);
        track->place = osc_lane_offset(bank, lane++) | words << 16;
        track->plain_at = plain_at;
        for (uint32_t c = 0; c < component_count(track->form); c++)
            plain_at += plain_width(track->form, c);
        state += words;
    }
}

/* The plain keys that begin every block, behind each other. */
static void start_block(osc_player *player, osc_bits *bits)
{
    int32_t *state = player->state;
    for (uint32_t count = (uint32_t)*state++; count != 0u; count--) {
        curve_track *track = (curve_track *)state;
        state += track->place >> 16;
        if (BASIS(track->form) == OSC_CURVE_DENSE) {
            start_dense(bits, (curve_dense *)track);
            continue;
        }
        for (uint32_t c = 0; c < component_count(track->form); c++) {
            track->lanes[c].end = take_plain(bits, track->form, c);
            track->lanes[c].tangent = 0;
        }
    }
}

void osc_curve_unpack(osc_player *player, uint32_t frame)
{
    osc_clip_parts parts = osc_clip_locate(player->bank, player->clip);
    uint32_t place = frame & ((1u << parts.restart_log2) - 1u), position = player->bit_position;
    int32_t *const row0 = player->rows[frame & 1u];
    const int32_t *const previous0 = player->rows[(frame & 1u) ^ 1u];
    if (parts.header_bits == 0u)
        return;
    if (place == 0u)
        position = osc_clip_block_position(player, &parts, frame >> parts.restart_log2);
    osc_bits bits = osc_clip_stream(&parts, position);
    if (place == 0u)
        start_block(player, &bits);
    curve_reader reader;
    find_block(&reader, player, &parts, frame);
    osc_window_open(&reader.store, bits);

    uint32_t rotation_words = 4u * player->bank->rotation_lanes, chord_q20;
    int32_t *state = player->state;
    for (uint32_t count = (uint32_t)*state++; count != 0u; count--) {
        curve_track *track = (curve_track *)state;
        uint32_t offset = track->place & 0xffffu;
        int32_t *row = row0 + offset;
        const int32_t *previous = previous0 + offset;
        state += track->place >> 16;
        if (BASIS(track->form) == OSC_CURVE_DENSE) {
            chord_q20 = fill_dense(&reader.store, (curve_dense *)track, place, row, previous);
        } else {
            if (place == 0u || frame == track->end)
                advance(&reader, track, frame, place == 0u);
            chord_q20 = fill_section(track, frame, row, previous);
        }
        if (offset < rotation_words)
            player->chords[offset >> 2] = chord_q20;
    }
    player->bit_position = osc_window_stored_position(&reader.store);
}
