/* Prints what the parts of a step of a graph cost, with the character of graph_costs.toml. The
 * steps last a microsecond, in which no row is unpacked. */
#include "hal.h"
#include "hero_graph.h"
#include "osc_mix.h"
#include "print.h"

#define LOOKED 8u   /* transitions of the state `looked` */
#define SWITCHES 4u /* from the state `one` on */
#define EVENTS 4u   /* at the beginning of Idle */
#define LINKS 2u
#define MEMBERS 2u
#define STEPS 8u

OSC_HOT_DATA static hero_graph hero;
OSC_HOT_DATA static hero_model model;
OSC_HOT_DATA static uint32_t memory[HERO_TRANSITION_WORDS];

static uint32_t larger(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

/* The cost of a step. */
static uint32_t step(void)
{
    hal_ticks_start();
    hero_graph_step(&hero, 1, &model);
    return hal_instructions();
}

/* The largest cost of some steps in a state, after the one that enters it. */
static uint32_t steps_in(uint32_t state)
{
    uint32_t worst = 0;
    (void)hero_graph_go(&hero, state, 0);
    (void)step();
    for (uint32_t i = 0; i < STEPS; i++)
        worst = larger(worst, step());
    return worst;
}

/* The cost of the step that enters a state again. */
static uint32_t entering(uint32_t state)
{
    (void)hero_graph_go(&hero, state, 0);
    return step();
}

static uint32_t above(uint32_t whole, uint32_t rest)
{
    return whole > rest ? whole - rest : 0u;
}

#define MEASURE(cost, call)                                                                        \
    do {                                                                                           \
        hal_ticks_start();                                                                         \
        call;                                                                                      \
        cost = hal_instructions();                                                                 \
    } while (0)

int main(void)
{
    static const osc_vector point = {OSC_ONE_Q20, OSC_ONE_Q20, OSC_ONE_Q20};
    hero_pose *pose = &hero.pose, *other = &hero.others[0]; /* fast memory has no room for more */
    hero_player *player = &hero.players[0];
    osc_pose view = hero_pose_view(pose), with = hero_pose_view(other);
    const osc_bank *bank = &hero_embedded;
    uint32_t evaluate, blend, add, compose, mirror, begin, apply;
    osc_transition transition;
    if (hero_graph_start(&hero, bank) != OSC_OK ||
        osc_transition_init(&transition, bank, memory, HERO_TRANSITION_WORDS) != OSC_OK)
        hal_exit(1);
    (void)osc_player_start(&player->player, HERO_CLIP_WALK, OSC_PLAY_ONCE);
    (void)osc_player_seek_q11(&player->player, 0);
    MEASURE(evaluate, hero_evaluate(player, pose));
    *other = *pose;
    (void)osc_player_seek_q11(&player->player, 5 << 11 | 600);
    hero_evaluate(player, pose);
    MEASURE(blend, osc_mix_blend(bank, &view, &with, 10000, 0));
    MEASURE(add, osc_mix_add(bank, &view, &with, 10000, 0));
    MEASURE(mirror, osc_mirror_pose(&hero_mirror, &view, &view));
    (void)osc_transition_apply(&transition, &with, 16667);
    (void)osc_transition_apply(&transition, &view, 16667);
    MEASURE(begin, osc_transition_begin(&transition, &with, 250000));
    MEASURE(apply, (void)osc_transition_apply(&transition, &view, 16667));
    MEASURE(compose, hero_compose(pose, &model));
    print_text(hal_unit);
    print_text("\n");
    print_line("evaluate ", evaluate);
    print_line("blend ", blend);
    print_line("add ", add);
    print_line("mirror ", mirror);
    print_line("begin ", begin);
    print_line("apply ", apply);
    print_line("compose ", compose);

    uint32_t plain = steps_in(HERO_STATE_PLAIN), entered = entering(HERO_STATE_PLAIN);
    print_line("machine ", above(plain, evaluate + compose));
    print_line("look ", above(steps_in(HERO_STATE_LOOKED), plain) / LOOKED);
    print_line("part ", above(steps_in(HERO_STATE_BLEND), plain + evaluate + blend) / MEMBERS);
    (void)steps_in(HERO_STATE_NOISY);
    print_line("event ", above(entering(HERO_STATE_NOISY), entered) / EVENTS);
    (void)steps_in(HERO_STATE_ONE);
    hero.set.go = true;
    print_line("switch ", above(step(), plain) / SWITCHES);
    hero.set.slow_q16 = 1 << 16;
    print_line("slew ", above(steps_in(HERO_STATE_PLAIN), plain));
    hero.set.point = point;
    hero.set.slow_q16 = 0;
    plain = steps_in(HERO_STATE_PLAIN);
    hero.set.turned_q16 = 1 << 16;
    print_line("turn ", above(steps_in(HERO_STATE_PLAIN), plain) / LINKS);
    hero.set.turned_q16 = 0;
    hero.set.reached_q16 = 1 << 16;
    print_line("reach ", above(steps_in(HERO_STATE_PLAIN), plain));
    hal_exit(0);
}
