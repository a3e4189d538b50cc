/* Plays the graph of a bank with random parameters for a long time, and checks what graphs promise:
 *
 *     graph_soak BANK jumps TICKS SEED      no joint moves further in a tick than the clips and a
 *                                           transition's offset do
 *     graph_soak BANK cuts STRETCHES SEED   states, clocks, events and triggers do not depend on
 * the lengths of steps graph_soak BANK saves COUNT SEED      a copy of the state plays SAVED_TICKS
 * ticks with the same bits, COUNT times
 *
 * Prints what it has counted. Returns 1, with a message, for a broken promise. */
#include "bank/osc_format.h"
#include "graph_actor.h"

#include <math.h>

enum { MOST_EVENTS = 1 << 12, SAVED_TICKS = 10000, LONGEST_TICK_US = 40000 };

static uint32_t random_below(uint32_t *seed, uint32_t end)
{
    return end != 0u ? random_u32(seed) % end : 0u;
}

/* ---- parameters ---- */

static uint32_t parameter_word(uint32_t number, uint32_t word)
{
    return graph.parameters[number * OSC_GRAPH_PARAMETER_WORDS + word];
}

/* Sets triggers now and then, and gives some of the other parameters a new value. often: one in how
 * many changes. */
static void change_values(int32_t *values, uint32_t *seed, uint32_t often)
{
    uint32_t points = graph.parameter_count - graph.point_count;
    for (uint32_t i = 0; i < points; i++) {
        bool changes = random_below(seed, often) == 0u;
        uint32_t least = parameter_word(i, OSC_GRAPH_PARAMETER_LEAST);
        uint32_t span = parameter_word(i, OSC_GRAPH_PARAMETER_MOST) - least;
        if (i < graph.trigger_count)
            values[i] = changes ? 1 : 0;
        else if (changes)
            values[i] = (int32_t)(least + (uint32_t)((uint64_t)span * random_below(seed, 9) / 8u));
    }
    for (uint32_t i = points; i < points + 3u * graph.point_count; i++)
        if (random_below(seed, often) == 0u)
            values[i] = (int32_t)random_below(seed, 4u << 20) - (int32_t)(2u << 20);
}

static uint32_t random_tick_us(uint32_t *seed)
{
    return random_below(seed, 8) == 0u ? random_below(seed, LONGEST_TICK_US) : 16667u;
}

/* ---- jumps ---- */

/* The fastest that an offset fades: of A + 5/8 B in a duration (SPEC.md 18), as a share of it. */
#define OFFSET_SPEED 2.97
#define ROTATION_LIMIT_RAD 3.1 /* beyond 178.2 degrees, offsets are limited */
#define VECTOR_LIMIT_M 3.9     /* beyond 4 m, too */
/* The rotation where a transition begins is off in four components, which counts twice as an angle;
 * the three of an offset are rounded in each tick. */
#define ROUNDING_RAD ((4.0 * OSC_TRANSITION_JUMP_Q15 + 8.0) / 32768.0)
#define ROUNDING_M 0.0003

typedef struct {
    osc_quaternion rotations[MOST_JOINTS];
    osc_vector translations[MOST_JOINTS];
} joints;

/* The last tick of a machine: the pose that it showed, the pose of its state alone, and the offset
 * that fades. */
typedef struct {
    joints shown, alone;
    double offset_rad[MOST_JOINTS], offset_m[MOST_JOINTS];
    uint32_t over_us;
    bool was_cut;
} stream;

static stream streams[MOST_MACHINES];
static uint32_t compared, switched;
static double worst_rad, worst_m;
static bool broken;

static double angle(osc_quaternion a, osc_quaternion b)
{
    double w = (double)a.w * b.w + (double)a.x * b.x + (double)a.y * b.y + (double)a.z * b.z;
    double x = (double)a.w * b.x - (double)a.x * b.w - (double)a.y * b.z + (double)a.z * b.y;
    double y = (double)a.w * b.y - (double)a.y * b.w - (double)a.z * b.x + (double)a.x * b.z;
    double z = (double)a.w * b.z - (double)a.z * b.w - (double)a.x * b.y + (double)a.y * b.x;
    return 2.0 * atan2(sqrt(x * x + y * y + z * z), fabs(w));
}

static double distance(osc_vector a, osc_vector b)
{
    double x = (double)a.x - b.x, y = (double)a.y - b.y, z = (double)a.z - b.z;
    return sqrt(x * x + y * y + z * z) / 1048576.0;
}

static void copy_pose(joints *to, const osc_pose *pose)
{
    memcpy(to->rotations, pose->rotations, bank.joint_count * sizeof *to->rotations);
    memcpy(to->translations, pose->translations, bank.joint_count * sizeof *to->translations);
}

static stream *stream_of(const osc_transition *transition, const actor *own)
{
    size_t words = (size_t)(transition->memory - own->state.transition_memory);
    return &streams[words / osc_transition_memory_words(&bank)];
}

static void begin_and_note(osc_transition *transition, const osc_pose *pose, uint32_t duration_us)
{
    stream *s = stream_of(transition, &actors[0]);
    copy_pose(&s->alone, pose);
    s->over_us = duration_us;
    s->was_cut = duration_us == 0u;
    switched++;
    for (uint32_t i = 0; i < bank.joint_count; i++) {
        s->offset_rad[i] = angle(s->shown.rotations[i], pose->rotations[i]);
        s->offset_m[i] = distance(s->shown.translations[i], pose->translations[i]);
    }
    osc_transition_begin(transition, pose, duration_us);
}

static void check_joint(const stream *s, uint32_t i, const osc_pose *alone, const osc_pose *shown,
                        double share)
{
    double rad = angle(s->shown.rotations[i], shown->rotations[i]);
    double m = distance(s->shown.translations[i], shown->translations[i]);
    rad -= angle(s->alone.rotations[i], alone->rotations[i]);
    m -= distance(s->alone.translations[i], alone->translations[i]);
    /* an offset r of a rotation is sqrt(2) sin(angle / 4); an angle changes by at most 4 |r| */
    rad -= 4.0 * sqrt(2.0) * sin(s->offset_rad[i] / 4.0) * OFFSET_SPEED * share;
    m -= s->offset_m[i] * OFFSET_SPEED * share;
    if (s->offset_rad[i] <= ROTATION_LIMIT_RAD) {
        worst_rad = rad > worst_rad ? rad : worst_rad;
        broken = broken || rad > ROUNDING_RAD;
    }
    if (s->offset_m[i] <= VECTOR_LIMIT_M) {
        worst_m = m > worst_m ? m : worst_m;
        broken = broken || m > ROUNDING_M;
    }
}

static bool apply_and_check(osc_transition *transition, const osc_pose *pose, uint32_t elapsed_us)
{
    static joints alone;
    stream *s = stream_of(transition, &actors[0]);
    bool follows = transition->state.kept != 0u && !s->was_cut;
    double share = 0.0;
    if (transition->state.duration_us != 0u)
        share = fmin(1.0, (double)elapsed_us / transition->state.duration_us);
    copy_pose(&alone, pose);
    const osc_pose of_state = {alone.rotations, alone.translations, 0};
    bool continues = osc_transition_apply(transition, pose, elapsed_us);
    for (uint32_t i = 0; follows && i < bank.joint_count; i++)
        check_joint(s, i, &of_state, pose, share);
    compared += follows ? 1u : 0u;
    s->alone = alone;
    copy_pose(&s->shown, pose);
    s->was_cut = false;
    return continues;
}

static osc_quaternion rotations[MOST_JOINTS];
static osc_vector translations[MOST_JOINTS], scales[MOST_JOINTS];
static const osc_pose shown_pose = {rotations, translations, scales};

static int check_jumps(uint32_t ticks, uint32_t seed)
{
    static int32_t values[2 * MOST_VALUES];
    osc_graph_code noting = all_code;
    noting.begin = begin_and_note;
    noting.apply = apply_and_check;
    osc_graph_character character = character_of(&actors[0]);
    character.code = &noting;
    for (uint32_t tick = 0; tick < ticks && !broken; tick++) {
        uint32_t elapsed_us = random_tick_us(&seed);
        change_values(values, &seed, 24);
        osc_graph_advance(&character, values, elapsed_us);
        osc_graph_evaluate(&character, &shown_pose, elapsed_us);
    }
    printf("compared %u, switched %u, beyond the bound %.5f rad %.6f m\n", compared, switched,
           worst_rad, worst_m);
    return broken ? 1 : 0;
}

/* ---- cuts ---- */

typedef struct {
    osc_graph_event events[MOST_EVENTS];
    uint32_t count, most_switches;
} passage;

static int compare_events(const void *a, const void *b)
{
    return memcmp(a, b, sizeof(osc_graph_event));
}

/* Takes a stretch of time in steps of random lengths. */
static void pass(passage *found, const int32_t *constant, uint32_t total_us, uint32_t most_us,
                 uint32_t seed)
{
    static int32_t values[2 * MOST_VALUES];
    memcpy(values, constant, sizeof values);
    osc_graph_character character = character_of(&actors[0]);
    found->count = found->most_switches = 0;
    while (total_us != 0u) {
        uint32_t us = 1u + random_below(&seed, most_us);
        us = us < total_us ? us : total_us;
        osc_graph_advance(&character, values, us);
        total_us -= us;
        memset(values, 0, graph.trigger_count * sizeof *values);
        for (uint32_t i = 0; i < character.event_count && found->count < MOST_EVENTS; i++)
            found->events[found->count++] = character.events[i];
        if (character.now->switches > found->most_switches)
            found->most_switches = character.now->switches;
    }
    qsort(found->events, found->count, sizeof found->events[0], compare_events);
}

/* Returns whether a machine has the same state, clock and weight; a phase may round. */
static bool same_machine(const osc_graph_machine *a, const osc_graph_machine *b)
{
    return a->state == b->state && a->shown == b->shown && a->state_us == b->state_us &&
           a->position_q11 == b->position_q11 && a->fraction_q32 == b->fraction_q32 &&
           a->loops_left == b->loops_left && a->envelope_us == b->envelope_us &&
           a->taken == b->taken && a->begun == b->begun && a->phase.mark == b->phase.mark;
}

/* Returns whether two states play together in the same way. */
static bool same_fade(const osc_graph_fade *a, const osc_graph_fade *b)
{
    return a->over_us == b->over_us && a->half == b->half &&
           (a->over_us == 0u ||
            (a->elapsed_us == b->elapsed_us && same_machine(&a->source, &b->source)));
}

static bool same_state(const saved_state *a, const saved_state *b)
{
    for (uint32_t i = 0; i < graph.machine_count; i++)
        if (!same_machine(&a->machines[i], &b->machines[i]))
            return false;
    for (uint32_t i = 0; i < osc_graph_fade_count(&graph); i++)
        if (!same_fade(&a->fades[i], &b->fades[i]))
            return false;
    return memcmp(a->ages_us, b->ages_us, sizeof a->ages_us) == 0;
}

static int check_cuts(uint32_t stretches, uint32_t seed)
{
    static int32_t values[2 * MOST_VALUES];
    static saved_state before, after;
    static passage whole, parts;
    uint32_t limited = 0, switches = 0;
    for (uint32_t stretch = 0; stretch < stretches; stretch++) {
        uint32_t total_us = 1u + random_below(&seed, graph.longest_step_us);
        uint32_t most_us = (stretch & 1u) != 0u ? 2000u : 40000u;
        change_values(values, &seed, 4);
        before = actors[0].state;
        pass(&whole, values, total_us, 1u << 30, 0);
        after = actors[0].state;
        actors[0].state = before;
        pass(&parts, values, total_us, most_us, random_u32(&seed));
        switches += whole.most_switches;
        if (whole.most_switches >= OSC_GRAPH_MOST_SWITCHES) {
            limited++; /* the step may have reached its limit */
            continue;
        }
        if (!same_state(&after, &actors[0].state) || whole.count != parts.count ||
            memcmp(whole.events, parts.events, whole.count * sizeof whole.events[0]) != 0) {
            printf("stretch %u of %u us differs\n", stretch, total_us);
            return 1;
        }
    }
    printf("compared %u, switched %u\n", stretches - limited, switches);
    return 0;
}

/* ---- save states ---- */

static uint32_t tick(actor *own, const int32_t *values, uint32_t elapsed_us)
{
    static osc_matrix model[MOST_JOINTS];
    osc_graph_character character = character_of(own);
    osc_graph_advance(&character, values, elapsed_us);
    osc_graph_evaluate(&character, &shown_pose, elapsed_us);
    osc_compose(&bank, &shown_pose, model);
    osc_graph_look(&character, values, &shown_pose, model, elapsed_us);
    osc_graph_reach(&character, values, &shown_pose, model, elapsed_us);
    uint32_t hash = hash_of(2166136261u, rotations, bank.joint_count * sizeof *rotations);
    hash = hash_of(hash, translations, bank.joint_count * sizeof *translations);
    hash = hash_of(hash, &character.moved, sizeof character.moved);
    hash = hash_of(hash, &own->state.now.place, sizeof own->state.now.place);
    return hash_of(hash, own->events, character.event_count * sizeof *own->events);
}

/* The other character takes over, whose players play what it has played before. */
static int check_saves(uint32_t count, uint32_t seed)
{
    static int32_t values[2 * MOST_VALUES];
    for (uint32_t save = 0; save < count; save++) {
        for (uint32_t lead = random_below(&seed, 200); lead != 0u; lead--) {
            change_values(values, &seed, 24);
            (void)tick(&actors[0], values, random_tick_us(&seed));
        }
        actors[1].state = actors[0].state;
        for (uint32_t i = 0; i < SAVED_TICKS; i++) {
            change_values(values, &seed, 24);
            uint32_t elapsed_us = random_tick_us(&seed);
            if (tick(&actors[0], values, elapsed_us) != tick(&actors[1], values, elapsed_us)) {
                printf("save %u differs in tick %u\n", save, i);
                return 1;
            }
        }
    }
    printf("compared %u\n", count * SAVED_TICKS);
    return 0;
}

int main(int argc, char **argv)
{
    if (argc != 5 || open_all(argv[1]) != OSC_OK || !start_actors())
        return 2;
    uint32_t count = (uint32_t)strtoul(argv[3], 0, 10), seed = (uint32_t)strtoul(argv[4], 0, 10);
    return strcmp(argv[2], "jumps") == 0  ? check_jumps(count, seed)
           : strcmp(argv[2], "cuts") == 0 ? check_cuts(count, seed)
                                          : check_saves(count, seed);
}
