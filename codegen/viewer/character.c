/* A character that the graph of a bank animates, as `ossicle play` plays it (character.c of the
 * encoder). Its state can be saved and restored, so that the page can go back in time. */
#include "writer/character.h"

#include "module_memory.h"

typedef struct {
    enc_character *played;
    enc_character_state state;
} played_character;

/* Opens the graph of a bank that lies in reserved memory, in its first state. mirror: as for
 * enc_character_open. Returns null if the
 * bank has no graph, or if the runtime refuses it; *error then says why. */
EXPORT("character")
played_character *character_of(const uint32_t *words, uint32_t size_bytes, const int32_t *mirror,
                               int32_t *error);
played_character *character_of(const uint32_t *words, uint32_t size_bytes, const int32_t *mirror,
                               int32_t *error)
{
    played_character *made = reserve(sizeof *made);
    *error = OSC_ERROR_MEMORY;
    if (made == 0)
        return 0;
    *error = enc_character_open(words, size_bytes / 4u, mirror, &made->played);
    return *error == OSC_OK ? made : 0;
}

/* Advances the character. values: all parameters. Returns its state, valid until the next step. */
EXPORT("character_step")
const enc_character_state *character_step(played_character *character, const int32_t *values,
                                          uint32_t elapsed_us);
const enc_character_state *character_step(played_character *character, const int32_t *values,
                                          uint32_t elapsed_us)
{
    enc_character_step(character->played, values, elapsed_us, &character->state);
    return &character->state;
}

/* Begins the character again, with a seed for its random choices. */
EXPORT("character_restart") void character_restart(played_character *character, uint32_t seed);
void character_restart(played_character *character, uint32_t seed)
{
    enc_character_restart(character->played, seed);
}

EXPORT("character_go")
void character_go(played_character *character, uint32_t state, uint32_t over_us);
void character_go(played_character *character, uint32_t state, uint32_t over_us)
{
    (void)enc_character_go(character->played, state, over_us);
}

EXPORT("character_appear")
void character_appear(played_character *character, const int32_t *place);
void character_appear(played_character *character, const int32_t *place)
{
    enc_character_appear(character->played, place);
}

/* Returns the model matrices of the pose after the last step: 12 numbers in Q20 for each joint. */
EXPORT("character_model") const osc_matrix *character_model(const played_character *character);
const osc_matrix *character_model(const played_character *character)
{
    return character->played->model;
}

/* What the page shows of a state machine: the microseconds since its state was entered; the
 * transition that entered it, or OSC_GRAPH_NONE; of a layer its weight, Q15; of a blend the members
 * that play, and their weights, Q15. */
typedef struct {
    uint32_t state, state_us, taken, weight_q15;
    uint32_t members[OSC_GRAPH_MOST_MEMBERS], weights_q15[OSC_GRAPH_MOST_MEMBERS];
} shown_machine;

EXPORT("character_machine")
void character_machine(const played_character *character, uint32_t number, shown_machine *shown);
void character_machine(const played_character *character, uint32_t number, shown_machine *shown)
{
    const osc_graph_machine *machine = &character->played->machines[number];
    shown->state = machine->state;
    shown->state_us = machine->state_us;
    shown->taken = machine->taken;
    shown->weight_q15 = machine->weight_q15;
    for (uint32_t i = 0; i < OSC_GRAPH_MOST_MEMBERS; i++) {
        shown->members[i] = machine->members[i];
        shown->weights_q15[i] = machine->weights_q15[i];
    }
}

/* Returns the slewed numbers. */
EXPORT("character_slews") const osc_graph_slew *character_slews(const played_character *character);
const osc_graph_slew *character_slews(const played_character *character)
{
    return character->played->slews;
}

/* Returns the age of each wait of a machine for a trigger, or OSC_GRAPH_NOT_PENDING. */
EXPORT("character_ages") const uint32_t *character_ages(const played_character *character);
const uint32_t *character_ages(const played_character *character)
{
    return character->played->ages_us;
}

/* Copies words, and returns where the next ones go. */
static uint32_t *copy_words(void *part, uint32_t bytes, uint32_t *saved, bool restores)
{
    uint32_t *own = part;
    for (uint32_t i = 0; i < bytes / 4u; i++)
        *(restores ? &own[i] : &saved[i]) = restores ? saved[i] : own[i];
    return saved + bytes / 4u;
}

static uint32_t transition_bytes(const enc_character *played)
{
    return 4u * osc_graph_transition_count(&played->graph) *
           osc_transition_memory_words(&played->bank);
}

static void copy_state(enc_character *played, uint32_t *saved, bool restores)
{
    saved = copy_words(&played->now, sizeof played->now, saved, restores);
    saved = copy_words(played->machines, sizeof played->machines, saved, restores);
    saved = copy_words(played->transitions, sizeof played->transitions, saved, restores);
    saved = copy_words(played->ages_us, sizeof played->ages_us, saved, restores);
    saved = copy_words(played->slews, sizeof played->slews, saved, restores);
    saved = copy_words(played->looks, sizeof played->looks, saved, restores);
    saved = copy_words(played->choices, sizeof played->choices, saved, restores);
    saved = copy_words(played->limbs, sizeof played->limbs, saved, restores);
    saved = copy_words(played->fades, sizeof played->fades, saved, restores);
    (void)copy_words(played->transition, transition_bytes(played), saved, restores);
}

/* Returns the words of a saved state. */
EXPORT("character_saved_words") uint32_t saved_words(const played_character *character);
uint32_t saved_words(const played_character *character)
{
    const enc_character *played = character->played;
    size_t bytes = sizeof played->now + sizeof played->machines + sizeof played->transitions +
                   sizeof played->ages_us + sizeof played->slews + sizeof played->looks +
                   sizeof played->choices + sizeof played->limbs + sizeof played->fades;
    return ((uint32_t)bytes + transition_bytes(played)) / 4u;
}

EXPORT("character_save") void character_save(const played_character *character, uint32_t *saved);
void character_save(const played_character *character, uint32_t *saved)
{
    copy_state(character->played, saved, false);
}

EXPORT("character_restore") void character_restore(played_character *character, uint32_t *saved);
void character_restore(played_character *character, uint32_t *saved)
{
    copy_state(character->played, saved, true);
}
